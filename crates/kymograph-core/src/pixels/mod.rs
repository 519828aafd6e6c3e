//! Arrays into 8-bit pixels, and pixels into files that a browser shows.

pub mod image;
mod small;
pub mod video;

use ndarray::{ArrayView2, ArrayView5, Axis};
use thiserror::Error;

/// The array is not a picture.
#[derive(Debug, Error, Clone, Copy, PartialEq, Eq)]
pub enum PixelError {
    /// A side of no length.
    #[error("an image needs at least one pixel")]
    Empty,
    /// More or fewer channels than the file can hold.
    #[error("cannot handle images with this number of channels: {0}")]
    Channels(usize),
    /// More tiles than places, or more pixels than memory.
    #[error("the image is too large")]
    TooLarge,
}

/// What an element of an array is as a pixel: bytes as they are, anything else times 255 in
/// single precision, clipped, without its fraction; NaN is black.
pub trait Sample: Copy {
    /// The pixel.
    fn pixel(self) -> u8;
}

impl Sample for u8 {
    fn pixel(self) -> u8 {
        self
    }
}

impl Sample for f32 {
    fn pixel(self) -> u8 {
        // The cast clips, cuts off the fraction and makes NaN 0.
        (self * 255.0) as u8
    }
}

impl Sample for f64 {
    fn pixel(self) -> u8 {
        (self as f32).pixel()
    }
}

/// How tiles are laid out, from left to right and then downwards.
#[derive(Debug, Clone, Copy)]
pub struct Grid {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

/// One or more frames of the same size, one after the other: rows from the top, the channels of
/// a pixel side by side. No side is 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    width: u32,
    height: u32,
    channels: usize,
    bytes: Vec<u8>,
}

impl Pixels {
    /// The pixels of an array with the axes tile, frame, row, column, channel, in any layout.
    /// Places in the grid that have no tile stay black.
    pub fn tiled<T: Sample>(tiles: ArrayView5<'_, T>, grid: Grid) -> Result<Self, PixelError> {
        let (count, frames, tile_height, tile_width, channels) = tiles.dim();
        let height = side(tile_height, grid.rows)?;
        let width = side(tile_width, grid.columns)?;
        if tiles.is_empty() {
            return Err(PixelError::Empty);
        }
        if count > grid.rows.saturating_mul(grid.columns) {
            return Err(PixelError::TooLarge);
        }
        let row_bytes = (width as usize).checked_mul(channels).ok_or(PixelError::TooLarge)?;
        let mut bytes = black(frames, height as usize, row_bytes)?;
        let frame_bytes = height as usize * row_bytes;
        let tile_row_bytes = tile_width * channels;
        for (index, tile) in tiles.axis_iter(Axis(0)).enumerate() {
            let (row, column) = (index / grid.columns, index % grid.columns);
            for (frame, picture) in tile.axis_iter(Axis(0)).enumerate() {
                let top_left =
                    frame * frame_bytes + row * tile_height * row_bytes + column * tile_row_bytes;
                let rows = bytes[top_left..].chunks_mut(row_bytes);
                for (out, samples) in rows.zip(picture.axis_iter(Axis(0))) {
                    put_row(samples, &mut out[..tile_row_bytes]);
                }
            }
        }
        Ok(Self { width, height, channels, bytes })
    }

    /// The same picture, with a single channel repeated as red, green and blue.
    pub fn with_colour(self) -> Self {
        if self.channels != 1 {
            return self;
        }
        let mut bytes = vec![0; self.bytes.len() * 3];
        for (colour, grey) in bytes.as_chunks_mut::<3>().0.iter_mut().zip(&self.bytes) {
            *colour = [*grey; 3];
        }
        Self { channels: 3, bytes, ..self }
    }

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Channels of a pixel.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// The bytes of all frames.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of all frames, to keep.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Each frame's bytes.
    pub fn frames(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.width as usize * self.height as usize * self.channels)
    }
}

/// The length of a side of the whole grid.
fn side(tile: usize, tiles: usize) -> Result<u32, PixelError> {
    let length = tile.checked_mul(tiles).ok_or(PixelError::TooLarge)?;
    match u32::try_from(length) {
        Ok(0) => Err(PixelError::Empty),
        Ok(length) if length <= i32::MAX as u32 => Ok(length),
        _ => Err(PixelError::TooLarge),
    }
}

/// Room for all frames. Too large a picture must not end a training run, so a failed
/// allocation is an error.
fn black(frames: usize, height: usize, row_bytes: usize) -> Result<Vec<u8>, PixelError> {
    let len = frames.checked_mul(height).and_then(|rows| rows.checked_mul(row_bytes));
    let len = len.ok_or(PixelError::TooLarge)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).map_err(|_| PixelError::TooLarge)?;
    bytes.resize(len, 0);
    Ok(bytes)
}

/// One row of pixels, columns by channels.
fn put_row<T: Sample>(samples: ArrayView2<'_, T>, out: &mut [u8]) {
    if let Some(samples) = samples.to_slice() {
        put(samples, out.iter_mut());
    } else if let Some(planes) = colour_planes(samples) {
        put_colours(planes, out);
    } else {
        let channels = samples.dim().1;
        for (channel, lane) in samples.axis_iter(Axis(1)).enumerate() {
            put(lane, out[channel..].iter_mut().step_by(channels));
        }
    }
}

fn put<'a, 'b, T: Sample + 'a>(
    samples: impl IntoIterator<Item = &'a T>,
    out: impl Iterator<Item = &'b mut u8>,
) {
    for (pixel, sample) in out.zip(samples) {
        *pixel = sample.pixel();
    }
}

/// The colours of a row in which each is stored separately, as in most tensors.
fn colour_planes<T>(samples: ArrayView2<'_, T>) -> Option<[&[T]; 3]> {
    if samples.dim().1 != 3 {
        return None;
    }
    let plane = |channel| samples.index_axis_move(Axis(1), channel).to_slice();
    Some([plane(0)?, plane(1)?, plane(2)?])
}

fn put_colours<T: Sample>([red, green, blue]: [&[T]; 3], out: &mut [u8]) {
    let pixels = out.as_chunks_mut::<3>().0.iter_mut();
    for (((pixel, red), green), blue) in pixels.zip(red).zip(green).zip(blue) {
        *pixel = [red.pixel(), green.pixel(), blue.pixel()];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array3, Array4, Array5, ArrayView3, s};

    const ONE: Grid = Grid { rows: 1, columns: 1 };

    fn picture<T: Sample>(image: ArrayView3<'_, T>) -> Pixels {
        Pixels::tiled(image.insert_axis(Axis(0)).insert_axis(Axis(0)), ONE).unwrap()
    }

    #[test]
    fn floats_are_scaled_clipped_and_cut_off() {
        let samples = [0.0, 0.5, 0.999, 1.0, 1.5, -0.5, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        let expected = [0, 127, 254, 255, 255, 0, 0, 255, 0];
        assert_eq!(samples.map(Sample::pixel), expected);
        assert_eq!(samples.map(f64::from).map(Sample::pixel), expected);
    }

    #[test]
    fn doubles_are_rounded_to_single_precision_first() {
        let below = 100.0_f64 / 255.0 - 1e-12;
        assert_eq!((below * 255.0) as u8, 99);
        assert_eq!(below.pixel(), 100);
    }

    #[test]
    fn every_layout_gives_the_same_pixels() {
        for channels in 1..=4 {
            let image = Array3::from_shape_fn((5, 7, channels), |(y, x, c)| {
                (y * 50 + x * 3 + c) as f32 / 300.0
            });
            let expected: Vec<u8> = image.iter().map(|sample| sample.pixel()).collect();
            for order in [[0, 1, 2], [2, 0, 1], [1, 0, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0]] {
                let mut back = [0; 3];
                order.iter().enumerate().for_each(|(at, axis)| back[*axis] = at);
                let stored = image.view().permuted_axes(order).as_standard_layout().into_owned();
                let found = picture(stored.view().permuted_axes(back));
                assert_eq!(found.bytes(), expected, "stored as {order:?}");
                assert_eq!((found.height(), found.width(), found.channels()), (5, 7, channels));
            }
        }
    }

    #[test]
    fn reversed_and_thinned_out_views_are_read_as_they_look() {
        let image = Array3::from_shape_fn((6, 8, 4), |(y, x, c)| (y * 32 + x * 4 + c) as u8);
        let view = image.slice(s![..;-1, ..;2, ..3]);
        let expected: Vec<u8> = view.iter().copied().collect();
        assert_eq!(picture(view).bytes(), expected);
    }

    #[test]
    fn tiles_fill_the_grid_row_by_row_and_the_rest_is_black() {
        let tiles = Array5::from_shape_fn((3, 2, 1, 2, 1), |(n, t, _, x, _)| {
            (100 * t + 10 * (n + 1) + x) as u8
        });
        let found = Pixels::tiled(tiles.view(), Grid { rows: 3, columns: 2 }).unwrap();
        let frames: Vec<&[u8]> = found.frames().collect();
        assert_eq!(frames[0], [10, 11, 20, 21, 30, 31, 0, 0, 0, 0, 0, 0]);
        assert_eq!(frames[1], [110, 111, 120, 121, 130, 131, 0, 0, 0, 0, 0, 0]);
        assert_eq!((frames.len(), found.height(), found.width()), (2, 3, 4));
    }

    #[test]
    fn grey_becomes_colour_and_colour_stays() {
        let grey = Array3::from_shape_vec((1, 2, 1), vec![7_u8, 9]).unwrap();
        let pair = Array3::from_shape_vec((1, 1, 2), vec![7_u8, 9]).unwrap();
        let colour = picture(grey.view()).with_colour();
        assert_eq!((colour.bytes(), colour.channels()), (&[7, 7, 7, 9, 9, 9][..], 3));
        assert_eq!(picture(pair.view()).with_colour(), picture(pair.view()));
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        let nothing = Array4::<u8>::zeros((1, 1, 0, 3)).insert_axis(Axis(4));
        assert_eq!(Pixels::tiled(nothing.view(), ONE), Err(PixelError::Empty));
        let two = Array5::<u8>::zeros((2, 1, 1, 1, 1));
        assert_eq!(Pixels::tiled(two.view(), ONE), Err(PixelError::TooLarge));
        let none = Grid { rows: 0, columns: 2 };
        assert_eq!(Pixels::tiled(two.view(), none), Err(PixelError::Empty));
        let pixel = [0_u8];
        let endless = ArrayView5::from_shape((1, 1, 1, 1, 1), &pixel).unwrap();
        let endless = endless.broadcast((1 << 20, 1 << 10, 1 << 10, 1 << 10, 1)).unwrap();
        let wide = Grid { rows: 1 << 10, columns: 1 << 10 };
        assert_eq!(Pixels::tiled(endless, wide), Err(PixelError::TooLarge));
    }
}
