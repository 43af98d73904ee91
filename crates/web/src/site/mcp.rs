//! Model Context Protocol server of a site (modelcontextprotocol.io). Provides a search, and pages as Markdown.
//!
//! It has no sessions or streams. Each request gets a single JSON message, so any node can answer it.

use std::fmt::Write as _;
use std::sync::Arc;

use actix_web::http::{StatusCode, header};
use actix_web::web::Bytes;
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use http_body_util::{BodyExt as _, Full};
use quire_content::redirects::RedirectTarget;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
    JsonRpcError, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::links::absolute;
use super::load::{Loaded, Loader};
use super::page;
use super::request::segments;
use super::search::{self, Found};
use super::visit::Visit;
use crate::state::WebData;

/// Maximum size of a client's message in bytes.
const MOST_BYTES: usize = 64 << 10;
/// Maximum number of redirects that are followed for a page.
const MOST_MOVES: usize = 4;
/// Content type of messages.
const JSON: &str = "application/json";
const SEARCH: &str = "searchDocumentation";
const GET_PAGE: &str = "getPage";

/// Body of a request, or the error of reading it.
pub(crate) type Message = Result<Bytes, actix_web::Error>;

/// Tools for the site as one visitor sees it.
#[derive(Clone)]
struct Documentation {
    web: WebData,
    visit: Arc<Visit>,
}

/// Answers a message of a client.
pub(crate) async fn respond(
    request: &HttpRequest,
    message: Message,
    web: &WebData,
    visit: Arc<Visit>,
) -> HttpResponse {
    let message = match message {
        Ok(message) => message,
        Err(error) => {
            let status = error.as_response_error().status_code();
            return refused(status, ErrorData::invalid_request(error.to_string(), None));
        }
    };
    let documentation = Documentation { web: web.clone(), visit };
    // The host is valid, since it identified the site.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .with_max_request_body_bytes(MOST_BYTES);
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(documentation.clone()), sessions, config);
    let mut asked = http::Request::new(Full::new(message.clone()));
    *asked.method_mut() = http::Method::POST;
    for (name, value) in request.headers() {
        let name = http::HeaderName::from_bytes(name.as_str().as_bytes());
        if let (Ok(name), Ok(value)) = (name, http::HeaderValue::from_bytes(value.as_bytes())) {
            asked.headers_mut().append(name, value);
        }
    }
    let (parts, body) = service.handle(asked).await.into_parts();
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let status = StatusCode::from_u16(parts.status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let content_type = parts.headers.get(http::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    // The transport explains some of its refusals in plain text, which clients of the protocol do not read.
    let is_json = content_type.is_some_and(|content_type| content_type.starts_with(JSON));
    if !status.is_success() && !is_json {
        return refused(status, problem(request, status, &message, &body));
    }
    let mut response = HttpResponse::build(status);
    response.insert_header((header::CACHE_CONTROL, "no-store"));
    if let Some(content_type) = content_type {
        response.content_type(content_type);
    }
    response.body(body)
}

/// Responds with a JSON-RPC error without the id of a request.
fn refused(status: StatusCode, error: ErrorData) -> HttpResponse {
    HttpResponse::build(status)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(JsonRpcError::new(None, error))
}

/// Returns the error of a message that the transport refused with a text.
fn problem(request: &HttpRequest, status: StatusCode, message: &[u8], text: &[u8]) -> ErrorData {
    // The transport gives malformed JSON the same status as another content type.
    if status == StatusCode::UNSUPPORTED_MEDIA_TYPE
        && request.content_type().eq_ignore_ascii_case(JSON)
        && let Err(error) = serde_json::from_slice::<IgnoredAny>(message)
    {
        return ErrorData::parse_error(format!("The body is not valid JSON: {error}"), None);
    }
    let text = String::from_utf8_lossy(text).into_owned();
    if status.is_server_error() {
        return ErrorData::internal_error(text, None);
    }
    ErrorData::invalid_request(text, None)
}

/// Returns a tool with a single text argument. `names` are its name and title.
fn tool(names: [&'static str; 2], about: &'static str, argument: &str, of_argument: &str) -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {argument: {"type": "string", "description": of_argument}},
        "required": [argument],
    });
    let schema = schema.as_object().cloned().unwrap_or_default();
    let [name, title] = names;
    // Clients of protocol versions before 2025-06-18 read the title from the annotations.
    let annotations = ToolAnnotations::with_title(title).read_only(true);
    Tool::new(name, about, schema).with_title(title).with_annotations(annotations)
}

fn argument(arguments: Option<&JsonObject>, name: &str) -> Result<String, ErrorData> {
    let value = arguments.and_then(|arguments| arguments.get(name)).and_then(Value::as_str);
    let missing = || ErrorData::invalid_params(format!("`{name}` must be a string"), None);
    value.map(str::to_owned).ok_or_else(missing)
}

impl ServerHandler for Documentation {
    fn get_info(&self) -> ServerConfig {
        let title = self.visit.title();
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(title, env!("CARGO_PKG_VERSION")))
            .with_instructions(format!(
                "Documentation \"{title}\" at {}. Search it with {SEARCH}, then read pages with {GET_PAGE}.",
                self.visit.url("")
            ))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![
            tool(
                [SEARCH, "Search the documentation"],
                "Finds pages of the documentation. Returns their titles and URLs with the text around each match.",
                "query",
                "Words to find",
            ),
            tool(
                [GET_PAGE, "Get a page of the documentation"],
                "Returns a page of the documentation as Markdown.",
                "url",
                "URL or path of the page",
            ),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.as_ref();
        let text = match request.name.as_ref() {
            SEARCH => self.search(&argument(arguments, "query")?).await,
            GET_PAGE => self.page(&argument(arguments, "url")?).await,
            other => return Err(ErrorData::invalid_params(format!("there is no tool `{other}`"), None)),
        };
        let text = text.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(match text {
            Some(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            None => CallToolResult::error(vec![ContentBlock::text("There is no page at this URL.")]),
        }
        .into())
    }
}

impl Documentation {
    /// Returns the results of a search as Markdown.
    async fn search(&self, query: &str) -> ApiResult<Option<String>> {
        let found = search::found(&self.web, &self.visit, &search::bounded(query)).await?;
        Ok(Some(listed(&found, &self.visit.url(""))))
    }

    /// Returns a page as Markdown, by URL or by path on the site. `None` if it does not exist.
    async fn page(&self, url: &str) -> ApiResult<Option<String>> {
        let root = self.visit.url("");
        let site = &self.visit.site.site;
        let by_ids = self.web.state.urls.app(format_args!("sites/{}/{}", site.organization, site.id));
        let roots = [root.as_str(), &by_ids, &self.visit.prefix];
        let path = roots.iter().find_map(|root| url.strip_prefix(*root)).unwrap_or(url);
        let path = path.split(['#', '?']).next().unwrap_or_default();
        let path = match path.strip_suffix(".md") {
            Some("index" | "/index") => "",
            Some(path) => path,
            None => path,
        };
        let Some(path) = segments(path) else { return Ok(None) };
        let (shared, visit) = (self.web.clone(), Arc::clone(&self.visit));
        let load = move |reader: &mut Reader<'_>| {
            let (expansions, signer) = (&shared.expansions, &shared.state.signer);
            let mut path = path.clone();
            for _ in 0..=MOST_MOVES {
                let loader = Loader { reader: &mut *reader, visit: &visit, expansions, signer };
                let moved = match loader.page(&path, false)? {
                    Some(Loaded::Page(parts)) => return Ok(Some(page::markdown_of(&visit, &parts))),
                    Some(Loaded::Moved(site_path)) => site_path,
                    Some(Loaded::Redirected { target: RedirectTarget::SitePath(site_path), .. }) => site_path,
                    Some(Loaded::Redirected { target: RedirectTarget::Url(url), .. }) => {
                        return Ok(Some(format!("This page is at {url}\n")));
                    }
                    Some(Loaded::Missing(..)) | None => return Ok(None),
                };
                let Some(to) = segments(&moved) else { return Ok(None) };
                path = to;
            }
            Ok(None)
        };
        self.web.state.read(Credentials::ANONYMOUS, load).await
    }
}

/// Writes the results of a search.
fn listed(found: &Found, root: &str) -> String {
    let mut text = match found.progress {
        Some(_) => "The search index is still being built: other pages may match, too.\n\n".to_owned(),
        None => String::new(),
    };
    if found.hits.is_empty() {
        text.push_str("Nothing was found.");
    }
    for hit in &found.hits {
        let _ = write!(text, "# [{}]({})\n\n", hit.title, absolute(root, &hit.href));
        for section in &hit.sections {
            let excerpt: String = section.text.iter().map(|(piece, _)| piece.as_str()).collect();
            match &section.title {
                Some(title) => drop(write!(text, "- {title} ({}): ", absolute(root, &section.href))),
                None => text.push_str("- "),
            }
            let _ = writeln!(text, "{}", excerpt.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        text.push('\n');
    }
    text
}
