//! What one event file holds: its tags with their points, its sessions, its damage.
//!
//! A file is read in pieces, side by side or one after the other as it grows; each piece becomes
//! a [`FileData`] of its own, and [`FileData::append`] puts them together in order.
#![cfg_attr(
    not(test),
    warn(clippy::indexing_slicing, clippy::cast_possible_truncation, clippy::unreachable)
)]

mod append;
mod classify;

use std::io;
use std::sync::Arc;

use hashbrown::HashMap;

use crate::blob::{Address, BlobPoint, Blobs, FileNumber};
use crate::dashboards::Dashboard;
use crate::event::{self, Body, Event, Metadata, PlainScalar, TensorForm, Value, What, same};
use crate::peek::{self, LargeWhat};
use crate::protobuf::WireError;
use crate::record::{Damage, HEADER_BYTES, Item, RecordReader, Window};
use crate::series::{Column, Point};
use crate::types::{Step, Tag, WallTime};

/// The tag under which a run's op graph is kept, as TensorBoard names it.
pub const RUN_GRAPH_TAG: &str = "__run_graph__";
/// The tag under which a run's MetaGraphDef is kept.
pub const META_GRAPH_TAG: &str = "__meta_graph__";

/// Everything read from one file so far.
#[derive(Debug)]
pub struct FileData {
    /// The file's number in its store.
    pub number: FileNumber,
    /// Its tags, in the order in which they appeared.
    pub series: Vec<FileSeries>,
    /// Stretches between restarts; the first begins with the file.
    pub sessions: Vec<Session>,
    /// Damage found while reading.
    pub damage: Damage,
    /// Where bytes were skipped; the first [`MOST_GAPS`] places.
    pub gaps: Vec<Gap>,
    /// Points whose time was not a number and was replaced by that of their neighbour.
    pub bad_wall_times: u64,
    /// Where series were shown before their metadata was known, until the caller takes the list.
    pub moved: Vec<(Dashboard, Tag)>,
    index: HashMap<Box<[u8]>, u32>,
    /// Further series of a tag whose values are of several kinds.
    others: HashMap<(u32, Dashboard), u32>,
    /// Large records that proved torn and may have been noted in an earlier piece.
    torn: Vec<u64>,
    /// The series that the last value went to: values come in the same order again and again.
    last: u32,
    /// The time of the last event that had one; used where an event has none.
    last_time: WallTime,
    /// The step of the last value.
    last_step: Option<Step>,
}

/// The most gaps of a file that are reported one by one.
pub const MOST_GAPS: usize = 100;

/// Bytes between intact records that were skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// Where they begin.
    pub offset: u64,
    /// How many they are.
    pub bytes: u64,
    /// The step of the last value before them.
    pub step_before: Option<Step>,
    /// The step of the event behind them, if it is a summary and was there already.
    pub step_after: Option<Step>,
}

/// A stretch of a file without a restart in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Session {
    /// Step and time of the START event that began it; none for the beginning of a file.
    pub start: Option<(Step, WallTime)>,
    /// Wall time of its first event. Points may be logged with other times than the clock's;
    /// the event that begins a file or session is not.
    pub began: Option<WallTime>,
    /// Min and max wall time of its events, but for the record that opens a file: its time
    /// is the clock's, also where everything else was logged with times of long ago. None while
    /// there are no events.
    pub walls: Option<(WallTime, WallTime)>,
}

impl Session {
    /// Min and max wall time of all its events.
    pub fn span(&self) -> Option<(WallTime, WallTime)> {
        match (self.walls, self.began) {
            (Some((first, last)), Some(began)) => Some((first.min(began), last.max(began))),
            (walls, began) => walls.or(began.map(|began| (began, began))),
        }
    }
}

/// One tag in one file.
#[derive(Debug)]
pub struct FileSeries {
    /// The tag.
    pub tag: Tag,
    /// `None` as long as only tensors without metadata were seen in this piece of the file.
    pub dashboard: Option<Dashboard>,
    /// The first metadata seen.
    pub metadata: Option<Arc<Metadata>>,
    /// The points, in the order in which they were written.
    pub points: FilePoints,
    /// Where sessions begin: session and index of its first point.
    pub sessions: Vec<(u32, usize)>,
    /// Whether points were added since the flag was cleared.
    pub dirty: bool,
    /// How often points were taken back because their record proved torn.
    pub taken_back: u32,
    /// Whether the dashboard was chosen for lack of metadata.
    defaulted: bool,
    /// The series whose value came next the last time.
    followed_by: u32,
    /// By which a plain number of this tag is recognised.
    plain_form: Vec<u8>,
    /// By which a tensor of one float of this tag is recognised, once there was one.
    tensor_form: TensorForm,
}

/// The points of one tag in one file.
#[derive(Debug)]
pub enum FilePoints {
    /// Numbers.
    Scalars(Column),
    /// Addresses of everything else.
    Blobs(Blobs),
    /// Tensors whose meaning depends on metadata not seen in this piece of the file.
    Unknown(Vec<(BlobPoint, Option<f64>)>),
}

impl FilePoints {
    /// Number of points.
    pub fn len(&self) -> usize {
        match self {
            FilePoints::Scalars(column) => column.len(),
            FilePoints::Blobs(points) => points.len(),
            FilePoints::Unknown(points) => points.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn empty(dashboard: Option<Dashboard>) -> Self {
        match dashboard {
            Some(Dashboard::Scalars) => FilePoints::Scalars(Column::default()),
            Some(_) => FilePoints::Blobs(Blobs::default()),
            None => FilePoints::Unknown(Vec::new()),
        }
    }
}

/// Where and when a value was logged.
#[derive(Clone, Copy)]
struct Place {
    step: Step,
    wall_time: WallTime,
    address: Address,
}

impl Place {
    fn point(self, value: f64) -> Point {
        Point { step: self.step, wall_time: self.wall_time, value }
    }

    fn blob(self) -> BlobPoint {
        BlobPoint { step: self.step, wall_time: self.wall_time, address: self.address }
    }
}

impl FileData {
    /// Nothing read yet.
    pub fn new(number: FileNumber) -> Self {
        Self {
            number,
            series: Vec::new(),
            sessions: vec![Session { start: None, began: None, walls: None }],
            damage: Damage::default(),
            gaps: Vec::new(),
            bad_wall_times: 0,
            moved: Vec::new(),
            index: HashMap::new(),
            others: HashMap::new(),
            torn: Vec::new(),
            last: 0,
            last_time: 0.0,
            last_step: None,
        }
    }

    /// Nothing read yet of what follows this.
    pub fn next_piece(&self) -> Self {
        Self { last_time: self.last_time, ..Self::new(self.number) }
    }

    /// Reads from the position of `reader` up to `stop` or the end of the available bytes.
    /// `progress` receives the position from time to time, and reading stops when it returns
    /// false.
    pub fn read(
        &mut self,
        reader: &mut RecordReader,
        window: &mut Window<'_>,
        stop: u64,
        mut progress: impl FnMut(u64) -> bool,
    ) -> io::Result<()> {
        const REPORT_BYTES: u64 = 1 << 20;
        let before = reader.damage();
        let mut reported = reader.position();
        let mut skipped = before.skipped_bytes;
        while reader.position() < stop {
            let item = reader.next(window)?;
            if reader.damage().skipped_bytes > skipped {
                let bytes = reader.damage().skipped_bytes - skipped;
                skipped += bytes;
                self.note_gap(bytes, &item, reader.position());
            }
            match item {
                Item::Record { payload, .. } if self.plain_scalar(payload) => {
                    reader.next_in_memory(window, stop, |payload| self.plain_scalar(payload));
                }
                Item::Record { offset, payload } => {
                    let len = payload.len() as u64;
                    if self.record(offset, payload).is_err() {
                        reader.reject(len);
                    }
                }
                Item::Large { offset, len } => self.large(reader, window, offset, len)?,
                Item::Torn { offset } => {
                    self.torn.push(offset);
                    self.forget(offset);
                }
                Item::End => break,
            }
            if reader.position() >= reported + REPORT_BYTES {
                reported = reader.position();
                if !progress(reported) {
                    break;
                }
            }
        }
        let after = reader.damage();
        if after.skipped_bytes > skipped {
            self.note_gap(after.skipped_bytes - skipped, &Item::End, reader.position());
        }
        self.damage.add(&after.since(&before));
        progress(reader.position());
        Ok(())
    }

    /// Bytes were skipped, up to this item or, where it is none, to this position.
    #[cold]
    fn note_gap(&mut self, bytes: u64, item: &Item<'_>, position: u64) {
        let (end, step_after) = match item {
            Item::Record { offset, payload } => (*offset, summary_step(payload)),
            Item::Large { offset, .. } => (*offset, None),
            Item::Torn { .. } | Item::End => (position, None),
        };
        let offset = end.saturating_sub(bytes);
        self.add_gap(Gap { offset, bytes, step_before: self.last_step, step_after });
    }

    fn add_gap(&mut self, gap: Gap) {
        let joins = |last: &&mut Gap| last.offset + last.bytes == gap.offset;
        if let Some(last) = self.gaps.last_mut().filter(joins) {
            last.bytes += gap.bytes;
            last.step_after = gap.step_after;
        } else if self.gaps.len() < MOST_GAPS {
            self.gaps.push(gap);
        }
    }

    fn large(
        &mut self,
        reader: &mut RecordReader,
        window: &mut Window<'_>,
        offset: u64,
        len: u64,
    ) -> io::Result<()> {
        let Some(event) = peek::peek(window, offset + HEADER_BYTES, len)? else {
            if let Some(payload) = reader.read_large(window)?
                && self.record(offset, payload).is_err()
            {
                reader.reject(len);
            }
            return Ok(());
        };
        let wall_time = self.note_time(event.wall_time);
        let place = |start: u64, end: u64| Place {
            step: event.step,
            wall_time,
            address: self.address(offset, len, start, end),
        };
        match &event.what {
            LargeWhat::Graph(range) => self.graph(RUN_GRAPH_TAG, place(range.start, range.end)),
            LargeWhat::MetaGraph(range) => {
                self.graph(META_GRAPH_TAG, place(range.start, range.end))
            }
            LargeWhat::Values(values) => {
                for value in values {
                    let place = Place {
                        step: event.step,
                        wall_time,
                        address: self.address(offset, len, value.range.start, value.range.end),
                    };
                    let metadata = value.metadata.as_deref();
                    let body = match value.body {
                        Body::Image(_) => Body::Image(&value.start),
                        Body::Tensor(_) => Body::Tensor(&value.start),
                        other => other,
                    };
                    self.value(&Value { tag: &value.tag, metadata, body }, place);
                }
            }
        }
        Ok(())
    }

    fn address(&self, record_offset: u64, payload_len: u64, start: u64, end: u64) -> Address {
        // A payload has at most 2^31 bytes; no blob could be read at an address beyond that.
        let narrow = |bytes: u64| u32::try_from(bytes).unwrap_or(u32::MAX);
        Address {
            file: self.number,
            record_offset,
            payload_len: narrow(payload_len),
            value_offset: narrow(start),
            value_len: narrow(end - start),
        }
    }

    /// Adds the number of an event that is one plain number, or a tensor of one float, of a tag
    /// with others like it. False when it is anything else, and nothing was done.
    #[inline(always)]
    fn plain_scalar(&mut self, payload: &[u8]) -> bool {
        let Some(scalar) = PlainScalar::parse(payload) else {
            return false;
        };
        let expected = self.expected().and_then(|(index, series)| {
            let number = if same(&series.plain_form, scalar.form) {
                Some(scalar.number)
            } else {
                series.tensor_form.number(scalar.rest)
            };
            Some((index, number?))
        });
        let (index, number) = match expected {
            Some(found) => found,
            None => match scalar.tag().and_then(|tag| self.look_up(tag)) {
                Some(index) => (index, scalar.number),
                None => return false,
            },
        };
        let is_scalars = |series: &FileSeries| series.dashboard == Some(Dashboard::Scalars);
        if !self.series.get(index as usize).is_some_and(is_scalars) {
            return false;
        }
        self.last = index;
        let wall_time = self.note_time(scalar.wall_time);
        let value = f64::from(number);
        self.push_scalar(index, Point { step: scalar.step, wall_time, value });
        true
    }

    /// Remembers by which bytes the next tensor of this series is recognised as one float.
    fn learn_form(&mut self, index: u32, payload: &[u8], number: &[u8; 4]) {
        if let Some(series) = self.series.get_mut(index as usize) {
            series.tensor_form.learn(payload, number);
        }
    }

    /// Takes in the event of one intact record.
    #[inline]
    fn record(&mut self, offset: u64, payload: &[u8]) -> Result<(), WireError> {
        let event = Event::parse(payload)?;
        if offset == 0 && matches!(event.what, What::FileVersion(_)) {
            self.note_beginning(event.wall_time);
            return Ok(());
        }
        let wall_time = self.note_time(event.wall_time);
        let place = |data: &Self, part: &[u8]| {
            // A missing part has no address; an empty range at the beginning is equivalent.
            let start = match part {
                [] => 0,
                part => (part.as_ptr() as usize).wrapping_sub(payload.as_ptr() as usize) as u64,
            };
            let end = start + part.len() as u64;
            let address = data.address(offset, payload.len() as u64, start, end);
            Place { step: event.step, wall_time, address }
        };
        match event.what {
            What::Summary(summary) => {
                let (mut count, mut float) = (0, None);
                for message in event::values(summary) {
                    let message = message?;
                    let value = Value::parse(message)?;
                    let place = place(self, message);
                    float = self.value(&value, place);
                    count += 1;
                }
                if let (1, Some((index, number))) = (count, float) {
                    self.learn_form(index, payload, number);
                }
            }
            What::SessionStart => self.sessions.push(Session {
                start: Some((event.step, wall_time)),
                began: Some(wall_time),
                walls: Some((wall_time, wall_time)),
            }),
            What::Graph(graph) => self.graph(RUN_GRAPH_TAG, place(self, graph)),
            What::MetaGraph(graph) => self.graph(META_GRAPH_TAG, place(self, graph)),
            What::TaggedRunMetadata(message) => {
                let (tag, run_metadata) = event::tagged_run_metadata(message)?;
                let place = place(self, run_metadata);
                self.plugin_blob(tag, "graph_tagged_run_metadata", place);
            }
            What::FileVersion(_) | What::Nothing => {}
        }
        Ok(())
    }

    /// The time of the record that opens the file.
    #[cold]
    fn note_beginning(&mut self, wall_time: f64) {
        if !wall_time.is_finite() {
            self.bad_wall_times += 1;
            return;
        }
        self.last_time = wall_time;
        if let Some(session) = self.sessions.last_mut() {
            session.began = Some(wall_time);
        }
    }

    /// A time that is not a number becomes that of the event before.
    #[inline]
    fn note_time(&mut self, wall_time: f64) -> WallTime {
        if !wall_time.is_finite() {
            self.bad_wall_times += 1;
            return self.last_time;
        }
        self.last_time = wall_time;
        if let Some(session) = self.sessions.last_mut() {
            match &mut session.walls {
                Some((_, last)) if wall_time >= *last => *last = wall_time,
                Some((first, _)) => *first = first.min(wall_time),
                None => {
                    session.began = session.began.or(Some(wall_time));
                    session.walls = Some((wall_time, wall_time));
                }
            }
        }
        wall_time
    }

    #[inline]
    fn find(&mut self, tag: &[u8]) -> Option<u32> {
        if let Some((index, series)) = self.expected()
            && same(series.tag.as_str().as_bytes(), tag)
        {
            self.last = index;
            return Some(index);
        }
        self.look_up(tag)
    }

    /// The series whose value came next the last time.
    #[inline]
    fn expected(&self) -> Option<(u32, &FileSeries)> {
        let index = self.series.get(self.last as usize)?.followed_by;
        Some((index, self.series.get(index as usize)?))
    }

    fn look_up(&mut self, tag: &[u8]) -> Option<u32> {
        let found = *self.index.get(tag)?;
        if let Some(series) = self.series.get_mut(self.last as usize) {
            series.followed_by = found;
        }
        self.last = found;
        Some(found)
    }

    fn add(
        &mut self,
        tag: &[u8],
        dashboard: Option<Dashboard>,
        metadata: Option<Arc<Metadata>>,
    ) -> u32 {
        let name = Tag::from_bytes(tag);
        let shown = name.as_str().as_bytes();
        // Tags that are not UTF-8 may look the same when shown, and are one series then.
        let index = match self.index.get(shown) {
            Some(&index) => index,
            None => {
                let shown = shown.into();
                let index = self.push_series(name, dashboard, metadata);
                self.index.insert(shown, index);
                index
            }
        };
        self.index.insert(tag.into(), index);
        if let Some(series) = self.series.get_mut(self.last as usize) {
            series.followed_by = index;
        }
        self.last = index;
        index
    }

    fn push_series(
        &mut self,
        tag: Tag,
        dashboard: Option<Dashboard>,
        metadata: Option<Arc<Metadata>>,
    ) -> u32 {
        // So many series do not fit into memory.
        let index = u32::try_from(self.series.len()).unwrap_or(u32::MAX);
        self.series.push(FileSeries {
            plain_form: event::plain_form(tag.as_str().as_bytes()),
            tensor_form: TensorForm::default(),
            tag,
            dashboard,
            metadata,
            points: FilePoints::empty(dashboard),
            sessions: Vec::new(),
            dirty: false,
            taken_back: 0,
            defaulted: false,
            followed_by: index,
        });
        index
    }

    /// Adds a point that belongs to `session`.
    #[inline(always)]
    fn push_in(&mut self, index: u32, session: u32, push: impl FnOnce(&mut FilePoints)) {
        let Some(series) = self.series.get_mut(index as usize) else {
            return;
        };
        if series.sessions.last().is_none_or(|&(last, _)| last != session) {
            series.sessions.push((session, series.points.len()));
        }
        series.dirty = true;
        push(&mut series.points);
    }

    #[inline]
    fn session(&self) -> u32 {
        u32::try_from(self.sessions.len() - 1).unwrap_or(u32::MAX)
    }

    #[inline]
    fn push_scalar(&mut self, index: u32, point: Point) {
        self.last_step = Some(point.step);
        self.push_in(index, self.session(), |points| {
            if let FilePoints::Scalars(column) = points {
                column.push(point);
            }
        });
    }

    fn push_blob(&mut self, index: u32, place: Place) {
        self.last_step = Some(place.step);
        self.push_in(index, self.session(), |points| {
            if let FilePoints::Blobs(blobs) = points {
                blobs.push(place.blob());
            }
        });
    }

    fn push_unknown(&mut self, index: u32, place: Place, number: Option<f64>) {
        self.last_step = Some(place.step);
        self.push_in(index, self.session(), |points| {
            if let FilePoints::Unknown(unknown) = points {
                unknown.push((place.blob(), number));
            }
        });
    }

    /// Takes back what was noted of the torn record at `offset`.
    fn forget(&mut self, offset: u64) {
        let is_torn = |blob: &BlobPoint| blob.address.record_offset == offset;
        for series in &mut self.series {
            let before = series.points.len();
            // Large records are never numbers, and the torn one was the last.
            match &mut series.points {
                FilePoints::Scalars(_) => continue,
                FilePoints::Blobs(blobs) => while blobs.pop_if(is_torn) {},
                FilePoints::Unknown(points) => {
                    while points.pop_if(|(blob, _)| is_torn(blob)).is_some() {}
                }
            }
            let len = series.points.len();
            if len < before {
                series.sessions.retain(|&(_, row)| row < len);
                series.dirty = true;
                series.taken_back += 1;
            }
        }
    }

    /// Where in `series` the points of this tag on this dashboard are.
    pub fn position(&self, dashboard: Dashboard, tag: &Tag) -> Option<usize> {
        let index = self.index.get(tag.as_str().as_bytes())?;
        let found = match self.series.get(*index as usize)?.dashboard {
            Some(own) if own == dashboard => index,
            _ => self.others.get(&(*index, dashboard))?,
        };
        Some(*found as usize)
    }

    /// Min wall time of the first session that has events; files without events are last.
    pub fn began(&self) -> WallTime {
        self.sessions.iter().find_map(Session::span).map_or(WallTime::INFINITY, |w| w.0)
    }

    /// Gives back memory that only growing needs.
    pub fn shrink(&mut self) {
        for series in &mut self.series {
            match &mut series.points {
                FilePoints::Scalars(column) => column.shrink(),
                FilePoints::Blobs(blobs) => blobs.shrink(),
                FilePoints::Unknown(_) => {}
            }
        }
    }
}

fn summary_step(payload: &[u8]) -> Option<Step> {
    let event = Event::parse(payload).ok()?;
    matches!(event.what, What::Summary(_)).then_some(event.step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protobuf::field;
    use crate::record::frame;

    /// An event with one value of tag `tag` and these further fields.
    fn event(step: u8, wall_time: f64, tag: &[u8], fields: &[u8]) -> Vec<u8> {
        let value = [&field(1, tag), fields].concat();
        let mut payload = vec![9];
        payload.extend(wall_time.to_le_bytes());
        payload.extend([0x10, step]);
        payload.extend(field(5, &field(1, &value)));
        let mut out = Vec::new();
        frame(&payload, &mut out);
        out
    }

    fn number(value: f32) -> Vec<u8> {
        [&[0x15][..], &value.to_le_bytes()].concat()
    }

    /// Reads a file that has grown to each of `ends` in turn.
    fn grown(bytes: &[u8], ends: &[usize]) -> FileData {
        let mut data = FileData::new(FileNumber(1));
        let mut reader = RecordReader::default();
        for &end in ends {
            let source = bytes[..end].to_vec();
            let mut window = Window::new(&source, end as u64);
            let mut piece = data.next_piece();
            piece.read(&mut reader, &mut window, end as u64, |_| true).unwrap();
            data.append(piece);
        }
        data
    }

    fn walls(data: &mut FileData, index: usize) -> Vec<f64> {
        match &mut data.series[index].points {
            FilePoints::Scalars(column) => {
                let points = column.chunks().iter().flat_map(|chunk| chunk.points());
                points.map(|point| point.wall_time).collect()
            }
            FilePoints::Blobs(blobs) => blobs.iter().map(|blob| blob.wall_time).collect(),
            FilePoints::Unknown(points) => points.iter().map(|(b, _)| b.wall_time).collect(),
        }
    }

    fn image(len: usize) -> Vec<u8> {
        field(4, &field(4, &vec![7; len]))
    }

    /// Short records are read whole, long ones are peeked at; pictures and films may change places.
    #[test]
    fn films_are_filed_beside_pictures() {
        let encoded = |head: &[u8], len: usize| [head, &vec![7; len]].concat();
        let metadata = field(9, &[field(1, &field(1, b"images")), field(3, b"said")].concat());
        for len in [100, 20_000] {
            let old = |head: &[u8]| field(4, &field(4, &encoded(head, len)));
            let new = |head: &[u8]| {
                let strings = [field(8, b"3"), field(8, b"2"), field(8, &encoded(head, len))];
                [field(8, &[vec![8, 7], strings.concat()].concat()), metadata.clone()].concat()
            };
            type Make<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;
            let kinds: [Make<'_>; 2] = [&old, &new];
            for (number, body) in kinds.into_iter().enumerate() {
                let events = [
                    event(1, 1.0, b"view", &body(b"GIF89a")),
                    event(2, 2.0, b"view", &body(b"\x89PNG")),
                    event(3, 3.0, b"view", &body(b"\0\0\0\x18ftypisom")),
                    event(4, 4.0, b"still", &body(b"\x89PNG")),
                ];
                let bytes = events.concat();
                let second = events[0].len() + events[1].len();
                for ends in [&[bytes.len()][..], &[events[0].len(), second, bytes.len()]] {
                    let mut data = grown(&bytes, ends);
                    let mut found = |dashboard, tag: &str| -> Vec<f64> {
                        let at = data.position(dashboard, &Tag::from(tag));
                        at.map_or_else(Vec::new, |at| walls(&mut data, at))
                    };
                    let case = format!("{len} bytes, kind {number}, ends {ends:?}");
                    assert_eq!(found(Dashboard::Video, "view"), [1.0, 3.0], "{case}");
                    assert_eq!(found(Dashboard::Images, "view"), [2.0], "{case}");
                    assert_eq!(found(Dashboard::Images, "still"), [4.0], "{case}");
                    assert_eq!(found(Dashboard::Video, "still"), [0.0; 0], "{case}");
                    let described = data.series.iter().all(|series| series.metadata.is_some());
                    assert_eq!(described, number == 1, "{case}");
                }
            }
        }
    }

    #[test]
    fn only_numbers_of_its_tag_come_to_a_tag() {
        // Short, as long as the short way takes them, and longer.
        for len in [1, 3, 10, 118, 119, 127, 128, 300] {
            let (tag, other) = (vec![b'a'; len], vec![b'b'; len]);
            let mut bytes = Vec::new();
            for step in 0..20 {
                bytes.extend(event(step, 1.0, &tag, &number(0.5)));
                // Unknown fields, where tag and number of others are.
                for odd in [&b"\x52\x02\x08\x01"[..], b"\x52\x08aaaaaaaa\x55\0\0\0\x3f"] {
                    frame(&[b"\x09\0\0\0\0\0\0\xf0\x3f", odd].concat(), &mut bytes);
                }
                bytes.extend(event(step, 1.0, &tag, &number(1.5)));
                bytes.extend(event(step, 1.0, &other, &number(2.5)));
            }
            let data = grown(&bytes, &[bytes.len()]);
            let counts: Vec<_> = data.series.iter().map(|series| series.points.len()).collect();
            assert_eq!((counts, data.damage.records), (vec![40, 20], 100), "{len}");
            assert!(!data.damage.any());
        }
    }

    fn float_tensor(value: f32) -> Vec<u8> {
        field(8, &[b"\x08\x01\x12\0\x22\x04", &value.to_le_bytes()[..]].concat())
    }

    fn values(data: &mut FileData, index: usize) -> Vec<f64> {
        let FilePoints::Scalars(column) = &mut data.series[index].points else {
            return Vec::new();
        };
        column.chunks().iter().flat_map(|chunk| chunk.points()).map(|point| point.value).collect()
    }

    /// What a file holds, in words.
    fn contents(data: &mut FileData) -> Vec<String> {
        let mut shown = Vec::new();
        for index in 0..data.series.len() {
            let values: Vec<u64> = values(data, index).into_iter().map(f64::to_bits).collect();
            let series = &data.series[index];
            let (tag, count) = (&series.tag, series.points.len());
            let kind = (series.dashboard, &series.metadata);
            shown.push(format!("{tag} {kind:?} {count} {values:?}"));
        }
        shown.sort();
        shown
    }

    /// Reading each event alone has no form to recognise it by.
    #[test]
    fn tensors_recognised_by_their_form_are_those_that_are_read() {
        let metadata = field(9, &field(1, &field(1, b"scalars")));
        let described = field(9, &[field(1, &field(1, b"scalars")), field(3, b"new")].concat());
        let bodies = |value: f32| -> Vec<Vec<u8>> {
            let tensor = float_tensor(value);
            let wrong_type =
                field(8, &[b"\x08\x03\x12\0\x22\x04", &value.to_le_bytes()[..]].concat());
            vec![
                [&tensor[..], &metadata].concat(),
                [&metadata[..], &tensor].concat(),
                tensor.clone(),
                [&tensor[..], &described].concat(),
                [&tensor[..], &tensor].concat(),
                [&number(value)[..], &tensor].concat(),
                wrong_type,
                number(value),
                field(8, b"\x08\x01\x12\0\x22\x08\0\0\0\0\0\0\0\0"),
            ]
        };
        let mut events =
            vec![event(0, 0.5, b"a", &bodies(0.0)[0]), event(0, 0.5, b"b", &bodies(0.0)[0])];
        let mut seed = 1u32;
        for step in 0..400u32 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (tag, kind) = (&[&b"a"[..], b"b"][(seed >> 8) as usize % 2], seed >> 16);
            // Mostly one form after the other, as writers do.
            let kind = if kind % 3 == 0 { (kind / 3) as usize % 9 } else { (step / 60) as usize };
            let bytes = f32::from_bits(seed | 0x0a42_2a12);
            events.push(event((step % 100) as u8, 1.0, tag, &bodies(bytes)[kind % 9]));
        }
        let bytes = events.concat();
        let mut whole = grown(&bytes, &[bytes.len()]);
        let ends: Vec<usize> = events
            .iter()
            .scan(0, |end, event| {
                *end += event.len();
                Some(*end)
            })
            .collect();
        let mut alone = grown(&bytes, &ends);
        assert_eq!(contents(&mut whole), contents(&mut alone));
        let scalars = whole.position(Dashboard::Scalars, &Tag::from("a")).unwrap();
        assert!(values(&mut whole, scalars).len() > 50);
        assert!(!whole.damage.any());
    }

    #[test]
    fn a_step_behind_the_tensor_counts_also_when_it_is_repeated() {
        let value = [field(1, b"a"), float_tensor(0.5)].concat();
        let metadata = field(9, &field(1, &field(1, b"scalars")));
        let mut bytes = event(1, 1.0, b"a", &[&float_tensor(0.5)[..], &metadata].concat());
        for step in [7, 7, 7, 8] {
            let summary = field(5, &field(1, &value));
            let payload = [&[9][..], &1f64.to_le_bytes(), &[0x10, step], &summary, &[0x10, 5]];
            frame(&payload.concat(), &mut bytes);
        }
        let mut data = grown(&bytes, &[bytes.len()]);
        let FilePoints::Scalars(column) = &mut data.series[0].points else { panic!("not scalars") };
        let points = column.chunks().iter().flat_map(|chunk| chunk.points());
        assert_eq!(points.map(|point| point.step).collect::<Vec<_>>(), [1, 5, 5, 5, 5]);
    }

    #[test]
    fn what_was_noted_of_a_torn_record_is_forgotten() {
        let bodies = [
            ("image", image(20_000), b"other"),
            ("tensor without metadata", field(8, &vec![0; 20_000]), b"media"),
        ];
        for (name, body, later) in bodies {
            let mut bytes = event(1, 1.0, b"media", &body);
            bytes.truncate(5_000);
            for step in 0..200 {
                bytes.extend(event(step % 100, 2.0, later, &image(100)));
            }
            // Grown until the torn record seems whole, and then on.
            for ends in [&[bytes.len()][..], &[20_040, bytes.len()]] {
                let data = grown(&bytes, ends);
                let points: usize = data.series.iter().map(|series| series.points.len()).sum();
                assert_eq!(points, 200, "{name}, ends {ends:?}");
                assert_eq!(data.damage.bad_records, 1, "{name}, ends {ends:?}");
                assert_eq!(data.damage.skipped_bytes, 5_000, "{name}, ends {ends:?}");
                assert!(data.series.iter().any(|series| series.taken_back == 1));
            }
        }
    }

    #[test]
    fn run_metadata_without_content_is_an_empty_blob() {
        let mut bytes = Vec::new();
        frame(&field(8, &field(1, b"step 1")), &mut bytes);
        let data = grown(&bytes, &[bytes.len()]);
        let FilePoints::Blobs(blobs) = &data.series[0].points else { panic!("{:?}", data.series) };
        let read = crate::blob::read(&bytes, &blobs.get(0).unwrap().address);
        assert_eq!(read.unwrap(), b"");
    }

    #[test]
    fn tags_that_look_the_same_are_one_series() {
        let bytes = [&b"\xff"[..], b"\xfe", "\u{fffd}".as_bytes()]
            .map(|tag| event(1, 1.0, tag, &number(1.0)))
            .concat();
        let third = bytes.len() / 3 - 1;
        for ends in [&[bytes.len()][..], &[third, 2 * third, bytes.len()]] {
            let data = grown(&bytes, ends);
            let at = data.position(Dashboard::Scalars, &Tag::from("\u{fffd}"));
            assert_eq!(data.series[at.unwrap()].points.len(), 3, "ends {ends:?}");
        }
    }

    #[test]
    fn tensors_move_to_the_dashboard_that_late_metadata_names() {
        let tensor = field(8, b"\x08\x07\x42\x02hi");
        let metadata = field(9, &field(1, &field(1, b"text")));
        let first = event(1, 1.0, b"note", &tensor);
        let second = event(2, 2.0, b"note", &[&tensor[..], &metadata].concat());
        let bytes = [&first[..], &second].concat();
        for ends in [&[bytes.len()][..], &[first.len(), bytes.len()]] {
            let mut data = grown(&bytes, ends);
            assert_eq!(data.series.len(), 1, "ends {ends:?}");
            assert_eq!(data.series[0].dashboard, Some(Dashboard::Text));
            assert_eq!(walls(&mut data, 0), [1.0, 2.0]);
            let was = (Dashboard::Tensors, Tag::from("note"));
            assert_eq!(data.moved.contains(&was), ends.len() == 2);
        }
    }

    #[test]
    fn a_time_that_is_no_number_is_that_of_the_event_before() {
        let first =
            [event(1, 5.0, b"loss", &number(1.0)), event(2, 4.0, b"loss", &number(1.0))].concat();
        let bytes = [&first[..], &event(3, f64::NAN, b"loss", &number(1.0))].concat();
        for ends in [&[bytes.len()][..], &[first.len(), bytes.len()]] {
            let mut data = grown(&bytes, ends);
            assert_eq!(walls(&mut data, 0), [5.0, 4.0, 4.0], "ends {ends:?}");
            assert_eq!(data.bad_wall_times, 1);
        }
    }
}
