//! Audio: both encodings into encoded clips, and clips into what is drawn of them.
#![cfg_attr(
    not(test),
    warn(clippy::indexing_slicing, clippy::cast_possible_truncation, clippy::unreachable)
)]

mod clip;
mod compressed;
mod loudness;
mod spectrogram;
mod wav;
mod waveform;

pub use clip::{Clip, ClipError};
pub use spectrogram::{FLOOR_DECIBELS, Scale, Spectrogram};
pub use waveform::Waveform;

use rayon::prelude::*;

use crate::compat;
use crate::event::{Body, Tensor, Value};
use crate::protobuf::WireError;

/// The clips logged under one tag at one step.
#[derive(Debug, Default, PartialEq)]
pub struct Audio {
    /// Samples per second, where declared beside the clip itself.
    pub sample_rate: Option<f32>,
    /// A MIME type, where declared.
    pub content_type: Option<String>,
    /// Encoded clips, WAV normally.
    pub items: Vec<Vec<u8>>,
}

/// The clips in a value; none when it is of another kind.
pub fn decode(value: &Value<'_>) -> Result<Audio, WireError> {
    match value.body {
        Body::Audio(message) => {
            let audio = compat::audio(message)?;
            let content_type = std::str::from_utf8(audio.content_type).ok();
            Ok(Audio {
                sample_rate: Some(audio.sample_rate),
                content_type: content_type.filter(|name| !name.is_empty()).map(str::to_owned),
                items: vec![audio.encoded.to_vec()],
            })
        }
        _ => {
            let items = items(value)?.into_iter().map(<[u8]>::to_vec).collect();
            Ok(Audio { items, ..Audio::default() })
        }
    }
}

/// The encoded clips in a value as they are there; none when it is of another kind.
pub fn items<'a>(value: &Value<'a>) -> Result<Vec<&'a [u8]>, WireError> {
    match value.body {
        Body::Audio(message) => Ok(vec![compat::audio(message)?.encoded]),
        Body::Tensor(message) => {
            let tensor = Tensor::parse(message)?;
            let strings = tensor.strings()?;
            // Two columns are clip and label; labels are long deprecated.
            let columns = match tensor.shape.as_slice() {
                [_, columns] => usize::try_from(*columns).unwrap_or(usize::MAX),
                _ => 1,
            };
            Ok(strings.into_iter().step_by(columns.max(1)).collect())
        }
        _ => Ok(Vec::new()),
    }
}

/// What `make` makes of each number below `count`, in parallel where the caller is in a pool of
/// threads: a forked child has none.
fn each<T: Send>(count: usize, make: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    match rayon::current_thread_index() {
        Some(_) => (0..count).into_par_iter().map(make).collect(),
        None => (0..count).map(make).collect(),
    }
}

/// Where part `index` of `count` begins in `len` things, if the parts are as equal as can be.
fn part_start(index: usize, count: usize, len: usize) -> usize {
    let start = index as u128 * len as u128 / count.max(1) as u128;
    usize::try_from(start).unwrap_or(len)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clips(body: Body<'_>) -> Audio {
        decode(&Value { tag: b"sound", metadata: None, body }).unwrap()
    }

    #[test]
    fn the_old_encoding_tells_rate_and_type() {
        let audio = clips(Body::Audio(b"\x0d\0\x44\x2c\x47\x22\x03wav\x2a\x09audio/wav"));
        assert_eq!(audio.sample_rate, Some(44_100.0));
        assert_eq!(audio.content_type, Some("audio/wav".to_owned()));
        assert_eq!(audio.items, [b"wav"]);
        assert_eq!(clips(Body::Audio(b"\x2a\x01\xff")).content_type, None);
    }

    #[test]
    fn labels_beside_clips_are_left_out() {
        let strings = b"\x42\x01a\x42\x01x\x42\x01b\x42\x01y";
        let shaped = |shape: &[u8]| [&b"\x08\x07"[..], shape, strings].concat();
        let pairs = shaped(b"\x12\x08\x12\x02\x08\x02\x12\x02\x08\x02");
        assert_eq!(clips(Body::Tensor(&pairs)).items, [b"a", b"b"]);
        let plain = shaped(b"\x12\x04\x12\x02\x08\x04");
        assert_eq!(clips(Body::Tensor(&plain)).items.len(), 4);
        let none = shaped(b"\x12\x08\x12\x02\x08\x04\x12\x02\x08\0");
        assert_eq!(clips(Body::Tensor(&none)).items.len(), 4);
    }
}
