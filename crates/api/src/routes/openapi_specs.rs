//! OpenAPI specifications.

use quire_domain::OpenApiSpec;
use quire_domain::list::PageQuery;
use quire_domain::openapi_specs::{
    OpenApiSpecCreate, OpenApiSpecPut, OpenApiSpecVersion, SpecContent, SpecContentRaw,
};
use quire_domain::policy::Action;

use crate::route::Access::Needs;
use crate::route::{Object, Route, Tag};
use crate::v1::openapi_specs;

pub(super) fn routes() -> Vec<Route> {
    let mut routes = specs();
    routes.extend(versions());
    routes
}

fn specs() -> Vec<Route> {
    vec![
        Route::get(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi", Some(Object::Organization)),
            "listOpenAPISpecs",
            Needs(Action::ViewOrganizationContent),
            "List OpenAPI specifications",
            openapi_specs::list::list_open_api_specs,
        )
        .query::<PageQuery>()
        .lists::<OpenApiSpec>(),
        Route::post(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi", Some(Object::Organization)),
            "createOpenAPISpec",
            Needs(Action::CreateOpenApiSpec),
            "Create an OpenAPI specification",
            openapi_specs::create::create_open_api_spec,
        )
        .body::<OpenApiSpecCreate>()
        .answers::<OpenApiSpec>(201),
        Route::get(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi/{specSlug}", Some(Object::OpenApiSpec)),
            "getOpenAPISpecBySlug",
            Needs(Action::ViewOrganizationContent),
            "Get an OpenAPI specification",
            openapi_specs::get::get_open_api_spec_by_slug,
        )
        .answers::<OpenApiSpec>(200)
        .for_visitors(),
        Route::put(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi/{specSlug}", Some(Object::OpenApiSpec)),
            "createOrUpdateOpenAPISpecBySlug",
            Needs(Action::CreateOpenApiSpec),
            "Create or update an OpenAPI specification",
            openapi_specs::put::create_or_update_open_api_spec_by_slug,
        )
        .body::<OpenApiSpecPut>()
        .answers::<OpenApiSpec>(200)
        .may_create(),
        Route::delete(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi/{specSlug}", Some(Object::OpenApiSpec)),
            "deleteOpenAPISpecBySlug",
            Needs(Action::CreateOpenApiSpec),
            "Delete an OpenAPI specification",
            openapi_specs::delete::delete_open_api_spec_by_slug,
        )
        .answers_nothing(),
    ]
}

fn versions() -> Vec<Route> {
    vec![
        Route::get(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi/{specSlug}/versions", None),
            "listOpenAPISpecVersions",
            Needs(Action::ViewOrganizationContent),
            "List versions of an OpenAPI specification",
            openapi_specs::versions::list_open_api_spec_versions,
        )
        .query::<PageQuery>()
        .lists::<OpenApiSpecVersion>()
        .for_visitors(),
        Route::get(
            Tag::OpenApiSpecs.at("/v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}", None),
            "getOpenAPISpecVersionById",
            Needs(Action::ViewOrganizationContent),
            "Get a version of an OpenAPI specification",
            openapi_specs::version::get_open_api_spec_version_by_id,
        )
        .answers::<OpenApiSpecVersion>(200)
        .for_visitors(),
        Route::get(
            Tag::OpenApiSpecs
                .at("/v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content", None),
            "getOpenAPISpecVersionContentById",
            Needs(Action::ViewOrganizationContent),
            "Get the content of a specification version",
            openapi_specs::content::get_open_api_spec_version_content_by_id,
        )
        .answers::<SpecContent>(200)
        .for_visitors(),
        Route::get(
            Tag::OpenApiSpecs
                .at("/v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content/raw", None),
            "getOpenAPISpecVersionContentRawById",
            Needs(Action::ViewOrganizationContent),
            "Get the source of a specification version",
            openapi_specs::content::get_open_api_spec_version_content_raw_by_id,
        )
        .answers::<SpecContentRaw>(200)
        .for_visitors(),
    ]
}
