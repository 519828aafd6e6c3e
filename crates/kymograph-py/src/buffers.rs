//! Whole columns handed to numpy without a copy.

use numpy::{Element, PyArray1};
use pyo3::prelude::*;

/// Makes the array in a thread that lets others run, and gives it to Python as it is.
pub fn column<'py, T: Element + Send>(
    py: Python<'py>,
    make: impl FnOnce() -> Vec<T> + Send,
) -> Bound<'py, PyArray1<T>> {
    PyArray1::from_vec(py, py.detach(make))
}
