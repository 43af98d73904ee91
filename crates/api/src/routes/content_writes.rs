//! Writes of content, and the bytes of files.

use quire_domain::File;
use quire_domain::content::{ContentChanges, NewRevision, WrittenChangeRequest};
use quire_domain::policy::Action;

use crate::route::Access::{Needs, Public};
use crate::route::{Object, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::content::upload::{self, FileUpload};
    use v1::content::write;
    use v1::files::download;
    let edits = Needs(Action::EditContent);
    vec![
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content", Some(Object::Space)),
            "updateSpaceContent",
            edits,
            "Update a space's content",
            write::write_content,
        )
        .body::<ContentChanges>()
        .answers::<NewRevision>(200),
        Route::post(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content",
                Some(Object::ChangeRequest),
            ),
            "updateChangeRequestContent",
            edits,
            "Update a change request's content",
            write::write_content,
        )
        .body::<ContentChanges>()
        .answers::<WrittenChangeRequest>(200),
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content/files", Some(Object::Space)),
            "uploadFilesToSpace",
            edits,
            "Upload files to a space",
            upload::upload_files,
        )
        .form::<FileUpload>()
        .lists::<File>()
        .created(),
        Route::post(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files",
                Some(Object::ChangeRequest),
            ),
            "uploadFilesToChangeRequest",
            edits,
            "Upload files to a change request",
            upload::upload_files,
        )
        .form::<FileUpload>()
        .lists::<File>()
        .created(),
        Route::get(
            Tag::Spaces.at("/v1/spaces/{spaceId}/files/{blob}/{fileName}", None),
            "downloadFile",
            Public,
            "Download a file",
            download::download_file,
        )
        .query::<download::DownloadQuery>()
        .answers_media("*/*"),
    ]
}
