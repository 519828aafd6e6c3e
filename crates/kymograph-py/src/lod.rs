//! Level of detail: queries in, columns out.

use kymograph_core::lod::{self, Axis, Bands, Envelope, Neighbour, Query, Reduced, Smoothing};
use kymograph_core::series::Points;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::buffers::column;
use crate::errors;
use crate::store::Series;

type Given<'py> = PyReadonlyArray1<'py, f64>;

fn axis(name: &str, given: Option<Given<'_>>) -> PyResult<Axis> {
    if let Some(x) = given {
        return Ok(Axis::Given(x.as_array().to_vec()));
    }
    match name {
        "step" => Ok(Axis::Step),
        "wall_time" => Ok(Axis::WallTime),
        "relative_time" => Ok(Axis::RelativeTime),
        other => Err(errors::bad_query(format!(
            "an axis is `step`, `wall_time` or `relative_time`, not: `{other}`"
        ))),
    }
}

fn smoothing(text: &str) -> PyResult<Smoothing> {
    text.parse().map_err(errors::bad_query)
}

fn points(series: &Series) -> PyResult<&Points> {
    let refused = || PyValueError::new_err("only scalars can be drawn as lines");
    series.points().ok_or_else(refused)
}

/// What a plot shows of one series.
#[pyfunction(name = "lod")]
#[pyo3(signature = (series, *, axis="step", x=None, x_range=None, columns=1000, smoothing="none"))]
pub fn reduce<'py>(
    py: Python<'py>,
    series: &Series,
    axis: &str,
    x: Option<Given<'py>>,
    x_range: Option<(f64, f64)>,
    columns: usize,
    smoothing: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let points = points(series)?;
    let query = Query {
        axis: self::axis(axis, x)?,
        range: x_range,
        columns,
        smoothing: self::smoothing(smoothing)?,
    };
    let answer = py.detach(|| lod::query(points, &query));
    reduced(py, answer)
}

/// The value of another tag for each point of a series.
#[pyfunction]
pub fn x_from_other<'py>(
    py: Python<'py>,
    series: &Series,
    other: &Series,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (points, other) = (points(series)?, points(other)?);
    Ok(column(py, || lod::x_from_other(points, other)))
}

/// Statistics over several series on a common x.
#[pyfunction]
#[pyo3(signature = (members, *, axis="step", xs=None, x_range=None, columns=1000, smoothing="none"))]
pub fn bands<'py>(
    py: Python<'py>,
    members: Vec<PyRef<'py, Series>>,
    axis: &str,
    xs: Option<Vec<Given<'py>>>,
    x_range: Option<(f64, f64)>,
    columns: usize,
    smoothing: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let mut given: Vec<Option<Given<'py>>> = match xs {
        Some(xs) if xs.len() != members.len() => {
            return Err(errors::bad_query("there must be one x for each member"));
        }
        Some(xs) => xs.into_iter().map(Some).collect(),
        None => members.iter().map(|_| None).collect(),
    };
    let axes = given.iter_mut().map(|x| self::axis(axis, x.take()));
    let axes = axes.collect::<PyResult<Vec<Axis>>>()?;
    let members = members.iter().map(|member| points(member));
    let members = members.collect::<PyResult<Vec<&Points>>>()?;
    let smoothing = self::smoothing(smoothing)?;
    let answer = py.detach(|| {
        let members: Vec<_> = members.into_iter().zip(&axes).collect();
        lod::bands(&members, x_range, columns, smoothing)
    });
    banded(py, answer)
}

fn reduced(py: Python<'_>, answer: Reduced) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("exact", answer.exact)?;
    dict.set_item("sorted", answer.sorted)?;
    dict.set_item("total_points", answer.total_points)?;
    dict.set_item("points_in_range", answer.points_in_range)?;
    dict.set_item("skipped", answer.skipped)?;
    dict.set_item("bounds", answer.bounds)?;
    dict.set_item("x_first", PyArray1::from_vec(py, answer.x_first))?;
    dict.set_item("x_last", PyArray1::from_vec(py, answer.x_last))?;
    dict.set_item("raw", envelope(py, answer.raw)?)?;
    let smoothed = answer.smoothed.map(|smoothed| envelope(py, smoothed));
    dict.set_item("smoothed", smoothed.transpose()?)?;
    dict.set_item("count", PyArray1::from_vec(py, answer.count))?;
    dict.set_item("flags", PyArray1::from_vec(py, answer.flags))?;
    dict.set_item("before", answer.before.map(neighbour))?;
    dict.set_item("after", answer.after.map(neighbour))?;
    Ok(dict)
}

fn envelope(py: Python<'_>, envelope: Envelope) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("first", PyArray1::from_vec(py, envelope.first))?;
    dict.set_item("min", PyArray1::from_vec(py, envelope.min))?;
    dict.set_item("max", PyArray1::from_vec(py, envelope.max))?;
    dict.set_item("last", PyArray1::from_vec(py, envelope.last))?;
    Ok(dict)
}

fn neighbour(point: Neighbour) -> (f64, f64, Option<f64>) {
    (point.x, point.value, point.smoothed)
}

fn banded(py: Python<'_>, answer: Bands) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("exact", answer.exact)?;
    dict.set_item("skipped", answer.skipped)?;
    dict.set_item("count", PyArray1::from_vec(py, answer.count))?;
    for (name, column) in [
        ("x", answer.x),
        ("mean", answer.mean),
        ("median", answer.median),
        ("min", answer.min),
        ("max", answer.max),
        ("std", answer.std),
        ("stderr", answer.stderr),
        ("iqm", answer.iqm),
        ("q25", answer.q25),
        ("q75", answer.q75),
    ] {
        dict.set_item(name, PyArray1::from_vec(py, column))?;
    }
    Ok(dict)
}
