//! `quire admin rotate-keys`

use clap::Args;
use quire_storage::audit::Command;
use quire_storage::keys::Rewrapped;
use serde::Serialize;

use super::{transact_on, with_storage};
use crate::config::DatabaseOptions;
use crate::{output, secret_key};

/// Every key wrapped by the current master key.
#[derive(Args)]
pub struct RotateKeys {
    #[command(flatten)]
    database: DatabaseOptions,
}

/// The result, as programs read it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rotated {
    /// The id of the current master key.
    master_key: String,
    #[serde(flatten)]
    rewrapped: Rewrapped,
}

impl RotateKeys {
    /// Prints `{"masterKey", "deploymentKeys", "visitorKeys", "shareLinks"}` on one line: the id of the master key, and how many keys it
    /// wraps that another one wrapped before. Interrupted and run again, it goes on where it was.
    ///
    /// # Errors
    /// When a key is wrapped by a master key that isn't given.
    pub fn run(self) -> anyhow::Result<()> {
        let rotated = with_storage(&self.database, |storage| {
            let master_key = secret_key::unlock(storage, &self.database)?.to_string();
            let rewrapped = storage.rewrap_keys()?;
            transact_on(storage, |tx| {
                let organizations = tx.all_organizations()?;
                Ok(tx.audit_command(
                    &organizations,
                    Command { operation: "admin.rotate-keys", target: None },
                )?)
            })?;
            Ok(Rotated { master_key, rewrapped })
        })?;
        output::json(&rotated)
    }
}
