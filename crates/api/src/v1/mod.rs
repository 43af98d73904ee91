//! Endpoints: one file per resource, or a folder, with its routes and their handlers.
//!
//! A route holds the summary of an endpoint, and `openapi/operations` its description, so handlers need no comments
//! that repeat them.

mod audit;
mod auth;
mod change_requests;
mod collections;
mod comments;
mod computed;
mod content;
mod custom_fields;
mod events;
mod git;
mod hierarchy;
mod imports;
mod integrations;
mod invites;
mod links;
mod members;
mod oidc;
mod openapi_specs;
mod organizations;
mod pdf;
mod permissions;
mod reviews;
mod saml;
mod scim;
mod search;
mod sites;
mod spaces;
mod teams;
mod translations;
mod urls;
mod users;
mod webhooks;

use crate::prelude::*;
use crate::service;

/// Returns every route, in the order of the API reference.
#[must_use]
pub fn routes() -> Vec<Route> {
    [
        service::routes(),
        spaces::routes(),
        collections::routes(),
        change_requests::routes(),
        change_requests::merge::routes(),
        reviews::routes(),
        content::routes(),
        links::routes(),
        content::write::routes(),
        content::files::routes(),
        imports::routes(),
        imports::export::routes(),
        git::installations::routes(),
        git::repositories::routes(),
        git::hooks::routes(),
        git::routes(),
        search::routes(),
        computed::routes(),
        pdf::routes(),
        comments::routes(),
        events::routes(),
        permissions::routes(),
        users::routes(),
        users::tokens::routes(),
        users::sessions::routes(),
        users::inbox::routes(),
        auth::routes(),
        auth::passkey::routes(),
        users::totp::routes(),
        users::passkeys::routes(),
        organizations::routes(),
        members::routes(),
        invites::routes(),
        teams::routes(),
        sites::routes(),
        sites::publishing::routes(),
        sites::adaptive_schema::routes(),
        sites::customization::routes(),
        sites::renderer::routes(),
        sites::share_links::routes(),
        sites::structure::routes(),
        sites::structure::sections::routes(),
        sites::structure::site_spaces::routes(),
        sites::structure::groups::routes(),
        sites::redirects::routes(),
        urls::published::routes(),
        sites::search::routes(),
        urls::content::routes(),
        urls::embed::routes(),
        custom_fields::routes(),
        oidc::routes(),
        auth::oidc::routes(),
        users::identities::routes(),
        saml::routes(),
        scim::routes(),
        openapi_specs::routes(),
        translations::routes(),
        integrations::routes(),
        integrations::installations::routes(),
        integrations::installations::on_spaces::routes(),
        integrations::installations::on_sites::routes(),
        webhooks::routes(),
        audit::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::routes;
    use crate::route::{Audit, Route};

    /// Returns whether the audit log records completed or refused requests of the route.
    fn leaves_entries(route: &Route) -> bool {
        route.audit == Audit::Recorded || route.access.is_administrative()
    }

    #[test]
    fn the_object_of_a_route_is_in_its_path() {
        for route in routes() {
            let Some(object) = route.object else { continue };
            let parameter = format!("{{{}}}", object.parameter());
            let found = route.path.split('/').any(|segment| segment == parameter);
            assert!(found, "{}: {} lacks {parameter}", route.operation, route.path);
        }
    }

    #[test]
    fn entries_of_a_path_with_parameters_name_an_object() {
        let nameless = |route: &Route| route.object.is_none() && route.path.contains('{');
        let forgotten: Vec<_> = routes()
            .into_iter()
            .filter(leaves_entries)
            .filter(nameless)
            .map(|route| route.operation)
            .collect();
        assert!(forgotten.is_empty(), "{forgotten:?}");
    }
}
