//! The summary of a whole series for one row of a table.

use std::sync::Arc;

use rayon::prelude::*;

use super::{has_threads, with_pool_for};
use crate::series::{Chunk, Extent, Points};
use crate::types::Step;

/// What a table shows of a series. Where there is no such point, its step is [`Summary::NO_STEP`]
/// and its value NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Points.
    pub count: u64,
    /// Step of the first point, in the order of the points, as everywhere here.
    pub first_step: Step,
    /// Step of the last point.
    pub last_step: Step,
    /// Wall time of the first point.
    pub first_wall_time: f64,
    /// Wall time of the last point.
    pub last_wall_time: f64,
    /// The last value, finite or not.
    pub last_value: f64,
    /// The last finite value.
    pub finite_last: f64,
    /// The min finite value.
    pub min: f64,
    /// Where it is; of several the first.
    pub min_step: Step,
    /// The max finite value.
    pub max: f64,
    /// Where it is; of several the first.
    pub max_step: Step,
    /// How many values are NaN.
    pub nan_count: u64,
    /// Step of the first of them.
    pub first_nan_step: Step,
    /// How many values are infinite.
    pub inf_count: u64,
    /// Step of the first value that is NaN or infinite.
    pub first_non_finite_step: Step,
}

/// The summaries of all `members`.
pub fn summaries(members: &[&Points]) -> Vec<Summary> {
    // What is known of each chunk is enough for most of them, and takes the time of some points.
    with_pool_for(members.len().saturating_mul(64), || {
        if has_threads() {
            members.par_iter().with_min_len(16).map(|points| Summary::of(points)).collect()
        } else {
            members.iter().map(|points| Summary::of(points)).collect()
        }
    })
}

impl Summary {
    /// Means no step.
    pub const NO_STEP: Step = Step::MIN;

    const EMPTY: Summary = Summary {
        count: 0,
        first_step: Summary::NO_STEP,
        last_step: Summary::NO_STEP,
        first_wall_time: f64::NAN,
        last_wall_time: f64::NAN,
        last_value: f64::NAN,
        finite_last: f64::NAN,
        min: f64::NAN,
        min_step: Summary::NO_STEP,
        max: f64::NAN,
        max_step: Summary::NO_STEP,
        nan_count: 0,
        first_nan_step: Summary::NO_STEP,
        inf_count: 0,
        first_non_finite_step: Summary::NO_STEP,
    };

    /// Looks only into the chunks that hold the min and the max value, and into those that
    /// hold values that are not finite.
    pub fn of(points: &Points) -> Summary {
        let chunks = points.chunks();
        let (Some(first), Some(last)) = (chunks.first(), chunks.last()) else {
            return Summary::EMPTY;
        };
        let mut extent = Extent::EMPTY;
        chunks.iter().for_each(|chunk| extent.append(&chunk.summary.values));
        let step_of = |end: fn(&Extent) -> f64, value: f64| {
            let holds = |chunk: &&Arc<Chunk>| end(&chunk.summary.values) == value;
            let chunk = chunks.iter().find(holds)?;
            first_step(chunk, |other| other == value)
        };
        let mut summary = Summary {
            count: points.len() as u64,
            first_step: first.summary.step_ends.0,
            last_step: last.summary.step_ends.1,
            first_wall_time: first.summary.wall_ends.0,
            last_wall_time: last.summary.wall_ends.1,
            last_value: extent.last,
            finite_last: extent.last,
            min: extent.min,
            min_step: step_of(|values| values.min, extent.min).unwrap_or(Summary::NO_STEP),
            max: extent.max,
            max_step: step_of(|values| values.max, extent.max).unwrap_or(Summary::NO_STEP),
            ..Summary::EMPTY
        };
        if extent.flags != 0 {
            summary.count_not_finite(chunks);
        }
        summary
    }

    fn count_not_finite(&mut self, chunks: &[Arc<Chunk>]) {
        let mut values = Vec::new();
        for chunk in chunks.iter().filter(|chunk| chunk.summary.values.flags != 0) {
            values.clear();
            chunk.values_into(&mut values);
            let count = |is: fn(&&f64) -> bool| values.iter().filter(is).count() as u64;
            let (nan, inf) = (count(|value| value.is_nan()), count(|value| value.is_infinite()));
            if self.nan_count == 0 && nan > 0 {
                self.first_nan_step = first_step(chunk, f64::is_nan).unwrap_or(Summary::NO_STEP);
            }
            if self.nan_count + self.inf_count == 0 {
                let step = first_step(chunk, |value| !value.is_finite());
                self.first_non_finite_step = step.unwrap_or(Summary::NO_STEP);
            }
            self.nan_count += nan;
            self.inf_count += inf;
        }
        if let Some(chunk) = chunks.last().filter(|chunk| chunk.summary.values.flags != 0) {
            values.clear();
            chunk.values_into(&mut values);
            self.last_value = values.last().copied().unwrap_or(f64::NAN);
        }
    }
}

/// The step of the first point whose value matches.
fn first_step(chunk: &Chunk, wanted: impl Fn(f64) -> bool) -> Option<Step> {
    let (mut values, mut steps) = (Vec::new(), Vec::new());
    chunk.values_into(&mut values);
    let index = values.iter().position(|&value| wanted(value))?;
    chunk.steps_into(&mut steps);
    steps.get(index).copied()
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Kind, Random, Row, cut, draw, sizes};
    use super::*;

    fn by_definition(rows: &[Row]) -> Summary {
        let step = |row: Option<&Row>| row.map_or(Summary::NO_STEP, |row| row.0);
        let wall = |row: Option<&Row>| row.map_or(f64::NAN, |row| row.1);
        let value = |row: Option<&Row>| row.map_or(f64::NAN, |row| row.2);
        let finite: Vec<&Row> = rows.iter().filter(|row| row.2.is_finite()).collect();
        let least = finite.iter().copied().reduce(|a, b| if b.2 < a.2 { b } else { a });
        let greatest = finite.iter().copied().reduce(|a, b| if b.2 > a.2 { b } else { a });
        Summary {
            count: rows.len() as u64,
            first_step: step(rows.first()),
            last_step: step(rows.last()),
            first_wall_time: wall(rows.first()),
            last_wall_time: wall(rows.last()),
            last_value: value(rows.last()),
            finite_last: value(finite.last().copied()),
            min: value(least),
            min_step: step(least),
            max: value(greatest),
            max_step: step(greatest),
            nan_count: rows.iter().filter(|row| row.2.is_nan()).count() as u64,
            first_nan_step: step(rows.iter().find(|row| row.2.is_nan())),
            inf_count: rows.iter().filter(|row| row.2.is_infinite()).count() as u64,
            first_non_finite_step: step(rows.iter().find(|row| !row.2.is_finite())),
        }
    }

    #[test]
    fn summaries_agree_with_their_definition_however_the_series_is_cut() {
        let mut random = Random::new(11);
        let mut all = Vec::new();
        for round in 0..300 {
            let kind = Kind { sorted: round % 2 == 0, odd: [0.0, 0.01, 0.3, 1.0][round % 4] };
            let len = [0, 1, 5, 200][random.below(4)];
            let mut rows = draw(&mut random, len, kind);
            if round % 3 == 0 {
                // The same value over and over: the first place counts.
                rows.iter_mut().for_each(|row| row.2 = (row.2 / 30.0).round() + 0.0);
            }
            all.push((cut(&rows, &sizes(&mut random)), by_definition(&rows)));
        }
        let members: Vec<&Points> = all.iter().map(|(points, _)| points).collect();
        for (fast, (_, slow)) in summaries(&members).iter().zip(&all) {
            // Compared as text, where NaN is NaN.
            assert_eq!(format!("{fast:?}"), format!("{slow:?}"));
        }
    }
}
