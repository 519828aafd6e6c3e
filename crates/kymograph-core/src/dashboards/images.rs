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
            Ok(Images { width: image.width, height: image.height, items: vec![image.encoded] })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn images(body: Body<'_>) -> Images<'_> {
        decode(&Value { tag: b"photo", metadata: None, body }).unwrap()
    }

    #[test]
    fn both_encodings_are_read() {
        let old = images(Body::Image(b"\x08\x02\x10\x03\x18\x04\x22\x03png"));
        let new = images(Body::Tensor(b"\x08\x07\x42\x013\x42\x012\x42\x03png\x42\x03gif"));
        assert_eq!((old.width, old.height, old.items), (3, 2, vec![&b"png"[..]]));
        assert_eq!((new.width, new.height), (3, 2));
        assert_eq!(new.items, [b"png", b"gif"]);
    }

    #[test]
    fn sizes_that_are_no_numbers_and_missing_strings_are_survived() {
        let odd = images(Body::Tensor(b"\x08\x07\x42\x01?\x42\x02-1\x42\x03png"));
        assert_eq!((odd.width, odd.height, odd.items.len()), (0, 0, 1));
        assert_eq!(images(Body::Tensor(b"\x08\x07\x42\x013")), Images::default());
        assert_eq!(images(Body::Simple(1.0)), Images::default());
    }
}
