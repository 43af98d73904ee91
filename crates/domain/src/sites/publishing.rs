//! Visitors who sign in to a site, and previews of a site.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::ids::{ChangeRequestId, RevisionId, SiteSpaceId};
use crate::object::PublishingAuthTag;
use crate::patch::Patch;
use crate::texts;

/// Service that signs visitors of a site in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PublishingAuthBackend {
    /// A service of the organization's own.
    #[default]
    Custom,
}

/// Sign-in of the visitors of a site.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PublishingAuth {
    /// Always `publishing-auth`.
    pub object: PublishingAuthTag,
    /// Service that signs visitors in.
    pub backend: PublishingAuthBackend,
    /// Visitor key of the organization. The bytes of this text are the secret of the visitor tokens of all of its
    /// sites, which are signed with HS256. Absent until an update makes it.
    #[serde(rename = "privateKey")]
    pub private_key: Option<String>,
    /// URL that visitors without a valid token are sent to, with the parameter `location`: the path that they asked
    /// for.
    #[serde(rename = "fallbackURL")]
    #[schema(format = "uri")]
    pub fallback_url: Option<String>,
    /// URL that visitors are sent to when they sign out.
    #[serde(rename = "logoutURL")]
    #[schema(format = "uri")]
    pub logout_url: Option<String>,
}

/// Request body to change how visitors of a site sign in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct PublishingAuthUpdate {
    /// Service that signs visitors in.
    pub backend: PublishingAuthBackend,
    /// URL that visitors without a valid token are sent to. `null` removes it.
    #[serde(default, rename = "fallbackURL", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = Option<texts::Url>, required = false)]
    pub fallback_url: Patch<texts::Url>,
    /// URL that visitors are sent to when they sign out. `null` removes it.
    #[serde(default, rename = "logoutURL", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = Option<texts::Url>, required = false)]
    pub logout_url: Patch<texts::Url>,
}

/// Query parameters of a preview of a site.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct SitePreviewQuery {
    /// Site space whose first page the URL leads to. Default: the first one of the site.
    #[param(nullable = false)]
    pub site_space: Option<SiteSpaceId>,
    /// Change request of the space, whose content is shown. Excludes `revision`.
    #[param(nullable = false)]
    pub change_request: Option<ChangeRequestId>,
    /// Revision of the space, whose content is shown.
    #[param(nullable = false)]
    pub revision: Option<RevisionId>,
    /// Settings in place of those of the site's customization, as a JSON object. Absent keys have the values of the
    /// site. Needs the role `create` on the organization. Nothing is stored.
    #[validate(custom(function = "texts::PreviewedCustomization::check"))]
    #[param(value_type = String, max_length = 4096, required = false, nullable = false)]
    pub customization: Option<texts::PreviewedCustomization>,
}

/// Preview of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SitePreview {
    /// URL that shows the preview to everyone who has it, for an hour, while the caller may read the space.
    #[schema(format = "uri")]
    pub url: String,
}
