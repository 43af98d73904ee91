//! `PUT …/comments/{commentId}`

use actix_web::HttpResponse;
use quire_domain::comments::{CommentUpdate, FormatQuery};
use quire_domain::policy::Action;
use quire_storage::Reader;
use quire_storage::optimistic::commit_draft;

use super::body::ReadUpdate;
use super::path::CommentPath;
use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path, Query};
use crate::preconditions::IfMatch;
use crate::present::Viewer;
use crate::state::State;
use crate::{present, respond};

/// Resolves or reopens a comment, adds and removes reactions, and edits the text, which only the author and
/// administrators may.
pub async fn update_comment(
    Caller(caller): Caller,
    Path(path): Path<CommentPath>,
    Query(query): Query<FormatQuery>,
    OptionalJson(update): OptionalJson<CommentUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let mut is_first = true;
    let draft = || {
        let (is_first, update, state) = (std::mem::take(&mut is_first), update.clone(), &state);
        async move {
            // Documents are compared before the transaction, if the first one turned out to need that.
            if !is_first {
                let show = move |reader: &mut Reader<'_>| {
                    let comment = reader.comment(path.space_id, path.of(), path.comment_id, query.format)?;
                    let comment = comment.authorize(Action::ViewSpace)?;
                    Ok(reader.show_comment(&comment).map(drop)?)
                };
                state.read(caller, show).await?;
            }
            ReadUpdate::read(state, update).await
        }
    };
    let change = |update: ReadUpdate| {
        let (urls, if_match) = (state.urls.clone(), if_match.clone());
        state.transact(caller, move |tx| {
            let found = tx.comment(path.space_id, path.of(), path.comment_id, query.format)?;
            let comment = found.authorize_all(update.actions.iter().chain(&update.resolving))?;
            let changes = update.checked()?;
            let comment = tx.lock_comment(comment, query.format)?;
            let viewer = Viewer::of(&comment);
            if_match.check_with(|| Ok(present::comment(&urls, tx.show_comment(&comment)?, viewer)))?;
            tx.update_comment(&comment, &changes)?;
            let comment = tx.read_again(comment, query.format)?;
            Ok((tx.show_comment(&comment)?, viewer))
        })
    };
    let (shown, viewer) = commit_draft(draft, change).await?;
    respond::changed(&present::comment(&state.urls, shown, viewer))
}
