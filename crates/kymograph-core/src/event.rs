//! Event, Summary, Value and Tensor as views on the bytes of a record.
#![cfg_attr(
    not(test),
    warn(clippy::indexing_slicing, clippy::cast_possible_truncation, clippy::unreachable)
)]

use std::ops::RangeInclusive;

use crate::protobuf::{Field, Fields, WireError, varint};

/// One record's message. `what` is the last of its kind in the bytes, as protobuf has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event<'a> {
    /// Seconds since the epoch; may be NaN or infinite in damaged logs.
    pub wall_time: f64,
    /// 0 when the writer gave none.
    pub step: i64,
    /// The one thing the event holds.
    pub what: What<'a>,
}

/// What an event holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum What<'a> {
    /// Neither of the below, or something long deprecated.
    Nothing,
    /// The first event of most files.
    FileVersion(&'a [u8]),
    /// A serialized GraphDef.
    Graph(&'a [u8]),
    /// A Summary: read it with [`values`].
    Summary(&'a [u8]),
    /// A serialized MetaGraphDef.
    MetaGraph(&'a [u8]),
    /// A session begins, which logs the steps from the event's step on again.
    SessionStart,
    /// A serialized TaggedRunMetadata: read it with [`tagged_run_metadata`].
    TaggedRunMetadata(&'a [u8]),
}

impl<'a> Event<'a> {
    /// Reads an event; fails when the bytes are not a protobuf message.
    #[inline]
    pub fn parse(payload: &'a [u8]) -> Result<Self, WireError> {
        let mut event = Event { wall_time: 0.0, step: 0, what: What::Nothing };
        for field in Fields::new(payload) {
            match field? {
                (1, Field::Fixed64(bits)) => event.wall_time = f64::from_bits(bits),
                (2, Field::Varint(step)) => event.step = step as i64,
                (3, Field::Bytes(bytes)) => event.what = What::FileVersion(bytes),
                (4, Field::Bytes(bytes)) => event.what = What::Graph(bytes),
                (5, Field::Bytes(bytes)) => event.what = What::Summary(bytes),
                (7, Field::Bytes(bytes)) => event.what = session_log(bytes)?,
                (8, Field::Bytes(bytes)) => event.what = What::TaggedRunMetadata(bytes),
                (9, Field::Bytes(bytes)) => event.what = What::MetaGraph(bytes),
                _ => {}
            }
        }
        Ok(event)
    }
}

/// An event that may be one plain number and nothing else, as PyTorch and TensorFlow 1 write their
/// scalars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlainScalar<'a> {
    /// Seconds since the epoch, whatever was written there.
    pub wall_time: f64,
    /// The step, 0 when absent.
    pub step: i64,
    /// The bytes between step and number. They are the same for all numbers of a tag, so that one
    /// comparison with [`plain_form`] shows the tag and that it is a plain number.
    pub form: &'a [u8],
    /// The number, if the form is one.
    pub number: f32,
    /// Everything after the step.
    pub rest: &'a [u8],
}

/// The bytes after the step of an event that is one number of a tag. In the next number of the
/// tag all of them are the same but four: those of the number. Of a field of four bytes the value
/// changes nothing about how the others are read, so that a comparison is as good as reading.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TensorForm {
    before: Vec<u8>,
    after: Vec<u8>,
}

impl TensorForm {
    /// Remembers the form of an event whose float is `number`, a part of its payload.
    pub fn learn(&mut self, payload: &[u8], number: &[u8; 4]) {
        self.before.clear();
        self.after.clear();
        let Some(scalar) = PlainScalar::parse(payload).filter(PlainScalar::is_summary_alone) else {
            return;
        };
        let start = (number.as_ptr() as usize).wrapping_sub(scalar.rest.as_ptr() as usize);
        if let Some((before, after)) = scalar.rest.split_at_checked(start)
            && let Some((_, after)) = after.split_first_chunk::<4>()
        {
            self.before.extend_from_slice(before);
            self.after.extend_from_slice(after);
        }
    }

    /// The float of an event that has this form, given its bytes after the step.
    #[inline(always)]
    pub fn number(&self, rest: &[u8]) -> Option<f32> {
        let (before, number) = rest.split_at_checked(self.before.len())?;
        let (number, after) = number.split_first_chunk::<4>()?;
        // No form is empty: a tag comes before the number.
        let fits = !before.is_empty() && same(&self.before, before) && same(&self.after, after);
        fits.then(|| f32::from_le_bytes(*number))
    }
}

/// Whether two short strings are equal, without the call that a comparison of slices is.
#[inline(always)]
pub fn same(a: &[u8], b: &[u8]) -> bool {
    match (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        // The last eight bytes may have been compared before; that is cheaper than one by one.
        (Some(a_end), Some(b_end)) => {
            let (a_words, b_words) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
            a.len() == b.len() && a_end == b_end && a_words.iter().zip(b_words).all(|(a, b)| a == b)
        }
        _ => a == b,
    }
}

impl<'a> PlainScalar<'a> {
    /// Takes an event apart as if it were a plain number; `None` when it cannot be one.
    #[inline(always)]
    pub fn parse(payload: &'a [u8]) -> Option<Self> {
        let (&[0x09, ref wall_time @ ..], rest) = payload.split_first_chunk::<9>()? else {
            return None;
        };
        let (step, rest) = match rest {
            [0x10, rest @ ..] => {
                let mut rest = rest;
                (varint(&mut rest).ok()?, rest)
            }
            _ => (0, rest),
        };
        // No form is shorter, so that none equals the missing one of a long tag.
        const SHORTEST_FORM: usize = 8;
        let (form, number) = rest.split_last_chunk::<4>()?;
        if form.len() < SHORTEST_FORM {
            return None;
        }
        Some(Self {
            wall_time: f64::from_le_bytes(*wall_time),
            step: step as i64,
            form,
            number: f32::from_le_bytes(*number),
            rest,
        })
    }

    /// Whether a summary is all that comes after the step: no other time or step behind it.
    fn is_summary_alone(&self) -> bool {
        let [0x2a, summary @ ..] = self.rest else {
            return false;
        };
        let mut summary = summary;
        varint(&mut summary).is_ok_and(|len| len == summary.len() as u64)
    }

    /// The tag, if it is a plain number: the one that [`Event::parse`] and [`Value::parse`] read.
    pub fn tag(&self) -> Option<&'a [u8]> {
        let &[0x2a, summary_len, 0x0a, value_len, 0x0a, tag_len, ref tag @ .., 0x15] = self.form
        else {
            return None;
        };
        let len = tag.len();
        let fits = [summary_len, value_len, tag_len].map(usize::from) == [len + 9, len + 7, len];
        (fits && PLAIN_TAG_LENS.contains(&len)).then_some(tag)
    }
}

/// With such a tag, summary and value are of less than 128 bytes.
const PLAIN_TAG_LENS: RangeInclusive<usize> = 1..=0x7f - 9;

/// The bytes between step and number in every plain number of this tag: one summary of one value,
/// each the last of its message. Nothing for a tag that is empty or long.
pub fn plain_form(tag: &[u8]) -> Vec<u8> {
    match u8::try_from(tag.len()) {
        Ok(len) if PLAIN_TAG_LENS.contains(&tag.len()) => {
            [&[0x2a, len + 9, 0x0a, len + 7, 0x0a, len], tag, &[0x15]].concat()
        }
        _ => Vec::new(),
    }
}

fn session_log(bytes: &[u8]) -> Result<What<'_>, WireError> {
    const START: u64 = 1;
    let mut status = 0;
    for field in Fields::new(bytes) {
        if let (1, Field::Varint(value)) = field? {
            status = value;
        }
    }
    Ok(if status == START { What::SessionStart } else { What::Nothing })
}

/// The tag and the serialized RunMetadata of a TaggedRunMetadata.
pub fn tagged_run_metadata(message: &[u8]) -> Result<(&[u8], &[u8]), WireError> {
    let (mut tag, mut metadata): (&[u8], &[u8]) = (&[], &[]);
    for field in Fields::new(message) {
        match field? {
            (1, Field::Bytes(bytes)) => tag = bytes,
            (2, Field::Bytes(bytes)) => metadata = bytes,
            _ => {}
        }
    }
    Ok((tag, metadata))
}

/// The serialized values of a Summary.
pub fn values(summary: &[u8]) -> impl Iterator<Item = Result<&[u8], WireError>> {
    Fields::new(summary).filter_map(|field| match field {
        Ok((1, Field::Bytes(bytes))) => Some(Ok(bytes)),
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    })
}

/// One value of a Summary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value<'a> {
    /// The tag, or the node name where very old writers and CatBoost left the tag empty.
    pub tag: &'a [u8],
    /// A serialized SummaryMetadata, if there is one.
    pub metadata: Option<&'a [u8]>,
    /// The value proper.
    pub body: Body<'a>,
}

/// What a value is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Body<'a> {
    /// Metadata alone, as hyper-parameters come, or a form that is no longer written.
    Empty,
    /// A plain number.
    Simple(f32),
    /// A serialized Image.
    Image(&'a [u8]),
    /// A serialized HistogramProto.
    Histogram(&'a [u8]),
    /// A serialized Audio.
    Audio(&'a [u8]),
    /// A serialized TensorProto.
    Tensor(&'a [u8]),
}

impl<'a> Value<'a> {
    /// Reads a value; fails when the bytes are not a protobuf message.
    #[inline]
    pub fn parse(message: &'a [u8]) -> Result<Self, WireError> {
        let mut value = Value { tag: &[], metadata: None, body: Body::Empty };
        let mut node_name: &[u8] = &[];
        for field in Fields::new(message) {
            match field? {
                (1, Field::Bytes(bytes)) => value.tag = bytes,
                (2, Field::Fixed32(bits)) => value.body = Body::Simple(f32::from_bits(bits)),
                (4, Field::Bytes(bytes)) => value.body = Body::Image(bytes),
                (5, Field::Bytes(bytes)) => value.body = Body::Histogram(bytes),
                (6, Field::Bytes(bytes)) => value.body = Body::Audio(bytes),
                (7, Field::Bytes(bytes)) => node_name = bytes,
                (8, Field::Bytes(bytes)) => value.body = Body::Tensor(bytes),
                (9, Field::Bytes(bytes)) => value.metadata = Some(bytes),
                _ => {}
            }
        }
        if value.tag.is_empty() {
            value.tag = node_name;
        }
        Ok(value)
    }
}

/// What a writer declares about a tag: which plugin it is for, and how to name it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The plugin's name; empty when only a display name or description was given.
    pub plugin_name: String,
    /// The plugin's own message.
    pub content: Vec<u8>,
    /// The name to show instead of the tag.
    pub display_name: String,
    /// Markdown.
    pub description: String,
    /// 0 unknown, 1 scalar, 2 tensor, 3 blob sequence.
    pub data_class: u64,
}

impl Metadata {
    /// Reads a SummaryMetadata.
    pub fn parse(message: &[u8]) -> Result<Self, WireError> {
        let mut metadata = Metadata::default();
        for field in Fields::new(message) {
            match field? {
                (1, Field::Bytes(plugin)) => {
                    for field in Fields::new(plugin) {
                        match field? {
                            (1, Field::Bytes(bytes)) => metadata.plugin_name = text(bytes),
                            (2, Field::Bytes(bytes)) => metadata.content = bytes.to_vec(),
                            _ => {}
                        }
                    }
                }
                (2, Field::Bytes(bytes)) => metadata.display_name = text(bytes),
                (3, Field::Bytes(bytes)) => metadata.description = text(bytes),
                (4, Field::Varint(value)) => metadata.data_class = value,
                _ => {}
            }
        }
        Ok(metadata)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Element types of tensors, by the numbers of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it all
pub enum DataType {
    Float,
    Double,
    Int32,
    UInt8,
    Int16,
    Int8,
    String,
    Complex64,
    Int64,
    Bool,
    BFloat16,
    UInt16,
    Complex128,
    Half,
    UInt32,
    UInt64,
    Float8E5M2,
    Float8E4M3Fn,
    Float8E4M3Fnuz,
    Float8E4M3B11Fnuz,
    Float8E5M2Fnuz,
    /// Types that have no meaning outside TensorFlow, and those not invented yet.
    Other(u64),
}

impl DataType {
    /// The type with this number. Quantized types are read as the integers they are stored in,
    /// integers of less than a byte as bytes.
    pub fn from_number(number: u64) -> Self {
        match number {
            1 => Self::Float,
            2 => Self::Double,
            3 | 13 => Self::Int32,
            4 | 12 | 30 | 32 => Self::UInt8,
            5 | 15 => Self::Int16,
            6 | 11 | 29 | 31 => Self::Int8,
            7 => Self::String,
            8 => Self::Complex64,
            9 => Self::Int64,
            10 => Self::Bool,
            14 => Self::BFloat16,
            16 | 17 => Self::UInt16,
            18 => Self::Complex128,
            19 => Self::Half,
            22 => Self::UInt32,
            23 => Self::UInt64,
            24 => Self::Float8E5M2,
            25 => Self::Float8E4M3Fn,
            26 => Self::Float8E4M3Fnuz,
            27 => Self::Float8E4M3B11Fnuz,
            28 => Self::Float8E5M2Fnuz,
            other => Self::Other(other),
        }
    }

    /// Bytes of one element in raw content; nothing for strings and unknown types.
    pub fn size(self) -> Option<usize> {
        Some(match self {
            Self::Bool | Self::UInt8 | Self::Int8 => 1,
            Self::Float8E5M2
            | Self::Float8E4M3Fn
            | Self::Float8E4M3Fnuz
            | Self::Float8E4M3B11Fnuz
            | Self::Float8E5M2Fnuz => 1,
            Self::Int16 | Self::UInt16 | Self::Half | Self::BFloat16 => 2,
            Self::Float | Self::Int32 | Self::UInt32 => 4,
            Self::Double | Self::Int64 | Self::UInt64 | Self::Complex64 => 8,
            Self::Complex128 => 16,
            Self::String | Self::Other(_) => return None,
        })
    }
}

/// A TensorProto with its element lists still in wire form.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor<'a> {
    /// Element type.
    pub dtype: DataType,
    /// Sizes of the dimensions; empty for a single value, and where the writer left it out.
    pub shape: Vec<u64>,
    /// Raw little-endian elements; empty when the typed lists are used.
    pub content: &'a [u8],
    message: &'a [u8],
}

impl<'a> Tensor<'a> {
    /// Reads all but the elements; fails when the bytes are not a protobuf message.
    pub fn parse(message: &'a [u8]) -> Result<Self, WireError> {
        let mut tensor =
            Tensor { dtype: DataType::Other(0), shape: Vec::new(), content: &[], message };
        for field in Fields::new(message) {
            match field? {
                (1, Field::Varint(number)) => tensor.dtype = DataType::from_number(number),
                (2, Field::Bytes(bytes)) => tensor.shape = shape(bytes)?,
                (4, Field::Bytes(bytes)) => tensor.content = bytes,
                _ => {}
            }
        }
        Ok(tensor)
    }

    /// Number of elements the shape has; `None` when it is beyond any memory.
    pub fn count(&self) -> Option<usize> {
        self.shape
            .iter()
            .try_fold(1u64, |product, &size| product.checked_mul(size))
            .and_then(|count| usize::try_from(count).ok())
    }

    /// The elements as raw little-endian bytes of the type's size, as the writer gave them:
    /// possibly fewer than the shape has, in which case the last one repeats. Empty for
    /// strings and unknown types.
    pub fn elements(&self) -> Result<Vec<u8>, WireError> {
        let Some(size) = self.dtype.size() else {
            return Ok(Vec::new());
        };
        if !self.content.is_empty() {
            return Ok(self.content.to_vec());
        }
        let mut out = Vec::new();
        let halves = matches!(self.dtype, DataType::Half | DataType::BFloat16);
        for field in Fields::new(self.message) {
            match field? {
                // float, double and complex lists
                (5 | 6 | 9 | 12, Field::Bytes(packed)) => out.extend_from_slice(packed),
                (5 | 9, Field::Fixed32(bits)) => out.extend_from_slice(&bits.to_le_bytes()),
                (6 | 12, Field::Fixed64(bits)) => out.extend_from_slice(&bits.to_le_bytes()),
                // int, int64, bool, half, uint32 and uint64 lists
                (7 | 10 | 11 | 13 | 16 | 17, Field::Bytes(mut packed)) => {
                    while !packed.is_empty() {
                        let value = varint(&mut packed)?;
                        self.push_integer(value, size, halves, &mut out);
                    }
                }
                (7 | 10 | 11 | 13 | 16 | 17, Field::Varint(value)) => {
                    self.push_integer(value, size, halves, &mut out);
                }
                (18, Field::Bytes(bytes)) => out.extend_from_slice(bytes),
                _ => {}
            }
        }
        Ok(out)
    }

    /// PyTorch puts the float32 pattern of a half into `half_val`; a value above 16 bits can
    /// be nothing else.
    fn push_integer(&self, value: u64, size: usize, halves: bool, out: &mut Vec<u8>) {
        let value = if halves && value > 0xffff {
            // An int32: negative ones are extended to 64 bits on the wire.
            let float = f32::from_bits((value & 0xffff_ffff) as u32);
            u64::from(match self.dtype {
                DataType::Half => half::f16::from_f32(float).to_bits(),
                _ => half::bf16::from_f32(float).to_bits(),
            })
        } else {
            value
        };
        let bytes = value.to_le_bytes();
        out.extend_from_slice(bytes.get(..size).unwrap_or(&bytes));
    }

    /// The strings of a string tensor.
    pub fn strings(&self) -> Result<Vec<&'a [u8]>, WireError> {
        let mut strings = Vec::new();
        for field in Fields::new(self.message) {
            if let (8, Field::Bytes(bytes)) = field? {
                strings.push(bytes);
            }
        }
        Ok(strings)
    }

    /// The one number of a tensor with one element of a numeric type; `None` for all others.
    pub fn number(&self) -> Result<Option<f64>, WireError> {
        if self.count() != Some(1) || self.dtype.size().is_none() {
            return Ok(None);
        }
        let elements = self.elements()?;
        // An element left out has its default value, which is zero for all of them.
        Ok(number(self.dtype, if elements.is_empty() { &[0; 8] } else { &elements }))
    }
}

fn shape(message: &[u8]) -> Result<Vec<u64>, WireError> {
    let mut sizes = Vec::new();
    for field in Fields::new(message) {
        if let (2, Field::Bytes(dim)) = field? {
            let mut size = 0;
            for field in Fields::new(dim) {
                if let (1, Field::Varint(value)) = field? {
                    size = value;
                }
            }
            // -1 means an unknown size in graphs; a logged tensor has none such.
            sizes.push(if (size as i64) < 0 { 0 } else { size });
        }
    }
    Ok(sizes)
}

/// One element as a number. Complex numbers have none.
pub fn number(dtype: DataType, element: &[u8]) -> Option<f64> {
    fn le<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
        bytes.first_chunk::<N>().copied()
    }
    Some(match dtype {
        DataType::Float => f64::from(f32::from_le_bytes(le(element)?)),
        DataType::Double => f64::from_le_bytes(le(element)?),
        DataType::Int8 => f64::from(i8::from_le_bytes(le(element)?)),
        DataType::UInt8 => f64::from(*element.first()?),
        DataType::Bool => f64::from(u8::from(*element.first()? != 0)),
        DataType::Int16 => f64::from(i16::from_le_bytes(le(element)?)),
        DataType::UInt16 => f64::from(u16::from_le_bytes(le(element)?)),
        DataType::Int32 => f64::from(i32::from_le_bytes(le(element)?)),
        DataType::UInt32 => f64::from(u32::from_le_bytes(le(element)?)),
        DataType::Int64 => i64::from_le_bytes(le(element)?) as f64,
        DataType::UInt64 => u64::from_le_bytes(le(element)?) as f64,
        DataType::Half => half::f16::from_le_bytes(le(element)?).to_f64(),
        DataType::BFloat16 => half::bf16::from_le_bytes(le(element)?).to_f64(),
        DataType::Float8E5M2 => float8(*element.first()?, 5, 15, Specials::Ieee),
        DataType::Float8E4M3Fn => float8(*element.first()?, 4, 7, Specials::NanAtTop),
        DataType::Float8E4M3Fnuz => float8(*element.first()?, 4, 8, Specials::NanAtMinusZero),
        DataType::Float8E4M3B11Fnuz => float8(*element.first()?, 4, 11, Specials::NanAtMinusZero),
        DataType::Float8E5M2Fnuz => float8(*element.first()?, 5, 16, Specials::NanAtMinusZero),
        DataType::Complex64 | DataType::Complex128 | DataType::String | DataType::Other(_) => {
            return None;
        }
    })
}

/// How an eight-bit float stores values that are not finite.
#[derive(Clone, Copy, PartialEq)]
enum Specials {
    /// Infinity and NaN at the largest exponent.
    Ieee,
    /// NaN where all bits but the sign are set, no infinity.
    NanAtTop,
    /// NaN in place of minus zero, no infinity.
    NanAtMinusZero,
}

fn float8(bits: u8, exponent_bits: u32, bias: i32, specials: Specials) -> f64 {
    let mantissa_bits = 7 - exponent_bits;
    let mantissa = f64::from(bits & ((1 << mantissa_bits) - 1));
    let exponent = i32::from((bits & 0x7f) >> mantissa_bits);
    let top = (1 << exponent_bits) - 1;
    let scale = f64::from(1u32 << mantissa_bits);
    let sign = if bits & 0x80 == 0 { 1.0 } else { -1.0 };
    match specials {
        Specials::NanAtMinusZero if bits == 0x80 => return f64::NAN,
        Specials::NanAtTop if bits & 0x7f == 0x7f => return f64::NAN,
        Specials::Ieee if exponent == top => {
            return if mantissa == 0.0 { sign * f64::INFINITY } else { f64::NAN };
        }
        _ => {}
    }
    sign * if exponent == 0 {
        mantissa / scale * 2f64.powi(1 - bias)
    } else {
        (1.0 + mantissa / scale) * 2f64.powi(exponent - bias)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_scalar_is_read() {
        let payload = b"\x09\0\0\0\0\0\0\xf8\x3f\x10\x07\x2a\x0d\x0a\x0b\x0a\x04loss\x15\0\0\0\x3f";
        let event = Event::parse(payload).unwrap();
        assert_eq!((event.wall_time, event.step), (1.5, 7));
        let What::Summary(summary) = event.what else { panic!("{event:?}") };
        let value = Value::parse(values(summary).next().unwrap().unwrap()).unwrap();
        assert_eq!(value, Value { tag: b"loss", metadata: None, body: Body::Simple(0.5) });
    }

    #[test]
    fn plain_scalars_are_read_as_the_long_way_reads_them() {
        let scalar = |step: &[u8], form: &[u8]| {
            [b"\x09\0\0\0\0\0\0\xf8\x3f", step, form, &0.25f32.to_le_bytes()].concat()
        };
        let tag_of = |payload: &[u8]| {
            PlainScalar::parse(payload).and_then(|scalar| scalar.tag()).map(<[u8]>::to_vec)
        };
        let steps: [(&[u8], i64); 4] = [
            (b"", 0),
            (b"\x10\x07", 7),
            (b"\x10\xac\x02", 300),
            (b"\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", -1),
        ];
        for tag in ["a", "train/loss", &"long".repeat(29), &"x".repeat(118)] {
            for (bytes, step) in steps {
                let form = plain_form(tag.as_bytes());
                let payload = scalar(bytes, &form);
                let read = PlainScalar::parse(&payload).unwrap();
                let rest = [&form[..], &0.25f32.to_le_bytes()].concat();
                let expected =
                    PlainScalar { wall_time: 1.5, step, form: &form, number: 0.25, rest: &rest };
                assert_eq!((read, read.tag()), (expected, Some(tag.as_bytes())));
                let event = Event::parse(&payload).unwrap();
                let What::Summary(summary) = event.what else { panic!("{event:?}") };
                let value = Value::parse(values(summary).next().unwrap().unwrap()).unwrap();
                assert_eq!((event.wall_time, event.step), (1.5, step));
                assert_eq!((value.tag, value.body), (tag.as_bytes(), Body::Simple(0.25)));
                for cut in 0..payload.len() {
                    assert_eq!(tag_of(&payload[..cut]), None, "cut at {cut}");
                }
                assert_eq!(tag_of(&[&payload[..], b"\x52\x00"].concat()), None);
            }
        }
        assert_eq!(tag_of(&scalar(b"", b"\x2a\x09\x0a\x07\x0a\x00\x15")), None, "an empty tag");
        assert!(plain_form(b"").is_empty() && plain_form(&[b'x'; 119]).is_empty());
    }

    #[test]
    fn an_empty_tag_falls_back_to_the_node_name() {
        let value = Value::parse(b"\x3a\x04loss\x15\0\0\0\x3f").unwrap();
        assert_eq!(value.tag, b"loss");
    }

    #[test]
    fn one_element_tensors_of_every_form_are_numbers() {
        let cases: [(&str, &[u8], f64); 13] = [
            ("nothing at all", b"\x08\x01", 0.0),
            ("float_val", b"\x08\x01\x2a\x04\0\0\0\x3f", 0.5),
            ("float_val, not packed", b"\x08\x01\x2d\0\0\0\x3f", 0.5),
            ("content", b"\x08\x01\x12\0\x22\x04\0\0\0\x3f", 0.5),
            ("shape [1]", b"\x08\x01\x12\x04\x12\x02\x08\x01\x2a\x04\0\0\0\x3f", 0.5),
            ("double", b"\x08\x02\x32\x08\0\0\0\0\0\0\xe0\x3f", 0.5),
            ("half", b"\x08\x13\x6a\x02\x80\x70", 0.5),
            ("half as PyTorch writes it", b"\x08\x13\x6a\x05\x80\x80\x80\xf8\x03", 0.5),
            ("bfloat16", b"\x08\x0e\x6a\x02\x80\x7e", 0.5),
            ("int64", b"\x08\x09\x52\x0a\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", -2.0),
            ("bool", b"\x08\x0a\x5a\x01\x01", 1.0),
            ("uint8 in uint32_val", b"\x08\x04\x82\x01\x02\xc8\x01", 200.0),
            ("float8", b"\x08\x19\x92\x01\x01\x38", 1.0),
        ];
        for (name, bytes, expected) in cases {
            let tensor = Tensor::parse(bytes).unwrap();
            assert_eq!(tensor.number().unwrap(), Some(expected), "{name}");
        }
    }

    #[test]
    fn eight_bit_floats_keep_their_specials() {
        let read = |dtype, bits| number(dtype, &[bits]).unwrap();
        assert_eq!(read(DataType::Float8E5M2, 0x7c), f64::INFINITY);
        assert!(read(DataType::Float8E5M2, 0x7d).is_nan());
        assert_eq!(read(DataType::Float8E5M2, 0x7b), 57344.0);
        assert_eq!(read(DataType::Float8E4M3Fn, 0x7e), 448.0);
        assert!(read(DataType::Float8E4M3Fn, 0xff).is_nan());
        assert!(read(DataType::Float8E4M3Fnuz, 0x80).is_nan());
        assert_eq!(read(DataType::Float8E4M3Fnuz, 0x7f), 240.0);
        assert_eq!(read(DataType::Float8E4M3B11Fnuz, 0x7f), 30.0);
        assert_eq!(read(DataType::Float8E5M2Fnuz, 0x7f), 57344.0);
        assert_eq!(read(DataType::Float8E4M3Fn, 0x01), 2f64.powi(-9));
    }

    #[test]
    fn absurd_shapes_have_no_count() {
        let tensor = Tensor::parse(b"\x08\x01\x12\x18\x12\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x12\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f").unwrap();
        assert_eq!(tensor.count(), None);
        assert_eq!(tensor.number().unwrap(), None);
    }
}
