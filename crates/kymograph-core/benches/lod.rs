//! How long does a plot of ten million points take to answer, raw, zoomed and smoothed?
#![allow(clippy::print_stdout)]

mod timing;

use std::hint::black_box;

use kymograph_core::lod::{Axis, Query, Smoothing, bands, query};
use kymograph_core::series::{Column, Point, Points};
use timing::time;

const POINTS: i64 = 10_000_000;

fn series(step: impl Fn(i64) -> i64, odd: bool) -> Points {
    let mut noise = 1u64;
    let mut column: Column = (0..POINTS)
        .map(|index| {
            noise = noise
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let unit = (noise >> 40) as f32 / (1u32 << 24) as f32;
            let loss = 5.0 / (1.0 + index as f32 / 1e6) + unit;
            Point {
                step: step(index),
                wall_time: 1.7e9 + index as f64 * 0.05 + f64::from(unit) * 0.01,
                value: f64::from(if odd && noise >> 58 == 0 { f32::NAN } else { loss }),
            }
        })
        .collect();
    Points::new(column.chunks().to_vec())
}

fn main() {
    let even = series(|index| index * 10, false);
    let ask = |points: &Points, name: &str, runs: usize, query_: Query| {
        time(name, runs, None, || {
            black_box(query(black_box(points), &query_));
        });
    };
    let plain = Query::default;
    println!("{POINTS} points, 1000 columns");
    ask(&even, "raw, by step", 20, plain());
    ask(&even, "raw, by wall time", 20, Query { axis: Axis::WallTime, ..plain() });
    ask(&even, "raw, by relative time", 20, Query { axis: Axis::RelativeTime, ..plain() });
    let whole = POINTS as f64 * 10.0;
    for (name, width) in [("a tenth", 0.1), ("a thousandth", 1e-3), ("a hundred points", 1e-5)] {
        let range = Some((whole * 0.4321, whole * (0.4321 + width)));
        ask(&even, &format!("raw, zoomed to {name}"), 50, Query { range, ..plain() });
    }
    ask(&even, "raw, 16384 columns", 10, Query { columns: 16_384, ..plain() });
    for (name, smoothing, runs) in [
        ("EMA 0.6", Smoothing::Ema { weight: 0.6 }, 10),
        ("EMA 0.999", Smoothing::Ema { weight: 0.999 }, 10),
        ("time EMA 0.9 by step", Smoothing::TimeEma { weight: 0.9 }, 5),
        ("moving average of 101", Smoothing::MovingAverage { window: 101 }, 3),
        ("Gaussian of 10", Smoothing::Gaussian { sigma: 10.0 }, 3),
        ("Gaussian of 1000", Smoothing::Gaussian { sigma: 1000.0 }, 3),
        ("median of 101", Smoothing::Median { window: 101 }, 3),
    ] {
        ask(&even, name, runs, Query { smoothing, ..plain() });
    }
    let smoothing = Smoothing::TimeEma { weight: 0.9 };
    ask(
        &even,
        "time EMA 0.9 by wall time",
        3,
        Query { axis: Axis::WallTime, smoothing, ..plain() },
    );
    ask(&even, "raw, x given", 5, Query { axis: Axis::Given(even.walls(0)), ..plain() });

    let odd = series(|index| index * 10, true);
    ask(&odd, "raw, one NaN in 64", 10, plain());
    drop(odd);
    let restarted = series(
        |index| {
            if index < POINTS / 2 { index } else { index - 1000 }
        },
        false,
    );
    ask(&restarted, "raw, one restart", 10, plain());
    let shuffled = series(|index| (index * 7_919) % POINTS, false);
    ask(&shuffled, "raw, all out of order", 3, plain());
    drop(shuffled);
    let members = [(&even, &Axis::Step), (&restarted, &Axis::Step)];
    time("bands of two", 3, None, || {
        black_box(bands(&members, None, 1000, Smoothing::None, None));
    });
}
