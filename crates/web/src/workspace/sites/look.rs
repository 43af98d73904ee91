//! Appearance of a site. The form has the most common settings and preserves the others. A frame previews the site with
//! the unsaved values.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::sites::customization::{Customization, check_customization, overridden};
use quire_server::preview::{LIFETIME, Preview, segment};
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use quire_storage::sites::SiteRecord;
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use super::{LONGEST_TITLE, Opened, Tab};
use crate::hosts::origin;
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Field, Select, Tick};
use crate::workspace::requests::parameter;
use crate::workspace::shell::Page;

pub(super) const THEMES: [(&str, &str); 4] =
    [("clean", "Clean"), ("muted", "Muted"), ("bold", "Bold"), ("gradient", "Gradient")];
pub(super) const CORNERS: [(&str, &str); 3] =
    [("rounded", "Rounded"), ("straight", "Straight"), ("circular", "Circular")];
pub(super) const MODES: [(&str, &str); 3] =
    [("system", "That of the system"), ("light", "Light"), ("dark", "Dark")];
/// Paths of text and choice settings in the form.
const TEXTS: [&str; 6] = [
    "title",
    "styling.primaryColor.light",
    "styling.primaryColor.dark",
    "styling.theme",
    "styling.corners",
    "themes.default",
];
/// Paths of on/off settings in the form, with their labels.
const SWITCHES: [(&str, &str); 4] = [
    ("themes.toggeable", "Visitors can switch between light and dark"),
    ("pagination.enabled", "Links to the previous and next page"),
    ("feedback.enabled", "Visitors can rate pages"),
    ("pdf.enabled", "Visitors can download a PDF"),
];
/// Themes that the preview offers in addition to the configured one.
const VIEWS: [(&str, &str); 3] = [("", "As visitors see it"), ("light", "Light"), ("dark", "Dark")];
/// Id of the form.
const FORM: &str = "site-look";

/// Settings that the page shows.
struct Shown {
    /// Settings with the values of the form applied.
    settings: Value,
    /// Changes by the values of the form.
    changes: Map<String, Value>,
    /// Theme of the preview. Empty for the configured one.
    view: &'static str,
    /// Reason why the values of the form were refused. The preview then shows the saved settings.
    refusal: Option<String>,
}

pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    key: (OrganizationId, SiteId),
) -> ApiResult<HttpResponse> {
    let load = |reader: &mut Reader<'_>, opened: Opened| {
        let spaces = reader.all_site_spaces((&opened.site).into())?;
        Ok((opened, spaces))
    };
    let (opened, spaces) = Opened::load(web, caller, key, load).await?;
    let stored = settings_of(&opened.site)?;
    let body = serde_json::to_string(&stored).map_err(ApiError::internal)?;
    let shown = Shown::of(request, &stored)?;
    let text = |path: &str| shown.text(path);
    let url = opened.url();
    let saved = format!("{url}/customization");
    let form = ApiForm {
        method: "PUT",
        url: &saved,
        body: Some(&body),
        submit: "Save the look",
        is_primary: true,
        ..ApiForm::default()
    };
    let title = shown.settings.get("title").and_then(Value::as_str).unwrap_or(&opened.site.title);
    let color = |name: &'static str, label: &'static str| {
        html! { (Field { name, label, kind: "color", value: &six_digits(&text(name)), ..Field::default() }) }
    };
    let has_preview = opened.site.site_spaces > 0;
    let main = html! {
        @if opened.manages() {
            div.look {
                form.form id=(FORM) data-preview=[has_preview.then(|| format!("{url}/publishing/preview"))] {
                    (Field { name: "title", label: "Title that visitors see", value: title, is_required: true, longest: LONGEST_TITLE, ..Field::default() })
                    (color("styling.primaryColor.light", "Main color on light pages"))
                    (color("styling.primaryColor.dark", "Main color on dark pages"))
                    (Select { name: "styling.theme", label: "Intensity of the color", options: &THEMES, value: &text("styling.theme"), hint: None })
                    (Select { name: "styling.corners", label: "Corners", options: &CORNERS, value: &text("styling.corners"), hint: None })
                    (Select { name: "themes.default", label: "Light or dark at first", options: &MODES, value: &text("themes.default"), hint: None })
                    @for (name, label) in SWITCHES {
                        (Tick { name, label, value: None, is_ticked: shown.is_on(name) })
                    }
                    div.buttons {
                        (form.button())
                        // With scripts, the preview follows each change.
                        @if has_preview { button.btn.scriptless type="submit" { "Preview" } }
                    }
                }
                @if has_preview { (preview(web, &opened, &shown)?) }
                @else { p.note { "Once the site has a space, a preview shows it here." } }
            }
            p { a href=(opened.at("look/more")) { "Announcement, logos, header, footer, fonts and more" } }
            @if spaces.len() > 1 {
                section aria-labelledby="space-looks" {
                    h2 id="space-looks" { "Spaces that look different" }
                    ul.list {
                        @for space in &spaces {
                            li {
                                (opened.directory.frame.icon("file-text", ""))
                                a.t href=(opened.at(&format!("look/{}", space.id))) { (space.space.title) }
                            }
                        }
                    }
                }
            }
        } @else {
            dl.facts {
                dt { "Title" } dd { (title) }
                dt { "Main color" } dd { (text("styling.primaryColor.light")) }
            }
        }
    };
    let page = Page {
        framed: origin(&web.state.urls.at_address(&opened.site.address())),
        assets: &["look.css", "look.js"],
        ..opened.page(Tab::Look, &main)
    };
    Ok(opened.directory.frame.respond(&page))
}

/// Returns the preview frame, and the buttons for its theme and width.
fn preview(web: &WebData, opened: &Opened, shown: &Shown) -> ApiResult<Markup> {
    let site = &opened.site;
    let now = web.state.storage.clock().now();
    let preview = Preview {
        site: site.id,
        user: site.actor().user,
        state: None,
        ends: now.millis().div_euclid(1_000).saturating_add(LIFETIME),
        look: Some(serde_json::to_string(&shown.previewed()).map_err(ApiError::internal)?),
    };
    let root = web.state.urls.at_address(&site.address());
    let address = format!("{root}/{}", segment(&web.state.signer, &preview));
    Ok(html! {
        section.shown aria-labelledby="site-preview" {
            h2 id="site-preview" { "Preview" }
            div.views {
                fieldset {
                    legend { "Theme" }
                    @for (value, label) in VIEWS {
                        label.tick { input type="radio" form=(FORM) name="view" value=(value) checked[value == shown.view] data-as="none"; span { (label) } }
                    }
                }
                fieldset {
                    legend { "Width" }
                    label.tick { input type="radio" name="site-width" value="wide" checked; span { "Desktop" } }
                    label.tick { input type="radio" name="site-width" value="phone"; span { "Phone" } }
                }
                a.btn href=(address) target="_blank" rel="noopener" data-preview-link="" { "Open in a tab" }
            }
            p.note role="status" data-preview-note="" hidden[shown.refusal.is_none()] {
                @if let Some(refusal) = &shown.refusal { (refusal) }
            }
            div.frame { iframe src=(address) title="Preview of the site" data-preview-frame="" {} }
            p.hint { "Nothing is stored before you save. The address of the preview works for an hour." }
        }
    })
}

pub(super) fn settings_of(site: &SiteRecord) -> ApiResult<Customization> {
    let stored = site.customization.clone().unwrap_or_else(|| json!({}));
    Customization::deserialize(stored).map_err(ApiError::internal)
}

/// Returns a color with six digits. Browsers show other forms as black.
pub(super) fn six_digits(color: &str) -> String {
    match color.strip_prefix('#') {
        Some(digits) if digits.chars().count() == 3 => {
            std::iter::once('#').chain(digits.chars().flat_map(|digit| [digit, digit])).collect()
        }
        _ => color.to_owned(),
    }
}

impl Shown {
    /// Returns the stored settings with the values of a form that was submitted without a script.
    fn of(request: &HttpRequest, stored: &Customization) -> ApiResult<Self> {
        let view = parameter(request, "view").unwrap_or_default();
        let view = VIEWS.iter().find(|(known, _)| *known == view).map_or("", |(known, _)| known);
        let changes = sent(request);
        let checked = overridden(stored, &changes).map_err(|error| error.to_string()).and_then(|settings| {
            check_customization(&settings).map_err(|error| error.to_string())?;
            Ok(settings)
        });
        let (settings, changes, refusal) = match checked {
            Ok(settings) => (settings, changes, None),
            Err(error) => {
                (stored.clone(), Map::new(), Some(format!("The preview shows the saved settings: {error}")))
            }
        };
        let settings = serde_json::to_value(&settings).map_err(ApiError::internal)?;
        Ok(Self { settings, changes, view, refusal })
    }

    /// Returns the changes for the preview. If a theme is selected, visitors cannot switch it.
    fn previewed(&self) -> Value {
        let mut changes = Value::Object(self.changes.clone());
        if !self.view.is_empty() {
            put(&mut changes, "themes.default", json!(self.view));
            put(&mut changes, "themes.toggeable", json!(false));
        }
        changes
    }

    fn at(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(&self.settings, |value, name| value.get(name))
    }

    fn text(&self, path: &str) -> String {
        self.at(path).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    fn is_on(&self, path: &str) -> bool {
        self.at(path).and_then(Value::as_bool).unwrap_or_default()
    }
}

/// Returns the settings in a submitted form. Empty without one. Browsers do not send unticked checkboxes.
fn sent(request: &HttpRequest) -> Map<String, Value> {
    let mut changes = json!({});
    if parameter(request, "title").is_some() {
        for name in TEXTS {
            if let Some(value) = parameter(request, name) {
                put(&mut changes, name, json!(value));
            }
        }
        for (name, _) in SWITCHES {
            put(&mut changes, name, json!(parameter(request, name).is_some()));
        }
    }
    match changes {
        Value::Object(changes) => changes,
        _ => Map::new(),
    }
}

/// Sets the member of an object at a dotted path.
fn put(object: &mut Value, path: &str, value: Value) {
    let Value::Object(members) = object else { return };
    match path.split_once('.') {
        Some((name, rest)) => put(members.entry(name).or_insert_with(|| json!({})), rest, value),
        None => drop(members.insert(path.to_owned(), value)),
    }
}

#[cfg(test)]
mod tests {
    use super::six_digits;

    #[test]
    fn a_color_has_six_digits() {
        for (color, expected) in [("#fa0", "#ffaa00"), ("#346DDB", "#346DDB"), ("", "")] {
            assert_eq!(six_digits(color), expected);
        }
    }
}
