//! The columns of one tag: chunks of points, packed as narrow as is lossless.
//!
//! ```text
//!   Column   chunk │ chunk │ chunk │ … │ tail        (the tail is packed when it is published)
//!   Chunk    steps   even: start + i·stride, or u32 from the min, or i64
//!            walls   u32 in units of the last place from the min, or f64
//!            values  f32 where nothing is lost, else f64
//!            Summary of the chunk: extents and order, which level of detail uses
//! ```
//!
//! The columns of several chunks are in one block of memory: a block for each would be two system
//! calls for every thousand points while a file is loaded.

use std::sync::Arc;

use crate::types::{Step, WallTime};

/// Most points in a chunk. Times in it then span little, which is what makes them narrow.
pub const CHUNK_POINTS: usize = 1024;

/// Most full chunks whose columns share a block of memory.
const BLOCK_CHUNKS: usize = 8;

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
#[derive(Debug, Clone)]
pub struct Chunk {
    columns: Columns,
    /// The block that holds the columns, with those of its neighbours.
    block: Arc<Vec<u32>>,
    /// What is known without reading the points.
    pub summary: Summary,
}

/// How the points of a chunk are packed, and where in its block: one word for what is narrow, two
/// for what is wide.
#[derive(Debug, Clone)]
struct Columns {
    len: usize,
    steps: Steps,
    walls: Walls,
    values: Values,
}

#[derive(Debug, Clone)]
enum Steps {
    Even { start: i64, stride: i64 },
    Narrow { least: i64, at: usize },
    Wide { at: usize },
}

#[derive(Debug, Clone)]
enum Walls {
    /// Offsets from `least` counted in bit patterns, which for positive floats are in order.
    Narrow {
        least: u64,
        at: usize,
    },
    Wide {
        at: usize,
    },
}

#[derive(Debug, Clone)]
enum Values {
    Single { at: usize },
    Double { at: usize },
}

/// Extents of a chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Min and max step.
    pub steps: (i64, i64),
    /// First and last step in the order of the points.
    pub step_ends: (i64, i64),
    /// Whether steps never decrease.
    pub steps_sorted: bool,
    /// Min and max wall time.
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
    /// Min finite value.
    pub min: f64,
    /// Max finite value.
    pub max: f64,
    /// Last finite value.
    pub last: f64,
    /// How many values, including those that are not finite.
    pub count: u64,
    /// [`Extent::NAN`], [`Extent::PLUS_INFINITY`] and [`Extent::MINUS_INFINITY`] as found.
    pub flags: u8,
}

impl Extent {
    /// There is a NaN.
    pub const NAN: u8 = 1;
    /// There is a +∞.
    pub const PLUS_INFINITY: u8 = 2;
    /// There is a −∞.
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

/// Points that are not packed yet, side by side, where the compiler takes several at once.
#[derive(Debug, Clone, Default)]
struct Rows {
    steps: Vec<i64>,
    walls: Vec<f64>,
    values: Vec<f64>,
}

impl Rows {
    fn len(&self) -> usize {
        self.steps.len()
    }

    #[inline]
    fn push(&mut self, point: Point) {
        self.steps.push(point.step);
        self.walls.push(point.wall_time);
        self.values.push(point.value);
    }

    fn push_chunk(&mut self, chunk: &Chunk) {
        chunk.steps_into(&mut self.steps);
        chunk.walls_into(&mut self.walls);
        chunk.values_into(&mut self.values);
    }

    fn clear(&mut self) {
        self.steps.clear();
        self.walls.clear();
        self.values.clear();
    }

    /// Packs the points at the end of `block`; nothing when there are none.
    fn pack_into(&self, block: &mut Vec<u32>) -> Option<(Columns, Summary)> {
        let stride = even_stride(&self.steps);
        let summary = Summary::of(&self.steps, stride, &self.walls, &self.values)?;
        let columns = Columns {
            len: self.len(),
            steps: Steps::pack(&self.steps, stride, &summary, block),
            walls: Walls::pack(&self.walls, &summary, block),
            values: Values::pack(&self.values, block),
        };
        Some((columns, summary))
    }

    /// Packs the points into a block of their own.
    fn pack(&self) -> Option<Chunk> {
        let mut block = Vec::with_capacity(2 * self.len());
        let (columns, summary) = self.pack_into(&mut block)?;
        block.shrink_to_fit();
        Some(Chunk { columns, block: Arc::new(block), summary })
    }
}

fn push_wide(block: &mut Vec<u32>, bits: impl Iterator<Item = u64>) {
    block.extend(bits.flat_map(|bits| [bits as u32, (bits >> 32) as u32]));
}

impl Chunk {
    /// Packs `points`; nothing for an empty slice.
    pub fn pack(points: &[Point]) -> Option<Chunk> {
        let mut rows = Rows::default();
        points.iter().for_each(|&point| rows.push(point));
        rows.pack()
    }

    /// Number of points, at least one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.columns.len
    }

    fn narrow(&self, at: usize) -> &[u32] {
        &self.block[at..at + self.len()]
    }

    fn wide(&self, at: usize) -> impl Iterator<Item = u64> {
        let words = self.block[at..at + 2 * self.len()].as_chunks::<2>().0;
        words.iter().map(|&[low, high]| u64::from(low) | u64::from(high) << 32)
    }

    /// Bytes of memory behind this chunk.
    pub fn heap_bytes(&self) -> usize {
        let steps = match self.columns.steps {
            Steps::Even { .. } => 0,
            Steps::Narrow { .. } => 4,
            Steps::Wide { .. } => 8,
        };
        let walls = match self.columns.walls {
            Walls::Narrow { .. } => 4,
            Walls::Wide { .. } => 8,
        };
        let values = match self.columns.values {
            Values::Single { .. } => 4,
            Values::Double { .. } => 8,
        };
        size_of::<Chunk>() + self.len() * (steps + walls + values)
    }

    /// Appends the steps to `out`.
    pub fn steps_into(&self, out: &mut Vec<i64>) {
        match self.columns.steps {
            Steps::Even { start, stride } => {
                let indices = 0..self.len() as i64;
                out.extend(indices.map(|i| start.wrapping_add(i.wrapping_mul(stride))));
            }
            Steps::Narrow { least, at } => {
                let offsets = self.narrow(at).iter();
                out.extend(offsets.map(|&offset| least.wrapping_add(i64::from(offset))));
            }
            Steps::Wide { at } => out.extend(self.wide(at).map(|bits| bits as i64)),
        }
    }

    /// Appends the wall times to `out`.
    pub fn walls_into(&self, out: &mut Vec<f64>) {
        match self.columns.walls {
            Walls::Narrow { least, at } => {
                let offsets = self.narrow(at).iter();
                out.extend(offsets.map(|&offset| f64::from_bits(least + u64::from(offset))));
            }
            Walls::Wide { at } => out.extend(self.wide(at).map(f64::from_bits)),
        }
    }

    /// Appends the values to `out`.
    pub fn values_into(&self, out: &mut Vec<f64>) {
        match self.columns.values {
            Values::Single { at } => {
                out.extend(self.narrow(at).iter().map(|&bits| f64::from(f32::from_bits(bits))));
            }
            Values::Double { at } => out.extend(self.wide(at).map(f64::from_bits)),
        }
    }

    /// The points, unpacked.
    pub fn points(&self) -> Vec<Point> {
        let mut rows = Rows::default();
        rows.push_chunk(self);
        let times_and_values = rows.walls.into_iter().zip(rows.values);
        rows.steps
            .into_iter()
            .zip(times_and_values)
            .map(|(step, (wall_time, value))| Point { step, wall_time, value })
            .collect()
    }
}

impl Summary {
    fn of(steps: &[i64], stride: Option<i64>, walls: &[f64], values: &[f64]) -> Option<Summary> {
        let step_ends = (*steps.first()?, *steps.last()?);
        let wall_ends = (*walls.first()?, *walls.last()?);
        // Even steps ascend with their stride, unless they run over the largest number there is.
        let ascends = stride.filter(|&stride| stride >= 0).is_some_and(|stride| {
            let span = stride.checked_mul(steps.len() as i64 - 1);
            span.and_then(|span| step_ends.0.checked_add(span)).is_some()
        });
        let steps_sorted = ascends || is_sorted(steps);
        let walls_sorted = is_sorted(walls);
        let span = |span: (i64, i64), &step: &i64| (span.0.min(step), span.1.max(step));
        let wall_span = |span: (f64, f64), &wall: &f64| (span.0.min(wall), span.1.max(wall));
        Some(Summary {
            steps: if steps_sorted { step_ends } else { steps.iter().fold(step_ends, span) },
            step_ends,
            steps_sorted,
            walls: if walls_sorted { wall_ends } else { walls.iter().fold(wall_ends, wall_span) },
            wall_ends,
            walls_sorted,
            values: Extent::of(values),
        })
    }
}

// The loops below look at all points, because continuing costs less than asking at each whether to
// stop.

/// By how much each step differs from the one before, if it is always the same.
fn even_stride(steps: &[i64]) -> Option<i64> {
    let stride = match steps {
        [first, second, ..] => second.wrapping_sub(*first),
        _ => 0,
    };
    let pairs = steps.iter().zip(steps.iter().skip(1));
    let uneven = pairs.fold(0, |uneven, (a, b)| uneven | (b.wrapping_sub(*a) ^ stride));
    (uneven == 0).then_some(stride)
}

fn is_sorted<T: PartialOrd>(column: &[T]) -> bool {
    column.iter().zip(column.iter().skip(1)).fold(true, |sorted, (a, b)| sorted & (a <= b))
}

impl Steps {
    fn pack(steps: &[i64], stride: Option<i64>, summary: &Summary, block: &mut Vec<u32>) -> Steps {
        if let Some(stride) = stride {
            return Steps::Even { start: summary.step_ends.0, stride };
        }
        let (least, at) = (summary.steps.0, block.len());
        if summary.steps.1.checked_sub(least).is_some_and(|span| span <= i64::from(u32::MAX)) {
            block.extend(steps.iter().map(|step| (step - least) as u32));
            return Steps::Narrow { least, at };
        }
        push_wide(block, steps.iter().map(|&step| step as u64));
        Steps::Wide { at }
    }
}

impl Walls {
    fn pack(walls: &[f64], summary: &Summary, block: &mut Vec<u32>) -> Walls {
        let at = block.len();
        let (least, most) = (summary.walls.0.to_bits(), summary.walls.1.to_bits());
        // Bit patterns are in order only where the sign bit is clear.
        let bits = walls.iter().fold(0, |bits, wall| bits | wall.to_bits());
        if bits >> 63 == 0 && most - least <= u64::from(u32::MAX) {
            block.extend(walls.iter().map(|wall| (wall.to_bits() - least) as u32));
            return Walls::Narrow { least, at };
        }
        push_wide(block, walls.iter().map(|wall| wall.to_bits()));
        Walls::Wide { at }
    }
}

impl Values {
    fn pack(values: &[f64], block: &mut Vec<u32>) -> Values {
        let at = block.len();
        let mut single = true;
        for &value in values {
            single &= f64::from(value as f32) == value || value.is_nan();
        }
        if single {
            block.extend(values.iter().map(|&value| (value as f32).to_bits()));
            Values::Single { at }
        } else {
            push_wide(block, values.iter().map(|value| value.to_bits()));
            Values::Double { at }
        }
    }
}

/// The points of one tag as they are read: chunks, full chunks whose block is not full yet, and a
/// tail that still grows.
#[derive(Debug, Clone, Default)]
pub struct Column {
    chunks: Vec<Arc<Chunk>>,
    /// Points in `chunks` and `open`.
    packed: usize,
    open: Vec<(Columns, Summary)>,
    block: Vec<u32>,
    tail: Rows,
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
            self.pack_full();
        }
    }

    /// Packs a tail of the length of a chunk into the block.
    #[cold]
    fn pack_full(&mut self) {
        // Blocks grow with the column, so that a short one holds no memory in reserve.
        let chunks = self.chunks.len().clamp(1, BLOCK_CHUNKS);
        if self.open.is_empty() {
            self.block.reserve_exact(2 * CHUNK_POINTS * chunks);
        }
        self.packed += self.tail.len();
        self.open.extend(self.tail.pack_into(&mut self.block));
        self.tail.clear();
        if self.open.len() == chunks {
            self.close_block();
        }
    }

    fn close_block(&mut self) {
        if self.open.is_empty() {
            return;
        }
        self.block.shrink_to_fit();
        let block = Arc::new(std::mem::take(&mut self.block));
        for (columns, summary) in self.open.drain(..) {
            let block = block.clone();
            self.chunks.push(Arc::new(Chunk { columns, block, summary }));
        }
    }

    /// Adds the points of a chunk at the end; a chunk that is not small is shared.
    pub fn push_chunk(&mut self, chunk: &Arc<Chunk>) {
        if chunk.len() < CHUNK_POINTS / 4 {
            chunk.points().into_iter().for_each(|point| self.push(point));
        } else {
            self.share(chunk.clone());
        }
    }

    /// Adds a chunk as it is at the end, but for two neighbours that fit into one.
    pub fn share(&mut self, chunk: Arc<Chunk>) {
        self.seal();
        self.packed += chunk.len();
        self.append_chunk(chunk);
    }

    /// Packs the tail; a small last chunk is opened and packed together with it.
    pub fn seal(&mut self) {
        self.close_block();
        if let Some(chunk) = self.tail.pack() {
            self.packed += chunk.len();
            self.tail.clear();
            self.append_chunk(Arc::new(chunk));
        }
    }

    /// Packs the tail and gives back the memory it grew in.
    pub fn shrink(&mut self) {
        self.seal();
        self.open = Vec::new();
        self.tail = Rows::default();
        self.chunks.shrink_to_fit();
    }

    /// The points as chunks. The tail is packed for it.
    pub fn chunks(&mut self) -> &[Arc<Chunk>] {
        self.seal();
        &self.chunks
    }

    /// The points as chunks, for good.
    pub fn into_chunks(mut self) -> Vec<Arc<Chunk>> {
        self.seal();
        self.chunks
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
            let mut rows = Rows::default();
            rows.push_chunk(last);
            rows.push_chunk(&chunk);
            if let Some(merged) = rows.pack() {
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
        let rows: [(&str, Vec<Point>); 9] = [
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
            ("zeros", vec![point(0, 0.0, 0.0), point(1, -0.0, -0.0), point(2, 1.0, 1.0)]),
            (
                "round and round",
                (0..9i64).map(|i| point(i.wrapping_mul(i64::MAX / 3), 1.0, 1.0)).collect(),
            ),
            ("backwards", (0..50).map(|i| point(-i, 1.7e9 - i as f64, 1.0 / 3.0)).collect()),
        ];
        for (name, points) in rows {
            let chunk = Chunk::pack(&points).unwrap();
            let unpacked = chunk.points();
            assert_eq!(unpacked.len(), points.len(), "{name}");
            assert!(points.iter().zip(&unpacked).all(|(a, b)| same(a, b)), "{name}: {unpacked:?}");
            let summary = chunk.summary;
            let steps = || points.iter().map(|point| point.step);
            assert_eq!(Some(summary.steps), steps().min().zip(steps().max()), "{name}");
            assert_eq!(summary.steps_sorted, steps().is_sorted(), "{name}");
            let walls = || points.iter().map(|point| point.wall_time);
            let span = walls().fold((f64::MAX, f64::MIN), |a, b| (a.0.min(b), a.1.max(b)));
            assert_eq!(summary.walls, span, "{name}");
            assert_eq!(summary.walls_sorted, walls().is_sorted(), "{name}");
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
    fn chunks_share_blocks_whatever_the_width_of_their_columns() {
        let points: Vec<_> = (0..30_000)
            .map(|i: i64| match i / 5000 % 3 {
                0 => point(i, 1.7e9 + i as f64, 0.5),
                1 => point(i * i, 1.7e9 + i as f64, 0.1),
                _ => point(i.wrapping_mul(i64::MAX / 7), i as f64 * 1e9, 1e300),
            })
            .collect();
        let mut column: Column = points.iter().copied().collect();
        assert_eq!(column.len(), points.len());
        let blocks: Vec<_> = column.chunks().iter().map(|chunk| chunk.block.as_ptr()).collect();
        assert_eq!(blocks.iter().filter(|&&block| block == blocks[20]).count(), BLOCK_CHUNKS);
        let unpacked: Vec<_> = column.chunks().iter().flat_map(|chunk| chunk.points()).collect();
        assert!(points.iter().zip(&unpacked).all(|(a, b)| same(a, b)));
        assert_eq!(unpacked.len(), points.len());
        assert!(column.chunks().iter().all(|chunk| chunk.block.capacity() == chunk.block.len()));
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
