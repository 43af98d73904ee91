//! `quire admin bootstrap`

use clap::Args;
use quire_domain::policy::ADMINISTRATOR;

use super::{Admitted, input, record, refuse, transact};
use crate::config::DatabaseOptions;
use crate::output;

/// The first organization and its administrator.
#[derive(Args)]
pub struct Bootstrap {
    /// The organization's title
    #[arg(long, value_name = "TITLE", value_parser = input::title)]
    organization: String,
    /// The administrator's e-mail address
    #[arg(long, value_name = "ADDRESS", value_parser = input::email)]
    email: String,
    /// The administrator's name
    #[arg(long, value_name = "NAME", value_parser = input::name)]
    name: String,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl Bootstrap {
    /// Prints `{"organization", "user", "token"}` on one line.
    ///
    /// # Errors
    /// If an organization exists already, so that a mistake does not create a second one.
    pub fn run(self) -> anyhow::Result<()> {
        let Self { organization, email, name, database } = self;
        let made = transact(&database, |tx| {
            tx.lock_organizations()?;
            if !tx.is_fresh()? {
                return refuse(
                    "an organization already exists: add people with `quire admin create-user`, or issue a \
                     token with `quire admin token`",
                );
            }
            let organization =
                tx.create_organization(&organization, &quire_markup::slugify(&organization))?;
            let user = tx.find_or_create_user(&email, &name)?;
            tx.put_member(organization, user, Some(ADMINISTRATOR))?;
            let token = tx.issue_token(user, "bootstrap", false, None)?.token;
            record(tx, organization, "admin.bootstrap", ("organization", organization))?;
            Ok(Admitted { organization, user, token })
        })?;
        output::json(&made)
    }
}
