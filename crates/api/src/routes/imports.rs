//! Imports.

use quire_domain::imports::{Import, ImportRequest, ImportResult};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::route::Access::Needs;
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::imports::body::ImportUpload;
    use v1::imports::export::{self, ExportQuery};
    use v1::imports::{cancel, change_request, get, list, space};
    let needed = Needs(Action::EditContent);
    vec![
        Route::post(
            "/v1/spaces/{spaceId}/content/import",
            "importContent",
            needed,
            "Import content below the root",
            space::handle,
        )
        .body::<ImportRequest>()
        .form::<ImportUpload>()
        .answers::<ImportResult>(201)
        .or_later::<Import>(),
        Route::post(
            "/v1/spaces/{spaceId}/content/page/{pageId}/import",
            "importContentInPageById",
            needed,
            "Import content into a page",
            space::into_page,
        )
        .body::<ImportRequest>()
        .form::<ImportUpload>()
        .answers::<ImportResult>(201)
        .or_later::<Import>(),
        Route::post(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/import",
            "importContentInChangeRequest",
            needed,
            "Import content below a change request's root",
            change_request::handle,
        )
        .body::<ImportRequest>()
        .form::<ImportUpload>()
        .answers::<ImportResult>(201)
        .or_later::<Import>(),
        Route::post(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/import",
            "importContentInChangeRequestPageById",
            needed,
            "Import content into a page of a change request",
            change_request::into_page,
        )
        .body::<ImportRequest>()
        .form::<ImportUpload>()
        .answers::<ImportResult>(201)
        .or_later::<Import>(),
        Route::get(
            "/v1/spaces/{spaceId}/imports",
            "listImports",
            Needs(Action::ViewImports),
            "List the imports into a space",
            list::handle,
        )
        .query::<PageQuery>()
        .lists::<Import>(),
        Route::get(
            "/v1/spaces/{spaceId}/imports/{importId}",
            "getImport",
            Needs(Action::ViewImports),
            "Get an import and how far it is",
            get::handle,
        )
        .answers::<Import>(200),
        Route::delete(
            "/v1/spaces/{spaceId}/imports/{importId}",
            "cancelImport",
            needed,
            "Cancel an import",
            cancel::handle,
        )
        .answers_nothing(),
        Route::get(
            "/v1/spaces/{spaceId}/content/export",
            "exportContent",
            Needs(Action::ViewSpace),
            "Export the content as an archive",
            export::handle,
        )
        .query::<ExportQuery>()
        .answers_media("application/zip")
        .audited(),
        Route::get(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/export",
            "exportChangeRequestContent",
            Needs(Action::ViewSpace),
            "Export a change request's content as an archive",
            export::handle,
        )
        .query::<ExportQuery>()
        .answers_media("application/zip")
        .audited(),
    ]
}
