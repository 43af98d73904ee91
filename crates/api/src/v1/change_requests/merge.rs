//! `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge`

use actix_web::HttpResponse;
use quire_domain::change_requests::{Event, MergeOutcome, MergeResult};
use quire_domain::ids::SpaceId;
use quire_storage::Reader;
use quire_storage::change_requests::{MergeReport, PreparedMerge};
use quire_storage::content::HeadOf;
use quire_storage::drafts::commit_draft;
use quire_storage::lookup::ChangeRequestKey;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Merges a change request into its space, or returns the conflicts and changes nothing.
pub async fn merge_change_request(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    state: State,
) -> ApiResult<HttpResponse> {
    let prepare = || {
        state.read(caller, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Event::Merge.required_action())?;
            Ok(reader.prepare_merge(&found)?)
        })
    };
    let state = &state;
    let merge = |prepared: PreparedMerge| {
        let find = move |reader: &mut Reader<'_>| {
            Ok(reader.change_request(space, key)?.authorize(Event::Merge.required_action())?)
        };
        async move {
            // Merges and updates lock the space first.
            let turn = state.turn::<ApiError>((space, HeadOf::Space)).await?;
            state
                .write(caller, turn, find, move |tx, found| Ok(tx.merge_change_request(&found, &prepared)?))
                .await
        }
    };
    let report = commit_draft(prepare, merge).await?;
    let (revision, result, conflicts) = match report {
        MergeReport::Done(revision) => (revision, MergeOutcome::Merge, Vec::new()),
        MergeReport::Conflicts { head, conflicts } => (head, MergeOutcome::Conflicts, conflicts),
    };
    let conflicts = present::conflicts(state, space, conflicts)?;
    respond::changed(&MergeResult { revision, result, conflicts })
}
