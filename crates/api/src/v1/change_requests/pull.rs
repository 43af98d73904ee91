//! `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/update`

use std::sync::Arc;

use actix_web::HttpResponse;
use quire_content::resolutions;
use quire_domain::change_requests::{Event, UpdateOutcome, UpdateRequest, UpdateResult};
use quire_domain::ids::SpaceId;
use quire_revision::Resolution;
use quire_storage::Reader;
use quire_storage::change_requests::{Choice, MergeReport, PreparedMerge};
use quire_storage::content::HeadOf;
use quire_storage::lookup::ChangeRequestKey;
use quire_storage::optimistic::commit_draft;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, OptionalJson, Path};
use crate::state::State;
use crate::{present, respond};

/// Merges the space's content into a change request. Resolutions and the strategy resolve conflicts; without them they
/// are returned and nothing is changed.
pub async fn update_change_request(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    OptionalJson(UpdateRequest { strategy, resolutions, revisions }): OptionalJson<UpdateRequest>,
    state: State,
) -> ApiResult<HttpResponse> {
    let resolution = Resolution::by_choices(resolutions::choices(&resolutions)?).or(strategy);
    let (choice, resolutions) =
        (Choice { resolution, made_for: revisions, bypasses_rules: false }, Arc::new(resolutions));
    let prepare = || {
        let (choice, resolutions) = (choice.clone(), Arc::clone(&resolutions));
        state.read(caller, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Event::Update.required_action())?;
            let prepared = reader.prepare_update(&found, choice.clone())?;
            resolutions::check(&resolutions, &prepared)?;
            Ok(prepared)
        })
    };
    let state = &state;
    let update = |prepared: PreparedMerge| {
        let find = move |reader: &mut Reader<'_>| {
            Ok(reader.change_request(space, key)?.authorize(Event::Update.required_action())?)
        };
        async move {
            // Merges and updates lock the space first.
            let turn = state.turn::<ApiError>((space, HeadOf::Space)).await?;
            state
                .write(caller, turn, find, move |tx, found| Ok(tx.update_from_space(&found, &prepared)?))
                .await
        }
    };
    let report = commit_draft(prepare, update).await?;
    let (revision, result, conflicts, revisions) = match report {
        MergeReport::Done(revision) => (revision, UpdateOutcome::Update, Vec::new(), None),
        MergeReport::Conflicts { heads, conflicts } => {
            (heads.change_request, UpdateOutcome::Conflicts, conflicts, Some(heads))
        }
    };
    let conflicts = present::conflicts(state, space, conflicts)?;
    respond::changed(&UpdateResult { revision, result, conflicts, revisions })
}
