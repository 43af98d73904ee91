//! Passkeys of users (WebAuthn).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use crate::clock::Timestamp;
use crate::ids::{PasskeyChallengeId, PasskeyId};
use crate::object::PasskeyTag;
use crate::{object_only, texts};

/// Passkey of the caller.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Passkey {
    /// Always `passkey`.
    pub object: PasskeyTag,
    /// Id of the passkey, not of the credential.
    pub id: PasskeyId,
    /// Name given by the user.
    pub name: String,
    /// Time of the registration.
    pub created_at: Timestamp,
    /// Time of the last sign-in with it. Absent if never used.
    pub last_used_at: Option<Timestamp>,
}

/// First step of a registration or a sign-in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyChallenge {
    /// Id of the challenge, for the second step.
    pub id: PasskeyChallengeId,
    /// Expiry of the challenge.
    pub expires_at: Timestamp,
    /// Options for `navigator.credentials` in their JSON form, as `parseCreationOptionsFromJSON` and
    /// `parseRequestOptionsFromJSON` of `PublicKeyCredential` read them.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(value_type = Object)]
    pub public_key: Map<String, Value>,
}

/// Request body to sign in with a passkey.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct PasskeySignIn {
    /// Id of the challenge of the first step.
    pub challenge: PasskeyChallengeId,
    /// Answer of the authenticator, as `toJSON` of `PublicKeyCredential` returns it. At most 16,384 bytes.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(value_type = Object)]
    pub credential: Map<String, Value>,
}

/// Request body to register a passkey.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct PasskeyCreate {
    /// Id of the challenge of the first step.
    pub challenge: PasskeyChallengeId,
    /// Name of the passkey.
    #[validate(custom(function = "texts::PasskeyName::check"))]
    pub name: texts::PasskeyName,
    /// Answer of the authenticator, as `toJSON` of `PublicKeyCredential` returns it. At most 16,384 bytes.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(value_type = Object)]
    pub credential: Map<String, Value>,
}

/// Request body to rename a passkey.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct PasskeyUpdate {
    /// New name.
    #[validate(custom(function = "texts::PasskeyName::check"))]
    pub name: texts::PasskeyName,
}
