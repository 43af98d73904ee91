//! Routes of sites, and what their handlers share.

use actix_web::dev::fn_service;
use actix_web::guard::fn_guard;
use actix_web::http::Method;
use actix_web::middleware::{Compress, from_fn};
use actix_web::web;
use quire_content::computed::Expansions;
use quire_render::Highlighter;
use quire_server::State;
use quire_server::middleware::{browsers, observe, rate_limit};
use quire_server::routing::{self, BoxedHandler, Ending, Endpoint, RouteTable, TableError};

use crate::body::Bodies;
use crate::hosts::{self, Hosts};
use crate::{assets, home, site};

/// Data that the handlers of sites share.
pub struct Web {
    pub(crate) state: State,
    pub(crate) bodies: Bodies,
    pub(crate) expansions: Expansions,
    pub(crate) highlighter: Highlighter,
    pub(crate) hosts: Hosts,
    table: web::Data<RouteTable>,
}

/// Extractor of [`Web`].
pub type WebData = web::Data<Web>;

impl Web {
    /// Creates the data of a node. `expansions` is the cache of expanded trees, which the API shares.
    ///
    /// # Errors
    /// Two routes with indistinguishable paths.
    pub fn new(state: State, expansions: Expansions) -> Result<Self, TableError> {
        let caches = state.settings.caches;
        Ok(Self {
            bodies: Bodies::new(caches.site_pages()),
            expansions,
            highlighter: Highlighter::default(),
            hosts: Hosts::new(&state.settings.base_url),
            table: web::Data::new(RouteTable::new(
                "",
                [get("/{sitePath}", Ending::Rest, BoxedHandler::new(site::at_host))],
            )?),
            state,
        })
    }
}

fn get(path: &'static str, ending: Ending, handler: BoxedHandler) -> Endpoint {
    Endpoint { path, ending, method: Some(Method::GET), recording: None, handler }
}

/// Returns the routes of the deployment's own host.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/", Ending::Exact, BoxedHandler::new(home::home)),
        get("/~quire/assets/{assetName}", Ending::Exact, BoxedHandler::new(assets::of_deployment)),
        get("/sites/{organizationId}/{sitePath}", Ending::Rest, BoxedHandler::new(site::at_path)),
    ]
}

/// Mounts sites with host names of their own, before all other routes. [`find_host`](crate::find_host) must wrap the
/// application.
pub fn configure(web: WebData) -> impl FnOnce(&mut web::ServiceConfig) {
    move |config| {
        let scope = web::scope("")
            .guard(fn_guard(hosts::is_site))
            .app_data(web.table.clone())
            .default_service(fn_service(routing::dispatch))
            .wrap(from_fn(rate_limit::rate_limit))
            .wrap(Compress::default())
            .wrap(from_fn(browsers::protect_browsers))
            .wrap(from_fn(observe::observe));
        config.app_data(web).service(scope);
    }
}
