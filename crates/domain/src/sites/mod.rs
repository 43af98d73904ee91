//! Sites: published selections of an organization's spaces.

mod adaptive;
mod conditions;
pub mod customization;
mod features;
pub(crate) mod files;
mod hostnames;
mod insights;
mod lookup;
mod moves;
mod permissions;
mod publishing;
mod redirects;
mod renderers;
mod search;
mod share_links;
mod structure;

#[cfg(feature = "postgres")]
use diesel::prelude::AsChangeset;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

pub use self::adaptive::{AdaptiveSchema, AdaptiveSchemaUpdate};
pub use self::conditions::HoldsConditions;
pub use self::customization::check_customization;
pub use self::customization::{Customization, CustomizationFavicon, CustomizationOverrides};
pub use self::features::{SiteFeature, SiteFeatureId, features};
pub use self::files::is_site_file;
pub use self::hostnames::{HostnameRecord, HostnameState, HostnameStatus, ProxyInput, host_of};
pub use self::insights::{SiteEvent, SiteEvents};
pub use self::lookup::{
    LookupVisitor, PublishedContent, PublishedRedirect, PublishedUrl, PublishedUrlLookup, PublishedUrlQuery,
    RedirectTarget, VisitorType,
};
pub use self::moves::{
    GroupMove, GroupPointer, SectionMove, SectionPointer, Sibling, SiblingKind, SiteSpaceMove,
    SiteSpacePointer,
};
pub use self::permissions::{SiteDefaultLevel, SitePermissions};
pub use self::publishing::{
    PublishingAuth, PublishingAuthBackend, PublishingAuthUpdate, SitePreview, SitePreviewQuery,
};
pub use self::redirects::{
    DestinationPatch, FoundRedirect, RedirectDestination, RedirectDestinationInput, RedirectDestinationKind,
    RedirectFilter, RedirectIntent, RedirectOrder, RedirectOutcome, RedirectQuery, SiteRedirect,
    SiteRedirectCreate, SiteRedirectFacts, SiteRedirectPut, SiteRedirectResult, SiteRedirectResults,
    SiteRedirectUpdate, SiteRedirectsPut,
};
pub use self::renderers::{SiteRenderer, SiteRendererPut, SiteRendererState, SiteRendererUrls};
pub use self::search::{
    SiteSearch, SiteSearchHit, SiteSearchMode, SiteSearchRestriction, SiteSearchResult, SiteSearchScope,
    SiteSearchScopeMode,
};
pub use self::share_links::{ShareLink, ShareLinkCreate, ShareLinkFacts, ShareLinkUpdate, ShareLinkUrls};
pub use self::structure::{
    PublishedAt, PublishedCustomizations, PublishedSite, SectionCreate, SectionGroupCreate,
    SectionGroupUpdate, SectionInGroup, SectionUpdate, ShareKeyQuery, SiteSection, SiteSectionFacts,
    SiteSectionGroup, SiteSectionGroupFacts, SiteSpace, SiteSpaceCreate, SiteSpaceListQuery, SiteSpaceUpdate,
    SiteStructure, StructureItem, VisitorQuery,
};
use crate::clock::Timestamp;
use crate::git::GitSyncState;
use crate::ids::{SiteId, SiteSectionId, SiteSpaceId, SpaceId};
use crate::object::SiteTag;
use crate::patch::{self, Patch};
#[cfg(feature = "postgres")]
use crate::schema::sites;
use crate::spaces::Visibility;
use crate::{bounds, list, object_only, text_checks, texts};

/// Title of a site that is created without one.
pub const DEFAULT_TITLE: &str = "Untitled";

/// A site.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    /// Always `site`.
    pub object: SiteTag,
    /// Id of the site.
    pub id: SiteId,
    /// Type of the site, which decides on its features.
    #[serde(rename = "type")]
    pub site_type: SiteType,
    /// Type in force. Always equal to `type`.
    pub applied_type: SiteType,
    /// Title of the site, 2 to 128 characters.
    pub title: String,
    /// Favicon of the customization. Absent if not set.
    pub icon: Option<CustomizationFavicon>,
    /// Custom host name. For members the one that was set last, proven or not.
    pub hostname: Option<String>,
    /// Host names of `hostname` and `proxy`, and whether they are proven. Absent for visitors and without any.
    pub hostnames: Option<Vec<HostnameState>>,
    /// Name of the site in its default URL, unique in the organization.
    pub basename: Option<String>,
    /// Proxy address. Absent if not set.
    pub proxy: Option<SiteProxy>,
    /// Visibility of the published site.
    pub visibility: SiteVisibility,
    /// `true` if the site is published.
    pub published: bool,
    /// Number of site spaces.
    pub site_spaces: u64,
    /// Creation time.
    pub created_at: Timestamp,
    /// Adaptive content settings. Absent if never set.
    pub adaptive_content: Option<AdaptiveContent>,
    /// State of advertisements. Present for sponsored sites.
    pub ads: Option<SiteAds>,
    /// Features of the site's type.
    pub features: Vec<SiteFeature>,
    /// State of the connection to a Git repository, with the last synchronization. Absent for visitors, and for a site
    /// that is not connected.
    pub git_sync: Option<GitSyncState>,
    /// Level of members without a grant: their role in the organization, as there are no grants on sites.
    pub default_level: SiteDefaultLevel,
    /// Permissions of the caller on the site.
    pub permissions: SitePermissions,
    /// URLs of the site.
    pub urls: SiteUrls,
}

/// Type of a site.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it, and the reference says no more")]
pub enum SiteType {
    #[default]
    Basic,
    Premium,
    Ultimate,
    Sponsored,
    LegacyBasic,
    LegacyPremium,
}

impl SiteType {
    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::Premium => "premium",
            Self::Ultimate => "ultimate",
            Self::Sponsored => "sponsored",
            Self::LegacyBasic => "legacy-basic",
            Self::LegacyPremium => "legacy-premium",
        }
    }
}

/// Visibility of a published site.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SiteVisibility {
    /// Anyone, listed by search engines.
    #[default]
    Public,
    /// Anyone, not listed by search engines.
    Unlisted,
    /// Anyone with the key of a share link.
    ShareLink,
    /// Visitors with a JWT that the organization signed.
    VisitorAuth,
}

impl SiteVisibility {
    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Unlisted => "unlisted",
            Self::ShareLink => "share-link",
            Self::VisitorAuth => "visitor-auth",
        }
    }

    /// Returns whether anyone may read a published site.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Public | Self::Unlisted)
    }
}

impl From<SiteVisibility> for Visibility {
    fn from(visibility: SiteVisibility) -> Self {
        match visibility {
            SiteVisibility::Public => Self::Public,
            SiteVisibility::Unlisted => Self::Unlisted,
            SiteVisibility::ShareLink => Self::ShareLink,
            SiteVisibility::VisitorAuth => Self::VisitorAuth,
        }
    }
}

/// Address of a site behind a proxy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiteProxy {
    /// Host and path that visitors use, such as `example.com/docs`.
    pub origin: String,
    /// URL to which the proxy must forward requests.
    pub target: String,
}

/// Adaptive content settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AdaptiveContent {
    /// `true` if visitors' claims decide which content is shown.
    pub enabled: bool,
}

/// State of a site's advertisements. Sites cannot be submitted to this service, so the state is always pending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum SiteAds {
    /// Not submitted.
    Pending {
        /// `true` if the site is public, and could therefore be submitted.
        submittable: bool,
    },
}

/// URLs of a site.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiteUrls {
    /// URL of the site in this API.
    pub location: String,
    /// URL of the site in the app.
    pub app: String,
    /// URL of the site for its visitors. Absent while the site is not published.
    #[schema(nullable = false)]
    pub published: Option<String>,
    /// URL of the site at this service, which the site has before it has a host name or proxy.
    pub preview: String,
}

/// Query parameters of a list of sites.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct SiteListQuery {
    /// Cursor: `next.page` of the previous page. Returns the first page if absent.
    #[validate(custom(function = "text_checks::no_nul"))]
    #[param(nullable = false)]
    pub page: Option<String>,
    /// Maximum number of items per page.
    #[serde(deserialize_with = "list::limit")]
    #[validate(custom(function = "list::limit_in_bounds"))]
    #[param(schema_with = list::limit_schema, required = false)]
    pub limit: Option<u64>,
    /// Returns only sites that contain this space.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(nullable = false)]
    pub space: Option<SpaceId>,
    /// Returns only sites whose title contains this text, ignoring case.
    #[validate(custom(function = "texts::SiteSearch::check"))]
    #[param(value_type = String, max_length = 128, required = false, nullable = false)]
    pub title: Option<texts::SiteSearch>,
    /// Returns only published (`true`) or unpublished (`false`) sites.
    #[param(nullable = false)]
    pub published: Option<bool>,
    /// Returns only sites of these types. May be repeated.
    #[serde(rename = "type")]
    #[param(inline, rename = "type", required = false)]
    pub types: Vec<SiteType>,
}

/// Spaces of a new site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum NewSiteSpaces {
    /// Ids of existing spaces.
    Existing(SpaceIds),
    /// New space.
    New(NewSiteSpace),
}

/// Ids of existing spaces.
// A schema with a name, because generators of clients fail at arrays without one in unions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SpaceIds(pub Vec<SpaceId>);

/// Content of a space that is created for a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NewSiteSpace {
    /// Sample pages.
    Sample,
    /// No pages.
    Empty,
}

/// Request body to create a site. Every key is optional.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SiteCreate {
    /// Type of the site.
    #[serde(rename = "type")]
    #[schema(required = false)]
    pub site_type: SiteType,
    /// Title of the site. Default: `Untitled`.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SiteTitle::check"))]
    #[schema(value_type = texts::SiteTitle, required = false)]
    pub title: Option<texts::SiteTitle>,
    /// Visibility of the published site. Default: `public`.
    #[schema(required = false)]
    pub visibility: SiteVisibility,
    /// Spaces of the site: ids of 1 to 100 spaces, or `sample` or `empty` for a new space.
    #[serde(deserialize_with = "new_spaces")]
    #[validate(custom(function = "check_new_spaces"))]
    #[schema(nullable = false)]
    pub spaces: Option<NewSiteSpaces>,
}

/// Reads a list or a keyword. A malformed id is reported with its index.
fn new_spaces<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<NewSiteSpaces>, D::Error> {
    use std::fmt;

    use serde::de::value::SeqAccessDeserializer;
    use serde::de::{IntoDeserializer, SeqAccess, Visitor};

    struct Spaces;

    impl<'de> Visitor<'de> for Spaces {
        type Value = NewSiteSpaces;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of ids, `sample` or `empty`")
        }

        fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<NewSiteSpaces, E> {
            NewSiteSpace::deserialize(word.into_deserializer()).map(NewSiteSpaces::New)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<NewSiteSpaces, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(items)).map(SpaceIds).map(NewSiteSpaces::Existing)
        }
    }

    deserializer.deserialize_any(Spaces).map(Some)
}

fn check_new_spaces(spaces: &NewSiteSpaces) -> Result<(), validator::ValidationError> {
    match spaces {
        NewSiteSpaces::Existing(SpaceIds(ids)) => {
            text_checks::count::<0, { bounds::SITE_SPACES_MAX }, _>(ids)?;
            let twice =
                ids.iter().enumerate().any(|(index, id)| ids.iter().skip(index + 1).any(|other| other == id));
            if twice { Err(text_checks::error("unique", "must not contain a space twice")) } else { Ok(()) }
        }
        NewSiteSpaces::New(_) => Ok(()),
    }
}

/// Request body to update a site. Absent keys leave their values unchanged.
// The changeset leaves out fields that can be removed, which `Patch::assign` writes, and fields that depend on others.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[cfg_attr(feature = "postgres", derive(AsChangeset))]
#[cfg_attr(feature = "postgres", diesel(table_name = sites))]
#[serde(rename_all = "camelCase", default)]
pub struct SiteUpdate {
    /// Title of the site.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SiteTitle::check"))]
    #[schema(value_type = texts::SiteTitle, required = false)]
    pub title: Option<texts::SiteTitle>,
    /// Visibility of the published site.
    #[serde(deserialize_with = "patch::present")]
    pub visibility: Option<SiteVisibility>,
    /// Name of the site in its default URL. `null`: the id of the site.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::SitePath::check"))]
    #[schema(value_type = Option<texts::SitePath>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub basename: Patch<texts::SitePath>,
    /// Custom host name. `null` removes it. It takes effect once it is proven; setting the same host name again repeats
    /// the check.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::SiteHostname::check"))]
    #[schema(value_type = Option<texts::SiteHostname>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub hostname: Patch<texts::SiteHostname>,
    /// Adaptive content settings.
    #[serde(deserialize_with = "object_only::present")]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub adaptive_content: Option<AdaptiveContent>,
    /// Id of the default site space. On a site with sections, it belongs to the default section.
    #[serde(deserialize_with = "patch::present")]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub default_site_space: Option<SiteSpaceId>,
    /// Id of the default section.
    #[serde(deserialize_with = "patch::present")]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub default_site_section: Option<SiteSectionId>,
    /// Proxy address: a text, or an object with `origin`. `null` removes it. It takes effect once its host name is
    /// proven.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::ProxyOrigin::check"))]
    #[schema(value_type = Option<ProxyInput>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub proxy: Patch<ProxyInput>,
}

/// Characters that are escaped in the name of a site.
const ESCAPED_IN_NAME: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns the address of a site: a URL, or a path below the deployment's own address.
#[must_use]
pub fn site_address(organization: &str, name: &str, hostname: Option<&str>, proxy: Option<&str>) -> String {
    match (proxy, hostname) {
        (Some(origin), _) => format!("https://{origin}"),
        (None, Some(hostname)) => format!("https://{hostname}"),
        (None, None) => default_address(organization, name),
    }
}

/// Returns the path of a site without a host name or proxy, from the names of its organization and of itself.
/// Characters beyond ASCII are escaped.
#[must_use]
pub fn default_address(organization: &str, name: &str) -> String {
    let escaped = |name| utf8_percent_encode(name, ESCAPED_IN_NAME);
    format!("sites/{}/{}", escaped(organization), escaped(name))
}
