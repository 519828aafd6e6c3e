//! The columns of one tag: chunks of points, packed as narrow as is lossless.
//!
//! ```text
//!   Column   chunk │ chunk │ chunk │ … │ tail        (the tail is packed when it is published)
//!   Chunk    steps   even: start + i·stride, or u32 from the least, or i64
//!            walls   u32 in units of the last place from the least, or f64
//!            values  f32 where nothing is lost, else f64
//!            Summary of the chunk: extents and order, which level of detail lives on
//! ```

use std::sync::Arc;

use crate::types::{Step, WallTime};

/// Most points in a chunk. Times in it then span little, which is what makes them narrow.
pub const CHUNK_POINTS: usize = 1024;

/// One logged number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The step.
    pub step: Step,
    /// When it was logged; always finite.
    pub wall_time: WallTime,
    /// The number; NaN and infinities are values.
    pub value: f64,
}

/// Up to [`CHUNK_POINTS`] neighbouring points, never empty, never changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    len: u32,
    steps: Steps,
    walls: Walls,
    values: Values,
    /// What can be told without looking at the points.
    pub summary: Summary,
}

#[derive(Debug, Clone, PartialEq)]
enum Steps {
    Even { start: i64, stride: i64 },
    Narrow { least: i64, offsets: Box<[u32]> },
    Wide(Box<[i64]>),
}

#[derive(Debug, Clone, PartialEq)]
enum Walls {
    /// Offsets from `least` counted in bit patterns, which for positive floats are in order.
    Narrow {
        least: u64,
        offsets: Box<[u32]>,
    },
    Wide(Box<[f64]>),
}

#[derive(Debug, Clone, PartialEq)]
enum Values {
    Single(Box<[f32]>),
    Double(Box<[f64]>),
}

/// Extents of a chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Least and greatest step.
    pub steps: (i64, i64),
    /// First and last step in the order of the points.
    pub step_ends: (i64, i64),
    /// Whether steps never decrease.
    pub steps_sorted: bool,
    /// Least and greatest wall time.
    pub walls: (f64, f64),
    /// First and last wall time in the order of the points.
    pub wall_ends: (f64, f64),
    /// Whether wall times never decrease.
    pub walls_sorted: bool,
    /// What the values are.
    pub values: Extent,
}

/// Extent of some values. Finite values give the four numbers, all others a flag.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// First finite value; NaN when there is none, as for the next three.
    pub first: f64,
    /// Least finite value.
    pub min: f64,
    /// Greatest finite value.
    pub max: f64,
    /// Last finite value.
    pub last: f64,
    /// How many values, finite or not.
    pub count: u64,
    /// [`Extent::NAN`], [`Extent::PLUS_INFINITY`] and [`Extent::MINUS_INFINITY`] as met.
    pub flags: u8,
}

impl Extent {
    /// A NaN was met.
    pub const NAN: u8 = 1;
    /// A +∞ was met.
    pub const PLUS_INFINITY: u8 = 2;
    /// A −∞ was met.
    pub const MINUS_INFINITY: u8 = 4;

    /// The extent of nothing.
    pub const EMPTY: Extent = Extent {
        first: f64::NAN,
        min: f64::NAN,
        max: f64::NAN,
        last: f64::NAN,
        count: 0,
        flags: 0,
    };

    /// The extent of `values`.
    pub fn of(values: &[f64]) -> Extent {
        // Two passes: the plain one vectorises, and almost all data is finite.
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut finite = true;
        for &value in values {
            min = if value < min { value } else { min };
            max = if value > max { value } else { max };
            finite &= value.abs() < f64::INFINITY;
        }
        match (values.first(), values.last()) {
            (Some(&first), Some(&last)) if finite => {
                Extent { first, min, max, last, count: values.len() as u64, flags: 0 }
            }
            _ => {
                let mut extent = Extent::EMPTY;
                for &value in values {
                    extent.push(value);
                }
                extent
            }
        }
    }

    /// Adds one value at the end.
    #[inline]
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        if value.is_finite() {
            if self.first.is_nan() {
                self.first = value;
                self.min = value;
                self.max = value;
            } else {
                self.min = self.min.min(value);
                self.max = self.max.max(value);
            }
            self.last = value;
        } else if value.is_nan() {
            self.flags |= Self::NAN;
        } else if value > 0.0 {
            self.flags |= Self::PLUS_INFINITY;
        } else {
            self.flags |= Self::MINUS_INFINITY;
        }
    }

    /// Adds the values behind another extent at the end.
    #[inline]
    pub fn append(&mut self, later: &Extent) {
        self.count += later.count;
        self.flags |= later.flags;
        if later.first.is_nan() {
            return;
        }
        if self.first.is_nan() {
            self.first = later.first;
            self.min = later.min;
            self.max = later.max;
        } else {
            self.min = self.min.min(later.min);
            self.max = self.max.max(later.max);
        }
        self.last = later.last;
    }
}

impl Chunk {
    /// Packs `points`; nothing for an empty slice.
    pub fn pack(points: &[Point]) -> Option<Chunk> {
        let values: Vec<f64> = points.iter().map(|point| point.value).collect();
        let summary = Summary::of(points, &values)?;
        Some(Chunk {
            len: u32::try_from(points.len()).ok()?,
            steps: Steps::pack(points, &summary),
            walls: Walls::pack(points, &summary),
            values: Values::pack(&values),
            summary,
        })
    }

    /// Number of points, at least one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Bytes of memory behind this chunk.
    pub fn heap_bytes(&self) -> usize {
        let steps = match &self.steps {
            Steps::Even { .. } => 0,
            Steps::Narrow { offsets, .. } => offsets.len() * 4,
            Steps::Wide(steps) => steps.len() * 8,
        };
        let walls = match &self.walls {
            Walls::Narrow { offsets, .. } => offsets.len() * 4,
            Walls::Wide(walls) => walls.len() * 8,
        };
        let values = match &self.values {
            Values::Single(values) => values.len() * 4,
            Values::Double(values) => values.len() * 8,
        };
        size_of::<Chunk>() + steps + walls + values
    }

    /// Appends the steps to `out`.
    pub fn steps_into(&self, out: &mut Vec<i64>) {
        match &self.steps {
            Steps::Even { start, stride } => {
                out.extend(
                    (0..i64::from(self.len)).map(|i| start.wrapping_add(i.wrapping_mul(*stride))),
                );
            }
            Steps::Narrow { least, offsets } => {
                out.extend(offsets.iter().map(|&offset| least.wrapping_add(i64::from(offset))));
            }
            Steps::Wide(steps) => out.extend_from_slice(steps),
        }
    }

    /// Appends the wall times to `out`.
    pub fn walls_into(&self, out: &mut Vec<f64>) {
        match &self.walls {
            Walls::Narrow { least, offsets } => {
                out.extend(offsets.iter().map(|&offset| f64::from_bits(least + u64::from(offset))));
            }
            Walls::Wide(walls) => out.extend_from_slice(walls),
        }
    }

    /// Appends the values to `out`.
    pub fn values_into(&self, out: &mut Vec<f64>) {
        match &self.values {
            Values::Single(values) => out.extend(values.iter().map(|&value| f64::from(value))),
            Values::Double(values) => out.extend_from_slice(values),
        }
    }

    /// The points, unpacked.
    pub fn points(&self) -> Vec<Point> {
        let (mut steps, mut walls, mut values) = (Vec::new(), Vec::new(), Vec::new());
        self.steps_into(&mut steps);
        self.walls_into(&mut walls);
        self.values_into(&mut values);
        steps
            .into_iter()
            .zip(walls)
            .zip(values)
            .map(|((step, wall_time), value)| Point { step, wall_time, value })
            .collect()
    }
}

impl Summary {
    fn of(points: &[Point], values: &[f64]) -> Option<Summary> {
        let (first, last) = (points.first()?, points.last()?);
        let mut summary = Summary {
            steps: (first.step, first.step),
            step_ends: (first.step, last.step),
            steps_sorted: true,
            walls: (first.wall_time, first.wall_time),
            wall_ends: (first.wall_time, last.wall_time),
            walls_sorted: true,
            values: Extent::of(values),
        };
        let (mut step, mut wall) = (first.step, first.wall_time);
        for point in points {
            summary.steps_sorted &= point.step >= step;
            summary.walls_sorted &= point.wall_time >= wall;
            (step, wall) = (point.step, point.wall_time);
            summary.steps = (summary.steps.0.min(step), summary.steps.1.max(step));
            summary.walls = (summary.walls.0.min(wall), summary.walls.1.max(wall));
        }
        Some(summary)
    }
}

impl Steps {
    fn pack(points: &[Point], summary: &Summary) -> Steps {
        let start = summary.step_ends.0;
        let stride = match points {
            [first, second, ..] => second.step.wrapping_sub(first.step),
            _ => 0,
        };
        let even = points.windows(2).all(|pair| pair[1].step.wrapping_sub(pair[0].step) == stride);
        if even {
            return Steps::Even { start, stride };
        }
        let least = summary.steps.0;
        if summary.steps.1.checked_sub(least).is_some_and(|span| span <= i64::from(u32::MAX)) {
            let offsets = points.iter().map(|point| (point.step - least) as u32).collect();
            return Steps::Narrow { least, offsets };
        }
        Steps::Wide(points.iter().map(|point| point.step).collect())
    }
}

impl Walls {
    fn pack(points: &[Point], summary: &Summary) -> Walls {
        let (least, most) = (summary.walls.0.to_bits(), summary.walls.1.to_bits());
        // Bit patterns are in order only where the sign bit is clear.
        let positive = summary.walls.0.is_sign_positive();
        if positive && most - least <= u64::from(u32::MAX) {
            let offsets =
                points.iter().map(|point| (point.wall_time.to_bits() - least) as u32).collect();
            return Walls::Narrow { least, offsets };
        }
        Walls::Wide(points.iter().map(|point| point.wall_time).collect())
    }
}

impl Values {
    fn pack(values: &[f64]) -> Values {
        let mut single = true;
        for &value in values {
            single &= f64::from(value as f32) == value || value.is_nan();
        }
        if single {
            Values::Single(values.iter().map(|&value| value as f32).collect())
        } else {
            Values::Double(values.into())
        }
    }
}

/// The points of one tag as they are read: full chunks, and a tail that still grows.
#[derive(Debug, Clone, Default)]
pub struct Column {
    chunks: Vec<Arc<Chunk>>,
    /// Points in `chunks`.
    packed: usize,
    tail: Vec<Point>,
}

impl Column {
    /// Number of points.
    pub fn len(&self) -> usize {
        self.packed + self.tail.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a point at the end.
    #[inline]
    pub fn push(&mut self, point: Point) {
        self.tail.push(point);
        if self.tail.len() == CHUNK_POINTS {
            self.seal();
        }
    }

    /// Adds the points of a chunk at the end; a chunk that is not small is shared.
    pub fn push_chunk(&mut self, chunk: &Arc<Chunk>) {
        if chunk.len() < CHUNK_POINTS / 4 {
            chunk.points().into_iter().for_each(|point| self.push(point));
        } else {
            self.seal();
            self.packed += chunk.len();
            self.append_chunk(chunk.clone());
        }
    }

    /// Packs the tail; a small last chunk is opened and packed together with it.
    pub fn seal(&mut self) {
        if let Some(chunk) = Chunk::pack(&self.tail) {
            self.packed += chunk.len();
            self.tail.clear();
            self.append_chunk(Arc::new(chunk));
        }
    }

    /// Packs the tail and gives back the memory it grew in.
    pub fn shrink(&mut self) {
        self.seal();
        self.tail = Vec::new();
        self.chunks.shrink_to_fit();
    }

    /// The points as chunks. The tail is packed for it.
    pub fn chunks(&mut self) -> &[Arc<Chunk>] {
        self.seal();
        &self.chunks
    }

    /// Adds the points of `later` behind these.
    pub fn append(&mut self, mut later: Column) {
        self.seal();
        later.seal();
        self.packed += later.packed;
        for chunk in later.chunks {
            self.append_chunk(chunk);
        }
    }

    /// The tail must be empty, and `packed` already count the chunk.
    fn append_chunk(&mut self, chunk: Arc<Chunk>) {
        if let Some(last) = self.chunks.last_mut()
            && last.len() + chunk.len() <= CHUNK_POINTS
        {
            let mut points = last.points();
            points.extend(chunk.points());
            if let Some(merged) = Chunk::pack(&points) {
                *last = Arc::new(merged);
            }
            return;
        }
        self.chunks.push(chunk);
    }
}

impl FromIterator<Point> for Column {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut column = Column::default();
        for point in points {
            column.push(point);
        }
        column
    }
}

/// The points of one tag as readers see them; never changed once published.
#[derive(Debug, Clone, Default)]
pub struct Points {
    chunks: Vec<Arc<Chunk>>,
    /// Index of the first point of each chunk, and the number of points as the last entry.
    starts: Vec<usize>,
    steps_sorted: bool,
    walls_sorted: bool,
}

impl Points {
    /// The points of `chunks`.
    pub fn new(chunks: Vec<Arc<Chunk>>) -> Points {
        let mut starts = Vec::with_capacity(chunks.len() + 1);
        let (mut len, mut steps_sorted, mut walls_sorted) = (0, true, true);
        let mut ends: Option<(i64, f64)> = None;
        for chunk in &chunks {
            starts.push(len);
            len += chunk.len();
            let summary = &chunk.summary;
            steps_sorted &= summary.steps_sorted;
            walls_sorted &= summary.walls_sorted;
            if let Some((step, wall)) = ends {
                steps_sorted &= summary.step_ends.0 >= step;
                walls_sorted &= summary.wall_ends.0 >= wall;
            }
            ends = Some((summary.step_ends.1, summary.wall_ends.1));
        }
        starts.push(len);
        Points { chunks, starts, steps_sorted, walls_sorted }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The chunks, in order.
    pub fn chunks(&self) -> &[Arc<Chunk>] {
        &self.chunks
    }

    /// Index of the first point of chunk `index`; the number of points for one past the last.
    pub fn start_of(&self, index: usize) -> usize {
        self.starts.get(index).copied().unwrap_or_else(|| self.len())
    }

    /// Whether steps never decrease.
    pub fn steps_sorted(&self) -> bool {
        self.steps_sorted
    }

    /// Whether wall times never decrease.
    pub fn walls_sorted(&self) -> bool {
        self.walls_sorted
    }

    /// All steps from point `from` on.
    pub fn steps(&self, from: usize) -> Vec<i64> {
        self.gather(from, Chunk::steps_into)
    }

    /// All wall times from point `from` on.
    pub fn walls(&self, from: usize) -> Vec<f64> {
        self.gather(from, Chunk::walls_into)
    }

    /// All values from point `from` on.
    pub fn values(&self, from: usize) -> Vec<f64> {
        self.gather(from, Chunk::values_into)
    }

    fn gather<T: Copy>(&self, from: usize, read: impl Fn(&Chunk, &mut Vec<T>)) -> Vec<T> {
        let first = self.starts.partition_point(|&start| start <= from).saturating_sub(1);
        let mut out = Vec::with_capacity(self.len() - self.start_of(first).min(self.len()));
        for chunk in self.chunks.get(first..).unwrap_or(&[]) {
            read(chunk, &mut out);
        }
        let surplus = from.saturating_sub(self.start_of(first)).min(out.len());
        if surplus > 0 {
            out.drain(..surplus);
        }
        out
    }

    /// Bytes of memory behind the points.
    pub fn heap_bytes(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(|chunk| chunk.heap_bytes()).sum();
        chunks + self.chunks.capacity() * size_of::<Arc<Chunk>>() + self.starts.capacity() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(step: i64, wall_time: f64, value: f64) -> Point {
        Point { step, wall_time, value }
    }

    fn same(a: &Point, b: &Point) -> bool {
        a.step == b.step
            && a.wall_time.to_bits() == b.wall_time.to_bits()
            && (a.value == b.value || a.value.is_nan() && b.value.is_nan())
    }

    #[test]
    fn packing_loses_nothing() {
        let rows: [(&str, Vec<Point>); 7] = [
            ("even", (0..500).map(|i| point(10 * i, 1.7e9 + i as f64 * 0.1, i as f64)).collect()),
            ("one", vec![point(i64::MIN, 0.0, f64::NAN)]),
            ("uneven", (0..100).map(|i| point(i * i, 1.7e9, 0.1)).collect()),
            (
                "wide steps",
                vec![point(i64::MIN, 1.0, 0.0), point(i64::MAX, 2.0, -0.0), point(0, 3.0, 1e300)],
            ),
            ("years", (0..50).map(|i| point(i, 1e9 + i as f64 * 1e7, 1.0)).collect()),
            (
                "before 1970",
                vec![
                    point(0, -5.0, 1.0),
                    point(1, 5.0, f64::INFINITY),
                    point(2, -0.0, f64::NEG_INFINITY),
                ],
            ),
            ("backwards", (0..50).map(|i| point(-i, 1.7e9 - i as f64, 1.0 / 3.0)).collect()),
        ];
        for (name, points) in rows {
            let chunk = Chunk::pack(&points).unwrap();
            let unpacked = chunk.points();
            assert_eq!(unpacked.len(), points.len(), "{name}");
            assert!(points.iter().zip(&unpacked).all(|(a, b)| same(a, b)), "{name}: {unpacked:?}");
        }
        assert!(Chunk::pack(&[]).is_none());
    }

    #[test]
    fn a_usual_point_takes_eight_bytes_and_a_slow_one_twelve() {
        let bytes = |wall: fn(i64) -> f64| {
            let points: Vec<_> =
                (0..1024).map(|i| point(i * 100, wall(i), f64::from(i as f32 * 0.37))).collect();
            let chunk = Chunk::pack(&points).unwrap();
            chunk.heap_bytes() - size_of::<Chunk>()
        };
        assert_eq!(bytes(|i| 1.7e9 + i as f64 * 0.5), 8 * 1024);
        assert_eq!(bytes(|i| 1.7e9 + i as f64 * 60.0), 12 * 1024);
    }

    #[test]
    fn a_column_is_the_same_however_it_is_cut() {
        let points: Vec<_> =
            (0..5000).map(|i| point(i / 3, 1.7e9 + i as f64, (i as f64).sin())).collect();
        for piece in [1, 7, 400, 1023, 1024, 1025, 5000] {
            let mut column = Column::default();
            for part in points.chunks(piece) {
                column.append(part.iter().copied().collect());
            }
            let view = Points::new(column.chunks().to_vec());
            assert_eq!(view.len(), points.len());
            assert_eq!(view.steps(0), points.iter().map(|p| p.step).collect::<Vec<_>>());
            assert_eq!(
                view.walls(4000),
                points[4000..].iter().map(|p| p.wall_time).collect::<Vec<_>>()
            );
            assert_eq!(view.values(4999), [points[4999].value]);
            assert_eq!(view.values(5000), []);
            assert!(view.steps_sorted() && view.walls_sorted());
            assert!(view.chunks().len() <= 10, "pieces of {piece}: {}", view.chunks().len());
        }
    }

    #[test]
    fn extents_flag_what_is_not_finite() {
        let values = [f64::NAN, 2.0, f64::INFINITY, -1.0, f64::NEG_INFINITY];
        let extent = Extent::of(&values);
        assert_eq!((extent.first, extent.min, extent.max, extent.last), (2.0, -1.0, 2.0, -1.0));
        assert_eq!((extent.count, extent.flags), (5, 7));
        let mut parts = Extent::of(&values[..2]);
        parts.append(&Extent::of(&values[2..]));
        assert_eq!(parts, extent);
        assert!(Extent::of(&[]).min.is_nan());
    }
}
