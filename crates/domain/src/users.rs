//! Users: the summary in other resources, and the caller's own record.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use crate::clock::Timestamp;
use crate::ids::UserId;
use crate::object::UserTag;
use crate::patch::Patch;
use crate::{patch, texts};

/// User, as a summary in other resources.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Always `user`.
    pub object: UserTag,
    /// Id of the user.
    pub id: UserId,
    /// Display name.
    pub display_name: String,
    /// Verified e-mail address. Absent for a user without one.
    pub email: Option<String>,
    /// URL of the user's photo.
    #[serde(rename = "photoURL")]
    pub photo_url: Option<String>,
    /// URLs of the user.
    pub urls: UserUrls,
}

/// URLs of a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserUrls {
    /// URL of the user in this API.
    pub location: String,
}

/// User record of the caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentUser {
    /// User.
    #[serde(flatten)]
    pub user: User,
    /// Creation time.
    pub created_at: Timestamp,
}

/// Request body to change the current user. Absent fields stay as they are.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UserUpdate {
    /// New display name.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::DisplayName::check"))]
    pub display_name: Option<texts::DisplayName>,
    /// URL of a new photo. `null` removes it.
    #[serde(rename = "photoURL", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = Option<texts::Url>)]
    pub photo_url: Patch<texts::Url>,
    /// New password. Requires `currentPassword`, or for a user without a password a session that is younger than 10
    /// minutes.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::NewPassword::check"))]
    pub password: Option<texts::NewPassword>,
    /// Present password of the user.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Password::check"))]
    pub current_password: Option<texts::Password>,
}
