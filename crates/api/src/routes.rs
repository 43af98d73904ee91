//! The route table: every route once, in the order of the reference.

use actix_web::http::Method;
use quire_domain::content::ContentChanges;
use quire_domain::imports::{ImportRequest, ImportResult};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::spaces::{SpaceCreate, SpaceUpdate};
use quire_domain::{ChangeRequest, File, Organization, Revision, Space};

use crate::route::Access::{Needs, Public, SignedIn};
use crate::route::Route;
use crate::service::{docs, health, metrics};
use crate::v1;

/// Every route.
#[must_use]
pub fn routes() -> Vec<Route> {
    [service(), spaces(), content_writes(), imports(), organizations()].into_iter().flatten().collect()
}

fn service() -> Vec<Route> {
    vec![
        get("/healthz", "getHealth", Public, "Whether the process lives", health::live)
            .answers::<health::Health>(200),
        get("/readyz", "getReadiness", Public, "Whether it can work", health::ready)
            .answers::<health::Health>(200),
        get("/metrics", "getMetrics", Public, "Measurements for Prometheus", metrics::handle)
            .answers_media("text/plain; version=0.0.4"),
        get("/v1/openapi.json", "getOpenApiDocument", Public, "This document", docs::document)
            .answers_media("application/json"),
    ]
}

fn spaces() -> Vec<Route> {
    use v1::spaces::{create, get as read, list, update};
    vec![
        get("/v1/spaces/{spaceId}", "getSpaceById", Needs(Action::ViewSpace), "Get a space", read::handle)
            .answers::<Space>(200),
        patch(
            "/v1/spaces/{spaceId}",
            "updateSpaceById",
            Needs(Action::AdministerSpace),
            "Change a space",
            update::handle,
        )
        .body::<SpaceUpdate>()
        .answers::<Space>(200),
        get(
            "/v1/orgs/{organizationId}/spaces",
            "listSpacesInOrganizationById",
            Needs(Action::ViewOrganization),
            "List an organization's spaces",
            list::handle,
        )
        .query::<PageQuery>()
        .lists::<Space>(),
        post(
            "/v1/orgs/{organizationId}/spaces",
            "createSpace",
            Needs(Action::CreateContent),
            "Make a space",
            create::handle,
        )
        .body::<SpaceCreate>()
        .answers::<Space>(201),
    ]
}

fn content_writes() -> Vec<Route> {
    use v1::content::{upload, write};
    use v1::files::download;
    let edits = Needs(Action::EditContent);
    vec![
        post(
            "/v1/spaces/{spaceId}/content",
            "updateSpaceContent",
            edits,
            "Change a space's content",
            write::handle,
        )
        .body::<ContentChanges>()
        .answers::<Revision>(200),
        post(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content",
            "updateChangeRequestContent",
            edits,
            "Change a change request's content",
            write::handle,
        )
        .body::<ContentChanges>()
        .answers::<ChangeRequest>(200),
        post(
            "/v1/spaces/{spaceId}/content/files",
            "uploadFilesToSpace",
            edits,
            "Add files to a space",
            upload::handle,
        )
        .media("multipart/form-data")
        .lists::<File>()
        .created(),
        post(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files",
            "uploadFilesToChangeRequest",
            edits,
            "Add files to a change request",
            upload::handle,
        )
        .media("multipart/form-data")
        .lists::<File>()
        .created(),
        get(
            "/v1/spaces/{spaceId}/files/{blob}/{fileName}",
            "downloadFile",
            Public,
            "Get the bytes of a file",
            download::handle,
        )
        .query::<download::DownloadQuery>()
        .answers_media("*/*"),
    ]
}

fn imports() -> Vec<Route> {
    use v1::imports::space;
    let needed = Needs(Action::EditContent);
    vec![
        post(
            "/v1/spaces/{spaceId}/content/import",
            "importContent",
            needed,
            "Import content below the root",
            space::handle,
        )
        .body::<ImportRequest>()
        .media("multipart/form-data")
        .answers::<ImportResult>(201),
        post(
            "/v1/spaces/{spaceId}/content/page/{pageId}/import",
            "importContentInPageById",
            needed,
            "Import content into a page",
            space::into_page,
        )
        .body::<ImportRequest>()
        .media("multipart/form-data")
        .answers::<ImportResult>(201),
    ]
}

fn organizations() -> Vec<Route> {
    use v1::organizations::{get as read, list};
    vec![
        get(
            "/v1/orgs",
            "listOrganizationsForAuthenticatedUser",
            SignedIn,
            "List your organizations",
            list::handle,
        )
        .query::<PageQuery>()
        .lists::<Organization>(),
        get(
            "/v1/orgs/{organizationId}",
            "getOrganizationById",
            Needs(Action::ViewOrganization),
            "Get an organization",
            read::handle,
        )
        .answers::<Organization>(200),
    ]
}

macro_rules! methods {
    ($($name:ident = $method:ident;)*) => {
        $(fn $name<F, Args>(
            path: &'static str,
            operation: &'static str,
            access: crate::route::Access,
            summary: &'static str,
            handler: F,
        ) -> Route
        where
            F: actix_web::Handler<Args> + Copy + Send + Sync,
            Args: actix_web::FromRequest + 'static,
            F::Output: actix_web::Responder + 'static,
        {
            Route::new(Method::$method, path, operation, access, summary, handler)
        })*
    };
}
methods! {
    get = GET;
    post = POST;
    patch = PATCH;
}
