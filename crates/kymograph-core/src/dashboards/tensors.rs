//! Tensors: any tensor into elements, statistics, or a window of its values.

use std::ops::Range;

use thiserror::Error;

use super::text::{self, Text};
use crate::event::{Body, DataType, Tensor, Value, number};
use crate::protobuf::WireError;

/// Largest tensor that a short list is filled up to: a few bytes can declare any number of
/// elements.
pub const MAX_FILLED_BYTES: usize = 256 << 20;

/// Why a value cannot be shown as a tensor.
#[derive(Debug, Error, Clone, Copy, PartialEq, Eq)]
pub enum TensorError {
    /// The message is damaged.
    #[error("the value cannot be decoded: {0}")]
    Wire(#[from] WireError),
    /// Metadata without a value, or a picture, a clip, a histogram of an old encoding.
    #[error("the value is not a tensor")]
    NotATensor,
    /// A type without meaning outside TensorFlow, or one that is not known yet.
    #[error("elements of data type {0} cannot be read")]
    UnknownType(u64),
    /// The product of its dimensions is beyond any memory.
    #[error("the shape is too large")]
    TooLarge,
    /// More elements than the shape has, or a part of one.
    #[error("the elements do not fit the shape")]
    Misfit,
}

/// A tensor as its writer gave it.
#[derive(Debug, PartialEq)]
pub enum Given {
    /// Of a numeric type.
    Numbers(Numbers),
    /// Of strings.
    Strings(Text),
}

/// Numbers, possibly fewer than the shape has; then the last one repeats.
#[derive(Debug, PartialEq)]
pub struct Numbers {
    /// Element type.
    pub dtype: DataType,
    /// Sizes of the dimensions.
    pub shape: Vec<u64>,
    /// How many elements the shape has.
    pub count: usize,
    /// Whole elements, little-endian, in C order; none only if `count` is zero.
    bytes: Vec<u8>,
    size: usize,
}

/// A tensor's elements in C order, little-endian.
#[derive(Debug, PartialEq)]
pub struct Elements {
    /// Element type.
    pub dtype: DataType,
    /// Sizes of the dimensions.
    pub shape: Vec<u64>,
    /// The elements: as many as the shape has.
    pub bytes: Vec<u8>,
}

/// What the elements of a tensor have in common. Complex numbers count by their absolute values.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// Number of finite elements.
    pub finite: u64,
    /// Smallest and largest, mean and standard deviation of the finite elements, if there are any.
    pub moments: Option<Moments>,
    /// Number of elements that are not a number.
    pub nan: u64,
    /// Number of positive infinities.
    pub positive_infinities: u64,
    /// Number of negative infinities.
    pub negative_infinities: u64,
    /// Number of zeros.
    pub zeros: u64,
}

/// Of finite numbers.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Moments {
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, with the number of elements as the divisor.
    pub std: f64,
}

impl Given {
    /// Reads the tensor in a value.
    pub fn read(value: &Value<'_>) -> Result<Given, TensorError> {
        let Body::Tensor(message) = value.body else {
            return Err(TensorError::NotATensor);
        };
        let tensor = Tensor::parse(message)?;
        if tensor.dtype == DataType::String {
            return Ok(Given::Strings(text::decode(value)?));
        }
        Numbers::read(tensor).map(Given::Numbers)
    }

    /// Sizes of the dimensions.
    pub fn shape(&self) -> &[u64] {
        match self {
            Given::Numbers(numbers) => &numbers.shape,
            Given::Strings(text) => &text.shape,
        }
    }

    /// The name of the element type, as numpy and ml_dtypes spell it.
    pub fn dtype_name(&self) -> &'static str {
        match self {
            Given::Numbers(numbers) => dtype_name(numbers.dtype),
            Given::Strings(_) => "string",
        }
    }
}

impl Numbers {
    fn read(tensor: Tensor<'_>) -> Result<Self, TensorError> {
        let Some(size) = tensor.dtype.size() else {
            return Err(match tensor.dtype {
                DataType::Other(number) => TensorError::UnknownType(number),
                _ => TensorError::NotATensor,
            });
        };
        let count = tensor.count().ok_or(TensorError::TooLarge)?;
        let mut bytes = tensor.elements()?;
        if bytes.len() % size != 0 || bytes.len() / size > count {
            return Err(TensorError::Misfit);
        }
        if bytes.is_empty() && count > 0 {
            bytes = vec![0; size]; // TensorFlow leaves out zeros.
        }
        Ok(Self { dtype: tensor.dtype, shape: tensor.shape, count, bytes, size })
    }

    /// The element at `position` in C order, which must be below `count`.
    fn element(&self, position: usize) -> &[u8] {
        let last = (self.bytes.len() / self.size).saturating_sub(1);
        let start = position.min(last) * self.size;
        self.bytes.get(start..start + self.size).unwrap_or_default()
    }

    /// The number at `position` in C order; the last that was given for any behind it, and nothing
    /// where elements are no real numbers.
    pub(super) fn number(&self, position: usize) -> Option<f64> {
        number(self.dtype, self.element(position))
    }

    /// All elements, if they take at most this many bytes or were all given.
    pub fn filled(mut self, max_bytes: usize) -> Option<Elements> {
        let wanted = self.count.checked_mul(self.size)?;
        if wanted > max_bytes.max(self.bytes.len()) {
            return None;
        }
        if self.bytes.len() < wanted {
            // TensorFlow leaves out repeated elements at the end.
            let last = self.element(usize::MAX).to_vec();
            let missing = (wanted - self.bytes.len()) / self.size;
            self.bytes.extend(last.repeat(missing));
        }
        Some(Elements { dtype: self.dtype, shape: self.shape, bytes: self.bytes })
    }

    /// The elements at these positions, as a list.
    pub fn at(&self, positions: &[usize]) -> Elements {
        let elements = positions.iter().flat_map(|&position| self.element(position));
        let bytes = elements.copied().collect();
        Elements { dtype: self.dtype, shape: vec![positions.len() as u64], bytes }
    }

    /// Statistics of all elements, without filling any up.
    pub fn statistics(&self) -> Statistics {
        let mut tally = Tally::default();
        let numbers =
            self.bytes.chunks_exact(self.size).filter_map(|one| size_of_number(self.dtype, one));
        let mut last = None;
        for number in numbers {
            tally.add(number);
            last = Some(number);
        }
        let missing = self.count - self.bytes.len() / self.size;
        if let Some(last) = last.filter(|_| missing > 0) {
            tally.add_repeated(last, missing as u64);
        }
        tally.finish()
    }
}

/// A number, or the absolute value of a complex one.
fn size_of_number(dtype: DataType, element: &[u8]) -> Option<f64> {
    let part = match dtype {
        DataType::Complex64 => DataType::Float,
        DataType::Complex128 => DataType::Double,
        _ => return number(dtype, element),
    };
    let (real, imaginary) = element.split_at_checked(element.len() / 2)?;
    let (real, imaginary) = (number(part, real)?, number(part, imaginary)?);
    // An infinite part wins over one that is not a number in `hypot`, but hides it.
    Some(if real.is_nan() || imaginary.is_nan() { f64::NAN } else { real.hypot(imaginary) })
}

/// Statistics under way, by Welford's method.
#[derive(Default)]
struct Tally {
    found: Statistics,
    moments: Moments,
    /// Sum of squared distances from the mean.
    squares: f64,
}

impl Tally {
    fn add(&mut self, number: f64) {
        self.add_repeated(number, 1);
    }

    fn add_repeated(&mut self, number: f64, times: u64) {
        let found = &mut self.found;
        if number.is_nan() {
            found.nan += times;
        } else if number == f64::INFINITY {
            found.positive_infinities += times;
        } else if number == f64::NEG_INFINITY {
            found.negative_infinities += times;
        } else {
            let is_first = found.finite == 0;
            let before = found.finite as f64;
            found.finite += times;
            found.zeros += if number == 0.0 { times } else { 0 };
            let moments = &mut self.moments;
            moments.min = if is_first { number } else { moments.min.min(number) };
            moments.max = if is_first { number } else { moments.max.max(number) };
            let distance = number - moments.mean;
            let share = times as f64 / found.finite as f64;
            moments.mean += distance * share;
            self.squares += distance * distance * share * before;
        }
    }

    fn finish(mut self) -> Statistics {
        if self.found.finite > 0 {
            self.moments.std = (self.squares / self.found.finite as f64).sqrt();
            self.found.moments = Some(self.moments);
        }
        self.found
    }
}

/// A table of values: the last two axes are rows and columns, those before them are fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Where the leading axes are fixed.
    pub index: Vec<u64>,
    /// The rows that exist of those requested. A tensor of one axis is a single column.
    pub rows: Range<u64>,
    /// The columns that exist of those requested.
    pub columns: Range<u64>,
    /// Positions of the elements in C order, row by row.
    pub positions: Vec<usize>,
}

/// Why there is no such window.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum WindowError {
    /// An index for another number of axes.
    #[error("wrong number of indices for rank {rank}: expected {expected}, got {given}")]
    Index {
        /// Number of axes.
        rank: usize,
        /// Number of leading axes.
        expected: usize,
        /// Number of indices.
        given: usize,
    },
    /// An index beyond the end of its axis.
    #[error("index {index} is out of bounds for axis {axis} of size {size}")]
    OutOfBounds {
        /// The index.
        index: u64,
        /// The axis.
        axis: usize,
        /// Its size.
        size: u64,
    },
    /// More than may be requested at once.
    #[error("a window has at most {0} values")]
    TooLarge(usize),
}

impl Window {
    /// The part of a tensor of this shape that is in `rows` and `columns`. Without an index, the
    /// leading axes are fixed at 0.
    pub fn new(
        shape: &[u64],
        index: &[u64],
        rows: Range<u64>,
        columns: Range<u64>,
        max_values: usize,
    ) -> Result<Window, WindowError> {
        let (leading, height, width) = match *shape {
            [] => (&shape[..0], 1, 1),
            [height] => (&shape[..0], height, 1),
            [ref leading @ .., height, width] => (leading, height, width),
        };
        let index = if index.is_empty() { vec![0; leading.len()] } else { index.to_vec() };
        if index.len() != leading.len() {
            let (rank, expected, given) = (shape.len(), leading.len(), index.len());
            return Err(WindowError::Index { rank, expected, given });
        }
        let none =
            Window { index: index.clone(), rows: 0..0, columns: 0..0, positions: Vec::new() };
        if shape.contains(&0) {
            return Ok(none);
        }
        let mut base = 0u64;
        for (axis, (&index, &size)) in index.iter().zip(leading).enumerate() {
            if index >= size {
                return Err(WindowError::OutOfBounds { index, axis, size });
            }
            base = base.saturating_mul(size).saturating_add(index);
        }
        let clip = |range: Range<u64>, size: u64| {
            let end = range.end.min(size);
            range.start.min(end)..end
        };
        let (rows, columns) = (clip(rows, height), clip(columns, width));
        let values = (rows.end - rows.start).saturating_mul(columns.end - columns.start);
        if values > max_values as u64 {
            return Err(WindowError::TooLarge(max_values));
        }
        let row_starts = rows
            .clone()
            .map(|row| base.saturating_mul(height).saturating_add(row).saturating_mul(width));
        let positions = row_starts
            .flat_map(|start| columns.clone().map(move |column| start.saturating_add(column)))
            .map(|position| usize::try_from(position).unwrap_or(usize::MAX))
            .collect();
        Ok(Window { rows, columns, positions, ..none })
    }
}

/// The tensor in a value, filled up to its shape if that takes at most this many bytes. `None` for
/// strings, unknown types, values that are not tensors and tensors whose elements do not fit.
pub fn decode(value: &Value<'_>, max_bytes: usize) -> Result<Option<Elements>, WireError> {
    match Given::read(value) {
        Ok(Given::Numbers(numbers)) => Ok(numbers.filled(max_bytes)),
        Ok(Given::Strings(_)) => Ok(None),
        Err(TensorError::Wire(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

impl Elements {
    /// The same in a type that numpy has: small floats as float32, which holds all of them.
    pub fn widened(self) -> Elements {
        let size = match self.dtype {
            DataType::BFloat16 => 2,
            DataType::Float8E5M2
            | DataType::Float8E4M3Fn
            | DataType::Float8E4M3Fnuz
            | DataType::Float8E4M3B11Fnuz
            | DataType::Float8E5M2Fnuz => 1,
            _ => return self,
        };
        let numbers = self.bytes.chunks_exact(size).filter_map(|one| number(self.dtype, one));
        let bytes = numbers.flat_map(|number| (number as f32).to_le_bytes()).collect();
        Elements { dtype: DataType::Float, shape: self.shape, bytes }
    }
}

fn dtype_name(dtype: DataType) -> &'static str {
    match dtype {
        DataType::Float => "float32",
        DataType::Double => "float64",
        DataType::Int32 => "int32",
        DataType::UInt8 => "uint8",
        DataType::Int16 => "int16",
        DataType::Int8 => "int8",
        DataType::String => "string",
        DataType::Complex64 => "complex64",
        DataType::Int64 => "int64",
        DataType::Bool => "bool",
        DataType::BFloat16 => "bfloat16",
        DataType::UInt16 => "uint16",
        DataType::Complex128 => "complex128",
        DataType::Half => "float16",
        DataType::UInt32 => "uint32",
        DataType::UInt64 => "uint64",
        DataType::Float8E5M2 => "float8_e5m2",
        DataType::Float8E4M3Fn => "float8_e4m3fn",
        DataType::Float8E4M3Fnuz => "float8_e4m3fnuz",
        DataType::Float8E4M3B11Fnuz => "float8_e4m3b11fnuz",
        DataType::Float8E5M2Fnuz => "float8_e5m2fnuz",
        DataType::Other(_) => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(message: &[u8]) -> Option<Elements> {
        let value = Value { tag: b"tag", metadata: None, body: Body::Tensor(message) };
        decode(&value, MAX_FILLED_BYTES).unwrap()
    }

    #[test]
    fn short_lists_are_filled_up() {
        type Case<'a> = (&'a str, &'a [u8], Option<&'a [u8]>);
        let cases: [Case<'_>; 5] = [
            ("all there", b"\x08\x04\x12\x04\x12\x02\x08\x02\x3a\x02\x07\x08", Some(&[7, 8])),
            (
                "last repeats",
                b"\x08\x04\x12\x04\x12\x02\x08\x04\x3a\x02\x07\x08",
                Some(&[7, 8, 8, 8]),
            ),
            ("none", b"\x08\x05\x12\x04\x12\x02\x08\x02", Some(&[0, 0, 0, 0])),
            ("too many", b"\x08\x04\x12\x04\x12\x02\x08\x01\x3a\x02\x07\x08", None),
            ("half an element", b"\x08\x05\x12\x04\x12\x02\x08\x03\x22\x03\x01\x02\x03", None),
        ];
        for (name, message, expected) in cases {
            let bytes = unpacked(message).map(|elements| elements.bytes);
            assert_eq!(bytes.as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_few_bytes_cannot_ask_for_all_memory() {
        // uint8 of shape [2^31 - 1]
        let message = b"\x08\x04\x12\x08\x12\x06\x08\xff\xff\xff\xff\x07\x3a\x01\x07";
        assert_eq!(unpacked(message), None);
    }

    fn given(message: &[u8]) -> Result<Given, TensorError> {
        Given::read(&Value { tag: b"tag", metadata: None, body: Body::Tensor(message) })
    }

    fn statistics(message: &[u8]) -> Statistics {
        let Ok(Given::Numbers(numbers)) = given(message) else { panic!("no numbers") };
        numbers.statistics()
    }

    fn doubles(numbers: &[f64], size: u64) -> Vec<u8> {
        let content: Vec<u8> = numbers.iter().flat_map(|one| one.to_le_bytes()).collect();
        let dim = [&[8][..], &leb(size)].concat();
        let shape = [&[0x12, dim.len() as u8][..], &dim].concat();
        let shape = [&[0x12, shape.len() as u8][..], &shape].concat();
        [&[8, 2][..], &shape, &[0x22, content.len() as u8], &content].concat()
    }

    fn leb(mut number: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    }

    #[test]
    fn statistics_are_of_finite_numbers_and_count_the_others() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        let found = statistics(&doubles(&[1.0, nan, 0.0, inf, -inf, 5.0, -inf, -2.0], 8));
        let mean = 1.0;
        let std = ((0.0 + 1.0 + 16.0 + 9.0) / 4.0f64).sqrt();
        assert_eq!((found.finite, found.nan, found.zeros), (4, 1, 1));
        assert_eq!((found.positive_infinities, found.negative_infinities), (1, 2));
        let moments = found.moments.unwrap();
        assert_eq!((moments.min, moments.max), (-2.0, 5.0));
        assert!((moments.mean - mean).abs() < 1e-12 && (moments.std - std).abs() < 1e-12);
        assert_eq!(statistics(&doubles(&[nan], 1)).moments, None);
        assert_eq!(statistics(&doubles(&[], 0)), Statistics::default());
    }

    #[test]
    fn statistics_count_what_is_left_out_without_filling_it_up() {
        let found = statistics(&doubles(&[2.0, 4.0], 1 << 50));
        assert_eq!(found.finite, 1 << 50);
        let moments = found.moments.unwrap();
        assert!((moments.mean - 4.0).abs() < 1e-9 && moments.std < 1e-6);
        let zeros = statistics(&doubles(&[], 7));
        assert_eq!((zeros.finite, zeros.zeros), (7, 7));
    }

    #[test]
    fn complex_numbers_count_by_their_absolute_values() {
        let content: Vec<u8> = [3.0f32, -4.0, f32::NAN, f32::INFINITY]
            .iter()
            .flat_map(|one| one.to_le_bytes())
            .collect();
        let message = [&b"\x08\x08\x12\x04\x12\x02\x08\x02\x22\x10"[..], &content].concat();
        let found = statistics(&message);
        assert_eq!(found.moments.map(|moments| moments.max), Some(5.0));
        assert_eq!((found.finite, found.nan), (1, 1));
    }

    #[test]
    fn what_is_no_tensor_has_one_sentence() {
        let value = Value { tag: b"tag", metadata: None, body: Body::Empty };
        assert_eq!(Given::read(&value), Err(TensorError::NotATensor));
        assert_eq!(given(b"\x08\x14"), Err(TensorError::UnknownType(20)));
        assert_eq!(given(&doubles(&[1.0, 2.0], 1)), Err(TensorError::Misfit));
        let huge = doubles(&[1.0], u64::MAX >> 1);
        let shape = &huge[2..16];
        let twice = [&[8, 2][..], &[0x12, 24], &shape[2..], &shape[2..]].concat();
        assert_eq!(given(&twice), Err(TensorError::TooLarge));
    }

    fn positions(
        shape: &[u64],
        index: &[u64],
        rows: Range<u64>,
        columns: Range<u64>,
    ) -> Vec<usize> {
        Window::new(shape, index, rows, columns, 100).unwrap().positions
    }

    #[test]
    fn a_window_shows_the_last_two_axes() {
        assert_eq!(positions(&[], &[], 0..9, 0..9), [0]);
        assert_eq!(positions(&[5], &[], 3..9, 0..9), [3, 4]);
        assert_eq!(positions(&[3, 4], &[], 1..3, 2..9), [6, 7, 10, 11]);
        assert_eq!(positions(&[2, 3, 4], &[1], 1..2, 0..2), [16, 17]);
        assert_eq!(positions(&[2, 3, 4], &[], 0..1, 0..2), [0, 1]);
        assert_eq!(positions(&[2, 0, 4], &[], 0..9, 0..9), [0; 0]);
        assert_eq!(positions(&[0, u64::MAX, 9], &[], 0..9, 0..9), [0; 0]);
        assert_eq!(positions(&[3, 4], &[], 7..9, 0..9), [0; 0]);
        assert_eq!(positions(&[1; 70], &[0; 68], 0..9, 0..9), [0]);
    }

    #[test]
    fn a_window_that_is_not_there_has_one_sentence() {
        let sentence = |shape: &[u64], index: &[u64], rows| {
            Window::new(shape, index, rows, 0..9, 100).unwrap_err().to_string()
        };
        let text = sentence(&[2, 3, 4], &[0, 0], 0..9);
        assert_eq!(text, "wrong number of indices for rank 3: expected 1, got 2");
        let text = sentence(&[2, 3, 4], &[2], 0..9);
        assert_eq!(text, "index 2 is out of bounds for axis 0 of size 2");
        assert_eq!(sentence(&[1000, 9], &[], 0..12), "a window has at most 100 values");
    }
}
