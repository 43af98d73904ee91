//! Commits of a branch since a former one.

use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;

use gix_hash::ObjectId;
use gix_pack::Bundle;

use crate::error::GitError;
use crate::http::Connections;
use crate::listed::ListedCommit;
use crate::remote::{Filter, Remote, Request};
use crate::shared::{Fetched, Part};
use crate::store::Store;
use crate::trees::Snapshot;

/// Filter that requests only commits.
const WITHOUT_TREES: &str = "tree:0";

/// Maximum number of listed commits.
const LISTED: usize = 100;

/// Commits of a branch since a former one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// False if the branch no longer has the former commit. `None` if the server cannot filter, or if the commits after
    /// it exceed a limit.
    pub has_former: Option<bool>,
    /// The newest 100 commits, newest first. Only the last commit if the others are unknown, or if the branch no longer
    /// has the former commit.
    pub commits: Vec<ListedCommit>,
}

/// Fetched commits.
enum Since {
    /// Commits that are not in the history of the former one.
    Commits(Fetched),
    /// No commits: the branch moved back.
    Nothing,
    /// More commits than the limit.
    TooMany,
}

impl Remote {
    /// Returns the commits of a snapshot's branch since a former one. Fetches only commits, and nothing if the former
    /// one is the only parent.
    ///
    /// # Errors
    /// If the run exceeds a limit.
    pub fn history(&self, former: ObjectId, snapshot: &Snapshot) -> Result<History, GitError> {
        let head = &snapshot.listed;
        let only_head = |has_former| History { has_former, commits: vec![head.clone()] };
        if head.parents == [former] {
            return Ok(only_head(Some(true)));
        }
        let read = self.commits_since(former, head.id).and_then(|since| match since {
            Since::Nothing => Ok(only_head(Some(false))),
            Since::TooMany => Ok(only_head(None)),
            Since::Commits(fetched) => self.read_history(former, head, &fetched),
        });
        let history = match read {
            Err(error @ (GitError::TimedOut { .. } | GitError::TooLarge { .. } | GitError::Disk(_))) => {
                return Err(error);
            }
            read => read.unwrap_or_else(|_| only_head(None)),
        };
        let has_former = if head.parents.contains(&former) { Some(true) } else { history.has_former };
        Ok(History { has_former, ..history })
    }

    fn commits_since(&self, former: ObjectId, head: ObjectId) -> Result<Since, GitError> {
        let part = Part::History { head, former };
        if let Some(known) = self.shared.as_ref().and_then(|shared| shared.get(part)) {
            return Ok(Since::Commits(known));
        }
        let limits = &self.connections.usage.limits;
        let request = Request {
            ids: &[head],
            depth: None,
            filter: Filter { spec: WITHOUT_TREES, is_required: true },
            known: Some(former),
            max_bytes: limits.history_bytes,
        };
        let Some(bundle) = self.receive(&request)? else { return Ok(Since::Nothing) };
        if count_of(&bundle) > limits.history_commits {
            return Ok(Since::TooMany);
        }
        let fetched = Fetched(Arc::new(bundle));
        if let Some(shared) = &self.shared {
            shared.keep(part, fetched.clone());
        }
        Ok(Since::Commits(fetched))
    }

    /// Reads a pack with all commits after a former one. The branch has the former one exactly if the pack has a child
    /// of it.
    fn read_history(
        &self,
        former: ObjectId,
        head: &ListedCommit,
        Fetched(bundle): &Fetched,
    ) -> Result<History, GitError> {
        let Connections { usage, .. } = &*self.connections;
        let mut store = Store::new(usage.limits.object_bytes);
        store.add(Arc::clone(bundle));
        let mut has_former = false;
        for entry in bundle.index.iter() {
            usage.check()?;
            has_former = ListedCommit::read(&store, entry.oid)?.parents.contains(&former);
            if has_former {
                break;
            }
        }
        let commits = match has_former {
            true => newest(&store, head)?,
            false => vec![head.clone()],
        };
        Ok(History { has_former: Some(has_former), commits })
    }
}

/// Returns the newest commits of a store in the order of `git log`: by time, and none before its children.
fn newest(store: &Store, head: &ListedCommit) -> Result<Vec<ListedCommit>, GitError> {
    let (mut listed, mut seen) = (Vec::new(), HashSet::from([head.id]));
    let mut waiting = BinaryHeap::from([(head.seconds, head.id)]);
    while listed.len() < LISTED
        && let Some((_, id)) = waiting.pop()
    {
        let commit = ListedCommit::read(store, id)?;
        for parent in &commit.parents {
            if seen.insert(*parent) && store.has(parent) {
                waiting.push((ListedCommit::read(store, *parent)?.seconds, *parent));
            }
        }
        listed.push(commit);
    }
    Ok(listed)
}

fn count_of(bundle: &Bundle) -> usize {
    usize::try_from(bundle.index.num_objects()).unwrap_or(usize::MAX)
}
