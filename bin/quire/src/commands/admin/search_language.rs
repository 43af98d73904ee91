//! `quire admin search-language`

use clap::Args;
use quire_domain::ids::OrganizationId;
use quire_storage::Error;

use super::{record, refuse, transact};
use crate::config::DatabaseOptions;

/// The search language of an organization's content.
#[derive(Args)]
pub struct SetSearchLanguage {
    /// The organization's id
    #[arg(long, value_name = "ID")]
    organization: OrganizationId,
    /// A text search configuration of PostgreSQL, such as simple, english or german
    #[arg(long, value_name = "NAME")]
    language: String,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl SetSearchLanguage {
    /// Takes effect immediately, also for a running server, and analyzes existing content again.
    ///
    /// # Errors
    /// If the organization or the language does not exist.
    pub fn run(self) -> anyhow::Result<()> {
        let Self { organization, language, database } = self;
        transact(&database, |tx| match tx.set_search_language(organization, &language) {
            Ok(true) => record(tx, organization, "admin.search-language", ("organization", organization)),
            Ok(false) => refuse(format!("the database has no text search configuration `{language}`")),
            Err(Error::NotFound) => refuse(format!("there is no organization {organization}")),
            Err(error) => Err(error.into()),
        })
    }
}
