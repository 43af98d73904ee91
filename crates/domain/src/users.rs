//! Users, as others see them and as they see themselves.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::features::ToSchema;
use crate::ids::UserId;
use crate::object::UserTag;

/// The summary of a user inside other resources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Always `user`.
    pub object: UserTag,
    /// Id of the user.
    pub id: UserId,
    /// The name to show.
    pub display_name: String,
    /// The verified e-mail address; left out for a user without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub email: Option<String>,
    /// Where a picture of the user is.
    #[serde(rename = "photoURL", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
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

/// The caller's own user record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentUser {
    /// The user.
    #[serde(flatten)]
    pub user: User,
    /// When the user was made.
    pub created_at: Timestamp,
}
