//! Collections.

use quire_domain::collections::{CollectionCreate, CollectionQuery, CollectionUpdate, DEFAULT_TITLE};
use quire_domain::hierarchy::{ContentMove, ContentTransfer};
use quire_domain::{Collection, Space};
use quire_storage::content::collections::ListedCollection;
use quire_storage::content::hierarchy::PositionKey;
use quire_storage::content::spaces::ListedSpace;

use crate::prelude::*;
use crate::v1::hierarchy::{Destination, recipient};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ONE: Resource = Tag::Collections.at("/v1/collections/{collectionId}", Some(Object::Collection));
    const SPACES: Resource = Tag::Collections.at("/v1/collections/{collectionId}/spaces", None);
    const MOVE: Resource =
        Tag::Collections.at("/v1/collections/{collectionId}/move", Some(Object::Collection));
    const TRANSFER: Resource =
        Tag::Collections.at("/v1/collections/{collectionId}/transfer", Some(Object::Collection));
    const ALL: Resource =
        Tag::Collections.at("/v1/orgs/{organizationId}/collections", Some(Object::Organization));
    let view = Needs(Action::ViewCollection);
    let administer = Needs(Action::AdministerCollection);
    let put_elsewhere = NeedsBoth(Action::AdministerCollection, Action::CreateContent);
    vec![
        Route::get(ONE, view, "Get a collection", get_collection_by_id).answers::<Collection>(200),
        Route::delete(ONE, administer, "Delete an empty collection", delete_collection_by_id)
            .answers_nothing(),
        Route::patch(ONE, administer, "Update a collection", update_collection_by_id)
            .body::<CollectionUpdate>()
            .answers::<Collection>(200),
        Route::get(SPACES, view, "List the spaces in a collection", list_spaces_in_collection_by_id)
            .query::<PageQuery>()
            .lists::<Space>(),
        Route::post(MOVE, put_elsewhere, "Move a collection", move_collection)
            .body::<ContentMove>()
            .answers::<Collection>(200),
        Route::post(
            TRANSFER,
            put_elsewhere,
            "Transfer a collection to another organization",
            transfer_collection,
        )
        .body::<ContentTransfer>()
        .answers::<Collection>(200),
        Route::get(
            ALL,
            Needs(Action::ViewOrganization),
            "List an organization's collections",
            list_collections_in_organization_by_id,
        )
        .query::<PageQuery>()
        .query::<CollectionQuery>()
        .lists::<Collection>(),
        Route::post(ALL, Needs(Action::CreateContent), "Create a collection", create_collection)
            .body::<CollectionCreate>()
            .answers::<Collection>(201),
    ]
}

async fn list_collections_in_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    Query(CollectionQuery { nested }): Query<CollectionQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<PositionKey>::new(format!("collections of {id}, nested {nested}"), &page)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganization)?;
            Ok(reader.collections_of(&organization, nested, after.clone(), limit)?)
        })
        .await?;
    list.respond(&request, slice, ListedCollection::key, |listed| {
        Ok(present::collection(&state.urls, &listed.collection, listed.role))
    })
}

async fn create_collection(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    OptionalJson(CollectionCreate { title, parent }): OptionalJson<CollectionCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let title = title.into_text()?.unwrap_or_else(|| DEFAULT_TITLE.to_owned());
    let made = state
        .transact(caller, move |tx| {
            tx.organization(id)?.authorize(Action::ViewOrganization)?;
            let destination = Destination::find(tx, id, parent)?;
            Ok(tx.create_collection(destination.as_parent(), &title)?)
        })
        .await?;
    let collection = present::collection(&state.urls, &made.collection, made.role);
    respond::created(&collection.urls.location, &collection)
}

async fn get_collection_by_id(
    Caller(caller): Caller,
    Path(id): Path<CollectionId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let collection = state
        .read(caller, move |reader| Ok(reader.collection(id)?.authorize(Action::ViewCollection)?))
        .await?;
    respond::ok(&request, &present::collection(&state.urls, &collection, collection.role()))
}

async fn update_collection_by_id(
    Caller(caller): Caller,
    Path(id): Path<CollectionId>,
    OptionalJson(body): OptionalJson<CollectionUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let collection = state
        .transact(caller, move |tx| {
            let collection = tx.collection(id)?.authorize(Action::AdministerCollection)?;
            let collection = tx.lock_collection(collection)?;
            if_match.check(&present::collection(&urls, &collection, collection.role()))?;
            Ok(tx.update_collection(collection, body)?)
        })
        .await?;
    respond::changed(&present::collection(&state.urls, &collection, collection.role()))
}

async fn delete_collection_by_id(
    Caller(caller): Caller,
    Path(id): Path<CollectionId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let collection =
                tx.with_locked_tree(None, |tx| tx.collection(id)?.authorize(Action::AdministerCollection))?;
            Ok(tx.delete_collection(&collection)?)
        })
        .await?;
    Ok(respond::no_content())
}

async fn list_spaces_in_collection_by_id(
    Caller(caller): Caller,
    Path(id): Path<CollectionId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let list = Listing::<PositionKey>::new(format!("spaces in {id}"), &query)?;
    let (after, limit) = list.position();
    let state = api.state.clone();
    let written = state
        .read(caller, move |reader| {
            let collection = reader.collection(id)?.authorize(Action::ViewCollection)?;
            let slice = reader.spaces_in(&collection, after.as_ref(), limit)?;
            list.write(slice, ListedSpace::key, |listed| {
                Ok(present::space(&api.state.urls, &listed.space, listed.role))
            })
        })
        .await?;
    written.respond(&request)
}

async fn move_collection(
    Caller(caller): Caller,
    Path(id): Path<CollectionId>,
    Json(ContentMove { parent, position }): Json<ContentMove>,
    state: State,
) -> ApiResult<HttpResponse> {
    let moved = state
        .transact(caller, move |tx| {
            let collection =
                tx.with_locked_tree(None, |tx| tx.collection(id)?.authorize(Action::AdministerCollection))?;
            let destination = Destination::of_move(tx, collection.organization, parent, collection.parent)?;
            let neighbors = destination.neighbors(tx, position, *id.as_uuid())?;
            Ok(tx.move_collection(&collection, destination.as_parent(), &neighbors)?)
        })
        .await?;
    respond::changed(&present::collection(&state.urls, &moved.collection, moved.role))
}

async fn transfer_collection(
    Caller(caller): Caller,
    Path(id): Path<CollectionId>,
    Json(ContentTransfer { organization }): Json<ContentTransfer>,
    state: State,
) -> ApiResult<HttpResponse> {
    let transferred = state
        .transact(caller, move |tx| {
            let collection = tx.collection(id)?.authorize(Action::AdministerCollection)?;
            let recipient = recipient(tx, collection.organization, organization)?;
            let collection = tx.with_locked_tree(Some(organization), |tx| {
                tx.collection(id)?.authorize(Action::AdministerCollection)
            })?;
            Ok(tx.transfer_collection(&collection, &recipient)?)
        })
        .await?;
    respond::changed(&present::collection(&state.urls, &transferred.collection, transferred.role))
}
