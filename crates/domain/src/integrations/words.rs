//! The words that integrations are described with, and the filter of their list.

use serde::{Deserialize, Serialize};

use crate::features::{IntoParams, ToSchema, Validate};
use crate::ids::OrganizationId;
use crate::{list, texts};

/// Declares an enumeration with its words.
macro_rules! words {
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
pub(super) use words;

words! {
    /// What an integration can be installed on.
    IntegrationTarget {
        /// Anything.
        All = "all",
        /// Sites.
        Site = "site",
        /// Spaces.
        Space = "space",
        /// Organizations as a whole.
        Organization = "organization",
    }
}

words! {
    /// Who finds an integration.
    IntegrationVisibility {
        /// Anyone.
        Public = "public",
        /// Members of its owner.
        Private = "private",
        /// Anyone who knows its name.
        Unlisted = "unlisted",
    }
}

words! {
    /// What an integration is for.
    IntegrationCategory {
        /// Knowing who reads what.
        Analytics = "analytics",
        /// Working together.
        Collaboration = "collaboration",
        /// What pages can show.
        Content = "content",
        /// Repositories.
        GitSync = "gitsync",
        /// Reaching people.
        Marketing = "marketing",
        /// Knowing who visits.
        VisitorAuth = "visitor-auth",
        /// Anything else.
        Other = "other",
    }
}

words! {
    /// What an integration may do where it is installed.
    IntegrationScope {
        /// See views of spaces.
        SpaceViewsRead = "space:views:read",
        /// Read content.
        SpaceContentRead = "space:content:read",
        /// Change content.
        SpaceContentWrite = "space:content:write",
        /// Read what spaces are called.
        SpaceMetadataRead = "space:metadata:read",
        /// Change what spaces are called.
        SpaceMetadataWrite = "space:metadata:write",
        /// Put scripts into published spaces.
        SpaceScriptInject = "space:script:inject",
        /// Let those scripts set cookies.
        SpaceScriptCookies = "space:script:cookies",
        /// Synchronise with Git.
        SpaceGitSync = "space:git:sync",
        /// Authenticate visitors of spaces.
        SpaceVisitorAuth = "space:visitor:auth",
        /// Read what sites are called.
        SiteMetadataRead = "site:metadata:read",
        /// See views of sites.
        SiteViewsRead = "site:views:read",
        /// Put scripts into sites.
        SiteScriptInject = "site:script:inject",
        /// Let those scripts set cookies.
        SiteScriptCookies = "site:script:cookies",
        /// Authenticate visitors of sites.
        SiteVisitorAuth = "site:visitor:auth",
        /// Read what sites adapt to.
        SiteAdaptiveRead = "site:adaptive:read",
        /// Change what sites adapt to.
        SiteAdaptiveWrite = "site:adaptive:write",
        /// Read OpenAPI specifications.
        OpenApiRead = "openapi:read",
        /// Change OpenAPI specifications.
        OpenApiWrite = "openapi:write",
        /// Add conversations.
        ConversationsIngest = "conversations:ingest",
    }
}

/// Which integrations a list holds.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct IntegrationQuery {
    /// A part of the name or title.
    #[validate(custom(function = "texts::SearchText::check"))]
    #[param(value_type = String, max_length = 512, required = false, nullable = false)]
    pub search: Option<texts::SearchText>,
    /// What they are for.
    #[param(nullable = false)]
    pub category: Option<IntegrationCategory>,
    /// A domain whose links one of their blocks unfolds.
    #[validate(custom(function = "texts::BlockDomain::check"))]
    #[param(value_type = String, max_length = 100, required = false, nullable = false)]
    pub block_domain: Option<texts::BlockDomain>,
    /// Whether they add blocks.
    #[param(nullable = false)]
    pub blocks: Option<bool>,
    /// Whether they add sources of content.
    #[param(nullable = false)]
    pub content_sources: Option<bool>,
    /// The organization that published them.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(nullable = false)]
    pub owner: Option<OrganizationId>,
}
