//! A file read in pieces as it grows holds what it holds when read at once.
#![no_main]

use std::collections::BTreeMap;

use kymograph_core::blob::{self, FileNumber};
use kymograph_core::file::{FileData, FilePoints};
use kymograph_core::record::{RecordReader, Window};
use kymograph_fuzz::{Bytes, Dice, framed};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&control, rest)) = data.split_first() else {
        return;
    };
    let bytes = framed(rest);
    let mut dice = Dice(u64::from(control));
    let mut ends = vec![bytes.len()];
    let whole = read(&bytes, &ends);
    while ends.len() < 2 + dice.roll(8) {
        ends.push(dice.roll(bytes.len()));
    }
    ends.sort_unstable();
    let grown = read(&bytes, &ends);
    assert_eq!(whole.damage, grown.damage);
    assert_eq!(whole.sessions.len(), grown.sessions.len());
    assert_eq!(points(&whole), points(&grown));
    for series in &whole.series {
        if let FilePoints::Blobs(blobs) = &series.points {
            for blob in blobs {
                let _ = blob::read(&Bytes(&bytes), &blob.address);
            }
        }
    }
});

fn read(bytes: &[u8], ends: &[usize]) -> FileData {
    let number = FileNumber(1);
    let mut all = FileData::new(number);
    let mut reader = RecordReader::default();
    for &end in ends {
        let source = Bytes(&bytes[..end]);
        let mut window = Window::new(&source, end as u64);
        let mut piece = all.next_piece();
        piece
            .read(&mut reader, &mut window, end as u64, |_| {})
            .expect("memory cannot fail");
        piece.shrink();
        all.append(piece);
    }
    all
}

/// Steps and times of each tag. Tensors without metadata may be shown elsewhere when metadata
/// comes too late, so the dashboard is left out.
fn points(data: &FileData) -> BTreeMap<String, Vec<(i64, u64)>> {
    let mut points: BTreeMap<String, Vec<(i64, u64)>> = BTreeMap::new();
    for series in &data.series {
        let all = points.entry(series.tag.to_string()).or_default();
        match &series.points {
            FilePoints::Scalars(column) => {
                let mut column = column.clone();
                for chunk in column.chunks() {
                    let chunk = chunk.points().into_iter();
                    all.extend(chunk.map(|point| (point.step, point.wall_time.to_bits())));
                }
            }
            FilePoints::Blobs(blobs) => {
                all.extend(blobs.iter().map(|b| (b.step, b.wall_time.to_bits())));
            }
            FilePoints::Unknown(_) => panic!("unknown after it was appended"),
        }
    }
    points.values_mut().for_each(|points| points.sort_unstable());
    points.retain(|_, points| !points.is_empty());
    points
}
