//! What is known of event files.

use std::path::PathBuf;

use kymograph_core::file;
use kymograph_core::store;
use pyo3::prelude::*;

/// An event file: how far it is read, and what of it was lost.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct FileReport {
    run: String,
    path: PathBuf,
    bytes: u64,
    bytes_read: u64,
    records: u64,
    bad_records: u64,
    bad_headers: u64,
    skipped_bytes: u64,
    bad_wall_times: u64,
    broken_tail: bool,
    error: Option<String>,
    gaps: Vec<Py<Gap>>,
}

/// Bytes between intact records that were skipped.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct Gap {
    offset: u64,
    bytes: u64,
    step_before: Option<i64>,
    step_after: Option<i64>,
}

impl FileReport {
    pub fn new(py: Python<'_>, file: store::FileReport) -> PyResult<Self> {
        let gaps = file.gaps.iter().map(|gap| Py::new(py, Gap::new(gap)));
        Ok(Self {
            run: file.run.to_string(),
            path: file.path,
            bytes: file.bytes,
            bytes_read: file.bytes_read,
            records: file.damage.records,
            bad_records: file.damage.bad_records,
            bad_headers: file.damage.bad_headers,
            skipped_bytes: file.damage.skipped_bytes,
            bad_wall_times: file.bad_wall_times,
            broken_tail: file.broken_tail,
            error: file.error,
            gaps: gaps.collect::<PyResult<_>>()?,
        })
    }
}

impl Gap {
    fn new(gap: &file::Gap) -> Self {
        Self {
            offset: gap.offset,
            bytes: gap.bytes,
            step_before: gap.step_before,
            step_after: gap.step_after,
        }
    }
}
