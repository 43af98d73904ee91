//! What a search finds.

use serde::{Deserialize, Serialize};

use crate::features::{IntoParams, ToSchema, Validate};
use crate::ids::{PageId, SpaceId};
use crate::texts;

/// A page that matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Title of the page.
    pub title: String,
    /// Path of the page.
    pub path: String,
    /// Its best sections.
    pub sections: Vec<SearchSection>,
    /// URLs of the page.
    pub urls: SearchUrls,
}

/// A section of a page that matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchSection {
    /// Id of the section: the page's, and the anchor.
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
    /// URLs of the section.
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

/// URLs of a page or section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchUrls {
    /// URL of the page or section in the app.
    pub app: String,
}

/// A space with pages that match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpaceSearchHit {
    /// Id of the space.
    pub id: SpaceId,
    /// Title of the space.
    pub title: String,
    /// Its best pages, ten at most.
    pub pages: Vec<SearchHit>,
}

/// The query parameter of a search, in addition to those of every list.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// What to search for.
    #[validate(custom(function = "texts::SearchText::check"))]
    #[param(value_type = texts::SearchText, inline, required = true)]
    pub query: texts::SearchText,
}
