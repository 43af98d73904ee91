//! Which change requests a list shows.

use serde::Deserialize;
use utoipa::IntoParams;
use validator::Validate;

use super::Status;
use crate::ids::UserId;

/// The query parameters of a list of change requests, beside those of every list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ChangeRequestQuery {
    /// Only change requests that stand here.
    #[param(inline, required = false, default = "open")]
    pub status: Status,
    /// Only change requests that this user made or wrote in.
    #[param(inline, nullable = false)]
    pub contributor: Option<UserId>,
}

impl Default for ChangeRequestQuery {
    fn default() -> Self {
        Self { status: Status::Open, contributor: None }
    }
}
