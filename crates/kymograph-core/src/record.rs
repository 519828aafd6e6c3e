//! Record framing: a reader that can stop after any byte, resume later, and find its way back
//! after damage.
//!
//! ```text
//!   0        8          12                12+N        16+N
//!   ┌────────┬──────────┬─────────────────┬───────────┐
//!   │ N: u64 │ crc of N │ payload, N bytes│ its crc   │   all little-endian, crcs masked
//!   └────────┴──────────┴─────────────────┴───────────┘
//! ```
//!
//! A valid header is trusted. An invalid payload loses that record; an invalid header loses the
//! bytes up to the next valid one. An incomplete record is the normal end of a growing file.
#![cfg_attr(
    not(test),
    warn(clippy::indexing_slicing, clippy::cast_possible_truncation, clippy::unreachable)
)]

use std::io;

use crate::crc;
use crate::storage::Source;

/// Bytes before a payload, as a distance in a file.
pub const HEADER_BYTES: u64 = HEADER_LEN as u64;
/// Bytes after a payload, as a distance in a file.
pub const FOOTER_BYTES: u64 = FOOTER_LEN as u64;
/// Bytes before a payload, as the length of a slice.
const HEADER_LEN: usize = 12;
/// Bytes after a payload, as the length of a slice.
const FOOTER_LEN: usize = 4;
/// Longest payload that any writer can produce: the limit of a protobuf message.
pub const MAX_PAYLOAD_BYTES: u64 = 1 << 31;
/// Payloads above this size are handed out unread, because media is not copied at load.
pub const LARGE_PAYLOAD_BYTES: u64 = 8 << 10;

/// Payloads with a wrong checksum may add up to this many times the file, plus this much, before
/// they are no longer searched.
const FAILED_SHARE: u64 = 4;
const FAILED_BYTES: u64 = 1 << 20;

const SMALL_READ_BYTES: usize = 4 << 10;
const LARGE_READ_BYTES: usize = 256 << 10;

/// A stretch of a file in memory, moved along as reading proceeds.
///
/// Reads are small after a jump and double while reading is sequential, so that skipping over
/// images touches few pages and scalars stream through the cache.
pub struct Window<'s> {
    source: &'s dyn Source,
    limit: u64,
    start: u64,
    buffer: Vec<u8>,
    filled: usize,
    read_bytes: usize,
}

impl<'s> Window<'s> {
    /// A window on the first `limit` bytes of `source`; what is beyond is ignored.
    pub fn new(source: &'s dyn Source, limit: u64) -> Self {
        Self { source, limit, start: 0, buffer: Vec::new(), filled: 0, read_bytes: 64 << 10 }
    }

    /// Where the readable bytes end.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The bytes from `offset` on: at least `need` of them, unless the file ends before.
    #[inline]
    pub fn fetch(&mut self, offset: u64, need: usize) -> io::Result<&[u8]> {
        if offset < self.start || offset + need as u64 > self.start + self.filled as u64 {
            self.refill(offset, need)?;
        }
        Ok(self.in_memory(offset))
    }

    /// The `len` bytes from `offset` on, fewer where the file ends before.
    pub fn fetch_at_most(&mut self, offset: u64, len: u64) -> io::Result<&[u8]> {
        let len = usize::try_from(len).map_err(io::Error::other)?;
        let bytes = self.fetch(offset, len)?;
        Ok(bytes.get(..len).unwrap_or(bytes))
    }

    /// What is in memory from `offset` on.
    #[inline]
    fn in_memory(&self, offset: u64) -> &[u8] {
        let at = usize::try_from(offset.wrapping_sub(self.start)).unwrap_or(usize::MAX);
        self.buffer.get(at..self.filled).unwrap_or(&[])
    }

    #[cold]
    fn refill(&mut self, offset: u64, need: usize) -> io::Result<()> {
        let at = offset.checked_sub(self.start).and_then(|at| usize::try_from(at).ok());
        if let Some(at) = at.filter(|&at| at <= self.filled) {
            self.buffer.copy_within(at..self.filled, 0);
            self.filled -= at;
            self.read_bytes = (self.read_bytes * 2).min(LARGE_READ_BYTES);
        } else {
            self.filled = 0;
            self.read_bytes = SMALL_READ_BYTES;
        }
        self.start = offset;
        let left = self.limit.saturating_sub(offset + self.filled as u64);
        let wanted = need.saturating_sub(self.filled).max(self.read_bytes);
        let wanted = usize::try_from(left).map_or(wanted, |left| left.min(wanted));
        let target = self.filled + wanted;
        if self.buffer.len() < target {
            self.buffer.resize(target, 0);
        }
        let free = self.buffer.get_mut(self.filled..target).unwrap_or_default();
        let came = self.source.read_at(offset + self.filled as u64, free)?;
        if came < wanted {
            // The file shrank since its length was asked.
            self.limit = offset + (self.filled + came) as u64;
        }
        self.filled += came;
        Ok(())
    }
}

/// What is at the reader's position.
#[derive(Debug, PartialEq, Eq)]
pub enum Item<'w> {
    /// A record whose payload checks.
    Record {
        /// Where its header begins.
        offset: u64,
        /// The event.
        payload: &'w [u8],
    },
    /// A record too large to read in passing: its header checks, its payload was not looked at.
    Large {
        /// Where its header begins.
        offset: u64,
        /// Length of the payload.
        len: u64,
    },
    /// The large record handed out last, at this offset, is torn; whatever was noted of it must
    /// be forgotten.
    Torn {
        /// Where its header begins.
        offset: u64,
    },
    /// The next record is not all there yet.
    End,
}

/// What a reader has counted so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Damage {
    /// Intact records.
    pub records: u64,
    /// Records lost because their payload does not check or is no event.
    pub bad_records: u64,
    /// Places where the framing broke and the next header had to be searched for.
    pub bad_headers: u64,
    /// Bytes that belong to no intact record.
    pub skipped_bytes: u64,
}

impl Damage {
    /// Adds what another reader counted.
    pub fn add(&mut self, other: &Damage) {
        self.records = self.records.wrapping_add(other.records);
        self.bad_records += other.bad_records;
        self.bad_headers += other.bad_headers;
        self.skipped_bytes += other.skipped_bytes;
    }

    /// What was counted after `before` was taken.
    pub fn since(&self, before: &Damage) -> Damage {
        Damage {
            records: self.records.wrapping_sub(before.records),
            bad_records: self.bad_records - before.bad_records,
            bad_headers: self.bad_headers - before.bad_headers,
            skipped_bytes: self.skipped_bytes - before.skipped_bytes,
        }
    }

    /// Whether anything was lost.
    pub fn any(&self) -> bool {
        self.bad_records + self.bad_headers + self.skipped_bytes > 0
    }
}

/// A position in a file of records. Holds no bytes, so it can be kept, cloned and resumed.
#[derive(Debug, Clone, Default)]
pub struct RecordReader {
    position: u64,
    damage: Damage,
    /// The large record just before the position whose payload has not been checked.
    unchecked: Option<(u64, u64)>,
    lost: Option<Lost>,
    /// Bytes of payloads that did not check.
    failed_bytes: u64,
}

/// The search for the next header that checks.
#[derive(Debug, Clone, Copy)]
struct Lost {
    from: u64,
    searched_to: u64,
    in_payload: bool,
    /// Whether it begins with a large record that was handed out and must be taken back.
    untold: bool,
    /// Where it ends if nothing is found, once it is certain that nothing will come.
    end: Option<u64>,
}

impl Lost {
    fn from(from: u64, in_payload: bool) -> Self {
        Self { from, searched_to: from + 1, in_payload, untold: false, end: None }
    }
}

impl RecordReader {
    /// A reader that expects a header at `position`.
    pub fn at(position: u64) -> Self {
        Self { position, ..Self::default() }
    }

    /// Where the next record begins, or where damage begins that has no end yet.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Whether the bytes at the position are no header, and none was found behind it.
    pub fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// The counts so far. Damage counts once an intact record was found behind it.
    pub fn damage(&self) -> Damage {
        self.damage
    }

    /// Counts the record handed out last as lost: its bytes check, but are no event.
    pub fn reject(&mut self, payload_len: u64) {
        self.damage.records -= 1;
        self.damage.bad_records += 1;
        self.damage.skipped_bytes += HEADER_BYTES + payload_len + FOOTER_BYTES;
    }

    /// The next item. After [`Item::End`] the same call continues where the file has grown.
    #[inline]
    pub fn next<'w>(&mut self, window: &'w mut Window<'_>) -> io::Result<Item<'w>> {
        let offset = self.position;
        let len = match small_record(window.in_memory(offset)) {
            Some((payload, _)) if self.lost.is_none() => payload.len(),
            _ => return self.next_anywhere(window),
        };
        self.unchecked = None;
        self.position += HEADER_BYTES + len as u64 + FOOTER_BYTES;
        self.damage.records += 1;
        let payload = window.in_memory(offset + HEADER_BYTES);
        Ok(Item::Record { offset, payload: payload.get(..len).unwrap_or(&[]) })
    }

    /// Hands out the small intact records that are in memory, up to one that begins at `stop`, as
    /// long as `take` takes them. What [`RecordReader::next`] would do, without looking up from
    /// each.
    #[inline]
    pub fn next_in_memory(
        &mut self,
        window: &Window<'_>,
        stop: u64,
        mut take: impl FnMut(&[u8]) -> bool,
    ) {
        if self.lost.is_some() {
            return;
        }
        let mut rest = window.in_memory(self.position);
        let (all, mut count) = (rest.len(), 0);
        // So much is left where a record must not begin any more.
        let end = usize::try_from(stop.saturating_sub(self.position))
            .map_or(0, |until_stop| all.saturating_sub(until_stop));
        while rest.len() > end
            && let Some((payload, behind)) = small_record(rest)
            && take(payload)
        {
            rest = behind;
            count += 1;
        }
        if count > 0 {
            self.unchecked = None;
            self.position += (all - rest.len()) as u64;
            self.damage.records += count;
        }
    }

    fn next_anywhere<'w>(&mut self, window: &'w mut Window<'_>) -> io::Result<Item<'w>> {
        loop {
            if let Some(lost) = &mut self.lost {
                if std::mem::take(&mut lost.untold) {
                    self.damage.records -= 1;
                    return Ok(Item::Torn { offset: lost.from });
                }
                if !self.search(window)? {
                    return Ok(Item::End);
                }
            }
            let offset = self.position;
            let bytes = window.fetch(offset, HEADER_LEN)?;
            let Some(header) = bytes.first_chunk::<HEADER_LEN>() else {
                return Ok(Item::End);
            };
            let Some(len) = payload_len(header) else {
                self.lose_framing(window)?;
                continue;
            };
            let total = HEADER_BYTES + len + FOOTER_BYTES;
            if offset + total > window.limit() {
                return Ok(Item::End);
            }
            if len > LARGE_PAYLOAD_BYTES {
                self.unchecked = Some((offset, len));
                self.position += total;
                self.damage.records += 1;
                return Ok(Item::Large { offset, len });
            }
            let Some(bytes) = payload_and_crc(window, offset, len)? else {
                return Ok(Item::End);
            };
            if !checks(bytes) {
                self.lose_payload(window, offset, len)?;
                continue;
            }
            return self.next(window);
        }
    }

    /// Reads and checks the large record handed out last. `None` means that it is damaged; the
    /// damage is counted and the reader continues after it.
    pub fn read_large<'w>(&mut self, window: &'w mut Window<'_>) -> io::Result<Option<&'w [u8]>> {
        let Some((offset, len)) = self.unchecked.take() else {
            return Ok(None);
        };
        if !self.large_checks(window, offset, len)? {
            self.position = offset;
            self.damage.records -= 1;
            self.lose_payload(window, offset, len)?;
            return Ok(None);
        }
        let bytes = payload_and_crc(window, offset, len)?;
        Ok(bytes.and_then(<[u8]>::split_last_chunk::<FOOTER_LEN>).map(|(payload, _)| payload))
    }

    /// Looks for intact records inside a last record that never became whole, as it happens when
    /// a writer died and another continued in the same file. Only for files that stopped growing:
    /// while bytes still arrive, waiting is right. Returns whether reading can continue.
    pub fn search_tail(&mut self, window: &mut Window<'_>) -> io::Result<bool> {
        let (from, limit) = (self.position, window.limit());
        if let Some(lost) = &mut self.lost {
            // A bad record that ends with the file: no header can confirm it, so its length is trusted.
            lost.end = match header_at(window, lost.from)? {
                Some(len) if lost.in_payload => Some(lost.from + HEADER_BYTES + len + FOOTER_BYTES),
                _ => None,
            };
            return Ok(lost.end.is_some_and(|end| end <= limit));
        }
        if from >= limit {
            return Ok(false);
        }
        if from + HEADER_BYTES > limit {
            // Too short for a header that would show whether the large record before it is whole.
            let whole = match self.unchecked {
                Some((offset, len)) => self.large_checks(window, offset, len)?,
                None => true,
            };
            if !whole {
                self.lose_framing(window)?;
            }
            return Ok(!whole);
        }
        if self.find_record(window, from + 1, limit)?.is_none() {
            return Ok(false);
        }
        self.lost = Some(Lost::from(from, true));
        Ok(true)
    }

    /// A header does not check. If the large record before it turns out to be torn, the damage
    /// begins there.
    #[cold]
    fn lose_framing(&mut self, window: &mut Window<'_>) -> io::Result<()> {
        let mut from = self.position;
        let mut torn = false;
        if let Some((offset, len)) = self.unchecked.take()
            && !self.large_checks(window, offset, len)?
        {
            from = offset;
            torn = true;
        }
        self.position = from;
        self.lost = Some(Lost { untold: torn, ..Lost::from(from, torn) });
        Ok(())
    }

    fn large_checks(&self, window: &mut Window<'_>, offset: u64, len: u64) -> io::Result<bool> {
        Ok(payload_and_crc(window, offset, len)?.is_some_and(checks))
    }

    /// A payload does not check. If a header follows where one should and no record is inside,
    /// one record is lost; otherwise the length was right for a record that was never finished,
    /// and others may be inside what it claims.
    #[cold]
    fn lose_payload(&mut self, window: &mut Window<'_>, offset: u64, len: u64) -> io::Result<()> {
        let total = HEADER_BYTES + len + FOOTER_BYTES;
        let next = offset + total;
        self.failed_bytes += len;
        // A file made of nothing but headers would have each of its bytes checked again and
        // again; no accident does that.
        let hostile = self.failed_bytes > FAILED_SHARE * window.limit() + FAILED_BYTES;
        let header_follows = header_at(window, next)?.is_some();
        if hostile || (header_follows && self.find_record(window, offset + 1, next)?.is_none()) {
            self.damage.bad_records += 1;
            self.damage.skipped_bytes += total;
            self.position = next;
        } else {
            self.lost = Some(Lost::from(offset, true));
        }
        Ok(())
    }

    /// Continues the search; true when the position is at a valid header.
    #[cold]
    fn search(&mut self, window: &mut Window<'_>) -> io::Result<bool> {
        let Some(mut lost) = self.lost else {
            return Ok(true);
        };
        let limit = window.limit();
        // Some file systems show a grown file before its bytes: what looked like damage at the
        // tail may have become a record.
        let sound = match header_at(window, lost.from)? {
            Some(len) if lost.in_payload => {
                lost.from + HEADER_BYTES + len + FOOTER_BYTES <= limit
                    && self.large_checks(window, lost.from, len)?
            }
            header => header.is_some(),
        };
        if sound {
            self.lost = None;
            return Ok(true);
        }
        let found = find_header(window, lost.searched_to, limit)?;
        match found.or(lost.end.filter(|&end| end <= limit)) {
            Some(found) => {
                if lost.in_payload {
                    self.damage.bad_records += 1;
                } else {
                    self.damage.bad_headers += 1;
                }
                self.damage.skipped_bytes += found - lost.from;
                self.position = found;
                self.lost = None;
                Ok(true)
            }
            None => {
                // Zeros at the end may be bytes that are not there yet.
                let end = written_end(window, lost.searched_to)?;
                let searched = (end + 1).saturating_sub(HEADER_BYTES);
                lost.searched_to = lost.searched_to.max(searched);
                self.lost = Some(lost);
                Ok(false)
            }
        }
    }

    /// The first record in `from..to` whose header and payload both check.
    fn find_record(
        &self,
        window: &mut Window<'_>,
        mut from: u64,
        to: u64,
    ) -> io::Result<Option<u64>> {
        let mut allowed = FAILED_SHARE * (to - from.min(to)) + FAILED_BYTES;
        while let Some(found) = find_header(window, from, to)? {
            if let Some(len) = header_at(window, found)?
                && found + HEADER_BYTES + len + FOOTER_BYTES <= to
            {
                if self.large_checks(window, found, len)? {
                    return Ok(Some(found));
                }
                allowed = allowed.saturating_sub(len);
                if allowed == 0 {
                    break;
                }
            }
            from = found + 1;
        }
        Ok(None)
    }
}

/// The first offset in `from..to` that holds a header that checks.
pub fn find_header(window: &mut Window<'_>, mut from: u64, to: u64) -> io::Result<Option<u64>> {
    while from + HEADER_BYTES <= to {
        let bytes = window.fetch(from, HEADER_LEN)?;
        let span = usize::try_from(to - from).unwrap_or(usize::MAX);
        let candidates = bytes.get(..span).unwrap_or(bytes).windows(HEADER_LEN);
        if candidates.len() == 0 {
            return Ok(None);
        }
        let tried = candidates.len() as u64;
        for (index, candidate) in candidates.enumerate() {
            // Lengths are below 2^32, so four of the eight bytes must be zero.
            if let Some(header) = candidate.first_chunk::<HEADER_LEN>()
                && header[4..8] == [0; 4]
                && payload_len(header).is_some()
            {
                return Ok(Some(from + index as u64));
            }
        }
        from += tried;
    }
    Ok(None)
}

/// Where the zeros begin that fill the window up to its limit; `from` if there is nothing else.
fn written_end(window: &mut Window<'_>, from: u64) -> io::Result<u64> {
    let mut end = window.limit();
    while end > from {
        let start = end.saturating_sub(LARGE_READ_BYTES as u64).max(from);
        let block = window.fetch_at_most(start, end - start)?;
        if let Some(last) = block.iter().rposition(|&byte| byte != 0) {
            return Ok(start + last as u64 + 1);
        }
        end = start;
    }
    Ok(from)
}

fn header_at(window: &mut Window<'_>, offset: u64) -> io::Result<Option<u64>> {
    let bytes = window.fetch(offset, HEADER_LEN)?;
    Ok(bytes.first_chunk::<HEADER_LEN>().and_then(payload_len))
}

/// Payload and checksum of the record at `offset`, if the file holds all of them.
fn payload_and_crc<'w>(
    window: &'w mut Window<'_>,
    offset: u64,
    len: u64,
) -> io::Result<Option<&'w [u8]>> {
    let total = usize::try_from(HEADER_BYTES + len + FOOTER_BYTES).map_err(io::Error::other)?;
    Ok(window.fetch(offset, total)?.get(HEADER_LEN..total))
}

/// The payload length a header gives, if it checks and a writer could have meant it.
#[inline]
pub fn payload_len(header: &[u8; HEADER_LEN]) -> Option<u64> {
    let (len, crc) = header.split_first_chunk::<8>()?;
    let len = u64::from_le_bytes(*len);
    let crc = u32::from_le_bytes(crc.try_into().ok()?);
    (len <= MAX_PAYLOAD_BYTES && crc::masked_len(len) == crc).then_some(len)
}

/// The payload of the record at the front of `bytes`, if it is there whole, small and intact, which
/// is the case of nearly all records; and what follows it.
#[inline(always)]
fn small_record(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (header, rest) = bytes.split_first_chunk::<HEADER_LEN>()?;
    let len = payload_len(header).filter(|&len| len <= LARGE_PAYLOAD_BYTES)?;
    let (payload, rest) = rest.split_at_checked(usize::try_from(len).ok()?)?;
    let (crc, rest) = rest.split_first_chunk::<FOOTER_LEN>()?;
    (crc::masked(payload) == u32::from_le_bytes(*crc)).then_some((payload, rest))
}

/// Whether a payload followed by its checksum is intact.
#[inline]
pub fn checks(payload_and_crc: &[u8]) -> bool {
    match payload_and_crc.split_last_chunk::<FOOTER_LEN>() {
        Some((payload, crc)) => crc::masked(payload) == u32::from_le_bytes(*crc),
        None => false,
    }
}

/// Appends one framed record to `out`.
pub fn frame(payload: &[u8], out: &mut Vec<u8>) {
    let len = (payload.len() as u64).to_le_bytes();
    out.extend_from_slice(&len);
    out.extend_from_slice(&crc::masked(&len).to_le_bytes());
    out.extend_from_slice(payload);
    out.extend_from_slice(&crc::masked(payload).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(payloads: &[&[u8]]) -> Vec<u8> {
        let mut out = Vec::new();
        for payload in payloads {
            frame(payload, &mut out);
        }
        out
    }

    /// Reads everything there is; large records are read whole.
    fn drain(reader: &mut RecordReader, bytes: &[u8]) -> Vec<Vec<u8>> {
        let source = bytes.to_vec();
        let mut window = Window::new(&source, bytes.len() as u64);
        let mut seen = Vec::new();
        loop {
            match reader.next(&mut window).unwrap() {
                Item::Record { payload, .. } => seen.push(payload.to_vec()),
                Item::Large { .. } => {
                    if let Some(payload) = reader.read_large(&mut window).unwrap() {
                        seen.push(payload.to_vec());
                    }
                }
                Item::Torn { .. } => {
                    seen.pop();
                }
                Item::End => return seen,
            }
        }
    }

    const PAYLOADS: [&[u8]; 4] = [b"first", b"", b"the third record", b"4"];

    #[test]
    fn a_file_grown_byte_by_byte_is_read_once() {
        let bytes = framed(&PAYLOADS);
        let mut reader = RecordReader::default();
        let mut seen = Vec::new();
        for end in 0..=bytes.len() {
            seen.extend(drain(&mut reader, &bytes[..end]));
        }
        assert_eq!(seen, PAYLOADS);
        assert!(!reader.damage().any());
        assert_eq!(reader.damage().records, 4);
    }

    #[test]
    fn a_bad_payload_loses_that_record_only() {
        let mut bytes = framed(&PAYLOADS);
        bytes[12] ^= 1;
        let mut reader = RecordReader::default();
        assert_eq!(drain(&mut reader, &bytes), &PAYLOADS[1..]);
        assert_eq!(reader.damage().bad_records, 1);
        assert_eq!(reader.damage().bad_headers, 0);
        assert_eq!(reader.damage().skipped_bytes, 21);
    }

    #[test]
    fn a_bad_header_is_left_behind_at_the_next_good_one() {
        for flipped in 0..12 {
            let mut bytes = framed(&PAYLOADS);
            bytes[flipped] ^= 0x40;
            let mut reader = RecordReader::default();
            assert_eq!(drain(&mut reader, &bytes), &PAYLOADS[1..], "byte {flipped}");
            assert_eq!(reader.damage().bad_headers, 1);
            assert_eq!(reader.damage().skipped_bytes, 21);
        }
    }

    #[test]
    fn records_behind_a_torn_one_are_found_inside_what_it_claims() {
        let torn = framed(&[&[7u8; 300]]);
        let mut bytes = torn[..100].to_vec();
        for _ in 0..30 {
            bytes.extend(framed(&PAYLOADS));
        }
        let mut reader = RecordReader::default();
        assert_eq!(drain(&mut reader, &bytes).len(), 120);
        assert_eq!(reader.damage().bad_records, 1);
        assert_eq!(reader.damage().skipped_bytes, 100);
    }

    #[test]
    fn records_inside_a_torn_one_are_found_even_if_the_framing_fits_by_chance() {
        let torn = framed(&[&[7u8; 84]]);
        let mut bytes = torn[..62].to_vec();
        // Ends just where the torn record would have.
        bytes.extend(framed(&[b"inside", b"", b"behind"]));
        bytes.extend(framed(&PAYLOADS));
        let mut reader = RecordReader::default();
        assert_eq!(drain(&mut reader, &bytes).len(), 7);
        assert_eq!(reader.damage().bad_records, 1);
        assert_eq!(reader.damage().skipped_bytes, 62);
    }

    #[test]
    fn a_torn_large_record_gives_back_what_it_swallowed() {
        let torn = framed(&[&vec![7u8; 20_000]]);
        let mut bytes = torn[..5_000].to_vec();
        for _ in 0..500 {
            bytes.extend(framed(&PAYLOADS));
        }
        let mut reader = RecordReader::default();
        assert_eq!(drain(&mut reader, &bytes).len(), 2_000);
        assert_eq!(reader.damage().skipped_bytes, 5_000);
    }

    #[test]
    fn a_large_record_nobody_read_is_taken_back_when_the_framing_breaks_behind_it() {
        let torn = framed(&[&vec![7u8; 20_000]]);
        let mut bytes = torn[..5_000].to_vec();
        for _ in 0..500 {
            bytes.extend(framed(&PAYLOADS));
        }
        let source = bytes.clone();
        let mut window = Window::new(&source, bytes.len() as u64);
        let mut reader = RecordReader::default();
        assert_eq!(reader.next(&mut window).unwrap(), Item::Large { offset: 0, len: 20_000 });
        assert_eq!(reader.next(&mut window).unwrap(), Item::Torn { offset: 0 });
        let mut count = 0;
        while reader.next(&mut window).unwrap() != Item::End {
            count += 1;
        }
        assert_eq!(count, 2_000);
    }

    #[test]
    fn a_dead_tail_is_searched_only_when_asked() {
        let torn = framed(&[&[7u8; 5_000]]);
        let mut bytes = torn[..100].to_vec();
        bytes.extend(framed(&PAYLOADS));
        let mut reader = RecordReader::default();
        assert_eq!(drain(&mut reader, &bytes).len(), 0);
        let source = bytes.clone();
        let mut window = Window::new(&source, bytes.len() as u64);
        assert!(reader.search_tail(&mut window).unwrap());
        assert_eq!(drain(&mut reader, &bytes), PAYLOADS);
        assert_eq!(reader.damage().skipped_bytes, 100);
    }

    #[test]
    fn a_record_that_began_inside_a_torn_one_is_not_lost_to_a_look_in_between() {
        let torn = framed(&[&[7u8; 100]]);
        let bytes = [&torn[..60], &framed(&[&[8u8; 90], b"behind"])].concat();
        for look in 0..=bytes.len() {
            let mut reader = RecordReader::default();
            let early = drain(&mut reader, &bytes[..look]).len();
            assert_eq!(early + drain(&mut reader, &bytes).len(), 2, "look at {look}");
            assert_eq!(reader.damage().skipped_bytes, 60, "look at {look}");
        }
    }

    #[test]
    fn a_bad_record_at_the_end_counts_when_nothing_will_follow() {
        let mut bytes = framed(&PAYLOADS);
        let end = bytes.len();
        bytes[end - 1] ^= 1;
        let mut reader = RecordReader::default();
        assert_eq!(drain(&mut reader, &bytes), &PAYLOADS[..3]);
        assert!(reader.is_lost() && !reader.damage().any());
        let source = bytes.clone();
        assert!(reader.search_tail(&mut Window::new(&source, end as u64)).unwrap());
        assert!(drain(&mut reader, &bytes).is_empty());
        assert_eq!(reader.position(), end as u64);
        assert_eq!(reader.damage().bad_records, 1);
    }

    #[test]
    fn zeros_shown_before_the_data_are_not_damage() {
        let bytes = framed(&PAYLOADS);
        let mut early = bytes.clone();
        early[21..].fill(0);
        let mut reader = RecordReader::default();
        assert_eq!(drain(&mut reader, &early), &PAYLOADS[..1]);
        assert_eq!(drain(&mut reader, &bytes), &PAYLOADS[1..]);
        assert!(!reader.damage().any());
    }

    #[test]
    fn what_looked_torn_is_read_when_its_bytes_arrive_late() {
        let large = vec![7u8; 20_000];
        let mut payloads = PAYLOADS.to_vec();
        payloads.insert(2, &large);
        let bytes = framed(&payloads);
        for visible in 0..bytes.len() {
            let mut early = bytes.clone();
            early[visible..].fill(0);
            let mut reader = RecordReader::default();
            let mut seen = drain(&mut reader, &early);
            seen.extend(drain(&mut reader, &bytes));
            assert_eq!(seen, payloads, "{visible} bytes at first");
            assert!(!reader.damage().any(), "{visible} bytes at first");
        }
    }

    #[test]
    fn a_file_of_headers_is_given_up_in_time() {
        let len = 1_000_000u64;
        let mut header = len.to_le_bytes().to_vec();
        header.extend(crc::masked_len(len).to_le_bytes());
        let bytes = header.repeat(2 * len as usize / header.len());
        let mut reader = RecordReader::default();
        assert!(drain(&mut reader, &bytes).is_empty());
        // Looked into at each header it would be 80 gigabytes.
        assert!(reader.failed_bytes < 20 * bytes.len() as u64, "{}", reader.failed_bytes);
    }

    #[test]
    fn a_length_no_writer_could_mean_is_damage() {
        let len = (1u64 << 32).to_le_bytes();
        let mut bytes = len.to_vec();
        bytes.extend(crc::masked(&len).to_le_bytes());
        bytes.extend(framed(&PAYLOADS));
        let mut reader = RecordReader::default();
        assert_eq!(drain(&mut reader, &bytes), PAYLOADS);
        assert_eq!(reader.damage().bad_headers, 1);
    }

    #[test]
    fn garbage_at_the_end_waits_for_what_follows() {
        let mut bytes = framed(&PAYLOADS);
        bytes.extend([0xab; 40]);
        let mut reader = RecordReader::default();
        assert_eq!(drain(&mut reader, &bytes), PAYLOADS);
        assert!(!reader.damage().any());
        bytes.extend(framed(&[b"more"]));
        assert_eq!(drain(&mut reader, &bytes), [b"more"]);
        assert_eq!(reader.damage().bad_headers, 1);
        assert_eq!(reader.damage().skipped_bytes, 40);
    }
}
