//! `POST /v1/spaces/{spaceId}/content` and `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/content`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::attachments::Attachments;
use quire_content::edits::PastNeeds;
use quire_content::{Seen, Wanted, Written};
use quire_domain::ChangeRequest;
use quire_domain::content::ContentChanges;
use quire_domain::policy::Action;
use quire_revision::diff;
use quire_storage::lookup::ChangeRequestRecord;
use quire_storage::{Reader, Tx};

use super::path::ContentPath;
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::preconditions::IfMatch;
use crate::preferences::Prefer;
use crate::{present, respond};

/// Makes changes to content: all of them as one new revision, or none. Answers of a change request the change request, and of a space
/// the revision with what it changed, or with all that it holds if the caller says `Prefer: return=representation`.
pub async fn write_content(
    Caller(caller): Caller,
    Path(place): Path<ContentPath>,
    Json(body): Json<ContentChanges>,
    if_match: IfMatch,
    prefer: Prefer,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let state = &api.state;
    let ContentChanges { changes, base } = body;
    let needs = PastNeeds::of(&changes);
    let (space, seen) = state
        .read(caller, move |reader| {
            let content = reader.content(place.space(), place.selector())?.authorize(Action::EditContent)?;
            content.require_editable()?;
            Ok((content.space.id, Seen::look(reader, &content, &needs)?))
        })
        .await?;
    let attachments = Attachments::collect(&api.intake(), space, &changes).await?;
    let wanted = Wanted { changes, attachments, base, expected: if_match.revisions().into() };
    let find = move |reader: &mut Reader<'_>| {
        Ok(reader.content(place.space(), place.selector())?.authorize(Action::EditContent)?)
    };
    let end = move |tx: &mut Tx<'_>, written: Written| {
        // A statement only where nothing was changed, and the head is a merge.
        let merged_from = tx.merged_from(&written.content)?;
        Ok((written, merged_from))
    };
    let (written, merged_from) = wanted.write(&**api, caller, seen, find, end).await?;
    let content = &written.content;
    let change_request = |record: &ChangeRequestRecord| -> ChangeRequest {
        present::change_request(&state.urls, record, content.space.head)
    };
    if let Some(record) = &content.change_request {
        return respond::changed(&change_request(record));
    }
    let view = place.view(state, content, &written.tree);
    if !prefer.representation {
        let changes = diff(&written.before, &written.tree);
        let revision = present::new_revision(&view, &content.revision, changes);
        return respond::changed_to_revision(&request, revision.id, &revision);
    }
    let revision = present::revision(&view, &content.revision, merged_from.as_ref().map(change_request));
    respond::changed_to_revision(&request, revision.id, &revision)
}
