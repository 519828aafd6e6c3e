//! Arrays into pixels at once, and into images and videos when they are written.

use crate::writer::LateSummary;
use kymograph_core::pixels::image::{Content, Size, Still};
use kymograph_core::pixels::video::{Container, Ffmpeg, Film};
use kymograph_core::pixels::{Grid, PixelError, Pixels, Sample};
use kymograph_core::writer;
use numpy::ndarray::{ArrayViewD, Axis, Ix5};
use numpy::{
    Element, PyArray1, PyArray3, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ffi::OsString;

/// An array of one of the types that have pixels.
#[derive(FromPyObject)]
pub enum Samples<'py> {
    Bytes(PyReadonlyArrayDyn<'py, u8>),
    Singles(PyReadonlyArrayDyn<'py, f32>),
    Doubles(PyReadonlyArrayDyn<'py, f64>),
}

/// Rows and columns.
type GridShape = (usize, usize);

impl Samples<'_> {
    /// The pixels of tiles by rows, columns and channels, or by frames, rows, columns and
    /// channels. The interpreter is released.
    fn pixels(&self, py: Python<'_>, ndim: usize, grid: GridShape) -> PyResult<Pixels> {
        match self {
            Samples::Bytes(array) => pixels(py, array, ndim, grid),
            Samples::Singles(array) => pixels(py, array, ndim, grid),
            Samples::Doubles(array) => pixels(py, array, ndim, grid),
        }
    }
}

fn pixels<T: Sample + Element + Sync>(
    py: Python<'_>,
    array: &PyReadonlyArrayDyn<'_, T>,
    ndim: usize,
    (rows, columns): GridShape,
) -> PyResult<Pixels> {
    if array.ndim() != ndim {
        return Err(PyValueError::new_err(format!("expected {ndim} axes: {:?}", array.shape())));
    }
    // Else the strides are not whole elements, and the view below would read elsewhere.
    if !array.is_aligned() {
        return Err(PyValueError::new_err("the array is not aligned"));
    }
    let mut view: ArrayViewD<'_, T> = array.as_array();
    if ndim == 3 {
        view = view.insert_axis(Axis(0));
    }
    if ndim < 5 {
        view = view.insert_axis(Axis(1));
    }
    let view = view
        .into_dimensionality::<Ix5>()
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    py.detach(|| Pixels::tiled(view, Grid { rows, columns })).map_err(from_pixels)
}

/// The same exceptions as Pillow's, which PyTorch's writer shows its callers.
fn from_pixels(error: PixelError) -> PyErr {
    match error {
        PixelError::Channels(_) => PyTypeError::new_err(error.to_string()),
        PixelError::Empty | PixelError::TooLarge => PyValueError::new_err(error.to_string()),
    }
}

/// Images as one array of bytes: rows, columns, channels. A single channel becomes three.
#[pyfunction]
#[pyo3(name = "pixels", signature = (images, *, grid=(1, 1)))]
pub fn joined_pixels<'py>(
    py: Python<'py>,
    images: Samples<'py>,
    grid: GridShape,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let pixels = images.pixels(py, 4, grid)?.with_colour();
    let shape = [pixels.height() as usize, pixels.width() as usize, pixels.channels()];
    PyArray1::from_vec(py, pixels.into_bytes()).reshape(shape)
}

/// One image as a PNG file, with as many channels as it has.
#[pyfunction]
pub fn encode_png<'py>(py: Python<'py>, image: Samples<'py>) -> PyResult<Bound<'py, PyBytes>> {
    let pixels = image.pixels(py, 3, (1, 1))?;
    let still = Still::new(pixels, Content::Photo).map_err(from_pixels)?;
    let file = py.detach(|| still.png());
    let file = file.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(PyBytes::new(py, &file))
}

/// A summary of images side by side. `size` is the height and width it states, if they are not
/// those of the pixels; `is_drawing` is for pictures with flat areas.
#[pyfunction]
#[pyo3(signature = (tag, images, *, grid=(1, 1), size=None, is_drawing=false))]
pub fn image_summary(
    py: Python<'_>,
    tag: Option<String>,
    images: Samples<'_>,
    grid: GridShape,
    size: Option<(u32, u32)>,
    is_drawing: bool,
) -> PyResult<LateSummary> {
    let tag = tag.unwrap_or_default();
    let content = if is_drawing { Content::Drawing } else { Content::Photo };
    let pixels = images.pixels(py, 4, grid)?.with_colour();
    let still = Still::new(pixels, content).map_err(from_pixels)?;
    let channels = still.pixels().channels();
    let size = size.map(|(height, width)| Size { height, width, channels });
    let held_bytes = still.pixels().bytes().len();
    Ok(LateSummary(writer::LateSummary::new(held_bytes, move || still.summary(&tag, size))))
}

/// A summary of videos side by side: a GIF, or with `encoder`, the path of an `ffmpeg` program,
/// `container` as `mp4` or `webm`.
#[pyfunction]
#[pyo3(signature = (tag, videos, *, fps, grid=(1, 1), encoder=None, container="mp4"))]
pub fn video_summary(
    py: Python<'_>,
    tag: Option<String>,
    videos: Samples<'_>,
    fps: f64,
    grid: GridShape,
    encoder: Option<OsString>,
    container: &str,
) -> PyResult<LateSummary> {
    if !(fps.is_finite() && fps > 0.0) {
        return Err(PyValueError::new_err(format!("`fps` is not positive: {fps}")));
    }
    let container = match container {
        "mp4" => Container::Mp4,
        "webm" => Container::Webm,
        other => return Err(PyValueError::new_err(format!("unknown container: `{other}`"))),
    };
    let tag = tag.unwrap_or_default();
    let ffmpeg = encoder.map(|program| Ffmpeg { program, container });
    let film = Film::new(videos.pixels(py, 5, grid)?, fps).map_err(from_pixels)?;
    let held_bytes = film.pixels().bytes().len();
    let encode = move || film.summary(&tag, ffmpeg.as_ref());
    Ok(LateSummary(writer::LateSummary::new(held_bytes, encode)))
}
