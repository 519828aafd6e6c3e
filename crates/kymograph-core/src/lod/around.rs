//! The points on both sides of a step or of a time: so many, whatever the length of the series.

use std::cmp::Ordering;

use crate::series::{Chunk, Points};
use crate::types::{Step, WallTime};

/// Where to look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// At a step.
    Step(Step),
    /// At a time.
    WallTime(WallTime),
}

/// Points in the order of their steps, or of their times if that is where one looks; those that
/// are equal are in the order in which they were logged.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Around {
    /// The steps.
    pub steps: Vec<Step>,
    /// The times.
    pub walls: Vec<WallTime>,
    /// The values.
    pub values: Vec<f64>,
    /// How many of these are at or before the place.
    pub split: usize,
}

/// The last `before` points at or before a place, and the first `after` points behind it.
///
/// Only chunks with these points are unpacked, unless steps (or times) were logged out of order:
/// then all of them are sorted.
pub fn around(points: &Points, place: Place, before: usize, after: usize) -> Around {
    let is_sorted = match place {
        Place::Step(_) => points.steps_sorted(),
        Place::WallTime(_) => points.walls_sorted(),
    };
    if !is_sorted {
        return around_unsorted(points, place, before, after);
    }
    let split = count_up_to(points, place);
    let (from, to) = (split.saturating_sub(before), split.saturating_add(after).min(points.len()));
    Around {
        steps: range(points, from, to, Chunk::steps_into),
        walls: range(points, from, to, Chunk::walls_into),
        values: range(points, from, to, Chunk::values_into),
        split: split - from,
    }
}

/// The number of points at or before a place, of points in order.
fn count_up_to(points: &Points, place: Place) -> usize {
    let begins = |chunk: &Chunk| match place {
        Place::Step(step) => chunk.summary.step_ends.0 <= step,
        Place::WallTime(wall) => chunk.summary.wall_ends.0 <= wall,
    };
    let begun = points.chunks().partition_point(|chunk| begins(chunk));
    let Some(index) = begun.checked_sub(1) else { return 0 };
    let Some(chunk) = points.chunks().get(index) else { return 0 };
    let here = match place {
        Place::Step(step) => {
            let mut steps = Vec::with_capacity(chunk.len());
            chunk.steps_into(&mut steps);
            steps.partition_point(|&other| other <= step)
        }
        Place::WallTime(wall) => {
            let mut walls = Vec::with_capacity(chunk.len());
            chunk.walls_into(&mut walls);
            walls.partition_point(|&other| other <= wall)
        }
    };
    points.start_of(index) + here
}

/// Points `from` to `to` of a column.
fn range<T: Copy>(
    points: &Points,
    from: usize,
    to: usize,
    read: impl Fn(&Chunk, &mut Vec<T>),
) -> Vec<T> {
    let mut out = Vec::with_capacity(to.saturating_sub(from));
    let mut unpacked = Vec::new();
    for (index, chunk) in points.chunks().iter().enumerate() {
        let start = points.start_of(index);
        let end = start + chunk.len();
        if end <= from || start >= to {
            continue;
        }
        unpacked.clear();
        read(chunk, &mut unpacked);
        let wanted = from.max(start) - start..to.min(end) - start;
        out.extend_from_slice(unpacked.get(wanted).unwrap_or(&[]));
    }
    out
}

fn around_unsorted(points: &Points, place: Place, before: usize, after: usize) -> Around {
    let (steps, walls, values) = (points.steps(0), points.walls(0), points.values(0));
    let mut rows: Vec<(Step, WallTime, f64)> =
        steps.into_iter().zip(walls).zip(values).map(|((s, w), v)| (s, w, v)).collect();
    // Stable: what is equal stays in the order in which it was logged.
    rows.sort_by(|a, b| match place {
        Place::Step(_) => a.0.cmp(&b.0),
        Place::WallTime(_) => a.1.partial_cmp(&b.1).unwrap_or(Ordering::Equal),
    });
    let split = rows.partition_point(|row| match place {
        Place::Step(step) => row.0 <= step,
        Place::WallTime(wall) => row.1 <= wall,
    });
    let from = split.saturating_sub(before);
    let wanted = rows.iter().skip(from).take((split - from).saturating_add(after));
    let mut found = Around { split: split - from, ..Around::default() };
    for &(step, wall, value) in wanted {
        found.steps.push(step);
        found.walls.push(wall);
        found.values.push(value);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::{Column, Point};

    fn points(steps: impl Iterator<Item = i64>) -> Points {
        let rows = steps.enumerate().map(|(at, step)| Point {
            step,
            wall_time: 1.7e9 + at as f64,
            value: at as f64,
        });
        Points::new(rows.collect::<Column>().into_chunks())
    }

    /// Everything, sorted, then cut.
    fn twin(points: &Points, step: i64, before: usize, after: usize) -> Vec<(i64, f64)> {
        let mut all: Vec<_> = points.steps(0).into_iter().zip(points.values(0)).collect();
        all.sort_by_key(|row| row.0);
        let split = all.iter().filter(|row| row.0 <= step).count();
        let from = split.saturating_sub(before);
        all.into_iter().skip(from).take(split - from + after).collect()
    }

    #[test]
    fn points_on_both_sides_are_found_wherever_chunks_end() {
        let even = points((0..5000).map(|at| 10 * at));
        let repeated = points((0..5000).map(|at| at / 1500));
        let back = points((0..3000).chain(500..2500));
        for series in [&even, &repeated, &back, &points(std::iter::empty())] {
            for step in [-1, 0, 1, 2, 999, 10_239, 10_240, 10_241, 49_990, i64::MAX, i64::MIN] {
                for (before, after) in [(0, 0), (1, 0), (0, 1), (1030, 7), (9999, usize::MAX)] {
                    let found = around(series, Place::Step(step), before, after);
                    let rows: Vec<_> =
                        found.steps.iter().copied().zip(found.values.iter().copied()).collect();
                    assert_eq!(rows, twin(series, step, before, after.min(9999)), "{step}");
                    assert_eq!(found.split, rows.iter().filter(|row| row.0 <= step).count());
                    assert_eq!(found.walls.len(), rows.len());
                }
            }
        }
    }

    #[test]
    fn a_time_is_a_place_too() {
        let series = points(std::iter::repeat_n(7, 2000));
        let found = around(&series, Place::WallTime(1.7e9 + 1500.5), 2, 1);
        assert_eq!((found.values, found.split), (vec![1499.0, 1500.0, 1501.0], 2));
    }
}
