//! What is found in texts: many of them read and searched in parallel, within bounds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Store;
use super::fetch::in_parallel;
use crate::blob::{self, Address, BlobError, FileNumber};
use crate::dashboards::text::{self, Matches, Snippet};
use crate::event::Value;
use crate::link::Link;
use crate::pattern::Pattern;
use crate::run::{Series, SeriesData};
use crate::storage::Source;
use crate::types::{Step, WallTime};

/// Texts that are searched one after another, as far as their records have so many bytes.
const PART_TEXTS: usize = 64;
const PART_BYTES: u64 = 1 << 20;
/// Parts that are searched at once. Between such rounds, the threads do what others wait for.
const ROUND_PARTS: usize = 16;
/// How long the first text may take, whatever the limit.
const FIRST_TEXT: Duration = Duration::from_millis(500);
/// A longer record is not searched, since all of it is in memory meanwhile.
const MAX_RECORD_BYTES: u32 = 64 << 20;

/// Which texts to search, and for how long.
pub struct TextSearch<'a> {
    /// What to find.
    pub pattern: &'a Pattern,
    /// In the order in which they are searched.
    pub series: &'a [Arc<Series>],
    /// Where to begin in the first of them.
    pub start: usize,
    /// Most series in the answer.
    pub max_series: usize,
    /// Most texts of each series in the answer.
    pub max_texts: usize,
    /// When to stop.
    pub timeout: Duration,
    /// How many bytes to read before stopping.
    pub max_bytes: u64,
}

/// What was found.
#[derive(Debug, Default)]
pub struct TextHits {
    /// The series with matches, in order; no more than were asked for.
    pub series: Vec<SeriesHits>,
    /// Matches in all that was searched.
    pub hits: u64,
    /// Texts with matches.
    pub matching: u64,
    /// Texts that were looked at.
    pub searched: u64,
    /// Those of them that cannot be read, or not be searched to their end.
    pub unsearched: u64,
    /// Why it stopped before the end, if it did.
    pub stopped: Option<Stopped>,
    /// Where to continue for what is not in the answer: the series, and the text in it.
    pub next: Option<(usize, usize)>,
}

/// Why a search ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// Its time was up.
    Time,
    /// It has read enough.
    Bytes,
}

/// What was found in one series.
#[derive(Debug)]
pub struct SeriesHits {
    /// Its position in the search.
    pub series: usize,
    /// Matches in its texts.
    pub hits: u64,
    /// Texts with matches.
    pub matching: u64,
    /// The first texts with matches; no more than were asked for.
    pub found: Vec<FoundText>,
    /// The text to continue at for those that are left out.
    pub next: Option<usize>,
}

/// A text with matches.
#[derive(Debug)]
pub struct FoundText {
    /// Its position in the series.
    pub index: usize,
    /// The step.
    pub step: Step,
    /// When it was logged.
    pub wall_time: WallTime,
    /// What leads to it.
    pub link: Link,
    /// Matches in it.
    pub hits: u64,
    /// The first of them.
    pub snippets: Vec<Snippet>,
}

/// Some texts of one series, from `start` to `end`.
struct Part {
    series: usize,
    start: usize,
    end: usize,
    bytes: u64,
    /// Whether the search begins with it.
    is_first: bool,
}

/// What was found in a part.
#[derive(Default)]
struct PartHits {
    hits: u64,
    matching: u64,
    unsearched: u64,
    found: Vec<FoundText>,
    /// The first text that was not looked at.
    end: usize,
}

impl Store {
    /// Searches texts in parallel, in the order of the series, until one of the limits is
    /// reached. At least one text is looked at.
    pub fn search_texts(&self, search: &TextSearch<'_>) -> TextHits {
        let deadline = Instant::now().checked_add(search.timeout);
        let deadline = deadline.unwrap_or_else(|| Instant::now() + Duration::from_secs(3600));
        let mut parts = Parts { search, series: 0, at: search.start, is_first: true }.peekable();
        let mut all = TextHits::default();
        let mut bytes = 0;
        while parts.peek().is_some() {
            let round: Vec<Part> = parts.by_ref().take(ROUND_PARTS).collect();
            let found = in_parallel(&round, |part| self.search_part(search, part, deadline));
            for (part, found) in round.iter().zip(found) {
                let end = found.end;
                bytes += part.bytes;
                all.add(search, part, found);
                if end < part.end {
                    all.stop(Stopped::Time, (part.series, end));
                    return all;
                }
            }
            let stopped = if bytes >= search.max_bytes {
                Stopped::Bytes
            } else if Instant::now() >= deadline {
                Stopped::Time
            } else {
                continue;
            };
            if let Some(next) = parts.peek() {
                all.stop(stopped, (next.series, next.start));
            }
            return all;
        }
        all
    }

    fn search_part(&self, search: &TextSearch<'_>, part: &Part, deadline: Instant) -> PartHits {
        let mut hits = PartHits { end: part.start, ..PartHits::default() };
        let Some(series) = search.series.get(part.series) else {
            return hits;
        };
        let SeriesData::Blobs(blobs) = &series.data else {
            return hits;
        };
        let mut files = OpenFile { store: self, file: None };
        for (index, blob) in (part.start..part.end).zip(blobs.iter_from(part.start)) {
            // The first of all is searched in any case, so that a search that is continued
            // advances; others that are not done in time are left to the next search.
            let is_first = part.is_first && index == part.start;
            let now = Instant::now();
            if now >= deadline && !is_first {
                break;
            }
            let limit = if is_first { deadline.max(now + FIRST_TEXT) } else { deadline };
            let matches = files.search(&blob.address, search.pattern, limit);
            if !is_first && matches.as_ref().is_some_and(|matches| matches.is_cut) {
                break;
            }
            hits.end = index + 1;
            let Some(matches) = matches else {
                hits.unsearched += 1;
                continue;
            };
            hits.unsearched += u64::from(matches.is_cut);
            hits.hits += matches.count;
            if matches.count == 0 {
                continue;
            }
            hits.matching += 1;
            if let Some(link) = series.link(index)
                && hits.found.len() <= search.max_texts
            {
                let (step, wall_time) = (blob.step, blob.wall_time);
                let Matches { count: hits_of_text, snippets, .. } = matches;
                let found =
                    FoundText { index, step, wall_time, link, hits: hits_of_text, snippets };
                hits.found.push(found);
            }
        }
        hits
    }
}

impl TextHits {
    fn add(&mut self, search: &TextSearch<'_>, part: &Part, found: PartHits) {
        self.searched += (found.end - part.start) as u64;
        self.unsearched += found.unsearched;
        self.hits += found.hits;
        self.matching += found.matching;
        if found.matching == 0 {
            return;
        }
        let is_new = self.series.last().is_none_or(|last| last.series != part.series);
        if is_new {
            if self.series.len() >= search.max_series {
                let first = found.found.first().map_or(part.start, |text| text.index);
                self.next.get_or_insert((part.series, first));
                return;
            }
            self.series.push(SeriesHits {
                series: part.series,
                hits: 0,
                matching: 0,
                found: Vec::new(),
                next: None,
            });
        }
        if let Some(series) = self.series.last_mut()
            && self.next.is_none()
        {
            series.hits += found.hits;
            series.matching += found.matching;
            for text in found.found {
                if series.found.len() < search.max_texts {
                    series.found.push(text);
                } else {
                    series.next.get_or_insert(text.index);
                }
            }
        }
    }

    fn stop(&mut self, why: Stopped, at: (usize, usize)) {
        self.stopped = Some(why);
        self.next.get_or_insert(at);
    }
}

/// What is to be searched, in parts.
struct Parts<'a> {
    search: &'a TextSearch<'a>,
    series: usize,
    at: usize,
    is_first: bool,
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        loop {
            let series = self.search.series.get(self.series)?;
            let start = self.at;
            let (mut end, mut bytes) = (start, 0);
            if let SeriesData::Blobs(blobs) = &series.data
                && start < blobs.len()
            {
                for blob in blobs.iter_from(start).take(PART_TEXTS) {
                    end += 1;
                    bytes += u64::from(blob.address.payload_len);
                    if bytes >= PART_BYTES {
                        break;
                    }
                }
            }
            if end > start {
                self.at = end;
                let is_first = std::mem::take(&mut self.is_first);
                return Some(Part { series: self.series, start, end, bytes, is_first });
            }
            (self.series, self.at) = (self.series + 1, 0);
        }
    }
}

/// The file that was read last: texts of one series are mostly in one.
struct OpenFile<'a> {
    store: &'a Store,
    file: Option<(FileNumber, Box<dyn Source>, u64)>,
}

impl OpenFile<'_> {
    /// Nothing for a text that cannot be read or is too long.
    fn search(
        &mut self,
        address: &Address,
        pattern: &Pattern,
        deadline: Instant,
    ) -> Option<Matches> {
        if address.payload_len > MAX_RECORD_BYTES {
            return None;
        }
        let bytes = self.read(address).ok()?;
        text::search(&Value::parse(&bytes).ok()?, pattern, deadline).ok()
    }

    fn read(&mut self, address: &Address) -> Result<Vec<u8>, BlobError> {
        let is_open = self.file.as_ref().is_some_and(|(file, ..)| *file == address.file);
        if !is_open {
            let (source, bytes) = self.store.open_file(address.file)?;
            self.file = Some((address.file, source, bytes));
        }
        let (_, source, bytes) = self.file.as_ref().ok_or(BlobError::Gone)?;
        if address.record_end().is_none_or(|end| end > *bytes) {
            return Err(BlobError::Damaged(address.record_offset));
        }
        blob::read(&**source, address)
    }
}
