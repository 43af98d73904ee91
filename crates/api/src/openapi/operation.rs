//! One operation of the document.

use quire_domain::policy::{Action, OwnAction, Relation, TokenLimits};
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{OperationBuilder, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{Ref, Required, ResponseBuilder, Responses, ResponsesBuilder};

use crate::route::{Access, Content, Route};

/// The operation of a route.
pub(super) fn operation(route: &Route) -> OperationBuilder {
    let mut operation = OperationBuilder::new()
        .tag(route.tag.name())
        .operation_id(Some(route.operation))
        .summary(Some(route.summary))
        .description(Some(access(route.access)))
        .parameters(Some(path_parameters(route.path).chain(route.parameters())))
        .responses(responses(route));
    if !route.bodies.is_empty() {
        operation = operation.request_body(Some(request_body(route)));
    }
    let tokens =
        (route.access != Access::Public).then(|| SecurityRequirement::new("token", Vec::<String>::new()));
    operation.securities(Some(tokens))
}

fn access(access: Access) -> String {
    match access {
        Access::Public => "Open to anyone.".to_owned(),
        Access::SignedIn => "Needs a token.".to_owned(),
        Access::Own(action) => own(action).to_owned(),
        Access::Needs(action) => format!("Needs {}.", token(action)),
        Access::NeedsBoth(here, there) => {
            format!("Needs a token that allows `{here:?}`, and `{there:?}` in its present or new place.")
        }
        Access::NeedsAlso(here, named) => {
            format!("Needs a token that allows `{here:?}`, and `{named:?}` on what the body names.")
        }
        Access::NeedsInBody(named) => {
            format!("Needs a token that allows `{named:?}` on what the body names.")
        }
        Access::NeedsByBody(actions) => by_body(actions),
    }
}

/// The sentence about the limits of a token that an action of users for themselves excludes.
fn own(action: OwnAction) -> &'static str {
    let limited = TokenLimits { read_only: false, organizations: true };
    match limited.allow_own(action) {
        true => "Needs a token that is not read-only.",
        false => "Needs a token that is neither read-only nor limited to certain organizations.",
    }
}

/// One sentence for each action that the body can ask for.
fn by_body(actions: &[Action]) -> String {
    let mut distinct: Vec<Action> = Vec::new();
    for action in actions {
        if !distinct.contains(action) {
            distinct.push(*action);
        }
    }
    if let [only] = distinct.as_slice() {
        return access(Access::Needs(*only));
    }
    let sentences: Vec<String> =
        distinct.iter().map(|action| format!("`{action:?}` needs {}.", token(*action))).collect();
    format!("Depends on the body. {}", sentences.join(" "))
}

/// The tokens that allow an action. Named is the action whose role is asked for: what else an action allows is in its relation.
fn token(action: Action) -> String {
    let role = action.by_role_of();
    match action.relation() {
        None => format!("a token that allows `{role:?}`"),
        Some(Relation::Author) => format!("the author's token, or one that allows `{role:?}`"),
        Some(Relation::SelfUser) => format!("the user's own token, or one that allows `{role:?}`"),
        Some(Relation::TeamOwner) => {
            format!("the token of an owner of the team, or one that allows `{role:?}`")
        }
    }
}

fn path_parameters(path: &str) -> impl Iterator<Item = Parameter> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}')).map(|name| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
            .build()
    })
}

fn request_body(route: &Route) -> RequestBody {
    let mut body = RequestBodyBuilder::new();
    for content in &route.bodies {
        body = body.content(media_type(content), schema(content));
    }
    body.build()
}

fn responses(route: &Route) -> Responses {
    let success = |description: &str| match &route.answer {
        None => ResponseBuilder::new().description("Done."),
        Some(content) => {
            ResponseBuilder::new().description(description).content(media_type(content), schema(content))
        }
    };
    let mut responses = ResponsesBuilder::new().response(route.status.to_string(), success("Success."));
    if route.makes {
        responses = responses.response("201", success("Success: created, since it was absent."));
    }
    if let Some(shape) = &route.later {
        let accepted = ResponseBuilder::new()
            .description("Accepted, with `Prefer: respond-async`: the work continues, and `Location` names its progress.")
            .content("application/json", reference(&shape().name));
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
    let mut errors = vec![
        ("429", "Too many requests with this token; try again after `Retry-After`."),
        ("503", "The database is away; try again after `Retry-After`."),
    ];
    if route.access != Access::Public {
        errors.push(("401", "No token, or one that is unknown or expired."));
    }
    if !matches!(route.access, Access::Public | Access::SignedIn) {
        errors.push(("403", "Visible, but not allowed."));
    }
    if route.path.contains('{') {
        errors.push(("404", "Absent, or not visible."));
    }
    if !route.parameters().is_empty() || !route.bodies.is_empty() {
        errors.push(("400", "Something in the request is wrong; `details` names the fields."));
    }
    if writes {
        errors.push(("409", "A rule of state forbids it."));
    }
    if !route.bodies.is_empty() {
        errors.push(("408", "The body did not arrive in time."));
        errors.push(("412", "`If-Match` names an older state."));
        errors.push(("413", "The body is too large."));
        errors.push(("415", "The body has another media type."));
    }
    errors
}

fn media_type(content: &Content) -> &'static str {
    match content {
        Content::Json(_) => "application/json",
        Content::Form(_) => "multipart/form-data",
        Content::Media(media) => media,
    }
}

fn schema(content: &Content) -> utoipa::openapi::Content {
    match content {
        Content::Json(shape) | Content::Form(shape) => reference(&shape().name),
        Content::Media("application/json") => {
            ContentBuilder::new().schema(Some(ObjectBuilder::new().schema_type(Type::Object))).build()
        }
        Content::Media(media) => {
            let mut text = ObjectBuilder::new().schema_type(Type::String);
            if !media.starts_with("text/") {
                // The format is for generators that know OpenAPI 3.0 alone.
                text = text
                    .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
                    .content_media_type(if media.contains('*') { "application/octet-stream" } else { media });
            }
            ContentBuilder::new().schema(Some(text)).build()
        }
    }
}

fn reference(name: &str) -> utoipa::openapi::Content {
    ContentBuilder::new().schema(Some(Ref::from_schema_name(name))).build()
}
