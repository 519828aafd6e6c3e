//! Smoothing of a whole series, handed out chunk by chunk.

use std::cell::RefCell;
use std::ops::Range;

use rayon::prelude::*;

use super::median::medians;
use super::view::{Unpacked, View};
use super::{Smoothing, has_threads};
use crate::series::Points;

/// Gives `sink` the number and the smoothed values of every chunk in `wanted`, in order. What
/// it gets depends on the series alone, never on `wanted`.
pub(super) fn each_chunk(
    view: &View,
    smoothing: Smoothing,
    wanted: Range<usize>,
    mut sink: impl FnMut(usize, &[f64]),
) {
    let points = view.points;
    match smoothing {
        Smoothing::Ema { weight } if !is_constant(points) => {
            let start = ema_start(view, weight, wanted.start);
            let mut ema = Ema::new(weight);
            // What is divided by has become 1 on the way to where the values are looked at.
            ema.settled |= start > 0;
            stream(view, start..wanted.end, |index, values| {
                let all_finite = view.chunk(index).summary.values.flags == 0;
                ema.apply(values, all_finite);
                if index >= wanted.start {
                    sink(index, values);
                }
            });
        }
        Smoothing::TimeEma { weight } => {
            let mut ema = TimeEma::new(weight, spacing(view), headroom(points));
            let mut unpacked = Unpacked::default();
            stream(view, 0..wanted.end, |index, values| {
                ema.apply(unpacked.x(view, index), values);
                if index >= wanted.start {
                    sink(index, values);
                }
            });
        }
        Smoothing::MovingAverage { window } => {
            let span = points.start_of(wanted.start)..points.start_of(wanted.end);
            deal(view, wanted, &moving_average(view, window.max(1), span), sink);
        }
        Smoothing::Gaussian { sigma } if sigma > 0.0 => {
            let span = points.start_of(wanted.start)..points.start_of(wanted.end);
            deal(view, wanted, &gaussian(view, sigma, span), sink);
        }
        Smoothing::Median { window } => {
            let span = points.start_of(wanted.start)..points.start_of(wanted.end);
            deal(view, wanted, &median(view, window.max(1), span), sink);
        }
        Smoothing::None | Smoothing::Ema { .. } | Smoothing::Gaussian { .. } => {
            stream(view, wanted, |index, values| sink(index, values));
        }
    }
}

/// The chunk to begin at, so that nothing before it is left in the average from `wanted` on: a
/// zoom into a long series does not go through all that was logged before.
fn ema_start(view: &View, weight: f64, wanted: usize) -> usize {
    // Even the largest double, made smaller so often, is less than half of the smallest one.
    const HALVINGS: f64 = 2200.0;
    let needed = HALVINGS / unit_weight(weight).log2().abs();
    let mut finite = 0;
    let is_enough = |&index: &usize| {
        let chunk = view.chunk(index);
        finite += if chunk.summary.values.flags == 0 { chunk.len() } else { 0 };
        finite as f64 >= needed
    };
    (0..wanted).rev().find(is_enough).unwrap_or(0)
}

/// The first point whose smoothed value may be another than when there were only `known` points.
pub(super) fn first_new(view: &View, smoothing: Smoothing, known: usize) -> usize {
    if view.is_given() {
        // The series used as x grows as well, and may move any point.
        return 0;
    }
    let reach = match smoothing {
        Smoothing::None => 0,
        // A series of equal values is not smoothed, until it has another one.
        Smoothing::Ema { .. } if is_constant(view.points) => 0,
        Smoothing::Ema { .. } if is_constant_up_to(view, known) => known,
        Smoothing::Ema { .. } => 0,
        // The unit is taken from all points.
        Smoothing::TimeEma { .. } => known,
        Smoothing::MovingAverage { window } | Smoothing::Median { window } => {
            window.saturating_sub(1) / 2
        }
        // Four sigma and the block at their end, rounded up.
        Smoothing::Gaussian { sigma } => (sigma * 4.1) as usize + 2,
    };
    known.saturating_sub(reach)
}

fn is_constant_up_to(view: &View, known: usize) -> bool {
    let last = view.chunk_of(known);
    let (mut seen, mut first) = (Vec::new(), None);
    view.chunks().take_while(|&index| index <= last).all(|index| {
        seen.clear();
        view.chunk(index).values_into(&mut seen);
        seen.truncate(known.saturating_sub(view.points.start_of(index)));
        let first = *first.get_or_insert(seen.first().copied().unwrap_or(f64::NAN));
        seen.iter().all(|&value| value == first)
    })
}

/// About how many seconds a core takes to smooth a series of this many points.
pub(super) fn seconds(smoothing: Smoothing, points: usize) -> f64 {
    let nanoseconds = match smoothing {
        Smoothing::None => 0.0,
        Smoothing::Ema { .. } => 5.0,
        Smoothing::TimeEma { .. } => 10.0,
        Smoothing::MovingAverage { .. } => 30.0,
        Smoothing::Gaussian { .. } | Smoothing::Median { .. } => 100.0,
    };
    nanoseconds * 1e-9 * points as f64
}

fn stream(view: &View, chunks: Range<usize>, mut each: impl FnMut(usize, &mut [f64])) {
    let mut values = Vec::new();
    for index in chunks {
        values.clear();
        view.chunk(index).values_into(&mut values);
        each(index, &mut values);
    }
}

/// Cuts values that begin with chunk `wanted.start` into chunks.
fn deal(view: &View, wanted: Range<usize>, values: &[f64], mut sink: impl FnMut(usize, &[f64])) {
    let mut rest = values;
    for index in wanted {
        let (here, later) = rest.split_at(view.chunk(index).len().min(rest.len()));
        sink(index, here);
        rest = later;
    }
}

/// Whether all values are equal to each other, which NaN is not even to itself.
fn is_constant(points: &Points) -> bool {
    let mut extents = points.chunks().iter().map(|chunk| chunk.summary.values);
    let Some(first) = extents.next() else {
        return true;
    };
    let constant = |min: f64, max: f64, flags: u8| flags == 0 && min == first.min && max == min;
    constant(first.min, first.max, first.flags)
        && extents.all(|extent| constant(extent.min, extent.max, extent.flags))
}

/// A factor that keeps sums of the values finite: 1 except for absurdly large ones.
fn headroom(points: &Points) -> f64 {
    let large = points.chunks().iter().any(|chunk| {
        let extent = chunk.summary.values;
        extent.max.abs().max(extent.min.abs()) > 1e280
    });
    if large { 2.0_f64.powi(-64) } else { 1.0 }
}

fn unit_weight(weight: f64) -> f64 {
    if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) }
}

struct Ema {
    weight: f64,
    last: f64,
    /// Values so far, while that matters.
    count: usize,
    /// Whether 1 − wⁿ has become 1, and stays it.
    settled: bool,
}

impl Ema {
    fn new(weight: f64) -> Ema {
        let weight = unit_weight(weight);
        Ema { weight, last: 0.0, count: 0, settled: weight == 1.0 }
    }

    fn apply(&mut self, values: &mut [f64], all_finite: bool) {
        let mut values = values.iter_mut();
        let (weight, rest) = (self.weight, 1.0 - self.weight);
        if !self.settled {
            DEBIAS.with_borrow_mut(|debias| {
                debias.set_weight(weight);
                while let Some(value) = (!self.settled).then(|| values.next()).flatten() {
                    if value.is_finite() {
                        self.last = self.last * weight + rest * *value;
                        let debias = debias.after(self.count);
                        self.count += 1;
                        self.settled = debias == 1.0;
                        *value = self.last / debias;
                    }
                }
            });
        }
        let mut last = self.last;
        for value in values {
            if all_finite || value.is_finite() {
                last = last * weight + rest * *value;
                *value = last;
            }
        }
        self.last = last;
    }
}

thread_local! {
    /// Powers are slow, and the next series mostly has the same weight.
    static DEBIAS: RefCell<Debias> = RefCell::default();
}

/// 1 − wⁿ for n from 1 on.
#[derive(Default)]
struct Debias {
    weight: f64,
    factors: Vec<f64>,
}

impl Debias {
    const MOST: usize = 8192;

    fn set_weight(&mut self, weight: f64) {
        if self.weight != weight {
            self.weight = weight;
            self.factors.clear();
        }
    }

    /// What one more value than `count` is divided by.
    fn after(&mut self, count: usize) -> f64 {
        if let Some(&factor) = self.factors.get(count) {
            return factor;
        }
        let factor = 1.0 - self.weight.powf((count + 1) as f64);
        if count == self.factors.len() && count < Self::MOST {
            self.factors.push(factor);
        }
        factor
    }
}

struct TimeEma {
    weight: f64,
    unit: f64,
    scale: f64,
    /// Its inverse, as exact as a power of two is.
    unscale: f64,
    sum: f64,
    norm: f64,
    previous: f64,
    /// The last distance and its factor: evenly spaced points need one power.
    factor: (f64, f64),
}

impl TimeEma {
    fn new(weight: f64, unit: f64, scale: f64) -> TimeEma {
        TimeEma {
            weight: unit_weight(weight),
            unit,
            scale,
            unscale: 1.0 / scale,
            sum: 0.0,
            norm: 0.0,
            previous: f64::NAN,
            factor: (f64::NAN, 0.0),
        }
    }

    fn apply(&mut self, x: &[f64], values: &mut [f64]) {
        for (&x, value) in x.iter().zip(values) {
            if !value.is_finite() || x.is_nan() {
                continue;
            }
            let distance = (x - self.previous).abs();
            if distance != self.factor.0 {
                let factor = match distance.is_nan() {
                    true => 0.0,
                    false => self.weight.powf(distance / self.unit),
                };
                self.factor = (distance, factor);
            }
            self.sum = self.sum * self.factor.1 + *value * self.scale;
            self.norm = self.norm * self.factor.1 + 1.0;
            self.previous = x;
            *value = self.sum / self.norm * self.unscale;
        }
    }
}

/// Lower median of the non-zero distances between neighbouring points; 1 if there are none.
fn spacing(view: &View) -> f64 {
    let mut unpacked = Unpacked::default();
    let mut distances: Vec<f64> = Vec::new();
    let (mut previous, mut first, mut equal) = (f64::NAN, f64::NAN, 0);
    for index in view.chunks() {
        let mut x = unpacked.x(view, index);
        // Mostly all distances are the same, and then one counter is enough.
        let pairs = x.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        let same = pairs.filter(|&distance| distance == first).count();
        let even = same > 0 && same + 1 == x.len();
        if even {
            equal += same;
        }
        let last = x.last().copied();
        x = if even { &x[..1] } else { x };
        for &x in x.iter().filter(|x| !x.is_nan()) {
            let distance = (x - previous).abs();
            previous = x;
            if distance.is_nan() || distance == 0.0 {
                continue;
            }
            if first.is_nan() {
                first = distance;
            }
            if distance == first {
                equal += 1;
            } else {
                distances.push(distance);
            }
        }
        if even {
            previous = last.unwrap_or(previous);
        }
    }
    let total = equal + distances.len();
    if total == 0 {
        return 1.0;
    }
    if distances.len() * 2 < total {
        // The majority is the median, however the rest is spread.
        return first;
    }
    distances.resize(total, first);
    *distances.select_nth_unstable_by((total - 1) / 2, f64::total_cmp).1
}

/// The values of some points.
fn gather(view: &View, span: Range<usize>) -> Vec<f64> {
    let points = view.points;
    let mut values = Vec::new();
    let first = view.chunk_of(span.start);
    for index in (first..view.chunks().end).take_while(|&index| points.start_of(index) < span.end) {
        view.chunk(index).values_into(&mut values);
    }
    values.drain(..(span.start - points.start_of(first)).min(values.len()));
    values.truncate(span.len());
    values
}

/// Window sums without subtraction, so that no large value leaves a trace: cut the series into
/// blocks as long as the window; every window is the end of one block and the start of the next.
fn moving_average(view: &View, window: usize, span: Range<usize>) -> Vec<f64> {
    let len = view.points.len();
    let (left, right) = (window / 2, (window - 1) / 2);
    let window = left.min(len) + right.min(len) + 1;
    let (left, right) = (left.min(len), right.min(len));
    // Blocks are counted from the first point, so that rounding does not depend on the span.
    let base = span.start.saturating_sub(left) / window * window;
    let end = (span.end + right).min(len);
    let scale = headroom(view.points);
    let unscale = 1.0 / scale;
    let values = gather(view, base..end.max(base));
    let weighed = |value: f64| match value.is_finite() {
        true => (value * scale, 1.0),
        false => (0.0, 0.0),
    };
    let add = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);

    // The sum of the block that the window ends in, up to there.
    let (mut head, mut summed, mut next_block) = ((0.0, 0.0), base, base);
    // The sums from each point of the block that the window begins in to the end of that block.
    let (mut tails, mut tails_from) = (Vec::new(), usize::MAX);
    let mut block = base;
    span.map(|index| {
        let from = index.saturating_sub(left).max(base);
        let last = (index + right).min(len - 1);
        while summed <= last {
            if summed == next_block {
                head = (0.0, 0.0);
                next_block += window;
            }
            head = add(head, weighed(values[summed - base]));
            summed += 1;
        }
        while from >= block + window {
            block += window;
        }
        let same_block = last < block + window;
        let (sum, count) = if same_block && from == block {
            head
        } else {
            if tails_from != block {
                tails_from = block;
                let mut sum = (0.0, 0.0);
                let block = &values[block - base..(block + window).min(end) - base];
                tails.clear();
                tails.extend(block.iter().rev().map(|&value| {
                    sum = add(weighed(value), sum);
                    sum
                }));
                tails.reverse();
            }
            let tail = tails[from - block];
            if same_block { tail } else { add(tail, head) }
        };
        let value = values[index - base];
        if value.is_finite() { sum / count * unscale } else { value }
    })
    .collect()
}

fn gaussian(view: &View, sigma: f64, span: Range<usize>) -> Vec<f64> {
    let len = view.points.len();
    let block = ((sigma / 16.0) as usize).clamp(1, len.max(1));
    let radius = (4.0 * sigma).min(len as f64).ceil() as usize;
    let reach = (radius / block + 2).min(len.div_ceil(block));
    let taps = 2 * reach + 1;

    // kernel[phase]: weights of the blocks around a point that is number `phase` in its block.
    let middle = (block - 1) as f64 / 2.0;
    let mut kernel = vec![0.0; block * taps];
    for (phase, row) in kernel.chunks_mut(taps).enumerate() {
        for (tap, weight) in row.iter_mut().enumerate() {
            let blocks_away = tap as f64 - reach as f64;
            let distance = blocks_away * block as f64 + middle - phase as f64;
            if distance.abs() <= 4.0 * sigma {
                *weight = (-0.5 * (distance / sigma).powi(2)).exp();
            }
        }
    }

    let first_block = (span.start / block).saturating_sub(reach);
    let base = first_block * block;
    let end = ((span.end / block + reach + 1) * block).min(len);
    let scale = headroom(view.points);
    let values = gather(view, base..end.max(base));
    // As many empty blocks on either side as the kernel reaches, instead of cases at the ends.
    let mut sums = vec![0.0; reach];
    let mut counts = vec![0.0; reach];
    for block in values.chunks(block) {
        let finite = block.iter().filter(|value| value.is_finite());
        sums.push(finite.clone().map(|value| value * scale).sum());
        counts.push(finite.count() as f64);
    }
    sums.resize(sums.len() + reach, 0.0);
    counts.resize(counts.len() + reach, 0.0);

    // Amid full blocks the weights of a phase always have the same sum.
    let even = vec![block as f64; taps];
    let norms: Vec<f64> = kernel.chunks(taps).map(|row| dot(row, &even)).collect();
    let full = match values.iter().all(|value| value.is_finite()) {
        true => reach..reach + values.len() / block,
        false => 0..0,
    };
    let smoothed = |index: usize| {
        let value = values[index - base];
        if !value.is_finite() {
            return value;
        }
        let from = index / block - first_block;
        let row = &kernel[index % block * taps..][..taps];
        let around = from..from + taps;
        let sum = dot(row, &sums[around.clone()]);
        let norm = match full.start <= around.start && around.end <= full.end {
            true => norms[index % block],
            false => dot(row, &counts[around]),
        };
        sum / norm / scale
    };
    match has_threads() {
        true => span.into_par_iter().with_min_len(4096).map(smoothed).collect(),
        false => span.map(smoothed).collect(),
    }
}

/// Eight sums side by side, which the processor can add at once.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    lanes.iter().sum::<f64>() + rest
}

/// Piece by piece, each with the points that its windows reach.
fn median(view: &View, window: usize, span: Range<usize>) -> Vec<f64> {
    let len = view.points.len();
    let (left, right) = ((window / 2).min(len), ((window - 1) / 2).min(len));
    let base = span.start.saturating_sub(left);
    let values = gather(view, base..(span.end + right).min(len).max(base));
    let size = (4 * window.min(len)).max(PIECE_POINTS);
    let piece = |from: usize| {
        let to = (from + size).min(span.end);
        let reached = from.saturating_sub(left)..(to + right).min(len);
        let wanted = from - reached.start..to - reached.start;
        medians(&values[reached.start - base..reached.end - base], wanted, left, right)
    };
    let starts: Vec<usize> = span.clone().step_by(size).collect();
    let pieces: Vec<Vec<f64>> = match has_threads() {
        true => starts.into_par_iter().map(piece).collect(),
        false => starts.into_iter().map(piece).collect(),
    };
    pieces.concat()
}

/// Min number of points that are sorted at once for medians.
const PIECE_POINTS: usize = 32_768;

#[cfg(test)]
mod tests {
    use super::super::samples::{Kind, Random, Row, cut, draw, sizes};
    use super::super::{Axis, twin};
    use super::*;

    fn smoothed(
        points: &Points,
        axis: &Axis,
        smoothing: Smoothing,
        chunks: Range<usize>,
    ) -> Vec<f64> {
        let mut out = Vec::new();
        let view = View::new(points, axis);
        each_chunk(&view, smoothing, chunks, |_, values| out.extend_from_slice(values));
        out
    }

    fn rows_of(values: &[f64]) -> Vec<Row> {
        let row = |(index, &value): (usize, &f64)| (index as i64, index as f64, value);
        values.iter().enumerate().map(row).collect()
    }

    fn all_of(values: &[f64], smoothing: Smoothing) -> Vec<f64> {
        let points = cut(&rows_of(values), &[2, 1]);
        smoothed(&points, &Axis::Step, smoothing, 0..points.chunks().len())
    }

    fn bits(values: &[f64]) -> Vec<u64> {
        values.iter().map(|value| value.to_bits()).collect()
    }

    const KINDS: [Smoothing; 14] = [
        Smoothing::Ema { weight: 0.6 },
        Smoothing::Ema { weight: 0.0 },
        Smoothing::Ema { weight: 1.0 },
        Smoothing::Ema { weight: 0.97 },
        Smoothing::TimeEma { weight: 0.8 },
        Smoothing::TimeEma { weight: 1.0 },
        Smoothing::MovingAverage { window: 1 },
        Smoothing::MovingAverage { window: 8 },
        Smoothing::MovingAverage { window: usize::MAX },
        Smoothing::Gaussian { sigma: 2.5 },
        Smoothing::Gaussian { sigma: 70.0 },
        Smoothing::Gaussian { sigma: f64::INFINITY },
        Smoothing::Median { window: 9 },
        Smoothing::Median { window: 0 },
    ];

    #[test]
    fn every_kind_agrees_with_its_definition_however_the_series_is_cut() {
        let mut random = Random::new(3);
        for round in 0..36 {
            let kind = Kind { sorted: round % 3 > 0, odd: [0.0, 0.1, 0.7][round % 3] };
            let len = [1, 2, 40, 700][round % 4];
            let rows = draw(&mut random, len, kind);
            let points = cut(&rows, &sizes(&mut random));
            let axis = if round % 2 == 0 { Axis::WallTime } else { Axis::Step };
            let values: Vec<f64> = rows.iter().map(|row| row.2).collect();
            for smoothing in KINDS {
                let whole = smoothed(&points, &axis, smoothing, 0..points.chunks().len());
                let expected = twin::smooth(&twin::x_of(&rows, &axis), &values, smoothing);
                let near = |(a, b): (&f64, &f64)| {
                    a.to_bits() == b.to_bits() || (a - b).abs() < 1e-9 || a.is_nan() && b.is_nan()
                };
                assert_eq!(whole.len(), len);
                assert!(
                    whole.iter().zip(&expected).all(near),
                    "{smoothing:?} {kind:?}\n{whole:?}\n{expected:?}"
                );
                let from = random.below(points.chunks().len());
                let to = from + random.below(points.chunks().len() + 1 - from);
                let part = smoothed(&points, &axis, smoothing, from..to);
                let range = points.start_of(from)..points.start_of(to);
                assert_eq!(bits(&part), bits(&whole[range]), "{smoothing:?} {from} {to}");
            }
        }
    }

    #[test]
    fn ema_is_tensorboards_to_the_last_bit() {
        let mut random = Random::new(4);
        for weight in [0.0, 0.1, 0.6, 0.9, 0.99, 0.999, 1.0] {
            let kind = Kind { sorted: true, odd: 0.02 };
            let rows = draw(&mut random, 50_000, kind);
            let values: Vec<f64> = rows.iter().map(|row| row.2).collect();
            let points = cut(&rows, &[1024, 77]);
            let smoothing = Smoothing::Ema { weight };
            let out = smoothed(&points, &Axis::Step, smoothing, 0..points.chunks().len());
            let expected = twin::smooth(&[], &values, smoothing);
            let same =
                |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            assert!(out.iter().zip(&expected).all(same), "{weight}");
        }
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        let half = Smoothing::Ema { weight: 0.5 };
        assert_eq!(all_of(&[0.1; 7], Smoothing::Ema { weight: 0.9 }), [0.1; 7]);
        assert_eq!(all_of(&[1.0, inf, 2.0, 4.0], half), [1.0, inf, 5.0 / 3.0, 3.0]);
        assert!(all_of(&[1.0, nan, 2.0], half)[1].is_nan());
        assert_eq!(all_of(&[1.0, 2.0], Smoothing::Ema { weight: nan }), [1.0, 2.0]);
        assert_eq!(all_of(&[1.0, 2.0], Smoothing::Ema { weight: 7.0 }), [0.0, 0.0]);
        assert_eq!(all_of(&[], half), []);
    }

    #[test]
    fn the_end_of_a_long_series_is_smoothed_as_in_the_whole_to_the_last_bit() {
        let mut random = Random::new(6);
        for (weight, odd) in [(0.0, 0.0), (0.3, 0.001), (0.6, 0.0), (0.9, 0.001), (0.97, 0.0)] {
            let mut rows = draw(&mut random, 100_000, Kind { sorted: true, odd });
            rows[1000].2 = f64::MAX;
            let points = cut(&rows, &[512, 77]);
            let (smoothing, count) = (Smoothing::Ema { weight }, points.chunks().len());
            let whole = smoothed(&points, &Axis::Step, smoothing, 0..count);
            let view = View::new(&points, &Axis::Step);
            assert!(ema_start(&view, weight, count) > 0, "nothing was left out");
            for from in [count - 1, count / 2, count / 20, 7, 4] {
                let part = smoothed(&points, &Axis::Step, smoothing, from..count);
                let whole = &whole[points.start_of(from)..];
                assert_eq!(bits(&part), bits(whole), "{weight} {from}");
            }
        }
    }

    #[test]
    fn time_ema_of_evenly_spaced_points_is_the_ema() {
        let values: Vec<f64> = (0..300).map(|i| f64::from(i * i % 17)).collect();
        let plain = all_of(&values, Smoothing::Ema { weight: 0.9 });
        let timed = all_of(&values, Smoothing::TimeEma { weight: 0.9 });
        assert!(plain.iter().zip(&timed).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn the_unit_of_distance_is_the_median_of_those_that_are_not_zero() {
        for (steps, unit) in [
            (&[][..], 1.0),
            (&[5][..], 1.0),
            (&[5, 5, 5][..], 1.0),
            (&[0, 2, 4, 6, 106][..], 2.0),
            (&[0, 0, 0, 0, 3][..], 3.0),
            (&[0, 1, 3, 6, 10][..], 2.0),
            (&[0, 7, 5, 6][..], 2.0),
        ] {
            let rows: Vec<Row> = steps.iter().map(|&step| (step, 0.0, 0.0)).collect();
            let points = cut(&rows, &[2]);
            assert_eq!(spacing(&View::new(&points, &Axis::Step)), unit, "{steps:?}");
        }
    }

    #[test]
    fn a_huge_value_leaves_no_trace_once_it_has_left_the_window() {
        let mut values = vec![1.0; 40];
        values[10] = f64::MAX;
        values[11] = f64::MAX;
        for smoothing in [
            Smoothing::MovingAverage { window: 5 },
            Smoothing::Gaussian { sigma: 1.0 },
            Smoothing::TimeEma { weight: 0.9 },
            Smoothing::Median { window: 4 },
        ] {
            let out = all_of(&values, smoothing);
            assert!(out.iter().all(|value| value.is_finite()), "{smoothing:?} {out:?}");
            if !matches!(smoothing, Smoothing::TimeEma { .. }) {
                assert_eq!(out[20..], [1.0; 20], "{smoothing:?}");
            }
        }
    }

    #[test]
    fn medians_are_the_same_in_one_piece_and_in_many() {
        let mut random = Random::new(5);
        let values: Vec<f64> = (0..6000).map(|_| random.below(900) as f64).collect();
        let smoothing = Smoothing::Median { window: 4001 };
        assert_eq!(all_of(&values, smoothing), twin::smooth(&[], &values, smoothing));
        let many: Vec<f64> = (0..2 * PIECE_POINTS + 99).map(|_| random.unit()).collect();
        let smoothing = Smoothing::Median { window: 10 };
        assert_eq!(all_of(&many, smoothing), twin::smooth(&[], &many, smoothing));
    }
}
