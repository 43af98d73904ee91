//! The application data that the API adds to the state of the serving kernel.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use actix_web::web;
use actix_web::web::Bytes;
use quire_content::attachments::Intake;
use quire_content::computed::Expansions;
use quire_content::exports::ExportLimiter;
use quire_content::git::{GitRunner, GithubApp};
use quire_content::imports::{ImportLimiter, ImportRunner};
use quire_importer::blocking::Threads;
use quire_importer::fetch::Fetcher;
use quire_importer::source::GatherLimits;
use quire_render::Highlighter;
use quire_server::routing::RouteTable;
use quire_server::{ServerState, State};
use quire_storage::door::TypedDoor;

use crate::error::{ApiError, ApiResult};
use crate::event_streams::EventStreams;
use crate::pdf_poll::PdfPoller;

/// Settings of the API.
#[derive(Clone, Debug)]
pub struct ApiSettings {
    /// Limits of synchronous imports, and of the uploads of all imports.
    pub imports: GatherLimits,
    /// Maximum number of concurrent synchronous imports.
    pub waited_imports: usize,
    /// Maximum time that a request waits for a pending PDF.
    pub pdf_wait: Duration,
    /// Maximum lifetime of an event stream. Clients then reconnect.
    pub stream_life: Duration,
    /// GitHub App that connections to repositories may use.
    pub github_app: Option<GithubApp>,
}

impl Default for ApiSettings {
    fn default() -> Self {
        Self {
            imports: GatherLimits::default(),
            waited_imports: 8,
            pdf_wait: Duration::from_secs(30),
            stream_life: Duration::from_secs(3_600),
            github_app: None,
        }
    }
}

/// Parts of an export that are written and compressed concurrently.
const EXPORT_THREADS: usize = 2;

/// Concurrent exports. Each uses one to two megabytes until its client has read it.
const EXPORTS: usize = 48;

/// Data that the handlers of the API share.
pub struct Api {
    /// State of the node.
    pub state: State,
    /// Settings of the deployment.
    pub settings: ApiSettings,
    /// Cache of expanded trees: trees with their computed pages.
    expansions: Expansions,
    /// Grammars for highlighting code, shared by all pages of the node.
    pub(crate) highlighter: Arc<Highlighter>,
    /// Runner of synchronous imports, shared with the worker of the node.
    pub imports: ImportRunner,
    /// Runner of imports from and exports to Git, shared with the worker of the node.
    pub git: GitRunner,
    /// Poller of pending PDFs.
    pub(crate) pdfs: PdfPoller,
    /// Open event streams.
    pub(crate) streams: EventStreams,
    /// Limiter of exports, with the threads that write them.
    pub(crate) exports: ExportLimiter,
    /// Route table, shared by the threads of the server.
    pub(crate) table: web::Data<RouteTable>,
    /// OpenAPI document.
    pub(crate) openapi: OpenApiDocument,
}

/// Extractor of [`Api`].
pub type ApiData = web::Data<Api>;

impl Api {
    /// Returns the application data of a node, with its routes and the served OpenAPI document.
    pub(crate) fn with_routes(
        state: State,
        fetcher: Fetcher,
        settings: ApiSettings,
        table: RouteTable,
        openapi: OpenApiDocument,
    ) -> Self {
        let limiter =
            ImportLimiter::new(settings.waited_imports, state.settings.wait, fetcher.threads().clone());
        let caches = state.settings.caches;
        let expansions = Expansions::new(caches.computed().div_euclid(2));
        let computed = expansions.clone();
        state.metrics.export_caches(move || vec![("computed_trees", computed.bytes())]);
        let imports = ImportRunner { fetcher, limiter };
        Self {
            expansions,
            highlighter: Arc::default(),
            git: GitRunner::new(imports.clone()).with_app(settings.github_app.clone(), &state.storage),
            imports,
            pdfs: PdfPoller::default(),
            streams: EventStreams::default(),
            exports: ExportLimiter::new(EXPORTS, state.settings.wait, Threads::new(EXPORT_THREADS)),
            table: web::Data::new(table),
            openapi,
            settings,
            state,
        }
    }

    /// Returns the cache of expanded trees.
    #[must_use]
    pub fn expansions(&self) -> Expansions {
        self.expansions.clone()
    }

    /// Returns the runner of Git imports and exports.
    #[must_use]
    pub fn git(&self) -> GitRunner {
        self.git.clone()
    }

    /// Returns the grammars for highlighting code.
    #[must_use]
    pub fn highlighter(&self) -> Arc<Highlighter> {
        Arc::clone(&self.highlighter)
    }

    /// Returns the cache of expanded trees if computed pages are requested.
    pub(crate) fn expansions_if(&self, wanted: bool) -> Option<Expansions> {
        wanted.then(|| self.expansions.clone())
    }

    /// Returns the intake for the files of a content write.
    pub(crate) fn intake(&self) -> Intake<'_, Self> {
        Intake { door: self, fetcher: &self.imports.fetcher, max_bytes: self.state.settings.max_upload }
    }
}

/// Gives content logic access to storage as handlers have it: with the actor, and with the audit log entry.
impl TypedDoor<quire_content::Error> for Api {
    type Door = ServerState;

    fn door(&self) -> &ServerState {
        &self.state
    }
}

/// Function that writes the OpenAPI document for a base path.
type Write = fn(&str) -> serde_json::Result<String>;

/// OpenAPI document. It is written on the first request.
pub struct OpenApiDocument {
    base_path: String,
    write: Write,
    written: OnceLock<Bytes>,
}

impl OpenApiDocument {
    /// Creates the document of the API below `base_path`.
    pub fn new(base_path: String, write: Write) -> Self {
        Self { base_path, write, written: OnceLock::new() }
    }

    /// Returns the document.
    ///
    /// # Errors
    /// An error if the document cannot be serialized.
    pub fn bytes(&self) -> ApiResult<Bytes> {
        if let Some(document) = self.written.get() {
            return Ok(document.clone());
        }
        let document = (self.write)(&self.base_path).map_err(ApiError::internal)?;
        Ok(self.written.get_or_init(|| Bytes::from(document)).clone())
    }
}
