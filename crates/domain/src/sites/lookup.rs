//! Lookup of published content by its URL.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::ids::{ChangeRequestId, OrganizationId, RevisionId, SiteId, SiteSectionId, SiteSpaceId, SpaceId};
use crate::{patch, texts};

/// Request body of a lookup of published content.
#[derive(Clone, Debug, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedUrlLookup {
    /// URL that the visitor asked for. Its query and fragment are ignored.
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url)]
    pub url: texts::Url,
    /// Answer to a visitor token that is not valid, on a site that asks for one: `true` redirects to the service that
    /// signs visitors in, `false`, the default, is 404.
    #[serde(default)]
    #[schema(required = false)]
    pub redirect_on_error: bool,
    /// Visitor.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub visitor: Option<LookupVisitor>,
}

/// Query parameters of a lookup of published content.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct PublishedUrlQuery {
    /// URL that the visitor asked for. Its query and fragment are ignored.
    #[validate(custom(function = "texts::Url::check"))]
    #[param(value_type = texts::Url, inline, required = true)]
    pub url: texts::Url,
    /// Visitor token: a JSON Web Token signed with HS256 and the organization's visitor key.
    #[serde(default)]
    #[validate(custom(function = "texts::VisitorToken::check"))]
    #[param(value_type = String, max_length = 4096, required = false, nullable = false)]
    pub visitor_auth_token: Option<texts::VisitorToken>,
    /// Answer to a visitor token that is not valid, on a site that asks for one: `true` redirects to the service that
    /// signs visitors in, `false` is 404.
    #[serde(default)]
    #[param(default = false, required = false)]
    pub redirect_on_error: bool,
}

/// Visitor of a lookup.
#[derive(Clone, Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LookupVisitor {
    /// Type of the visitor. Default: `human`.
    #[serde(rename = "type", default)]
    #[schema(required = false)]
    pub visitor_type: VisitorType,
    /// Visitor token: a JSON Web Token signed with HS256 and the organization's visitor key.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::VisitorToken::check"))]
    #[schema(value_type = texts::VisitorToken, required = false)]
    pub jwt_token: Option<texts::VisitorToken>,
    /// Claims that the visitor made. At most 4096 bytes as JSON.
    #[serde(default)]
    #[schema(value_type = Object, required = false)]
    pub unsigned_claims: Map<String, Value>,
}

/// Type of a visitor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum VisitorType {
    /// Person.
    #[default]
    Human,
    /// Program.
    Agent,
}

/// Result of a lookup of published content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum PublishedUrl {
    /// Content of a site.
    Content(Box<PublishedContent>),
    /// Address to use instead.
    Redirect(PublishedRedirect),
}

/// Address to use instead of the requested one.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PublishedRedirect {
    /// Target of the redirect.
    pub target: RedirectTarget,
    /// Site. Present for the target `external`.
    #[schema(nullable = false)]
    pub site: Option<SiteId>,
    /// URL.
    #[schema(format = "uri")]
    pub redirect: String,
}

/// Target of a redirect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RedirectTarget {
    /// Published content: another address of the site.
    Content,
    /// Service that signs visitors in. The parameter `location` of the URL is the path below the root of the site.
    External,
}

/// Content of a published site that a URL leads to.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedContent {
    /// Organization of the site.
    pub organization: OrganizationId,
    /// Site.
    pub site: SiteId,
    /// Section. Absent on a site without sections.
    pub site_section: Option<SiteSectionId>,
    /// Site space.
    pub site_space: SiteSpaceId,
    /// Space of the site space.
    pub space: SpaceId,
    /// Change request that the URL previews.
    pub change_request: Option<ChangeRequestId>,
    /// Revision that the URL previews.
    pub revision: Option<RevisionId>,
    /// `true` for the URL of a preview.
    pub preview: Option<bool>,
    /// Rest of the path: that of a page in the space. Empty for its first page.
    pub pathname: String,
    /// Path that precedes the path of the page, with a slash at both ends.
    pub base_path: String,
    /// Path of the root of the site, with a slash at both ends.
    pub site_base_path: String,
    /// Site token, which reads the site as the visitor sees it. It stays the same for a period of 6 hours.
    pub api_token: String,
    /// Key of the share link in the path. Present if it opens the site.
    pub share_key: Option<String>,
    /// `true` if no further segment of the path can name a section or a site space.
    pub complete: bool,
    /// Hash of the claims of the visitor. Present if there are claims that count on the site.
    pub context_id: Option<String>,
    /// URL of the content without the segments of the defaults.
    #[schema(format = "uri")]
    pub canonical_url: String,
}
