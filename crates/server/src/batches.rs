//! Lookups of concurrent requests, executed together.
//!
//! A lookup joins a queue. While a statement runs, further lookups wait in the queue, and the next statement takes all
//! of them. On an idle server, a batch has one lookup and waits for nothing. On a busy server, many requests share the
//! cost of a statement and of the switch to a blocking thread ([decision
//! 11](../../../docs/adr/0011-batched-lookups.md)).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quire_storage::door::{Use, erase};
use quire_storage::lookup::{ContentKey, Credentials, SpaceKey};
use quire_storage::sites::published::SiteKey;
use quire_storage::{Error as StorageError, ReadRoute, Reader, Result as StorageResult, Server, Storage};
use tokio::sync::oneshot;

use crate::gate::Gate;

/// Maximum number of lookups per statement.
const MAX_BATCH: usize = 64;
/// Maximum number of waiting lookups. Further ones are answered with 503.
const MAX_WAITING: usize = 1_024;

/// Looks up many keys in one statement, in order; `None` for a key without a record.
pub(crate) type BatchLookup<K, V> = fn(&mut Reader<'_>, &[K]) -> StorageResult<Vec<Option<V>>>;

/// Lookup key with the token of its request.
pub(crate) trait Keyed {
    /// Returns the token.
    fn credentials(&self) -> &Credentials;
}

impl Keyed for ContentKey {
    fn credentials(&self) -> &Credentials {
        &self.credentials
    }
}

impl Keyed for SpaceKey {
    fn credentials(&self) -> &Credentials {
        &self.credentials
    }
}

impl Keyed for SiteKey {
    fn credentials(&self) -> &Credentials {
        &Credentials::ANONYMOUS
    }
}

/// Servers on which batches of lookups may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Servers {
    Primary,
    Any,
}

/// Lookups of one kind: a queue for requests whose reads may run on a replica, and one for the others.
pub(crate) struct RoutedBatches<K, V> {
    primary: Batches<K, V>,
    any: Batches<K, V>,
}

impl<K: Keyed + Send + 'static, V: Send + 'static> RoutedBatches<K, V> {
    pub(crate) fn new(gate: &Gate, look: BatchLookup<K, V>) -> Self {
        let primary = Batches::new(gate.clone(), look);
        Self { primary, any: Batches { servers: Servers::Any, ..Batches::new(gate.clone(), look) } }
    }

    /// Looks up a key like [`Batches::find`], on the route of its request.
    ///
    /// # Errors
    /// See [`Batches::find`].
    pub(crate) async fn find(&self, key: K, route: &ReadRoute) -> StorageResult<Batched<V>> {
        // A batch may run on another replica than the earlier reads of the request.
        if route.server().is_some() {
            route.note(Server::Primary);
            return self.primary.find(key).await;
        }
        let (found, server) = self.any.find_on(key).await?;
        route.note(server);
        Ok(found)
    }
}

/// Result of a lookup in a batch.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Batched<V> {
    /// Record of the key.
    Found(V),
    /// The token or the record does not exist.
    Absent,
    /// The batch failed, possibly because of another key. The request must look up its own key.
    Alone,
}

type Reply<V> = oneshot::Sender<StorageResult<(Batched<V>, Server)>>;

/// Lookups of one kind.
pub(crate) struct Batches<K, V> {
    gate: Gate,
    look: BatchLookup<K, V>,
    queue: Arc<Queue<K, V>>,
    servers: Servers,
}

struct Queue<K, V>(Mutex<Waiting<K, V>>);

struct Waiting<K, V> {
    lookups: VecDeque<(K, Reply<V>)>,
    /// `true` while a runner takes lookups from the queue, or is about to start.
    is_run: bool,
}

impl<K: Keyed + Send + 'static, V: Send + 'static> Batches<K, V> {
    /// Creates a queue of lookups that run on the primary.
    pub(crate) fn new(gate: Gate, look: BatchLookup<K, V>) -> Self {
        let waiting = Waiting { lookups: VecDeque::new(), is_run: false };
        Self { gate, look, queue: Arc::new(Queue(Mutex::new(waiting))), servers: Servers::Primary }
    }

    /// Looks up a key together with the keys of other requests.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] if the database is not reachable; 503 if too many lookups wait or no connection is
    /// free in time.
    pub(crate) async fn find(&self, key: K) -> StorageResult<Batched<V>> {
        Ok(self.find_on(key).await?.0)
    }

    /// Looks up a key. Also returns the server that was used.
    async fn find_on(&self, key: K) -> StorageResult<(Batched<V>, Server)> {
        let (reply, answer) = oneshot::channel();
        if self.queue.join(key, reply)? {
            // A task of its own, so that the runner serves the other lookups even if this request is cancelled.
            let runner = Runner { queue: self.queue.clone(), is_done: false };
            actix_web::rt::spawn(run(self.gate.clone(), self.look, self.servers, runner));
        }
        answer.await.unwrap_or(Ok((Batched::Alone, Server::Primary)))
    }
}

/// Runs batches on a blocking thread until no lookup waits.
async fn run<K: Keyed + Send + 'static, V: Send + 'static>(
    gate: Gate,
    look: BatchLookup<K, V>,
    servers: Servers,
    runner: Runner<K, V>,
) {
    let serve = move |storage: &Storage| {
        while let Some((keys, replies)) = runner.queue.take() {
            if servers == Servers::Primary {
                let found = storage.read(&Credentials::ANONYMOUS, |reader| look(reader, &keys));
                answer(replies, found, Server::Primary);
                continue;
            }
            // A caller who has just written may be ahead of the replicas. In a common batch, all lookups would run on
            // the primary.
            let lookups = keys.into_iter().zip(replies);
            let (ahead, others): (Vec<_>, Vec<_>) =
                lookups.partition(|(key, _)| storage.has_seen(key.credentials()));
            for part in [ahead, others].into_iter().filter(|part| !part.is_empty()) {
                let (keys, replies): (Vec<K>, Vec<_>) = part.into_iter().unzip();
                let callers: Vec<Credentials> = keys.iter().map(|key| *key.credentials()).collect();
                let route = ReadRoute::open();
                let look = |reader: &mut Reader<'_>| look(reader, &keys);
                let found = storage.read_replicated(&route, &callers, &Credentials::ANONYMOUS, look);
                answer(replies, found, route.server().unwrap_or(Server::Primary));
            }
        }
        runner.finish();
        erase(Ok::<_, StorageError>(()))
    };
    // Without a permit, the runner is dropped, which answers the waiting lookups.
    let _ = gate.block(Use::Read, Box::new(serve)).await;
}

/// Sends the result of each lookup of a batch.
fn answer<V>(replies: Vec<Reply<V>>, found: StorageResult<Vec<Option<V>>>, server: Server) {
    let cause = match found {
        Ok(found) => {
            for (reply, found) in replies.into_iter().zip(found) {
                // The receiver of a cancelled request is gone.
                let _ = reply.send(Ok((found.map_or(Batched::Absent, Batched::Found), server)));
            }
            return;
        }
        Err(StorageError::Unavailable(cause)) => Some(format!("{cause:#}")),
        Err(error) => {
            log::warn!("a batch of lookups failed: {:#}", anyhow::Error::from(error));
            None
        }
    };
    for reply in replies {
        let result = match &cause {
            Some(cause) => Err(StorageError::Unavailable(anyhow::anyhow!("{cause}"))),
            None => Ok((Batched::Alone, Server::Primary)),
        };
        let _ = reply.send(result);
    }
}

impl<K, V> Queue<K, V> {
    fn lock(&self) -> MutexGuard<'_, Waiting<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a lookup. Returns whether the caller must start a runner.
    fn join(&self, key: K, reply: Reply<V>) -> StorageResult<bool> {
        let mut waiting = self.lock();
        if waiting.lookups.len() >= MAX_WAITING {
            return Err(StorageError::overloaded());
        }
        waiting.lookups.push_back((key, reply));
        Ok(!std::mem::replace(&mut waiting.is_run, true))
    }

    /// Takes the next batch, without the lookups of cancelled requests. `None` ends the run.
    fn take(&self) -> Option<(Vec<K>, Vec<Reply<V>>)> {
        let mut waiting = self.lock();
        let waits = |(_, reply): &(K, Reply<V>)| !reply.is_closed();
        let mut batch: Vec<(K, Reply<V>)> = Vec::new();
        while batch.len() < MAX_BATCH
            && let Some(lookup) = waiting.lookups.pop_front()
        {
            batch.extend(Some(lookup).filter(waits));
        }
        waiting.is_run = !batch.is_empty();
        waiting.is_run.then(|| batch.into_iter().unzip())
    }

    /// Ends the run and returns the waiting lookups.
    fn end(&self) -> VecDeque<(K, Reply<V>)> {
        let mut waiting = self.lock();
        waiting.is_run = false;
        std::mem::take(&mut waiting.lookups)
    }
}

/// Permission to run the queue.
struct Runner<K, V> {
    queue: Arc<Queue<K, V>>,
    /// The queue was empty at the last check. It may have another runner since then.
    is_done: bool,
}

impl<K, V> Runner<K, V> {
    /// Ends the run after the queue was found empty.
    fn finish(mut self) {
        self.is_done = true;
    }
}

/// A runner without a permit answers the waiting lookups with 503. After a panic, each request looks up its own key.
impl<K, V> Drop for Runner<K, V> {
    fn drop(&mut self) {
        if self.is_done {
            return;
        }
        for (_, reply) in self.queue.end() {
            let result = if std::thread::panicking() {
                Ok((Batched::Alone, Server::Primary))
            } else {
                Err(StorageError::overloaded())
            };
            let _ = reply.send(result);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Answer = oneshot::Receiver<StorageResult<(Batched<u8>, Server)>>;

    fn queue() -> Arc<Queue<u8, u8>> {
        Arc::new(Queue(Mutex::new(Waiting { lookups: VecDeque::new(), is_run: false })))
    }

    fn join(queue: &Queue<u8, u8>, key: u8) -> (bool, Answer) {
        let (reply, answer) = oneshot::channel();
        (queue.join(key, reply).unwrap(), answer)
    }

    fn taken(queue: &Queue<u8, u8>) -> Option<Vec<u8>> {
        queue.take().map(|(keys, _)| keys)
    }

    #[test]
    fn lookups_that_wait_are_taken_together_by_one_runner() {
        let queue = queue();
        let (starts, _first) = join(&queue, 1);
        assert!(starts);
        assert_eq!(taken(&queue), Some(vec![1]));
        let joined = [2, 3].map(|key| join(&queue, key));
        assert!(joined.iter().all(|(starts, _)| !starts));
        assert_eq!(taken(&queue), Some(vec![2, 3]));
        assert_eq!(taken(&queue), None);
        assert!(join(&queue, 4).0, "an empty queue needs another runner");
    }

    #[test]
    fn a_batch_is_bounded() {
        let queue = queue();
        let _answers: Vec<_> = (0..100).map(|key| join(&queue, key)).collect();
        assert_eq!(taken(&queue).map(|keys| keys.len()), Some(MAX_BATCH));
        assert_eq!(taken(&queue), Some((64..100).collect()));
    }

    #[test]
    fn cancelled_requests_are_not_looked_up() {
        let queue = queue();
        let (_, first) = join(&queue, 1);
        let (_, _second) = join(&queue, 2);
        drop(first);
        assert_eq!(taken(&queue), Some(vec![2]));
    }

    #[test]
    fn a_full_queue_refuses() {
        let queue = queue();
        let _answers: Vec<_> = (0..MAX_WAITING).map(|_| join(&queue, 0)).collect();
        let (reply, _) = oneshot::channel();
        assert!(matches!(queue.join(0, reply), Err(StorageError::Refused(_))));
    }

    #[test]
    fn each_lookup_gets_its_own_reply() {
        let queue = queue();
        let mut answers = [1, 2].map(|key| join(&queue, key).1);
        let (_, replies) = queue.take().unwrap();
        answer(replies, Ok(vec![Some(7), None]), Server::Replica(1));
        let [first, second] = answers.each_mut().map(|answer| {
            let (found, server) = answer.try_recv().unwrap().unwrap();
            assert_eq!(server, Server::Replica(1));
            found
        });
        assert_eq!((first, second), (Batched::Found(7), Batched::Absent));
    }

    #[test]
    fn a_failed_batch_is_repeated_alone_unless_the_database_is_away() {
        let outcome = |error| {
            let queue = queue();
            let (_, mut answer_of) = join(&queue, 1);
            let (_, replies) = queue.take().unwrap();
            answer(replies, Err(error), Server::Primary);
            answer_of.try_recv().unwrap()
        };
        let damaged = StorageError::Internal("damaged", anyhow::anyhow!("another row"));
        assert!(matches!(outcome(damaged), Ok((Batched::Alone, _))));
        let away = StorageError::Unavailable(anyhow::anyhow!("away"));
        assert!(matches!(outcome(away), Err(StorageError::Unavailable(_))));
    }

    #[test]
    fn lookups_end_with_a_runner_that_gets_no_turn() {
        let queue = queue();
        let (_, mut answer) = join(&queue, 1);
        drop(Runner { queue: queue.clone(), is_done: false });
        assert!(matches!(answer.try_recv(), Ok(Err(StorageError::Refused(_)))));
        assert!(join(&queue, 2).0, "the next lookup starts another runner");
    }
}
