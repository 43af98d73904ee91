//! Page of an operation.

use crate::limits::openapi::MAX_PARAMETERS;
use std::collections::HashSet;

use super::super::json::{Json, escape};
use super::blocks::{
    Grid, cell_markdown, code_text, heading, hint, joined, list, listing, markdown, paragraph, text,
};
use super::direction::Direction;
use super::media::content;
use super::resolve::Parts;
use super::schema::{constraints, type_of};
use super::{external_docs, servers};
use crate::document::{Block, Inline};

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
    nodes.extend(parameters(body, parts));
    nodes.extend(request_body(operation, parts));
    nodes.extend(responses(operation, parts));
    nodes.extend(callbacks(operation, parts));
    nodes
}

/// Returns the authorization section: a list of alternatives, each of which may need several schemes.
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
        let prefixes = ["/components/securitySchemes/", "/securityDefinitions/"];
        let scheme = prefixes.iter().find_map(|prefix| parts.at(&format!("{prefix}{}", escape(name))));
        if let Some(scheme) = scheme.map(|scheme| parts.follow(scheme)).filter(|_| parts.visit()) {
            line.push(text(": "));
            line.extend(described(scheme, parts));
        }
        let scopes: Vec<&str> = scopes.items().iter().filter_map(Json::as_str).collect();
        if !scopes.is_empty() {
            line.push(text(format!(" ({})", scopes.join(", "))));
        }
    }
    line
}

/// Returns a short description of a security scheme.
fn described(scheme: &Json, parts: &Parts<'_>) -> Vec<Inline> {
    let said = |key: &str, otherwise: &'static str| {
        parts.text(scheme.str(key)).map_or_else(|| otherwise.to_owned(), str::to_owned)
    };
    let words = match scheme.str("type") {
        Some("apiKey") => {
            let location = format!("API key in {} ", said("in", "header"));
            return vec![text(location), code_text(said("name", ""))];
        }
        Some("http") => format!("HTTP {}", said("scheme", "authentication")),
        Some("basic") => "HTTP basic".to_owned(),
        Some("oauth2") => "OAuth 2.0".to_owned(),
        Some("openIdConnect") => "OpenID Connect".to_owned(),
        Some("mutualTLS") => "mutual TLS".to_owned(),
        _ => said("type", ""),
    };
    vec![text(words)]
}

/// Returns the parameters of an operation, given its piece of the specification. The operation's own parameters
/// override those of the path.
#[must_use]
pub fn parameters_of<'j>(body: &'j Json, parts: &'j Parts<'_>) -> Vec<&'j Json> {
    let operation = body.get("operation").unwrap_or(&Json::Null);
    let own: Vec<&Json> = operation.items_of("parameters").iter().map(|item| parts.follow(item)).collect();
    let key = |parameter: &'j Json| (parameter.str("in"), parameter.str("name"));
    let known: HashSet<(Option<&str>, Option<&str>)> = own.iter().copied().map(key).collect();
    let shared = body.items_of("parameters").iter().map(|item| parts.follow(item));
    let shared = shared.filter(|shared| !known.contains(&key(shared)));
    shared.chain(own.iter().copied()).take(MAX_PARAMETERS).collect()
}

/// Returns the parameters by location.
fn parameters(body: &Json, parts: &Parts<'_>) -> Vec<Block> {
    let all = parameters_of(body, parts);
    let mut nodes = Vec::new();
    for (location, title) in [
        ("path", "Path parameters"),
        ("query", "Query parameters"),
        ("header", "Header parameters"),
        ("cookie", "Cookie parameters"),
    ] {
        let mut grid = Grid::new(&["Name", "Type", "Required", "Description"]);
        for parameter in all.iter().filter(|parameter| parameter.str("in") == Some(location)) {
            grid.row(row(parameter.str("name").unwrap_or_default(), parameter, parts));
        }
        if let Some(table) = grid.build() {
            nodes.extend([heading(2, title), table]);
        }
    }
    nodes
}

/// Returns the table row of a parameter or header.
fn row(name: &str, parameter: &Json, parts: &Parts<'_>) -> Vec<Vec<Block>> {
    let described = parameter.entries_of("content").first().and_then(|(_, media)| media.get("schema"));
    let schema = parameter.get("schema").or(described);
    let mut about = cell_markdown(parts.text(parameter.str("description")));
    if parameter.flag("deprecated") {
        about.insert(0, paragraph(vec![text("Deprecated.")]));
    }
    about.extend(schema.and_then(|schema| constraints(parts.follow(schema), parts)));
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
    nodes.extend(markdown(parts.text(body.str("description"))));
    nodes.extend(content(body.entries_of("content"), parts, Direction::Request));
    nodes
}

fn responses(operation: &Json, parts: &Parts<'_>) -> Vec<Block> {
    let responses = operation.entries_of("responses");
    if responses.is_empty() {
        return Vec::new();
    }
    let mut nodes = vec![heading(2, "Responses")];
    for (status, response) in responses {
        if !parts.visit() {
            nodes.push(paragraph(vec![text("…")]));
            break;
        }
        let response = parts.follow(response);
        nodes.push(heading(3, status.as_str()));
        nodes.extend(markdown(parts.text(response.str("description"))));
        let mut headers = Grid::new(&["Header", "Type", "Required", "Description"]);
        for (name, header) in response.entries_of("headers").iter().take_while(|_| parts.visit()) {
            headers.row(row(name, parts.follow(header), parts));
        }
        nodes.extend(headers.build());
        nodes.extend(content(response.entries_of("content"), parts, Direction::Response));
    }
    nodes
}

/// Returns the callbacks: requests that the service sends.
fn callbacks(operation: &Json, parts: &Parts<'_>) -> Vec<Block> {
    let mut items: Vec<Vec<Inline>> = Vec::new();
    for (name, callback) in operation.entries_of("callbacks") {
        for (address, item) in parts.follow(callback).entries() {
            for (method, called) in
                item.entries().iter().filter(|(_, called)| called.get("responses").is_some())
            {
                if !parts.visit() || !parts.has_room(address.len().saturating_add(name.len())) {
                    return listed_callbacks(items);
                }
                let mut line =
                    vec![code_text(format!("{} {address}", method.to_uppercase())), text(format!(" {name}"))];
                line.extend(parts.text(called.str("summary")).map(|summary| text(format!(": {summary}"))));
                items.push(line);
            }
        }
    }
    listed_callbacks(items)
}

fn listed_callbacks(items: Vec<Vec<Inline>>) -> Vec<Block> {
    if items.is_empty() { Vec::new() } else { vec![heading(2, "Callbacks"), list(items)] }
}
