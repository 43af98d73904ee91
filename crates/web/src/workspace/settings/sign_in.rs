//! `/o/{organizationId}/sign-in`: sign-in providers of members, and the SCIM token.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::{OidcProviderId, OrganizationId};
use quire_domain::policy::{Action, DEFAULT_ROLE};
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;
use quire_storage::people::oidc::OidcProviderRecord;
use quire_storage::people::scim::ScimTokenRecord;
use quire_storage::people::teams::ListedTeam;
use serde_json::Value;

use super::providers::{
    ProviderPage, RulesForm, TEAMS, all_teams, claims_table, joining_fields, load_provider,
};
use super::{Area, MOST, ROLES, Settings, empty, load, more, role_value, saml};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Copied, Field, Person, Select};
use crate::workspace::requests::{next, position};
use crate::workspace::shell::counted;

/// Maximum number of SAML providers of an organization.
const MOST_SAML: u16 = 100;

/// Responds to `/o/{organizationId}/sign-in`.
pub(super) async fn list(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let list = format!("OpenID Connect providers in the settings of {id}");
    let after: Option<OidcProviderId> = position(request, &list)?;
    let (settings, found) =
        load(web, caller, id, Action::AdministerOrganization, move |reader, organization| {
            let providers = reader.oidc_providers_of(organization, after, MOST)?;
            let teams = reader.teams_of(organization, &all_teams(), None, TEAMS)?;
            let saml = reader.saml_providers_of(organization, None, MOST_SAML)?;
            Ok((providers, saml, teams, reader.scim_token(organization)?))
        })
        .await?;
    let Some((providers, saml, teams, token)) = found else {
        return Ok(settings.refuse(Area::SignIn, "admin"));
    };
    let cursor = next(&providers, &list, |provider| provider.id)?;
    let created = format!("o/{id}/sign-in/{{id}}");
    let content = html! {
        p.sub { (counted(providers.total.saturating_add(saml.total), "provider", "providers")) }
        h2 { "Providers" }
        (listed(&settings, &providers))
        (more(&settings.at("sign-in"), &[], cursor.as_deref().map(|cursor| ("page", cursor))))
        h2 { "New provider" }
        p.muted { "Any provider of OpenID Connect, such as Keycloak, Okta, Entra ID or Google. Next, you get the redirect URI to enter there." }
        (ApiForm { url: &settings.api("oidc"), next: Some(&created), submit: "Create provider", is_primary: true, ..ApiForm::default() }
            .with(fields(None, &teams)))
        (saml::section(&settings, &saml))
        (members(&settings, id))
        (scim(&settings, web, id, token.as_ref()))
    };
    Ok(settings.respond(Area::SignIn, content))
}

/// Writes the form that records which members sign in with a provider.
fn members(settings: &Settings, id: OrganizationId) -> Markup {
    let url = settings.api("members/{user}/sso");
    html! {
        h2 { "Members of single sign-on" }
        p.muted { "Record who signs in with a provider, for the list of people. It does not change how a member can sign in." }
        (ApiForm { url: &url, next: Some(&format!("o/{id}/people")), submit: "Add member", ..ApiForm::default() }
            .with(Person { name: "user", label: "Member", organization: id }))
    }
}

/// Writes the SCIM access of an identity provider.
fn scim(settings: &Settings, web: &WebData, id: OrganizationId, token: Option<&ScimTokenRecord>) -> Markup {
    let url = settings.api("scim");
    let service = web.state.urls.app(format_args!("scim/v2/{id}"));
    html! {
        h2 { "Provisioning" }
        p.muted { "An identity provider that supports SCIM 2.0 creates members, changes their teams, and removes their access when they leave. Members that it creates have no password." }
        (Copied { label: "SCIM base URL", value: &service })
        @if let Some(token) = token {
            p { "The token was created " (settings.frame.ago(token.created_at)) "." }
        }
        details.settings open[token.is_none()] {
            summary { @if token.is_some() { "Replace the token" } @else { "Create a token" } }
            (ApiForm {
                url: &url,
                shows: Some("token"),
                submit: if token.is_some() { "Replace token" } else { "Create token" },
                confirm: token.map(|_| "Replace the token? The current one stops working at once."),
                ..ApiForm::default()
            }.with(html! {
                (Select {
                    name: "defaultRole", label: "Role of provisioned members", options: &ROLES,
                    value: role_value(token.map_or(Some(DEFAULT_ROLE), |token| token.default_role)),
                    hint: Some("Guests see only what is shared with them."),
                })
            }))
        }
        @if token.is_some() {
            div.actions {
                (ApiForm {
                    method: "DELETE",
                    url: &url,
                    submit: "Revoke",
                    confirm: Some("Revoke the token? Members and teams stay as they are, and the identity provider no longer changes them."),
                    ..ApiForm::default()
                }.alone("Revoke the SCIM token"))
            }
        }
    }
}

fn listed(settings: &Settings, providers: &Slice<OidcProviderRecord>) -> Markup {
    html! {
        @if providers.items.is_empty() {
            (empty("No providers yet", "With a provider, members sign in with the account that they have at work."))
        } @else {
            ul.list {
                @for provider in &providers.items {
                    li {
                        (settings.frame.icon("users", ""))
                        a.t href=(settings.at(&format!("sign-in/{}", provider.id))) { (provider.label) }
                        span.d { (provider.issuer) }
                        span.w { @if provider.tested_at.is_none() { span.pill { "Not tested" } } }
                    }
                }
            }
        }
    }
}

fn fields(provider: Option<&OidcProviderRecord>, teams: &Slice<ListedTeam>) -> Markup {
    let text = |of: fn(&OidcProviderRecord) -> &str| provider.map(of).unwrap_or_default();
    let joining = provider.map(|provider| (provider.default_role, provider.default_team));
    html! {
        (Field {
            name: "label", label: "Label", value: text(|provider| &provider.label), is_required: true, longest: 30,
            hint: Some("Shown on the sign-in page: Continue with …"), ..Field::default()
        })
        (Field {
            name: "issuer", label: "Issuer", kind: "url", value: text(|provider| &provider.issuer), is_required: true,
            hint: Some("Address of the provider, such as https://id.example.com/realms/docs. Changing it requires a new client secret and disconnects all members."),
            ..Field::default()
        })
        (Field { name: "clientID", label: "Client id", value: text(|provider| &provider.client_id), is_required: true, longest: 255, ..Field::default() })
        (Field {
            name: "clientSecret", label: "Client secret", kind: "password", is_required: provider.is_none(), longest: 1024,
            hint: provider.map(|_| "Leave empty to keep the current one."), ..Field::default()
        })
        (joining_fields(joining, teams))
    }
}

/// Responds to `/o/{organizationId}/sign-in/{oidcProviderId}`.
pub(super) async fn one(
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
    provider: &str,
) -> ApiResult<HttpResponse> {
    let provider: OidcProviderId = provider.parse().map_err(|_| ApiError::not_found())?;
    let find = move |reader: &mut Reader<'_>| {
        let provider = reader.oidc_provider(id, provider)?.authorize(Action::AdministerOrganization)?;
        Ok(provider.into_inner().item)
    };
    let (settings, provider, teams) = load_provider(web, caller, id, find).await?;
    let start = web.state.urls.api(format_args!("auth/oidc/{}/start", provider.id));
    let addresses = html! {
        p.muted { "Enter this redirect URI there. The start URL signs people in from a portal." }
        (Copied { label: "Redirect URI", value: &web.state.urls.oidc_callback(provider.id) })
        (Copied { label: "Start URL", value: &start })
    };
    let page = ProviderPage {
        label: &provider.label,
        name: Some(&provider.issuer),
        path: format!("oidc/{}", provider.id),
        addresses,
        start: Some(&start),
        claims: claims(&settings, &provider),
        fields: fields(Some(&provider), &teams),
        rules: RulesForm {
            rules: &provider.claim_rules,
            teams: &teams,
            received: provider.claims.as_ref().and_then(Value::as_object),
        },
    };
    Ok(page.respond(&settings))
}

/// Writes the claims received by the last test of an OpenID Connect provider.
fn claims(settings: &Settings, provider: &OidcProviderRecord) -> Markup {
    let received = provider.claims.as_ref().and_then(Value::as_object);
    html! {
        (claims_table(settings, provider.tested_at, received))
        @if let Some(received) = received {
            @if received.get("email_verified") != Some(&Value::Bool(true)) {
                p { b { "The provider has not verified your e-mail address" } ". Members first sign in another way, then connect the provider in their account." }
            }
        }
    }
}
