//! Level of detail: queries in, columns out.

use kymograph_core::lod::{
    self, Axis, BandLabel, Bands, Centre, Envelope, Group, Line, LineLabel, Narrow, Neighbour,
    Placed, PlacedBands, Query, Reduced, Smoothing,
};
use kymograph_core::series::Points;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyDict};

use crate::buffers::{Number, column, view};
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
            "an axis must be `step`, `wall_time` or `relative_time`, not: `{other}`"
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
) -> PyResult<(LineHeads, Bound<'py, PyDict>)> {
    let lines = items.iter().map(line).collect::<PyResult<Vec<Line>>>()?;
    let answer = py.detach(|| {
        let answer = lod::batch(&lines);
        if share_x { answer.map(lod::Batch::with_shared_x) } else { answer }
    });
    let answer = answer.map_err(errors::bad_query)?;
    Ok((LineHeads(answer.heads), views(py, answer.columns)?))
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

/// What is known of the lines of a batch.
#[pyclass(frozen, module = "kymograph._core")]
pub struct LineHeads(Vec<Placed>);

/// Card, run, tag, change and generation of a line.
type PyLineLabel = (usize, PyBackedStr, PyBackedStr, u64, i64);

#[pymethods]
impl LineHeads {
    /// A row of JSON for each line.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        labels: Vec<PyLineLabel>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        check_labels(self.0.len(), labels.len())?;
        let rows = py.detach(|| {
            let labels = labels.iter().map(|(card, run, tag, change, generation)| LineLabel {
                card: *card,
                run,
                tag,
                change: *change,
                generation: *generation,
            });
            lod::line_rows(self.0.iter().zip(labels))
        });
        Ok(PyBytes::new(py, rows.as_bytes()))
    }

    /// The same by name, one after the other.
    fn named<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.0.iter().map(|placed| line_head(py, placed)).collect()
    }
}

fn check_labels(heads: usize, labels: usize) -> PyResult<()> {
    if heads == labels {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("there are {heads} rows, but {labels} labels")))
}

fn line_head<'py>(py: Python<'py>, placed: &Placed) -> PyResult<Bound<'py, PyDict>> {
    let head = placed.head;
    let dict = PyDict::new(py);
    dict.set_item("exact", head.exact)?;
    dict.set_item("sorted", head.sorted)?;
    dict.set_item("total_points", head.total_points)?;
    dict.set_item("points_in_range", head.points_in_range)?;
    dict.set_item("skipped", head.skipped)?;
    dict.set_item("bounds", head.bounds)?;
    dict.set_item("start", placed.start)?;
    dict.set_item("length", placed.length)?;
    dict.set_item("smoothed_start", or_none(placed.smoothed_start))?;
    dict.set_item("before", head.before.map(neighbour))?;
    dict.set_item("after", head.after.map(neighbour))?;
    dict.set_item("from_point", placed.from_point)?;
    dict.set_item("x_start", placed.x_start)?;
    Ok(dict)
}

/// Where something begins, or -1 where it is not there.
fn or_none(start: Option<usize>) -> i64 {
    start.map_or(-1, |start| start as i64)
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
    let count = |name: &str, of: fn(&lod::Summary) -> u64| {
        put(&dict, name, all.iter().map(|summary| of(summary) as i64))
    };
    let step = |name: &str, of: fn(&lod::Summary) -> i64| put(&dict, name, all.iter().map(of));
    let number = |name: &str, of: fn(&lod::Summary) -> f64| put(&dict, name, all.iter().map(of));
    count("count", |of| of.count)?;
    step("first_step", |of| of.first_step)?;
    step("last_step", |of| of.last_step)?;
    number("first_wall_time", |of| of.first_wall_time)?;
    number("last_wall_time", |of| of.last_wall_time)?;
    number("last_value", |of| of.last_value)?;
    number("finite_last", |of| of.finite_last)?;
    number("min", |of| of.min)?;
    step("min_step", |of| of.min_step)?;
    number("max", |of| of.max)?;
    step("max_step", |of| of.max_step)?;
    count("nan_count", |of| of.nan_count)?;
    step("first_nan_step", |of| of.first_nan_step)?;
    count("inf_count", |of| of.inf_count)?;
    step("first_non_finite_step", |of| of.first_non_finite_step)?;
    Ok(dict)
}

fn put<T: Number>(
    columns: &Bound<'_, PyDict>,
    name: &str,
    numbers: impl Iterator<Item = T>,
) -> PyResult<()> {
    columns.set_item(name, view(columns.py(), &numbers.collect::<Vec<T>>())?)
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

/// Members, x axis, range, columns, smoothing, what an interval is requested of.
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
) -> PyResult<(BandHeads, Bound<'py, PyDict>)> {
    let groups = items.iter().map(group).collect::<PyResult<Vec<Group>>>()?;
    let answer = py.detach(|| lod::bands_batch(&groups)).map_err(errors::bad_query)?;
    Ok((BandHeads(answer.heads), views(py, answer.columns)?))
}

/// What is known of the bands of a batch.
#[pyclass(frozen, module = "kymograph._core")]
pub struct BandHeads(Vec<PlacedBands>);

#[pymethods]
impl BandHeads {
    /// A row of JSON for each band, labelled with card, group, and number of runs.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        labels: Vec<(usize, usize, usize)>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        check_labels(self.0.len(), labels.len())?;
        let labels = labels.into_iter().map(|(card, group, runs)| BandLabel { card, group, runs });
        Ok(PyBytes::new(py, lod::band_rows(self.0.iter().zip(labels)).as_bytes()))
    }

    /// The same by name, one after the other.
    fn named<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let head = |placed: &PlacedBands| {
            let dict = PyDict::new(py);
            dict.set_item("exact", placed.exact)?;
            dict.set_item("skipped", placed.skipped)?;
            dict.set_item("start", placed.start)?;
            dict.set_item("length", placed.length)?;
            dict.set_item("boot_start", or_none(placed.interval_start))?;
            Ok(dict)
        };
        self.0.iter().map(head).collect()
    }
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

/// Columns by name as memory views; each is released before the next is copied.
pub fn views<'py>(
    py: Python<'py>,
    columns: Vec<(&'static str, Narrow)>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, column) in columns {
        let view = match column {
            Narrow::U8(column) => view(py, &column),
            Narrow::U32(column) => view(py, &column),
            Narrow::I32(column) => view(py, &column),
            Narrow::F32(column) => view(py, &column),
            Narrow::F64(column) => view(py, &column),
        };
        dict.set_item(name, view?)?;
    }
    Ok(dict)
}

fn reduced(py: Python<'_>, answer: Reduced) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("exact", answer.head.exact)?;
    dict.set_item("sorted", answer.head.sorted)?;
    dict.set_item("total_points", answer.head.total_points)?;
    dict.set_item("points_in_range", answer.head.points_in_range)?;
    dict.set_item("skipped", answer.head.skipped)?;
    dict.set_item("bounds", answer.head.bounds)?;
    dict.set_item("x_first", PyArray1::from_vec(py, answer.x_first))?;
    dict.set_item("x_last", PyArray1::from_vec(py, answer.x_last))?;
    dict.set_item("raw", envelope(py, answer.raw)?)?;
    let smoothed = answer.smoothed.map(|smoothed| envelope(py, smoothed));
    dict.set_item("smoothed", smoothed.transpose()?)?;
    dict.set_item("count", PyArray1::from_vec(py, answer.count))?;
    dict.set_item("flags", PyArray1::from_vec(py, answer.flags))?;
    dict.set_item("before", answer.head.before.map(neighbour))?;
    dict.set_item("after", answer.head.after.map(neighbour))?;
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
