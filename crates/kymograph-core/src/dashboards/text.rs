//! Text: string tensors of any rank.

use crate::event::{Body, Tensor, Value};
use crate::protobuf::WireError;

/// The strings logged under one tag at one step, in C order.
#[derive(Debug, Default, PartialEq)]
pub struct Text {
    /// Sizes of the dimensions; empty for a single string.
    pub shape: Vec<u64>,
    /// UTF-8 normally, Markdown often.
    pub strings: Vec<Vec<u8>>,
}

/// The strings in a value; none when it is of another kind.
pub fn decode(value: &Value<'_>) -> Result<Text, WireError> {
    let Body::Tensor(message) = value.body else {
        return Ok(Text::default());
    };
    let tensor = Tensor::parse(message)?;
    let strings = tensor.strings()?;
    let shape = match tensor.count() {
        Some(count) if count == strings.len() => tensor.shape,
        // A shape that does not fit the strings is ignored.
        _ => vec![strings.len() as u64],
    };
    let strings = strings.into_iter().map(<[u8]>::to_vec).collect();
    Ok(Text { shape, strings })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(message: &[u8]) -> (Vec<u64>, Vec<Vec<u8>>) {
        let value = Value { tag: b"note", metadata: None, body: Body::Tensor(message) };
        let text = decode(&value).unwrap();
        (text.shape, text.strings)
    }

    #[test]
    fn strings_keep_their_shape_if_it_fits() {
        let two = b"\x42\x01a\x42\x01b";
        let shaped = |shape: &[u8]| [&b"\x08\x07"[..], shape, two].concat();
        assert_eq!(strings(b"\x08\x07\x42\x02\xff\xfe"), (vec![], vec![b"\xff\xfe".to_vec()]));
        let column = shaped(b"\x12\x08\x12\x02\x08\x02\x12\x02\x08\x01");
        assert_eq!(strings(&column), (vec![2, 1], vec![b"a".to_vec(), b"b".to_vec()]));
        let wrong = shaped(b"\x12\x04\x12\x02\x08\x07");
        assert_eq!(strings(&wrong), (vec![2], vec![b"a".to_vec(), b"b".to_vec()]));
        assert_eq!(strings(&shaped(b"")), (vec![2], vec![b"a".to_vec(), b"b".to_vec()]));
    }
}
