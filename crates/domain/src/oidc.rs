//! OpenID Connect providers of organizations.

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
use crate::ids::{OidcProviderId, TeamId};
use crate::object::OidcProviderTag;
use crate::object_only;
use crate::patch::{self, Patch};
use crate::role::Role;
#[cfg(feature = "postgres")]
use crate::schema::oidc_providers;
use crate::texts;

/// OpenID Connect provider of an organization. The client secret is never returned.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcProvider {
    /// Always `oidc-provider`.
    pub object: OidcProviderTag,
    /// Id of the provider.
    pub id: OidcProviderId,
    /// Label of the provider, 1 to 30 characters. The sign-in page shows it.
    pub label: String,
    /// URL of the provider. Its configuration is at `/.well-known/openid-configuration` below it.
    pub issuer: String,
    /// Client id of this service at the provider.
    #[serde(rename = "clientID")]
    pub client_id: String,
    /// Id of the team that new users of the provider join.
    pub default_team: Option<TeamId>,
    /// Role of new users of the provider; `null` for guests.
    #[schema(required)]
    #[serialize_always]
    #[serde_with(skip_apply)]
    pub default_role: Option<Role>,
    /// Rules that give roles and teams by claims at each sign-in, in their order.
    pub claim_rules: Vec<ClaimRule>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Last successful test. Absent before the first one.
    pub last_test: Option<OidcTest>,
    /// Values that the provider needs about this service.
    pub service: OidcService,
    /// URLs of the provider.
    pub urls: OidcUrls,
}

/// Successful test of an OpenID Connect provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcTest {
    /// Time of the test.
    pub tested_at: Timestamp,
    /// Claims about the user who signed in at the provider.
    #[schema(value_type = Object)]
    pub claims: Map<String, Value>,
}

/// Values that an OpenID Connect provider needs about this service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcService {
    /// Redirect URI, to which the provider sends browsers back.
    #[serde(rename = "callbackURL")]
    pub callback_url: String,
    /// URL that starts a sign-in.
    #[serde(rename = "startURL")]
    pub start_url: String,
}

/// URLs of an OpenID Connect provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcUrls {
    /// URL of the provider in this API.
    pub location: String,
}

/// Request body to create an OpenID Connect provider.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcProviderCreate {
    /// Label of the provider.
    #[validate(custom(function = "texts::OidcLabel::check"))]
    pub label: texts::OidcLabel,
    /// URL of the provider, with HTTPS and without query and fragment.
    #[validate(custom(function = "texts::Url::check"))]
    pub issuer: texts::Url,
    /// Client id of this service at the provider.
    #[serde(rename = "clientID")]
    #[validate(custom(function = "texts::OidcClientId::check"))]
    pub client_id: texts::OidcClientId,
    /// Client secret of this service at the provider. It is stored encrypted.
    #[validate(custom(function = "texts::OidcClientSecret::check"))]
    pub client_secret: texts::OidcClientSecret,
    /// Id of the team that new users of the provider join.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(value_type = TeamId, required = false)]
    pub default_team: Option<TeamId>,
    /// Role of new users of the provider; absent or `null` for guests.
    #[serialize_always]
    pub default_role: Option<Role>,
    /// At most 50 rules that give roles and teams by claims at each sign-in.
    #[serde(default, deserialize_with = "object_only::objects", skip_serializing_if = "Vec::is_empty")]
    #[validate(nested, length(max = "CLAIM_RULES_MAX"))]
    #[schema(required = false, max_items = 50)]
    pub claim_rules: Vec<ClaimRuleInput>,
}

/// Request body to update an OpenID Connect provider. Absent keys leave their values unchanged.
// The changeset leaves out fields that can be removed, which `Patch::assign` writes, and fields that depend on others.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[cfg_attr(feature = "postgres", derive(AsChangeset))]
#[cfg_attr(feature = "postgres", diesel(table_name = oidc_providers))]
#[serde(rename_all = "camelCase", default)]
pub struct OidcProviderUpdate {
    /// Label of the provider.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::OidcLabel::check"))]
    #[schema(value_type = texts::OidcLabel, required = false)]
    pub label: Option<texts::OidcLabel>,
    /// URL of the provider. Changing it requires `clientSecret`, and disconnects all users from the provider.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url, required = false)]
    pub issuer: Option<texts::Url>,
    /// Client id of this service at the provider.
    #[serde(rename = "clientID", deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::OidcClientId::check"))]
    #[schema(value_type = texts::OidcClientId, required = false)]
    pub client_id: Option<texts::OidcClientId>,
    /// Client secret of this service at the provider.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::OidcClientSecret::check"))]
    #[schema(value_type = texts::OidcClientSecret, required = false)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub client_secret: Option<texts::OidcClientSecret>,
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
    /// At most 50 rules that give roles and teams by claims at each sign-in. They replace the present ones.
    #[serde(deserialize_with = "object_only::present_objects")]
    #[validate(nested, length(max = "CLAIM_RULES_MAX"))]
    #[schema(value_type = Vec<ClaimRuleInput>, required = false, max_items = 50)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub claim_rules: Option<Vec<ClaimRuleInput>>,
}

/// Returns whether a URL can identify a provider (OpenID Connect Discovery 1.0, 3): HTTPS, or HTTP to the local
/// machine, without credentials, query and fragment.
#[must_use]
pub fn is_issuer(url: &str) -> bool {
    let Ok(parsed) = url::Url::parse(url) else { return false };
    let is_local = match parsed.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let is_bare = parsed.query().is_none() && parsed.fragment().is_none();
    let has_credentials = !parsed.username().is_empty() || parsed.password().is_some();
    (parsed.scheme() == "https" || (parsed.scheme() == "http" && is_local)) && is_bare && !has_credentials
}

#[cfg(test)]
mod tests {
    use super::is_issuer;

    #[test]
    fn an_issuer_is_encrypted_and_bare() {
        for good in [
            "https://id.example.com",
            "https://id.example.com/realms/docs/",
            "http://localhost:9000",
            "http://127.0.0.1:9000/a",
            "http://[::1]:9000",
        ] {
            assert!(is_issuer(good), "{good}");
        }
        for bad in [
            "http://id.example.com",
            "http://localhost.example.com",
            "https://id.example.com?a=b",
            "https://id.example.com#a",
            "https://a:b@id.example.com",
            "ftp://localhost",
            "id.example.com",
            "",
        ] {
            assert!(!is_issuer(bad), "{bad}");
        }
    }
}
