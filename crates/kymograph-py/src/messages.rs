//! Protobuf messages that plugins put into metadata and tensors, field by field.

use kymograph_core::protobuf::{self, Field, Fields};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;

/// A varint, or the bytes of anything else.
#[derive(IntoPyObject)]
pub enum FieldValue<'py> {
    Varint(u64),
    Bytes(Bound<'py, PyBytes>),
}

/// The fields of a message with their numbers, in the order of the message.
#[pyfunction]
pub fn message_fields<'py>(
    py: Python<'py>,
    message: &[u8],
) -> PyResult<Vec<(u64, FieldValue<'py>)>> {
    Fields::new(message)
        .map(|field| {
            let (number, value) = field.map_err(errors::from_wire)?;
            let value = match value {
                Field::Varint(value) => FieldValue::Varint(value),
                Field::Fixed64(bits) => FieldValue::Bytes(PyBytes::new(py, &bits.to_le_bytes())),
                Field::Fixed32(bits) => FieldValue::Bytes(PyBytes::new(py, &bits.to_le_bytes())),
                Field::Bytes(bytes) => FieldValue::Bytes(PyBytes::new(py, bytes)),
            };
            Ok((number, value))
        })
        .collect()
}

/// The integers of a packed list.
#[pyfunction]
pub fn packed_varints(mut packed: &[u8]) -> PyResult<Vec<u64>> {
    let mut values = Vec::new();
    while !packed.is_empty() {
        values.push(protobuf::varint(&mut packed).map_err(errors::from_wire)?);
    }
    Ok(values)
}
