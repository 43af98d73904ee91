//! Spaces.

use quire_content::reading::Expressions as _;
use quire_domain::Space;
use quire_domain::hierarchy::{ContentMove, ContentTransfer};
use quire_domain::sites::ShareKeyQuery;
use quire_domain::spaces::{Event, SpaceCreate, SpaceListQuery, SpaceUpdate};
use quire_storage::content::hierarchy::PositionKey;
use quire_storage::content::spaces::{DeletedKey, ListedSpace};
use quire_storage::optimistic::commit_draft;

use crate::prelude::*;
use crate::v1::hierarchy::{Destination, recipient};
use crate::visitors::{Claims, ReadableSpace, readable_space};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ONE: Resource = Tag::Spaces.at("/v1/spaces/{spaceId}", Some(Object::Space));
    const DUPLICATE: Resource = Tag::Spaces.at("/v1/spaces/{spaceId}/duplicate", Some(Object::Space));
    const RESTORE: Resource = Tag::Spaces.at("/v1/spaces/{spaceId}/restore", Some(Object::Space));
    const MOVE: Resource = Tag::Spaces.at("/v1/spaces/{spaceId}/move", Some(Object::Space));
    const TRANSFER: Resource = Tag::Spaces.at("/v1/spaces/{spaceId}/transfer", Some(Object::Space));
    const ALL: Resource = Tag::Spaces.at("/v1/orgs/{organizationId}/spaces", Some(Object::Organization));
    let administer = Needs(Action::AdministerSpace);
    let put_elsewhere = NeedsBoth(Action::AdministerSpace, Action::CreateContent);
    vec![
        Route::get(ONE, Needs(Action::ViewSpace), "Get a space", get_space_by_id)
            .query::<ShareKeyQuery>()
            .answers::<Space>(200)
            .for_visitors(),
        Route::delete(ONE, Needs(Event::Delete.required_action()), "Delete a space", delete_space_by_id)
            .answers_nothing(),
        Route::patch(ONE, administer, "Update a space", update_space_by_id)
            .body::<SpaceUpdate>()
            .answers::<Space>(200),
        Route::post(
            DUPLICATE,
            NeedsBoth(Action::ViewSpace, Action::CreateContent),
            "Duplicate a space",
            duplicate_space,
        )
        .answers::<Space>(201),
        Route::post(
            RESTORE,
            Needs(Event::Restore.required_action()),
            "Restore a deleted space",
            restore_space,
        )
        .answers::<Space>(200),
        Route::post(MOVE, put_elsewhere, "Move a space", move_space)
            .body::<ContentMove>()
            .answers::<Space>(200),
        Route::post(TRANSFER, put_elsewhere, "Transfer a space to another organization", transfer_space)
            .body::<ContentTransfer>()
            .answers::<Space>(200),
        Route::get(
            ALL,
            Needs(Action::ViewOrganization),
            "List an organization's spaces",
            list_spaces_in_organization_by_id,
        )
        .query::<PageQuery>()
        .query::<SpaceListQuery>()
        .lists::<Space>(),
        Route::post(ALL, Needs(Action::CreateContent), "Create a space", create_space)
            .body::<SpaceCreate>()
            .answers::<Space>(201),
    ]
}

async fn list_spaces_in_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    Query(SpaceListQuery { deleted }): Query<SpaceListQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    if deleted == Some(true) {
        return deleted_spaces(caller, id, &query, &request, api).await;
    }
    let list = Listing::<PositionKey>::new(format!("spaces of {id}"), &query)?;
    let (after, limit) = list.position();
    let state = api.state.clone();
    let written = state
        .read(caller, move |reader| {
            let slice = reader.spaces_of(id, after.as_ref(), limit)?;
            list.write(slice, ListedSpace::key, |listed| {
                Ok(present::space(&api.state.urls, &listed.space, listed.role))
            })
        })
        .await?;
    written.respond(&request)
}

async fn deleted_spaces(
    caller: Credentials,
    id: OrganizationId,
    query: &PageQuery,
    request: &HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let list = Listing::<DeletedKey>::new(format!("deleted spaces of {id}"), query)?;
    let (after, limit) = list.position();
    let read = api.state.read(caller, move |reader| {
        let organization = reader.organization(id)?.authorize(Action::ViewOrganization)?;
        Ok(reader.deleted_spaces(&organization, after, limit)?)
    });
    let slice = read.await?;
    let urls = &api.state.urls;
    list.respond(
        request,
        slice,
        |listed| DeletedKey::of(&listed.space),
        |listed| Ok(present::space(urls, &listed.space, listed.role)),
    )
}

async fn create_space(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    OptionalJson(body): OptionalJson<SpaceCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let space = state
        .transact(caller, move |tx| {
            tx.organization(id)?.authorize(Action::ViewOrganization)?;
            let destination = Destination::find(tx, id, body.parent)?;
            let space = tx.create_space(destination.as_parent(), body)?;
            Ok(tx.space(space)?.authorize(Action::ViewSpace)?)
        })
        .await?;
    let space = present::space(&state.urls, &space, space.role());
    respond::created(&space.urls.location, &space)
}

async fn get_space_by_id(
    Visiting(caller): Visiting,
    Path(id): Path<SpaceId>,
    Query(query): Query<ShareKeyQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let share_key = query.share_key.into_text()?;
    if let (Some(key), Reading::User(credentials)) = (share_key, &caller) {
        return shared(*credentials, id, key, &request, &state).await;
    }
    let space = match readable_space(&state, &caller, id).await? {
        ReadableSpace::User(space) => present::space(&state.urls, &space, space.role()),
        ReadableSpace::Visitor(shared) => present::visited_space(&state.urls, &shared),
    };
    respond::ok(&request, &space)
}

/// Returns the space as a share link shows it, or as the caller sees it if the key is not valid.
async fn shared(
    caller: Credentials,
    id: SpaceId,
    key: String,
    request: &HttpRequest,
    state: &State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let space = state
        .read(caller, move |reader| {
            let evaluator = Claims::default().evaluator();
            if let Some(shared) = reader.shared_space(id, &key, |condition| evaluator.holds(condition))? {
                return Ok(present::shared_space(&urls, &shared, &key));
            }
            let space = reader.space(id)?.authorize_even_deleted(Action::ViewSpace)?;
            Ok(present::space(&urls, &space, space.role()))
        })
        .await?;
    respond::ok(request, &space)
}

async fn update_space_by_id(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    OptionalJson(body): OptionalJson<SpaceUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    if matches!((&body.emoji, &body.icon), (Patch::Set(_), Patch::Set(_))) {
        return Err(ApiError::invalid_field("icon", "must not be set together with `emoji`"));
    }
    let urls = state.urls.clone();
    let space = state
        .transact(caller, move |tx| {
            let space = tx.space(id)?.authorize(Action::AdministerSpace)?;
            let space = tx.lock_space(space)?;
            if_match.check(&present::space(&urls, &space, space.role()))?;
            Ok(tx.update_space(space, body)?)
        })
        .await?;
    respond::changed(&present::space(&state.urls, &space, space.role()))
}

async fn delete_space_by_id(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let space = tx.space(id)?.authorize_even_deleted(Event::Delete.required_action())?;
            Ok(tx.delete_space(space)?)
        })
        .await?;
    Ok(respond::no_content())
}

async fn restore_space(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    state: State,
) -> ApiResult<HttpResponse> {
    let restored = state
        .transact(caller, move |tx| {
            let space = tx.with_locked_tree(None, |tx| {
                tx.space(id)?.authorize_even_deleted(Event::Restore.required_action())
            })?;
            Ok(tx.restore_space(space)?)
        })
        .await?;
    respond::changed(&present::space(&state.urls, &restored.space, restored.role))
}

async fn duplicate_space(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    state: State,
) -> ApiResult<HttpResponse> {
    // The tree is loaded before the transaction, so that refusals come early.
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

async fn move_space(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    Json(ContentMove { parent, position }): Json<ContentMove>,
    state: State,
) -> ApiResult<HttpResponse> {
    let moved = state
        .transact(caller, move |tx| {
            let space = tx.with_locked_tree(None, |tx| tx.space(id)?.authorize(Action::AdministerSpace))?;
            let destination = Destination::of_move(tx, space.organization, parent, space.parent)?;
            let neighbors = destination.neighbors(tx, position, *id.as_uuid())?;
            Ok(tx.move_space(&space, destination.as_parent(), &neighbors)?)
        })
        .await?;
    respond::changed(&present::space(&state.urls, &moved.space, moved.role))
}

async fn transfer_space(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    Json(ContentTransfer { organization }): Json<ContentTransfer>,
    state: State,
) -> ApiResult<HttpResponse> {
    let transferred = state
        .transact(caller, move |tx| {
            let space = tx.space(id)?.authorize(Action::AdministerSpace)?;
            let recipient = recipient(tx, space.organization, organization)?;
            let space = tx.with_locked_tree(Some(organization), |tx| {
                tx.space(id)?.authorize(Action::AdministerSpace)
            })?;
            Ok(tx.transfer_space(&space, &recipient)?)
        })
        .await?;
    respond::changed(&present::space(&state.urls, &transferred.space, transferred.role))
}
