//! Maps keyed by the ids of spaces.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use quire_domain::ids::SpaceId;

/// Map keyed by the ids of spaces. Servers generate these ids from random bits, so the hash needs no secret key. The
/// hash must be fast: a search of an organization looks up each of its spaces several times.
pub type SpaceMap<V> = HashMap<SpaceId, V, BuildHasherDefault<IdHasher>>;

/// Hasher of ids that folds eight bytes at a time.
#[derive(Clone, Copy, Debug)]
pub struct IdHasher(u64);

impl Default for IdHasher {
    fn default() -> Self {
        Self(MULTIPLIER)
    }
}

/// Odd number with evenly distributed bits: 2⁶⁴ divided by the golden ratio.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

impl IdHasher {
    fn fold(&mut self, part: u64) {
        // Both halves of the product are combined, so that each bit of the part affects low and high bits.
        let product = u128::from(self.0 ^ part) * u128::from(MULTIPLIER);
        let [low, high] =
            [product, product >> 64].map(|half| u64::try_from(half & u128::from(u64::MAX)).unwrap_or(0));
        self.0 = low ^ high;
    }
}

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (parts, rest) = bytes.as_chunks::<8>();
        for part in parts {
            self.fold(u64::from_le_bytes(*part));
        }
        for byte in rest {
            self.fold(u64::from(*byte));
        }
    }

    fn write_usize(&mut self, _: usize) {
        // All ids have the same length.
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::{BuildHasher as _, BuildHasherDefault};

    use quire_domain::ids::SpaceId;
    use uuid::Uuid;

    use super::IdHasher;

    /// Ids that differ only in a few bits.
    #[test]
    fn hashes_of_similar_ids_are_spread() {
        let hasher = BuildHasherDefault::<IdHasher>::default();
        for shift in [0, 8, 40, 64, 100] {
            let id = |number: u128| SpaceId::from_uuid(Uuid::from_u128(number << shift));
            let hashes: Vec<u64> = (0..2_000).map(|number| hasher.hash_one(id(number))).collect();
            // A table of 2,000 entries uses the low bits for the bucket and the high bits for the tag.
            let places: HashSet<u64> = hashes.iter().map(|hash| hash % 2_048).collect();
            let tags: HashSet<u64> = hashes.iter().map(|hash| hash >> 57).collect();
            // Random hashes fill about 1,280 buckets.
            assert!(places.len() > 1_000, "{} places of {shift}", places.len());
            assert!(tags.len() > 120, "{} tags of {shift}", tags.len());
        }
    }
}
