//! Redirects of a site: paths that lead elsewhere.

#[cfg(feature = "postgres")]
use diesel::pg::Pg;
#[cfg(feature = "postgres")]
use diesel::prelude::{Queryable, Selectable};
use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::clock::Timestamp;
use crate::ids::{PageId, SiteRedirectId, SiteSectionId, SiteSpaceId, SpaceId};
use crate::object::SiteRedirectTag;
use crate::patch::{self, Patch};
#[cfg(feature = "postgres")]
use crate::schema::site_redirects;
use crate::{bounds, object_only, texts};

/// Stored fields of a redirect, which responses contain unchanged.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable, Selectable))]
#[cfg_attr(feature = "postgres", diesel(table_name = site_redirects, check_for_backend(Pg)))]
#[serde(rename_all = "camelCase")]
pub struct SiteRedirectFacts {
    /// Id of the redirect.
    pub id: SiteRedirectId,
    /// Path below the site. A `*` at its end matches any rest.
    pub source: String,
    /// `true` for a redirect that is not followed yet.
    pub draft: bool,
    /// `true` to append the rest that `*` matches to the target.
    pub capture_wildcard: bool,
    /// `true` for a redirect that clients may remember.
    pub permanent: bool,
    /// Destination.
    pub destination: RedirectDestination,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change. Absent before the first.
    #[schema(nullable = false)]
    pub updated_at: Option<Timestamp>,
}

/// Redirect of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiteRedirect {
    /// Always `site-redirect`.
    pub object: SiteRedirectTag,
    /// Facts of the redirect.
    #[serde(flatten)]
    pub facts: SiteRedirectFacts,
}

impl From<SiteRedirectFacts> for SiteRedirect {
    fn from(facts: SiteRedirectFacts) -> Self {
        Self { object: SiteRedirectTag::Tag, facts }
    }
}

/// Destination of a redirect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RedirectDestination {
    /// Section of the site.
    SiteSection {
        /// Id of the section.
        #[serde(rename = "siteSectionId")]
        site_section_id: SiteSectionId,
    },
    /// Site space.
    SiteSpace {
        /// Id of the site space.
        #[serde(rename = "siteSpaceId")]
        site_space_id: SiteSpaceId,
    },
    /// Page of a site space.
    SitePage {
        /// Id of the site space.
        #[serde(rename = "siteSpaceId")]
        site_space_id: SiteSpaceId,
        /// Id of the page.
        #[serde(rename = "pageId")]
        #[schema(value_type = String, format = "uuid")]
        page_id: PageId,
    },
    /// Address outside of the site.
    External {
        /// URL, with `http` or `https`.
        #[schema(format = "uri")]
        url: String,
    },
}

/// Destination of a redirect in a request. The kind says which of the other keys are required.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RedirectDestinationInput {
    /// Kind of the destination.
    pub kind: RedirectDestinationKind,
    /// Section of the site.
    #[serde(default, deserialize_with = "patch::present")]
    pub site_section_id: Option<SiteSectionId>,
    /// Site space, also of a page.
    #[serde(default, deserialize_with = "patch::present")]
    pub site_space_id: Option<SiteSpaceId>,
    /// Page of the site space.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(value_type = String, format = "uuid", required = false)]
    pub page_id: Option<PageId>,
    /// Address outside of the site, with `http` or `https`.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url, required = false)]
    pub url: Option<texts::Url>,
    /// Space of the site, for a path.
    #[serde(default, deserialize_with = "patch::present")]
    pub space_id: Option<SpaceId>,
    /// Path of a page in the space. The page is looked up once.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::RedirectPath::check"))]
    #[schema(value_type = texts::RedirectPath, required = false)]
    pub path: Option<texts::RedirectPath>,
}

/// Kind of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the keys describe them")]
pub enum RedirectDestinationKind {
    SiteSection,
    SiteSpace,
    SitePage,
    External,
    Path,
}

/// Request body to create a redirect.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteRedirectCreate {
    /// Path below the site.
    #[validate(custom(function = "texts::RedirectSource::check"))]
    #[schema(value_type = texts::RedirectSource)]
    pub source: texts::RedirectSource,
    /// Destination.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    pub destination: RedirectDestinationInput,
    /// `true` for a redirect that is not followed yet.
    #[serde(default)]
    #[schema(default = false, required = false)]
    pub draft: bool,
    /// `true` to append the rest that `*` matches to the target.
    #[serde(default)]
    #[schema(default = false, required = false)]
    pub capture_wildcard: bool,
    /// `true` for a redirect that clients may remember.
    #[serde(default)]
    #[schema(default = false, required = false)]
    pub permanent: bool,
}

/// Request body to update a redirect. Absent keys leave their values unchanged.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, ToSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct SiteRedirectUpdate {
    /// Path below the site.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::RedirectSource::check"))]
    #[schema(value_type = texts::RedirectSource, required = false)]
    pub source: Option<texts::RedirectSource>,
    /// Destination.
    #[serde(deserialize_with = "object_only::present")]
    #[validate(nested)]
    pub destination: Option<RedirectDestinationInput>,
    /// `true` for a redirect that is not followed yet.
    #[serde(deserialize_with = "patch::present")]
    pub draft: Option<bool>,
    /// `true` to append the rest that `*` matches to the target.
    #[serde(deserialize_with = "patch::present")]
    pub capture_wildcard: Option<bool>,
    /// `true` for a redirect that clients may remember.
    #[serde(deserialize_with = "patch::present")]
    pub permanent: Option<bool>,
}

/// Query parameters to filter a list of redirects.
#[derive(Clone, Debug, Default, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct RedirectFilter {
    /// `true` to list drafts instead of the redirects that are followed.
    #[param(default = false)]
    pub draft: bool,
    /// Text that the source contains, in any case.
    #[validate(custom(function = "texts::RedirectSearch::check"))]
    #[param(value_type = texts::RedirectSearch, inline, required = false)]
    pub search: Option<texts::RedirectSearch>,
    /// Order of the list.
    #[param(inline, required = false)]
    pub order_by: RedirectOrder,
}

/// Order of a list of redirects.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RedirectOrder {
    /// Newest first.
    #[default]
    CreatedAt,
    /// Last changed first; a redirect that was never changed counts by its creation.
    UpdatedAt,
    /// Source, alphabetically.
    Source,
}

impl RedirectOrder {
    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CreatedAt => "createdAt",
            Self::UpdatedAt => "updatedAt",
            Self::Source => "source",
        }
    }
}

/// Request body to change several redirects.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Validate, ToSchema)]
pub struct SiteRedirectsPut {
    /// 1 to 500 redirects, applied in order.
    #[serde(deserialize_with = "object_only::bounded::<_, _, 1, { bounds::REDIRECTS_AT_ONCE_MAX }>")]
    #[validate(nested)]
    #[schema(min_items = 1, max_items = 500)]
    pub redirects: Vec<SiteRedirectPut>,
}

/// One redirect to create, update, delete or publish, named by its source.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteRedirectPut {
    /// Path below the site.
    #[validate(custom(function = "texts::RedirectSource::check"))]
    #[schema(value_type = texts::RedirectSource)]
    pub source: texts::RedirectSource,
    /// Kind of the change.
    #[serde(default)]
    #[schema(required = false)]
    pub intent: RedirectIntent,
    /// Destination. Required for a redirect that does not exist; absent: the present one. `null` deletes the redirect.
    #[serde(default)]
    #[validate(nested)]
    #[schema(value_type = Option<RedirectDestinationInput>, required = false)]
    pub destination: DestinationPatch,
    /// `true` to append the rest that `*` matches to the target. Absent: the present value, or `false`.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub capture_wildcard: Option<bool>,
    /// `true` for a redirect that clients may remember. Absent: the present value, or `false`.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub permanent: Option<bool>,
}

/// Change of a destination.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct DestinationPatch(pub Patch<RedirectDestinationInput>);

impl<'de> Deserialize<'de> for DestinationPatch {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object_only::patch(deserializer).map(Self)
    }
}

impl Validate for DestinationPatch {
    fn validate(&self) -> Result<(), validator::ValidationErrors> {
        self.0.set().map_or(Ok(()), Validate::validate)
    }
}

/// Kind of a change of a redirect.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RedirectIntent {
    /// Changes the redirect that is followed.
    #[default]
    Live,
    /// Changes the draft.
    Draft,
    /// Makes the draft the redirect that is followed. The other keys must be absent.
    Publish,
}

/// Results of a change of several redirects, in the order of the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiteRedirectResults {
    /// Results.
    pub results: Vec<SiteRedirectResult>,
}

/// Result of the change of one redirect.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiteRedirectResult {
    /// Outcome.
    pub status: RedirectOutcome,
    /// Source of the redirect.
    pub source: String,
    /// `true` for a draft.
    pub draft: bool,
    /// Id of the redirect. Absent for errors.
    pub id: Option<SiteRedirectId>,
    /// Reason why the redirect was not changed. Present for errors.
    pub error: Option<String>,
}

/// Outcome of the change of one redirect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum RedirectOutcome {
    Created,
    Updated,
    Deleted,
    Published,
    Error,
}

/// Query parameters of a lookup of a redirect.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RedirectQuery {
    /// Path below the site.
    #[validate(custom(function = "texts::RedirectSource::check"))]
    #[param(value_type = texts::RedirectSource, inline, required = true)]
    pub source: texts::RedirectSource,
    /// Key of a share link, which URLs below the site then contain.
    #[serde(default, rename = "shareKey")]
    #[validate(custom(function = "texts::ShareKey::check"))]
    #[param(value_type = texts::ShareKey, inline, required = false)]
    pub share_key: Option<texts::ShareKey>,
}

/// Redirect with the URL that it leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FoundRedirect {
    /// Redirect.
    pub redirect: SiteRedirect,
    /// URL of the destination.
    #[schema(format = "uri")]
    pub target: String,
}
