//! Events straight into framed records, without a message object or a second buffer.

use crate::crc;
use crate::protobuf::{Fields, WireError};
use crate::record;

const FILE_VERSION: &[u8] = b"brain.Event:2";
/// What a file records about its writer.
const SOURCE: &[u8] = b"kymograph";

/// The most that a summary or event may have: protobuf ends at 2 GiB, and there is a step and a
/// wall time around it.
pub const MAX_MESSAGE_BYTES: usize = (1 << 31) - 64;

/// When and where in the training something happened. Zeros are left out, as protobuf does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Seconds since the epoch.
    pub wall_time: f64,
    /// The step, 0 when there is none.
    pub step: i64,
}

impl Moment {
    #[inline]
    fn len(self) -> usize {
        let wall_time = if self.wall_time.to_bits() == 0 { 0 } else { 9 };
        let step = if self.step == 0 { 0 } else { 1 + varint_len(self.step as u64) };
        wall_time + step
    }

    #[inline]
    fn put(self, out: &mut Vec<u8>) {
        if self.wall_time.to_bits() != 0 {
            out.push(0x09);
            out.extend_from_slice(&self.wall_time.to_le_bytes());
        }
        if self.step != 0 {
            out.push(0x10);
            put_varint(out, self.step as u64);
        }
    }
}

/// How a scalar is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `simple_value`, which every reader knows.
    Simple,
    /// A tensor of one `float`, with metadata.
    Float,
    /// A tensor of one `double`, with metadata.
    Double,
}

/// `metadata { plugin_data { plugin_name: "scalars" } }`
const SCALARS_METADATA: &[u8] = b"\x4a\x0b\x0a\x09\x0a\x07scalars";

/// The event of one scalar.
#[inline]
pub fn scalar(out: &mut Vec<u8>, tag: &str, value: f64, style: Style, at: Moment) {
    let stored = match style {
        Style::Simple => 5,
        // tensor { dtype: DT_FLOAT, float_val: [value] }, packed as protobuf packs it
        Style::Float => 2 + 8 + SCALARS_METADATA.len(),
        Style::Double => 2 + 12 + SCALARS_METADATA.len(),
    };
    let value_len = 1 + varint_len(tag.len() as u64) + tag.len() + stored;
    let summary_len = 1 + varint_len(value_len as u64) + value_len;
    let len = at.len() + 1 + varint_len(summary_len as u64) + summary_len;
    framed(out, len, |out| {
        at.put(out);
        put_len(out, 0x2a, summary_len);
        put_len(out, 0x0a, value_len);
        put_bytes(out, 0x0a, tag.as_bytes());
        match style {
            Style::Simple => {
                out.push(0x15);
                out.extend_from_slice(&(value as f32).to_le_bytes());
            }
            Style::Float => {
                out.extend_from_slice(&[0x42, 8, 0x08, 1, 0x2a, 4]);
                out.extend_from_slice(&(value as f32).to_le_bytes());
                out.extend_from_slice(SCALARS_METADATA);
            }
            Style::Double => {
                out.extend_from_slice(&[0x42, 12, 0x08, 2, 0x32, 8]);
                out.extend_from_slice(&value.to_le_bytes());
                out.extend_from_slice(SCALARS_METADATA);
            }
        }
    });
}

/// The event that carries a serialised summary.
pub fn summary(out: &mut Vec<u8>, summary: &[u8], at: Moment) {
    let len = at.len() + 1 + varint_len(summary.len() as u64) + summary.len();
    framed(out, len, |out| {
        at.put(out);
        put_bytes(out, 0x2a, summary);
    });
}

/// A serialised event, with another wall time and step where these are given.
pub fn event(
    out: &mut Vec<u8>,
    event: &[u8],
    wall_time: Option<f64>,
    step: Option<i64>,
) -> Result<(), WireError> {
    let mut payload = Vec::with_capacity(event.len() + 20);
    let at = Moment { wall_time: wall_time.unwrap_or(0.0), step: step.unwrap_or(0) };
    at.put(&mut payload);
    let mut rest = event;
    while !rest.is_empty() {
        let mut fields = Fields::new(rest);
        let Some(field) = fields.next() else { break };
        let (number, _) = field?;
        let field_len = rest.len() - fields.rest().len();
        let replaced = (number == 1 && wall_time.is_some()) || (number == 2 && step.is_some());
        if !replaced {
            payload.extend_from_slice(&rest[..field_len]);
        }
        rest = fields.rest();
    }
    record::frame(&payload, out);
    Ok(())
}

/// The first record of every file.
pub fn file_version(out: &mut Vec<u8>, wall_time: f64) {
    let mut payload = Vec::new();
    Moment { wall_time, step: 0 }.put(&mut payload);
    put_bytes(&mut payload, 0x1a, FILE_VERSION);
    put_len(&mut payload, 0x52, 2 + SOURCE.len());
    put_bytes(&mut payload, 0x0a, SOURCE);
    record::frame(&payload, out);
}

/// The two records that make readers drop what was logged at `at.step` and later.
pub fn purge(out: &mut Vec<u8>, at: Moment) {
    let mut version = Vec::new();
    at.put(&mut version);
    put_bytes(&mut version, 0x1a, FILE_VERSION);
    record::frame(&version, out);
    let mut start = Vec::new();
    at.put(&mut start);
    put_bytes(&mut start, 0x3a, &[0x08, 1]);
    record::frame(&start, out);
}

#[inline]
fn framed(out: &mut Vec<u8>, len: usize, put: impl FnOnce(&mut Vec<u8>)) {
    out.reserve(len + 16);
    out.extend_from_slice(&(len as u64).to_le_bytes());
    out.extend_from_slice(&crc::masked_len(len as u64).to_le_bytes());
    let start = out.len();
    put(out);
    debug_assert_eq!(out.len() - start, len);
    let crc = crc::masked(&out[start..]);
    out.extend_from_slice(&crc.to_le_bytes());
}

#[inline]
fn put_bytes(out: &mut Vec<u8>, key: u8, bytes: &[u8]) {
    put_len(out, key, bytes.len());
    out.extend_from_slice(bytes);
}

#[inline]
fn put_len(out: &mut Vec<u8>, key: u8, len: usize) {
    out.push(key);
    put_varint(out, len as u64);
}

#[inline]
fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[inline]
fn varint_len(number: u64) -> usize {
    (70 - (number | 1).leading_zeros() as usize) / 7
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Moment = Moment { wall_time: 1.5, step: 7 };

    fn payload(record: &[u8]) -> &[u8] {
        &record[12..record.len() - 4]
    }

    fn whole(payload: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        record::frame(payload, &mut out);
        out
    }

    #[test]
    fn scalar_is_byte_for_byte_what_pytorch_writes() {
        let mut out = Vec::new();
        scalar(&mut out, "loss", 0.5, Style::Simple, AT);
        let expected =
            b"\x09\0\0\0\0\0\0\xf8\x3f\x10\x07\x2a\x0d\x0a\x0b\x0a\x04loss\x15\0\0\0\x3f";
        assert_eq!(payload(&out), expected);
        assert_eq!(out, whole(expected));
    }

    #[test]
    fn lengths_told_beforehand_are_those_written() {
        for step in [0, 1, 127, 128, 1 << 40, i64::MAX, -1, i64::MIN] {
            for tag_len in [0, 1, 120, 127, 128, 300, 70_000] {
                for style in [Style::Simple, Style::Float, Style::Double] {
                    for wall_time in [0.0, 1e9] {
                        let mut out = vec![1, 2, 3];
                        let tag = "x".repeat(tag_len);
                        scalar(&mut out, &tag, f64::NAN, style, Moment { wall_time, step });
                        assert_eq!(out[3..], whole(payload(&out[3..])), "{step} {tag_len}");
                    }
                }
            }
        }
    }

    #[test]
    fn value_beyond_float_is_infinite_and_doubles_are_kept() {
        let mut out = Vec::new();
        scalar(&mut out, "", 1e300, Style::Simple, AT);
        assert!(payload(&out).ends_with(&f32::INFINITY.to_le_bytes()));
        out.clear();
        scalar(&mut out, "t", 0.1, Style::Double, AT);
        let value = 0.1_f64.to_le_bytes();
        assert!(payload(&out).windows(8).any(|bytes| bytes == value));
    }

    #[test]
    fn wall_time_and_step_of_an_event_are_replaced_where_given() {
        let given = b"\x09\0\0\0\0\0\0\xf8\x3f\x10\x07\x1a\x01v";
        let mut out = Vec::new();
        event(&mut out, given, None, None).unwrap();
        assert_eq!(payload(&out), given);
        out.clear();
        event(&mut out, given, Some(2.0), None).unwrap();
        assert_eq!(payload(&out), b"\x09\0\0\0\0\0\0\0\x40\x10\x07\x1a\x01v");
        out.clear();
        event(&mut out, given, Some(2.0), Some(300)).unwrap();
        assert_eq!(payload(&out), b"\x09\0\0\0\0\0\0\0\x40\x10\xac\x02\x1a\x01v");
        out.clear();
        event(&mut out, given, Some(0.0), Some(0)).unwrap();
        assert_eq!(payload(&out), b"\x1a\x01v");
    }

    #[test]
    fn what_is_no_event_is_refused_and_nothing_is_written() {
        let mut out = Vec::new();
        assert!(event(&mut out, b"\x0a\xff", None, None).is_err());
        assert!(out.is_empty());
    }

    #[test]
    fn file_begins_with_version_and_source() {
        let mut out = Vec::new();
        file_version(&mut out, 1.5);
        let expected = b"\x09\0\0\0\0\0\0\xf8\x3f\x1a\x0dbrain.Event:2\x52\x0b\x0a\x09kymograph";
        assert_eq!(payload(&out), expected);
    }

    #[test]
    fn purge_is_a_version_and_a_start_with_the_step() {
        let mut out = Vec::new();
        purge(&mut out, AT);
        let moment = b"\x09\0\0\0\0\0\0\xf8\x3f\x10\x07";
        let version = [&moment[..], b"\x1a\x0dbrain.Event:2"].concat();
        let start = [&moment[..], b"\x3a\x02\x08\x01"].concat();
        assert_eq!(out, [whole(&version), whole(&start)].concat());
    }
}
