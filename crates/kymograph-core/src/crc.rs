//! Masked CRC-32C, the checksum of the record format.

/// The checksum as it stands in a file: rotated and shifted, so that data which itself holds
/// checksums does not check by accident.
#[inline]
pub fn masked(bytes: &[u8]) -> u32 {
    mask(crc32c::crc32c(bytes))
}

#[inline]
fn mask(crc: u32) -> u32 {
    crc.rotate_right(15).wrapping_add(0xA282_EAD8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_vectors_check() {
        assert_eq!(crc32c::crc32c(b"123456789"), 0xE306_9283);
        assert_eq!(masked(b"123456789"), 0xC78A_B0E5);
        assert_eq!(masked(b""), 0xA282_EAD8);
        assert_eq!(masked(&24u64.to_le_bytes()), 0x224B_7FA3);
        assert_eq!(masked(b"\x1a\x11CRC test, one two"), 0x5794_D08A);
    }
}
