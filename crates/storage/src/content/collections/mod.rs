//! Collections.

mod list;
mod lookup;
mod moves;

use std::mem::take;

use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::sql_types::{Array, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::bounds::COLLECTION_DEPTH_MAX;
use quire_domain::collections::{CollectionFacts, CollectionUpdate};
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::CollectionId;
use uuid::Uuid;

use crate::content::hierarchy::{LockedParent, Neighbors, Parent};
use crate::lookup::Authorized;
use crate::people::permissions::Container;
use crate::schema::{collections, spaces};
use crate::transaction::Tx;
use crate::{Error, Result};

pub use self::lookup::CollectionRecord;
pub(crate) use self::lookup::collections_with_access;
pub use list::ListedCollection;

sql_files! {
    Detach(SqlUuid, Array<SqlUuid>, Array<Text>) = "detach_spaces.sql";
}

impl Tx<'_> {
    /// Creates a collection at the end of its parent, with the default level of the parent.
    ///
    /// # Errors
    /// 400 if collections would nest too deeply; 409 if the parent was deleted.
    pub fn create_collection(&mut self, parent: Parent<'_>, title: &str) -> Result<ListedCollection> {
        let id = CollectionId::from_uuid(self.storage.ids().uuid());
        self.record_created("collection", id);
        let creator = parent.actor().user;
        let parent = self.lock_parent(parent)?;
        require_depth(parent.path.len().saturating_add(1))?;
        let position = self.position_at(&parent, &Neighbors::default(), id)?;
        let path: Vec<_> = parent.path.iter().chain([&id]).copied().collect();
        let record = CollectionRecord {
            facts: CollectionFacts {
                id,
                title: title.to_owned(),
                description: None,
                organization: parent.organization,
                parent: parent.collection(),
                default_level: parent.default_level,
            },
            path,
            position,
        };
        let times = (collections::created_at.eq(self.now), collections::updated_at.eq(self.now));
        diesel::insert_into(collections::table).values((record, times)).execute(self.connection)?;
        self.grant_to_creator(parent.organization, Container::Collection(id), creator)?;
        self.listed_collection(id)
    }

    /// Locks a collection until the transaction ends and reads it again, because it may have changed after its lookup.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was deleted.
    pub fn lock_collection(
        &mut self,
        collection: Authorized<CollectionRecord>,
    ) -> Result<Authorized<CollectionRecord>> {
        let fresh = collections::table
            .find((collection.organization, collection.id))
            .for_no_key_update()
            .select(CollectionRecord::as_select())
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        Ok(collection.map(|_| fresh))
    }

    /// Changes a locked collection and returns the new record.
    pub fn update_collection(
        &mut self,
        collection: Authorized<CollectionRecord>,
        mut update: CollectionUpdate,
    ) -> Result<Authorized<CollectionRecord>> {
        let level = self.level_to_write(update.default_level, collection.organization, collection.parent)?;
        let changes = (
            level.map(|level| collections::default_level.eq(level)),
            take(&mut update.description).assign(collections::description),
            collections::updated_at.eq(self.now),
            update,
        );
        diesel::update(collections::table.find((collection.organization, collection.id)))
            .set(changes)
            .execute(self.connection)?;
        self.lock_collection(collection)
    }

    /// Deletes a collection whose tree is locked. Deleted spaces in it move to the end of the root, where a restoration
    /// puts them.
    ///
    /// # Errors
    /// 409 if it contains any other space or collection.
    pub fn delete_collection(&mut self, collection: &Authorized<CollectionRecord>) -> Result<()> {
        let (organization, id) = (collection.organization, collection.id);
        let contained = || {
            spaces::table
                .filter(spaces::organization_id.eq(organization))
                .filter(spaces::collection_id.eq(id))
        };
        let has_collection = exists(
            collections::table
                .filter(collections::organization_id.eq(organization))
                .filter(collections::parent_id.eq(id)),
        );
        let has_space = exists(contained().filter(spaces::deleted_at.is_null()));
        if diesel::select(has_collection.or(has_space)).get_result(self.connection)? {
            let reason = Reason::CollectionNotEmpty;
            return Err(Error::refused(reason, reason.message()));
        }
        contained().order(spaces::id).for_no_key_update().select(spaces::id).load::<Uuid>(self.connection)?;
        let contained: Vec<Uuid> =
            contained().order((spaces::position, spaces::id)).select(spaces::id).load(self.connection)?;
        if let Some(first) = contained.first() {
            let root = LockedParent::root(collection.organization);
            let free = self.position_at(&root, &Neighbors::default(), *first)?;
            let positions = std::iter::successors(Some(free), |last| Some(last.after()));
            let positions: Vec<String> =
                positions.take(contained.len()).map(|position| position.to_string()).collect();
            Detach::bind((organization, contained, positions)).execute(self.connection)?;
        }
        diesel::delete(collections::table.find((organization, id))).execute(self.connection)?;
        Ok(())
    }

    /// Returns a collection after a change, even for an actor who may no longer see it.
    fn listed_collection(&mut self, id: CollectionId) -> Result<ListedCollection> {
        let found = self.collection(id)?;
        Ok(ListedCollection { collection: found.value, role: found.role })
    }
}

/// Refuses a collection with too many ancestors.
fn require_depth(depth: usize) -> Result<()> {
    if depth <= COLLECTION_DEPTH_MAX {
        return Ok(());
    }
    let message =
        format!("would nest collections {depth} levels deep; the maximum is {COLLECTION_DEPTH_MAX}");
    Err(Refusal::new(Reason::InvalidBody).at("parent", message).into())
}
