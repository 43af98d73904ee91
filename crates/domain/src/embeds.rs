//! Embeds: previews of URLs in documents.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::texts;

/// Preview of a URL.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Embed {
    /// Type of the preview.
    #[serde(rename = "type")]
    pub kind: EmbedType,
    /// Title: that of a page of a site, otherwise the URL without its scheme, query and fragment.
    pub title: String,
    /// Name of the provider, title of the site, or host name.
    pub site: String,
    /// URL of the icon of the site. Absent if it is not known.
    pub icon: Option<String>,
    /// Content of a `rich` preview: a sandboxed frame of the provider.
    pub html: Option<String>,
}

/// Type of an embed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EmbedType {
    /// Link to any URL.
    Link,
    /// Content of a known provider.
    Rich,
}

/// Query parameters of an embed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EmbedQuery {
    /// URL to preview.
    #[validate(custom(function = "texts::Url::check"))]
    #[param(value_type = texts::Url, inline, required = true)]
    pub url: texts::Url,
}
