//! Bounded queue of documents for the engine's threads.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tantivy::TantivyDocument;
use tantivy::schema::Document;

/// Maximum bytes of queued texts. Their documents take about four times as many.
const QUEUED_BYTES: usize = 1 << 20;

/// Time after which a document is queued although the queue is full. The engine's threads may have ended, which the
/// engine then reports.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// Bound on the size of queued documents. The engine's own queue only bounds their number (10,000), not their size.
#[derive(Clone, Default)]
pub(super) struct Queue(Arc<Shared>);

#[derive(Default)]
struct Shared {
    bytes: Mutex<usize>,
    is_freed: Condvar,
}

/// Document that is queued or being indexed.
pub(super) struct Queued {
    document: TantivyDocument,
    _room: ReservedBytes,
}

/// Reserved bytes of the queue, released on drop.
struct ReservedBytes {
    queue: Queue,
    bytes: usize,
}

impl Queue {
    /// Waits until the queue has room for a document with a text of this size. A document larger than the whole queue
    /// waits until the queue is empty.
    pub(super) fn add(&self, text_bytes: usize, document: TantivyDocument) -> Queued {
        let bytes = text_bytes.min(QUEUED_BYTES);
        let is_full = |queued: &mut usize| queued.saturating_add(bytes) > QUEUED_BYTES;
        let waited = self.0.is_freed.wait_timeout_while(self.bytes(), MAX_WAIT, is_full);
        let (mut queued, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *queued = queued.saturating_add(bytes);
        drop(queued);
        Queued { document, _room: ReservedBytes { queue: self.clone(), bytes } }
    }

    fn bytes(&self) -> MutexGuard<'_, usize> {
        self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ReservedBytes {
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
        // The large document takes the whole queue.
        let large = added.recv().unwrap();
        assert_eq!((*queue.bytes(), added.try_recv().err()), (QUEUED_BYTES, Some(TryRecvError::Empty)));
        drop(large);
        drop(added.recv().unwrap());
        adding.join().unwrap();
        assert_eq!(*queue.bytes(), 0);
    }
}
