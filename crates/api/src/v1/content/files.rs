//! `GET …/files`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::FileId;
use quire_revision::{FileNode, Tree};
use quire_storage::list::Slice;

use super::answer::{Asked, Source, answer};
use super::path::ContentPath;
use super::query::FilesQuery;
use crate::api::ApiData;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Query, Reading};
use crate::present;

/// Lists the files, newest first.
pub async fn list_files(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Query(query): Query<FilesQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let list = name(path);
    let (page, limit) = (query.page.clone(), query.limit());
    let asked = Asked { caller, path, git: query.metadata, computed: false };
    let make = move |source: Source<'_, '_>, tree: Tree| {
        let list = match source.content.change_request.filter(|_| path.revision().is_none()) {
            Some(change_request) => format!("{list} in {}", change_request.id),
            None => list.clone(),
        };
        let after: Option<FileId> = present::cursor(&list, page.as_deref())?;
        let slice = slice(&tree, after, limit)?;
        present::list(&list, slice, |file| file.id, |file| Ok(source.view.file(file)))
    };
    answer(asked, &request, &api, |tree| Some(tree.clone()), make).await
}

/// Returns the name of the list in its cursors. It names the content and not its revision, so that cursors stay valid
/// after an edit.
fn name(path: ContentPath) -> String {
    let space = path.space();
    match path.revision() {
        Some(revision) => format!("files of {space} at {revision}"),
        None => format!("files of {space}"),
    }
}

fn slice(tree: &Tree, after: Option<FileId>, limit: u16) -> ApiResult<Slice<&FileNode>> {
    let mut files = tree.files_after(after);
    let items = files.by_ref().take(usize::from(limit)).collect();
    let total = u64::try_from(tree.file_count()).map_err(ApiError::internal)?;
    Ok(Slice { items, total, has_more: files.next().is_some() })
}
