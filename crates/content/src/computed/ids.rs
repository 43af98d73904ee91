//! Ids of computed content.

use quire_domain::ids::PageId;
use sha2::{Digest, Sha256};

/// Returns the id of the page at a JSON pointer: a UUID of version 8 (RFC 9562) that is derived from a hash.
pub fn page_id(seed: &str, pointer: &str) -> PageId {
    let digest = hash("page", seed, pointer).finalize();
    let bytes = digest.first_chunk::<16>().copied().unwrap_or_default();
    PageId::from_uuid(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

/// Returns a function that derives the keys of the blocks of the page at a JSON pointer.
pub fn node_keys(seed: &str, pointer: &str) -> impl Fn(usize) -> String {
    let start = hash("node", seed, pointer);
    move |number| {
        let digest = start.clone().chain_update(number.to_string()).finalize();
        digest.iter().take(10).map(|byte| format!("{byte:02x}")).collect()
    }
}

fn hash(kind: &str, seed: &str, pointer: &str) -> Sha256 {
    // A seed contains no NUL, so different inputs have different hashes.
    Sha256::new()
        .chain_update(kind)
        .chain_update("\0")
        .chain_update(seed)
        .chain_update("\0")
        .chain_update(pointer)
        .chain_update("\0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_follow_from_seed_and_pointer() {
        let id = page_id("seed", "/paths/~1pets/get");
        assert_eq!(id, page_id("seed", "/paths/~1pets/get"));
        assert_eq!(id.as_uuid().get_version_num(), 8);
        assert_ne!(id, page_id("other", "/paths/~1pets/get"));
        assert_ne!(id, page_id("seed", "/paths/~1pets/post"));
        let keys = node_keys("seed", "/info");
        assert_eq!((keys(0), keys(1)), (node_keys("seed", "/info")(0), node_keys("seed", "/info")(1)));
        assert_ne!(keys(0), keys(1));
        assert_eq!(keys(0).len(), 20);
    }
}
