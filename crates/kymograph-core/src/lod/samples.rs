//! Series for tests: drawn at random, and cut into chunks anywhere.

use std::sync::Arc;

use crate::series::{Chunk, Point, Points};

/// Knuth's MMIX generator; the upper bits are good enough to draw from.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.unit() * end as f64) as usize
    }

    /// In 0..1.
    pub(super) fn unit(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// (step, wall time, value)
pub(super) type Row = (i64, f64, f64);

/// The rows as chunks of the given sizes, over and over.
pub(super) fn cut(rows: &[Row], sizes: &[usize]) -> Points {
    let points: Vec<Point> =
        rows.iter().map(|&(step, wall_time, value)| Point { step, wall_time, value }).collect();
    let (mut rest, mut chunks) = (&points[..], Vec::new());
    for &size in sizes.iter().cycle() {
        let (here, later) = rest.split_at(size.clamp(1, rest.len().max(1)).min(rest.len()));
        chunks.extend(Chunk::pack(here).map(Arc::new));
        rest = later;
        if rest.is_empty() {
            break;
        }
    }
    Points::new(chunks)
}

/// Points at these steps, a second apart, the value being the index.
pub(super) fn series(steps: &[i64]) -> Points {
    let rows: Vec<Row> =
        steps.iter().enumerate().map(|(index, &step)| (step, index as f64, index as f64)).collect();
    cut(&rows, &[3])
}

/// What a drawn series is like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    pub(super) sorted: bool,
    /// Part of the values that is NaN or infinite.
    pub(super) odd: f64,
}

/// `len` rows drawn at random.
pub(super) fn draw(random: &mut Random, len: usize, kind: Kind) -> Vec<Row> {
    let (mut step, mut wall) = (random.below(1000) as i64 - 500, 1.7e9);
    (0..len)
        .map(|_| {
            step += random.below(4) as i64;
            wall += random.unit() * if random.below(50) == 0 { 1000.0 } else { 1.0 };
            if !kind.sorted && random.below(20) == 0 {
                step -= random.below(200) as i64;
                wall -= random.unit() * 300.0;
            }
            let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
            let value = if random.unit() < kind.odd {
                odd[random.below(3)]
            } else {
                (random.unit() - 0.3) * 100.0
            };
            (step, wall, value)
        })
        .collect()
}

/// Chunk sizes drawn at random.
pub(super) fn sizes(random: &mut Random) -> Vec<usize> {
    let most = [1, 3, 17, 300][random.below(4)];
    (0..7).map(|_| 1 + random.below(most)).collect()
}
