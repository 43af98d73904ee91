//! Content by its URL.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::{ChangeRequest, Collection, Page, Space, texts};

/// Query parameters of a lookup of content.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ContentUrlQuery {
    /// URL of the content in the app (`urls.app`) or on a site (`urls.published`). Its query and fragment are ignored.
    #[validate(custom(function = "texts::Url::check"))]
    #[param(value_type = texts::Url, inline, required = true)]
    pub url: texts::Url,
}

/// Content that a URL leads to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum UrlContent {
    /// Collection.
    Collection(Box<UrlCollection>),
    /// Content of a space.
    Space(Box<UrlSpace>),
}

/// Collection that a URL leads to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct UrlCollection {
    /// Collection.
    pub collection: Collection,
}

/// Content of a space that a URL leads to.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UrlSpace {
    /// Space.
    pub space: Space,
    /// Change request that the URL names.
    pub change_request: Option<ChangeRequest>,
    /// Page that the URL names: one with a document, or a group.
    pub page: Option<Page>,
}
