//! The route table: every route once, in the order of the reference; a file a resource.

mod audit;
mod change_requests;
mod collections;
mod comments;
mod computed;
mod content;
mod content_links;
mod content_writes;
mod custom_fields;
mod imports;
mod integrations;
mod invites;
mod members;
mod openapi_specs;
mod organizations;
mod pdf;
mod permissions;
mod reviews;
mod saml;
mod search;
mod service;
mod site_structure;
mod sites;
mod spaces;
mod teams;
mod translations;
mod user;
mod webhooks;

use crate::route::Route;

/// Every route.
#[must_use]
pub fn routes() -> Vec<Route> {
    [
        service::routes(),
        spaces::routes(),
        collections::routes(),
        change_requests::routes(),
        reviews::routes(),
        content::routes(),
        content_links::routes(),
        content_writes::routes(),
        imports::routes(),
        search::routes(),
        computed::routes(),
        pdf::routes(),
        comments::routes(),
        permissions::routes(),
        user::routes(),
        organizations::routes(),
        members::routes(),
        invites::routes(),
        teams::routes(),
        sites::routes(),
        site_structure::routes(),
        custom_fields::routes(),
        saml::routes(),
        openapi_specs::routes(),
        translations::routes(),
        integrations::routes(),
        webhooks::routes(),
        audit::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
