//! Fetched parts of a repository that several runs share.

use std::fmt;
use std::sync::Arc;

use gix_hash::ObjectId;
use gix_pack::Bundle;

/// Part of a repository that runs share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Commit with its trees, and with all blobs if the server does not support filters.
    Commit(ObjectId),
    /// Commits of a history, without their trees.
    History {
        /// The last one.
        head: ObjectId,
        /// Commit that is left out, with all before it.
        former: ObjectId,
    },
}

/// Fetched part of a repository. The files of its pack remain open, so they outlive the folder of the run that fetched
/// them.
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

/// Cache of parts that runs with equal access to the same repository share.
pub trait Shared: Send + Sync {
    /// Returns a part that another run fetched.
    fn get(&self, part: Part) -> Option<Fetched>;

    /// Adds a part for other runs.
    fn keep(&self, part: Part, fetched: Fetched);
}
