//! Organizations.

use quire_domain::Organization;
use quire_domain::list::PageQuery;
use quire_domain::organizations::{OrganizationCreate, OrganizationUpdate, OrganizationsByDomain, Subdomain};
use quire_domain::policy::{Action, OwnAction};

use crate::route::Access::{Needs, Own, SignedIn};
use crate::route::{Object, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::organizations::{by_domain, create, get, list, subdomain, update};
    vec![
        Route::get(
            Tag::Organizations.at("/v1/orgs", None),
            "listOrganizationsForAuthenticatedUser",
            SignedIn,
            "List the current user's organizations",
            list::list_organizations_for_authenticated_user,
        )
        .query::<PageQuery>()
        .lists::<Organization>(),
        Route::post(
            Tag::Organizations.at("/v1/orgs", None),
            "createOrganization",
            Own(OwnAction::CreateOrganization),
            "Create an organization",
            create::create_organization,
        )
        .body::<OrganizationCreate>()
        .answers::<Organization>(201),
        Route::get(
            Tag::Organizations.at("/v1/orgs/{organizationId}", Some(Object::Organization)),
            "getOrganizationById",
            Needs(Action::ViewOrganization),
            "Get an organization",
            get::get_organization_by_id,
        )
        .answers::<Organization>(200),
        Route::patch(
            Tag::Organizations.at("/v1/orgs/{organizationId}", Some(Object::Organization)),
            "updateOrganizationById",
            Needs(Action::AdministerOrganization),
            "Update an organization",
            update::update_organization_by_id,
        )
        .body::<OrganizationUpdate>()
        .answers::<Organization>(200),
        Route::get(
            Tag::Organizations.at("/v1/email-domains/{emailDomain}/orgs", None),
            "getOrganizationsForEmailDomain",
            SignedIn,
            "Find organizations by e-mail domain",
            by_domain::get_organizations_for_email_domain,
        )
        .answers::<OrganizationsByDomain>(200),
        Route::get(
            Tag::Organizations.at("/v1/subdomains/{subdomain}", None),
            "getSubdomain",
            SignedIn,
            "Get a subdomain",
            subdomain::get_subdomain,
        )
        .answers::<Subdomain>(200),
    ]
}
