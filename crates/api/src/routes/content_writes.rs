//! Writing content, and the bytes of files.

use quire_domain::content::ContentChanges;
use quire_domain::policy::Action;
use quire_domain::revisions::NewRevision;
use quire_domain::{ChangeRequest, File};

use crate::route::Access::{Needs, Public};
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::content::upload::{self, FileUpload};
    use v1::content::write;
    use v1::files::download;
    let edits = Needs(Action::EditContent);
    vec![
        Route::post(
            "/v1/spaces/{spaceId}/content",
            "updateSpaceContent",
            edits,
            "Change a space's content",
            write::handle,
        )
        .body::<ContentChanges>()
        .answers::<NewRevision>(200),
        Route::post(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content",
            "updateChangeRequestContent",
            edits,
            "Change a change request's content",
            write::handle,
        )
        .body::<ContentChanges>()
        .answers::<ChangeRequest>(200),
        Route::post(
            "/v1/spaces/{spaceId}/content/files",
            "uploadFilesToSpace",
            edits,
            "Add files to a space",
            upload::handle,
        )
        .form::<FileUpload>()
        .lists::<File>()
        .created(),
        Route::post(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files",
            "uploadFilesToChangeRequest",
            edits,
            "Add files to a change request",
            upload::handle,
        )
        .form::<FileUpload>()
        .lists::<File>()
        .created(),
        Route::get(
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
