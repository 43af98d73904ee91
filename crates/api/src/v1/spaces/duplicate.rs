//! `POST /v1/spaces/{spaceId}/duplicate`

use actix_web::HttpResponse;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_storage::lookup::ContentSelector;
use quire_storage::optimistic::commit_draft;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::v1::hierarchy::Destination;
use crate::{present, respond};

/// Creates a space with the current content of this one, directly after it.
pub async fn duplicate_space(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    state: State,
) -> ApiResult<HttpResponse> {
    // Loads the tree before the transaction, so that refusals come early.
    let look = || {
        state.read(caller, move |reader| {
            let content = reader.content(id, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
            Destination::around(reader, content.space.organization, content.space.parent)?;
            Ok(reader.tree(&content).map(drop)?)
        })
    };
    let copy = SpaceId::from_uuid(state.storage.ids().uuid());
    let duplicate = |()| {
        state.transact(caller, move |tx| {
            let content = tx.content(id, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
            let destination = Destination::around(tx, content.space.organization, content.space.parent)?;
            let tree = tx.tree(&content)?;
            Ok(tx.duplicate_space(&content, &tree, destination.as_parent(), copy)?)
        })
    };
    let copied = commit_draft(look, duplicate).await?;
    let space = present::space(&state.urls, &copied.space, copied.role);
    respond::created(&space.urls.location, &space)
}
