//! Where bytes come from: list a directory, stat a file, read a range.

mod local;

pub use local::Local;

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A place that holds log directories. Nothing above this layer knows where the bytes are stored.
pub trait Storage: Send + Sync {
    /// The entries directly in `dir`, symbolic links resolved, in no particular order.
    /// An entry that is removed while it is listed is left out.
    fn list(&self, dir: &Path) -> io::Result<Vec<Entry>>;

    /// Size, age and identity of one file.
    fn stat(&self, path: &Path) -> io::Result<Stat>;

    /// Opens one file for ranged reads.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>>;

    /// The one true path of a directory, by which loops of links are noticed.
    fn canonical(&self, dir: &Path) -> io::Result<PathBuf>;
}

/// An open file. Reads may run in several threads at once.
pub trait Source: Send + Sync {
    /// Reads at `offset` until `buffer` is full or the file ends; returns how many bytes were read.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// The identity of what is open, where the storage reports it: that of [`Stat`].
    fn identity(&self) -> io::Result<Option<(u64, u64)>> {
        Ok(None)
    }
}

/// Bytes in memory are as good as an open file.
impl<B: AsRef<[u8]> + Send + Sync> Source for B {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.as_ref().get(offset..).unwrap_or(&[]);
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    }
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The full path.
    pub path: PathBuf,
    /// Whether it can be listed further.
    pub is_dir: bool,
    /// Whether a symbolic link led here: only through one can a walk loop.
    pub is_link: bool,
}

/// What is known of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Length in bytes.
    pub len: u64,
    /// Last change, where the storage reports it.
    pub modified: Option<SystemTime>,
    /// What stays the same while a file grows and differs when another takes its name.
    pub identity: Option<(u64, u64)>,
}
