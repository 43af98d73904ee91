//! Whole application on a database of its own.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::future::Future;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::dev::{Payload, Service as _};
use actix_web::http::Method;
use actix_web::http::header::{HeaderMap, HeaderValue};
use actix_web::middleware::from_fn;
use actix_web::web::Bytes;
use actix_web::{App, HttpMessage as _, test, web};
use diesel::PgConnection;
use futures_util::future::FutureExt as _;
use quire_api::{Api, ApiData, ApiSettings, SignedAddresses};
use quire_content::git::GitRunner;
use quire_content::imports::{ImportLimiter, ImportRunner};
use quire_domain::Role;
use quire_domain::ids::OrganizationId;
use quire_importer::fetch::{FetchConfig, Fetcher};
use quire_revision::Tree;
use quire_server::idempotency::IDEMPOTENCY_KEY;
use quire_server::urls::base_path;
use quire_server::{ServerState, Settings, State, UrlSigner};
use quire_storage::SystemStorage;
use quire_storage::content::store::ContentSelector;
use quire_storage::people::user_sessions::Browser;
use quire_web::Sites;
use quire_worker::mail::Mailer;
use quire_worker::pdf::PdfRenderer;
use quire_worker::{Outcome, Services, deliver_due, purge_due, run_next};

use crate::caller::Service as Answering;
use crate::described::check_error;
use crate::journal::{Exchange, Journal, is_repetition, read_again};
use crate::{Answer, Caller, FakeClock, MailSink, TestStore, TestUser};

/// Served application on a fresh database with one organization. Tests call it without a socket.
pub struct TestApp {
    /// The state shared by the handlers.
    pub state: State,
    /// Further state shared by the handlers of the API.
    pub api: ApiData,
    /// The storage for commands and jobs.
    pub system: SystemStorage,
    /// The fake clock.
    pub clock: Arc<FakeClock>,
    /// The organization that callers with a role belong to.
    pub organization: OrganizationId,
    /// PDF renderer of jobs. Its program does not exist unless a test replaces the renderer.
    pub pdf: PdfRenderer,
    /// The mailer of jobs, if a test sends mail.
    pub mailer: Option<Mailer>,
    /// Record of requests and answers, once a test opens it.
    pub journal: Journal,
    service: Answering,
    fetch: FetchConfig,
    /// The storage with its database. Dropped last, after the connections of the application.
    pub store: TestStore,
}

impl TestApp {
    /// Age at which audit log entries are removed.
    pub const AUDIT_AGE: Duration = Duration::from_secs(400 * 24 * 60 * 60);
    /// The master key.
    pub const MASTER_KEY: [u8; 32] = TestStore::MASTER_KEY;

    /// Starts the application with default settings, but without rate limits.
    pub async fn start() -> Self {
        Self::start_with(Settings { rate_limit: 0, ..Settings::default() }, FetchConfig::default()).await
    }

    /// Starts the application with mail, which is sent to the sink.
    ///
    /// # Panics
    /// If PostgreSQL is unreachable.
    pub async fn start_with_mail(sink: &MailSink) -> Self {
        let settings = Settings { rate_limit: 0, mail: true, ..Settings::default() };
        let mut app = Self::start_with(settings, FetchConfig::default()).await;
        app.mail_to(sink);
        app
    }

    /// Sends the mail of jobs to the sink from now on.
    ///
    /// # Panics
    /// If the sink has no valid URL.
    pub fn mail_to(&mut self, sink: &MailSink) {
        self.mailer = Some(Mailer::new(&sink.url, "Quire <quire@example.com>").expect("the sink has a URL"));
    }

    /// Starts the application with this base URL.
    ///
    /// # Panics
    /// If PostgreSQL is unreachable.
    pub async fn start_at(base_url: &str) -> Self {
        let settings = Settings { base_url: base_url.to_owned(), rate_limit: 0, ..Settings::default() };
        Self::start_with(settings, FetchConfig::default()).await
    }

    /// Starts the application with these settings.
    ///
    /// # Panics
    /// If PostgreSQL is unreachable.
    pub async fn start_with(settings: Settings, fetch: FetchConfig) -> Self {
        // A stream ends after the initial state, so that its answer can be read to the end.
        let limits = ApiSettings { stream_life: Duration::ZERO, ..ApiSettings::default() };
        Self::start_with_limits(settings, limits, fetch).await
    }

    /// Starts the application with these settings of the kernel and the API.
    ///
    /// # Panics
    /// If PostgreSQL is unreachable.
    pub async fn start_with_limits(settings: Settings, limits: ApiSettings, fetch: FetchConfig) -> Self {
        Self::start_for(settings, |_| limits, fetch).await
    }

    /// Starts the application with API settings that may depend on its organization.
    ///
    /// # Panics
    /// If PostgreSQL is unreachable.
    pub async fn start_for(
        settings: Settings,
        limits: impl FnOnce(OrganizationId) -> ApiSettings,
        fetch: FetchConfig,
    ) -> Self {
        let store = TestStore::new();
        let limits = limits(store.organization);
        let (system, clock) = (store.system.clone(), store.clock.clone());
        let journal = Journal::default();
        let served = serve(&store, &system, (settings, limits, fetch.clone()), &journal).await;
        let Served { state, api, pdf, service } = served;
        let organization = store.organization;
        let mailer = None;
        Self { state, api, system, clock, organization, pdf, mailer, journal, service, fetch, store }
    }

    /// Starts another node on the same database and files, and returns the caller as a client of that node.
    ///
    /// # Panics
    /// If the node cannot start.
    pub async fn on_another_node(&self, caller: &Caller) -> Caller {
        let settings = (self.state.settings.clone(), self.api.settings.clone(), self.fetch.clone());
        let served = serve(&self.store, &self.store.another_node(), settings, &Journal::default()).await;
        caller.on(served.service)
    }

    /// Returns the services that jobs use.
    #[must_use]
    pub fn services(&self) -> Services {
        Services {
            storage: self.system.clone(),
            fetcher: self.api.imports.fetcher.clone(),
            imports: self.api.imports.clone(),
            git: self.api.git.clone(),
            import_limits: self.api.settings.imports,
            audit_age: Some(Self::AUDIT_AGE),
            pdf: self.pdf.clone(),
            mailer: self.mailer.clone(),
            base_url: self.state.settings.base_url.clone(),
        }
    }

    /// Returns the services of a worker in a separate process.
    #[must_use]
    pub fn services_of(storage: SystemStorage, fetch: FetchConfig) -> Services {
        let (settings, limits) = (Settings::default(), ApiSettings::default());
        let fetcher = Fetcher::new(fetch);
        let limiter = ImportLimiter::new(1, settings.wait, fetcher.threads().clone());
        let imports = ImportRunner { fetcher: fetcher.clone(), limiter };
        let addresses = SignedAddresses::new(&settings.base_url, UrlSigner::new([7; 32]));
        Services {
            storage,
            fetcher,
            git: GitRunner::new(imports.clone()),
            imports,
            import_limits: limits.imports,
            audit_age: Some(Self::AUDIT_AGE),
            pdf: PdfRenderer::new("no-renderer".into(), Arc::new(addresses)),
            mailer: None,
            base_url: settings.base_url,
        }
    }

    /// Writes the periodic jobs, as a starting server does.
    pub fn schedule_jobs(&self) {
        let scheduled = self.system.transact(quire_worker::jobs::schedule);
        scheduled.expect("the jobs can be written");
    }

    /// Runs due jobs, one after the other, until none is due.
    ///
    /// # Panics
    /// If the queue or a job fails.
    pub async fn run_jobs(&self) {
        loop {
            match run_next(&self.services()).await.expect("the queue can be used") {
                Outcome::Idle => return,
                Outcome::Done => {}
                outcome => panic!("a job ended as {outcome:?}"),
            }
        }
    }

    /// Returns the storage of another process on the same database and files.
    ///
    /// # Panics
    /// If the folder of files cannot be opened.
    #[must_use]
    pub fn another_node(&self) -> SystemStorage {
        self.store.another_node()
    }

    /// Delivers to webhooks until nothing is due.
    pub async fn deliver_webhooks(&self) {
        while deliver_due(&self.services()).await.expect("the database can be used") > 0 {}
    }

    /// Sends the due cache tags of renderers once, and returns the number of renderers.
    pub async fn purge_renderers(&self) -> usize {
        purge_due(&self.services()).await.expect("the database can be used")
    }

    /// Creates another organization.
    #[must_use]
    pub fn create_organization(&self, title: &str) -> OrganizationId {
        self.store.create_organization(title)
    }

    /// Creates a user with a token and without any membership.
    #[must_use]
    pub fn stranger(&self) -> Caller {
        self.caller(self.store.stranger())
    }

    /// Returns a caller without a token.
    #[must_use]
    pub fn anonymous(&self) -> Caller {
        Caller::new(self.service.clone(), None, None)
    }

    /// Creates a member of the organization with this role.
    #[must_use]
    pub fn as_role(&self, role: Role) -> Caller {
        self.member_of(self.organization, Some(role))
    }

    /// Creates a member of an organization; `None` for a guest.
    #[must_use]
    pub fn member_of(&self, organization: OrganizationId, role: Option<Role>) -> Caller {
        let caller = self.stranger();
        self.join(&caller, organization, role);
        caller
    }

    /// Adds a caller to an organization; `None` for a guest.
    pub fn join(&self, caller: &Caller, organization: OrganizationId, role: Option<Role>) {
        self.store.join(caller.user(), organization, role);
    }

    /// Creates a member whose role on this space is `role` by a grant, regardless of the space's default level; `None`
    /// for a guest, who cannot see the space.
    #[must_use]
    pub fn on_space(&self, space: &str, role: Option<Role>) -> Caller {
        let Some(role) = role else { return self.member_of(self.organization, None) };
        let caller = self.as_role(Role::Read);
        self.grant(&caller, space, role);
        caller
    }

    /// Grants a caller a role on a space or a collection.
    pub fn grant(&self, caller: &Caller, on: &str, role: Role) {
        self.store.grant(caller.user(), on, role);
    }

    /// Creates a collection at the root of an organization that its members can read.
    #[must_use]
    pub fn collection(&self, organization: OrganizationId) -> String {
        self.store.collection(organization).to_string()
    }

    /// Creates a space of the organization as a new admin. Returns the space and the admin.
    pub async fn space(&self) -> (String, Caller) {
        let admin = self.as_role(Role::Admin);
        let path = format!("/v1/orgs/{}/spaces", self.organization);
        let made = admin.post(&path, serde_json::json!({"title": "Guide"})).await.expect(201);
        (made.text("/id"), admin)
    }

    /// Returns the current main content of a space, read from the storage.
    ///
    /// # Panics
    /// If the caller cannot see the space.
    #[must_use]
    pub fn content(&self, space: &str, caller: &Caller) -> Tree {
        let space = space.parse().expect("the space's id is one");
        self.store.tree(&caller.credentials(), space, ContentSelector::Space)
    }

    /// Returns a connection to the application's database, for data without an endpoint.
    ///
    /// # Panics
    /// If the database is unreachable.
    #[must_use]
    pub fn connection(&self) -> PgConnection {
        self.store.connection()
    }

    /// Returns a caller with another, read-only token of the same user.
    #[must_use]
    pub fn read_only(&self, caller: &Caller) -> Caller {
        self.caller(self.store.read_only(caller.user()))
    }

    /// Returns the same user in a browser with a new session.
    #[must_use]
    pub fn in_browser(&self, caller: &Caller) -> Caller {
        let browser = Browser { user_agent: Some("Firefox".to_owned()), ..Browser::default() };
        let started = self.system.transact(|tx| tx.start_session(caller.user(), &browser));
        caller.with_token(&started.expect("a session can be started").secret)
    }

    /// Makes these requests while another transaction holds the locks of the statement `lock`. That transaction ends as
    /// soon as `waiting` of the requests wait for the locks, so the race occurs on every machine.
    ///
    /// # Panics
    /// If they do not wait within ten seconds.
    pub async fn while_locked<F: Future>(&self, lock: &str, waiting: i64, requests: F) -> F::Output {
        self.store.while_locked(lock, waiting, requests).await
    }

    /// Returns the number of rows of `from`: a table, with an optional condition.
    #[must_use]
    pub fn count(&self, from: &str) -> i64 {
        self.store.count(from)
    }

    /// Returns the number of statements that the application has sent to its database so far.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.state.storage.statements().get()
    }

    /// Returns the different texts of the statements that these requests send to the database.
    pub async fn statement_texts<F: Future>(&self, requests: F) -> BTreeSet<String> {
        let statements = self.state.storage.statements();
        statements.keep_texts();
        let _ = statements.take_texts();
        let _ = requests.await;
        statements.take_texts()
    }

    /// Returns the texts of prepared statements that connections hold, of those sent since the first
    /// [`TestApp::statement_texts`].
    #[must_use]
    pub fn prepared_texts(&self) -> BTreeSet<String> {
        self.state.storage.statements().prepared_texts()
    }

    /// Waits until the search index of the application has this many pages.
    ///
    /// # Panics
    /// If it does not within a minute.
    pub async fn wait_for_search_index(&self, pages: u64) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let status = self.state.storage.search_status();
            if status.pages == pages && status.waiting_spaces == 0 {
                return;
            }
            assert!(Instant::now() < deadline, "{pages} pages are awaited, {status:?}");
            actix_web::rt::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn caller(&self, user: TestUser) -> Caller {
        Caller::new(self.service.clone(), Some(user.token), Some(user.id))
    }
}

/// A node.
struct Served {
    state: State,
    api: ApiData,
    pdf: PdfRenderer,
    service: Answering,
}

/// Starts a node.
async fn serve(
    store: &TestStore,
    system: &SystemStorage,
    (settings, limits, fetch): (Settings, ApiSettings, FetchConfig),
    journal: &Journal,
) -> Served {
    // Tests have many organizations and no DNS server.
    let trust_hostnames = settings.trust_hostnames.or(Some(true));
    let settings = Settings { concurrency: 4, trust_hostnames, ..settings };
    let is_at_root = base_path(&settings.base_url).is_empty();
    let signer = UrlSigner::new([7; 32]);
    let addresses = SignedAddresses::new(&settings.base_url, signer.clone());
    let pdf = PdfRenderer::new(store.folder.path().join("no-renderer"), Arc::new(addresses));
    let state = ServerState::new(system.storage().clone(), signer, settings);
    let state: State = web::Data::new(state.expect("the metrics have different names"));
    let api = Api::new(state.clone(), Fetcher::new(fetch), limits, quire_web::endpoints());
    let api = web::Data::new(api.expect("the table of routes has no conflicts"));
    let sites = Sites::new(state.clone(), api.expansions(), api.highlighter(), api.git());
    let sites = sites.expect("the table of routes has no conflicts");
    let app = App::new()
        .wrap(from_fn(quire_web::find_host))
        .configure(quire_web::configure(sites))
        .configure(quire_api::configure(api.clone()));
    let app = Rc::new(test::init_service(app).await);
    let (writer, keys) = (journal.clone(), Rc::new(Cell::new(0_u64)));
    let service: Answering = Rc::new(move |request: test::TestRequest, body: Option<Payload>, user| {
        let (app, writer, keys) = (app.clone(), writer.clone(), keys.clone());
        async move {
            let mut request = match body {
                Some(body) => request.to_request().replace_payload(body).0,
                None => request.to_request(),
            };
            let is_open = writer.is_open();
            let sent = if is_open { read_again(request.payload()).await } else { Bytes::new() };
            let (method, target) = (request.method().clone(), request.uri().to_string());
            let copy = |headers: &HeaderMap, peer: Option<SocketAddr>| {
                let copy = copied(&method, &target, headers, sent.clone());
                match peer {
                    Some(peer) => copy.peer_addr(peer),
                    None => copy,
                }
            };
            let peer = request.peer_addr();
            let mut with_another_tag = None;
            let is_change = method == Method::PATCH || method == Method::PUT;
            if is_open && is_change && !request.headers().contains_key("if-match") {
                let other = copy(request.headers(), peer).insert_header(("If-Match", "\"another\""));
                let response = app.call(other.to_request()).await.expect("every error is an answer");
                with_another_tag = Some(response.status().as_u16());
            }
            let mut again = None;
            if is_open && !method.is_safe() && !request.headers().contains_key(&IDEMPOTENCY_KEY) {
                keys.set(keys.get() + 1);
                let key = HeaderValue::from_str(&format!("key-{}", keys.get())).expect("a key is text");
                request.headers_mut().insert(IDEMPOTENCY_KEY, key);
                again = Some(copy(request.headers(), peer));
            }
            let response = app.call(request).await.expect("every error is an answer");
            let answer = Answer::of(response).await;
            if is_at_root {
                check_error(&method, &target, answer.status);
            }
            let mut was_repeated = None;
            if let Some(again) = again.filter(|_| answer.status.is_success()) {
                let response = app.call(again.to_request()).await.expect("every error is an answer");
                was_repeated = Some(is_repetition(&answer, &Answer::of(response).await, &target));
            }
            let answered = answer.clone();
            let exchange =
                Exchange { user, method, target, sent, answer: answered, was_repeated, with_another_tag };
            writer.note(exchange);
            answer
        }
        .boxed_local()
    });
    Served { state, api, pdf, service }
}

/// Returns a request with these parts.
fn copied(method: &Method, target: &str, headers: &HeaderMap, body: Bytes) -> test::TestRequest {
    let copy = test::TestRequest::with_uri(target).method(method.clone()).set_payload(body);
    headers.iter().fold(copy, |copy, (name, value)| copy.append_header((name.clone(), value.clone())))
}
