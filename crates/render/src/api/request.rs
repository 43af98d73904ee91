//! An example of a request, in no language yet.

use crate::limits::MAX_EXAMPLE_BYTES;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quire_markup::openapi::{Json, Parts, example_of};

/// A request that an operation takes.
pub(super) struct Request {
    /// The method in capitals.
    pub(super) method: String,
    pub(super) url: String,
    pub(super) headers: Vec<(String, String)>,
    /// The body: JSON, or a text of another type.
    pub(super) body: Option<Body>,
}

pub(super) enum Body {
    Json(Json),
    Text(String),
}

impl Request {
    pub(super) fn new(body: &Json, parameters: &[&Json], parts: &Parts<'_>, server: &str) -> Self {
        let operation = body.get("operation").unwrap_or(&Json::Null);
        let servers = operation.get("servers").or_else(|| body.get("servers")).map_or(&[][..], Json::items);
        let server = servers.iter().find_map(|server| server.str("url")).unwrap_or(server);
        let mut url = format!("{}{}", server.trim_end_matches('/'), body.str("path").unwrap_or_default());
        let mut headers = Vec::new();
        for (index, parameter) in required(parameters, "query").enumerate() {
            let name = parameter.str("name").unwrap_or_default();
            url.push(if index == 0 { '?' } else { '&' });
            url.push_str(&format!("{name}={}", encoded(&value_of(parameter, parts))));
        }
        for parameter in required(parameters, "header") {
            headers.push((parameter.str("name").unwrap_or_default().to_owned(), value_of(parameter, parts)));
        }
        headers.extend(authorization(body.items_of("security"), parts));
        let sent = operation.get("requestBody").map(|sent| parts.follow(sent));
        let media = sent.and_then(|sent| {
            let content = sent.entries_of("content");
            content.iter().find(|(media, _)| media.contains("json")).or_else(|| content.first())
        });
        let body_of = |(media, typed): &(String, Json)| {
            headers.push(("Content-Type".to_owned(), media.clone()));
            let examples = typed
                .entries_of("examples")
                .first()
                .and_then(|(_, example)| parts.follow(example).get("value"));
            let given = typed.get("example").or(examples).cloned();
            let example = given.or_else(|| example_of(typed.get("schema")?, parts));
            match example? {
                Json::Text(text) if !media.contains("json") => {
                    Some(Body::Text(text.chars().take(MAX_EXAMPLE_BYTES).collect()))
                }
                example if example.to_line_within(MAX_EXAMPLE_BYTES + 1).len() > MAX_EXAMPLE_BYTES => {
                    Some(Body::Json(Json::text("…")))
                }
                example => Some(Body::Json(example)),
            }
        };
        let body_example = media.and_then(body_of);
        let method = body.str("method").unwrap_or("get").to_uppercase();
        Self { method, url, headers, body: body_example }
    }
}

fn required<'j>(parameters: &[&'j Json], location: &'static str) -> impl Iterator<Item = &'j Json> {
    let sent = parameters
        .iter()
        .copied()
        .filter(move |parameter| parameter.str("in") == Some(location) && parameter.flag("required"));
    sent.take(20).collect::<Vec<_>>().into_iter()
}

/// An example of a parameter's value.
fn value_of(parameter: &Json, parts: &Parts<'_>) -> String {
    let made = || example_of(parameter.get("schema")?, parts);
    let example = parameter.get("example").cloned().or_else(made).unwrap_or_else(|| Json::text("value"));
    match example {
        Json::Text(text) => text.chars().take(200).collect(),
        other => other.to_line_within(200),
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// A security scheme by its name.
pub(super) fn scheme<'j>(parts: &'j Parts<'_>, name: &str) -> Option<&'j Json> {
    let name = name.replace('~', "~0").replace('/', "~1");
    let prefixes = ["/components/securitySchemes/", "/securityDefinitions/"];
    let found = prefixes.iter().find_map(|prefix| parts.at(&format!("{prefix}{name}")))?;
    Some(parts.follow(found))
}

/// The headers of the first way to be authorized.
fn authorization(ways: &[Json], parts: &Parts<'_>) -> Vec<(String, String)> {
    let header = |name: &str| {
        let scheme = scheme(parts, name)?;
        let value = match (scheme.str("type")?, scheme.str("in"), scheme.str("scheme")) {
            ("apiKey", Some("header"), _) => {
                return Some((scheme.str("name")?.to_owned(), "YOUR_API_KEY".to_owned()));
            }
            ("apiKey", ..) => return None,
            ("basic", ..) => "Basic YOUR_CREDENTIALS",
            ("http", _, Some(kind)) if kind.eq_ignore_ascii_case("basic") => "Basic YOUR_CREDENTIALS",
            _ => "Bearer YOUR_TOKEN",
        };
        Some(("Authorization".to_owned(), value.to_owned()))
    };
    let first = ways.first().map_or(&[][..], Json::entries);
    first.iter().filter_map(|(name, _)| header(name)).collect()
}
