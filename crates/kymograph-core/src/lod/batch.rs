//! Many lines computed at once: their entries one after another in shared columns.

use std::collections::HashMap;

use rayon::prelude::*;

use super::narrow::Narrow;
use super::reduce::{Answer, Columns, Entries, Envelope};
use super::{Axis, Head, MAX_COLUMNS, Query, Smoothing};
use super::{has_threads, smooth, with_pool_for, x_from_other};
use crate::series::Points;

/// One line of a batch.
#[derive(Debug, Clone)]
pub struct Line<'a> {
    /// The series.
    pub points: &'a Points,
    /// What is requested of it.
    pub query: Query,
    /// The series whose values are x, instead of the query's axis.
    pub x_from: Option<&'a Points>,
    /// Points known from an earlier response to the same request. Their entries are left out where
    /// the line is exact, has no range, and they are still the same.
    pub from_point: usize,
    /// Whether points are answered with their smoothed values. If not, who asks makes them from
    /// the values, unless it lacks some: then they are there all the same.
    pub smooth_points: bool,
}

/// What is known of a line, and where its entries are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// All but the entries.
    pub head: Head,
    /// Index of its first entry in `value` if exact, else in the `column_…` ones.
    pub start: usize,
    /// Index of its first entry in `x` if exact: `start`, unless lines share their x.
    pub x_start: usize,
    /// Number of entries.
    pub length: usize,
    /// Index of its first entry among the smoothed ones, if smoothing was asked for.
    pub smoothed_start: Option<usize>,
    /// The point that the first entry is of: what was asked for or one before it, since a window
    /// reaches back. 0 unless the line is exact and without a range.
    pub from_point: usize,
}

/// The results of a batch.
#[derive(Debug, Default)]
pub struct Batch {
    /// One per line, in their order.
    pub heads: Vec<Placed>,
    /// Every column by its name; those that no line needs are empty.
    pub columns: Vec<(&'static str, Narrow)>,
}

impl Batch {
    /// Leaves equal x in the column once: most lines of a screen are of the same steps.
    #[must_use]
    pub fn with_shared_x(mut self) -> Self {
        match self.columns.first_mut().map(|(_, x)| x) {
            Some(Narrow::I32(x)) => share_x(&mut self.heads, x, |x| x as u64),
            Some(Narrow::U32(x)) => share_x(&mut self.heads, x, u64::from),
            Some(Narrow::F32(x)) => share_x(&mut self.heads, x, |x| u64::from(x.to_bits())),
            Some(Narrow::F64(x)) => share_x(&mut self.heads, x, f64::to_bits),
            Some(Narrow::U8(_)) | None => {}
        }
        self
    }
}

/// A batch that is too large.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TooMuch {
    /// Its result would be too large.
    #[error(
        "a response is limited to {MAX_NUMBERS} numbers, but this one could have: {0}\nhint: request fewer series or fewer columns"
    )]
    Numbers(usize),
    /// It would take too long.
    #[error(
        "a response computed from this many points would take too long: {0}\nhint: request fewer series at once, fewer columns, or another smoothing"
    )]
    Points(usize),
}

/// Most numbers that a batch answers with.
pub(super) const MAX_NUMBERS: usize = 64_000_000;

/// Longest time that a core alone may need for what depends on the number of points, about.
const MAX_SECONDS: f64 = 30.0;

/// Answers all lines.
pub fn batch(lines: &[Line]) -> Result<Batch, TooMuch> {
    check_lines(lines)?;
    // More parts than threads, since some take longer than others.
    let size = lines.len().div_ceil(64).max(1);
    let points = lines.iter().map(|line| line.points.len()).sum();
    Ok(with_pool_for(points, || {
        let parts: Vec<Part> = if has_threads() {
            lines.par_chunks(size).map(Part::of).collect()
        } else {
            lines.chunks(size).map(Part::of).collect()
        };
        join(&parts)
    }))
}

fn check_lines(lines: &[Line]) -> Result<(), TooMuch> {
    let numbers = lines.iter().map(most_numbers).fold(0, usize::saturating_add);
    if numbers > MAX_NUMBERS {
        return Err(TooMuch::Numbers(numbers));
    }
    check_time(lines.iter().map(|line| {
        let lookup = line.x_from.map_or(0, |other| line.points.len() + other.len());
        (line.points.len(), line.query.smoothing, lookup)
    }))
}

/// Refuses what would take too long: series as points, smoothing, and points looked up for x.
pub(super) fn check_time(
    series: impl Iterator<Item = (usize, Smoothing, usize)>,
) -> Result<(), TooMuch> {
    let (mut points, mut seconds) = (0_usize, 0.0);
    for (len, smoothing, lookup) in series {
        points = points.saturating_add(len);
        seconds += smooth::seconds(smoothing, len) + lookup as f64 * 10e-9;
    }
    if seconds > MAX_SECONDS { Err(TooMuch::Points(points)) } else { Ok(()) }
}

/// The most numbers that the answer to a line can hold.
fn most_numbers(line: &Line) -> usize {
    let columns = line.query.columns.clamp(1, MAX_COLUMNS);
    let smoothed = line.query.smoothing != Smoothing::None;
    let exact = line.points.len().min(2 * columns) * (2 + usize::from(smoothed));
    let reduced = columns * (8 + 4 * usize::from(smoothed));
    if line.points.len() > 2 * columns { exact.max(reduced) } else { exact }
}

/// The answers to neighbouring lines.
struct Part {
    heads: Vec<Placed>,
    columns: [Narrow; COUNT],
}

/// Number of columns.
const COUNT: usize = 15;

/// Every column of a batch, and what it begins as.
const COLUMNS: [(&str, Narrow); COUNT] = [
    ("x", Narrow::I32(Vec::new())),
    ("value", Narrow::F32(Vec::new())),
    ("smoothed", Narrow::F32(Vec::new())),
    ("column_x_first", Narrow::I32(Vec::new())),
    ("column_x_last", Narrow::I32(Vec::new())),
    ("column_first", Narrow::F32(Vec::new())),
    ("column_min", Narrow::F32(Vec::new())),
    ("column_max", Narrow::F32(Vec::new())),
    ("column_last", Narrow::F32(Vec::new())),
    ("column_count", Narrow::U32(Vec::new())),
    ("column_flags", Narrow::U8(Vec::new())),
    ("column_smoothed_first", Narrow::F32(Vec::new())),
    ("column_smoothed_min", Narrow::F32(Vec::new())),
    ("column_smoothed_max", Narrow::F32(Vec::new())),
    ("column_smoothed_last", Narrow::F32(Vec::new())),
];

impl Part {
    fn of(lines: &[Line]) -> Part {
        let mut part = Part {
            heads: Vec::with_capacity(lines.len()),
            columns: COLUMNS.map(|(_, column)| column),
        };
        lines.iter().for_each(|line| part.push(line));
        part
    }

    fn push(&mut self, line: &Line) {
        let answer = match line.x_from {
            Some(other) => {
                let axis = Axis::Given(x_from_other(line.points, other));
                let query = Query { axis, ..line.query };
                Answer::to(&query, line.points, line.from_point, line.smooth_points)
            }
            None => Answer::to(&line.query, line.points, line.from_point, line.smooth_points),
        };
        let (start, length, smoothed_start) = match answer.entries {
            Entries::Points { x, values, smoothed } => self.push_points(&x, &values, smoothed),
            Entries::Columns(columns) => self.push_columns(*columns),
        };
        let (head, from_point) = (answer.head, answer.from_point);
        self.heads.push(Placed { head, start, x_start: start, length, smoothed_start, from_point });
    }

    fn push_points(
        &mut self,
        x: &[f64],
        values: &[f64],
        smoothed: Option<Vec<f64>>,
    ) -> (usize, usize, Option<usize>) {
        let [all_x, all_values, all_smoothed, ..] = &mut self.columns;
        let start = all_values.len();
        all_x.extend_x(x);
        all_values.extend_values(values);
        let smoothed_start = smoothed.map(|smoothed| {
            let start = all_smoothed.len();
            all_smoothed.extend_values(&smoothed);
            start
        });
        (start, values.len(), smoothed_start)
    }

    fn push_columns(&mut self, columns: Columns) -> (usize, usize, Option<usize>) {
        let [_, _, _, x_first, x_last, first, min, max, last, count, flags, smoothed @ ..] =
            &mut self.columns;
        let start = first.len();
        x_first.extend_x(&columns.x_first);
        x_last.extend_x(&columns.x_last);
        extend([first, min, max, last], &columns.raw);
        let length = columns.count.len();
        if let (Narrow::U32(count), Narrow::U8(flags)) = (count, flags) {
            count.extend(columns.count);
            flags.extend(columns.flags);
        }
        let smoothed_start = columns.smoothed.map(|envelope| {
            let start = smoothed[0].len();
            extend(smoothed.each_mut(), &envelope);
            start
        });
        (start, length, smoothed_start)
    }
}

fn extend([first, min, max, last]: [&mut Narrow; 4], envelope: &Envelope) {
    first.extend_values(&envelope.first);
    min.extend_values(&envelope.min);
    max.extend_values(&envelope.max);
    last.extend_values(&envelope.last);
}

/// Concatenates the parts.
fn join(parts: &[Part]) -> Batch {
    let mut heads = Vec::with_capacity(parts.iter().map(|part| part.heads.len()).sum());
    let mut before = [0; COUNT];
    for part in parts {
        let [points, _, smoothed, columns, .., column_smoothed] = before;
        heads.extend(part.heads.iter().map(|placed| {
            let exact = placed.head.exact;
            let start = placed.start + if exact { points } else { columns };
            let smoothed = if exact { smoothed } else { column_smoothed };
            let smoothed_start = placed.smoothed_start.map(|start| start + smoothed);
            Placed { start, x_start: start, smoothed_start, ..*placed }
        }));
        for (before, column) in before.iter_mut().zip(&part.columns) {
            *before += column.len();
        }
    }
    let whole = |(index, (name, empty)): (usize, (&'static str, Narrow))| {
        let columns: Vec<&Narrow> = parts.iter().map(|part| &part.columns[index]).collect();
        let joined = if columns.is_empty() { empty } else { Narrow::join(&columns) };
        let is_x = matches!(name, "x" | "column_x_first" | "column_x_last");
        (name, if is_x { joined.narrowed() } else { joined })
    };
    let columns = match has_threads() {
        true => COLUMNS.into_par_iter().enumerate().map(whole).collect(),
        false => COLUMNS.into_iter().enumerate().map(whole).collect(),
    };
    Batch { heads, columns }
}

fn share_x<T: Copy + PartialEq>(heads: &mut [Placed], all: &mut Vec<T>, bits: fn(T) -> u64) {
    // By length, first, middle and last x, the last line that has them.
    let mut seen = HashMap::new();
    let mut end = 0;
    for placed in heads.iter_mut().filter(|placed| placed.head.exact) {
        let here = placed.start..placed.start + placed.length;
        let x = &all[here.clone()];
        let (Some(&first), Some(&last)) = (x.first(), x.last()) else {
            placed.x_start = end;
            continue;
        };
        let key = (x.len(), bits(first), bits(x[x.len() / 2]), bits(last));
        match seen.get(&key) {
            Some(&start) if all[start..start + x.len()] == *x => placed.x_start = start,
            _ => {
                placed.x_start = end;
                seen.insert(key, end);
                all.copy_within(here, end);
                end += placed.length;
            }
        }
    }
    all.truncate(end);
    all.shrink_to_fit();
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Kind, Random, Row, cut, draw, series, sizes};
    use super::super::{Reduced, query};
    use super::*;

    const KINDS: [Smoothing; 7] = [
        Smoothing::None,
        Smoothing::None,
        Smoothing::Ema { weight: 0.7 },
        Smoothing::TimeEma { weight: 0.7 },
        Smoothing::MovingAverage { window: 6 },
        Smoothing::Gaussian { sigma: 3.0 },
        Smoothing::Median { window: 5 },
    ];

    fn column(batch: &Batch, name: &str, start: usize, length: usize) -> Vec<f64> {
        let (_, column) = batch.columns.iter().find(|(other, _)| *other == name).unwrap();
        let all: Vec<f64> = match column.clone() {
            Narrow::U8(all) => all.into_iter().map(f64::from).collect(),
            Narrow::U32(all) => all.into_iter().map(f64::from).collect(),
            Narrow::I32(all) => all.into_iter().map(f64::from).collect(),
            Narrow::F32(all) => all.into_iter().map(f64::from).collect(),
            Narrow::F64(all) => all,
        };
        all[start..start + length].to_vec()
    }

    fn assert_same(batch: &Batch, names: &[&str], at: (usize, usize), expected: &[&[f64]]) {
        for (name, expected) in names.iter().zip(expected) {
            // Compared as text, where NaN is NaN.
            let found = format!("{:?}", column(batch, name, at.0, at.1));
            assert_eq!(found, format!("{expected:?}"), "{name}");
        }
    }

    fn check(batch: &Batch, placed: &Placed, single: &Reduced) {
        let facts = (
            single.head.exact,
            single.head.sorted,
            single.head.total_points,
            single.head.points_in_range,
        );
        let head = placed.head;
        assert_eq!(
            (head.exact, head.sorted, head.total_points, head.points_in_range),
            facts,
            "{placed:?}"
        );
        let rest = format!("{:?}", (head.skipped, head.bounds, head.before, head.after));
        let expected = format!(
            "{:?}",
            (single.head.skipped, single.head.bounds, single.head.before, single.head.after)
        );
        assert_eq!(rest, expected);
        assert_eq!(placed.length + placed.from_point, single.count.len(), "{placed:?}");
        assert_eq!(placed.smoothed_start.is_some(), single.smoothed.is_some());
        let at = (placed.start, placed.length);
        let smoothed = single.smoothed.clone().unwrap_or_default();
        let smoothed_at = placed.smoothed_start.map_or((0, 0), |start| (start, placed.length));
        let from = placed.from_point;
        if single.head.exact {
            assert_same(batch, &["x"], (placed.x_start, at.1), &[&single.x_first[from..]]);
            assert_same(batch, &["value"], at, &[&single.raw.first[from..]]);
            let expected = smoothed.first.get(from..).unwrap_or(&[]);
            assert_same(batch, &["smoothed"], smoothed_at, &[expected]);
            return;
        }
        let envelope = |e: &Envelope| [&e.first, &e.min, &e.max, &e.last].map(Vec::clone);
        let count: Vec<f64> = single.count.iter().map(|&count| f64::from(count)).collect();
        let flags: Vec<f64> = single.flags.iter().map(|&flags| f64::from(flags)).collect();
        let [first, min, max, last] = envelope(&single.raw);
        let names = COLUMNS.map(|(name, _)| name);
        assert_same(
            batch,
            &names[3..11],
            at,
            &[&single.x_first, &single.x_last, &first, &min, &max, &last, &count, &flags],
        );
        let [first, min, max, last] = envelope(&smoothed);
        assert_same(batch, &names[11..], smoothed_at, &[&first, &min, &max, &last]);
    }

    #[test]
    fn a_small_batch_does_not_wait_for_threads_that_others_use() {
        let (release, gate) = std::sync::mpsc::channel::<()>();
        let gate = std::sync::Arc::new(std::sync::Mutex::new(gate));
        for _ in 0..rayon::current_num_threads() {
            let gate = gate.clone();
            rayon::spawn(move || drop(gate.lock().map(|gate| gate.recv())));
        }
        let (done, answer) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let points = series(&(0..1000).collect::<Vec<_>>());
            let query =
                Query { axis: Axis::Step, range: None, columns: 10, smoothing: Smoothing::None };
            let line =
                Line { points: &points, query, x_from: None, from_point: 0, smooth_points: true };
            let _ = done.send(batch(&vec![line; 100]).map(|batch| batch.heads.len()));
        });
        let answered = answer.recv_timeout(std::time::Duration::from_secs(60));
        drop(release);
        assert_eq!(answered, Ok(Ok(100)));
    }

    #[test]
    fn a_batch_answers_as_its_lines_do_alone() {
        let mut random = Random::new(21);
        for round in 0..40 {
            let all: Vec<(Points, Query)> = (0..random.below(150))
                .map(|_| {
                    let odd = [0.0, 0.05, 0.9][random.below(3)];
                    let kind = Kind { sorted: random.below(2) == 0, odd };
                    let len = [0, 1, 2, 30, 300][random.below(5)];
                    let mut rows = draw(&mut random, len, kind);
                    if round % 2 == 0 {
                        let single = |row: &mut Row| row.2 = f64::from(row.2 as f32);
                        rows.iter_mut().for_each(single);
                    }
                    let points = cut(&rows, &sizes(&mut random));
                    let axis =
                        [Axis::Step, Axis::WallTime, Axis::RelativeTime][random.below(3)].clone();
                    let end = |random: &mut Random| (random.unit() - 0.5) * 1000.0;
                    let range = [None, Some((end(&mut random), end(&mut random)))][random.below(2)];
                    let columns = [1, 7, 40, 500][random.below(4)];
                    let smoothing = KINDS[random.below(KINDS.len())];
                    (points, Query { axis, range, columns, smoothing })
                })
                .collect();
            let lines: Vec<Line> = all
                .iter()
                .enumerate()
                .map(|(index, (points, query))| Line {
                    points,
                    query: query.clone(),
                    x_from: (index % 5 == 4).then(|| &all[index / 2].0),
                    from_point: [0, 0, points.len() / 2, points.len(), 9][random.below(5)],
                    smooth_points: true,
                })
                .collect();
            let batch = batch(&lines).unwrap();
            assert_eq!(batch.heads.len(), lines.len());
            for (line, placed) in lines.iter().zip(&batch.heads) {
                let mut asked = line.query.clone();
                if let Some(other) = line.x_from {
                    asked.axis = Axis::Given(x_from_other(line.points, other));
                }
                check(&batch, placed, &query(line.points, &asked));
                assert!(placed.from_point <= line.from_point);
            }
        }
    }

    #[test]
    fn what_is_left_out_is_what_was_answered_before() {
        let mut random = Random::new(22);
        for round in 0..400 {
            let kind = Kind { sorted: true, odd: [0.0, 0.1][round % 2] };
            let mut rows = draw(&mut random, 80, kind);
            let known = random.below(81);
            if round % 5 == 0 {
                rows[..known].iter_mut().for_each(|row| row.2 = 0.1);
            }
            let smoothing = match random.below(8) {
                7 => Smoothing::Gaussian { sigma: 40.0 },
                other => KINDS[other.min(6)],
            };
            let asked = Query { smoothing, ..Query::default() };
            let (old, new) = (cut(&rows[..known], &[16]), cut(&rows, &[16]));
            let line = |points, from_point| Line {
                points,
                query: asked.clone(),
                x_from: None,
                from_point,
                smooth_points: true,
            };
            let before = batch(&[line(&old, 0)]).unwrap();
            let after = batch(&[line(&new, known)]).unwrap();
            let whole = batch(&[line(&new, 0)]).unwrap();
            let kept = after.heads[0].from_point;
            let names: &[&str] = match smoothing {
                Smoothing::None => &["x", "value"],
                _ => &["x", "value", "smoothed"],
            };
            for name in names {
                let mut stitched = column(&before, name, 0, kept);
                stitched.extend(column(&after, name, 0, after.heads[0].length));
                let expected = column(&whole, name, 0, 80);
                let near = |(a, b): (&f64, &f64)| {
                    a == b || (a - b).abs() < 1e-12 || a.is_nan() && b.is_nan()
                };
                assert_eq!(stitched.len(), 80);
                assert!(stitched.iter().zip(&expected).all(near), "{smoothing:?} {known} {name}");
            }
            if smoothing == Smoothing::None {
                assert_eq!(kept, known);
            }
        }
    }

    #[test]
    fn only_exact_lines_without_a_range_leave_points_out() {
        let points = series(&(0..50).collect::<Vec<_>>());
        let ask = |range, columns, x_from, from_point| {
            let query = Query { range, columns, ..Query::default() };
            let line = Line { points: &points, query, x_from, from_point, smooth_points: true };
            batch(&[line]).unwrap().heads[0].from_point
        };
        assert_eq!(ask(None, 100, None, 49), 49);
        assert_eq!(ask(None, 100, None, 50), 50);
        assert_eq!(ask(None, 100, None, 51), 0);
        assert_eq!(ask(None, 10, None, 49), 0);
        assert_eq!(ask(Some((0.0, 60.0)), 100, None, 49), 0);
        assert_eq!(ask(None, 100, Some(&points), 49), 0);
    }

    #[test]
    fn lines_with_the_same_x_share_them() {
        let steps = |from: i64, to: i64| series(&(from..to).collect::<Vec<_>>());
        let (usual, short, late) = (steps(0, 50), steps(0, 40), steps(1_i64 << 31, (1 << 31) + 50));
        let mut other: Vec<i64> = (0..50).collect();
        other[7] = 8;
        let other = series(&other);
        let of = |series: &[&Points]| {
            let line = |&points| Line {
                points,
                query: Query::default(),
                x_from: None,
                from_point: 0,
                smooth_points: true,
            };
            let lines: Vec<Line> = series.iter().map(line).collect();
            let batch = batch(&lines).unwrap().with_shared_x();
            for (line, placed) in lines.iter().zip(&batch.heads) {
                check(&batch, placed, &query(line.points, &line.query));
            }
            let x = batch.columns[0].1.len();
            (batch.heads.iter().map(|placed| placed.x_start).collect::<Vec<_>>(), x)
        };
        let found = of(&[&usual, &short, &usual, &other, &short, &other]);
        assert_eq!(found, (vec![0, 50, 0, 90, 50, 90], 140));
        assert_eq!(of(&[&late, &usual, &late, &usual]), (vec![0, 50, 0, 50], 100));
        let many: Vec<&Points> = [&usual, &short].into_iter().cycle().take(300).collect();
        assert_eq!(of(&many).1, 90);
    }

    #[test]
    fn smoothed_points_are_left_out_where_every_value_is_there() {
        let points = series(&(0..50).collect::<Vec<_>>());
        let late = series(&(10..50).collect::<Vec<_>>());
        let ask = |range, columns, x_from, smooth_points| {
            let smoothing = Smoothing::Ema { weight: 0.5 };
            let query = Query { range, columns, smoothing, ..Query::default() };
            let line = Line { points: &points, query, x_from, from_point: 0, smooth_points };
            batch(&[line]).unwrap().heads[0].smoothed_start
        };
        assert_eq!(ask(None, 100, None, true), Some(0));
        assert_eq!(ask(None, 100, None, false), None);
        assert_eq!(ask(Some((0.0, 60.0)), 100, None, false), None);
        assert_eq!(ask(Some((10.0, 60.0)), 100, None, false), Some(0));
        assert_eq!(ask(None, 10, None, false), Some(0));
        assert_eq!(ask(None, 100, Some(&points), false), None);
        assert_eq!(ask(None, 100, Some(&late), false), Some(0));
    }

    #[test]
    fn equal_values_stay_known_where_smoothing_is_left_out() {
        let mut rows = draw(&mut Random::new(23), 80, Kind { sorted: true, odd: 0.0 });
        rows[..40].iter_mut().for_each(|row| row.2 = 0.5);
        let points = cut(&rows, &[16]);
        let ask = |smooth_points| {
            let smoothing = Smoothing::Ema { weight: 0.5 };
            let query = Query { smoothing, ..Query::default() };
            let line = Line { points: &points, query, x_from: None, from_point: 40, smooth_points };
            batch(&[line]).unwrap().heads[0].from_point
        };
        assert_eq!((ask(true), ask(false)), (0, 40));
    }

    #[test]
    fn an_answer_that_would_not_fit_is_refused() {
        let points = series(&(0..40_000).collect::<Vec<_>>());
        let query = Query { columns: usize::MAX, ..Query::default() };
        let line =
            Line { points: &points, query, x_from: None, from_point: 0, smooth_points: true };
        let lines = vec![line; 600];
        let error = batch(&lines).unwrap_err();
        assert_eq!(error, TooMuch::Numbers(600 * 8 * MAX_COLUMNS));
        assert!(batch(&[]).unwrap().heads.is_empty());
    }

    #[test]
    fn what_would_take_too_long_is_refused() {
        let points = series(&(0..1_000_000).collect::<Vec<_>>());
        let ask = |smoothing, count: usize| {
            let query = Query { smoothing, columns: 1, ..Query::default() };
            let line =
                Line { points: &points, query, x_from: None, from_point: 0, smooth_points: true };
            check_lines(&vec![line; count])
        };
        assert_eq!(ask(Smoothing::None, 100_000), Ok(()));
        assert_eq!(ask(Smoothing::Ema { weight: 0.9 }, 1000), Ok(()));
        let median = Smoothing::Median { window: 1001 };
        assert_eq!(ask(median, 100), Ok(()));
        assert_eq!(ask(median, 1000), Err(TooMuch::Points(1_000_000_000)));
        let wide = Smoothing::Gaussian { sigma: 1e300 };
        assert_eq!(ask(wide, 1000), Err(TooMuch::Points(1_000_000_000)));
    }
}
