//! `quire admin integration`

use clap::{ArgGroup, Args};

use super::{record, refuse, transact};
use crate::config::DatabaseOptions;

/// Verification of an integration by the deployment.
#[derive(Args)]
#[command(group(ArgGroup::new("verification").required(true).args(["verify", "unverify"])))]
pub struct SetIntegration {
    /// The integration's name
    #[arg(long, value_name = "NAME")]
    name: String,
    /// Verify it, including later versions
    #[arg(long)]
    verify: bool,
    /// Remove the verification
    #[arg(long)]
    unverify: bool,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl SetIntegration {
    /// Takes effect immediately, also for a running server.
    ///
    /// # Errors
    /// If the integration does not exist.
    pub fn run(self) -> anyhow::Result<()> {
        let Self { name, verify, unverify: _, database } = self;
        transact(&database, |tx| {
            let Some(owner) = tx.integration_owner(&name)? else {
                return refuse(format!("there is no integration `{name}`"));
            };
            let _ = tx.verify_integration(&name, verify)?;
            record(tx, owner, "admin.integration", ("integration", &name))
        })
    }
}
