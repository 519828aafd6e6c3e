//! Audio: both encodings into encoded clips.

use crate::compat;
use crate::event::{Body, Tensor, Value};
use crate::protobuf::WireError;

/// The clips logged under one tag at one step.
#[derive(Debug, Default, PartialEq)]
pub struct Audio<'a> {
    /// Samples per second, where the value tells beside the clip itself.
    pub sample_rate: Option<f32>,
    /// A MIME type, where the value tells.
    pub content_type: Option<&'a str>,
    /// Encoded clips, WAV normally.
    pub items: Vec<&'a [u8]>,
}

/// The clips in a value; none when it is of another kind.
pub fn decode<'a>(value: &Value<'a>) -> Result<Audio<'a>, WireError> {
    match value.body {
        Body::Audio(message) => {
            let audio = compat::audio(message)?;
            let content_type = std::str::from_utf8(audio.content_type).ok();
            Ok(Audio {
                sample_rate: Some(audio.sample_rate),
                content_type: content_type.filter(|name| !name.is_empty()),
                items: vec![audio.encoded],
            })
        }
        Body::Tensor(message) => {
            let tensor = Tensor::parse(message)?;
            let strings = tensor.strings()?;
            // Two columns are clip and label; labels are long deprecated.
            let columns = if tensor.shape.len() == 2 {
                tensor.shape[1] as usize
            } else {
                1
            };
            let items = strings.into_iter().step_by(columns.max(1)).collect();
            Ok(Audio {
                items,
                ..Audio::default()
            })
        }
        _ => Ok(Audio::default()),
    }
}
