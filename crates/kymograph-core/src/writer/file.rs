//! One event file on disk: its name, and bytes that are written once the disk accepts them.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use crate::writer::encode;

/// Counts the files of this process, as PyTorch does in their names.
static FILES: AtomicU64 = AtomicU64::new(0);
/// This many files stay open between writes: the training program needs descriptors, too.
const MAX_OPEN: usize = 64;
static OPEN: AtomicUsize = AtomicUsize::new(0);

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
    file: Option<OpenFile>,
    /// How many of its bytes are known to be written: always whole records.
    written: u64,
    /// Whole records that follow those, and may be there in part.
    unwritten: Vec<u8>,
    /// How many bytes of these are known to be there: a full disk takes the first of a batch.
    partly_written: usize,
    /// How many of these no caller logged: the head of the file.
    unwritten_head_count: u64,
}

impl EventFile {
    /// A file that is made with the first bytes.
    pub fn new(place: Place) -> Self {
        Self {
            place,
            path: None,
            file: None,
            written: 0,
            unwritten: Vec::new(),
            partly_written: 0,
            unwritten_head_count: 0,
        }
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

    /// How many logged records they hold that readers do not find in the file.
    pub fn unwritten_count(&self) -> u64 {
        let mut end = 0_usize;
        let (mut count, mut found) = (0, 0);
        while let Some(len) = self.unwritten.get(end..).and_then(|rest| rest.first_chunk()) {
            end = end.saturating_add(u64::from_le_bytes(*len) as usize).saturating_add(16);
            count += 1;
            found += u64::from(end <= self.partly_written);
        }
        count - found.max(self.unwritten_head_count).min(count)
    }

    /// Closes the file, and drops the bytes that were not written.
    pub fn close(&mut self) {
        self.file = None;
        self.unwritten = Vec::new();
        self.partly_written = 0;
        self.unwritten_head_count = 0;
    }

    /// Writes `bytes`, or keeps them and returns why. True when the file had been deleted or
    /// cut under us and a new one was made.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<bool> {
        let direct = self.unwritten.is_empty() && self.file.is_some();
        if !direct {
            self.unwritten.extend_from_slice(bytes);
        }
        let spoilt = self.forget_if_spoilt();
        let mut replaced = false;
        if spoilt || !direct {
            if direct {
                self.unwritten.extend_from_slice(bytes);
            }
            replaced = self.open()?;
            let unwritten = std::mem::take(&mut self.unwritten);
            self.put(&unwritten)?;
        } else {
            self.put(bytes)?;
        }
        Ok(replaced)
    }

    /// Closes the file until the next write, if too many are open.
    pub fn rest(&mut self) {
        if OPEN.load(Ordering::Relaxed) > MAX_OPEN {
            self.file = None;
        }
    }

    /// Makes the file, or finds it again after a failure or a rest. True when it was there once
    /// and is not any more.
    fn open(&mut self) -> io::Result<bool> {
        if self.file.is_some() {
            return Ok(false);
        }
        // After a failure (a stale handle, a mount that went and came) the same file is
        // continued. Its last bytes may or may not have arrived; writing them again is harmless.
        if let Some(path) = &self.path {
            match OpenOptions::new().write(true).open(path) {
                Ok(file) if file.metadata()?.len() >= self.written => {
                    self.file = Some(OpenFile::new(file));
                    return Ok(false);
                }
                Ok(_) => {}
                Err(error) if is_lost(&error) => {}
                // It may be there, and hold part of what would go into another one.
                Err(error) => return Err(error),
            }
        }
        let replaces = self.path.is_some();
        fs::create_dir_all(&self.place.directory)?;
        let (path, file) = self.create()?;
        let mut head = Vec::new();
        encode::file_version(&mut head, now());
        // A file that replaces a lost one begins like any other.
        self.unwritten.splice(0..0, head);
        self.unwritten_head_count += 1;
        (self.written, self.partly_written) = (0, 0);
        self.path = Some(path);
        self.file = Some(OpenFile::new(file));
        Ok(replaces)
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

    /// Closes a file that no longer has a name, in which bytes would be lost, or that was cut
    /// shorter, in which they would follow a hole.
    fn forget_if_spoilt(&mut self) -> bool {
        let Some(OpenFile(file)) = &self.file else { return false };
        let spoilt =
            file.metadata().is_ok_and(|found| is_deleted(&found) || found.len() < self.written);
        if spoilt {
            self.file = None;
        }
        spoilt
    }

    /// Writes a whole batch or keeps it whole: what is kept begins with a record, so that it can
    /// also begin another file.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        let result = self.put_at_end(bytes);
        match result {
            Ok(()) => {
                self.written += bytes.len() as u64;
                self.partly_written = 0;
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
        let Some(OpenFile(file)) = &mut self.file else { return Err(ErrorKind::NotFound.into()) };
        file.seek(SeekFrom::Start(self.written))?;
        let mut done = 0;
        while done < bytes.len() {
            match file.write(&bytes[done..]) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => done += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            self.partly_written = self.partly_written.max(done);
        }
        Ok(())
    }
}

/// Seconds since the epoch.
pub fn now() -> f64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or(Duration::ZERO).as_secs_f64()
}

/// A file that counts as open.
#[derive(Debug)]
struct OpenFile(File);

impl OpenFile {
    fn new(file: File) -> Self {
        OPEN.fetch_add(1, Ordering::Relaxed);
        Self(file)
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Errors which mean that an existing file cannot be continued.
fn is_lost(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied)
}

#[cfg(unix)]
fn is_deleted(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.nlink() == 0
}

/// Where open files cannot be deleted.
#[cfg(not(unix))]
fn is_deleted(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;

    #[test]
    fn records_that_a_full_disk_took_are_not_lost() {
        let place = Place { directory: PathBuf::new(), host: String::new(), suffix: String::new() };
        let mut file = EventFile::new(place);
        let mut framed = Vec::new();
        for payload in [&b"head"[..], b"one", b"two", b"three"] {
            record::frame(payload, &mut framed);
        }
        (file.unwritten, file.unwritten_head_count) = (framed, 1);
        let lost: Vec<_> = [0, 19, 20, 38, 39, 58, 78, 79]
            .map(|bytes| {
                file.partly_written = bytes;
                file.unwritten_count()
            })
            .to_vec();
        assert_eq!(lost, [3, 3, 3, 3, 2, 1, 1, 0]);
    }
}
