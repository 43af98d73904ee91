//! Enumerations of integrations, and the filter of their list.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::ids::OrganizationId;
use crate::{list, texts};

/// Declares an enumeration with its wire forms.
macro_rules! wire_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:tt,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// Returns the wire form.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }
        }
    };
}
pub(super) use wire_enum;

wire_enum! {
    /// Target on which an integration can be installed.
    IntegrationTarget {
        /// Any target.
        All = "all",
        /// Sites.
        Site = "site",
        /// Spaces.
        Space = "space",
        /// Whole organizations.
        Organization = "organization",
    }
}

wire_enum! {
    /// Visibility of an integration.
    IntegrationVisibility {
        /// Listed for everyone.
        Public = "public",
        /// Visible to members of the owner only.
        Private = "private",
        /// Not listed, but available to everyone who knows its name.
        Unlisted = "unlisted",
    }
}

wire_enum! {
    /// Category of an integration.
    IntegrationCategory {
        /// Analytics.
        Analytics = "analytics",
        /// Collaboration.
        Collaboration = "collaboration",
        /// Embedded content.
        Content = "content",
        /// Git repositories.
        GitSync = "gitsync",
        /// Marketing.
        Marketing = "marketing",
        /// Authentication of visitors.
        VisitorAuth = "visitor-auth",
        /// Other.
        Other = "other",
    }
}

wire_enum! {
    /// Permission of an integration where it is installed.
    IntegrationScope {
        /// Read views of spaces.
        SpaceViewsRead = "space:views:read",
        /// Read content.
        SpaceContentRead = "space:content:read",
        /// Write content.
        SpaceContentWrite = "space:content:write",
        /// Read titles and other metadata of spaces.
        SpaceMetadataRead = "space:metadata:read",
        /// Write titles and other metadata of spaces.
        SpaceMetadataWrite = "space:metadata:write",
        /// Add scripts to published spaces.
        SpaceScriptInject = "space:script:inject",
        /// Set cookies in scripts of published spaces.
        SpaceScriptCookies = "space:script:cookies",
        /// Synchronize with Git.
        SpaceGitSync = "space:git:sync",
        /// Authenticate visitors of spaces.
        SpaceVisitorAuth = "space:visitor:auth",
        /// Read titles and other metadata of sites.
        SiteMetadataRead = "site:metadata:read",
        /// Read views of sites.
        SiteViewsRead = "site:views:read",
        /// Add scripts to sites.
        SiteScriptInject = "site:script:inject",
        /// Set cookies in scripts of sites.
        SiteScriptCookies = "site:script:cookies",
        /// Authenticate visitors of sites.
        SiteVisitorAuth = "site:visitor:auth",
        /// Read the adaptive content settings of sites.
        SiteAdaptiveRead = "site:adaptive:read",
        /// Write the adaptive content settings of sites.
        SiteAdaptiveWrite = "site:adaptive:write",
        /// Read OpenAPI specifications.
        OpenApiRead = "openapi:read",
        /// Write OpenAPI specifications.
        OpenApiWrite = "openapi:write",
        /// Add conversations.
        ConversationsIngest = "conversations:ingest",
    }
}

/// Filters of a list of integrations.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct IntegrationQuery {
    /// Part of the name or title.
    #[validate(custom(function = "texts::SearchText::check"))]
    #[param(value_type = String, max_length = 512, required = false, nullable = false)]
    pub search: Option<texts::SearchText>,
    /// Returns only integrations of this category.
    #[param(nullable = false)]
    pub category: Option<IntegrationCategory>,
    /// Returns only integrations with a block that unfurls links to this domain.
    #[validate(custom(function = "texts::BlockDomain::check"))]
    #[param(value_type = String, max_length = 100, required = false, nullable = false)]
    pub block_domain: Option<texts::BlockDomain>,
    /// Returns only integrations that add blocks (`true`) or do not (`false`).
    #[param(nullable = false)]
    pub blocks: Option<bool>,
    /// Returns only integrations that add content sources (`true`) or do not (`false`).
    #[param(nullable = false)]
    pub content_sources: Option<bool>,
    /// Returns only integrations that this organization published.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(nullable = false)]
    pub owner: Option<OrganizationId>,
}
