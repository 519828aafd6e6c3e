//! Tensors: any numeric tensor into raw elements, filled up to its shape.

use crate::event::{Body, DataType, Tensor, Value};
use crate::protobuf::WireError;

/// Largest tensor that a short list is filled up to: a few bytes can ask for any number of
/// elements.
const MAX_FILLED_BYTES: usize = 256 << 20;

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
    let Some(wanted) =
        count.checked_mul(size).filter(|&wanted| wanted <= MAX_FILLED_BYTES.max(bytes.len()))
    else {
        return Ok(None);
    };
    if bytes.len() < wanted {
        // TensorFlow leaves out repeated elements at the end; none at all means zeros.
        let last = bytes.len().checked_sub(size).map_or(vec![0; size], |at| bytes[at..].to_vec());
        let missing = (wanted - bytes.len()).div_ceil(size);
        bytes.extend(last.repeat(missing));
    }
    if bytes.len() != wanted {
        return Ok(None);
    }
    Ok(Some(Elements { dtype: tensor.dtype, shape: tensor.shape, bytes }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(message: &[u8]) -> Option<Elements> {
        decode(&Value { tag: b"tag", metadata: None, body: Body::Tensor(message) }).unwrap()
    }

    #[test]
    fn short_lists_are_filled_up() {
        type Case<'a> = (&'a str, &'a [u8], Option<&'a [u8]>);
        let cases: [Case<'_>; 5] = [
            ("all there", b"\x08\x04\x12\x04\x12\x02\x08\x02\x3a\x02\x07\x08", Some(&[7, 8])),
            (
                "last repeats",
                b"\x08\x04\x12\x04\x12\x02\x08\x04\x3a\x02\x07\x08",
                Some(&[7, 8, 8, 8]),
            ),
            ("none", b"\x08\x05\x12\x04\x12\x02\x08\x02", Some(&[0, 0, 0, 0])),
            ("too many", b"\x08\x04\x12\x04\x12\x02\x08\x01\x3a\x02\x07\x08", None),
            ("half an element", b"\x08\x05\x12\x04\x12\x02\x08\x03\x22\x03\x01\x02\x03", None),
        ];
        for (name, message, expected) in cases {
            let bytes = unpacked(message).map(|elements| elements.bytes);
            assert_eq!(bytes.as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_few_bytes_cannot_ask_for_all_memory() {
        // uint8 of shape [2^31 - 1]
        let message = b"\x08\x04\x12\x08\x12\x06\x08\xff\xff\xff\xff\x07\x3a\x01\x07";
        assert_eq!(unpacked(message), None);
    }
}
