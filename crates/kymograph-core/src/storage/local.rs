//! The local file system, read with `pread` and never mapped: a file that shrinks under a map
//! would kill the process, a short read is an ordinary answer.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::{Entry, Source, Stat, Storage};

/// The file system of this machine, mounted network shares included.
#[derive(Debug, Clone, Copy, Default)]
pub struct Local;

impl Storage for Local {
    fn list(&self, dir: &Path) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            let path = entry.path();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let is_link = kind.is_symlink();
            let is_dir = if is_link {
                // A link to nowhere is not an entry.
                let Ok(target) = fs::metadata(&path) else {
                    continue;
                };
                target.is_dir()
            } else {
                kind.is_dir()
            };
            entries.push(Entry { path, is_dir, is_link });
        }
        Ok(entries)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        Ok(Stat {
            len: metadata.len(),
            modified: metadata.modified().ok(),
            identity: identity(&metadata),
        })
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        Ok(Box::new(LocalFile(File::open(path)?)))
    }

    fn canonical(&self, dir: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(dir)
    }
}

#[cfg(unix)]
fn identity(metadata: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_metadata: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

struct LocalFile(File);

impl Source for LocalFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while done < buffer.len() {
            match read_once(&self.0, &mut buffer[done..], offset + done as u64) {
                Ok(0) => break,
                Ok(n) => done += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    fn identity(&self) -> io::Result<Option<(u64, u64)>> {
        Ok(identity(&self.0.metadata()?))
    }
}

#[cfg(unix)]
fn read_once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
