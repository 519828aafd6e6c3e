//! Times some work and prints one line about it.

use std::time::Instant;

/// Best and median of some runs, in milliseconds and, where the work has parts, per part.
pub fn time(name: &str, runs: usize, parts: Option<usize>, mut work: impl FnMut()) {
    let mut millis: Vec<f64> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    millis.sort_by(f64::total_cmp);
    let (best, median) = (millis[0], millis[runs / 2]);
    let each = parts.map(|parts| format!("   {:>6.1} ns each", best * 1e6 / parts as f64));
    println!(
        "{name:<44} best {best:>9.3} ms   median {median:>9.3} ms{}",
        each.unwrap_or_default()
    );
}
