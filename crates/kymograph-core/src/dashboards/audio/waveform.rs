//! A clip as columns of pixels: the min and the max of each channel in each.

use super::clip::Clip;
use super::loudness::loudness;
use super::{each, part_start};

/// Most columns of one answer.
pub const MAX_COLUMNS: usize = 8192;
/// Frames that are read at once: few enough to stay in the cache.
const READ_FRAMES: usize = 4096;

/// What is drawn of a clip.
#[derive(Debug, PartialEq)]
pub struct Waveform {
    /// Of each channel; not more than there are frames.
    pub columns: usize,
    /// One channel behind the other.
    pub min: Vec<f32>,
    /// Likewise.
    pub max: Vec<f32>,
    /// The highest absolute value.
    pub peak: f32,
    /// In LUFS; nothing for silence. Of a long clip, excerpts are measured.
    pub loudness: Option<f64>,
    /// Samples that are not finite; they are drawn as silence.
    pub not_finite: usize,
}

impl Waveform {
    /// The waveform of `clip` in as many columns, or in fewer.
    pub fn of(clip: &Clip<'_>, columns: usize) -> Self {
        let columns = columns.clamp(1, MAX_COLUMNS).min(clip.frames.max(1));
        let made = each(columns, |column| {
            let start = part_start(column, columns, clip.frames);
            Column::read(clip, start..part_start(column + 1, columns, clip.frames))
        });
        let mut waveform = Self {
            columns,
            min: Vec::with_capacity(columns * clip.channels),
            max: Vec::with_capacity(columns * clip.channels),
            peak: 0.0,
            loudness: loudness(clip),
            not_finite: made.iter().map(|column| column.not_finite).sum(),
        };
        for channel in 0..clip.channels {
            for column in &made {
                let (min, max) = column.extents.get(channel).copied().unwrap_or_default();
                waveform.peak = waveform.peak.max(max).max(-min);
                waveform.min.push(min);
                waveform.max.push(max);
            }
        }
        waveform
    }
}

struct Column {
    /// Of each channel.
    extents: Vec<(f32, f32)>,
    not_finite: usize,
}

impl Column {
    fn read(clip: &Clip<'_>, frames: std::ops::Range<usize>) -> Self {
        let mut column = Self {
            extents: vec![(f32::INFINITY, f32::NEG_INFINITY); clip.channels],
            not_finite: 0,
        };
        let mut samples = Vec::with_capacity(READ_FRAMES.min(frames.len()) * clip.channels);
        for first in frames.clone().step_by(READ_FRAMES) {
            let count = READ_FRAMES.min(frames.end - first);
            column.not_finite += clip.read(first, count, &mut samples);
            // The usual numbers of channels, so that the compiler can do many frames at once.
            match column.extents.as_mut_slice() {
                [one] => widen(&samples, std::array::from_mut(one)),
                [left, right] => {
                    let mut both = [*left, *right];
                    widen(&samples, &mut both);
                    [*left, *right] = both;
                }
                many => {
                    for (channel, extent) in many.iter_mut().enumerate() {
                        for &sample in samples.iter().skip(channel).step_by(clip.channels) {
                            *extent = (extent.0.min(sample), extent.1.max(sample));
                        }
                    }
                }
            }
        }
        column
    }
}

/// Widens each extent to the samples of its channel.
fn widen<const CHANNELS: usize>(samples: &[f32], extents: &mut [(f32, f32); CHANNELS]) {
    const LANES: usize = 8;
    let mut lanes = [*extents; LANES];
    let (frames, _) = samples.as_chunks::<CHANNELS>();
    let (groups, rest) = frames.as_chunks::<LANES>();
    for group in groups {
        for (lane, frame) in lanes.iter_mut().zip(group) {
            include(frame, lane);
        }
    }
    for frame in rest {
        include(frame, extents);
    }
    for lane in &lanes {
        for (extent, other) in extents.iter_mut().zip(lane) {
            *extent = (extent.0.min(other.0), extent.1.max(other.1));
        }
    }
}

#[inline(always)]
fn include<const CHANNELS: usize>(frame: &[f32; CHANNELS], extents: &mut [(f32, f32); CHANNELS]) {
    for (extent, &sample) in extents.iter_mut().zip(frame) {
        // Comparisons, and not `min`: samples are finite, and this is one instruction.
        extent.0 = if sample < extent.0 { sample } else { extent.0 };
        extent.1 = if sample > extent.1 { sample } else { extent.1 };
    }
}

#[cfg(test)]
mod tests {
    use super::super::wav::tests::wav;
    use super::*;

    fn of_samples(channels: u16, samples: &[f32], columns: usize) -> Waveform {
        let data: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        Waveform::of(&Clip::open(&wav(3, channels, 8000, 32, &data)).unwrap(), columns)
    }

    /// The obvious way.
    fn twin(channels: usize, samples: &[f32], columns: usize) -> (Vec<f32>, Vec<f32>) {
        let frames = samples.len() / channels;
        let (mut min, mut max) = (Vec::new(), Vec::new());
        for channel in 0..channels {
            for column in 0..columns {
                let (start, end) = (column * frames / columns, (column + 1) * frames / columns);
                let own = (start..end).map(|frame| samples[frame * channels + channel]);
                min.push(own.clone().fold(f32::INFINITY, f32::min));
                max.push(own.fold(f32::NEG_INFINITY, f32::max));
            }
        }
        (min, max)
    }

    #[test]
    fn columns_have_the_extremes_of_their_samples() {
        let mut seed = 1u32;
        let samples: Vec<f32> = (0..30_000)
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 8) as f32 / 8_388_608.0 - 1.0
            })
            .collect();
        for channels in [1, 2, 3] {
            for columns in [1, 2, 7, 100, 1000] {
                let found = of_samples(channels, &samples, columns);
                let expected = twin(usize::from(channels), &samples, columns);
                assert_eq!((found.min, found.max), expected, "{channels} channels, {columns}");
            }
        }
    }

    #[test]
    fn there_are_not_more_columns_than_frames() {
        let found = of_samples(2, &[0.5, -0.5, 0.25, -2.0], 1000);
        assert_eq!(found.columns, 2);
        assert_eq!(found.min, [0.5, 0.25, -0.5, -2.0]);
        assert_eq!((found.peak, found.not_finite), (2.0, 0));
        assert_eq!(of_samples(1, &[0.1; 10], 0).columns, 1);
    }

    #[test]
    fn twice_the_amplitude_is_six_decibels_louder() {
        let sine = |gain: f32, secs: f32| -> Vec<f32> {
            let count = (secs * 8000.0) as usize;
            (0..count).map(|at| gain * (at as f32 * 0.785).sin()).collect()
        };
        let loud = of_samples(1, &sine(0.5, 2.0), 10).loudness.unwrap();
        let quiet = of_samples(1, &sine(0.25, 2.0), 10).loudness.unwrap();
        assert!((loud - quiet - 6.02).abs() < 0.1, "{loud} and {quiet}");
        // A clip too short for a measurement, and one that is measured in excerpts.
        let short = of_samples(1, &sine(0.5, 0.1), 10).loudness.unwrap();
        let long = of_samples(1, &sine(0.5, 90.0), 10).loudness.unwrap();
        assert!((loud - short).abs() < 1.0 && (loud - long).abs() < 0.2, "{loud} {short} {long}");
        assert_eq!(of_samples(1, &[0.0; 16_000], 10).loudness, None);
    }

    #[test]
    fn samples_that_are_no_numbers_are_counted() {
        let found = of_samples(1, &[f32::NAN, 0.5, f32::NEG_INFINITY], 3);
        assert_eq!((found.min, found.not_finite), (vec![0.0, 0.5, 0.0], 2));
    }
}
