//! `/o/{organizationId}/translations`: languages into which content is translated.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, Render, html};
use quire_domain::ids::{OrganizationId, TranslationSettingsId};
use quire_domain::policy::Action;
use quire_domain::translations::TranslationFacts;
use quire_server::ApiResult;
use quire_storage::lookup::Credentials;

use super::{Area, MOST, Settings, empty, load, more};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Area as TextArea, Field};
use crate::workspace::requests::{next, position};
use crate::workspace::shell::counted;

/// Maximum length of a title.
const LONGEST_TITLE: u32 = 100;

pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let list = format!("translations in the settings of {id}");
    let after: Option<TranslationSettingsId> = position(request, &list)?;
    let (settings, found) =
        load(web, caller, id, Action::ViewOrganizationContent, move |reader, organization| {
            Ok(reader.translations_of(organization, after, MOST)?)
        })
        .await?;
    let Some(translations) = found else { return Ok(settings.refuse(Area::Translations, "read")) };
    let cursor = next(&translations, &list, |settings| settings.id)?;
    let may_edit = settings.organization.may(Action::CreateOpenApiSpec);
    let url = settings.api("translations");
    let content = html! {
        p.sub { (counted(translations.total, "set of languages", "sets of languages")) ". Programs that translate content read them over the API." }
        @if may_edit {
            h2 { "Add languages" }
            (ApiForm { url: &url, submit: "Add", is_primary: true, ..ApiForm::default() }.with(fields("", "")))
        }
        h2 { "Languages" }
        @if translations.items.is_empty() {
            (empty("No languages yet", "A set has a title, and the languages that content is translated into."))
        } @else {
            @for translation in &translations.items { (one(&settings, &url, translation, may_edit)) }
        }
        (more(&settings.at("translations"), &[], cursor.as_deref().map(|cursor| ("page", cursor))))
    };
    Ok(settings.respond(Area::Translations, content))
}

fn one(settings: &Settings, url: &str, translation: &TranslationFacts, may_edit: bool) -> Markup {
    let codes: Vec<&str> = translation.languages.iter().map(|language| language.as_str()).collect();
    let url = format!("{url}/{}", translation.id);
    html! {
        section.panel {
            h3 { (settings.frame.icon("globe", "")) (translation.title) }
            p { @if codes.is_empty() { span.muted { "No languages" } } @else { (codes.join(", ")) } }
            @if may_edit {
                details.settings {
                    summary { "Change " (translation.title) }
                    (ApiForm { method: "PUT", url: &url, ..ApiForm::default() }.with(fields(&translation.title, &codes.join("\n"))))
                }
                (ApiForm {
                    method: "DELETE",
                    url: &url,
                    submit: "Delete",
                    confirm: Some(&format!("Delete {}? No content is deleted.", translation.title)),
                    ..ApiForm::default()
                }.alone(&format!("Delete {}", translation.title)))
            }
        }
    }
}

/// Returns the fields of a set, with ids that are unique on the page.
fn fields(title: &str, languages: &str) -> impl Render {
    let (name, codes) = match title {
        "" => ("Title".to_owned(), "Languages".to_owned()),
        title => (format!("Title of {title}"), format!("Languages of {title}")),
    };
    html! {
        (Field { name: "title", label: &name, value: title, is_required: true, longest: LONGEST_TITLE, ..Field::default() })
        (TextArea {
            name: "languages",
            label: &codes,
            value: languages,
            hint: Some("One code per line, such as de, fr or pt-br"),
            is_required: false,
            is_list: true,
        })
    }
}
