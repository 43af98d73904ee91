//! Integrations and their installations.

use quire_domain::integrations::{
    Installation, InstallationCreate, InstallationUpdate, InstalledIntegration, Integration,
    IntegrationPublish, IntegrationQuery, SiteInstallation, SiteInstallationCreate, SiteInstallationUpdate,
    SpaceInstallation, SpaceInstallationCreate, SpaceInstallationUpdate,
};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::route::Access::{Needs, NeedsAlso, NeedsBoth, NeedsInBody, Public, SignedIn};
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    let mut routes = integrations();
    routes.extend(installations());
    routes.extend(on_spaces());
    routes.extend(on_sites());
    routes
}

fn integrations() -> Vec<Route> {
    use v1::integrations::{get, image, list, publish, unpublish};
    const ONE: Resource =
        Tag::Integrations.at("/v1/integrations/{integrationName}", Some(Object::Integration));
    vec![
        Route::get(
            Tag::Integrations.at("/v1/integrations", None),
            "listIntegrations",
            SignedIn,
            "List integrations",
            list::list_integrations,
        )
        .query::<PageQuery>()
        .query::<IntegrationQuery>()
        .lists::<Integration>(),
        Route::get(
            Tag::Integrations.at("/v1/orgs/{organizationId}/integrations", None),
            "listOrganizationIntegrations",
            Needs(Action::ListIntegrations),
            "List an organization's available integrations",
            list::list_organization_integrations,
        )
        .query::<PageQuery>()
        .query::<IntegrationQuery>()
        .lists::<Integration>(),
        Route::get(ONE, "getIntegrationByName", SignedIn, "Get an integration", get::get_integration_by_name)
            .answers::<Integration>(200),
        Route::post(
            ONE,
            "publishIntegration",
            NeedsInBody(Action::AdministerOrganization),
            "Publish an integration",
            publish::publish_integration,
        )
        .body::<IntegrationPublish>()
        .answers::<Integration>(200)
        .may_create(),
        Route::delete(
            ONE,
            "unpublishIntegration",
            Needs(Action::AdministerOrganization),
            "Unpublish an integration",
            unpublish::unpublish_integration,
        )
        .answers_nothing(),
        Route::get(
            Tag::Integrations.at("/v1/integrations/{integrationName}/images/{imageHash}", None),
            "getIntegrationImage",
            Public,
            "Get an image of an integration",
            image::get_integration_image,
        )
        .answers_media("image/*"),
    ]
}

fn installations() -> Vec<Route> {
    use v1::integrations::installations::{create, delete, get, list, update};
    const ALL: Resource =
        Tag::Integrations.at("/v1/integrations/{integrationName}/installations", Some(Object::Integration));
    const ONE: Resource = Tag::Integrations
        .at("/v1/integrations/{integrationName}/installations/{installationId}", Some(Object::Installation));
    let (view, administer) = (Needs(Action::ListIntegrations), Needs(Action::AdministerOrganization));
    vec![
        Route::get(
            Tag::Integrations.at("/v1/orgs/{organizationId}/installations", None),
            "listOrganizationInstallations",
            view,
            "List an organization's installations",
            list::list_organization_installations,
        )
        .query::<PageQuery>()
        .lists::<InstalledIntegration>(),
        Route::post(
            ALL,
            "installIntegration",
            administer,
            "Install an integration",
            create::install_integration,
        )
        .body::<InstallationCreate>()
        .answers::<Installation>(201),
        Route::get(
            ONE,
            "getIntegrationInstallationById",
            view,
            "Get an installation",
            get::get_integration_installation_by_id,
        )
        .answers::<Installation>(200),
        Route::patch(
            ONE,
            "updateIntegrationInstallation",
            administer,
            "Update an installation",
            update::update_integration_installation,
        )
        .body::<InstallationUpdate>()
        .answers::<Installation>(200),
        Route::delete(
            ONE,
            "uninstallIntegration",
            administer,
            "Uninstall an integration",
            delete::uninstall_integration,
        )
        .answers_nothing(),
    ]
}

fn on_spaces() -> Vec<Route> {
    use v1::integrations::installations::space_installations;
    const ALL: Resource = Tag::Integrations.at(
        "/v1/integrations/{integrationName}/installations/{installationId}/spaces",
        Some(Object::Installation),
    );
    const ONE: Resource = Tag::Integrations.at(
        "/v1/integrations/{integrationName}/installations/{installationId}/spaces/{spaceId}",
        Some(Object::Space),
    );
    let administer = NeedsBoth(Action::AdministerSpace, Action::ListIntegrations);
    vec![
        Route::get(
            ALL,
            "listIntegrationInstallationSpaces",
            Needs(Action::InspectOrganization),
            "List an installation's spaces",
            space_installations::list_integration_installation_spaces,
        )
        .query::<PageQuery>()
        .lists::<SpaceInstallation>(),
        Route::post(
            ALL,
            "installIntegrationOnSpace",
            NeedsAlso(Action::ListIntegrations, Action::AdministerSpace),
            "Install an integration on a space",
            space_installations::install_integration_on_space,
        )
        .body::<SpaceInstallationCreate>()
        .answers::<SpaceInstallation>(201),
        Route::get(
            ONE,
            "getIntegrationSpaceInstallation",
            NeedsBoth(Action::ViewSpace, Action::ListIntegrations),
            "Get an installation on a space",
            space_installations::get_integration_space_installation,
        )
        .answers::<SpaceInstallation>(200),
        Route::patch(
            ONE,
            "updateIntegrationSpaceInstallation",
            administer,
            "Update an installation on a space",
            space_installations::update_integration_space_installation,
        )
        .body::<SpaceInstallationUpdate>()
        .answers::<SpaceInstallation>(200),
        Route::delete(
            ONE,
            "uninstallIntegrationFromSpace",
            administer,
            "Uninstall an integration from a space",
            space_installations::uninstall_integration_from_space,
        )
        .answers_nothing(),
    ]
}

fn on_sites() -> Vec<Route> {
    use v1::integrations::installations::site_installations;
    const ALL: Resource = Tag::Integrations.at(
        "/v1/integrations/{integrationName}/installations/{installationId}/sites",
        Some(Object::Installation),
    );
    const ONE: Resource = Tag::Integrations.at(
        "/v1/integrations/{integrationName}/installations/{installationId}/sites/{siteId}",
        Some(Object::Site),
    );
    let manage = Needs(Action::ManageSites);
    vec![
        Route::get(
            ALL,
            "listIntegrationInstallationSites",
            Needs(Action::ListIntegrations),
            "List an installation's sites",
            site_installations::list_integration_installation_sites,
        )
        .query::<PageQuery>()
        .lists::<SiteInstallation>(),
        Route::post(
            ALL,
            "installIntegrationOnSite",
            manage,
            "Install an integration on a site",
            site_installations::install_integration_on_site,
        )
        .body::<SiteInstallationCreate>()
        .answers::<SiteInstallation>(201),
        Route::get(
            ONE,
            "getIntegrationSiteInstallation",
            Needs(Action::ViewOrganizationContent),
            "Get an installation on a site",
            site_installations::get_integration_site_installation,
        )
        .answers::<SiteInstallation>(200),
        Route::patch(
            ONE,
            "updateIntegrationSiteInstallation",
            manage,
            "Update an installation on a site",
            site_installations::update_integration_site_installation,
        )
        .body::<SiteInstallationUpdate>()
        .answers::<SiteInstallation>(200),
        Route::delete(
            ONE,
            "uninstallIntegrationFromSite",
            manage,
            "Uninstall an integration from a site",
            site_installations::uninstall_integration_from_site,
        )
        .answers_nothing(),
    ]
}
