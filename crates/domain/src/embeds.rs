//! Embeds: previews of URLs in documents.

use serde::{Deserialize, Serialize};

use crate::features::{IntoParams, ToSchema, Validate};
use crate::texts;

/// Preview of a URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Embed {
    /// Always `link`.
    #[serde(rename = "type")]
    pub kind: EmbedType,
    /// Title: the URL without its scheme, query and fragment.
    pub title: String,
    /// Host name of the site.
    pub site: String,
}

/// Type of an embed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EmbedType {
    /// Link.
    Link,
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
