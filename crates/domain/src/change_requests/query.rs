//! Filters of lists of change requests.

use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use super::Status;
use crate::ids::{PageId, SpaceId, UserId};
use crate::list::{self, Order};

/// Query parameters of a list of change requests, in addition to those of every list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct ChangeRequestQuery {
    /// Returns only change requests with this status.
    #[param(inline, required = false, default = "open")]
    pub status: Status,
    /// Returns only change requests that this user created or edited.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub contributor: Option<UserId>,
    /// Returns only change requests that this user created.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub creator: Option<UserId>,
    /// Returns only change requests for which a review of this user, or of a team of the user, is requested.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub requested_reviewer: Option<UserId>,
    /// Sort key.
    #[param(inline, required = false, default = "createdAt")]
    pub order_by: ChangeRequestSort,
    /// Sort direction: `asc` for oldest first, `desc` for newest first.
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

/// Sort key of a list of change requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ChangeRequestSort {
    /// Creation time.
    #[default]
    CreatedAt,
    /// Time of the last change to the change request or its content.
    UpdatedAt,
}

/// Query parameter that selects the change requests that change a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct ChangedPageQuery {
    /// Returns only change requests that create, edit, move or delete this page. Searches the newest 200 that match the
    /// other filters.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(value_type = String, format = "uuid", required = false)]
    pub changed_page: Option<PageId>,
}

/// Query parameter that selects one space of an organization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct InSpaceQuery {
    /// Returns only items in this space. Empty if the caller may not see the space.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub space: Option<SpaceId>,
}
