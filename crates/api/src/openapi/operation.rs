//! One operation of the document.

use quire_domain::policy::{Kind, Relation, TokenLimits};
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{OperationBuilder, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{Header, HeaderBuilder, Ref, Required, ResponseBuilder, Responses, ResponsesBuilder};

use crate::idempotency::KEY_MAX;
use crate::prelude::*;
use crate::route::{Access, Content};

/// Returns the operation of a route, with its description and the requirements on its callers.
pub(super) fn operation(route: &Route, description: &str) -> OperationBuilder {
    let mut operation = OperationBuilder::new()
        .tag(route.tag.name())
        .operation_id(Some(route.operation))
        .summary(Some(route.summary))
        .description(Some(format!("{description}\n\n{}", callers(route))))
        .parameters(Some(path_parameters(route.path).chain(route.parameters()).chain(key(route))))
        .responses(responses(route));
    if !route.bodies.is_empty() {
        operation = operation.request_body(Some(request_body(route)));
    }
    let tokens =
        (route.access != Access::Public).then(|| SecurityRequirement::new("token", Vec::<String>::new()));
    operation.securities(Some(tokens))
}

fn callers(route: &Route) -> String {
    let access = access(route.access);
    if route.for_visitors { format!("{access} Site tokens open what their site shows.") } else { access }
}

fn access(access: Access) -> String {
    match access {
        Access::Public => "Requires no token.".to_owned(),
        Access::SignedIn => "Requires a valid API token.".to_owned(),
        Access::Own(action) => own(action).to_owned(),
        Access::Needs(action) => format!("Requires {}.", token(action)),
        Access::NeedsBoth(here, there) => {
            format!("Requires {}, and {} on {}.", token(here), role(there), parent(here, there))
        }
        Access::NeedsAlso(here, named) => {
            format!("Requires {}, and {} on {} that the body names.", token(here), role(named), target(named))
        }
        Access::NeedsInBody(named) => {
            format!("Requires {} on {} that the body names.", role(named), target(named))
        }
        Access::NeedsByBody(actions) => by_body(actions),
    }
}

/// Returns the token that an action of users for themselves requires.
fn own(action: OwnAction) -> &'static str {
    let limited = TokenLimits { read_only: false, organizations: true };
    match limited.allow_own(action) {
        true => "Requires an API token that is not read-only.",
        false => "Requires an API token that is neither read-only nor limited to certain organizations.",
    }
}

/// Returns one sentence for each action that the body can require.
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
        distinct.iter().map(|action| format!("{} requires {}.", effect(*action), token(*action))).collect();
    format!("The keys of the body decide which permissions are required. {}", sentences.join(" "))
}

/// Returns the effect of a body that requires an action.
fn effect(action: Action) -> &'static str {
    match action {
        Action::CommentOnSpace => "Reacting",
        Action::ResolveComment => "Resolving or reopening",
        Action::EditComment => "Changing the text",
        _ => "Any other change",
    }
}

/// Returns the role or relation that allows an action.
fn token(action: Action) -> String {
    let by_role = match action.least_role() {
        None => "membership of the organization".to_owned(),
        Some(_) => format!("{} on {}", role(action), target(action)),
    };
    match action.relation() {
        None => by_role,
        Some(Relation::Author) => format!("the author's token, or {by_role}"),
        Some(Relation::SelfUser) => format!("the member's own token, or {by_role}"),
        Some(Relation::TeamOwner) => format!("the token of an owner of the team, or {by_role}"),
    }
}

fn role(action: Action) -> String {
    action
        .least_role()
        .map_or_else(|| "membership".to_owned(), |role| format!("the `{}` role", role.as_str()))
}

/// Returns the second resource that a route needs permission on: for a copy the parent of its original, for a move the
/// destination.
fn parent(here: Action, there: Action) -> &'static str {
    match (here, there) {
        (Action::ViewSpace, Action::CreateContent) => "its parent",
        (_, Action::CreateContent) => "the destination",
        (_, action) => target(action),
    }
}

fn target(action: Action) -> &'static str {
    match action.kinds() {
        [Kind::Space] => "the space",
        [Kind::Collection] => "the collection",
        [Kind::Organization] => "the organization",
        [Kind::Space, Kind::Collection] => "the space or collection",
        _ => "the collection or organization",
    }
}

fn path_parameters(path: &str) -> impl Iterator<Item = Parameter> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}')).map(|name| {
        ParameterBuilder::new()
            .name(name)
            .description(path_parameter(name))
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
            .build()
    })
}

/// Returns the idempotency key header of a write. A key belongs to the user of the token.
fn key(route: &Route) -> Option<Parameter> {
    if route.method.is_safe() || route.access == Access::Public {
        return None;
    }
    let key = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[!-~]+$"));
    let key = key.min_length(Some(1)).max_length(Some(KEY_MAX));
    let parameter = ParameterBuilder::new()
        .name("Idempotency-Key")
        .description(Some(
            "Name of the request. For 24 hours, a request of the same user with the same name is not processed again, but gets the first response.",
        ))
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .schema(Some(key))
        .build();
    Some(parameter)
}

/// Returns the description of a path parameter.
fn path_parameter(name: &str) -> Option<&'static str> {
    Some(match name {
        "accountName" => "Name of the owner of the repository.",
        "blob" => "SHA-256 of the file's bytes, in hexadecimal.",
        "changeRequestId" => "Id or number of the change request.",
        "collectionId" => "Id of the collection.",
        "commentId" => "Id of the comment.",
        "commentReplyId" => "Id of the reply.",
        "deliveryId" => "Id of the delivery.",
        "documentId" => "Id of the document.",
        "emailDomain" => "E-mail domain, such as `example.com`.",
        "fieldName" => "Name of the custom field.",
        "fileId" => "Id of the file.",
        "fileName" => "Name of the file.",
        "gitInstallationId" => "Id of the connection.",
        "gitOperationId" => "Id of the synchronization.",
        "imageHash" => "Hash of the image.",
        "importId" => "Id of the import.",
        "installationId" => "Id of the installation.",
        "integrationName" => "Name of the integration.",
        "inviteId" => "Id of the invite.",
        "oidcProviderId" => "Id of the OpenID Connect provider.",
        "organizationId" => "Id of the organization.",
        "pageId" => "Id of the page.",
        "pagePath" => "Path of the page: its slug after the slugs of its parents, joined with `/`.",
        "passkeyId" => "Id of the passkey.",
        "pdfId" => "Id of the PDF.",
        "projectId" => "Id of the project at GitLab.",
        "repositoryName" => "Name of the repository.",
        "reusableContentId" => "Id of the reusable content.",
        "reviewId" => "Id of the review.",
        "revisionId" => "Id of the revision.",
        "otherRevisionId" => "Id of the later revision.",
        "samlProviderId" => "Id of the SAML provider.",
        "shareLinkId" => "Id of the share link.",
        "siteId" => "Id of the site.",
        "siteRedirectId" => "Id of the redirect.",
        "siteSectionGroupId" => "Id of the section group.",
        "siteSectionId" => "Id of the section.",
        "siteSpaceId" => "Id of the site space.",
        "spaceId" => "Id of the space.",
        "specSlug" => "Slug of the OpenAPI specification.",
        "subdomain" => "Label below the service's domain.",
        "teamId" => "Id of the team.",
        "sessionId" => "Id of the session.",
        "tokenId" => "Id of the API token.",
        "translationSettingsId" => "Id of the translation settings.",
        "userId" => "Id of the user.",
        "versionId" => "Id of the version.",
        "webhookId" => "Id of the webhook.",
        _ => return None,
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
        None if route.status == 303 => {
            ResponseBuilder::new().description("Redirect to the page in `Location`.")
        }
        None => ResponseBuilder::new().description("Success, without content."),
        Some(content) => {
            let success = ResponseBuilder::new().description(description);
            let success = success.content(media_type(content), schema(content));
            match route.tag {
                Tag::Search => success.header("Quire-Search-Progress", search_progress()),
                _ => success,
            }
        }
    };
    let mut responses = ResponsesBuilder::new().response(
        route.status.to_string(),
        success(if route.status == 201 { "Created." } else { "Success." }),
    );
    if route.may_create {
        responses = responses.response("201", success("Created, because the resource did not exist."));
    }
    if let Some(shape) = &route.async_response {
        let accepted = ResponseBuilder::new()
            .description("Accepted, for a request with `Prefer: respond-async`. Processing continues; `Location` is the URL of its progress.")
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

fn search_progress() -> Header {
    let counts = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[0-9]+/[0-9]+$"));
    HeaderBuilder::new()
        .description(Some(
            "Sent while the search index is being built, when the search can't find all pages yet: the number of pages that were searched, and of all pages, such as `4000/10000`.",
        ))
        .schema(Some(counts))
        .build()
}

/// Returns the errors that a caller of a route must handle: status and description.
fn errors_of(route: &Route) -> Vec<(&'static str, &'static str)> {
    let writes = !route.method.is_safe();
    let mut errors = vec![
        ("429", "The rate limit of the token is exceeded. Retry after `Retry-After`."),
        ("503", "The service is temporarily unavailable. Retry after `Retry-After`."),
    ];
    let is_checked = route.path.contains('{') || !route.bodies.is_empty();
    if route.access != Access::Public {
        errors.push(("401", "No token was sent, or the token is unknown or expired."));
    } else if is_checked {
        errors.push(("401", "The request is refused, and has a token that is unknown or expired."));
    }
    // Writes are refused for cross-site requests of sessions and for tokens with limits; requests of sessions that lack
    // a required second factor are always refused.
    if writes || route.access != Access::Public {
        errors.push(("403", "The caller may see the resource, but lacks the required permission."));
    }
    // For site tokens, routes that do not admit visitors do not exist.
    if route.path.contains('{') || route.access != Access::Public || route.finds_by_input {
        errors.push(("404", "No such resource, or the caller may not see it."));
    }
    if !route.parameters().is_empty() || !route.bodies.is_empty() || key(route).is_some() {
        errors.push(("400", "The request is not valid. `details` names each failing field."));
    } else if route.calls_other_server {
        errors.push(("400", "The other server does not answer, or refuses. `message` has the reason."));
    }
    if writes || route.reads_may_conflict {
        errors.push((
            "409",
            "The state of the resource does not allow the request. `reason` identifies the rule.",
        ));
    }
    if !route.bodies.is_empty() {
        errors.push(("408", "The body was not received in time."));
        errors.push(("412", "The resource has changed since the version in `If-Match`."));
        errors.push(("413", "The body is too large."));
        errors.push(("415", "The media type of the body is not supported."));
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
        Content::Media("text/event-stream") => {
            ContentBuilder::new().schema(Some(server_sent_event())).build()
        }
        Content::Media(media) => {
            let mut text = ObjectBuilder::new().schema_type(Type::String);
            if !media.starts_with("text/") {
                // The format is for client generators that support only OpenAPI 3.0.
                text = text
                    .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
                    .content_media_type(if media.contains('*') { "application/octet-stream" } else { media });
            }
            ContentBuilder::new().schema(Some(text)).build()
        }
    }
}

/// Returns the schema of one event, because OpenAPI 3.1 cannot describe a stream of events.
fn server_sent_event() -> ObjectBuilder {
    let text =
        |description| ObjectBuilder::new().schema_type(Type::String).description(Some(description)).build();
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .property("id", text("Position of the stream after the event, for `Last-Event-ID`."))
        .property("event", text("Type of the event."))
        .property("data", text("The event, as JSON."))
        .required("data")
}

fn reference(name: &str) -> utoipa::openapi::Content {
    ContentBuilder::new().schema(Some(Ref::from_schema_name(name))).build()
}
