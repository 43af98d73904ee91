//! Queues of writes that are committed together (group commit).
//!
//! Writes that arrive while a group is being committed form the next group. A write that finds the queue empty forms a
//! group of its own.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{Error, Result};

/// Maximum number of writes in one transaction.
const GROUP_MAX: usize = 32;
/// Maximum number of writes that wait for one row. Further writes are refused.
const WAITING_MAX: usize = 1_024;

/// Write that waits for its transaction.
pub trait Waiting: Send {
    /// Returns whether the caller has stopped waiting.
    fn is_given_up(&self) -> bool;

    /// Sends the result of the work, or the error of the transaction, to the caller.
    fn answer(self: Box<Self>, committed: Result<()>);
}

/// Waiting writes by key. Writes with the same key may be committed together.
pub struct Groups<Key, Write: ?Sized>(Arc<Mutex<Queues<Key, Write>>>);

type Queues<Key, Write> = HashMap<Key, Queue<Write>>;

/// Writes that wait for one row.
struct Queue<Write: ?Sized> {
    waiting: VecDeque<Box<Write>>,
    /// `true` while a runner commits the writes, or is about to start.
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
        // The critical sections do not panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a write. Returns whether the caller must start a runner.
    ///
    /// # Errors
    /// A refusal if too many writes wait.
    pub fn join(&self, key: Key, write: Box<Write>) -> Result<bool> {
        let mut queues = self.lock();
        let queue = queues.entry(key).or_default();
        if queue.waiting.len() >= WAITING_MAX {
            return Err(Error::overloaded());
        }
        queue.waiting.push_back(write);
        Ok(!std::mem::replace(&mut queue.is_run, true))
    }

    /// Takes the writes that have waited longest, without those whose callers gave up. If it returns none, the runner
    /// must end.
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

    /// Refuses the waiting writes of a key, when their runner could not be started.
    pub fn refuse(&self, key: Key) {
        let queue = self.lock().remove(&key);
        for write in queue.into_iter().flat_map(|queue| queue.waiting) {
            write.answer(Err(Error::overloaded()));
        }
    }
}

/// Commits a group and sends each write its result. If the transaction of several writes fails, each write is committed
/// alone.
pub fn commit<Write: Waiting + ?Sized>(
    mut group: Vec<Box<Write>>,
    transact: &dyn Fn(&mut [Box<Write>]) -> Result<()>,
) {
    match transact(&mut group) {
        Ok(()) => group.into_iter().for_each(|write| write.answer(Ok(()))),
        // The outcome of the COMMIT is unknown, so the writes are not repeated.
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
            log::debug!("a group of {} writes failed and is retried one by one: {error}", group.len());
            for write in group {
                commit(vec![write], transact);
            }
        }
    }
}
