//! The files of one run into its series: what a restart supersedes, what two writers share.
//!
//! A run may have several files, and a file several sessions (a START event begins one). Two
//! sessions stand in one of two relations, told from the wall times of all their events:
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

use std::ops::Range;
use std::sync::Arc;

use crate::blob::{BlobPoint, FileNumber};
use crate::dashboards::Dashboard;
use crate::event::Metadata;
use crate::file::{FileData, FilePoints, Session};
use crate::series::{Chunk, Column, Point, Points};
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
}

/// The points of a series.
#[derive(Debug, Clone)]
pub enum SeriesData {
    /// Numbers.
    Scalars(Points),
    /// Addresses of everything else.
    Blobs(Vec<BlobPoint>),
}

impl SeriesData {
    fn empty(dashboard: Dashboard) -> Self {
        match dashboard {
            Dashboard::Scalars => SeriesData::Scalars(Points::default()),
            _ => SeriesData::Blobs(Vec::new()),
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    file: FileNumber,
    session: u32,
    /// As in the file's series.
    taken_back: u32,
    /// Points shown; `usize::MAX` stands for "merged with others".
    len: usize,
}

/// How the sessions of a run relate: series must be composed anew when this changes.
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
            walls.extend(session.walls);
        }
        walls.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let reach = walls
            .iter()
            .map(|x| walls.partition_point(|y| y.0 < x.1))
            .collect();
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
        for (index, session) in (0u32..).zip(&file.sessions) {
            starts.extend(session.start.map(|(step, wall_time)| Start {
                file: file.number,
                session: index,
                step,
                wall_time,
            }));
        }
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
    let mut series = Series {
        tag: tag.clone(),
        dashboard,
        metadata: metadata.map(|(_, metadata)| metadata),
        data: SeriesData::empty(dashboard),
        hidden: 0,
        change: 0,
        generation: number,
        layout: Vec::new(),
    };
    let starts = if purge { starts } else { Vec::new() };
    if let ([part], true) = (parts.as_slice(), starts.is_empty()) {
        series.data = part.whole();
        series.layout = vec![Stretch {
            file: part.file,
            session: 0,
            taken_back: part.taken_back,
            len: series.data.len(),
        }];
    } else {
        combine(&parts, &starts, purge, &mut series);
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
    /// Whether there is nothing in it that `before` did not show.
    pub fn repeats(&self, before: &Series) -> bool {
        self.layout == before.layout
            && self.hidden == before.hidden
            && self.metadata == before.metadata
            && self.layout.iter().all(|stretch| stretch.len != usize::MAX)
    }

    /// Whether all that `before` showed is still there, in its place.
    fn extends(&self, before: &Series) -> bool {
        let Some((last, settled)) = before.layout.split_last() else {
            return false;
        };
        self.hidden == before.hidden
            && self.layout.starts_with(settled)
            && self.layout.get(settled.len()).is_some_and(|now| {
                now.file == last.file
                    && now.session == last.session
                    && now.taken_back == last.taken_back
                    && now.len >= last.len
                    && now.len != usize::MAX
            })
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
    Blobs(Vec<BlobPoint>),
}

impl Part {
    fn whole(&self) -> SeriesData {
        match &self.source {
            Source::Chunks(chunks) => SeriesData::Scalars(Points::new(chunks.clone())),
            Source::Blobs(blobs) => SeriesData::Blobs(blobs.clone()),
        }
    }

    fn len(&self) -> usize {
        match &self.source {
            Source::Chunks(chunks) => chunks.iter().map(|chunk| chunk.len()).sum(),
            Source::Blobs(blobs) => blobs.len(),
        }
    }

    fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        let ends = self
            .sessions
            .iter()
            .skip(1)
            .map(|next| next.1)
            .chain([self.len()]);
        self.sessions
            .iter()
            .zip(ends)
            .filter_map(|(&(session, row), end)| {
                let facts = self.facts.get(session as usize)?;
                // A session without a single usual time has nothing to be told apart by.
                let walls = facts.walls.unwrap_or_default();
                Some(Piece {
                    part: self,
                    session,
                    rows: row..end,
                    first_step: self.step_at(row)?,
                    began: facts.began.unwrap_or(walls.0),
                    walls,
                })
            })
    }

    fn step_at(&self, row: usize) -> Option<Step> {
        match &self.source {
            Source::Blobs(blobs) => blobs.get(row).map(|blob| blob.step),
            Source::Chunks(chunks) => {
                let mut start = 0;
                for chunk in chunks {
                    if row < start + chunk.len() {
                        return chunk.points().get(row - start).map(|point| point.step);
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
    first_step: Step,
    began: WallTime,
    walls: (WallTime, WallTime),
}

/// A START event.
struct Start {
    file: FileNumber,
    session: u32,
    step: Step,
    wall_time: WallTime,
}

fn combine(parts: &[Part], starts: &[Start], purge: bool, series: &mut Series) {
    let mut pieces: Vec<Piece<'_>> = parts.iter().flat_map(Part::pieces).collect();
    pieces.sort_by(|a, b| {
        let first = a.walls.0.total_cmp(&b.walls.0);
        first.then(a.walls.1.total_cmp(&b.walls.1))
    });
    let merged = are_at_once(&pieces);
    // least_from[i]: the least first step among pieces i, i+1, ...
    let mut least_from = vec![None; pieces.len() + 1];
    for (index, piece) in pieces.iter().enumerate().rev() {
        let later = least_from[index + 1].unwrap_or(Step::MAX);
        least_from[index] = Some(piece.first_step.min(later));
    }
    let mut kept = Kept::default();
    for (index, piece) in pieces.iter().enumerate() {
        let rules = match purge {
            true => Rules::of(index, &pieces, &least_from, starts),
            false => Rules::default(),
        };
        let before = kept.len();
        kept.take(piece, &rules);
        let len = kept.len() - before;
        series.hidden += (piece.rows.len() - len) as u64;
        series.layout.push(Stretch {
            file: piece.part.file,
            session: piece.session,
            taken_back: piece.part.taken_back,
            len: if merged { usize::MAX } else { len },
        });
    }
    kept.finish(merged, &mut series.data);
}

/// Whether two of the pieces, sorted by time, are from writers that wrote at the same time.
fn are_at_once(pieces: &[Piece<'_>]) -> bool {
    pieces.iter().enumerate().any(|(index, x)| {
        let overlaps = |y: &&Piece<'_>| y.walls.0 < x.walls.1 || y.walls == x.walls;
        let others = pieces[index + 1..].iter().take_while(overlaps);
        others.into_iter().any(|y| y.part.file != x.part.file)
    })
}

/// What is hidden of a piece.
#[derive(Default)]
struct Rules {
    /// Steps from here on.
    limit: Option<Step>,
    /// Steps from the first on, if logged before the second.
    starts: Vec<(Step, WallTime)>,
}

impl Rules {
    fn of(
        index: usize,
        pieces: &[Piece<'_>],
        least_from: &[Option<Step>],
        starts: &[Start],
    ) -> Rules {
        let piece = &pieces[index];
        let in_file = |file: FileNumber| file == piece.part.file;
        let mut later = pieces.partition_point(|y| y.walls.0 < piece.walls.1);
        // Sessions of one and the same moment are not after one another.
        while pieces.get(later).is_some_and(|y| y.walls == piece.walls) {
            later += 1;
        }
        let later_files = least_from[later.max(index + 1)];
        let same_file = pieces
            .iter()
            .filter(|y| in_file(y.part.file) && y.session > piece.session)
            .map(|y| y.first_step)
            .min();
        let starts = starts.iter().filter_map(|start| {
            if in_file(start.file) {
                (start.session > piece.session).then_some((start.step, WallTime::INFINITY))
            } else {
                (start.wall_time > piece.began).then_some((start.step, start.wall_time))
            }
        });
        Rules {
            limit: [later_files, same_file].into_iter().flatten().min(),
            starts: starts.collect(),
        }
    }

    fn hides(&self, step: Step, wall_time: WallTime) -> bool {
        let started = |&(from, until): &(Step, WallTime)| step >= from && wall_time < until;
        self.limit.is_some_and(|limit| step >= limit) || self.starts.iter().any(started)
    }

    fn hides_none_of(&self, steps: (Step, Step)) -> bool {
        let limits = self.starts.iter().map(|start| start.0).chain(self.limit);
        limits.into_iter().all(|limit| steps.1 < limit)
    }
}

/// The points that stay, in order.
#[derive(Default)]
struct Kept {
    chunks: Vec<Arc<Chunk>>,
    packed: usize,
    blobs: Vec<BlobPoint>,
}

impl Kept {
    fn len(&self) -> usize {
        self.packed + self.blobs.len()
    }

    fn take(&mut self, piece: &Piece<'_>, rules: &Rules) {
        match &piece.part.source {
            Source::Blobs(blobs) => {
                let rows = blobs.get(piece.rows.clone()).unwrap_or(&[]);
                self.blobs
                    .extend(rows.iter().filter(|b| !rules.hides(b.step, b.wall_time)));
            }
            Source::Chunks(chunks) => {
                let mut start = 0;
                for chunk in chunks {
                    let rows = start..start + chunk.len();
                    start = rows.end;
                    if rows.end <= piece.rows.start || rows.start >= piece.rows.end {
                        continue;
                    }
                    let inside = rows.start >= piece.rows.start && rows.end <= piece.rows.end;
                    if inside && rules.hides_none_of(chunk.summary.steps) {
                        self.packed += chunk.len();
                        self.chunks.push(chunk.clone());
                        continue;
                    }
                    let points: Vec<Point> = rows
                        .zip(chunk.points())
                        .filter(|(row, _)| piece.rows.contains(row))
                        .map(|(_, point)| point)
                        .filter(|point| !rules.hides(point.step, point.wall_time))
                        .collect();
                    if let Some(chunk) = Chunk::pack(&points) {
                        self.packed += chunk.len();
                        self.chunks.push(Arc::new(chunk));
                    }
                }
            }
        }
    }

    fn finish(mut self, merged: bool, data: &mut SeriesData) {
        match data {
            SeriesData::Blobs(blobs) => {
                if merged {
                    self.blobs
                        .sort_by(|a, b| order((a.step, a.wall_time), (b.step, b.wall_time)));
                }
                *blobs = self.blobs;
            }
            SeriesData::Scalars(points) => {
                if merged {
                    let mut all: Vec<Point> = Vec::with_capacity(self.packed);
                    all.extend(self.chunks.iter().flat_map(|chunk| chunk.points()));
                    all.sort_by(|a, b| order((a.step, a.wall_time), (b.step, b.wall_time)));
                    self.chunks = all.into_iter().collect::<Column>().chunks().to_vec();
                }
                *points = Points::new(self.chunks);
            }
        }
    }
}

fn order(a: (Step, WallTime), b: (Step, WallTime)) -> std::cmp::Ordering {
    a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
}
