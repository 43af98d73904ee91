//! Integrations: extensions that an organization publishes for others to install.

mod configuration;
mod installations;
mod publish;
mod wire_enum;

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

pub use self::configuration::{
    ConfigurationProperty, ConfigurationSchema, IntegrationConfigurations, PropertyType,
};
pub use self::installations::{
    Installation, InstallationCreate, InstallationStatus, InstallationTarget, InstallationUpdate,
    InstallationUrls, Selection, SiteInstallation, SiteInstallationCreate, SiteInstallationUpdate,
    SiteInstallationUrls, SpaceInstallation, SpaceInstallationCreate, SpaceInstallationUpdate,
    SpaceInstallationUrls,
};
pub use self::publish::IntegrationPublish;
pub use self::wire_enum::{
    IntegrationCategory, IntegrationQuery, IntegrationScope, IntegrationTarget, IntegrationVisibility,
};
use crate::object::IntegrationTag;
use crate::organizations::Organization;
use crate::texts;

/// Integration in its latest published version.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Integration {
    /// Always `integration`.
    pub object: IntegrationTag,
    /// Name of the integration: unique in the service, and never changed.
    pub name: String,
    /// Version: the number of times that the integration was published.
    pub version: u32,
    /// Title of the integration, 2 to 30 characters.
    pub title: String,
    /// Short description, at most 100 characters.
    pub description: String,
    /// Long description in Markdown.
    pub summary: Option<String>,
    /// URLs of preview images, at most 3.
    pub preview_images: Vec<String>,
    /// Target on which the integration can be installed.
    pub target: IntegrationTarget,
    /// `true` if the operators of this service have verified the integration.
    pub verified: bool,
    /// Visibility of the integration.
    pub visibility: IntegrationVisibility,
    /// Permissions of the integration where it is installed.
    pub scopes: Vec<IntegrationScope>,
    /// Categories of the integration.
    pub categories: Vec<IntegrationCategory>,
    /// Blocks that the integration adds to documents.
    pub blocks: Option<Vec<IntegrationBlock>>,
    /// Sources of computed content that the integration adds.
    pub content_sources: Option<Vec<IntegrationContentSource>>,
    /// Configuration schemas of installations.
    pub configurations: Option<IntegrationConfigurations>,
    /// Links to further information, at most 5.
    pub external_links: Vec<ExternalLink>,
    /// Organization that published the integration. Other callers see only its public keys.
    pub owner: Organization,
    /// URLs of the integration.
    pub urls: IntegrationUrls,
    /// Permissions of the caller on the integration.
    pub permissions: IntegrationPermissions,
    /// Content security policy of the script and blocks.
    pub content_security_policy: Option<ContentSecurityPolicy>,
}

/// Integration with its installation on an organization.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InstalledIntegration {
    /// Integration.
    pub integration: Integration,
    /// Installation of it.
    pub installation: Installation,
}

/// URLs of an integration.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntegrationUrls {
    /// URL of the integration in this API.
    pub location: String,
    /// URL of the icon. Absent if the integration has none.
    #[schema(nullable = false)]
    pub icon: Option<String>,
    /// URL of the integration in the app.
    pub app: String,
    /// Base URL of the images.
    pub assets: String,
    /// URL at which the script answers requests.
    pub public_endpoint: String,
    /// URL at which the script renders content. Equals `publicEndpoint`: content has no origin of its own.
    pub public_content_endpoint: String,
}

/// Permissions of the caller on an integration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntegrationPermissions {
    /// `true` if the caller may publish and unpublish the integration.
    pub admin: bool,
    /// `true` if the caller may install it in an organization that the caller administers.
    pub install: bool,
}

/// Block that an integration adds to documents.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntegrationBlock {
    /// Id of the block in its integration.
    #[validate(custom(function = "texts::IntegrationPartId::check"))]
    pub id: texts::IntegrationPartId,
    /// Title of the block.
    #[validate(custom(function = "texts::IntegrationPartTitle::check"))]
    pub title: texts::IntegrationPartTitle,
    /// Purpose of the block.
    #[serde(default, deserialize_with = "crate::patch::present")]
    #[validate(custom(function = "texts::IntegrationPartDescription::check"))]
    #[schema(value_type = texts::IntegrationPartDescription, required = false)]
    pub description: Option<texts::IntegrationPartDescription>,
    /// Icon of the block.
    #[serde(default, deserialize_with = "crate::patch::present")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url, required = false)]
    pub icon: Option<texts::Url>,
    /// URL patterns of links that the block unfurls, in which parts may be `*`. At most 50.
    #[serde(default, deserialize_with = "crate::patch::present")]
    #[validate(custom(function = "texts::UrlPattern::check_list::<0, 50>"))]
    #[schema(value_type = Vec<texts::Url>, max_items = 50, required = false)]
    pub url_unfurl: Option<Vec<texts::UrlPattern>>,
    /// Markdown form of the block.
    #[serde(default, deserialize_with = "crate::object_only::present")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub markdown: Option<BlockMarkdown>,
}

impl IntegrationBlock {
    /// Returns the hosts of the links that the block unfurls, in lowercase. A host `*.example.com` matches all
    /// subdomains.
    pub fn domains(&self) -> impl Iterator<Item = String> {
        self.url_unfurl.iter().flatten().filter_map(|pattern| {
            let pattern = pattern.as_text().ok()?;
            let rest = pattern.split_once("://").map_or(pattern, |(_, rest)| rest);
            let host = rest.split(['/', '?', '#', ':']).next()?.to_ascii_lowercase();
            (!host.is_empty() && host != "*").then_some(host)
        })
    }
}

/// Markdown form of a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct BlockMarkdown {
    /// Language of the code block that represents it.
    #[validate(custom(function = "texts::IntegrationPartId::check"))]
    pub codeblock: texts::IntegrationPartId,
    /// Property that holds the code.
    #[validate(custom(function = "texts::IntegrationPartId::check"))]
    pub body: texts::IntegrationPartId,
}

/// Source of computed content that an integration adds.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntegrationContentSource {
    /// Id of the source in its integration.
    #[validate(custom(function = "texts::IntegrationPartId::check"))]
    pub id: texts::IntegrationPartId,
    /// Title of the source.
    #[validate(custom(function = "texts::IntegrationPartTitle::check"))]
    pub title: texts::IntegrationPartTitle,
    /// Purpose of the source.
    #[serde(default, deserialize_with = "crate::patch::present")]
    #[validate(custom(function = "texts::IntegrationPartDescription::check"))]
    #[schema(value_type = texts::IntegrationPartDescription, required = false)]
    pub description: Option<texts::IntegrationPartDescription>,
    /// Icon of the source.
    #[serde(default, deserialize_with = "crate::patch::present")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url, required = false)]
    pub icon: Option<texts::Url>,
    /// Configuration of the source.
    #[validate(nested)]
    pub configuration: SourceConfiguration,
}

/// Configuration of a source of computed content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceConfiguration {
    /// Id of the script component that renders the configuration.
    #[validate(custom(function = "texts::IntegrationPartId::check"))]
    pub component_id: texts::IntegrationPartId,
}

/// Link to further information about an integration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ExternalLink {
    /// URL of the link.
    #[validate(custom(function = "texts::Url::check"))]
    pub url: texts::Url,
    /// Label of the link.
    #[validate(custom(function = "texts::IntegrationPartTitle::check"))]
    pub label: texts::IntegrationPartTitle,
}

/// Content security policy: as a whole or by directive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ContentSecurityPolicy {
    /// Policy in the form of the HTTP header.
    Whole(String),
    /// Source lists by directive.
    Directives(std::collections::BTreeMap<String, String>),
}
