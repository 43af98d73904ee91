//! OpenAPI specifications of an organization.

mod path;

use quire_domain::OpenApiSpec;
use quire_domain::openapi_specs::{
    OpenApiSpecCreate, OpenApiSpecPut, OpenApiSpecVersion, SpecContent, SpecContentRaw, SpecContentUrls,
    SpecFile, SpecSlug,
};
use quire_markup::openapi::to_json;
use serde_json::value::RawValue;

use crate::prelude::*;
use crate::v1::openapi_specs::path::{SpecPath, VersionItem};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi", Some(Object::Organization)),
            Needs(Action::ViewOrganizationContent),
            "List OpenAPI specifications",
            list_open_api_specs,
        )
        .query::<PageQuery>()
        .lists::<OpenApiSpec>(),
        Route::post(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi", Some(Object::Organization)),
            Needs(Action::CreateOpenApiSpec),
            "Create an OpenAPI specification",
            create_open_api_spec,
        )
        .body::<OpenApiSpecCreate>()
        .answers::<OpenApiSpec>(201),
        Route::get(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi/{specSlug}", Some(Object::OpenApiSpec)),
            Needs(Action::ViewOrganizationContent),
            "Get an OpenAPI specification",
            get_open_api_spec_by_slug,
        )
        .answers::<OpenApiSpec>(200)
        .for_visitors(),
        Route::put(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi/{specSlug}", Some(Object::OpenApiSpec)),
            Needs(Action::CreateOpenApiSpec),
            "Create or update an OpenAPI specification",
            create_or_update_open_api_spec_by_slug,
        )
        .body::<OpenApiSpecPut>()
        .answers::<OpenApiSpec>(200)
        .may_create(),
        Route::delete(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi/{specSlug}", Some(Object::OpenApiSpec)),
            Needs(Action::CreateOpenApiSpec),
            "Delete an OpenAPI specification",
            delete_open_api_spec_by_slug,
        )
        .answers_nothing(),
        Route::get(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi/{specSlug}/versions", None),
            Needs(Action::ViewOrganizationContent),
            "List versions of an OpenAPI specification",
            list_open_api_spec_versions,
        )
        .query::<PageQuery>()
        .lists::<OpenApiSpecVersion>()
        .for_visitors(),
        Route::get(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}", None),
            Needs(Action::ViewOrganizationContent),
            "Get a version of an OpenAPI specification",
            get_open_api_spec_version_by_id,
        )
        .answers::<OpenApiSpecVersion>(200)
        .for_visitors(),
        Route::get(
            Tag::OpenApiSpecs
                .at("/v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content", None),
            Needs(Action::ViewOrganizationContent),
            "Get the content of a specification version",
            get_open_api_spec_version_content_by_id,
        )
        .answers::<SpecContent>(200)
        .for_visitors(),
        Route::get(
            Tag::OpenApiSpecs
                .at("/v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content/raw", None),
            Needs(Action::ViewOrganizationContent),
            "Get the source of a specification version",
            get_open_api_spec_version_content_raw_by_id,
        )
        .answers::<SpecContentRaw>(200)
        .for_visitors(),
    ]
}

async fn list_open_api_specs(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<OpenApiSpecId>::new(format!("openapi specs of {id}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganizationContent)?;
            Ok(reader.openapi_specs(&organization, after, limit)?)
        })
        .await?;
    list.respond(&request, slice, |spec| spec.id, |spec| Ok(present::openapi_spec(&state.urls, &spec)))
}

async fn create_open_api_spec(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(body): Json<OpenApiSpecCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let OpenApiSpecCreate { slug, source } = body;
    let spec = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::CreateOpenApiSpec)?;
            Ok(tx.create_openapi_spec(&organization, &slug, &source)?)
        })
        .await?;
    let spec = present::openapi_spec(&state.urls, &spec);
    respond::created(&spec.urls.location, &spec)
}

async fn get_open_api_spec_by_slug(
    caller: Reading,
    Path(path): Path<SpecPath>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let is_visitor = caller.visitor().is_some();
    let spec = state.read(caller.credentials(), move |reader| path.readable(reader, &caller)).await?;
    let spec = match is_visitor {
        true => present::visited_openapi_spec(&state.urls, &spec),
        false => present::openapi_spec(&state.urls, &spec),
    };
    respond::ok(&request, &spec)
}

/// Creates the specification if it does not exist, so an invalid slug is 400 instead of 404.
async fn create_or_update_open_api_spec_by_slug(
    Caller(caller): Caller,
    Path((organization_id, spec_slug)): Path<(OrganizationId, String)>,
    Json(body): Json<OpenApiSpecPut>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let slug = spec_slug.parse::<SpecSlug>();
    let urls = state.urls.clone();
    let (spec, is_new) = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization_id)?.authorize(Action::CreateOpenApiSpec)?;
            let slug = slug.map_err(|error| {
                let field = "specSlug".to_owned();
                ApiError::new(Reason::InvalidPath)
                    .with_details(vec![FieldError { field, message: error.to_string() }])
            })?;
            tx.put_openapi_spec(&organization, &slug, &body.source, |present| match present {
                Some(present) => if_match.check(&present::openapi_spec(&urls, present)),
                None => if_match.check_absent(),
            })
        })
        .await?;
    let spec = present::openapi_spec(&state.urls, &spec);
    if is_new { respond::created(&spec.urls.location, &spec) } else { respond::changed(&spec) }
}

async fn delete_open_api_spec_by_slug(
    Caller(caller): Caller,
    Path(path): Path<SpecPath>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let spec = path.spec(tx, Action::CreateOpenApiSpec)?;
            Ok(tx.delete_openapi_spec(spec)?)
        })
        .await?;
    Ok(respond::no_content())
}

async fn list_open_api_spec_versions(
    caller: Reading,
    Path(path): Path<SpecPath>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<OpenApiSpecVersionId>::new(format!("versions of {path:?}"), &query)?;
    let (after, limit) = list.position();
    let (spec, slice) = state
        .read(caller.credentials(), move |reader| {
            let spec = path.readable(reader, &caller)?;
            let slice = reader.openapi_spec_versions(&spec, after, limit)?;
            Ok((spec, slice))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |(id, _)| *id,
        |version| Ok(present::openapi_spec_version(&state.urls, &spec, version)),
    )
}

async fn get_open_api_spec_version_by_id(
    caller: Reading,
    Path(path): Path<SpecPath>,
    Path(VersionItem { version_id }): Path<VersionItem>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (spec, version) = state
        .read(caller.credentials(), move |reader| {
            let spec = path.readable(reader, &caller)?;
            let version = reader.openapi_spec_version(&spec, version_id)?;
            Ok((spec, version))
        })
        .await?;
    respond::ok(&request, &present::openapi_spec_version(&state.urls, &spec, version))
}

async fn get_open_api_spec_version_content_by_id(
    caller: Reading,
    Path(path): Path<SpecPath>,
    Path(VersionItem { version_id }): Path<VersionItem>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (spec, version, content) = state
        .read(caller.credentials(), move |reader| {
            let spec = path.readable(reader, &caller)?;
            let (version, _) = reader.openapi_spec_version(&spec, version_id)?;
            let content = reader.openapi_spec_content(&spec, version)?;
            Ok((spec, version, content))
        })
        .await?;
    let url = format!("{}/content", present::version_location(&state.urls, &spec, version));
    let content = state
        .compute(move |_| {
            // A processed version can be parsed, so an error is a fault of the service.
            let (_, json) = to_json(&content.source).map_err(ApiError::internal)?;
            let file = SpecFile {
                dir: ".".to_owned(),
                is_entrypoint: true,
                references: Vec::new(),
                filename: "openapi.json".to_owned(),
                specification: RawValue::from_string(json.into_owned()).map_err(ApiError::internal)?,
            };
            let urls = SpecContentUrls { source: url, public: None };
            Ok(SpecContent { urls, filesystem: vec![file], format: content.format, text: content.source })
        })
        .await?;
    respond::ok(&request, &content)
}

async fn get_open_api_spec_version_content_raw_by_id(
    caller: Reading,
    Path(path): Path<SpecPath>,
    Path(VersionItem { version_id }): Path<VersionItem>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let content = state
        .read(caller.credentials(), move |reader| {
            let spec = path.readable(reader, &caller)?;
            let (version, _) = reader.openapi_spec_version(&spec, version_id)?;
            Ok(reader.openapi_spec_content(&spec, version)?)
        })
        .await?;
    respond::ok(&request, &SpecContentRaw { text: content.source, format: content.format })
}
