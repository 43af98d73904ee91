//! Routes of sites.

use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::fn_service;
use actix_web::guard::fn_guard;
use actix_web::http::Method;
use actix_web::middleware::{Compress, from_fn};
use actix_web::web;
use quire_content::computed::Expansions;
use quire_content::git::GitRunner;
use quire_render::Highlighter;
use quire_server::State;
use quire_server::middleware::{browsers, observe, rate_limit};
use quire_server::routing::{self, BoxedHandler, Ending, Endpoint, RouteTable, TableError};

use crate::state::{Web, WebData};
use crate::{arrival, assets, site, workspace};

/// Idle time after which syntax highlighting grammars are freed.
const IDLE: Duration = Duration::from_secs(10);

/// Published sites of a node.
#[derive(Clone)]
pub struct Sites {
    web: WebData,
    table: web::Data<RouteTable>,
}

impl Sites {
    /// Creates the shared data of the handlers. `expansions` is the cache of expanded trees, `highlighter` holds the
    /// grammars for listings, and `git` runs comparisons. The API shares all three.
    ///
    /// # Errors
    /// If two routes have indistinguishable paths.
    pub fn new(
        state: State,
        expansions: Expansions,
        highlighter: Arc<Highlighter>,
        git: GitRunner,
    ) -> Result<Self, TableError> {
        let at_host = [
            get("/{sitePath}", Ending::Rest, BoxedHandler::new(site::at_host)),
            post("/{sitePath}", Ending::Rest, BoxedHandler::new(site::message_at_host)),
        ];
        let table = web::Data::new(RouteTable::new("", at_host)?);
        Ok(Self { web: web::Data::new(Web::new(state, expansions, highlighter, git)), table })
    }

    /// Frees unused grammars at an interval. Never returns.
    pub async fn free_unused(self) {
        loop {
            actix_web::rt::time::sleep(IDLE).await;
            self.web.highlighter.rest(IDLE);
        }
    }
}

fn get(path: &'static str, ending: Ending, handler: BoxedHandler) -> Endpoint {
    Endpoint { path, ending, method: Some(Method::GET), recording: None, handler }
}

fn post(path: &'static str, ending: Ending, handler: BoxedHandler) -> Endpoint {
    Endpoint { path, ending, method: Some(Method::POST), recording: None, handler }
}

/// Returns the routes for the deployment's own host name.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    let mut endpoints = workspace::endpoints();
    endpoints.extend(workspace::sign_in::endpoints());
    endpoints.extend([
        get("/~quire/assets/{assetName}", Ending::Exact, BoxedHandler::new(assets::of_deployment)),
        get("/sites/{organization}/{sitePath}", Ending::Rest, BoxedHandler::new(site::at_path)),
        post("/sites/{organization}/{sitePath}", Ending::Rest, BoxedHandler::new(site::message_at_path)),
    ]);
    endpoints
}

/// Mounts the sites that have host names of their own, before all other routes. The application must be wrapped in
/// [`find_host`](crate::find_host).
pub fn configure(sites: Sites) -> impl FnOnce(&mut web::ServiceConfig) {
    move |config| {
        let scope = web::scope("")
            .guard(fn_guard(arrival::is_at_site))
            .app_data(sites.table)
            .default_service(fn_service(routing::dispatch))
            .wrap(from_fn(rate_limit::rate_limit))
            .wrap(Compress::default())
            .wrap(from_fn(browsers::protect_browsers))
            .wrap(from_fn(observe::observe));
        config.app_data(sites.web).service(scope);
    }
}
