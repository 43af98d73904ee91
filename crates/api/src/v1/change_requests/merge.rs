//! Merges of change requests, and of the current content into them.

use quire_content::resolutions;
use quire_domain::change_requests::{
    Event, MergeOutcome, MergeRequest, MergeResult, UpdateOutcome, UpdateRequest, UpdateResult,
};
use quire_revision::Resolution;
use quire_storage::content::change_requests::{ChangeRequestKey, Choice, MergeReport, PreparedMerge};
use quire_storage::content::store::HeadOf;
use quire_storage::door::TypedDoor;
use quire_storage::optimistic::commit_draft;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const MERGE: Resource = Tag::ChangeRequests
        .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge", Some(Object::ChangeRequest));
    const UPDATE: Resource = Tag::ChangeRequests
        .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/update", Some(Object::ChangeRequest));
    vec![
        Route::post(
            MERGE,
            Needs(Event::Merge.required_action()),
            "Merge a change request",
            merge_change_request,
        )
        .body::<MergeRequest>()
        .answers::<MergeResult>(200),
        Route::post(
            UPDATE,
            Needs(Event::Update.required_action()),
            "Update a change request from its space",
            update_change_request,
        )
        .body::<UpdateRequest>()
        .answers::<UpdateResult>(200),
    ]
}

async fn merge_change_request(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    OptionalJson(MergeRequest { resolutions, revisions, bypass_rules }): OptionalJson<MergeRequest>,
    state: State,
) -> ApiResult<HttpResponse> {
    let resolution = Resolution::by_choices(resolutions::choices(&resolutions)?);
    let choice = Choice { resolution, made_for: revisions, bypasses_rules: bypass_rules };
    let resolutions = Arc::new(resolutions);
    let prepare = || {
        let (choice, resolutions) = (choice.clone(), Arc::clone(&resolutions));
        state.read(caller, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Event::Merge.required_action())?;
            let prepared = reader.prepare_merge(&found, choice.clone())?;
            resolutions::check(&resolutions, &prepared)?;
            Ok(prepared)
        })
    };
    let state = &state;
    let merge = |prepared: PreparedMerge| {
        let find = move |reader: &mut Reader<'_>| {
            Ok(reader.change_request(space, key)?.authorize(Event::Merge.required_action())?)
        };
        async move {
            // Merges and updates lock the space first.
            let turn = state.turn((space, HeadOf::Space)).await?;
            state
                .write(caller, turn, find, move |tx, found| Ok(tx.merge_change_request(&found, &prepared)?))
                .await
        }
    };
    let report = commit_draft(prepare, merge).await?;
    let (revision, result, conflicts, revisions) = match report {
        MergeReport::Done(revision) => (revision, MergeOutcome::Merge, Vec::new(), None),
        MergeReport::Conflicts { heads, conflicts } => {
            (heads.change_request, MergeOutcome::Conflicts, conflicts, Some(heads))
        }
    };
    let conflicts = present::conflicts(state, space, conflicts)?;
    respond::changed(&MergeResult { revision, result, conflicts, revisions })
}

async fn update_change_request(
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
            let turn = state.turn((space, HeadOf::Space)).await?;
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
