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
            list::list_saml_providers_in_organization_by_id,
        )
        .query::<PageQuery>()
        .lists::<SamlProvider>(),
        Route::post(
            ALL,
            "createOrganizationSAMLProvider",
            administer,
            "Create a SAML provider",
            create::create_organization_saml_provider,
        )
        .body::<SamlProviderCreate>()
        .answers::<SamlProvider>(201),
        Route::get(
            ONE,
            "getOrganizationSAMLProviderById",
            inspect,
            "Get a SAML provider",
            get::get_organization_saml_provider_by_id,
        )
        .answers::<SamlProvider>(200),
        Route::delete(
            ONE,
            "deleteOrganizationSAMLProvider",
            administer,
            "Delete a SAML provider",
            delete::delete_organization_saml_provider,
        )
        .answers_nothing(),
        Route::patch(
            ONE,
            "updateOrganizationSAMLProvider",
            administer,
            "Update a SAML provider",
            update::update_organization_saml_provider,
        )
        .body::<SamlProviderUpdate>()
        .answers::<SamlProvider>(200),
        Route::get(
            Tag::Sso.at("/v1/orgs/{organizationId}/sso", None),
            "listSSOProviderLoginsInOrganization",
            Needs(Action::ViewOrganization),
            "List an organization's login options",
            logins::list_sso_provider_logins_in_organization,
        )
        .answers::<SsoLogins>(200),
    ]
}
