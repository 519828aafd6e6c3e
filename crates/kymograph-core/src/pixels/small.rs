//! Small pictures into PNG files, filtered and compressed as Pillow does it: for these, good
//! compression costs next to nothing.

use zlib_rs::{DeflateConfig, ReturnCode, Strategy, compress_bound, compress_slice, crc32::crc32};

/// Pictures with no more bytes of pixels than this are small.
pub const MAX_BYTES: usize = 1 << 16;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const BIT_DEPTH: u8 = 8;

/// The file of `pixels`, row after row; nothing if they are not small, or do not fit the shape.
pub fn png(pixels: &[u8], width: u32, height: u32, channels: usize) -> Option<Vec<u8>> {
    let row_bytes = width as usize * channels;
    if pixels.len() > MAX_BYTES || row_bytes == 0 || pixels.len() != row_bytes * height as usize {
        return None;
    }
    let colour_type = *[0, 4, 2, 6].get(channels - 1)?;
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend_from_slice(&[BIT_DEPTH, colour_type, 0, 0, 0]);
    let mut file = SIGNATURE.to_vec();
    put_chunk(&mut file, b"IHDR", &header);
    put_chunk(&mut file, b"IDAT", &compressed(&filtered(pixels, row_bytes, channels))?);
    put_chunk(&mut file, b"IEND", &[]);
    Some(file)
}

fn compressed(bytes: &[u8]) -> Option<Vec<u8>> {
    let strategy = Strategy::Filtered;
    let config = DeflateConfig { level: 6, mem_level: 9, strategy, ..Default::default() };
    let mut out = vec![0; compress_bound(bytes.len())];
    let (written, code) = compress_slice(&mut out, bytes, config);
    let len = written.len();
    out.truncate(len);
    (code == ReturnCode::Ok).then_some(out)
}

/// Each row behind the number of its filter: the one with the lowest sum of absolute differences, and
/// of equal ones the first that Pillow tries.
fn filtered(pixels: &[u8], row_bytes: usize, channels: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(pixels.len() + pixels.len() / row_bytes);
    let mut above = vec![0; row_bytes];
    for row in pixels.chunks_exact(row_bytes) {
        let best = [0, 2, 1, 3, 4]
            .map(|filter| (filter, filtered_row(filter, row, &above, channels)))
            .into_iter()
            .min_by_key(|(_, bytes)| bytes.iter().map(|&byte| distance(byte)).sum::<u32>());
        if let Some((filter, bytes)) = best {
            out.push(filter);
            out.extend_from_slice(&bytes);
        }
        above.copy_from_slice(row);
    }
    out
}

/// How far a difference is from none, either way.
fn distance(difference: u8) -> u32 {
    u32::from(difference.min(difference.wrapping_neg()))
}

fn filtered_row(filter: u8, row: &[u8], above: &[u8], channels: usize) -> Vec<u8> {
    let left_of = |bytes: &[u8], at: usize| at.checked_sub(channels).map_or(0, |at| bytes[at]);
    (0..row.len())
        .map(|at| {
            let (left, up, corner) = (left_of(row, at), above[at], left_of(above, at));
            let guess = match filter {
                1 => left,
                2 => up,
                3 => left.midpoint(up),
                4 => paeth(left, up, corner),
                _ => 0,
            };
            row[at].wrapping_sub(guess)
        })
        .collect()
}

/// Whichever neighbour is nearest to `left + up - corner`.
fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(up) - i16::from(corner);
    let off = |neighbour: u8| (guess - i16::from(neighbour)).abs();
    if off(left) <= off(up) && off(left) <= off(corner) {
        left
    } else if off(up) <= off(corner) {
        up
    } else {
        corner
    }
}

fn put_chunk(file: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) {
    file.extend_from_slice(&(content.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend_from_slice(name);
    file.extend_from_slice(content);
    let sum = crc32(0, &file[start..]);
    file.extend_from_slice(&sum.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(file: &[u8]) -> Vec<u8> {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        pixels
    }

    #[test]
    fn the_file_holds_the_pixels() {
        let mut bits = 1_u32;
        for channels in 1..=4 {
            for (width, height) in [(1, 1), (1, 9), (9, 1), (13, 9), (64, 64)] {
                let len = (width * height) as usize * channels;
                for smooth in [true, false] {
                    let pixels: Vec<u8> = (0..len)
                        .map(|at| {
                            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                            if smooth { (at / 7) as u8 } else { (bits >> 24) as u8 }
                        })
                        .collect();
                    let file = png(&pixels, width, height, channels).unwrap();
                    assert_eq!(decoded(&file), pixels);
                }
            }
        }
    }

    #[test]
    fn what_is_large_or_has_another_shape_is_left_to_others() {
        assert_eq!(png(&vec![0; MAX_BYTES + 1], 1, MAX_BYTES as u32 + 1, 1), None);
        assert_eq!(png(&[0; 4], 3, 1, 1), None);
        assert_eq!(png(&[], 0, 0, 3), None);
        assert_eq!(png(&[0; 5], 1, 1, 5), None);
    }
}
