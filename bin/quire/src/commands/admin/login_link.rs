//! `quire admin login-link`

use clap::Args;
use quire_storage::operations::audit::Command;
use serde::Serialize;

use super::{input, refuse, transact};
use crate::config::DatabaseOptions;
use crate::output;

/// A user who signs in with a link.
#[derive(Args)]
pub struct LoginLink {
    /// The user's e-mail address
    #[arg(long, value_name = "ADDRESS", value_parser = input::email)]
    email: String,
    /// Address of the service for callers
    #[arg(long, env = "QUIRE_BASE_URL", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    base_url: String,
    #[command(flatten)]
    database: DatabaseOptions,
}

#[derive(Serialize)]
struct Link {
    url: String,
}

impl LoginLink {
    /// Prints `{"url"}` on one line.
    ///
    /// # Errors
    /// If no user has the address.
    pub fn run(self) -> anyhow::Result<()> {
        let Self { email, base_url, database } = self;
        let secret = transact(&database, |tx| {
            let Some(account) = tx.account(&email)? else {
                return refuse(format!("there is no user {email}"));
            };
            let organizations = tx.organizations_of_user(account.user)?;
            let target = account.user.to_string();
            let command = Command { operation: "admin.login-link", target: Some(("user", &target)) };
            tx.audit_command(&organizations, command)?;
            Ok(tx.create_operator_link(account.user)?)
        })?;
        output::json(&Link { url: format!("{}/~/link/{secret}", base_url.trim_end_matches('/')) })
    }
}
