//! Operations.

use super::path::pieces;
use super::{Api, snippet};
use crate::api::request::Request;
use crate::limits::MAX_EXAMPLE_BYTES;
use crate::listing::listing;
use maud::{Markup, html};
use quire_markup::openapi::{Content, Direction, Json, Sample, parameters_of, samples_of};

/// Maximum number of media types of a body. Later ones are left out.
const MAX_MEDIA_TYPES: usize = 8;

/// Maximum number of examples of one request or response. Later ones are left out.
const MAX_SAMPLES: usize = 12;

/// Media type with a sample.
type Typed<'j> = (&'j str, Option<Sample>);

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
                @let sent: Vec<&Json> = parameters.iter().copied().filter(|sent| is_in(sent, pointer)).collect();
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

    /// Describes a security scheme in a few words.
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
            (self.content(body, body.flag("required"), Direction::Request))
        }
    }

    /// Renders the schemas of a body by media type. Adjacent types with the same schema share it.
    fn content(&self, body: &Json, is_required: bool, direction: Direction) -> Markup {
        let content = media_types(body);
        let groups = content.chunk_by(|(_, one), (_, next)| one.get("schema") == next.get("schema"));
        html! {
            @for group in groups.take_while(|_| self.parts.visit()) {
                p.api-media {
                    @for (index, (media, _)) in group.iter().enumerate() {
                        @if index > 0 { ", " }
                        code { (media) }
                    }
                    @if is_required { " " span.required { (self.page.words.required) } }
                }
                @if let Some(schema) = group.first().and_then(|(_, typed)| typed.get("schema")) {
                    (self.schema(schema, direction))
                }
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
            (self.content(response, false, Direction::Response))
            (self.sample_listings(response, Direction::Response))
        }
    }

    /// Renders the samples of a body, of which a reader selects one.
    fn sample_listings(&self, body: &Json, direction: Direction) -> Markup {
        let samples = self.samples(body, direction);
        let shown = samples.iter().filter_map(|(media, sample)| {
            let sample = sample.as_ref()?;
            let code = sample.content.lines_within(MAX_EXAMPLE_BYTES)?;
            self.parts.has_room(code.len()).then_some((*media, sample, code))
        });
        let shown: Vec<(&str, &Sample, String)> = shown.collect();
        let words = self.page.words;
        html! {
            @if let [(_, sample, code)] = shown.as_slice() {
                figure.code {
                    figcaption { span.code-title { (words.example) @if !sample.title.is_empty() { ": " (sample.title) } } }
                    (listing(self.page, sample.content.syntax(), code))
                }
            } @else if !shown.is_empty() {
                @let group = self.page.own_id("tabs");
                div.tabs role="group" aria-label=(words.example) {
                    @for (index, (media, sample, code)) in shown.iter().enumerate() {
                        details name=(group) open[index == 0] {
                            summary { (label(media, sample)) }
                            div.tab { figure.code { (listing(self.page, sample.content.syntax(), code)) } }
                        }
                    }
                }
            }
        }
    }

    /// Returns the samples of all media types of a body. A media type without samples has an entry with `None`.
    fn samples<'j>(&self, body: &'j Json, direction: Direction) -> Vec<Typed<'j>> {
        let mut found: Vec<Typed<'j>> = Vec::new();
        for (media, typed) in media_types(body) {
            let samples = samples_of(media, typed, self.parts, direction);
            if samples.is_empty() {
                found.push((media, None));
            }
            found.extend(samples.into_iter().map(|sample| (media.as_str(), Some(sample))));
        }
        found.truncate(MAX_SAMPLES);
        found
    }

    /// Renders examples of requests in several languages, for each sample of a body. For a webhook, which the service
    /// calls, only the body is shown.
    fn request_examples(&self, body: &Json, parameters: &[&Json]) -> Markup {
        let sent = body.get("operation").and_then(|operation| operation.get("requestBody"));
        let sent = sent.map_or(&Json::Null, |sent| self.parts.follow(sent));
        if !body.str("path").is_some_and(|path| path.starts_with('/')) {
            return self.sample_listings(sent, Direction::Request);
        }
        let mut samples = self.samples(sent, Direction::Request);
        samples.sort_by_key(|(media, _)| !media.contains("json"));
        let request = |sent: Option<(&str, Option<Content>)>| {
            self.snippets(&Request::new(body, parameters, self.parts, self.server, sent))
        };
        let content = |sample: &Option<Sample>| sample.as_ref().map(|sample| sample.content.clone());
        html! {
            @match samples.as_slice() {
                [] => (request(None)),
                [(media, sample)] => (request(Some((media, content(sample))))),
                samples => {
                    div.tabs.api-media-types role="group" aria-label=(self.page.words.request_body) {
                        @let group = self.page.own_id("tabs");
                        @for (index, (media, sample)) in samples.iter().enumerate() {
                            details name=(group) open[index == 0] {
                                summary {
                                    @match sample { Some(sample) => (label(media, sample)), None => (media) }
                                }
                                div.tab { (request(Some((media, content(sample))))) }
                            }
                        }
                    }
                }
            }
        }
    }

    fn snippets(&self, request: &Request) -> Markup {
        let group = self.page.own_id("tabs");
        html! {
            div.tabs.api-request role="group" aria-label=(self.page.words.request) {
                @for (index, snippet) in snippet::all(request).into_iter().enumerate() {
                    @if index == 0 || self.parts.has_room(snippet.code.len()) {
                        details name=(group) open[index == 0] {
                            summary { (snippet.title) }
                            div.tab { figure.code { (listing(self.page, snippet.syntax, &snippet.code)) } }
                        }
                    }
                }
            }
        }
    }

    /// Renders the requests that a service makes to the client.
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

/// Renders the method and path of an operation, with its parameters marked.
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

/// Returns the media types of a body that are rendered.
fn media_types(body: &Json) -> &[(String, Json)] {
    let content = body.entries_of("content");
    content.get(..content.len().min(MAX_MEDIA_TYPES)).unwrap_or_default()
}

/// Returns whether a parameter has this location. A `querystring` parameter, which is the whole query, is in `query`.
fn is_in(parameter: &Json, location: &str) -> bool {
    let own = parameter.str("in");
    own == Some(location) || (location == "query" && own == Some("querystring"))
}

fn label(media: &str, sample: &Sample) -> String {
    if sample.title.is_empty() { media.to_owned() } else { format!("{media}: {}", sample.title) }
}

fn first_line(text: Option<&str>) -> &str {
    text.unwrap_or_default().trim().lines().next().unwrap_or_default()
}
