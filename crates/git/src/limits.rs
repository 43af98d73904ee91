//! Limits of a run, and its usage.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::error::GitError;

/// Limits of a run. Repositories are untrusted and may be hostile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of bytes received and sent.
    pub bytes: u64,
    /// Maximum number of bytes received before packs: lists of refs, capabilities and messages.
    pub bytes_before_pack: u64,
    /// Maximum size of an object in bytes.
    pub object_bytes: usize,
    /// Maximum number of files of a tree.
    pub files: usize,
    /// Maximum number of folders of a tree. A folder counts once for each occurrence.
    pub folders: usize,
    /// Maximum depth of folders. Deeper ones are not read.
    pub depth: usize,
    /// Maximum length of a path in bytes.
    pub path_bytes: usize,
    /// Maximum size of the commits after a commit in bytes, as packed. Without them, a history is not compared.
    pub history_bytes: u64,
    /// Maximum number of commits after a commit.
    pub history_commits: usize,
    /// Time limit of the run.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 512 << 20,
            bytes_before_pack: 4 << 20,
            object_bytes: 100 << 20,
            files: 20_000,
            folders: 20_000,
            depth: 64,
            path_bytes: 1024,
            history_bytes: 2 << 20,
            history_commits: 10_000,
            time: Duration::from_secs(120),
        }
    }
}

/// Usage of a run, shared with the waiting task.
#[derive(Debug)]
pub(crate) struct Usage {
    pub(crate) limits: Limits,
    pub(crate) deadline: Instant,
    /// Set at the deadline, or when the result is no longer needed.
    pub(crate) stop: AtomicBool,
    bytes: AtomicU64,
    bytes_before_pack: AtomicU64,
}

impl Usage {
    pub(crate) fn new(limits: Limits) -> Arc<Self> {
        let now = Instant::now();
        Arc::new(Self {
            limits,
            deadline: now.checked_add(limits.time).unwrap_or(now),
            stop: AtomicBool::new(false),
            bytes: AtomicU64::new(0),
            bytes_before_pack: AtomicU64::new(0),
        })
    }

    /// Counts transferred bytes.
    ///
    /// # Errors
    /// If a limit is exceeded.
    pub(crate) fn count(&self, bytes: usize, is_pack: bool) -> Result<(), GitError> {
        let limit = self.limits.bytes;
        added(&self.bytes, bytes, limit, "the bytes")?;
        match is_pack {
            true => Ok(()),
            false => added(&self.bytes_before_pack, bytes, self.limits.bytes_before_pack, "the refs"),
        }
    }

    /// Returns the number of transferred bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns an error if the run must end.
    pub(crate) fn check(&self) -> Result<(), GitError> {
        match self.stop.load(Ordering::Relaxed) || Instant::now() >= self.deadline {
            true => Err(GitError::TimedOut { after: self.limits.time }),
            false => Ok(()),
        }
    }
}

fn added(count: &AtomicU64, bytes: usize, limit: u64, what: &'static str) -> Result<(), GitError> {
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    let before = count.fetch_add(bytes, Ordering::Relaxed);
    match before.saturating_add(bytes) > limit {
        true => Err(GitError::TooLarge { what, limit }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_the_documented_limits() {
        let limits = Limits::default();
        let Limits { bytes, bytes_before_pack, object_bytes, files, folders, depth, path_bytes, .. } = limits;
        assert_eq!((bytes, bytes_before_pack, object_bytes), (512 << 20, 4 << 20, 100 << 20));
        assert_eq!((files, folders, depth, path_bytes), (20_000, 20_000, 64, 1024));
        assert_eq!((limits.history_bytes, limits.history_commits), (2 << 20, 10_000));
        assert_eq!(limits.time, Duration::from_secs(120));
    }

    #[test]
    fn the_bytes_of_packs_have_a_limit_of_their_own() {
        let usage = Usage::new(Limits { bytes: 100, bytes_before_pack: 10, ..Limits::default() });
        usage.count(10, false).unwrap();
        assert!(matches!(usage.count(1, false), Err(GitError::TooLarge { what: "the refs", limit: 10 })));
        usage.count(89, true).unwrap();
        assert!(matches!(usage.count(1, true), Err(GitError::TooLarge { what: "the bytes", limit: 100 })));
        assert_eq!(usage.bytes(), 101);
    }
}
