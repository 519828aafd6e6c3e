//! Video: which images are films, and the frames of those that are GIF files. MP4 and WebM are played
//! by the browser.
#![cfg_attr(
    not(test),
    warn(clippy::indexing_slicing, clippy::cast_possible_truncation, clippy::unreachable)
)]

use std::num::NonZeroU64;

use gif::{ColorOutput, DecodeOptions, Decoder, DisposalMethod, MemoryLimit};
use thiserror::Error;

use super::Dashboard;
use crate::compat;
use crate::event::{Body, Tensor, Value};
use crate::protobuf::WireError;

/// More frames of one film are not listed.
const MAX_FRAMES: usize = 50_000;
/// Largest frame, in pixels.
const MAX_PIXELS: usize = 1 << 24;
/// Pixels that are decoded for one request, from the first frame to the last that is wanted.
const MAX_DECODED_PIXELS: usize = 1 << 32;
/// Pixels of all frames of one answer.
const MAX_ANSWER_PIXELS: usize = 1 << 23;
/// A delay below this many hundredths of a second is what browsers take for a missing one.
const SHORTEST_DELAY: u16 = 2;
const DEFAULT_DELAY_MILLIS: u32 = 100;

/// A film that a browser plays, or whose frames are decoded here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it all
pub enum Container {
    Gif,
    Mp4,
    Webm,
}

impl Container {
    /// The container that begins with these bytes.
    pub fn of(head: &[u8]) -> Option<Self> {
        // Pictures and sounds in the container of MP4.
        const NO_FILMS: [&[u8]; 6] = [b"avif", b"avis", b"heic", b"heix", b"mif1", b"M4A "];
        match head {
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Container::Gif),
            [0x1a, 0x45, 0xdf, 0xa3, ..] => Some(Container::Webm),
            [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..] => {
                let brand = brand.get(..4).unwrap_or(brand);
                (!NO_FILMS.contains(&brand)).then_some(Container::Mp4)
            }
            _ => None,
        }
    }
}

/// Where a value of the images plugin is shown: its first item decides, of which the first bytes
/// are enough. Nothing when it has no item.
pub fn dashboard_of(body: &Body<'_>) -> Option<Dashboard> {
    let head = match body {
        Body::Image(message) => compat::image(message).ok()?.encoded,
        Body::Tensor(message) => third_string(message)?,
        _ => return None,
    };
    Some(match Container::of(head) {
        Some(_) => Dashboard::Video,
        None => Dashboard::Images,
    })
}

/// The first image in a tensor, behind width and height.
fn third_string(message: &[u8]) -> Option<&[u8]> {
    use crate::protobuf::{Field, Fields};
    let fields = Fields::new(message).map_while(Result::ok);
    let strings = fields.filter_map(|field| match field {
        (8, Field::Bytes(bytes)) => Some(bytes),
        _ => None,
    });
    strings.take(3).nth(2)
}

/// The encoded films or images in a value as they are there; none when it is of another kind.
pub fn items<'a>(value: &Value<'a>) -> Result<Vec<&'a [u8]>, WireError> {
    match value.body {
        Body::Image(message) => Ok(vec![compat::image(message)?.encoded]),
        Body::Tensor(message) => {
            Ok(Tensor::parse(message)?.strings()?.into_iter().skip(2).collect())
        }
        _ => Ok(Vec::new()),
    }
}

/// Why the frames of a film cannot be shown. Its bytes can still be saved.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it all
pub enum VideoError {
    #[error("the value is not a video")]
    NotVideo,
    #[error("there is no video {index}: the value has {count}")]
    NoItem { index: usize, count: usize },
    #[error("only the frames of a GIF are decoded on the server")]
    NotGif,
    #[error("the GIF cannot be decoded: {0}")]
    Decoder(String),
    #[error("the GIF has no frames")]
    NoFrames,
    #[error("the GIF is {width} by {height} pixels, which is too large to decode")]
    TooLarge { width: u16, height: u16 },
    #[error("the frame is too far into a large GIF to be decoded")]
    TooFar,
}

impl From<gif::DecodingError> for VideoError {
    fn from(error: gif::DecodingError) -> Self {
        VideoError::Decoder(error.to_string())
    }
}

/// What is known of a GIF.
#[derive(Debug, PartialEq, Eq)]
pub struct Film {
    /// In pixels.
    pub width: u16,
    /// In pixels.
    pub height: u16,
    /// How long each frame is shown, as browsers do.
    pub delays_millis: Vec<u32>,
    /// What is odd about it, in a sentence.
    pub note: Option<&'static str>,
}

impl Film {
    /// Reads the sizes and delays of a GIF without decoding its frames.
    pub fn of(bytes: &[u8]) -> Result<Self, VideoError> {
        let mut decoder = open(bytes, true)?;
        let (width, height) = (decoder.width(), decoder.height());
        let (mut delays_millis, mut note) = (Vec::new(), None);
        loop {
            match decoder.next_frame_info() {
                Ok(Some(frame)) => delays_millis.push(millis(frame.delay)),
                Ok(None) => break,
                Err(error) if delays_millis.is_empty() => return Err(error.into()),
                Err(_) => {
                    // The last one is only there in part.
                    note = Some("The GIF is cut off; it is shown up to there.");
                    break;
                }
            }
            if delays_millis.len() == MAX_FRAMES {
                note = Some("The GIF has more frames than are shown.");
                break;
            }
        }
        if delays_millis.is_empty() {
            return Err(VideoError::NoFrames);
        }
        Ok(Self { width, height, delays_millis, note })
    }
}

fn millis(delay: u16) -> u32 {
    match delay {
        ..SHORTEST_DELAY => DEFAULT_DELAY_MILLIS,
        _ => u32::from(delay) * 10,
    }
}

fn open(bytes: &[u8], skips_frames: bool) -> Result<Decoder<&[u8]>, VideoError> {
    if Container::of(bytes) != Some(Container::Gif) {
        return Err(VideoError::NotGif);
    }
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    options.skip_frame_decoding(skips_frames);
    options.allow_unknown_blocks(true);
    if let Some(limit) = NonZeroU64::new(4 * MAX_PIXELS as u64) {
        options.set_memory_limit(MemoryLimit::Bytes(limit));
    }
    let decoder = options.read_info(bytes)?;
    let (width, height) = (decoder.width(), decoder.height());
    match usize::from(width) * usize::from(height) {
        1..=MAX_PIXELS => Ok(decoder),
        _ => Err(VideoError::TooLarge { width, height }),
    }
}

/// Which frames of a film are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// Index of the first.
    pub first: usize,
    /// How many, at most: fewer where they would be too large together, or the film ends.
    pub count: usize,
    /// From one to the next; 0 is 1.
    pub stride: usize,
    /// In pixels; a wider film is made smaller.
    pub max_width: usize,
}

/// Some frames as PNG files.
#[derive(Debug, PartialEq, Eq)]
pub struct Frames {
    /// In pixels.
    pub width: usize,
    /// In pixels.
    pub height: usize,
    /// One behind the other in the film.
    pub files: Vec<Vec<u8>>,
}

/// Decodes the frames of a GIF from its beginning up to the last that is wanted.
pub fn frames(bytes: &[u8], wanted: Wanted) -> Result<Frames, VideoError> {
    let mut decoder = open(bytes, false)?;
    let (full_width, full_height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let width = full_width.min(wanted.max_width.max(1));
    let height = (full_height * width / full_width).max(1);
    let count = wanted.count.min((MAX_ANSWER_PIXELS / (width * height)).max(1));
    let stride = wanted.stride.max(1);
    let end = wanted.first.saturating_add(count.saturating_sub(1).saturating_mul(stride));
    if end.saturating_mul(full_width * full_height) > MAX_DECODED_PIXELS {
        return Err(VideoError::TooFar);
    }
    let mut canvas = Canvas::new(full_width, full_height);
    let (mut files, mut index) = (Vec::new(), 0);
    while index <= end {
        match decoder.read_next_frame() {
            Ok(Some(frame)) => canvas.show(frame),
            Ok(None) => break,
            Err(error) if index == 0 => return Err(error.into()),
            // The description says that it is cut off.
            Err(_) => break,
        }
        if index >= wanted.first && (index - wanted.first).is_multiple_of(stride) {
            files.push(canvas.png(width, height)?);
        }
        index += 1;
    }
    Ok(Frames { width, height, files })
}

/// The picture as it is after a frame.
struct Canvas {
    width: usize,
    height: usize,
    /// Red, green, blue and alpha of each pixel, row by row.
    pixels: Vec<u8>,
    /// What the frame that was shown last leaves behind.
    after: After,
}

enum After {
    Keep,
    Clear { left: usize, top: usize, width: usize, height: usize },
    Restore(Vec<u8>),
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![0; 4 * width * height], after: After::Keep }
    }

    fn show(&mut self, frame: &gif::Frame<'_>) {
        match std::mem::replace(&mut self.after, After::Keep) {
            After::Keep => {}
            After::Clear { left, top, width, height } => {
                for row in top..top.saturating_add(height) {
                    self.row(row, left, width).fill(0);
                }
            }
            After::Restore(pixels) => self.pixels = pixels,
        }
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        let (width, height) = (usize::from(frame.width), usize::from(frame.height));
        self.after = match frame.dispose {
            DisposalMethod::Background => After::Clear { left, top, width, height },
            DisposalMethod::Previous => After::Restore(self.pixels.clone()),
            _ => After::Keep,
        };
        for (at, source) in frame.buffer.chunks_exact(4 * width.max(1)).enumerate() {
            let (from, _) = source.as_chunks::<4>();
            let (onto, _) = self.row(top + at, left, width).as_chunks_mut::<4>();
            for (onto, from) in onto.iter_mut().zip(from) {
                if from[3] > 0 {
                    *onto = *from;
                }
            }
        }
    }

    /// Some pixels of a row, as far as they are on the canvas.
    fn row(&mut self, row: usize, left: usize, width: usize) -> &mut [u8] {
        let end = left.saturating_add(width).min(self.width);
        let start = row.saturating_mul(self.width);
        let is_there = row < self.height && left < end;
        let range = if is_there { 4 * (start + left)..4 * (start + end) } else { 0..0 };
        self.pixels.get_mut(range).unwrap_or_default()
    }

    /// The picture as a file of this size; the nearest pixels are taken.
    fn png(&self, width: usize, height: usize) -> Result<Vec<u8>, VideoError> {
        let sampled;
        let pixels = if (width, height) == (self.width, self.height) {
            &self.pixels
        } else {
            let (whole, _) = self.pixels.as_chunks::<4>();
            let at = |x: usize, y: usize| {
                let (x, y) = (x * self.width / width, y * self.height / height);
                whole.get(y * self.width + x).copied().unwrap_or_default()
            };
            sampled = (0..height)
                .flat_map(|y| (0..width).flat_map(move |x| at(x, y)))
                .collect::<Vec<u8>>();
            &sampled
        };
        let failed = |error: png::EncodingError| VideoError::Decoder(error.to_string());
        let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, side(width), side(height));
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_deflate_compression(png::DeflateCompression::Level(1));
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(pixels).map_err(failed)?;
        writer.finish().map_err(failed)?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gif::{Encoder, Frame};

    /// A GIF of 3 by 2 pixels: red, then blue in the right column alone, and so on.
    fn film(dispose: DisposalMethod, delays: &[u16]) -> Vec<u8> {
        let mut file = Vec::new();
        let palette = [255, 0, 0, 0, 0, 255];
        let mut encoder = Encoder::new(&mut file, 3, 2, &palette).unwrap();
        for (at, &delay) in delays.iter().enumerate() {
            let is_first = at == 0;
            let frame = Frame {
                left: if is_first { 0 } else { 2 },
                width: if is_first { 3 } else { 1 },
                height: 2,
                buffer: if is_first { vec![0; 6] } else { vec![1; 2] }.into(),
                delay,
                dispose: if is_first { DisposalMethod::Keep } else { dispose },
                ..Frame::default()
            };
            encoder.write_frame(&frame).unwrap();
        }
        drop(encoder);
        file
    }

    fn pixels(file: &[u8]) -> Vec<[u8; 4]> {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut out = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut out).unwrap();
        out.as_chunks::<4>().0.to_vec()
    }

    const ALL: Wanted = Wanted { first: 0, count: 100, stride: 1, max_width: 1000 };
    const RED: [u8; 4] = [255, 0, 0, 255];
    const BLUE: [u8; 4] = [0, 0, 255, 255];

    #[test]
    fn a_film_is_known_by_its_first_bytes() {
        for (head, expected) in [
            (&b"GIF89a"[..], Some(Container::Gif)),
            (b"GIF87a...", Some(Container::Gif)),
            (b"\0\0\0\x18ftypisom", Some(Container::Mp4)),
            (b"\0\0\0\x18ftypavif", None),
            (b"\x1aE\xdf\xa3", Some(Container::Webm)),
            (b"\x89PNG\r\n\x1a\n", None),
            (b"GIF", None),
            (b"", None),
        ] {
            assert_eq!(Container::of(head), expected, "{head:?}");
        }
    }

    #[test]
    fn both_encodings_are_filed_by_their_first_item() {
        let cases: [(&[u8], Option<Dashboard>); 3] = [
            (b"\x08\x02\x10\x03\x22\x06GIF89a", Some(Dashboard::Video)),
            (b"\x22\x03png", Some(Dashboard::Images)),
            (b"\xff", None),
        ];
        for (message, expected) in cases {
            assert_eq!(dashboard_of(&Body::Image(message)), expected);
        }
        let gif = b"\x08\x07\x42\x013\x42\x012\x42\x06GIF89a\x42\x03png";
        let png = b"\x08\x07\x42\x013\x42\x012\x42\x03png\x42\x06GIF89a";
        assert_eq!(dashboard_of(&Body::Tensor(gif)), Some(Dashboard::Video));
        assert_eq!(dashboard_of(&Body::Tensor(png)), Some(Dashboard::Images));
        assert_eq!(dashboard_of(&Body::Tensor(b"\x08\x07\x42\x013\x42\x012")), None);
        assert_eq!(dashboard_of(&Body::Empty), None);
    }

    #[test]
    fn delays_are_those_of_browsers() {
        let film = Film::of(&film(DisposalMethod::Keep, &[0, 1, 2, 25])).unwrap();
        assert_eq!((film.width, film.height, film.note), (3, 2, None));
        assert_eq!(film.delays_millis, [100, 100, 20, 250]);
    }

    #[test]
    fn frames_are_put_on_those_before() {
        let shown = |dispose| -> Vec<[u8; 4]> {
            let found = frames(&film(dispose, &[5, 5, 5]), ALL).unwrap();
            assert_eq!((found.width, found.height, found.files.len()), (3, 2, 3));
            assert_eq!(pixels(&found.files[0]), [RED; 6]);
            pixels(&found.files[1])
        };
        for dispose in [DisposalMethod::Keep, DisposalMethod::Background, DisposalMethod::Previous]
        {
            assert_eq!(shown(dispose), [RED, RED, BLUE, RED, RED, BLUE]);
        }
    }

    #[test]
    fn what_a_frame_leaves_behind_is_what_it_says() {
        for (dispose, expected) in [
            (DisposalMethod::Keep, BLUE),
            (DisposalMethod::Background, [0; 4]),
            (DisposalMethod::Previous, RED),
        ] {
            let mut canvas = Canvas::new(3, 2);
            let red =
                Frame { width: 3, height: 2, buffer: RED.repeat(6).into(), ..Frame::default() };
            canvas.show(&red);
            let buffer = BLUE.repeat(2).into();
            canvas.show(&Frame {
                left: 2,
                width: 1,
                height: 2,
                dispose,
                buffer,
                ..Frame::default()
            });
            canvas.show(&Frame::default());
            assert_eq!(canvas.pixels[8..12], expected, "{dispose:?}");
        }
    }

    #[test]
    fn some_frames_are_asked_for_and_made_smaller() {
        let file = film(DisposalMethod::Keep, &[5; 9]);
        let found = |wanted| frames(&file, wanted).unwrap();
        assert_eq!(found(Wanted { first: 7, ..ALL }).files.len(), 2);
        assert_eq!(found(Wanted { stride: 4, ..ALL }).files.len(), 3);
        assert_eq!(found(Wanted { first: 99, ..ALL }).files.len(), 0);
        let small = found(Wanted { count: 1, max_width: 1, ..ALL });
        assert_eq!((small.width, small.height, small.files.len()), (1, 1, 1));
        assert_eq!(frames(&file, Wanted { first: usize::MAX, ..ALL }), Err(VideoError::TooFar));
    }

    #[test]
    fn damage_anywhere_is_survived() {
        let file = film(DisposalMethod::Previous, &[5; 4]);
        for cut in 0..file.len() {
            drop((Film::of(&file[..cut]), frames(&file[..cut], ALL)));
        }
        for at in 0..file.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut changed = file.clone();
                changed[at] = value;
                drop((Film::of(&changed), frames(&changed, ALL)));
            }
        }
        assert_eq!(Film::of(b"\x89PNG"), Err(VideoError::NotGif));
        let sentence = Film::of(b"GIF89a").unwrap_err().to_string();
        assert!(sentence.contains("the GIF cannot be decoded"), "{sentence}");
    }
}
