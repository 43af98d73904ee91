//! Visitors of sites in the API.

use quire_domain::ids::{OrganizationId, SiteId, TokenId, UserId};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::lookup::Actor;
use crate::sites::key_digest;
use crate::{Error, Result};

/// Actor of a visitor, which is no user and can only read.
pub(super) const VISITOR: Actor = Actor {
    user: UserId::from_uuid(Uuid::nil()),
    token: TokenId::from_uuid(Uuid::nil()),
    read_only: true,
    lacks_factor: false,
};

/// Hash of the key of a share link. It proves knowledge of the key without revealing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShareKeyHash([u8; 32]);

impl ShareKeyHash {
    /// Returns the hash of a key.
    #[must_use]
    pub fn of(key: &str) -> Self {
        Self(key_digest(key))
    }

    /// Returns the hash with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes of the hash.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Visitor of one site, without an API token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteVisitor {
    /// Organization of the site.
    pub organization: OrganizationId,
    /// Site.
    pub site: SiteId,
    /// Key of a share link.
    pub share_key: Option<ShareKeyHash>,
    /// Version of the visitor key that signed the visitor's token; `None` for a visitor without one.
    pub vouched_by: Option<VisitorKeyVersion>,
}

impl SiteVisitor {
    /// Returns whether the organization vouches for the visitor. `key` is its current visitor key.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] for a token signed with a replaced key.
    pub(crate) fn is_vouched(&self, key: Option<&[u8; 32]>) -> Result<bool> {
        match (self.vouched_by, key.map(VisitorKeyVersion::of)) {
            (Some(version), Some(present)) if version != present => Err(Error::Unauthenticated),
            (version, present) => Ok(version.is_some() && present.is_some()),
        }
    }
}

/// Version of an organization's visitor key: a part of its hash, which does not reveal the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VisitorKeyVersion([u8; 16]);

impl VisitorKeyVersion {
    /// Returns the version of a key.
    #[must_use]
    pub fn of(key: &[u8; 32]) -> Self {
        let hash: [u8; 32] =
            Sha256::new().chain_update("version of a visitor key").chain_update(key).finalize().into();
        let (version, _) = hash.split_first_chunk().unwrap_or((&[0; 16], &[]));
        Self(*version)
    }

    /// Returns the version with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes of the version.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}
