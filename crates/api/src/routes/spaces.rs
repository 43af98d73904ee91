//! Spaces.

use quire_domain::Space;
use quire_domain::list::PageQuery;
use quire_domain::placement::{ContentMove, ContentTransfer};
use quire_domain::policy::Action;
use quire_domain::sites::ShareKeyQuery;
use quire_domain::spaces::{Event, SpaceCreate, SpaceUpdate};

use crate::route::Access::{Needs, NeedsBoth};
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::spaces::{create, delete, duplicate, get, list, move_to, restore, transfer, update};
    const ALL: Resource = Tag::Spaces.at("/v1/orgs/{organizationId}/spaces", Some(Object::Organization));
    const ONE: Resource = Tag::Spaces.at("/v1/spaces/{spaceId}", Some(Object::Space));
    const DUPLICATE: Resource = Tag::Spaces.at("/v1/spaces/{spaceId}/duplicate", Some(Object::Space));
    const RESTORE: Resource = Tag::Spaces.at("/v1/spaces/{spaceId}/restore", Some(Object::Space));
    const MOVE: Resource = Tag::Spaces.at("/v1/spaces/{spaceId}/move", Some(Object::Space));
    const TRANSFER: Resource = Tag::Spaces.at("/v1/spaces/{spaceId}/transfer", Some(Object::Space));
    let administer = Needs(Action::AdministerSpace);
    let put_elsewhere = NeedsBoth(Action::AdministerSpace, Action::CreateContent);
    vec![
        Route::get(ONE, "getSpaceById", Needs(Action::ViewSpace), "Get a space", get::handle)
            .query::<ShareKeyQuery>()
            .answers::<Space>(200),
        Route::delete(
            ONE,
            "deleteSpaceById",
            Needs(Event::Delete.required_action()),
            "Delete a space",
            delete::handle,
        )
        .answers_nothing(),
        Route::patch(ONE, "updateSpaceById", administer, "Change a space", update::handle)
            .body::<SpaceUpdate>()
            .answers::<Space>(200),
        Route::post(
            DUPLICATE,
            "duplicateSpace",
            NeedsBoth(Action::ViewSpace, Action::CreateContent),
            "Duplicate a space",
            duplicate::handle,
        )
        .answers::<Space>(201),
        Route::post(
            RESTORE,
            "restoreSpace",
            Needs(Event::Restore.required_action()),
            "Restore a deleted space",
            restore::handle,
        )
        .answers::<Space>(200),
        Route::post(MOVE, "moveSpace", put_elsewhere, "Move a space", move_to::handle)
            .body::<ContentMove>()
            .answers::<Space>(200),
        Route::post(
            TRANSFER,
            "transferSpace",
            put_elsewhere,
            "Give a space to another organization",
            transfer::handle,
        )
        .body::<ContentTransfer>()
        .answers::<Space>(200),
        Route::get(
            ALL,
            "listSpacesInOrganizationById",
            Needs(Action::ViewOrganization),
            "List an organization's spaces",
            list::handle,
        )
        .query::<PageQuery>()
        .lists::<Space>(),
        Route::post(ALL, "createSpace", Needs(Action::CreateContent), "Make a space", create::handle)
            .body::<SpaceCreate>()
            .answers::<Space>(201),
    ]
}
