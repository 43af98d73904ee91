//! Redirects of sites.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::sites::{
    FoundRedirect, RedirectFilter, RedirectQuery, SiteRedirect, SiteRedirectCreate, SiteRedirectResults,
    SiteRedirectUpdate, SiteRedirectsPut,
};

use crate::route::Access::{Needs, SignedIn};
use crate::route::{Object, Resource, Route, Tag};
use crate::v1::sites::{redirect, redirects};

const REDIRECTS: Resource =
    Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/redirects", Some(Object::Site));
const REDIRECT: Resource = Tag::Sites
    .at("/v1/orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId}", Some(Object::SiteRedirect));

pub(super) fn routes() -> Vec<Route> {
    let (view, manage) = (Needs(Action::ViewOrganizationContent), Needs(Action::ManageSites));
    vec![
        Route::get(
            REDIRECTS,
            "listSiteRedirects",
            view,
            "List a site's redirects",
            redirects::list_site_redirects,
        )
        .query::<RedirectFilter>()
        .query::<PageQuery>()
        .lists::<SiteRedirect>(),
        Route::post(
            REDIRECTS,
            "createSiteRedirect",
            manage,
            "Create a redirect",
            redirects::create_site_redirect,
        )
        .body::<SiteRedirectCreate>()
        .answers::<SiteRedirect>(201),
        Route::put(
            REDIRECTS,
            "bulkUpsertSiteRedirects",
            manage,
            "Change several redirects",
            redirects::bulk_upsert_site_redirects,
        )
        .body::<SiteRedirectsPut>()
        .answers::<SiteRedirectResults>(200),
        Route::get(
            REDIRECT,
            "getSiteRedirectById",
            view,
            "Get a redirect",
            redirects::get_site_redirect_by_id,
        )
        .answers::<SiteRedirect>(200),
        Route::patch(
            REDIRECT,
            "updateSiteRedirectById",
            manage,
            "Update a redirect",
            redirects::update_site_redirect_by_id,
        )
        .body::<SiteRedirectUpdate>()
        .answers::<SiteRedirect>(200),
        Route::delete(
            REDIRECT,
            "deleteSiteRedirectById",
            manage,
            "Delete a redirect",
            redirects::delete_site_redirect_by_id,
        )
        .answers_nothing(),
        Route::get(
            Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/redirect", None),
            "getSiteRedirectBySource",
            SignedIn,
            "Find a redirect by its source",
            redirect::get_site_redirect_by_source,
        )
        .query::<RedirectQuery>()
        .answers::<FoundRedirect>(200)
        .for_visitors(),
    ]
}
