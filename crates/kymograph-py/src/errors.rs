//! The one place where the core's errors become Python's.

use kymograph_core::blob::BlobError;
use kymograph_core::protobuf::WireError;
use pyo3::{PyErr, import_exception};

import_exception!(kymograph.errors, BlobUnreadableError);
import_exception!(kymograph.errors, KymographError);
import_exception!(kymograph.errors, QueryError);

/// A blob that cannot be had.
pub fn from_blob(error: BlobError) -> PyErr {
    BlobUnreadableError::new_err(error.to_string())
}

/// A value that checks, but is not the message it should be.
pub fn from_wire(error: WireError) -> PyErr {
    BlobUnreadableError::new_err(format!("the value is not what its tag says: {error}"))
}

/// A question that has no answer.
pub fn bad_query(error: impl std::fmt::Display) -> PyErr {
    QueryError::new_err(error.to_string())
}

/// A thread or pool that could not be started.
pub fn from_start(error: impl std::fmt::Display) -> PyErr {
    KymographError::new_err(format!("cannot start to load: {error}"))
}
