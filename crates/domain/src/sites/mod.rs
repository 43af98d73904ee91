//! Sites: what an organization publishes of its spaces, and to whom.

mod adaptive;
mod conditions;
pub mod customization;
mod features;
mod hostnames;
mod moves;
mod share_links;
mod structure;

use serde::{Deserialize, Serialize};

pub use self::adaptive::{AdaptiveSchema, AdaptiveSchemaUpdate};
pub use self::conditions::HoldsConditions;
#[cfg(feature = "validation")]
pub use self::customization::check_customization;
pub use self::customization::{Customization, CustomizationFavicon};
pub use self::features::{SiteFeature, SiteFeatureId, features};
pub use self::hostnames::ProxyInput;
pub use self::moves::{
    GroupMove, GroupPointer, SectionMove, SectionPointer, Sibling, SiblingKind, SiteSpaceMove,
    SiteSpacePointer,
};
pub use self::share_links::{ShareLink, ShareLinkCreate, ShareLinkUpdate, ShareLinkUrls};
pub use self::structure::{
    PublishedAt, PublishedCustomizations, PublishedSite, SectionCreate, SectionGroupCreate,
    SectionGroupUpdate, SectionInGroup, SectionUpdate, ShareKeyQuery, SiteSection, SiteSectionGroup,
    SiteSpace, SiteSpaceCreate, SiteSpaceListQuery, SiteSpaceUpdate, SiteStructure, StructureItem,
    VisitorQuery,
};
use crate::clock::Timestamp;
use crate::features::{IntoParams, ToSchema, Validate};
use crate::ids::{OrganizationId, SiteId, SiteSectionId, SiteSpaceId, SpaceId};
use crate::object::SiteTag;
use crate::patch::{self, Patch};
use crate::spaces::Visibility;
use crate::{bounds, list, strict, text, texts};

/// The title of a site that was made without one.
pub const DEFAULT_TITLE: &str = "Untitled";

/// A site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    /// Always `site`.
    pub object: SiteTag,
    /// Id of the site.
    pub id: SiteId,
    /// What it can do.
    #[serde(rename = "type")]
    pub site_type: SiteType,
    /// Title of the site, 2 to 128 characters.
    pub title: String,
    /// The favicon of its settings. Absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub icon: Option<CustomizationFavicon>,
    /// A host name of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hostname: Option<String>,
    /// Name of the site in the default address, unique in its organization.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub basename: Option<String>,
    /// The path of another site that it is shown below. Absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub proxy: Option<SiteProxy>,
    /// Who can see it once it is published.
    pub visibility: SiteVisibility,
    /// Whether it is accessible to the audience of its visibility.
    pub published: bool,
    /// How many spaces stand on it.
    pub site_spaces: u64,
    /// Creation time.
    pub created_at: Timestamp,
    /// Whether it depends on who visits it. Absent until somebody said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub adaptive_content: Option<AdaptiveContent>,
    /// The state of its advertisements; sponsored sites have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ads: Option<SiteAds>,
    /// What its type brings.
    pub features: Vec<SiteFeature>,
    /// URLs of the site.
    pub urls: SiteUrls,
}

/// What a site can do.
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

/// Who can see a published site.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SiteVisibility {
    /// Anyone, and search engines list it.
    #[default]
    Public,
    /// Anyone, and search engines don't list it.
    Unlisted,
    /// Anyone with a secret token in the URL.
    ShareLink,
    /// Anyone authenticated through a JWT.
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

/// The path of another site that a site is shown below.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiteProxy {
    /// The host and path that visitors use.
    pub origin: String,
    /// Where that host has to forward them to.
    pub target: String,
}

/// Whether a site depends on who visits it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AdaptiveContent {
    /// Whether visitors' claims count.
    pub enabled: bool,
}

/// The state of a site's advertisements. Nobody can hand a site in here, so they are always to come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum SiteAds {
    /// Not handed in.
    Pending {
        /// Whether the site is public, and so could be.
        submittable: bool,
    },
}

/// URLs of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiteUrls {
    /// URL of the site in this API.
    pub location: String,
    /// URL of the site in the app.
    pub app: String,
    /// The site for its audience. Absent while it isn't published.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub published: Option<String>,
}

/// The query parameters of a list of sites.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct SiteListQuery {
    /// Cursor: `next.page` of the previous page. Returns the first page if absent.
    #[validate(custom(function = "text::no_nul"))]
    #[param(nullable = false)]
    pub page: Option<String>,
    /// Maximum number of items per page.
    #[serde(deserialize_with = "list::limit")]
    #[validate(custom(function = "list::limit_in_bounds"))]
    #[param(schema_with = list::limit_schema, required = false)]
    pub limit: Option<u64>,
    /// Only sites that this space stands on.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(nullable = false)]
    pub space: Option<SpaceId>,
    /// Only sites whose title contains this, whatever the case.
    #[validate(custom(function = "texts::SiteSearch::check"))]
    #[param(value_type = String, max_length = 128, required = false, nullable = false)]
    pub title: Option<texts::SiteSearch>,
    /// Only sites that are published, or that are not.
    #[param(nullable = false)]
    pub published: Option<bool>,
    /// Only sites of these types.
    #[serde(rename = "type")]
    #[param(inline, rename = "type", required = false)]
    pub types: Vec<SiteType>,
}

/// What stands on a new site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum NewSiteSpaces {
    /// These spaces.
    Existing(Vec<SpaceId>),
    /// A new space.
    New(NewSiteSpace),
}

/// What a space holds that is made for a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NewSiteSpace {
    /// A few pages that show what can be done.
    Sample,
    /// Nothing.
    Empty,
}

/// Request body to create a site. Every key is optional.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SiteCreate {
    /// What it can do.
    #[serde(rename = "type")]
    #[schema(required = false)]
    pub site_type: SiteType,
    /// Title; `Untitled` when absent.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::SiteTitle::check"))]
    #[schema(value_type = texts::SiteTitle, required = false)]
    pub title: Option<texts::SiteTitle>,
    /// Who can see it once it is published.
    #[schema(required = false)]
    pub visibility: SiteVisibility,
    /// What stands on it.
    #[serde(deserialize_with = "new_spaces", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "check_new_spaces"))]
    #[schema(nullable = false)]
    pub spaces: Option<NewSiteSpaces>,
}

/// Reads a list or a word, so that an id that is none is named by its place.
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
            Vec::deserialize(SeqAccessDeserializer::new(items)).map(NewSiteSpaces::Existing)
        }
    }

    deserializer.deserialize_any(Spaces).map(Some)
}

fn check_new_spaces(spaces: &NewSiteSpaces) -> Result<(), crate::features::ValidationError> {
    match spaces {
        NewSiteSpaces::Existing(ids) => {
            text::count::<0, { bounds::SITE_SPACES_MAX }, _>(ids)?;
            let twice =
                ids.iter().enumerate().any(|(index, id)| ids.iter().skip(index + 1).any(|other| other == id));
            if twice { Err(text::error("unique", "must not name a space twice")) } else { Ok(()) }
        }
        NewSiteSpaces::New(_) => Ok(()),
    }
}

/// Request body to update a site. Absent keys leave their values unchanged.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SiteUpdate {
    /// Title of the site.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::SiteTitle::check"))]
    #[schema(value_type = texts::SiteTitle, required = false)]
    pub title: Option<texts::SiteTitle>,
    /// Who can see it once it is published.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub visibility: Option<SiteVisibility>,
    /// Name of the site in the default address; `null` for its id.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::SitePath::check"))]
    #[schema(value_type = Option<texts::SitePath>)]
    pub basename: Patch<texts::SitePath>,
    /// A host name of its own; `null` for none.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::SiteHostname::check"))]
    #[schema(value_type = Option<texts::SiteHostname>)]
    pub hostname: Patch<texts::SiteHostname>,
    /// Whether visitors' claims count.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub adaptive_content: Option<AdaptiveContent>,
    /// The site space to show first: of the default section, where there are sections.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub default_site_space: Option<SiteSpaceId>,
    /// The section to show first.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub default_site_section: Option<SiteSectionId>,
    /// The host and path that the site is shown below, alone or as the `origin` of an object; `null` for none.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::ProxyOrigin::check"))]
    #[schema(value_type = Option<ProxyInput>)]
    pub proxy: Patch<ProxyInput>,
}

/// Where a site is shown: a URL, or a path below the deployment's own.
#[must_use]
pub fn site_address(
    organization: OrganizationId,
    site: SiteId,
    basename: Option<&str>,
    hostname: Option<&str>,
    proxy: Option<&str>,
) -> String {
    match (proxy, hostname) {
        (Some(origin), _) => format!("https://{origin}"),
        (None, Some(hostname)) => format!("https://{hostname}"),
        (None, None) => default_address(organization, site, basename),
    }
}

/// The path that a site is shown at without a host name or proxy.
#[must_use]
pub fn default_address(organization: OrganizationId, site: SiteId, basename: Option<&str>) -> String {
    let name = basename.map_or_else(|| site.to_string(), str::to_owned);
    format!("sites/{organization}/{name}")
}
