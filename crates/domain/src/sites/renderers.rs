//! Renderer of a site: a program that shows the site and purges its cache when Quire says what has changed.

#[cfg(feature = "postgres")]
use diesel::prelude::Queryable;
use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use crate::clock::Timestamp;
use crate::object::SiteRendererTag;
#[cfg(feature = "postgres")]
use crate::stored::Number;
use crate::{patch, texts};

/// Settings of the renderer of a site, and the state of its queue.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable))]
#[serde(rename_all = "camelCase")]
pub struct SiteRendererState {
    /// Base URL of the renderer. Cache tags are posted to `/~gitbook/revalidate` below it.
    pub url: String,
    /// Number of cache tags that the renderer has yet to purge.
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = Number<i64>))]
    pub pending: u64,
    /// Number of failed attempts since the last success.
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = Number<i32>))]
    pub failures: u64,
    /// Earliest time of the next attempt. Present after a failure.
    pub next_attempt_at: Option<Timestamp>,
    /// Time of the last attempt.
    pub last_attempt_at: Option<Timestamp>,
    /// HTTP status of the last response.
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = Number<Option<i32>>))]
    pub last_status: Option<u16>,
    /// Error of the last attempt. Absent after a success.
    pub last_error: Option<String>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change of the settings.
    pub updated_at: Timestamp,
}

/// Renderer of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiteRenderer {
    /// Always `site-renderer`.
    pub object: SiteRendererTag,
    /// Settings and state of the queue.
    #[serde(flatten)]
    pub state: SiteRendererState,
    /// URLs of the renderer.
    pub urls: SiteRendererUrls,
}

/// URLs of the renderer of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiteRendererUrls {
    /// URL of the renderer in this API.
    pub location: String,
}

/// Request body to set the renderer of a site.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Validate, ToSchema)]
pub struct SiteRendererPut {
    /// `http` or `https` base URL of the renderer.
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url)]
    pub url: texts::Url,
    /// Secret that the renderer checks signatures with. It is never returned. Required for a new renderer; absent: the
    /// present one.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::RendererSecret::check"))]
    #[schema(value_type = texts::RendererSecret, required = false)]
    pub secret: Option<texts::RendererSecret>,
}
