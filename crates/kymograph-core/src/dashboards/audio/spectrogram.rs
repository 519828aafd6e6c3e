//! A clip as a picture: how strong each band of frequencies is, column by column.

use std::f32::consts::TAU;
use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

use super::clip::Clip;
use super::{each, part_start};

/// Most columns and rows of one answer.
pub const MAX_COLUMNS: usize = 4096;
/// Likewise.
pub const MAX_ROWS: usize = 512;
/// Spectra that are averaged in one column; more would not change the picture.
const MAX_SPECTRA: usize = 8;
/// What the lowest and highest level are, in decibels below a full-scale sine.
pub const FLOOR_DECIBELS: f32 = -120.0;
/// The lowest frequency of a logarithmic scale.
const LOG_FLOOR_HERTZ: f32 = 30.0;

/// How frequencies are spread over the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// As far apart as they sound.
    Mel,
    /// Each octave as high as any other, from 30 Hz on.
    Log,
}

impl Scale {
    fn position(self, hertz: f32) -> f32 {
        match self {
            Scale::Mel => 2595.0 * (1.0 + hertz / 700.0).log10(),
            Scale::Log => hertz.max(1.0).ln(),
        }
    }

    fn hertz(self, position: f32) -> f32 {
        match self {
            Scale::Mel => 700.0 * (10f32.powf(position / 2595.0) - 1.0),
            Scale::Log => position.exp(),
        }
    }
}

/// The picture.
#[derive(Debug, PartialEq)]
pub struct Spectrogram {
    /// From left to right.
    pub columns: usize,
    /// From the lowest band up.
    pub rows: usize,
    /// Column by column: 0 is the floor or below, 255 a sine of full scale.
    pub levels: Vec<u8>,
    /// The edges of the rows in hertz: one more than there are rows.
    pub edges: Vec<f32>,
    /// Samples of one spectrum.
    pub window: usize,
}

impl Spectrogram {
    /// The spectrogram of the mean of all channels.
    pub fn of(clip: &Clip<'_>, columns: usize, rows: usize, scale: Scale) -> Self {
        let columns = columns.clamp(1, MAX_COLUMNS).min(clip.frames.max(1));
        let rows = rows.clamp(1, MAX_ROWS);
        let window = window_for(clip.sample_rate);
        let edges = edges(clip.sample_rate, rows, scale);
        let spectrum = Spectrum::new(clip, window, &edges);
        // Far more columns than processors, and each needs buffers: some at a time.
        let batches = columns.min(64);
        let levels = each(batches, |batch| {
            let first = part_start(batch, batches, columns);
            let end = part_start(batch + 1, batches, columns);
            let mut buffers = spectrum.buffers();
            (first..end)
                .flat_map(|column| {
                    let start = part_start(column, columns, clip.frames);
                    let end = part_start(column + 1, columns, clip.frames);
                    spectrum.levels(start..end.max(start + 1), &mut buffers)
                })
                .collect::<Vec<u8>>()
        });
        Self { columns, rows, levels: levels.concat(), edges, window }
    }
}

/// About 46 ms, in which speech and music hold still: 2048 samples at 44.1 kHz.
fn window_for(sample_rate: u32) -> usize {
    let samples = (u64::from(sample_rate) * 46 / 1000).next_power_of_two();
    usize::try_from(samples).unwrap_or(usize::MAX).clamp(64, 32_768)
}

fn edges(sample_rate: u32, rows: usize, scale: Scale) -> Vec<f32> {
    let top = sample_rate as f32 / 2.0;
    let floor = match scale {
        Scale::Mel => 0.0,
        Scale::Log => LOG_FLOOR_HERTZ.min(top / 2.0),
    };
    let (low, high) = (scale.position(floor), scale.position(top));
    (0..=rows).map(|row| scale.hertz(low + (high - low) * row as f32 / rows as f32)).collect()
}

struct Spectrum<'c, 'b> {
    clip: &'c Clip<'b>,
    transform: Arc<dyn RealToComplex<f32>>,
    taper: Vec<f32>,
    /// For each row, the bins that it is the mean of, or between which it is.
    bands: Vec<Band>,
}

enum Band {
    Mean(std::ops::Range<usize>),
    Between { low: usize, share: f32 },
}

struct Buffers {
    samples: Vec<f32>,
    input: Vec<f32>,
    output: Vec<Complex<f32>>,
    scratch: Vec<Complex<f32>>,
    power: Vec<f32>,
}

impl<'c, 'b> Spectrum<'c, 'b> {
    fn new(clip: &'c Clip<'b>, window: usize, edges: &[f32]) -> Self {
        let transform = RealFftPlanner::new().plan_fft_forward(window);
        let taper = (0..window)
            .map(|at| 0.5 - 0.5 * (TAU * (at as f32 + 0.5) / window as f32).cos())
            .collect();
        let per_bin = clip.sample_rate as f32 / window as f32;
        let bands = edges.windows(2).map(|pair| band(pair, per_bin, window / 2)).collect();
        Self { clip, transform, taper, bands }
    }

    fn buffers(&self) -> Buffers {
        Buffers {
            samples: Vec::new(),
            input: self.transform.make_input_vec(),
            output: self.transform.make_output_vec(),
            scratch: self.transform.make_scratch_vec(),
            power: Vec::new(),
        }
    }

    /// The levels of all rows in the column that shows these frames.
    fn levels(&self, frames: std::ops::Range<usize>, buffers: &mut Buffers) -> Vec<u8> {
        let window = self.taper.len();
        let spectra = frames.len().div_ceil(window / 2).clamp(1, MAX_SPECTRA);
        buffers.power.clear();
        buffers.power.resize(window / 2 + 1, 0.0);
        for at in 0..spectra {
            let start = frames.start + part_start(at, spectra, frames.len());
            let end = frames.start + part_start(at + 1, spectra, frames.len());
            self.add((start + end) / 2, buffers);
        }
        // The sum of the taper is half its length: a sine of full scale is 1.
        let unit = (window as f32 / 4.0).powi(2) * spectra as f32;
        self.bands.iter().map(|band| level(band.of(&buffers.power) / unit)).collect()
    }

    /// Adds the power of the window around a frame; beyond the clip is silence.
    fn add(&self, centre: usize, buffers: &mut Buffers) {
        let window = self.taper.len();
        let before = window.saturating_sub(2 * centre) / 2;
        let first = centre.saturating_sub(window / 2);
        self.clip.read(first, window - before, &mut buffers.samples);
        buffers.input.fill(0.0);
        let channels = self.clip.channels;
        let frames = buffers.samples.chunks_exact(channels);
        let places = buffers.input.iter_mut().zip(&self.taper).skip(before);
        for (frame, (place, taper)) in frames.zip(places) {
            let sum: f32 = frame.iter().sum();
            *place = sum / channels as f32 * taper;
        }
        let Buffers { input, output, scratch, power, .. } = buffers;
        if self.transform.process_with_scratch(input, output, scratch).is_ok() {
            for (power, bin) in power.iter_mut().zip(output) {
                *power += bin.norm_sqr();
            }
        }
    }
}

#[allow(clippy::cast_possible_truncation)] // clamped to the bins
fn band(edges: &[f32], per_bin: f32, last: usize) -> Band {
    let (low, high) = match edges {
        [low, high] => (low / per_bin, high / per_bin),
        _ => (0.0, 0.0),
    };
    let first = (low.ceil().max(0.0) as usize).min(last);
    let end = (high.ceil().max(0.0) as usize).min(last + 1);
    if end > first + 1 {
        return Band::Mean(first..end);
    }
    let centre = ((low + high) / 2.0).clamp(0.0, last as f32);
    Band::Between { low: centre.floor() as usize, share: centre.fract() }
}

impl Band {
    fn of(&self, power: &[f32]) -> f32 {
        let at = |bin: usize| power.get(bin).copied().unwrap_or_default();
        match self {
            Band::Mean(bins) => bins.clone().map(at).sum::<f32>() / bins.len() as f32,
            Band::Between { low, share } => at(*low) * (1.0 - share) + at(low + 1) * share,
        }
    }
}

#[allow(clippy::cast_possible_truncation)] // clipped to a byte
fn level(power: f32) -> u8 {
    let decibels = 10.0 * power.max(1e-20).log10();
    ((1.0 - decibels / FLOOR_DECIBELS).clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::super::wav::tests::wav;
    use super::*;

    fn sine(hertz: f32, rate: u32, secs: f32, channels: u16) -> Vec<u8> {
        let count = (secs * rate as f32) as usize;
        let samples = (0..count).flat_map(|at| {
            let value = (TAU * hertz * at as f32 / rate as f32).sin();
            std::iter::repeat_n((value * 32_000.0) as i16, usize::from(channels))
        });
        let data: Vec<u8> = samples.flat_map(i16::to_le_bytes).collect();
        wav(1, channels, rate, 16, &data)
    }

    fn brightest(picture: &Spectrogram, column: usize) -> (usize, u8) {
        let rows = &picture.levels[column * picture.rows..][..picture.rows];
        let (row, level) = rows.iter().enumerate().max_by_key(|(_, level)| **level).unwrap();
        (row, *level)
    }

    #[test]
    fn a_tone_is_bright_in_its_row_alone() {
        for scale in [Scale::Mel, Scale::Log] {
            for (rate, hertz) in [(8000, 440.0), (44_100, 440.0), (44_100, 9000.0)] {
                for channels in [1, 2] {
                    let file = sine(hertz, rate, 1.0, channels);
                    let picture = Spectrogram::of(&Clip::open(&file).unwrap(), 50, 64, scale);
                    assert_eq!(picture.levels.len(), 50 * 64);
                    for column in [5, 25, 45] {
                        let (row, level) = brightest(&picture, column);
                        let (low, high) = (picture.edges[row], picture.edges[row + 1]);
                        let margin = 2.0 * rate as f32 / picture.window as f32;
                        assert!(
                            low - margin <= hertz && hertz <= high + margin,
                            "{hertz} Hz at {rate} is in {low} to {high}"
                        );
                        assert!(level > 215, "{level}");
                    }
                    let top = picture.levels[25 * 64 + 63];
                    assert!(hertz > 8000.0 || top < 120, "{top}");
                }
            }
        }
    }

    #[test]
    fn silence_is_dark_and_short_clips_have_a_picture() {
        let silence = wav(1, 1, 16_000, 16, &[0; 32_000]);
        let picture = Spectrogram::of(&Clip::open(&silence).unwrap(), 20, 16, Scale::Mel);
        assert!(picture.levels.iter().all(|level| *level == 0));
        let one = wav(1, 1, 16_000, 16, &[0, 0x40]);
        let picture = Spectrogram::of(&Clip::open(&one).unwrap(), 9999, 9999, Scale::Log);
        assert_eq!((picture.columns, picture.rows, picture.levels.len()), (1, 512, 512));
    }

    #[test]
    fn rows_reach_from_the_lowest_frequency_to_half_the_rate() {
        for (scale, low) in [(Scale::Mel, 0.0), (Scale::Log, 30.0)] {
            let found = edges(44_100, 128, scale);
            assert_eq!(found.len(), 129);
            assert!((found[0] - low).abs() < 0.01 && (found[128] - 22_050.0).abs() < 5.0);
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
        }
        assert!(edges(100, 4, Scale::Log).iter().all(|edge| edge.is_finite()));
    }
}
