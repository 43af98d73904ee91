//! The whole application on a database of its own.

use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::dev::{Payload, Service as _};
use actix_web::rt::time::sleep;
use actix_web::web::Bytes;
use actix_web::{App, test, web};
use diesel::connection::SimpleConnection as _;
use diesel::sql_types::BigInt;
use diesel::{Connection as _, PgConnection, QueryableByName, RunQueryDsl as _, sql_query};
use futures_util::future::{FutureExt as _, join};
use quire_api::{Api, ApiData, ApiSettings, SignedAddresses};
use quire_content::MarkupAnalyzer;
use quire_domain::IdGenerator as _;
use quire_domain::Role;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::policy::Action;
use quire_importer::fetch::{FetchConfig, Fetcher};
use quire_revision::Tree;
use quire_server::{ServerState, Settings, State, UrlSigner};
use quire_storage::files::FileStore;
use quire_storage::keys::MasterKeys;
use quire_storage::lookup::{ContentSelector, Credentials};
use quire_storage::{Options, SystemStorage, migrations};
use quire_worker::pdf::PdfRenderer;
use quire_worker::{Outcome, Services, deliver_due, run_next};

use crate::caller::Service as Answering;
use crate::journal::{Exchange, Journal, read_again};
use crate::{Answer, Caller, FakeClock, TestDatabase, TestIds};

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
    /// Dropped last: the storage's connections end before their database does.
    database: TestDatabase,
    _files: tempfile::TempDir,
}

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = BigInt)]
    total: i64,
}

impl TestApp {
    /// The age at which entries of the audit log are removed here.
    pub const AUDIT_AGE: Duration = Duration::from_secs(400 * 24 * 60 * 60);
    /// The master key here.
    pub const MASTER_KEY: [u8; 32] = [9; 32];

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
        let database = TestDatabase::create("quire", |url| {
            migrations::run(url).expect("the migrations run on an empty database");
        });
        let files = tempfile::tempdir().expect("a folder for files can be made");
        let clock = Arc::new(FakeClock::new());
        let options = Options { connections: 4, ..Options::new(&database.url) };
        let store = FileStore::in_folder(files.path()).expect("the folder for files can be opened");
        let system =
            SystemStorage::new(&options, store, clock.clone(), Arc::new(TestIds), Arc::new(MarkupAnalyzer));
        system.unlock(MasterKeys::new(Self::MASTER_KEY, &[])).expect("a fresh database has no other keys");
        let settings = Settings { concurrency: 4, ..settings };
        let signer = UrlSigner::new([7; 32]);
        let addresses = SignedAddresses::new(&settings.base_url, signer.clone());
        let pdf = PdfRenderer::new(files.path().join("no-renderer"), Arc::new(addresses));
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
        let mut app = Self {
            state,
            api,
            system,
            clock,
            organization: OrganizationId::from_uuid(uuid::Uuid::nil()),
            pdf,
            journal,
            service,
            database,
            _files: files,
        };
        app.organization = app.create_organization("Acme");
        app
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
        let made = self.system.transact(|tx| tx.create_organization(title));
        made.expect("an organization can be made")
    }

    /// A new user and a token of it, without any membership.
    ///
    /// # Panics
    /// When the database refuses.
    #[must_use]
    pub fn stranger(&self) -> Caller {
        let (user, token) = self.create_user();
        Caller::new(self.service.clone(), Some(token), Some(user))
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
        let user = caller.user();
        self.system.transact(|tx| tx.put_member(organization, user, role)).expect("a member can be added");
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
        let (user, rank) = (caller.user(), role.rank());
        let grant = format!(
            "INSERT INTO content_grants (organization_id, id, space_id, collection_id, user_id, role, created_at) \
             SELECT organization_id, gen_random_uuid(), id, NULL::uuid, '{user}'::uuid, {rank}::smallint, now() FROM spaces WHERE id = '{on}' \
             UNION ALL \
             SELECT organization_id, gen_random_uuid(), NULL, id, '{user}', {rank}, now() FROM collections WHERE id = '{on}'"
        );
        self.connection().batch_execute(&grant).expect("the member can be granted a role");
    }

    /// A new collection at the root of an organization, open to its members for reading.
    ///
    /// # Panics
    /// When the database refuses.
    #[must_use]
    pub fn collection(&self, organization: OrganizationId) -> String {
        let id = uuid::Uuid::new_v4();
        let insert = format!(
            "INSERT INTO collections (organization_id, id, path, title, default_level, position, created_at, updated_at) \
             VALUES ('{organization}', '{id}', '{{{id}}}', 'Guides', 1, '80', now(), now())"
        );
        self.connection().batch_execute(&insert).expect("the organization is there");
        id.to_string()
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
        let credentials = Credentials::from_token(caller.token()).expect("the caller has a token");
        let space = space.parse().expect("the space's id is one");
        let tree = self.state.storage.read(&credentials, |reader| {
            let content = reader.content(space, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
            reader.tree(&content)
        });
        tree.expect("the caller sees the space")
    }

    /// A connection to the application's database, for what has no endpoint.
    ///
    /// # Panics
    /// When the database is away.
    #[must_use]
    pub fn connection(&self) -> PgConnection {
        PgConnection::establish(&self.database.url).expect("the database answers")
    }

    /// A caller with another token of the same user, which may only read.
    ///
    /// # Panics
    /// When the database refuses.
    #[must_use]
    pub fn read_only(&self, caller: &Caller) -> Caller {
        let user = caller.user();
        let issued = self
            .system
            .transact(|tx| tx.issue_token(user, "read only", true, None))
            .expect("a token can be issued");
        Caller::new(self.service.clone(), Some(issued.token), Some(user))
    }

    /// Makes these requests while a transaction of somebody else holds what the statement `lock` locks, and ends that as soon as
    /// `waiting` of them wait for it: so they meet, whatever the machine.
    ///
    /// # Panics
    /// When they don't wait within ten seconds.
    pub async fn while_locked<F: Future>(&self, lock: &str, waiting: i64, requests: F) -> F::Output {
        let (mut holder, mut observer) = (self.connection(), self.connection());
        holder.batch_execute(&format!("BEGIN; {lock}")).expect("what is there can be locked");
        let release = async {
            let began = Instant::now();
            let waiters = "SELECT count(*) AS total FROM pg_stat_activity \
                           WHERE datname = current_database() AND wait_event_type = 'Lock'";
            loop {
                let seen: Counted = sql_query(waiters).get_result(&mut observer).expect("it can be counted");
                if seen.total >= waiting {
                    break;
                }
                assert!(began.elapsed() < Duration::from_secs(10), "{} wait, not {waiting}", seen.total);
                sleep(Duration::from_millis(2)).await;
            }
            holder.batch_execute("COMMIT").expect("the lock can be given back");
        };
        join(requests, release).await.0
    }

    /// The number of rows of `from`: a table, with a condition if there is one.
    ///
    /// # Panics
    /// When the database refuses.
    #[must_use]
    pub fn count(&self, from: &str) -> i64 {
        let counted: Counted = sql_query(format!("SELECT count(*) AS total FROM {from}"))
            .get_result(&mut self.connection())
            .expect("what is there can be counted");
        counted.total
    }

    /// How many statements the application has sent to its database so far.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.state.storage.statements().get()
    }

    fn create_user(&self) -> (UserId, String) {
        // In the order in which they are made, so that lists of users in the order of their names are the same each time.
        let name = TestIds.uuid().simple().to_string();
        let made = self.system.transact(|tx| {
            let user = tx.find_or_create_user(&format!("{name}@example.com"), &format!("User {name}"))?;
            Ok::<_, quire_storage::Error>((user, tx.issue_token(user, "test", false, None)?.token))
        });
        made.expect("a user can be made")
    }
}
