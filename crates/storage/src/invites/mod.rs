//! Invites: links by which people come in, and e-mail invites.

mod accept;
mod accept_email;
mod email;
mod find;
mod pending;
mod secret;

use diesel::prelude::*;
use diesel::sql_types::{Nullable, SmallInt, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{CollectionId, InviteId, OrganizationId, SpaceId};
use uuid::Uuid;

pub use accept_email::Registered;
pub use email::{Invited, NewEmailInvite};
pub use pending::{EmailInviteRecord, OwnInviteRecord};
pub use secret::stored_id;

use crate::Result;
use crate::lookup::{Authorized, OrganizationRecord, SpaceRecord};
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;

/// An invite as it is stored, with what depends on who looks at it.
#[derive(Clone, Debug)]
pub struct InviteRecord {
    /// Its id, which is the secret of its link.
    pub id: InviteId,
    /// Its place in lists. It opens nothing.
    pub seed: Uuid,
    /// Whose it is.
    pub organization: OrganizationId,
    /// What who accepts gets; `None` for none but to be a guest.
    pub role: Option<Role>,
    /// What it leads to.
    pub target: InviteTarget,
    /// The actor's role on the target, `None` for none.
    pub actor_role: Option<Role>,
    /// Whether the actor has as much already.
    pub redundant: bool,
}

/// What an invite leads to.
#[derive(Clone, Debug)]
pub enum InviteTarget {
    /// The organization.
    Organization,
    /// One of its spaces.
    Space(Box<SpaceRecord>),
    /// One of its collections.
    Collection(InvitingCollection),
}

/// A collection as an invite shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitingCollection {
    /// Its id.
    pub id: CollectionId,
    /// The owning organization.
    pub organization: OrganizationId,
    /// The collection it stands in.
    pub parent: Option<CollectionId>,
    /// Its title.
    pub title: String,
    /// What it is for.
    pub description: Option<String>,
    /// The role that members have without a grant.
    pub default_level: Option<Role>,
}

/// What a new invite leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewTarget {
    /// The organization.
    Organization,
    /// A space.
    Space(SpaceId),
    /// A collection.
    Collection(CollectionId),
}

impl NewTarget {
    fn columns(self) -> (Option<Uuid>, Option<Uuid>) {
        match self {
            Self::Organization => (None, None),
            Self::Space(space) => (Some(*space.as_uuid()), None),
            Self::Collection(collection) => (None, Some(*collection.as_uuid())),
        }
    }
}

statements! {
    // Nothing is made for what isn't there, or is in the bin.
    InsertInvite = "INSERT INTO organization_invites (organization_id, id, space_id, collection_id, role, created_by, created_at, seed) \
        SELECT $1, $2, $3, $4, $5, $6, $7, $8 \
        WHERE ($3 IS NULL OR EXISTS (SELECT 1 FROM spaces s WHERE s.organization_id = $1 AND s.id = $3 AND s.deleted_at IS NULL \
                                     FOR KEY SHARE)) \
          AND ($4 IS NULL OR EXISTS (SELECT 1 FROM collections c WHERE c.organization_id = $1 AND c.id = $4 FOR KEY SHARE))";
    LockInvite = "SELECT 1 FROM organization_invites WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE";
    SetInviteRole = "UPDATE organization_invites SET role = $3 WHERE organization_id = $1 AND id = $2";
    DeleteInvite = "DELETE FROM organization_invites WHERE organization_id = $1 AND id = $2";
}

impl Tx<'_> {
    /// Makes an invite; `None` when the organization has no such space or collection.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn create_invite(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        target: NewTarget,
        role: Option<Role>,
    ) -> Result<Option<InviteId>> {
        let seed = self.storage.ids().uuid();
        let id = secret::id_of(&self.deployment_key(secret::KEY)?, seed);
        self.note_made("invite", stored_id(id));
        let (space, collection) = target.columns();
        let now = self.now_bind();
        let made = InsertInvite::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(stored_id(id)),
            val::<Nullable<SqlUuid>, _>(space),
            val::<Nullable<SqlUuid>, _>(collection),
            val::<Nullable<SmallInt>, _>(role.map(Role::rank)),
            val::<SqlUuid, _>(*organization.actor().user.as_uuid()),
            now,
            val::<SqlUuid, _>(seed),
        ))
        .execute(self.connection)?;
        Ok((made > 0).then_some(id))
    }

    /// Locks an invite until the transaction ends; whoever is let in by it meanwhile gets what it said before.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error) if it does not exist.
    pub fn lock_invite(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        invite: InviteId,
    ) -> Result<()> {
        let locked = LockInvite::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(stored_id(invite)),
        ))
        .execute(self.connection)?;
        if locked == 0 { Err(crate::Error::NotFound) } else { Ok(()) }
    }

    /// Changes what who accepts gets.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error) when the invite was deleted meanwhile.
    pub fn set_invite_role(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        invite: &InviteRecord,
        role: Option<Role>,
    ) -> Result<()> {
        let changed = SetInviteRole::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(stored_id(invite.id)),
            val::<Nullable<SmallInt>, _>(role.map(Role::rank)),
        ))
        .execute(self.connection)?;
        if changed == 0 { Err(crate::Error::NotFound) } else { Ok(()) }
    }

    /// Deletes an invite: who has the link can no longer come in.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error) if it does not exist.
    pub fn delete_invite(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        invite: InviteId,
    ) -> Result<()> {
        let deleted = DeleteInvite::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(stored_id(invite)),
        ))
        .execute(self.connection)?;
        if deleted == 0 { Err(crate::Error::NotFound) } else { Ok(()) }
    }
}
