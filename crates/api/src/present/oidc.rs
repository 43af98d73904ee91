//! OpenID Connect providers.

use quire_domain::ids::{OidcProviderId, OrganizationId};
use quire_domain::object::OidcProviderTag;
use quire_domain::oidc::{OidcProvider, OidcService, OidcTest, OidcUrls};
use quire_domain::sign_in::{OwnIdentity, SignInProvider};
use quire_storage::people::oidc::{ListedProvider, OidcProviderRecord, OwnProvider};
use serde_json::Value;

use crate::urls::Urls;

/// Returns an OpenID Connect provider.
#[must_use]
pub fn oidc_provider(urls: &Urls, organization: OrganizationId, record: OidcProviderRecord) -> OidcProvider {
    let last_test = match (record.tested_at, record.claims) {
        (Some(tested_at), Some(Value::Object(claims))) => Some(OidcTest { tested_at, claims }),
        _ => None,
    };
    OidcProvider {
        object: OidcProviderTag::Tag,
        id: record.id,
        label: record.label,
        issuer: record.issuer,
        client_id: record.client_id,
        default_team: record.default_team,
        default_role: record.default_role,
        claim_rules: record.claim_rules.0,
        created_at: record.created_at,
        last_test,
        service: OidcService {
            callback_url: urls.oidc_callback(record.id),
            start_url: start_url(urls, record.id),
        },
        urls: OidcUrls { location: urls.api(format_args!("orgs/{organization}/oidc/{}", record.id)) },
    }
}

/// Returns a provider as the sign-in page lists it.
#[must_use]
pub fn sign_in_provider(urls: &Urls, provider: ListedProvider) -> SignInProvider {
    let ListedProvider { id, protocol, label } = provider;
    SignInProvider { start_url: urls.start_of_sign_in(protocol, id), id, protocol, label }
}

/// Returns a provider of the caller's organizations.
#[must_use]
pub fn own_identity(provider: OwnProvider, connect_url: Option<String>) -> OwnIdentity {
    let OwnProvider { id, protocol, label, is_connected } = provider;
    OwnIdentity { provider: id, protocol, label, connected: is_connected, connect_url }
}

fn start_url(urls: &Urls, id: OidcProviderId) -> String {
    urls.api(format_args!("auth/oidc/{id}/start"))
}
