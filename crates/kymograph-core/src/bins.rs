//! Values counted in histogram bins: TensorBoard's default ones, and bins of equal width.
//!
//! The edges grow by a tenth, from 1e-12 to 1e20, on both sides of zero. A value's sign, exponent
//! and first four bits of mantissa name a cell, and a cell is at most a sixteenth wide: at most one
//! edge is in it. So a table gives the bin up to that edge, and where in the cell the next begins.
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
/// How many bins there are between them.
pub const BINS: usize = EDGES - 1;

/// A power of two above twice `EDGES`: an index cut to it needs no check.
const SLOTS: usize = 4096;
/// Values read in one go: few enough to stay in the cache between counting and summing.
const BLOCK: usize = 1024;
/// From this many values on, half of them are worth a thread.
const SPLIT: usize = 1 << 18;
/// This many leading bits sort values roughly.
const BUCKET_BITS: u32 = 16;
const BUCKETS: usize = 1 << BUCKET_BITS;
/// Sums kept side by side, for the processor to add several at once.
const LANES: usize = 16;

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
    /// How many values each bin has. A value on an edge belongs to the bin above it, one on the
    /// last edge to the last bin; those outside of all bins, and NaN, are not counted.
    pub counts: Vec<u64>,
    /// The min value; NaN if there is one among the values, infinite if there is no value.
    pub min: f64,
    /// The max value; NaN and infinite as `min`.
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
/// `numpy.histogram` does: a product names a bin, whose edges correct it by one. What is outside of
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
    let Some(bins) = EqualBins::<T>::new(edges) else { return Vec::new() };
    // Two counters of each: equal neighbours need not wait for each other.
    let mut counters = vec![[0_u64; 2]; edges.len() + 1];
    for block in values.chunks(BLOCK) {
        // Written so that many values are compared at once.
        if bins.is_regular && block.iter().fold(true, |all, value| all & bins.hold(value)) {
            bins.count(block, &mut counters);
        } else {
            for value in block.iter().filter(|value| bins.hold(value)) {
                counters[bins.exact_slot((*value).into())][0] += 1;
            }
        }
    }
    counters[1..edges.len()].iter().map(|[even, odd]| even + odd).collect()
}

/// Bins of equal width. A value's slot is the number of edges at or below it.
struct EqualBins<'a, T> {
    edges: &'a [f64],
    /// How many bins there are in one unit.
    scale: f64,
    /// Values in the bins are not below the first of these, and below the second.
    limits: (T, T),
    /// The edges in the type of the values; the outer ones are out of reach.
    inner: Vec<T>,
    /// Whether each edge is close enough to where a product expects it for `count`.
    is_regular: bool,
}

impl<'a, T: Real> EqualBins<'a, T> {
    /// `None` if there is no bin.
    fn new(edges: &'a [f64]) -> Option<Self> {
        let [first, .., last] = *edges else { return None };
        let scale = (edges.len() - 1) as f64 / (last - first);
        let mut inner: Vec<T> = edges.iter().map(|&edge| T::round_up(edge)).collect();
        *inner.first_mut()? = T::round_up(f64::NEG_INFINITY);
        *inner.last_mut()? = T::round_up(f64::INFINITY);
        let limits = (T::round_up(first), T::round_up(last.next_up()));
        let is_near =
            |(place, edge): (usize, &f64)| ((edge - first) * scale - place as f64).abs() < 0.25;
        let is_regular = edges.iter().enumerate().all(is_near);
        Some(Self { edges, scale, limits, inner, is_regular })
    }

    #[inline]
    fn hold(&self, value: &T) -> bool {
        (*value >= self.limits.0) & (*value < self.limits.1)
    }

    /// Counts values that are all in the bins. The edge that is nearest to a value is its lower or
    /// its upper one: a value between edges `k` and `k + 1` has a product from `k - 0.25` to
    /// `k + 1.25`, since products grow with values.
    #[inline]
    fn count(&self, block: &[T], counters: &mut [[u64; 2]]) {
        let mut places = [0_u32; BLOCK];
        for (place, &value) in places.iter_mut().zip(block) {
            // From 2^52 on, the lowest bits of a double are the nearest whole number: a
            // conversion that is done for several values at once.
            let shifted = (value.into() - self.edges[0]) * self.scale + 4_503_599_627_370_496.0;
            *place = shifted.to_bits() as u32;
        }
        for (at, (&place, value)) in places.iter().zip(block).enumerate() {
            let place = place as usize;
            counters[place + usize::from(*value >= self.inner[place])][at % 2] += 1;
        }
    }

    /// The slot that numpy chooses: a product names a bin, whose edges correct it by one.
    fn exact_slot(&self, value: f64) -> usize {
        let last = self.edges.len() - 2;
        let bin = (((value - self.edges[0]) * self.scale) as usize).min(last);
        let is_below = value < self.edges[bin];
        let is_above = bin != last && value >= self.edges[bin + 1];
        (bin + 1 + usize::from(is_above)).saturating_sub(usize::from(is_below)).max(1)
    }
}

/// The values that sorting would put at these places. A place beyond the last value is the last.
pub fn ranked<T: Real>(values: &[T], places: &[usize]) -> Vec<f64> {
    let mut buckets = vec![0_u64; BUCKETS];
    let of = |values: &[T]| {
        let mut buckets = vec![0_u32; BUCKETS];
        values.iter().for_each(|value| buckets[value.bucket() % BUCKETS] += 1);
        buckets
    };
    // 32 bits are enough for so many.
    for values in values.chunks(1 << 30) {
        in_halves(values, of, |other| {
            buckets.iter_mut().zip(other).for_each(|(sum, count)| *sum += u64::from(count));
        });
    }
    // Negative values come first, those with the highest leading bits before all others.
    let ascending = || (BUCKETS / 2..BUCKETS).rev().chain(0..BUCKETS / 2);
    let mut gathered: Option<(usize, Vec<T>)> = None;
    let mut found = Vec::with_capacity(places.len());
    for &place in places {
        let mut below = place.min(values.len().saturating_sub(1)) as u64;
        let bucket = ascending().find(|&bucket| {
            let is_here = below < buckets[bucket];
            below -= if is_here { 0 } else { buckets[bucket] };
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
    for group in values.chunks(32) {
        if group.iter().fold(false, |any, value| any | value.is_in(bucket)) {
            found.extend(group.iter().filter(|value| value.is_in(bucket)));
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
            // No thread could be started.
            _ => put(of(one)),
        }
    });
}

/// Statistics of some of the values.
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
    /// How many bits are left of a value within its cell.
    const LOW_BITS: u32;
    /// As many bits as a value has.
    type Entry: Copy + Send + Sync;
    /// Sign, exponent and four bits of mantissa.
    fn cell(self) -> usize;
    /// The other bits.
    fn low(self) -> u64;
    /// The low bits of a sum.
    fn entry(sum: u64) -> Self::Entry;
    /// The leading bits of a value's bits and the entry of its cell, added up.
    fn look_up(self, entries: &[Self::Entry]) -> usize;
    /// The smallest number of this type that is not below `number`.
    fn round_up(number: f64) -> Self;
    /// The leading bits.
    fn bucket(self) -> usize;
    /// Whether these are the leading bits.
    fn is_in(self, bucket: usize) -> bool;
    /// The order of sorting.
    fn total_order(&self, other: &Self) -> Ordering;
    /// The look-up table, built once.
    fn tables() -> &'static Tables<Self>;
}

impl Real for f32 {
    const CELLS: usize = 1 << (1 + 8 + 4);
    const LOW_BITS: u32 = 32 - (1 + 8 + 4);
    type Entry = u32;

    #[inline]
    fn cell(self) -> usize {
        (self.to_bits() >> Self::LOW_BITS) as usize
    }

    fn entry(sum: u64) -> u32 {
        sum as u32
    }

    #[inline]
    fn look_up(self, entries: &[u32]) -> usize {
        (entries[self.cell()].wrapping_add(self.to_bits()) >> Self::LOW_BITS) as usize
    }

    fn low(self) -> u64 {
        u64::from(self.to_bits()) % (1 << Self::LOW_BITS)
    }

    fn round_up(number: f64) -> Self {
        let near = number as Self;
        if f64::from(near) < number { near.next_up() } else { near }
    }

    #[inline]
    fn bucket(self) -> usize {
        (self.to_bits() >> (32 - BUCKET_BITS)) as usize
    }

    #[inline]
    fn is_in(self, bucket: usize) -> bool {
        self.to_bits() >> (32 - BUCKET_BITS) == bucket as u32
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
    const LOW_BITS: u32 = 64 - (1 + 11 + 4);
    type Entry = u64;

    #[inline]
    fn cell(self) -> usize {
        (self.to_bits() >> Self::LOW_BITS) as usize
    }

    fn entry(sum: u64) -> u64 {
        sum
    }

    #[inline]
    fn look_up(self, entries: &[u64]) -> usize {
        (entries[self.cell()].wrapping_add(self.to_bits()) >> Self::LOW_BITS) as usize
    }

    fn low(self) -> u64 {
        self.to_bits() % (1 << Self::LOW_BITS)
    }

    fn round_up(number: f64) -> Self {
        number
    }

    #[inline]
    fn bucket(self) -> usize {
        (self.to_bits() >> (64 - BUCKET_BITS)) as usize
    }

    #[inline]
    fn is_in(self, bucket: usize) -> bool {
        self.to_bits() >> (64 - BUCKET_BITS) == bucket as u64
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
///
/// Bits of negative values grow downwards, and so do their indices: slot `s` of these is index
/// `SLOTS - 1 - s`. What is added to the bits of a value turns its cell into an index, and carries
/// into the next one from the cell's edge on: a comparison and an addition in one.
pub struct Tables<T: Real> {
    entries: Vec<T::Entry>,
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
        let entries = (0..T::CELLS).map(|cell| {
            let is_negative = cell >= T::CELLS / 2;
            let slot = if is_negative {
                below.partition_point(|edge| edge.cell() > cell)
            } else {
                below.len() + above.partition_point(|edge| edge.cell() < cell)
            };
            // Zero is an edge of both signs.
            let is_zero = is_negative && slot == below.len();
            let edge = if is_zero { T::round_up(-0.0) } else { edges[slot] };
            let has_edge = slot < EDGES && edge.cell() == cell;
            // The index before, and the low bits from which on it is the next.
            let (index, next_from) = match (is_negative, has_edge) {
                (false, true) => (slot, edge.low()),
                (false, false) => (slot, 1 << T::LOW_BITS),
                (true, true) => (SLOTS - 2 - slot, edge.low() + 1),
                (true, false) => (SLOTS - 1 - slot, 1 << T::LOW_BITS),
            };
            let from_cell_to_next = (index as u64 + 1).wrapping_sub(cell as u64) << T::LOW_BITS;
            T::entry(from_cell_to_next.wrapping_sub(next_from))
        });
        Self { entries: entries.collect() }
    }

    #[inline]
    fn index(&self, value: T) -> usize {
        value.look_up(&self.entries) % SLOTS
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
            even[tables.index(*one)] += 1;
            odd[tables.index(*other)] += 1;
        }
        for value in rest {
            even[tables.index(*value)] += 1;
        }
    }

    fn pour_into(&self, slots: &mut [u64]) {
        let [even, odd] = &self.0;
        for (index, (even, odd)) in even.iter().zip(odd).enumerate() {
            let slot = if index < SLOTS / 2 { index } else { SLOTS - 1 - index };
            slots[slot] += u64::from(*even) + u64::from(*odd);
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
        // One loop for each: together they need more registers than there are. Extremes stay in
        // the narrower type, of which more fit into a register; each is written so that it becomes
        // one instruction. NaN is seen to at the end.
        let (mut min, mut max) = ([first; LANES], [first; LANES]);
        let (mut sum, mut squares) = ([0.0; LANES], [0.0; LANES]);
        let (whole, rest) = block.as_chunks::<LANES>();
        for values in whole {
            for (lane, &value) in values.iter().enumerate() {
                min[lane] = if value < min[lane] { value } else { min[lane] };
            }
        }
        for values in whole {
            for (lane, &value) in values.iter().enumerate() {
                max[lane] = if value > max[lane] { value } else { max[lane] };
            }
        }
        for values in whole {
            for (lane, &value) in values.iter().enumerate() {
                sum[lane] += value.into();
            }
        }
        for values in whole {
            for (lane, &value) in values.iter().enumerate() {
                let value: f64 = value.into();
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
