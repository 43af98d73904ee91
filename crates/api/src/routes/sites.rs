//! Sites.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::sites::customization::{Customization, CustomizationOverrides};
use quire_domain::sites::{
    AdaptiveSchema, AdaptiveSchemaUpdate, PublishedSite, PublishingAuth, PublishingAuthUpdate, ShareLink,
    ShareLinkCreate, ShareLinkUpdate, Site, SiteCreate, SiteListQuery, SitePreview, SitePreviewQuery,
    SiteRenderer, SiteRendererPut, SiteStructure, SiteUpdate, VisitorQuery,
};

use crate::route::Access::{Needs, NeedsAlso, SignedIn};
use crate::route::{Object, Resource, Route, Tag};
use crate::v1::sites as v1;

const SITES: Resource = Tag::Sites.at("/v1/orgs/{organizationId}/sites", Some(Object::Organization));
const SITE: Resource = Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}", Some(Object::Site));
const ADAPTIVE_SCHEMA: Resource =
    Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/adaptive-schema", Some(Object::Site));
const PUBLISHED: Resource = Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/published", None);
const PUBLISH: Resource =
    Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/publish", Some(Object::Site));
const UNPUBLISH: Resource =
    Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/unpublish", Some(Object::Site));
const AUTH: Resource =
    Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/publishing/auth", Some(Object::Site));
const REGENERATE: Resource =
    Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/publishing/auth/regenerate", Some(Object::Site));
const PREVIEW: Resource = Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/publishing/preview", None);
const STRUCTURE: Resource = Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/structure", None);
const CUSTOMIZATION: Resource =
    Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/customization", Some(Object::Site));
const SITE_SPACE_CUSTOMIZATION: Resource = Tag::Sites.at(
    "/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization",
    Some(Object::SiteSpace),
);
const RENDERER: Resource =
    Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/renderer", Some(Object::Site));
const SHARE_LINKS: Resource =
    Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/share-links", Some(Object::Site));
const SHARE_LINK: Resource = Tag::Sites
    .at("/v1/orgs/{organizationId}/sites/{siteId}/share-links/{shareLinkId}", Some(Object::ShareLink));

pub(super) fn routes() -> Vec<Route> {
    let view = Needs(Action::ViewOrganizationContent);
    let manage = Needs(Action::ManageSites);
    [
        sites(view, manage),
        publishing(manage),
        visitors(view),
        settings(view, manage),
        site_space_settings(view, manage),
        renderer(manage),
        share_links(manage),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn sites(view: crate::route::Access, manage: crate::route::Access) -> Vec<Route> {
    vec![
        Route::get(SITES, "listSites", view, "List an organization's sites", v1::list::list_sites)
            .query::<SiteListQuery>()
            .lists::<Site>(),
        Route::post(
            SITES,
            "createSite",
            NeedsAlso(Action::ManageSites, Action::PublishSpace),
            "Create a site",
            v1::create::create_site,
        )
        .body::<SiteCreate>()
        .answers::<Site>(201),
        Route::get(SITE, "getSiteById", view, "Get a site", v1::get::get_site_by_id).answers::<Site>(200),
        Route::delete(SITE, "deleteSiteById", manage, "Delete a site", v1::delete::delete_site_by_id)
            .answers_nothing(),
        Route::patch(SITE, "updateSiteById", manage, "Update a site", v1::update::update_site_by_id)
            .body::<SiteUpdate>()
            .answers::<Site>(200),
    ]
}

fn publishing(manage: crate::route::Access) -> Vec<Route> {
    vec![
        Route::get(
            PUBLISHED,
            "getPublishedContentSite",
            SignedIn,
            "Get a site's published content",
            v1::published::get_published_content_site,
        )
        .query::<VisitorQuery>()
        .answers::<PublishedSite>(200)
        .for_visitors(),
        Route::post(PUBLISH, "publishSite", manage, "Publish a site", v1::publish::publish_site)
            .answers::<Site>(200),
        Route::post(UNPUBLISH, "unpublishSite", manage, "Unpublish a site", v1::publish::unpublish_site)
            .answers::<Site>(200),
        Route::get(
            STRUCTURE,
            "getSiteStructure",
            SignedIn,
            "Get a site's structure",
            v1::structure::get::get_site_structure,
        )
        .query::<VisitorQuery>()
        .answers::<SiteStructure>(200)
        .for_visitors(),
    ]
}

fn visitors(view: crate::route::Access) -> Vec<Route> {
    use v1::publishing;
    let administer = Needs(Action::AdministerOrganization);
    vec![
        Route::get(
            AUTH,
            "getSitePublishingAuthById",
            Needs(Action::InspectOrganization),
            "Get the sign-in of a site's visitors",
            publishing::get_site_publishing_auth_by_id,
        )
        .answers::<PublishingAuth>(200),
        Route::patch(
            AUTH,
            "updateSitePublishingAuthById",
            administer,
            "Update the sign-in of a site's visitors",
            publishing::update_site_publishing_auth_by_id,
        )
        .body::<PublishingAuthUpdate>()
        .answers::<PublishingAuth>(200),
        Route::post(
            REGENERATE,
            "regenerateSitePublishingAuthById",
            administer,
            "Replace the key of visitor tokens",
            publishing::regenerate_site_publishing_auth_by_id,
        )
        .answers::<PublishingAuth>(200),
        Route::get(
            PREVIEW,
            "getSitePublishingPreviewById",
            view,
            "Get a preview of a site",
            publishing::get_site_publishing_preview_by_id,
        )
        .query::<SitePreviewQuery>()
        .answers::<SitePreview>(200),
    ]
}

fn settings(view: crate::route::Access, manage: crate::route::Access) -> Vec<Route> {
    use v1::{adaptive_schema, customization};
    vec![
        Route::get(
            ADAPTIVE_SCHEMA,
            "getSiteAdaptiveSchema",
            view,
            "Get a site's claims schema",
            adaptive_schema::get_site_adaptive_schema,
        )
        .answers::<AdaptiveSchema>(200),
        Route::put(
            ADAPTIVE_SCHEMA,
            "updateSiteAdaptiveSchema",
            manage,
            "Replace a site's claims schema",
            adaptive_schema::update_site_adaptive_schema,
        )
        .body::<AdaptiveSchemaUpdate>()
        .answers::<AdaptiveSchema>(200),
        Route::get(
            CUSTOMIZATION,
            "getSiteCustomizationById",
            view,
            "Get a site's customization",
            customization::get_site_customization_by_id,
        )
        .answers::<Customization>(200),
        Route::put(
            CUSTOMIZATION,
            "updateSiteCustomizationById",
            manage,
            "Replace a site's customization",
            customization::update_site_customization_by_id,
        )
        .body::<Customization>()
        .answers::<Customization>(200),
    ]
}

fn site_space_settings(view: crate::route::Access, manage: crate::route::Access) -> Vec<Route> {
    use v1::customization;
    vec![
        Route::get(
            SITE_SPACE_CUSTOMIZATION,
            "getSiteSpaceCustomizationById",
            view,
            "Get a site space's customization",
            customization::get_site_space_customization_by_id,
        )
        .answers::<Customization>(200),
        Route::patch(
            SITE_SPACE_CUSTOMIZATION,
            "overrideSiteSpaceCustomizationById",
            manage,
            "Override a site's customization",
            customization::override_site_space_customization_by_id,
        )
        .body::<CustomizationOverrides>()
        .answers::<Customization>(200),
        Route::delete(
            SITE_SPACE_CUSTOMIZATION,
            "deleteSiteSpaceCustomizationById",
            manage,
            "Remove a site space's customization",
            customization::delete_site_space_customization_by_id,
        )
        .answers_nothing(),
    ]
}

fn renderer(manage: crate::route::Access) -> Vec<Route> {
    use v1::renderer;
    vec![
        Route::get(
            RENDERER,
            "getSiteRenderer",
            Needs(Action::ViewShareLinks),
            "Get a site's renderer",
            renderer::get_site_renderer,
        )
        .answers::<SiteRenderer>(200),
        Route::put(
            RENDERER,
            "updateSiteRenderer",
            manage,
            "Set a site's renderer",
            renderer::put_site_renderer,
        )
        .body::<SiteRendererPut>()
        .answers::<SiteRenderer>(200),
        Route::delete(
            RENDERER,
            "deleteSiteRenderer",
            manage,
            "Remove a site's renderer",
            renderer::delete_site_renderer,
        )
        .answers_nothing(),
    ]
}

fn share_links(manage: crate::route::Access) -> Vec<Route> {
    use v1::share_links;
    let read = Needs(Action::ViewShareLinks);
    vec![
        Route::get(
            SHARE_LINKS,
            "listSiteShareLinks",
            read,
            "List a site's share links",
            share_links::list_site_share_links,
        )
        .query::<PageQuery>()
        .lists::<ShareLink>(),
        Route::post(
            SHARE_LINKS,
            "createSiteShareLink",
            manage,
            "Create a share link",
            share_links::create_site_share_link,
        )
        .body::<ShareLinkCreate>()
        .answers::<ShareLink>(201),
        Route::get(
            SHARE_LINK,
            "getSiteShareLinkById",
            read,
            "Get a share link",
            share_links::get_site_share_link_by_id,
        )
        .answers::<ShareLink>(200),
        Route::patch(
            SHARE_LINK,
            "updateSiteShareLinkById",
            manage,
            "Update a share link",
            share_links::update_site_share_link_by_id,
        )
        .body::<ShareLinkUpdate>()
        .answers::<ShareLink>(200),
        Route::delete(
            SHARE_LINK,
            "deleteSiteShareLinkById",
            manage,
            "Delete a share link",
            share_links::delete_site_share_link_by_id,
        )
        .answers_nothing(),
    ]
}
