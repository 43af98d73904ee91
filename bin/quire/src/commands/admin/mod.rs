//! `quire admin`: unrestricted management, for users who can run the binary on the server's machine.

mod bootstrap;
mod create_user;
mod hostname;
mod input;
mod integration;
mod login_link;
mod organization;
mod organization_archive;
mod person;
mod rotate_keys;
mod search;
mod search_language;
mod token;

use clap::Subcommand;
use quire_domain::ids::{OrganizationId, UserId};
use quire_storage::operations::audit::Command;
use quire_storage::{Error, SystemStorage, SystemTx};
use serde::Serialize;

use crate::config::DatabaseOptions;
use crate::database::Database;
use crate::usage::WrongInput;

/// Management commands.
#[derive(Subcommand)]
pub enum AdminCommand {
    /// Create the first organization, its administrator and a token
    Bootstrap(bootstrap::Bootstrap),
    /// Add a person to an organization, with a token
    CreateUser(create_user::CreateUser),
    /// Create a link that signs a user in once, within 15 minutes
    LoginLink(login_link::LoginLink),
    /// Set a user's verified e-mail address
    User(person::SetUser),
    /// Issue a token
    Token(token::Issue),
    /// List tokens, without their secrets
    Tokens(token::List),
    /// Revoke a token
    Revoke(token::Revoke),
    /// Set an organization's plan, trial, billing and custom hostname, block it, or move it to another deployment
    Organization(Box<organization::OrganizationCommand>),
    /// Assign a host name of sites to an organization without a proof, or remove it
    Hostname(hostname::SetHostname),
    /// Disable or enable a member
    Member(organization::SetMember),
    /// Verify an integration, or remove its verification
    Integration(integration::SetIntegration),
    /// Set the search language of an organization's content
    SearchLanguage(search_language::SetSearchLanguage),
    /// Manage the search index of this machine
    Search(search::Search),
    /// Show the key of an organization's visitor tokens: HS256 over the bytes of this text, not decoded
    VisitorKey(organization::VisitorKey),
    /// Wrap every key in the database with the current master key
    RotateKeys(rotate_keys::RotateKeys),
}

/// Runs the command.
///
/// # Errors
/// If the input is invalid or the database fails.
pub fn run(command: AdminCommand) -> anyhow::Result<()> {
    match command {
        AdminCommand::Bootstrap(bootstrap) => bootstrap.run(),
        AdminCommand::CreateUser(create) => create.run(),
        AdminCommand::LoginLink(link) => link.run(),
        AdminCommand::User(set) => set.run(),
        AdminCommand::Token(issue) => issue.run(),
        AdminCommand::Tokens(list) => list.run(),
        AdminCommand::Revoke(revoke) => revoke.run(),
        AdminCommand::Organization(command) => command.run(),
        AdminCommand::Hostname(set) => set.run(),
        AdminCommand::Member(set) => set.run(),
        AdminCommand::Integration(set) => set.run(),
        AdminCommand::SearchLanguage(set) => set.run(),
        AdminCommand::Search(search) => search.run(),
        AdminCommand::VisitorKey(key) => key.run(),
        AdminCommand::RotateKeys(rotate) => rotate.run(),
    }
}

/// Runs `work` in one transaction on the deployment's database, with or without a running server.
fn transact<T>(
    options: &DatabaseOptions,
    work: impl FnOnce(&mut SystemTx<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    with_storage(options, |storage| transact_on(storage, work))
}

/// Runs `work` on the deployment's database, with or without a running server. The keys in the database stay locked.
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

/// Records a command in the audit log of an organization. `target` is the kind and the id of the changed resource.
fn record(
    tx: &mut SystemTx<'_>,
    organization: OrganizationId,
    operation: &'static str,
    target: (&str, impl ToString),
) -> anyhow::Result<()> {
    let (kind, id) = target;
    Ok(tx.audit_command(&[organization], Command { operation, target: Some((kind, &id.to_string())) })?)
}

/// Wrapper for errors in a transaction, whose error type must be convertible from storage's.
struct Failure(anyhow::Error);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error.into())
    }
}

/// New member and token, as JSON output.
#[derive(Serialize)]
struct Admitted {
    organization: OrganizationId,
    user: UserId,
    token: String,
}

/// Fails with a one-sentence error for invalid input.
fn refuse<T>(sentence: impl Into<String>) -> anyhow::Result<T> {
    Err(WrongInput(sentence.into()).into())
}
