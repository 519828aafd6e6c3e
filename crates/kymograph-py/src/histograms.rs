//! Values into histogram bins.

use kymograph_core::bins::{self, Real};
use numpy::{Element, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Counts, least and greatest value, sum, sum of squares.
type Binned<'py> = (Bound<'py, PyArray1<f64>>, f64, f64, f64, f64);

/// The edges of the default bins.
#[pyfunction]
pub fn default_bins(py: Python<'_>) -> Bound<'_, PyArray1<f64>> {
    PyArray1::from_slice(py, bins::edges())
}

/// Counts and sums the values of a contiguous array of floats or doubles.
#[pyfunction]
pub fn count_in_default_bins<'py>(values: &Bound<'py, PyAny>) -> PyResult<Binned<'py>> {
    if let Ok(values) = values.extract::<PyReadonlyArray1<'py, f32>>() {
        return count(values);
    }
    let refused = |_| PyTypeError::new_err("only one-dimensional floats or doubles are counted");
    count(values.extract::<PyReadonlyArray1<'py, f64>>().map_err(refused)?)
}

fn count<T: Real + Element + Sync>(values: PyReadonlyArray1<'_, T>) -> PyResult<Binned<'_>> {
    let py = values.py();
    let slice = values.as_slice().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let binned = py.detach(|| bins::count(slice));
    // Histograms hold their counts as doubles.
    let counts = binned.counts.iter().map(|&count| count as f64);
    let counts = PyArray1::from_iter(py, counts);
    Ok((counts, binned.min, binned.max, binned.sum, binned.sum_squares))
}
