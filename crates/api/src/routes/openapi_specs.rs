//! OpenAPI specifications.

use quire_domain::OpenApiSpec;
use quire_domain::list::PageQuery;
use quire_domain::openapi_specs::{OpenApiSpecCreate, OpenApiSpecPut, OpenApiSpecVersion, SpecContent};
use quire_domain::policy::Action;

use crate::route::Access::Needs;
use crate::route::Route;
use crate::v1::openapi_specs;

pub(super) fn routes() -> Vec<Route> {
    let mut routes = specs();
    routes.extend(versions());
    routes
}

fn specs() -> Vec<Route> {
    vec![
        Route::get(
            "/v1/orgs/{organizationId}/openapi",
            "listOpenAPISpecs",
            Needs(Action::ViewOrganizationContent),
            "List the OpenAPI specifications",
            openapi_specs::list::handle,
        )
        .query::<PageQuery>()
        .lists::<OpenApiSpec>(),
        Route::post(
            "/v1/orgs/{organizationId}/openapi",
            "createOpenAPISpec",
            Needs(Action::CreateOpenApiSpec),
            "Add an OpenAPI specification",
            openapi_specs::create::handle,
        )
        .body::<OpenApiSpecCreate>()
        .answers::<OpenApiSpec>(201),
        Route::get(
            "/v1/orgs/{organizationId}/openapi/{specSlug}",
            "getOpenAPISpecBySlug",
            Needs(Action::ViewOrganizationContent),
            "Get an OpenAPI specification",
            openapi_specs::get::handle,
        )
        .answers::<OpenApiSpec>(200),
        Route::put(
            "/v1/orgs/{organizationId}/openapi/{specSlug}",
            "createOrUpdateOpenAPISpecBySlug",
            Needs(Action::CreateOpenApiSpec),
            "Add an OpenAPI specification, or give it another source",
            openapi_specs::put::handle,
        )
        .body::<OpenApiSpecPut>()
        .answers::<OpenApiSpec>(200)
        .or_created(),
        Route::delete(
            "/v1/orgs/{organizationId}/openapi/{specSlug}",
            "deleteOpenAPISpecBySlug",
            Needs(Action::CreateOpenApiSpec),
            "Delete an OpenAPI specification",
            openapi_specs::delete::handle,
        )
        .answers_nothing(),
    ]
}

fn versions() -> Vec<Route> {
    vec![
        Route::get(
            "/v1/orgs/{organizationId}/openapi/{specSlug}/versions",
            "listOpenAPISpecVersions",
            Needs(Action::ViewOrganizationContent),
            "List the versions of an OpenAPI specification",
            openapi_specs::versions::handle,
        )
        .query::<PageQuery>()
        .lists::<OpenApiSpecVersion>(),
        Route::get(
            "/v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}",
            "getOpenAPISpecVersionById",
            Needs(Action::ViewOrganizationContent),
            "Get a version of an OpenAPI specification",
            openapi_specs::version::handle,
        )
        .answers::<OpenApiSpecVersion>(200),
        Route::get(
            "/v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content",
            "getOpenAPISpecVersionContentById",
            Needs(Action::ViewOrganizationContent),
            "Get what a version of an OpenAPI specification says",
            openapi_specs::content::handle,
        )
        .answers::<SpecContent>(200),
    ]
}
