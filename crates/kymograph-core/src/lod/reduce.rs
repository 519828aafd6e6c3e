//! One series reduced to pixel columns, or its points where they are few.

use std::ops::Range;

use super::view::{Grid, Span, Unpacked, View, Window};
use super::{MAX_COLUMNS, Query, Smoothing, smooth};
use crate::series::{Extent, Points};

/// What a plot shows of one series. All columns have one entry per pixel column that holds
/// points, in the order of x, or, if `exact`, one per point in series order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reduced {
    /// Whether these are the points themselves: the range holds at most two per pixel column.
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
    /// Least x of the points behind an entry.
    pub x_first: Vec<f64>,
    /// Greatest x of the points behind an entry.
    pub x_last: Vec<f64>,
    /// The values as logged.
    pub raw: Envelope,
    /// The smoothed values, if smoothing was asked for.
    pub smoothed: Option<Envelope>,
    /// Points behind an entry, finite or not.
    pub count: Vec<u32>,
    /// What is not finite behind an entry: [`Extent::NAN`] and the like.
    pub flags: Vec<u8>,
    /// The nearest point below the range, so that a line can reach the edge of the plot.
    pub before: Option<Neighbour>,
    /// The nearest point above the range.
    pub after: Option<Neighbour>,
}

/// The finite values behind each entry; NaN where there are none. In an exact answer all four
/// are the value itself, finite or not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Envelope {
    /// The value at the least x; of several the earliest.
    pub first: Vec<f64>,
    /// The least value.
    pub min: Vec<f64>,
    /// The greatest value.
    pub max: Vec<f64>,
    /// The value at the greatest x; of several the latest.
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
    let view = View::new(points, &query.axis);
    let window = Window::of(query.range);
    let mut reduced = Reduced {
        exact: true,
        sorted: view.ordered,
        total_points: points.len(),
        skipped: view.skipped,
        bounds: (f64::NAN, f64::NAN),
        smoothed: (query.smoothing != Smoothing::None).then(Envelope::default),
        ..Reduced::default()
    };
    let Some(extent) = view.extent() else {
        return reduced;
    };
    reduced.bounds = window.bounds(extent);
    let found = Found::look(&view, window);
    reduced.points_in_range = found.count;
    let columns = query.columns.clamp(1, MAX_COLUMNS);
    reduced.exact = found.count <= 2 * columns;

    let around = found.chunks_with_neighbours(&view);
    let mut neighbours = Neighbours::new(&view, &found);
    if reduced.exact {
        reduced.copy_points(&view, window, found.chunks.clone());
        neighbours.look_up_values();
        if let Some(envelope) = &mut reduced.smoothed {
            let mut smoothed = Vec::with_capacity(found.count);
            let mut unpacked = Unpacked::default();
            smooth::each_chunk(&view, query.smoothing, around, |index, values| {
                neighbours.pick_smoothed(index, values);
                if found.chunks.contains(&index) {
                    let x = unpacked.x(&view, index);
                    let inside = x.iter().zip(values).filter(|(x, _)| window.holds(**x));
                    smoothed.extend(inside.map(|(_, value)| *value));
                }
            });
            *envelope = Envelope::of_points(smoothed);
        }
    } else {
        let grid = Grid::new(reduced.bounds, columns);
        let mut raw = Reducer::new(&view, window, grid);
        raw.add_logged(found.chunks.clone());
        neighbours.look_up_values();
        if let Some(envelope) = &mut reduced.smoothed {
            let mut smoothed = Reducer::new(&view, window, grid);
            smooth::each_chunk(&view, query.smoothing, around, |index, values| {
                neighbours.pick_smoothed(index, values);
                smoothed.add_values(index, values);
            });
            *envelope = smoothed.envelope();
        }
        reduced.raw = raw.envelope();
        for column in raw.filled() {
            reduced.x_first.push(column.x_first);
            reduced.x_last.push(column.x_last);
            reduced
                .count
                .push(u32::try_from(column.values.count).unwrap_or(u32::MAX));
            reduced.flags.push(column.values.flags);
        }
    }
    (reduced.before, reduced.after) = (neighbours.before, neighbours.after);
    reduced
}

/// What lies in the window, before any value is looked at.
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
        let mut found = Found {
            count: 0,
            chunks: chunks.clone(),
            before: None,
            after: None,
        };
        let mut unpacked = Unpacked::default();
        let last = (chunks.end + 1).min(view.chunks().end);
        for index in chunks.start.saturating_sub(1)..last {
            let span = view.span(index);
            if window.holds(span.min) && window.holds(span.max) && span.sorted {
                found.count += view.chunk(index).len();
            } else if found.is_of_use(&span, window) {
                let start = view.points.start_of(index);
                for (offset, &x) in unpacked.x(view, index).iter().enumerate() {
                    found.see(x, start + offset, window);
                }
            }
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

    fn chunks_with_neighbours(&self, view: &View) -> Range<usize> {
        [self.before, self.after]
            .into_iter()
            .flatten()
            .map(|(_, point)| view.chunk_of(point))
            .fold(self.chunks.clone(), |chunks, index| {
                match chunks.is_empty() {
                    true => index..index + 1,
                    false => chunks.start.min(index)..chunks.end.max(index + 1),
                }
            })
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
        let unknown = |(x, _): (f64, usize)| Neighbour {
            x,
            value: f64::NAN,
            smoothed: None,
        };
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

impl Reduced {
    fn copy_points(&mut self, view: &View, window: Window, chunks: Range<usize>) {
        let (mut unpacked, mut values) = (Unpacked::default(), Vec::new());
        let mut inside = Vec::with_capacity(self.points_in_range);
        for index in chunks {
            let span = view.span(index);
            if span.max < window.from || span.min > window.to {
                continue;
            }
            values.clear();
            view.chunk(index).values_into(&mut values);
            for (&x, &value) in unpacked.x(view, index).iter().zip(&values) {
                if window.holds(x) {
                    self.x_first.push(x);
                    self.flags.push(Extent::of(&[value]).flags);
                    inside.push(value);
                }
            }
        }
        self.x_last = self.x_first.clone();
        self.count = vec![1; inside.len()];
        self.raw = Envelope::of_points(inside);
    }
}

impl Envelope {
    fn of_points(values: Vec<f64>) -> Envelope {
        Envelope {
            first: values.clone(),
            min: values.clone(),
            max: values.clone(),
            last: values,
        }
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

    /// Adds the values as logged, from summaries where a chunk lies in one pixel column.
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

    /// Adds values that stand for those of a chunk.
    fn add_values(&mut self, index: usize, values: &[f64]) {
        if !self.add_whole(index, || extent_of(values)) {
            self.add_points(index, values);
        }
    }

    /// Adds a chunk that needs no look at its points; tells whether that was so.
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
        while from < end {
            let column = grid.column(x[from]);
            let to = from + x[from..end].partition_point(|&x| grid.column(x) == column);
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

fn single(value: f64) -> Extent {
    let mut extent = Extent::EMPTY;
    extent.push(value);
    extent
}

/// [`Extent::of`], eight values at a time while all are finite.
fn extent_of(values: &[f64]) -> Extent {
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
