//! A stretch of a file, read by one thread; and where a file can be cut into such stretches.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering;

use crate::event::{Event, What};
use crate::file::FileData;
use crate::record::{self, Item, RecordReader, Window};
use crate::storage::{Source, Storage};
use crate::store::Store;

/// How far to look for a record at which a file can be cut.
const CUT_SEARCH_BYTES: u64 = 64 << 10;
/// Bytes by which a file is recognised.
const HEAD_BYTES: usize = 64;
const TAIL_BYTES: u64 = 16;

/// Bytes that must still be there when a file is read on: if they are not, it is another file.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    head: Vec<u8>,
    tail_offset: u64,
    tail: Vec<u8>,
}

impl Marks {
    /// The marks of a file read up to `position`.
    fn of(source: &dyn Source, position: u64) -> io::Result<Marks> {
        let tail_offset = position.saturating_sub(TAIL_BYTES);
        Ok(Marks {
            head: bytes(source, 0, (HEAD_BYTES as u64).min(position) as usize)?,
            tail_offset,
            tail: bytes(source, tail_offset, (position - tail_offset) as usize)?,
        })
    }

    fn fit(&self, source: &dyn Source) -> io::Result<bool> {
        Ok(bytes(source, 0, self.head.len())? == self.head
            && bytes(source, self.tail_offset, self.tail.len())? == self.tail)
    }
}

fn bytes(source: &dyn Source, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; len];
    let came = source.read_at(offset, &mut bytes)?;
    bytes.truncate(came);
    Ok(bytes)
}

/// A stretch to be read.
#[derive(Debug)]
pub struct Unit {
    /// Where its points go.
    pub data: FileData,
    /// Where to begin, and what to know of what came before.
    pub reader: RecordReader,
    /// Where to stop: at the first record that begins there or behind.
    pub stop: u64,
    /// The length of the file.
    pub limit: u64,
    /// What must be found in the file, for it to be the one that was read before.
    pub marks: Option<Marks>,
    /// Whether the file stopped growing, so that an unfinished record at its end will stay so.
    pub settled: bool,
}

/// What became of a unit.
pub enum Outcome {
    /// It was read.
    Read(Box<Piece>),
    /// Another file has taken the name.
    Replaced,
}

/// What a unit held.
pub struct Piece {
    /// Its points.
    pub data: FileData,
    /// Where reading resumes.
    pub reader: RecordReader,
    /// By what to know the file again.
    pub marks: Marks,
    /// Whether nothing more can be read behind it now.
    pub at_end: bool,
    /// Whether an unfinished record at the end was searched for others inside it.
    pub tail_searched: bool,
}

impl Unit {
    /// Reads the stretch. The store's count of bytes grows along; when it asks to stop, reading
    /// ends in an error.
    pub fn read(
        mut self,
        storage: &dyn Storage,
        path: &Path,
        store: &Store,
    ) -> io::Result<Outcome> {
        let source = storage.open(path)?;
        if let Some(marks) = &self.marks
            && !marks.fit(&*source)?
        {
            return Ok(Outcome::Replaced);
        }
        let mut window = Window::new(&*source, self.limit);
        let mut data = self.data;
        let mut counted = self.reader.position();
        let mut tail_searched = false;
        loop {
            data.read(&mut self.reader, &mut window, self.stop, |position| {
                let more = position.saturating_sub(counted);
                store.progress.bytes_done.fetch_add(more, Ordering::Relaxed);
                counted = counted.max(position);
                !store.is_stopping()
            })?;
            if store.is_stopping() {
                return Err(io::Error::other("loading was stopped"));
            }
            // Again after each find: the search stops at any header, also at that of another
            // record that was never finished.
            let unfinished = self.settled && self.reader.position() < self.stop;
            tail_searched |= unfinished;
            if !unfinished || !self.reader.search_tail(&mut window)? {
                break;
            }
        }
        data.shrink();
        let position = self.reader.position();
        Ok(Outcome::Read(Box::new(Piece {
            data,
            marks: Marks::of(&*source, position)?,
            at_end: position < self.stop || self.stop >= self.limit,
            reader: self.reader,
            tail_searched,
        })))
    }
}

/// Cuts a stretch of a file into units of about `unit_bytes`; one that is not long stays whole.
pub fn cut(
    storage: &dyn Storage,
    path: &Path,
    stretch: Range<u64>,
    unit_bytes: u64,
) -> Vec<Range<u64>> {
    let unit_bytes = unit_bytes.max(1);
    let mut starts = vec![stretch.start];
    if stretch.end.saturating_sub(stretch.start) > unit_bytes.saturating_mul(2)
        && let Ok(source) = storage.open(path)
    {
        let mut near = stretch.start + unit_bytes;
        while near + unit_bytes / 2 < stretch.end {
            if let Ok(Some(found)) = find_cut(&*source, near, stretch.end) {
                starts.push(found);
            }
            near += unit_bytes;
        }
    }
    let stops = starts.iter().skip(1).copied().chain([stretch.end]).collect::<Vec<_>>();
    starts.into_iter().zip(stops).map(|(start, stop)| start..stop).collect()
}

/// A record shortly behind `near` at which reading can begin: an intact summary with a usual
/// time, so that the piece that begins with it needs to know nothing of what came before.
fn find_cut(source: &dyn Source, near: u64, limit: u64) -> io::Result<Option<u64>> {
    let mut window = Window::new(source, limit);
    let mut from = near;
    let until = (near + CUT_SEARCH_BYTES).min(limit);
    while let Some(found) = record::find_header(&mut window, from, until)? {
        let mut reader = RecordReader::at(found);
        if let Item::Record { offset, payload } = reader.next(&mut window)?
            && offset == found
            && let Ok(event) = Event::parse(payload)
            && event.wall_time.is_finite()
            && matches!(event.what, What::Summary(_))
        {
            return Ok(Some(found));
        }
        from = found + 1;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Local;

    /// A file of summaries, with whatever `special` gives in the place of some.
    fn file(special: impl Fn(u8) -> Option<Vec<u8>>) -> (tempfile::TempDir, Vec<u64>) {
        let dir = tempfile::tempdir().unwrap();
        let (mut bytes, mut starts) = (Vec::new(), Vec::new());
        for step in 0..100 {
            starts.push(bytes.len() as u64);
            let summary = [9, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0x10, step, 0x2a, 0];
            record::frame(&special(step).unwrap_or(summary.to_vec()), &mut bytes);
        }
        starts.push(bytes.len() as u64);
        std::fs::write(dir.path().join("file"), bytes).unwrap();
        (dir, starts)
    }

    fn cuts(dir: &tempfile::TempDir, stretch: Range<u64>, unit_bytes: u64) -> Vec<Range<u64>> {
        cut(&Local, &dir.path().join("file"), stretch, unit_bytes)
    }

    #[test]
    fn units_begin_with_records_and_leave_nothing_out() {
        let (dir, starts) = file(|_| None);
        let end = starts[100];
        for unit_bytes in [0, 1, 50, 1_000] {
            let units = cuts(&dir, starts[3]..end, unit_bytes);
            assert!(units.len() > 1, "{unit_bytes}");
            assert_eq!(units[0].start, starts[3]);
            assert_eq!(units.last().unwrap().end, end);
            for pair in units.windows(2) {
                assert_eq!(pair[0].end, pair[1].start);
                assert!(starts.contains(&pair[1].start));
            }
        }
    }

    #[test]
    fn a_short_stretch_stays_whole() {
        let (dir, starts) = file(|_| None);
        assert_eq!(cuts(&dir, 0..starts[100], 1_500), vec![0..starts[100]]);
        assert_eq!(cuts(&dir, 0..0, 1_500).len(), 1);
        let gone = dir.path().join("gone");
        assert_eq!(cut(&Local, &gone, 0..9_000, 1_000).len(), 1);
    }

    #[test]
    fn no_unit_begins_with_what_depends_on_the_event_before() {
        // All but one of the second half have no usable time, or are no summaries.
        let odd = |step| match step {
            0..50 | 90 => None,
            50..70 => Some(vec![9, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f, 0x10, 1, 0x2a, 0]),
            _ => Some(vec![9, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0x3a, 2, 8, 1]),
        };
        let (dir, starts) = file(odd);
        let units = cuts(&dir, 0..starts[100], starts[50] / 2 - 1);
        let begins: Vec<u64> = units.iter().map(|unit| unit.start).collect();
        assert!(begins.contains(&starts[90]), "{begins:?}");
        assert!(begins.iter().all(|at| *at < starts[50] || *at == starts[90]), "{begins:?}");
    }

    #[test]
    fn marks_tell_a_file_that_grew_from_one_that_was_rewritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let open = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            Local.open(&path).unwrap()
        };
        let bytes: Vec<u8> = (0..200).collect();
        let marks = Marks::of(&*open(&bytes), 150).unwrap();
        assert!(marks.fit(&*open(&bytes)).unwrap());
        assert!(marks.fit(&*open(&[&bytes[..], b"more"].concat())).unwrap());
        assert!(marks.fit(&*open(&bytes[..150])).unwrap(), "what was not read may go");
        assert!(!marks.fit(&*open(&bytes[..149])).unwrap());
        for changed in [0, 63, 134, 149] {
            let mut bytes = bytes.clone();
            bytes[changed] ^= 1;
            assert!(!marks.fit(&*open(&bytes)).unwrap(), "byte {changed}");
        }
        assert!(Marks::default().fit(&*open(b"")).unwrap());
    }
}
