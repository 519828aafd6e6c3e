//! What is in an encoded picture: its size and depth from the header, and a small copy of it.
#![cfg_attr(
    not(test),
    warn(clippy::indexing_slicing, clippy::cast_possible_truncation, clippy::unreachable)
)]

use std::io::{Cursor, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::metadata::Orientation;
use image::{
    ColorType, DynamicImage, ExtendedColorType, GenericImageView, ImageDecoder, ImageEncoder,
    ImageError, ImageFormat, ImageReader, Limits,
};
use thiserror::Error;

/// A picture that takes more bytes as pixels is not decoded, however few bytes it has in its file.
pub const MAX_PIXEL_BYTES: u64 = 256 << 20;
/// Above this, one picture is decoded at a time, so that memory stays flat.
const LARGE_PIXEL_BYTES: u64 = 32 << 20;
const JPEG_QUALITY: u8 = 90;
/// A picture with more colours is a photograph: JPEG makes it small, and nobody counts its pixels.
const DRAWING_COLOURS: usize = 256;

/// What the header of a picture says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picture {
    /// Of the file, by its content.
    pub media_type: &'static str,
    /// Width in pixels, as shown.
    pub width: u32,
    /// Height in pixels, as shown.
    pub height: u32,
    /// Grey, grey with alpha, colour, colour with alpha: 1 to 4.
    pub channels: u8,
    /// Bits of a sample in the file.
    pub bit_depth: u8,
}

/// Why a picture cannot be shown.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum PictureError {
    /// There are no bytes.
    #[error("Empty")]
    Empty,
    /// Bytes of another kind, which is named if it is known.
    #[error("Not an image: {0}")]
    Foreign(&'static str),
    /// The file ends before the picture does.
    #[error("{0} cut short: {1}")]
    CutShort(&'static str, String),
    /// More pixels than can be decoded.
    #[error("Too large: {0} \u{d7} {1} pixels")]
    TooLarge(u32, u32),
    /// A side of no length.
    #[error("{0} without pixels")]
    NoPixels(&'static str),
    /// Anything else that the decoder refuses.
    #[error("{0} damaged: {1}")]
    Damaged(&'static str, String),
}

/// A small copy of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Small {
    /// Of the copy.
    pub media_type: &'static str,
    /// The encoded copy.
    pub bytes: Vec<u8>,
}

/// What the header says; the pixels are not decoded, so that they may still be damaged.
pub fn describe(bytes: &[u8]) -> Result<Picture, PictureError> {
    guarded(bytes, |format| {
        let (picture, _, _) = opened(bytes, format)?;
        Ok(picture)
    })
}

/// What the header says, and a copy that is at most `size` pixels wide and high, after the whole picture was decoded. A
/// picture that is small already is copied as it is.
pub fn shrink(bytes: &[u8], size: u32) -> Result<(Picture, Small), PictureError> {
    guarded(bytes, |format| {
        let (picture, orientation, decoder) = opened(bytes, format)?;
        let pixel_bytes = decoder.total_bytes();
        if pixel_bytes > MAX_PIXEL_BYTES {
            return Err(PictureError::TooLarge(picture.width, picture.height));
        }
        static LARGE: Mutex<()> = Mutex::new(());
        let _turn = (pixel_bytes > LARGE_PIXEL_BYTES)
            .then(|| LARGE.lock().unwrap_or_else(PoisonError::into_inner));
        let decoded =
            DynamicImage::from_decoder(decoder).map_err(|error| refused(bytes, format, error))?;
        if format == ImageFormat::Jpeg && !has_jpeg_end(bytes) {
            // The decoder fills up with grey what is missing.
            return Err(cut_short(bytes, format));
        }
        let small = small(bytes, &picture, decoded, orientation, size)
            .map_err(|error| refused(bytes, format, error))?;
        Ok((picture, small))
    })
}

/// Calls `look` with the format of the bytes. A decoder that panics costs the picture and nothing else.
fn guarded<T>(
    bytes: &[u8],
    look: impl FnOnce(ImageFormat) -> Result<T, PictureError>,
) -> Result<T, PictureError> {
    let format = format_of(bytes)?;
    catch_unwind(AssertUnwindSafe(|| look(format))).unwrap_or_else(|_| {
        Err(PictureError::Damaged(name_of(format), "the decoder failed".to_owned()))
    })
}

type Opened<'a> = (Picture, Orientation, Box<dyn ImageDecoder + 'a>);

fn opened(bytes: &[u8], format: ImageFormat) -> Result<Opened<'_>, PictureError> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_PIXEL_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| refused(bytes, format, error))?;
    let (mut width, mut height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(PictureError::NoPixels(name_of(format)));
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    if is_turned(orientation) {
        (width, height) = (height, width);
    }
    let colour = decoder.color_type();
    let picture = Picture {
        media_type: format.to_mime_type(),
        width,
        height,
        channels: colour.channel_count(),
        bit_depth: bit_depth(bytes, format, colour),
    };
    Ok((picture, orientation, Box::new(decoder)))
}

fn is_turned(orientation: Orientation) -> bool {
    use Orientation::{Rotate90, Rotate90FlipH, Rotate270, Rotate270FlipH};
    matches!(orientation, Rotate90 | Rotate270 | Rotate90FlipH | Rotate270FlipH)
}

/// The decoder makes at least bytes of all samples; PNG files may have fewer bits.
fn bit_depth(bytes: &[u8], format: ImageFormat, colour: ColorType) -> u8 {
    const DEPTH_AT: usize = 24;
    const COLOUR_AT: usize = 25;
    const PALETTE: u8 = 3;
    let decoded = match colour {
        ColorType::L16 | ColorType::La16 | ColorType::Rgb16 | ColorType::Rgba16 => 16,
        _ => 8,
    };
    match (format, bytes.get(DEPTH_AT), bytes.get(COLOUR_AT)) {
        (ImageFormat::Png, Some(depth), Some(colour)) if *colour != PALETTE => *depth,
        _ => decoded,
    }
}

fn small(
    bytes: &[u8],
    picture: &Picture,
    mut decoded: DynamicImage,
    orientation: Orientation,
    size: u32,
) -> Result<Small, ImageError> {
    let (width, height) = decoded.dimensions();
    let longest = width.max(height);
    if longest <= size {
        // Files may have more in them than their pixels.
        let most = 4096 + 8 * u64::from(width) * u64::from(height);
        if bytes.len() as u64 <= most {
            return Ok(Small { media_type: picture.media_type, bytes: bytes.to_vec() });
        }
        // Where all pixels are there, none may change.
        decoded.apply_orientation(orientation);
        return encoded(decoded, false);
    }
    let scaled = |side: u32| {
        let share = u64::from(side) * u64::from(size) / u64::from(longest);
        u32::try_from(share).unwrap_or(size).max(1)
    };
    decoded = decoded.thumbnail_exact(scaled(width), scaled(height));
    decoded.apply_orientation(orientation);
    encoded(decoded, true)
}

fn encoded(image: DynamicImage, may_lose: bool) -> Result<Small, ImageError> {
    let (width, height) = image.dimensions();
    let (colour, pixels) = match image.color().channel_count() {
        1 => (ExtendedColorType::L8, image.into_luma8().into_raw()),
        2 => (ExtendedColorType::La8, image.into_luma_alpha8().into_raw()),
        3 => (ExtendedColorType::Rgb8, image.into_rgb8().into_raw()),
        _ => (ExtendedColorType::Rgba8, image.into_rgba8().into_raw()),
    };
    let mut bytes = Vec::new();
    if may_lose && colour == ExtendedColorType::Rgb8 && is_photograph(&pixels) {
        JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY)
            .write_image(&pixels, width, height, colour)?;
        return Ok(Small { media_type: "image/jpeg", bytes });
    }
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive)
        .write_image(&pixels, width, height, colour)?;
    Ok(Small { media_type: "image/png", bytes })
}

fn is_photograph(rgb: &[u8]) -> bool {
    let mut colours = hashbrown::HashSet::new();
    rgb.as_chunks::<3>().0.iter().any(|pixel| {
        colours.insert(*pixel);
        colours.len() > DRAWING_COLOURS
    })
}

/// The format by the first bytes, whatever the writer says it is.
fn format_of(bytes: &[u8]) -> Result<ImageFormat, PictureError> {
    const SHOWN: [ImageFormat; 5] = [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::WebP,
        ImageFormat::Gif,
        ImageFormat::Bmp,
    ];
    if bytes.is_empty() {
        return Err(PictureError::Empty);
    }
    match image::guess_format(bytes) {
        Ok(format) if SHOWN.contains(&format) => Ok(format),
        _ => Err(PictureError::Foreign(foreign(bytes))),
    }
}

fn foreign(bytes: &[u8]) -> &'static str {
    const LOOKED_AT: usize = 512;
    let start = bytes.get(..LOOKED_AT).unwrap_or(bytes).to_ascii_lowercase();
    let holds = |word: &[u8]| start.windows(word.len()).any(|part| part == word);
    if holds(b"<svg") {
        "SVG is not shown, because it can run scripts"
    } else if holds(b"<html") || holds(b"<!doctype") || holds(b"<script") {
        "HTML"
    } else if start.get(4..8) == Some(b"ftyp") || start.starts_with(b"\x1aE\xdf\xa3") {
        "a video"
    } else {
        "neither PNG, JPEG, WebP, GIF nor BMP"
    }
}

fn name_of(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Png => "PNG",
        ImageFormat::Jpeg => "JPEG",
        ImageFormat::WebP => "WebP",
        ImageFormat::Gif => "GIF",
        _ => "BMP",
    }
}

fn refused(bytes: &[u8], format: ImageFormat, error: ImageError) -> PictureError {
    let is_short = promised_bytes(bytes, format).is_some_and(|all| all > bytes.len() as u64);
    match error {
        ImageError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            cut_short(bytes, format)
        }
        _ if is_short => cut_short(bytes, format),
        ImageError::Limits(_) => {
            PictureError::Damaged(name_of(format), "it takes too much memory".to_owned())
        }
        ImageError::Decoding(error) => {
            let text = std::error::Error::source(&error)
                .map_or_else(|| error.to_string(), ToString::to_string);
            PictureError::Damaged(name_of(format), shortened(&text))
        }
        error => PictureError::Damaged(name_of(format), shortened(&error.to_string())),
    }
}

/// What a decoder says may be long, and hold whatever it found in the file.
fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 120;
    text.chars().take(MAX_CHARS).map(|one| if one.is_control() { ' ' } else { one }).collect()
}

fn cut_short(bytes: &[u8], format: ImageFormat) -> PictureError {
    let has = bytes.len() as u64;
    let text = match promised_bytes(bytes, format).filter(|all| *all > has) {
        Some(all) => amounts(has, all),
        None => format!("it ends after {}", amount(has)),
    };
    PictureError::CutShort(name_of(format), text)
}

/// `12.4 of 31 kB`
fn amounts(has: u64, all: u64) -> String {
    let (has, all) = (amount(has), amount(all));
    match (has.split_once(' '), all.split_once(' ')) {
        (Some((number, unit)), Some((_, other))) if unit == other => format!("{number} of {all}"),
        _ => format!("{has} of {all}"),
    }
}

fn amount(bytes: u64) -> String {
    let (number, unit) = match bytes {
        0..1_000 => return format!("{bytes} B"),
        1_000..1_000_000 => (bytes as f64 / 1e3, "kB"),
        1_000_000..1_000_000_000 => (bytes as f64 / 1e6, "MB"),
        _ => (bytes as f64 / 1e9, "GB"),
    };
    if number < 20.0 { format!("{number:.1} {unit}") } else { format!("{number:.0} {unit}") }
}

/// How long the file has to be at least, by the lengths that are in it.
fn promised_bytes(bytes: &[u8], format: ImageFormat) -> Option<u64> {
    let word = |at: usize| bytes.get(at..)?.first_chunk::<4>().copied();
    match format {
        ImageFormat::Png => {
            const SIGNATURE: u64 = 8;
            const AROUND: u64 = 12; // length, name, checksum
            let mut end = SIGNATURE;
            while let Some(length) = word(usize::try_from(end).ok()?) {
                let name = word(usize::try_from(end + 4).ok()?);
                end += u64::from(u32::from_be_bytes(length)) + AROUND;
                if name == Some(*b"IEND") {
                    return Some(end);
                }
            }
            Some(end + AROUND)
        }
        ImageFormat::WebP => Some(8 + u64::from(u32::from_le_bytes(word(4)?))),
        ImageFormat::Bmp => Some(u64::from(u32::from_le_bytes(word(2)?))),
        _ => None,
    }
}

/// Within the data of a picture no other byte follows `ff` than `00` or a restart marker.
fn has_jpeg_end(bytes: &[u8]) -> bool {
    bytes.windows(2).rev().any(|pair| pair == [0xff, 0xd9])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient(width: u32, height: u32) -> DynamicImage {
        DynamicImage::ImageRgb8(image::RgbImage::from_fn(width, height, |x, y| {
            image::Rgb([(x * 7) as u8, (y * 5) as u8, (x ^ y) as u8])
        }))
    }

    fn file(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    const FORMATS: [(ImageFormat, &str); 5] = [
        (ImageFormat::Png, "image/png"),
        (ImageFormat::Jpeg, "image/jpeg"),
        (ImageFormat::WebP, "image/webp"),
        (ImageFormat::Gif, "image/gif"),
        (ImageFormat::Bmp, "image/bmp"),
    ];

    #[test]
    fn every_format_is_known_by_its_content_and_shrunk() {
        for (format, media_type) in FORMATS {
            let bytes = file(&gradient(60, 30), format);
            let (picture, small) = shrink(&bytes, 20).unwrap();
            assert_eq!(describe(&bytes), Ok(picture), "{media_type}");
            assert_eq!((picture.media_type, picture.bit_depth), (media_type, 8));
            assert_eq!((picture.width, picture.height), (60, 30), "{media_type}");
            let copy = describe(&small.bytes).unwrap();
            assert_eq!((copy.width, copy.height), (20, 10), "{media_type}");
            assert_eq!(copy.media_type, small.media_type);
        }
    }

    #[test]
    fn a_picture_that_is_small_already_is_copied_byte_for_byte() {
        let bytes = file(&gradient(16, 8), ImageFormat::Png);
        assert_eq!(shrink(&bytes, 16).unwrap().1, Small { media_type: "image/png", bytes });
    }

    #[test]
    fn a_small_picture_in_a_large_file_is_sent_without_the_rest_and_without_loss() {
        let image = gradient(16, 16);
        let mut bytes = file(&image, ImageFormat::Bmp);
        bytes.extend([0; 20_000]);
        let (_, small) = shrink(&bytes, 64).unwrap();
        assert!(small.bytes.len() < 2_000);
        assert_eq!(image::load_from_memory(&small.bytes).unwrap().into_rgb8(), image.into_rgb8());
    }

    #[test]
    fn drawings_stay_exact_and_photographs_become_jpeg() {
        let mask = DynamicImage::ImageRgb8(image::RgbImage::from_fn(512, 512, |x, _| {
            image::Rgb(if x < 256 { [200, 30, 30] } else { [10, 90, 200] })
        }));
        let (_, small) = shrink(&file(&mask, ImageFormat::Png), 64).unwrap();
        assert_eq!(small.media_type, "image/png");
        let copy = image::load_from_memory(&small.bytes).unwrap().into_rgb8();
        assert_eq!(
            (copy.get_pixel(0, 0).0, copy.get_pixel(63, 63).0),
            ([200, 30, 30], [10, 90, 200])
        );
        let photograph = file(&gradient(512, 512), ImageFormat::Png);
        assert_eq!(shrink(&photograph, 64).unwrap().1.media_type, "image/jpeg");
    }

    #[test]
    fn depth_and_channels_are_those_of_the_file() {
        let deep = DynamicImage::ImageLuma16(image::ImageBuffer::from_fn(40, 40, |x, y| {
            image::Luma([(x * 1000 + y) as u16])
        }));
        let (picture, small) = shrink(&file(&deep, ImageFormat::Png), 10).unwrap();
        assert_eq!((picture.channels, picture.bit_depth), (1, 16));
        assert_eq!(describe(&small.bytes).map(|copy| (copy.channels, copy.bit_depth)), Ok((1, 8)));
        let clear = DynamicImage::new_rgba8(3, 3);
        assert_eq!(describe(&file(&clear, ImageFormat::Png)).map(|one| one.channels), Ok(4));
    }

    #[test]
    fn a_file_that_is_cut_anywhere_is_an_error_and_never_a_panic() {
        for (format, media_type) in FORMATS {
            let bytes = file(&gradient(24, 24), format);
            for len in 0..bytes.len() {
                let _ = describe(&bytes[..len]);
                let _ = shrink(&bytes[..len], 8);
            }
            let half = shrink(&bytes[..bytes.len() / 2], 8);
            assert!(
                matches!(half, Err(PictureError::CutShort(..) | PictureError::Damaged(..))),
                "{media_type}: {half:?}"
            );
        }
    }

    #[test]
    fn flipped_bits_are_survived() {
        for (format, _) in FORMATS {
            let bytes = file(&gradient(12, 12), format);
            for at in 0..bytes.len() {
                for bit in [0x01, 0x10, 0x80] {
                    let mut wrong = bytes.clone();
                    wrong[at] ^= bit;
                    let _ = shrink(&wrong, 8);
                }
            }
        }
    }

    #[test]
    fn a_short_png_says_how_much_is_there() {
        let noise = image::RgbImage::from_fn(100, 100, |x, y| {
            let mixed = x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503) ^ (x * y * 7919);
            image::Rgb([mixed as u8, (mixed >> 8) as u8, (mixed >> 16) as u8])
        });
        let bytes = file(&DynamicImage::ImageRgb8(noise), ImageFormat::Png);
        let error = shrink(&bytes[..12_400], 8).unwrap_err().to_string();
        assert!(error.starts_with("PNG cut short: 12.4 of "), "{error}");
        assert!(error.ends_with(" kB"), "{error}");
        let photograph = file(&gradient(64, 64), ImageFormat::Jpeg);
        let error = shrink(&photograph[..photograph.len() - 2], 8).unwrap_err().to_string();
        assert!(error.starts_with("JPEG cut short: it ends after "), "{error}");
    }

    /// A PNG of the given size whose data are the given bytes.
    fn png(width: u32, height: u32, data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut chunk = |name: &[u8; 4], content: &[u8]| {
            bytes.extend((content.len() as u32).to_be_bytes());
            let body = [name, content].concat();
            bytes.extend(&body);
            bytes.extend(crc32(&body).to_be_bytes());
        };
        let size = [width.to_be_bytes(), height.to_be_bytes()].concat();
        chunk(b"IHDR", &[&size[..], &[8, 2, 0, 0, 0]].concat());
        chunk(b"IDAT", data);
        chunk(b"IEND", b"");
        bytes
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
                (crc >> 1) ^ (0xedb8_8320 & 0u32.wrapping_sub(crc & 1))
            })
        })
    }

    #[test]
    fn more_pixels_than_can_be_decoded_are_refused_by_the_header() {
        let bomb = png(100_000, 100_000, b"x\x9c\x03\x00\x00\x00\x00\x01");
        let error = shrink(&bomb, 64).unwrap_err();
        assert_eq!(error.to_string(), "Too large: 100000 \u{d7} 100000 pixels");
        assert_eq!(describe(&bomb).map(|one| (one.width, one.height)), Ok((100_000, 100_000)));
        let endless = png(u32::MAX, u32::MAX, b"");
        assert!(shrink(&endless, 64).is_err());
        assert!(shrink(&png(0, 10, b""), 64).is_err());
    }

    #[test]
    fn what_is_no_picture_is_named() {
        let cases: [(&[u8], &str); 6] = [
            (b"", "Empty"),
            (
                b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
                "Not an image: SVG is not shown, because it can run scripts",
            ),
            (
                b"<?xml version='1.0'?><svg/>",
                "Not an image: SVG is not shown, because it can run scripts",
            ),
            (b"<!DOCTYPE html><script>alert(1)</script>", "Not an image: HTML"),
            (b"\0\0\0\x20ftypisom", "Not an image: a video"),
            (b"whatever", "Not an image: neither PNG, JPEG, WebP, GIF nor BMP"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(shrink(bytes, 8).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn long_thin_pictures_keep_at_least_one_pixel() {
        let (_, small) = shrink(&file(&gradient(4000, 2), ImageFormat::Png), 100).unwrap();
        assert_eq!(describe(&small.bytes).map(|one| (one.width, one.height)), Ok((100, 1)));
    }
}
