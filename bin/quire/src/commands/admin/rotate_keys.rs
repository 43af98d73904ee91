//! `quire admin rotate-keys`

use clap::Args;
use quire_storage::operations::audit::Command;
use quire_storage::operations::keys::Rewrapped;
use serde::Serialize;

use super::{transact_on, with_storage};
use crate::config::DatabaseOptions;
use crate::{output, secret_key};

/// Rewrapping of all keys with the current master key.
#[derive(Args)]
pub struct RotateKeys {
    #[command(flatten)]
    database: DatabaseOptions,
}

/// Result, as JSON output.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rotated {
    /// Id of the current master key.
    master_key: String,
    #[serde(flatten)]
    rewrapped: Rewrapped,
}

impl RotateKeys {
    /// Prints `{"masterKey", "deploymentKeys", "visitorKeys", "shareLinks"}` on one line: the id of the master key, and
    /// the numbers of keys that another master key wrapped before. An interrupted run can be repeated.
    ///
    /// # Errors
    /// If a key is wrapped by a master key that is not given.
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
