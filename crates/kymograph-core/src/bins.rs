//! Values counted in histogram bins: TensorBoard's default ones, and bins of equal width.
//!
//! The edges grow by a tenth, from 1e-12 to 1e20, on both sides of zero. A value's sign, exponent
//! and first four bits of mantissa name a cell, and a cell is at most a sixteenth wide: at most one
//! edge lies in it. So a table tells the bin up to that edge, and one comparison does the rest.
//!
//! ```text
//! cell    |----------|---------|--------|     a value's leading bits
//! edge      ^             ^                   at most one in each
//! slot    0 | 1      |  1 | 2  |   2          edges at or below the value
//! ```

use std::cmp::Ordering;
use std::sync::OnceLock;
use std::thread;

/// How many edges there are: 774 on each side of zero, and zero.
pub const EDGES: usize = 1549;
/// How many bins lie between them.
pub const BINS: usize = EDGES - 1;

/// A power of two above `EDGES`: an index cut to it needs no check.
const SLOTS: usize = 2048;
/// Values read in one go: few enough to stay in the cache between counting and summing.
const BLOCK: usize = 1024;
/// From so many values on, half of them are worth a thread.
const SPLIT: usize = 1 << 18;
/// So many leading bits sort values roughly.
const BUCKET_BITS: u32 = 16;
/// Sums kept side by side, for the processor to add several at once.
const LANES: usize = 8;

/// The edges, lowest first. Each is the one before it times 1.1, with the rounding of doing so
/// again and again: PyTorch writes these numbers to the last bit.
pub fn edges() -> &'static [f64; EDGES] {
    static MADE: OnceLock<[f64; EDGES]> = OnceLock::new();
    MADE.get_or_init(|| {
        let mut edges = [0.0; EDGES];
        let mut edge = 1e-12;
        for away in 1..=EDGES / 2 {
            edges[EDGES / 2 + away] = edge;
            edges[EDGES / 2 - away] = -edge;
            edge *= 1.1;
        }
        edges
    })
}

/// What a histogram says about its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Binned {
    /// How many values each bin holds. A value on an edge belongs to the bin above it, one on the
    /// last edge to the last bin; those outside of all bins, and NaN, are not counted.
    pub counts: Vec<u64>,
    /// The least value; NaN if there is one among the values, infinite if there is no value.
    pub min: f64,
    /// The greatest value; NaN and infinite as `min`.
    pub max: f64,
    /// The sum of all values.
    pub sum: f64,
    /// The sum of their squares.
    pub sum_squares: f64,
}

/// Counts and sums all values in one pass.
pub fn count<T: Real>(values: &[T]) -> Binned {
    let mut part = None;
    in_halves(values, Part::of, |other| match &mut part {
        None => part = Some(other),
        Some(part) => part.add(&other),
    });
    part.unwrap_or_else(|| Part::of::<T>(&[])).binned()
}

/// Min, max, sum and sum of squares of some values, as in `Binned`.
pub fn totals<T: Real>(values: &[T]) -> Totals {
    let mut all = Totals::new();
    let of = |values: &[T]| {
        let mut totals = Totals::new();
        values.chunks(BLOCK).for_each(|block| totals.add(block));
        totals
    };
    in_halves(values, of, |totals| all.join(&totals));
    all.with_nan()
}

/// Counts values in bins of equal width, of which `edges` are the limits, lowest first, as
/// `numpy.histogram` does: a product names a bin, whose edges correct it by one. What lies outside of
/// all bins is not counted.
pub fn count_equal<T: Real>(values: &[T], edges: &[f64]) -> Vec<u64> {
    let mut counts = vec![0; edges.len().saturating_sub(1)];
    in_halves(
        values,
        |values| equal_counts(values, edges),
        |other| counts.iter_mut().zip(other).for_each(|(count, other)| *count += other),
    );
    counts
}

fn equal_counts<T: Real>(values: &[T], edges: &[f64]) -> Vec<u64> {
    let (Some(&first), Some(&last)) = (edges.first(), edges.last()) else { return Vec::new() };
    let Some(top) = edges.len().checked_sub(2) else { return Vec::new() };
    let scale = (top + 1) as f64 / (last - first);
    // The first and the last bin need no correction on their outer side.
    let mut limits: Vec<(f64, f64)> = edges.windows(2).map(|pair| (pair[0], pair[1])).collect();
    limits[0].0 = f64::NEG_INFINITY;
    limits[top].1 = f64::INFINITY;
    // Two counters of each: equal neighbours need not wait for each other.
    let mut counters = vec![[0_u64; 2]; top + 1];
    let mut places = [0_u32; BLOCK];
    for block in values.chunks(BLOCK) {
        for (place, &value) in places.iter_mut().zip(block) {
            // From 2^52 on, the lowest bits of a double are the nearest whole number: a
            // conversion that is done for several values at once.
            let shifted = (value.into() - first) * scale + 4_503_599_627_370_496.0;
            *place = shifted.to_bits() as u32;
        }
        for (at, (&place, &value)) in places.iter().zip(block).enumerate() {
            let value: f64 = value.into();
            if !(value >= first && value <= last) {
                continue;
            }
            let bin = (place as usize).min(top);
            let (lower, upper) = limits[bin];
            let bin = bin + usize::from(value >= upper) - usize::from(value < lower);
            counters[bin][at % 2] += 1;
        }
    }
    counters.iter().map(|[even, odd]| even + odd).collect()
}

/// The values that sorting would put at these places. A place beyond the last value is the last.
pub fn ranked<T: Real>(values: &[T], places: &[usize]) -> Vec<f64> {
    let mut buckets = vec![0_u64; 1 << BUCKET_BITS];
    let of = |values: &[T]| {
        let mut buckets = vec![0_u32; 1 << BUCKET_BITS];
        values.iter().for_each(|value| buckets[value.bucket()] += 1);
        buckets
    };
    // 32 bits are enough for so many.
    for values in values.chunks(1 << 30) {
        in_halves(values, of, |other| {
            buckets.iter_mut().zip(other).for_each(|(sum, count)| *sum += u64::from(count));
        });
    }
    let mut gathered: Option<(usize, Vec<T>)> = None;
    let mut found = Vec::with_capacity(places.len());
    for &place in places {
        let mut below = place.min(values.len().saturating_sub(1)) as u64;
        let bucket = buckets.iter().position(|&count| {
            let is_here = below < count;
            below -= if is_here { 0 } else { count };
            is_here
        });
        let Some(bucket) = bucket else { continue };
        if gathered.as_ref().is_none_or(|(of, _)| *of != bucket) {
            gathered = Some((bucket, in_bucket(values, bucket)));
        }
        if let Some((_, inside)) = &mut gathered {
            let (_, value, _) = inside.select_nth_unstable_by(below as usize, T::total_order);
            found.push((*value).into());
        }
    }
    found
}

/// The values with these leading bits. Most groups have none, which is seen for all at once.
fn in_bucket<T: Real>(values: &[T], bucket: usize) -> Vec<T> {
    let mut found = Vec::new();
    let is_inside = |value: &T| value.bucket() == bucket;
    for group in values.chunks(16) {
        if group.iter().fold(false, |any, value| any | is_inside(value)) {
            found.extend(group.iter().filter(|value| is_inside(value)));
        }
    }
    found
}

/// Calls `of` with all values, or for many with two halves at the same time: a caller is waiting.
fn in_halves<T: Sync, P: Send>(
    values: &[T],
    of: impl Fn(&[T]) -> P + Sync,
    mut put: impl FnMut(P),
) {
    if values.len() < SPLIT {
        return put(of(values));
    }
    let (one, other) = values.split_at(values.len() / 2);
    thread::scope(|scope| {
        let helper = thread::Builder::new().spawn_scoped(scope, || of(one));
        put(of(other));
        match helper.ok().map(thread::ScopedJoinHandle::join) {
            Some(Ok(part)) => put(part),
            // No thread could be had.
            _ => put(of(one)),
        }
    });
}

/// What is known of some of the values.
struct Part {
    slots: Vec<u64>,
    totals: Totals,
}

impl Part {
    fn of<T: Real>(values: &[T]) -> Self {
        let tables = T::tables();
        let mut slots = vec![0; SLOTS];
        let mut totals = Totals::new();
        // 32 bits are enough for so many, and keep the counters in the cache.
        for values in values.chunks(1 << 20) {
            let mut counters = Counters::new();
            for block in values.chunks(BLOCK) {
                counters.add(tables, block);
                totals.add(block);
            }
            counters.pour_into(&mut slots);
        }
        Self { slots, totals }
    }

    fn add(&mut self, other: &Self) {
        for (slot, count) in self.slots.iter_mut().zip(&other.slots) {
            *slot += count;
        }
        self.totals.join(&other.totals);
    }

    fn binned(self) -> Binned {
        let Totals { min, max, sum, squares } = self.totals.with_nan();
        Binned { counts: self.slots[1..=BINS].to_vec(), min, max, sum, sum_squares: squares }
    }
}

/// A float whose leading bits name a cell.
pub trait Real: Copy + PartialOrd + Into<f64> + Send + Sync + 'static {
    /// How many cells there are.
    const CELLS: usize;
    /// Sign, exponent and four bits of mantissa.
    fn cell(self) -> usize;
    /// The least number of this type that is not below `number`.
    fn round_up(number: f64) -> Self;
    /// The leading bits, greater for greater values.
    fn bucket(self) -> usize;
    /// The order of sorting.
    fn total_order(&self, other: &Self) -> Ordering;
    /// What is looked up, made once.
    fn tables() -> &'static Tables<Self>;
}

impl Real for f32 {
    const CELLS: usize = 1 << (1 + 8 + 4);

    #[inline]
    fn cell(self) -> usize {
        (self.to_bits() >> (23 - 4)) as usize
    }

    fn round_up(number: f64) -> Self {
        let near = number as Self;
        if f64::from(near) < number { near.next_up() } else { near }
    }

    #[inline]
    fn bucket(self) -> usize {
        let bits = self.to_bits();
        let flip = (bits.cast_signed() >> 31).cast_unsigned() | 1 << 31;
        ((bits ^ flip) >> (32 - BUCKET_BITS)) as usize
    }

    fn total_order(&self, other: &Self) -> Ordering {
        self.total_cmp(other)
    }

    fn tables() -> &'static Tables<Self> {
        static MADE: OnceLock<Tables<f32>> = OnceLock::new();
        MADE.get_or_init(Tables::new)
    }
}

impl Real for f64 {
    const CELLS: usize = 1 << (1 + 11 + 4);

    #[inline]
    fn cell(self) -> usize {
        (self.to_bits() >> (52 - 4)) as usize
    }

    fn round_up(number: f64) -> Self {
        number
    }

    #[inline]
    fn bucket(self) -> usize {
        let bits = self.to_bits();
        let flip = (bits.cast_signed() >> 63).cast_unsigned() | 1 << 63;
        ((bits ^ flip) >> (64 - BUCKET_BITS)) as usize
    }

    fn total_order(&self, other: &Self) -> Ordering {
        self.total_cmp(other)
    }

    fn tables() -> &'static Tables<Self> {
        static MADE: OnceLock<Tables<f64>> = OnceLock::new();
        MADE.get_or_init(Tables::new)
    }
}

/// What it takes to find a value's slot: the number of edges at or below it. Slot 0 is below all
/// bins, slot `EDGES` above.
pub struct Tables<T> {
    /// For each cell, its edge, and the slot of what lies in it before that. Edges are numbers of
    /// this type, so that comparing with them is the same as comparing with the exact ones; above
    /// the last it is NaN, which nothing reaches.
    cells: Vec<(T, u32)>,
}

impl<T: Real> Tables<T> {
    /// The edges in this type, and NaN after the last.
    fn edges() -> [T; EDGES + 1] {
        let mut edges = [T::round_up(f64::NAN); EDGES + 1];
        for (rounded, &edge) in edges.iter_mut().zip(self::edges()) {
            *rounded = T::round_up(edge);
        }
        // The last bin holds its upper edge too.
        edges[EDGES - 1] = T::round_up(self::edges()[EDGES - 1].next_up());
        edges
    }

    fn new() -> Self {
        let edges = Self::edges();
        let (below, above) = edges[..EDGES].split_at(EDGES / 2);
        let cells = (0..T::CELLS).map(|cell| {
            let negative = cell >= T::CELLS / 2;
            let slot = if negative {
                below.partition_point(|edge| edge.cell() > cell)
            } else {
                below.len() + above.partition_point(|edge| edge.cell() < cell)
            };
            (edges[slot], slot as u32)
        });
        Self { cells: cells.collect() }
    }

    #[inline]
    fn slot(&self, value: T) -> usize {
        let (edge, slot) = self.cells[value.cell()];
        slot as usize + usize::from(value >= edge)
    }
}

/// Counters of one part. There are two of each: equal neighbours need not wait for each other.
struct Counters([[u32; SLOTS]; 2]);

impl Counters {
    fn new() -> Self {
        Self([[0; SLOTS]; 2])
    }

    #[inline]
    fn add<T: Real>(&mut self, tables: &Tables<T>, block: &[T]) {
        let [even, odd] = &mut self.0;
        let (pairs, rest) = block.as_chunks::<2>();
        for [one, other] in pairs {
            even[tables.slot(*one) % SLOTS] += 1;
            odd[tables.slot(*other) % SLOTS] += 1;
        }
        for value in rest {
            even[tables.slot(*value) % SLOTS] += 1;
        }
    }

    fn pour_into(&self, slots: &mut [u64]) {
        let [even, odd] = &self.0;
        for (slot, (even, odd)) in slots.iter_mut().zip(even.iter().zip(odd)) {
            *slot += u64::from(*even) + u64::from(*odd);
        }
    }
}

/// What is known of values without bins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// As in `Binned`.
    pub min: f64,
    /// As in `Binned`.
    pub max: f64,
    /// The sum of all values.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
}

impl Totals {
    fn new() -> Self {
        Self { min: f64::INFINITY, max: f64::NEG_INFINITY, sum: 0.0, squares: 0.0 }
    }

    /// Squares are never of different sign: only a NaN among the values makes their sum one.
    fn with_nan(mut self) -> Self {
        if self.squares.is_nan() {
            (self.min, self.max) = (f64::NAN, f64::NAN);
        }
        self
    }

    #[inline]
    fn add<T: Real>(&mut self, block: &[T]) {
        let Some(&first) = block.first() else { return };
        // Extremes stay in the narrower type, of which more fit into a register; each is written
        // so that it becomes one instruction. NaN is seen to at the end.
        let (mut min, mut max) = ([first; LANES], [first; LANES]);
        let (mut sum, mut squares) = ([0.0; LANES], [0.0; LANES]);
        let (whole, rest) = block.as_chunks::<LANES>();
        for values in whole {
            for (lane, &value) in values.iter().enumerate() {
                min[lane] = if value < min[lane] { value } else { min[lane] };
                max[lane] = if value > max[lane] { value } else { max[lane] };
                let value: f64 = value.into();
                sum[lane] += value;
                squares[lane] += value * value;
            }
        }
        for (lane, (&min, &max)) in min.iter().zip(&max).enumerate() {
            let (min, max) = (min.into(), max.into());
            self.join(&Self { min, max, sum: sum[lane], squares: squares[lane] });
        }
        for &value in rest {
            let value = value.into();
            self.join(&Self { min: value, max: value, sum: value, squares: value * value });
        }
    }

    fn join(&mut self, other: &Self) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a value belongs, by looking at every edge.
    fn bin_of(value: f64) -> Option<usize> {
        let edges = edges();
        if value == edges[BINS] {
            return Some(BINS - 1);
        }
        (0..BINS).find(|&bin| edges[bin] <= value && value < edges[bin + 1])
    }

    fn counted<T: Real>(value: T) -> Option<usize> {
        let counts = count(&[value]).counts;
        assert!(counts.iter().sum::<u64>() <= 1);
        counts.iter().position(|&count| count == 1)
    }

    #[test]
    fn the_edges_are_torchs() {
        let edges = edges();
        assert_eq!(edges[774..777], [0.0, 1e-12, 1e-12 * 1.1]);
        assert_eq!((edges[0], edges[1548]), (-9.920775621859783e19, 9.920775621859783e19));
        assert!(edges.is_sorted());
    }

    #[test]
    fn a_cell_holds_at_most_one_edge() {
        fn check<T: Real>() {
            let cells: Vec<_> =
                Tables::<T>::edges()[..EDGES].iter().map(|edge| edge.cell()).collect();
            assert!(cells.windows(2).all(|pair| pair[0] != pair[1]));
        }
        check::<f32>();
        check::<f64>();
    }

    #[test]
    fn halves_add_up_to_the_whole() {
        let values: Vec<f32> = (0..SPLIT + 3).map(|i| (i % 1000) as f32 - 400.0).collect();
        let (whole, part) = (count(&values), Part::of(&values).binned());
        assert_eq!(whole, part);
        assert_eq!((whole.min, whole.max), (-400.0, 599.0));
        assert_eq!(whole.counts.iter().sum::<u64>(), values.len() as u64);
    }

    #[test]
    fn values_on_beside_and_between_edges_find_their_bins() {
        for pair in edges().windows(2) {
            let middle = f64::midpoint(pair[0], pair[1]);
            for value in [pair[0].next_down(), pair[0], pair[0].next_up(), middle, pair[1]] {
                assert_eq!(counted(value), bin_of(value), "{value}");
                let near = value as f32;
                for single in [near.next_down(), near, near.next_up()] {
                    assert_eq!(counted(single), bin_of(f64::from(single)), "{single}");
                }
            }
        }
    }

    #[test]
    fn values_from_all_over_the_range_find_their_bins() {
        let mut bits = 1u64;
        for _ in 0..2000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            let (double, single) = (f64::from_bits(bits), f32::from_bits((bits >> 32) as u32));
            assert_eq!(counted(double), bin_of(double), "{double}");
            assert_eq!(counted(single), bin_of(f64::from(single)), "{single}");
        }
    }

    #[test]
    fn zeros_and_tiny_values_lie_beside_zero() {
        for (value, bin) in [(0.0, 774), (-0.0, 774), (5e-324, 774), (-5e-324, 773)] {
            assert_eq!(counted(value), Some(bin), "{value}");
        }
        assert_eq!(counted(f32::from_bits(1)), Some(774));
    }

    #[test]
    fn what_is_outside_of_all_bins_is_summed_but_not_counted() {
        let binned = count(&[1e30, -1e30, 3.0, f64::INFINITY]);
        assert_eq!(binned.counts.iter().sum::<u64>(), 1);
        assert_eq!((binned.min, binned.max), (-1e30, f64::INFINITY));
        assert_eq!((binned.sum, binned.sum_squares), (f64::INFINITY, f64::INFINITY));
    }

    #[test]
    fn nan_is_not_counted_and_shows_in_everything_else() {
        for at in 0..20 {
            let mut values = [1.0f32; 20];
            values[at] = if at % 2 == 0 { f32::NAN } else { -f32::NAN };
            let binned = count(&values);
            assert_eq!(binned.counts.iter().sum::<u64>(), 19);
            assert!(binned.min.is_nan() && binned.max.is_nan());
            assert!(binned.sum.is_nan() && binned.sum_squares.is_nan());
        }
    }

    #[test]
    fn both_infinities_leave_the_extremes_alone() {
        let binned = count(&[f32::INFINITY, 1.0, f32::NEG_INFINITY]);
        assert_eq!((binned.min, binned.max), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(binned.sum.is_nan());
        assert_eq!(binned.sum_squares, f64::INFINITY);
    }

    /// Numbers of every size and sign, some of them twice.
    fn spread(count: usize) -> Vec<f64> {
        let mut bits = 7_u64;
        let next = |_| {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            let unit = (bits >> 11) as f64 / (1_u64 << 53) as f64;
            let value = (unit - 0.5) * 10_f64.powi((bits % 7) as i32 - 3);
            if bits.is_multiple_of(5) { value.round() } else { value }
        };
        (0..count).map(next).collect()
    }

    #[test]
    fn ranked_values_are_those_of_sorting() {
        for count in [1, 2, 5, 1000, SPLIT + 7] {
            let values = spread(count);
            let singles: Vec<f32> = values.iter().map(|&value| value as f32).collect();
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let places = [0, count / 4, count / 4 + 1, count / 2, count * 3 / 4, count - 1];
            let expected = places.map(|place| sorted[place.min(count - 1)]);
            assert_eq!(ranked(&values, &places), expected);
            assert_eq!(ranked(&singles, &places), expected.map(|value| f64::from(value as f32)));
        }
        assert_eq!(ranked(&[-1.0_f32, 1.0, -0.0, f32::INFINITY, 0.5], &[3, 0]), [1.0, -1.0]);
        assert_eq!(ranked::<f64>(&[], &[0]), []);
    }

    #[test]
    fn equal_bins_hold_what_lies_between_their_edges() {
        let values = spread(SPLIT + 3);
        let edges: Vec<f64> = (0..=50).map(|edge| f64::from(edge) * 0.7 - 20.0).collect();
        let counts = count_equal(&values, &edges);
        for (bin, &count) in counts.iter().enumerate() {
            let is_last = bin + 1 == counts.len();
            let inside = |value: &&f64| {
                **value >= edges[bin]
                    && (**value < edges[bin + 1] || is_last && **value <= edges[bin + 1])
            };
            assert_eq!(count, values.iter().filter(inside).count() as u64, "{bin}");
        }
        assert_eq!(count_equal(&[0.0, 0.5, 1.0, 2.0, f64::NAN], &[0.0, 0.5, 1.0]), [1, 2]);
        assert_eq!(count_equal(&[1.0], &[]), [] as [u64; 0]);
        assert_eq!(count_equal(&[1.0], &[1.0]), [] as [u64; 0]);
    }

    #[test]
    fn totals_are_those_of_counting() {
        let values = spread(SPLIT + 5);
        let (totals, binned) = (totals(&values), count(&values));
        assert_eq!((totals.min, totals.max), (binned.min, binned.max));
        assert_eq!((totals.sum, totals.squares), (binned.sum, binned.sum_squares));
        assert!(self::totals(&[1.0, f64::NAN]).min.is_nan());
    }

    #[test]
    fn every_value_of_a_long_slice_is_seen() {
        for length in [0, 1, 7, 8, 9, BLOCK + 3, (1 << 20) + 5] {
            let values: Vec<f64> = (0..length).map(|index| (index % 5) as f64).collect();
            let binned = count(&values);
            assert_eq!(binned.counts.iter().sum::<u64>(), length as u64);
            assert_eq!(binned.sum, values.iter().sum::<f64>());
            assert_eq!(binned.sum_squares, values.iter().map(|value| value * value).sum::<f64>());
            assert_eq!(binned.max, values.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        }
    }
}
