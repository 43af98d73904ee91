//! `POST /v1/spaces/{spaceId}/duplicate`

use actix_web::HttpResponse;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_storage::lookup::ContentSelector;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::v1::placement::Destination;
use crate::{present, respond};

/// A new space with the content that this one has now, behind it.
pub async fn handle(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    state: State,
) -> ApiResult<HttpResponse> {
    let (content, tree) = state
        .read(caller, move |reader| {
            let content = reader.content(id, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
            Destination::around(reader, content.space.organization, content.space.parent)?;
            let tree = reader.tree(&content)?;
            Ok((content, tree))
        })
        .await?;
    let copy = SpaceId::from_uuid(state.storage.ids().uuid());
    let copied = state
        .transact(caller, move |tx| {
            // Who may no longer see the original doesn't get its content either.
            let space = tx.space(id)?.authorize(Action::ViewSpace)?;
            let destination = Destination::around(tx, space.organization, space.parent)?;
            Ok(tx.duplicate_space(&content, &tree, destination.place(), copy)?)
        })
        .await?;
    let space = present::space(&state.urls, &copied.space, copied.role);
    respond::created(&space.urls.location, &space)
}
