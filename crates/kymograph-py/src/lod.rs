//! Level of detail: queries in, columns out.

use kymograph_core::lod::{
    self, Axis, Bands, Centre, Envelope, Group, Line, Narrow, Neighbour, Placed, Query, Reduced,
    Smoothing,
};
use kymograph_core::series::Points;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::buffers::column;
use crate::errors;
use crate::store::Series;

type Given<'py> = PyReadonlyArray1<'py, f64>;

fn axis(name: &str, given: Option<Given<'_>>) -> PyResult<Axis> {
    match given {
        Some(x) => Ok(Axis::Given(x.as_array().to_vec())),
        None => named_axis(name),
    }
}

fn named_axis(name: &str) -> PyResult<Axis> {
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

fn centre(text: Option<&str>) -> PyResult<Option<Centre>> {
    text.map(|text| text.parse().map_err(errors::bad_query)).transpose()
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

/// The name of an axis, or the series whose values are x.
#[derive(FromPyObject)]
pub enum XAxis<'py> {
    Named(PyBackedStr),
    Other(PyRef<'py, Series>),
}

/// Series, x axis, range, columns, smoothing, points known, whether points are smoothed.
type Item<'py> =
    (PyRef<'py, Series>, XAxis<'py>, Option<(f64, f64)>, usize, PyBackedStr, usize, bool);

/// What plots show of many series.
#[pyfunction]
pub fn lod_batch<'py>(
    py: Python<'py>,
    items: Vec<Item<'py>>,
    share_x: bool,
) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyDict>)> {
    let lines = items.iter().map(line).collect::<PyResult<Vec<Line>>>()?;
    let answer = py.detach(|| {
        let answer = lod::batch(&lines);
        if share_x { answer.map(lod::Batch::with_shared_x) } else { answer }
    });
    let answer = answer.map_err(errors::bad_query)?;
    let heads = answer.heads.iter().map(|placed| head(py, placed));
    let heads = PyList::new(py, heads.collect::<PyResult<Vec<_>>>()?)?;
    Ok((heads, named(py, answer.columns)?))
}

fn line<'a>(item: &'a Item<'_>) -> PyResult<Line<'a>> {
    let (series, x, range, columns, smoothing, from_point, smooth_points) = item;
    let (axis, x_from) = match x {
        XAxis::Named(name) => (named_axis(name)?, None),
        XAxis::Other(other) => (Axis::Step, Some(points(other)?)),
    };
    Ok(Line {
        points: points(series)?,
        query: Query {
            axis,
            range: *range,
            columns: *columns,
            smoothing: self::smoothing(smoothing)?,
        },
        x_from,
        from_point: *from_point,
        smooth_points: *smooth_points,
    })
}

fn head<'py>(py: Python<'py>, placed: &Placed) -> PyResult<Bound<'py, PyTuple>> {
    let head = placed.head;
    let smoothed_start = placed.smoothed_start.map_or(-1, |start| start as i64);
    // One by one, since there are more than a tuple of Rust can hand over.
    PyTuple::new(
        py,
        [
            head.exact.into_bound_py_any(py)?,
            head.sorted.into_bound_py_any(py)?,
            head.total_points.into_bound_py_any(py)?,
            head.points_in_range.into_bound_py_any(py)?,
            head.skipped.into_bound_py_any(py)?,
            head.bounds.into_bound_py_any(py)?,
            placed.start.into_bound_py_any(py)?,
            placed.length.into_bound_py_any(py)?,
            smoothed_start.into_bound_py_any(py)?,
            head.before.map(neighbour).into_bound_py_any(py)?,
            head.after.map(neighbour).into_bound_py_any(py)?,
            placed.from_point.into_bound_py_any(py)?,
            placed.x_start.into_bound_py_any(py)?,
        ],
    )
}

fn narrow(py: Python<'_>, column: Narrow) -> Bound<'_, PyAny> {
    match column {
        Narrow::U8(column) => PyArray1::from_vec(py, column).into_any(),
        Narrow::U32(column) => PyArray1::from_vec(py, column).into_any(),
        Narrow::I32(column) => PyArray1::from_vec(py, column).into_any(),
        Narrow::F32(column) => PyArray1::from_vec(py, column).into_any(),
        Narrow::F64(column) => PyArray1::from_vec(py, column).into_any(),
    }
}

/// What a table shows of each series.
#[pyfunction]
pub fn summaries<'py>(
    py: Python<'py>,
    members: Vec<PyRef<'py, Series>>,
) -> PyResult<Bound<'py, PyDict>> {
    let members = members.iter().map(|member| points(member));
    let members = members.collect::<PyResult<Vec<&Points>>>()?;
    let all = py.detach(|| lod::summaries(&members));
    let dict = PyDict::new(py);
    let count = |of: fn(&lod::Summary) -> u64| {
        PyArray1::from_iter(py, all.iter().map(|summary| of(summary) as i64))
    };
    let step = |of: fn(&lod::Summary) -> i64| PyArray1::from_iter(py, all.iter().map(of));
    let number = |of: fn(&lod::Summary) -> f64| PyArray1::from_iter(py, all.iter().map(of));
    dict.set_item("count", count(|of| of.count))?;
    dict.set_item("first_step", step(|of| of.first_step))?;
    dict.set_item("last_step", step(|of| of.last_step))?;
    dict.set_item("first_wall_time", number(|of| of.first_wall_time))?;
    dict.set_item("last_wall_time", number(|of| of.last_wall_time))?;
    dict.set_item("last_value", number(|of| of.last_value))?;
    dict.set_item("finite_last", number(|of| of.finite_last))?;
    dict.set_item("min", number(|of| of.min))?;
    dict.set_item("min_step", step(|of| of.min_step))?;
    dict.set_item("max", number(|of| of.max))?;
    dict.set_item("max_step", step(|of| of.max_step))?;
    dict.set_item("nan_count", count(|of| of.nan_count))?;
    dict.set_item("first_nan_step", step(|of| of.first_nan_step))?;
    dict.set_item("inf_count", count(|of| of.inf_count))?;
    dict.set_item("first_non_finite_step", step(|of| of.first_non_finite_step))?;
    Ok(dict)
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
#[pyo3(signature = (
    members,
    *,
    axis="step",
    xs=None,
    x_range=None,
    columns=1000,
    smoothing="none",
    bootstrap=None,
))]
#[allow(clippy::too_many_arguments)] // Python's are keywords
pub fn bands<'py>(
    py: Python<'py>,
    members: Vec<PyRef<'py, Series>>,
    axis: &str,
    xs: Option<Vec<Given<'py>>>,
    x_range: Option<(f64, f64)>,
    columns: usize,
    smoothing: &str,
    bootstrap: Option<&str>,
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
    let (smoothing, bootstrap) = (self::smoothing(smoothing)?, centre(bootstrap)?);
    let answer = py.detach(|| {
        let members: Vec<_> = members.into_iter().zip(&axes).collect();
        lod::bands(&members, x_range, columns, smoothing, bootstrap)
    });
    banded(py, answer)
}

/// The name of an axis, or for each member the series whose values are x.
#[derive(FromPyObject)]
pub enum GroupAxis<'py> {
    Named(PyBackedStr),
    Others(Vec<PyRef<'py, Series>>),
}

/// Members, x axis, range, columns, smoothing, what an interval is wanted of.
type GroupItem<'py> = (
    Vec<PyRef<'py, Series>>,
    GroupAxis<'py>,
    Option<(f64, f64)>,
    usize,
    PyBackedStr,
    Option<PyBackedStr>,
);

/// Statistics over each of many groups.
#[pyfunction]
pub fn bands_batch<'py>(
    py: Python<'py>,
    items: Vec<GroupItem<'py>>,
) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyDict>)> {
    let groups = items.iter().map(group).collect::<PyResult<Vec<Group>>>()?;
    let answer = py.detach(|| lod::bands_batch(&groups)).map_err(errors::bad_query)?;
    let heads = answer.heads.iter().map(|placed| {
        let interval_start = placed.interval_start.map_or(-1, |start| start as i64);
        (placed.exact, placed.skipped, placed.start, placed.length, interval_start)
    });
    Ok((PyList::new(py, heads)?, named(py, answer.columns)?))
}

fn group<'a>(item: &'a GroupItem<'_>) -> PyResult<Group<'a>> {
    let (members, x, range, columns, smoothing, bootstrap) = item;
    let (axis, others) = match x {
        GroupAxis::Named(name) => (named_axis(name)?, None),
        GroupAxis::Others(others) if others.len() != members.len() => {
            return Err(errors::bad_query("there must be one x for each member"));
        }
        GroupAxis::Others(others) => (Axis::Step, Some(others)),
    };
    let member = |(index, member): (usize, &'a PyRef<'_, Series>)| {
        let other = others.and_then(|others| others.get(index));
        Ok((points(member)?, other.map(|other| points(other)).transpose()?))
    };
    Ok(Group {
        members: members.iter().enumerate().map(member).collect::<PyResult<_>>()?,
        axis,
        range: *range,
        columns: *columns,
        smoothing: self::smoothing(smoothing)?,
        bootstrap: centre(bootstrap.as_deref())?,
    })
}

/// The columns by name.
pub fn named<'py>(
    py: Python<'py>,
    columns: Vec<(&'static str, Narrow)>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, column) in columns {
        dict.set_item(name, narrow(py, column))?;
    }
    Ok(dict)
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
    let (low, high) = answer.interval.map(|interval| (interval.low, interval.high)).unzip();
    dict.set_item("boot_low", low.map(|low| PyArray1::from_vec(py, low)))?;
    dict.set_item("boot_high", high.map(|high| PyArray1::from_vec(py, high)))?;
    Ok(dict)
}
