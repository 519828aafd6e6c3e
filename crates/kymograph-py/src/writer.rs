//! Event files out: the writer and the summaries that it encodes later.

use std::ffi::OsString;
use std::mem;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kymograph_core::record;
use kymograph_core::writer::{self, Added, Moment, Options, Place, Style};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyFloat, PyInt, PyString, PyType};

use crate::errors;

/// What came of an added record. All but `CLOSED` and `NOT_PLAIN` mean that it was taken, or
/// counted as lost.
const DONE: u8 = 0;
/// The arguments need Python's conversions first.
const NOT_PLAIN: u8 = 1;
/// There is a notice for the user.
const ATTENTION: u8 = 2;
/// The writer is closed.
const CLOSED: u8 = 3;

/// Counts the forks between the first process and this one.
static FORKS: AtomicU64 = AtomicU64::new(0);

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

/// One event file being written; in the child of a fork, another one.
#[pyclass(module = "kymograph._core", frozen)]
pub struct EventWriter {
    options: Options,
    /// Locked only by the thread that holds the interpreter, so never at the time of a fork.
    open: Mutex<Open>,
}

struct Open {
    writer: writer::EventWriter,
    forks: u64,
}

impl Drop for Open {
    fn drop(&mut self) {
        if self.forks != FORKS.load(Ordering::Relaxed) {
            // What waits in it is the parent's, and so are its locks: never released.
            mem::forget(self.writer.clone());
        }
    }
}

#[pymethods]
impl EventWriter {
    #[new]
    #[pyo3(signature = (directory, *, host, max_queue=10, flush_secs=120.0, suffix="", purge_step=None))]
    fn new(
        py: Python<'_>,
        directory: PathBuf,
        host: &str,
        max_queue: i64,
        flush_secs: f64,
        suffix: &str,
        purge_step: Option<i64>,
    ) -> PyResult<Self> {
        let place = Place { directory, host: host.to_owned(), suffix: suffix.to_owned() };
        let flush_interval = Duration::try_from_secs_f64(flush_secs).unwrap_or(Duration::MAX);
        let max_queue = u64::try_from(max_queue).unwrap_or(0);
        let mut options = Options { place, max_queue, flush_interval, purge_step };
        let open = py.detach(|| create(&options))?;
        // Only the first file purges: a later one would hide what is newer.
        options.purge_step = None;
        Ok(Self { options, open: Mutex::new(open) })
    }

    /// The file, or where it will be made once the disk allows it.
    #[getter]
    fn path(&self) -> PyResult<OsString> {
        Ok(self.writer()?.path().into_os_string())
    }

    /// Adds a scalar: a Python number, or an array or tensor of one element. `style`: 0 simple, 1 a
    /// float tensor, 2 a double one.
    #[pyo3(signature = (tag, value, step, wall_time, style, /))]
    fn add_scalar(
        &self,
        tag: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        step: &Bound<'_, PyAny>,
        wall_time: &Bound<'_, PyAny>,
        style: u8,
    ) -> PyResult<u8> {
        // Before anything is locked: a tensor may have to come from another device.
        let plain = || {
            let tag = tag.cast_exact::<PyString>().ok()?.to_str().ok()?;
            let step = if step.is_none() { 0 } else { integer(step)? };
            let wall_time = if wall_time.is_none() { writer::now() } else { number(wall_time)? };
            Some((tag, element(value)?, Moment { wall_time, step }))
        };
        let Some((text, number, at)) = plain() else { return Ok(NOT_PLAIN) };
        let style = match style {
            0 => Style::Simple,
            1 => Style::Float,
            _ => Style::Double,
        };
        self.add(value.py(), |writer| writer.add_scalar(text, number, style, at))
    }

    /// Adds a serialised summary, or one that is encoded when it is written.
    #[pyo3(signature = (summary, step=0, wall_time=None))]
    fn add_summary(
        &self,
        summary: &Bound<'_, PyAny>,
        step: i64,
        wall_time: Option<f64>,
    ) -> PyResult<u8> {
        let py = summary.py();
        let at = Moment { wall_time: wall_time.unwrap_or_else(writer::now), step };
        if let Ok(late) = summary.cast::<LateSummary>() {
            return self.add(py, |writer| writer.add_late(&late.get().0, at));
        }
        let Ok(bytes) = summary.cast::<PyBytes>() else {
            return Err(PyTypeError::new_err("a summary must be bytes or a LateSummary"));
        };
        refuse_huge(bytes.as_bytes())?;
        self.add(py, |writer| writer.add_summary(bytes.as_bytes(), at))
    }

    /// Adds a serialised event, with another step and wall time where these are given.
    #[pyo3(signature = (event, step=None, wall_time=None))]
    fn add_event(
        &self,
        py: Python<'_>,
        event: &[u8],
        step: Option<i64>,
        wall_time: Option<f64>,
    ) -> PyResult<u8> {
        refuse_huge(event)?;
        let mut bad = None;
        let code = self.add(py, |writer| {
            writer.add_event(event, wall_time, step).unwrap_or_else(|error| {
                bad = Some(error);
                Added::Yes
            })
        })?;
        bad.map_or(Ok(code), |error| Err(errors::bad_event(error)))
    }

    /// Writes everything that was added so far. False when the disk does not take it.
    fn flush(&self, py: Python<'_>) -> PyResult<bool> {
        let writer = writer::EventWriter::clone(&*self.writer()?);
        Ok(py.detach(|| writer.flush()))
    }

    /// Writes everything and closes the file. Returns how many records are lost for good.
    fn close(&self, py: Python<'_>) -> PyResult<u64> {
        let writer = writer::EventWriter::clone(&*self.writer()?);
        Ok(py.detach(|| writer.close()))
    }

    /// Notices for the user, each returned once.
    fn take_notice(&self) -> PyResult<Option<String>> {
        Ok(self.writer()?.take_notice())
    }
}

impl EventWriter {
    /// The writer of this process. Must be released before the interpreter is.
    #[inline]
    fn writer(&self) -> PyResult<Guard<'_>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.forks != FORKS.load(Ordering::Relaxed) {
            *open = create(&self.options)?;
        }
        Ok(Guard(open))
    }

    #[inline]
    fn add(
        &self,
        py: Python<'_>,
        mut add: impl FnMut(&writer::EventWriter) -> Added,
    ) -> PyResult<u8> {
        loop {
            let guard = self.writer()?;
            match add(&guard) {
                Added::Yes if guard.needs_attention() => return Ok(ATTENTION),
                Added::Yes => return Ok(DONE),
                Added::Closed => return Ok(CLOSED),
                Added::Full => {}
            }
            let writer = writer::EventWriter::clone(&guard);
            drop(guard);
            if !py.detach(|| writer.wait_for_room()) {
                return Ok(ATTENTION);
            }
        }
    }
}

/// The writer, locked.
struct Guard<'a>(MutexGuard<'a, Open>);

impl std::ops::Deref for Guard<'_> {
    type Target = writer::EventWriter;

    fn deref(&self) -> &writer::EventWriter {
        &self.0.writer
    }
}

fn create(options: &Options) -> PyResult<Open> {
    let forks = FORKS.load(Ordering::Relaxed);
    let directory = || options.place.directory.clone();
    let created = writer::EventWriter::create(options.clone());
    let writer = created.map_err(|error| errors::from_path(error, directory()))?;
    Ok(Open { writer, forks })
}

/// Readers take an event of more than 2 GiB, with its step and time, for damage.
fn refuse_huge(message: &[u8]) -> PyResult<()> {
    if message.len() <= writer::MAX_MESSAGE_BYTES {
        return Ok(());
    }
    let text = format!("too large for an event file, which is limited to 2 GiB: {}", message.len());
    Err(PyValueError::new_err(text))
}

/// The value of a plain Python number.
#[inline]
fn number(value: &Bound<'_, PyAny>) -> Option<f64> {
    if value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>() {
        value.extract().ok()
    } else {
        None
    }
}

/// The value of a Python number, or of an array or tensor of one element.
#[inline]
fn element(value: &Bound<'_, PyAny>) -> Option<f64> {
    number(value).or_else(|| {
        // Its `item` makes an array first, and takes nine times as long.
        if is_single(value) { value.extract().ok() } else { number(&item(value)?) }
    })
}

/// Whether this is a `numpy.float32`, and of no class derived from it.
#[inline]
fn is_single(value: &Bound<'_, PyAny>) -> bool {
    static SINGLE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let single = SINGLE.import(value.py(), "numpy", "float32");
    single.is_ok_and(|single| value.get_type().is(single))
}

/// A step of Python, or of an array or tensor of one element.
#[inline]
fn integer(value: &Bound<'_, PyAny>) -> Option<i64> {
    if let Ok(number) = value.cast_exact::<PyInt>() {
        return number.extract().ok();
    }
    item(value)?.cast_exact::<PyInt>().ok()?.extract().ok()
}

/// The only element of an array or tensor of any library, from any device and without its gradient.
/// Failures are repeated and reported by Python's conversions.
fn item<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    value.call_method0(intern!(value.py(), "item")).ok()
}

/// Writes what waits in all writers; from now on callers write themselves. Returns notices.
#[pyfunction]
pub fn flush_at_exit(py: Python<'_>) -> Vec<String> {
    py.detach(writer::flush_at_exit)
}

/// Gives the child of a fork files of its own.
#[pyfunction]
pub fn after_fork_in_child() {
    FORKS.fetch_add(1, Ordering::Relaxed);
    writer::forked();
}

/// A payload as a record of an event file.
#[pyfunction]
pub fn frame_record<'py>(py: Python<'py>, payload: &[u8]) -> Bound<'py, PyBytes> {
    let mut framed = Vec::with_capacity(payload.len() + 16);
    record::frame(payload, &mut framed);
    PyBytes::new(py, &framed)
}
