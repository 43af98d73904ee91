//! Cached response bodies of reads of content.

use actix_web::web::Bytes;
use moka::sync::Cache;
use quire_domain::ids::RevisionId;

/// Hash of the inputs of a body other than the revision: see [`Conditional`](crate::respond::Conditional).
pub(crate) type Digest = [u8; 32];

/// Key of a body: its revision, and the whole hash whose first bytes are in the entity tag. All content is JSON, so the
/// media type is not part of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AnswerKey {
    pub(crate) revision: RevisionId,
    pub(crate) digest: Digest,
}

/// Bodies of reads whose entity tag follows from the content and the request. A body does not depend on the caller and
/// never changes, so entries cannot be stale. Callers are authorized before the lookup.
pub struct Answers {
    bodies: Cache<AnswerKey, Bytes>,
    /// Longest cached body. A longer one would displace many others.
    longest: u64,
}

/// Approximate overhead of an entry besides its body: key, counters, allocation.
const ENTRY: usize = 256;
/// Fraction of the cache that one body may use.
const LARGEST_PART: u64 = 8;

impl Answers {
    /// Creates a cache of this many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let bodies = Cache::builder()
            .max_capacity(bytes)
            .weigher(|_, body: &Bytes| u32::try_from(weight(body)).unwrap_or(u32::MAX))
            .build();
        Self { bodies, longest: bytes.div_euclid(LARGEST_PART) }
    }

    pub(crate) fn get(&self, key: &AnswerKey) -> Option<Bytes> {
        self.bodies.get(key)
    }

    /// Takes a new body, and caches it unless it is too long.
    pub(crate) fn keep(&self, key: AnswerKey, mut body: Vec<u8>) -> Bytes {
        // Spare capacity would not be counted.
        body.shrink_to_fit();
        let body = Bytes::from(body);
        if u64::try_from(weight(&body)).is_ok_and(|weight| weight <= self.longest) {
            self.bodies.insert(key, body.clone());
        }
        body
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

    #[test]
    fn a_long_body_is_answered_and_not_kept() {
        let answers = Answers::new(64 << 10);
        let long = vec![b' '; 8 << 10];
        assert_eq!(answers.keep(key(1), long.clone()), long);
        assert_eq!(answers.get(&key(1)), None);
        let fitting = (8 << 10) - ENTRY;
        let _ = answers.keep(key(1), vec![b' '; fitting]);
        assert_eq!(answers.get(&key(1)).map(|body| body.len()), Some(fitting));
    }

    #[test]
    fn bodies_are_bounded_together() {
        let answers = Answers::new(64 << 10);
        for first in 0..=255 {
            let _ = answers.keep(key(first), vec![b' '; 4 << 10]);
        }
        answers.bodies.run_pending_tasks();
        assert!(answers.bodies.weighted_size() <= 64 << 10);
    }
}
