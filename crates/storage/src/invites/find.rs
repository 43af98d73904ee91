//! Invites that are looked up and listed.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, SmallInt, Text, Uuid as SqlUuid};
use quire_domain::ids::{CollectionId, InviteId, OrganizationId};
use quire_domain::policy::Membership;
use uuid::Uuid;

use super::{InviteRecord, InviteTarget, InvitingCollection, secret, stored_id};
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    Actor, ActorColumns, Authorized, OrganizationRecord, SpaceColumns, SpaceRecord, actor_columns,
    joined_membership, role_from_rank, space_columns, valid_token,
};
use crate::statement::{Assembled, Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result};

/// An invite that was found for somebody who may be outside of its organization.
pub(super) struct FoundInvite {
    pub(super) actor: Actor,
    pub(super) invite: InviteRecord,
    pub(super) membership: Membership,
    pub(super) links_enabled: bool,
    pub(super) organization_is_blocked: bool,
}

/// Invites `i` with the actor `t` and what the actor is there: `m` in the organization, `er` on a space or collection.
const COLUMNS: &str = concat!(
    "SELECT ",
    actor_columns!(),
    ", i.seed AS invite_seed, i.organization_id, i.role AS invite_role, i.space_id AS to_space, i.collection_id AS to_collection, \
     m.disabled AS member_disabled, m.role AS member_role, \
     er.role AS content_role, o.invite_links, o.blocked_reason IS NOT NULL AS is_blocked"
);
const FROM: &str = concat!(
    " FROM api_tokens t \
     JOIN organization_invites i ON t.organizations IS NULL OR i.organization_id = ANY (t.organizations) \
     JOIN organizations o ON o.id = i.organization_id \
     LEFT JOIN organization_members m ON m.organization_id = i.organization_id AND m.user_id = t.user_id \
     LEFT JOIN spaces s ON s.organization_id = i.organization_id AND s.id = i.space_id \
     LEFT JOIN collections c ON c.organization_id = i.organization_id AND c.id = coalesce(i.collection_id, s.collection_id) \
     LEFT JOIN LATERAL effective_role(m.role, m.disabled, i.organization_id, t.user_id, i.space_id, c.path, \
       CASE WHEN i.space_id IS NULL THEN c.default_level ELSE s.default_level END) AS er ON i.space_id IS NOT NULL OR i.collection_id IS NOT NULL \
     WHERE s.deleted_at IS NULL AND ",
    valid_token!()
);

#[derive(QueryableByName)]
struct InviteColumns {
    #[diesel(sql_type = SqlUuid)]
    invite_seed: Uuid,
    #[diesel(sql_type = SqlUuid)]
    organization_id: Uuid,
    #[diesel(sql_type = Nullable<SmallInt>)]
    invite_role: Option<i16>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    to_space: Option<Uuid>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    to_collection: Option<Uuid>,
    #[diesel(sql_type = Nullable<Bool>)]
    member_disabled: Option<bool>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    member_role: Option<i16>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    content_role: Option<i16>,
    #[diesel(sql_type = Bool)]
    invite_links: bool,
    #[diesel(sql_type = Bool)]
    is_blocked: bool,
}

impl InviteColumns {
    /// The actor's membership in the organization that invites.
    fn membership(&self) -> Result<Membership> {
        joined_membership(self.member_role, self.member_disabled)
    }
}

#[derive(QueryableByName)]
struct CollectionColumns {
    #[diesel(sql_type = SqlUuid)]
    collection_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    organization_id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    parent_id: Option<Uuid>,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Nullable<Text>)]
    description: Option<String>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    default_level: Option<i16>,
}

statements! {
    FindSpaces = concat!("SELECT ", space_columns!(), " FROM spaces s WHERE s.id = ANY ($1)");
    FindCollections = "SELECT id AS collection_id, organization_id, parent_id, title, description, default_level \
                       FROM collections WHERE id = ANY ($1)";
}

/// The spaces and collections that invites lead to.
#[derive(Default)]
struct Targets {
    spaces: HashMap<Uuid, SpaceRecord>,
    collections: HashMap<Uuid, InvitingCollection>,
}

impl Reader<'_> {
    /// An invite of an organization, for whoever has its id: three statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn invite(&mut self, organization: OrganizationId, invite: InviteId) -> Result<InviteRecord> {
        Ok(self.found_invite(Some(organization), invite)?.invite)
    }

    /// An invite of an organization, for the bearers of its id, while the organization's links are enabled. Its administrators
    /// see it in the list, and so they see it here at any time. Three statements.
    ///
    /// # Errors
    /// As [`Reader::invite`].
    pub fn open_invite(&mut self, organization: OrganizationId, invite: InviteId) -> Result<InviteRecord> {
        let found = self.found_invite(Some(organization), invite)?;
        let is_shown = found.membership.sees_invite_link(found.links_enabled);
        if is_shown { Ok(found.invite) } else { Err(Error::NotFound) }
    }

    /// The invites of an organization, newest first, behind the one of this seed: five statements.
    ///
    /// # Errors
    /// When a statement fails, or the key of invites can't be opened.
    pub fn invites_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<Uuid>,
        limit: u16,
    ) -> Result<Slice<InviteRecord>> {
        const OF_ORGANIZATION: &str = " AND i.organization_id = $3";
        let id = *organization.id.as_uuid();
        let mut parts = vec![COLUMNS, FROM, OF_ORGANIZATION];
        parts.extend(after.map(|_| " AND i.seed < $4"));
        parts.push(" ORDER BY i.seed DESC LIMIT $5");
        let rows: Vec<InviteColumns> = Assembled::new(
            parts,
            (
                self.token_bind(),
                self.now_bind(),
                val::<SqlUuid, _>(id),
                val::<Nullable<SqlUuid>, _>(after),
                val::<BigInt, _>(fetch_limit(limit)),
            ),
        )
        .load(self.connection)?;
        let count: CountRow = Assembled::new(
            vec!["SELECT count(*) AS total", FROM, OF_ORGANIZATION],
            (self.token_bind(), self.now_bind(), val::<SqlUuid, _>(id)),
        )
        .get_result(self.connection)?;
        let mut targets = self.targets_of(&rows)?;
        let key = self.known_deployment_key(secret::KEY)?;
        Slice::cut(rows, limit, count.total).try_map(|row| {
            // Made with the first invite.
            let key = key
                .as_ref()
                .ok_or_else(|| Error::corrupt("invites have no key", anyhow::anyhow!(secret::KEY)))?;
            targets.record(&row, secret::id_of(key, row.invite_seed))
        })
    }

    /// An invite by its id, of this organization if one is named.
    pub(super) fn found_invite(
        &mut self,
        organization: Option<OrganizationId>,
        invite: InviteId,
    ) -> Result<FoundInvite> {
        let mut parts = vec![COLUMNS, FROM, " AND i.id = $3"];
        parts.extend(organization.map(|_| " AND i.organization_id = $4"));
        let row: Option<(ActorColumns, InviteColumns)> = Assembled::new(
            parts,
            (
                self.token_bind(),
                self.now_bind(),
                val::<SqlUuid, _>(stored_id(invite)),
                val::<Nullable<SqlUuid>, _>(organization.map(|id| *id.as_uuid())),
            ),
        )
        .get_result(self.connection)
        .optional()?;
        let Some((actor, row)) = row else { return self.not_found() };
        let actor = self.seen(actor)?;
        self.reach(OrganizationId::from_uuid(row.organization_id), None);
        let rows = [row];
        let mut targets = self.targets_of(&rows)?;
        let [row] = rows;
        Ok(FoundInvite {
            actor,
            invite: targets.record(&row, invite)?,
            membership: row.membership()?,
            links_enabled: row.invite_links,
            organization_is_blocked: row.is_blocked,
        })
    }

    /// What invites lead to: two statements for all.
    fn targets_of(&mut self, rows: &[InviteColumns]) -> Result<Targets> {
        let spaces: Vec<Uuid> = rows.iter().filter_map(|row| row.to_space).collect();
        let collections: Vec<Uuid> = rows.iter().filter_map(|row| row.to_collection).collect();
        let mut targets = Targets::default();
        let rows: Vec<SpaceColumns> =
            FindSpaces::bind((val::<Array<SqlUuid>, _>(&spaces),)).load(self.connection)?;
        for row in rows {
            let space = SpaceRecord::try_from(row)?;
            targets.spaces.insert(*space.id.as_uuid(), space);
        }
        let rows: Vec<CollectionColumns> =
            FindCollections::bind((val::<Array<SqlUuid>, _>(&collections),)).load(self.connection)?;
        for row in rows {
            targets.collections.insert(row.collection_id, row.try_into()?);
        }
        Ok(targets)
    }
}

impl Targets {
    fn record(&mut self, row: &InviteColumns, id: InviteId) -> Result<InviteRecord> {
        // Deleted between two statements.
        let target = match (row.to_space, row.to_collection) {
            (Some(space), _) => {
                let space = self.spaces.get(&space).cloned().ok_or(Error::NotFound)?;
                InviteTarget::Space(Box::new(space))
            }
            (None, Some(collection)) => {
                let collection = self.collections.get(&collection).cloned().ok_or(Error::NotFound)?;
                InviteTarget::Collection(collection)
            }
            (None, None) => InviteTarget::Organization,
        };
        let role = role_from_rank(row.invite_role)?;
        let actor_role = role_from_rank(match target {
            InviteTarget::Organization => row.member_role,
            InviteTarget::Space(_) | InviteTarget::Collection(_) => row.content_role,
        })?;
        Ok(InviteRecord {
            id,
            seed: row.invite_seed,
            organization: OrganizationId::from_uuid(row.organization_id),
            role,
            target,
            actor_role,
            redundant: row.membership()?.has_what_invite_gives(actor_role, role),
        })
    }
}

impl TryFrom<CollectionColumns> for InvitingCollection {
    type Error = Error;

    fn try_from(row: CollectionColumns) -> Result<Self> {
        Ok(Self {
            id: CollectionId::from_uuid(row.collection_id),
            organization: OrganizationId::from_uuid(row.organization_id),
            parent: row.parent_id.map(CollectionId::from_uuid),
            title: row.title,
            description: row.description,
            default_level: role_from_rank(row.default_level)?,
        })
    }
}
