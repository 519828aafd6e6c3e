//! How long do framing and checksums take for each record, small ones and large ones?
#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod timing;

use std::hint::black_box;

use kymograph_core::record::{Item, RecordReader, Window, frame};
use timing::time;

fn records(source: &Vec<u8>) -> u64 {
    let mut window = Window::new(source, source.len() as u64);
    let mut reader = RecordReader::default();
    while black_box(reader.next(&mut window).unwrap()) != Item::End {}
    reader.damage().records
}

fn main() {
    for (name, payload_bytes, count) in [
        ("scalars, 34 bytes", 34, 1_000_000),
        ("text, 2 KB", 2_000, 50_000),
        ("images, 500 KB, not read", 500_000, 400),
    ] {
        let payload: Vec<u8> = (0..payload_bytes).map(|i: usize| (i * 31) as u8).collect();
        let mut bytes = Vec::new();
        for _ in 0..count {
            frame(&payload, &mut bytes);
        }
        let source = bytes;
        assert_eq!(records(&source), count as u64);
        time(name, 9, Some(count), || {
            black_box(records(&source));
        });
    }
}
