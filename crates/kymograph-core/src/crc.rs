//! Masked CRC-32C, the checksum of the record format.

/// The checksum as stored in a file: rotated and shifted, so that data which itself holds
/// checksums does not check by accident.
#[inline]
pub fn masked(bytes: &[u8]) -> u32 {
    mask(crc32c(bytes))
}

/// The checksum of a length as stored in a file. Records are short and so are the lengths to
/// check, one for each: a table saves the sum.
#[inline]
pub fn masked_len(len: u64) -> u32 {
    match SHORT_LENS.get(len as usize) {
        Some(crc) => *crc,
        None => masked(&len.to_le_bytes()),
    }
}

static SHORT_LENS: [u32; 1024] = {
    let mut crcs = [0; 1024];
    let mut len = 0;
    while len < crcs.len() {
        crcs[len] = mask(bitwise((len as u64).to_le_bytes()));
        len += 1;
    }
    crcs
};

/// CRC-32C bit by bit, which the compiler can do.
const fn bitwise(bytes: [u8; 8]) -> u32 {
    let mut crc = u32::MAX;
    let mut index = 0;
    while index < bytes.len() {
        crc ^= bytes[index] as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ if crc & 1 == 1 { 0x82F6_3B78 } else { 0 };
            bit += 1;
        }
        index += 1;
    }
    !crc
}

#[inline]
const fn mask(crc: u32) -> u32 {
    crc.rotate_right(15).wrapping_add(0xA282_EAD8)
}

/// Long inputs are for the library, which runs three streams side by side; for the few dozen
/// bytes of a scalar its set-up costs more than the sum.
#[inline]
fn crc32c(bytes: &[u8]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if bytes.len() < short::LIMIT_BYTES && std::arch::is_x86_feature_detected!("sse4.2") {
        // SAFETY: the processor has just been asked whether it has the instructions.
        #[allow(unsafe_code)]
        return unsafe { short::crc32c(bytes) };
    }
    crc32c::crc32c(bytes)
}

#[cfg(target_arch = "x86_64")]
mod short {
    use std::arch::x86_64::{_mm_crc32_u8, _mm_crc32_u16, _mm_crc32_u32, _mm_crc32_u64};

    pub const LIMIT_BYTES: usize = 512;

    #[target_feature(enable = "sse4.2")]
    pub fn crc32c(bytes: &[u8]) -> u32 {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut crc = u64::from(u32::MAX);
        for word in words {
            crc = _mm_crc32_u64(crc, u64::from_le_bytes(*word));
        }
        let mut crc = crc as u32;
        let mut rest = rest;
        if let Some((word, behind)) = rest.split_first_chunk() {
            crc = _mm_crc32_u32(crc, u32::from_le_bytes(*word));
            rest = behind;
        }
        if let Some((word, behind)) = rest.split_first_chunk() {
            crc = _mm_crc32_u16(crc, u16::from_le_bytes(*word));
            rest = behind;
        }
        if let Some(&byte) = rest.first() {
            crc = _mm_crc32_u8(crc, byte);
        }
        !crc
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_vectors_check() {
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
        assert_eq!(masked(b"123456789"), 0xC78A_B0E5);
        assert_eq!(masked(b""), 0xA282_EAD8);
        assert_eq!(masked(&24u64.to_le_bytes()), 0x224B_7FA3);
        assert_eq!(masked(b"\x1a\x11CRC test, one two"), 0x5794_D08A);
    }

    #[test]
    fn lengths_have_the_checksum_of_their_bytes() {
        for len in (0..3000).chain([1 << 20, u64::from(u32::MAX), u64::MAX]) {
            assert_eq!(masked_len(len), masked(&len.to_le_bytes()), "{len}");
        }
    }

    #[test]
    fn short_and_long_inputs_agree_with_the_library() {
        let bytes: Vec<u8> = (0..2000u32).map(|i| (i * 31 % 251) as u8).collect();
        for len in 0..bytes.len() {
            assert_eq!(crc32c(&bytes[..len]), crc32c::crc32c(&bytes[..len]), "{len} bytes");
        }
    }
}
