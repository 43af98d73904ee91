//! Creation of the first organization of a deployment in a browser.

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use quire_domain::policy::{ADMINISTRATOR, DEFAULT_ROLE};
use uuid::Uuid;

use crate::Result;
use crate::people::organizations::NewOrganization;
use crate::people::user_sessions::{Browser, ProvenFactor, StartedSession};
use crate::schema::organizations;
use crate::transaction::{Reader, Tx};

/// First organization and its administrator.
#[derive(Clone, Debug)]
pub struct FirstRun {
    /// Title of the organization.
    pub organization: String,
    /// Requested name of the organization in URLs.
    pub slug: String,
    /// E-mail address of the administrator. It counts as verified, because only operators know the link.
    pub email: String,
    /// Name of the administrator.
    pub display_name: String,
    /// Hash of the administrator's password.
    pub password_hash: String,
}

impl Reader<'_> {
    /// Returns whether the deployment has no organization yet.
    pub fn is_fresh(&mut self) -> Result<bool> {
        let any: Option<Uuid> =
            organizations::table.select(organizations::id).first(self.connection).optional()?;
        Ok(any.is_none())
    }
}

impl Tx<'_> {
    /// Prevents other transactions from creating organizations until this one ends, so that only one first organization
    /// is created.
    pub(crate) fn lock_organizations(&mut self) -> Result<()> {
        self.connection.batch_execute("LOCK TABLE organizations IN SHARE ROW EXCLUSIVE MODE")?;
        Ok(())
    }

    /// Creates the first organization with its administrator, and signs the administrator in. Returns `None` if an
    /// organization exists.
    pub fn found_deployment(
        &mut self,
        first: &FirstRun,
        browser: &Browser,
    ) -> Result<Option<StartedSession>> {
        self.lock_organizations()?;
        if !self.is_fresh()? {
            return Ok(None);
        }
        let organization = self.insert_organization(NewOrganization {
            title: first.organization.clone(),
            slug: first.slug.clone(),
            kind: "business",
            default_role: Some(DEFAULT_ROLE),
            ..NewOrganization::default()
        })?;
        let user = match self.account(&first.email)? {
            Some(account) => account.user,
            None => self.create_user(Some(&first.email), &first.display_name)?,
        };
        self.put_member(organization, user, Some(ADMINISTRATOR))?;
        self.set_first_password(user, &first.password_hash, None)?;
        let session = self.sign_in(user, browser, ProvenFactor::None)?;
        self.record_created("organization", organization);
        Ok(Some(session))
    }
}
