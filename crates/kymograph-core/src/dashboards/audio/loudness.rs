//! How loud a clip is to the ear, by ITU-R BS.1770.

use ebur128::{EbuR128, Mode};

use super::clip::Clip;
use super::part_start;

/// A clip of up to this length is measured as a whole.
const WHOLE_SECS: usize = 60;
/// Of a longer one, this many excerpts of this length.
const EXCERPTS: usize = 20;
const EXCERPT_SECS: usize = 3;
/// A loudness needs at least 0.4 s; a shorter clip is repeated.
const SHORTEST_SECS: f64 = 0.5;

/// The loudness in LUFS; nothing for silence.
pub(super) fn loudness(clip: &Clip<'_>) -> Option<f64> {
    let rate = usize::try_from(clip.sample_rate).ok()?;
    let channels = u32::try_from(clip.channels).ok()?;
    let mode = Mode::I;
    let mut meters = Vec::new();
    let mut samples = Vec::new();
    let mut measure = |first: usize, frames: usize| -> Option<()> {
        let mut meter = EbuR128::new(channels, clip.sample_rate, mode).ok()?;
        clip.read(first, frames, &mut samples);
        let secs = samples.len() as f64 / (clip.channels as f64 * clip.sample_rate as f64);
        let mut repeats = 0.0;
        while repeats * secs < SHORTEST_SECS && secs > 0.0 {
            meter.add_frames_f32(&samples).ok()?;
            repeats += 1.0;
        }
        meters.push(meter);
        Some(())
    };
    if clip.frames <= WHOLE_SECS * rate {
        measure(0, clip.frames)?;
    } else {
        for at in 0..EXCERPTS {
            measure(part_start(at, EXCERPTS, clip.frames), EXCERPT_SECS * rate)?;
        }
    }
    let loudness = EbuR128::loudness_global_multiple(meters.iter()).ok()?;
    loudness.is_finite().then_some(loudness)
}
