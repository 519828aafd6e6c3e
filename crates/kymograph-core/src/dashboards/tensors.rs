//! Tensors: any numeric tensor into raw elements, filled up to its shape.

use crate::event::{Body, DataType, Tensor, Value};
use crate::protobuf::WireError;

/// Largest tensor that is unpacked; a short list can stand for any number of elements.
const MAX_BYTES: usize = 1 << 31;

/// A tensor's elements in C order, little-endian.
#[derive(Debug, PartialEq)]
pub struct Elements {
    /// Element type.
    pub dtype: DataType,
    /// Sizes of the dimensions.
    pub shape: Vec<u64>,
    /// The elements: as many as the shape asks for.
    pub bytes: Vec<u8>,
}

/// The tensor in a value. `None` for strings, unknown types, values that are no tensors and
/// tensors whose elements do not fit their shape.
pub fn decode(value: &Value<'_>) -> Result<Option<Elements>, WireError> {
    let Body::Tensor(message) = value.body else {
        return Ok(None);
    };
    let tensor = Tensor::parse(message)?;
    let (Some(size), Some(count)) = (tensor.dtype.size(), tensor.count()) else {
        return Ok(None);
    };
    let mut bytes = tensor.elements()?;
    let Some(wanted) = count
        .checked_mul(size)
        .filter(|&wanted| wanted <= MAX_BYTES)
    else {
        return Ok(None);
    };
    if bytes.len() < wanted {
        // TensorFlow leaves out repeated elements at the end; none at all means zeros.
        let last = bytes
            .len()
            .checked_sub(size)
            .map_or(vec![0; size], |at| bytes[at..].to_vec());
        while bytes.len() < wanted {
            bytes.extend_from_slice(&last);
        }
    }
    if bytes.len() != wanted {
        return Ok(None);
    }
    Ok(Some(Elements {
        dtype: tensor.dtype,
        shape: tensor.shape,
        bytes,
    }))
}
