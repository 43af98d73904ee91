//! Search results.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::ids::{PageId, SpaceId};
use crate::texts;

/// Page that matches a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Title of the page.
    pub title: String,
    /// Description of the page; empty if it has none.
    pub description: String,
    /// Path of the page.
    pub path: String,
    /// Quality of the match. Only comparable within one result.
    #[schema(minimum = 0)]
    pub score: f32,
    /// Position in the whole result by score, from 1. Pages with equal scores may share a position.
    #[schema(minimum = 1)]
    pub rank: u64,
    /// Pages above the page, from the top.
    pub ancestors: Vec<PageAncestor>,
    /// Best matching sections.
    pub sections: Vec<SearchSection>,
    /// URLs of the page.
    pub urls: SearchUrls,
}

/// Page above another page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PageAncestor {
    /// Title of the page.
    pub title: String,
}

/// Section of a page that matches a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchSection {
    /// Id of the section: the id of the page and the anchor.
    pub id: String,
    /// Heading of the section.
    pub title: String,
    /// Path of the page with the section's anchor.
    pub path: String,
    /// Quality of the match of the page.
    #[schema(minimum = 0)]
    pub score: f32,
    /// Excerpt of the section.
    pub body: String,
    /// Matches in the excerpt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<SearchMark>,
    /// URLs of the section.
    pub urls: SearchUrls,
}

/// Match in an excerpt, in Unicode code points from its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchMark {
    /// Start of the match, inclusive.
    pub start: u32,
    /// End of the match, exclusive.
    pub end: u32,
}

/// URLs of a page or section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchUrls {
    /// URL of the page or section in the app.
    pub app: String,
}

/// Type of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SearchHitType {
    /// Space.
    Space,
}

/// Space with matching pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpaceSearchHit {
    /// Always `space`.
    #[serde(rename = "type")]
    pub kind: SearchHitType,
    /// Id of the space.
    pub id: SpaceId,
    /// Title of the space.
    pub title: String,
    /// Score of the best page.
    #[schema(minimum = 0)]
    pub score: f32,
    /// Best matching pages, at most 10.
    pub pages: Vec<SearchHit>,
}

/// Pages whose titles match, best first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TitleList {
    /// Pages, at most 20.
    pub items: Vec<TitleHit>,
}

/// Page whose title matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TitleHit {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Title of the page.
    pub title: String,
    /// Path of the page.
    pub path: String,
    /// Pages above the page, from the top.
    pub ancestors: Vec<PageAncestor>,
    /// Space of the page.
    pub space: TitledSpace,
    /// URLs of the page.
    pub urls: SearchUrls,
}

/// Space with its title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TitledSpace {
    /// Id of the space.
    pub id: SpaceId,
    /// Title of the space.
    pub title: String,
}

/// Query parameters of a search for titles.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TitleQuery {
    /// Words of a title; the last one may be the beginning of a word.
    #[validate(custom(function = "texts::SearchText::check"))]
    #[param(value_type = texts::SearchText, inline, required = true)]
    pub query: texts::SearchText,
}

/// Query parameter of a search, in addition to those of every list.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// Search text.
    #[validate(custom(function = "texts::SearchText::check"))]
    #[param(value_type = texts::SearchText, inline, required = true)]
    pub query: texts::SearchText,
}
