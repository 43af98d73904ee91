//! SAML providers.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::saml::{SamlProvider, SamlProviderCreate, SamlProviderUpdate, SsoLogins};

use crate::route::Access::Needs;
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::saml::{create, delete, get, list, logins, update};
    const ALL: Resource = Tag::Sso.at("/v1/orgs/{organizationId}/saml", Some(Object::Organization));
    const ONE: Resource =
        Tag::Sso.at("/v1/orgs/{organizationId}/saml/{samlProviderId}", Some(Object::SamlProvider));
    let (inspect, administer) = (Needs(Action::InspectOrganization), Needs(Action::AdministerOrganization));
    vec![
        Route::get(
            ALL,
            "listSAMLProvidersInOrganizationById",
            inspect,
            "List an organization's SAML providers",
            list::handle,
        )
        .query::<PageQuery>()
        .lists::<SamlProvider>(),
        Route::post(
            ALL,
            "createOrganizationSAMLProvider",
            administer,
            "Make a SAML provider",
            create::handle,
        )
        .body::<SamlProviderCreate>()
        .answers::<SamlProvider>(201),
        Route::get(ONE, "getOrganizationSAMLProviderById", inspect, "Get a SAML provider", get::handle)
            .answers::<SamlProvider>(200),
        Route::delete(
            ONE,
            "deleteOrganizationSAMLProvider",
            administer,
            "Delete a SAML provider",
            delete::handle,
        )
        .answers_nothing(),
        Route::patch(
            ONE,
            "updateOrganizationSAMLProvider",
            administer,
            "Change a SAML provider",
            update::handle,
        )
        .body::<SamlProviderUpdate>()
        .answers::<SamlProvider>(200),
        Route::get(
            Tag::Sso.at("/v1/orgs/{organizationId}/sso", None),
            "listSSOProviderLoginsInOrganization",
            Needs(Action::ViewOrganization),
            "List the logins that an organization offers",
            logins::handle,
        )
        .answers::<SsoLogins>(200),
    ]
}
