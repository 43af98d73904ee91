//! Signing in with SAML at `/saml/{samlProviderId}`: this service as a service provider.
//!
//! Browsers and providers send the requests in the forms of the SAML 2.0 bindings, so the requests are not in the
//! OpenAPI document. Browsers send no cookie with a response, because the provider posts it from a page of its own. The
//! response is therefore stored for a short time, and a redirect brings the browser to the request that signs in.
//! Decision 52 has the reasons.

mod callback;
mod encryption;
mod login;
mod metadata;
mod response;

use actix_web::http::Method;
use quire_server::audit_rule::{PathObject, Recording};
use quire_server::routing::{Arguments, BoxedHandler, Ending, Endpoint};
use quire_server::saml::{DecryptionKey, IdentityProvider, ServiceProvider};
use quire_storage::people::saml::UsableSamlProvider;

use crate::prelude::*;
use crate::route::RouteHandler;
use crate::urls::SAML_RESPONSES;
use crate::visits::{self, Protocol};

/// Cookie of a visit to a provider.
const PROTOCOL: Protocol = Protocol {
    cookie: "quire-saml",
    secure_cookie: "__Host-quire-saml",
    signed: "visit to a SAML provider ",
};

/// Visit of a browser to a provider, with the state that identifies it.
type Visit = visits::Visit<SamlProviderId, String>;

/// Returns the routes.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    let object = PathObject { kind: "saml-provider", parameter: "samlProviderId", in_link: false };
    let sign_in =
        Recording { operation: "signInWithSaml", object: Some(object), when_done: true, when_refused: false };
    vec![
        endpoint(Method::GET, "/saml/{samlProviderId}/login", None, login::start),
        endpoint(Method::GET, "/saml/{samlProviderId}/metadata", None, metadata::get),
        endpoint(Method::GET, "/saml/{samlProviderId}/certificate", None, encryption::get),
        endpoint(Method::POST, SAML_RESPONSES, None, response::receive),
        endpoint(Method::GET, "/saml/{samlProviderId}/callback", Some(sign_in), callback::sign_in_with_saml),
    ]
}

fn endpoint<Args: Arguments + 'static>(
    method: Method,
    path: &'static str,
    recording: Option<Recording>,
    handler: impl RouteHandler<Args>,
) -> Endpoint {
    let handler = BoxedHandler::new(handler);
    Endpoint { path, ending: Ending::Exact, method: Some(method), recording, handler }
}

/// Returns this service as the service provider of an identity provider; `None` until all values of the provider are
/// set.
fn service(
    state: &State,
    provider: &UsableSamlProvider,
    decryption_key: Option<DecryptionKey>,
) -> Option<ServiceProvider> {
    let settings = provider.settings.clone()?;
    Some(ServiceProvider {
        entity_id: state.urls.saml(provider.id, "metadata"),
        acs_url: state.urls.saml(provider.id, "acs"),
        identity_provider: IdentityProvider {
            entity_id: settings.entity_id,
            sso_url: settings.sso_url,
            certificate: settings.certificate,
        },
        decryption_key,
    })
}
