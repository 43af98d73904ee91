//! Collections that change their place, with all that stands below them.

use diesel::prelude::*;
use diesel::sql_types::{Array, Integer, Nullable, Text, Uuid as SqlUuid};
use quire_domain::error::Reason;
use uuid::Uuid;

use super::{ListedCollection, require_depth};
use crate::lookup::{Authorized, CollectionRecord, OrganizationRecord};
use crate::members::IdRow;
use crate::placement::{Beside, Place, Standing};
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

statements! {
    Deepest = "SELECT max(cardinality(path)) AS depth FROM collections WHERE organization_id = $1 AND $2 = ANY (path)";
    // The paths of all below begin with the mover's own, of which `$4` ids are its former parents'.
    MoveCollection = "UPDATE collections SET path = $3 || path[$4 + 1:], \
                        parent_id = CASE WHEN id = $2 THEN $5 ELSE parent_id END, \
                        position = CASE WHEN id = $2 THEN $6 ELSE position END, \
                        updated_at = CASE WHEN id = $2 THEN $7 ELSE updated_at END \
                      WHERE organization_id = $1 AND $2 = ANY (path)";
    LockBelow = "SELECT id FROM collections WHERE organization_id = $1 AND $2 = ANY (path) ORDER BY id FOR UPDATE";
    LockSpacesBelow = "SELECT id FROM spaces WHERE organization_id = $1 AND collection_id = ANY ($2) ORDER BY id FOR UPDATE";
    DropCollectionGrants = "DELETE FROM content_grants WHERE organization_id = $1 AND collection_id = ANY ($2)";
    DropCollectionInvites = "DELETE FROM organization_invites WHERE organization_id = $1 AND collection_id = ANY ($2)";
    // One statement, because the keys between the two tables are checked when it ends.
    TransferCollection = "WITH moved AS (UPDATE collections SET organization_id = $3, path = path[$4 + 1:], \
                            parent_id = CASE WHEN id = $2 THEN NULL ELSE parent_id END, \
                            position = CASE WHEN id = $2 THEN $5 ELSE position END, updated_at = $6 \
                          WHERE organization_id = $1 AND $2 = ANY (path)) \
                          UPDATE spaces SET organization_id = $3, updated_at = $6 WHERE organization_id = $1 AND id = ANY ($7)";
}

#[derive(QueryableByName)]
struct DepthRow {
    #[diesel(sql_type = Nullable<Integer>)]
    depth: Option<i32>,
}

impl CollectionRecord {
    /// How many collections stand above it.
    fn parents(&self) -> usize {
        self.path.len().saturating_sub(1)
    }
}

impl Tx<'_> {
    /// Moves a collection, whose tree is locked, to a place of its organization.
    ///
    /// # Errors
    /// 409 when the place is below it, or gone; 400 when collections would nest too deep.
    pub fn move_collection(
        &mut self,
        collection: &Authorized<CollectionRecord>,
        to: Place<'_>,
        beside: &Beside,
    ) -> Result<ListedCollection> {
        let standing = self.lock_standing(to)?;
        if standing.path.contains(&collection.id) {
            let reason = Reason::CollectionCycle;
            return Err(Error::refused(reason, reason.message()));
        }
        let organization = val::<SqlUuid, _>(*collection.organization.as_uuid());
        let id = val::<SqlUuid, _>(*collection.id.as_uuid());
        let deepest: DepthRow = Deepest::bind((organization, id)).get_result(self.connection)?;
        let deepest = deepest.depth.and_then(|depth| usize::try_from(depth).ok()).unwrap_or_default();
        require_depth(standing.path.len().saturating_add(deepest.saturating_sub(collection.parents())))?;
        let position = self.position_at(&standing, beside, *collection.id.as_uuid())?;
        let path: Vec<Uuid> = standing.path.iter().map(|id| *id.as_uuid()).collect();
        MoveCollection::bind((
            val::<SqlUuid, _>(*collection.organization.as_uuid()),
            val::<SqlUuid, _>(*collection.id.as_uuid()),
            val::<Array<SqlUuid>, _>(path),
            val::<Integer, _>(i32::try_from(collection.parents()).unwrap_or(i32::MAX)),
            val::<Nullable<SqlUuid>, _>(standing.parent().map(|id| *id.as_uuid())),
            val::<Text, _>(position.to_string()),
            self.now_bind(),
        ))
        .execute(self.connection)?;
        self.listed_collection(collection.id)
    }

    /// Gives a collection with everything below it, deleted spaces too, to another organization: to the end of its root, without any
    /// grants. Both trees are locked.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn transfer_collection(
        &mut self,
        collection: &Authorized<CollectionRecord>,
        to: &Authorized<OrganizationRecord>,
    ) -> Result<ListedCollection> {
        let from = collection.organization;
        self.concern([to.id]);
        let spaces = self.lock_below(collection)?;
        let unpublished = self.leave_organization(from, &spaces)?;
        let position =
            self.position_at(&Standing::root(to.id), &Beside::default(), *collection.id.as_uuid())?;
        TransferCollection::bind((
            val::<SqlUuid, _>(*from.as_uuid()),
            val::<SqlUuid, _>(*collection.id.as_uuid()),
            val::<SqlUuid, _>(*to.id.as_uuid()),
            val::<Integer, _>(i32::try_from(collection.parents()).unwrap_or(i32::MAX)),
            val::<Text, _>(position.to_string()),
            self.now_bind(),
            val::<Array<SqlUuid>, _>(&spaces),
        ))
        .execute(self.connection)?;
        self.emit_visibilities(to.id, &unpublished)?;
        self.listed_collection(collection.id)
    }

    /// Locks a collection with everything below it, drops the grants on collections, and answers the spaces.
    fn lock_below(&mut self, collection: &CollectionRecord) -> Result<Vec<Uuid>> {
        let organization = || val::<SqlUuid, _>(*collection.organization.as_uuid());
        let collections: Vec<IdRow> =
            LockBelow::bind((organization(), val::<SqlUuid, _>(*collection.id.as_uuid())))
                .load(self.connection)?;
        let collections: Vec<Uuid> = collections.iter().map(|row| row.id).collect();
        let spaces: Vec<IdRow> =
            LockSpacesBelow::bind((organization(), val::<Array<SqlUuid>, _>(&collections)))
                .load(self.connection)?;
        DropCollectionGrants::bind((organization(), val::<Array<SqlUuid>, _>(&collections)))
            .execute(self.connection)?;
        DropCollectionInvites::bind((organization(), val::<Array<SqlUuid>, _>(&collections)))
            .execute(self.connection)?;
        Ok(spaces.iter().map(|row| row.id).collect())
    }
}
