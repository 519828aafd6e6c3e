//! The protobuf wire format: varints and fields over borrowed bytes.
#![cfg_attr(
    not(test),
    warn(clippy::indexing_slicing, clippy::cast_possible_truncation, clippy::unreachable)
)]

use thiserror::Error;

/// The bytes are not a protobuf message. The message they should have been is lost, no more.
#[derive(Debug, Error, Clone, Copy, PartialEq, Eq)]
pub enum WireError {
    /// A field claims more bytes than are left.
    #[error("a field extends beyond the end of its message")]
    Overrun,
    /// A varint of more than ten bytes.
    #[error("a varint is too long")]
    LongVarint,
    /// Groups and reserved wire types, which no event file uses.
    #[error("wire type {0} is not used in event files")]
    WireType(u8),
}

/// What a field holds, before its type is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Field<'a> {
    /// Integers, enums and booleans.
    Varint(u64),
    /// Eight bytes: doubles and fixed integers.
    Fixed64(u64),
    /// Strings, bytes, messages and packed lists.
    Bytes(&'a [u8]),
    /// Four bytes: floats and fixed integers.
    Fixed32(u32),
}

impl<'a> Field<'a> {
    /// The bytes of a length-delimited field, nothing for any other.
    pub fn bytes(self) -> Option<&'a [u8]> {
        match self {
            Field::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The integer of a varint field, nothing for any other.
    pub fn varint(self) -> Option<u64> {
        match self {
            Field::Varint(value) => Some(value),
            _ => None,
        }
    }

    /// The double of an eight-byte field, nothing for any other.
    pub fn double(self) -> Option<f64> {
        match self {
            Field::Fixed64(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }
}

/// The fields of one message in the order of the message. Ends after the first error.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// The fields in `message`.
    pub fn new(message: &'a [u8]) -> Self {
        Self { rest: message }
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    #[inline(always)]
    fn read(&mut self) -> Result<(u64, Field<'a>), WireError> {
        let key = varint(&mut self.rest)?;
        let number = key >> 3;
        let field = match (key & 7) as u8 {
            0 => Field::Varint(varint(&mut self.rest)?),
            1 => Field::Fixed64(u64::from_le_bytes(take_array(&mut self.rest)?)),
            2 => {
                let len = varint(&mut self.rest)?;
                Field::Bytes(take(&mut self.rest, len)?)
            }
            5 => Field::Fixed32(u32::from_le_bytes(take_array(&mut self.rest)?)),
            other => return Err(WireError::WireType(other)),
        };
        Ok((number, field))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Field<'a>), WireError>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.read();
        if field.is_err() {
            self.rest = &[];
        }
        Some(field)
    }
}

/// Reads one varint off the front of `bytes`.
#[inline(always)]
pub fn varint(bytes: &mut &[u8]) -> Result<u64, WireError> {
    // Keys, lengths and small numbers, which is nearly all of them, are one byte.
    match **bytes {
        [byte, ref rest @ ..] if byte < 0x80 => {
            *bytes = rest;
            Ok(u64::from(byte))
        }
        _ => long_varint(bytes),
    }
}

#[inline]
fn long_varint(bytes: &mut &[u8]) -> Result<u64, WireError> {
    // Steps and times in seconds; a fixed number of bytes is no loop for the compiler.
    if let Some(front) = bytes.first_chunk::<5>() {
        let mut value = 0u64;
        for (index, &byte) in front.iter().enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * index);
            if byte < 0x80 {
                *bytes = bytes.get(index + 1..).unwrap_or_default();
                return Ok(value);
            }
        }
    }
    longest_varint(bytes)
}

/// One of more than five bytes, or one that ends with the message.
#[cold]
fn longest_varint(bytes: &mut &[u8]) -> Result<u64, WireError> {
    let mut value = 0u64;
    for (index, &byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            *bytes = bytes.get(index + 1..).unwrap_or_default();
            return Ok(value);
        }
    }
    Err(if bytes.len() < 10 { WireError::Overrun } else { WireError::LongVarint })
}

#[inline]
fn take<'a>(bytes: &mut &'a [u8], len: u64) -> Result<&'a [u8], WireError> {
    let len = usize::try_from(len).map_err(|_| WireError::Overrun)?;
    let (head, rest) = bytes.split_at_checked(len).ok_or(WireError::Overrun)?;
    *bytes = rest;
    Ok(head)
}

#[inline]
fn take_array<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], WireError> {
    let (head, rest) = bytes.split_first_chunk::<N>().ok_or(WireError::Overrun)?;
    *bytes = rest;
    Ok(*head)
}

/// A length-delimited field, for tests that write messages.
#[cfg(test)]
pub(crate) fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![number << 3 | 2];
    let mut len = bytes.len();
    while len > 0x7f {
        out.push(len as u8 | 0x80);
        len >>= 7;
    }
    out.push(len as u8);
    out.extend(bytes);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wire_type_is_read_in_order() {
        let message = [
            0x08, 0x96, 0x01, // 1: varint 150
            0x11, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f, // 2: double 1.5
            0x1a, 0x02, b'h', b'i', // 3: "hi"
            0x25, 0, 0, 0, 0x3f, // 4: float 0.5
        ];
        let fields: Vec<_> = Fields::new(&message).map(Result::unwrap).collect();
        assert_eq!(
            fields,
            [
                (1, Field::Varint(150)),
                (2, Field::Fixed64(1.5f64.to_bits())),
                (3, Field::Bytes(b"hi")),
                (4, Field::Fixed32(0.5f32.to_bits())),
            ]
        );
    }

    #[test]
    fn a_message_cut_at_any_byte_ends_in_an_error_or_early() {
        let message = [0x0a, 0x03, b'a', b'b', b'c', 0x10, 0x05];
        for cut in 0..message.len() {
            let count = Fields::new(&message[..cut]).filter(Result::is_ok).count();
            assert!(count <= 1, "cut at {cut}");
        }
    }

    #[test]
    fn negative_integers_take_ten_bytes() {
        let mut bytes: &[u8] = &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(varint(&mut bytes), Ok(u64::MAX));
        let mut bytes: &[u8] = &[0xff; 11];
        assert_eq!(varint(&mut bytes), Err(WireError::LongVarint));
    }

    #[test]
    fn varints_of_every_length_are_read_wherever_they_end() {
        for bits in 0..=64 {
            for value in [u64::MAX.checked_shr(64 - bits).unwrap_or(0), 1 << bits.min(63)] {
                let mut written = Vec::new();
                let mut left = value;
                while left > 0x7f {
                    written.push(left as u8 | 0x80);
                    left >>= 7;
                }
                written.push(left as u8);
                for behind in [&b""[..], b"\x00", b"\xff", b"\x80\x01\x7f\xff\x00\xff\xff\x01\x80"]
                {
                    let message = [&written, behind].concat();
                    let mut bytes = &message[..];
                    assert_eq!(varint(&mut bytes), Ok(value), "{message:?}");
                    assert_eq!(bytes, behind);
                }
                for cut in 0..written.len() {
                    assert_eq!(varint(&mut &written[..cut]), Err(WireError::Overrun));
                }
            }
        }
    }

    #[test]
    fn a_field_number_above_32_bits_is_not_mistaken_for_a_small_one() {
        // Key 2^35 + 8: the field number is 2^32 + 1.
        let message = [0x88, 0x80, 0x80, 0x80, 0x80, 0x01, 0x05];
        let field = Fields::new(&message).next();
        assert_eq!(field, Some(Ok(((1 << 32) + 1, Field::Varint(5)))));
    }

    #[test]
    fn groups_are_refused() {
        assert_eq!(Fields::new(&[0x0b]).next(), Some(Err(WireError::WireType(3))));
    }
}
