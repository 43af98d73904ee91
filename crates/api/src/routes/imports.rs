//! Imports.

use quire_domain::imports::{ImportRequest, ImportResult};
use quire_domain::policy::Action;

use super::{get, post};
use crate::route::Access::Needs;
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::imports::export::{self, ExportQuery};
    use v1::imports::{change_request, space};
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
        post(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/import",
            "importContentInChangeRequest",
            needed,
            "Import content below a change request's root",
            change_request::handle,
        )
        .body::<ImportRequest>()
        .media("multipart/form-data")
        .answers::<ImportResult>(201),
        post(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/import",
            "importContentInChangeRequestPageById",
            needed,
            "Import content into a page of a change request",
            change_request::into_page,
        )
        .body::<ImportRequest>()
        .media("multipart/form-data")
        .answers::<ImportResult>(201),
        get(
            "/v1/spaces/{spaceId}/content/export",
            "exportContent",
            Needs(Action::ViewSpace),
            "Export the content as an archive",
            export::handle,
        )
        .query::<ExportQuery>()
        .answers_media("application/zip"),
        get(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/export",
            "exportChangeRequestContent",
            Needs(Action::ViewSpace),
            "Export a change request's content as an archive",
            export::handle,
        )
        .query::<ExportQuery>()
        .answers_media("application/zip"),
    ]
}
