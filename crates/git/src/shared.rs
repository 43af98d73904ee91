//! Fetched commits that several runs share.

use std::fmt;
use std::sync::Arc;

use gix_hash::ObjectId;
use gix_pack::Bundle;

/// Fetched commit with its trees, and with all blobs if the server does not support filters. The files of its pack
/// remain open, so they outlive the folder of the run that fetched them.
#[derive(Clone)]
pub struct Fetched(pub(crate) Arc<Bundle>);

impl Fetched {
    /// Returns the size of the pack in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.pack.data_len()
    }
}

impl fmt::Debug for Fetched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetched").field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}

/// Cache of commits that runs with equal access to the same repository share.
pub trait Shared: Send + Sync {
    /// Returns a commit that another run fetched.
    fn get(&self, commit: ObjectId) -> Option<Fetched>;

    /// Adds a commit for other runs.
    fn keep(&self, commit: ObjectId, fetched: Fetched);
}
