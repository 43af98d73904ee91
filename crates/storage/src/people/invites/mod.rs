//! Invites: invite links and e-mail invites.

mod accept;
mod accept_email;
mod email;
mod pending;
mod queries;
mod secret;

use diesel::prelude::*;
use diesel::sql_types::{Nullable, SmallInt, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::collections::CollectionFacts;
use quire_domain::ids::{CollectionId, InviteId, OrganizationId, SpaceId};
use uuid::Uuid;

pub(crate) use accept_email::secret_hash;
pub use accept_email::{Registered, ShownInvite};
pub use email::Invited;
pub(crate) use email::SECRET_PREFIX;
pub use pending::AddressedInvite;
pub use secret::stored_id;

use crate::content::spaces::SpaceRecord;
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::schema::organization_invites;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Stored invite, with the facts that depend on the actor.
#[derive(Clone, Debug)]
pub struct InviteRecord {
    /// Id, which is the secret of its link.
    pub id: InviteId,
    /// Key in lists. The id cannot be derived from it.
    pub seed: Uuid,
    /// Organization.
    pub organization: OrganizationId,
    /// Role of the invite; `None` for a guest of the organization.
    pub role: Option<Role>,
    /// Target.
    pub target: InviteTarget,
    /// Actor's role on the target; `None` without one.
    pub actor_role: Option<Role>,
    /// `true` if the actor already has at least this role.
    pub redundant: bool,
}

/// Target of an invite.
#[derive(Clone, Debug)]
pub enum InviteTarget {
    /// Organization.
    Organization,
    /// Space of the organization.
    Space(Box<SpaceRecord>),
    /// Collection of the organization.
    Collection(CollectionFacts),
}

/// Target of a new invite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewTarget {
    /// Organization.
    Organization,
    /// Space.
    Space(SpaceId),
    /// Collection.
    Collection(CollectionId),
}

impl NewTarget {
    fn columns(self) -> (Option<SpaceId>, Option<CollectionId>) {
        match self {
            Self::Organization => (None, None),
            Self::Space(space) => (Some(space), None),
            Self::Collection(collection) => (None, Some(collection)),
        }
    }
}

sql_files! {
    InsertInvite(
        SqlUuid, SqlUuid, Nullable<SqlUuid>, Nullable<SqlUuid>, Nullable<SmallInt>, SqlUuid, Timestamptz, SqlUuid,
    ) = "insert.sql";
}

impl Tx<'_> {
    /// Creates an invite. Returns `None` if the organization has no such space or collection.
    pub fn create_invite(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        target: NewTarget,
        role: Option<Role>,
    ) -> Result<Option<InviteId>> {
        let seed = self.storage.ids().uuid();
        let id = secret::id_of(&self.deployment_key(secret::KEY)?, seed);
        self.record_created("invite", stored_id(id));
        let (space, collection) = target.columns();
        let written = InsertInvite::bind((
            organization.id,
            stored_id(id),
            space,
            collection,
            role.map(Role::rank),
            organization.actor().user,
            self.now,
            seed,
        ))
        .execute(self.connection)?;
        Ok((written > 0).then_some(id))
    }

    /// Locks an invite until the transaction ends. An acceptance before the lock gives the previous role.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn lock_invite(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        invite: InviteId,
    ) -> Result<()> {
        let locked: Option<Uuid> = organization_invites::table
            .find((organization.id, stored_id(invite)))
            .for_no_key_update()
            .select(organization_invites::id)
            .get_result(self.connection)
            .optional()?;
        locked.map(drop).ok_or(Error::NotFound)
    }

    /// Changes the role of an invite.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the invite was deleted after its lookup.
    pub fn set_invite_role(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        invite: &InviteRecord,
        role: Option<Role>,
    ) -> Result<()> {
        let invite = organization_invites::table.find((organization.id, stored_id(invite.id)));
        let changed = diesel::update(invite)
            .set(organization_invites::role.eq(role.map(Role::rank)))
            .execute(self.connection)?;
        if changed == 0 { Err(Error::NotFound) } else { Ok(()) }
    }

    /// Deletes an invite; its link can no longer be accepted.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn delete_invite(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        invite: InviteId,
    ) -> Result<()> {
        let invite = organization_invites::table.find((organization.id, stored_id(invite)));
        let deleted = diesel::delete(invite).execute(self.connection)?;
        if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}
