//! A file read in pieces as it grows holds what it holds when read at once, unless it is damaged:
//! then it can be made so that a header inside another record's payload is found first.
#![no_main]

use std::collections::{BTreeMap, BTreeSet};

use kymograph_core::blob::{self, FileNumber};
use kymograph_core::dashboards::Dashboard;
use kymograph_core::event::{self, Body, Event, Metadata, Value, What};
use kymograph_core::file::{FileData, FilePoints, META_GRAPH_TAG, RUN_GRAPH_TAG};
use kymograph_core::record::{self, RecordReader, Window};
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
    let (whole_points, grown_points) = (points(&whole), points(&grown));
    let front = Front::of(&bytes);
    let undamaged = whole.damage.bad_headers + whole.damage.bad_records == front.rejected;
    if undamaged && !front.is_at_odds() {
        assert_eq!(whole.damage, grown.damage);
        assert_eq!(whole.sessions.len(), grown.sessions.len());
        assert_eq!(whole_points, grown_points);
    }
    for data in [&whole, &grown] {
        let damage = data.damage;
        assert!(damage.records * 16 + damage.skipped_bytes <= bytes.len() as u64);
    }
    for series in &whole.series {
        if let FilePoints::Blobs(blobs) = &series.points {
            for blob in blobs.iter() {
                let read = blob::read(&Bytes(&bytes), &blob.address);
                let large = u64::from(blob.address.payload_len) > record::LARGE_PAYLOAD_BYTES;
                assert!(read.is_ok() || large, "{read:?} {blob:?}");
            }
        }
    }
});

/// What the slow and obvious way finds in the intact records at the front of the file.
#[derive(Default)]
struct Front {
    /// Records that are no events.
    rejected: u64,
    /// What the values of each tag say they are for.
    kinds: BTreeMap<String, BTreeSet<String>>,
    /// Tags with values that are metadata alone.
    seen_alone: BTreeSet<String>,
}

impl Front {
    fn of(bytes: &[u8]) -> Front {
        let mut front = Front::default();
        let mut rest = bytes;
        while let Some((header, behind)) = rest.split_first_chunk::<12>() {
            let Some(len) = record::payload_len(header).map(|len| len as usize) else {
                break;
            };
            let Some(body) = behind.get(..len + 4).filter(|body| record::checks(body)) else {
                break;
            };
            if !front.event(&body[..len]) {
                front.rejected += 1;
            }
            rest = &behind[len + 4..];
        }
        front
    }

    fn event(&mut self, payload: &[u8]) -> bool {
        let Ok(event) = Event::parse(payload) else {
            return false;
        };
        match event.what {
            What::Summary(summary) => {
                for message in event::values(summary) {
                    match message.and_then(Value::parse) {
                        Ok(value) => self.value(&value),
                        Err(_) => return false,
                    }
                }
            }
            What::TaggedRunMetadata(message) => match event::tagged_run_metadata(message) {
                Ok((tag, _)) => self.note(tag, "run metadata".into()),
                Err(_) => return false,
            },
            What::Graph(_) => self.note(RUN_GRAPH_TAG.as_bytes(), "graph".into()),
            What::MetaGraph(_) => self.note(META_GRAPH_TAG.as_bytes(), "graph".into()),
            _ => {}
        }
        true
    }

    fn value(&mut self, value: &Value<'_>) {
        let metadata = value.metadata.map(|bytes| Metadata::parse(bytes).ok());
        let dashboard = metadata.flatten().as_ref().and_then(Dashboard::of_metadata);
        let body = std::mem::discriminant(&value.body);
        self.note(value.tag, format!("{dashboard:?} {body:?}"));
        if value.body == Body::Empty {
            self.seen_alone.insert(shown(value.tag));
        }
    }

    fn note(&mut self, tag: &[u8], kind: String) {
        self.kinds.entry(shown(tag)).or_default().insert(kind);
    }

    /// Whether metadata that stands alone is a point depends on what came before it, which a
    /// piece does not know. No writer changes its mind about a tag.
    fn is_at_odds(&self) -> bool {
        let mut alone = self.seen_alone.iter();
        alone.any(|tag| self.kinds.get(tag).is_some_and(|kinds| kinds.len() > 1))
    }
}

fn shown(tag: &[u8]) -> String {
    String::from_utf8_lossy(tag).into_owned()
}

fn read(bytes: &[u8], ends: &[usize]) -> FileData {
    let number = FileNumber(1);
    let mut all = FileData::new(number);
    let mut reader = RecordReader::default();
    for &end in ends {
        let source = Bytes(&bytes[..end]);
        let mut window = Window::new(&source, end as u64);
        let mut piece = all.next_piece();
        piece
            .read(&mut reader, &mut window, end as u64, |_| true)
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
    points
        .values_mut()
        .for_each(|points| points.sort_unstable());
    points.retain(|_, points| !points.is_empty());
    points
}
