//! Access of identity providers with SCIM.

use quire_domain::policy::Action;
use quire_domain::scim::{Scim, ScimToken, ScimTokenCreate};

use crate::route::Access::Needs;
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::scim::{create, delete, get};
    const SCIM: Resource = Tag::Sso.at("/v1/orgs/{organizationId}/scim", Some(Object::Organization));
    let (inspect, administer) = (Needs(Action::InspectOrganization), Needs(Action::AdministerOrganization));
    vec![
        Route::get(SCIM, "getScim", inspect, "Get an organization's SCIM access", get::get_scim)
            .answers::<Scim>(200),
        Route::post(
            SCIM,
            "createScimToken",
            administer,
            "Create an organization's SCIM token",
            create::create_scim_token,
        )
        .body::<ScimTokenCreate>()
        .answers::<ScimToken>(201),
        Route::delete(
            SCIM,
            "deleteScimToken",
            administer,
            "Delete an organization's SCIM token",
            delete::delete_scim_token,
        )
        .answers_nothing(),
    ]
}
