//! WAV files: the header, and samples of any width as numbers. Read here and not by the decoder of
//! the other formats, because these can be read anywhere and in parallel without decoding all.

use super::clip::ClipError;

/// How a sample is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    U8,
    I16,
    I24,
    I32,
    F32,
    F64,
}

/// What the header says, and the bytes of the samples.
#[derive(Debug)]
pub(super) struct Wav<'a> {
    pub channels: usize,
    pub sample_rate: u32,
    pub format: Format,
    pub data: &'a [u8],
    /// How many more bytes the header claims.
    pub missing_bytes: usize,
}

const PCM: u16 = 1;
const FLOAT: u16 = 3;
/// The format is in the first bytes of an id further on.
const EXTENSIBLE: u16 = 0xfffe;
const SUBFORMAT_OFFSET: usize = 24;

impl Format {
    fn of(format: u16, bits: u16) -> Option<Self> {
        match (format, bits) {
            (PCM, 8) => Some(Format::U8),
            (PCM, 16) => Some(Format::I16),
            (PCM, 24) => Some(Format::I24),
            (PCM, 32) => Some(Format::I32),
            (FLOAT, 32) => Some(Format::F32),
            (FLOAT, 64) => Some(Format::F64),
            _ => None,
        }
    }

    /// Of one sample; never 0.
    pub fn bytes(self) -> usize {
        match self {
            Format::U8 => 1,
            Format::I16 => 2,
            Format::I24 => 3,
            Format::I32 | Format::F32 => 4,
            Format::F64 => 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Format::F32 | Format::F64)
    }

    pub fn name(self) -> String {
        let kind = if self.is_float() { "bit float" } else { "bit" };
        format!("{} {kind}", 8 * self.bytes())
    }

    /// Adds the samples in `bytes` as numbers from -1 to 1; floats are as they were written.
    #[allow(clippy::cast_possible_truncation)] // a double in a WAV file is a sample all the same
    pub fn append(self, bytes: &[u8], out: &mut Vec<f32>) {
        match self {
            Format::U8 => out.extend(bytes.iter().map(|&byte| (f32::from(byte) - 128.0) / 128.0)),
            Format::I16 => {
                append(bytes, out, |bytes| f32::from(i16::from_le_bytes(bytes)) * (1.0 / 32_768.0))
            }
            Format::I24 => append(bytes, out, |[low, middle, high]| {
                i32::from_le_bytes([0, low, middle, high]) as f32 * (1.0 / 2_147_483_648.0)
            }),
            Format::I32 => append(bytes, out, |bytes| {
                i32::from_le_bytes(bytes) as f32 * (1.0 / 2_147_483_648.0)
            }),
            Format::F32 => append(bytes, out, f32::from_le_bytes),
            Format::F64 => append(bytes, out, |bytes| f64::from_le_bytes(bytes) as f32),
        }
    }
}

fn append<const N: usize>(bytes: &[u8], out: &mut Vec<f32>, sample: impl Fn([u8; N]) -> f32) {
    let (samples, _) = bytes.as_chunks::<N>();
    out.extend(samples.iter().map(|bytes| sample(*bytes)));
}

/// Reads a RIFF or RF64 file.
pub(super) fn read(bytes: &[u8]) -> Result<Wav<'_>, ClipError> {
    let mut rest = match bytes.split_at_checked(12) {
        Some((head, rest)) if head.ends_with(b"WAVE") => rest,
        Some(_) => return Err(ClipError::UnknownFormat),
        None => return Err(ClipError::Header("it is cut off")),
    };
    let mut format = None;
    while let Some((head, body)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, size @ ..] = *head;
        let size = u32::from_le_bytes(size);
        let len = usize::try_from(size).unwrap_or(usize::MAX);
        let here = body.get(..len.min(body.len())).unwrap_or_default();
        match &[a, b, c, d] {
            b"fmt " => format = Some(here),
            b"data" => {
                let Some(format) = format else {
                    return Err(ClipError::Header("there is no format before the samples"));
                };
                return with_data(format, here, body, size);
            }
            _ => {}
        }
        // Chunks begin at even positions.
        let end = len.saturating_add(len % 2);
        rest = body.get(end.min(body.len())..).unwrap_or_default();
    }
    Err(ClipError::Header(match format {
        Some(_) => "there are no samples after the format",
        None => "it has neither format nor samples",
    }))
}

fn with_data<'a>(
    format: &[u8],
    here: &'a [u8],
    body: &'a [u8],
    size: u32,
) -> Result<Wav<'a>, ClipError> {
    let short = |at: usize| -> Result<u16, ClipError> {
        let bytes = format.get(at..).and_then(<[u8]>::first_chunk);
        bytes.map(|bytes| u16::from_le_bytes(*bytes)).ok_or(ClipError::Header("it is cut off"))
    };
    let (mut kind, channels, bits) = (short(0)?, short(2)?, short(14)?);
    let sample_rate = u32::from(short(4)?) | u32::from(short(6)?) << 16;
    if kind == EXTENSIBLE {
        kind = short(SUBFORMAT_OFFSET)?;
    }
    let Some(format) = Format::of(kind, bits) else {
        return Err(ClipError::WavFormat { format: kind, bits });
    };
    // Who does not know the length in advance writes one of these.
    let is_open = matches!(size, 0 | u32::MAX);
    let data = if is_open { body } else { here };
    let claimed = if is_open { 0 } else { usize::try_from(size).unwrap_or(usize::MAX) };
    Ok(Wav {
        channels: usize::from(channels),
        sample_rate,
        format,
        data,
        missing_bytes: claimed.saturating_sub(data.len()),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
        [name, &(body.len() as u32).to_le_bytes()[..], body].concat()
    }

    pub fn with_format(format: u16, channels: u16, rate: u32, bits: u16) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(format.to_le_bytes());
        out.extend(channels.to_le_bytes());
        out.extend(rate.to_le_bytes());
        out.extend([0; 6]);
        out.extend(bits.to_le_bytes());
        out
    }

    pub fn wav(format: u16, channels: u16, rate: u32, bits: u16, data: &[u8]) -> Vec<u8> {
        let body = [
            b"WAVE".to_vec(),
            chunk(b"fmt ", &with_format(format, channels, rate, bits)),
            chunk(b"data", data),
        ]
        .concat();
        chunk(b"RIFF", &body)
    }

    #[test]
    fn an_extensible_header_names_the_format_further_on() {
        let mut format = with_format(EXTENSIBLE, 1, 48_000, 24);
        format.extend([22, 0, 24, 0, 4, 0, 0, 0, 1, 0]);
        format.extend([0; 14]);
        let body = [b"WAVE".to_vec(), chunk(b"fmt ", &format), chunk(b"data", &[0; 6])].concat();
        let file = chunk(b"RIFF", &body);
        let wav = read(&file).unwrap();
        assert_eq!((wav.format, wav.sample_rate, wav.data.len()), (Format::I24, 48_000, 6));
    }

    #[test]
    fn a_length_that_was_never_filled_in_is_the_rest_of_the_file() {
        for size in [0, u32::MAX] {
            let mut file = wav(1, 1, 8000, 16, &[0; 10]);
            let at = file.len() - 14;
            file[at..at + 4].copy_from_slice(&size.to_le_bytes());
            let wav = read(&file).unwrap();
            assert_eq!((wav.data.len(), wav.missing_bytes), (10, 0), "{size}");
        }
    }

    #[test]
    fn a_header_without_its_parts_says_which() {
        let only = |chunks: &[Vec<u8>]| [b"RIFF\0\0\0\0WAVE".to_vec(), chunks.concat()].concat();
        let format = chunk(b"fmt ", &with_format(1, 1, 8000, 16));
        let data = chunk(b"data", &[0; 4]);
        for (chunks, expected) in [
            (vec![], "it has neither format nor samples"),
            (vec![data.clone()], "there is no format before the samples"),
            (vec![format.clone()], "there are no samples after the format"),
            (vec![chunk(b"fmt ", &[1, 0]), data], "it is cut off"),
        ] {
            assert_eq!(read(&only(&chunks)).unwrap_err(), ClipError::Header(expected));
        }
        assert_eq!(read(b"RIFF\0\0\0\0WEBPxxxx").unwrap_err(), ClipError::UnknownFormat);
    }
}
