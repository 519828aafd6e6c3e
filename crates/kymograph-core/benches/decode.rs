//! How long does it take to turn event bytes into points, and points into packed chunks?
#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod timing;

use std::hint::black_box;

use kymograph_core::event::{self, Event, PlainScalar, Value, What};
use kymograph_core::series::{Chunk, Point};
use timing::time;

const COUNT: usize = 1_000_000;

/// An event with one value: a plain number, or a tensor with metadata as TensorFlow 2 writes it.
fn payload(step: u8, tensor: bool) -> Vec<u8> {
    let mut value = b"\x0a\x0atrain/loss".to_vec();
    if tensor {
        value.extend(b"\x42\x0a\x08\x01\x12\x00\x22\x04\x00\x00\x00\x3f");
        value.extend(b"\x4a\x0b\x0a\x09\x0a\x07scalars");
    } else {
        value.extend(b"\x15\x00\x00\x00\x3f");
    }
    let mut event = b"\x09\x00\x00\x80\x38\x99\xd6\xd7\x41\x10".to_vec();
    event.extend([step & 0x7f, 0x2a, value.len() as u8 + 2, 0x0a, value.len() as u8]);
    event.extend(value);
    event
}

fn short_way(payload: &[u8]) -> usize {
    PlainScalar::parse(payload).and_then(|scalar| scalar.tag()).map_or(0, <[u8]>::len)
}

fn long_way(payload: &[u8]) -> usize {
    let What::Summary(summary) = Event::parse(payload).unwrap().what else {
        return 0;
    };
    event::values(summary).map(|value| Value::parse(value.unwrap()).unwrap().tag.len()).sum()
}

fn main() {
    let plain: Vec<Vec<u8>> = (0..128).map(|step| payload(step, false)).collect();
    let tensors: Vec<Vec<u8>> = (0..128).map(|step| payload(step, true)).collect();
    assert!(short_way(&plain[0]) == 10 && long_way(&tensors[0]) == 10);
    time("plain scalar, the short way", 9, Some(COUNT), || {
        for index in 0..COUNT {
            black_box(short_way(black_box(&plain[index % 128])));
        }
    });
    time("plain scalar, the long way", 9, Some(COUNT), || {
        for index in 0..COUNT {
            black_box(long_way(black_box(&plain[index % 128])));
        }
    });
    time("tensor with metadata", 9, Some(COUNT), || {
        for index in 0..COUNT {
            black_box(long_way(black_box(&tensors[index % 128])));
        }
    });
    let points: Vec<Point> = (0..1024)
        .map(|i| Point {
            step: i * 10,
            wall_time: 1.7e9 + i as f64 * 0.1,
            value: f64::from((i as f32).sin()),
        })
        .collect();
    time("pack a chunk of points", 9, Some(1024 * 1000), || {
        for _ in 0..1000 {
            black_box(Chunk::pack(black_box(&points)));
        }
    });
    let chunk = Chunk::pack(&points).unwrap();
    time("unpack a chunk's values", 9, Some(1024 * 1000), || {
        for _ in 0..1000 {
            let mut out = Vec::with_capacity(1024);
            black_box(&chunk).values_into(&mut out);
            black_box(out);
        }
    });
}
