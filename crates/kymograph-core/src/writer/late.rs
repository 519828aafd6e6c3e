//! Summaries that are encoded when they are written.

use std::sync::Arc;

/// A summary that is encoded when it is written, away from the thread that logged it. It owns
/// what it needs: the caller that logged a picture may paint over it at once.
#[derive(Clone)]
pub struct LateSummary {
    encode: Arc<dyn Fn() -> Vec<u8> + Send + Sync>,
    held_bytes: usize,
}

impl LateSummary {
    /// A summary made by `encode`, which holds about `held_bytes` of memory until then.
    pub fn new(held_bytes: usize, encode: impl Fn() -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self { encode: Arc::new(encode), held_bytes }
    }

    /// The serialised `Summary` message.
    pub fn encode(&self) -> Vec<u8> {
        (self.encode)()
    }

    /// About how much memory it holds until it is written.
    pub fn held_bytes(&self) -> usize {
        self.held_bytes
    }
}
