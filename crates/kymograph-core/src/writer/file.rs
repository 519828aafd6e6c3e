//! One event file on disk: its name, and bytes that reach it once the disk lets them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use crate::writer::encode;

/// Counts the files of this process, as PyTorch does in their names.
static FILES: AtomicU64 = AtomicU64::new(0);

/// Where a file is made and what its name ends in.
#[derive(Debug, Clone)]
pub struct Place {
    /// The run's directory.
    pub directory: PathBuf,
    /// The machine's name, part of the file name.
    pub host: String,
    /// The end of the file name.
    pub suffix: String,
}

/// Bytes on their way into one event file. Nothing is lost by a write that fails: what was not
/// written is kept, and tried again with the next call.
#[derive(Debug)]
pub struct EventFile {
    place: Place,
    /// The file as it was last open, if it ever was.
    path: Option<PathBuf>,
    file: Option<File>,
    /// How many of its bytes are known to be written: always whole records.
    written: u64,
    /// Whole records that follow those, and may be there in part.
    unwritten: Vec<u8>,
    /// How many of these nobody logged: the head of the file.
    unwritten_head_count: u64,
}

impl EventFile {
    /// A file that is made with the first bytes.
    pub fn new(place: Place) -> Self {
        let (written, unwritten, unwritten_head_count) = (0, Vec::new(), 0);
        Self { place, path: None, file: None, written, unwritten, unwritten_head_count }
    }

    /// Makes the file, with `head_count` records of its own.
    pub fn begin(&mut self, head: &[u8], head_count: u64) -> io::Result<bool> {
        self.unwritten_head_count = head_count;
        self.write(head)
    }

    /// Where the file is, or was last.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Bytes that a failing disk did not take.
    pub fn unwritten_bytes(&self) -> usize {
        self.unwritten.len()
    }

    /// How many logged records they hold.
    pub fn unwritten_count(&self) -> u64 {
        let mut rest = self.unwritten.as_slice();
        let mut count = 0;
        while let Some(len) = rest.first_chunk() {
            let whole = (u64::from_le_bytes(*len) as usize).saturating_add(16);
            rest = rest.get(whole..).unwrap_or(&[]);
            count += 1;
        }
        count - self.unwritten_head_count.min(count)
    }

    /// Lets go of the file, and gives up on the bytes that were not written.
    pub fn close(&mut self) {
        self.file = None;
        self.unwritten = Vec::new();
        self.unwritten_head_count = 0;
    }

    /// Writes `bytes`, or keeps them and says why not. True when the file had been deleted under
    /// us and a new one was made.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<bool> {
        let direct = self.unwritten.is_empty() && self.file.is_some();
        if !direct {
            self.unwritten.extend_from_slice(bytes);
        }
        let replaced = self.forget_if_deleted();
        if replaced || !direct {
            if direct {
                self.unwritten.extend_from_slice(bytes);
            }
            self.open()?;
            let unwritten = std::mem::take(&mut self.unwritten);
            self.put(&unwritten)?;
        } else {
            self.put(bytes)?;
        }
        Ok(replaced)
    }

    /// Makes the file, or finds it again after a failure.
    pub fn open(&mut self) -> io::Result<()> {
        if self.file.is_some() {
            return Ok(());
        }
        // After a failure (a stale handle, a mount that went and came) the same file is gone on
        // with. Its last bytes may or may not have arrived; writing them again is harmless.
        if let Some(path) = &self.path
            && let Ok(file) = OpenOptions::new().write(true).open(path)
            && file.metadata()?.len() >= self.written
        {
            self.file = Some(file);
            return Ok(());
        }
        fs::create_dir_all(&self.place.directory)?;
        let (path, file) = self.create()?;
        let mut head = Vec::new();
        encode::file_version(&mut head, now());
        // A file that takes the place of a lost one begins like any other.
        self.unwritten.splice(0..0, head);
        self.unwritten_head_count += 1;
        self.written = 0;
        self.path = Some(path);
        self.file = Some(file);
        Ok(())
    }

    fn create(&self) -> io::Result<(PathBuf, File)> {
        loop {
            let name = format!(
                "events.out.tfevents.{:010}.{}.{}.{}{}",
                now() as u64,
                self.place.host,
                std::process::id(),
                FILES.fetch_add(1, Ordering::Relaxed),
                self.place.suffix
            );
            let path = self.place.directory.join(name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((path, file)),
                // Another machine of the same name, or an earlier process of the same number.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Lets go of a file that has no name any more: bytes written to it would be lost.
    fn forget_if_deleted(&mut self) -> bool {
        let Some(file) = &self.file else { return false };
        if !is_deleted(file) {
            return false;
        }
        self.file = None;
        self.path = None;
        true
    }

    /// Writes a whole batch or keeps it whole: what is kept begins with a record, so that it can
    /// also begin another file.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        let result = self.put_at_end(bytes);
        match result {
            Ok(()) => {
                self.written += bytes.len() as u64;
                self.unwritten_head_count = 0;
            }
            Err(_) => {
                self.unwritten.extend_from_slice(bytes);
                self.file = None;
            }
        }
        result
    }

    fn put_at_end(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Err(ErrorKind::NotFound.into()) };
        file.seek(SeekFrom::Start(self.written))?;
        file.write_all(bytes)
    }
}

/// Seconds since the epoch.
pub fn now() -> f64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or(Duration::ZERO).as_secs_f64()
}

#[cfg(unix)]
fn is_deleted(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|metadata| metadata.nlink() == 0)
}

/// Where open files cannot be deleted.
#[cfg(not(unix))]
fn is_deleted(_: &File) -> bool {
    false
}
