//! FLAC, MP3 and Ogg Vorbis clips into samples.

use std::io::{Cursor, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};

use symphonia::core::codecs::audio::AudioDecoderOptions;
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, TrackType};
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::MetadataOptions;
use symphonia::default::{get_codecs, get_probe};

use super::clip::{ClipError, MAX_CHANNELS};

/// Samples that are kept of one clip, in all channels together: 11 minutes of stereo at 48 kHz.
const MAX_SAMPLES: usize = 1 << 26;

/// A decoded clip.
#[derive(Debug)]
pub(super) struct Decoded {
    pub channels: usize,
    pub sample_rate: u32,
    pub encoding: &'static str,
    /// The channels side by side, one frame behind the other.
    pub samples: Vec<f32>,
    pub note: Option<String>,
}

/// Decodes a clip, or as much of its beginning as is kept.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, ClipError> {
    let encoding = match bytes {
        [b'f', b'L', b'a', b'C', ..] => "FLAC",
        [b'O', b'g', b'g', b'S', ..] => "Ogg Vorbis",
        [b'I', b'D', b'3', ..] | [0xff, 0xe0..=0xff, ..] => "MP3",
        _ => return Err(ClipError::UnknownFormat),
    };
    // The decoders are not ours: should one panic, only this clip is lost.
    match catch_unwind(AssertUnwindSafe(|| decode_as(bytes, encoding, MAX_SAMPLES))) {
        Ok(decoded) => decoded,
        Err(_) => Err(ClipError::Decoder("the decoder gave up".to_owned())),
    }
}

fn decode_as(
    bytes: &[u8],
    encoding: &'static str,
    max_samples: usize,
) -> Result<Decoded, ClipError> {
    let failed = |error: Error| ClipError::Decoder(error.to_string());
    let stream = MediaSourceStream::new(Box::new(Cursor::new(bytes)), Default::default());
    let mut format = get_probe()
        .probe(&Hint::new(), stream, FormatOptions::default(), MetadataOptions::default())
        .map_err(failed)?;
    let track = format.default_track(TrackType::Audio).ok_or(ClipError::NoSamples)?;
    let id = track.id;
    let parameters = track.codec_params.as_ref().and_then(|parameters| parameters.audio());
    let parameters = parameters.ok_or(ClipError::NoSamples)?;
    let options = AudioDecoderOptions::default();
    let mut decoder = get_codecs().make_audio_decoder(parameters, &options).map_err(failed)?;
    let mut decoded =
        Decoded { channels: 0, sample_rate: 0, encoding, samples: Vec::new(), note: None };
    let (mut part, mut damaged) = (Vec::<f32>::new(), 0usize);
    loop {
        let packet = match format.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break,
            Err(Error::IoError(error)) if error.kind() == ErrorKind::UnexpectedEof => break,
            Err(error) if decoded.samples.is_empty() => return Err(failed(error)),
            Err(_) => {
                decoded.note = Some("The clip is damaged; it is drawn up to there.".to_owned());
                break;
            }
        };
        if packet.track_id != id {
            continue;
        }
        let Ok(buffer) = decoder.decode(&packet) else {
            damaged += 1;
            continue;
        };
        let (channels, rate) = (buffer.num_planes(), buffer.spec().rate());
        if decoded.channels == 0 {
            if channels == 0 || channels > MAX_CHANNELS {
                return Err(ClipError::Channels(channels));
            }
            (decoded.channels, decoded.sample_rate) = (channels, rate);
        }
        if (channels, rate) != (decoded.channels, decoded.sample_rate) {
            decoded.note =
                Some("The format changes within the clip; it is drawn up to there.".into());
            break;
        }
        buffer.copy_to_vec_interleaved(&mut part);
        if decoded.samples.len() + part.len() > max_samples {
            let secs = decoded.samples.len() as f64 / (channels as f64 * f64::from(rate.max(1)));
            decoded.note = Some(format!("Only the first {secs:.0} s are drawn."));
            break;
        }
        decoded.samples.extend_from_slice(&part);
    }
    if damaged > 0 && decoded.note.is_none() {
        decoded.note = Some(format!("{damaged} parts of the clip are damaged and left out."));
    }
    Ok(decoded)
}
