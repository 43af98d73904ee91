//! Collections.

use quire_domain::collections::{CollectionCreate, CollectionQuery, CollectionUpdate};
use quire_domain::list::PageQuery;
use quire_domain::placement::{ContentMove, ContentTransfer};
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
        Route::get(ONE, "getCollectionById", view, "Get a collection", get::handle)
            .answers::<Collection>(200),
        Route::delete(ONE, "deleteCollectionById", administer, "Delete an empty collection", delete::handle)
            .answers_nothing(),
        Route::patch(ONE, "updateCollectionById", administer, "Change a collection", update::handle)
            .body::<CollectionUpdate>()
            .answers::<Collection>(200),
        Route::get(
            SPACES,
            "listSpacesInCollectionById",
            view,
            "List the spaces in a collection",
            spaces::handle,
        )
        .query::<PageQuery>()
        .lists::<Space>(),
        Route::post(MOVE, "moveCollection", put_elsewhere, "Move a collection", move_to::handle)
            .body::<ContentMove>()
            .answers::<Collection>(200),
        Route::post(
            TRANSFER,
            "transferCollection",
            put_elsewhere,
            "Give a collection to another organization",
            transfer::handle,
        )
        .body::<ContentTransfer>()
        .answers::<Collection>(200),
        Route::get(
            ALL,
            "listCollectionsInOrganizationById",
            Needs(Action::ViewOrganization),
            "List an organization's collections",
            list::handle,
        )
        .query::<PageQuery>()
        .query::<CollectionQuery>()
        .lists::<Collection>(),
        Route::post(
            ALL,
            "createCollection",
            Needs(Action::CreateContent),
            "Make a collection",
            create::handle,
        )
        .body::<CollectionCreate>()
        .answers::<Collection>(201),
    ]
}
