//! Clips of audio as waveforms and spectrograms.

use kymograph_core::dashboards::audio::{self, Clip, Scale};
use kymograph_core::link::Link;
use kymograph_core::store::Store;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;

/// A clip as columns of pixels, and what is known of it.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct Waveform {
    /// How many clips the blob has.
    items: usize,
    sample_rate: u32,
    channels: usize,
    frames: usize,
    encoding: String,
    note: Option<String>,
    columns: usize,
    peak: f32,
    loudness: Option<f64>,
    not_finite: usize,
    /// Little-endian floats, one channel behind the other.
    min: Py<PyBytes>,
    max: Py<PyBytes>,
}

/// A clip as a picture of its frequencies.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct Spectrogram {
    columns: usize,
    rows: usize,
    window: usize,
    floor_decibels: f32,
    /// A byte for each row, column by column.
    levels: Py<PyBytes>,
    /// Little-endian floats, one more than there are rows.
    edges: Py<PyBytes>,
}

/// The waveform of a clip.
pub fn waveform(
    py: Python<'_>,
    store: &Store,
    link: &Link,
    item: usize,
    columns: usize,
) -> PyResult<Waveform> {
    let look = |clip: &Clip<'_>, items: usize| {
        let facts = (items, clip.sample_rate, clip.channels, clip.frames);
        (facts, clip.encoding.clone(), clip.note.clone(), audio::Waveform::of(clip, columns))
    };
    let found = py.detach(|| store.look_at_clip(link, item, look));
    let (facts, encoding, note, waveform) = found.map_err(errors::from_fetch)?;
    let (items, sample_rate, channels, frames) = facts;
    Ok(Waveform {
        items,
        sample_rate,
        channels,
        frames,
        encoding,
        note,
        columns: waveform.columns,
        peak: waveform.peak,
        loudness: waveform.loudness,
        not_finite: waveform.not_finite,
        min: floats(py, &waveform.min),
        max: floats(py, &waveform.max),
    })
}

/// The spectrogram of a clip.
pub fn spectrogram(
    py: Python<'_>,
    store: &Store,
    link: &Link,
    item: usize,
    (columns, rows): (usize, usize),
    scale: &str,
) -> PyResult<Spectrogram> {
    let scale = match scale {
        "mel" => Scale::Mel,
        "log" => Scale::Log,
        _ => return Err(errors::bad_query(format_args!("unknown scale: {scale:?}"))),
    };
    let look = |clip: &Clip<'_>, _| audio::Spectrogram::of(clip, columns, rows, scale);
    let found = py.detach(|| store.look_at_clip(link, item, look)).map_err(errors::from_fetch)?;
    Ok(Spectrogram {
        columns: found.columns,
        rows: found.rows,
        window: found.window,
        floor_decibels: audio::FLOOR_DECIBELS,
        levels: PyBytes::new(py, &found.levels).unbind(),
        edges: floats(py, &found.edges),
    })
}

fn floats(py: Python<'_>, numbers: &[f32]) -> Py<PyBytes> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    PyBytes::new(py, &bytes).unbind()
}
