//! User arguments of commands, and `quire admin user`.

use std::fmt;

use clap::Args;
use quire_domain::ids::UserId;
use quire_storage::SystemTx;
use quire_storage::operations::audit::Command;

use super::{input, refuse, transact};
use crate::config::DatabaseOptions;

/// A user, by id or by address.
#[derive(Args)]
#[group(multiple = false)]
pub struct Person {
    /// The user's id
    #[arg(long, value_name = "ID")]
    user: Option<UserId>,
    /// The user's e-mail address
    #[arg(long, value_name = "ADDRESS", value_parser = input::email)]
    email: Option<String>,
}

impl Person {
    /// Returns the user; `None` if not given.
    ///
    /// # Errors
    /// If the given user does not exist.
    pub fn find(&self, tx: &mut SystemTx<'_>) -> anyhow::Result<Option<UserId>> {
        match (self.user, &self.email) {
            (Some(user), _) if tx.user_exists(user)? => Ok(Some(user)),
            (Some(user), _) => refuse(format!("there is no user {user}")),
            (None, Some(email)) => match tx.user_by_email(email)? {
                None => refuse(format!("there is no user {email}")),
                user => Ok(user),
            },
            (None, None) => Ok(None),
        }
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.email, self.user) {
            (Some(email), _) => f.write_str(email),
            (None, Some(user)) => user.fmt(f),
            (None, None) => f.write_str("the user"),
        }
    }
}

/// A user's verified e-mail address.
#[derive(Args)]
pub struct SetUser {
    /// The user's id
    #[arg(long, value_name = "ID")]
    user: UserId,
    /// The address; it must belong to the user, who can accept every invite to it
    #[arg(long, value_name = "ADDRESS", value_parser = input::email)]
    email: String,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl SetUser {
    /// Takes effect immediately, also for a running server.
    ///
    /// # Errors
    /// If the user does not exist, or another one has the address.
    pub fn run(self) -> anyhow::Result<()> {
        let Self { user, email, database } = self;
        transact(&database, |tx| {
            if tx.user_by_email(&email)?.is_some_and(|other| other != user) {
                return refuse(format!("another user has the address {email}"));
            }
            if !tx.set_email(user, &email)? {
                return refuse(format!("there is no user {user}"));
            }
            let organizations = tx.organizations_of_user(user)?;
            let target = Some(("member", &*user.to_string()));
            Ok(tx.audit_command(&organizations, Command { operation: "admin.user", target })?)
        })
    }
}
