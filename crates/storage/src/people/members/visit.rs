//! Visits of members.

use diesel::prelude::*;
use quire_database::functions::coalesce;
use quire_domain::ids::{OrganizationId, TeamId};
use rand::RngExt;
use uuid::Uuid;

use crate::lookup::{Authorized, UserRecord};
use crate::operations::keys::KeyOwner;
use crate::people::organizations::OrganizationRecord;
use crate::schema::{organization_members, organizations, team_members, users};
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Facts about a visiting member, and the key to sign them.
pub struct Visit {
    /// User.
    pub user: UserRecord,
    /// Teams of the member.
    pub teams: Vec<TeamId>,
    /// Organization's visitor key.
    pub key: [u8; 32],
}

impl Reader<'_> {
    /// Returns the key that signs an organization's visitor claims; `None` until it is created.
    pub fn made_visitor_key(&mut self, organization: OrganizationId) -> Result<Option<[u8; 32]>> {
        let wrapped: Option<Vec<u8>> = organizations::table
            .find(organization)
            .select(organizations::visitor_key)
            .get_result(self.connection)
            .optional()?
            .flatten();
        wrapped.map(|key| self.unwrap_key(KeyOwner::VisitorKey(organization), &key)).transpose()
    }
}

impl Tx<'_> {
    /// Records that the actor is active in an organization.
    pub fn visit(&mut self, organization: &Authorized<OrganizationRecord>) -> Result<Visit> {
        let (id, user) = (organization.id, organization.actor().user);
        diesel::update(organization_members::table.find((id, user)))
            .set(organization_members::last_seen_at.eq(self.now))
            .execute(self.connection)?;
        let visitor = users::table.find(user).select(UserRecord::as_select()).get_result(self.connection)?;
        let teams: Vec<Uuid> = team_members::table
            .filter(team_members::organization_id.eq(id))
            .filter(team_members::user_id.eq(user))
            .order(team_members::team_id)
            .select(team_members::team_id)
            .load(self.connection)?;
        let key = self.visitor_key(organization.id)?;
        let teams = teams.into_iter().map(TeamId::from_uuid).collect();
        Ok(Visit { user: visitor, teams, key })
    }

    /// Returns the key that signs visitor tokens of an organization's sites. It is created on first use.
    pub fn key_of_visitors(&mut self, organization: &Authorized<OrganizationRecord>) -> Result<[u8; 32]> {
        self.visitor_key(organization.id)
    }

    /// Replaces the key that signs visitor tokens. Tokens signed with the previous key are no longer valid.
    pub fn replace_key_of_visitors(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
    ) -> Result<[u8; 32]> {
        let (key, wrapped) = self.new_visitor_key(organization.id)?;
        diesel::update(organizations::table.find(organization.id))
            .set(organizations::visitor_key.eq(wrapped))
            .execute(self.connection)?;
        Ok(key)
    }

    /// Returns the key that signs an organization's visitor claims. It is created on first use.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the organization does not exist.
    pub(crate) fn visitor_key(&mut self, organization: OrganizationId) -> Result<[u8; 32]> {
        if let Some(key) = self.made_visitor_key(organization)? {
            return Ok(key);
        }
        let (_, wrapped) = self.new_visitor_key(organization)?;
        let made: Option<Vec<u8>> = diesel::update(organizations::table.find(organization))
            .set(organizations::visitor_key.eq(coalesce(organizations::visitor_key, wrapped)))
            .returning(organizations::visitor_key)
            .get_result(self.connection)
            .optional()?
            .flatten();
        // Another request may have created the key first.
        let made = made.ok_or(Error::NotFound)?;
        self.unwrap_key(KeyOwner::VisitorKey(organization), &made)
    }

    /// Generates a key, and returns it with its wrapped form.
    fn new_visitor_key(&self, organization: OrganizationId) -> Result<([u8; 32], Vec<u8>)> {
        let key: [u8; 32] = rand::rng().random();
        let wrapped = self.storage.master_keys()?.wrap(KeyOwner::VisitorKey(organization), &key)?;
        Ok((key, wrapped))
    }
}

impl SystemTx<'_> {
    /// Replaces the visitor key of an organization. Claims signed with the previous key are no longer valid.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the organization does not exist.
    pub fn rotate_visitor_key(&mut self, organization: OrganizationId) -> Result<[u8; 32]> {
        let (key, wrapped) = self.new_visitor_key(organization)?;
        let changed = diesel::update(organizations::table.find(organization))
            .set(organizations::visitor_key.eq(wrapped))
            .execute(self.connection)?;
        if changed == 0 { Err(Error::NotFound) } else { Ok(key) }
    }
}
