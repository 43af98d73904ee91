//! Master keys, and wrapping of keys.

use std::fmt;

use quire_database::Seal;
use quire_domain::ids::{OrganizationId, ShareLinkId};
use rand::RngExt as _;
use sha2::{Digest, Sha256};

use crate::{Error, Result};

/// First byte of a wrapped key in this format.
const VERSION: u8 = 1;
/// Bytes of a master key's id.
const ID: usize = 8;
/// Additional bytes of a wrapped key: the version, the master key's id, a nonce and a tag.
#[cfg(test)]
const OVERHEAD: usize = 1 + ID + 24 + 16;

/// Id of a master key, which reveals nothing about the key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct KeyId([u8; ID]);

impl KeyId {
    fn of(key: &[u8; 32]) -> Self {
        let digest: [u8; 32] =
            Sha256::new().chain_update(b"quire.master-key\0").chain_update(key).finalize().into();
        let mut id = [0; ID];
        id.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
        Self(id)
    }

    /// Reads the id in these bytes of a wrapped key.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    pub(super) fn bytes(self) -> Vec<u8> {
        self.0.to_vec()
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Column and row of a wrapped key, which are authenticated with it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyOwner<'a> {
    /// Deployment key, by its name.
    DeploymentKey(&'a str),
    /// Visitor key of an organization.
    VisitorKey(OrganizationId),
    /// Key of a share link.
    ShareLink(OrganizationId, ShareLinkId),
}

impl fmt::Display for KeyOwner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DeploymentKey(name) => write!(f, "deployment_keys.secret {name}"),
            Self::VisitorKey(organization) => write!(f, "organizations.visitor_key {organization}"),
            Self::ShareLink(organization, link) => {
                write!(f, "site_share_links.wrapped_key {organization} {link}")
            }
        }
    }
}

#[derive(Clone)]
struct MasterKey {
    id: KeyId,
    seal: Seal,
}

/// Master keys of a node. The current one wraps keys; each of them can unwrap the keys that it wrapped.
#[derive(Clone)]
pub struct MasterKeys {
    current: MasterKey,
    others: Vec<MasterKey>,
}

impl MasterKeys {
    /// Creates a ring. `current` wraps keys from now on; `others` can unwrap the keys that they wrapped before.
    #[must_use]
    pub fn new(current: [u8; 32], others: &[[u8; 32]]) -> Self {
        let master = |key: &[u8; 32]| MasterKey { id: KeyId::of(key), seal: Seal::new(*key) };
        Self { current: master(&current), others: others.iter().map(master).collect() }
    }

    /// Generates a master key.
    #[must_use]
    pub fn generate() -> [u8; 32] {
        rand::rng().random()
    }

    /// Returns the id of the current master key.
    #[must_use]
    pub fn current(&self) -> KeyId {
        self.current.id
    }

    /// Returns whether the ring has a key.
    #[must_use]
    pub fn has(&self, id: KeyId) -> bool {
        self.find(id).is_some()
    }

    fn find(&self, id: KeyId) -> Option<&MasterKey> {
        std::iter::once(&self.current).chain(&self.others).find(|key| key.id == id)
    }

    /// Wraps a key of `owner`.
    pub(crate) fn wrap(&self, owner: KeyOwner<'_>, key: &[u8]) -> Result<Vec<u8>> {
        let sealed = self.current.seal.seal(&owner.to_string(), key)?;
        Ok(std::iter::once(VERSION).chain(self.current.id.0).chain(sealed).collect())
    }

    /// Unwraps a key of `owner`.
    pub(crate) fn unwrap(&self, owner: KeyOwner<'_>, wrapped: &[u8]) -> Result<Vec<u8>> {
        let parts =
            wrapped.split_first().and_then(|(version, rest)| Some((*version, rest.split_first_chunk()?)));
        let Some((VERSION, (id, sealed))) = parts else {
            return Err(Error::corrupt("a wrapped key has no known form", anyhow::anyhow!("{owner}")));
        };
        let id = KeyId(*id);
        let Some(key) = self.find(id) else {
            return Err(Error::Internal(
                "a key is wrapped by a master key that this node doesn't have",
                anyhow::anyhow!("{owner} needs {id}"),
            ));
        };
        key.seal.open(&owner.to_string(), sealed)
    }
}

impl fmt::Debug for MasterKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<String> =
            std::iter::once(&self.current).chain(&self.others).map(|key| key.id.to_string()).collect();
        f.debug_tuple("MasterKeys").field(&ids).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: KeyOwner<'static> = KeyOwner::DeploymentKey("urls");

    #[test]
    fn a_wrapped_key_opens_for_its_owner_with_its_master_key_alone() {
        let ring = MasterKeys::new([1; 32], &[]);
        let wrapped = ring.wrap(OWNER, &[9; 32]).unwrap();
        assert_eq!(wrapped.len(), 32 + OVERHEAD);
        assert_eq!(ring.unwrap(OWNER, &wrapped).unwrap(), [9; 32]);
        assert!(ring.unwrap(KeyOwner::DeploymentKey("webhooks"), &wrapped).is_err());
        let stranger = MasterKeys::new([2; 32], &[]).unwrap(OWNER, &wrapped).unwrap_err();
        assert!(stranger.to_string().contains("master key that this node doesn't have"), "{stranger}");
        for length in [0, 1, 8, 9, 40, 80] {
            assert!(ring.unwrap(OWNER, &wrapped[..length]).is_err(), "{length}");
        }
        let mut other_version = wrapped.clone();
        other_version[0] = 2;
        assert!(ring.unwrap(OWNER, &other_version).is_err());
    }

    #[test]
    fn a_key_that_was_replaced_still_opens_and_no_longer_wraps() {
        let old = MasterKeys::new([1; 32], &[]);
        let both = MasterKeys::new([2; 32], &[[1; 32]]);
        let wrapped = old.wrap(OWNER, b"secret").unwrap();
        assert_eq!(both.unwrap(OWNER, &wrapped).unwrap(), b"secret");
        let again = both.wrap(OWNER, b"secret").unwrap();
        assert!(old.unwrap(OWNER, &again).is_err());
        assert!(both.has(old.current()) && !old.has(both.current()));
        let shown = format!("{both:?} {}", both.current());
        assert!(shown.contains(&old.current().to_string()) && !shown.contains("0202"), "{shown}");
    }
}
