//! Imports.

use quire_domain::imports::{Import, ImportRequest, ImportResult};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::route::Access::Needs;
use crate::route::{Object, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::imports::body::ImportUpload;
    use v1::imports::export::{self, ExportQuery};
    use v1::imports::{cancel, change_request, get, list, space};
    let needed = Needs(Action::EditContent);
    vec![
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content/import", Some(Object::Space)),
            "importContent",
            needed,
            "Import content into a space",
            space::import_content,
        )
        .body::<ImportRequest>()
        .form::<ImportUpload>()
        .answers::<ImportResult>(201)
        .async_response::<Import>(),
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content/page/{pageId}/import", Some(Object::Page)),
            "importContentInPageById",
            needed,
            "Import content into a page",
            space::import_content_in_page_by_id,
        )
        .body::<ImportRequest>()
        .form::<ImportUpload>()
        .answers::<ImportResult>(201)
        .async_response::<Import>(),
        Route::post(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/import",
                Some(Object::ChangeRequest),
            ),
            "importContentInChangeRequest",
            needed,
            "Import content into a change request",
            change_request::import_content_in_change_request,
        )
        .body::<ImportRequest>()
        .form::<ImportUpload>()
        .answers::<ImportResult>(201)
        .async_response::<Import>(),
        Route::post(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/import",
                Some(Object::Page),
            ),
            "importContentInChangeRequestPageById",
            needed,
            "Import content into a change request page",
            change_request::import_content_in_change_request_page_by_id,
        )
        .body::<ImportRequest>()
        .form::<ImportUpload>()
        .answers::<ImportResult>(201)
        .async_response::<Import>(),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/imports", None),
            "listImports",
            Needs(Action::ViewImports),
            "List a space's imports",
            list::list_imports,
        )
        .query::<PageQuery>()
        .lists::<Import>(),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/imports/{importId}", Some(Object::Import)),
            "getImport",
            Needs(Action::ViewImports),
            "Get an import",
            get::get_import,
        )
        .answers::<Import>(200),
        Route::delete(
            Tag::Content.at("/v1/spaces/{spaceId}/imports/{importId}", Some(Object::Import)),
            "cancelImport",
            needed,
            "Cancel an import",
            cancel::cancel_import,
        )
        .answers_nothing(),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/content/export", Some(Object::Space)),
            "exportContent",
            Needs(Action::ViewSpace),
            "Export a space's content",
            export::export_content,
        )
        .query::<ExportQuery>()
        .answers_media("application/zip")
        .audited(),
        Route::get(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/export",
                Some(Object::ChangeRequest),
            ),
            "exportChangeRequestContent",
            Needs(Action::ViewSpace),
            "Export a change request's content",
            export::export_content,
        )
        .query::<ExportQuery>()
        .answers_media("application/zip")
        .audited(),
    ]
}
