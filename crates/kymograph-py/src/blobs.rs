//! Blobs: their lists as columns, and what is in them.

use kymograph_core::dashboards::tensors::{Elements, Given, Numbers, Window, WindowError};
use kymograph_core::decoded::Decoded;
use kymograph_core::event::{self, DataType};
use kymograph_core::link::Link;
use kymograph_core::run::{self, BlobRange};
use kymograph_core::store::{FetchError, Store};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::errors;
use crate::lod::views;
use crate::store::Series;

/// The link that an address is.
pub fn link(address: &str) -> PyResult<Link> {
    Link::parse(address)
        .ok_or_else(|| errors::bad_query(format_args!("not the address of a blob: {address:?}")))
}

/// Some blobs of each series as columns, one series after another.
#[pyfunction]
pub fn blob_columns<'py>(
    py: Python<'py>,
    ranges: Vec<(PyRef<'py, Series>, usize, usize)>,
) -> PyResult<Bound<'py, PyDict>> {
    let ranges: Vec<_> = ranges
        .iter()
        .map(|(series, start, count)| BlobRange {
            series: &series.series,
            start: *start,
            count: *count,
        })
        .collect();
    let columns = py.detach(|| run::blob_columns(&ranges));
    views(py, columns)
}

/// The bytes of a blob.
pub fn read<'py>(py: Python<'py>, store: &Store, link: &Link) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| store.read_blob(&link.address)).map_err(errors::from_blob)?;
    Ok(PyBytes::new(py, &bytes))
}

/// What a blob holds.
pub fn decode<'py>(py: Python<'py>, store: &Store, link: &Link) -> PyResult<Bound<'py, PyAny>> {
    let decoded = py.detach(|| store.decode_blobs(&[*link]));
    let decoded = decoded.into_iter().next().unwrap_or(Ok(Decoded::Empty));
    wrapped(py, decoded.map_err(errors::from_fetch)?)
}

/// What many blobs hold, in their order; an exception in place of one that cannot be shown.
pub fn decode_all<'py>(
    py: Python<'py>,
    store: &Store,
    links: &[PyResult<Link>],
) -> PyResult<Bound<'py, PyList>> {
    each(py, links, |links| store.decode_blobs(links), |decoded| wrapped(py, decoded))
}

/// What kind of tensor each blob holds, likewise.
pub fn describe_all<'py>(
    py: Python<'py>,
    store: &Store,
    links: &[PyResult<Link>],
) -> PyResult<Bound<'py, PyList>> {
    let look = |links: &[Link]| store.look_at_tensors(links, TensorDescription::new);
    each(py, links, look, |found| Ok(Bound::new(py, found)?.into_any()))
}

/// Does the work for what are links, without the interpreter, and joins it with those that are
/// none.
fn each<'py, T: Send>(
    py: Python<'py>,
    links: &[PyResult<Link>],
    work: impl FnOnce(&[Link]) -> Vec<Result<T, FetchError>> + Send,
    wrap: impl Fn(T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let valid: Vec<Link> = links.iter().flatten().copied().collect();
    let mut done = py.detach(|| work(&valid)).into_iter();
    let list = PyList::empty(py);
    for link in links {
        let outcome = match link {
            Err(error) => Err(error.clone_ref(py)),
            Ok(_) => match done.next() {
                Some(found) => found.map_err(errors::from_fetch).and_then(&wrap),
                None => continue,
            },
        };
        list.append(
            outcome.unwrap_or_else(|error| error.into_value(py).into_bound(py).into_any()),
        )?;
    }
    Ok(list)
}

fn wrapped(py: Python<'_>, decoded: Decoded) -> PyResult<Bound<'_, PyAny>> {
    let all =
        |items: &[Vec<u8>]| items.iter().map(|item| PyBytes::new(py, item).unbind()).collect();
    Ok(match decoded {
        Decoded::Images(images) => {
            let (width, height) = (images.width, images.height);
            Bound::new(py, Images { width, height, items: all(&images.items) })?.into_any()
        }
        Decoded::Audio(audio) => {
            let (sample_rate, content_type) = (audio.sample_rate, audio.content_type);
            Bound::new(py, Audio { sample_rate, content_type, items: all(&audio.items) })?
                .into_any()
        }
        Decoded::Histogram(rows) => {
            let bytes: Vec<u8> = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
            Bound::new(py, Histogram { buckets: PyBytes::new(py, &bytes).unbind() })?.into_any()
        }
        Decoded::Text(text) => {
            Bound::new(py, Text { shape: text.shape, strings: all(&text.strings) })?.into_any()
        }
        Decoded::Tensor(elements) => {
            let dtype = numpy_dtype(elements.dtype);
            let data = PyBytes::new(py, &elements.bytes).unbind();
            Bound::new(py, Tensor { dtype, shape: elements.shape, data })?.into_any()
        }
        Decoded::Graph(bytes) => {
            Bound::new(py, Graph { data: PyBytes::new(py, &bytes).unbind() })?.into_any()
        }
        Decoded::Metadata(metadata) => Bound::new(py, Metadata::new(py, &metadata))?.into_any(),
        Decoded::Empty => Bound::new(py, Empty)?.into_any(),
    })
}

/// Encoded pictures.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct Images {
    width: u64,
    height: u64,
    items: Vec<Py<PyBytes>>,
}

/// Encoded clips.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct Audio {
    sample_rate: Option<f32>,
    content_type: Option<String>,
    items: Vec<Py<PyBytes>>,
}

/// Rows of left edge, right edge and count, each a little-endian double.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct Histogram {
    buckets: Py<PyBytes>,
}

/// Strings in C order.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct Text {
    shape: Vec<u64>,
    strings: Vec<Py<PyBytes>>,
}

/// Numbers in C order, of a type that numpy has.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct Tensor {
    dtype: &'static str,
    shape: Vec<u64>,
    data: Py<PyBytes>,
}

/// A serialized graph.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct Graph {
    data: Py<PyBytes>,
}

/// A value without content.
#[pyclass(frozen, module = "kymograph._core")]
pub struct Empty;

/// What a writer declares about a tag.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct Metadata {
    plugin_name: String,
    content: Py<PyBytes>,
    display_name: String,
    description: String,
    data_class: u64,
}

impl Metadata {
    pub fn new(py: Python<'_>, metadata: &event::Metadata) -> Self {
        Self {
            plugin_name: metadata.plugin_name.clone(),
            content: PyBytes::new(py, &metadata.content).unbind(),
            display_name: metadata.display_name.clone(),
            description: metadata.description.clone(),
            data_class: metadata.data_class,
        }
    }
}

/// What kind of tensor a blob holds.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct TensorDescription {
    dtype: &'static str,
    shape: Vec<u64>,
    elements: usize,
    finite: u64,
    nan: u64,
    positive_infinities: u64,
    negative_infinities: u64,
    zeros: u64,
    min: Option<f64>,
    max: Option<f64>,
    mean: Option<f64>,
    std: Option<f64>,
    /// The first of them, for a tensor of strings.
    strings: Option<Vec<String>>,
}

/// Strings that a description has, and how many characters of each string are shown.
const DESCRIBED_STRINGS: usize = 10;
const SHOWN_CHARS: usize = 1000;

impl TensorDescription {
    fn new(given: &Given) -> Self {
        let (dtype, shape) = (given.dtype_name(), given.shape().to_vec());
        match given {
            Given::Numbers(numbers) => Self::of_numbers(dtype, shape, numbers),
            Given::Strings(text) => Self {
                elements: text.strings.len(),
                strings: Some(
                    text.strings
                        .iter()
                        .take(DESCRIBED_STRINGS)
                        .map(|string| shown(string))
                        .collect(),
                ),
                ..Self::empty(dtype, shape)
            },
        }
    }

    fn empty(dtype: &'static str, shape: Vec<u64>) -> Self {
        Self {
            dtype,
            shape,
            elements: 0,
            finite: 0,
            nan: 0,
            positive_infinities: 0,
            negative_infinities: 0,
            zeros: 0,
            min: None,
            max: None,
            mean: None,
            std: None,
            strings: None,
        }
    }

    fn of_numbers(dtype: &'static str, shape: Vec<u64>, numbers: &Numbers) -> Self {
        let found = numbers.statistics();
        let moments = found.moments.as_ref();
        Self {
            elements: numbers.count,
            finite: found.finite,
            nan: found.nan,
            positive_infinities: found.positive_infinities,
            negative_infinities: found.negative_infinities,
            zeros: found.zeros,
            min: moments.map(|moments| moments.min),
            max: moments.map(|moments| moments.max),
            mean: moments.map(|moments| moments.mean),
            std: moments.map(|moments| moments.std),
            ..Self::empty(dtype, shape)
        }
    }
}

fn shown(string: &[u8]) -> String {
    // A character takes at most four bytes, and one that is cut in two is shown as such.
    let start = &string[..string.len().min(4 * SHOWN_CHARS + 4)];
    let text = String::from_utf8_lossy(start);
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

/// A table of the values of a tensor.
#[pyclass(frozen, get_all, module = "kymograph._core")]
pub struct TensorWindow {
    /// The type of the tensor.
    dtype: &'static str,
    shape: Vec<u64>,
    index: Vec<u64>,
    rows: (u64, u64),
    columns: (u64, u64),
    /// The type of the numbers in `data`.
    data_dtype: &'static str,
    data: Py<PyBytes>,
    strings: Option<Vec<String>>,
}

type Bounds = (u64, u64);

/// The values of a tensor in a window; the core clips it to what is there.
pub fn window(
    py: Python<'_>,
    store: &Store,
    link: &Link,
    index: &[u64],
    (rows, columns): (Bounds, Bounds),
    max_values: usize,
) -> PyResult<TensorWindow> {
    let look = |given: &Given| {
        let window =
            Window::new(given.shape(), index, rows.0..rows.1, columns.0..columns.1, max_values)?;
        let (elements, strings) = match given {
            Given::Numbers(numbers) => (Some(numbers.at(&window.positions).widened()), None),
            Given::Strings(text) => {
                let strings = window.positions.iter().filter_map(|&at| text.strings.get(at));
                (None, Some(strings.map(|string| shown(string)).collect()))
            }
        };
        Ok((given.dtype_name(), given.shape().to_vec(), window, elements, strings))
    };
    let found = py.detach(|| store.look_at_tensors(&[*link], look));
    let Some(found) = found.into_iter().next() else {
        return Err(errors::bad_query("there is no such blob"));
    };
    let (dtype, shape, window, elements, strings) = found
        .map_err(errors::from_fetch)?
        .map_err(|error: WindowError| errors::bad_query(error))?;
    let elements = elements.unwrap_or(Elements {
        dtype: DataType::UInt8,
        shape: Vec::new(),
        bytes: Vec::new(),
    });
    Ok(TensorWindow {
        dtype,
        shape,
        index: window.index,
        rows: (window.rows.start, window.rows.end),
        columns: (window.columns.start, window.columns.end),
        data_dtype: numpy_dtype(elements.dtype),
        data: PyBytes::new(py, &elements.bytes).unbind(),
        strings,
    })
}

/// As numpy spells it; for types that are not widened only.
fn numpy_dtype(dtype: DataType) -> &'static str {
    match dtype {
        DataType::Float => "<f4",
        DataType::Double => "<f8",
        DataType::Half => "<f2",
        DataType::Int8 => "|i1",
        DataType::Int16 => "<i2",
        DataType::Int32 => "<i4",
        DataType::Int64 => "<i8",
        DataType::UInt16 => "<u2",
        DataType::UInt32 => "<u4",
        DataType::UInt64 => "<u8",
        DataType::Bool => "|b1",
        DataType::Complex64 => "<c8",
        DataType::Complex128 => "<c16",
        _ => "|u1",
    }
}
