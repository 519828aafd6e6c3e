//! Confidence intervals of a mean, a median or an interquartile mean, by resampling.

use std::str::FromStr;

/// The centre of the members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Centre {
    /// The mean.
    Mean,
    /// The median.
    Median,
    /// The mean of the middle half.
    Iqm,
}

/// An unknown centre.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("an interval must be of `mean`, `median` or `iqm`, not: `{0}`")]
pub struct UnknownCentre(String);

impl FromStr for Centre {
    type Err = UnknownCentre;

    fn from_str(text: &str) -> Result<Centre, UnknownCentre> {
        match text {
            "mean" => Ok(Centre::Mean),
            "median" => Ok(Centre::Median),
            "iqm" => Ok(Centre::Iqm),
            _ => Err(UnknownCentre(text.to_owned())),
        }
    }
}

/// How often the members are resampled.
pub(super) const RESAMPLES: usize = 1000;

/// The interval that holds the centres of 95 % of the resamples, each as many values drawn from
/// `values` as there are. What is drawn depends on nothing but their number, so that neighbours
/// with the same members have the same draws and the same question has the same answer.
pub(super) fn interval(values: &[f64], centre: Centre) -> (f64, f64) {
    if let &[value] = values {
        return (value, value);
    }
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0; values.len()];
    for (rank, &index) in order.iter().enumerate() {
        ranks[index] = rank;
    }
    let sorted: Vec<f64> = order.iter().map(|&index| values[index]).collect();
    let mut draws = Draws::among(values.len());
    let mut times = vec![0_u32; values.len()];
    let mut centres: Vec<f64> = (0..RESAMPLES)
        .map(|_| match centre {
            Centre::Mean => {
                let drawn = values.iter().map(|_| values[draws.next_index()]);
                drawn.sum::<f64>() / values.len() as f64
            }
            Centre::Median | Centre::Iqm => {
                times.fill(0);
                for _ in values {
                    times[ranks[draws.next_index()]] += 1;
                }
                match centre {
                    Centre::Median => median(&sorted, &times),
                    _ => interquartile_mean(&sorted, &times),
                }
            }
        })
        .collect();
    centres.sort_by(f64::total_cmp);
    (quantile(&centres, 0.025), quantile(&centres, 0.975))
}

/// Between the two nearest of the sorted values, as numpy does it.
pub(super) fn quantile(sorted: &[f64], part: f64) -> f64 {
    let rank = part * (sorted.len() - 1) as f64;
    let below = rank as usize;
    let above = (below + 1).min(sorted.len() - 1);
    let rest = rank - below as f64;
    sorted[below] * (1.0 - rest) + sorted[above] * rest
}

/// The median of `sorted`, each value this many times.
fn median(sorted: &[f64], times: &[u32]) -> f64 {
    let (mut seen, mut lower) = (0, f64::NAN);
    for (&value, &times) in sorted.iter().zip(times) {
        seen += times as usize;
        if lower.is_nan() && seen > (sorted.len() - 1) / 2 {
            lower = value;
        }
        if seen > sorted.len() / 2 {
            return lower * 0.5 + value * 0.5;
        }
    }
    lower
}

/// The mean of the middle half of `sorted`, each value this many times.
fn interquartile_mean(sorted: &[f64], times: &[u32]) -> f64 {
    let count = sorted.len() as f64;
    let (from, to) = (count / 4.0, count * 3.0 / 4.0);
    let (mut left, mut sum) = (0.0, 0.0);
    for (&value, &times) in sorted.iter().zip(times).filter(|(_, times)| **times > 0) {
        let right = left + f64::from(times);
        sum += (right.min(to) - left.max(from)).max(0.0) * value;
        left = right;
    }
    sum / (to - from)
}

/// Vigna's SplitMix64, seeded with the number of what is drawn from.
struct Draws {
    state: u64,
    end: u64,
}

impl Draws {
    fn among(end: usize) -> Draws {
        Draws { state: end as u64, end: end as u64 }
    }

    fn next_index(&mut self) -> usize {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^= bits >> 31;
        (((bits >> 32) * self.end) >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::Random;
    use super::*;

    const CENTRES: [Centre; 3] = [Centre::Mean, Centre::Median, Centre::Iqm];

    #[test]
    fn draws_are_those_of_the_published_generator() {
        // The first two numbers of SplitMix64 seeded with 1234567.
        let mut draws = Draws { state: 1_234_567, end: 1 << 32 };
        for number in [6_457_827_717_110_365_317_usize, 3_203_168_211_198_807_973] {
            assert_eq!(draws.next_index(), number >> 32);
        }
    }

    #[test]
    fn resamples_are_summed_up_as_if_they_were_sorted() {
        let mut random = Random::new(41);
        for len in 1..30 {
            let mut sorted: Vec<f64> = (0..len).map(|_| random.unit()).collect();
            sorted.sort_by(f64::total_cmp);
            let mut times = vec![0; len];
            (0..len).for_each(|_| times[random.below(len)] += 1);
            let mut drawn = Vec::new();
            for (&value, &times) in sorted.iter().zip(&times) {
                drawn.extend((0..times).map(|_| value));
            }
            let fours: Vec<f64> = drawn.iter().flat_map(|value| [*value; 4]).collect();
            let middle = &fours[len..3 * len];
            let mean = middle.iter().sum::<f64>() / middle.len() as f64;
            assert!((median(&sorted, &times) - quantile(&drawn, 0.5)).abs() < 1e-12);
            assert!((interquartile_mean(&sorted, &times) - mean).abs() < 1e-12);
        }
    }

    #[test]
    fn intervals_hold_the_centre_and_narrow_with_the_number_of_members() {
        // Evenly spread from 0 to 1, in no order.
        let spread = |len: usize| -> Vec<f64> {
            (0..len).map(|index| (index * 7 % len) as f64 / len as f64).collect()
        };
        for centre in CENTRES {
            let mut widths = Vec::new();
            for len in [10, 100, 1000] {
                let mut values = spread(len);
                let (low, high) = interval(&values, centre);
                assert_eq!(interval(&values, centre), (low, high));
                widths.push(high - low);
                values.sort_by(f64::total_cmp);
                let typical = match centre {
                    Centre::Mean => values.iter().sum::<f64>() / len as f64,
                    Centre::Median => median(&values, &vec![1; len]),
                    Centre::Iqm => interquartile_mean(&values, &vec![1; len]),
                };
                assert!(low < typical && typical < high, "{centre:?} {low} {typical} {high}");
            }
            assert!(widths.is_sorted_by(|a, b| a > b), "{centre:?} {widths:?}");
            assert_eq!(interval(&[3.0], centre), (3.0, 3.0));
            assert_eq!(interval(&[3.0; 5], centre), (3.0, 3.0));
        }
        // The standard error of a mean of 1000 draws from 0..1 is √(1/12/1000).
        let (low, high) = interval(&spread(1000), Centre::Mean);
        let expected = 2.0 * 1.96 * (1.0_f64 / 12_000.0).sqrt();
        assert!(((high - low) / expected - 1.0).abs() < 0.15, "{low} {high}");
    }

    #[test]
    fn centres_have_names() {
        for (name, centre) in ["mean", "median", "iqm"].into_iter().zip(CENTRES) {
            assert_eq!(name.parse(), Ok(centre));
        }
        assert!("max".parse::<Centre>().is_err());
    }
}
