//! Searches of a site.

use serde::{Deserialize, Serialize};
use serde_with::apply;
use utoipa::ToSchema;
use validator::Validate;

use crate::ids::{SiteSpaceId, SpaceId};
use crate::search::{SearchHit, SearchHitType};
use crate::{bounds, list, object_only, patch, texts};

/// Request body of a search of a site: `scope`, or `mode` with its site spaces.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Clone, Debug, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSearch {
    /// Search text.
    #[validate(custom(function = "texts::SearchText::check"))]
    #[schema(value_type = texts::SearchText)]
    pub query: texts::SearchText,
    /// Site spaces to search.
    #[serde(default, deserialize_with = "object_only::present")]
    #[validate(nested)]
    pub scope: Option<SiteSearchScope>,
    /// Older form of `scope`: the site spaces in `siteSpaceIds`, the one in `siteSpaceId`, or all.
    #[serde(default, deserialize_with = "patch::present")]
    pub mode: Option<SiteSearchMode>,
    /// Site space, for the mode `current`.
    #[serde(default, deserialize_with = "patch::present")]
    pub site_space_id: Option<SiteSpaceId>,
    /// Site spaces, for the mode `specific`.
    #[serde(default)]
    #[validate(length(max = "bounds::SPACES_OF_SITE_MAX"))]
    #[schema(required = false)]
    pub site_space_ids: Vec<SiteSpaceId>,
}

/// Site spaces that are searched.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Clone, Debug, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSearchScope {
    /// Kind of the scope: the default site space of each section with the current one and those in its language, those
    /// in `siteSpaceIds`, or all.
    pub mode: SiteSearchScopeMode,
    /// Site space that the visitor reads.
    #[serde(default, deserialize_with = "patch::present")]
    pub current_site_space: Option<SiteSpaceId>,
    /// Restriction of the default scope.
    #[serde(default, deserialize_with = "patch::present")]
    pub restrict_to: Option<SiteSearchRestriction>,
    /// Site spaces, for the mode `specific`.
    #[serde(default)]
    #[validate(length(max = "bounds::SPACES_OF_SITE_MAX"))]
    #[schema(required = false)]
    pub site_space_ids: Vec<SiteSpaceId>,
}

/// Kind of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the scope describes them")]
pub enum SiteSearchScopeMode {
    Default,
    Specific,
    All,
}

/// Kind of a search in the older form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the body describes them")]
pub enum SiteSearchMode {
    Current,
    Specific,
    All,
}

/// Part of the default scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SiteSearchRestriction {
    /// Only the current site space.
    CurrentSiteSpace,
    /// All but the current site space.
    OtherSiteSpaces,
}

/// Space of a site with matching pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SiteSearchHit {
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
    /// Matching pages, best first.
    pub pages: Vec<SearchHit>,
}

/// Result of a search of a site.
pub type SiteSearchResult = list::List<SiteSearchHit>;
