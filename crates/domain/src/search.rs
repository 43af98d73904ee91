//! What a search finds.

use serde::{Deserialize, Serialize};

use crate::features::{IntoParams, ToSchema, Validate};
use crate::ids::{PageId, SpaceId};
use crate::texts;

/// A page that matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    /// The page's id.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Its title.
    pub title: String,
    /// Its path.
    pub path: String,
    /// Its best sections.
    pub sections: Vec<SearchSection>,
    /// Where the page is found.
    pub urls: SearchUrls,
}

/// A section of a page that matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchSection {
    /// The section's id: the page's, and the anchor.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// The page's path with the section's anchor.
    pub path: String,
    /// An excerpt.
    pub body: String,
    /// The words of the excerpt that match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<SearchMark>,
    /// Where the section is found.
    pub urls: SearchUrls,
}

/// A part of an excerpt that matches, in characters (Unicode code points) from its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchMark {
    /// The first character.
    pub start: u32,
    /// The character after the last.
    pub end: u32,
}

/// Where a page or section is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchUrls {
    /// The page or section in the app.
    pub app: String,
}

/// A space with pages that match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpaceSearchHit {
    /// The space's id.
    pub id: SpaceId,
    /// Its title.
    pub title: String,
    /// Its best pages, ten at most.
    pub pages: Vec<SearchHit>,
}

/// The query parameter of a search, beside those of every list.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// What to search for.
    #[validate(custom(function = "texts::SearchText::check"))]
    #[param(value_type = texts::SearchText, inline, required = true)]
    pub query: texts::SearchText,
}
