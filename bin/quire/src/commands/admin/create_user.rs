//! `quire admin create-user`

use clap::Args;
use quire_domain::ids::OrganizationId;

use super::input::{self, Membership};
use super::{Admitted, record, refuse, transact};
use crate::config::DatabaseOptions;
use crate::output;

/// A new member of an organization.
#[derive(Args)]
pub struct CreateUser {
    /// The organization's id
    #[arg(long, value_name = "ID")]
    organization: OrganizationId,
    /// The person's e-mail address
    #[arg(long, value_name = "ADDRESS", value_parser = input::email)]
    email: String,
    /// The person's name; an existing user keeps the old one
    #[arg(long, value_name = "NAME", value_parser = input::name)]
    name: String,
    /// The role: read, comment, edit, review, create or admin; `guest` for no role
    #[arg(long, value_name = "ROLE", value_parser = input::role)]
    role: Membership,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl CreateUser {
    /// Prints `{"organization", "user", "token"}` on one line.
    ///
    /// # Errors
    /// If the organization does not exist, or the person is a member already.
    pub fn run(self) -> anyhow::Result<()> {
        let Self { organization, email, name, role: Membership(role), database } = self;
        let made = transact(&database, |tx| {
            let user = tx.find_or_create_user(&email, &name)?;
            if tx.is_member(organization, user)? {
                return refuse(format!(
                    "{email} is already a member of the organization: issue a token with \
                     `quire admin token --email {email}`"
                ));
            }
            match tx.put_member(organization, user, role) {
                Err(quire_storage::Error::NotFound) => {
                    return refuse(format!("there is no organization {organization}"));
                }
                other => other?,
            }
            let token = tx.issue_token(user, "create-user", false, None)?.token;
            record(tx, organization, "admin.create-user", ("member", user))?;
            Ok(Admitted { organization, user, token })
        })?;
        output::json(&made)
    }
}
