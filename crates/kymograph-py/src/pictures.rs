//! What pictures are, and small copies of them.

use std::sync::Arc;

use kymograph_core::link::Link;
use kymograph_core::store::{Look, Store};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// One picture of a blob, or why it cannot be shown.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct PictureLook {
    items: usize,
    bytes: usize,
    media_type: Option<&'static str>,
    width: u32,
    height: u32,
    channels: u8,
    bit_depth: u8,
    error: Option<String>,
    thumbnail_type: Option<&'static str>,
    thumbnail: Option<Py<PyBytes>>,
}

impl PictureLook {
    fn failed(items: usize, bytes: usize, error: String) -> Self {
        Self {
            items,
            bytes,
            media_type: None,
            width: 0,
            height: 0,
            channels: 0,
            bit_depth: 0,
            error: Some(error),
            thumbnail_type: None,
            thumbnail: None,
        }
    }

    fn new(py: Python<'_>, look: &Look) -> Self {
        match &look.picture {
            Err(error) => Self::failed(look.items, look.bytes, error.clone()),
            Ok(picture) => Self {
                items: look.items,
                bytes: look.bytes,
                media_type: Some(picture.media_type),
                width: picture.width,
                height: picture.height,
                channels: picture.channels,
                bit_depth: picture.bit_depth,
                error: None,
                thumbnail_type: look.thumbnail.as_ref().map(|copy| copy.media_type),
                thumbnail: look
                    .thumbnail
                    .as_ref()
                    .map(|copy| PyBytes::new(py, &copy.bytes).unbind()),
            },
        }
    }
}

/// A look at each picture, in their order; the interpreter is released.
pub fn look(
    py: Python<'_>,
    store: &Store,
    pictures: &[(String, u32)],
    size: Option<u32>,
) -> Vec<PictureLook> {
    let links: Vec<Option<(Link, u32)>> = pictures
        .iter()
        .map(|(address, item)| Link::parse(address).map(|link| (link, *item)))
        .collect();
    let valid: Vec<(Link, u32)> = links.iter().flatten().copied().collect();
    let looks: Vec<Arc<Look>> = py.detach(|| store.look_at_pictures(&valid, size));
    let mut looks = looks.iter();
    let unknown = || PictureLook::failed(0, 0, "There is no blob at this address".to_owned());
    links
        .iter()
        .map(|link| match link.and_then(|_| looks.next()) {
            Some(look) => PictureLook::new(py, look),
            None => unknown(),
        })
        .collect()
}
