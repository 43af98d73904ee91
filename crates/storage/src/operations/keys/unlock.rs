//! Comparison of the master keys with the database at the start.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Integer};
use quire_database::sql_files;
use rand::RngExt as _;

use super::ring::{KeyId, KeyOwner, MasterKeys};
use crate::system::SystemStorage;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Name of a key that is used for nothing else. It ties a database without other keys to its master key: of two nodes
/// with different master keys, only the first starts.
const TIE: &str = "master";

sql_files! {
    LockKeys(BigInt) -> Integer = "lock.sql";
    ListMasterKeys() -> Binary = "list_master_keys.sql";
}

impl SystemStorage {
    /// Returns the master keys that wrap keys in the database; an empty list if it has no wrapped key yet. Blocks.
    pub fn needed_master_keys(&self) -> Result<Vec<KeyId>> {
        self.transact(|tx| tx.needed_master_keys())
    }

    /// Compares the master keys with the database, and uses them from then on to unwrap and wrap keys. Blocks.
    ///
    /// # Errors
    /// [`Error::Internal`] if the database has keys that none of these unwraps, or the storage already has master keys.
    pub fn unlock(&self, keys: MasterKeys) -> Result<()> {
        self.transact::<_, Error>(|tx| {
            tx.lock_keys()?;
            let needed = tx.needed_master_keys()?;
            let is_first = needed.is_empty();
            let missing: Vec<String> =
                needed.into_iter().filter(|id| !keys.has(*id)).map(|id| id.to_string()).collect();
            if !missing.is_empty() {
                return Err(Error::Internal(
                    "the database's keys are wrapped by another master key",
                    anyhow::anyhow!("they need {}, and this is {}", missing.join(", "), keys.current()),
                ));
            }
            if is_first {
                let key: [u8; 32] = rand::rng().random();
                tx.insert_deployment_key(TIE, &keys.wrap(KeyOwner::DeploymentKey(TIE), &key)?)?;
            }
            Ok(())
        })?;
        self.set_master_keys(keys)
    }
}

impl Tx<'_> {
    /// Prevents other transactions from wrapping keys until this one ends.
    pub(super) fn lock_keys(&mut self) -> Result<()> {
        // The same lock as for migrations: of many nodes that start at once, one wraps keys and the others wait.
        LockKeys::bind((quire_database::migrations::LOCK,)).execute(self.connection)?;
        Ok(())
    }

    fn needed_master_keys(&mut self) -> Result<Vec<KeyId>> {
        needed_master_keys(self.connection)
    }
}

/// Returns the master keys that wrap keys in the database.
pub(crate) fn needed_master_keys(connection: &mut PgConnection) -> Result<Vec<KeyId>> {
    let ids: Vec<Vec<u8>> = ListMasterKeys::bind(()).load(connection)?;
    Ok(ids.iter().filter_map(|id| KeyId::from_bytes(id)).collect())
}

impl MasterKeys {
    /// Returns whether two wrapped forms of a deployment key contain the same key. The key that ties a database to its
    /// master key is used for nothing else, so any two forms of it count as equal.
    pub(crate) fn open_the_same(&self, name: &str, one: &[u8], other: &[u8]) -> Result<bool> {
        let owner = KeyOwner::DeploymentKey(name);
        Ok(name == TIE || self.unwrap(owner, one)? == self.unwrap(owner, other)?)
    }
}
