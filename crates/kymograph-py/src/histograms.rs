//! Values into histogram bins.

use kymograph_core::bins;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Counts, min, max, sum, sum of squares.
type Binned<'py> = (Bound<'py, PyArray1<f64>>, f64, f64, f64, f64);

/// A contiguous array of floats or doubles.
#[derive(FromPyObject)]
pub enum Values<'py> {
    Singles(PyReadonlyArray1<'py, f32>),
    Doubles(PyReadonlyArray1<'py, f64>),
}

/// Calls a generic function with the slice of `Values`, without the interpreter.
macro_rules! with_slice {
    ($py:expr, $values:expr, $slice:ident => $body:expr) => {
        match $values {
            Values::Singles(array) => {
                let $slice = array.as_slice().map_err(not_contiguous)?;
                $py.detach(|| $body)
            }
            Values::Doubles(array) => {
                let $slice = array.as_slice().map_err(not_contiguous)?;
                $py.detach(|| $body)
            }
        }
    };
}

/// The edges of the default bins.
#[pyfunction]
pub fn default_bins(py: Python<'_>) -> Bound<'_, PyArray1<f64>> {
    PyArray1::from_slice(py, bins::edges())
}

/// Counts and sums the values in the default bins.
#[pyfunction]
pub fn count_in_default_bins<'py>(py: Python<'py>, values: Values<'py>) -> PyResult<Binned<'py>> {
    let binned = with_slice!(py, &values, slice => bins::count(slice));
    let counts = doubles(py, &binned.counts);
    Ok((counts, binned.min, binned.max, binned.sum, binned.sum_squares))
}

/// Counts values in the bins of equal width between `edges`, as `numpy.histogram` does.
#[pyfunction]
pub fn count_in_equal_bins<'py>(
    py: Python<'py>,
    values: Values<'py>,
    edges: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let edges = edges.as_slice().map_err(not_contiguous)?;
    let counts = with_slice!(py, &values, slice => bins::count_equal(slice, edges));
    Ok(doubles(py, &counts))
}

/// Min, max, sum and sum of squares.
#[pyfunction]
pub fn totals(py: Python<'_>, values: Values<'_>) -> PyResult<(f64, f64, f64, f64)> {
    let totals = with_slice!(py, &values, slice => bins::totals(slice));
    Ok((totals.min, totals.max, totals.sum, totals.squares))
}

/// The values that sorting would put at these places.
#[pyfunction]
pub fn ranked(py: Python<'_>, values: Values<'_>, places: Vec<usize>) -> PyResult<Vec<f64>> {
    Ok(with_slice!(py, &values, slice => bins::ranked(slice, &places)))
}

/// Histograms hold their counts as doubles.
fn doubles<'py>(py: Python<'py>, counts: &[u64]) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_iter(py, counts.iter().map(|&count| count as f64))
}

fn not_contiguous(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
