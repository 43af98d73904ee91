//! SAML identity providers of organizations.

#[cfg(feature = "postgres")]
use diesel::prelude::AsChangeset;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use crate::bounds::CLAIM_RULES_MAX;
use crate::claim_rules::{ClaimRule, ClaimRuleInput};
use crate::clock::Timestamp;
use crate::ids::{SamlProviderId, TeamId};
use crate::object::SamlProviderTag;
use crate::object_only;
use crate::patch::{self, Patch};
use crate::role::Role;
#[cfg(feature = "postgres")]
use crate::schema::saml_providers;
use crate::teams::Team;
use crate::texts;

/// SAML provider of an organization.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SamlProvider {
    /// Always `saml-provider`.
    pub object: SamlProviderTag,
    /// Id of the provider.
    pub id: SamlProviderId,
    /// Label of the provider, 1 to 30 characters.
    pub label: String,
    /// Login URL of the identity provider. Absent until set.
    #[serde(rename = "ssoURL")]
    pub sso_url: Option<String>,
    /// Entity id of the identity provider. Absent until set.
    #[serde(rename = "entityID")]
    pub entity_id: Option<String>,
    /// Certificate with which the identity provider signs its responses. Absent until set.
    pub certificate: Option<String>,
    /// Team that new users of the provider join.
    pub default_team: Option<Team>,
    /// Role of new users of the provider; `null` for guests.
    #[schema(required)]
    #[serialize_always]
    #[serde_with(skip_apply)]
    pub default_role: Option<Role>,
    /// Rules that give roles and teams by attributes at each sign-in, in their order.
    pub claim_rules: Vec<ClaimRule>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Last successful test. Absent before the first one.
    pub last_test: Option<SamlTest>,
    /// Status of the provider.
    pub status: SamlStatus,
    /// Values that the identity provider needs about this service.
    pub service: SamlService,
    /// URLs of the provider.
    pub urls: SamlUrls,
}

/// Status of a SAML provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SamlStatus {
    /// `ssoURL`, `entityID` and `certificate` are set.
    Active,
    /// `ssoURL`, `entityID` or `certificate` is missing.
    Pending,
}

/// Successful test of a SAML provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SamlTest {
    /// Time of the test.
    pub tested_at: Timestamp,
    /// `NameID` with its format, and the attributes of the user who signed in at the provider. Several values of an
    /// attribute are an array.
    #[schema(value_type = Object)]
    pub claims: Map<String, Value>,
}

/// Values that an identity provider needs about this service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SamlService {
    /// Assertion consumer service URL, to which the identity provider sends responses.
    #[serde(rename = "acsURL")]
    pub acs_url: String,
    /// URL that starts a login.
    #[serde(rename = "startURL")]
    pub start_url: String,
    /// Entity id of this service.
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

/// Request body to create a SAML provider. The values of the identity provider can be set later.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SamlProviderCreate {
    /// Label of the provider.
    #[validate(custom(function = "texts::SamlLabel::check"))]
    pub label: texts::SamlLabel,
    /// Entity id of the identity provider.
    #[serde(rename = "entityID", default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SamlEntityId::check"))]
    #[schema(value_type = texts::SamlEntityId, required = false)]
    pub entity_id: Option<texts::SamlEntityId>,
    /// X.509 certificate with which the identity provider signs its responses.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SamlCertificate::check"))]
    #[schema(value_type = texts::SamlCertificate, required = false)]
    pub certificate: Option<texts::SamlCertificate>,
    /// Login URL of the identity provider.
    #[serde(rename = "ssoURL", default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url, required = false)]
    pub sso_url: Option<texts::Url>,
    /// Id of the team that new users of the provider join.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(value_type = TeamId, required = false)]
    pub default_team: Option<TeamId>,
    /// Role of new users of the provider; absent or `null` for guests.
    #[serialize_always]
    pub default_role: Option<Role>,
    /// At most 50 rules that give roles and teams by attributes at each sign-in.
    #[serde(default, deserialize_with = "object_only::objects", skip_serializing_if = "Vec::is_empty")]
    #[validate(nested, length(max = "CLAIM_RULES_MAX"))]
    #[schema(required = false, max_items = 50)]
    pub claim_rules: Vec<ClaimRuleInput>,
}

/// Request body to update a SAML provider. Absent keys leave their values unchanged.
// The changeset leaves out fields that can be removed, which `Patch::assign` writes, and fields that depend on others.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[cfg_attr(feature = "postgres", derive(AsChangeset))]
#[cfg_attr(feature = "postgres", diesel(table_name = saml_providers))]
#[serde(rename_all = "camelCase", default)]
pub struct SamlProviderUpdate {
    /// Label of the provider.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SamlLabel::check"))]
    #[schema(value_type = texts::SamlLabel, required = false)]
    pub label: Option<texts::SamlLabel>,
    /// Entity id of the identity provider.
    #[serde(rename = "entityID", deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SamlEntityId::check"))]
    #[schema(value_type = texts::SamlEntityId, required = false)]
    pub entity_id: Option<texts::SamlEntityId>,
    /// X.509 certificate with which the identity provider signs its responses.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SamlCertificate::check"))]
    #[schema(value_type = texts::SamlCertificate, required = false)]
    pub certificate: Option<texts::SamlCertificate>,
    /// Login URL of the identity provider.
    #[serde(rename = "ssoURL", deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url, required = false)]
    pub sso_url: Option<texts::Url>,
    /// Id of the team that new users of the provider join; `null` for none.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<TeamId>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub default_team: Patch<TeamId>,
    /// Role of new users of the provider; `null` for guests.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub default_role: Patch<Role>,
    /// At most 50 rules that give roles and teams by attributes at each sign-in. They replace the present ones.
    #[serde(deserialize_with = "object_only::present_objects")]
    #[validate(nested, length(max = "CLAIM_RULES_MAX"))]
    #[schema(value_type = Vec<ClaimRuleInput>, required = false, max_items = 50)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub claim_rules: Option<Vec<ClaimRuleInput>>,
}

/// Login options of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SsoLogins {
    /// Login options, one for each active SAML provider.
    pub items: Vec<SsoLogin>,
}

/// Login option of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SsoLogin {
    /// Id of the provider.
    pub id: SamlProviderId,
    /// Label of the SAML provider.
    pub label: String,
    /// URL that starts the login.
    #[serde(rename = "startURL")]
    pub start_url: String,
}
