//! Several series on a common x, and what is typical of them at each.

use std::ops::Range;

use rayon::prelude::*;

use super::bootstrap::{self, Centre, quantile};
use super::view::{Grid, Unpacked, View, Window};
use super::{Axis, MAX_COLUMNS, Smoothing, has_threads, smooth};
use crate::series::Points;

/// Statistics over the members of a group, one entry per x, in the order of x.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bands {
    /// Whether every x of every member has its entry; else x are centres of pixel columns.
    pub exact: bool,
    /// Points left out because x or value is not finite; of the latter those in the range.
    pub skipped: usize,
    /// Where.
    pub x: Vec<f64>,
    /// Members with a value here, at least one.
    pub count: Vec<u32>,
    /// Mean.
    pub mean: Vec<f64>,
    /// Median.
    pub median: Vec<f64>,
    /// Min value.
    pub min: Vec<f64>,
    /// Max value.
    pub max: Vec<f64>,
    /// Standard deviation of the sample (divided by n − 1); 0 for one member.
    pub std: Vec<f64>,
    /// Standard error of the mean: `std / √n`.
    pub stderr: Vec<f64>,
    /// Mean of the middle half; a value across its edge counts in part.
    pub iqm: Vec<f64>,
    /// Lower quartile, interpolated between values.
    pub q25: Vec<f64>,
    /// Upper quartile, likewise.
    pub q75: Vec<f64>,
    /// The confidence interval of the centre, if requested.
    pub interval: Option<Interval>,
}

/// Where the centre is with 95 % certainty, as estimated from the members: the percentile
/// bootstrap over a thousand resamples of them, the same with every call.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Interval {
    /// Lower end.
    pub low: Vec<f64>,
    /// Upper end.
    pub high: Vec<f64>,
}

/// The bands of `members`, each a series with its axis.
///
/// The common x are all x in the range at which a member has a finite value, if there are at most
/// `columns`; else the centres of so many columns. A member has there the mean of its values at
/// that x (or in that column); where it has none, what is on the line between its neighbours;
/// before its first and after its last point nothing.
pub fn bands(
    members: &[(&Points, &Axis)],
    range: Option<(f64, f64)>,
    columns: usize,
    smoothing: Smoothing,
    bootstrap: Option<Centre>,
) -> Bands {
    let interval = bootstrap.map(|_| Interval::default());
    let views: Vec<View> = members.iter().map(|&(points, axis)| View::new(points, axis)).collect();
    let extent = views.iter().filter_map(View::extent).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let Some(extent) = extent else {
        return Bands {
            exact: true,
            skipped: views.iter().map(|view| view.skipped).sum(),
            interval,
            ..Bands::default()
        };
    };
    let window = Window::of(range);
    let columns = columns.clamp(1, MAX_COLUMNS);
    let common = match common_x(&views, window, columns) {
        Some(x) => Common::Points(x),
        None => Common::Columns(Grid::new(window.bounds(extent), columns)),
    };
    let on_common = |view: &View| {
        let (curve, skipped) = curve(view, window, smoothing);
        (common.values(&curve, window), skipped + view.skipped)
    };
    let curves: Vec<(Vec<f64>, usize)> = match has_threads() {
        true => views.par_iter().map(on_common).collect(),
        false => views.iter().map(on_common).collect(),
    };

    let mut bands = Bands {
        exact: matches!(common, Common::Points(_)),
        skipped: curves.iter().map(|(_, skipped)| skipped).sum(),
        interval,
        ..Bands::default()
    };
    let entry = |(index, &x): (usize, &f64)| {
        let values = curves.iter().filter_map(|(curve, _)| curve.get(index));
        let values: Vec<f64> = values.copied().filter(|value| value.is_finite()).collect();
        (!values.is_empty()).then(|| Entry::of(x, values, bootstrap))
    };
    let x = common.x();
    let entries: Vec<Option<Entry>> = match has_threads() {
        true => x.par_iter().enumerate().with_min_len(16).map(entry).collect(),
        false => x.iter().enumerate().map(entry).collect(),
    };
    entries.iter().flatten().for_each(|entry| bands.push(entry));
    bands
}

/// All x in the window with a finite value, in order, each once; nothing if more than `most`.
fn common_x(views: &[View], window: Window, most: usize) -> Option<Vec<f64>> {
    let mut all: Vec<f64> = Vec::new();
    let (mut unpacked, mut values) = (Unpacked::default(), Vec::new());
    for view in views {
        for index in view.chunks_near(window) {
            values.clear();
            view.chunk(index).values_into(&mut values);
            let x = unpacked.x(view, index).iter().zip(&values);
            let inside = x.filter(|(x, value)| window.holds(**x) && value.is_finite());
            all.extend(inside.map(|(x, _)| *x));
            if all.len() > 2 * most {
                unique(&mut all);
            }
            if all.len() > 2 * most {
                return None;
            }
        }
    }
    unique(&mut all);
    (all.len() <= most).then_some(all)
}

fn unique(x: &mut Vec<f64>) {
    x.sort_by(f64::total_cmp);
    x.dedup();
}

/// The finite points of a member in the window and its nearest ones outside, in the order of x,
/// and how many values in the window are not finite.
fn curve(view: &View, window: Window, smoothing: Smoothing) -> (Vec<(f64, f64)>, usize) {
    let (mut curve, mut skipped) = (Vec::new(), 0);
    let mut unpacked = Unpacked::default();
    let wanted = with_finite_neighbours(view, view.chunks_near(window));
    smooth::each_chunk(view, smoothing, wanted, |index, values| {
        for (&x, &value) in unpacked.x(view, index).iter().zip(values) {
            if x.is_nan() {
                continue;
            }
            if value.is_finite() {
                curve.push((x, value));
            } else {
                skipped += usize::from(window.holds(x));
            }
        }
    });
    if !view.sorted {
        curve.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    (curve, skipped)
}

/// One more chunk on either side, passing over those that have no finite value.
fn with_finite_neighbours(view: &View, chunks: Range<usize>) -> Range<usize> {
    let finite = |&index: &usize| !view.chunk(index).summary.values.first.is_nan();
    let from = (0..chunks.start).rev().find(finite);
    let to = (chunks.end..view.chunks().end).find(finite);
    from.unwrap_or(chunks.start)..to.map_or(chunks.end, |index| index + 1)
}

enum Common {
    Points(Vec<f64>),
    Columns(Grid),
}

impl Common {
    fn x(&self) -> Vec<f64> {
        match self {
            Common::Points(x) => x.clone(),
            Common::Columns(grid) => (0..grid.columns).map(|column| grid.centre(column)).collect(),
        }
    }

    /// The values of one member, NaN where it has none.
    fn values(&self, curve: &[(f64, f64)], window: Window) -> Vec<f64> {
        match self {
            Common::Points(x) => {
                let mut line = Line { rest: curve, passed: None };
                x.iter().map(|&x| line.at(x)).collect()
            }
            Common::Columns(grid) => {
                let mut sums = vec![(0.0, 0.0); grid.columns];
                for &(x, value) in curve.iter().filter(|(x, _)| window.holds(*x)) {
                    let (sum, count) = &mut sums[grid.column(x)];
                    *sum += value;
                    *count += 1.0;
                }
                let mut line = Line { rest: curve, passed: None };
                sums.into_iter()
                    .enumerate()
                    .map(|(column, (sum, count))| match count > 0.0 {
                        true => sum / count,
                        false => line.at(grid.centre(column)),
                    })
                    .collect()
            }
        }
    }
}

/// A curve walked along from left to right.
struct Line<'a> {
    rest: &'a [(f64, f64)],
    /// x and mean value of the points passed last.
    passed: Option<(f64, f64)>,
}

impl Line<'_> {
    /// The value at `x`, which must not be less than the one before.
    fn at(&mut self, x: f64) -> f64 {
        let (upto, later) = self.rest.split_at(self.rest.partition_point(|(here, _)| *here <= x));
        if let Some(&(here, _)) = upto.last() {
            self.rest = &upto[upto.partition_point(|(other, _)| *other < here)..];
            self.passed = Some((here, self.next_mean()));
            self.rest = later;
        }
        match (self.passed, later.first()) {
            (Some((here, value)), _) if here == x => value,
            (Some(left), Some(&(next, _))) => between(left, (next, self.next_mean()), x),
            _ => f64::NAN,
        }
    }

    /// Mean of the values at the next x.
    fn next_mean(&self) -> f64 {
        let here = self.rest.first().map_or(f64::NAN, |(here, _)| *here);
        let same = self.rest.iter().take_while(|(other, _)| *other == here);
        let (sum, count) =
            same.fold((0.0, 0.0), |(sum, count), (_, value)| (sum + value, count + 1.0));
        sum / count
    }
}

fn between(left: (f64, f64), right: (f64, f64), x: f64) -> f64 {
    let width = right.0 - left.0;
    let part = if width.is_finite() {
        (x - left.0) / width
    } else {
        (x * 0.5 - left.0 * 0.5) / (right.0 * 0.5 - left.0 * 0.5)
    };
    left.1 * (1.0 - part) + right.1 * part
}

/// The values at one x.
struct Entry {
    x: f64,
    /// In order, at least one.
    values: Vec<f64>,
    interval: Option<(f64, f64)>,
}

impl Entry {
    /// The values come in the order of the members.
    fn of(x: f64, mut values: Vec<f64>, bootstrap: Option<Centre>) -> Entry {
        let interval = bootstrap.map(|centre| bootstrap::interval(&values, centre));
        values.sort_by(f64::total_cmp);
        Entry { x, values, interval }
    }
}

impl Bands {
    fn push(&mut self, entry: &Entry) {
        let values = &entry.values;
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let std = (squares / (count - 1.0).max(1.0)).sqrt();
        self.x.push(entry.x);
        self.count.push(u32::try_from(values.len()).unwrap_or(u32::MAX));
        self.mean.push(mean);
        self.median.push(quantile(values, 0.5));
        self.min.extend(values.first());
        self.max.extend(values.last());
        self.std.push(if values.len() == 1 { 0.0 } else { std });
        self.stderr.push(if values.len() == 1 { 0.0 } else { std / count.sqrt() });
        self.iqm.push(interquartile_mean(values));
        self.q25.push(quantile(values, 0.25));
        self.q75.push(quantile(values, 0.75));
        if let (Some(ends), Some((low, high))) = (&mut self.interval, entry.interval) {
            ends.low.push(low);
            ends.high.push(high);
        }
    }
}

/// Each value is as wide as the next; those between a quarter and three quarters count.
fn interquartile_mean(sorted: &[f64]) -> f64 {
    let count = sorted.len() as f64;
    let (from, to) = (count / 4.0, count * 3.0 / 4.0);
    let weighed = sorted.iter().enumerate().map(|(index, value)| {
        let (left, right) = (index as f64, index as f64 + 1.0);
        (right.min(to) - left.max(from)).max(0.0) * value
    });
    weighed.sum::<f64>() / (to - from)
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Kind, Random, Row, cut, draw, sizes};
    use super::super::twin;
    use super::*;

    fn columns_of(bands: &Bands) -> [&Vec<f64>; 10] {
        [
            &bands.x,
            &bands.mean,
            &bands.median,
            &bands.min,
            &bands.max,
            &bands.std,
            &bands.stderr,
            &bands.iqm,
            &bands.q25,
            &bands.q75,
        ]
    }

    #[test]
    fn bands_agree_with_their_definition() {
        let mut random = Random::new(6);
        for round in 0..400 {
            let members: Vec<(Vec<Row>, Axis)> = (0..random.below(6))
                .map(|_| {
                    let kind = Kind {
                        sorted: random.below(2) == 0,
                        odd: [0.0, 0.1, 0.95][random.below(3)],
                    };
                    let len = [0, 1, 3, 20, 150][random.below(5)];
                    let rows = draw(&mut random, len, kind);
                    let axis = match random.below(3) {
                        0 => Axis::RelativeTime,
                        1 => Axis::Given(rows.iter().skip(1).map(|row| row.2).collect()),
                        _ => Axis::Step,
                    };
                    (rows, axis)
                })
                .collect();
            let points: Vec<Points> =
                members.iter().map(|(rows, _)| cut(rows, &sizes(&mut random))).collect();
            let asked: Vec<(&Points, &Axis)> =
                points.iter().zip(&members).map(|(points, (_, axis))| (points, axis)).collect();
            let end = |random: &mut Random| (random.unit() - 0.5) * 600.0;
            let range = match round % 3 {
                0 => None,
                1 => Some((end(&mut random), end(&mut random))),
                _ => Some((end(&mut random), f64::INFINITY)),
            };
            let columns = [1, 8, 60, 1000][random.below(4)];
            let smoothing = match random.below(3) {
                0 => Smoothing::Ema { weight: 0.6 },
                1 => Smoothing::Median { window: 3 },
                _ => Smoothing::None,
            };
            let fast = bands(&asked, range, columns, smoothing, None);
            let slow = twin::bands(&members, range, columns, smoothing);
            assert_eq!((fast.exact, fast.skipped), (slow.exact, slow.skipped));
            assert_eq!(fast.count, slow.count);
            for (a, b) in columns_of(&fast).into_iter().zip(columns_of(&slow)) {
                let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-6;
                assert_eq!(a.len(), b.len());
                assert!(
                    a.iter().zip(b).all(near),
                    "{members:?} {range:?} {columns}\n{fast:?}\n{slow:?}"
                );
            }
        }
    }

    #[test]
    fn a_member_reaches_from_its_first_to_its_last_point() {
        let row = |&(step, value): &(i64, f64)| (step, 0.0, value);
        let make = |rows: &[(i64, f64)]| cut(&rows.iter().map(row).collect::<Vec<_>>(), &[2]);
        let long = make(&[(0, 0.0), (10, 10.0), (20, 20.0), (30, 30.0)]);
        let short = make(&[(10, 2.0), (10, 4.0), (15, f64::NAN), (20, 5.0)]);
        let members = [(&long, &Axis::Step), (&short, &Axis::Step)];
        let all = bands(&members, None, 100, Smoothing::None, None);
        assert_eq!(all.x, [0.0, 10.0, 20.0, 30.0]);
        assert_eq!(all.count, [1, 2, 2, 1]);
        assert_eq!(all.mean, [0.0, 6.5, 12.5, 30.0]);
        assert_eq!(all.std[0], 0.0);
        assert_eq!(all.skipped, 1);
        let zoomed = bands(&members, Some((4.0, 16.0)), 100, Smoothing::None, None);
        assert_eq!((zoomed.x, zoomed.count), (vec![10.0], vec![2]));
        assert_eq!(bands(&[], None, 10, Smoothing::None, None).x, []);
    }

    #[test]
    fn the_middle_half_counts_edges_in_part() {
        let values = vec![100.0, 2.0, 1.0, 4.0, 3.0];
        // A quarter of 1.25 is cut from each side: 0.75 of 2 and of 4, and all of 3.
        let expected = (0.75 * 2.0 + 3.0 + 0.75 * 4.0) / 2.5;
        let mut bands = Bands::default();
        bands.push(&Entry::of(0.0, values, None));
        assert_eq!(bands.iqm, [expected]);
        assert_eq!((bands.q25[0], bands.median[0], bands.q75[0]), (2.0, 3.0, 4.0));
    }
}
