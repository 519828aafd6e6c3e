//! Many groups computed at once: their bands one after another in shared columns.

use rayon::prelude::*;

use super::batch::{MAX_NUMBERS, TooMuch, check_time};
use super::bootstrap::{Centre, RESAMPLES};
use super::narrow::Narrow;
use super::{Axis, Bands, MAX_COLUMNS, Smoothing};
use super::{bands, has_threads, with_pool_for, x_from_other};
use crate::series::Points;

/// Series that are drawn as one.
#[derive(Debug, Clone)]
pub struct Group<'a> {
    /// The series, each with the one whose values are x, if that is not given by `axis`.
    pub members: Vec<(&'a Points, Option<&'a Points>)>,
    /// The x axis.
    pub axis: Axis,
    /// As in a [`super::Query`], like the next two.
    pub range: Option<(f64, f64)>,
    /// Pixel columns.
    pub columns: usize,
    /// How the members are smoothed.
    pub smoothing: Smoothing,
    /// What an interval is requested of.
    pub bootstrap: Option<Centre>,
}

/// What is known of a group, and where its entries are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedBands {
    /// As in [`Bands`], like the next one.
    pub exact: bool,
    /// Points left out.
    pub skipped: usize,
    /// Index of its first entry.
    pub start: usize,
    /// Number of entries.
    pub length: usize,
    /// Index of its first entry in `band_boot_low` and `band_boot_high`, if these were asked for.
    pub interval_start: Option<usize>,
}

/// The bands of many groups.
#[derive(Debug, Default)]
pub struct BandsBatch {
    /// One per group, in their order.
    pub heads: Vec<PlacedBands>,
    /// Every column by its name; those that no group needs are empty.
    pub columns: Vec<(&'static str, Narrow)>,
}

/// The bands of all groups.
pub fn bands_batch(groups: &[Group]) -> Result<BandsBatch, TooMuch> {
    check(groups)?;
    let points = groups.iter().flat_map(|group| &group.members).map(|member| member.0.len()).sum();
    let resamples = groups.iter().any(|group| group.bootstrap.is_some());
    let size = if resamples { usize::MAX } else { points };
    let answers: Vec<Bands> = with_pool_for(size, || {
        if has_threads() {
            groups.par_iter().map(answer).collect()
        } else {
            groups.iter().map(answer).collect()
        }
    });
    let (mut start, mut interval_start) = (0, 0);
    let mut heads = Vec::with_capacity(answers.len());
    for answer in &answers {
        let length = answer.x.len();
        heads.push(PlacedBands {
            exact: answer.exact,
            skipped: answer.skipped,
            start,
            length,
            interval_start: answer.interval.as_ref().map(|_| interval_start),
        });
        start += length;
        interval_start += answer.interval.as_ref().map_or(0, |interval| interval.low.len());
    }
    Ok(BandsBatch { heads, columns: columns(&answers) })
}

fn check(groups: &[Group]) -> Result<(), TooMuch> {
    let columns = |group: &Group| group.columns.clamp(1, MAX_COLUMNS);
    // The members have a value in each column while they are compared.
    let most = |group: &Group| columns(group) * (group.members.len() + 13);
    let numbers = groups.iter().map(most).fold(0, usize::saturating_add);
    if numbers > MAX_NUMBERS {
        return Err(TooMuch::Numbers(numbers));
    }
    check_time(groups.iter().flat_map(|group| {
        let drawn = if group.bootstrap.is_some() { RESAMPLES } else { 0 };
        let shown = columns(group) * (drawn + 10);
        group.members.iter().map(move |(points, x_from)| {
            let lookup = x_from.map_or(0, |other| points.len() + other.len());
            (points.len(), group.smoothing, points.len() + lookup + shown)
        })
    }))
}

fn answer(group: &Group) -> Bands {
    let axis = |&(points, x_from): &(&Points, Option<&Points>)| match x_from {
        Some(other) => Axis::Given(x_from_other(points, other)),
        None => group.axis.clone(),
    };
    let axes: Vec<Axis> = group.members.iter().map(axis).collect();
    let members: Vec<(&Points, &Axis)> =
        group.members.iter().zip(&axes).map(|(&(points, _), axis)| (points, axis)).collect();
    bands(&members, group.range, group.columns, group.smoothing, group.bootstrap)
}

fn columns(answers: &[Bands]) -> Vec<(&'static str, Narrow)> {
    let mut x = Narrow::I32(Vec::new());
    let mut count = Vec::new();
    for answer in answers {
        x.extend_x(&answer.x);
        count.extend_from_slice(&answer.count);
    }
    let values = |of: fn(&Bands) -> &[f64]| {
        let mut column = Narrow::F32(Vec::new());
        answers.iter().for_each(|answer| column.extend_values(of(answer)));
        column
    };
    vec![
        ("band_x", x.narrowed()),
        ("band_count", Narrow::U32(count)),
        ("band_mean", values(|bands| &bands.mean)),
        ("band_median", values(|bands| &bands.median)),
        ("band_min", values(|bands| &bands.min)),
        ("band_max", values(|bands| &bands.max)),
        ("band_std", values(|bands| &bands.std)),
        ("band_stderr", values(|bands| &bands.stderr)),
        ("band_iqm", values(|bands| &bands.iqm)),
        ("band_q25", values(|bands| &bands.q25)),
        ("band_q75", values(|bands| &bands.q75)),
        ("band_boot_low", values(|bands| bands.interval.as_ref().map_or(&[], |it| &it.low))),
        ("band_boot_high", values(|bands| bands.interval.as_ref().map_or(&[], |it| &it.high))),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Kind, Random, cut, draw, series};
    use super::*;

    #[test]
    fn groups_are_answered_together_as_alone() {
        let mut random = Random::new(51);
        let all: Vec<Points> = (0..12)
            .map(|_| {
                let rows = draw(&mut random, 60, Kind { sorted: true, odd: 0.05 });
                cut(&rows, &[16])
            })
            .collect();
        let groups: Vec<Group> = (0..9)
            .map(|index| Group {
                members: (0..index)
                    .map(|member| (&all[member], (index % 3 == 2).then(|| &all[member + 1])))
                    .collect(),
                axis: Axis::RelativeTime,
                range: [None, Some((5.0, 90.0))][index % 2],
                columns: [10, 2000][index % 2],
                smoothing: Smoothing::Ema { weight: 0.5 },
                bootstrap: [None, Some(Centre::Iqm)][index % 2],
            })
            .collect();
        let batch = bands_batch(&groups).unwrap();
        let alone: Vec<Bands> = groups.iter().map(answer).collect();
        assert!(alone.iter().any(|bands| bands.exact) && alone.iter().any(|bands| !bands.exact));
        let mut starts = (0, 0);
        for (head, bands) in batch.heads.iter().zip(&alone) {
            assert_eq!((head.exact, head.skipped), (bands.exact, bands.skipped));
            assert_eq!((head.start, head.length), (starts.0, bands.x.len()));
            assert_eq!(head.interval_start, bands.interval.as_ref().map(|_| starts.1));
            starts.0 += head.length;
            starts.1 += bands.interval.as_ref().map_or(0, |interval| interval.low.len());
        }
        let expected: Vec<f64> = alone.iter().flat_map(|bands| bands.iqm.clone()).collect();
        let low: Vec<f64> =
            alone.iter().flat_map(|bands| bands.interval.clone().unwrap_or_default().low).collect();
        assert!(!low.is_empty());
        for (name, column) in &batch.columns {
            match (*name, column) {
                ("band_iqm", Narrow::F64(column)) => assert_eq!(column, &expected),
                ("band_boot_low", Narrow::F64(column)) => assert_eq!(column, &low),
                ("band_boot_low" | "band_boot_high", column) => assert_eq!(column.len(), low.len()),
                (_, column) => assert_eq!(column.len(), expected.len(), "{name}"),
            }
        }
    }

    #[test]
    fn groups_that_are_too_much_are_refused() {
        let points = series(&(0..100).collect::<Vec<_>>());
        let group = |members: usize, columns, bootstrap| Group {
            members: vec![(&points, None); members],
            axis: Axis::Step,
            range: None,
            columns,
            smoothing: Smoothing::None,
            bootstrap,
        };
        assert_eq!(check(&[group(100, 1000, None)]), Ok(()));
        let large = group(10_000, MAX_COLUMNS, None);
        assert_eq!(check(&[large]), Err(TooMuch::Numbers(10_013 * MAX_COLUMNS)));
        assert_eq!(check(&[group(1000, 1000, Some(Centre::Mean))]), Ok(()));
        let slow = group(10_000, 1000, Some(Centre::Mean));
        assert_eq!(check(&[slow]), Err(TooMuch::Points(1_000_000)));
    }
}
