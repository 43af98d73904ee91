//! Lookups and lists of invites.

use std::collections::HashMap;

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::collections::CollectionFacts;
use quire_domain::ids::{InviteId, OrganizationId, TokenId};
use quire_domain::policy::Membership;
use uuid::Uuid;

use super::{InviteRecord, InviteTarget, secret, stored_id};
use crate::content::spaces::SpaceRecord;
use crate::content::spaces::spaces_with_access;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Actor, ActorRow, Authorized};
use crate::people::organizations::OrganizationRecord;
use crate::schema::collections;
use crate::transaction::Reader;
use crate::views::{Access, invite_access, space_access};
use crate::{Error, Result};

/// Invite for an actor who may not belong to its organization.
pub(super) struct FoundInvite {
    pub(super) actor: Actor,
    pub(super) invite: InviteRecord,
    pub(super) membership: Membership,
    pub(super) links_enabled: bool,
    pub(super) organization_is_blocked: bool,
}

/// Invite with the actor's membership and role on its target.
#[derive(Queryable, Selectable)]
#[diesel(table_name = invite_access, check_for_backend(Pg))]
struct InviteRow {
    seed: Uuid,
    #[diesel(column_name = organization_id)]
    organization: OrganizationId,
    role: Option<Role>,
    #[diesel(column_name = space_id)]
    space: Option<Uuid>,
    #[diesel(column_name = collection_id)]
    collection: Option<Uuid>,
    member_role: Option<Role>,
    member_disabled: Option<bool>,
    content_role: Option<Role>,
    invite_links: bool,
    organization_is_blocked: bool,
}

impl InviteRow {
    /// Returns the actor's membership in the inviting organization.
    fn membership(&self) -> Membership {
        let member = |disabled| Membership::of_member(self.member_role, disabled);
        self.member_disabled.map_or(Membership::Outsider, member)
    }
}

/// Targets of invites.
#[derive(Default)]
struct Targets {
    spaces: HashMap<Uuid, SpaceRecord>,
    collections: HashMap<Uuid, CollectionFacts>,
}

impl Reader<'_> {
    /// Returns an invite of an organization to any bearer of its id. Takes three statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn invite(&mut self, organization: OrganizationId, invite: InviteId) -> Result<InviteRecord> {
        Ok(self.found_invite(Some(organization), invite)?.invite)
    }

    /// Returns an invite of an organization to a bearer of its id, while the organization's invite links are enabled.
    /// Administrators get it at any time, because their list contains it. Takes three statements.
    ///
    /// # Errors
    /// See [`Reader::invite`].
    pub fn open_invite(&mut self, organization: OrganizationId, invite: InviteId) -> Result<InviteRecord> {
        let found = self.found_invite(Some(organization), invite)?;
        let is_shown = found.membership.sees_invite_link(found.links_enabled);
        if is_shown { Ok(found.invite) } else { Err(Error::NotFound) }
    }

    /// Returns the invites of an organization, newest first, after the one with this seed. Takes five statements.
    ///
    /// # Errors
    /// A key of invites that cannot be unwrapped.
    pub fn invites_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<Uuid>,
        limit: u16,
    ) -> Result<Slice<InviteRecord>> {
        let id = organization.id;
        let token = organization.actor().token;
        let of_organization = || {
            invite_access::table
                .filter(invite_access::token_id.eq(token))
                .filter(invite_access::organization_id.eq(id))
        };
        let rows = of_organization()
            .filter(invite_access::seed.lt(page_end(after)))
            .order(invite_access::seed.desc())
            .limit(fetch_limit(limit))
            .select(InviteRow::as_select())
            .load(self.connection)?;
        let total = of_organization().count().get_result(self.connection)?;
        let targets = self.targets_of(token, id, &rows)?;
        let key = self.known_deployment_key(secret::KEY)?;
        Slice::cut(rows, limit, total).try_map(|row| {
            // The key is created with the first invite.
            let key = key
                .as_ref()
                .ok_or_else(|| Error::corrupt("invites have no key", anyhow::anyhow!(secret::KEY)))?;
            targets.record(&row, secret::id_of(key, row.seed))
        })
    }

    /// Returns an invite by its id, optionally only of one organization.
    pub(super) fn found_invite(
        &mut self,
        organization: Option<OrganizationId>,
        invite: InviteId,
    ) -> Result<FoundInvite> {
        let mut invites = invite_access::table
            .filter(self.token_is_valid::<invite_access::table>())
            .filter(invite_access::id.eq(stored_id(invite)))
            .into_boxed();
        if let Some(organization) = organization {
            invites = invites.filter(invite_access::organization_id.eq(organization));
        }
        let row: Option<(ActorRow, InviteRow)> = invites
            .select((invite_access::table::actor(), InviteRow::as_select()))
            .get_result(self.connection)
            .optional()?;
        let Some((actor, row)) = row else { return self.not_found() };
        let actor = self.record_actor(actor)?;
        self.record_tenant(row.organization, None);
        let targets = self.targets_of(actor.token, row.organization, std::slice::from_ref(&row))?;
        Ok(FoundInvite {
            actor,
            invite: targets.record(&row, invite)?,
            membership: row.membership(),
            links_enabled: row.invite_links,
            organization_is_blocked: row.organization_is_blocked,
        })
    }

    /// Returns the targets of invites of one organization. Takes two statements.
    fn targets_of(
        &mut self,
        token: TokenId,
        organization: OrganizationId,
        rows: &[InviteRow],
    ) -> Result<Targets> {
        let spaces: Vec<SpaceRecord> = spaces_with_access()
            .filter(space_access::token_id.eq(token))
            .filter(space_access::organization_id.eq(organization))
            .filter(space_access::id.eq_any(rows.iter().filter_map(|row| row.space)))
            .select(SpaceRecord::as_select())
            .load(self.connection)?;
        let collections: Vec<CollectionFacts> = collections::table
            .filter(collections::organization_id.eq(organization))
            .filter(collections::id.eq_any(rows.iter().filter_map(|row| row.collection)))
            .select(CollectionFacts::as_select())
            .load(self.connection)?;
        Ok(Targets {
            spaces: spaces.into_iter().map(|space| (space.id.into(), space)).collect(),
            collections: collections
                .into_iter()
                .map(|collection| (collection.id.into(), collection))
                .collect(),
        })
    }
}

impl Targets {
    fn record(&self, row: &InviteRow, id: InviteId) -> Result<InviteRecord> {
        // The target was deleted between two statements.
        let target = match (row.space, row.collection) {
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
        let actor_role = match target {
            InviteTarget::Organization => row.member_role,
            InviteTarget::Space(_) | InviteTarget::Collection(_) => row.content_role,
        };
        Ok(InviteRecord {
            id,
            seed: row.seed,
            organization: row.organization,
            role: row.role,
            target,
            actor_role,
            redundant: row.membership().has_what_invite_gives(actor_role, row.role),
        })
    }
}
