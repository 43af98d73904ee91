//! The OpenAPI document, made from the route table.

use quire_domain::error::ErrorBody;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{
    HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, PathItem,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, InfoBuilder, ObjectBuilder, OpenApi, OpenApiBuilder, PathsBuilder, Ref, Required,
    ResponseBuilder, ResponsesBuilder, Server,
};

use crate::route::{Access, Content, Route, Shape};
use crate::routes::routes;

/// The document of the whole API.
#[must_use]
pub fn document() -> OpenApi {
    let routes = routes();
    let mut components = ComponentsBuilder::new()
        .security_scheme("token", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    let mut paths = PathsBuilder::new();
    for shape in routes.iter().flat_map(shapes).chain([Shape::of::<ErrorBody>()]) {
        components = components.schema(shape.name, shape.schema).schemas_from_iter(shape.others);
    }
    for route in &routes {
        paths = paths.path(route.path, PathItem::new(method(route), operation(route)));
    }
    OpenApiBuilder::new()
        .info(InfoBuilder::new().title("Quire").version(env!("CARGO_PKG_VERSION")).description(Some(
            "A self-hosted documentation workspace: spaces, change requests, comments, imports and search.",
        )))
        .paths(paths)
        .components(Some(components.build()))
        .build()
}

/// The document as it is served and committed: stable, indented JSON. The API stands below `base_path`, such as `/quire`, on whichever
/// host the document was read from; an empty one is left out.
///
/// # Errors
/// When it can't be written.
pub fn document_json(base_path: &str) -> serde_json::Result<String> {
    let mut document = document();
    document.servers = (!base_path.is_empty()).then(|| vec![Server::new(base_path)]);
    // Through a value, whose keys are sorted.
    let value = serde_json::to_value(document)?;
    Ok(format!("{}\n", serde_json::to_string_pretty(&value)?))
}

fn shapes(route: &Route) -> Vec<Shape> {
    let contents = route.bodies.iter().chain(&route.answer);
    contents
        .filter_map(|content| match content {
            Content::Json(shape) => Some((**shape).clone()),
            Content::Media(_) => None,
        })
        .chain(route.later.clone())
        .collect()
}

fn method(route: &Route) -> HttpMethod {
    match route.method.as_str() {
        "POST" => HttpMethod::Post,
        "PUT" => HttpMethod::Put,
        "PATCH" => HttpMethod::Patch,
        "DELETE" => HttpMethod::Delete,
        _ => HttpMethod::Get,
    }
}

fn operation(route: &Route) -> OperationBuilder {
    let mut operation = OperationBuilder::new()
        .tag(route.tag())
        .operation_id(Some(route.operation))
        .summary(Some(route.summary))
        .description(Some(match route.access {
            Access::Public => "Open to anyone.".to_owned(),
            Access::SignedIn => "Needs a token.".to_owned(),
            Access::Needs(action) => format!("Needs a token that allows `{action:?}`."),
            Access::NeedsBoth(here, there) => {
                format!("Needs a token that allows `{here:?}`, and `{there:?}` in the place where it stands or comes to.")
            }
            Access::AuthorOr(action) => format!("Needs the author's token, or one that allows `{action:?}`."),
            Access::SelfOr(action) => format!("Needs the user's own token, or one that allows `{action:?}`."),
            Access::OwnerOr(action) => {
                format!("Needs the token of an owner of the team, or one that allows `{action:?}`.")
            }
        }))
        .parameters(Some(path_parameters(route.path).chain(route.query.iter().cloned())))
        .responses(responses(route));
    if !route.bodies.is_empty() {
        operation = operation.request_body(Some(request_body(route)));
    }
    if route.access != Access::Public {
        operation = operation.security(SecurityRequirement::new("token", Vec::<String>::new()));
    }
    operation
}

fn path_parameters(path: &str) -> impl Iterator<Item = Parameter> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}')).map(|name| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .schema(Some(ObjectBuilder::new().schema_type(utoipa::openapi::schema::Type::String)))
            .build()
    })
}

fn request_body(route: &Route) -> utoipa::openapi::request_body::RequestBody {
    let mut body = RequestBodyBuilder::new();
    for content in &route.bodies {
        body = match content {
            Content::Json(shape) => body.content("application/json", reference(&shape.name)),
            Content::Media(media) => body.content(*media, binary()),
        };
    }
    body.build()
}

fn responses(route: &Route) -> utoipa::openapi::Responses {
    let success = |description: &str| match &route.answer {
        None => ResponseBuilder::new().description("Done."),
        Some(Content::Json(shape)) => ResponseBuilder::new()
            .description(description)
            .content("application/json", reference(&shape.name)),
        Some(Content::Media(media)) => {
            ResponseBuilder::new().description(description).content(*media, binary())
        }
    };
    let mut responses = ResponsesBuilder::new().response(route.status.to_string(), success("Success."));
    if route.makes {
        responses = responses.response("201", success("It wasn't there, and was made."));
    }
    if let Some(shape) = &route.later {
        let accepted = ResponseBuilder::new()
            .description("With `Prefer: respond-async`: the work goes on, and `Location` says where it can be watched.")
            .content("application/json", reference(&shape.name));
        responses = responses.response("202", accepted);
    }
    for (status, description) in errors_of(route) {
        let error = ResponseBuilder::new()
            .description(description)
            .content("application/json", reference("ErrorBody"));
        responses = responses.response(status, error);
    }
    responses.build()
}

/// The errors that a caller of a route has to expect.
fn errors_of(route: &Route) -> Vec<(&'static str, &'static str)> {
    let writes = !route.method.is_safe();
    let mut errors = vec![("503", "The database is away; try again after `Retry-After`.")];
    if route.access != Access::Public {
        errors.push(("401", "No token, or one that is unknown or expired."));
        errors.push(("429", "Too many requests; try again after `Retry-After`."));
    }
    if !matches!(route.access, Access::Public | Access::SignedIn) {
        errors.push(("403", "Visible, but not allowed."));
    }
    if route.path.contains('{') {
        errors.push(("404", "Absent, or not visible."));
    }
    if !route.query.is_empty() || !route.bodies.is_empty() {
        errors.push(("400", "Something in the request is wrong; `details` names the fields."));
    }
    if writes {
        errors.push(("409", "A rule of state forbids it."));
    }
    if !route.bodies.is_empty() {
        errors.push(("412", "`If-Match` names an older state."));
        errors.push(("413", "The body is too large."));
        errors.push(("415", "The body has another media type."));
    }
    errors
}

fn reference(name: &str) -> utoipa::openapi::Content {
    ContentBuilder::new().schema(Some(Ref::from_schema_name(name))).build()
}

fn binary() -> utoipa::openapi::Content {
    ContentBuilder::new()
        .schema(Some(ObjectBuilder::new().schema_type(utoipa::openapi::schema::Type::String)))
        .build()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::document;

    fn references(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(entries) => {
                if let Some(reference) = entries.get("$ref").and_then(Value::as_str) {
                    found.insert(reference.to_owned());
                }
                entries.values().for_each(|entry| references(entry, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_resolves() {
        let document = serde_json::to_value(document()).unwrap();
        let mut found = BTreeSet::new();
        references(&document, &mut found);
        let missing: Vec<_> = found
            .iter()
            .filter(|reference| document.pointer(reference.trim_start_matches('#')).is_none())
            .collect();
        assert!(!found.is_empty() && missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn every_operation_is_named_once_and_says_what_it_is() {
        let routes = crate::routes::routes();
        let names: BTreeSet<_> = routes.iter().map(|route| route.operation).collect();
        assert_eq!(names.len(), routes.len());
        assert!(routes.iter().all(|route| !route.summary.is_empty() && route.path.starts_with('/')));
    }
}
