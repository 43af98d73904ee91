//! E-mail invites, as administrators make and see them.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::bounds::PEOPLE_MAX;
use crate::clock::Timestamp;
use crate::error::placed;
use crate::features::{ToSchema, Validate, ValidationErrors};
use crate::ids::{InviteId, UserId};
use crate::object::EmailInviteTag;
use crate::patch::{self, Patch};
use crate::role::Role;
use crate::{text, texts};

/// Request body to invite people by their e-mail addresses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailInvites {
    /// The people to invite.
    #[schema(min_items = 1, max_items = 1000)]
    pub emails: Vec<Invitee>,
    /// The role that they get; `null` for guests. The organization's default role when absent.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub role: Patch<Role>,
    /// Single sign-on: true to let them log in with it. Only addresses in the organization's e-mail domains can.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sso: Option<bool>,
}

/// The addresses are looked at only when there aren't too many: derived code would look at both, and can't name a list and its
/// items at once.
#[cfg(feature = "validation")]
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
    #[schema(value_type = String)]
    Address(texts::Email),
    /// An e-mail address with a role.
    WithRole(InviteeWithRole),
}

/// An e-mail address and the role that its owner gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InviteeWithRole {
    /// The address.
    #[validate(custom(function = "texts::Email::check"))]
    pub email: texts::Email,
    /// The role; `null` for a guest.
    #[serde(deserialize_with = "patch::nullable")]
    #[schema(required)]
    pub role: Option<Role>,
}

impl Invitee {
    /// Returns the e-mail address.
    pub fn into_email(self) -> texts::Email {
        match self {
            Self::Address(email) => email,
            Self::WithRole(invitee) => invitee.email,
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

#[cfg(feature = "validation")]
impl Validate for Invitee {
    fn validate(&self) -> Result<(), ValidationErrors> {
        match self {
            Self::WithRole(invitee) => invitee.validate(),
            Self::Address(email) => texts::Email::check(email).map_err(|error| {
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
            Value::String(email) => Ok(Self::Address(texts::Email::unchecked(email))),
            object @ Value::Object(_) => serde_path_to_error::deserialize(object)
                .map(Self::WithRole)
                .map_err(|error| placed::write(&error.path().to_string(), &error.inner().to_string()))
                .map_err(D::Error::custom),
            _ => Err(D::Error::custom("must be an e-mail address, or an object with `email` and `role`")),
        }
    }
}

/// The result of inviting by e-mail. It holds only facts that the organization's administrators know anyway, and none about
/// accounts of people outside of the organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailInvitesResult {
    /// The users with these addresses who are members already; they aren't invited.
    pub users: Vec<UserId>,
    /// The number of new invites.
    pub invited: u64,
    /// Addresses that can't log in with single sign-on, and were left out. Absent when there are none.
    #[serde(rename = "failedSSOEmails", default, skip_serializing_if = "Vec::is_empty")]
    pub failed_sso_emails: Vec<String>,
    /// The new invites with their secrets, in the order of the addresses.
    pub invites: Vec<EmailInvite>,
}

/// A pending e-mail invite, as administrators of the organization see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailInvite {
    /// Always `email-invite`.
    pub object: EmailInviteTag,
    /// Id of the invite. Accepting takes the secret or the address, too.
    pub id: InviteId,
    /// The address that is invited.
    pub email: String,
    /// The role that the new member gets; `null` for a guest.
    #[schema(required)]
    pub role: Option<Role>,
    /// Single sign-on: true when the new member may log in with it.
    pub sso: bool,
    /// Creation time.
    pub created_at: Timestamp,
    /// Expiry, 14 days after the creation.
    pub expires_at: Timestamp,
    /// One-time secret for accepting; only in the answer that made the invite.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub secret: Option<String>,
}
