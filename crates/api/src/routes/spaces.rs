//! Spaces.

use quire_domain::Space;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::sites::ShareKeyQuery;
use quire_domain::spaces::{SpaceCreate, SpaceUpdate};

use super::{get, patch, post};
use crate::route::Access::Needs;
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::spaces::{create, get as read, list, update};
    vec![
        get("/v1/spaces/{spaceId}", "getSpaceById", Needs(Action::ViewSpace), "Get a space", read::handle)
            .query::<ShareKeyQuery>()
            .answers::<Space>(200),
        patch(
            "/v1/spaces/{spaceId}",
            "updateSpaceById",
            Needs(Action::AdministerSpace),
            "Change a space",
            update::handle,
        )
        .body::<SpaceUpdate>()
        .answers::<Space>(200),
        get(
            "/v1/orgs/{organizationId}/spaces",
            "listSpacesInOrganizationById",
            Needs(Action::ViewOrganization),
            "List an organization's spaces",
            list::handle,
        )
        .query::<PageQuery>()
        .lists::<Space>(),
        post(
            "/v1/orgs/{organizationId}/spaces",
            "createSpace",
            Needs(Action::CreateContent),
            "Make a space",
            create::handle,
        )
        .body::<SpaceCreate>()
        .answers::<Space>(201),
    ]
}
