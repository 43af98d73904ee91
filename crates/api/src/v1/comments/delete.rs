//! `DELETE …/comments/{commentId}`

use actix_web::HttpResponse;
use quire_domain::documents::Format;
use quire_domain::policy::Action;

use super::path::CommentPath;
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Deletes a comment with its replies. Allowed for its author and administrators.
pub async fn delete_comment(
    Caller(caller): Caller,
    Path(path): Path<CommentPath>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let comment = tx.comment(path.space_id, path.of(), path.comment_id, Format::Markdown)?;
            let comment = comment.authorize(Action::DeleteComment)?;
            Ok(tx.delete_comment(comment)?)
        })
        .await?;
    Ok(respond::no_content())
}
