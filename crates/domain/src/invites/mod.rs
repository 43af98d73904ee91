//! Invites to organizations, spaces and collections: links and e-mail invites.

mod accept;
mod email;

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};

pub use accept::{InviteAccept, InviteRegister, OwnInvite, OwnInviteOrganization, Registration};
pub use email::{EmailInvite, EmailInviteFacts, EmailInvites, EmailInvitesResult, Invitee, InviteeWithRole};

use utoipa::ToSchema;
use validator::Validate;

use crate::collections::Collection;
use crate::error::FieldError;
use crate::ids::{CollectionId, InviteId, SpaceId};
use crate::object::InviteTag;
use crate::patch::{self, Patch};
use crate::role::Role;
use crate::spaces::Space;

/// Invite link to the organization, or to one of its spaces or collections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Invite {
    /// Invite to a space.
    Space(Box<SpaceInvite>),
    /// Invite to a collection.
    Collection(CollectionInvite),
    /// Invite to the organization.
    Organization(OrganizationInvite),
}

/// URLs of an invite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InviteUrls {
    /// URL of the page that accepts the invite: the link to pass on.
    pub app: String,
}

/// Invite to an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationInvite {
    /// Always `invite`.
    pub object: InviteTag,
    /// Id of the invite. Anyone with a token who knows it can accept the invite.
    pub id: InviteId,
    /// Role of new members; `null` for guests.
    #[schema(required)]
    pub role: Option<Role>,
    /// `true` if the invite gives the caller nothing new.
    pub redundant: bool,
    /// URLs of the invite.
    pub urls: InviteUrls,
}

/// Invite to a space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpaceInvite {
    /// Always `invite`.
    pub object: InviteTag,
    /// Id of the invite. Anyone with a token who knows it can accept the invite.
    pub id: InviteId,
    /// Role on the space; `null` to become a guest of the organization without a grant.
    #[schema(required)]
    pub level: Option<Role>,
    /// `true` if the invite gives the caller nothing new.
    pub redundant: bool,
    /// URLs of the invite.
    pub urls: InviteUrls,
    /// Space of the invite.
    pub space: Space,
}

/// Invite to a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CollectionInvite {
    /// Always `invite`.
    pub object: InviteTag,
    /// Id of the invite. Anyone with a token who knows it can accept the invite.
    pub id: InviteId,
    /// Role on the collection; `null` to become a guest of the organization without a grant.
    #[schema(required)]
    pub level: Option<Role>,
    /// `true` if the invite gives the caller nothing new.
    pub redundant: bool,
    /// URLs of the invite.
    pub urls: InviteUrls,
    /// Collection of the invite.
    pub collection: Collection,
}

/// Request body to create an invite: `role` for the organization, or `level` with `space` or `collection`.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct InviteCreate {
    /// Role of new members; `null` for guests. Only for an invite to the organization.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub role: Patch<Role>,
    /// Role on the space or collection; `null` for none.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub level: Patch<Role>,
    /// Id of the space.
    #[serde(deserialize_with = "patch::present")]
    pub space: Option<SpaceId>,
    /// Id of the collection.
    #[serde(deserialize_with = "patch::present")]
    pub collection: Option<CollectionId>,
}

/// Target of a new invite, with the role that accepting it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InviteKind {
    /// Membership with this role; `None` for guests.
    Organization(Option<Role>),
    /// Role on a space; `None` for a guest without a grant.
    Space(SpaceId, Option<Role>),
    /// Role on a collection; `None` for a guest without a grant.
    Collection(CollectionId, Option<Role>),
}

impl InviteCreate {
    /// Returns the kind of invite that the body asks for.
    ///
    /// # Errors
    /// The missing or superfluous key.
    pub fn kind(&self) -> Result<InviteKind, FieldError> {
        let wrong = |field: &str, message: &str| {
            Err(FieldError { field: field.to_owned(), message: message.to_owned() })
        };
        let given = |role: Patch<Role>| role.set().copied();
        match (self.space, self.collection) {
            (Some(_), Some(_)) => wrong("collection", "must be absent if `space` is present"),
            (None, None) if !self.level.is_keep() => {
                wrong("space", "is required with `level` if `collection` is absent")
            }
            (None, None) if self.role.is_keep() => {
                wrong("role", "is required for an invite to the organization")
            }
            (None, None) => Ok(InviteKind::Organization(given(self.role))),
            _ if !self.role.is_keep() => {
                wrong("role", "must be absent for an invite to a space or collection")
            }
            _ if self.level.is_keep() => wrong("level", "is required for an invite to a space or collection"),
            (Some(space), None) => Ok(InviteKind::Space(space, given(self.level))),
            (None, Some(collection)) => Ok(InviteKind::Collection(collection, given(self.level))),
        }
    }
}

/// Request body to update an invite: `role` for one to the organization, `level` for others.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct InviteUpdate {
    /// Role of new members; `null` for guests.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub role: Patch<Role>,
    /// Role on the space or collection; `null` for none.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub level: Patch<Role>,
}
