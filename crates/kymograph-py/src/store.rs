//! Store, Run and Series: what the core has published, as Python objects.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kymograph_core::blob::BlobPoint;
use kymograph_core::dashboards::Dashboard;
use kymograph_core::dashboards::mesh::Limits;
use kymograph_core::dashboards::video::Wanted;
use kymograph_core::follow::Follower;
use kymograph_core::link::Link;
use kymograph_core::load::{Loader, Options};
use kymograph_core::lod::{Place, around};
use kymograph_core::logdir::{Logdir, Root};
use kymograph_core::run::{self, SeriesData};
use kymograph_core::series::{Column, Point, Points};
use kymograph_core::storage::Local;
use kymograph_core::store;
use kymograph_core::types::{RunName, Tag};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::audio::{self, Spectrogram, Waveform};
use crate::blobs::{self, Metadata, TensorWindow};
use crate::buffers::{column, view};
use crate::errors;
use crate::files::FileReport;
use crate::meshes::{self, Mesh};
use crate::pattern::Pattern;
use crate::pictures::{self, PictureLook};
use crate::texts::TextHits;
use crate::video::{self, Video, VideoFrames};

/// The names of all dashboards, in the order in which they are shown.
pub fn dashboard_names() -> Vec<&'static str> {
    Dashboard::ALL.map(Dashboard::name).to_vec()
}

fn dashboard(name: &str) -> PyResult<Dashboard> {
    Dashboard::from_name(name).ok_or_else(|| {
        let names = dashboard_names().join(", ");
        PyValueError::new_err(format!("unknown dashboard `{name}`; use one of: {names}"))
    })
}

fn seconds(timeout: f64) -> Duration {
    Duration::try_from_secs_f64(timeout.max(0.0)).unwrap_or(Duration::MAX)
}

/// A logdir, loaded and maybe followed.
#[pyclass(frozen, module = "kymograph._core")]
pub struct Store {
    store: Arc<store::Store>,
    follower: Mutex<Option<Follower>>,
}

type PyChange = (u64, String, Option<(&'static str, String)>, bool);
type PyViews<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);
type PyAround<'py> =
    (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, usize);
type PyChangedRuns = (u64, Vec<(String, bool)>, Vec<String>);

#[pymethods]
impl Store {
    #[new]
    #[pyo3(signature = (roots, *, follow, purge_orphaned_data, threads=0))]
    fn new(
        py: Python<'_>,
        roots: Vec<(Option<String>, PathBuf)>,
        follow: bool,
        purge_orphaned_data: bool,
        threads: usize,
    ) -> PyResult<Self> {
        let roots = roots.into_iter().map(|(name, path)| Root { name, path }).collect();
        let options = Options {
            purge_orphaned_data,
            threads,
            settled_after: if follow { Options::default().settled_after } else { Duration::ZERO },
            ..Options::default()
        };
        py.detach(|| {
            let (loader, store) = Loader::new(Logdir::new(roots), Arc::new(Local), options)
                .map_err(errors::from_start)?;
            let follower =
                Follower::start(loader, store.clone(), follow).map_err(errors::from_start)?;
            Ok(Self { store, follower: Mutex::new(Some(follower)) })
        })
    }

    #[staticmethod]
    fn parse_spec(spec: &str) -> Vec<(Option<String>, PathBuf)> {
        let logdir = Logdir::from_spec(spec);
        logdir.roots().iter().map(|root| (root.name.clone(), root.path.clone())).collect()
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.follower().take()));
    }

    fn refresh(&self, py: Python<'_>) {
        py.detach(|| {
            if let Some(follower) = &*self.follower() {
                follower.refresh();
            }
        });
    }

    fn wait_loaded(&self, py: Python<'_>, timeout: f64) -> bool {
        py.detach(|| self.store.wait_loaded(seconds(timeout)))
    }

    fn wait_for_change(&self, py: Python<'_>, since: u64, timeout: f64) -> u64 {
        py.detach(|| self.store.wait_for_change(since, seconds(timeout)))
    }

    fn closed(&self) -> bool {
        self.store.is_closed()
    }

    fn unreachable(&self) -> Vec<(PathBuf, String)> {
        self.store.unreachable()
    }

    fn change(&self) -> u64 {
        self.store.change()
    }

    fn changes(&self, py: Python<'_>, since: u64) -> Vec<PyChange> {
        let changes = py.detach(|| self.store.changes(since));
        changes
            .into_iter()
            .map(|change| {
                let series = change.series.map(|(kind, tag)| (kind.name(), tag.to_string()));
                (change.number, change.run.to_string(), series, change.removed)
            })
            .collect()
    }

    /// All runs by now, a column for each thing to know of them.
    fn run_table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = py.detach(|| self.store.run_table());
        let columns = PyDict::new(py);
        columns.set_item("change", table.change)?;
        columns.set_item("names", PyList::new(py, table.names.iter().map(RunName::as_str))?)?;
        columns.set_item("start_times", table.starts)?;
        columns.set_item("end_times", table.ends)?;
        columns.set_item("changes", table.changes)?;
        columns.set_item("tags_changes", table.tags_changes)?;
        columns.set_item("dashboards", table.dashboards)?;
        columns.set_item("series", table.series)?;
        columns.set_item("points", table.points)?;
        columns.set_item("hidden_points", table.hidden)?;
        columns.set_item("restarts", table.restarts)?;
        Ok(columns)
    }

    /// The tags of all runs, or of some, on one dashboard.
    #[pyo3(signature = (dashboard_name, runs=None))]
    fn tag_table<'py>(
        &self,
        py: Python<'py>,
        dashboard_name: &str,
        runs: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let kind = dashboard(dashboard_name)?;
        let table = py.detach(|| self.store.tag_table(kind, runs.as_deref()));
        let columns = PyDict::new(py);
        columns.set_item("change", table.change)?;
        columns.set_item("tags", PyList::new(py, table.tags.iter().map(Tag::as_str))?)?;
        columns.set_item("run_counts", table.run_counts)?;
        columns.set_item("display_names", table.display_names)?;
        columns.set_item("descriptions", table.descriptions)?;
        columns.set_item("plugins", table.plugins)?;
        Ok(columns)
    }

    fn changed_runs(&self, py: Python<'_>, since: u64) -> PyChangedRuns {
        let runs = py.detach(|| self.store.changed_runs(since));
        let changed = runs.changed.into_iter().map(|run| (run.name.to_string(), run.tags_changed));
        let removed = runs.removed.iter().map(ToString::to_string);
        (runs.change, changed.collect(), removed.collect())
    }

    fn read_blob_at<'py>(&self, py: Python<'py>, address: &str) -> PyResult<Bound<'py, PyBytes>> {
        blobs::read(py, &self.store, &blobs::link(address)?)
    }

    fn decode_blob_at<'py>(&self, py: Python<'py>, address: &str) -> PyResult<Bound<'py, PyAny>> {
        blobs::decode(py, &self.store, &blobs::link(address)?)
    }

    /// What blobs hold; an exception in the place of each that cannot be read.
    fn decode_blobs_at<'py>(
        &self,
        py: Python<'py>,
        addresses: Vec<String>,
    ) -> PyResult<Bound<'py, PyList>> {
        let links: Vec<_> = addresses.iter().map(|address| blobs::link(address)).collect();
        blobs::decode_all(py, &self.store, &links)
    }

    /// What is found in the texts of these series, from a text of the first on.
    #[pyo3(signature = (pattern, series, start, *, max_series, max_texts, timeout, max_bytes))]
    #[allow(clippy::too_many_arguments)] // all but the first two are named by the caller
    fn search_texts(
        &self,
        py: Python<'_>,
        pattern: PyRef<'_, Pattern>,
        series: Vec<PyRef<'_, Series>>,
        start: usize,
        max_series: usize,
        max_texts: usize,
        timeout: f64,
        max_bytes: u64,
    ) -> PyResult<TextHits> {
        let series: Vec<_> = series.iter().map(|one| one.series.clone()).collect();
        let search = store::TextSearch {
            pattern: &pattern.0,
            series: &series,
            start,
            max_series,
            max_texts,
            timeout: seconds(timeout),
            max_bytes,
        };
        TextHits::new(py, py.detach(|| self.store.search_texts(&search)))
    }

    /// Descriptions; an exception in place of each value that is not a tensor.
    fn describe_tensors<'py>(
        &self,
        py: Python<'py>,
        addresses: Vec<String>,
    ) -> PyResult<Bound<'py, PyList>> {
        let links: Vec<_> = addresses.iter().map(|address| blobs::link(address)).collect();
        blobs::describe_all(py, &self.store, &links)
    }

    #[pyo3(signature = (address, index, rows, columns, *, max_values))]
    fn tensor_window(
        &self,
        py: Python<'_>,
        address: &str,
        index: Vec<u64>,
        rows: (u64, u64),
        columns: (u64, u64),
        max_values: usize,
    ) -> PyResult<TensorWindow> {
        let link = blobs::link(address)?;
        blobs::window(py, &self.store, &link, &index, (rows, columns), max_values)
    }

    #[pyo3(signature = (vertices, faces, colours, item, *, max_points, max_triangles))]
    #[allow(clippy::too_many_arguments)] // they are those of a call in Python
    fn mesh(
        &self,
        py: Python<'_>,
        vertices: &str,
        faces: Option<&str>,
        colours: Option<&str>,
        item: u64,
        max_points: usize,
        max_triangles: usize,
    ) -> PyResult<Mesh> {
        let links = (
            blobs::link(vertices)?,
            faces.map(blobs::link).transpose()?,
            colours.map(blobs::link).transpose()?,
        );
        let limits = Limits { points: max_points, triangles: max_triangles };
        meshes::read(py, &self.store, links, item, limits)
    }

    /// What pictures are, each an address and the number of an item there; with a size, also copies of at most so many
    /// pixels.
    #[pyo3(signature = (pictures, size=None))]
    fn look_at_pictures(
        &self,
        py: Python<'_>,
        pictures: Vec<(String, u32)>,
        size: Option<u32>,
    ) -> Vec<PictureLook> {
        pictures::look(py, &self.store, &pictures, size)
    }

    fn waveform(
        &self,
        py: Python<'_>,
        address: &str,
        item: usize,
        columns: usize,
    ) -> PyResult<Waveform> {
        audio::waveform(py, &self.store, &blobs::link(address)?, item, columns)
    }

    fn spectrogram(
        &self,
        py: Python<'_>,
        address: &str,
        item: usize,
        columns: usize,
        rows: usize,
        scale: &str,
    ) -> PyResult<Spectrogram> {
        let link = blobs::link(address)?;
        audio::spectrogram(py, &self.store, &link, item, (columns, rows), scale)
    }

    fn describe_video(&self, py: Python<'_>, address: &str, item: usize) -> PyResult<Video> {
        video::describe(py, &self.store, &blobs::link(address)?, item)
    }

    #[pyo3(signature = (address, item, first, count, *, stride, max_width))]
    #[allow(clippy::too_many_arguments)]
    fn video_frames(
        &self,
        py: Python<'_>,
        address: &str,
        item: usize,
        first: usize,
        count: usize,
        stride: usize,
        max_width: usize,
    ) -> PyResult<VideoFrames> {
        let wanted = Wanted { first, count, stride, max_width };
        video::frames(py, &self.store, &blobs::link(address)?, item, wanted)
    }

    fn progress(&self) -> (u64, u64, u64, u64, bool) {
        let progress = self.store.progress();
        (
            progress.bytes_done,
            progress.bytes_known,
            progress.files_done,
            progress.files_known,
            progress.loading,
        )
    }

    fn runs(&self) -> Vec<Run> {
        let runs = self.store.runs().into_iter();
        runs.map(|run| Run { run, store: self.store.clone() }).collect()
    }

    fn run(&self, name: &str) -> Option<Run> {
        self.store.run(name).map(|run| Run { run, store: self.store.clone() })
    }

    fn __len__(&self) -> usize {
        self.store.run_count()
    }

    fn files(&self, py: Python<'_>) -> PyResult<Vec<FileReport>> {
        let files = py.detach(|| self.store.files());
        files.into_iter().map(|file| FileReport::new(py, file)).collect()
    }

    fn damaged_files(&self, py: Python<'_>) -> PyResult<Vec<FileReport>> {
        let files = py.detach(|| self.store.damaged_files());
        files.into_iter().map(|file| FileReport::new(py, file)).collect()
    }
}

/// Waits for the loader's thread, which must not happen while others wait for the interpreter.
impl Drop for Store {
    fn drop(&mut self) {
        Python::attach(|py| py.detach(|| drop(self.follower().take())));
    }
}

impl Store {
    fn follower(&self) -> std::sync::MutexGuard<'_, Option<Follower>> {
        self.follower.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run of a store.
#[pyclass(frozen, module = "kymograph._core")]
pub struct Run {
    run: Arc<store::Run>,
    store: Arc<store::Store>,
}

#[pymethods]
impl Run {
    #[getter]
    fn name(&self) -> &str {
        self.run.name.as_str()
    }

    #[getter]
    fn change(&self) -> u64 {
        self.run.change()
    }

    #[getter]
    fn wall_times(&self) -> Option<(f64, f64)> {
        self.run.times().walls
    }

    #[getter]
    fn first_event_time(&self) -> Option<f64> {
        self.run.times().first_event
    }

    /// Step, wall time and number of hidden points of each, as shown by all tags or one.
    #[pyo3(signature = (tag=None))]
    fn restarts(&self, py: Python<'_>, tag: Option<&str>) -> Vec<(i64, f64, u64)> {
        let found = py.detach(|| self.run.restarts(tag));
        found.iter().map(|one| (one.step, one.wall_time, one.hidden)).collect()
    }

    #[pyo3(signature = (dashboard_name=None))]
    fn all_series(&self, dashboard_name: Option<&str>) -> PyResult<Vec<Series>> {
        let kind = dashboard_name.map(dashboard).transpose()?;
        let all = self.run.all_series(kind).into_iter();
        Ok(all.map(|series| self.wrap(series)).collect())
    }

    fn series(&self, dashboard_name: &str, tag: &str) -> PyResult<Option<Series>> {
        let series = self.run.series(dashboard(dashboard_name)?, tag);
        Ok(series.map(|series| self.wrap(series)))
    }
}

impl Run {
    fn wrap(&self, series: Arc<run::Series>) -> Series {
        Series { series, store: self.store.clone() }
    }
}

/// A tag of a run, as it was when requested.
#[pyclass(frozen, module = "kymograph._core")]
pub struct Series {
    pub(crate) series: Arc<run::Series>,
    store: Arc<store::Store>,
}

impl Series {
    fn link(&self, index: usize) -> PyResult<Link> {
        let link = self.series.link(index);
        link.ok_or_else(|| PyIndexError::new_err("there is no blob with this index"))
    }

    /// The points of a scalar series; none for all others.
    pub(crate) fn points(&self) -> Option<&Points> {
        match &self.series.data {
            SeriesData::Scalars(points) => Some(points),
            SeriesData::Blobs(_) => None,
        }
    }

    fn around_place<'py>(
        &self,
        py: Python<'py>,
        place: Place,
        before: usize,
        after: usize,
    ) -> PyAround<'py> {
        let found = py.detach(|| {
            let points = self.points();
            points.map(|points| around(points, place, before, after)).unwrap_or_default()
        });
        (
            PyArray1::from_vec(py, found.steps),
            PyArray1::from_vec(py, found.walls),
            PyArray1::from_vec(py, found.values),
            found.split,
        )
    }
}

#[pymethods]
impl Series {
    #[getter]
    fn tag(&self) -> &str {
        self.series.tag.as_str()
    }

    #[getter]
    fn dashboard(&self) -> &'static str {
        self.series.dashboard.name()
    }

    #[getter]
    fn metadata(&self, py: Python<'_>) -> Option<Metadata> {
        self.series.metadata.as_deref().map(|metadata| Metadata::new(py, metadata))
    }

    #[getter]
    fn hidden(&self) -> u64 {
        self.series.hidden
    }

    #[getter]
    fn change(&self) -> u64 {
        self.series.change
    }

    #[getter]
    fn generation(&self) -> u64 {
        self.series.generation
    }

    #[getter]
    fn heap_bytes(&self) -> usize {
        match &self.series.data {
            SeriesData::Scalars(points) => points.heap_bytes(),
            SeriesData::Blobs(blobs) => blobs.len() * size_of::<BlobPoint>(),
        }
    }

    fn __len__(&self) -> usize {
        self.series.data.len()
    }

    /// Steps, wall times and values of scalars as memory views.
    fn views<'py>(&self, py: Python<'py>) -> PyResult<PyViews<'py>> {
        let (steps, walls, values) = py.detach(|| {
            self.points()
                .map(|points| (points.steps(0), points.walls(0), points.values(0)))
                .unwrap_or_default()
        });
        Ok((view(py, &steps)?, view(py, &walls)?, view(py, &values)?))
    }

    #[pyo3(signature = (start=0))]
    fn steps<'py>(&self, py: Python<'py>, start: usize) -> Bound<'py, PyArray1<i64>> {
        column(py, || match &self.series.data {
            SeriesData::Scalars(points) => points.steps(start),
            SeriesData::Blobs(blobs) => blobs.iter_from(start).map(|blob| blob.step).collect(),
        })
    }

    #[pyo3(signature = (start=0))]
    fn wall_times<'py>(&self, py: Python<'py>, start: usize) -> Bound<'py, PyArray1<f64>> {
        column(py, || match &self.series.data {
            SeriesData::Scalars(points) => points.walls(start),
            SeriesData::Blobs(blobs) => blobs.iter_from(start).map(|blob| blob.wall_time).collect(),
        })
    }

    #[pyo3(signature = (start=0))]
    fn values<'py>(&self, py: Python<'py>, start: usize) -> Bound<'py, PyArray1<f64>> {
        column(py, || self.points().map(|points| points.values(start)).unwrap_or_default())
    }

    /// Steps, wall times and values of the last `before` points at or before a step and of the first
    /// `after` points behind it, and how many of them are before; nothing of blobs.
    #[pyo3(signature = (step, *, before, after))]
    fn around<'py>(
        &self,
        py: Python<'py>,
        step: i64,
        before: usize,
        after: usize,
    ) -> PyAround<'py> {
        self.around_place(py, Place::Step(step), before, after)
    }

    /// The same at a time.
    #[pyo3(signature = (wall_time, *, before, after))]
    fn around_time<'py>(
        &self,
        py: Python<'py>,
        wall_time: f64,
        before: usize,
        after: usize,
    ) -> PyAround<'py> {
        self.around_place(py, Place::WallTime(wall_time), before, after)
    }

    /// A series of the same run with points that were computed from these.
    fn derived(
        &self,
        py: Python<'_>,
        tag: &str,
        steps: PyReadonlyArray1<'_, i64>,
        wall_times: PyReadonlyArray1<'_, f64>,
        values: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<Self> {
        let (steps, walls, values) =
            (steps.as_slice()?, wall_times.as_slice()?, values.as_slice()?);
        if steps.len() != walls.len() || steps.len() != values.len() {
            return Err(PyValueError::new_err("columns of points must have the same length"));
        }
        let series = py.detach(|| {
            let rows = steps.iter().zip(walls).zip(values);
            let points = rows.map(|((&step, &wall_time), &value)| Point { step, wall_time, value });
            let column: Column = points.collect();
            self.series.derived(Tag::from(tag), Points::new(column.into_chunks()))
        });
        Ok(Self { series: Arc::new(series), store: self.store.clone() })
    }

    /// Min and max step and wall time, without unpacking a point; none when empty.
    fn extent(&self) -> Option<(i64, i64, f64, f64)> {
        match &self.series.data {
            SeriesData::Scalars(points) => {
                let summaries = points.chunks().iter().map(|chunk| &chunk.summary);
                summaries.map(|s| (s.steps.0, s.steps.1, s.walls.0, s.walls.1)).reduce(widen)
            }
            SeriesData::Blobs(blobs) => blobs
                .iter()
                .map(|blob| (blob.step, blob.step, blob.wall_time, blob.wall_time))
                .reduce(widen),
        }
    }

    fn read_blob<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyBytes>> {
        blobs::read(py, &self.store, &self.link(index)?)
    }

    /// What a blob holds: one of the classes in `blobs.rs`.
    fn decode_blob<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        blobs::decode(py, &self.store, &self.link(index)?)
    }

    /// What some blobs hold; an exception in place of each that cannot be read.
    fn decode_blobs<'py>(
        &self,
        py: Python<'py>,
        start: usize,
        stop: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let stop = stop.min(self.series.data.len());
        let links: Vec<_> = (start..stop).map(|index| self.link(index)).collect();
        blobs::decode_all(py, &self.store, &links)
    }

    /// Texts by which the store finds these blobs again.
    #[pyo3(signature = (start=0, stop=None))]
    fn blob_addresses(&self, start: usize, stop: Option<usize>) -> Vec<String> {
        let stop = stop.map_or(self.series.data.len(), |stop| stop.min(self.series.data.len()));
        let links = (start..stop).filter_map(|index| self.series.link(index));
        links.map(|link| link.to_string()).collect()
    }
}

fn widen(a: (i64, i64, f64, f64), b: (i64, i64, f64, f64)) -> (i64, i64, f64, f64) {
    (a.0.min(b.0), a.1.max(b.1), a.2.min(b.2), a.3.max(b.3))
}
