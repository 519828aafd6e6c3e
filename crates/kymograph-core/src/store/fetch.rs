//! Blobs fetched and decoded, many at once.

use std::sync::OnceLock;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

use super::Store;
use crate::blob::BlobError;
use crate::dashboards::Dashboard;
use crate::dashboards::audio::{self, Clip, ClipError};
use crate::dashboards::tensors::{Given, MAX_FILLED_BYTES, TensorError};
use crate::dashboards::video::{self, VideoError};
use crate::decoded::{DecodeError, Decoded};
use crate::event::{Metadata, Value};
use crate::link::Link;

/// Why a blob cannot be shown. Only this blob is affected, perhaps only for a moment.
#[derive(Debug, Error)]
pub enum FetchError {
    /// It cannot be read.
    #[error(transparent)]
    Blob(#[from] BlobError),
    /// It is not of the kind that its tag declares.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// It is not a tensor that can be read.
    #[error(transparent)]
    Tensor(#[from] TensorError),
    /// It is no clip that can be drawn.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// It is no video whose frames can be shown.
    #[error(transparent)]
    Video(#[from] VideoError),
}

/// A tensor with what its writer declared in the same value: the tag keeps only the first.
#[derive(Debug)]
pub struct LoggedTensor {
    /// The tensor.
    pub given: Given,
    /// If the value has any.
    pub metadata: Option<Metadata>,
}

impl Store {
    /// Reads, checks and decodes blobs, in parallel. Together, tensors that need it are filled up
    /// to at most [`MAX_FILLED_BYTES`].
    pub fn decode_blobs(&self, links: &[Link]) -> Vec<Result<Decoded, FetchError>> {
        let max_filled_bytes = MAX_FILLED_BYTES / links.len().max(1);
        in_parallel(links, |link| {
            let bytes = self.read_blob(&link.address)?;
            Ok(Decoded::read(link.dashboard, link.bare, bytes, max_filled_bytes)?)
        })
    }

    /// Reads and checks blobs, and hands what tensors are in them to `look`, in parallel.
    pub fn look_at_tensors<T: Send>(
        &self,
        links: &[Link],
        look: impl Fn(&Given) -> T + Sync,
    ) -> Vec<Result<T, FetchError>> {
        in_parallel(links, |link| Ok(look(&self.read_tensor(link)?.given)))
    }

    /// Reads and checks blobs, and returns the tensors in them, in parallel.
    pub fn read_tensors(&self, links: &[Link]) -> Vec<Result<LoggedTensor, FetchError>> {
        in_parallel(links, |link| self.read_tensor(link))
    }

    fn read_tensor(&self, link: &Link) -> Result<LoggedTensor, FetchError> {
        let bytes = self.read_blob(&link.address)?;
        if link.bare {
            return Err(TensorError::NotATensor.into());
        }
        let value = Value::parse(&bytes).map_err(TensorError::from)?;
        let given = Given::read(&value)?;
        // Damaged metadata is that of a tensor without any.
        let metadata = value.metadata.and_then(|metadata| Metadata::parse(metadata).ok());
        Ok(LoggedTensor { given, metadata })
    }

    /// Reads and checks a blob of audio, and hands one of its clips and their number to `look`,
    /// which may use all processors.
    pub fn look_at_clip<T: Send>(
        &self,
        link: &Link,
        item: usize,
        look: impl FnOnce(&Clip<'_>, usize) -> T + Send,
    ) -> Result<T, FetchError> {
        let bytes = self.read_blob(&link.address)?;
        if link.bare || link.dashboard != Dashboard::Audio {
            return Err(ClipError::NotAudio.into());
        }
        let value = Value::parse(&bytes).map_err(DecodeError::from)?;
        let items = audio::items(&value).map_err(DecodeError::from)?;
        let count = items.len();
        let encoded = items.get(item).ok_or(ClipError::NoItem { index: item, count })?;
        let clip = Clip::open(encoded)?;
        Ok(match threads() {
            Some(threads) => threads.install(|| look(&clip, count)),
            None => look(&clip, count),
        })
    }
}

impl Store {
    /// Reads and checks a blob of videos, and hands the bytes of one of them and their number to
    /// `look`.
    pub fn look_at_video<T>(
        &self,
        link: &Link,
        item: usize,
        look: impl FnOnce(&[u8], usize) -> Result<T, VideoError>,
    ) -> Result<T, FetchError> {
        let bytes = self.read_blob(&link.address)?;
        if link.bare || !matches!(link.dashboard, Dashboard::Images | Dashboard::Video) {
            return Err(VideoError::NotVideo.into());
        }
        let value = Value::parse(&bytes).map_err(DecodeError::from)?;
        let items = video::items(&value).map_err(DecodeError::from)?;
        let count = items.len();
        let encoded = items.get(item).ok_or(VideoError::NoItem { index: item, count })?;
        Ok(look(encoded, count)?)
    }
}

/// One after the other where there is only one.
pub(super) fn in_parallel<I: Sync, T: Send>(items: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    match (items.len() > 1).then(threads).flatten() {
        Some(threads) => threads.install(|| items.par_iter().map(&work).collect()),
        None => items.iter().map(work).collect(),
    }
}

/// Threads for blobs alone, since they wait for the disk. None in a forked child: they stayed with
/// the parent.
fn threads() -> Option<&'static ThreadPool> {
    static THREADS: OnceLock<(u32, Option<ThreadPool>)> = OnceLock::new();
    let named = || ThreadPoolBuilder::new().thread_name(|at| format!("kymograph-blobs-{at}"));
    let (owner, threads) = THREADS.get_or_init(|| (std::process::id(), named().build().ok()));
    threads.as_ref().filter(|_| *owner == std::process::id())
}
