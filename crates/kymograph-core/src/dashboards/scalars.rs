//! Scalars: tensors of one element, of any numeric type, into numbers.

use crate::event::Tensor;
use crate::protobuf::{Field, Fields};

/// The number in a serialized TensorProto, and where it is a float of four bytes, these.
#[inline]
pub fn number_and_bytes(tensor: &[u8]) -> (Option<f64>, Option<&[u8; 4]>) {
    match plain_float(tensor) {
        Some(bytes) => (Some(f64::from(f32::from_le_bytes(*bytes))), Some(bytes)),
        None => (number(tensor), None),
    }
}

/// The number in a serialized TensorProto; `None` when it holds none, or more than one.
#[inline]
pub fn number(tensor: &[u8]) -> Option<f64> {
    match plain_float(tensor) {
        Some(bytes) => Some(f64::from(f32::from_le_bytes(*bytes))),
        None => Tensor::parse(tensor).ok()?.number().ok()?,
    }
}

/// The form in which TensorFlow and PyTorch write nearly all of them: one float, no dimensions.
#[inline]
fn plain_float(tensor: &[u8]) -> Option<&[u8; 4]> {
    const FLOAT: u64 = 1;
    let (mut is_float, mut value) = (false, None);
    for field in Fields::new(tensor) {
        match field.ok()? {
            (1, Field::Varint(dtype)) => is_float = dtype == FLOAT,
            (2, Field::Bytes([])) => {}
            (4 | 5, Field::Bytes(bytes)) if value.is_none() => {
                value = Some(<&[u8; 4]>::try_from(bytes).ok()?);
            }
            _ => return None,
        }
    }
    value.filter(|_| is_float)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_float_is_a_number_however_it_is_written() {
        let cases: [(&str, &[u8], Option<f64>); 9] = [
            ("content", b"\x08\x01\x12\0\x22\x04\0\0\0\x3f", Some(0.5)),
            ("list", b"\x08\x01\x2a\x04\0\0\0\x3f", Some(0.5)),
            ("type behind", b"\x2a\x04\0\0\0\x3f\x08\x01", Some(0.5)),
            ("both forms", b"\x08\x01\x22\x04\0\0\0\x3f\x2a\x04\0\0\x80\x3f", Some(0.5)),
            ("shape [1]", b"\x08\x01\x12\x04\x12\x02\x08\x01\x2a\x04\0\0\0\x3f", Some(0.5)),
            ("shape [2]", b"\x08\x01\x12\x04\x12\x02\x08\x02\x2a\x04\0\0\0\x3f", None),
            ("no type", b"\x2a\x04\0\0\0\x3f", None),
            ("nothing", b"", None),
            ("a string", b"\x08\x07\x42\x01a", None),
        ];
        for (name, tensor, expected) in cases {
            assert_eq!(number(tensor), expected, "{name}");
            let slow = Tensor::parse(tensor).unwrap().number().unwrap();
            assert_eq!(slow, expected, "{name}, the long way");
        }
    }
}
