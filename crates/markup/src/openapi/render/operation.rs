//! The page of an operation.

use super::super::json::{Json, escape};
use super::blocks::{
    Grid, cell_markdown, code_text, heading, hint, joined, list, listing, markdown, paragraph, text,
};
use super::media::content;
use super::resolve::Parts;
use super::schema::{constraints, type_of};
use super::{external_docs, servers};
use crate::document::{Block, Inline};

/// Most parameters that a page shows.
const PARAMETERS_MAX: usize = 500;

pub(super) fn operation(body: &Json, parts: &Parts<'_>) -> Vec<Block> {
    let operation = body.get("operation").unwrap_or(&Json::Null);
    let signature = format!(
        "{} {}",
        body.str("method").unwrap_or_default().to_uppercase(),
        body.str("path").unwrap_or_default()
    );
    let mut nodes = vec![listing("http", &signature)];
    if operation.flag("deprecated") {
        nodes.push(hint("warning", vec![paragraph(vec![text("This operation is deprecated.")])]));
    }
    nodes.extend(markdown(operation.str("description")));
    nodes.extend(external_docs(operation.get("externalDocs")));
    let own_servers = operation.get("servers").or_else(|| body.get("servers"));
    nodes.extend(servers(own_servers.map_or(&[], Json::items)));
    nodes.extend(security(body.items_of("security"), parts));
    nodes.extend(parameters(body, operation, parts));
    nodes.extend(request_body(operation, parts));
    nodes.extend(responses(operation, parts));
    nodes.extend(callbacks(operation, parts));
    nodes
}

/// What a caller has to show: one of the listed ways, each of which may need several things.
pub(super) fn security(requirements: &[Json], parts: &Parts<'_>) -> Vec<Block> {
    let items: Vec<Vec<Inline>> = requirements.iter().map(|way| requirement(way, parts)).collect();
    if items.is_empty() { Vec::new() } else { vec![heading(2, "Authorization"), list(items)] }
}

fn requirement(way: &Json, parts: &Parts<'_>) -> Vec<Inline> {
    if way.entries().is_empty() {
        return vec![text("None")];
    }
    let mut line = Vec::new();
    for (name, scopes) in way.entries() {
        if !line.is_empty() {
            line.push(text(" and "));
        }
        line.push(code_text(name.as_str()));
        let places = ["/components/securitySchemes/", "/securityDefinitions/"];
        let scheme = places.iter().find_map(|place| parts.at(&format!("{place}{}", escape(name))));
        if let Some(scheme) = scheme.map(|scheme| parts.follow(scheme)) {
            line.push(text(": "));
            line.extend(described(scheme));
        }
        let scopes: Vec<&str> = scopes.items().iter().filter_map(Json::as_str).collect();
        if !scopes.is_empty() {
            line.push(text(format!(" ({})", scopes.join(", "))));
        }
    }
    line
}

/// A security scheme in a few words.
fn described(scheme: &Json) -> Vec<Inline> {
    let words = match scheme.str("type") {
        Some("apiKey") => {
            let place = format!("API key in {} ", scheme.str("in").unwrap_or("header"));
            return vec![text(place), code_text(scheme.str("name").unwrap_or_default())];
        }
        Some("http") => format!("HTTP {}", scheme.str("scheme").unwrap_or("authentication")),
        Some("basic") => "HTTP basic".to_owned(),
        Some("oauth2") => "OAuth 2.0".to_owned(),
        Some("openIdConnect") => "OpenID Connect".to_owned(),
        Some("mutualTLS") => "mutual TLS".to_owned(),
        other => other.unwrap_or_default().to_owned(),
    };
    vec![text(words)]
}

/// The parameters by where they stand. Those of the operation replace those that it shares with others.
fn parameters(body: &Json, operation: &Json, parts: &Parts<'_>) -> Vec<Block> {
    let own: Vec<&Json> = operation.items_of("parameters").iter().map(|item| parts.follow(item)).collect();
    let key =
        |parameter: &Json| (parameter.str("in").map(str::to_owned), parameter.str("name").map(str::to_owned));
    let shared = body.items_of("parameters").iter().map(|item| parts.follow(item));
    let shared = shared.filter(|shared| !own.iter().any(|own| key(own) == key(shared)));
    let all: Vec<&Json> = shared.chain(own.iter().copied()).take(PARAMETERS_MAX).collect();
    let mut nodes = Vec::new();
    for (place, title) in [
        ("path", "Path parameters"),
        ("query", "Query parameters"),
        ("header", "Header parameters"),
        ("cookie", "Cookie parameters"),
    ] {
        let mut grid = Grid::new(&["Name", "Type", "Required", "Description"]);
        for parameter in all.iter().filter(|parameter| parameter.str("in") == Some(place)) {
            grid.row(row(parameter.str("name").unwrap_or_default(), parameter, parts));
        }
        if let Some(table) = grid.build() {
            nodes.extend([heading(2, title), table]);
        }
    }
    nodes
}

/// A parameter or header as a row.
fn row(name: &str, parameter: &Json, parts: &Parts<'_>) -> Vec<Vec<Block>> {
    let described = parameter.entries_of("content").first().and_then(|(_, media)| media.get("schema"));
    let schema = parameter.get("schema").or(described);
    let mut about = cell_markdown(parameter.str("description"));
    if parameter.flag("deprecated") {
        about.insert(0, paragraph(vec![text("Deprecated.")]));
    }
    about.extend(schema.and_then(|schema| constraints(parts.follow(schema))));
    let is_required = if parameter.flag("required") { "yes" } else { "no" };
    vec![
        vec![paragraph(vec![code_text(name)])],
        schema.map(|schema| vec![paragraph(type_of(schema, parts))]).unwrap_or_default(),
        vec![paragraph(vec![text(is_required)])],
        joined(about),
    ]
}

fn request_body(operation: &Json, parts: &Parts<'_>) -> Vec<Block> {
    let Some(body) = operation.get("requestBody").map(|body| parts.follow(body)) else { return Vec::new() };
    let mut nodes = vec![heading(2, "Request body")];
    if body.flag("required") {
        nodes.push(paragraph(vec![text("Required.")]));
    }
    nodes.extend(markdown(body.str("description")));
    nodes.extend(content(body.entries_of("content"), parts));
    nodes
}

fn responses(operation: &Json, parts: &Parts<'_>) -> Vec<Block> {
    let responses = operation.entries_of("responses");
    if responses.is_empty() {
        return Vec::new();
    }
    let mut nodes = vec![heading(2, "Responses")];
    for (status, response) in responses {
        let response = parts.follow(response);
        nodes.push(heading(3, status.as_str()));
        nodes.extend(markdown(response.str("description")));
        let mut headers = Grid::new(&["Header", "Type", "Required", "Description"]);
        for (name, header) in response.entries_of("headers") {
            headers.row(row(name, parts.follow(header), parts));
        }
        nodes.extend(headers.build());
        nodes.extend(content(response.entries_of("content"), parts));
    }
    nodes
}

/// The requests that the service makes in turn.
fn callbacks(operation: &Json, parts: &Parts<'_>) -> Vec<Block> {
    let mut items: Vec<Vec<Inline>> = Vec::new();
    for (name, callback) in operation.entries_of("callbacks") {
        for (address, item) in parts.follow(callback).entries() {
            for (method, called) in
                item.entries().iter().filter(|(_, called)| called.get("responses").is_some())
            {
                let mut line =
                    vec![code_text(format!("{} {address}", method.to_uppercase())), text(format!(" {name}"))];
                line.extend(called.str("summary").map(|summary| text(format!(": {summary}"))));
                items.push(line);
            }
        }
    }
    if items.is_empty() { Vec::new() } else { vec![heading(2, "Callbacks"), list(items)] }
}
