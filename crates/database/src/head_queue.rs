//! Queues of the writers of one head in this process.
//!
//! Writers of one head wait for each other in any case: PostgreSQL serializes them on the row of the head. Here they
//! wait before they take a connection. Otherwise a few dozen writers of one space would hold every connection of the
//! process, and all other requests would wait for them. A turn is not a lock: only the row excludes writers in other
//! processes.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedMutexGuard;

type Queue = Arc<tokio::sync::Mutex<()>>;

/// Queues of the heads that are being written.
#[derive(Debug)]
pub struct Turns<Head>(Arc<Mutex<HashMap<Head, Queue>>>);

/// Permission to write to a head, until it is dropped.
#[derive(Debug)]
pub struct Turn<Head: Copy + Eq + Hash> {
    turns: Turns<Head>,
    head: Head,
    held: Option<OwnedMutexGuard<()>>,
}

impl<Head> Clone for Turns<Head> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Head> Default for Turns<Head> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<Head: Copy + Eq + Hash> Turns<Head> {
    /// Waits for the turn of a writer. Writers of a head take turns in the order of their calls.
    pub async fn take(&self, head: Head) -> Turn<Head> {
        let queue = Arc::clone(self.queues().entry(head).or_default());
        // Created before the wait, so that a cancelled writer removes its queue.
        let mut turn = Turn { turns: self.clone(), head, held: None };
        turn.held = Some(queue.lock_owned().await);
        turn
    }

    fn queues(&self) -> std::sync::MutexGuard<'_, HashMap<Head, Queue>> {
        // The critical sections do not panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.queues().len()
    }
}

impl<Head: Copy + Eq + Hash> Drop for Turn<Head> {
    fn drop(&mut self) {
        drop(self.held.take());
        let mut queues = self.turns.queues();
        // Each waiting writer holds a reference to the queue, too.
        if queues.get(&self.head).is_some_and(|queue| Arc::strong_count(queue) == 1) {
            queues.remove(&self.head);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn one_writer_of_a_head_has_the_turn_and_the_others_follow_in_order() {
        let turns = Turns::default();
        let first = turns.take(1).now_or_never().unwrap();
        let (mut second, mut third) = (Box::pin(turns.take(1)), Box::pin(turns.take(1)));
        assert!(second.as_mut().now_or_never().is_none() && third.as_mut().now_or_never().is_none());
        assert!(turns.take(2).now_or_never().is_some(), "another head has its own turns");
        drop(first);
        assert!(third.as_mut().now_or_never().is_none());
        let second = second.now_or_never().unwrap();
        drop(second);
        assert!(third.now_or_never().is_some());
    }

    #[test]
    fn no_queue_is_left_behind() {
        let turns = Turns::default();
        let first = turns.take(1).now_or_never().unwrap();
        let mut given_up = Box::pin(turns.take(1));
        assert!(given_up.as_mut().now_or_never().is_none());
        drop(first);
        assert_eq!(turns.len(), 1);
        drop(given_up);
        assert_eq!(turns.len(), 0);
    }
}
