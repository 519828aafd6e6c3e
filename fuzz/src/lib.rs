//! What the targets share: bytes in memory, and checksums mended so that mutations get past them.

use std::io;

use kymograph_core::crc;
use kymograph_core::storage::Source;

/// A file in memory.
pub struct Bytes<'a>(pub &'a [u8]);

impl Source for Bytes<'_> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.0.get(offset as usize..).unwrap_or(&[]);
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

/// A little randomness that depends on nothing but its seed.
pub struct Dice(pub u64);

impl Dice {
    /// A number in `0..below`.
    pub fn roll(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }
}

/// Frames chunks of `data` as records, most of them intact. The first byte of each chunk says how
/// long it is and what is wrong with it: a plain mutation would never pass the checksums.
pub fn framed(mut data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some((&control, rest)) = data.split_first() {
        let len = match control & 7 {
            0 => rest.len(),
            // Above the size at which payloads are not read in passing.
            1 => rest.len().min(9_000),
            n => (n as usize * 24).min(rest.len()),
        };
        let (payload, rest) = rest.split_at(len);
        data = rest;
        let length = match control >> 3 & 7 {
            7 => (u64::from(control) << 56 | payload.len() as u64).to_le_bytes(),
            6 => (payload.len() as u64 + 16).to_le_bytes(),
            5 => (1u64 << 30).to_le_bytes(),
            _ => (payload.len() as u64).to_le_bytes(),
        };
        out.extend(length);
        out.extend(
            crc::masked(&length)
                .wrapping_add(u32::from(control >> 3 == 4))
                .to_le_bytes(),
        );
        out.extend(payload);
        if control >> 6 != 3 {
            out.extend(crc::masked(payload).to_le_bytes());
        }
    }
    out
}
