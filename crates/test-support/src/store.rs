//! Storage on a database of its own, without the application above it.

use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::rt::time::sleep;
use diesel::connection::SimpleConnection as _;
use diesel::sql_types::BigInt;
use diesel::{Connection as _, PgConnection, QueryableByName, RunQueryDsl as _, sql_query};
use futures_util::future::join;
use quire_content::MarkupAnalyzer;
use quire_domain::ids::{CollectionId, OrganizationId, UserId};
use quire_domain::{IdGenerator as _, Role};
use quire_storage::content::files::FileStore;
use quire_storage::content::search::IndexOptions;
use quire_storage::lookup::Credentials;
use quire_storage::operations::keys::MasterKeys;
use quire_storage::operations::snapshot::Snapshot;
use quire_storage::{MIGRATIONS, Options, Storage, SystemStorage};

use crate::{FakeClock, TestDatabase, TestIds};

/// Storage on a fresh database with one organization, for tests below the API.
pub struct TestStore {
    /// The storage for commands and jobs.
    pub system: SystemStorage,
    /// The fake clock.
    pub clock: Arc<FakeClock>,
    /// The organization that users with a role belong to.
    pub organization: OrganizationId,
    /// Dropped after the storage, so that its connections close before the database is dropped.
    database: TestDatabase,
    /// Folder of files and other data of the test.
    pub folder: tempfile::TempDir,
}

/// A user with a token.
#[derive(Clone, Debug)]
pub struct TestUser {
    /// The user.
    pub id: UserId,
    /// The token.
    pub token: String,
    /// The token as credentials for lookups.
    pub credentials: Credentials,
}

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = BigInt)]
    total: i64,
}

impl TestStore {
    /// The master key.
    pub const MASTER_KEY: [u8; 32] = [9; 32];

    /// Creates a storage with its organization.
    ///
    /// # Panics
    /// If PostgreSQL is unreachable.
    #[must_use]
    pub fn new() -> Self {
        let database = TestDatabase::create("quire", |url| {
            MIGRATIONS.run(url).expect("the migrations run on an empty database");
        });
        let folder = tempfile::tempdir().expect("a folder for files can be made");
        let clock = Arc::new(FakeClock::new());
        let options = Options { connections: 4, ..Options::new(&database.url) };
        let files = FileStore::in_folder(folder.path()).expect("the folder for files can be opened");
        let system =
            SystemStorage::new(&options, files, clock.clone(), Arc::new(TestIds), Arc::new(MarkupAnalyzer));
        system.unlock(MasterKeys::new(Self::MASTER_KEY, &[])).expect("a fresh database has no other keys");
        let organization = create_organization(&system, "Acme");
        Self { system, clock, organization, database, folder }
    }

    /// Opens the storage in another process than the one that created it.
    ///
    /// # Panics
    /// If PostgreSQL is unreachable, or the folder of files cannot be opened.
    #[must_use]
    pub fn open(url: &str, folder: &Path, clock: FakeClock) -> SystemStorage {
        let options = Options { connections: 4, ..Options::new(url) };
        let files = FileStore::in_folder(folder).expect("the folder for files can be opened");
        let (ids, analyzer) = (Arc::new(TestIds), Arc::new(MarkupAnalyzer));
        let system = SystemStorage::new(&options, files, Arc::new(clock), ids, analyzer);
        system.unlock(MasterKeys::new(Self::MASTER_KEY, &[])).expect("the keys are those of its creation");
        system
    }

    /// Returns the storage for requests.
    #[must_use]
    pub fn storage(&self) -> &Storage {
        self.system.storage()
    }

    /// Returns the storage of another process on the same database and files.
    ///
    /// # Panics
    /// If the folder of files cannot be opened.
    #[must_use]
    pub fn another_node(&self) -> SystemStorage {
        self.node(IndexOptions::default())
    }

    /// Like [`TestStore::another_node`], with the search index in a folder.
    ///
    /// # Panics
    /// If the folder of files cannot be opened.
    #[must_use]
    pub fn another_node_with_index(&self, folder: &Path) -> SystemStorage {
        self.node(IndexOptions { directory: Some(folder.to_owned()), ..IndexOptions::default() })
    }

    fn node(&self, search: IndexOptions) -> SystemStorage {
        let options = Options { connections: 4, search, ..Options::new(&self.database.url) };
        self.node_with(&options)
    }

    /// Returns the storage of another node with these options.
    ///
    /// # Panics
    /// If the folder of files cannot be opened.
    #[must_use]
    pub fn node_with(&self, options: &Options) -> SystemStorage {
        let files = FileStore::in_folder(self.folder.path()).expect("the folder for files can be opened");
        self.node_with_files(options, files)
    }

    /// Like [`TestStore::another_node`], with the bytes of files in another store.
    #[must_use]
    pub fn another_node_with_files(&self, files: FileStore) -> SystemStorage {
        self.node_with_files(&Options { connections: 4, ..Options::new(&self.database.url) }, files)
    }

    fn node_with_files(&self, options: &Options, files: FileStore) -> SystemStorage {
        SystemStorage::new(options, files, self.clock.clone(), Arc::new(TestIds), Arc::new(MarkupAnalyzer))
    }

    /// Returns the URL of the database.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.database.url
    }

    /// Takes a snapshot of the database, as a backup does.
    ///
    /// # Panics
    /// If the database is unreachable.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::take(&self.database.url, None).expect("a snapshot can be taken")
    }

    /// Creates another organization.
    #[must_use]
    pub fn create_organization(&self, title: &str) -> OrganizationId {
        create_organization(&self.system, title)
    }

    /// Creates a user without any membership.
    #[must_use]
    pub fn stranger(&self) -> TestUser {
        // Ids ascend, so lists of users by name have the order of creation.
        let name = TestIds.uuid().simple().to_string();
        let made = self.system.transact(|tx| {
            let id = tx.find_or_create_user(&format!("{name}@example.com"), &format!("User {name}"))?;
            Ok::<_, quire_storage::Error>((id, tx.issue_token(id, "test", false, None)?.token))
        });
        let (id, token) = made.expect("a user can be made");
        TestUser::new(id, token)
    }

    /// Creates a member of the organization with this role.
    #[must_use]
    pub fn as_role(&self, role: Role) -> TestUser {
        self.member_of(self.organization, Some(role))
    }

    /// Creates a member of an organization; `None` for a guest.
    #[must_use]
    pub fn member_of(&self, organization: OrganizationId, role: Option<Role>) -> TestUser {
        let user = self.stranger();
        self.join(user.id, organization, role);
        user
    }

    /// Adds a user to an organization; `None` for a guest.
    pub fn join(&self, user: UserId, organization: OrganizationId, role: Option<Role>) {
        self.system.transact(|tx| tx.put_member(organization, user, role)).expect("a member can be added");
    }

    /// Returns the same user with a read-only token.
    #[must_use]
    pub fn read_only(&self, user: UserId) -> TestUser {
        let issued = self.system.transact(|tx| tx.issue_token(user, "read only", true, None));
        TestUser::new(user, issued.expect("a token can be issued").token)
    }

    /// Grants a user a role on a space or a collection.
    pub fn grant(&self, user: UserId, on: &str, role: Role) {
        let rank = role.rank();
        let grant = format!(
            "INSERT INTO content_grants (organization_id, id, space_id, collection_id, user_id, role, created_at) \
             SELECT organization_id, gen_random_uuid(), id, NULL::uuid, '{user}'::uuid, {rank}::smallint, now() FROM spaces WHERE id = '{on}' \
             UNION ALL \
             SELECT organization_id, gen_random_uuid(), NULL, id, '{user}', {rank}, now() FROM collections WHERE id = '{on}'"
        );
        self.execute(&grant);
    }

    /// Creates a collection at the root of an organization that its members can read.
    #[must_use]
    pub fn collection(&self, organization: OrganizationId) -> CollectionId {
        let id = TestIds.uuid();
        let insert = format!(
            "INSERT INTO collections (organization_id, id, path, title, default_level, position, created_at, updated_at) \
             VALUES ('{organization}', '{id}', '{{{id}}}', 'Guides', 1, '80', now(), now())"
        );
        self.execute(&insert);
        CollectionId::from_uuid(id)
    }

    /// Returns a connection to the database, for data that the storage has no function for.
    ///
    /// # Panics
    /// If the database is unreachable.
    #[must_use]
    pub fn connection(&self) -> PgConnection {
        PgConnection::establish(&self.database.url).expect("the database answers")
    }

    /// Executes statements that the storage has no function for.
    pub fn execute(&self, statements: &str) {
        self.connection().batch_execute(statements).expect("the statements can be executed");
    }

    /// Returns the number of rows of `from`: a table, with an optional condition.
    #[must_use]
    pub fn count(&self, from: &str) -> i64 {
        let counted: Counted = sql_query(format!("SELECT count(*) AS total FROM {from}"))
            .get_result(&mut self.connection())
            .expect("the rows can be counted");
        counted.total
    }

    /// Runs `work` while another transaction holds the locks of the statement `lock`. That transaction commits as soon
    /// as `waiting` connections wait for the locks, so the race occurs on every machine.
    ///
    /// # Panics
    /// If they do not wait within ten seconds.
    pub async fn while_locked<F: Future>(&self, lock: &str, waiting: i64, work: F) -> F::Output {
        let mut holder = self.connection();
        holder.batch_execute(&format!("BEGIN; {lock}")).expect("the rows can be locked");
        let release = async {
            self.until_waiting(waiting).await;
            holder.batch_execute("COMMIT").expect("the lock can be released");
        };
        join(work, release).await.0
    }

    /// Waits until this many connections wait for locks.
    ///
    /// # Panics
    /// If they do not within ten seconds.
    pub async fn until_waiting(&self, waiting: i64) {
        let mut observer = self.connection();
        let began = Instant::now();
        let waiters = "SELECT count(*) AS total FROM pg_stat_activity \
                       WHERE datname = current_database() AND wait_event_type = 'Lock'";
        loop {
            let seen: Counted = sql_query(waiters).get_result(&mut observer).expect("they can be counted");
            if seen.total >= waiting {
                return;
            }
            assert!(began.elapsed() < Duration::from_secs(10), "{} wait, not {waiting}", seen.total);
            sleep(Duration::from_millis(2)).await;
        }
    }
}

impl Default for TestStore {
    fn default() -> Self {
        Self::new()
    }
}

impl TestUser {
    fn new(id: UserId, token: String) -> Self {
        let credentials = Credentials::from_token(&token).expect("issued tokens are well-formed");
        Self { id, token, credentials }
    }
}

fn create_organization(system: &SystemStorage, title: &str) -> OrganizationId {
    system
        .transact(|tx| tx.create_organization(title, &quire_markup::slugify(title)))
        .expect("an organization can be made")
}
