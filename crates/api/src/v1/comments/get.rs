//! `GET …/comments/{commentId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::comments::FormatQuery;
use quire_domain::policy::Action;

use super::path::CommentPath;
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::present::Viewer;
use crate::state::State;
use crate::{present, respond};

/// Returns a comment.
pub async fn get_comment(
    Caller(caller): Caller,
    Path(path): Path<CommentPath>,
    Query(query): Query<FormatQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (shown, viewer) = state
        .read(caller, move |reader| {
            let comment = reader.comment(path.space_id, path.of(), path.comment_id, query.format)?;
            let comment = comment.authorize(Action::ViewSpace)?;
            Ok((reader.show_comment(&comment)?, Viewer::of(&comment)))
        })
        .await?;
    respond::ok(&request, &present::comment(&state.urls, shown, viewer))
}
