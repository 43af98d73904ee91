//! Invites: links by which people join an organization or get access to some of its content, and e-mail invites.

mod accept;
mod email;

use serde::{Deserialize, Serialize};

pub use accept::{InviteAccept, InviteRegister, OwnInvite, OwnInviteOrganization, Registration};
pub use email::{EmailInvite, EmailInvites, EmailInvitesResult, Invitee, InviteeWithRole};

use crate::collections::Collection;
use crate::error::FieldError;
use crate::features::{ToSchema, Validate};
use crate::ids::{CollectionId, InviteId, SpaceId};
use crate::object::InviteTag;
use crate::patch::{self, Patch};
use crate::role::Role;
use crate::spaces::Space;

/// A link by which people come in: to the organization, or to one of its spaces or collections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Invite {
    /// To a space.
    Space(Box<SpaceInvite>),
    /// To a collection.
    Collection(CollectionInvite),
    /// To the organization.
    Organization(OrganizationInvite),
}

/// An invite to an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationInvite {
    /// Always `invite`.
    pub object: InviteTag,
    /// Id of the invite: who has it can come in.
    pub id: InviteId,
    /// The role that new members get; `null` for guests.
    #[schema(required)]
    pub role: Option<Role>,
    /// Whether the caller has as much already.
    pub redundant: bool,
}

/// An invite to a space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpaceInvite {
    /// Always `invite`.
    pub object: InviteTag,
    /// Id of the invite: who has it can come in.
    pub id: InviteId,
    /// The role that people get on the space; `null` for none but to be a guest of its organization.
    #[schema(required)]
    pub level: Option<Role>,
    /// Whether the caller has as much already.
    pub redundant: bool,
    /// The space.
    pub space: Space,
}

/// An invite to a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CollectionInvite {
    /// Always `invite`.
    pub object: InviteTag,
    /// Id of the invite: who has it can come in.
    pub id: InviteId,
    /// The role that people get on the collection; `null` for none but to be a guest of its organization.
    #[schema(required)]
    pub level: Option<Role>,
    /// Whether the caller has as much already.
    pub redundant: bool,
    /// The collection.
    pub collection: Collection,
}

/// Request body to create an invite: `role` for the organization, `level` with `space` or `collection` for a part of its content.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct InviteCreate {
    /// The role that new members get; `null` for guests. An invite to the organization.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub role: Patch<Role>,
    /// The role that people get on the space or collection.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub level: Patch<Role>,
    /// The space that the invite is to.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub space: Option<SpaceId>,
    /// The collection that the invite is to.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub collection: Option<CollectionId>,
}

/// What a new invite leads to, and what who accepts it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InviteKind {
    /// Membership with this role; `None` for guests.
    Organization(Option<Role>),
    /// This role on a space; `None` for none but to be a guest.
    Space(SpaceId, Option<Role>),
    /// This role on a collection; `None` for none but to be a guest.
    Collection(CollectionId, Option<Role>),
}

impl InviteCreate {
    /// What the body asks for.
    ///
    /// # Errors
    /// The key that is missing or too much.
    pub fn kind(&self) -> Result<InviteKind, FieldError> {
        let wrong = |field: &str, message: &str| {
            Err(FieldError { field: field.to_owned(), message: message.to_owned() })
        };
        let given = |role: Patch<Role>| role.set().copied();
        match (self.space, self.collection) {
            (Some(_), Some(_)) => wrong("collection", "an invite is to a space or to a collection"),
            (None, None) if !self.level.is_keep() => {
                wrong("space", "is needed with `level`, or `collection` is")
            }
            (None, None) if self.role.is_keep() => {
                wrong("role", "is needed for an invite to the organization")
            }
            (None, None) => Ok(InviteKind::Organization(given(self.role))),
            _ if !self.role.is_keep() => wrong("role", "is for invites to the organization"),
            _ if self.level.is_keep() => wrong("level", "is needed for an invite to content"),
            (Some(space), None) => Ok(InviteKind::Space(space, given(self.level))),
            (None, Some(collection)) => Ok(InviteKind::Collection(collection, given(self.level))),
        }
    }
}

/// Request body to update an invite: `role` of one to the organization, `level` of one to content.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct InviteUpdate {
    /// The role that new members get; `null` for guests.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub role: Patch<Role>,
    /// The role that people get on the space or collection.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub level: Patch<Role>,
}
