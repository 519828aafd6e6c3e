//! Scalars: tensors of one element, of any numeric type, into numbers.

use crate::event::Tensor;
use crate::protobuf::{Field, Fields};

/// The number in a serialized TensorProto; `None` when it holds none, or more than one.
#[inline]
pub fn number(tensor: &[u8]) -> Option<f64> {
    plain_float(tensor).or_else(|| Tensor::parse(tensor).ok()?.number().ok()?)
}

/// The form in which TensorFlow and PyTorch write nearly all of them: one float, no dimensions.
#[inline]
fn plain_float(tensor: &[u8]) -> Option<f64> {
    const FLOAT: u64 = 1;
    let (mut is_float, mut value) = (false, None);
    for field in Fields::new(tensor) {
        match field.ok()? {
            (1, Field::Varint(dtype)) => is_float = dtype == FLOAT,
            (2, Field::Bytes([])) => {}
            (4 | 5, Field::Bytes(&[a, b, c, d])) if value.is_none() => {
                value = Some(f32::from_le_bytes([a, b, c, d]));
            }
            _ => return None,
        }
    }
    value.filter(|_| is_float).map(f64::from)
}
