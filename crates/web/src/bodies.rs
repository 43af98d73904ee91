//! Cache of response bodies by everything that they depend on, in memory and in a larger file.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use quire_cache::{Cache, EvictionPolicy};

use crate::body::{Body, Encoding, Key};
use crate::ring::{RecordLocation, Ring};

/// A body may take at most one part in this many of the memory.
const LARGEST_PART: u64 = 8;
/// The index of the file takes one part in this many of the memory.
const INDEX_PART: u64 = 4;
/// Approximate size of an index entry in bytes.
const INDEX_ENTRY: u32 = 200;
/// Size of the file in bytes. The page cache of the system holds it while memory is free.
const FILE: u64 = 128 << 20;
/// Number of keys in progress above which keys without waiting requests are removed.
const TURNS: usize = 256;

/// Response bodies by key and content coding. The key covers everything that a body depends on, so entries never become
/// outdated.
///
/// Text is kept only in compressed form, in the coding of the first request. Other codings are made from it. Every body
/// is written to the file, which has room for the pages of a large site. The most frequently read ones are also in
/// memory.
pub(crate) struct Bodies {
    memory: Cache<(Key, Encoding), Body>,
    /// Maximum length of a body in memory.
    longest: usize,
    file: Option<Ring>,
    index: Cache<(Key, Encoding), Filed>,
    turns: Mutex<HashMap<Key, Weak<tokio::sync::Mutex<()>>>>,
}

#[derive(Clone)]
struct Filed {
    record: RecordLocation,
    content_type: &'static str,
    policy: Arc<str>,
}

/// Permit to make the body of a key. Other requests for it wait until the permit is dropped.
pub(crate) struct Turn(#[expect(dead_code, reason = "held, not read")] tokio::sync::OwnedMutexGuard<()>);

impl Bodies {
    /// Creates a cache with this many bytes of memory.
    pub(crate) fn new(bytes: u64) -> Self {
        let index = bytes.div_euclid(INDEX_PART);
        let memory = bytes.saturating_sub(index);
        let weigh = |_: &(Key, Encoding), body: &Body| u32::try_from(body.weight()).unwrap_or(u32::MAX);
        let file = Ring::create(if bytes == 0 { 0 } else { FILE });
        Self {
            memory: Cache::builder().max_capacity(memory).weigher(weigh).build(),
            longest: usize::try_from(memory.div_euclid(LARGEST_PART)).unwrap_or(usize::MAX),
            file: file
                .inspect_err(|error| log::warn!("the file for pages of sites can't be created: {error}"))
                .ok(),
            // LRU like the file, in which new bodies overwrite the oldest.
            index: Cache::builder()
                .max_capacity(index)
                .eviction_policy(EvictionPolicy::lru())
                .weigher(|_, _| INDEX_ENTRY)
                .build(),
            turns: Mutex::default(),
        }
    }

    /// Returns a function that computes the size of all bodies in memory and of the index, in bytes.
    pub(crate) fn bytes(&self) -> impl Fn() -> u64 + Send + Sync + 'static {
        let (memory, index) = (self.memory.clone(), self.index.clone());
        move || memory.weighted_size().saturating_add(index.weighted_size())
    }

    /// Returns a body in this coding, or in another one that can be converted.
    pub(crate) fn get(&self, key: &Key, encoding: Encoding) -> Option<Body> {
        let codings = match encoding {
            Encoding::Brotli => [Encoding::Brotli, Encoding::Gzip, Encoding::Identity],
            Encoding::Gzip => [Encoding::Gzip, Encoding::Brotli, Encoding::Identity],
            Encoding::Identity => [Encoding::Identity, Encoding::Brotli, Encoding::Gzip],
        };
        codings
            .into_iter()
            .find_map(|coding| self.memory.get(&(*key, coding)).or_else(|| self.filed(*key, coding)))
    }

    fn filed(&self, key: Key, encoding: Encoding) -> Option<Body> {
        let Filed { record, content_type, policy } = self.index.get(&(key, encoding))?;
        let read = self.file.as_ref()?.read(record);
        let read =
            read.inspect_err(|error| log::warn!("a page of a site can't be read from its file: {error}"));
        let Some(bytes) = read.ok().flatten() else {
            self.index.invalidate(&(key, encoding));
            return None;
        };
        let body = Body::stored(bytes, encoding, content_type, policy);
        self.remember(key, &body);
        Some(body)
    }

    /// Caches a body.
    pub(crate) fn keep(&self, key: Key, body: &Body) {
        self.remember(key, body);
        let Some(file) = &self.file else { return };
        match file.write(body.bytes()) {
            Ok(Some(record)) => {
                let (content_type, policy) = (body.content_type, Arc::clone(&body.policy));
                self.index.insert((key, body.encoding), Filed { record, content_type, policy });
            }
            Ok(None) => {}
            Err(error) => log::warn!("a page of a site can't be written to its file: {error}"),
        }
    }

    fn remember(&self, key: Key, body: &Body) {
        if body.weight() <= self.longest {
            self.memory.insert((key, body.encoding), body.clone());
        }
    }

    /// Acquires the permit to make the body of a key, so that concurrent requests make it once. Afterwards the caller
    /// must look the body up again.
    pub(crate) async fn turn(&self, key: Key) -> Turn {
        let turn = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            if turns.len() >= TURNS {
                turns.retain(|_, turn| turn.strong_count() > 0);
            }
            let known = turns.get(&key).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let turn = Arc::default();
                turns.insert(key, Arc::downgrade(&turn));
                turn
            })
        };
        Turn(turn.lock_owned().await)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::body::TEXT_POLICY;

    fn body(length: usize) -> Body {
        Body::new(vec![0; length], "image/png", TEXT_POLICY)
    }

    #[test]
    fn long_bodies_and_those_that_memory_has_no_room_for_are_in_the_file() {
        let bodies = Bodies::new(64 << 10);
        for name in 0..100 {
            bodies.keep([name; 32], &body(4 << 10));
        }
        bodies.keep([100; 32], &body(1 << 20));
        // The index has room for 81 entries.
        let found = (0..100).filter(|name| bodies.get(&[*name; 32], Encoding::Identity).is_some()).count();
        assert!(found >= 70, "{found}");
        assert_eq!(bodies.get(&[100; 32], Encoding::Identity).map(|body| body.bytes().len()), Some(1 << 20));
        assert!(bodies.bytes()() <= 64 << 10);
    }

    #[test]
    fn a_coding_is_made_from_another() {
        let bodies = Bodies::new(1 << 20);
        let text = "All of them. ".repeat(1_000);
        let plain = Body::new(text, "text/plain", TEXT_POLICY);
        bodies.keep([1; 32], &plain.clone().coded(Encoding::Brotli));
        for encoding in [Encoding::Identity, Encoding::Gzip, Encoding::Brotli] {
            let found = bodies.get(&[1; 32], encoding).unwrap().coded(encoding);
            assert_eq!(found.encoding, encoding);
            assert_eq!(found.coded(Encoding::Identity).bytes(), plain.bytes());
        }
    }

    #[actix_web::test]
    async fn a_body_is_made_once_at_a_time() {
        let (bodies, made) = (Arc::new(Bodies::new(1 << 20)), Arc::new(AtomicU32::new(0)));
        let requests = (0..8).map(|_| {
            let (bodies, made) = (Arc::clone(&bodies), Arc::clone(&made));
            async move {
                let _turn = bodies.turn([1; 32]).await;
                if bodies.get(&[1; 32], Encoding::Identity).is_none() {
                    made.fetch_add(1, Ordering::Relaxed);
                    actix_web::rt::task::yield_now().await;
                    bodies.keep([1; 32], &body(1 << 10));
                }
            }
        });
        let requests: Vec<_> = requests.map(actix_web::rt::spawn).collect();
        for request in requests {
            request.await.unwrap();
        }
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }
}
