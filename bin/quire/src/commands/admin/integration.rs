//! `quire admin integration`

use clap::{ArgGroup, Args};

use super::{record, refuse, transact};
use crate::config::DatabaseOptions;

/// Whether the deployment vouches for an integration.
#[derive(Args)]
#[command(group(ArgGroup::new("verification").required(true).args(["verify", "unverify"])))]
pub struct SetIntegration {
    /// The integration's name
    #[arg(long, value_name = "NAME")]
    name: String,
    /// Vouch for it, also in its later versions
    #[arg(long)]
    verify: bool,
    /// Vouch for it no more
    #[arg(long)]
    unverify: bool,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl SetIntegration {
    /// Sets it, also for a server that runs.
    ///
    /// # Errors
    /// When there is no such integration.
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
