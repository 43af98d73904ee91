//! E-mail invites, as administrators create and see them.

#[cfg(feature = "postgres")]
use diesel::pg::Pg;
#[cfg(feature = "postgres")]
use diesel::prelude::{Queryable, Selectable};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use validator::{Validate, ValidationErrors};

use crate::bounds::PEOPLE_MAX;
use crate::clock::Timestamp;
use crate::error::path;
use crate::ids::{InviteId, UserId};
use crate::invites::InviteUrls;
use crate::object::EmailInviteTag;
use crate::patch::{self, Patch};
use crate::role::Role;
#[cfg(feature = "postgres")]
use crate::schema::email_invites;
use crate::{text_checks, texts};

/// Request body to invite people by e-mail.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailInvites {
    /// People to invite, 1 to 1000.
    #[schema(min_items = 1, max_items = 1000)]
    pub emails: Vec<Invitee>,
    /// Role after acceptance; `null` for guests. Default: the organization's default role.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub role: Patch<Role>,
    /// `true` to let the invited people log in with single sign-on. Only addresses in the organization's e-mail domains
    /// are allowed.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub sso: Option<bool>,
}

/// By hand: the addresses are checked only if their number is within bounds, and derived code cannot report a list and
/// its items together.
impl Validate for EmailInvites {
    fn validate(&self) -> Result<(), ValidationErrors> {
        let mut errors = ValidationErrors::new();
        match text_checks::count::<1, PEOPLE_MAX, _>(&self.emails) {
            Err(error) => errors.add("emails", error),
            Ok(()) => {
                errors.merge_self("emails", self.emails.validate());
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

/// Invited person: an e-mail address, alone or with a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Invitee {
    /// An e-mail address alone.
    #[schema(value_type = String)]
    Address(texts::Email),
    /// An e-mail address with a role.
    WithRole(InviteeWithRole),
}

/// E-mail address and role of an invited person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InviteeWithRole {
    /// E-mail address.
    #[validate(custom(function = "texts::Email::check"))]
    pub email: texts::Email,
    /// Role after acceptance; `null` for a guest.
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

    /// Returns the person's own role, if given. `Some(None)` makes a guest.
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
            Self::Address(email) => texts::Email::check(email).map_err(|error| {
                let mut errors = ValidationErrors::new();
                errors.add("__all__", error);
                errors
            }),
        }
    }
}

/// By hand, because serde's derived code for untagged enums loses the path of an error.
impl<'de> Deserialize<'de> for Invitee {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(email) => Ok(Self::Address(texts::Email::unchecked(email))),
            object @ Value::Object(_) => serde_path_to_error::deserialize(object)
                .map(Self::WithRole)
                .map_err(|error| path::with_path(&error.path().to_string(), &error.inner().to_string()))
                .map_err(D::Error::custom),
            _ => Err(D::Error::custom("must be an e-mail address, or an object with `email` and `role`")),
        }
    }
}

/// Result of inviting by e-mail. It reveals nothing about accounts of people outside the organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailInvitesResult {
    /// Ids of members who have these addresses already. They are not invited.
    pub users: Vec<UserId>,
    /// Number of new invites.
    pub invited: u64,
    /// Addresses that were not invited, because they cannot log in with single sign-on. Absent if empty.
    #[serde(rename = "failedSSOEmails", default, skip_serializing_if = "Vec::is_empty")]
    pub failed_sso_emails: Vec<String>,
    /// New invites with their secrets, in the order of the addresses.
    pub invites: Vec<EmailInvite>,
}

/// Stored fields of a pending e-mail invite, which responses contain unchanged.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable, Selectable))]
#[cfg_attr(feature = "postgres", diesel(table_name = email_invites, check_for_backend(Pg)))]
#[serde(rename_all = "camelCase")]
pub struct EmailInviteFacts {
    /// Id of the invite. It does not suffice to accept the invite.
    pub id: InviteId,
    /// Invited e-mail address.
    pub email: String,
    /// Role after acceptance; `null` for a guest.
    #[schema(required)]
    #[serialize_always]
    pub role: Option<Role>,
    /// `true` if the new member may log in with single sign-on.
    pub sso: bool,
    /// Creation time.
    pub created_at: Timestamp,
    /// Expiry: 14 days after creation.
    pub expires_at: Timestamp,
}

impl EmailInviteFacts {
    /// Returns the invite, with its secret directly after creation.
    #[must_use]
    pub fn with_secret(self, secret: Option<String>) -> EmailInvite {
        EmailInvite { object: EmailInviteTag::Tag, facts: self, secret, urls: None }
    }
}

/// Pending e-mail invite, as administrators of the organization see it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EmailInvite {
    /// Always `email-invite`.
    pub object: EmailInviteTag,
    /// Facts of the invite.
    #[serde(flatten)]
    pub facts: EmailInviteFacts,
    /// One-time secret to accept the invite. Present only in the response that creates the invite.
    #[schema(nullable = false)]
    pub secret: Option<String>,
    /// URLs of the invite, with the secret. Present only in the response that creates the invite.
    #[schema(nullable = false)]
    pub urls: Option<InviteUrls>,
}
