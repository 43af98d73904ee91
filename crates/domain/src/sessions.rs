//! Sessions of browsers. Their secrets are in cookies and never in answers.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::ids::SessionId;
use crate::object::SessionTag;

/// Session of the caller in a browser.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Always `session`.
    pub object: SessionTag,
    /// Id of the session. It is not the secret.
    pub id: SessionId,
    /// `true` for the session of this request.
    pub current: bool,
    /// `User-Agent` of the browser that signed in. Absent if it sent none.
    pub user_agent: Option<String>,
    /// Client address of the sign-in.
    pub address: Option<String>,
    /// Time of the sign-in.
    pub created_at: Timestamp,
    /// Approximate time of the last use.
    pub last_used_at: Timestamp,
    /// Expiry: 14 days after the last use, and at most 90 days after the sign-in.
    pub expires_at: Timestamp,
}
