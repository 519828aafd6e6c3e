//! Where a blob is stored, and how it is fetched on request.

use std::io;
use std::sync::Arc;

use thiserror::Error;

use crate::record::{self, FOOTER_BYTES, HEADER_BYTES};
use crate::storage::Source;
use crate::types::{Step, WallTime};

/// A file known to a store. Numbers are never used twice, so an address into a file that was
/// replaced cannot be read from its successor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileNumber(pub u32);

/// One logged value that stays on disk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlobPoint {
    /// The step.
    pub step: Step,
    /// When it was logged; always finite.
    pub wall_time: WallTime,
    /// Where it is stored.
    pub address: Address,
}

/// Blobs in order. Copies share all but the last few, so that publishing ten thousands of them for
/// one that is new takes no time.
#[derive(Debug, Clone, Default)]
pub struct Blobs {
    /// Each of [`CHUNK_BLOBS`].
    chunks: Vec<Arc<[BlobPoint]>>,
    /// Fewer than that.
    tail: Vec<BlobPoint>,
}

const CHUNK_BLOBS: usize = 256;

impl Blobs {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.chunks.len() * CHUNK_BLOBS + self.tail.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The blob at `index`.
    pub fn get(&self, index: usize) -> Option<&BlobPoint> {
        self.chunk(index / CHUNK_BLOBS).get(index % CHUNK_BLOBS)
    }

    /// The chunk of this number; the tail behind the last.
    fn chunk(&self, number: usize) -> &[BlobPoint] {
        let tail = if number == self.chunks.len() { &self.tail[..] } else { &[] };
        self.chunks.get(number).map_or(tail, |chunk| chunk)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &BlobPoint> + Clone {
        self.iter_from(0)
    }

    /// Those from `start` on.
    pub fn iter_from(&self, start: usize) -> impl Iterator<Item = &BlobPoint> + Clone {
        let first = start / CHUNK_BLOBS;
        let chunks = (first..=self.chunks.len()).flat_map(|number| self.chunk(number));
        chunks.skip(start - first * CHUNK_BLOBS)
    }

    /// The first `len` of them.
    pub fn first(&self, len: usize) -> Blobs {
        let full = (len / CHUNK_BLOBS).min(self.chunks.len());
        let rest = self.chunk(full).iter().take(len - full * CHUNK_BLOBS);
        Blobs { chunks: self.chunks[..full].to_vec(), tail: rest.copied().collect() }
    }

    /// How many are at the front for which `is_before` holds, if none behind them has it.
    pub fn partition_point(&self, is_before: impl Fn(&BlobPoint) -> bool) -> usize {
        let last_is = |chunk: &Arc<[BlobPoint]>| chunk.last().is_some_and(&is_before);
        let full = self.chunks.partition_point(last_is);
        full * CHUNK_BLOBS + self.chunk(full).partition_point(is_before)
    }

    /// Adds one at the end.
    pub fn push(&mut self, blob: BlobPoint) {
        self.tail.push(blob);
        if self.tail.len() == CHUNK_BLOBS {
            self.chunks.push(self.tail.as_slice().into());
            self.tail.clear();
        }
    }

    /// Removes the last one if `is_so`; returns whether it was removed.
    pub fn pop_if(&mut self, is_so: impl FnOnce(&BlobPoint) -> bool) -> bool {
        if self.tail.is_empty()
            && let Some(chunk) = self.chunks.pop()
        {
            self.tail = chunk.to_vec();
        }
        let popped = self.tail.pop_if(|blob| is_so(blob)).is_some();
        if self.tail.len() == CHUNK_BLOBS {
            self.chunks.push(std::mem::take(&mut self.tail).into());
        }
        popped
    }

    /// Gives back memory that only growing needs.
    pub fn shrink(&mut self) {
        self.chunks.shrink_to_fit();
        self.tail.shrink_to_fit();
    }
}

impl Extend<BlobPoint> for Blobs {
    fn extend<I: IntoIterator<Item = BlobPoint>>(&mut self, blobs: I) {
        blobs.into_iter().for_each(|blob| self.push(blob));
    }
}

/// A value inside the payload of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Address {
    /// The file.
    pub file: FileNumber,
    /// Where the record's header begins.
    pub record_offset: u64,
    /// Length of the record's payload.
    pub payload_len: u32,
    /// Where the value begins in the payload.
    pub value_offset: u32,
    /// Length of the value.
    pub value_len: u32,
}

impl Address {
    /// Where its record ends; nothing when no file is that long.
    pub fn record_end(&self) -> Option<u64> {
        let framed = HEADER_BYTES + u64::from(self.payload_len) + FOOTER_BYTES;
        self.record_offset.checked_add(framed)
    }
}

/// Why a blob cannot be read. Only this blob is affected, perhaps only for a moment.
#[derive(Debug, Error)]
pub enum BlobError {
    /// The file cannot be read now.
    #[error("cannot read the file: {0}")]
    Io(#[from] io::Error),
    /// What is stored there is not, or no longer, the record that was seen at load.
    #[error("the record at byte {0} is damaged or was overwritten")]
    Damaged(u64),
    /// The file is gone or was replaced.
    #[error("its file no longer exists")]
    Gone,
}

/// Reads the value at `address`. Its record is read whole and checked first. An address from
/// outside may claim any length, so memory is asked for only when the record confirms it.
pub fn read(source: &dyn Source, address: &Address) -> Result<Vec<u8>, BlobError> {
    const FIRST_BYTES: usize = 16 << 10;
    let damaged = || BlobError::Damaged(address.record_offset);
    let payload_len = u64::from(address.payload_len);
    let total = HEADER_BYTES + payload_len + FOOTER_BYTES;
    let total = usize::try_from(total).map_err(|_| damaged())?;
    let mut bytes = vec![0; total.min(FIRST_BYTES)];
    let mut came = source.read_at(address.record_offset, &mut bytes)?;
    let header = bytes.get(..came).and_then(<[u8]>::first_chunk).ok_or_else(damaged)?;
    if record::payload_len(header) != Some(payload_len) || came < bytes.len() {
        return Err(damaged());
    }
    bytes.resize(total, 0);
    came += source.read_at(address.record_offset + came as u64, &mut bytes[came..])?;
    if came < total || !record::checks(&bytes[HEADER_BYTES as usize..]) {
        return Err(damaged());
    }
    let start = HEADER_BYTES as usize + address.value_offset as usize;
    let end = start + address.value_len as usize;
    if end > bytes.len() - FOOTER_BYTES as usize {
        return Err(damaged());
    }
    bytes.truncate(end);
    bytes.drain(..start);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: Address = Address {
        file: FileNumber(1),
        record_offset: 17,
        payload_len: 11,
        value_offset: 6,
        value_len: 5,
    };

    fn file() -> Vec<u8> {
        let mut bytes = Vec::new();
        record::frame(b"x", &mut bytes);
        record::frame(b"hello world", &mut bytes);
        bytes
    }

    #[test]
    fn blobs_are_a_list_whatever_their_number() {
        let blob = |step| BlobPoint { step, wall_time: 0.0, address: ADDRESS };
        let (mut blobs, mut list) = (Blobs::default(), Vec::new());
        for step in 0..3 * CHUNK_BLOBS as i64 + 5 {
            blobs.push(blob(step));
            list.push(blob(step));
            assert_eq!((blobs.len(), blobs.is_empty()), (list.len(), false));
            let last = list.len() - 1;
            assert_eq!((blobs.get(last), blobs.get(last + 1)), (list.last(), None));
        }
        for at in [0, 1, 255, 256, 257, 512, 770, list.len(), list.len() + 1000] {
            let rest = list.get(at..).unwrap_or(&[]);
            assert!(blobs.iter_from(at).eq(rest), "from {at}");
            assert!(blobs.first(at).iter().eq(list.iter().take(at)), "first {at}");
            assert_eq!(blobs.first(at).len(), at.min(list.len()));
            let before = blobs.partition_point(|blob| blob.step < at as i64);
            assert_eq!(before, at.min(list.len()));
        }
        while let Some(last) = list.pop() {
            assert!(!blobs.pop_if(|_| false));
            assert!(blobs.pop_if(|blob| *blob == last));
            assert!(blobs.iter().eq(&list));
        }
        assert!(!blobs.pop_if(|_| true));
    }

    #[test]
    fn a_value_is_read_out_of_its_record() {
        assert_eq!(read(&file(), &ADDRESS).unwrap(), b"world");
    }

    #[test]
    fn damage_anywhere_in_the_record_is_noticed() {
        for at in 17..file().len() {
            let mut bytes = file();
            bytes[at] ^= 1;
            let result = read(&bytes, &ADDRESS);
            assert!(matches!(result, Err(BlobError::Damaged(17))), "byte {at}");
        }
    }

    #[test]
    fn a_record_that_is_not_all_there_is_damaged() {
        for len in 0..file().len() {
            let result = read(&&file()[..len], &ADDRESS);
            assert!(matches!(result, Err(BlobError::Damaged(17))), "{len} bytes");
        }
    }

    #[test]
    fn an_address_that_points_out_of_its_record_reads_nothing() {
        let wrong = [
            Address { value_len: 6, ..ADDRESS },
            Address { value_offset: u32::MAX, value_len: u32::MAX, ..ADDRESS },
            Address { payload_len: 10, ..ADDRESS },
            Address { record_offset: 16, ..ADDRESS },
        ];
        for address in wrong {
            let result = read(&file(), &address);
            assert!(matches!(result, Err(BlobError::Damaged(_))), "{address:?}");
        }
    }
}
