//! Older summary encodings turned into the current one, once, here.
//!
//! The current form of a value is metadata that names a plugin, and a tensor. Before that there
//! was a field for each kind: `simple_value`, `histo`, `image`, `audio`.
#![cfg_attr(
    not(test),
    warn(clippy::indexing_slicing, clippy::cast_possible_truncation, clippy::unreachable)
)]

use crate::event::Body;
use crate::protobuf::{Field, Fields, WireError};

/// The plugin that a value without metadata belongs to; nothing for tensors and empty values.
pub fn plugin_of(body: &Body<'_>) -> Option<&'static str> {
    match body {
        Body::Simple(_) => Some("scalars"),
        Body::Image(_) => Some("images"),
        Body::Histogram(_) => Some("histograms"),
        Body::Audio(_) => Some("audio"),
        Body::Tensor(_) | Body::Empty => None,
    }
}

/// An Image message.
#[derive(Debug, Default, PartialEq)]
pub struct Image<'a> {
    /// Pixels, as given by the writer.
    pub height: u64,
    /// Pixels, as given by the writer.
    pub width: u64,
    /// PNG, JPEG, GIF, ...
    pub encoded: &'a [u8],
}

/// Reads an Image message.
pub fn image(message: &[u8]) -> Result<Image<'_>, WireError> {
    let mut image = Image::default();
    for field in Fields::new(message) {
        match field? {
            (1, Field::Varint(height)) => image.height = height,
            (2, Field::Varint(width)) => image.width = width,
            (4, Field::Bytes(encoded)) => image.encoded = encoded,
            _ => {}
        }
    }
    Ok(image)
}

/// An Audio message.
#[derive(Debug, Default, PartialEq)]
pub struct Audio<'a> {
    /// Samples per second.
    pub sample_rate: f32,
    /// WAV normally.
    pub encoded: &'a [u8],
    /// A MIME type; empty when the writer gave none.
    pub content_type: &'a [u8],
}

/// Reads an Audio message.
pub fn audio(message: &[u8]) -> Result<Audio<'_>, WireError> {
    let mut audio = Audio::default();
    for field in Fields::new(message) {
        match field? {
            (1, Field::Fixed32(bits)) => audio.sample_rate = f32::from_bits(bits),
            (4, Field::Bytes(encoded)) => audio.encoded = encoded,
            (5, Field::Bytes(content_type)) => audio.content_type = content_type,
            _ => {}
        }
    }
    Ok(audio)
}

/// Reads a HistogramProto as rows of left edge, right edge, count.
///
/// Outer buckets that are empty go, since their edges are ±the largest double; the outermost
/// edges left become the min and max value. No rows when nothing was counted.
pub fn histogram(message: &[u8]) -> Result<Vec<[f64; 3]>, WireError> {
    let (mut min, mut max) = (0.0, 0.0);
    let (mut limits, mut counts) = (Vec::new(), Vec::new());
    for field in Fields::new(message) {
        match field? {
            (1, Field::Fixed64(bits)) => min = f64::from_bits(bits),
            (2, Field::Fixed64(bits)) => max = f64::from_bits(bits),
            (6, field) => push_doubles(field, &mut limits),
            (7, field) => push_doubles(field, &mut counts),
            _ => {}
        }
    }
    let lefts = std::iter::once(f64::MIN).chain(limits.iter().copied());
    let mut rows: Vec<[f64; 3]> = lefts
        .zip(&limits)
        .zip(&counts)
        .map(|((left, &right), &count)| [left, right, count])
        .collect();
    let filled = |row: &[f64; 3]| row[2] != 0.0;
    let Some(first) = rows.iter().position(filled) else {
        return Ok(Vec::new());
    };
    let last = rows.iter().rposition(filled).unwrap_or(first);
    rows.truncate(last + 1);
    rows.drain(..first);
    if let Some(row) = rows.first_mut() {
        row[0] = min;
    }
    if let Some(row) = rows.last_mut() {
        row[1] = max;
    }
    Ok(rows)
}

fn push_doubles(field: Field<'_>, out: &mut Vec<f64>) {
    match field {
        Field::Bytes(packed) => {
            let doubles = packed.chunks_exact(8).filter_map(|bytes| bytes.first_chunk());
            out.extend(doubles.map(|bytes| f64::from_le_bytes(*bytes)));
        }
        Field::Fixed64(bits) => out.push(f64::from_bits(bits)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(number: u8, doubles: &[f64]) -> Vec<u8> {
        let mut out = vec![number << 3 | 2, (doubles.len() * 8) as u8];
        for double in doubles {
            out.extend(double.to_le_bytes());
        }
        out
    }

    fn message(min: f64, max: f64, limits: &[f64], counts: &[f64]) -> Vec<u8> {
        let mut out = vec![9];
        out.extend(min.to_le_bytes());
        out.push(17);
        out.extend(max.to_le_bytes());
        out.extend(packed(6, limits));
        out.extend(packed(7, counts));
        out
    }

    #[test]
    fn outer_empty_buckets_give_way_to_the_extremes() {
        let bytes =
            message(-0.5, 2.5, &[-1.0, 0.0, 1.0, 3.0, f64::MAX], &[0.0, 2.0, 0.0, 3.0, 0.0]);
        assert_eq!(
            histogram(&bytes).unwrap(),
            [[-0.5, 0.0, 2.0], [0.0, 1.0, 0.0], [1.0, 2.5, 3.0]]
        );
    }

    #[test]
    fn a_single_value_is_one_bucket_without_width() {
        let bytes = message(7.0, 7.0, &[6.9, 7.1], &[0.0, 4.0]);
        assert_eq!(histogram(&bytes).unwrap(), [[7.0, 7.0, 4.0]]);
    }

    #[test]
    fn nothing_counted_is_no_rows() {
        assert!(histogram(&message(0.0, 0.0, &[1.0, 2.0], &[0.0, 0.0])).unwrap().is_empty());
        assert!(histogram(b"").unwrap().is_empty());
    }
}
