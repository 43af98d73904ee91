//! `GET /v1/spaces/{spaceId}/comments`, `GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::comments::CommentListQuery;
use quire_domain::ids::CommentId;
use quire_domain::policy::Action;
use quire_storage::comments::CommentFilter;

use super::path::CommentsPath;
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::present::Viewer;
use crate::state::State;
use crate::{present, respond};

/// Lists the comments of a space or change request, newest first by default.
pub async fn list_comments(
    Caller(caller): Caller,
    Path(path): Path<CommentsPath>,
    Query(query): Query<CommentListQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let limit = query.limit();
    let CommentListQuery { page: cursor, limit: _, order, status, format, target_page, mut authors } = query;
    authors.sort_unstable();
    authors.dedup();
    let list = format!(
        "comments of {} {:?} {order:?} {status:?} {target_page:?} {authors:?}",
        path.space_id,
        path.of()
    );
    let after: Option<CommentId> = present::cursor(&list, cursor.as_deref())?;
    let filter = CommentFilter { status, page: target_page, authors, order, format };
    let (slice, viewer) = state
        .read(caller, move |reader| {
            let content = reader.content(path.space_id, path.of().into())?.authorize(Action::ViewSpace)?;
            Ok((reader.comments_of(&content, &filter, after, limit)?, Viewer::of(&content)))
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |shown| shown.comment.id,
        |shown| Ok(present::comment(&state.urls, shown, viewer)),
    )?;
    respond::ok(&request, &list)
}
