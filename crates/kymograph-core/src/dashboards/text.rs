//! Text: string tensors of any rank.

use crate::event::{Body, Tensor, Value};
use crate::protobuf::WireError;

/// The strings logged under one tag at one step, in C order.
#[derive(Debug, Default, PartialEq)]
pub struct Text<'a> {
    /// Sizes of the dimensions; empty for a single string.
    pub shape: Vec<u64>,
    /// UTF-8 normally, Markdown often.
    pub strings: Vec<&'a [u8]>,
}

/// The strings in a value; none when it is of another kind.
pub fn decode<'a>(value: &Value<'a>) -> Result<Text<'a>, WireError> {
    let Body::Tensor(message) = value.body else {
        return Ok(Text::default());
    };
    let tensor = Tensor::parse(message)?;
    let strings = tensor.strings()?;
    let shape = match tensor.count() {
        Some(count) if count == strings.len() => tensor.shape,
        // A shape that does not fit the strings says nothing.
        _ => vec![strings.len() as u64],
    };
    Ok(Text { shape, strings })
}
