//! World: an application in which each operation is requested, with the recorded requests and responses.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;
use std::sync::OnceLock;
use std::time::Duration;

use actix_web::http::Method;
use quire_api::ApiSettings;
use quire_api::route::Route;
use quire_domain::clock::{Clock as _, Timestamp};
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::{Caller, Exchange, TestApp};
use serde_json::Value;
use tempfile::TempDir;

use super::examples;
use super::is_about_content;
use super::names::Names;
use super::schema::{Document, says_something};
use super::selection::brief;
use crate::import_sources::support::{Files, Server};
use crate::pdf::renderer;
use crate::routes::{Fixture, crowd, fill, fixture_and_admin, parameter_name};

/// Operations whose responses change with every release. Other tests check them.
const CHANGING: [&str; 2] = ["getMetrics", "getOpenApiDocument"];

/// Successful exchange.
pub struct Kept {
    pub operation: &'static str,
    /// User id of the caller; empty for an anonymous caller.
    pub user: String,
    pub method: Method,
    pub path: String,
    pub query: Vec<(String, String)>,
    /// Request body, as JSON or text.
    pub sent: Option<Value>,
    pub status: u16,
    /// JSON response without repetitions, or a description of another response.
    pub answer: Value,
    /// Fields that have a value in the response, and its enumeration values.
    pub answered: BTreeSet<String>,
    /// Keys and enumeration values in the request body, as `Type.key` and `Type=choice`, and query parameters, as
    /// `?name`.
    pub used: BTreeSet<String>,
    /// Status of the same request with an entity tag that does not match; `None` if it was not sent.
    pub with_another_tag: Option<u16>,
    /// `true` if a repetition got the stored response; `None` if the request was not repeated.
    pub was_repeated: Option<bool>,
    /// Query parameters with a fixed set of values, as `?name=value`.
    pub chosen: BTreeSet<String>,
}

/// Recorded exchanges.
pub struct World {
    pub names: Names,
    pub kept: Vec<Kept>,
}

/// Returns the world of content.
pub fn content() -> &'static World {
    static WORLD: OnceLock<Option<World>> = OnceLock::new();
    once(&WORLD, make)
}

/// Returns a world that is made at most once, even if that fails.
pub fn once<F: Future<Output = World>>(
    world: &'static OnceLock<Option<World>>,
    make: fn() -> F,
) -> &'static World {
    let make = || catch_unwind(|| actix_web::rt::System::new().block_on(make())).ok();
    world.get_or_init(make).as_ref().unwrap()
}

async fn make() -> World {
    let server = Server::start(|_| {
        Files::from([
            ("/a.png".to_owned(), ("image/png", examples::png())),
            ("/guide.md".to_owned(), ("text/markdown", b"# Guide\n\n[nowhere](missing.md)".to_vec())),
        ])
    });
    let folder = tempfile::tempdir().unwrap();
    let app = start(&folder).await;
    let start = app.clock.now();
    app.journal.open();
    let (space, admin) = app.space().await;
    let mut fixture = fill(&app, app.organization, space, &admin).await;
    crowd(&app, &mut fixture, &admin).await;
    let document = Document::current();
    let routes: Vec<Route> = quire_api::routes().into_iter().filter(is_about_content).collect();
    let gets = || routes.iter().filter(|route| route.method == Method::GET);
    for route in gets() {
        read(&document, route, &fixture, &admin).await;
    }
    examples::enrich(&app, &mut fixture, &admin, &server).await;
    for route in gets() {
        read(&document, route, &fixture, &admin).await;
    }
    for route in routes.iter().filter(|route| route.method != Method::GET) {
        write(&app, &document, route).await;
    }
    let mut known: BTreeMap<String, String> = fixture
        .names()
        .filter(|(_, value)| value.len() > 15)
        .map(|(name, value)| (value.to_owned(), name.replacen("Id", "", 1)))
        .collect();
    known.insert(admin.user().to_string(), "admin".to_owned());
    known.insert(server.address.to_string(), "server".to_owned());
    World::recorded(&[&app], start, known)
}

impl World {
    /// Collects the requests to applications since their journals were opened.
    pub fn recorded(apps: &[&TestApp], start: Timestamp, known: BTreeMap<String, String>) -> Self {
        let (document, routes) = (Document::current(), quire_api::routes());
        let mut names = Names::new(start, known);
        let kept = apps.iter().flat_map(|app| app.journal.close());
        let kept = kept.filter_map(|exchange| keep(exchange, &routes, &document, &mut names)).collect();
        Self { names, kept }
    }
}

/// Starts an application that may fetch from this machine and whose PDFs are all equal. The search index is never
/// written, because scores depend on the time of the write.
async fn start(folder: &TempDir) -> TestApp {
    let settings = Settings { rate_limit: 0, ..Settings::default() };
    let limits = ApiSettings {
        pdf_wait: Duration::from_millis(10),
        stream_life: Duration::ZERO,
        ..ApiSettings::default()
    };
    let fetch = FetchConfig { allow: vec!["127.0.0.1".parse().unwrap()], ..FetchConfig::default() };
    let mut app = TestApp::start_with_limits(settings, limits, fetch).await;
    app.pdf.program = renderer(folder, "printf '%%PDF-1.7' >\"$2\"");
    app.state.storage.stop_search_index();
    app
}

/// Sends a write with the minimal request, and again with each value of each query parameter that has a fixed set of
/// values.
async fn write(app: &TestApp, document: &Document, route: &Route) {
    let (fixture, admin) = fixture_and_admin(app, route).await;
    let path = fixture.path(route);
    let _ = admin.send(fixture.request(route, &path)).await;
    for (name, values) in document.query(route) {
        for value in values {
            let _ = admin.send(fixture.request(route, &format!("{path}?{name}={value}"))).await;
        }
    }
}

/// Sends a read with each value of each query parameter that has a fixed set of values, and for the second page of a
/// list.
async fn read(document: &Document, route: &Route, fixture: &Fixture, admin: &Caller) {
    if !fixture.knows(route) {
        return;
    }
    let path = fixture.path(route);
    let with = |query: String| match path.contains('?') {
        true => format!("{path}&{query}"),
        false => format!("{path}?{query}"),
    };
    let _ = admin.get(&path).await;
    for (name, values) in document.query(route) {
        for value in values {
            let _ = admin.get(&with(format!("{name}={value}"))).await;
        }
        if name == "limit" {
            let first = admin.get(&with("limit=1".to_owned())).await;
            if let Some(next) = first.json.pointer("/next/page").and_then(Value::as_str) {
                let _ = admin.get(&with(format!("limit=1&page={next}"))).await;
            }
        }
    }
}

/// Returns the relevant parts of an exchange; `None` if it was not successful.
fn keep(exchange: Exchange, routes: &[Route], document: &Document, names: &mut Names) -> Option<Kept> {
    let Exchange { user, method, target, sent, answer, was_repeated, with_another_tag } = exchange;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let route = routes.iter().filter(|route| route.method == method).find(|route| is_path_of(route, path))?;
    for (segment, given) in route.path.split('/').zip(path.split('/')) {
        if let Some(name) = parameter_name(segment) {
            names.learn(&name.replacen("Id", "", 1), given);
        }
    }
    let status = answer.status.as_u16();
    if !answer.status.is_success() && status != route.status {
        return None;
    }
    let query: Vec<(String, String)> = url_decoded(query).collect();
    let json = serde_json::from_slice(&sent).ok();
    let text = || match str::from_utf8(&sent) {
        Ok(text) => text.into(),
        Err(_) => format!("{} bytes", sent.len()).into(),
    };
    let mut kept = Kept {
        operation: route.operation,
        was_repeated,
        with_another_tag,
        user: user.map(|user| user.to_string()).unwrap_or_default(),
        method,
        path: path.to_owned(),
        sent: (!sent.is_empty()).then(|| json.clone().unwrap_or_else(text)),
        status,
        answer: match answer.json {
            Value::Null if answer.bytes.is_empty() => Value::Null,
            Value::Null if !CHANGING.contains(&route.operation) => {
                format!("{}: {} bytes", answer.header("content-type"), answer.bytes.len()).into()
            }
            _ if CHANGING.contains(&route.operation) => answer.header("content-type").into(),
            ref json => brief(json),
        },
        answered: BTreeSet::new(),
        used: query.iter().map(|(name, _)| format!("?{name}")).collect(),
        chosen: BTreeSet::new(),
        query,
    };
    for (name, values) in document.query(route) {
        let chosen = kept.query.iter().filter(|(key, value)| *key == name && values.contains(value));
        let chosen: Vec<_> = chosen.map(|(name, value)| format!("?{name}={value}")).collect();
        kept.chosen.extend(chosen);
    }
    if let (Some(schema), Some(json)) = (document.body(route), &json) {
        document.visit(schema, route.operation, json, &mut |name, _| {
            if name.contains(['.', '=']) {
                kept.used.insert(name.to_owned());
            }
        });
    }
    if let Some(schema) = document.answer(route, status) {
        document.visit(schema, route.operation, &kept.answer, &mut |name, value| {
            if let Some(id) = value.as_str().filter(|_| !name.contains('=')) {
                names.learn(&kind(name), id);
            }
            if name.contains(['.', '=']) && says_something(value) {
                kept.answered.insert(name.to_owned());
            }
        });
    }
    Some(kept)
}

/// Returns whether a path belongs to the route. The last parameter of some routes takes several segments.
fn is_path_of(route: &Route, path: &str) -> bool {
    let mut given = path.split('/');
    let fits = route.path.split('/').all(|segment| {
        let given = given.next();
        given.is_some_and(|given| parameter_name(segment).is_some() || given == segment)
    });
    fits && (given.next().is_none() || route.path.ends_with("{pagePath}"))
}

/// Returns the kind of object that an id in this field belongs to: `space` for `SpaceId`, `page` for `Page.id` and
/// `Link.page`.
fn kind(name: &str) -> String {
    let name = match name.rsplit_once('.') {
        Some((kind, "id")) => kind,
        Some((_, key)) => key,
        None => name.strip_suffix("Id").unwrap_or(name),
    };
    if name.ends_with("Page") || name == "SearchHit" {
        return "page".to_owned();
    }
    let mut letters = name.strip_prefix("Changed").unwrap_or(name).chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

fn url_decoded(query: &str) -> impl Iterator<Item = (String, String)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (name.to_owned(), value.to_owned())
    })
}
