//! A clip whose samples can be read anywhere, whatever it is encoded in.

use thiserror::Error;

use super::{compressed, wav};

/// More channels than anyone logs; a header may claim any number.
pub(super) const MAX_CHANNELS: usize = 64;
/// What a sample rate may be. Below, a second would be a few pixels; above is nothing that was
/// ever recorded.
const SAMPLE_RATES: std::ops::RangeInclusive<u32> = 100..=2_822_400;

/// Why a clip cannot be drawn. Its bytes can still be saved, and maybe be played.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it all
pub enum ClipError {
    #[error("the value is not audio")]
    NotAudio,
    #[error("there is no clip {index}: the value has {count}")]
    NoItem { index: usize, count: usize },
    #[error("the clip is empty")]
    Empty,
    #[error("the clip is of no known format; WAV, FLAC, MP3 and Ogg Vorbis can be drawn")]
    UnknownFormat,
    #[error("the WAV header is incomplete: {0}")]
    Header(&'static str),
    #[error("WAV format {format} with {bits} bits per sample cannot be drawn")]
    WavFormat { format: u16, bits: u16 },
    #[error("the header claims {0} channels; 1 to {max} can be drawn", max = MAX_CHANNELS)]
    Channels(usize),
    #[error("the header claims a sample rate of {0} Hz, which is not possible")]
    SampleRate(u32),
    #[error("the clip has no samples")]
    NoSamples,
    #[error("the clip cannot be decoded: {0}")]
    Decoder(String),
}

/// A clip.
#[derive(Debug)]
pub struct Clip<'a> {
    /// Samples per second and channel; never 0.
    pub sample_rate: u32,
    /// From 1 to 64.
    pub channels: usize,
    /// Samples of each channel; never 0.
    pub frames: usize,
    /// In what it is encoded: `WAV, 16 bit`.
    pub encoding: String,
    /// What is odd about it, in a sentence.
    pub note: Option<String>,
    samples: Samples<'a>,
}

/// The samples of all channels side by side, one frame behind the other.
#[derive(Debug)]
enum Samples<'a> {
    Wav { bytes: &'a [u8], format: wav::Format },
    Decoded(Vec<f32>),
}

impl<'a> Clip<'a> {
    /// The clip that `bytes` are.
    pub fn open(bytes: &'a [u8]) -> Result<Self, ClipError> {
        match bytes {
            [] => Err(ClipError::Empty),
            [b'R', b'I', b'F' | b'6', b'F' | b'4', ..] => Self::open_wav(bytes),
            _ => Self::open_compressed(bytes),
        }
    }

    fn open_wav(bytes: &'a [u8]) -> Result<Self, ClipError> {
        let wav = wav::read(bytes)?;
        let channels = checked(wav.channels, wav.sample_rate)?;
        let frames = wav.data.len() / (channels * wav.format.bytes());
        if frames == 0 {
            return Err(ClipError::NoSamples);
        }
        let note = (wav.missing_bytes > 0).then(|| {
            let rate = f64::from(wav.sample_rate) * (channels * wav.format.bytes()) as f64;
            let secs = wav.missing_bytes as f64 / rate;
            format!("The header claims {secs:.2} s more than the clip has.")
        });
        Ok(Self {
            sample_rate: wav.sample_rate,
            channels,
            frames,
            encoding: format!("WAV, {}", wav.format.name()),
            note,
            samples: Samples::Wav { bytes: wav.data, format: wav.format },
        })
    }

    fn open_compressed(bytes: &'a [u8]) -> Result<Self, ClipError> {
        let decoded = compressed::decode(bytes)?;
        let channels = checked(decoded.channels, decoded.sample_rate)?;
        let frames = decoded.samples.len() / channels;
        if frames == 0 {
            return Err(ClipError::NoSamples);
        }
        Ok(Self {
            sample_rate: decoded.sample_rate,
            channels,
            frames,
            encoding: decoded.encoding.to_owned(),
            note: decoded.note,
            samples: Samples::Decoded(decoded.samples),
        })
    }

    /// How long it is.
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / f64::from(self.sample_rate)
    }

    /// Fills `out` with the frames from `first` on, the channels side by side; it is shorter where
    /// the clip ends. Samples that are not finite are 0; returns how many those were.
    pub(super) fn read(&self, first: usize, frames: usize, out: &mut Vec<f32>) -> usize {
        let start = first.saturating_mul(self.channels);
        let end = first.saturating_add(frames).min(self.frames).saturating_mul(self.channels);
        out.clear();
        match &self.samples {
            Samples::Wav { bytes, format } => {
                let size = format.bytes();
                let part = bytes.get(start.saturating_mul(size)..end.saturating_mul(size));
                format.append(part.unwrap_or_default(), out);
            }
            Samples::Decoded(samples) => {
                out.extend_from_slice(samples.get(start..end).unwrap_or_default());
            }
        }
        let is_exact = matches!(&self.samples, Samples::Wav { format, .. } if !format.is_float());
        if is_exact {
            return 0;
        }
        let mut replaced = 0;
        for sample in out.iter_mut().filter(|sample| !sample.is_finite()) {
            *sample = 0.0;
            replaced += 1;
        }
        replaced
    }
}

fn checked(channels: usize, sample_rate: u32) -> Result<usize, ClipError> {
    if !SAMPLE_RATES.contains(&sample_rate) {
        return Err(ClipError::SampleRate(sample_rate));
    }
    match channels {
        1..=MAX_CHANNELS => Ok(channels),
        _ => Err(ClipError::Channels(channels)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::wav::tests::{chunk, wav, with_format};
    use super::*;

    fn read(bytes: &[u8]) -> Vec<f32> {
        let clip = Clip::open(bytes).unwrap();
        let mut out = Vec::new();
        clip.read(0, clip.frames, &mut out);
        out
    }

    #[test]
    fn samples_of_every_width_are_between_minus_one_and_one() {
        let of = |bits: u16, format: u16, data: &[u8]| read(&wav(format, 1, 8000, bits, data));
        assert_eq!(of(8, 1, &[0, 128, 192]), [-1.0, 0.0, 0.5]);
        assert_eq!(of(16, 1, &[0, 0x80, 0, 0, 0, 0x40]), [-1.0, 0.0, 0.5]);
        assert_eq!(of(24, 1, &[0, 0, 0x80, 0, 0, 0x40]), [-1.0, 0.5]);
        assert_eq!(of(32, 1, &[0, 0, 0, 0x80, 0, 0, 0, 0x40]), [-1.0, 0.5]);
        assert_eq!(of(32, 3, &0.25f32.to_le_bytes()), [0.25]);
        assert_eq!(of(64, 3, &0.25f64.to_le_bytes()), [0.25]);
    }

    #[test]
    fn parts_are_read_and_end_with_the_clip() {
        let data: Vec<u8> = (0..8i16).flat_map(|value| (value * 4096).to_le_bytes()).collect();
        let file = wav(1, 2, 8000, 16, &data);
        let clip = Clip::open(&file).unwrap();
        assert_eq!((clip.channels, clip.frames, clip.seconds()), (2, 4, 0.0005));
        let mut out = vec![9.0];
        clip.read(1, 2, &mut out);
        assert_eq!(out, [0.25, 0.375, 0.5, 0.625]);
        clip.read(3, 9, &mut out);
        assert_eq!(out, [0.75, 0.875]);
        clip.read(usize::MAX, usize::MAX, &mut out);
        assert_eq!(out, [0.0; 0]);
    }

    #[test]
    fn samples_that_are_no_numbers_are_silence_and_counted() {
        let data = [f32::NAN, 0.5, f32::INFINITY].map(f32::to_le_bytes).concat();
        let file = wav(3, 1, 8000, 32, &data);
        let clip = Clip::open(&file).unwrap();
        let mut out = Vec::new();
        assert_eq!(clip.read(0, 3, &mut out), 2);
        assert_eq!(out, [0.0, 0.5, 0.0]);
    }

    #[test]
    fn what_cannot_be_drawn_says_why() {
        let sentence = |bytes: &[u8]| Clip::open(bytes).unwrap_err().to_string();
        let data = [0; 8];
        assert_eq!(sentence(b""), "the clip is empty");
        assert!(sentence(b"hello, this is no sound").contains("of no known format"));
        assert_eq!(sentence(b"RIFF"), "the WAV header is incomplete: it is cut off");
        assert!(sentence(&wav(1, 1, 0, 16, &data)).contains("a sample rate of 0 Hz"));
        assert!(sentence(&wav(1, 1, u32::MAX, 16, &data)).contains("4294967295 Hz"));
        assert!(sentence(&wav(1, 0, 8000, 16, &data)).contains("claims 0 channels"));
        assert!(sentence(&wav(1, 65_535, 8000, 16, &data)).contains("claims 65535 channels"));
        assert_eq!(
            sentence(&wav(17, 1, 8000, 4, &data)),
            "WAV format 17 with 4 bits per sample cannot be drawn"
        );
        assert_eq!(sentence(&wav(1, 1, 8000, 16, b"")), "the clip has no samples");
        assert_eq!(sentence(&wav(1, 2, 8000, 16, &[0; 3])), "the clip has no samples");
    }

    #[test]
    fn a_length_beyond_the_data_is_drawn_as_far_as_it_is_there() {
        let mut file = wav(1, 1, 8000, 16, &[0; 16]);
        let at = file.len() - 20;
        file[at..at + 4].copy_from_slice(&16_016u32.to_le_bytes());
        let clip = Clip::open(&file).unwrap();
        assert_eq!(clip.frames, 8);
        let note = clip.note.unwrap();
        assert_eq!(note, "The header claims 1.00 s more than the clip has.");
    }

    #[test]
    fn chunks_of_other_kinds_are_skipped() {
        let format = with_format(1, 1, 8000, 16);
        let file = [
            b"RIFF\0\0\0\0WAVE".as_slice(),
            &chunk(b"LIST", b"odd"),
            &[0],
            &chunk(b"fmt ", &format),
            &chunk(b"fact", &[0; 4]),
            &chunk(b"data", &[0, 0x40]),
        ]
        .concat();
        assert_eq!(read(&file), [0.5]);
    }

    /// Nothing that is cut or changed anywhere may do more than fail.
    #[test]
    fn damage_anywhere_is_survived() {
        let file = wav(1, 2, 8000, 16, &[7; 64]);
        for cut in 0..file.len() {
            drop(Clip::open(&file[..cut]));
        }
        for at in 0..file.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = file.clone();
                changed[at] = value;
                if let Ok(clip) = Clip::open(&changed) {
                    let mut out = Vec::new();
                    clip.read(0, clip.frames, &mut out);
                    assert!(out.len() <= 64, "byte {at} is {value}");
                }
            }
        }
    }
}
