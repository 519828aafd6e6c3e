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
            Ok(numbers
                .chunks_exact(3)
                .map(|row| [row[0], row[1], row[2]])
                .collect())
        }
        _ => Ok(Vec::new()),
    }
}
