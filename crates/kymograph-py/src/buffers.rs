//! Whole columns handed to Python: as arrays of numpy without a copy, or as memory views, which
//! need no numpy.

use numpy::{Element, PyArray1};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

/// Makes the array in a thread that lets others run, and gives it to Python as it is.
pub fn column<'py, T: Element + Send>(
    py: Python<'py>,
    make: impl FnOnce() -> Vec<T> + Send,
) -> Bound<'py, PyArray1<T>> {
    PyArray1::from_vec(py, py.detach(make))
}

/// A number that a memory view can hold.
pub trait Number: Copy {
    /// Its format, as Python's `struct` spells it.
    const FORMAT: &'static str;

    /// Writes the number into as many bytes as it has.
    fn write_to(self, bytes: &mut [u8]);
}

macro_rules! numbers {
    ($($kind:ty: $format:literal),*) => {
        $(impl Number for $kind {
            const FORMAT: &'static str = $format;

            fn write_to(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_ne_bytes());
            }
        })*
    };
}

numbers!(u8: "B", u32: "I", i32: "i", i64: "q", f32: "f", f64: "d");

/// The numbers as a memory view that cannot be written to.
pub fn view<'py, T: Number>(py: Python<'py>, numbers: &[T]) -> PyResult<Bound<'py, PyAny>> {
    if numbers.is_empty() {
        // A view of no bytes cannot be turned into one of numbers.
        let array = py.import(intern!(py, "array"))?.getattr(intern!(py, "array"))?;
        let empty = PyMemoryView::from(&array.call1((T::FORMAT,))?)?;
        return empty.call_method0(intern!(py, "toreadonly"));
    }
    let size = size_of::<T>();
    let bytes = PyBytes::new_with(py, size_of_val(numbers), |bytes| {
        bytes
            .chunks_exact_mut(size)
            .zip(numbers)
            .for_each(|(bytes, number)| number.write_to(bytes));
        Ok(())
    })?;
    PyMemoryView::from(bytes.as_any())?.call_method1(intern!(py, "cast"), (T::FORMAT,))
}
