//! Acceptance of invites, and e-mail invites as the invited person sees them.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use validator::Validate;

use crate::clock::Timestamp;
use crate::ids::{InviteId, OrganizationId, UserId};
use crate::object::EmailInviteTag;
use crate::role::Role;
use crate::{patch, texts};

/// A pending e-mail invite to the caller's verified address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnInvite {
    /// Always `email-invite`.
    pub object: EmailInviteTag,
    /// Id of the invite, by which it is accepted.
    pub id: InviteId,
    /// Organization that the invite is for.
    pub organization: OwnInviteOrganization,
    /// Role after acceptance; `null` for a guest.
    #[schema(required)]
    pub role: Option<Role>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Expiry: 14 days after creation.
    pub expires_at: Timestamp,
}

/// Inviting organization, as the invited person sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnInviteOrganization {
    /// Id of the organization.
    pub id: OrganizationId,
    /// Title of the organization.
    pub title: String,
}

/// Request body to accept an invite. Optional.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct InviteAccept {
    /// Secret of an e-mail invite. Not required for invite links and for users with the invited address.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::InviteSecret::check"))]
    #[schema(value_type = texts::InviteSecret, required = false)]
    pub secret: Option<texts::InviteSecret>,
}

/// Request body to create an account and accept an e-mail invite with it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InviteRegister {
    /// Secret of the invite.
    #[validate(custom(function = "texts::InviteSecret::check"))]
    pub secret: texts::InviteSecret,
    /// Display name of the new user. Default: the part of the invited address before the `@`.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::DisplayName::check"))]
    #[schema(value_type = texts::DisplayName, required = false)]
    pub display_name: Option<texts::DisplayName>,
}

/// New account, in the form that `quire admin create-user` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Registration {
    /// Id of the organization that the user joined.
    pub organization: OrganizationId,
    /// Id of the new user.
    pub user: UserId,
    /// First token of the user. Returned only in this response.
    pub token: String,
}
