//! Common code of moves and transfers of spaces and collections: destination and position.

use quire_domain::hierarchy::{ContentKind, ContentPointer, ContentPosition};
use quire_revision::Position;
use quire_storage::content::collections::CollectionRecord;
use quire_storage::content::hierarchy::{Neighbors, Parent};
use quire_storage::people::organizations::OrganizationRecord;
use uuid::Uuid;

use crate::prelude::*;

/// Destination in which the caller may create content.
pub enum Destination {
    /// Root of an organization.
    Root(Box<Authorized<OrganizationRecord>>),
    /// Collection.
    Collection(Box<Authorized<CollectionRecord>>),
}

impl Destination {
    /// Returns the collection in the key `parent` of a body, or the root of the organization.
    ///
    /// # Errors
    /// 400 if the organization has no such collection or it is hidden; 403 if the caller may not create content there.
    pub fn find(
        reader: &mut Reader<'_>,
        organization: OrganizationId,
        parent: Option<CollectionId>,
    ) -> ApiResult<Self> {
        let Some(parent) = parent else {
            let root = reader.organization(organization)?.authorize(Action::CreateContent)?;
            return Ok(Self::Root(Box::new(root)));
        };
        let unknown = || ApiError::invalid_field("parent", "does not exist");
        let found = reader.collection(parent).and_then(|found| found.authorize(Action::CreateContent));
        match found {
            Ok(collection) if collection.organization == organization => {
                Ok(Self::Collection(Box::new(collection)))
            }
            Ok(_) | Err(quire_storage::Error::NotFound) => Err(unknown()),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the current parent of an item that the caller sees.
    ///
    /// # Errors
    /// 403 if the caller may not create content there, even if the parent is hidden from the caller.
    pub fn around(
        reader: &mut Reader<'_>,
        organization: OrganizationId,
        parent: Option<CollectionId>,
    ) -> ApiResult<Self> {
        Self::find(reader, organization, parent).map_err(|error| match error.reason() {
            Reason::InvalidBody | Reason::NotFound => ApiError::new(Reason::Forbidden),
            _ => error,
        })
    }

    /// Returns the destination of a move. An absent key keeps the parent.
    ///
    /// # Errors
    /// The errors of [`Destination::find`] and [`Destination::around`].
    pub fn of_move(
        reader: &mut Reader<'_>,
        organization: OrganizationId,
        parent: Patch<CollectionId>,
        present: Option<CollectionId>,
    ) -> ApiResult<Self> {
        match parent {
            Patch::Keep => Self::around(reader, organization, present),
            Patch::Clear => Self::find(reader, organization, None),
            Patch::Set(parent) => Self::find(reader, organization, Some(parent)),
        }
    }

    /// Returns the destination for storage.
    #[must_use]
    pub fn as_parent(&self) -> Parent<'_> {
        match self {
            Self::Root(organization) => Parent::Root(organization),
            Self::Collection(collection) => Parent::Collection(collection),
        }
    }

    fn organization(&self) -> OrganizationId {
        match self {
            Self::Root(organization) => organization.id,
            Self::Collection(collection) => collection.organization,
        }
    }

    fn parent(&self) -> Option<CollectionId> {
        match self {
            Self::Root(_) => None,
            Self::Collection(collection) => Some(collection.id),
        }
    }

    /// Returns the requested position among the siblings. The tree is locked, so the siblings do not move.
    ///
    /// # Errors
    /// 400 if a sibling does not exist, or the siblings are in the other order.
    pub fn neighbors(
        &self,
        reader: &mut Reader<'_>,
        position: Option<ContentPosition>,
        moved: Uuid,
    ) -> ApiResult<Neighbors> {
        let ContentPosition { before, after } = position.unwrap_or_default();
        let before =
            before.map(|pointer| self.sibling(reader, "position.before", pointer, moved)).transpose()?;
        let after =
            after.map(|pointer| self.sibling(reader, "position.after", pointer, moved)).transpose()?;
        match (&after, &before) {
            (Some(after), Some(before)) if after >= before => {
                Err(ApiError::invalid_field("position", "`after` must precede `before`"))
            }
            _ => Ok(Neighbors { after, before }),
        }
    }

    /// Returns the position of a sibling that the caller sees.
    fn sibling(
        &self,
        reader: &mut Reader<'_>,
        field: &str,
        pointer: ContentPointer,
        moved: Uuid,
    ) -> ApiResult<Position> {
        let field = format!("{field}.{}", pointer.kind.key());
        let found = match (pointer.kind, pointer.space, pointer.collection) {
            (ContentKind::Space, Some(id), _) => reader
                .space(id)
                .and_then(|found| found.authorize(Action::ViewSpace))
                .map(|space| (*id.as_uuid(), space.organization, space.parent, space.position.clone())),
            (ContentKind::Collection, _, Some(id)) => reader
                .collection(id)
                .and_then(|found| found.authorize(Action::ViewCollection))
                .map(|found| (*id.as_uuid(), found.organization, found.parent, found.position.clone())),
            // Validation has ensured that one of them is present.
            _ => Err(quire_storage::Error::NotFound),
        };
        match found {
            Ok((id, ..)) if id == moved => {
                Err(ApiError::invalid_field(field, "must not be the item being moved"))
            }
            Ok((_, organization, parent, position))
                if (organization, parent) == (self.organization(), self.parent()) =>
            {
                Ok(position)
            }
            Ok(_) | Err(quire_storage::Error::NotFound) => {
                Err(ApiError::invalid_field(field, "is not in the same parent"))
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Returns the receiving organization of a transfer.
///
/// # Errors
/// 409 if it already owns the resource; 400 if it does not exist or the caller may not see it; 403 if the caller may
/// not create content in it.
pub fn recipient(
    reader: &mut Reader<'_>,
    owner: OrganizationId,
    id: OrganizationId,
) -> ApiResult<Authorized<OrganizationRecord>> {
    if id == owner {
        let message = "The resource already belongs to this organization.";
        return Err(ApiError::new(Reason::Conflict).with_message(message));
    }
    match reader.organization(id) {
        Ok(found) => Ok(found.authorize(Action::CreateContent)?),
        Err(quire_storage::Error::NotFound) => Err(ApiError::invalid_field("organization", "does not exist")),
        Err(error) => Err(error.into()),
    }
}
