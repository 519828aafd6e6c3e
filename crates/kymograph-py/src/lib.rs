//! `kymograph._core`: the core as a Python extension module.

use pyo3::prelude::*;

/// The compiled half of Kymograph.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
