//! Appearance of a space on a site: its overrides of the site's settings.

use actix_web::HttpResponse;
use maud::html;
use quire_domain::ids::{OrganizationId, SiteId, SiteSpaceId};
use quire_domain::sites::customization::overridden;
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use serde_json::{Map, Value};

use super::look::{CORNERS, MODES, THEMES, settings_of, six_digits};
use super::{LONGEST_TITLE, Opened, Tab};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Area, Field, Select, Whole};

/// Choice without an override.
const OF_SITE: (&str, &str) = ("null", "That of the site");

pub(super) async fn page(
    web: &WebData,
    caller: Credentials,
    key: (OrganizationId, SiteId),
    id: SiteSpaceId,
) -> ApiResult<HttpResponse> {
    let load = move |reader: &mut Reader<'_>, opened: Opened| {
        let space = reader.site_space((&opened.site).into(), id)?;
        let overrides = reader.site_space_customization((&opened.site).into(), id)?;
        Ok((opened, space, overrides.unwrap_or_default()))
    };
    let (opened, space, overrides) = Opened::load(web, caller, key, load).await?;
    let effective = overridden(&settings_of(&opened.site)?, &overrides).map_err(ApiError::internal)?;
    let effective = serde_json::to_value(&effective).map_err(ApiError::internal)?;
    let own = without_time(overrides);
    let written = serde_json::to_string_pretty(&own).map_err(ApiError::internal)?;
    let has_any = !own.is_empty();
    let overridden = Value::Object(own);
    let url = format!("{}/site-spaces/{id}/customization", opened.url());
    let form = ApiForm { method: "PATCH", url: &url, is_primary: true, ..ApiForm::default() };
    let choice = |name: &'static str, label: &'static str, options: &[(&str, &str)]| {
        let options: Vec<_> = std::iter::once(OF_SITE).chain(options.iter().copied()).collect();
        let value = text(&overridden, name).unwrap_or(OF_SITE.0);
        html! { (Select { name, label, options: &options, value, hint: None }) }
    };
    let color = |name: &'static str, label: &'static str| {
        html! { (Field { name, label, kind: "color", value: &six_digits(text(&effective, name).unwrap_or_default()), ..Field::default() }) }
    };
    let title = &space.space.title;
    let main = html! {
        h2 { "Look of " (title) }
        p { "The space looks like the rest of the site, except for what is set here. " a href=(opened.at("look")) { "Look of the site" } }
        @if opened.manages() {
            (form.with(html! {
                (Field {
                    name: "title",
                    label: "Title that visitors see",
                    value: text(&overridden, "title").unwrap_or_default(),
                    hint: Some("Leave empty to use the title of the site."),
                    clears: true,
                    longest: LONGEST_TITLE,
                    ..Field::default()
                })
                (choice("styling.theme", "Intensity of the color", &THEMES))
                (choice("styling.corners", "Corners", &CORNERS))
                (choice("themes.default", "Light or dark at first", &MODES))
            }))
            (ApiForm { submit: "Save the color", is_primary: false, ..form }.named("Main color", html! {
                (color("styling.primaryColor.light", "On light pages"))
                (color("styling.primaryColor.dark", "On dark pages"))
            }))
            details {
                summary { "All settings of the space" }
                (ApiForm { submit: "Save all settings", is_primary: false, ..form }.named("All settings as JSON", Whole(Area {
                    name: "settings",
                    label: "Settings",
                    value: &written,
                    hint: Some("Also an announcement, logos, links, the footer and translations. null removes a setting of the space."),
                    is_required: true,
                    is_list: false,
                })))
            }
            @if has_any {
                (ApiForm {
                    method: "DELETE",
                    url: &url,
                    submit: "Use the look of the site",
                    confirm: Some(&format!("Remove the settings of {title} and use the look of the site?")),
                    ..ApiForm::default()
                }.alone("Use the look of the site"))
            }
        }
    };
    Ok(opened.respond(Tab::Look, &main))
}

/// Returns the overrides without the time of the last change.
fn without_time(mut overrides: Map<String, Value>) -> Map<String, Value> {
    overrides.remove("updatedAt");
    overrides
}

fn text<'a>(settings: &'a Value, path: &str) -> Option<&'a str> {
    path.split('.').try_fold(settings, |value, name| value.get(name))?.as_str()
}
