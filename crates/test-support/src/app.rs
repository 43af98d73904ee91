//! The whole application on a database of its own.

use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::dev::{Payload, Service as _};
use actix_web::web::Bytes;
use actix_web::{App, test, web};
use diesel::PgConnection;
use futures_util::future::FutureExt as _;
use quire_api::{Api, ApiData, ApiSettings, SignedAddresses};
use quire_domain::Role;
use quire_domain::ids::OrganizationId;
use quire_importer::fetch::{FetchConfig, Fetcher};
use quire_revision::Tree;
use quire_server::{ServerState, Settings, State, UrlSigner};
use quire_storage::SystemStorage;
use quire_storage::lookup::ContentSelector;
use quire_worker::pdf::PdfRenderer;
use quire_worker::{Outcome, Services, deliver_due, run_next};

use crate::caller::Service as Answering;
use crate::journal::{Exchange, Journal, read_again};
use crate::{Answer, Caller, FakeClock, TestStore, TestUser};

/// The application as it is served, on a fresh database with one organization, called without a socket.
pub struct TestApp {
    /// The state that the handlers share.
    pub state: State,
    /// What the handlers of the API share besides.
    pub api: ApiData,
    /// The storage as commands and jobs have it.
    pub system: SystemStorage,
    /// The time.
    pub clock: Arc<FakeClock>,
    /// The organization that callers with a role belong to.
    pub organization: OrganizationId,
    /// What jobs make PDFs with: a program that isn't there, unless a test puts one in its place.
    pub pdf: PdfRenderer,
    /// What is said, if a test wants it kept.
    pub journal: Journal,
    service: Answering,
    /// The storage with its database. Dropped last, after the connections of the application.
    pub store: TestStore,
}

impl TestApp {
    /// The age at which entries of the audit log are removed here.
    pub const AUDIT_AGE: Duration = Duration::from_secs(400 * 24 * 60 * 60);
    /// The master key here.
    pub const MASTER_KEY: [u8; 32] = TestStore::MASTER_KEY;

    /// The application with its default settings, but no bound on requests.
    pub async fn start() -> Self {
        Self::start_with(Settings { rate_limit: 0, ..Settings::default() }, FetchConfig::default()).await
    }

    /// The application with these settings.
    ///
    /// # Panics
    /// When PostgreSQL is away.
    pub async fn start_with(settings: Settings, fetch: FetchConfig) -> Self {
        Self::start_with_limits(settings, ApiSettings::default(), fetch).await
    }

    /// The application with these settings of the kernel and of the API.
    ///
    /// # Panics
    /// When PostgreSQL is away.
    pub async fn start_with_limits(settings: Settings, limits: ApiSettings, fetch: FetchConfig) -> Self {
        let store = TestStore::new();
        let (system, clock) = (store.system.clone(), store.clock.clone());
        let settings = Settings { concurrency: 4, ..settings };
        let signer = UrlSigner::new([7; 32]);
        let addresses = SignedAddresses::new(&settings.base_url, signer.clone());
        let pdf = PdfRenderer::new(store.folder.path().join("no-renderer"), Arc::new(addresses));
        let state = ServerState::new(system.storage().clone(), signer, settings);
        let state: State = web::Data::new(state.expect("the metrics have different names"));
        let api = Api::new(state.clone(), Fetcher::new(fetch), limits);
        let api = web::Data::new(api.expect("the table of routes has no conflicts"));
        let app = App::new().configure(quire_api::configure(api.clone()));
        let app = Rc::new(test::init_service(app).await);
        let journal = Journal::default();
        let writer = journal.clone();
        let service: Answering = Rc::new(move |request: test::TestRequest, body: Option<Payload>, user| {
            let (app, writer) = (app.clone(), writer.clone());
            async move {
                let mut request = match body {
                    Some(body) => request.to_request().replace_payload(body).0,
                    None => request.to_request(),
                };
                let sent = match writer.is_open() {
                    true => read_again(request.payload()).await,
                    false => Bytes::new(),
                };
                let (method, target) = (request.method().clone(), request.uri().to_string());
                let response = app.call(request).await.expect("every error is an answer");
                let answer = Answer::of(response).await;
                writer.note(Exchange { user, method, target, sent, answer: answer.clone() });
                answer
            }
            .boxed_local()
        });
        let organization = store.organization;
        Self { state, api, system, clock, organization, pdf, journal, service, store }
    }

    /// What jobs work with here.
    #[must_use]
    pub fn services(&self) -> Services {
        Services {
            storage: self.system.clone(),
            fetcher: self.api.imports.fetcher.clone(),
            imports: self.api.imports.clone(),
            import_limits: self.api.settings.imports,
            audit_age: Some(Self::AUDIT_AGE),
            pdf: self.pdf.clone(),
        }
    }

    /// Writes the jobs that go by the clock, as the start of a server does.
    ///
    /// # Panics
    /// When the database refuses.
    pub fn schedule_jobs(&self) {
        let scheduled = self.system.transact(quire_worker::jobs::schedule);
        scheduled.expect("the jobs can be written");
    }

    /// Runs the jobs that are due, one after the other, until none is.
    ///
    /// # Panics
    /// When the queue can't be used or a job fails.
    pub async fn run_jobs(&self) {
        loop {
            match run_next(&self.services()).await.expect("the queue can be used") {
                Outcome::Idle => return,
                Outcome::Done => {}
                outcome => panic!("a job ended as {outcome:?}"),
            }
        }
    }

    /// Sends webhooks what is due, until nothing is.
    ///
    /// # Panics
    /// When the database can't be used.
    pub async fn deliver_webhooks(&self) {
        while deliver_due(&self.services()).await.expect("the database can be used") > 0 {}
    }

    /// Another organization.
    ///
    /// # Panics
    /// When the database refuses.
    #[must_use]
    pub fn create_organization(&self, title: &str) -> OrganizationId {
        self.store.create_organization(title)
    }

    /// A new user and a token of it, without any membership.
    ///
    /// # Panics
    /// When the database refuses.
    #[must_use]
    pub fn stranger(&self) -> Caller {
        self.caller(self.store.stranger())
    }

    /// Nobody: requests without a token.
    #[must_use]
    pub fn anonymous(&self) -> Caller {
        Caller::new(self.service.clone(), None, None)
    }

    /// A new member of the organization with this role.
    #[must_use]
    pub fn as_role(&self, role: Role) -> Caller {
        self.member_of(self.organization, Some(role))
    }

    /// A new member of an organization; `None` for a guest.
    ///
    /// # Panics
    /// When the database refuses.
    #[must_use]
    pub fn member_of(&self, organization: OrganizationId, role: Option<Role>) -> Caller {
        let caller = self.stranger();
        self.join(&caller, organization, role);
        caller
    }

    /// Makes a caller a member of an organization; a guest with `None`.
    ///
    /// # Panics
    /// When the database refuses.
    pub fn join(&self, caller: &Caller, organization: OrganizationId, role: Option<Role>) {
        self.store.join(caller.user(), organization, role);
    }

    /// A new member whose role on this space is `role` by a grant, whatever the space's default level is; `None` for a guest, who
    /// can't see the space.
    ///
    /// # Panics
    /// When the database refuses.
    #[must_use]
    pub fn on_space(&self, space: &str, role: Option<Role>) -> Caller {
        let Some(role) = role else { return self.member_of(self.organization, None) };
        let caller = self.as_role(Role::Read);
        self.grant(&caller, space, role);
        caller
    }

    /// Grants somebody a role on a space or a collection.
    ///
    /// # Panics
    /// When the database refuses.
    pub fn grant(&self, caller: &Caller, on: &str, role: Role) {
        self.store.grant(caller.user(), on, role);
    }

    /// A new collection at the root of an organization, open to its members for reading.
    ///
    /// # Panics
    /// When the database refuses.
    #[must_use]
    pub fn collection(&self, organization: OrganizationId) -> String {
        self.store.collection(organization).to_string()
    }

    /// A new space of the organization, made by one of its admins, and that admin.
    pub async fn space(&self) -> (String, Caller) {
        let admin = self.as_role(Role::Admin);
        let path = format!("/v1/orgs/{}/spaces", self.organization);
        let made = admin.post(&path, serde_json::json!({"title": "Guide"})).await.expect(201);
        (made.text("/id"), admin)
    }

    /// The current main content of a space, read past the API.
    ///
    /// # Panics
    /// When the caller can't see the space.
    #[must_use]
    pub fn content(&self, space: &str, caller: &Caller) -> Tree {
        let space = space.parse().expect("the space's id is one");
        self.store.tree(&caller.credentials(), space, ContentSelector::Space)
    }

    /// A connection to the application's database, for what has no endpoint.
    ///
    /// # Panics
    /// When the database is away.
    #[must_use]
    pub fn connection(&self) -> PgConnection {
        self.store.connection()
    }

    /// A caller with another token of the same user, which may only read.
    ///
    /// # Panics
    /// When the database refuses.
    #[must_use]
    pub fn read_only(&self, caller: &Caller) -> Caller {
        self.caller(self.store.read_only(caller.user()))
    }

    /// Makes these requests while a transaction of somebody else holds what the statement `lock` locks, and ends that as soon as
    /// `waiting` of them wait for it: so they meet, whatever the machine.
    ///
    /// # Panics
    /// When they don't wait within ten seconds.
    pub async fn while_locked<F: Future>(&self, lock: &str, waiting: i64, requests: F) -> F::Output {
        self.store.while_locked(lock, waiting, requests).await
    }

    /// The number of rows of `from`: a table, with a condition if there is one.
    ///
    /// # Panics
    /// When the database refuses.
    #[must_use]
    pub fn count(&self, from: &str) -> i64 {
        self.store.count(from)
    }

    /// How many statements the application has sent to its database so far.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.state.storage.statements().get()
    }

    /// Waits until the search index of the application has so many pages.
    ///
    /// # Panics
    /// When it hasn't after a minute.
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
