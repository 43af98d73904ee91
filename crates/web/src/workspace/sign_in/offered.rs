//! Providers that a page offers.

use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quire_domain::sign_in::SignInProtocol;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use quire_storage::people::oidc::ListedProvider;

use super::frame;
use crate::state::Web;

/// Providers that every visitor of the page is offered, and whether others are for people with certain addresses.
#[derive(Default)]
pub(super) struct Offered {
    providers: Vec<ListedProvider>,
    pub(super) has_others: bool,
}

impl Offered {
    /// Returns what the page offers. Without an answer of the database it offers the password.
    pub(super) async fn load(web: &Web) -> Self {
        let load = |reader: &mut Reader<'_>| {
            let providers = reader.sign_in_providers(None)?;
            let has_others = providers.is_empty() && reader.has_sign_in_providers()?;
            Ok(Self { providers, has_others })
        };
        let offered: ApiResult<Self> = web.state.read(Credentials::ANONYMOUS, load).await;
        offered.unwrap_or_else(|error| {
            log::warn!("the providers to sign in with cannot be read: {error}");
            Self::default()
        })
    }

    /// Writes the links that start a sign-in.
    pub(super) fn links(&self, web: &Web, next: &str) -> Markup {
        links(web, &self.providers, next)
    }
}

/// Writes the links that start a sign-in with each of these providers.
pub(super) fn links(web: &Web, providers: &[ListedProvider], next: &str) -> Markup {
    html! {
        @for provider in providers {
            @let start = match provider.protocol {
                SignInProtocol::Oidc => format!("/v1/auth/oidc/{}/start", provider.id),
                SignInProtocol::Saml => format!("/saml/{}/login", provider.id),
            };
            a.button.secondary href={ (frame::at(web, &start)) "?next=" (encoded(next)) } rel="nofollow" { "Continue with " (provider.label) }
        }
    }
}

/// Encodes a text as a parameter of a URL.
pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}
