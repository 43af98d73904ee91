//! Storage with the organization of the test of roles, called by two of its users.

use std::cell::RefCell;
use std::sync::Arc;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Nullable, SmallInt};
use quire_domain::documents::DocumentJson;
use quire_domain::policy::Membership;
use quire_domain::{OrganizationId, Role, SiteId, UserId};
use quire_storage::content::files::FileStore;
use quire_storage::content::store::{Analysis, DocumentAnalyzer, QuotedNode};
use quire_storage::lookup::Credentials;
use quire_storage::operations::keys::MasterKeys;
use quire_storage::{MIGRATIONS, Options, Reader, SystemStorage, Tx};
use quire_test_support::{FakeClock, TestDatabase, TestIds};
use uuid::Uuid;

use crate::roles::{self, FIXTURE, StoredGrant, rank};

/// Site that shows the space, an integration, and an administrator, in the organization of [`FIXTURE`].
const MORE: &str = "
    INSERT INTO users (id, display_name, created_at) VALUES ('00000000-0000-0000-0000-0000000000b1', 'Bob', now());
    INSERT INTO organization_members (organization_id, user_id, role, joined_at)
        VALUES ('00000000-0000-0000-0000-0000000000a0', '00000000-0000-0000-0000-0000000000b1', 6, now());
    INSERT INTO sites (organization_id, id, type, title, visibility, created_at)
        VALUES ('00000000-0000-0000-0000-0000000000a0', '00000000-0000-0000-0000-0000000000c5', 'basic', 'Docs', 'public', now());
    INSERT INTO site_spaces (organization_id, site_id, id, space_id, path, position)
        VALUES ('00000000-0000-0000-0000-0000000000a0', '00000000-0000-0000-0000-0000000000c5',
                '00000000-0000-0000-0000-0000000000c6', '00000000-0000-0000-0000-0000000000e0', 'guide', '80');
    INSERT INTO integrations (id, organization_id, name, version, title, description, target, visibility, scopes, categories,
                              block_domains, external_links, script, secrets, created_at, updated_at)
        VALUES ('00000000-0000-0000-0000-0000000000c7', '00000000-0000-0000-0000-0000000000a0', 'chat', 1, 'Chat', '', 'all',
                'public', '{}', '{}', '{}', '[]', '', '', now(), now());
";

/// Returns the id of the fixture that ends with this byte.
pub fn id(last: u128) -> Uuid {
    Uuid::from_u128(last)
}

const ORGANIZATION: u128 = 0xa0;
pub const ADA: u128 = 0xb0;
pub const BOB: u128 = 0xb1;
const SITE: u128 = 0xc5;
pub const TEAM: u128 = 0xc0;
pub const SPACE: u128 = 0xe0;

struct NoAnalysis;

impl DocumentAnalyzer for NoAnalysis {
    fn analyze(&self, _: &DocumentJson) -> Analysis {
        Analysis::default()
    }

    fn trace(&self, _: &DocumentJson, _: &DocumentJson, nodes: &[QuotedNode]) -> Vec<Option<QuotedNode>> {
        vec![None; nodes.len()]
    }
}

/// Storage, with the credentials of Ada, whose membership changes, and of an administrator.
pub struct World {
    pub system: SystemStorage,
    connection: RefCell<PgConnection>,
    pub ada: Credentials,
    pub bob: Credentials,
    _files: tempfile::TempDir,
    /// Dropped last, after the connections.
    _database: TestDatabase,
}

impl World {
    pub fn new() -> Self {
        let database = TestDatabase::create("quire", |url| drop(MIGRATIONS.run(url).unwrap()));
        let mut connection = PgConnection::establish(&database.url).unwrap();
        connection.batch_execute(FIXTURE).unwrap();
        connection.batch_execute(MORE).unwrap();
        let files = tempfile::tempdir().unwrap();
        let store = FileStore::in_folder(files.path()).unwrap();
        let options = Options { connections: 2, ..Options::new(&database.url) };
        let clock = Arc::new(FakeClock::new());
        let system = SystemStorage::new(&options, store, clock, Arc::new(TestIds), Arc::new(NoAnalysis));
        system.unlock(MasterKeys::new([9; 32], &[])).unwrap();
        let token = |user| {
            let user = UserId::from_uuid(id(user));
            let issued = system.transact(|tx| tx.issue_token(user, "test", false, None)).unwrap();
            Credentials::from_token(&issued.token).unwrap()
        };
        let (ada, bob) = (token(ADA), token(BOB));
        let connection = RefCell::new(connection);
        Self { system, connection, ada, bob, _files: files, _database: database }
    }

    pub fn execute(&self, statements: &str) {
        self.connection.borrow_mut().batch_execute(statements).unwrap();
    }

    /// Sets Ada's membership and grants, and the level of the space.
    pub fn set(&self, membership: Membership, given: &[StoredGrant], level: Option<Role>) {
        self.execute(&format!(
            "DELETE FROM content_grants; DELETE FROM organization_members WHERE user_id = '{}'; \
             UPDATE spaces SET default_level = {} WHERE id = '{}'",
            id(ADA),
            rank(level),
            id(SPACE)
        ));
        roles::put(&mut self.connection.borrow_mut(), membership, given).unwrap();
    }

    /// Returns Ada's role in a row of a table; `None` without a row.
    pub fn role(&self, table: &str) -> Option<Option<Role>> {
        let query = format!("SELECT role FROM {table}");
        let row: Option<RoleRow> =
            diesel::sql_query(query).get_result(&mut *self.connection.borrow_mut()).optional().unwrap();
        row.map(|row| row.role.map(|rank| Role::from_rank(rank).unwrap()))
    }

    pub fn read<T>(
        &self,
        work: impl Fn(&mut Reader<'_>) -> quire_storage::Result<T>,
    ) -> quire_storage::Result<T> {
        self.system.storage().read(&self.ada, work)
    }

    pub fn transact<T>(
        &self,
        as_whom: &Credentials,
        work: impl FnOnce(&mut Tx<'_>) -> quire_storage::Result<T>,
    ) -> quire_storage::Result<T> {
        self.system.storage().transact(as_whom, work)
    }
}

#[derive(QueryableByName)]
struct RoleRow {
    #[diesel(sql_type = Nullable<SmallInt>)]
    role: Option<i16>,
}

pub fn organization() -> OrganizationId {
    OrganizationId::from_uuid(id(ORGANIZATION))
}

pub fn site() -> SiteId {
    SiteId::from_uuid(id(SITE))
}
