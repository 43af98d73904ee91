//! Installations of integrations: on an organization, and from there on its spaces and sites.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use super::configuration::check_size;
use super::wire_enum::wire_enum;
use crate::clock::Timestamp;
use crate::ids::{InstallationId, OrganizationId, SiteId, SpaceId};
use crate::{bounds, patch, text_checks, texts};

wire_enum! {
    /// Status of an installation.
    InstallationStatus {
        /// Fully configured.
        Active = "active",
        /// Required configuration is missing.
        Pending = "pending",
        /// Paused.
        Paused = "paused",
    }
}

wire_enum! {
    /// Selection of the organization's spaces or sites.
    Selection {
        /// All spaces or sites.
        All = "all",
        /// Only spaces or sites with an installation of their own.
        Selected = "selected",
    }
}

/// Integration installed on an organization.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Installation {
    /// Id of the installation.
    pub id: InstallationId,
    /// Name of the integration.
    pub integration: String,
    /// Status of the installation.
    pub status: InstallationStatus,
    /// Spaces that the installation applies to.
    #[serde(rename = "space_selection")]
    pub space_selection: Selection,
    /// Sites that the installation applies to.
    #[serde(rename = "site_selection")]
    pub site_selection: Selection,
    /// Number of spaces that the installation applies to, of those that the caller may see.
    pub spaces: u64,
    /// Configuration of the installation.
    pub configuration: Map<String, Value>,
    /// Installation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// URLs of the installation.
    pub urls: InstallationUrls,
    /// Ids of the installation in external systems, at most 5.
    pub external_ids: Vec<String>,
    /// Target of the installation.
    pub target: InstallationTarget,
}

/// URLs of an installation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstallationUrls {
    /// URL of the installation in this API.
    pub location: String,
    /// URL of the installation in the app.
    pub app: String,
    /// URL at which the script answers requests to this installation.
    pub public_endpoint: String,
    /// URL at which the script renders content. Equals `publicEndpoint`.
    pub public_content_endpoint: String,
}

/// Target of an installation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstallationTarget {
    /// Id of the organization.
    pub organization: OrganizationId,
}

/// Request body to install an integration on an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct InstallationCreate {
    /// Id of the organization.
    pub organization: OrganizationId,
}

/// Request body to update an installation. Absent keys leave their values unchanged.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct InstallationUpdate {
    /// Ids of the installation in external systems, at most 5.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "check_external_ids"))]
    #[schema(value_type = Vec<texts::ExternalId>, max_items = 5, required = false)]
    pub external_ids: Option<Vec<texts::ExternalId>>,
    /// Configuration. Replaces the previous configuration completely.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "check_size"))]
    pub configuration: Option<Map<String, Value>>,
    /// Spaces that the installation applies to.
    #[serde(rename = "space_selection", deserialize_with = "patch::present")]
    pub space_selection: Option<Selection>,
    /// Sites that the installation applies to.
    #[serde(rename = "site_selection", deserialize_with = "patch::present")]
    pub site_selection: Option<Selection>,
}

/// Integration installed on a space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpaceInstallation {
    /// Name of the integration.
    pub integration: String,
    /// Id of the installation on the organization.
    pub installation: InstallationId,
    /// Id of the space.
    pub space: SpaceId,
    /// Status of the installation.
    pub status: InstallationStatus,
    /// Configuration of the installation.
    pub configuration: Map<String, Value>,
    /// Ids of the installation in external systems, at most 5.
    pub external_ids: Vec<String>,
    /// Installation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// URLs of the installation.
    pub urls: SpaceInstallationUrls,
}

/// URLs of an installation on a space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpaceInstallationUrls {
    /// URL of the installation in this API.
    pub location: String,
    /// URL at which the script answers requests to this installation.
    pub public_endpoint: String,
    /// URL at which the script renders content. Equals `publicEndpoint`.
    pub public_content_endpoint: String,
}

/// Request body to install an integration on a space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct SpaceInstallationCreate {
    /// Id of the space.
    pub space: SpaceId,
}

/// Request body to update an installation on a space. Absent keys leave their values unchanged.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SpaceInstallationUpdate {
    /// Ids of the installation in external systems, at most 5.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "check_external_ids"))]
    #[schema(value_type = Vec<texts::ExternalId>, max_items = 5, required = false)]
    pub external_ids: Option<Vec<texts::ExternalId>>,
    /// Configuration. Replaces the previous configuration completely.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "check_size"))]
    #[schema(nullable = false)]
    pub configuration: Option<Map<String, Value>>,
}

/// Integration installed on a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteInstallation {
    /// Name of the integration.
    pub integration: String,
    /// Id of the installation on the organization.
    pub installation: InstallationId,
    /// Id of the site.
    pub site: SiteId,
    /// Status of the installation.
    pub status: InstallationStatus,
    /// Configuration of the installation.
    pub configuration: Map<String, Value>,
    /// Ids of the installation in external systems, at most 5.
    pub external_ids: Vec<String>,
    /// Installation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// URLs of the installation.
    pub urls: SiteInstallationUrls,
}

/// URLs of an installation on a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteInstallationUrls {
    /// URL of the installation in this API.
    pub location: String,
    /// URL at which the script answers requests to this installation.
    pub public_endpoint: String,
    /// URL at which the script renders content. Equals `publicEndpoint`.
    pub public_content_endpoint: String,
}

/// Request body to install an integration on a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteInstallationCreate {
    /// Id of the site.
    pub site_id: SiteId,
}

/// Request body to update an installation on a site. Absent keys leave their values unchanged.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SiteInstallationUpdate {
    /// Ids of the installation in external systems, at most 5.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "check_external_ids"))]
    #[schema(value_type = Vec<texts::ExternalId>, max_items = 5, required = false)]
    pub external_ids: Option<Vec<texts::ExternalId>>,
    /// Configuration. Replaces the previous configuration completely.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "check_size"))]
    #[schema(nullable = false)]
    pub configuration: Option<Map<String, Value>>,
}

fn check_external_ids(ids: &[texts::ExternalId]) -> Result<(), ValidationError> {
    texts::ExternalId::check_list::<0, { bounds::EXTERNAL_IDS_MAX }>(ids)?;
    text_checks::distinct(&text_checks::contents(ids))
}
