//! Group commit: writes of several callers in one transaction.
//!
//! Writes of one space change its row, which each transaction locks until the end of its COMMIT, so separate
//! transactions run at the speed of a COMMIT. Here, writes that arrive while one group is being committed form the next
//! group: one transaction, one statement per table for the rows of all of them, one COMMIT. A write that finds no other
//! write waiting is committed alone and immediately.
//!
//! Each write was authorized before, and has its own result and its own audit log entry. A write that is refused before
//! it changed anything does not affect the others. If a write fails otherwise, the group is rolled back, and each of
//! its writes runs in its own transaction. [Decision 12](../../../../docs/adr/0012-one-writer-per-space.md) has the
//! reasons.

use std::sync::Arc;

use quire_database::{Credentials, group_queue};
use tokio::sync::oneshot;

pub use super::group_write::GroupWrite;
use super::group_write::{Member, Performed, Typed};
use crate::content::store::AnalyzedDocument;
use crate::transaction::Tx;
use crate::{Error, HeadKey, Result, Storage, Turn};

/// Kind of a write. Only writes of the same kind are committed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupKind {
    /// New comments, which change the counters in the row of the head.
    Comments,
    /// Edits of content, which move the head.
    Edits,
}

/// Key of writes that may share a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupKey {
    /// Kind of the writes.
    pub kind: GroupKind,
    /// Head whose row the writes change.
    pub head: HeadKey,
}

/// Receiver of a write's result.
type Answer<T, E> = oneshot::Receiver<std::result::Result<T, E>>;

/// Waiting writes by key. Writes with the same key may be committed together.
pub(crate) type Groups = group_queue::Groups<GroupKey, dyn Member>;

/// Commits the writes of a key, group after group, until none waits. If it is dropped before that, waiting writes are
/// refused.
pub struct Runner {
    storage: Storage,
    key: GroupKey,
    is_done: bool,
}

impl Storage {
    /// Adds a write to those that wait for the same row. Returns the receiver of its result, and a runner if the caller
    /// must run one. A write whose receiver is dropped is skipped.
    ///
    /// # Errors
    /// 503 if too many writes wait.
    pub fn join_group<T, E>(
        &self,
        key: GroupKey,
        write: GroupWrite<impl FnMut(&mut Tx<'_>) -> std::result::Result<T, E> + Send + 'static>,
    ) -> Result<(Answer<T, E>, Option<Runner>)>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let must_run = self.groups().join(key, Box::new(Typed::new(write, reply)))?;
        Ok((answer, must_run.then(|| Runner { storage: self.clone(), key, is_done: false })))
    }

    /// Commits a write in a transaction of its own. Blocks.
    ///
    /// # Errors
    /// Errors of the write; [`Error::Unavailable`] if the database is unreachable or all connections stay busy.
    pub fn commit_alone<T, E: From<Error>>(
        &self,
        key: GroupKey,
        write: GroupWrite<impl FnOnce(&mut Tx<'_>) -> std::result::Result<T, E>>,
    ) -> std::result::Result<T, E> {
        let GroupWrite { known, documents, work } = write;
        let (space, _) = key.head;
        let store = |reader: &mut crate::Reader<'_>| {
            let documents: Vec<&AnalyzedDocument> = documents.iter().collect();
            Ok(reader.store_ahead_in(space, &documents, None)?)
        };
        self.write(&Credentials::ANONYMOUS, store, |tx, ()| {
            tx.act_for(known);
            work(tx)
        })
    }

    fn commit_together(&self, key: GroupKey, group: &mut [Box<dyn Member>]) -> Result<()> {
        let (space, _) = key.head;
        let documents: Vec<Arc<[AnalyzedDocument]>> =
            group.iter().map(|member| member.documents()).filter(|documents| !documents.is_empty()).collect();
        let store = |reader: &mut crate::Reader<'_>| {
            let documents: Vec<&AnalyzedDocument> =
                documents.iter().flat_map(|documents| documents.iter()).collect();
            reader.store_ahead_in(space, &documents, None)
        };
        self.write(&Credentials::ANONYMOUS, store, |tx, ()| {
            for member in group {
                tx.act_for(member.known());
                let before = tx.closing.size();
                match member.perform(tx) {
                    Performed::Done => {}
                    // The write was refused before it changed anything.
                    Performed::Failed if tx.closing.size() == before && tx.is_usable() => {}
                    Performed::Failed => return Err(Error::Outdated),
                }
            }
            Ok(())
        })
    }
}

impl Runner {
    /// Waits for the turn, if this kind of writes needs one.
    pub async fn turn(&self) -> Option<Turn> {
        match self.key.kind {
            GroupKind::Comments => None,
            GroupKind::Edits => Some(self.storage.turn(self.key.head).await),
        }
    }

    /// Commits the next group. Returns the runner for the following group; `None` if no write waits. Blocks.
    #[must_use]
    pub fn commit(mut self) -> Option<Self> {
        let group = self.storage.groups().take(self.key);
        if group.is_empty() {
            self.is_done = true;
            return None;
        }
        group_queue::commit(group, &|group| self.storage.commit_together(self.key, group));
        Some(self)
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        if self.is_done {
            return;
        }
        self.storage.groups().refuse(self.key);
    }
}
