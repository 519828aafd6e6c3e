//! The one place where the core's errors become Python's.

use std::io;
use std::path::PathBuf;

use kymograph_core::blob::BlobError;
use kymograph_core::protobuf::WireError;
use kymograph_core::store::FetchError;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::{PyErr, import_exception};

import_exception!(kymograph.errors, BlobUnreadableError);
import_exception!(kymograph.errors, KymographError);
import_exception!(kymograph.errors, QueryError);

/// A blob that cannot be read.
pub fn from_blob(error: BlobError) -> PyErr {
    BlobUnreadableError::new_err(error.to_string())
}

/// Bytes that are not a protobuf message.
pub fn from_wire(error: WireError) -> PyErr {
    BlobUnreadableError::new_err(format!("the value is not a protobuf message: {error}"))
}

/// A blob that cannot be read, or is not of the kind that its tag declares.
pub fn from_fetch(error: FetchError) -> PyErr {
    BlobUnreadableError::new_err(error.to_string())
}

/// An invalid query.
pub fn bad_query(error: impl std::fmt::Display) -> PyErr {
    QueryError::new_err(error.to_string())
}

/// A thread or pool that could not be started.
pub fn from_start(error: impl std::fmt::Display) -> PyErr {
    KymographError::new_err(format!("cannot start loading: {error}"))
}

/// A path that cannot be written to, as Python's own functions report it.
pub fn from_path(error: io::Error, path: PathBuf) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, text, path))
        }
        None => PyValueError::new_err(error.to_string()),
    }
}

/// Bytes that are not an event.
pub fn bad_event(error: WireError) -> PyErr {
    PyValueError::new_err(format!("not a serialized Event: {error}"))
}
