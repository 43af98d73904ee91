//! The application: the route table under the base path, within the middlewares.

use std::collections::BTreeMap;
use std::future::ready;

use actix_cors::Cors;
use actix_web::http::{Method, header};
use actix_web::middleware::{Compress, Condition, from_fn};
use actix_web::{HttpRequest, HttpResponse, ResponseError, web};
use quire_importer::fetch::Fetcher;
use quire_server::Settings;

use crate::api::{Api, ApiData, ApiSettings};
use crate::error::ApiError;
use crate::middleware::{browsers, observe, rate_limit, refusals, reject};
use crate::preferences::PREFERENCE_APPLIED;
use crate::recordings::{PathObject, Recording, Recordings};
use crate::route::{Audit, Object, Route};
use crate::routes::routes;
use crate::service::document::OpenApiDocument;
use crate::state::State;
use crate::urls::base_path;
use crate::{openapi, respond, service};

impl Api {
    /// The application data of a node, for [`configure`].
    #[must_use]
    pub fn new(state: State, fetcher: Fetcher, settings: ApiSettings) -> Self {
        let document = OpenApiDocument::new(base_path(&state.settings.base_url), openapi::document_json);
        Self::with_document(state, fetcher, settings, document)
    }
}

/// Mounts the whole API on an actix application.
pub fn configure(api: ApiData) -> impl FnOnce(&mut web::ServiceConfig) {
    move |config| {
        let state = api.state.clone();
        let base = base_path(&state.settings.base_url);
        let scope = web::scope(&base)
            .configure(mount)
            .configure(service::docs::mount)
            .default_service(web::to(unknown_path))
            .wrap(from_fn(reject::reject))
            .wrap(from_fn(refusals::note_refusal))
            .wrap(from_fn(rate_limit::rate_limit))
            .wrap(Condition::new(!state.settings.cors_origins.is_empty(), cors(&state.settings)))
            .wrap(Compress::default())
            .wrap(from_fn(browsers::protect_browsers))
            .wrap(from_fn(observe::observe));
        // Outside of the base path, too, an answer is in the shape of errors.
        let outside = web::to(unknown_path).wrap(from_fn(browsers::protect_browsers));
        let recordings = web::Data::new(recordings(&base));
        config.app_data(state).app_data(api).app_data(recordings).service(scope).default_service(outside);
    }
}

/// One actix resource a path, so that a known path answers other methods with 405 and what it does allow.
fn mount(config: &mut web::ServiceConfig) {
    let mut resources: BTreeMap<usize, (&'static str, Vec<Route>)> = BTreeMap::new();
    let mut order: Vec<&'static str> = Vec::new();
    for route in routes() {
        let index = order.iter().position(|path| *path == route.path).unwrap_or_else(|| {
            order.push(route.path);
            order.len() - 1
        });
        resources.entry(index).or_insert_with(|| (route.path, Vec::new())).1.push(route);
    }
    for (path, routes) in resources.into_values() {
        let allowed = allowed_methods(&routes);
        let mut resource = web::resource(pattern(path));
        for route in &routes {
            resource = resource.route(route.mount());
        }
        config
            .service(resource.default_service(web::to(move || ready(respond::method_not_allowed(&allowed)))));
    }
}

/// The path as actix matches it: the path of a page may have several segments, and the root of the API is known with and without a
/// slash at the end.
fn pattern(path: &str) -> String {
    match path {
        "/v1" => "/v1{slash:/?}".to_owned(),
        path => path.replace("{pagePath}", "{pagePath:.*}"),
    }
}

/// The operations that the audit log has entries of.
fn recordings(base: &str) -> Recordings {
    let recording = |route: Route| {
        let recording = Recording {
            operation: route.operation,
            object: route.object.map(path_object),
            when_done: route.audit == Audit::Recorded,
            when_refused: route.access.is_administrative(),
        };
        ((route.method, format!("{base}{}", pattern(route.path))), recording)
    };
    routes().into_iter().map(recording).collect()
}

fn path_object(object: Object) -> PathObject {
    let in_link = object == Object::InviteLink;
    PathObject { kind: object.kind(), parameter: object.parameter(), in_link }
}

fn allowed_methods(routes: &[Route]) -> String {
    let mut methods: Vec<&str> = routes.iter().map(|route| route.method.as_str()).collect();
    if routes.iter().any(|route| route.method == Method::GET) {
        methods.push("HEAD");
    }
    methods.join(", ")
}

async fn unknown_path(_: HttpRequest) -> HttpResponse {
    ApiError::not_found().error_response()
}

/// Browsers may call from the origins that the deployment lists. By default there are none, and no answer speaks of origins.
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
            observe::REQUEST_ID,
        ])
        .max_age(3_600);
    settings.cors_origins.iter().fold(cors, |cors, origin| cors.allowed_origin(origin))
}
