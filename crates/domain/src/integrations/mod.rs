//! Integrations: what an organization publishes for others to install.

mod configuration;
mod installations;
mod publish;
mod words;

use serde::{Deserialize, Serialize};

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
pub use self::words::{
    IntegrationCategory, IntegrationQuery, IntegrationScope, IntegrationTarget, IntegrationVisibility,
};
use crate::features::{ToSchema, Validate};
use crate::object::IntegrationTag;
use crate::organizations::Organization;
use crate::texts;

/// An integration, as it was last published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Integration {
    /// Always `integration`.
    pub object: IntegrationTag,
    /// Name of the integration: unique in the service, and never changed.
    pub name: String,
    /// How often it was published.
    pub version: u32,
    /// Title of the integration, 2 to 30 characters.
    pub title: String,
    /// One line about it.
    pub description: String,
    /// More about it, in Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub summary: Option<String>,
    /// Where pictures of it are.
    pub preview_images: Vec<String>,
    /// What it can be installed on.
    pub target: IntegrationTarget,
    /// Whether the operators of this service vouch for it.
    pub verified: bool,
    /// Who finds it.
    pub visibility: IntegrationVisibility,
    /// What it may do where it is installed.
    pub scopes: Vec<IntegrationScope>,
    /// Purpose of the integration.
    pub categories: Vec<IntegrationCategory>,
    /// The blocks that it adds to documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub blocks: Option<Vec<IntegrationBlock>>,
    /// The sources of computed content that it adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub content_sources: Option<Vec<IntegrationContentSource>>,
    /// What can be configured where it is installed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub configurations: Option<IntegrationConfigurations>,
    /// Where there is more about it.
    pub external_links: Vec<ExternalLink>,
    /// Who published it. Only its members see what is no one else's business.
    pub owner: Organization,
    /// URLs of the integration.
    pub urls: IntegrationUrls,
    /// Permissions of the caller on the integration.
    pub permissions: IntegrationPermissions,
    /// What its script and blocks may load.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub content_security_policy: Option<ContentSecurityPolicy>,
}

/// URLs of an integration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntegrationUrls {
    /// URL of the integration in this API.
    pub location: String,
    /// Icon of the integration. Absent when it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub icon: Option<String>,
    /// URL of the integration in the app.
    pub app: String,
    /// What its images stand below.
    pub assets: String,
    /// Where its script answers requests.
    pub public_endpoint: String,
}

/// Permissions of the caller on an integration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntegrationPermissions {
    /// Publish and unpublish it.
    pub admin: bool,
    /// Install it in an organization that one administers.
    pub install: bool,
}

/// A block that an integration adds to documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntegrationBlock {
    /// The block's id in its integration.
    #[validate(custom(function = "texts::IntegrationPartId::check"))]
    pub id: texts::IntegrationPartId,
    /// Title of the block.
    #[validate(custom(function = "texts::IntegrationPartTitle::check"))]
    pub title: texts::IntegrationPartTitle,
    /// Purpose of the block.
    #[serde(default, deserialize_with = "crate::patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::IntegrationPartDescription::check"))]
    #[schema(value_type = texts::IntegrationPartDescription, required = false)]
    pub description: Option<texts::IntegrationPartDescription>,
    /// Icon of the block.
    #[serde(default, deserialize_with = "crate::patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url, required = false)]
    pub icon: Option<texts::Url>,
    /// The links that it unfolds: addresses, of which parts may be `*`.
    #[serde(default, deserialize_with = "crate::patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::UrlPattern::check_list::<0, 50>"))]
    #[schema(value_type = Vec<texts::Url>, max_items = 50, required = false)]
    pub url_unfurl: Option<Vec<texts::UrlPattern>>,
    /// How it is written in Markdown.
    #[serde(default, deserialize_with = "crate::strict::present", skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub markdown: Option<BlockMarkdown>,
}

impl IntegrationBlock {
    /// The hosts of the links that it unfolds, lowercase; one that begins with `*.` stands for all below it.
    pub fn domains(&self) -> impl Iterator<Item = String> {
        self.url_unfurl.iter().flatten().filter_map(|pattern| {
            let pattern = pattern.as_text().ok()?;
            let rest = pattern.split_once("://").map_or(pattern, |(_, rest)| rest);
            let host = rest.split(['/', '?', '#', ':']).next()?.to_ascii_lowercase();
            (!host.is_empty() && host != "*").then_some(host)
        })
    }
}

/// How a block is written in Markdown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct BlockMarkdown {
    /// The language of the code block that stands for it.
    #[validate(custom(function = "texts::IntegrationPartId::check"))]
    pub codeblock: texts::IntegrationPartId,
    /// The property that holds the code.
    #[validate(custom(function = "texts::IntegrationPartId::check"))]
    pub body: texts::IntegrationPartId,
}

/// A source of computed content that an integration adds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntegrationContentSource {
    /// The source's id in its integration.
    #[validate(custom(function = "texts::IntegrationPartId::check"))]
    pub id: texts::IntegrationPartId,
    /// Title of the source.
    #[validate(custom(function = "texts::IntegrationPartTitle::check"))]
    pub title: texts::IntegrationPartTitle,
    /// Purpose of the source.
    #[serde(default, deserialize_with = "crate::patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::IntegrationPartDescription::check"))]
    #[schema(value_type = texts::IntegrationPartDescription, required = false)]
    pub description: Option<texts::IntegrationPartDescription>,
    /// Icon of the source.
    #[serde(default, deserialize_with = "crate::patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url, required = false)]
    pub icon: Option<texts::Url>,
    /// Configuration of the installation.
    #[validate(nested)]
    pub configuration: SourceConfiguration,
}

/// What a source of computed content is configured with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceConfiguration {
    /// The component of the script that asks for it.
    #[validate(custom(function = "texts::IntegrationPartId::check"))]
    pub component_id: texts::IntegrationPartId,
}

/// Where there is more about an integration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ExternalLink {
    /// The address.
    #[validate(custom(function = "texts::Url::check"))]
    pub url: texts::Url,
    /// What is there.
    #[validate(custom(function = "texts::IntegrationPartTitle::check"))]
    pub label: texts::IntegrationPartTitle,
}

/// What a script and blocks may load: a whole policy, or one by its directives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ContentSecurityPolicy {
    /// As it stands in a header.
    Whole(String),
    /// The sources of each directive.
    Directives(std::collections::BTreeMap<String, String>),
}
