//! `quire admin`: who can start the binary on the server's machine may do everything.

mod bootstrap;
mod create_user;
mod input;
mod integration;
mod organization;
mod person;
mod rotate_keys;
mod search;
mod search_language;
mod token;

use clap::Subcommand;
use quire_domain::ids::{OrganizationId, UserId};
use quire_storage::audit::Command;
use quire_storage::{Error, SystemStorage, SystemTx};
use serde::Serialize;

use crate::config::DatabaseOptions;
use crate::database::Database;
use crate::usage::WrongInput;

/// What can be managed.
#[derive(Subcommand)]
pub enum AdminCommand {
    /// Make the first organization, its administrator and a token
    Bootstrap(bootstrap::Bootstrap),
    /// Add a person to an organization, with a token
    CreateUser(create_user::CreateUser),
    /// Give a person a verified e-mail address
    User(person::SetUser),
    /// Issue a token
    Token(token::Issue),
    /// List tokens, which shows none of them
    Tokens(token::List),
    /// Revoke a token
    Revoke(token::Revoke),
    /// Set an organization's plan, trial, billing and custom hostname, or block it
    Organization(Box<organization::SetOrganization>),
    /// Take a member's access for now, or give it back
    Member(organization::SetMember),
    /// Vouch for an integration, or no more
    Integration(integration::SetIntegration),
    /// Set the language that an organization's content is found in
    SearchLanguage(search_language::SetSearchLanguage),
    /// Manage the search index of this machine
    Search(search::Search),
    /// Show the key that an organization's visitor claims are signed with
    VisitorKey(organization::VisitorKey),
    /// Wrap every key in the database by the current master key
    RotateKeys(rotate_keys::RotateKeys),
}

/// Does it.
///
/// # Errors
/// When the input is refused or the database can't be used.
pub fn run(command: AdminCommand) -> anyhow::Result<()> {
    match command {
        AdminCommand::Bootstrap(bootstrap) => bootstrap.run(),
        AdminCommand::CreateUser(create) => create.run(),
        AdminCommand::User(set) => set.run(),
        AdminCommand::Token(issue) => issue.run(),
        AdminCommand::Tokens(list) => list.run(),
        AdminCommand::Revoke(revoke) => revoke.run(),
        AdminCommand::Organization(set) => set.run(),
        AdminCommand::Member(set) => set.run(),
        AdminCommand::Integration(set) => set.run(),
        AdminCommand::SearchLanguage(set) => set.run(),
        AdminCommand::Search(search) => search.run(),
        AdminCommand::VisitorKey(key) => key.run(),
        AdminCommand::RotateKeys(rotate) => rotate.run(),
    }
}

/// Runs `work` in one transaction on the deployment's database, whether a server runs or not.
fn transact<T>(
    options: &DatabaseOptions,
    work: impl FnOnce(&mut SystemTx<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    with_storage(options, |storage| transact_on(storage, work))
}

/// Does `work` on the deployment's database, whether a server runs or not. Its keys are locked.
fn with_storage<T>(
    options: &DatabaseOptions,
    work: impl FnOnce(&SystemStorage) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let database = Database::join(options)?;
    let done = database.storage(options, 1).and_then(|storage| work(&storage));
    let closed = database.close();
    let value = done?;
    closed?;
    Ok(value)
}

fn transact_on<T>(
    storage: &SystemStorage,
    work: impl FnOnce(&mut SystemTx<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let done = storage.transact(|tx| work(tx).map_err(Failure));
    done.map_err(|Failure(error)| error)
}

/// Writes into the audit log of an organization what a command did to `target`: what it is, and its id.
fn record(
    tx: &mut SystemTx<'_>,
    organization: OrganizationId,
    operation: &'static str,
    target: (&str, impl ToString),
) -> anyhow::Result<()> {
    let (kind, id) = target;
    Ok(tx.audit_command(&[organization], Command { operation, target: Some((kind, &id.to_string())) })?)
}

/// Lets a transaction fail with any error, as it asks that storage's can become it.
struct Failure(anyhow::Error);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error.into())
    }
}

/// A member and a token, as programs read them.
#[derive(Serialize)]
struct Admitted {
    organization: OrganizationId,
    user: UserId,
    token: String,
}

/// What the input names and isn't there, or may not be done: one sentence.
fn refuse<T>(sentence: impl Into<String>) -> anyhow::Result<T> {
    Err(WrongInput(sentence.into()).into())
}
