//! Tensors from arbitrary bytes: elements, numbers, strings.
#![no_main]

use kymograph_core::dashboards::{audio, histograms, images, scalars, tensors, text};
use kymograph_core::event::{self, Body, Tensor, Value};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let value = Value {
        tag: b"tag",
        metadata: None,
        body: Body::Tensor(data),
    };
    if let Ok(strings) = text::decode(&value) {
        let asked: u64 = strings.shape.iter().product();
        assert_eq!(asked, strings.strings.len() as u64);
    }
    let _ = images::decode(&value);
    let _ = audio::decode(&value);
    let _ = histograms::decode(&value);
    let unpacked = tensors::decode(&value);
    let Ok(tensor) = Tensor::parse(data) else {
        return assert_eq!(scalars::number(data), None);
    };
    let slow = tensor.number().ok().flatten();
    // The short way to a number is as good as the long one.
    assert_eq!(
        scalars::number(data).map(f64::to_bits),
        slow.map(f64::to_bits)
    );
    if let Ok(Some(elements)) = unpacked {
        let size = elements.dtype.size().expect("unpacked, so it has one");
        assert_eq!(Some(elements.bytes.len() / size), tensor.count());
        assert_eq!(elements.bytes.len() % size, 0);
        if let Some(number) = slow {
            let first = event::number(elements.dtype, &elements.bytes);
            assert_eq!(first.map(f64::to_bits), Some(number.to_bits()));
        }
    }
});
