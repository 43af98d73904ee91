//! Addresses of a site: its name on the deployment, its own host name, and the address of a proxy.

use actix_web::HttpResponse;
use maud::{Markup, html};
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::sites::HostnameState;
use quire_server::ApiResult;
use quire_storage::lookup::Credentials;
use serde_json::json;

use super::{Opened, Tab};
use crate::state::WebData;
use crate::workspace::actions::send;
use crate::workspace::forms::{ApiForm, Field};
use crate::workspace::tables::table;

/// Maximum length of a site's name in its address.
const LONGEST_NAME: u32 = 100;
/// Maximum length of a host name.
const LONGEST_HOST: u32 = 253;

pub(super) async fn page(
    web: &WebData,
    caller: Credentials,
    key: (OrganizationId, SiteId),
) -> ApiResult<HttpResponse> {
    let opened = Opened::load(web, caller, key, |_, opened| Ok(opened)).await?;
    let site = &opened.site;
    let urls = &web.state.urls;
    let url = opened.url();
    let form = ApiForm { method: "PATCH", url: &url, ..ApiForm::default() };
    let hostname = site.pending_hostname.as_ref().or(site.hostname.as_ref()).cloned().unwrap_or_default();
    let proxy =
        site.pending_proxy_origin.as_ref().or(site.proxy_origin.as_ref()).cloned().unwrap_or_default();
    let basename = site.basename.clone().unwrap_or_default();
    let main = html! {
        p { "The site is at " a href=(urls.at_address(&site.address())) { (urls.at_address(&site.address())) } }
        @if opened.manages() {
            h2 { "Name" }
            (form.with(Field { name: "basename", label: "Name in the address", value: &basename, hint: Some("Leave empty to use the id of the site."), clears: true, longest: LONGEST_NAME, ..Field::default() }))
            h2 { "Host name" }
            (form.with(Field { name: "hostname", label: "Host name", value: &hostname, hint: Some("Such as docs.example.com. Leave empty for none."), clears: true, longest: LONGEST_HOST, ..Field::default() }))
            h2 { "Behind a proxy" }
            p { "The proxy forwards requests to " code { (urls.at_address(&site.default_address())) } "." }
            (form.with(Field { name: "proxy", label: "Host and path", value: &proxy, hint: Some("Such as example.com/docs. Leave empty for none."), clears: true, ..Field::default() }))
        }
        (proofs(&opened, &url))
    };
    Ok(opened.respond(Tab::Address, &main))
}

fn proof(state: &HostnameState) -> Markup {
    html! {
        tr {
            td { (state.hostname) }
            @match &state.record {
                None => { td { "Proven" } td {} td {} },
                Some(record) => { td { "Not proven yet" } td { code { (record.name) } } td { code { (record.value) } } },
            }
        }
    }
}

fn proofs(opened: &Opened, url: &str) -> Markup {
    let site = &opened.site;
    let states: Vec<HostnameState> = site
        .hostnames()
        .into_iter()
        .map(|(hostname, is_verified)| HostnameState::new(hostname, is_verified, site.organization))
        .collect();
    html! {
        @if !states.is_empty() {
            h2 { "Proof of host names" }
            (table(
                "Host names",
                &[("Host name", 24), ("State", 16), ("TXT record", 28), ("Value", 32)],
                states.iter().map(proof),
            ))
            @if opened.manages() && states.iter().any(|state| state.record.is_some()) {
                p { "Add the TXT record at your DNS service, then check again. Until then the site keeps its former address." }
                div.actions {
                    @if let Some(hostname) = &site.pending_hostname {
                        (send(("PATCH", url), &json!({ "hostname": hostname }).to_string(), "Check the host name again", false))
                    }
                    @if let Some(origin) = &site.pending_proxy_origin {
                        (send(("PATCH", url), &json!({ "proxy": origin }).to_string(), "Check the proxy again", false))
                    }
                }
            }
        }
    }
}
