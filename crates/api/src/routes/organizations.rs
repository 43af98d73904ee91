//! Organizations.

use quire_domain::Organization;
use quire_domain::list::PageQuery;
use quire_domain::organizations::{OrganizationCreate, OrganizationUpdate, OrganizationsByDomain, Subdomain};
use quire_domain::policy::Action;

use crate::route::Access::{Needs, SignedIn};
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::organizations::{by_domain, create, get, list, subdomain, update};
    vec![
        Route::get(
            "/v1/orgs",
            "listOrganizationsForAuthenticatedUser",
            SignedIn,
            "List your organizations",
            list::handle,
        )
        .query::<PageQuery>()
        .lists::<Organization>(),
        Route::post("/v1/orgs", "createOrganization", SignedIn, "Make an organization", create::handle)
            .body::<OrganizationCreate>()
            .answers::<Organization>(201),
        Route::get(
            "/v1/orgs/{organizationId}",
            "getOrganizationById",
            Needs(Action::ViewOrganization),
            "Get an organization",
            get::handle,
        )
        .answers::<Organization>(200),
        Route::patch(
            "/v1/orgs/{organizationId}",
            "updateOrganizationById",
            Needs(Action::AdministerOrganization),
            "Change an organization",
            update::handle,
        )
        .body::<OrganizationUpdate>()
        .answers::<Organization>(200),
        Route::get(
            "/v1/email-domains/{emailDomain}/orgs",
            "getOrganizationsForEmailDomain",
            SignedIn,
            "Find organizations by e-mail domain",
            by_domain::handle,
        )
        .answers::<OrganizationsByDomain>(200),
        Route::get(
            "/v1/subdomains/{subdomain}",
            "getSubdomain",
            SignedIn,
            "Get a subdomain",
            subdomain::handle,
        )
        .answers::<Subdomain>(200),
    ]
}
