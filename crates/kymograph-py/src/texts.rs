//! What is found in texts, as Python objects.

use kymograph_core::store::{self, Stopped};
use pyo3::prelude::*;

/// What was found in many series.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct TextHits {
    series: Vec<Py<SeriesHits>>,
    hits: u64,
    matching: u64,
    searched: u64,
    unsearched: u64,
    /// `time` or `bytes`.
    stopped: Option<&'static str>,
    next: Option<(usize, usize)>,
}

/// What was found in one series.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct SeriesHits {
    /// Its position among those that were searched.
    series: usize,
    hits: u64,
    matching: u64,
    found: Vec<Py<FoundText>>,
    next: Option<usize>,
}

/// A text with matches.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct FoundText {
    step: i64,
    wall_time: f64,
    address: String,
    hits: u64,
    /// Element, line, what is before the match, the match, what is behind it.
    snippets: Vec<PySnippet>,
}

type PySnippet = (usize, usize, String, String, String);

impl TextHits {
    pub fn new(py: Python<'_>, found: store::TextHits) -> PyResult<Self> {
        let series = found.series.into_iter().map(|one| Py::new(py, SeriesHits::new(py, one)?));
        Ok(Self {
            series: series.collect::<PyResult<_>>()?,
            hits: found.hits,
            matching: found.matching,
            searched: found.searched,
            unsearched: found.unsearched,
            stopped: found.stopped.map(|why| match why {
                Stopped::Time => "time",
                Stopped::Bytes => "bytes",
            }),
            next: found.next,
        })
    }
}

impl SeriesHits {
    fn new(py: Python<'_>, hits: store::SeriesHits) -> PyResult<Self> {
        let found = hits.found.into_iter().map(|text| Py::new(py, FoundText::new(text)));
        Ok(Self {
            series: hits.series,
            hits: hits.hits,
            matching: hits.matching,
            found: found.collect::<PyResult<_>>()?,
            next: hits.next,
        })
    }
}

impl FoundText {
    fn new(text: store::FoundText) -> Self {
        let snippets = text.snippets.into_iter();
        Self {
            step: text.step,
            wall_time: text.wall_time,
            address: text.link.to_string(),
            hits: text.hits,
            snippets: snippets
                .map(|one| (one.element, one.line, one.before, one.matched, one.behind))
                .collect(),
        }
    }
}
