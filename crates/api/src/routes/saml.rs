//! SAML providers.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::saml::{SamlProvider, SamlProviderCreate, SamlProviderUpdate, SsoLogins};

use super::{delete, get, patch, post};
use crate::route::Access::Needs;
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::saml::{create, delete as remove, get as read, list, logins, update};
    const ALL: &str = "/v1/orgs/{organizationId}/saml";
    const ONE: &str = "/v1/orgs/{organizationId}/saml/{samlProviderId}";
    let (inspect, administer) = (Needs(Action::InspectOrganization), Needs(Action::AdministerOrganization));
    vec![
        get(
            ALL,
            "listSAMLProvidersInOrganizationById",
            inspect,
            "List an organization's SAML providers",
            list::handle,
        )
        .query::<PageQuery>()
        .lists::<SamlProvider>(),
        post(ALL, "createOrganizationSAMLProvider", administer, "Make a SAML provider", create::handle)
            .body::<SamlProviderCreate>()
            .answers::<SamlProvider>(201),
        get(ONE, "getOrganizationSAMLProviderById", inspect, "Get a SAML provider", read::handle)
            .answers::<SamlProvider>(200),
        delete(ONE, "deleteOrganizationSAMLProvider", administer, "Delete a SAML provider", remove::handle)
            .answers_nothing(),
        patch(ONE, "updateOrganizationSAMLProvider", administer, "Change a SAML provider", update::handle)
            .body::<SamlProviderUpdate>()
            .answers::<SamlProvider>(200),
        get(
            "/v1/orgs/{organizationId}/sso",
            "listSSOProviderLoginsInOrganization",
            Needs(Action::ViewOrganization),
            "List the logins that an organization offers",
            logins::handle,
        )
        .answers::<SsoLogins>(200),
    ]
}
