//! Histograms: both encodings into rows of left edge, right edge, count.

use crate::compat;
use crate::event::{self, Body, Tensor, Value};
use crate::protobuf::WireError;

/// The buckets in a value; none when it is of another kind.
pub fn decode(value: &Value<'_>) -> Result<Vec<[f64; 3]>, WireError> {
    match value.body {
        Body::Histogram(message) => compat::histogram(message),
        Body::Tensor(message) => {
            let tensor = Tensor::parse(message)?;
            let Some(size) = tensor.dtype.size() else {
                return Ok(Vec::new());
            };
            let elements = tensor.elements()?;
            let numbers: Vec<f64> = elements
                .chunks_exact(size)
                .filter_map(|element| event::number(tensor.dtype, element))
                .collect();
            Ok(numbers.chunks_exact(3).map(|row| [row[0], row[1], row[2]]).collect())
        }
        _ => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(body: Body<'_>) -> Vec<[f64; 3]> {
        decode(&Value { tag: b"weights", metadata: None, body }).unwrap()
    }

    fn tensor(dtype: u8, content: &[u8]) -> Vec<u8> {
        [&[0x08, dtype, 0x22, content.len() as u8][..], content].concat()
    }

    #[test]
    fn rows_are_read_from_doubles_and_floats() {
        let doubles = [0.0, 1.0, 5.0, 1.0, 2.0, 6.0].map(f64::to_le_bytes).concat();
        let floats = [0.0f32, 1.0, 5.0, 1.0, 2.0, 6.0].map(f32::to_le_bytes).concat();
        for message in [tensor(2, &doubles), tensor(1, &floats)] {
            assert_eq!(rows(Body::Tensor(&message)), [[0.0, 1.0, 5.0], [1.0, 2.0, 6.0]]);
        }
    }

    #[test]
    fn what_is_no_row_is_left_out() {
        let four = [0.0, 1.0, 5.0, 1.0].map(f64::to_le_bytes).concat();
        assert_eq!(rows(Body::Tensor(&tensor(2, &four))), [[0.0, 1.0, 5.0]]);
        assert_eq!(rows(Body::Tensor(&tensor(7, b"text"))), [[0.0; 3]; 0]);
        assert_eq!(rows(Body::Tensor(b"")), [[0.0; 3]; 0]);
        assert_eq!(rows(Body::Empty), [[0.0; 3]; 0]);
    }
}
