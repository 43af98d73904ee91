//! SAML providers in the sign-in settings of an organization.

use actix_web::HttpResponse;
use maud::{Markup, html};
use quire_domain::ids::{OrganizationId, SamlProviderId};
use quire_domain::policy::Action;
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;
use quire_storage::people::saml::SamlProviderRecord;
use quire_storage::people::teams::ListedTeam;
use serde_json::Value;

use super::providers::{
    ProviderPage, RulesForm, TEAMS, all_teams, claims_table, joining_fields, load_provider,
};
use super::{Area, Settings, load};
use crate::state::WebData;
use crate::workspace::forms::{self, ApiForm, Copied, Field};

/// Writes the SAML providers of an organization.
pub(super) fn section(settings: &Settings, providers: &Slice<SamlProviderRecord>) -> Markup {
    html! {
        h2 { "SAML" }
        p.muted { "For identity providers that support SAML 2.0." }
        @if !providers.items.is_empty() {
            ul.list {
                @for provider in &providers.items {
                    li {
                        (settings.frame.icon("users", ""))
                        a.t href=(settings.at(&format!("sign-in/saml/{}", provider.id))) { (provider.label) }
                        span.d { (provider.entity_id.as_deref().unwrap_or("SAML")) }
                        span.w {
                            @if !provider.is_complete() { span.pill { "Not set up" } }
                            @else if provider.tested_at.is_none() { span.pill { "Not tested" } }
                        }
                    }
                }
            }
        }
        div.actions { a.btn href=(settings.at("sign-in/saml")) { "New SAML provider" } }
    }
}

/// Responds to `/o/{organizationId}/sign-in/saml`: the form of a new provider.
pub(super) async fn new(web: &WebData, caller: Credentials, id: OrganizationId) -> ApiResult<HttpResponse> {
    let (settings, found) = load(web, caller, id, Action::AdministerOrganization, |reader, organization| {
        Ok(reader.teams_of(organization, &all_teams(), None, TEAMS)?)
    })
    .await?;
    let Some(teams) = found else { return Ok(settings.refuse(Area::SignIn, "admin")) };
    let created = format!("o/{id}/sign-in/saml/{{id}}");
    let content = html! {
        p.muted { "Next, you get the addresses to enter at the provider. You can enter the provider's addresses afterwards." }
        (ApiForm { url: &settings.api("saml"), next: Some(&created), submit: "Create provider", is_primary: true, ..ApiForm::default() }
            .with(fields(None, &teams)))
    };
    Ok(settings.respond_below(Area::SignIn, Some("New SAML provider"), content))
}

fn fields(provider: Option<&SamlProviderRecord>, teams: &Slice<ListedTeam>) -> Markup {
    let text = |of: fn(&SamlProviderRecord) -> Option<&str>| provider.and_then(of).unwrap_or_default();
    let team = |provider: &SamlProviderRecord| provider.default_team.as_ref().map(|team| team.id);
    let joining = provider.map(|provider| (provider.default_role, team(provider)));
    html! {
        (Field {
            name: "label", label: "Label", value: text(|provider| Some(provider.label.as_str())), is_required: true, longest: 30,
            hint: Some("Shown on the sign-in page: Continue with …"), ..Field::default()
        })
        (Field {
            name: "entityID", label: "Entity id", value: text(|provider| provider.entity_id.as_deref()), longest: 1024,
            hint: Some("Name of the identity provider (entityID in its metadata). Changing it disconnects all members."),
            ..Field::default()
        })
        (Field {
            name: "ssoURL", label: "Sign-in address", kind: "url", value: text(|provider| provider.sso_url.as_deref()),
            hint: Some("SingleSignOnService in its metadata, with the binding HTTP-Redirect."), ..Field::default()
        })
        (forms::Area {
            name: "certificate", label: "Certificate", value: text(|provider| provider.certificate.as_deref()), is_required: false,
            is_list: false, hint: Some("X.509 signing certificate of the provider: PEM, or the text in its metadata."),
        })
        (joining_fields(joining, teams))
    }
}

/// Responds to `/o/{organizationId}/sign-in/saml/{samlProviderId}`.
pub(super) async fn one(
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
    provider: &str,
) -> ApiResult<HttpResponse> {
    let provider: SamlProviderId = provider.parse().map_err(|_| ApiError::not_found())?;
    let find = move |reader: &mut Reader<'_>| {
        let provider = reader.saml_provider(id, provider)?.authorize(Action::AdministerOrganization)?;
        Ok(provider.into_inner().item)
    };
    let (settings, provider, teams) = load_provider(web, caller, id, find).await?;
    let of_service = |part: &str| web.state.urls.saml(provider.id, part);
    let start = of_service("login");
    let addresses = html! {
        p.muted { "Enter these addresses there, or import the metadata from its address. The provider signs the response or the assertion with RSA and SHA-256, and sends the e-mail address as the attribute " code { "email" } ". If it encrypts assertions, it signs the response, and encrypts for " a href=(of_service("certificate")) { "the certificate" } " that is in the metadata, too." }
        (Copied { label: "ACS URL", value: &of_service("acs") })
        (Copied { label: "Entity id of this service, and address of its metadata", value: &of_service("metadata") })
        (Copied { label: "Start URL", value: &start })
    };
    let received = provider.claims.as_ref().and_then(Value::as_object);
    let page = ProviderPage {
        label: &provider.label,
        name: provider.entity_id.as_deref(),
        path: format!("saml/{}", provider.id),
        addresses,
        start: provider.is_complete().then_some(start.as_str()),
        claims: claims_table(&settings, provider.tested_at, received),
        fields: fields(Some(&provider), &teams),
        rules: RulesForm { rules: &provider.claim_rules, teams: &teams, received },
    };
    Ok(page.respond(&settings))
}
