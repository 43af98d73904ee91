//! Users: the summary in other resources, and the caller's own record.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};

use crate::clock::Timestamp;
use crate::features::ToSchema;
use crate::ids::UserId;
use crate::object::UserTag;

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
