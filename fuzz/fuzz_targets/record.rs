//! The record reader over arbitrary bytes that arrive in arbitrary pieces.
#![no_main]

use kymograph_core::record::{Item, RecordReader, Window};
use kymograph_fuzz::{Bytes, Dice, framed};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&control, rest)) = data.split_first() else {
        return;
    };
    let bytes = if control & 1 == 0 {
        rest.to_vec()
    } else {
        framed(rest)
    };
    let mut dice = Dice(u64::from(control));
    let mut reader = RecordReader::default();
    let mut end = 0;
    loop {
        end = (end + 1 + dice.roll(bytes.len() / 2 + 1)).min(bytes.len());
        drain(
            &mut reader,
            &bytes[..end],
            control & 2 != 0,
            control & 4 != 0,
        );
        let position = reader.position();
        assert!(position <= end as u64, "read {position} of {end} bytes");
        if end == bytes.len() {
            return;
        }
    }
});

/// Reads all there is. Whatever is handed out must lie in the file, behind what came before.
fn drain(reader: &mut RecordReader, bytes: &[u8], read_large: bool, dead: bool) {
    let source = Bytes(bytes);
    let mut window = Window::new(&source, bytes.len() as u64);
    let mut items = 0;
    loop {
        let before = reader.position();
        match reader.next(&mut window).expect("memory cannot fail") {
            Item::Record { offset, payload } => {
                let start = offset as usize + 12;
                assert_eq!(payload, &bytes[start..start + payload.len()]);
                assert!(offset >= before);
            }
            Item::Large { offset, len } => {
                assert!(offset >= before);
                assert!(offset + len + 16 <= bytes.len() as u64);
                if read_large {
                    reader.read_large(&mut window).expect("memory cannot fail");
                }
            }
            Item::Torn { offset } => assert!(offset < before),
            Item::End => {
                if !dead || !reader.search_tail(&mut window).expect("memory cannot fail") {
                    break;
                }
            }
        }
        items += 1;
        assert!(items <= bytes.len() + 1, "goes in circles");
    }
    let damage = reader.damage();
    assert!(damage.records + damage.bad_records <= bytes.len() as u64 / 16 + damage.bad_records);
    assert!(damage.skipped_bytes <= bytes.len() as u64);
}
