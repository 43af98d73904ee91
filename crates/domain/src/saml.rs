//! SAML providers: who says for an organization who its people are.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::features::{ToSchema, Validate};
use crate::ids::{SamlProviderId, TeamId};
use crate::object::SamlProviderTag;
use crate::patch::{self, Patch};
use crate::role::Role;
use crate::teams::Team;
use crate::texts;

/// A SAML provider of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SamlProvider {
    /// Always `saml-provider`.
    pub object: SamlProviderTag,
    /// Id of the provider.
    pub id: SamlProviderId,
    /// Title of the SAML provider, 1 to 30 characters.
    pub label: String,
    /// Where people log in. Absent until it is known.
    #[serde(rename = "ssoURL", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sso_url: Option<String>,
    /// The name of the identity provider. Absent until it is known.
    #[serde(rename = "entityID", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub entity_id: Option<String>,
    /// The certificate that its answers are signed with. Absent until it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub certificate: Option<String>,
    /// The team that people join who come through it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub default_team: Option<Team>,
    /// The role of people who come through it; `null` for guests.
    #[schema(required)]
    pub default_role: Option<Role>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Whether it says all that a login needs.
    pub status: SamlStatus,
    /// What the identity provider has to know of this service.
    pub service: SamlService,
    /// URLs of the provider.
    pub urls: SamlUrls,
}

/// Whether a SAML provider says all that a login needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SamlStatus {
    /// `ssoURL`, `entityID` and `certificate` are there.
    Active,
    /// One of them is missing.
    Pending,
}

/// What an identity provider has to know of this service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SamlService {
    /// Where it sends its answers.
    #[serde(rename = "acsURL")]
    pub acs_url: String,
    /// Where a login starts.
    #[serde(rename = "startURL")]
    pub start_url: String,
    /// The name of this service.
    #[serde(rename = "entityID")]
    pub entity_id: String,
}

/// URLs of a SAML provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SamlUrls {
    /// URL of the provider in this API.
    pub location: String,
}

/// Request body to create a SAML provider. What the identity provider says of itself can follow later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SamlProviderCreate {
    /// Title of the SAML provider.
    #[validate(custom(function = "texts::SamlLabel::check"))]
    pub label: texts::SamlLabel,
    /// The name of the identity provider.
    #[serde(
        rename = "entityID",
        default,
        deserialize_with = "patch::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[validate(custom(function = "texts::SamlEntityId::check"))]
    #[schema(value_type = texts::SamlEntityId, required = false)]
    pub entity_id: Option<texts::SamlEntityId>,
    /// The certificate that its answers are signed with.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::SamlCertificate::check"))]
    #[schema(value_type = texts::SamlCertificate, required = false)]
    pub certificate: Option<texts::SamlCertificate>,
    /// Where people log in.
    #[serde(
        rename = "ssoURL",
        default,
        deserialize_with = "patch::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url, required = false)]
    pub sso_url: Option<texts::Url>,
    /// The team that people join who come through it.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = TeamId, required = false)]
    pub default_team: Option<TeamId>,
    /// The role of people who come through it; null or left out for guests.
    #[serde(default)]
    pub default_role: Option<Role>,
}

/// Request body to update a SAML provider. Absent keys leave their values unchanged.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SamlProviderUpdate {
    /// Title of the SAML provider.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::SamlLabel::check"))]
    #[schema(value_type = texts::SamlLabel, required = false)]
    pub label: Option<texts::SamlLabel>,
    /// The name of the identity provider.
    #[serde(
        rename = "entityID",
        deserialize_with = "patch::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[validate(custom(function = "texts::SamlEntityId::check"))]
    #[schema(value_type = texts::SamlEntityId, required = false)]
    pub entity_id: Option<texts::SamlEntityId>,
    /// The certificate that its answers are signed with.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::SamlCertificate::check"))]
    #[schema(value_type = texts::SamlCertificate, required = false)]
    pub certificate: Option<texts::SamlCertificate>,
    /// Where people log in.
    #[serde(rename = "ssoURL", deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url, required = false)]
    pub sso_url: Option<texts::Url>,
    /// The team that people join who come through it; `null` for none.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<TeamId>)]
    pub default_team: Patch<TeamId>,
    /// The role of people who come through it; `null` for guests.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub default_role: Patch<Role>,
}

/// The logins that an organization offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SsoLogins {
    /// One for each provider that is active.
    pub items: Vec<SsoLogin>,
}

/// A login that an organization offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SsoLogin {
    /// Id of the provider.
    pub id: SamlProviderId,
    /// Title of the SAML provider.
    pub label: String,
    /// Where the login starts.
    #[serde(rename = "startURL")]
    pub start_url: String,
}
