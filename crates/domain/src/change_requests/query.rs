//! Which change requests a list shows.

use serde::Deserialize;

use super::Status;
use crate::comments::Order;
use crate::features::{IntoParams, ToSchema, Validate};
use crate::ids::{SpaceId, UserId};
use crate::list;

/// The query parameters of a list of change requests, beside those of every list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct ChangeRequestQuery {
    /// Only change requests that stand here.
    #[param(inline, required = false, default = "open")]
    pub status: Status,
    /// Only change requests that this user made or wrote in.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub contributor: Option<UserId>,
    /// Only change requests that this user made.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub creator: Option<UserId>,
    /// Only change requests that this user is asked to review, by name or with a team.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub requested_reviewer: Option<UserId>,
    /// By what they are ordered.
    #[param(inline, required = false, default = "createdAt")]
    pub order_by: ChangeRequestSort,
    /// Newest or oldest first.
    #[param(inline, required = false, default = "desc")]
    pub order: Order,
}

impl Default for ChangeRequestQuery {
    fn default() -> Self {
        Self {
            status: Status::Open,
            contributor: None,
            creator: None,
            requested_reviewer: None,
            order_by: ChangeRequestSort::CreatedAt,
            order: Order::Desc,
        }
    }
}

/// By what change requests are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ChangeRequestSort {
    /// When they were made.
    #[default]
    CreatedAt,
    /// When they or their content last changed.
    UpdatedAt,
}

/// The query parameter that picks one space of an organization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct InSpaceQuery {
    /// Only what is in this space; nothing is in one that the caller can't see.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub space: Option<SpaceId>,
}
