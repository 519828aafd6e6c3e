//! Fewer points, same picture: series reduced to what a plot of this many pixel columns can show.
//!
//! ```text
//!   Points + Axis ─► view     x of every point, chunk by chunk, without unpacking what is not needed
//!                ─► smooth    on all points from the first on, whatever the range
//!                ─► reduce    first/min/max/last per pixel column, or the points themselves
//!                ─► batch     thousands of lines at once, in shared, narrow columns
//!                ─► bands     several members on a common x: mean, quantiles, spread
//!                ─► groups    many such groups at once
//!                ─► rows      what is known of lines and bands, as JSON
//!                ─► summary   what a table shows of a series
//!                ─► around    the points on both sides of a step
//! ```

use std::cell::Cell;
use std::str::FromStr;
use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

mod around;
mod view;
mod median;
mod smooth;
mod reduce;
mod narrow;
mod batch;
mod bootstrap;
mod bands;
mod groups;
mod rows;
mod summary;

pub use around::{Around, Place, around};
pub use bands::{Bands, Interval, bands};
pub use batch::{Batch, Line, Placed, TooMuch, batch};
pub use bootstrap::{Centre, UnknownCentre};
pub use groups::{BandsBatch, Group, PlacedBands, bands_batch};
pub use narrow::Narrow;
pub use reduce::{Envelope, Head, Neighbour, Reduced, query};
pub use rows::{BandLabel, LineLabel, band_rows, line_rows};
pub use summary::{Summary, summaries};
pub use view::x_from_other;

thread_local! {
    /// Whether the work of this thread must not be spread over others.
    static SERIAL: Cell<bool> = const { Cell::new(false) };
}

/// Whether work may be spread over threads. Not in a forked child of a process that did: the
/// threads stayed with the parent, and waiting for them would never end.
fn has_threads() -> bool {
    static OWNER: OnceLock<u32> = OnceLock::new();
    !SERIAL.get() && *OWNER.get_or_init(std::process::id) == std::process::id()
}

/// Up to this many points, work is done sooner than other threads are woken, which then spin for a
/// while at the cost of other processes.
const TINY_POINTS: usize = 50_000;

/// Up to this many points, work uses the small pool.
const SMALL_POINTS: usize = 2_000_000;

/// Does work on this many points in the pool for its size. Small work has a pool of its own: the
/// threads of the other take nothing new until their current work is done, which may be many
/// seconds. Tiny work uses none.
fn with_pool_for<T: Send>(points: usize, work: impl FnOnce() -> T + Send) -> T {
    static SMALL_POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    if points <= TINY_POINTS {
        let was_serial = SERIAL.replace(true);
        let done = work();
        SERIAL.set(was_serial);
        return done;
    }
    if points > SMALL_POINTS || !has_threads() {
        return work();
    }
    match SMALL_POOL.get_or_init(|| ThreadPoolBuilder::new().build().ok()) {
        Some(threads) => threads.install(work),
        None => work(),
    }
}

/// Most pixel columns a query can request; more are treated as this many.
pub const MAX_COLUMNS: usize = 16_384;

/// The x axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Axis {
    /// The step.
    #[default]
    Step,
    /// The wall time, in seconds since 1970.
    WallTime,
    /// Seconds since the first point of the series.
    RelativeTime,
    /// One x per point, as [`x_from_other`] makes it. Points whose x is missing or not finite are
    /// left out and counted; surplus entries are ignored.
    Given(Vec<f64>),
}

/// How values are smoothed. Always over all points in series order, so that zooming does not
/// change the curve. A value that is not finite comes out as it is and does not influence others.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Smoothing {
    /// Not at all.
    #[default]
    None,
    /// TensorBoard's debiased exponential moving average, bit for bit: `last = last·w + (1−w)·v`,
    /// `n += 1`, `out = last / (1 − wⁿ)`. A series of equal values is left unchanged, and w = 1
    /// is not debiased.
    Ema {
        /// Weight of the past, taken into 0..=1.
        weight: f64,
    },
    /// Exponential moving average by distance on the x axis, for unevenly spaced points:
    /// `k = w^(|x − x_prev| / unit)`, `sum = sum·k + v`, `norm = norm·k + 1`, `out = sum / norm`.
    /// `unit` is the lower median of the non-zero distances between neighbouring points (1 if
    /// there are none), so evenly spaced points give [`Smoothing::Ema`] up to rounding.
    TimeEma {
        /// Weight of the past at a distance of one unit, taken into 0..=1.
        weight: f64,
    },
    /// Mean of the finite values in a window of `window` points: `window / 2` before the point,
    /// `(window − 1) / 2` after it, fewer at the ends.
    MovingAverage {
        /// Points in the window; 0 is taken as 1.
        window: usize,
    },
    /// Mean weighted with `exp(−d² / 2σ²)`, `d` counted in points, cut off at 4σ, over the finite
    /// values only. From σ = 32 on, blocks of `⌊σ/16⌋` points (counted from the first point) stand
    /// at their centre, which keeps the cost bounded and is off by less than 2·10⁻⁴ of the kernel.
    Gaussian {
        /// Standard deviation in points; the values are left unchanged unless it is positive.
        sigma: f64,
    },
    /// Median of the finite values in the window of [`Smoothing::MovingAverage`]; halfway between
    /// the two middle ones where their number is even.
    Median {
        /// Points in the window; 0 is taken as 1.
        window: usize,
    },
}

/// An unknown smoothing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "unknown smoothing: `{0}`\nhint: use `none`, `ema:WEIGHT`, `twema:WEIGHT`, `mean:POINTS`, `gaussian:SIGMA` or `median:POINTS`"
)]
pub struct UnknownSmoothing(String);

impl FromStr for Smoothing {
    type Err = UnknownSmoothing;

    /// Reads a name and its number: `ema:0.6` and `twema:0.6` (0 to 1), `mean:11` and
    /// `median:11` (from 1), `gaussian:2.5` (above 0), and `none`.
    fn from_str(text: &str) -> Result<Smoothing, UnknownSmoothing> {
        let (name, number) = text.split_once(':').unwrap_or((text, ""));
        let real = number.parse::<f64>().ok();
        let weight = real.filter(|weight| (0.0..=1.0).contains(weight));
        let window = number.parse::<usize>().ok().filter(|&window| window > 0);
        let sigma = real.filter(|&sigma| sigma > 0.0 && sigma.is_finite());
        match name {
            "none" if text == name => Some(Smoothing::None),
            "ema" => weight.map(|weight| Smoothing::Ema { weight }),
            "twema" => weight.map(|weight| Smoothing::TimeEma { weight }),
            "mean" => window.map(|window| Smoothing::MovingAverage { window }),
            "gaussian" => sigma.map(|sigma| Smoothing::Gaussian { sigma }),
            "median" => window.map(|window| Smoothing::Median { window }),
            _ => None,
        }
        .ok_or_else(|| UnknownSmoothing(text.to_owned()))
    }
}

/// What one plot requests of one series.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The x axis.
    pub axis: Axis,
    /// Both ends belong to the range, in either order. An infinite or NaN end is that end of the
    /// data; so are both when there is no range.
    pub range: Option<(f64, f64)>,
    /// Pixel columns, taken into 1..=[`MAX_COLUMNS`].
    pub columns: usize,
    /// How values are smoothed.
    pub smoothing: Smoothing,
}

impl Default for Query {
    fn default() -> Self {
        Query { axis: Axis::Step, range: None, columns: 1000, smoothing: Smoothing::None }
    }
}

#[cfg(test)]
mod samples;
#[cfg(test)]
mod twin;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothings_have_names() {
        for (text, smoothing) in [
            ("none", Smoothing::None),
            ("ema:0.6", Smoothing::Ema { weight: 0.6 }),
            ("twema:1", Smoothing::TimeEma { weight: 1.0 }),
            ("mean:101", Smoothing::MovingAverage { window: 101 }),
            ("gaussian:2.5", Smoothing::Gaussian { sigma: 2.5 }),
            ("median:3", Smoothing::Median { window: 3 }),
        ] {
            assert_eq!(text.parse(), Ok(smoothing));
        }
        for text in [
            "",
            "ema",
            "ema:",
            "ema:1.1",
            "ema:nan",
            "ema:-0.1",
            "none:1",
            "mean:0",
            "mean:2.5",
            "median:-1",
            "gaussian:0",
            "gaussian:inf",
            "EMA:0.5",
            "ema:0.5:1",
        ] {
            assert!(text.parse::<Smoothing>().is_err(), "{text}");
        }
    }
}
