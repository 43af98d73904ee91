//! Look of a site. The form has the settings that most sites change; the others are kept.

use actix_web::HttpResponse;
use maud::html;
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::sites::Customization;
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::{LONGEST_TITLE, Opened, Tab};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Field, Select, Tick};

const THEMES: [(&str, &str); 4] =
    [("clean", "Clean"), ("muted", "Muted"), ("bold", "Bold"), ("gradient", "Gradient")];
const CORNERS: [(&str, &str); 3] =
    [("rounded", "Rounded"), ("straight", "Straight"), ("circular", "Circular")];
const MODES: [(&str, &str); 3] = [("system", "That of the system"), ("light", "Light"), ("dark", "Dark")];

pub(super) async fn page(
    web: &WebData,
    caller: Credentials,
    key: (OrganizationId, SiteId),
) -> ApiResult<HttpResponse> {
    let shared = web.clone();
    let opened =
        web.state.read(caller, move |reader: &mut Reader<'_>| Opened::load(reader, &shared, key)).await?;
    let stored = opened.site.customization.clone().unwrap_or_else(|| json!({}));
    let settings = Customization::deserialize(stored).map_err(ApiError::internal)?;
    let settings = serde_json::to_value(&settings).map_err(ApiError::internal)?;
    let text = |path: &str| settings.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
    let is_on = |path: &str| settings.pointer(path).and_then(Value::as_bool).unwrap_or_default();
    let url = format!("{}/customization", opened.url());
    let body = settings.to_string();
    let form = ApiForm {
        method: "PUT",
        url: &url,
        body: Some(&body),
        submit: "Save the look",
        is_primary: true,
        ..ApiForm::default()
    };
    let title = settings.get("title").and_then(Value::as_str).unwrap_or(&opened.site.title);
    let color = |name: &'static str, label: &'static str, path: &str| {
        html! { (Field { name, label, kind: "color", value: &text(path), ..Field::default() }) }
    };
    let main = html! {
        @if opened.manages() {
            (form.with(html! {
                (Field { name: "title", label: "Title that visitors see", value: title, is_required: true, longest: LONGEST_TITLE, ..Field::default() })
                (color("styling.primaryColor.light", "Main color on light pages", "/styling/primaryColor/light"))
                (color("styling.primaryColor.dark", "Main color on dark pages", "/styling/primaryColor/dark"))
                (Select { name: "styling.theme", label: "Intensity of the color", options: &THEMES, value: &text("/styling/theme"), hint: None })
                (Select { name: "styling.corners", label: "Corners", options: &CORNERS, value: &text("/styling/corners"), hint: None })
                (Select { name: "themes.default", label: "Light or dark at first", options: &MODES, value: &text("/themes/default"), hint: None })
                (Tick { name: "themes.toggeable", label: "Visitors can switch between light and dark", value: None, is_ticked: is_on("/themes/toggeable") })
                (Tick { name: "pagination.enabled", label: "Links to the previous and next page", value: None, is_ticked: is_on("/pagination/enabled") })
                (Tick { name: "feedback.enabled", label: "Visitors can rate pages", value: None, is_ticked: is_on("/feedback/enabled") })
                (Tick { name: "pdf.enabled", label: "Visitors can download a PDF", value: None, is_ticked: is_on("/pdf/enabled") })
            }))
            h2 { "Preview" }
            form.form {
                p { "The preview shows what is saved, also of a site that is not published." }
                div.buttons { button.btn type="submit" data-action="preview" data-url={ (opened.url()) "/publishing/preview" } { "Open the preview" } }
            }
        } @else {
            dl.facts {
                dt { "Title" } dd { (title) }
                dt { "Main color" } dd { (text("/styling/primaryColor/light")) }
            }
        }
    };
    Ok(opened.respond(Tab::Look, &main))
}
