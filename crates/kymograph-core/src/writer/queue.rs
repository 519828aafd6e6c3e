//! What was logged and is not written yet, in the order in which it was logged.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::writer::encode::{self, Moment};
use crate::writer::late::LateSummary;

/// A buffer above this size is not kept for reuse.
const SPARE_BYTES: usize = 4 << 20;

/// One stretch of the queue.
pub enum Piece {
    /// Framed records, as they go to the file.
    Records { bytes: Vec<u8>, count: u64 },
    /// A record that is still to be encoded.
    Late { summary: LateSummary, at: Moment },
}

impl Piece {
    /// How many records it holds.
    pub fn count(&self) -> u64 {
        match self {
            Piece::Records { count, .. } => *count,
            Piece::Late { .. } => 1,
        }
    }

    fn held_bytes(&self) -> usize {
        match self {
            Piece::Records { bytes, .. } => bytes.len(),
            Piece::Late { summary, .. } => summary.held_bytes(),
        }
    }
}

/// Records in, pieces out. The newest records are in one buffer, into which callers encode.
#[derive(Default)]
pub struct Queue {
    older: VecDeque<Piece>,
    newest: Vec<u8>,
    newest_count: u64,
    older_count: u64,
    older_bytes: usize,
    /// An empty buffer that has been written: callers continue in memory that is already mapped.
    spare: Vec<u8>,
}

impl Queue {
    /// How many records wait.
    pub fn count(&self) -> u64 {
        self.older_count + self.newest_count
    }

    /// About how much memory they hold.
    pub fn held_bytes(&self) -> usize {
        self.older_bytes + self.newest.len()
    }

    /// Adds one record, framed by `put`.
    #[inline]
    pub fn add(&mut self, put: impl FnOnce(&mut Vec<u8>)) {
        put(&mut self.newest);
        self.newest_count += 1;
    }

    /// Adds a record that is encoded when it is written.
    pub fn add_late(&mut self, summary: LateSummary, at: Moment) {
        self.seal();
        self.push(Piece::Late { summary, at });
    }

    /// The oldest piece that is sealed.
    pub fn take(&mut self) -> Option<Piece> {
        let piece = self.older.pop_front()?;
        self.older_count -= piece.count();
        self.older_bytes -= piece.held_bytes();
        Some(piece)
    }

    /// The oldest sealed piece that needs no encoding, whatever waits before it.
    pub fn take_encoded(&mut self) -> Option<Piece> {
        let encoded = |piece: &Piece| matches!(piece, Piece::Records { .. });
        let piece = self.older.iter().position(encoded).and_then(|at| self.older.remove(at))?;
        self.older_count -= piece.count();
        self.older_bytes -= piece.held_bytes();
        Some(piece)
    }

    /// Gives back the buffer of a piece that was written.
    pub fn reuse(&mut self, mut buffer: Vec<u8>) {
        if self.spare.capacity() < buffer.capacity() && buffer.capacity() <= SPARE_BYTES {
            buffer.clear();
            self.spare = buffer;
        }
    }

    /// Makes the newest records a piece, and returns how many pieces there are.
    pub fn seal(&mut self) -> usize {
        if !self.newest.is_empty() {
            let bytes = std::mem::replace(&mut self.newest, std::mem::take(&mut self.spare));
            let count = std::mem::take(&mut self.newest_count);
            self.push(Piece::Records { bytes, count });
        }
        self.older.len()
    }

    fn push(&mut self, piece: Piece) {
        self.older_count += piece.count();
        self.older_bytes += piece.held_bytes();
        self.older.push_back(piece);
    }
}

/// The records of a piece; nothing when an encoder failed.
pub fn records(piece: Piece) -> Option<Vec<u8>> {
    match piece {
        Piece::Records { bytes, .. } => Some(bytes),
        Piece::Late { summary, at } => {
            let encoded = catch_unwind(AssertUnwindSafe(|| summary.encode())).ok()?;
            if encoded.len() > encode::MAX_MESSAGE_BYTES {
                return None;
            }
            let mut out = Vec::with_capacity(encoded.len() + 64);
            encode::summary(&mut out, &encoded, at);
            Some(out)
        }
    }
}
