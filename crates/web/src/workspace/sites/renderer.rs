//! Renderer of a site: an external program that serves the site and purges its cache when pages change.

use actix_web::HttpResponse;
use maud::{Markup, html};
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::sites::SiteRendererState;
use quire_server::ApiResult;
use quire_storage::lookup::Credentials;
use quire_storage::{Error, Reader};

use super::{Opened, Tab};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Field};
use crate::workspace::shell::counted;

pub(super) async fn page(
    web: &WebData,
    caller: Credentials,
    key: (OrganizationId, SiteId),
) -> ApiResult<HttpResponse> {
    let load = move |reader: &mut Reader<'_>, opened: Opened| {
        if !opened.manages() {
            return Ok((opened, None));
        }
        let renderer = match reader.renderer(&opened.site) {
            Err(Error::NotFound) => None,
            found => Some(found?),
        };
        Ok((opened, renderer))
    };
    let (opened, renderer) = Opened::load(web, caller, key, load).await?;
    let main = html! {
        p { "A renderer is a program of yours that shows the site. Quire sends it the cache tags of changed content." }
        @if opened.manages() {
            @if let Some(renderer) = &renderer { (state(&opened, renderer)) }
            (form(&opened, renderer.as_ref()))
        }
    };
    Ok(opened.respond(Tab::Renderer, &main))
}

fn state(opened: &Opened, renderer: &SiteRendererState) -> Markup {
    let frame = &opened.directory.frame;
    html! {
        dl.facts {
            dt { "Address" } dd { (renderer.url) }
            dt { "Changes to send" } dd { (counted(renderer.pending, "cache tag", "cache tags")) }
            dt { "Last attempt" }
            dd {
                @match renderer.last_attempt_at {
                    Some(at) => (frame.ago(at)),
                    None => "None yet",
                }
                @if let Some(status) = renderer.last_status { ", status " (status) }
            }
            @if let Some(error) = &renderer.last_error {
                dt { "Error" } dd { (error) " · " (counted(renderer.failures, "failure", "failures")) " in a row" }
            }
        }
    }
}

fn form(opened: &Opened, renderer: Option<&SiteRendererState>) -> Markup {
    let url = format!("{}/renderer", opened.url());
    let is_new = renderer.is_none();
    let secret = if is_new {
        "The renderer checks signatures with it. It is never shown again"
    } else {
        "Leave empty to keep the current one"
    };
    html! {
        h2 { "Renderer of the site" }
        (ApiForm { method: "PUT", url: &url, is_primary: true, ..ApiForm::default() }.with(html! {
            (Field { name: "url", label: "Address", kind: "url", value: renderer.map_or("", |renderer| &renderer.url), is_required: true, ..Field::default() })
            (Field { name: "secret", label: "Secret", kind: "password", hint: Some(secret), is_required: is_new, ..Field::default() })
        }))
        @if !is_new {
            (ApiForm {
                method: "DELETE",
                url: &url,
                submit: "Remove the renderer",
                confirm: Some("Remove the renderer? It receives no further changes."),
                ..ApiForm::default()
            }.alone("Remove the renderer"))
        }
    }
}
