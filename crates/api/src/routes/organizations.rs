//! Organizations.

use quire_domain::Organization;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use super::get;
use crate::route::Access::{Needs, SignedIn};
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::organizations::{get as read, list};
    vec![
        get(
            "/v1/orgs",
            "listOrganizationsForAuthenticatedUser",
            SignedIn,
            "List your organizations",
            list::handle,
        )
        .query::<PageQuery>()
        .lists::<Organization>(),
        get(
            "/v1/orgs/{organizationId}",
            "getOrganizationById",
            Needs(Action::ViewOrganization),
            "Get an organization",
            read::handle,
        )
        .answers::<Organization>(200),
    ]
}
