//! `GET …/files`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::FileId;
use quire_revision::{FileNode, Tree};
use quire_storage::list::Slice;

use super::path::ContentPath;
use super::query::FilesQuery;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The files, newest first.
pub async fn list_files(
    Caller(caller): Caller,
    Path(place): Path<ContentPath>,
    Query(query): Query<FilesQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (content, tree) = state
        .read(caller, move |reader| Ok(reader.content_with_tree(place.space(), place.selector())?))
        .await?;
    // Bound to the content and not to its revision: an edit while the list is walked doesn't end the walk.
    let space = content.space.id;
    let list = match (place.revision(), &content.change_request) {
        (Some(revision), _) => format!("files of {space} at {revision}"),
        (None, Some(change_request)) => format!("files of {space} in {}", change_request.id),
        (None, None) => format!("files of {space}"),
    };
    let after: Option<FileId> = present::cursor(&list, query.page.as_deref())?;
    let view = place.view(&state, &content, &tree).with_git(query.metadata);
    respond::ok_of_revision(&request, content.revision.id, || {
        let slice = slice(&tree, after, query.limit())?;
        present::list(&list, slice, |file| file.id, |file| Ok(view.file(file)))
    })
}

fn slice(tree: &Tree, after: Option<FileId>, limit: u16) -> ApiResult<Slice<&FileNode>> {
    let mut files = tree.files_after(after);
    let items = files.by_ref().take(usize::from(limit)).collect();
    let total = u64::try_from(tree.file_count()).map_err(ApiError::internal)?;
    Ok(Slice { items, total, has_more: files.next().is_some() })
}
