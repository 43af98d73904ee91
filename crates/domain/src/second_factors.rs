//! Second factors of users.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use crate::clock::Timestamp;
use crate::{patch, texts};

/// Authenticator app of the caller as a second factor.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Totp {
    /// `true` if sign-ins ask for a code.
    pub enabled: bool,
    /// Time since which sign-ins ask for a code.
    pub confirmed_at: Option<Timestamp>,
    /// Number of recovery codes that were not used.
    pub recovery_codes_left: u64,
}

/// Secret for an authenticator app. It is not returned again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TotpSecret {
    /// Secret in base32, to be typed in.
    pub secret: String,
    /// URL with the secret, as a QR code for apps holds it.
    pub url: String,
}

/// Request body with a code of an authenticator app, or a recovery code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct CodeProof {
    /// Code of six digits, or recovery code.
    #[validate(custom(function = "texts::FactorCode::check"))]
    pub code: texts::FactorCode,
}

/// Recovery codes. They are not returned again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// Codes. Each replaces a code of the app once.
    pub recovery_codes: Vec<String>,
}

/// Request body to confirm the identity of the user of a session, with the password or a code.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct SessionConfirmation {
    /// Password of the user.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Password::check"))]
    pub password: Option<texts::Password>,
    /// Code of the authenticator app, or recovery code.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::FactorCode::check"))]
    pub code: Option<texts::FactorCode>,
}
