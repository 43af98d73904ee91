//! The application: the route table below the base path, inside the middleware.

use actix_cors::Cors;
use actix_web::dev::fn_service;
use actix_web::middleware::{Compress, Condition, from_fn};
use actix_web::{ResponseError, web};
use quire_importer::fetch::Fetcher;
use quire_server::routing::{self, Ending, Endpoint, RouteTable, TableError};
use quire_server::{SEARCH_PROGRESS, Settings};

use crate::api::ApiSettings;
use crate::api::OpenApiDocument;
use crate::audit_rule::{PathObject, Recording};
use crate::idempotency::IDEMPOTENCY_REPLAYED;
use crate::middleware::{browsers, observe, positions, rate_limit, refusals, reject, same_origin};
use crate::preferences::PREFERENCE_APPLIED;
use crate::prelude::*;
use crate::route::Audit;
use crate::urls::base_path;
use crate::v1::routes;
use crate::{document_json, saml, scim, service};

impl Api {
    /// Creates the application data of a node for [`configure`]. `others` are routes of other crates on the same host.
    ///
    /// # Errors
    /// An error if two routes have indistinguishable paths.
    pub fn new(
        state: State,
        fetcher: Fetcher,
        settings: ApiSettings,
        others: Vec<Endpoint>,
    ) -> Result<Self, TableError> {
        let base = base_path(&state.settings.base_url);
        let table = table(&base, others)?;
        let document = OpenApiDocument::new(base, document_json);
        Ok(Self::with_routes(state, fetcher, settings, table, document))
    }
}

/// Mounts the API on an Actix application.
pub fn configure(api: ApiData) -> impl FnOnce(&mut web::ServiceConfig) {
    move |config| {
        let state = api.state.clone();
        let base = base_path(&state.settings.base_url);
        // The scope has no services: `observe`, the outermost middleware, searches the route table once.
        let scope = web::scope(&base)
            .default_service(fn_service(routing::dispatch))
            .wrap(from_fn(same_origin::require_same_origin))
            .wrap(from_fn(reject::reject))
            .wrap(from_fn(refusals::note_refusal))
            .wrap(from_fn(rate_limit::rate_limit))
            .wrap(Condition::new(!state.settings.cors_origins.is_empty(), cors(&state.settings)))
            .wrap(Compress::default())
            .wrap(from_fn(browsers::protect_browsers))
            .wrap(from_fn(observe::observe));
        // Responses outside the base path have the form of API errors, too.
        let outside = web::to(unknown_path).wrap(from_fn(browsers::protect_browsers));
        let table = api.table.clone();
        config.app_data(state).app_data(api).app_data(table);
        config.service(scope).default_service(outside);
    }
}

/// Returns the route table: the routes of the API, of its documentation page and of other crates, below a base path.
fn table(base: &str, others: Vec<Endpoint>) -> Result<RouteTable, TableError> {
    let own = routes()
        .into_iter()
        .map(endpoint)
        .chain(service::docs::endpoints())
        .chain(saml::endpoints())
        .chain(scim::endpoints());
    RouteTable::new(base, own.chain(others))
}

fn endpoint(route: Route) -> Endpoint {
    let recording = Recording {
        operation: route.operation,
        object: route.object.map(path_object),
        when_done: route.audit == Audit::Recorded,
        when_refused: route.access.is_administrative(),
    };
    Endpoint {
        path: route.path,
        ending: ending(route.path),
        method: Some(route.method),
        recording: Some(recording).filter(|recording| recording.when_done || recording.when_refused),
        handler: route.handler,
    }
}

/// Returns the form in which a path ends. The path of a page may have several segments, and the root of the API an
/// optional trailing slash.
fn ending(path: &str) -> Ending {
    match path {
        "/v1" => Ending::OptionalSlash,
        path if path.ends_with("/{pagePath}") => Ending::Rest,
        _ => Ending::Exact,
    }
}

fn path_object(object: Object) -> PathObject {
    let in_link = object == Object::InviteLink;
    PathObject { kind: object.kind(), parameter: object.parameter(), in_link }
}

async fn unknown_path(_: HttpRequest) -> HttpResponse {
    ApiError::not_found().error_response()
}

/// Returns the CORS policy: the configured origins, none by default. Without origins, responses have no CORS headers.
fn cors(settings: &Settings) -> Cors {
    let cors = Cors::default()
        .allow_any_method()
        .allow_any_header()
        .expose_headers([
            header::ETAG,
            header::LOCATION,
            header::RETRY_AFTER,
            header::CONTENT_DISPOSITION,
            PREFERENCE_APPLIED,
            IDEMPOTENCY_REPLAYED,
            observe::REQUEST_ID,
            positions::POSITION,
            SEARCH_PROGRESS,
        ])
        .max_age(3_600);
    settings.cors_origins.iter().fold(cors, |cors, origin| cors.allowed_origin(origin))
}

#[cfg(test)]
mod tests {
    use actix_web::http::Method;

    use super::{ending, routes, table};
    use crate::route::Route;

    /// Returns whether a path matches the route, segment by segment.
    fn is_at(route: &Route, path: &str) -> bool {
        let (mut written, mut segments) = (route.path.split('/'), path.split('/'));
        loop {
            match (written.next(), segments.next()) {
                (None, None) => return true,
                (Some("{pagePath}"), Some(_)) => return true,
                (Some(one), Some(other)) if one == other => {}
                (Some(one), Some(other)) if one.starts_with('{') && !other.is_empty() => {}
                _ => return false,
            }
        }
    }

    /// Returns paths for which static segments compete with parameters: each route with the static segments of other
    /// routes in place of its parameters.
    fn contested(routes: &[Route]) -> Vec<String> {
        let words = |index: usize| routes.iter().filter_map(move |route| route.path.split('/').nth(index));
        let mut paths = Vec::new();
        for route in routes {
            let segments: Vec<&str> = route.path.split('/').collect();
            for (index, _) in segments.iter().enumerate().filter(|(_, segment)| segment.starts_with('{')) {
                for word in words(index).filter(|word| !word.starts_with('{')) {
                    let mut path = segments.clone();
                    path[index] = word;
                    paths.push(path.join("/"));
                }
            }
        }
        paths
    }

    #[test]
    fn a_path_goes_to_the_first_route_that_matches() {
        let (table, routes) = (table("", Vec::new()).unwrap(), routes());
        let paths = contested(&routes);
        assert!(paths.len() > 1_000, "{}", paths.len());
        for path in paths {
            let first = routes.iter().find(|route| is_at(route, &path)).unwrap();
            let (matched, _) = table.at(&Method::GET, &path).unwrap();
            assert_eq!(matched.pattern(), first.path, "{path}");
        }
    }

    #[test]
    fn every_route_is_found_by_its_path_and_method() {
        let table = table("/quire", Vec::new()).unwrap();
        for route in routes() {
            let (matched, parameters) = table.at(&route.method, route.path).unwrap();
            assert_eq!(matched.pattern(), format!("/quire{}", route.path));
            assert_eq!(parameters.len(), route.path.matches('{').count(), "{}", route.path);
            assert_eq!(ending(route.path) == super::Ending::Rest, route.path.contains("{pagePath}"));
        }
    }
}
