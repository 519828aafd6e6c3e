//! The x of every point, chunk by chunk, and what is known of it without unpacking.

use std::ops::Range;

use super::Axis;
use crate::series::{Chunk, Points};

/// A series seen along an axis.
pub(super) struct View<'a> {
    pub(super) points: &'a Points,
    axis: &'a Axis,
    /// What is subtracted from wall times.
    origin: f64,
    /// One per chunk where x was given; else summaries know.
    given: Vec<Span>,
    /// Whether x is finite everywhere and never decreases.
    pub(super) sorted: bool,
    /// Whether x, where finite, never decreases.
    pub(super) ordered: bool,
    /// Points without a finite x.
    pub(super) skipped: usize,
}

/// The x of one chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// Min finite x, +∞ if there is none.
    pub(super) min: f64,
    /// Max finite x, −∞ if there is none.
    pub(super) max: f64,
    /// Whether x is finite everywhere and never decreases.
    pub(super) sorted: bool,
}

/// The requested range, both ends included. Either end may be infinite.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) from: f64,
    pub(super) to: f64,
}

/// Room for the x of one chunk.
#[derive(Default)]
pub(super) struct Unpacked {
    steps: Vec<i64>,
    x: Vec<f64>,
}

impl<'a> View<'a> {
    pub(super) fn new(points: &'a Points, axis: &'a Axis) -> View<'a> {
        let mut view = View {
            points,
            axis,
            origin: 0.0,
            given: Vec::new(),
            sorted: match axis {
                Axis::Step => points.steps_sorted(),
                Axis::WallTime | Axis::RelativeTime => points.walls_sorted(),
                Axis::Given(_) => false,
            },
            ordered: false,
            skipped: 0,
        };
        view.ordered = view.sorted;
        match axis {
            Axis::RelativeTime => {
                let first = points.chunks().first();
                view.origin = first.map_or(0.0, |chunk| chunk.summary.wall_ends.0);
            }
            Axis::Given(x) => view.survey_given(x),
            Axis::Step | Axis::WallTime => {}
        }
        view
    }

    fn survey_given(&mut self, x: &[f64]) {
        let mut last = f64::NEG_INFINITY;
        self.ordered = true;
        for index in 0..self.points.chunks().len() {
            let (from, to) = (self.points.start_of(index), self.points.start_of(index + 1));
            let here = x.get(from..to.min(x.len())).unwrap_or(&[]);
            let mut span = Span { min: f64::INFINITY, max: f64::NEG_INFINITY, sorted: true };
            let mut finite = 0;
            for &x in here.iter().filter(|x| x.is_finite()) {
                finite += 1;
                span.sorted &= x >= last || finite == 1;
                self.ordered &= x >= last;
                span.min = span.min.min(x);
                span.max = span.max.max(x);
                last = x;
            }
            span.sorted &= finite == to - from;
            self.skipped += to - from - finite;
            self.given.push(span);
        }
        self.sorted = self.ordered && self.skipped == 0;
    }

    /// Whether x was given rather than logged with the point.
    pub(super) fn is_given(&self) -> bool {
        matches!(self.axis, Axis::Given(_))
    }

    pub(super) fn chunk(&self, index: usize) -> &Chunk {
        &self.points.chunks()[index]
    }

    pub(super) fn chunks(&self) -> Range<usize> {
        0..self.points.chunks().len()
    }

    pub(super) fn span(&self, index: usize) -> Span {
        if let Some(&span) = self.given.get(index) {
            return span;
        }
        let summary = &self.chunk(index).summary;
        let ((min, max), sorted) = match self.axis {
            Axis::Step => ((summary.steps.0 as f64, summary.steps.1 as f64), summary.steps_sorted),
            _ => (
                (self.of_wall(summary.walls.0), self.of_wall(summary.walls.1)),
                summary.walls_sorted,
            ),
        };
        Span { min, max, sorted }
    }

    /// Wall times are finite, but not the difference of any two.
    fn of_wall(&self, wall: f64) -> f64 {
        (wall - self.origin).clamp(f64::MIN, f64::MAX)
    }

    /// Min and max x; nothing if no point has a finite one.
    pub(super) fn extent(&self) -> Option<(f64, f64)> {
        let chunks = self.chunks();
        let extent = if self.sorted && !chunks.is_empty() {
            (self.span(0).min, self.span(chunks.end - 1).max)
        } else {
            chunks
                .map(|index| self.span(index))
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), span| {
                    (min.min(span.min), max.max(span.max))
                })
        };
        (extent.0 <= extent.1).then_some(extent)
    }

    /// Chunks outside of which no point is in the window. Only order makes it narrow.
    pub(super) fn chunks_near(&self, window: Window) -> Range<usize> {
        let all = self.chunks();
        if !self.sorted {
            return all;
        }
        let from = partition(all.clone(), |index| self.span(index).max < window.from);
        let to = partition(from..all.end, |index| self.span(index).min <= window.to);
        from..to
    }

    /// The chunk that holds a point.
    pub(super) fn chunk_of(&self, point: usize) -> usize {
        let after = partition(self.chunks(), |index| self.points.start_of(index) <= point);
        after.saturating_sub(1)
    }
}

impl Unpacked {
    /// The x of a chunk, one per point; NaN where it is missing or not finite.
    pub(super) fn x(&mut self, view: &View, index: usize) -> &[f64] {
        self.x.clear();
        let chunk = view.chunk(index);
        match view.axis {
            Axis::Step => {
                self.steps.clear();
                chunk.steps_into(&mut self.steps);
                self.x.extend(self.steps.iter().map(|&step| step as f64));
            }
            Axis::WallTime => chunk.walls_into(&mut self.x),
            Axis::RelativeTime => {
                chunk.walls_into(&mut self.x);
                for x in &mut self.x {
                    *x = view.of_wall(*x);
                }
            }
            Axis::Given(x) => {
                let (from, to) = (view.points.start_of(index), view.points.start_of(index + 1));
                let here = x.get(from..to.min(x.len())).unwrap_or(&[]);
                let finite = |&x: &f64| if x.is_finite() { x } else { f64::NAN };
                self.x.extend(here.iter().map(finite));
                self.x.resize(to - from, f64::NAN);
            }
        }
        &self.x
    }
}

impl Window {
    /// The requested range, put in order.
    pub(super) fn of(range: Option<(f64, f64)>) -> Window {
        let (a, b) = range.unwrap_or((f64::NAN, f64::NAN));
        let a = if a.is_nan() { f64::NEG_INFINITY } else { a };
        let b = if b.is_nan() { f64::INFINITY } else { b };
        Window { from: a.min(b), to: a.max(b) }
    }

    pub(super) fn holds(&self, x: f64) -> bool {
        self.from <= x && x <= self.to
    }

    /// Appends to `out` what a chunk has at the points in the window, from its point `from` on.
    pub(super) fn pick(&self, x: &[f64], column: &[f64], from: usize, out: &mut Vec<f64>) {
        let (x, column) = (x.get(from..).unwrap_or(&[]), column.get(from..).unwrap_or(&[]));
        if x.iter().fold(true, |all, &x| all & self.holds(x)) {
            out.extend_from_slice(column);
        } else {
            let inside = x.iter().zip(column).filter(|(x, _)| self.holds(**x));
            out.extend(inside.map(|(_, value)| *value));
        }
    }

    /// Where columns begin and end: open ends are those of the data.
    pub(super) fn bounds(&self, extent: (f64, f64)) -> (f64, f64) {
        let or = |end: f64, data: f64| if end.is_finite() { end } else { data };
        (or(self.from, extent.0), or(self.to, extent.1))
    }
}

/// Pixel columns of equal width, the last one closed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    from: f64,
    width: f64,
    /// 1, or a half where the width is beyond what a float holds.
    scale: f64,
    pub(super) columns: usize,
}

impl Grid {
    pub(super) fn new((from, to): (f64, f64), columns: usize) -> Grid {
        let scale = if (to - from).is_finite() { 1.0 } else { 0.5 };
        Grid { from: from * scale, width: to * scale - from * scale, scale, columns }
    }

    /// The column of an x within the bounds; never decreases with x.
    pub(super) fn column(&self, x: f64) -> usize {
        if self.width <= 0.0 {
            return 0;
        }
        let column = (x * self.scale - self.from) / self.width * self.columns as f64;
        (column as usize).min(self.columns - 1)
    }

    pub(super) fn centre(&self, column: usize) -> f64 {
        let part = (column as f64 + 0.5) / self.columns as f64;
        (self.from + part * self.width) / self.scale
    }
}

/// The first of `range` for which `before` no longer holds.
fn partition(range: Range<usize>, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// An x for every point of `points`: the value of `other` at the same step, or else at the
/// highest lower step; NaN before its first step. Of several values at a step the last counts.
pub fn x_from_other(points: &Points, other: &Points) -> Vec<f64> {
    let mut known: Vec<(i64, f64)> = other.steps(0).into_iter().zip(other.values(0)).collect();
    if !other.steps_sorted() {
        known.sort_by_key(|&(step, _)| step);
    }
    let mut next = 0;
    points
        .steps(0)
        .into_iter()
        .map(|step| {
            if points.steps_sorted() {
                while known.get(next).is_some_and(|&(at, _)| at <= step) {
                    next += 1;
                }
            } else {
                next = known.partition_point(|&(at, _)| at <= step);
            }
            let last = next.checked_sub(1).and_then(|last| known.get(last));
            last.map_or(f64::NAN, |&(_, value)| value)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples::{cut, series};
    use super::*;

    #[test]
    fn another_tag_gives_x_by_step() {
        let points = series(&[-1, 0, 1, 2, 2, 5, 9]);
        type Other<'a> = &'a [(i64, f64)];
        let rows: [(&str, Other, [f64; 7]); 4] = [
            ("nothing", &[], [f64::NAN; 7]),
            (
                "sorted, with a step twice",
                &[(0, 10.0), (2, 11.0), (2, 12.0), (6, 13.0)],
                [f64::NAN, 10.0, 10.0, 12.0, 12.0, 12.0, 13.0],
            ),
            (
                "out of order",
                &[(6, 13.0), (2, 11.0), (0, 10.0), (2, 12.0)],
                [f64::NAN, 10.0, 10.0, 12.0, 12.0, 12.0, 13.0],
            ),
            (
                "NaN is a value",
                &[(-5, 1.0), (1, f64::NAN)],
                [1.0, 1.0, f64::NAN, f64::NAN, f64::NAN, f64::NAN, f64::NAN],
            ),
        ];
        for (name, other, expected) in rows {
            let rows: Vec<_> = other.iter().map(|&(step, value)| (step, 0.0, value)).collect();
            let x = x_from_other(&points, &cut(&rows, &[2]));
            let same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
            assert!(x.iter().zip(&expected).all(same), "{name}: {x:?}");
        }
        let backwards = series(&[9, 1, -1]);
        let other = cut(&[(0, 0.0, 10.0), (9, 0.0, 11.0)], &[1]);
        let x = x_from_other(&backwards, &other);
        assert_eq!(x[..2], [11.0, 10.0]);
        assert!(x[2].is_nan());
    }

    #[test]
    fn columns_are_in_order_even_where_floats_end() {
        for (from, to) in [
            (0.0, 1.0),
            (-1.0, 1e-300),
            (f64::MIN, f64::MAX),
            (0.0, 5e-324),
            (1e16, 1e16 + 2.0),
            (3.0, 3.0),
        ] {
            let grid = Grid::new((from, to), 7);
            assert_eq!(grid.column(from), 0);
            let last = grid.column(to);
            assert_eq!(last, if from == to { 0 } else { 6 }, "{from} {to}");
            assert!((0..7).all(|column| grid.centre(column).is_finite()));
        }
    }
}
