//! Keys in the database, each wrapped by a master key that is not in it: with a database dump alone, no secret can be
//! decrypted and nothing can be signed.
//!
//! A wrapped key contains the id of its master key, so several master keys can be used at once during a replacement.
//! Its owner is authenticated with it, so write access to the database is not enough to replace one key by another.

mod rewrap;
mod ring;
mod unlock;

use diesel::prelude::*;
use hmac::{Hmac, KeyInit as _};
use quire_database::Seal;
use rand::RngExt as _;
use sha2::Sha256;

pub use rewrap::Rewrapped;
pub(crate) use ring::KeyOwner;
pub use ring::{KeyId, MasterKeys};
pub(crate) use unlock::needed_master_keys;

use crate::schema::deployment_keys;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Returns HMAC-SHA256 with a deployment key.
#[must_use]
pub fn mac(key: &[u8; 32]) -> Hmac<Sha256> {
    // HMAC uses a key up to the block length unchanged. This key has half of that length.
    let mut block = [0; 64];
    let (head, _) = block.split_at_mut(key.len());
    head.copy_from_slice(key);
    Hmac::new(&block.into())
}

impl Reader<'_> {
    /// Unwraps a key of `owner`.
    pub(crate) fn unwrap_key(&self, owner: KeyOwner<'_>, wrapped: &[u8]) -> Result<[u8; 32]> {
        let key = self.storage.master_keys()?.unwrap(owner, wrapped)?;
        key.try_into().map_err(|_| Error::corrupt("a key is cut", anyhow::anyhow!("{owner}")))
    }

    /// Returns the deployment key with this name; `None` until a transaction first needs it.
    pub(crate) fn known_deployment_key(&mut self, name: &str) -> Result<Option<[u8; 32]>> {
        let wrapped = self.wrapped_deployment_key(name)?;
        wrapped.map(|wrapped| self.unwrap_key(KeyOwner::DeploymentKey(name), &wrapped)).transpose()
    }

    fn wrapped_deployment_key(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let found = deployment_keys::table.find(name).select(deployment_keys::secret);
        Ok(found.first(self.connection).optional()?)
    }
}

impl Tx<'_> {
    /// Returns the seal of this name.
    pub(crate) fn seal(&mut self, name: &str) -> Result<Seal> {
        Ok(Seal::new(self.deployment_key(name)?))
    }

    /// Returns the deployment key with this name, the same on every node. It is generated on first use.
    ///
    /// # Errors
    /// A key that is wrapped by a master key that this node does not have.
    pub(crate) fn deployment_key(&mut self, name: &str) -> Result<[u8; 32]> {
        let owner = KeyOwner::DeploymentKey(name);
        if let Some(wrapped) = self.wrapped_deployment_key(name)? {
            return self.unwrap_key(owner, &wrapped);
        }
        let new: [u8; 32] = rand::rng().random();
        let wrapped = self.storage.master_keys()?.wrap(owner, &new)?;
        self.insert_deployment_key(name, &wrapped)?;
        // Another node may have created the key first.
        let wrapped = self.wrapped_deployment_key(name)?.ok_or(Error::NotFound)?;
        self.unwrap_key(owner, &wrapped)
    }

    fn insert_deployment_key(&mut self, name: &str, wrapped: &[u8]) -> Result<()> {
        diesel::insert_into(deployment_keys::table)
            .values((
                deployment_keys::name.eq(name),
                deployment_keys::secret.eq(wrapped),
                deployment_keys::created_at.eq(self.now),
            ))
            .on_conflict_do_nothing()
            .execute(self.connection)?;
        Ok(())
    }
}
