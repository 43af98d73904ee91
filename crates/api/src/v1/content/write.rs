//! `POST /v1/spaces/{spaceId}/content` and `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/content`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ChangeRequest;
use quire_domain::content::ContentChanges;
use quire_revision::Tree;
use quire_storage::Tx;
use quire_storage::lookup::{Authorized, ChangeRequestRecord, ContentAt};

use super::place::ContentPlace;
use crate::content::attachments::Attachments;
use crate::content::commit::Write;
use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Makes changes to content: all of them as one new revision, or none. Answers what the content is now: of a space the revision,
/// of a change request the change request.
pub async fn handle(
    Caller(caller): Caller,
    Path(place): Path<ContentPlace>,
    Json(body): Json<ContentChanges>,
    if_match: IfMatch,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let ContentChanges { changes, base } = body;
    let attachments = if Attachments::are_in(&changes) {
        let content = state.read(caller, move |reader| Ok(place.content_to_edit(reader)?)).await?;
        Attachments::collect(&state, content.space.id, &changes).await?
    } else {
        Attachments::default()
    };
    let write = Write { changes, attachments, base, if_match };
    let now = state
        .transact(caller, move |tx| {
            let content = place.content_to_edit(tx)?;
            let tree = write.commit(tx, &content)?.tree;
            Now::find(tx, place, tree)
        })
        .await?;
    now.respond(&request, place, &state)
}

/// The content as it is after a change.
struct Now {
    content: Authorized<ContentAt>,
    tree: Tree,
    merged_from: Option<ChangeRequestRecord>,
}

impl Now {
    fn find(tx: &mut Tx<'_>, place: ContentPlace, tree: Tree) -> ApiResult<Self> {
        let content = place.content(tx)?;
        let merged_from = tx.merged_from(&content)?;
        Ok(Self { content, tree, merged_from })
    }

    fn respond(self, request: &HttpRequest, place: ContentPlace, state: &State) -> ApiResult<HttpResponse> {
        let Self { content, tree, merged_from } = self;
        let change_request = |record: &ChangeRequestRecord| -> ChangeRequest {
            present::change_request(&state.urls, record, content.space.head)
        };
        if let Some(record) = &content.change_request {
            return respond::changed(&change_request(record));
        }
        let merged_from = merged_from.as_ref().map(change_request);
        let view = place.view(state, &content, &tree);
        let revision = present::revision(&view, &content.revision, merged_from);
        respond::changed_to_revision(request, revision.id, &revision)
    }
}
