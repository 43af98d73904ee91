//! Request bodies of signing in.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

use crate::texts;

/// Request body to sign in with a password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordSignIn {
    /// E-mail address of the user.
    #[validate(custom(function = "texts::Email::check"))]
    pub email: texts::Email,
    /// Password.
    #[validate(custom(function = "texts::Password::check"))]
    pub password: texts::Password,
}
