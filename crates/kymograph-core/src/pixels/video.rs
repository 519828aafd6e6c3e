//! Pixels into videos: GIF files, or whatever an `ffmpeg` program encodes.

use super::image::{Size, summary};
use super::{PixelError, Pixels};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use thiserror::Error;

/// NeuQuant looks at every n-th pixel to choose colours; 10 is what its author advises.
const QUANTISER_SPEED: i32 = 10;
/// Browsers show a frame with a shorter delay than this ten times as long.
const SHORTEST_DELAY_CENTISECS: u64 = 2;

/// The video could not be encoded.
#[derive(Debug, Error)]
pub enum VideoError {
    /// The GIF encoder gave up.
    #[error("cannot write a GIF: {0}")]
    Gif(#[from] gif::EncodingError),
    /// The program did not start, or stopped reading.
    #[error("cannot run the video encoder: {0}")]
    Encoder(#[from] io::Error),
    /// The program reports a failure.
    #[error("the video encoder failed: {0}")]
    Failed(String),
}

/// A program that encodes raw pixels as videos, called as `ffmpeg` is.
#[derive(Debug, Clone)]
pub struct Ffmpeg {
    /// Where the program is.
    pub program: OsString,
    /// What it encodes.
    pub container: Container,
}

/// The videos that browsers play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// H.264 in MP4.
    Mp4,
    /// VP9 in WebM.
    Webm,
}

/// Frames that a GIF file can hold, and how fast they follow each other.
pub struct Film {
    pixels: Pixels,
    width: u16,
    height: u16,
    fps: f64,
}

impl Film {
    /// The frames of `pixels`, which have colours or a single channel. `fps` is positive.
    pub fn new(pixels: Pixels, fps: f64) -> Result<Self, PixelError> {
        let pixels = pixels.with_colour();
        if !matches!(pixels.channels(), 3 | 4) {
            return Err(PixelError::Channels(pixels.channels()));
        }
        let side = |length| u16::try_from(length).map_err(|_| PixelError::TooLarge);
        let (width, height) = (side(pixels.width())?, side(pixels.height())?);
        Ok(Self { pixels, width, height, fps })
    }

    /// The pixels it holds.
    pub fn pixels(&self) -> &Pixels {
        &self.pixels
    }

    /// A GIF file that begins again at its end. A frame of up to 256 colours is exact.
    pub fn gif(&self) -> Result<Vec<u8>, VideoError> {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, self.width, self.height, &[])?;
        encoder.set_repeat(Repeat::Infinite)?;
        for (index, pixels) in self.pixels.frames().enumerate() {
            let mut frame = self.frame(pixels);
            frame.delay = delay_centisecs(index as u64, self.fps);
            encoder.write_frame(&frame)?;
        }
        drop(encoder);
        Ok(file)
    }

    fn frame(&self, pixels: &[u8]) -> Frame<'static> {
        if self.pixels.channels() == 3 {
            return Frame::from_rgb_speed(self.width, self.height, pixels, QUANTISER_SPEED);
        }
        let mut pixels = pixels.to_vec();
        let mut frame =
            Frame::from_rgba_speed(self.width, self.height, &mut pixels, QUANTISER_SPEED);
        // Else the last frame would show through the holes of this one.
        frame.dispose = DisposalMethod::Background;
        frame
    }

    /// A serialised `Summary` with the video. Where `ffmpeg` fails, it is a GIF.
    pub fn summary(&self, tag: &str, ffmpeg: Option<&Ffmpeg>) -> Vec<u8> {
        let film = ffmpeg.and_then(|ffmpeg| {
            self.made_by(ffmpeg)
                .inspect_err(|error| log::warn!("writing `{tag}` as a GIF instead: {error}"))
                .ok()
        });
        match film.map_or_else(|| self.gif(), Ok) {
            Ok(file) => summary(tag, Size::of(&self.pixels), &file),
            Err(error) => {
                log::error!("a video of `{tag}` is lost: {error}");
                Vec::new()
            }
        }
    }

    /// The file that `ffmpeg` makes of it.
    pub fn made_by(&self, ffmpeg: &Ffmpeg) -> Result<Vec<u8>, VideoError> {
        let folder = tempfile::tempdir()?;
        // MP4 needs a file to go back in: a pipe will not do.
        let film = folder.path().join("film");
        let mut child = Command::new(&ffmpeg.program)
            .args(["-loglevel", "error", "-f", "rawvideo"])
            .args(["-pix_fmt", if self.pixels.channels() == 3 { "rgb24" } else { "rgba" }])
            .args(["-s", &format!("{}x{}", self.width, self.height)])
            .args(["-r", &self.fps.to_string(), "-i", "-"])
            // The other cores are left to training.
            .args(["-threads", "1"])
            .args(ffmpeg.container.arguments())
            .arg(&film)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        // What it complains about is a few lines, which the pipe can hold while this writes.
        let written = match child.stdin.take() {
            Some(mut stdin) => stdin.write_all(self.pixels.bytes()),
            None => Ok(()),
        };
        let output = child.wait_with_output()?;
        if !output.status.success() {
            return Err(VideoError::Failed(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        written?;
        Ok(std::fs::read(&film)?)
    }
}

impl Container {
    fn arguments(self) -> &'static [&'static str] {
        // Colours at half the resolution, which all browsers play, need even sides.
        const EVEN: &str = "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p";
        match self {
            Container::Mp4 => {
                &["-vf", EVEN, "-c:v", "libx264", "-movflags", "+faststart", "-f", "mp4"]
            }
            Container::Webm => {
                &["-vf", EVEN, "-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "30", "-f", "webm"]
            }
        }
    }
}

/// How long a frame is shown, so that the frames before and with it take the time they should.
fn delay_centisecs(index: u64, fps: f64) -> u16 {
    let end = |frames: u64| (frames as f64 * 100.0 / fps).round() as u64;
    let delay = end(index + 1).saturating_sub(end(index));
    u16::try_from(delay.max(SHORTEST_DELAY_CENTISECS)).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::Grid;
    use ndarray::Array5;

    fn film(channels: usize, colour: impl Fn(usize, usize, usize) -> u8) -> Film {
        let frames = Array5::from_shape_fn((1, 3, 16, 16, channels), |(_, t, y, x, c)| {
            colour(t, y * 16 + x, c)
        });
        Film::new(Pixels::tiled(frames.view(), Grid { rows: 1, columns: 1 }).unwrap(), 4.0).unwrap()
    }

    /// The frames of a GIF file as red, green, blue and alpha, with their delays.
    fn read(file: &[u8]) -> (Vec<Vec<u8>>, Vec<u16>, Repeat) {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(file).unwrap();
        let (mut frames, mut delays) = (Vec::new(), Vec::new());
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            frames.push(frame.buffer.to_vec());
            delays.push(frame.delay);
        }
        (frames, delays, decoder.repeat())
    }

    fn rgba(film: &Film) -> Vec<Vec<u8>> {
        let opaque = |frame: &[u8]| {
            frame.as_chunks::<3>().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect()
        };
        film.pixels().frames().map(opaque).collect()
    }

    #[test]
    fn gif_of_few_colours_is_exact_and_begins_again() {
        let film = film(3, |t, at, c| (at as u8).wrapping_mul(c as u8 + 1).wrapping_add(t as u8));
        let (frames, delays, repeat) = read(&film.gif().unwrap());
        assert_eq!(frames, rgba(&film));
        assert_eq!(delays, [25, 25, 25]);
        assert!(matches!(repeat, Repeat::Infinite));
    }

    #[test]
    fn gif_of_many_colours_is_close() {
        let colours = Array5::from_shape_fn((1, 1, 64, 64, 3), |(_, _, y, x, c)| {
            [y * 4, x * 4, (x + y) * 2][c] as u8
        });
        let pixels = Pixels::tiled(colours.view(), Grid { rows: 1, columns: 1 }).unwrap();
        let film = Film::new(pixels, 4.0).unwrap();
        let (frames, ..) = read(&film.gif().unwrap());
        let error: u32 =
            frames[0].iter().zip(&rgba(&film)[0]).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
        let mean = f64::from(error) / (64.0 * 64.0 * 3.0);
        assert!(mean < 8.0, "mean error of a channel: {mean}");
    }

    #[test]
    fn pixels_without_alpha_are_holes() {
        let film = film(4, |t, at, c| if c == 3 { u8::from(at > 9) * 255 } else { t as u8 * 9 });
        let (frames, ..) = read(&film.gif().unwrap());
        for (t, frame) in frames.iter().enumerate() {
            let (pixels, _) = frame.as_chunks::<4>();
            assert!(pixels[..10].iter().all(|pixel| pixel[3] == 0));
            let colour = t as u8 * 9;
            assert!(pixels[10..].iter().all(|pixel| *pixel == [colour, colour, colour, 255]));
        }
    }

    #[test]
    fn one_channel_is_grey_and_two_are_refused() {
        let grey = film(1, |t, at, _| (t * 50 + at % 50) as u8);
        assert_eq!(grey.pixels().channels(), 3);
        let two = Array5::<u8>::zeros((1, 1, 2, 2, 2));
        let two = Pixels::tiled(two.view(), Grid { rows: 1, columns: 1 }).unwrap();
        assert_eq!(Film::new(two, 4.0).err(), Some(PixelError::Channels(2)));
    }

    #[test]
    fn delays_add_up_and_are_never_too_short_for_browsers() {
        let sum = |fps| (0..30).map(|at| u64::from(delay_centisecs(at, fps))).sum::<u64>();
        assert_eq!(sum(4.0), 750);
        assert_eq!(sum(30.0), 100);
        assert_eq!(sum(1000.0), 60);
        assert_eq!(delay_centisecs(0, 1e-9), u16::MAX);
    }

    #[test]
    fn gif_takes_the_place_of_an_encoder_that_is_not_there() {
        let film = film(3, |t, _, _| t as u8);
        let nowhere = Ffmpeg { program: "/no/such/program".into(), container: Container::Mp4 };
        assert!(matches!(film.made_by(&nowhere), Err(VideoError::Encoder(_))));
        let summary = film.summary("film", Some(&nowhere));
        assert!(summary.windows(6).any(|bytes| bytes == b"GIF89a"));
    }
}
