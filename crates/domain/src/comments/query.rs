//! The query parameters of comments.

use serde::Deserialize;

use crate::documents::Format;
use crate::features::{IntoParams, ToSchema, Validate};
use crate::ids::{PageId, UserId};
use crate::list::{self, PageQuery};
use crate::text;

/// Which comments a list holds, by where they stand.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StatusFilter {
    /// All of them.
    #[default]
    All,
    /// Those that wait for an answer.
    Open,
    /// Those that don't.
    Resolved,
}

impl StatusFilter {
    /// The status that is asked for; `None` for any.
    pub const fn status(self) -> Option<&'static str> {
        match self {
            Self::All => None,
            Self::Open => Some("open"),
            Self::Resolved => Some("resolved"),
        }
    }
}

/// By when comments were posted.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Oldest first.
    Asc,
    /// Newest first.
    #[default]
    Desc,
}

/// The query parameters of a list of comments.
///
/// They are not nested, because a flattened struct can't hold a parameter that repeats.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct CommentListQuery {
    /// The `next.page` of the page before.
    #[validate(custom(function = "text::no_nul"))]
    #[param(nullable = false)]
    pub page: Option<String>,
    /// The most items to return.
    #[serde(deserialize_with = "list::limit")]
    #[validate(custom(function = "list::limit_in_bounds"))]
    #[param(schema_with = list::limit_schema, required = false)]
    pub limit: Option<u64>,
    /// In which order.
    #[param(inline, required = false, default = "desc")]
    pub order: Order,
    /// Where they stand.
    #[param(inline, required = false, default = "all")]
    pub status: StatusFilter,
    /// How their bodies are written.
    #[param(inline, required = false, default = "markdown")]
    pub format: Format,
    /// The page that they are about.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(value_type = String, format = "uuid", required = false)]
    pub target_page: Option<PageId>,
    /// Who posted them: any of these.
    #[serde(deserialize_with = "list::filter_ids")]
    #[param(value_type = Vec<String>, required = false)]
    pub authors: Vec<UserId>,
}

impl CommentListQuery {
    /// The most items to return.
    pub fn limit(&self) -> u16 {
        PageQuery { page: None, limit: self.limit }.limit()
    }
}

/// The query parameters of a list of replies.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct CommentReplyListQuery {
    /// The `next.page` of the page before.
    #[validate(custom(function = "text::no_nul"))]
    #[param(nullable = false)]
    pub page: Option<String>,
    /// The most items to return.
    #[serde(deserialize_with = "list::limit")]
    #[validate(custom(function = "list::limit_in_bounds"))]
    #[param(schema_with = list::limit_schema, required = false)]
    pub limit: Option<u64>,
    /// How their bodies are written.
    #[param(inline, required = false, default = "markdown")]
    pub format: Format,
}

impl CommentReplyListQuery {
    /// The most items to return.
    pub fn limit(&self) -> u16 {
        PageQuery { page: None, limit: self.limit }.limit()
    }
}

/// The query parameter of a single comment or reply.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct FormatQuery {
    /// How its body is written.
    #[param(inline, required = false, default = "markdown")]
    pub format: Format,
}
