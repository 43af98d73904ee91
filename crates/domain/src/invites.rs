//! Invites: links by which people join an organization or get access to some of its content, and invites by e-mail.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use validator::{Validate, ValidationErrors};

use crate::bounds::PEOPLE_MAX;
use crate::collections::Collection;
use crate::error::{FieldError, placed};
use crate::ids::{CollectionId, InviteId, SpaceId, UserId};
use crate::object::InviteTag;
use crate::patch::{self, Patch};
use crate::role::Role;
use crate::spaces::Space;
use crate::{text, texts};

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
    /// The invite's id: who has it can come in.
    pub id: InviteId,
    /// The role that new members get; null for guests.
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
    /// The invite's id: who has it can come in.
    pub id: InviteId,
    /// The role that people get on the space; null for none but to be a guest of its organization.
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
    /// The invite's id: who has it can come in.
    pub id: InviteId,
    /// The role that people get on the collection; null for none but to be a guest of its organization.
    #[schema(required)]
    pub level: Option<Role>,
    /// Whether the caller has as much already.
    pub redundant: bool,
    /// The collection.
    pub collection: Collection,
}

/// The body that makes an invite: `role` for the organization, `level` with `space` or `collection` for a part of its content.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct InviteCreate {
    /// The role that new members get; null for guests. An invite to the organization.
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

/// The body that changes an invite: `role` of one to the organization, `level` of one to content.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct InviteUpdate {
    /// The role that new members get; null for guests.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub role: Patch<Role>,
    /// The role that people get on the space or collection.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub level: Patch<Role>,
}

/// The body that invites people by their e-mail addresses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailInvites {
    /// Whom to invite.
    #[schema(min_items = 1, max_items = 1000)]
    pub emails: Vec<Invitee>,
    /// The role that they get; null for guests. The organization's default role when absent.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub role: Patch<Role>,
    /// Whether they may log in with single sign-on; only addresses in the organization's e-mail domains can.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sso: Option<bool>,
}

/// The addresses are looked at only when there aren't too many: derived code would look at both, and can't name a list and its
/// items at once.
impl Validate for EmailInvites {
    fn validate(&self) -> Result<(), ValidationErrors> {
        let mut errors = ValidationErrors::new();
        match text::count::<1, PEOPLE_MAX, _>(&self.emails) {
            Err(error) => errors.add("emails", error),
            Ok(()) => {
                errors.merge_self("emails", self.emails.validate());
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

/// Somebody who is invited: an e-mail address, by itself or with a role of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Invitee {
    /// An e-mail address alone.
    Address(String),
    /// An e-mail address with a role.
    WithRole(InviteeWithRole),
}

/// An e-mail address and the role that its owner gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InviteeWithRole {
    /// The address.
    #[validate(custom(function = "text::email"))]
    #[schema(value_type = texts::Email)]
    pub email: String,
    /// The role; null for a guest.
    #[serde(deserialize_with = "patch::nullable")]
    #[schema(required)]
    pub role: Option<Role>,
}

impl Invitee {
    /// The e-mail address.
    pub fn email(&self) -> &str {
        match self {
            Self::Address(email) => email,
            Self::WithRole(invitee) => &invitee.email,
        }
    }

    /// The role of its own, if it has one: `Some(None)` makes a guest.
    pub fn role(&self) -> Option<Option<Role>> {
        match self {
            Self::Address(_) => None,
            Self::WithRole(invitee) => Some(invitee.role),
        }
    }
}

impl Validate for Invitee {
    fn validate(&self) -> Result<(), ValidationErrors> {
        match self {
            Self::WithRole(invitee) => invitee.validate(),
            Self::Address(email) => text::email(email).map_err(|error| {
                let mut errors = ValidationErrors::new();
                errors.add("__all__", error);
                errors
            }),
        }
    }
}

/// Serde's own way to read one of several forms forgets which key is wrong.
impl<'de> Deserialize<'de> for Invitee {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(email) => Ok(Self::Address(email)),
            object @ Value::Object(_) => serde_path_to_error::deserialize(object)
                .map(Self::WithRole)
                .map_err(|error| placed::write(&error.path().to_string(), &error.inner().to_string()))
                .map_err(D::Error::custom),
            _ => Err(D::Error::custom("must be an e-mail address, or an object with `email` and `role`")),
        }
    }
}

/// What came of invites by e-mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailInvitesResult {
    /// The users with these addresses who are members now, new or not.
    pub users: Vec<UserId>,
    /// How many of them are new members.
    pub invited: u64,
    /// Addresses that can't log in with single sign-on, and were left out; left out when there are none.
    #[serde(rename = "failedSSOEmails", default, skip_serializing_if = "Vec::is_empty")]
    pub failed_sso_emails: Vec<String>,
}
