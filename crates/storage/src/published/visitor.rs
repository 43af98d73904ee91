//! Visitors of sites in the API.

use quire_domain::ids::{OrganizationId, SiteId, TokenId, UserId};
use uuid::Uuid;

use crate::lookup::Actor;
use crate::sites::key_digest;

/// A visitor acts as no user, and can only read.
pub(super) const VISITOR: Actor =
    Actor { user: UserId::from_uuid(Uuid::nil()), token: TokenId::from_uuid(Uuid::nil()), read_only: true };

/// Hash of the key of a share link, which proves the key without revealing it.
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
    /// The visitor has a token that the organization signed.
    pub is_vouched: bool,
}
