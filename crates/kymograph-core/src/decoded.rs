//! What a blob holds, whatever its dashboard.

use thiserror::Error;

use crate::dashboards::audio::{self, Audio};
use crate::dashboards::images::{self, Images};
use crate::dashboards::tensors::{self, Elements};
use crate::dashboards::text::{self, Text};
use crate::dashboards::{Dashboard, histograms};
use crate::event::{Body, DataType, Metadata, Tensor, Value};
use crate::protobuf::WireError;

/// A blob in the form its dashboard works with.
#[derive(Debug, PartialEq)]
#[allow(missing_docs)] // the names say it all
pub enum Decoded {
    Images(Images),
    Audio(Audio),
    /// Rows of left edge, right edge, count.
    Histogram(Vec<[f64; 3]>),
    Text(Text),
    /// In a type that numpy has.
    Tensor(Elements),
    /// A serialized message.
    Graph(Vec<u8>),
    Metadata(Metadata),
    /// A value without content, or a tensor that cannot be read.
    Empty,
}

/// An intact value that is not of the kind that its tag declares.
#[derive(Debug, Error, Clone, Copy, PartialEq, Eq)]
pub enum DecodeError {
    /// It is not the message it should be.
    #[error("the value cannot be decoded: {0}")]
    Wire(#[from] WireError),
    /// A graph without a message.
    #[error("the graph is empty")]
    EmptyGraph,
}

impl Decoded {
    /// Decodes the bytes of a blob; `bare` ones are the thing itself and not a `Summary.Value`. A
    /// tensor with fewer elements than its shape has is filled up to at most this many bytes.
    pub fn read(
        dashboard: Dashboard,
        bare: bool,
        bytes: Vec<u8>,
        max_filled_bytes: usize,
    ) -> Result<Decoded, DecodeError> {
        if bare {
            return Ok(Decoded::Graph(bytes));
        }
        let value = Value::parse(&bytes)?;
        Ok(match dashboard {
            Dashboard::Images | Dashboard::Video => Decoded::Images(images::decode(&value)?),
            Dashboard::Audio => Decoded::Audio(audio::decode(&value)?),
            Dashboard::Histograms => Decoded::Histogram(histograms::decode(&value)?),
            Dashboard::Hparams => {
                let metadata = value.metadata.map(Metadata::parse).transpose()?;
                Decoded::Metadata(metadata.unwrap_or_default())
            }
            Dashboard::Graphs if holds_strings(&value)? => {
                let first = text::decode(&value)?.strings.into_iter().next();
                Decoded::Graph(first.ok_or(DecodeError::EmptyGraph)?)
            }
            _ if holds_strings(&value)? => Decoded::Text(text::decode(&value)?),
            _ => match tensors::decode(&value, max_filled_bytes)? {
                Some(elements) => Decoded::Tensor(elements.widened()),
                None => Decoded::Empty,
            },
        })
    }
}

fn holds_strings(value: &Value<'_>) -> Result<bool, WireError> {
    match value.body {
        Body::Tensor(message) => Ok(Tensor::parse(message)?.dtype == DataType::String),
        _ => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(dashboard: Dashboard, bytes: &[u8]) -> Result<Decoded, DecodeError> {
        Decoded::read(dashboard, false, bytes.to_vec(), 1 << 10)
    }

    #[test]
    fn the_dashboard_says_what_a_value_is() {
        let strings = b"\x42\x09\x08\x07\x42\x01a\x42\x02bc";
        let text = Text { shape: vec![2], strings: vec![b"a".to_vec(), b"bc".to_vec()] };
        assert_eq!(decoded(Dashboard::Tensors, strings), Ok(Decoded::Text(text)));
        assert_eq!(decoded(Dashboard::Graphs, strings), Ok(Decoded::Graph(b"a".to_vec())));
        assert!(matches!(decoded(Dashboard::Images, strings), Ok(Decoded::Images(_))));
        let bare = Decoded::read(Dashboard::Graphs, true, strings.to_vec(), 0);
        assert_eq!(bare, Ok(Decoded::Graph(strings.to_vec())));
        assert_eq!(decoded(Dashboard::Tensors, b""), Ok(Decoded::Empty));
    }

    #[test]
    fn what_is_not_what_its_tag_says_is_an_error() {
        assert_eq!(decoded(Dashboard::Graphs, b"\x42\x02\x08\x07"), Err(DecodeError::EmptyGraph));
        assert!(decoded(Dashboard::Tensors, b"\x42\x09\x08").is_err());
    }

    #[test]
    fn small_floats_become_float32() {
        // bfloat16 of shape [2]: 1.0, and what is left out
        let value = b"\x42\x0c\x08\x0e\x12\x04\x12\x02\x08\x02\x22\x02\x80\x3f";
        let Ok(Decoded::Tensor(elements)) = decoded(Dashboard::Tensors, value) else {
            panic!("no tensor")
        };
        assert_eq!((elements.dtype, elements.shape), (DataType::Float, vec![2]));
        assert_eq!(elements.bytes, [1.0f32.to_le_bytes(), 1.0f32.to_le_bytes()].concat());
    }
}
