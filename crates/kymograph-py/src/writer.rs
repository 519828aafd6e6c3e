//! Event files out: the writer and the summaries that it encodes later.

use kymograph_core::writer;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A summary that is encoded when it is written, away from the thread that logged it.
#[pyclass(module = "kymograph._core", frozen)]
pub struct LateSummary(pub writer::LateSummary);

#[pymethods]
impl LateSummary {
    /// The serialised message, encoded now.
    #[pyo3(name = "SerializeToString")]
    fn serialize_to_string<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let summary = py.detach(|| self.0.encode());
        PyBytes::new(py, &summary)
    }
}
