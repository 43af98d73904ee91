//! Members who come by.

use diesel::prelude::*;
use diesel::sql_types::{Binary, Nullable, Uuid as SqlUuid};
use quire_domain::ids::{OrganizationId, TeamId};
use rand::RngExt;

use super::IdRow;
use crate::keys::Place;
use crate::lookup::{Authorized, OrganizationRecord, UserRecord};
use crate::statement::{Sql, statements, val};
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// What is known of a member who comes by, and the key to sign it with.
pub struct Visit {
    /// The user.
    pub user: UserRecord,
    /// The teams that the member is in.
    pub teams: Vec<TeamId>,
    /// The organization's visitor key.
    pub key: [u8; 32],
}

statements! {
    NoteVisit = "UPDATE organization_members SET last_seen_at = $3 WHERE organization_id = $1 AND user_id = $2";
    FindVisitor = "SELECT id AS user_id, email AS user_email, display_name AS user_display_name, photo_url AS user_photo_url \
                   FROM users WHERE id = $1";
    FindTeams = "SELECT team_id AS id FROM team_members WHERE organization_id = $1 AND user_id = $2 ORDER BY team_id";
    FindVisitorKey = "SELECT visitor_key FROM organizations WHERE id = $1";
    SetVisitorKey = "UPDATE organizations SET visitor_key = $2 WHERE id = $1";
    MakeVisitorKey = "UPDATE organizations SET visitor_key = coalesce(visitor_key, $2) WHERE id = $1 RETURNING visitor_key";
}

#[derive(QueryableByName)]
struct KeyRow {
    #[diesel(sql_type = Nullable<Binary>)]
    visitor_key: Option<Vec<u8>>,
}

impl Reader<'_> {
    /// The key that an organization's visitor claims are signed with, once somebody asked for it.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn made_visitor_key(&mut self, organization: OrganizationId) -> Result<Option<[u8; 32]>> {
        let row: Option<KeyRow> = FindVisitorKey::bind((val::<SqlUuid, _>(*organization.as_uuid()),))
            .get_result(self.connection)
            .optional()?;
        let wrapped = row.and_then(|row| row.visitor_key);
        wrapped.map(|key| self.unwrap_key(Place::VisitorKey(organization), &key)).transpose()
    }
}

impl Tx<'_> {
    /// Notes that the actor is active in an organization.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn visit(&mut self, organization: &Authorized<OrganizationRecord>) -> Result<Visit> {
        let (id, user) = (*organization.id.as_uuid(), *organization.actor().user.as_uuid());
        let now = self.now_bind();
        NoteVisit::bind((val::<SqlUuid, _>(id), val::<SqlUuid, _>(user), now)).execute(self.connection)?;
        let visitor: UserRecord =
            FindVisitor::bind((val::<SqlUuid, _>(user),)).get_result(self.connection)?;
        let teams: Vec<IdRow> =
            FindTeams::bind((val::<SqlUuid, _>(id), val::<SqlUuid, _>(user))).load(self.connection)?;
        let key = self.visitor_key(organization.id)?;
        let teams = teams.into_iter().map(|row| TeamId::from_uuid(row.id)).collect();
        Ok(Visit { user: visitor, teams, key })
    }

    /// The key that an organization's visitor claims are signed with; made when it is first asked for.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such organization.
    pub(crate) fn visitor_key(&mut self, organization: OrganizationId) -> Result<[u8; 32]> {
        if let Some(key) = self.made_visitor_key(organization)? {
            return Ok(key);
        }
        let (_, wrapped) = self.new_visitor_key(organization)?;
        let made: Option<KeyRow> =
            MakeVisitorKey::bind((val::<SqlUuid, _>(*organization.as_uuid()), val::<Binary, _>(wrapped)))
                .get_result(self.connection)
                .optional()?;
        // Another request may have been faster.
        let made = made.and_then(|row| row.visitor_key).ok_or(Error::NotFound)?;
        self.unwrap_key(Place::VisitorKey(organization), &made)
    }

    /// A key, and its wrapped form.
    fn new_visitor_key(&self, organization: OrganizationId) -> Result<([u8; 32], Vec<u8>)> {
        let key: [u8; 32] = rand::rng().random();
        let wrapped = self.storage.master_keys()?.wrap(Place::VisitorKey(organization), &key)?;
        Ok((key, wrapped))
    }
}

impl SystemTx<'_> {
    /// Gives an organization another visitor key: what was signed with the one before isn't believed any more.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such organization.
    pub fn rotate_visitor_key(&mut self, organization: OrganizationId) -> Result<[u8; 32]> {
        let (key, wrapped) = self.new_visitor_key(organization)?;
        let changed =
            SetVisitorKey::bind((val::<SqlUuid, _>(*organization.as_uuid()), val::<Binary, _>(wrapped)))
                .execute(self.connection)?;
        if changed == 0 { Err(Error::NotFound) } else { Ok(key) }
    }
}
