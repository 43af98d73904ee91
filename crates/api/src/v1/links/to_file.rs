//! `GET …/content/files/{fileId}/backlinks`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::FileId;
use quire_domain::list::PageQuery;
use quire_revision::EntryId;
use serde::Deserialize;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::respond;
use crate::state::State;
use crate::v1::content::path::ContentPath;

/// Path parameters: the file of the content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    file_id: FileId,
}

/// Lists the locations that link to a file, newest pages first.
pub async fn list_file_backlinks(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Path(Item { file_id }): Path<Item>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    respond::ok(&request, &super::backlinks(caller, path, EntryId::File(file_id), &query, &state).await?)
}
