//! Examples of requests, independent of a programming language.

use super::path::pieces;
use crate::limits::MAX_EXAMPLE_BYTES;
use quire_markup::openapi::{Content, Encoding, Json, Parts, Style, example_of, samples_of, server_url};
use quire_markup::openapi::{Direction, scalar};

/// Maximum number of parameters in an example of a request. Later ones are left out.
const MAX_SENT: usize = 20;

/// Keywords of a schema that determine a value more closely than its type.
const VALUE_KEYWORDS: [&str; 6] = ["example", "examples", "const", "default", "enum", "format"];

/// Example of a request to an operation.
pub(super) struct Request {
    /// Method in upper case.
    pub(super) method: String,
    pub(super) url: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Option<Content>,
}

impl Request {
    /// Returns the request of an operation, with a body of this media type.
    pub(super) fn new(
        body: &Json,
        parameters: &[&Json],
        parts: &Parts<'_>,
        server: &str,
        sent: Option<(&str, Option<Content>)>,
    ) -> Self {
        let operation = body.get("operation").unwrap_or(&Json::Null);
        let servers = operation.get("servers").or_else(|| body.get("servers")).map_or(&[][..], Json::items);
        let own = servers.iter().find_map(server_url);
        let server = own.as_deref().unwrap_or(server);
        let path = expanded(body.str("path").unwrap_or_default(), parameters, parts);
        let mut url = format!("{}{path}", server.trim_end_matches('/'));
        let authorization = authorization(body.items_of("security"), parts);
        let mut query = authorization.query;
        for parameter in shown(parameters, "query") {
            query.extend(pairs_of(parameter, "query", parts));
        }
        for parameter in shown(parameters, "querystring") {
            query.extend(query_of(parameter, parts));
        }
        for (name, value) in query {
            url.push(if url.contains('?') { '&' } else { '?' });
            url.push_str(&format!("{name}={value}"));
        }
        let mut headers = Vec::new();
        for parameter in shown(parameters, "header") {
            let name = parameter.str("name").unwrap_or_default();
            let value = Style::of(parameter, "header").segment(name, &value_of(parameter, parts));
            headers.push((name.to_owned(), value));
        }
        let mut cookies = authorization.cookies;
        for parameter in shown(parameters, "cookie") {
            cookies.extend(pairs_of(parameter, "cookie", parts));
        }
        if !cookies.is_empty() {
            let cookies: Vec<String> =
                cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            headers.push(("Cookie".to_owned(), cookies.join("; ")));
        }
        headers.extend(authorization.headers);
        let mut content = None;
        if let Some((media, sample)) = sent {
            // HTTP libraries add the boundary of the parts to this header.
            if !matches!(sample, Some(Content::Multipart(_))) {
                let media = if media.starts_with('*') { "application/json" } else { media };
                headers.push(("Content-Type".to_owned(), media.to_owned()));
            }
            content = sample.map(bounded);
        }
        let method = body.str("method").unwrap_or("get").to_uppercase();
        Self { method, url, headers, body: content }
    }
}

fn bounded(content: Content) -> Content {
    match content {
        Content::Json(json) if json.to_line_within(MAX_EXAMPLE_BYTES + 1).len() > MAX_EXAMPLE_BYTES => {
            Content::Json(Json::text("…"))
        }
        Content::Text(syntax, text) => Content::Text(syntax, text.chars().take(MAX_EXAMPLE_BYTES).collect()),
        other => other,
    }
}

/// Returns the parameters of a location that an example shows: required ones, and those with an example or a style.
fn shown<'j>(parameters: &[&'j Json], location: &'static str) -> impl Iterator<Item = &'j Json> {
    let is_shown = |parameter: &Json| {
        parameter.flag("required")
            || ["example", "examples", "style"].iter().any(|key| parameter.get(key).is_some())
    };
    let sent = parameters
        .iter()
        .copied()
        .filter(move |parameter| parameter.str("in") == Some(location) && is_shown(parameter));
    sent.take(MAX_SENT).collect::<Vec<_>>().into_iter()
}

/// Returns a path with the values of its parameters. A parameter without a known value keeps its name in braces.
fn expanded(path: &str, parameters: &[&Json], parts: &Parts<'_>) -> String {
    let mut expanded = String::with_capacity(path.len());
    for piece in pieces(path) {
        let name = piece.strip_prefix('{').and_then(|piece| piece.strip_suffix('}'));
        let parameter = name.and_then(|name| {
            let is_it = |parameter: &&&Json| {
                parameter.str("in") == Some("path") && parameter.str("name") == Some(name)
            };
            Some((name, *parameters.iter().find(is_it)?))
        });
        match parameter
            .filter(|(_, parameter)| parameter.str("style").is_some() || is_known(parameter, parts))
        {
            Some((name, parameter)) => {
                expanded.push_str(&Style::of(parameter, "path").segment(name, &value_of(parameter, parts)));
            }
            None => expanded.push_str(piece),
        }
    }
    expanded
}

/// Returns whether the specification determines a parameter's value more closely than its type.
fn is_known(parameter: &Json, parts: &Parts<'_>) -> bool {
    let schema = parameter.get("schema").map_or(&Json::Null, |schema| parts.follow(schema));
    let is_list = schema.get("items").is_some() || schema.get("properties").is_some();
    ["example", "examples"].iter().any(|key| parameter.get(key).is_some())
        || is_list
        || VALUE_KEYWORDS.iter().any(|key| schema.get(key).is_some())
}

/// Returns the name-value pairs of a parameter in a query or cookie. A parameter with a media type has one pair, with
/// its serialized content as the value.
fn pairs_of(parameter: &Json, location: &str, parts: &Parts<'_>) -> Vec<(String, String)> {
    let name = parameter.str("name").unwrap_or_default();
    let value = value_of(parameter, parts);
    let value = if parameter.get("content").is_some() { Json::Text(scalar(&value)) } else { value };
    Style::of(parameter, location).pairs(name, &value)
}

/// Returns the pairs of a `querystring` parameter, which is the whole query.
fn query_of(parameter: &Json, parts: &Parts<'_>) -> Vec<(String, String)> {
    let typed = parameter.entries_of("content").first();
    let samples = typed.map(|(media, typed)| samples_of(media, typed, parts, Direction::Request));
    let encoded =
        |(name, value): (String, String)| (Encoding::Percent.of(&name), Encoding::Percent.of(&value));
    match samples.and_then(|samples| Some(samples.into_iter().next()?.content)) {
        Some(Content::Form(fields)) => fields.into_iter().map(encoded).collect(),
        _ => Vec::new(),
    }
}

/// Returns an example of a parameter's value.
fn value_of(parameter: &Json, parts: &Parts<'_>) -> Json {
    let typed = parameter.entries_of("content").first().map_or(parameter, |(_, typed)| typed);
    let named = || {
        let (_, example) = typed.entries_of("examples").first()?;
        let example = parts.follow(example);
        ["value", "dataValue"].into_iter().find_map(|key| example.get(key)).cloned()
    };
    let made = || example_of(typed.get("schema")?, parts, Direction::Request);
    typed.get("example").cloned().or_else(named).or_else(made).unwrap_or_else(|| Json::text("value"))
}

/// Returns a security scheme by name.
pub(super) fn scheme<'j>(parts: &'j Parts<'_>, name: &str) -> Option<&'j Json> {
    let name = name.replace('~', "~0").replace('/', "~1");
    let prefixes = ["/components/securitySchemes/", "/securityDefinitions/"];
    let found = prefixes.iter().find_map(|prefix| parts.at(&format!("{prefix}{name}")))?;
    Some(parts.follow(found))
}

/// Credentials of a request by their location.
#[derive(Default)]
struct Authorization {
    headers: Vec<(String, String)>,
    query: Vec<(String, String)>,
    cookies: Vec<(String, String)>,
}

/// Returns the credentials of the first alternative of the security requirements.
fn authorization(ways: &[Json], parts: &Parts<'_>) -> Authorization {
    let mut found = Authorization::default();
    for (name, _) in ways.first().map_or(&[][..], Json::entries) {
        let Some(scheme) = scheme(parts, name) else { continue };
        let value = match (scheme.str("type"), scheme.str("in"), scheme.str("scheme")) {
            (Some("apiKey"), location, _) => {
                let list = match location {
                    Some("query") => &mut found.query,
                    Some("cookie") => &mut found.cookies,
                    _ => &mut found.headers,
                };
                list.push((scheme.str("name").unwrap_or_default().to_owned(), "YOUR_API_KEY".to_owned()));
                continue;
            }
            (None | Some("mutualTLS"), ..) => continue,
            (Some("basic"), ..) => "Basic YOUR_CREDENTIALS",
            (Some("http"), _, Some(kind)) if kind.eq_ignore_ascii_case("basic") => "Basic YOUR_CREDENTIALS",
            _ => "Bearer YOUR_TOKEN",
        };
        found.headers.push(("Authorization".to_owned(), value.to_owned()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn request(parameters: &str, security: &str) -> Request {
        let parameters = Json::parse(parameters).unwrap();
        let parameters: Vec<&Json> = parameters.items().iter().collect();
        let schemes = Json::parse(
            r#"{"q": {"type": "apiKey", "in": "query", "name": "key"}, "c": {"type": "apiKey", "in": "cookie", "name": "sid"}}"#,
        )
        .unwrap();
        let schemes: Vec<(String, &Json)> = schemes
            .entries()
            .iter()
            .map(|(name, scheme)| (format!("/components/securitySchemes/{name}"), scheme))
            .collect();
        let parts: HashMap<&str, &Json> =
            schemes.iter().map(|(pointer, scheme)| (pointer.as_str(), *scheme)).collect();
        let body = Json::object([
            ("path", Json::text("/a/{id}/b{point}")),
            ("security", Json::parse(security).unwrap()),
            (
                "servers",
                Json::parse(r#"[{"url": "https://{r}.example/", "variables": {"r": {"default": "eu"}}}]"#)
                    .unwrap(),
            ),
        ]);
        Request::new(&body, &parameters, &Parts::new(&parts, &|_| None), "https://other.example", None)
    }

    #[test]
    fn parameters_have_their_style() {
        let made = request(
            r#"[{"in": "path", "name": "id", "required": true, "schema": {"type": "string"}},
                {"in": "path", "name": "point", "required": true, "style": "matrix", "explode": true, "example": {"x": 1, "y": 2}},
                {"in": "query", "name": "filter", "style": "deepObject", "example": {"kind": "a b"}},
                {"in": "query", "name": "ids", "required": true, "explode": false, "schema": {"example": [1, 2]}},
                {"in": "query", "name": "optional", "schema": {"type": "string"}},
                {"in": "query", "name": "json", "required": true, "content": {"application/json": {"example": {"a": [1]}}}},
                {"in": "header", "name": "X-List", "required": true, "example": ["a", "b c"]},
                {"in": "cookie", "name": "theme", "required": true, "schema": {"enum": ["dark"]}}]"#,
            "[]",
        );
        assert_eq!(
            made.url,
            "https://eu.example/a/{id}/b;x=1;y=2?filter%5Bkind%5D=a%20b&ids=1,2&json=%7B%22a%22%3A%5B1%5D%7D"
        );
        let headers = [("X-List", "a,b c"), ("Cookie", "theme=dark")];
        assert_eq!(made.headers, headers.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn keys_are_sent_where_their_scheme_says() {
        let made = request("[]", r#"[{"q": [], "c": []}]"#);
        assert_eq!(made.url, "https://eu.example/a/{id}/b{point}?key=YOUR_API_KEY");
        assert_eq!(made.headers, [("Cookie".to_owned(), "sid=YOUR_API_KEY".to_owned())]);
    }
}
