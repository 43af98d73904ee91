//! Access to a site: its audience, share links, and the sign-in of visitors.

use actix_web::HttpResponse;
use maud::{Markup, html};
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::policy::Action;
use quire_domain::sites::ShareLinkFacts;
use quire_server::ApiResult;
use quire_server::jwt::visitor_key_text;
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use quire_storage::sites::published::VisitorAuth;
use serde_json::{Value, json};

use super::{AUDIENCES, Opened, Tab};
use crate::state::WebData;
use crate::workspace::actions::send;
use crate::workspace::forms::{ApiForm, Area, Field, Json, Select, Tick, dialog};
use crate::workspace::tables::{ACTIONS, table};

/// Maximum number of share links in the list.
const MOST_LINKS: u16 = 100;
/// Maximum length of a share link's name.
const LONGEST_NAME: u32 = 100;

struct Access {
    opened: Opened,
    links: Vec<ShareLinkFacts>,
    has_more: bool,
    /// Schema of visitors' claims, for callers who may change it.
    schema: Option<Value>,
    /// Sign-in of visitors. Only for administrators, because the key opens all sites of the organization.
    sign_in: Option<(VisitorAuth, Option<[u8; 32]>)>,
}

/// Returns a schema without claims as a starting point.
fn no_claims() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": false})
}

pub(super) async fn page(
    web: &WebData,
    caller: Credentials,
    key: (OrganizationId, SiteId),
) -> ApiResult<HttpResponse> {
    let load = move |reader: &mut Reader<'_>, opened: Opened| {
        let (links, has_more) = match opened.manages() {
            true => {
                let slice = reader.share_links_of(&opened.site, None, MOST_LINKS)?;
                (slice.items, slice.has_more)
            }
            false => (Vec::new(), false),
        };
        let schema = match opened.manages() {
            true => {
                let schema = reader.schema_of_claims((&opened.site).into())?;
                Some(schema.map_or_else(no_claims, |schema| schema.json_schema))
            }
            false => None,
        };
        let sign_in = match opened.site.may(Action::AdministerOrganization) {
            true => Some((reader.visitor_auth(&opened.site)?, reader.made_visitor_key(key.0)?)),
            false => None,
        };
        Ok(Access { opened, links, has_more, schema, sign_in })
    };
    let access: Access = Opened::load(web, caller, key, load).await?;
    let address = web.state.urls.at_address(&access.opened.site.address());
    Ok(access.opened.respond(Tab::Access, &access.write(&address)))
}

impl Access {
    fn write(&self, address: &str) -> Markup {
        let site = &self.opened.site;
        let url = self.opened.url();
        let audience =
            ApiForm { method: "PATCH", url: &url, submit: "Save the audience", ..ApiForm::default() };
        html! {
            @if self.opened.manages() {
                h2 { "Audience" }
                (audience.with(Select { name: "visibility", label: "Who can read it", options: &AUDIENCES, value: site.visibility.as_str(), hint: None }))
                h2 { "Share links" }
                (self.links(&url, address))
            }
            @if let Some((auth, key)) = &self.sign_in { (sign_in(&url, auth, key.as_ref())) }
            @if let Some(schema) = &self.schema { (self.claims(&url, schema)) }
        }
    }

    /// Returns the forms of adaptive content: its switch, and the schema of claims for conditions.
    fn claims(&self, url: &str, schema: &Value) -> Markup {
        let path = format!("{url}/adaptive-schema");
        let text = serde_json::to_string_pretty(schema).unwrap_or_default();
        let switch = ApiForm {
            method: "PATCH",
            url,
            done: Some("Saved."),
            submit: "Save the switch",
            ..ApiForm::default()
        };
        let form = ApiForm {
            method: "PUT",
            url: &path,
            done: Some("Saved."),
            submit: "Save the claims",
            ..ApiForm::default()
        };
        html! {
            h2 { "Adaptive content" }
            p { "Sections, pages and blocks can have conditions on claims about the visitor." }
            (switch.with(Tick {
                name: "adaptiveContent.enabled", label: "Conditions see the claims of visitors", value: None,
                is_ticked: self.opened.site.adaptive_content == Some(true),
            }))
            (form.with(Json(Area {
                name: "jsonSchema", label: "Claims", value: &text, is_required: true, is_list: false,
                hint: Some("JSON schema of an object without additional properties."),
            })))
        }
    }

    fn link(&self, base: &str, address: &str, link: &ShareLinkFacts) -> Markup {
        let name = link.name.as_deref().filter(|name| !name.is_empty()).unwrap_or("Without a name");
        let path = format!("{base}/{}", link.id);
        let toggle = json!({ "active": !link.active }).to_string();
        html! {
            tr {
                td { (name) }
                td { @if link.active { code { (address) "/" (link.key) } } @else { "Switched off" } }
                td { (self.opened.directory.frame.ago(link.created_at)) }
                td.actions {
                    (send(("PATCH", &path), &toggle, if link.active { "Switch off" } else { "Switch on" }, false))
                    button.btn type="button" data-action="send" data-method="DELETE" data-url=(path) aria-label={ "Delete " (name) } { "Delete" }
                }
            }
        }
    }

    fn links(&self, url: &str, address: &str) -> Markup {
        let base = format!("{url}/share-links");
        let create = ApiForm { url: &base, submit: "Make a share link", ..ApiForm::default() };
        html! {
            p { "A share link opens the published site for everyone who has it." }
            @if self.links.is_empty() {
                div.empty { p { b { "No share links" } } p { "Each link has a key of its own, and can be switched off." } }
            } @else {
                (table(
                    "Share links",
                    &[("Name", 22), ("Address", 34), ("Made", 14), (ACTIONS, 30)],
                    self.links.iter().map(|link| self.link(&base, address, link)),
                ))
                @if self.has_more { p { "The newest " (self.links.len()) " are listed." } }
            }
            (create.with(Field { name: "name", label: "What it is for", longest: LONGEST_NAME, ..Field::default() }))
        }
    }
}

fn sign_in(url: &str, auth: &VisitorAuth, key: Option<&[u8; 32]>) -> Markup {
    let path = format!("{url}/publishing/auth");
    let form = ApiForm {
        method: "PATCH",
        url: &path,
        body: Some("{\"backend\":\"custom\"}"),
        submit: "Save the sign-in",
        ..ApiForm::default()
    };
    let regenerate_url = format!("{path}/regenerate");
    let regenerate =
        ApiForm { url: &regenerate_url, submit: "Replace it", is_primary: true, ..ApiForm::default() };
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let (fallback, logout) = (text(&auth.fallback_url), text(&auth.logout_url));
    html! {
        h2 { "Sign-in of visitors" }
        p { "Your service signs a token with the visitor key, and sends visitors back with it in the parameter jwt_token." }
        (form.with(html! {
            (Field { name: "fallbackURL", label: "Address to sign in at", kind: "url", value: &fallback, clears: true, ..Field::default() })
            (Field { name: "logoutURL", label: "Address to sign out at", kind: "url", value: &logout, clears: true, ..Field::default() })
        }))
        @if let Some(key) = key {
            details {
                summary { "Visitor key" }
                p { code { (visitor_key_text(key)) } }
                p { "Everyone who has it can sign in as any visitor of all sites of the organization." }
                button.btn type="button" data-dialog="workspace:replace-key" { "Replace the key" }
            }
            (dialog("workspace:replace-key", "Replace the visitor key?", html! {
                p { "Tokens that were signed with the former key are refused at once, on all sites." }
            }, regenerate.button()))
        } @else { p { "The visitor key is made when the sign-in is saved." } }
    }
}
