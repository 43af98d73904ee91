//! `quire admin token`, `tokens` and `revoke`

use clap::Args;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, TokenId, UserId};
use quire_domain::policy::Limits;
use quire_storage::SystemTx;
use quire_storage::operations::audit::Command;
use quire_storage::people::tokens::OwnToken;
use quire_storage::people::users::UserToken;
use serde::Serialize;

use super::person::Person;
use super::{input, refuse, transact};
use crate::config::DatabaseOptions;
use crate::output;

/// A new token.
#[derive(Args)]
pub struct Issue {
    #[command(flatten)]
    person: Person,
    /// The purpose of the token
    #[arg(long, value_name = "LABEL", value_parser = input::label)]
    label: String,
    /// Allow read-only requests only
    #[arg(long)]
    read_only: bool,
    /// Days until it expires; never if left out
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    expires_in_days: Option<u32>,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl Issue {
    /// Prints `{"id", "user", "token"}` on one line, with `expiresAt` when it expires.
    ///
    /// # Errors
    /// If the user does not exist.
    pub fn run(self) -> anyhow::Result<()> {
        let Self { person, label, read_only, expires_in_days, database } = self;
        let made = transact(&database, |tx| {
            let Some(user) = person.find(tx)? else {
                return refuse("--email or --user is required: name the user of the token");
            };
            let expires_at = expires_in_days.map(|days| expiry(tx.now(), days)).transpose()?;
            let issued = tx.issue_token(user, &label, read_only, expires_at)?;
            record(tx, issued.id, "admin.token")?;
            Ok(Issued { id: issued.id, user, token: issued.token, expires_at })
        })?;
        output::json(&made)
    }
}

/// List of tokens.
#[derive(Args)]
pub struct List {
    #[command(flatten)]
    person: Person,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl List {
    /// Prints a line of JSON for each token, oldest first.
    ///
    /// # Errors
    /// If the user does not exist.
    pub fn run(self) -> anyhow::Result<()> {
        let tokens = transact(&self.database, |tx| {
            let user = self.person.find(tx)?;
            Ok(tx.tokens(user)?)
        })?;
        tokens.into_iter().try_for_each(|token| output::json(&Listed::from(token)))
    }
}

/// A token to revoke.
#[derive(Args)]
pub struct Revoke {
    /// The token's id, as `quire admin tokens` shows it
    #[arg(value_name = "TOKEN_ID")]
    token: TokenId,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl Revoke {
    /// Takes effect immediately, also for a running server.
    ///
    /// # Errors
    /// If the token does not exist.
    pub fn run(self) -> anyhow::Result<()> {
        let token = self.token;
        transact(&self.database, |tx| {
            record(tx, token, "admin.revoke")?;
            match tx.revoke_token(token)? {
                true => Ok(()),
                false => refuse(format!("there is no token {token}")),
            }
        })
    }
}

/// Records an operation on a token in the audit log of each organization of its user.
fn record(tx: &mut SystemTx<'_>, token: TokenId, operation: &'static str) -> anyhow::Result<()> {
    let organizations = tx.organizations_of_token(token)?;
    let id = token.to_string();
    let target = Some(("api-token", &*id));
    Ok(tx.audit_command(&organizations, Command { operation, target })?)
}

fn expiry(now: Timestamp, days: u32) -> anyhow::Result<Timestamp> {
    Ok(Timestamp::from_millis(now.millis().saturating_add(i64::from(days).saturating_mul(86_400_000)))?)
}

/// New token, as JSON output.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Issued {
    id: TokenId,
    user: UserId,
    token: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
}

/// Token in the list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    id: TokenId,
    user: UserId,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    label: String,
    read_only: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    organizations: Option<Vec<OrganizationId>>,
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_used_at: Option<Timestamp>,
}

impl From<UserToken> for Listed {
    fn from(UserToken { user, email, token }: UserToken) -> Self {
        let OwnToken { id, label, limits, created_at, last_used_at } = token;
        let Limits { read_only, organizations, expires_at } = limits;
        Self { id, user, email, label, read_only, organizations, created_at, expires_at, last_used_at }
    }
}
