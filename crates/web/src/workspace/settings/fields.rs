//! `/o/{organizationId}/fields`: custom fields of spaces.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::custom_fields::CustomFieldFacts;
use quire_domain::custom_fields::CustomFieldType;
use quire_domain::ids::{CustomFieldId, OrganizationId};
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::lookup::Credentials;

use super::{Area, MOST, Settings, empty, load, more};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Area as TextArea, Field, Select};
use crate::workspace::requests::{next, position};
use crate::workspace::shell::counted;

/// Types of fields.
const TYPES: [(&str, &str); 6] = [
    ("text", "Text"),
    ("number", "Number"),
    ("boolean", "Yes or no"),
    ("tags", "Tags"),
    ("select:single", "One option"),
    ("select:multi", "Several options"),
];

fn type_name(kind: CustomFieldType) -> &'static str {
    TYPES.iter().find(|(value, _)| *value == kind.as_str()).map_or("Text", |(_, name)| name)
}

/// Responds to `/o/{organizationId}/fields`.
pub(super) async fn list(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let list = format!("custom fields in the settings of {id}");
    let after: Option<CustomFieldId> = position(request, &list)?;
    let (settings, found) =
        load(web, caller, id, Action::ViewOrganizationContent, move |reader, organization| {
            Ok(reader.custom_fields_of(organization, after, MOST)?)
        })
        .await?;
    let Some(fields) = found else { return Ok(settings.refuse(Area::Fields, "read")) };
    let cursor = next(&fields, &list, |field| field.id)?;
    let content = html! {
        p.sub { (counted(fields.total, "custom field", "custom fields")) ". Spaces have values of them, for tools that read the API." }
        @if settings.administers() { (new(&settings)) }
        h2 { "Custom fields" }
        @if fields.items.is_empty() {
            (empty("No custom fields yet", "A custom field is a fact about spaces, such as the product or the team that they belong to."))
        } @else {
            ul.list {
                @for field in &fields.items {
                    li {
                        (settings.frame.icon("list", ""))
                        @if settings.administers() {
                            a.t href=(settings.at(&format!("fields/{}", field.name))) { (title_of(field)) }
                        } @else { span.t { (title_of(field)) } }
                        span.d { (field.name) " · " (type_name(field.field_type)) }
                    }
                }
            }
        }
        (more(&settings.at("fields"), &[], cursor.as_deref().map(|cursor| ("page", cursor))))
    };
    Ok(settings.respond(Area::Fields, content))
}

fn title_of(field: &CustomFieldFacts) -> &str {
    Some(field.title.as_str()).filter(|title| !title.is_empty()).unwrap_or(&field.name)
}

fn new(settings: &Settings) -> Markup {
    html! {
        h2 { "New custom field" }
        (ApiForm { url: &settings.api("custom-fields"), submit: "Create field", is_primary: true, ..ApiForm::default() }.with(html! {
            (Field {
                name: "name",
                label: "Name",
                is_required: true,
                hint: Some("Letters, digits and underscores. It is part of the API and cannot be changed later."),
                ..Field::default()
            })
            (Field { name: "title", label: "Title", ..Field::default() })
            (Select { name: "type", label: "Type", options: &TYPES, value: "text", hint: None })
            (options(&[], Some("One per line, for the types with options.")))
        }))
    }
}

fn options(options: &[String], hint: Option<&'static str>) -> Markup {
    let value = options.join("\n");
    html! {
        (TextArea { name: "options", label: "Options", value: &value, hint, is_required: false, is_list: true })
    }
}

/// Responds to `/o/{organizationId}/fields/{fieldName}`.
pub(super) async fn one(
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
    name: &str,
) -> ApiResult<HttpResponse> {
    let (shared, name) = (web.clone(), name.to_owned());
    let work = move |reader: &mut Reader<'_>| {
        let settings = Settings::load(reader, &shared, id)?;
        let field = reader.custom_field(id, &name)?.authorize(Action::AdministerOrganization)?;
        Ok((settings, field.item.clone()))
    };
    let (settings, field) = web.state.read(caller, work).await?;
    let url = settings.api(&format!("custom-fields/{}", field.name));
    let title = title_of(&field);
    let content = html! {
        p.sub { (field.name) " · " (type_name(field.field_type)) }
        (ApiForm { method: "PATCH", url: &url, done: Some("Saved."), is_primary: true, ..ApiForm::default() }.with(html! {
            (Field { name: "title", label: "Title", value: &field.title, ..Field::default() })
            (Field { name: "description", label: "Description", value: &field.description, ..Field::default() })
            (Field { name: "placeholder", label: "Placeholder", value: &field.placeholder, ..Field::default() })
            @if let Some(known) = &field.options { (options(known, Some("One per line."))) }
        }))
        h2 { "Delete" }
        p.muted { "The values of all spaces are deleted, too." }
        (ApiForm {
            method: "DELETE",
            url: &url,
            next: Some(&format!("o/{id}/fields")),
            submit: "Delete field",
            confirm: Some(&format!("Delete the field {title} and its values?")),
            ..ApiForm::default()
        }.alone(&format!("Delete the field {title}")))
    };
    Ok(settings.respond_below(Area::Fields, Some(title), content))
}
