//! One series reduced to pixel columns, or its points where they are few.

use std::ops::Range;

use super::view::{Grid, Span, Unpacked, View, Window};
use super::{MAX_COLUMNS, Query, Smoothing, smooth};
use crate::series::{Extent, Points};

/// What a plot shows of one series. All columns have one entry per pixel column that holds
/// points, in the order of x, or, if `head.exact`, one per point in series order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reduced {
    /// What is known apart from the entries.
    pub head: Head,
    /// Min x of the points behind an entry.
    pub x_first: Vec<f64>,
    /// Max x of the points behind an entry.
    pub x_last: Vec<f64>,
    /// The values as logged.
    pub raw: Envelope,
    /// The smoothed values, if smoothing was asked for.
    pub smoothed: Option<Envelope>,
    /// Points behind an entry, including those that are not finite.
    pub count: Vec<u32>,
    /// What is not finite behind an entry: [`Extent::NAN`] and the like.
    pub flags: Vec<u8>,
}

/// The finite values behind each entry; NaN where there are none. In an exact answer all four
/// are the value itself, finite or not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Envelope {
    /// The value at the min x; of several the earliest.
    pub first: Vec<f64>,
    /// The min value.
    pub min: Vec<f64>,
    /// The max value.
    pub max: Vec<f64>,
    /// The value at the max x; of several the latest.
    pub last: Vec<f64>,
}

/// A point outside the range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// Where it is.
    pub x: f64,
    /// Its value as logged, finite or not.
    pub value: f64,
    /// Its smoothed value, if smoothing was asked for.
    pub smoothed: Option<f64>,
}

/// Answers `query` for the series `points`.
pub fn query(points: &Points, query: &Query) -> Reduced {
    Answer::to(query, points, 0, true).into()
}

/// What is known of a line apart from its entries.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Head {
    /// Whether the entries are the points themselves: the range holds at most two per pixel
    /// column.
    pub exact: bool,
    /// Whether x never decreases from point to point.
    pub sorted: bool,
    /// Points of the series.
    pub total_points: usize,
    /// Points in the range.
    pub points_in_range: usize,
    /// Points without a finite x, which are nowhere in the answer.
    pub skipped: usize,
    /// Where the first pixel column begins and the last one ends; NaN for a series without x.
    pub bounds: (f64, f64),
    /// The nearest point below the range, so that a line can reach the edge of the plot.
    pub before: Option<Neighbour>,
    /// The nearest point above the range.
    pub after: Option<Neighbour>,
}

/// An answer as it is computed, each number once.
pub(super) struct Answer {
    pub(super) head: Head,
    pub(super) entries: Entries,
    /// The first point that has an entry, if `exact` and without a range; else 0.
    pub(super) from_point: usize,
}

pub(super) enum Entries {
    Points { x: Vec<f64>, values: Vec<f64>, smoothed: Option<Vec<f64>> },
    Columns(Box<Columns>),
}

/// One entry per pixel column that holds points; the fields are those of [`Reduced`].
pub(super) struct Columns {
    pub(super) x_first: Vec<f64>,
    pub(super) x_last: Vec<f64>,
    pub(super) raw: Envelope,
    pub(super) smoothed: Option<Envelope>,
    pub(super) count: Vec<u32>,
    pub(super) flags: Vec<u8>,
}

impl Answer {
    /// Who asks knows the first `known` points and what was answered then. They are left out, as
    /// far as their entries are still the same. Without `smooth_points`, it can smooth the points
    /// itself if these are all.
    pub(super) fn to(query: &Query, points: &Points, known: usize, smooth_points: bool) -> Answer {
        let view = View::new(points, &query.axis);
        let window = Window::of(query.range);
        let head = Head {
            exact: true,
            sorted: view.ordered,
            total_points: points.len(),
            points_in_range: 0,
            skipped: view.skipped,
            bounds: (f64::NAN, f64::NAN),
            before: None,
            after: None,
        };
        let Some(extent) = view.extent() else {
            let is_smooth = query.smoothing != Smoothing::None && smooth_points;
            let smoothed = is_smooth.then(Vec::new);
            let entries = Entries::Points { x: Vec::new(), values: Vec::new(), smoothed };
            return Answer { head, entries, from_point: 0 };
        };
        let found = Found::look(&view, window);
        let columns = query.columns.clamp(1, MAX_COLUMNS);
        let head = Head {
            exact: found.count <= 2 * columns,
            points_in_range: found.count,
            bounds: window.bounds(extent),
            ..head
        };
        let has_all = head.exact && found.count == points.len();
        let smoothing = if has_all && !smooth_points { Smoothing::None } else { query.smoothing };
        let keeps = head.exact && query.range.is_none() && known <= points.len();
        let from_point = if keeps { smooth::first_new(&view, smoothing, known) } else { 0 };
        let smoothing = Some(smoothing).filter(|&smoothing| smoothing != Smoothing::None);
        let mut neighbours = Neighbours::new(&view, &found);
        neighbours.look_up_values();
        let entries = if head.exact {
            found.points(&view, window, from_point, smoothing, &mut neighbours)
        } else {
            let grid = Grid::new(head.bounds, columns);
            found.columns(&view, window, grid, smoothing, &mut neighbours)
        };
        let head = Head { before: neighbours.before, after: neighbours.after, ..head };
        Answer { head, entries, from_point }
    }
}

impl From<Answer> for Reduced {
    fn from(Answer { head, entries, .. }: Answer) -> Reduced {
        let mut reduced = Reduced { head, ..Reduced::default() };
        match entries {
            Entries::Points { x, values, smoothed } => {
                reduced.x_first = x.clone();
                reduced.x_last = x;
                reduced.count = vec![1; values.len()];
                reduced.flags = values.iter().map(|&value| single(value).flags).collect();
                reduced.raw = Envelope::of_points(values);
                reduced.smoothed = smoothed.map(Envelope::of_points);
            }
            Entries::Columns(columns) => {
                reduced.x_first = columns.x_first;
                reduced.x_last = columns.x_last;
                reduced.raw = columns.raw;
                reduced.smoothed = columns.smoothed;
                reduced.count = columns.count;
                reduced.flags = columns.flags;
            }
        }
        reduced
    }
}

/// What is in the window, before any value is looked at.
struct Found {
    count: usize,
    /// Chunks that may hold points in the window.
    chunks: Range<usize>,
    /// x and number of the nearest point below the window, and above it.
    before: Option<(f64, usize)>,
    after: Option<(f64, usize)>,
}

impl Found {
    fn look(view: &View, window: Window) -> Found {
        let chunks = view.chunks_near(window);
        let mut found = Found { count: 0, chunks: chunks.clone(), before: None, after: None };
        let mut unpacked = Unpacked::default();
        let mut index = chunks.start.saturating_sub(1);
        while index < (chunks.end + 1).min(view.chunks().end) {
            let span = view.span(index);
            if window.holds(span.min) && window.holds(span.max) && span.sorted {
                // Where all is in order, all up to the last chunk is inside as well.
                let next = if view.sorted { (chunks.end - 1).max(index + 1) } else { index + 1 };
                found.count += view.points.start_of(next) - view.points.start_of(index);
                index = next;
                continue;
            }
            if found.is_of_use(&span, window) {
                let start = view.points.start_of(index);
                for (offset, &x) in unpacked.x(view, index).iter().enumerate() {
                    found.see(x, start + offset, window);
                }
            }
            index += 1;
        }
        found
    }

    /// Whether a chunk may hold points in the window, or nearer to it than those known.
    fn is_of_use(&self, span: &Span, window: Window) -> bool {
        if span.max < window.from {
            self.before.is_none_or(|(x, _)| span.max >= x)
        } else if span.min > window.to {
            self.after.is_none_or(|(x, _)| span.min < x)
        } else {
            true
        }
    }

    fn see(&mut self, x: f64, index: usize, window: Window) {
        if window.holds(x) {
            self.count += 1;
        } else if x < window.from {
            if self.before.is_none_or(|(nearest, _)| x >= nearest) {
                self.before = Some((x, index));
            }
        } else if x > window.to && self.after.is_none_or(|(nearest, _)| x < nearest) {
            self.after = Some((x, index));
        }
    }

    fn points(
        &self,
        view: &View,
        window: Window,
        from_point: usize,
        smoothing: Option<Smoothing>,
        neighbours: &mut Neighbours,
    ) -> Entries {
        let first = view.chunk_of(from_point);
        let chunks = self.chunks.start.max(first)..self.chunks.end;
        let room = || Vec::with_capacity(self.count.saturating_sub(from_point));
        let (mut x, mut values) = (room(), room());
        let (mut unpacked, mut buffer) = (Unpacked::default(), Vec::new());
        for index in chunks.clone() {
            let span = view.span(index);
            if span.max < window.from || span.min > window.to {
                continue;
            }
            buffer.clear();
            view.chunk(index).values_into(&mut buffer);
            let here = from_point.saturating_sub(view.points.start_of(index));
            let at = unpacked.x(view, index);
            window.pick(at, at, here, &mut x);
            window.pick(at, &buffer, here, &mut values);
        }
        let smoothed = smoothing.map(|smoothing| {
            let mut smoothed = room();
            let around = self.chunks_with_neighbours(view);
            let wanted = around.start.max(first).min(around.end)..around.end;
            smooth::each_chunk(view, smoothing, wanted, |index, values| {
                neighbours.pick_smoothed(index, values);
                if chunks.contains(&index) {
                    let here = from_point.saturating_sub(view.points.start_of(index));
                    window.pick(unpacked.x(view, index), values, here, &mut smoothed);
                }
            });
            smoothed
        });
        Entries::Points { x, values, smoothed }
    }

    fn columns(
        &self,
        view: &View,
        window: Window,
        grid: Grid,
        smoothing: Option<Smoothing>,
        neighbours: &mut Neighbours,
    ) -> Entries {
        let mut raw = Reducer::new(view, window, grid);
        raw.add_logged(self.chunks.clone());
        let smoothed = smoothing.map(|smoothing| {
            let mut reducer = Reducer::new(view, window, grid);
            let around = self.chunks_with_neighbours(view);
            smooth::each_chunk(view, smoothing, around, |index, values| {
                neighbours.pick_smoothed(index, values);
                reducer.add_values(index, values);
            });
            reducer.envelope()
        });
        let count = |column: &Column| u32::try_from(column.values.count).unwrap_or(u32::MAX);
        Entries::Columns(Box::new(Columns {
            x_first: raw.filled().map(|column| column.x_first).collect(),
            x_last: raw.filled().map(|column| column.x_last).collect(),
            raw: raw.envelope(),
            smoothed,
            count: raw.filled().map(count).collect(),
            flags: raw.filled().map(|column| column.values.flags).collect(),
        }))
    }

    fn chunks_with_neighbours(&self, view: &View) -> Range<usize> {
        [self.before, self.after].into_iter().flatten().map(|(_, point)| view.chunk_of(point)).fold(
            self.chunks.clone(),
            |chunks, index| {
                if chunks.is_empty() {
                    index..index + 1
                } else {
                    chunks.start.min(index)..chunks.end.max(index + 1)
                }
            },
        )
    }
}

/// The two neighbours while their values are looked up.
struct Neighbours<'a> {
    view: &'a View<'a>,
    /// Number of chunk, and offset in it.
    places: [Option<(usize, usize)>; 2],
    before: Option<Neighbour>,
    after: Option<Neighbour>,
}

impl<'a> Neighbours<'a> {
    fn new(view: &'a View, found: &Found) -> Neighbours<'a> {
        let place = |(_, point): (f64, usize)| {
            let index = view.chunk_of(point);
            (index, point - view.points.start_of(index))
        };
        let unknown = |(x, _): (f64, usize)| Neighbour { x, value: f64::NAN, smoothed: None };
        Neighbours {
            view,
            places: [found.before.map(place), found.after.map(place)],
            before: found.before.map(unknown),
            after: found.after.map(unknown),
        }
    }

    fn look_up_values(&mut self) {
        let neighbours = [&mut self.before, &mut self.after];
        for (place, neighbour) in self.places.iter().zip(neighbours) {
            if let (&Some((index, offset)), Some(neighbour)) = (place, neighbour) {
                let mut values = Vec::new();
                self.view.chunk(index).values_into(&mut values);
                neighbour.value = values.get(offset).copied().unwrap_or(f64::NAN);
            }
        }
    }

    fn pick_smoothed(&mut self, chunk: usize, values: &[f64]) {
        let neighbours = [&mut self.before, &mut self.after];
        for (place, neighbour) in self.places.iter().zip(neighbours) {
            if let (&Some((index, offset)), Some(neighbour)) = (place, neighbour)
                && index == chunk
            {
                neighbour.smoothed = values.get(offset).copied();
            }
        }
    }
}

impl Envelope {
    fn of_points(values: Vec<f64>) -> Envelope {
        Envelope { first: values.clone(), min: values.clone(), max: values.clone(), last: values }
    }
}

/// One pixel column.
#[derive(Clone)]
struct Column {
    values: Extent,
    x_first: f64,
    x_last: f64,
    /// x of the first and of the last finite value.
    first_at: f64,
    last_at: f64,
}

impl Column {
    const EMPTY: Column = Column {
        values: Extent::EMPTY,
        x_first: f64::INFINITY,
        x_last: f64::NEG_INFINITY,
        first_at: f64::INFINITY,
        last_at: f64::NEG_INFINITY,
    };

    /// Adds later points of the series, in the order of x. Unless all are finite, the order
    /// of this piece among others must be that of x throughout.
    fn add(&mut self, x_first: f64, x_last: f64, values: &Extent) {
        self.x_first = self.x_first.min(x_first);
        self.x_last = self.x_last.max(x_last);
        let (first, last) = (self.values.first, self.values.last);
        self.values.append(values);
        if values.first.is_nan() {
            return;
        }
        if x_first < self.first_at {
            self.first_at = x_first;
            self.values.first = values.first;
        } else {
            self.values.first = first;
        }
        if x_last >= self.last_at {
            self.last_at = x_last;
        } else {
            self.values.last = last;
        }
    }
}

/// Pixel columns while points are added, in series order.
struct Reducer<'a> {
    view: &'a View<'a>,
    window: Window,
    grid: Grid,
    columns: Vec<Column>,
    unpacked: Unpacked,
}

impl<'a> Reducer<'a> {
    fn new(view: &'a View, window: Window, grid: Grid) -> Reducer<'a> {
        Reducer {
            view,
            window,
            grid,
            columns: vec![Column::EMPTY; grid.columns],
            unpacked: Unpacked::default(),
        }
    }

    /// Adds the values as logged, from summaries where a chunk is in one pixel column.
    fn add_logged(&mut self, chunks: Range<usize>) {
        let view = self.view;
        let mut values = Vec::new();
        for index in chunks {
            let chunk = view.chunk(index);
            if !self.add_whole(index, || chunk.summary.values) {
                values.clear();
                chunk.values_into(&mut values);
                self.add_points(index, &values);
            }
        }
    }

    /// Adds values that represent those of a chunk.
    fn add_values(&mut self, index: usize, values: &[f64]) {
        if !self.add_whole(index, || extent_of(values)) {
            self.add_points(index, values);
        }
    }

    /// Adds a chunk that needs no look at its points; returns whether that was so.
    fn add_whole(&mut self, index: usize, extent: impl FnOnce() -> Extent) -> bool {
        let span = self.view.span(index);
        if span.max < self.window.from || span.min > self.window.to {
            return true;
        }
        let inside = self.window.holds(span.min) && self.window.holds(span.max);
        if !inside || !span.sorted {
            return false;
        }
        let column = self.grid.column(span.min);
        if column != self.grid.column(span.max) {
            return false;
        }
        let extent = extent();
        let usable = self.view.sorted || extent.flags == 0;
        if usable {
            self.columns[column].add(span.min, span.max, &extent);
        }
        usable
    }

    fn add_points(&mut self, index: usize, values: &[f64]) {
        let span = self.view.span(index);
        let x = self.unpacked.x(self.view, index);
        let (window, grid) = (self.window, self.grid);
        if !span.sorted {
            for (&x, &value) in x.iter().zip(values).filter(|(x, _)| window.holds(**x)) {
                self.columns[grid.column(x)].add(x, x, &single(value));
            }
            return;
        }
        let mut from = x.partition_point(|&x| x < window.from);
        let end = x.partition_point(|&x| x <= window.to);
        // Evenly spaced points have nearly as many in one column as in the next.
        let mut usual = 1;
        while from < end {
            let column = grid.column(x[from]);
            let to = from + run(&x[from..end], usual, |x| grid.column(x) == column);
            usual = to - from;
            let extent = extent_of(&values[from..to]);
            if self.view.sorted || extent.flags == 0 {
                self.columns[column].add(x[from], x[to - 1], &extent);
            } else {
                for (&x, &value) in x[from..to].iter().zip(&values[from..to]) {
                    self.columns[column].add(x, x, &single(value));
                }
            }
            from = to;
        }
    }

    fn filled(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| column.values.count > 0)
    }

    fn envelope(&self) -> Envelope {
        let of =
            |part: fn(&Extent) -> f64| self.filled().map(|column| part(&column.values)).collect();
        Envelope {
            first: of(|values| values.first),
            min: of(|values| values.min),
            max: of(|values| values.max),
            last: of(|values| values.last),
        }
    }
}

/// How many of `x` at its beginning are as wanted, at least the first; about `guess`.
fn run(x: &[f64], guess: usize, wanted: impl Fn(f64) -> bool) -> usize {
    let (mut low, mut step) = (0, guess);
    // Up to `low` they are; beyond `low + step` they are not.
    while low + step < x.len() && wanted(x[low + step]) {
        low += step;
        step = if low == guess { 1 } else { 2 * step };
    }
    let rest = &x[low + 1..(low + step).min(x.len())];
    if step == guess && rest.last().is_none_or(|&x| wanted(x)) {
        return low + 1 + rest.len();
    }
    low + 1 + rest.partition_point(|&x| wanted(x))
}

fn single(value: f64) -> Extent {
    let mut extent = Extent::EMPTY;
    extent.push(value);
    extent
}

/// [`Extent::of`], eight values at a time while all are finite.
fn extent_of(values: &[f64]) -> Extent {
    if values.len() < 16 {
        return Extent::of(values);
    }
    let (mut min, mut max) = ([f64::INFINITY; 8], [f64::NEG_INFINITY; 8]);
    let mut zero = [0.0; 8];
    let eights = values.chunks_exact(8);
    let rest = Extent::of(eights.remainder());
    for eight in eights {
        for lane in 0..8 {
            let value = eight[lane];
            min[lane] = if value < min[lane] { value } else { min[lane] };
            max[lane] = if value > max[lane] { value } else { max[lane] };
            // Stays zero unless a value is not finite.
            zero[lane] += value * 0.0;
        }
    }
    match (values.first(), values.last()) {
        (Some(&first), Some(&last)) if rest.flags == 0 && zero.iter().sum::<f64>() == 0.0 => {
            Extent {
                first,
                last,
                min: min.into_iter().fold(rest.min, f64::min),
                max: max.into_iter().fold(rest.max, f64::max),
                count: values.len() as u64,
                flags: 0,
            }
        }
        _ => Extent::of(values),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Kind, Random, Row, cut, draw, series, sizes};
    use super::super::{Axis, twin};
    use super::*;

    const INF: f64 = f64::INFINITY;

    fn near(a: &[f64], b: &[f64]) -> bool {
        let same =
            |(a, b): (&f64, &f64)| a == b || (a - b).abs() < 1e-9 || a.is_nan() && b.is_nan();
        a.len() == b.len() && a.iter().zip(b).all(same)
    }

    fn same_envelope(a: &Envelope, b: &Envelope) -> bool {
        near(&a.first, &b.first)
            && near(&a.min, &b.min)
            && near(&a.max, &b.max)
            && near(&a.last, &b.last)
    }

    fn same_neighbour(a: &Option<Neighbour>, b: &Option<Neighbour>) -> bool {
        let parts = |neighbour: &Option<Neighbour>| match neighbour {
            Some(point) => vec![point.x, point.value, point.smoothed.unwrap_or(-1.0)],
            None => vec![],
        };
        near(&parts(a), &parts(b))
    }

    fn check(rows: &[Row], points: &Points, asked: &Query) {
        let (fast, slow) = (query(points, asked), twin::query(rows, asked));
        let smoothed = match (&fast.smoothed, &slow.smoothed) {
            (Some(a), Some(b)) => same_envelope(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        assert!(
            smoothed
                && same_envelope(&fast.raw, &slow.raw)
                && same_neighbour(&fast.head.before, &slow.head.before)
                && same_neighbour(&fast.head.after, &slow.head.after)
                && near(&fast.x_first, &slow.x_first)
                && near(&fast.x_last, &slow.x_last)
                && near(
                    &[fast.head.bounds.0, fast.head.bounds.1],
                    &[slow.head.bounds.0, slow.head.bounds.1]
                )
                && fast.count == slow.count
                && fast.flags == slow.flags,
            "{rows:?}\n{asked:?}\n{fast:?}\n{slow:?}"
        );
        let facts = |r: &Reduced| {
            (
                r.head.exact,
                r.head.sorted,
                r.head.total_points,
                r.head.points_in_range,
                r.head.skipped,
            )
        };
        assert_eq!(facts(&fast), facts(&slow), "{asked:?}");
    }

    /// A range drawn at random: inside, across the ends, at one point, open, reversed, NaN.
    fn range(random: &mut Random, x: &[f64]) -> Option<(f64, f64)> {
        let mut end = || match random.below(8) {
            0 => [f64::NAN, INF, -INF][random.below(3)],
            1 => (random.unit() - 0.5) * 4000.0,
            _ if x.is_empty() => 0.0,
            2 => x[random.below(x.len())] + random.unit(),
            _ => x[random.below(x.len())],
        };
        let (a, b) = (end(), end());
        match random.below(6) {
            0 => None,
            1 => Some((a, a)),
            _ => Some((a, b)),
        }
    }

    #[test]
    fn answers_agree_with_the_definition_on_series_of_every_kind() {
        let mut random = Random::new(1);
        let kinds = [
            Smoothing::None,
            Smoothing::Ema { weight: 0.7 },
            Smoothing::TimeEma { weight: 0.7 },
            Smoothing::MovingAverage { window: 6 },
            Smoothing::Gaussian { sigma: 3.0 },
            Smoothing::Median { window: 5 },
        ];
        for round in 0..600 {
            let kind = Kind { sorted: round % 2 == 0, odd: [0.0, 0.05, 0.9][random.below(3)] };
            let len = [0, 1, 2, 30, 600][random.below(5)];
            let rows = draw(&mut random, len, kind);
            let points = cut(&rows, &sizes(&mut random));
            let axis = match random.below(5) {
                0 => Axis::Step,
                1 => Axis::WallTime,
                2 => Axis::RelativeTime,
                3 => Axis::Given(rows.iter().map(|row| (row.0 / 3) as f64).collect()),
                // Too short, with holes.
                _ => {
                    let x = |row: &Row| if row.2 > 20.0 { row.2 } else { row.2 / 0.0 };
                    Axis::Given(rows.iter().skip(3).map(x).collect())
                }
            };
            let asked = Query {
                range: range(&mut random, &twin::x_of(&rows, &axis)),
                axis,
                columns: [1, 2, 7, 40, 500][random.below(5)],
                smoothing: kinds[random.below(kinds.len())],
            };
            check(&rows, &points, &asked);
        }
    }

    #[test]
    fn two_points_per_column_are_exact_and_one_more_is_not() {
        let steps: Vec<i64> = (0..21).collect();
        let asked = Query { columns: 10, ..Query::default() };
        assert!(query(&series(&steps[..20]), &asked).head.exact);
        let reduced = query(&series(&steps), &asked);
        assert!(!reduced.head.exact);
        assert_eq!(reduced.count, [2, 2, 2, 2, 2, 2, 2, 2, 2, 3]);
        assert_eq!(reduced.x_last.last(), Some(&20.0));
        assert_eq!(reduced.head.bounds, (0.0, 20.0));
    }

    #[test]
    fn what_is_not_finite_is_a_value_when_exact_and_a_flag_when_reduced() {
        let rows: Vec<Row> = [1.0, f64::NAN, INF, -INF, 5.0]
            .iter()
            .enumerate()
            .map(|(index, &value)| (index as i64, 0.0, value))
            .collect();
        let points = cut(&rows, &[2]);
        let exact = query(&points, &Query::default());
        assert!(exact.raw.min[1].is_nan());
        assert_eq!(exact.raw.max[2..], [INF, -INF, 5.0]);
        assert_eq!(exact.flags, [0, 1, 2, 4, 0]);
        let reduced = query(&points, &Query { columns: 2, ..Query::default() });
        assert_eq!((reduced.raw.first, reduced.raw.last), (vec![1.0, 5.0], vec![1.0, 5.0]));
        assert_eq!((reduced.flags, reduced.count), (vec![1, 6], vec![2, 3]));
    }

    #[test]
    fn a_zoomed_line_reaches_the_edges() {
        let points = series(&[0, 10, 20, 30, 40]);
        let smoothing = Smoothing::MovingAverage { window: 3 };
        let range = Some((25.0, 15.0));
        let zoomed = query(&points, &Query { range, smoothing, ..Query::default() });
        assert_eq!(zoomed.x_first, [20.0]);
        assert_eq!(
            (zoomed.head.before, zoomed.head.after),
            (
                Some(Neighbour { x: 10.0, value: 1.0, smoothed: Some(1.0) }),
                Some(Neighbour { x: 30.0, value: 3.0, smoothed: Some(3.0) }),
            )
        );
        let beyond = query(&points, &Query { range: Some((50.0, INF)), ..Query::default() });
        assert_eq!(beyond.head.before.map(|point| point.x), Some(40.0));
        assert_eq!(
            (beyond.head.after, beyond.head.points_in_range, beyond.head.exact),
            (None, 0, true)
        );
    }

    #[test]
    fn the_ends_of_what_numbers_can_say_do_no_harm() {
        let ends = [f64::MIN, -1.0, 0.0, 5e-324, 1.0, f64::MAX];
        let rows: Vec<Row> = ends.iter().map(|&x| (x as i64, x, x)).collect();
        let points = cut(&rows, &[4]);
        for axis in [
            Axis::Step,
            Axis::WallTime,
            Axis::RelativeTime,
            Axis::Given(ends.to_vec()),
            Axis::Given(vec![f64::NAN; 9]),
            Axis::Given(vec![]),
        ] {
            for columns in [0, 1, 2, usize::MAX] {
                for range in [None, Some((f64::MAX, f64::MIN)), Some((INF, INF)), Some((0.0, 0.0))]
                {
                    let smoothing = Smoothing::TimeEma { weight: 0.5 };
                    let asked = Query { axis: axis.clone(), range, columns, smoothing };
                    let reduced = query(&points, &asked);
                    let counted: u32 = reduced.count.iter().sum();
                    assert_eq!(counted as usize, reduced.head.points_in_range, "{asked:?}");
                    assert!(reduced.x_first.iter().all(|x| x.is_finite()));
                }
            }
        }
    }

    #[test]
    fn runs_are_found_whatever_the_guess() {
        for len in 1..40 {
            let x: Vec<f64> = (0..len).map(f64::from).collect();
            for end in 1..=len {
                for guess in 1..50 {
                    assert_eq!(run(&x, guess, |x| x < f64::from(end)), end as usize);
                }
            }
        }
    }

    #[test]
    fn eight_at_a_time_is_the_same_as_one_by_one() {
        let mut random = Random::new(2);
        for len in 0..70 {
            let odd = if len % 3 == 0 { 0.1 } else { 0.0 };
            let rows = draw(&mut random, len, Kind { sorted: true, odd });
            let values: Vec<f64> = rows.iter().map(|row| row.2).collect();
            let (fast, slow) = (extent_of(&values), Extent::of(&values));
            assert_eq!((fast.count, fast.flags), (slow.count, slow.flags));
            let parts = |e: Extent| [e.first, e.min, e.max, e.last];
            assert!(near(&parts(fast), &parts(slow)), "{values:?}");
        }
    }
}
