//! Documents that wait for the engine's threads.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tantivy::TantivyDocument;
use tantivy::schema::Document;

/// Bytes of texts that wait at most. Their documents take about four times as many.
const QUEUED_BYTES: usize = 1 << 20;

/// Time after which a document is queued although there is no room, such as when the threads have ended, which the
/// engine then reports.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// Room for documents that wait. The engine's own queue is bounded by the number of documents (10,000), whatever they
/// weigh.
#[derive(Clone, Default)]
pub(super) struct Queue(Arc<Shared>);

#[derive(Default)]
struct Shared {
    bytes: Mutex<usize>,
    is_freed: Condvar,
}

/// A document that waits or is being indexed.
pub(super) struct Queued {
    document: TantivyDocument,
    _room: Room,
}

/// Room that is given back when it is dropped.
struct Room {
    queue: Queue,
    bytes: usize,
}

impl Queue {
    /// Waits until there is room for a document with this text. One that is larger than all the room waits for the
    /// others.
    pub(super) fn add(&self, text_bytes: usize, document: TantivyDocument) -> Queued {
        let bytes = text_bytes.min(QUEUED_BYTES);
        let is_full = |queued: &mut usize| queued.saturating_add(bytes) > QUEUED_BYTES;
        let waited = self.0.is_freed.wait_timeout_while(self.bytes(), MAX_WAIT, is_full);
        let (mut queued, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *queued = queued.saturating_add(bytes);
        drop(queued);
        Queued { document, _room: Room { queue: self.clone(), bytes } }
    }

    fn bytes(&self) -> MutexGuard<'_, usize> {
        self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let mut queued = self.queue.bytes();
        *queued = queued.saturating_sub(self.bytes);
        self.queue.0.is_freed.notify_one();
    }
}

impl Document for Queued {
    type Value<'a> = <TantivyDocument as Document>::Value<'a>;
    type FieldsValuesIter<'a> = <TantivyDocument as Document>::FieldsValuesIter<'a>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        self.document.iter_fields_and_values()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{TryRecvError, channel};
    use std::thread;

    use super::*;

    #[test]
    fn documents_wait_for_room() {
        let queue = Queue::default();
        let half = QUEUED_BYTES / 2;
        let (first, second) = (queue.add(half, <_>::default()), queue.add(half, <_>::default()));
        let (sender, added) = channel();
        let other = queue.clone();
        let adding = thread::spawn(move || {
            for bytes in [half, 5 * QUEUED_BYTES, 1] {
                sender.send(other.add(bytes, <_>::default())).unwrap();
            }
        });
        assert_eq!(added.try_recv().err(), Some(TryRecvError::Empty));
        drop(first);
        let third = added.recv().unwrap();
        assert_eq!((*queue.bytes(), added.try_recv().err()), (2 * half, Some(TryRecvError::Empty)));
        drop(second);
        assert_eq!((*queue.bytes(), added.try_recv().err()), (half, Some(TryRecvError::Empty)));
        drop(third);
        // The large one has all the room.
        let large = added.recv().unwrap();
        assert_eq!((*queue.bytes(), added.try_recv().err()), (QUEUED_BYTES, Some(TryRecvError::Empty)));
        drop(large);
        drop(added.recv().unwrap());
        adding.join().unwrap();
        assert_eq!(*queue.bytes(), 0);
    }
}
