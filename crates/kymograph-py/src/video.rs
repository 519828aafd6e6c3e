//! Videos: what is known of them, and the frames of GIF files.

use kymograph_core::dashboards::video::{self, Container, Film, VideoError, Wanted};
use kymograph_core::link::Link;
use kymograph_core::store::Store;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;

/// What is known of a video.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct Video {
    /// How many the blob has.
    items: usize,
    /// `gif`, `mp4` or `webm`; nothing for anything else.
    container: Option<&'static str>,
    bytes: usize,
    /// Of a GIF that can be decoded, as are the fields below.
    width: Option<u16>,
    height: Option<u16>,
    delays_millis: Option<Vec<u32>>,
    note: Option<&'static str>,
    /// Why the frames of a GIF cannot be shown.
    error: Option<String>,
}

/// Some frames of a GIF.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct VideoFrames {
    width: usize,
    height: usize,
    /// PNG files.
    files: Vec<Py<PyBytes>>,
}

/// What is known of a video.
pub fn describe(py: Python<'_>, store: &Store, link: &Link, item: usize) -> PyResult<Video> {
    let look = |bytes: &[u8], items: usize| Ok(described(bytes, items));
    py.detach(|| store.look_at_video(link, item, look)).map_err(errors::from_fetch)
}

fn described(bytes: &[u8], items: usize) -> Video {
    let container = Container::of(bytes);
    let film = (container == Some(Container::Gif)).then(|| Film::of(bytes));
    let (film, error) = match film.transpose() {
        Ok(film) => (film, None),
        Err(error) => (None, Some(error.to_string())),
    };
    Video {
        items,
        container: container.map(|container| match container {
            Container::Gif => "gif",
            Container::Mp4 => "mp4",
            Container::Webm => "webm",
        }),
        bytes: bytes.len(),
        width: film.as_ref().map(|film| film.width),
        height: film.as_ref().map(|film| film.height),
        note: film.as_ref().and_then(|film| film.note),
        delays_millis: film.map(|film| film.delays_millis),
        error,
    }
}

/// Some frames of a GIF.
pub fn frames(
    py: Python<'_>,
    store: &Store,
    link: &Link,
    item: usize,
    wanted: Wanted,
) -> PyResult<VideoFrames> {
    let look = |bytes: &[u8], _| -> Result<_, VideoError> { video::frames(bytes, wanted) };
    let found = py.detach(|| store.look_at_video(link, item, look)).map_err(errors::from_fetch)?;
    Ok(VideoFrames {
        width: found.width,
        height: found.height,
        files: found.files.iter().map(|file| PyBytes::new(py, file).unbind()).collect(),
    })
}
