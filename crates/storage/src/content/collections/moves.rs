//! Moves of collections with their contents.

use diesel::dsl::max;
use diesel::prelude::*;
use diesel::sql_types::{Array, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::functions::cardinality;
use quire_database::sql_files;
use quire_domain::error::Reason;
use quire_domain::ids::{CollectionId, SpaceId};
use uuid::Uuid;

use super::{ListedCollection, require_depth};
use crate::content::collections::CollectionRecord;
use crate::content::hierarchy::{LockedParent, Neighbors, Parent};
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::schema::{collections, content_grants, organization_invites, spaces};
use crate::transaction::Tx;
use crate::{Error, Result};

sql_files! {
    MoveCollection(SqlUuid, SqlUuid, Array<SqlUuid>, Integer, Nullable<SqlUuid>, Text, Timestamptz)
        = "move.sql";
    TransferCollection(SqlUuid, SqlUuid, SqlUuid, Integer, Text, Timestamptz) = "transfer.sql";
    TransferSpaces(SqlUuid, SqlUuid, Array<SqlUuid>, Array<SqlUuid>, Timestamptz)
        = "transfer_spaces.sql";
}

impl CollectionRecord {
    /// Returns the number of ancestors.
    fn parents(&self) -> usize {
        self.path.len().saturating_sub(1)
    }

    fn parents_bind(&self) -> i32 {
        i32::try_from(self.parents()).unwrap_or(i32::MAX)
    }
}

impl Tx<'_> {
    /// Moves a collection to another parent in its organization. The tree must be locked.
    ///
    /// # Errors
    /// 409 if the parent is a descendant of the collection, or was deleted; 400 if collections would nest too deeply.
    pub fn move_collection(
        &mut self,
        collection: &Authorized<CollectionRecord>,
        to: Parent<'_>,
        neighbors: &Neighbors,
    ) -> Result<ListedCollection> {
        let parent = self.lock_parent(to)?;
        if parent.path.contains(&collection.id) {
            let reason = Reason::CollectionCycle;
            return Err(Error::refused(reason, reason.message()));
        }
        let (organization, id) = (collection.organization, collection.id);
        let deepest: Option<i32> = collections::table
            .filter(collections::organization_id.eq(organization))
            .filter(collections::path.contains(vec![id]))
            .select(max(cardinality(collections::path)))
            .get_result(self.connection)?;
        let deepest = deepest.and_then(|depth| usize::try_from(depth).ok()).unwrap_or_default();
        require_depth(parent.path.len().saturating_add(deepest.saturating_sub(collection.parents())))?;
        let position = self.position_at(&parent, neighbors, id)?;
        let path = parent.path.to_vec();
        MoveCollection::bind((
            organization,
            id,
            path,
            collection.parents_bind(),
            parent.collection().map(Uuid::from),
            position.to_string(),
            self.now,
        ))
        .execute(self.connection)?;
        self.listed_collection(collection.id)
    }

    /// Transfers a collection with its contents, including deleted spaces, to the end of the root of another
    /// organization. Grants are not transferred. Both trees must be locked.
    pub fn transfer_collection(
        &mut self,
        collection: &Authorized<CollectionRecord>,
        to: &Authorized<OrganizationRecord>,
    ) -> Result<ListedCollection> {
        let from = collection.organization;
        self.concern([to.id]);
        let (spaces, collections): (Vec<SpaceId>, Vec<CollectionId>) =
            self.lock_below(collection)?.into_iter().unzip();
        let unpublished = self.leave_organization(from, &spaces)?;
        // The spaces leave their collections in between, because the foreign keys are checked after each statement.
        let moved = spaces::table.filter(spaces::organization_id.eq(from)).filter(spaces::id.eq_any(&spaces));
        diesel::update(moved).set(spaces::collection_id.eq(None::<CollectionId>)).execute(self.connection)?;
        let now = self.now;
        let position = self.position_at(&LockedParent::root(to.id), &Neighbors::default(), collection.id)?;
        TransferCollection::bind((
            from,
            collection.id,
            to.id,
            collection.parents_bind(),
            position.to_string(),
            now,
        ))
        .execute(self.connection)?;
        TransferSpaces::bind((from, to.id, &spaces, &collections, now)).execute(self.connection)?;
        self.emit_visibilities(to.id, &unpublished)?;
        self.listed_collection(collection.id)
    }

    /// Locks a collection with its contents, deletes grants on and invites to the collections, and returns the spaces
    /// with their collections.
    fn lock_below(&mut self, collection: &CollectionRecord) -> Result<Vec<(SpaceId, CollectionId)>> {
        let organization = collection.organization;
        let collections: Vec<CollectionId> = collections::table
            .filter(collections::organization_id.eq(organization))
            .filter(collections::path.contains(vec![collection.id]))
            .order(collections::id)
            .for_update()
            .select(collections::id)
            .load(self.connection)?;
        let spaces: Vec<(SpaceId, CollectionId)> = spaces::table
            .filter(spaces::organization_id.eq(organization))
            .filter(spaces::collection_id.eq_any(&collections))
            .order(spaces::id)
            .for_update()
            .select((spaces::id, spaces::collection_id.assume_not_null()))
            .load(self.connection)?;
        let grants = content_grants::table
            .filter(content_grants::organization_id.eq(organization))
            .filter(content_grants::collection_id.eq_any(&collections));
        diesel::delete(grants).execute(self.connection)?;
        let invites = organization_invites::table
            .filter(organization_invites::organization_id.eq(organization))
            .filter(organization_invites::collection_id.eq_any(&collections));
        diesel::delete(invites).execute(self.connection)?;
        Ok(spaces)
    }
}
