//! Images: both encodings into a size and encoded pictures, and what is in those pictures.

pub mod picture;

use crate::compat;
use crate::event::{Body, Tensor, Value};
use crate::protobuf::WireError;

/// The images logged under one tag at one step.
#[derive(Debug, Default, PartialEq)]
pub struct Images {
    /// Width of the first in pixels, as declared by the writer; it may be wrong.
    pub width: u64,
    /// Height of the first in pixels, as declared by the writer; it may be wrong.
    pub height: u64,
    /// Encoded pictures: PNG normally, GIF for videos, anything else possible.
    pub items: Vec<Vec<u8>>,
}

/// The images in a value; none when it is of another kind.
pub fn decode(value: &Value<'_>) -> Result<Images, WireError> {
    match value.body {
        Body::Image(message) => {
            let image = compat::image(message)?;
            let items = vec![image.encoded.to_vec()];
            Ok(Images { width: image.width, height: image.height, items })
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
                items: items.iter().map(|item| item.to_vec()).collect(),
            })
        }
        _ => Ok(Images::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn images(body: Body<'_>) -> Images {
        decode(&Value { tag: b"photo", metadata: None, body }).unwrap()
    }

    #[test]
    fn both_encodings_are_read() {
        let old = images(Body::Image(b"\x08\x02\x10\x03\x18\x04\x22\x03png"));
        let new = images(Body::Tensor(b"\x08\x07\x42\x013\x42\x012\x42\x03png\x42\x03gif"));
        assert_eq!((old.width, old.height, old.items), (3, 2, vec![b"png".to_vec()]));
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
