//! Writes of several callers in one transaction.
//!
//! Comments of one space change one counter, whose row each transaction locks until the end of its COMMIT. Alone, they follow
//! each other at the speed of a COMMIT. Here, the writes that wait while one commits are committed together by the next: one
//! transaction, one update of the counter, one COMMIT. A write that finds no other waiting is committed alone, at once.
//!
//! Each write was authorized before, has its own result, and its own entry in the audit log. If one of a group fails, the group is
//! rolled back and each is done in a transaction of its own, so that the others don't fail with it.
//! [Decision 12](../../../docs/adr/0012-one-writer-per-space.md) has the reasons.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::credentials::Credentials;
use crate::transaction::{Known, Tx};
use crate::turns::HeadKey;
use crate::{Error, Result, Storage};

/// The largest number of writes in one transaction.
const GROUP_MAX: usize = 32;

/// A write that may share its transaction. Its work may run twice, the second time after a rollback. It must not look anything up by
/// a token.
pub struct Write {
    known: Known,
    work: Work,
}

type Work = Box<dyn FnMut(&mut Tx<'_>) -> Result<()> + Send>;

/// A write that waits with the sender of its result.
type Waiting = (Write, oneshot::Sender<Result<()>>);

/// The writes that wait, by the row that they count in.
#[derive(Clone, Default)]
pub struct Groups(Arc<Mutex<HashMap<HeadKey, VecDeque<Waiting>>>>);

impl Write {
    /// A write that goes on from the facts of its lookup.
    pub fn new(known: Known, work: impl FnMut(&mut Tx<'_>) -> Result<()> + Send + 'static) -> Self {
        Self { known, work: Box::new(work) }
    }

    fn perform(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        tx.know(self.known);
        (self.work)(tx)
    }
}

impl Groups {
    /// Adds a write to those that wait. Returns the receiver of its result; a write whose receiver is dropped is left out.
    pub fn push(&self, head: HeadKey, write: Write) -> oneshot::Receiver<Result<()>> {
        let (sender, receiver) = oneshot::channel();
        self.waiting().entry(head).or_default().push_back((write, sender));
        receiver
    }

    /// Commits the writes that have waited longest, and sends each its result. Blocks.
    pub fn commit(&self, storage: &Storage, head: HeadKey) {
        let (mut writes, senders): (Vec<Write>, Vec<_>) = self.take(head).into_iter().unzip();
        let results = storage.commit_together(&mut writes);
        for (sender, result) in senders.into_iter().zip(results) {
            // The caller may have gone meanwhile.
            let _ = sender.send(result);
        }
    }

    fn take(&self, head: HeadKey) -> Vec<Waiting> {
        let mut waiting = self.waiting();
        let Some(queue) = waiting.get_mut(&head) else { return Vec::new() };
        let mut group = Vec::new();
        while group.len() < GROUP_MAX
            && let Some((write, sender)) = queue.pop_front()
        {
            if !sender.is_closed() {
                group.push((write, sender));
            }
        }
        if queue.is_empty() {
            waiting.remove(&head);
        }
        group
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<HeadKey, VecDeque<Waiting>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Storage {
    /// Does writes in one transaction or, if one of them fails, each in its own. Returns the results in their order.
    fn commit_together(&self, writes: &mut [Write]) -> Vec<Result<()>> {
        if writes.len() > 1 {
            let together = self.transact(&Credentials::NOBODY, |tx| {
                writes.iter_mut().try_for_each(|write| write.perform(tx))
            });
            match together {
                Ok(()) => return writes.iter().map(|_| Ok(())).collect(),
                // It may have been committed.
                Err(Error::Unavailable(cause)) => {
                    let cause = cause.to_string();
                    let lost = || Err(Error::Unavailable(anyhow::anyhow!("{cause}")));
                    return writes.iter().map(|_| lost()).collect();
                }
                Err(error) => log::debug!("a group of {} writes is done one by one: {error}", writes.len()),
            }
        }
        writes
            .iter_mut()
            .map(|write| self.transact(&Credentials::NOBODY, |tx: &mut Tx<'_>| write.perform(tx)))
            .collect()
    }
}
