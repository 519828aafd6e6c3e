//! Pixels into PNG files, and files into summaries.

use super::{PixelError, Pixels, small};
use png::{BitDepth, ColorType, DeflateCompression, Encoder, EncodingError, Filter};

/// What a PNG file can hold, by number of channels.
fn colour_type(channels: usize) -> Result<ColorType, PixelError> {
    match channels {
        1 => Ok(ColorType::Grayscale),
        2 => Ok(ColorType::GrayscaleAlpha),
        3 => Ok(ColorType::Rgb),
        4 => Ok(ColorType::Rgba),
        other => Err(PixelError::Channels(other)),
    }
}

/// What the pixels are of, which decides how a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// A photograph, or whatever else comes out of a network. It is as small as from zlib's default
    /// and encoded five times as fast.
    Photo,
    /// A drawing with flat areas, where a little more work saves a fifth of the bytes.
    Drawing,
}

/// Pixels that a PNG file can hold.
pub struct Still {
    pixels: Pixels,
    colour_type: ColorType,
    content: Content,
}

impl Still {
    /// The first frame of `pixels`.
    pub fn new(pixels: Pixels, content: Content) -> Result<Self, PixelError> {
        let colour_type = colour_type(pixels.channels())?;
        Ok(Self { pixels, colour_type, content })
    }

    /// The pixels it holds.
    pub fn pixels(&self) -> &Pixels {
        &self.pixels
    }

    /// A serialised `Summary` with the image; it states `size`, or else that of the pixels.
    pub fn summary(&self, tag: &str, size: Option<Size>) -> Vec<u8> {
        match self.png() {
            Ok(file) => summary(tag, size.unwrap_or(Size::of(&self.pixels)), &file),
            Err(error) => {
                log::error!("an image of `{tag}` is lost: {error}");
                Vec::new()
            }
        }
    }

    /// The file.
    pub fn png(&self) -> Result<Vec<u8>, EncodingError> {
        let pixels = &self.pixels;
        let frame = pixels.frames().next().unwrap_or_default();
        let (width, height) = (pixels.width(), pixels.height());
        if let Some(file) = small::png(frame, width, height, pixels.channels()) {
            return Ok(file);
        }
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, width, height);
        encoder.set_color(self.colour_type);
        encoder.set_depth(BitDepth::Eight);
        // The still faster encoder made for PNG knows runs only, and makes gradients ten times as
        // large.
        encoder.set_deflate_compression(DeflateCompression::Level(match self.content {
            Content::Photo => 1,
            Content::Drawing => 2,
        }));
        encoder.set_filter(Filter::Adaptive);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(frame)?;
        writer.finish()?;
        Ok(file)
    }
}

/// What a summary states about an image beside the file.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Height in pixels.
    pub height: u32,
    /// Width in pixels.
    pub width: u32,
    /// Channels of a pixel.
    pub channels: usize,
}

impl Size {
    /// That of a frame.
    pub fn of(pixels: &Pixels) -> Self {
        Self { height: pixels.height(), width: pixels.width(), channels: pixels.channels() }
    }
}

/// A serialised `Summary` of one value, which holds an image file.
pub fn summary(tag: &str, size: Size, file: &[u8]) -> Vec<u8> {
    let mut image = Vec::with_capacity(file.len() + 32);
    put_integer(&mut image, 1, u64::from(size.height));
    put_integer(&mut image, 2, u64::from(size.width));
    put_integer(&mut image, 3, size.channels as u64);
    put_bytes(&mut image, 4, file);
    let mut value = Vec::with_capacity(image.len() + tag.len() + 16);
    put_bytes(&mut value, 1, tag.as_bytes());
    put_bytes(&mut value, 4, &image);
    let mut summary = Vec::with_capacity(value.len() + 8);
    put_bytes(&mut summary, 1, &value);
    summary
}

fn put_integer(out: &mut Vec<u8>, field: u8, number: u64) {
    out.push(field << 3);
    put_varint(out, number);
}

fn put_bytes(out: &mut Vec<u8>, field: u8, bytes: &[u8]) {
    out.push(field << 3 | 2);
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dashboards::images;
    use crate::event::{Value, values};
    use crate::pixels::Grid;
    use ndarray::{Array3, Axis};

    fn pixels(height: usize, width: usize, channels: usize) -> Pixels {
        let image = Array3::from_shape_fn((height, width, channels), |(y, x, c)| {
            (y * 31 + x * 17 + c * 5) as u8
        });
        let tiles = image.view().insert_axis(Axis(0)).insert_axis(Axis(0));
        Pixels::tiled(tiles, Grid { rows: 1, columns: 1 }).unwrap()
    }

    #[test]
    fn png_holds_the_pixels_with_one_to_four_channels() {
        for channels in 1..=4 {
            for (height, width, content) in
                [(9, 13, Content::Photo), (300, 301, Content::Photo), (300, 301, Content::Drawing)]
            {
                let still = Still::new(pixels(height, width, channels), content).unwrap();
                let file = still.png().unwrap();
                let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
                let mut found = vec![0; reader.output_buffer_size().unwrap()];
                let info = reader.next_frame(&mut found).unwrap();
                assert_eq!((info.height as usize, info.width as usize), (height, width));
                assert_eq!(info.color_type.samples(), channels);
                assert_eq!(found, still.pixels().bytes());
            }
        }
    }

    #[test]
    fn summary_tells_the_size_it_is_given_or_that_of_the_pixels() {
        let still = Still::new(pixels(2, 300, 3), Content::Photo).unwrap();
        let given = Size { height: 7, width: 70_000, channels: 3 };
        for (size, expected) in [(None, (2, 300)), (Some(given), (7, 70_000))] {
            let summary = still.summary("photo", size);
            let value = Value::parse(values(&summary).next().unwrap().unwrap()).unwrap();
            let found = images::decode(&value).unwrap();
            assert_eq!((value.tag, (found.height, found.width)), (&b"photo"[..], expected));
            assert_eq!(found.items, [still.png().unwrap()]);
        }
    }

    #[test]
    fn five_channels_are_no_image() {
        let five = Still::new(pixels(2, 2, 5), Content::Photo);
        assert_eq!(five.err(), Some(PixelError::Channels(5)));
    }
}
