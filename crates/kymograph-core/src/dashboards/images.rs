//! Images: both encodings into a size and encoded pictures.

use crate::compat;
use crate::event::{Body, Tensor, Value};
use crate::protobuf::WireError;

/// The images logged under one tag at one step.
#[derive(Debug, Default, PartialEq)]
pub struct Images<'a> {
    /// Pixels of the first, as the writer says; it may lie.
    pub width: u64,
    /// Pixels of the first, as the writer says; it may lie.
    pub height: u64,
    /// Encoded pictures: PNG normally, GIF for videos, anything else possible.
    pub items: Vec<&'a [u8]>,
}

/// The images in a value; none when it is of another kind.
pub fn decode<'a>(value: &Value<'a>) -> Result<Images<'a>, WireError> {
    match value.body {
        Body::Image(message) => {
            let image = compat::image(message)?;
            Ok(Images {
                width: image.width,
                height: image.height,
                items: vec![image.encoded],
            })
        }
        Body::Tensor(message) => {
            let strings = Tensor::parse(message)?.strings()?;
            let [width, height, items @ ..] = strings.as_slice() else {
                return Ok(Images::default());
            };
            let size = |text: &[u8]| std::str::from_utf8(text).ok()?.trim().parse().ok();
            Ok(Images {
                width: size(width).unwrap_or(0),
                height: size(height).unwrap_or(0),
                items: items.to_vec(),
            })
        }
        _ => Ok(Images::default()),
    }
}
