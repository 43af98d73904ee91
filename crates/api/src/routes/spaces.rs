//! Spaces.

use quire_domain::Space;
use quire_domain::hierarchy::{ContentMove, ContentTransfer};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::sites::ShareKeyQuery;
use quire_domain::spaces::{Event, SpaceCreate, SpaceListQuery, SpaceUpdate};

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
        Route::get(ONE, "getSpaceById", Needs(Action::ViewSpace), "Get a space", get::get_space_by_id)
            .query::<ShareKeyQuery>()
            .answers::<Space>(200)
            .for_visitors(),
        Route::delete(
            ONE,
            "deleteSpaceById",
            Needs(Event::Delete.required_action()),
            "Delete a space",
            delete::delete_space_by_id,
        )
        .answers_nothing(),
        Route::patch(ONE, "updateSpaceById", administer, "Update a space", update::update_space_by_id)
            .body::<SpaceUpdate>()
            .answers::<Space>(200),
        Route::post(
            DUPLICATE,
            "duplicateSpace",
            NeedsBoth(Action::ViewSpace, Action::CreateContent),
            "Duplicate a space",
            duplicate::duplicate_space,
        )
        .answers::<Space>(201),
        Route::post(
            RESTORE,
            "restoreSpace",
            Needs(Event::Restore.required_action()),
            "Restore a deleted space",
            restore::restore_space,
        )
        .answers::<Space>(200),
        Route::post(MOVE, "moveSpace", put_elsewhere, "Move a space", move_to::move_space)
            .body::<ContentMove>()
            .answers::<Space>(200),
        Route::post(
            TRANSFER,
            "transferSpace",
            put_elsewhere,
            "Transfer a space to another organization",
            transfer::transfer_space,
        )
        .body::<ContentTransfer>()
        .answers::<Space>(200),
        Route::get(
            ALL,
            "listSpacesInOrganizationById",
            Needs(Action::ViewOrganization),
            "List an organization's spaces",
            list::list_spaces_in_organization_by_id,
        )
        .query::<PageQuery>()
        .query::<SpaceListQuery>()
        .lists::<Space>(),
        Route::post(ALL, "createSpace", Needs(Action::CreateContent), "Create a space", create::create_space)
            .body::<SpaceCreate>()
            .answers::<Space>(201),
    ]
}
