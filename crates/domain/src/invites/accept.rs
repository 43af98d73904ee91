//! Acceptance of invites, and e-mail invites as the invited person sees them.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::features::{ToSchema, Validate};
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
    /// The organization that invites.
    pub organization: OwnInviteOrganization,
    /// The role that accepting gives; `null` for a guest.
    #[schema(required)]
    pub role: Option<Role>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Expiry, 14 days after the creation.
    pub expires_at: Timestamp,
}

/// An inviting organization, as the invited person sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnInviteOrganization {
    /// Id of the organization.
    pub id: OrganizationId,
    /// Title of the organization.
    pub title: String,
}

/// Request body to accept an invite. It may be absent.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct InviteAccept {
    /// The secret of an e-mail invite. Links and users with the invited address need none.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::InviteSecret::check"))]
    #[schema(value_type = texts::InviteSecret, required = false)]
    pub secret: Option<texts::InviteSecret>,
}

/// The body that creates an account and accepts an e-mail invite with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InviteRegister {
    /// The invite's secret.
    #[validate(custom(function = "texts::InviteSecret::check"))]
    pub secret: texts::InviteSecret,
    /// The name of the person; the part of the invited address before the `@` when absent.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::DisplayName::check"))]
    #[schema(value_type = texts::DisplayName, required = false)]
    pub display_name: Option<texts::DisplayName>,
}

/// A new account, in the form that `quire admin create-user` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Registration {
    /// The organization that it joined.
    pub organization: OrganizationId,
    /// The new user.
    pub user: UserId,
    /// The user's first token. It is shown in this answer only.
    pub token: String,
}
