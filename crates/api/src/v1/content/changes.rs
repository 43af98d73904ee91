//! `GET /v1/spaces/{spaceId}/revisions/{revisionId}/changes`,
//! `GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes`

use actix_web::{HttpRequest, HttpResponse};
use quire_revision::diff;

use super::path::ContentPath;
use super::query::ChangesQuery;
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::respond::{Conditional, ContentAnswer};
use crate::state::State;
use crate::{present, respond};

/// Lists the changes of a revision or of a change request.
pub async fn get_changes(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Query(query): Query<ChangesQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (content, before, after, merged_from, custom_fields) = state
        .read(caller, move |reader| {
            let (content, after) = reader.content_with_tree(path.space(), path.selector())?;
            let before = reader.tree_before(&content)?;
            let merged_from = reader.merged_from(&content)?;
            let custom_fields = reader.custom_field_changes(&content)?;
            Ok((content, before, after, merged_from, custom_fields))
        })
        .await?;
    let merged_from =
        merged_from.map(|record| Box::new(present::change_request(&state.urls, &record, content.space.head)));
    let view = path.view(&state, &content, &after);
    let limit = query.limit();
    let changes = |merged_from| {
        let changes = present::changes(&view, diff(&before, &after), limit, merged_from);
        present::with_custom_fields(changes, custom_fields, limit)
    };
    let revision = content.revision.id;
    match merged_from {
        None => respond::ok_of_revision(&request, revision, || Ok(changes(None))),
        merged_from => {
            let conditional = Conditional::of(&request);
            ContentAnswer::next_to_revision(&conditional, revision, &changes(merged_from))?.respond()
        }
    }
}
