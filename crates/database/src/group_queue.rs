//! Queues of writes that are committed together.
//!
//! The writes that wait while one group is committed make the next group. A write that finds no other waiting is a
//! group of one.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quire_domain::error::Reason;

use crate::{Error, Result};

/// The largest number of writes in one transaction.
const GROUP_MAX: usize = 32;
/// The largest number of writes that wait for one row; others are refused.
const WAITING_MAX: usize = 1_024;

/// A write that waits for its transaction.
pub trait Waiting: Send {
    /// Returns whether its caller waits no longer.
    fn is_given_up(&self) -> bool;

    /// Sends the caller the result of its work, or the error of the transaction.
    fn answer(self: Box<Self>, committed: Result<()>);
}

/// The writes that wait, by what they may be committed with.
pub struct Groups<Key, Write: ?Sized>(Arc<Mutex<Queues<Key, Write>>>);

type Queues<Key, Write> = HashMap<Key, Queue<Write>>;

/// The writes that wait for one row.
struct Queue<Write: ?Sized> {
    waiting: VecDeque<Box<Write>>,
    /// A runner commits the writes, or is about to.
    is_run: bool,
}

impl<Write: ?Sized> Default for Queue<Write> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), is_run: false }
    }
}

impl<Key, Write: ?Sized> Clone for Groups<Key, Write> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Key, Write: ?Sized> Default for Groups<Key, Write> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<Key: Copy + Eq + Hash, Write: Waiting + ?Sized> Groups<Key, Write> {
    fn lock(&self) -> MutexGuard<'_, Queues<Key, Write>> {
        // Nothing that is done while it is held panics.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a write. Returns whether the caller must start a runner.
    ///
    /// # Errors
    /// A refusal when too many wait.
    pub fn join(&self, key: Key, write: Box<Write>) -> Result<bool> {
        let mut queues = self.lock();
        let queue = queues.entry(key).or_default();
        if queue.waiting.len() >= WAITING_MAX {
            return Err(busy());
        }
        queue.waiting.push_back(write);
        Ok(!std::mem::replace(&mut queue.is_run, true))
    }

    /// Takes the writes that have waited longest, without those whose callers gave up. Returns none when the runner is
    /// to end.
    #[must_use]
    pub fn take(&self, key: Key) -> Vec<Box<Write>> {
        let mut queues = self.lock();
        let mut group = Vec::new();
        let Some(queue) = queues.get_mut(&key) else { return group };
        while group.len() < GROUP_MAX
            && let Some(write) = queue.waiting.pop_front()
        {
            group.extend(Some(write).filter(|write| !write.is_given_up()));
        }
        if group.is_empty() {
            queues.remove(&key);
        }
        group
    }

    /// Refuses the writes that wait, when no runner comes for them.
    pub fn refuse(&self, key: Key) {
        let queue = self.lock().remove(&key);
        for write in queue.into_iter().flat_map(|queue| queue.waiting) {
            write.answer(Err(busy()));
        }
    }
}

/// Commits a group and sends each write its result. When the transaction of several writes fails, each is committed
/// alone.
pub fn commit<Write: Waiting + ?Sized>(
    mut group: Vec<Box<Write>>,
    transact: &dyn Fn(&mut [Box<Write>]) -> Result<()>,
) {
    match transact(&mut group) {
        Ok(()) => group.into_iter().for_each(|write| write.answer(Ok(()))),
        // It may have been committed.
        Err(Error::Unavailable(cause)) => {
            let cause = format!("{cause:#}");
            let lost = || Err(Error::Unavailable(anyhow::anyhow!("{cause}")));
            group.into_iter().for_each(|write| write.answer(lost()));
        }
        Err(error) => {
            if group.len() == 1 {
                if let Some(write) = group.pop() {
                    write.answer(Err(error));
                }
                return;
            }
            log::debug!("a group of {} writes is done one by one: {error}", group.len());
            for write in group {
                commit(vec![write], transact);
            }
        }
    }
}

/// The error of a write that got no turn.
fn busy() -> Error {
    Error::refused(Reason::Unavailable, "The service is busy; try again.")
}
