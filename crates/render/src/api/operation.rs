//! Operations.

use super::{Api, snippet};
use crate::api::request::Request;
use crate::listing::listing;
use maud::{Markup, html};
use quire_markup::openapi::{Json, example_of, parameters_of};

/// Bytes of an example of a response.
const MAX_EXAMPLE_BYTES: usize = crate::limits::MAX_EXAMPLE_BYTES;

impl Api<'_, '_, '_> {
    pub(super) fn operation(&self, body: &Json) -> Markup {
        let operation = body.get("operation").unwrap_or(&Json::Null);
        let words = self.page.words;
        let parameters = parameters_of(body, self.parts);
        let placed = [
            ("path", words.path_parameters),
            ("query", words.query_parameters),
            ("header", words.header_parameters),
            ("cookie", words.cookie_parameters),
        ];
        html! {
            (signature(body))
            @if operation.flag("deprecated") {
                div.hint data-style="warning" role="note" aria-label=(words.warning) {
                    (self.page.icon("q-warning")) div { p { (words.is_deprecated) } }
                }
            }
            (self.markdown(operation.str("description")))
            (self.request_examples(body, &parameters))
            (self.authorization(body.items_of("security")))
            @for (pointer, title) in placed {
                @let sent: Vec<&Json> = parameters.iter().copied().filter(|sent| sent.str("in") == Some(pointer)).collect();
                @if !sent.is_empty() {
                    (self.heading(self.level, title))
                    ul.api-fields {
                        @for parameter in sent {
                            (self.field(parameter.str("name").unwrap_or_default(), parameter))
                        }
                    }
                }
            }
            (self.request_body(operation))
            (self.responses(operation))
            (self.callbacks(operation))
        }
    }

    fn authorization(&self, ways: &[Json]) -> Markup {
        html! {
            @if !ways.is_empty() {
                (self.heading(self.level, self.page.words.authorization))
                ul {
                    @for way in ways {
                        li {
                            @if way.entries().is_empty() { (self.page.words.none) }
                            @for (index, (name, scopes)) in way.entries().iter().enumerate() {
                                @if index > 0 { " + " }
                                code { (name) }
                                @if let Some(about) = self.scheme(name) { ": " (about) }
                                @for scope in scopes.items().iter().filter_map(Json::as_str) { " " code.scope { (scope) } }
                            }
                        }
                    }
                }
            }
        }
    }

    /// A security scheme in a few words.
    fn scheme(&self, name: &str) -> Option<String> {
        let scheme = super::request::scheme(self.parts, name)?;
        let said = |key: &str| scheme.str(key).unwrap_or_default().to_owned();
        Some(match scheme.str("type")? {
            "apiKey" => format!("API key in {} {}", said("in"), said("name")),
            "http" => format!("HTTP {}", said("scheme")),
            "basic" => "HTTP basic".to_owned(),
            "oauth2" => "OAuth 2.0".to_owned(),
            "openIdConnect" => "OpenID Connect".to_owned(),
            other => other.to_owned(),
        })
    }

    fn request_body(&self, operation: &Json) -> Markup {
        let Some(body) = operation.get("requestBody").map(|body| self.parts.follow(body)) else {
            return html! {};
        };
        html! {
            (self.heading(self.level, self.page.words.request_body))
            (self.markdown(body.str("description")))
            (self.content(body, body.flag("required")))
        }
    }

    /// The schemas of a body by their media types.
    fn content(&self, body: &Json, is_required: bool) -> Markup {
        html! {
            @for (media, typed) in body.entries_of("content").iter().take(8).take_while(|_| self.parts.visit()) {
                p.api-media {
                    code { (media) }
                    @if is_required { " " span.required { (self.page.words.required) } }
                }
                @if let Some(schema) = typed.get("schema") { (self.schema(schema)) }
            }
        }
    }

    fn responses(&self, operation: &Json) -> Markup {
        let responses = operation.entries_of("responses");
        html! {
            @if !responses.is_empty() {
                (self.heading(self.level, self.page.words.responses))
                @for (index, (status, response)) in responses.iter().take_while(|_| self.parts.visit()).enumerate() {
                    @let response = self.parts.follow(response);
                    @let content = self.response(response);
                    @let title = html! {
                        span.status data-status=(status.get(..1).unwrap_or_default()) { (status) }
                        span { (first_line(self.parts.text(response.str("description")))) }
                    };
                    @if content.0.is_empty() { p.api-response { (title) } } @else {
                        details.api-response open[index == 0] { summary { (title) } div { (content) } }
                    }
                }
            }
        }
    }

    fn response(&self, response: &Json) -> Markup {
        let headers = response.entries_of("headers");
        let about = response.str("description").filter(|about| first_line(Some(about)) != about.trim());
        html! {
            (self.markdown(about))
            @if !headers.is_empty() {
                p { strong { (self.page.words.headers) } }
                ul.api-fields {
                    @for (name, header) in headers.iter().take_while(|_| self.parts.visit()) {
                        (self.field(name, self.parts.follow(header)))
                    }
                }
            }
            (self.content(response, false))
            @for (media, typed) in response.entries_of("content").iter().take(1) { (self.example_listings(media, typed)) }
        }
    }

    fn example_listings(&self, media: &str, typed: &Json) -> Markup {
        html! {
            @for (title, example) in self.examples(media, typed) {
                figure.code {
                    figcaption { span.code-title { (self.page.words.example) @if !title.is_empty() { ": " (title) } } }
                    (listing(self.page, if media.contains("json") { "json" } else { "" }, &example))
                }
            }
        }
    }

    /// The examples that the specification gives, else one made from the schema where JSON is spoken.
    fn examples(&self, media: &str, typed: &Json) -> Vec<(String, String)> {
        let shown = |value: &Json| match value.as_str().filter(|_| !media.contains("json")) {
            Some(text) => text.chars().take(MAX_EXAMPLE_BYTES).collect(),
            None => value.to_lines_within(MAX_EXAMPLE_BYTES),
        };
        let mut found: Vec<(String, String)> = Vec::new();
        if let Some(example) = typed.get("example") {
            found.push((String::new(), shown(self.parts.follow(example))));
        }
        for (name, example) in typed.entries_of("examples").iter().take(8) {
            let example = self.parts.follow(example);
            let title = example.str("summary").unwrap_or(name);
            found.extend(example.get("value").map(|value| (title.to_owned(), shown(value))));
        }
        if found.is_empty() && (media.contains("json") || media == "*/*") {
            let made = typed.get("schema").and_then(|schema| example_of(schema, self.parts));
            found.extend(made.map(|example| (String::new(), shown(&example))));
        }
        found.retain(|(_, text)| self.parts.has_room(text.len()));
        found
    }

    /// Examples of calls in several languages. A webhook is called by the service: its body is shown.
    fn request_examples(&self, body: &Json, parameters: &[&Json]) -> Markup {
        if !body.str("path").is_some_and(|path| path.starts_with('/')) {
            let sent = body.get("operation").and_then(|operation| operation.get("requestBody"));
            let content = sent.map_or(&[][..], |sent| self.parts.follow(sent).entries_of("content"));
            return html! { @for (media, typed) in content.iter().take(1) { (self.example_listings(media, typed)) } };
        }
        let request = Request::new(body, parameters, self.parts, self.server);
        let group = self.page.own_id("tabs");
        html! {
            div.tabs.api-request role="group" aria-label=(self.page.words.request) {
                @for (index, snippet) in snippet::all(&request).into_iter().enumerate() {
                    details name=(group) open[index == 0] {
                        summary { (snippet.title) }
                        div.tab { figure.code { (listing(self.page, snippet.syntax, &snippet.code)) } }
                    }
                }
            }
        }
    }

    /// The requests that a service makes in turn.
    fn callbacks(&self, operation: &Json) -> Markup {
        let mut found = Vec::new();
        for (name, callback) in operation.entries_of("callbacks") {
            for (address, item) in self.parts.follow(callback).entries() {
                for (method, called) in
                    item.entries().iter().filter(|(_, called)| called.get("responses").is_some())
                {
                    if self.parts.visit() {
                        found.push((name, address, method, called.str("summary")));
                    }
                }
            }
        }
        html! {
            @if !found.is_empty() {
                (self.heading(self.level, self.page.words.callbacks))
                ul {
                    @for (name, address, method, summary) in found {
                        li {
                            span.method data-method=(method) { (method.to_uppercase()) } " " code { (address) } " " (name)
                            @if let Some(summary) = summary { ": " (summary) }
                        }
                    }
                }
            }
        }
    }
}

/// The method and path of an operation, its parameters marked.
fn signature(body: &Json) -> Markup {
    let method = body.str("method").unwrap_or_default().to_lowercase();
    let path = body.str("path").unwrap_or_default();
    html! {
        p.api-signature {
            span.method data-method=(method) { (method.to_uppercase()) }
            " "
            code {
                @for piece in pieces(path) {
                    @if piece.starts_with('{') { var { (piece) } } @else { (piece) }
                }
            }
        }
    }
}

/// A path cut before and behind its parameters.
fn pieces(path: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = path;
    while let Some((before, from)) = rest.find('{').and_then(|start| rest.split_at_checked(start)) {
        let Some((parameter, behind)) = from.find('}').and_then(|end| from.split_at_checked(end + 1)) else {
            break;
        };
        found.extend([before, parameter]);
        rest = behind;
    }
    found.push(rest);
    found.retain(|piece| !piece.is_empty());
    found
}

fn first_line(text: Option<&str>) -> &str {
    text.unwrap_or_default().trim().lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cut_at_their_parameters() {
        assert_eq!(pieces("/a/{b}/c{d}"), ["/a/", "{b}", "/c", "{d}"]);
        assert_eq!(pieces("/a/{b"), ["/a/{b"]);
        assert_eq!(pieces(""), [""; 0]);
    }
}
