//! Collections.

use quire_domain::collections::{CollectionCreate, CollectionQuery, CollectionUpdate};
use quire_domain::hierarchy::{ContentMove, ContentTransfer};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::{Collection, Space};

use crate::route::Access::{Needs, NeedsBoth};
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::collections::{create, delete, get, list, move_to, spaces, transfer, update};
    const ALL: Resource =
        Tag::Collections.at("/v1/orgs/{organizationId}/collections", Some(Object::Organization));
    const ONE: Resource = Tag::Collections.at("/v1/collections/{collectionId}", Some(Object::Collection));
    const SPACES: Resource = Tag::Collections.at("/v1/collections/{collectionId}/spaces", None);
    const MOVE: Resource =
        Tag::Collections.at("/v1/collections/{collectionId}/move", Some(Object::Collection));
    const TRANSFER: Resource =
        Tag::Collections.at("/v1/collections/{collectionId}/transfer", Some(Object::Collection));
    let (view, administer) = (Needs(Action::ViewCollection), Needs(Action::AdministerCollection));
    let put_elsewhere = NeedsBoth(Action::AdministerCollection, Action::CreateContent);
    vec![
        Route::get(ONE, "getCollectionById", view, "Get a collection", get::get_collection_by_id)
            .answers::<Collection>(200),
        Route::delete(
            ONE,
            "deleteCollectionById",
            administer,
            "Delete an empty collection",
            delete::delete_collection_by_id,
        )
        .answers_nothing(),
        Route::patch(
            ONE,
            "updateCollectionById",
            administer,
            "Update a collection",
            update::update_collection_by_id,
        )
        .body::<CollectionUpdate>()
        .answers::<Collection>(200),
        Route::get(
            SPACES,
            "listSpacesInCollectionById",
            view,
            "List the spaces in a collection",
            spaces::list_spaces_in_collection_by_id,
        )
        .query::<PageQuery>()
        .lists::<Space>(),
        Route::post(MOVE, "moveCollection", put_elsewhere, "Move a collection", move_to::move_collection)
            .body::<ContentMove>()
            .answers::<Collection>(200),
        Route::post(
            TRANSFER,
            "transferCollection",
            put_elsewhere,
            "Transfer a collection to another organization",
            transfer::transfer_collection,
        )
        .body::<ContentTransfer>()
        .answers::<Collection>(200),
        Route::get(
            ALL,
            "listCollectionsInOrganizationById",
            Needs(Action::ViewOrganization),
            "List an organization's collections",
            list::list_collections_in_organization_by_id,
        )
        .query::<PageQuery>()
        .query::<CollectionQuery>()
        .lists::<Collection>(),
        Route::post(
            ALL,
            "createCollection",
            Needs(Action::CreateContent),
            "Create a collection",
            create::create_collection,
        )
        .body::<CollectionCreate>()
        .answers::<Collection>(201),
    ]
}
