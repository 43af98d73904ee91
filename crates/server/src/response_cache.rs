//! Cached response bodies of content reads.

use std::sync::atomic::{AtomicU32, Ordering};

use actix_web::web::Bytes;
use quire_cache::{Cache, EvictionPolicy};
use quire_domain::ids::RevisionId;

/// Hash of all inputs of a body except the revision: see [`Conditional`](crate::respond::Conditional).
pub(crate) type Digest = [u8; 32];

/// Key of a body: its revision, and the full hash whose first bytes are in the entity tag. All content is JSON, so the
/// media type is not part of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AnswerKey {
    pub(crate) revision: RevisionId,
    pub(crate) digest: Digest,
}

/// Bodies of reads whose entity tag depends only on the content and the request. A body does not depend on the caller
/// and never changes, so entries cannot be stale. Callers are authorized before the lookup.
///
/// All bodies are kept compressed, since the JSON of documents shrinks to a fifth. The most frequently read bodies are
/// also kept uncompressed, which saves the decompression. Only one in eight decompressed bodies is inserted there: a
/// frequently read body gets there soon, and reads of many different bodies displace few of them.
pub struct Answers {
    plain: Cache<AnswerKey, Bytes>,
    compressed: Cache<AnswerKey, Bytes>,
    decompressed: AtomicU32,
    /// Maximum size of an uncompressed body, and of a compressed one. Longer bodies would displace many others.
    longest: [usize; 2],
}

/// Approximate overhead of an entry besides its body: key, counters, allocation.
const ENTRY: usize = 256;
/// Fraction of the cache for uncompressed bodies (1/4).
const PLAIN_PART: u64 = 4;
/// Number of decompressions per insertion of an uncompressed body. An insertion costs more than the decompression of a
/// short body.
const SAMPLE: u32 = 8;
/// Fraction of either part that one body may use (1/8).
const LARGEST_PART: u64 = 8;

impl Answers {
    /// Creates a cache of this many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let plain = bytes.div_euclid(PLAIN_PART);
        let parts @ [plain, compressed] = [plain, bytes.saturating_sub(plain)];
        let bounded = |bytes, policy| {
            let weigh = |_: &AnswerKey, body: &Bytes| u32::try_from(weight(body)).unwrap_or(u32::MAX);
            Cache::builder().max_capacity(bytes).eviction_policy(policy).weigher(weigh).build()
        };
        let longest = parts.map(|bytes| {
            usize::try_from(bytes.div_euclid(LARGEST_PART)).unwrap_or(usize::MAX).saturating_sub(ENTRY)
        });
        Self {
            plain: bounded(plain, EvictionPolicy::lru()),
            compressed: bounded(compressed, EvictionPolicy::tiny_lfu()),
            decompressed: AtomicU32::new(0),
            longest,
        }
    }

    /// Returns a function that returns the total size of all bodies in bytes.
    pub(crate) fn bytes(&self) -> impl Fn() -> u64 + Send + Sync + 'static {
        let caches = [self.plain.clone(), self.compressed.clone()];
        move || caches.iter().map(Cache::weighted_size).sum()
    }

    pub(crate) fn get(&self, key: &AnswerKey) -> Option<Bytes> {
        self.plain.get(key).or_else(|| {
            let body = self.compressed.get(key)?;
            // Not hostile input: the cache holds only bodies that `keep` compressed.
            let body = Bytes::from(lz4_flex::decompress_size_prepended(&body).ok()?);
            if self.decompressed.fetch_add(1, Ordering::Relaxed).is_multiple_of(SAMPLE) {
                self.keep_plain(*key, &body);
            }
            Some(body)
        })
    }

    /// Caches a new body unless it is too long, and returns it.
    pub(crate) fn keep(&self, key: AnswerKey, mut body: Vec<u8>) -> Bytes {
        // Spare capacity would not be counted.
        body.shrink_to_fit();
        let body = Bytes::from(body);
        let [_, longest] = self.longest;
        if longest > 0 {
            let mut compressed = lz4_flex::compress_prepend_size(&body);
            if compressed.len() <= longest {
                compressed.shrink_to_fit();
                self.compressed.insert(key, Bytes::from(compressed));
            }
        }
        body
    }

    fn keep_plain(&self, key: AnswerKey, body: &Bytes) {
        let [longest, _] = self.longest;
        if body.len() <= longest {
            self.plain.insert(key, body.clone());
        }
    }
}

fn weight(body: &Bytes) -> usize {
    body.len().saturating_add(ENTRY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(first: u8) -> AnswerKey {
        let mut digest = [0; 32];
        digest[0] = first;
        AnswerKey { revision: "0190a5d2-7c1e-7000-8000-000000000001".parse().unwrap(), digest }
    }

    #[test]
    fn a_body_is_found_by_all_of_its_key() {
        let answers = Answers::new(64 << 10);
        let body = answers.keep(key(1), b"one".to_vec());
        assert_eq!(answers.get(&key(1)), Some(body));
        assert_eq!(answers.get(&key(2)), None);
    }

    /// Returns an incompressible body.
    fn noise(length: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn a_body_is_found_compressed_once_it_is_no_longer_kept_as_it_is() {
        let answers = Answers::new(64 << 10);
        let body = answers.keep(key(1), vec![b' '; 40 << 10]);
        assert_eq!(answers.plain.get(&key(1)), None, "it is too long");
        assert_eq!(answers.get(&key(1)), Some(body));
    }

    #[test]
    fn a_body_that_is_read_often_is_kept_as_it_is() {
        let answers = Answers::new(64 << 10);
        let bodies = [2, 3].map(|name| answers.keep(key(name), noise(1 << 10)));
        assert_eq!(answers.get(&key(2)), Some(bodies[0].clone()));
        assert_eq!(answers.plain.get(&key(2)), Some(bodies[0].clone()), "the first of a sample");
        for _ in 1..SAMPLE {
            assert_eq!(answers.get(&key(3)), Some(bodies[1].clone()));
            assert_eq!(answers.plain.get(&key(3)), None);
        }
        assert_eq!(answers.get(&key(3)), Some(bodies[1].clone()));
        assert_eq!(answers.plain.get(&key(3)), Some(bodies[1].clone()));
    }

    #[test]
    fn a_long_body_is_answered_and_not_kept() {
        let answers = Answers::new(64 << 10);
        let long = noise(6 << 10);
        assert_eq!(answers.keep(key(1), long.clone()), long);
        assert_eq!(answers.get(&key(1)), None);
        let fitting = noise(5 << 10);
        let _ = answers.keep(key(1), fitting.clone());
        assert_eq!(answers.get(&key(1)), Some(Bytes::from(fitting)));
    }

    #[test]
    fn bodies_are_bounded_together() {
        let answers = Answers::new(64 << 10);
        for first in 0..=255 {
            let _ = answers.keep(key(first), noise(1 << 10));
            // Only decompressed bodies are also kept uncompressed.
            (0..SAMPLE).for_each(|_| drop(answers.get(&key(first))));
        }
        let held = [&answers.plain, &answers.compressed].map(Cache::weighted_size);
        assert!(held.iter().sum::<u64>() <= 64 << 10, "{held:?}");
        assert!(held.iter().all(|bytes| *bytes > 0), "{held:?}");
    }

    #[test]
    fn a_cache_without_bytes_keeps_nothing() {
        let answers = Answers::new(0);
        assert_eq!(answers.keep(key(1), b"one".to_vec()), "one");
        assert_eq!(answers.get(&key(1)), None);
    }
}
