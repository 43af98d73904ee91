//! Sign-in providers that a page offers.

use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quire_domain::sign_in::SignInProtocol;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use quire_storage::people::oidc::ListedProvider;

use super::frame;
use crate::state::Web;

/// Providers that a page offers to a visitor.
#[derive(Default)]
pub(super) struct Offered {
    pub(super) providers: Vec<ListedProvider>,
}

impl Offered {
    /// Returns the providers of the deployment's only organization, or otherwise those of an e-mail domain. Returns
    /// none if the database does not respond.
    pub(super) async fn load(web: &Web, domain: Option<&str>) -> Self {
        let domain = domain.map(str::to_owned);
        let load = move |reader: &mut Reader<'_>| {
            let providers = reader.sign_in_providers(None)?;
            let providers = match &domain {
                Some(domain) if providers.is_empty() => reader.sign_in_providers(Some(domain))?,
                _ => providers,
            };
            Ok(Self { providers })
        };
        let offered: ApiResult<Self> = web.state.read(Credentials::ANONYMOUS, load).await;
        offered.unwrap_or_else(|error| {
            log::warn!("the sign-in providers cannot be read: {error}");
            Self::default()
        })
    }

    /// Returns the provider with an id, and the others.
    pub(super) fn split(&self, id: &str) -> (Option<&ListedProvider>, Vec<&ListedProvider>) {
        let (found, others): (Vec<_>, Vec<_>) =
            self.providers.iter().partition(|provider| provider.id.to_string() == id);
        (found.first().copied(), others)
    }
}

/// Writes the link that starts a sign-in with a provider.
pub(super) fn link(web: &Web, provider: &ListedProvider, next: &str, class: &str) -> Markup {
    let start = match provider.protocol {
        SignInProtocol::Oidc => format!("/v1/auth/oidc/{}/start", provider.id),
        SignInProtocol::Saml => format!("/saml/{}/login", provider.id),
    };
    html! {
        a class={ "button " (class) } href={ (frame::at(web, &start)) "?next=" (encoded(next)) } rel="nofollow" { "Continue with " (provider.label) }
    }
}

/// Encodes a text as a URL parameter.
pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}
