//! Tree of the spaces and collections of an organization.
//!
//! The spaces and collections of one parent are ordered together by fractional positions: a move writes only the
//! position of the moved item. Deleted spaces keep their positions.
//!
//! Each change of the tree (creation, move, restoration, transfer, deletion of a collection) first locks the row of the
//! organization. So two changes never find the same free position, two concurrent moves cannot put a collection below
//! itself, and nothing is put into a collection that is being deleted. A lock on the parent alone would not suffice,
//! because the path of a collection holds all collections above it. The lock is held for a few statements. Neither
//! reads nor writes of content take it.

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::collections::CollectionFacts;
use quire_domain::error::Reason;
use quire_domain::ids::{CollectionId, OrganizationId};
use quire_domain::patch::Patch;
use quire_domain::policy::{self, ROOT_LEVEL};
use quire_domain::role::DefaultLevel;
use quire_revision::Position;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::content::collections::CollectionRecord;
use crate::content::spaces::SpaceRecord;
use crate::lookup::{Actor, Authorized};
use crate::people::organizations::OrganizationRecord;
use crate::schema::{collections, organizations};
use crate::transaction::Tx;
use crate::{Error, Result};

/// Parent of a space or collection: the root of an organization or one of its collections.
#[derive(Clone, Copy, Debug)]
pub enum Parent<'a> {
    /// Root.
    Root(&'a Authorized<OrganizationRecord>),
    /// Collection.
    Collection(&'a Authorized<CollectionRecord>),
}

impl Parent<'_> {
    /// Returns the actor that was authorized to create content in the parent.
    pub(crate) fn actor(&self) -> Actor {
        match self {
            Self::Root(organization) => organization.actor(),
            Self::Collection(collection) => collection.actor(),
        }
    }
}

/// Requested position among siblings. Without either bound, it is the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbors {
    /// Position of the preceding sibling.
    pub after: Option<Position>,
    /// Position of the following sibling.
    pub before: Option<Position>,
}

/// Cursor of a list of spaces or of collections. The list starts with the items at the root, followed by those of each
/// collection, ordered by position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionKey {
    /// Collection; `None` for the root.
    pub parent: Option<CollectionId>,
    /// Position in it.
    pub position: Position,
    /// Id of the space or collection.
    pub id: Uuid,
}

/// Record in the tree of an organization.
pub trait InTree {
    /// Returns the organization.
    fn organization(&self) -> OrganizationId;
}

impl InTree for SpaceRecord {
    fn organization(&self) -> OrganizationId {
        self.organization
    }
}

impl InTree for CollectionRecord {
    fn organization(&self) -> OrganizationId {
        self.organization
    }
}

/// Parent in a locked tree.
#[derive(Clone, Debug)]
pub(crate) struct LockedParent {
    pub(crate) organization: OrganizationId,
    /// Collection with its ancestors, from the root down; empty at the root.
    pub(crate) path: Vec<CollectionId>,
    /// Level that items inherit here: at the root, the organization's default role.
    pub(crate) default_level: Option<Role>,
}

impl LockedParent {
    /// Returns the root of an organization, without a default level.
    pub(crate) fn root(organization: OrganizationId) -> Self {
        Self { organization, path: Vec::new(), default_level: None }
    }

    /// Returns the collection; `None` at the root.
    pub(crate) fn collection(&self) -> Option<CollectionId> {
        self.path.last().copied()
    }
}

/// Returns the id of a parent as statements use it: nil for the root.
pub(crate) fn parent_or_root(parent: Option<CollectionId>) -> Uuid {
    parent.map_or(Uuid::nil(), Uuid::from)
}

/// Returns the values after which a page of a list starts. For the first page, they precede every item.
pub(crate) fn start_after(after: Option<&PositionKey>) -> (Uuid, String, Uuid) {
    after.map_or_else(
        || (Uuid::nil(), String::new(), Uuid::nil()),
        |key| (parent_or_root(key.parent), key.position.to_string(), key.id),
    )
}

/// Parses a position from the database.
pub(crate) fn stored_position(text: &str) -> Result<Position> {
    text.parse().map_err(|error| Error::corrupt("a position is damaged", anyhow::Error::from(error)))
}

sql_files! {
    LastPosition(SqlUuid, SqlUuid, SqlUuid) -> Nullable<Text> = "last_position.sql";
    NextPosition(SqlUuid, SqlUuid, SqlUuid, Text) -> Nullable<Text> = "next_position.sql";
    PreviousPosition(SqlUuid, SqlUuid, SqlUuid, Text) -> Nullable<Text> = "previous_position.sql";
}

impl Tx<'_> {
    /// Locks the trees of organizations until the transaction ends, in the order of their ids, which prevents
    /// deadlocks.
    pub(crate) fn lock_trees(&mut self, organizations: &[OrganizationId]) -> Result<()> {
        let ids = organizations.to_vec();
        organizations::table
            .filter(organizations::id.eq_any(ids))
            .order(organizations::id)
            .for_no_key_update()
            .select(organizations::id)
            .load::<Uuid>(self.connection)?;
        Ok(())
    }

    /// Returns the record that `look` finds, with its tree and the tree of `other` locked. `look` runs before and after
    /// the lock, because its parent and the role of the actor may change during the wait.
    ///
    /// # Errors
    /// Errors of `look`; 409 if the record was transferred to another organization in between.
    pub fn with_locked_tree<T: InTree>(
        &mut self,
        other: Option<OrganizationId>,
        look: impl Fn(&mut Self) -> Result<Authorized<T>>,
    ) -> Result<Authorized<T>> {
        let organization = look(self)?.organization();
        let organizations: Vec<OrganizationId> = other.into_iter().chain([organization]).collect();
        self.lock_trees(&organizations)?;
        let fresh = look(self)?;
        if fresh.organization() == organization {
            return Ok(fresh);
        }
        Err(Error::refused(Reason::Conflict, "It was transferred to another organization in the meantime."))
    }

    /// Locks the tree of a parent, and reads the parent again.
    pub(crate) fn lock_parent(&mut self, parent: Parent<'_>) -> Result<LockedParent> {
        match parent {
            Parent::Root(organization) => {
                self.lock_trees(&[organization.id])?;
                let default_level = Some(policy::level_at_root(organization.default_role));
                Ok(LockedParent { default_level, ..LockedParent::root(organization.id) })
            }
            Parent::Collection(collection) => {
                self.lock_trees(&[collection.organization])?;
                let now = self.read_collection(collection.organization, collection.id)?.ok_or_else(|| {
                    Error::refused(Reason::Conflict, "The collection was deleted in the meantime.")
                })?;
                let CollectionRecord { facts, path, .. } = now;
                let CollectionFacts { organization, default_level, .. } = facts;
                Ok(LockedParent { organization, path, default_level })
            }
        }
    }

    /// Returns a collection; `None` if the organization does not have it.
    pub(crate) fn read_collection(
        &mut self,
        organization: OrganizationId,
        id: CollectionId,
    ) -> Result<Option<CollectionRecord>> {
        let collection = collections::table
            .find((organization, id))
            .select(CollectionRecord::as_select())
            .get_result(self.connection)
            .optional()?;
        Ok(collection)
    }

    /// Returns the default level to write to an item with this parent; `None` keeps the current one. An inherited level
    /// is copied: later changes of the parent's level do not affect the item.
    pub(crate) fn level_to_write(
        &mut self,
        level: Patch<DefaultLevel>,
        organization: OrganizationId,
        parent: Option<CollectionId>,
    ) -> Result<Option<Option<Role>>> {
        policy::level_to_write(level, || {
            let Some(parent) = parent else { return Ok(Some(ROOT_LEVEL)) };
            Ok(self.read_collection(organization, parent)?.ok_or(Error::NotFound)?.default_level)
        })
    }

    /// Returns a free position below a locked parent. The item itself may already be there and is ignored.
    pub(crate) fn position_at(
        &mut self,
        parent: &LockedParent,
        neighbors: &Neighbors,
        itself: impl Into<Uuid>,
    ) -> Result<Position> {
        let (organization, parent) = (parent.organization, parent_or_root(parent.collection()));
        let itself = itself.into();
        let parse = |found: Option<String>| found.as_deref().map(stored_position).transpose();
        let (after, before) = match neighbors {
            Neighbors { after: Some(after), .. } => {
                let next = NextPosition::bind((organization, parent, itself, after.to_string()))
                    .get_result(self.connection)?;
                (Some(after.clone()), parse(next)?)
            }
            Neighbors { after: None, before: Some(before) } => {
                let previous = PreviousPosition::bind((organization, parent, itself, before.to_string()))
                    .get_result(self.connection)?;
                (parse(previous)?, Some(before.clone()))
            }
            Neighbors { after: None, before: None } => {
                let last = LastPosition::bind((organization, parent, itself)).get_result(self.connection)?;
                (parse(last)?, None)
            }
        };
        Position::between(after.as_ref(), before.as_ref()).ok_or_else(|| {
            Error::corrupt("two positions leave no room", anyhow::anyhow!("{after:?} and {before:?}"))
        })
    }
}
