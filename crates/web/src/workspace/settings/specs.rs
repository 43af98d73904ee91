//! `/o/{organizationId}/openapi`: OpenAPI specifications and their versions.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::{OpenApiSpecId, OpenApiSpecVersionId, OrganizationId};
use quire_domain::openapi_specs::{ProcessError, ProcessingState, SpecSlug};
use quire_domain::policy::Action;
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::content::openapi_specs::OpenApiSpecRecord;
use quire_storage::lookup::Credentials;

use super::{Area, MOST, Settings, empty, load, more};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Field, TextFile};
use crate::workspace::requests::{next, position};
use crate::workspace::shell::counted;

/// File types of specifications, for file inputs.
const FILES: &str = ".json,.yaml,.yml,application/json,application/yaml";

/// Responds to `/o/{organizationId}/openapi`.
pub(super) async fn list(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let list = format!("specifications in the settings of {id}");
    let after: Option<OpenApiSpecId> = position(request, &list)?;
    let (settings, found) =
        load(web, caller, id, Action::ViewOrganizationContent, move |reader, organization| {
            let specs = reader.openapi_specs(organization, after, MOST)?;
            specs.try_map(|spec| Ok(spec.into_inner()))
        })
        .await?;
    let Some(specs) = found else { return Ok(settings.refuse(Area::Specs, "read")) };
    let cursor = next(&specs, &list, |spec| spec.id)?;
    let content = html! {
        p.sub { (counted(specs.total, "specification", "specifications")) ". Pages show their operations, and follow each new version." }
        @if settings.organization.may(Action::CreateOpenApiSpec) { (new(&settings)) }
        h2 { "Specifications" }
        @if specs.items.is_empty() {
            (empty("No specifications yet", "An OpenAPI specification is fetched from its address each day, or uploaded."))
        } @else {
            ul.list {
                @for spec in &specs.items {
                    li {
                        (settings.frame.icon("file-text", ""))
                        a.t href=(settings.at(&format!("openapi/{}", spec.slug))) { (spec.slug) }
                        span.d { (spec.source_url.as_deref().unwrap_or("Uploaded")) }
                        span.w { (state(spec)) }
                    }
                }
            }
        }
        (more(&settings.at("openapi"), &[], cursor.as_deref().map(|cursor| ("page", cursor))))
    };
    Ok(settings.respond(Area::Specs, content))
}

fn state(spec: &OpenApiSpecRecord) -> Markup {
    html! {
        @match (spec.state, spec.last_error) {
            (ProcessingState::Pending | ProcessingState::Progress, _) => span.pill { "Being read" },
            (ProcessingState::Complete, None) => span.pill.merged { "Read" },
            (ProcessingState::Complete, Some(ProcessError::ParseError)) => span.pill.bad { "No OpenAPI specification" },
            (ProcessingState::Complete, Some(_)) => span.pill.bad { "Not fetched" },
        }
    }
}

fn slug(label: &str) -> Field<'_> {
    Field {
        name: "slug",
        label,
        is_required: true,
        hint: Some("Small letters, digits and hyphens."),
        ..Field::default()
    }
}

fn source_url(value: &str) -> Field<'_> {
    Field {
        name: "source.url",
        label: "Address of the specification",
        kind: "url",
        value,
        is_required: true,
        ..Field::default()
    }
}

fn source_file() -> TextFile<'static> {
    TextFile { name: "source.text", label: "File", accept: FILES }
}

fn new(settings: &Settings) -> Markup {
    let url = settings.api("openapi");
    html! {
        h2 { "Add a specification" }
        div.panels {
            (ApiForm { url: &url, submit: "Add by address", is_primary: true, ..ApiForm::default() }.named("By address", html! { (slug("Name")) (source_url("")) }))
            (ApiForm { url: &url, submit: "Upload", ..ApiForm::default() }.named("By file", html! { (slug("Name of the file")) (source_file()) }))
        }
    }
}

/// Responds to `/o/{organizationId}/openapi/{specSlug}`.
pub(super) async fn one(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
    slug: &str,
) -> ApiResult<HttpResponse> {
    let slug: SpecSlug = slug.parse().map_err(|_| ApiError::not_found())?;
    let list = format!("versions of the specification {slug} of {id}");
    let after: Option<OpenApiSpecVersionId> = position(request, &list)?;
    let shared = web.clone();
    let work = move |reader: &mut Reader<'_>| {
        let settings = Settings::load(reader, &shared, id)?;
        if !settings.organization.may(Action::ViewOrganizationContent) {
            return Err(ApiError::not_found());
        }
        let spec = reader.openapi_spec(&settings.organization, &slug)?;
        let versions = reader.openapi_spec_versions(&spec, after, MOST)?;
        Ok((settings, spec.into_inner(), versions))
    };
    let (settings, spec, versions) = web.state.read(caller, work).await?;
    let cursor = next(&versions, &list, |(id, _)| *id)?;
    let url = settings.api(&format!("openapi/{}", spec.slug));
    let changes = settings.organization.may(Action::CreateOpenApiSpec);
    let content = html! {
        p.sub { (state(&spec)) " " (counted(versions.total, "version", "versions")) }
        @if changes {
            div.panels {
                (ApiForm { method: "PUT", url: &url, submit: "Fetch now", is_primary: true, ..ApiForm::default() }
                    .named("By address", source_url(spec.source_url.as_deref().unwrap_or_default())))
                (ApiForm { method: "PUT", url: &url, submit: "Upload a new version", ..ApiForm::default() }.named("By file", source_file()))
            }
        }
        h2 { "Versions" }
        @if versions.items.is_empty() {
            (empty("No versions yet", "A version is created whenever the source has changed."))
        } @else {
            ul.list {
                @for (version, made) in &versions.items {
                    li {
                        (settings.frame.icon("history", ""))
                        span.t { (settings.frame.ago(*made)) }
                        span.d { (version) @if spec.last_version == Some(*version) { " · current" } }
                    }
                }
            }
        }
        (more(&settings.at(&format!("openapi/{}", spec.slug)), &[], cursor.as_deref().map(|cursor| ("page", cursor))))
        @if changes {
            h2 { "Delete" }
            p.muted { "Pages that show its operations will say that they are missing." }
            (ApiForm {
                method: "DELETE",
                url: &url,
                next: Some(&format!("o/{id}/openapi")),
                submit: "Delete specification",
                confirm: Some(&format!("Delete the specification {} with its versions?", spec.slug)),
                ..ApiForm::default()
            }.alone(&format!("Delete the specification {}", spec.slug)))
        }
    };
    Ok(settings.respond_below(Area::Specs, Some(&spec.slug.to_string()), content))
}
