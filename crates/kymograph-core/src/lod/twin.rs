//! Level of detail written down as it is defined, for tests to compare with.

use super::samples::Row;
use super::{Axis, Bands, Envelope, Head, Neighbour, Query, Reduced, Smoothing};

/// The x of every row.
pub(super) fn x_of(rows: &[Row], axis: &Axis) -> Vec<f64> {
    let of = |x: fn(&Row) -> f64| rows.iter().map(x).collect::<Vec<f64>>();
    match axis {
        Axis::Step => of(|row| row.0 as f64),
        Axis::WallTime => of(|row| row.1),
        Axis::RelativeTime => {
            let first = rows.first().map_or(0.0, |row| row.1);
            rows.iter().map(|row| row.1 - first).collect()
        }
        Axis::Given(x) => (0..rows.len())
            .map(|index| x.get(index).copied().filter(|x| x.is_finite()).unwrap_or(f64::NAN))
            .collect(),
    }
}

pub(super) fn smooth(x: &[f64], values: &[f64], smoothing: Smoothing) -> Vec<f64> {
    match smoothing {
        Smoothing::None => values.to_vec(),
        Smoothing::Ema { weight } => ema(values, weight),
        Smoothing::TimeEma { weight } => time_ema(x, values, weight),
        Smoothing::MovingAverage { window } => windows(values, window, |inside| {
            inside.iter().map(|value| value / inside.len() as f64).sum()
        }),
        Smoothing::Median { window } => windows(values, window, |inside| {
            inside.sort_by(f64::total_cmp);
            let len = inside.len();
            inside[(len - 1) / 2] * 0.5 + inside[len / 2] * 0.5
        }),
        Smoothing::Gaussian { sigma } => gaussian(values, sigma),
    }
}

fn ema(values: &[f64], weight: f64) -> Vec<f64> {
    if values.iter().all(|value| *value == values[0]) {
        return values.to_vec();
    }
    let (mut last, mut count) = (0.0, 0);
    let mut out = Vec::new();
    for &value in values {
        if !value.is_finite() {
            out.push(value);
            continue;
        }
        last = last * weight + (1.0 - weight) * value;
        count += 1;
        let debias = if weight == 1.0 { 1.0 } else { 1.0 - weight.powf(f64::from(count)) };
        out.push(last / debias);
    }
    out
}

fn time_ema(x: &[f64], values: &[f64], weight: f64) -> Vec<f64> {
    let known: Vec<f64> = x.iter().copied().filter(|x| !x.is_nan()).collect();
    let mut gaps: Vec<f64> = known.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    gaps.retain(|gap| *gap > 0.0);
    gaps.sort_by(f64::total_cmp);
    let unit = if gaps.is_empty() { 1.0 } else { gaps[(gaps.len() - 1) / 2] };
    // The weight of every earlier point, taken from its distance along the way.
    let mut seen: Vec<(f64, f64)> = Vec::new();
    let (mut way, mut previous) = (0.0, f64::NAN);
    let mut out = Vec::new();
    for (&x, &value) in x.iter().zip(values) {
        if !value.is_finite() || x.is_nan() {
            out.push(value);
            continue;
        }
        if !previous.is_nan() {
            way += f64::abs(x - previous);
        }
        previous = x;
        seen.push((way, value));
        let (mut sum, mut norm) = (0.0, 0.0);
        for &(at, value) in &seen {
            let factor = weight.powf((way - at) / unit);
            sum += factor * value;
            norm += factor;
        }
        out.push(sum / norm);
    }
    out
}

fn windows(values: &[f64], window: usize, mut of: impl FnMut(&mut Vec<f64>) -> f64) -> Vec<f64> {
    let window = window.max(1);
    (0..values.len())
        .map(|index| {
            let from = index.saturating_sub(window / 2);
            let to = index.saturating_add((window - 1) / 2).min(values.len() - 1);
            let mut inside: Vec<f64> = values[from..=to].to_vec();
            inside.retain(|value| value.is_finite());
            if values[index].is_finite() { of(&mut inside) } else { values[index] }
        })
        .collect()
}

fn gaussian(values: &[f64], sigma: f64) -> Vec<f64> {
    if sigma.is_nan() || sigma <= 0.0 {
        return values.to_vec();
    }
    let block = ((sigma / 16.0) as usize).clamp(1, values.len().max(1));
    (0..values.len())
        .map(|index| {
            let (mut sum, mut norm) = (0.0, 0.0);
            for (other, value) in values.iter().enumerate() {
                let centre = (other / block * block) as f64 + (block - 1) as f64 / 2.0;
                let distance = centre - index as f64;
                if value.is_finite() && distance.abs() <= 4.0 * sigma {
                    let weight = (-(distance / sigma).powi(2) / 2.0).exp();
                    sum += weight * value;
                    norm += weight;
                }
            }
            if values[index].is_finite() { sum / norm } else { values[index] }
        })
        .collect()
}

/// Everything but a bound on the number of columns.
pub(super) fn query(rows: &[Row], query: &Query) -> Reduced {
    let x = x_of(rows, &query.axis);
    let values: Vec<f64> = rows.iter().map(|row| row.2).collect();
    let smoothed = smooth(&x, &values, query.smoothing);
    let has_smoothed = query.smoothing != Smoothing::None;
    let known: Vec<usize> = (0..rows.len()).filter(|&index| !x[index].is_nan()).collect();
    let head = Head {
        exact: true,
        sorted: known.windows(2).all(|pair| x[pair[0]] <= x[pair[1]]),
        total_points: rows.len(),
        skipped: rows.len() - known.len(),
        bounds: (f64::NAN, f64::NAN),
        ..Head::default()
    };
    let mut out =
        Reduced { head, smoothed: has_smoothed.then(Envelope::default), ..Reduced::default() };
    if known.is_empty() {
        return out;
    }
    // By x, then by index, as stable sorting leaves it.
    let mut order = known.clone();
    order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
    let (from, to, bounds) = limits(query.range, x[order[0]], x[order[order.len() - 1]]);
    out.head.bounds = bounds;
    let neighbour = |index: &usize| Neighbour {
        x: x[*index],
        value: values[*index],
        smoothed: has_smoothed.then_some(smoothed[*index]),
    };
    out.head.before = order.iter().rev().find(|&&index| x[index] < from).map(neighbour);
    out.head.after = order.iter().find(|&&index| x[index] > to).map(neighbour);
    let within = |index: &usize| from <= x[*index] && x[*index] <= to;
    out.head.points_in_range = known.iter().filter(|index| within(index)).count();
    out.head.exact = out.head.points_in_range <= 2 * query.columns;
    let groups: Vec<Vec<usize>> = if out.head.exact {
        known.into_iter().filter(within).map(|index| vec![index]).collect()
    } else {
        let mut groups = vec![Vec::new(); query.columns];
        for index in order.into_iter().filter(within) {
            groups[column(x[index], bounds, query.columns)].push(index);
        }
        groups.retain(|group| !group.is_empty());
        groups
    };
    for group in groups {
        out.x_first.push(x[group[0]]);
        out.x_last.push(x[group[group.len() - 1]]);
        out.count.push(group.len() as u32);
        let flag = |value: f64| match value {
            _ if value.is_nan() => 1,
            f64::INFINITY => 2,
            f64::NEG_INFINITY => 4,
            _ => 0,
        };
        out.flags.push(group.iter().fold(0, |flags, &index| flags | flag(values[index])));
        describe(&mut out.raw, &group, &values, out.head.exact);
        if let Some(envelope) = &mut out.smoothed {
            describe(envelope, &group, &smoothed, out.head.exact);
        }
    }
    out
}

fn limits(range: Option<(f64, f64)>, least: f64, greatest: f64) -> (f64, f64, (f64, f64)) {
    let (a, b) = range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let (a, b) = match (a.is_nan(), b.is_nan()) {
        (true, true) => (f64::NEG_INFINITY, f64::INFINITY),
        (true, false) => (f64::NEG_INFINITY, b),
        (false, true) => (a, f64::INFINITY),
        _ => (a, b),
    };
    let (from, to) = if a > b { (b, a) } else { (a, b) };
    let left = if from.is_infinite() { least } else { from };
    let right = if to.is_infinite() { greatest } else { to };
    (from, to, (left, right))
}

fn column(x: f64, (from, to): (f64, f64), columns: usize) -> usize {
    if from == to {
        return 0;
    }
    (((x - from) / (to - from) * columns as f64).floor() as usize).min(columns - 1)
}

fn describe(envelope: &mut Envelope, group: &[usize], values: &[f64], exact: bool) {
    let mut finite: Vec<f64> = group.iter().map(|&index| values[index]).collect();
    if !exact {
        finite.retain(|value| value.is_finite());
    }
    let or_nan = |value: Option<&f64>| value.copied().unwrap_or(f64::NAN);
    envelope.first.push(or_nan(finite.first()));
    envelope.last.push(or_nan(finite.last()));
    finite.sort_by(f64::total_cmp);
    envelope.min.push(or_nan(finite.first()));
    envelope.max.push(or_nan(finite.last()));
}

/// Everything but a bound on the number of columns.
pub(super) fn bands(
    members: &[(Vec<Row>, Axis)],
    range: Option<(f64, f64)>,
    columns: usize,
    smoothing: Smoothing,
) -> Bands {
    let mut out = Bands { exact: true, ..Bands::default() };
    let mut curves: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut all: Vec<f64> = Vec::new();
    let mut odd: Vec<f64> = Vec::new();
    for (rows, axis) in members {
        let x = x_of(rows, axis);
        let values: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let pairs = x.iter().copied().zip(smooth(&x, &values, smoothing));
        let (known, unknown): (Vec<_>, Vec<_>) = pairs.partition(|(x, _)| !x.is_nan());
        out.skipped += unknown.len();
        all.extend(known.iter().map(|(x, _)| *x));
        let (finite, not): (Vec<_>, Vec<_>) = known.into_iter().partition(|(_, y)| y.is_finite());
        odd.extend(not.into_iter().map(|(x, _)| x));
        curves.push(finite);
    }
    if all.is_empty() {
        return out;
    }
    all.sort_by(f64::total_cmp);
    let (from, to, bounds) = limits(range, all[0], all[all.len() - 1]);
    let within = |x: f64| from <= x && x <= to;
    out.skipped += odd.into_iter().filter(|&x| within(x)).count();
    let mut common: Vec<f64> = curves.iter().flatten().map(|(x, _)| *x).collect();
    common.retain(|x| within(*x));
    common.sort_by(f64::total_cmp);
    common.dedup();
    out.exact = common.len() <= columns;
    if !out.exact {
        let centre = |index: usize| (index as f64 + 0.5) / columns as f64;
        common =
            (0..columns).map(|index| bounds.0 + centre(index) * (bounds.1 - bounds.0)).collect();
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    for (index, &x) in common.iter().enumerate() {
        let mut values = Vec::new();
        for curve in &curves {
            let at = |x: f64| -> f64 {
                mean(&curve.iter().filter(|p| p.0 == x).map(|p| p.1).collect::<Vec<_>>())
            };
            let here: Vec<f64> = curve
                .iter()
                .filter(|p| match out.exact {
                    true => p.0 == x,
                    false => within(p.0) && column(p.0, bounds, columns) == index,
                })
                .map(|p| p.1)
                .collect();
            let below = curve.iter().map(|p| p.0).filter(|p| *p <= x).reduce(f64::max);
            let above = curve.iter().map(|p| p.0).filter(|p| *p >= x).reduce(f64::min);
            if !here.is_empty() {
                values.push(mean(&here));
            } else if let (Some(a), Some(b)) = (below, above) {
                let slope = if a == b { 0.0 } else { (at(b) - at(a)) / (b - a) };
                values.push(at(a) + slope * (x - a));
            }
        }
        if !values.is_empty() {
            push(&mut out, x, values);
        }
    }
    out
}

fn push(out: &mut Bands, x: f64, mut values: Vec<f64>) {
    values.sort_by(f64::total_cmp);
    let count = values.len();
    let mean = values.iter().sum::<f64>() / count as f64;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let std = if count == 1 { 0.0 } else { (squares / (count - 1) as f64).sqrt() };
    // Every value four times: the middle half is then a whole number of them.
    let fours: Vec<f64> = values.iter().flat_map(|value| [*value; 4]).collect();
    let middle = &fours[count..3 * count];
    let quantile = |part: f64| {
        let rank = part * (count - 1) as f64;
        let (low, high) = (rank.floor() as usize, rank.ceil() as usize);
        values[low] + (values[high] - values[low]) * (rank - low as f64)
    };
    out.x.push(x);
    out.count.push(count as u32);
    out.mean.push(mean);
    out.median.push(quantile(0.5));
    out.min.push(values[0]);
    out.max.push(values[count - 1]);
    out.std.push(std);
    out.stderr.push(std / (count as f64).sqrt());
    out.iqm.push(middle.iter().sum::<f64>() / middle.len() as f64);
    out.q25.push(quantile(0.25));
    out.q75.push(quantile(0.75));
}
