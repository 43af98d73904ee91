//! Query parameters of comments.

use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::documents::Format;
use crate::ids::{PageId, UserId};
use crate::list::{self, Order, PageQuery};
use crate::text_checks;

/// Filter by resolution.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StatusFilter {
    /// All comments.
    #[default]
    All,
    /// Open comments.
    Open,
    /// Resolved comments.
    Resolved,
}

impl StatusFilter {
    /// Returns the status to filter by; `None` for all.
    pub const fn status(self) -> Option<&'static str> {
        match self {
            Self::All => None,
            Self::Open => Some("open"),
            Self::Resolved => Some("resolved"),
        }
    }
}

/// Query parameters of a list of comments.
///
/// Not nested, because a flattened struct cannot hold a repeated parameter.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct CommentListQuery {
    /// Cursor: `next.page` of the previous page. Returns the first page if absent.
    #[validate(custom(function = "text_checks::no_nul"))]
    #[param(nullable = false)]
    pub page: Option<String>,
    /// Maximum number of items per page.
    #[serde(deserialize_with = "list::limit")]
    #[validate(custom(function = "list::limit_in_bounds"))]
    #[param(schema_with = list::limit_schema, required = false)]
    pub limit: Option<u64>,
    /// Sort direction by time of posting.
    #[param(inline, required = false, default = "desc")]
    pub order: Order,
    /// Returns only comments with this status.
    #[param(inline, required = false, default = "all")]
    pub status: StatusFilter,
    /// Format of comment texts.
    #[param(inline, required = false, default = "markdown")]
    pub format: Format,
    /// Returns only comments about this page.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(value_type = String, format = "uuid", required = false)]
    pub target_page: Option<PageId>,
    /// Returns only comments by these users. May be repeated.
    #[serde(deserialize_with = "list::filter_ids")]
    #[param(value_type = Vec<String>, required = false)]
    pub authors: Vec<UserId>,
}

impl CommentListQuery {
    /// Returns the maximum number of items.
    pub fn limit(&self) -> u16 {
        PageQuery { page: None, limit: self.limit }.limit()
    }
}

/// Query parameters of a list of replies.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct CommentReplyListQuery {
    /// Cursor: `next.page` of the previous page. Returns the first page if absent.
    #[validate(custom(function = "text_checks::no_nul"))]
    #[param(nullable = false)]
    pub page: Option<String>,
    /// Maximum number of items per page.
    #[serde(deserialize_with = "list::limit")]
    #[validate(custom(function = "list::limit_in_bounds"))]
    #[param(schema_with = list::limit_schema, required = false)]
    pub limit: Option<u64>,
    /// Format of comment texts.
    #[param(inline, required = false, default = "markdown")]
    pub format: Format,
}

impl CommentReplyListQuery {
    /// Returns the maximum number of items.
    pub fn limit(&self) -> u16 {
        PageQuery { page: None, limit: self.limit }.limit()
    }
}

/// Query parameter of a single comment or reply.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct FormatQuery {
    /// Format of the text.
    #[param(inline, required = false, default = "markdown")]
    pub format: Format,
}
