//! OpenAPI specifications.

use quire_domain::OpenApiSpec;
use quire_domain::clock::Timestamp;
use quire_domain::ids::OpenApiSpecVersionId;
use quire_domain::object::{OpenApiSpecTag, OpenApiSpecVersionTag};
use quire_domain::openapi_specs::{OpenApiSpecVersion, SpecPermissions, SpecUrls, SpecVersionUrls};
use quire_domain::policy::Action;
use quire_storage::content::openapi_specs::OpenApiSpecRecord;
use quire_storage::lookup::Authorized;

use crate::urls::Urls;

/// Returns a specification as a member of the organization sees it.
#[must_use]
pub fn openapi_spec(urls: &Urls, record: &Authorized<OpenApiSpecRecord>) -> OpenApiSpec {
    let (organization, slug) = (record.organization, &record.slug);
    OpenApiSpec {
        object: OpenApiSpecTag::Tag,
        id: record.id,
        created_at: record.created_at,
        updated_at: record.updated_at,
        slug: slug.clone(),
        source_url: record.source_url.clone(),
        processing_state: record.state,
        last_version: record.last_version,
        last_processed_at: record.last_processed_at,
        last_process_error_code: record.last_error,
        last_processed_error_count: record.last_error.is_some().into(),
        permissions: SpecPermissions {
            view: record.may(Action::ViewOrganizationContent),
            edit: record.may(Action::CreateOpenApiSpec),
        },
        urls: SpecUrls {
            location: urls.api(format_args!("orgs/{organization}/openapi/{slug}")),
            app: urls.app(format_args!("o/{organization}/openapi/{slug}")),
        },
    }
}

/// Returns a specification as a visitor of a site sees it, without where its text comes from and how that went.
#[must_use]
pub fn visited_openapi_spec(urls: &Urls, record: &Authorized<OpenApiSpecRecord>) -> OpenApiSpec {
    OpenApiSpec {
        source_url: None,
        last_process_error_code: None,
        last_processed_error_count: 0,
        ..openapi_spec(urls, record)
    }
}

/// Returns a version of a specification.
#[must_use]
pub fn openapi_spec_version(
    urls: &Urls,
    spec: &OpenApiSpecRecord,
    (id, created_at): (OpenApiSpecVersionId, Timestamp),
) -> OpenApiSpecVersion {
    let location = version_location(urls, spec, id);
    OpenApiSpecVersion {
        object: OpenApiSpecVersionTag::Tag,
        id,
        created_at,
        url: format!("{location}/content"),
        urls: SpecVersionUrls { location },
    }
}

/// Returns the API URL of a version.
#[must_use]
pub fn version_location(urls: &Urls, spec: &OpenApiSpecRecord, version: OpenApiSpecVersionId) -> String {
    urls.api(format_args!("orgs/{}/openapi/{}/versions/{version}", spec.organization, spec.slug))
}
