//! Ids of invite links, which are secrets. The database has only their hashes, and the seeds from which they are
//! derived with a deployment key.

use hmac::Mac as _;
use quire_domain::ids::InviteId;
use sha2::{Digest as _, Sha256};
use uuid::{Builder, Uuid};

use crate::operations::keys;

/// Deployment key from which ids are derived.
pub(super) const KEY: &str = "invites";

/// Returns the id of the link that is derived from a seed.
pub(super) fn id_of(key: &[u8; 32], seed: Uuid) -> InviteId {
    let mut mac = keys::mac(key);
    mac.update(format!("invite {seed}").as_bytes());
    InviteId::from_uuid(shortened(&mac.finalize().into_bytes()))
}

/// Returns the id under which an invite is stored and logged. It does not grant access.
#[must_use]
pub fn stored_id(invite: InviteId) -> Uuid {
    shortened(&Sha256::digest(Uuid::from(invite).as_bytes()))
}

/// Returns a UUID of the first bytes.
fn shortened(bytes: &[u8]) -> Uuid {
    let mut id = [0; 16];
    id.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    Builder::from_custom_bytes(id).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_follows_from_key_and_seed_and_not_from_what_is_stored() {
        let (key, seed) = ([7; 32], Uuid::from_u128(1));
        let id = id_of(&key, seed);
        assert_eq!(id, id_of(&key, seed));
        assert_ne!(id, id_of(&[8; 32], seed));
        assert_ne!(id, id_of(&key, Uuid::from_u128(2)));
        assert_ne!(stored_id(id), Uuid::from(id));
        assert_ne!(stored_id(id), seed);
    }
}
