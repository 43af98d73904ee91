//! Where spaces and collections stand among each other: the tree of an organization.
//!
//! Spaces and collections of one parent are ordered together, by fractional positions: a move writes the position of what moves, and
//! nothing of its siblings. Deleted spaces keep their positions, so that no other thing takes them.
//!
//! Whatever changes the tree (making, moving, restoring, transferring, and deleting a collection) first locks the row of the
//! organization. So two of these never find the same free position, a collection never gets below itself by two moves that cross, and
//! nothing is put into a collection that goes. A finer lock, on the parent, would not do: the path of a collection names all above
//! it. The lock is held for a few statements, and neither reading nor writing content takes it.

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::error::Reason;
use quire_domain::ids::{CollectionId, OrganizationId};
use quire_domain::patch::Patch;
use quire_domain::policy::{self, ROOT_LEVEL};
use quire_domain::role::DefaultLevel;
use quire_revision::Position;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::lookup::{Actor, Authorized, COLLECTION, CollectionRecord, OrganizationRecord, SpaceRecord};
use crate::schema::{collections, organizations};
use crate::statement::sql_files;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Where something is put: at the root of an organization or in one of its collections.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// At the root.
    Root(&'a Authorized<OrganizationRecord>),
    /// In a collection.
    Collection(&'a Authorized<CollectionRecord>),
}

impl Place<'_> {
    /// Who was authorized to put something there.
    pub(crate) fn actor(&self) -> Actor {
        match self {
            Self::Root(organization) => organization.actor(),
            Self::Collection(collection) => collection.actor(),
        }
    }
}

/// The place among siblings that is asked for. Neither bound is the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// The position of what it shall stand after.
    pub after: Option<Position>,
    /// The position of what it shall stand before.
    pub before: Option<Position>,
}

/// Where something stands in a list of spaces or of collections: what follows it is found from this. Such lists begin with the
/// organization's root; then come its collections one after the other, and in each the order is that of the positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceKey {
    /// What it stands in.
    pub parent: Option<CollectionId>,
    /// Its position there.
    pub position: Position,
    /// Its id.
    pub id: Uuid,
}

/// What has a place in the tree of an organization.
pub trait Placed {
    /// Whose tree it is.
    fn organization(&self) -> OrganizationId;
}

impl Placed for SpaceRecord {
    fn organization(&self) -> OrganizationId {
        self.organization
    }
}

impl Placed for CollectionRecord {
    fn organization(&self) -> OrganizationId {
        self.organization
    }
}

/// A place within a locked tree.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    pub(crate) organization: OrganizationId,
    /// The collection and all above it, from the root down; empty at the root.
    pub(crate) path: Vec<CollectionId>,
    /// The level that is inherited here: at the root the organization's default role.
    pub(crate) default_level: Option<Role>,
}

impl Standing {
    /// The end of an organization's root, whoever asks.
    pub(crate) fn root(organization: OrganizationId) -> Self {
        Self { organization, path: Vec::new(), default_level: None }
    }

    pub(crate) fn parent(&self) -> Option<CollectionId> {
        self.path.last().copied()
    }
}

/// How the root is written where a parent's id is compared: no id is nil.
pub(crate) fn parent_or_root(parent: Option<CollectionId>) -> Uuid {
    parent.map_or(Uuid::nil(), |id| *id.as_uuid())
}

/// A position from the database.
pub(crate) fn stored_position(text: &str) -> Result<Position> {
    text.parse().map_err(|error| Error::corrupt("a position is damaged", anyhow::Error::from(error)))
}

sql_files! {
    LastPosition(SqlUuid, SqlUuid, SqlUuid) -> Nullable<Text> = "placement/last_position.sql";
    NextPosition(SqlUuid, SqlUuid, SqlUuid, Text) -> Nullable<Text> = "placement/next_position.sql";
    PreviousPosition(SqlUuid, SqlUuid, SqlUuid, Text) -> Nullable<Text> = "placement/previous_position.sql";
}

impl Tx<'_> {
    /// Locks the trees of organizations until the transaction ends: in the order of their ids, so that no two transactions wait for
    /// each other.
    pub(crate) fn lock_trees(&mut self, organizations: &[OrganizationId]) -> Result<()> {
        let ids: Vec<Uuid> = organizations.iter().map(|id| *id.as_uuid()).collect();
        organizations::table
            .filter(organizations::id.eq_any(ids))
            .order(organizations::id)
            .for_no_key_update()
            .select(organizations::id)
            .load::<Uuid>(self.connection)?;
        Ok(())
    }

    /// What `look` finds, with the tree that it stands in locked, and the tree of `other`. It is looked up twice: while the lock was
    /// waited for, its place and the actor's role on it may have changed.
    ///
    /// # Errors
    /// What `look` says; 409 when it was given to another organization in between.
    pub fn with_locked_tree<T: Placed>(
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
        Err(Error::refused(Reason::Conflict, "It was given to another organization in the meantime."))
    }

    /// Locks the tree of a place, and finds out what it is like now.
    pub(crate) fn lock_standing(&mut self, place: Place<'_>) -> Result<Standing> {
        match place {
            Place::Root(organization) => {
                self.lock_trees(&[organization.id])?;
                let default_level = Some(policy::level_at_root(organization.default_role));
                Ok(Standing { default_level, ..Standing::root(organization.id) })
            }
            Place::Collection(collection) => {
                self.lock_trees(&[collection.organization])?;
                let now = self.read_collection(collection.organization, collection.id)?.ok_or_else(|| {
                    Error::refused(Reason::Conflict, "The collection was deleted in the meantime.")
                })?;
                let CollectionRecord { organization, path, default_level, .. } = now;
                Ok(Standing { organization, path, default_level })
            }
        }
    }

    /// A collection as it is now; `None` when the organization has it no longer.
    pub(crate) fn read_collection(
        &mut self,
        organization: OrganizationId,
        id: CollectionId,
    ) -> Result<Option<CollectionRecord>> {
        let collection = collections::table
            .find((organization.as_uuid(), id.as_uuid()))
            .select(COLLECTION)
            .get_result(self.connection)
            .optional()?;
        Ok(collection)
    }

    /// The default level that a change writes to something in this place; `None` keeps what is there. What is inherited is
    /// found out once: a level that the parent gets later doesn't reach what is in it.
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

    /// A free position in a locked place, for something that may stand there already: it is no neighbour of itself.
    pub(crate) fn position_at(
        &mut self,
        standing: &Standing,
        beside: &Beside,
        itself: Uuid,
    ) -> Result<Position> {
        let (organization, parent) = (standing.organization.as_uuid(), parent_or_root(standing.parent()));
        let parse = |found: Option<String>| found.as_deref().map(stored_position).transpose();
        let (after, before) = match beside {
            Beside { after: Some(after), .. } => {
                let next = NextPosition::bind((organization, parent, itself, after.to_string()))
                    .get_result(self.connection)?;
                (Some(after.clone()), parse(next)?)
            }
            Beside { after: None, before: Some(before) } => {
                let previous = PreviousPosition::bind((organization, parent, itself, before.to_string()))
                    .get_result(self.connection)?;
                (parse(previous)?, Some(before.clone()))
            }
            Beside { after: None, before: None } => {
                let last = LastPosition::bind((organization, parent, itself)).get_result(self.connection)?;
                (parse(last)?, None)
            }
        };
        Position::between(after.as_ref(), before.as_ref()).ok_or_else(|| {
            Error::corrupt("two positions leave no room", anyhow::anyhow!("{after:?} and {before:?}"))
        })
    }
}
