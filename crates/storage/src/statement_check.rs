//! Checks of the statements of this crate against a migrated database.

use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use quire_database::statement::Sql;
use quire_database::statement::check::{self, RowTypes, SqlTypes};
use quire_test_support::TestDatabase;

/// Database shared by the checks of one process. They prepare statements and execute none.
static DATABASE: LazyLock<(TestDatabase, Mutex<PgConnection>)> = LazyLock::new(|| {
    let database = TestDatabase::create("quire", |url| drop(crate::MIGRATIONS.run(url).unwrap()));
    let connection = PgConnection::establish(&database.url).unwrap();
    (database, Mutex::new(connection))
});

/// Calls `check` with a connection to the shared database.
pub(crate) fn with_database<T>(check: impl FnOnce(&mut PgConnection) -> T) -> T {
    check(&mut DATABASE.1.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Prepares the statement of a file, and compares the types of its values and rows.
pub(crate) fn file<S: Sql, Parameters: SqlTypes, Row: RowTypes>(file: &str) {
    let checked = with_database(check::file::<S, Parameters, Row>);
    checked.unwrap_or_else(|error| panic!("{file}: {error:#}"));
}

/// Prepares a statement that is not in a file, with values of these types.
pub(crate) fn prepare(text: &str, types: &[&str]) {
    let types: Vec<String> = types.iter().map(|&kind| kind.to_owned()).collect();
    let prepared = with_database(|connection| {
        check::prepare(connection, "other", text, &types)?;
        anyhow::Ok(connection.batch_execute("DEALLOCATE other")?)
    });
    prepared.unwrap_or_else(|error| panic!("{error:#}"));
}

/// Files without a tenant column, each with the reason.
const WITHOUT_TENANT: [(&str, &str); 51] = [
    ("content/git_installations/show.sql", "a space is the tenant of its content, and is found by its id"),
    (
        "content/spaces/count_change_requests.sql",
        "a space is the tenant of its content, and is found by its id",
    ),
    ("content/spaces/purge.sql", "deleted spaces of all tenants are purged in turn"),
    ("content/store/move_head_of_space.sql", "a space is the tenant of its content, and is found by its id"),
    ("lookup/note_use.sql", "a token belongs to its user"),
    ("lookup/note_uses.sql", "a token belongs to its user"),
    ("migrations/encode_users.sql", "a migration of all tenants"),
    ("operations/diagnosis/facts.sql", "facts about the server"),
    ("operations/idempotency/keep.sql", "a key belongs to its user"),
    ("operations/idempotency/sweep.sql", "old keys of all users are deleted in turn"),
    ("operations/jobs/enqueue.sql", "a queue is drained across tenants"),
    ("operations/jobs/extend.sql", "a queue is drained across tenants"),
    ("operations/jobs/reschedule.sql", "a queue is drained across tenants"),
    ("operations/jobs/take.sql", "a queue is drained across tenants"),
    ("operations/keys/due_deployment_keys.sql", "keys of the whole deployment"),
    ("operations/keys/due_visitor_keys.sql", "keys of all organizations are renewed in turn"),
    ("operations/keys/list_master_keys.sql", "a master key seals secrets of all tenants"),
    ("operations/keys/lock.sql", "a lock of the whole deployment"),
    ("operations/keys/put_deployment_keys.sql", "keys of the whole deployment"),
    ("operations/keys/put_visitor_keys.sql", "an organization is the tenant"),
    ("operations/snapshot/deployment_keys.sql", "keys of the whole deployment"),
    ("operations/snapshot/export.sql", "a snapshot of all tenants"),
    ("operations/snapshot/files_are_free.sql", "a lock of the whole deployment"),
    ("operations/snapshot/foreign_keys.sql", "the catalogue"),
    ("operations/snapshot/has_organization.sql", "an organization is the tenant"),
    ("operations/snapshot/lock_files.sql", "a lock of the whole deployment"),
    ("operations/snapshot/migrations.sql", "the migrations of the whole deployment"),
    ("operations/snapshot/missing_integrations.sql", "integrations that other organizations have published"),
    ("operations/snapshot/organization_names.sql", "names of the other organizations"),
    ("operations/snapshot/other_user.sql", "a user belongs to no tenant"),
    ("operations/snapshot/tables.sql", "the catalogue"),
    ("operations/webhooks/sweep.sql", "old deliveries of all tenants are deleted in turn"),
    ("people/inbox/sweep.sql", "old entries of all inboxes are deleted in turn"),
    ("people/notifications/recipient.sql", "a person may belong to many organizations"),
    ("people/notifications/set.sql", "notifications are settings of a user"),
    ("people/oidc/is_only_organization.sql", "an organization is the tenant"),
    ("people/organizations/find_names.sql", "a name is that of one organization of the deployment"),
    ("people/passwords/find_account.sql", "a person may belong to many organizations"),
    ("people/passwords/has_account.sql", "a person may belong to many organizations"),
    ("people/second_factors/accept_step.sql", "a second factor belongs to its user"),
    ("people/second_factors/add_recovery_codes.sql", "a second factor belongs to its user"),
    ("people/second_factors/forget.sql", "a second factor belongs to its user"),
    ("people/second_factors/start.sql", "a second factor belongs to its user"),
    ("people/second_factors/use_recovery_code.sql", "a second factor belongs to its user"),
    ("people/sign_in_links/create.sql", "a link belongs to its user"),
    ("people/sign_in_links/find.sql", "a link belongs to its user"),
    ("people/sign_in_links/sweep.sql", "a link belongs to its user"),
    ("people/sign_in_links/use_once.sql", "a link belongs to its user"),
    ("people/user_sessions/delete_oldest.sql", "a token belongs to its user"),
    ("people/user_sessions/start.sql", "a token belongs to its user"),
    (
        "transaction/end_of_transaction/count_comments_of_space.sql",
        "a space is the tenant of its content, and is found by its id",
    ),
];

/// Files that lock rows without a condition on their tenant, each with the reason.
const LOCKS_WITHOUT_TENANT: [(&str, &str); 14] = [
    ("content/git_sites/sync_sites_soon.sql", "a transaction may change sites of several organizations"),
    ("content/spaces/purge.sql", "deleted spaces of all tenants are purged in turn"),
    ("lookup/note_use.sql", "a token belongs to its user"),
    ("lookup/note_uses.sql", "a token belongs to its user"),
    ("operations/jobs/take.sql", "a queue is drained across tenants"),
    ("operations/keys/due_deployment_keys.sql", "keys of the whole deployment"),
    ("operations/keys/due_share_links.sql", "links of all tenants are sealed again in turn"),
    ("operations/keys/due_visitor_keys.sql", "keys of all organizations are renewed in turn"),
    ("operations/webhooks/lease.sql", "deliveries of all tenants are sent in turn"),
    ("people/invites/find_acceptable.sql", "a person accepts invites of several organizations at once"),
    ("people/invites/find_by_secret.sql", "an invite is found by its secret alone"),
    ("people/notifications/claim.sql", "entries of all inboxes are mailed in turn"),
    ("sites/purges/lock.sql", "a transaction may change content of several organizations"),
    ("sites/renderers/lease.sql", "renderers of all tenants are served in turn"),
];

/// Returns the files with this extension below a folder of this crate, with their paths below it.
fn files(folder: &str, extension: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, extension, files);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = Vec::new();
    walk(&root, extension, &mut found);
    assert!(!found.is_empty(), "there are files");
    let name = |path: &Path| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
    found.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// A file is only checked if a module in its folder or above it declares it.
#[test]
fn each_file_is_declared() {
    let sources = files("src", "rs");
    for (path, _) in files("src", "sql") {
        let is_declared = sources.iter().any(|(source, text)| {
            let folder = source.rfind('/').map_or("", |end| &source[..=end]);
            let name = path.strip_prefix(folder);
            name.is_some_and(|name| {
                [";", " of "].iter().any(|end| text.contains(&format!("= \"{name}\"{end}")))
            })
        });
        assert!(is_declared, "{path} is not declared with `sql_files!`");
    }
}

/// Returns whether a condition compares a tenant column with a value.
fn compares_tenant(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_tenant = |word: &str| matches!(word.rsplit('.').next(), Some("organization_id" | "space_id"));
    words.windows(3).any(|words| is_tenant(words[0]) && words[1] == "=" && words[2].starts_with('$'))
}

/// Statements and row locks name the tenant, so that a database sharded by tenant finds the rows in one shard.
#[test]
fn statements_name_their_tenant() {
    let (mut without, mut locks) = (Vec::new(), Vec::new());
    for (name, text) in files("src", "sql") {
        let text: String =
            text.lines().filter(|line| !line.starts_with("--")).map(|line| line.to_owned() + "\n").collect();
        if !["organization_id", "space_id", "$columns("].iter().any(|tenant| text.contains(tenant)) {
            without.push(name.clone());
        }
        let locked = ["FOR UPDATE", "FOR NO KEY UPDATE", "FOR SHARE", "FOR KEY SHARE"];
        if locked.iter().any(|lock| text.contains(lock)) && !compares_tenant(&text) {
            locks.push(name);
        }
    }
    without.sort();
    locks.sort();
    assert_eq!(without, WITHOUT_TENANT.map(|(name, _)| name));
    assert_eq!(locks, LOCKS_WITHOUT_TENANT.map(|(name, _)| name));
}
