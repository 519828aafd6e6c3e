//! Regular expressions that take linear time, for what clients search for.

use std::time::Duration;

use kymograph_core::pattern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::errors;

/// Ten thousand names take a hundredth of it, unless a client is hostile.
const LIMIT: Duration = Duration::from_secs(2);

/// A regular expression, or a text as it is, to search for.
#[pyclass(frozen, module = "kymograph._core")]
pub struct Pattern(pub(crate) pattern::Pattern);

#[pymethods]
impl Pattern {
    #[new]
    #[pyo3(signature = (text, *, ignore_case=false, literal=false))]
    fn new(py: Python<'_>, text: &str, ignore_case: bool, literal: bool) -> PyResult<Self> {
        let new = if literal { pattern::Pattern::literal } else { pattern::Pattern::new };
        py.detach(|| new(text, ignore_case)).map(Self).map_err(errors::bad_query)
    }

    /// Whether it is found in each of `names`.
    fn search(&self, py: Python<'_>, names: Vec<PyBackedStr>) -> PyResult<Vec<bool>> {
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        py.detach(|| self.0.search(&names, LIMIT)).map_err(errors::bad_query)
    }
}
