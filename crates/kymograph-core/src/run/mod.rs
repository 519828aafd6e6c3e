//! The files of one run into its series: what a restart supersedes, what two writers share.
//!
//! A run may have several files, and a file several sessions (a START event begins one). Two
//! sessions have one of two relations, derived from the wall times of all their events:
//!
//! ```text
//!   X ├──────┤                     Y after X: where Y logs a tag again, X's points of that tag
//!             Y ├────────┤         from Y's first step on are superseded
//!
//!   X ├──────────┤                 at once: two writers; their points are merged by step
//!       Y ├──────────┤             and time, and nothing is hidden
//! ```
//!
//! A START at step S and time T supersedes, in every tag, what sessions that began before T
//! logged before T with a step of S or above. Superseded points are hidden, counted, and shown again on request.

mod listing;
mod merge;
mod restarts;

pub use listing::{BlobRange, blob_columns};
pub use restarts::{Restart, restarts};

use std::ops::Range;
use std::sync::Arc;

use hashbrown::HashMap;

use crate::blob::{Blobs, FileNumber};
use crate::dashboards::Dashboard;
use crate::event::Metadata;
use crate::file::{FileData, FilePoints, Session};
use crate::link::Link;
use crate::series::{Chunk, Column, Points, Summary};
use crate::types::{Step, Tag, WallTime};

/// A tag of a run as readers see it; never changed once published.
#[derive(Debug, Clone)]
pub struct Series {
    /// The tag.
    pub tag: Tag,
    /// Where it is shown.
    pub dashboard: Dashboard,
    /// The first metadata seen, if any.
    pub metadata: Option<Arc<Metadata>>,
    /// Its points.
    pub data: SeriesData,
    /// Points superseded by restarts.
    pub hidden: u64,
    /// The change number of its last change.
    pub change: u64,
    /// The change number at which points that readers may have seen were last taken away or
    /// moved. While it stays the same, new points only came behind the old ones.
    pub generation: u64,
    /// Which stretches of which files the points are from.
    layout: Vec<Stretch>,
    /// Whether these are merged by step and time, and do not follow one another.
    merged: bool,
    /// The START events that hide points.
    starts: Starts,
}

/// The points of a series.
#[derive(Debug, Clone)]
pub enum SeriesData {
    /// Numbers.
    Scalars(Points),
    /// Addresses of everything else.
    Blobs(Blobs),
}

impl SeriesData {
    fn empty(dashboard: Dashboard) -> Self {
        match dashboard {
            Dashboard::Scalars => SeriesData::Scalars(Points::default()),
            _ => SeriesData::Blobs(Blobs::default()),
        }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        match self {
            SeriesData::Scalars(points) => points.len(),
            SeriesData::Blobs(points) => points.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Stretch {
    file: FileNumber,
    session: u32,
    /// As in the file's series.
    taken_back: u32,
    /// Points looked at.
    rows: usize,
    /// Points shown.
    len: usize,
    /// As in the rules by which some were hidden.
    limit: Option<Step>,
    began: WallTime,
    /// Step and time of its first point.
    first: (Step, WallTime),
    /// When its session began and ended.
    walls: (WallTime, WallTime),
}

impl Stretch {
    fn is_of_same_points(&self, other: &Stretch) -> bool {
        (self.file, self.session, self.taken_back) == (other.file, other.session, other.taken_back)
    }
}

/// How the sessions of a run relate: series must be composed again when this changes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Relations {
    starts: Vec<(Step, WallTime)>,
    /// For each session in order of time, how many sessions begin before it ends.
    reach: Vec<usize>,
}

impl Relations {
    /// The relations between all sessions of `files`.
    pub fn of<'a>(files: impl Iterator<Item = &'a FileData>) -> Self {
        let mut walls = Vec::new();
        let mut starts = Vec::new();
        for session in files.flat_map(|file| &file.sessions) {
            starts.extend(session.start);
            walls.extend(session.span());
        }
        walls.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let reach = walls.iter().map(|x| walls.partition_point(|y| y.0 < x.1)).collect();
        Relations { starts, reach }
    }
}

/// Puts together one tag from the files of a run, given in the order of their names. `None` when
/// no file holds a point of it. With `purge` off nothing is superseded. `number` is the change
/// number under which it will be published.
pub fn compose(
    files: &mut [&mut FileData],
    dashboard: Dashboard,
    tag: &Tag,
    purge: bool,
    number: u64,
    before: Option<&Series>,
) -> Option<Series> {
    let mut parts = Vec::new();
    let mut starts = Vec::new();
    let mut metadata: Option<(WallTime, Arc<Metadata>)> = None;
    for file in files.iter_mut() {
        starts.extend(file.sessions.iter().filter_map(|session| session.start));
        let Some(position) = file.position(dashboard, tag) else {
            continue;
        };
        let began = file.began();
        let series = &mut file.series[position];
        if let Some(own) = &series.metadata
            && metadata.as_ref().is_none_or(|(time, _)| began < *time)
        {
            metadata = Some((began, own.clone()));
        }
        if !series.points.is_empty() {
            let source = match &mut series.points {
                FilePoints::Scalars(column) => Source::Chunks(column.chunks().to_vec()),
                FilePoints::Blobs(blobs) => Source::Blobs(blobs.clone()),
                FilePoints::Unknown(_) => continue,
            };
            parts.push(Part {
                file: file.number,
                sessions: series.sessions.clone(),
                taken_back: series.taken_back,
                facts: file.sessions.clone(),
                source,
            });
        }
    }
    let only_part = parts.len() == 1;
    let mut series = Series {
        tag: tag.clone(),
        dashboard,
        metadata: metadata.map(|(_, metadata)| metadata),
        data: SeriesData::empty(dashboard),
        hidden: 0,
        change: 0,
        generation: number,
        layout: Vec::new(),
        merged: false,
        starts: Starts::default(),
    };
    if let Some(part) = parts.pop_if(|_| only_part && (starts.is_empty() || !purge)) {
        let (file, taken_back) = (part.file, part.taken_back);
        series.data = part.into_data();
        let len = series.data.len();
        // There is nothing before or after it to distinguish it from.
        series.layout = vec![Stretch {
            file,
            session: 0,
            taken_back,
            rows: len,
            len,
            limit: None,
            began: WallTime::NEG_INFINITY,
            first: (0, 0.0),
            walls: (0.0, 0.0),
        }];
    } else {
        series.starts = if purge { Starts::new(starts) } else { Starts::default() };
        combine(&parts, purge, &mut series, before);
    }
    if series.data.is_empty() && series.hidden == 0 {
        return None;
    }
    if let Some(before) = before.filter(|before| series.extends(before)) {
        series.generation = before.generation;
    }
    Some(series)
}

impl Series {
    /// The link to a blob; `None` if there is no blob with this index.
    pub fn link(&self, index: usize) -> Option<Link> {
        let SeriesData::Blobs(blobs) = &self.data else {
            return None;
        };
        let plugin = self.metadata.as_ref().map(|metadata| metadata.plugin_name.as_str());
        Some(Link {
            dashboard: self.dashboard,
            bare: matches!(plugin, Some("graphs" | "graph_tagged_run_metadata")),
            address: blobs.get(index)?.address,
        })
    }

    /// Points computed from those of this one and maybe of others of its run, under another name.
    pub fn derived(&self, tag: Tag, points: Points) -> Series {
        Series {
            tag,
            dashboard: Dashboard::Scalars,
            metadata: None,
            data: SeriesData::Scalars(points),
            hidden: 0,
            change: self.change,
            generation: self.generation,
            layout: Vec::new(),
            merged: false,
            starts: Starts::default(),
        }
    }

    /// Whether it is of several sessions, or of one that a START hides some of.
    pub fn is_pieced(&self) -> bool {
        self.layout.len() > 1 || self.hidden > 0
    }

    /// Whether there is nothing in it that `before` did not show.
    pub fn repeats(&self, before: &Series) -> bool {
        let same = |(now, then): (&Stretch, &Stretch)| {
            now.is_of_same_points(then) && now.rows == then.rows && now.len == then.len
        };
        self.metadata == before.metadata
            && self.merged == before.merged
            && self.hidden == before.hidden
            && self.layout.len() == before.layout.len()
            && self.layout.iter().zip(&before.layout).all(same)
    }

    /// Whether all that `before` showed is still there, in its place. Merged ones know better.
    fn extends(&self, before: &Series) -> bool {
        let Some((last, settled)) = before.layout.split_last() else {
            return false;
        };
        let same =
            |(now, then): (&Stretch, &Stretch)| now.is_of_same_points(then) && now.len == then.len;
        !(self.merged || before.merged)
            && self.hidden == before.hidden
            && self.layout.iter().zip(settled).all(same)
            && self
                .layout
                .get(settled.len())
                .is_some_and(|now| now.is_of_same_points(last) && now.len >= last.len)
    }

    /// How many points of each stretch `before` looked at and showed. Nothing when it did not
    /// merge all it showed by the rules of now; if it did, what is new can be merged into it.
    fn seen_by(&self, before: &Series) -> Option<Vec<(usize, usize)>> {
        if !(self.merged && before.merged && self.starts == before.starts) {
            return None;
        }
        let stretches = before.layout.iter();
        let mut then: HashMap<(FileNumber, u32), &Stretch> =
            stretches.map(|stretch| ((stretch.file, stretch.session), stretch)).collect();
        let seen = self.layout.iter().map(|now| {
            let Some(then) = then.remove(&(now.file, now.session)) else {
                return Some((0, 0));
            };
            let by_same_rules = now.limit == then.limit && now.began == then.began;
            let goes_on = now.is_of_same_points(then) && now.rows >= then.rows;
            (by_same_rules && goes_on).then_some((then.rows, then.len))
        });
        let seen = seen.collect::<Option<Vec<_>>>();
        seen.filter(|_| then.is_empty())
    }
}

/// The points of the tag in one file.
struct Part {
    file: FileNumber,
    /// Session and index of its first point.
    sessions: Vec<(u32, usize)>,
    taken_back: u32,
    facts: Vec<Session>,
    source: Source,
}

enum Source {
    Chunks(Vec<Arc<Chunk>>),
    Blobs(Blobs),
}

impl Part {
    fn into_data(self) -> SeriesData {
        match self.source {
            Source::Chunks(chunks) => SeriesData::Scalars(Points::new(chunks)),
            Source::Blobs(blobs) => SeriesData::Blobs(blobs),
        }
    }

    fn len(&self) -> usize {
        match &self.source {
            Source::Chunks(chunks) => chunks.iter().map(|chunk| chunk.len()).sum(),
            Source::Blobs(blobs) => blobs.len(),
        }
    }

    /// The sessions of the file in which the tag has points, in order.
    fn pieces(&self) -> Vec<Piece<'_>> {
        let mut pieces = Vec::with_capacity(self.sessions.len());
        let (mut end, mut limit) = (self.len(), None);
        let mut later_sessions = self.facts.len();
        // For each session the latest START up to it.
        let mut last_start = WallTime::NEG_INFINITY;
        let starts = self.facts.iter().map(|session| session.start);
        let last_starts: Vec<WallTime> = starts
            .map(|start| {
                last_start = start.map_or(last_start, |(_, wall_time)| last_start.max(wall_time));
                last_start
            })
            .collect();
        for &(session, row) in self.sessions.iter().rev() {
            let (Some(facts), Some(first)) = (self.facts.get(session as usize), self.point_at(row))
            else {
                continue;
            };
            let first_step = first.0;
            // A START refers to the sessions before it in its file, whatever the clock shows.
            let behind = self.facts.get(session as usize + 1..later_sessions);
            let starts = behind.unwrap_or_default().iter().filter_map(|later| later.start);
            limit = starts.map(|(step, _)| step).chain(limit).min();
            later_sessions = session as usize + 1;
            // A session without a single usual time has nothing to be distinguished by.
            let walls = facts.span().unwrap_or_default();
            pieces.push(Piece {
                part: self,
                session,
                rows: row..end,
                first,
                began: facts.began.unwrap_or(walls.0).max(last_starts[session as usize]),
                walls,
                limit,
            });
            limit = Some(limit.map_or(first_step, |limit| limit.min(first_step)));
            end = row;
        }
        // Sorting by time leaves sessions of one moment in the order of the file.
        pieces.reverse();
        pieces
    }

    /// Step and time of a point.
    fn point_at(&self, row: usize) -> Option<(Step, WallTime)> {
        match &self.source {
            Source::Blobs(blobs) => blobs.get(row).map(|blob| (blob.step, blob.wall_time)),
            Source::Chunks(chunks) => {
                let mut start = 0;
                for chunk in chunks {
                    if row < start + chunk.len() {
                        let points = chunk.points();
                        let point = points.get(row - start);
                        return point.map(|point| (point.step, point.wall_time));
                    }
                    start += chunk.len();
                }
                None
            }
        }
    }
}

/// One session of one file, as far as it holds the tag.
struct Piece<'a> {
    part: &'a Part,
    session: u32,
    rows: Range<usize>,
    /// Step and time of its first point.
    first: (Step, WallTime),
    /// When it began; no START of its own file up to it is later.
    began: WallTime,
    walls: (WallTime, WallTime),
    /// Steps from here on are superseded by later sessions of the same file.
    limit: Option<Step>,
}

/// The START events of a run in order of time, each with the min step from it on.
#[derive(Debug, Clone, Default, PartialEq)]
struct Starts(Vec<(WallTime, Step)>);

impl Starts {
    fn new(starts: Vec<(Step, WallTime)>) -> Self {
        let mut starts: Vec<_> = starts.into_iter().map(|(step, wall)| (wall, step)).collect();
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut least = Step::MAX;
        for (_, step) in starts.iter_mut().rev() {
            least = least.min(*step);
            *step = least;
        }
        Self(starts)
    }

    /// The step from which on what was logged at this time is superseded.
    fn limit_at(&self, wall_time: WallTime) -> Option<Step> {
        let later = self.0.partition_point(|start| start.0 <= wall_time);
        self.0.get(later).map(|start| start.1)
    }
}

fn combine(parts: &[Part], purge: bool, series: &mut Series, before: Option<&Series>) {
    let mut pieces: Vec<Piece<'_>> = parts.iter().flat_map(Part::pieces).collect();
    pieces.sort_by(|a, b| {
        let first = a.walls.0.total_cmp(&b.walls.0);
        first.then(a.walls.1.total_cmp(&b.walls.1))
    });
    series.merged = are_at_once(&pieces);
    // least_from[i]: the min first step among pieces i, i+1, ...
    let mut least_from = vec![None; pieces.len() + 1];
    for (index, piece) in pieces.iter().enumerate().rev() {
        let later = least_from[index + 1].unwrap_or(Step::MAX);
        least_from[index] = Some(piece.first.0.min(later));
    }
    let stretches = pieces.iter().enumerate().map(|(index, piece)| Stretch {
        file: piece.part.file,
        session: piece.session,
        taken_back: piece.part.taken_back,
        rows: piece.rows.len(),
        len: 0,
        limit: purge.then(|| limit_of(index, &pieces, &least_from)).flatten(),
        began: piece.began,
        first: piece.first,
        walls: piece.walls,
    });
    series.layout = stretches.collect();
    let (before, seen) = before
        .and_then(|before| Some((before, series.seen_by(before)?)))
        .map_or((None, vec![(0, 0); pieces.len()]), |(before, seen)| (Some(before), seen));
    let mut kept = Kept::default();
    for ((piece, stretch), (rows, len)) in pieces.iter().zip(&mut series.layout).zip(seen) {
        let rules = Rules { limit: stretch.limit, began: stretch.began, starts: &series.starts };
        let kept_before = kept.len();
        kept.take(piece, piece.rows.start + rows..piece.rows.end, &rules);
        stretch.len = len + kept.len() - kept_before;
        series.hidden += (stretch.rows - stretch.len) as u64;
    }
    if !series.merged {
        series.data = kept.into_data(series.dashboard);
        return;
    }
    let nothing = SeriesData::empty(series.dashboard);
    let (data, moved) = kept.merged_into(before.map_or(&nothing, |before| &before.data));
    series.data = data;
    if let Some(before) = before.filter(|_| !moved) {
        series.generation = before.generation;
    }
}

/// Whether two of the pieces, sorted by time, are from writers that wrote at the same time.
fn are_at_once(pieces: &[Piece<'_>]) -> bool {
    pieces.iter().enumerate().any(|(index, x)| {
        let overlaps = |y: &&Piece<'_>| y.walls.0 < x.walls.1 || y.walls == x.walls;
        let others = pieces[index + 1..].iter().take_while(overlaps);
        others.into_iter().any(|y| y.part.file != x.part.file)
    })
}

/// The step from which on a piece is superseded by sessions that came after it.
fn limit_of(index: usize, pieces: &[Piece<'_>], least_from: &[Option<Step>]) -> Option<Step> {
    let piece = &pieces[index];
    let later = pieces.partition_point(|y| y.walls.0 < piece.walls.1);
    // Sessions of one and the same moment are not after one another.
    let later = later + pieces[later..].partition_point(|y| y.walls == piece.walls);
    let limits = [least_from[later.max(index + 1)], piece.limit];
    limits.into_iter().flatten().min()
}

/// What is hidden of a piece.
struct Rules<'a> {
    /// Steps from here on.
    limit: Option<Step>,
    /// No START up to here concerns it.
    began: WallTime,
    starts: &'a Starts,
}

impl Rules<'_> {
    fn hides(&self, step: Step, wall_time: WallTime) -> bool {
        let started = self.starts.limit_at(wall_time.max(self.began));
        [self.limit, started].into_iter().flatten().any(|limit| step >= limit)
    }

    fn hides_all_of(&self, summary: &Summary) -> bool {
        // The later a point was logged, the fewer START events concern it.
        let started = self.starts.limit_at(summary.walls.1.max(self.began));
        [self.limit, started].into_iter().flatten().any(|limit| summary.steps.0 >= limit)
    }

    fn hides_none_of(&self, steps: (Step, Step)) -> bool {
        let started = self.starts.limit_at(self.began);
        [self.limit, started].into_iter().flatten().all(|limit| steps.1 < limit)
    }
}

/// The points that stay, in order.
#[derive(Default)]
struct Kept {
    column: Column,
    blobs: Blobs,
}

impl Kept {
    fn len(&self) -> usize {
        self.column.len() + self.blobs.len()
    }

    /// Takes those of `wanted` rows of a piece that the rules leave.
    fn take(&mut self, piece: &Piece<'_>, wanted: Range<usize>, rules: &Rules<'_>) {
        match &piece.part.source {
            Source::Blobs(blobs) => {
                let rows = blobs.iter_from(wanted.start).take(wanted.len()).copied();
                self.blobs.extend(rows.filter(|blob| !rules.hides(blob.step, blob.wall_time)));
            }
            Source::Chunks(chunks) => {
                let mut start = 0;
                for chunk in chunks {
                    let rows = start..start + chunk.len();
                    start = rows.end;
                    if rows.end <= wanted.start || rows.start >= wanted.end {
                        continue;
                    }
                    if rules.hides_all_of(&chunk.summary) {
                        continue;
                    }
                    let inside = rows.start >= wanted.start && rows.end <= wanted.end;
                    if inside && rules.hides_none_of(chunk.summary.steps) {
                        self.column.push_chunk(chunk);
                        continue;
                    }
                    for (row, point) in rows.zip(chunk.points()) {
                        let hidden = rules.hides(point.step, point.wall_time);
                        if wanted.contains(&row) && !hidden {
                            self.column.push(point);
                        }
                    }
                }
            }
        }
    }

    fn into_data(self, dashboard: Dashboard) -> SeriesData {
        match dashboard {
            Dashboard::Scalars => SeriesData::Scalars(Points::new(self.column.into_chunks())),
            _ => SeriesData::Blobs(self.blobs),
        }
    }

    /// Puts these among others by step and time; returns whether any of those had to move.
    fn merged_into(self, before: &SeriesData) -> (SeriesData, bool) {
        match before {
            SeriesData::Scalars(before) => {
                let chunks = self.column.into_chunks();
                let fresh = chunks.iter().flat_map(|chunk| chunk.points()).collect();
                let (points, moved) = merge::scalars(before, fresh);
                (SeriesData::Scalars(points), moved)
            }
            SeriesData::Blobs(before) => {
                let (blobs, moved) = merge::blobs(before, self.blobs.iter().copied().collect());
                (SeriesData::Blobs(blobs), moved)
            }
        }
    }
}
