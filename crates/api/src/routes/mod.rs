//! The route table: every route once, in the order of the API reference, with one file per resource.

mod audit;
mod change_requests;
mod collections;
mod comments;
mod computed;
mod content;
mod content_links;
mod content_writes;
mod custom_fields;
mod events;
mod git;
mod imports;
mod integrations;
mod invites;
mod members;
mod oidc;
mod openapi_specs;
mod organizations;
mod pdf;
mod permissions;
mod published;
mod redirects;
mod reviews;
mod saml;
mod scim;
mod search;
mod service;
mod site_structure;
mod sites;
mod spaces;
mod teams;
mod translations;
mod users;
mod webhooks;

use crate::route::Route;

/// Returns every route.
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
        git::routes(),
        search::routes(),
        computed::routes(),
        pdf::routes(),
        comments::routes(),
        events::routes(),
        permissions::routes(),
        users::routes(),
        organizations::routes(),
        members::routes(),
        invites::routes(),
        teams::routes(),
        sites::routes(),
        site_structure::routes(),
        redirects::routes(),
        published::routes(),
        custom_fields::routes(),
        oidc::routes(),
        saml::routes(),
        scim::routes(),
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

#[cfg(test)]
mod tests {
    use super::routes;
    use crate::route::{Audit, Route};

    /// Returns `true` for a route that leaves audit log entries when it is done or refused.
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
