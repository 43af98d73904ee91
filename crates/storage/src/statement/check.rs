//! Checks of statements against a migrated database.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use diesel::connection::SimpleConnection as _;
use diesel::expression::QueryMetadata;
use diesel::pg::{Pg, PgMetadataLookup, PgTypeMetadata};
use diesel::prelude::*;
use diesel::sql_types::{HasSqlType, Oid, Text};
use quire_test_support::TestDatabase;

use super::placeholders::{Part, Placeholders};
use super::{NoRows, Sql};

/// Longest lines of a file: of comments and of the statement.
const WIDTHS: (usize, usize) = (120, 110);

/// The SQL types of values.
pub(crate) trait SqlTypes {
    /// Returns the types as PostgreSQL numbers them.
    fn oids(connection: &mut PgConnection) -> Vec<u32>;
}

/// The SQL types of the columns of a row.
pub(crate) trait RowTypes {
    /// Returns the types as PostgreSQL numbers them.
    fn oids(connection: &mut PgConnection) -> Vec<u32>;
}

impl<T> RowTypes for T
where
    Pg: QueryMetadata<T>,
{
    fn oids(connection: &mut PgConnection) -> Vec<u32> {
        let mut types: Vec<Option<PgTypeMetadata>> = Vec::new();
        let lookup: &mut dyn PgMetadataLookup = connection;
        <Pg as QueryMetadata<T>>::row_metadata(lookup, &mut types);
        types.into_iter().map(|metadata| metadata.unwrap().oid().unwrap()).collect()
    }
}

impl RowTypes for NoRows {
    fn oids(_connection: &mut PgConnection) -> Vec<u32> {
        Vec::new()
    }
}

/// Returns a type as PostgreSQL numbers it.
pub(crate) fn oid<ST>(connection: &mut PgConnection) -> u32
where
    Pg: HasSqlType<ST>,
{
    <Pg as HasSqlType<ST>>::metadata(connection).oid().unwrap()
}

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Oid)]
    kind: u32,
}

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = Text)]
    name: String,
}

/// A database that the checks of one process share. They prepare statements and execute none.
static DATABASE: LazyLock<(TestDatabase, Mutex<PgConnection>)> = LazyLock::new(|| {
    let database = TestDatabase::create("quire", |url| drop(crate::migrations::run(url).unwrap()));
    let connection = PgConnection::establish(&database.url).unwrap();
    (database, Mutex::new(connection))
});

/// Calls `check` with the database that the checks share.
pub(crate) fn with_database<T>(check: impl FnOnce(&mut PgConnection) -> T) -> T {
    check(&mut DATABASE.1.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Returns the text as it is sent, and the numbers of its values in the order in which they are sent.
fn sent(text: &str, columns: &[String]) -> (String, Vec<usize>) {
    let (mut sent, mut numbers) = (String::new(), Vec::new());
    let written = Placeholders::default().parts(text, |part| {
        match part {
            Part::Text(text) => sent.push_str(text),
            Part::First(number) => {
                numbers.push(number);
                write!(sent, "${}", numbers.len()).unwrap();
            }
            Part::Again(position) => write!(sent, "${position}").unwrap(),
            Part::Columns(of) => {
                let columns: Vec<String> = columns.iter().map(|column| format!("{of}.{column}")).collect();
                sent.push_str(&columns.join(", "));
            }
            Part::Invalid => return Err("`$` without a number"),
        }
        Ok(())
    });
    written.unwrap();
    (sent, numbers)
}

/// Prepares the statement of a file, and compares the types of its values and of its rows.
pub(crate) fn file<S: Sql, Parameters: SqlTypes, Row: RowTypes>(file: &str) {
    form(file, S::TEXT);
    let (text, numbers) = sent(S::TEXT, S::COLUMNS());
    with_database(|connection| {
        let types = Parameters::oids(connection);
        let used: BTreeSet<usize> = numbers.iter().copied().collect();
        let declared: BTreeSet<usize> = (1..=types.len()).collect();
        assert_eq!(used, declared, "{file}: values used and declared");
        let names: Vec<String> =
            numbers.iter().map(|number| name_of(connection, types[number - 1])).collect();
        let types = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
        let prepared = connection.batch_execute(&format!("PREPARE checked {types} AS {text}"));
        prepared.unwrap_or_else(|error| panic!("{file}: {error}\n{text}"));
        let expected = Row::oids(connection);
        if !is_read(&text) {
            return connection.batch_execute("DEALLOCATE checked").unwrap();
        }
        let nulls: Vec<String> = names.iter().map(|name| format!("NULL::{name}")).collect();
        let nulls = if nulls.is_empty() { String::new() } else { format!("({})", nulls.join(", ")) };
        // Columns of joined tables may have one name.
        let columns: Vec<String> = (0..expected.len()).map(|column| format!("column{column}")).collect();
        let columns = columns.join(", ");
        let described = format!(
            "CREATE TEMP TABLE described ({columns}) AS EXECUTE checked {nulls} WITH NO DATA; DEALLOCATE checked"
        );
        connection.batch_execute(&described).unwrap_or_else(|error| panic!("{file}: {error}"));
        let columns = "SELECT atttypid AS kind FROM pg_attribute \
                       WHERE attrelid = 'pg_temp.described'::regclass AND attnum > 0 ORDER BY attnum";
        let columns: Vec<Column> = diesel::sql_query(columns).load(connection).unwrap();
        connection.batch_execute("DROP TABLE described").unwrap();
        let found: Vec<String> = columns.iter().map(|column| name_of(connection, column.kind)).collect();
        let expected: Vec<String> = expected.into_iter().map(|oid| name_of(connection, oid)).collect();
        assert_eq!(found, expected, "{file}: types of columns found and declared");
    });
}

/// Prepares a statement that is no file, with values of these types.
pub(crate) fn prepare(text: &str, types: &[&str]) {
    let types = if types.is_empty() { String::new() } else { format!("({})", types.join(", ")) };
    let statement = format!("PREPARE checked {types} AS {text}; DEALLOCATE checked");
    let prepared = with_database(|connection| connection.batch_execute(&statement));
    prepared.unwrap_or_else(|error| panic!("{error}\n{text}"));
}

/// A statement that only reads, which PostgreSQL 15 describes. The columns of others are checked where they are loaded.
fn is_read(text: &str) -> bool {
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_ascii_alphabetic()).collect();
    !["INSERT", "UPDATE", "DELETE"].iter().any(|word| words.contains(word))
}

fn name_of(connection: &mut PgConnection, oid: u32) -> String {
    let query = diesel::sql_query(format!("SELECT {oid}::regtype::text AS name"));
    query.get_result::<Name>(connection).unwrap().name
}

/// Checks the form of a file.
fn form(file: &str, text: &str) {
    assert!(text.starts_with("-- "), "{file} begins with a comment that says what the statement returns");
    for line in text.lines() {
        let width = if line.starts_with("--") { WIDTHS.0 } else { WIDTHS.1 };
        assert!(line.chars().count() <= width, "{file} has a line of more than {width} characters: {line}");
    }
    assert_eq!(not_sharded(text), None, "{file} has a form that engines refuse that shard by schema");
}

/// Returns an assignment that engines refuse that shard by schema: they evaluate assignments before they send a
/// statement to a shard, and refuse a function that is not immutable within `coalesce` or `CASE`. A subquery is sent as
/// it is.
fn not_sharded(text: &str) -> Option<&str> {
    let is_comment = |line: &&str| line.trim_start().starts_with("--");
    let mut lines = text.lines().filter(|line| !is_comment(line)).map(str::trim_start);
    let mut is_assigned = false;
    lines.find(|line| {
        match line.split(' ').next() {
            Some("SET" | "DO") => is_assigned = true,
            Some("FROM" | "WHERE" | "RETURNING") => is_assigned = false,
            _ => {}
        }
        is_assigned
            && ["= coalesce($", "= CASE "].iter().any(|form| line.contains(form))
            && ["now()", "clock_timestamp()", "set_config("].iter().any(|call| line.contains(call))
    })
}

#[test]
fn times_of_the_database_are_subqueries_in_assignments() {
    let update = |set: &str| {
        format!("-- Sets a time.\nUPDATE jobs\n   SET {set}\n WHERE id = $1 AND a <= coalesce($2, now())")
    };
    for refused in [
        "run_at = coalesce($2, now())",
        "attempts = 1,\n       run_at = coalesce($2, now()) + $3",
        "run_at = CASE WHEN $2 THEN now() END",
    ] {
        assert!(not_sharded(&update(refused)).is_some(), "{refused}");
    }
    for accepted in ["run_at = (SELECT coalesce($2, now()))", "run_at = now()", "title = coalesce($2, title)"]
    {
        assert_eq!(not_sharded(&update(accepted)), None, "{accepted}");
    }
}

/// Files without the column of a tenant, and why.
const WITHOUT_TENANT: [(&str, &str); 53] = [
    ("content/git_installations/show.sql", "a space is the tenant of its content, and is found by its id"),
    (
        "content/spaces/count_change_requests.sql",
        "a space is the tenant of its content, and is found by its id",
    ),
    ("content/spaces/purge.sql", "deleted spaces of all tenants are purged in turn"),
    ("content/store/move_head_of_space.sql", "a space is the tenant of its content, and is found by its id"),
    (
        "end_of_transaction/count_comments_of_space.sql",
        "a space is the tenant of its content, and is found by its id",
    ),
    ("lookup/note_use.sql", "a token belongs to its user"),
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
    ("people/second_factors/start.sql", "a second factor belongs to its user"),
    ("people/second_factors/use_recovery_code.sql", "a second factor belongs to its user"),
    ("people/sign_in_links/create.sql", "a link belongs to its user"),
    ("people/sign_in_links/find.sql", "a link belongs to its user"),
    ("people/sign_in_links/sweep.sql", "a link belongs to its user"),
    ("people/sign_in_links/use_once.sql", "a link belongs to its user"),
    ("people/user_sessions/make_room.sql", "a token belongs to its user"),
    ("people/user_sessions/start.sql", "a token belongs to its user"),
    ("replicas/note_uses.sql", "a token belongs to its user"),
    ("replicas/replayed.sql", "facts about the server"),
    ("replicas/written.sql", "facts about the server"),
    ("session/missing_defaults.sql", "facts about the server"),
];

/// Files that lock rows without a condition on their tenant, and why.
const LOCKS_WITHOUT_TENANT: [(&str, &str); 13] = [
    ("content/spaces/purge.sql", "deleted spaces of all tenants are purged in turn"),
    ("lookup/note_use.sql", "a token belongs to its user"),
    ("operations/jobs/take.sql", "a queue is drained across tenants"),
    ("operations/keys/due_deployment_keys.sql", "keys of the whole deployment"),
    ("operations/keys/due_share_links.sql", "links of all tenants are sealed again in turn"),
    ("operations/keys/due_visitor_keys.sql", "keys of all organizations are renewed in turn"),
    ("operations/webhooks/lease.sql", "deliveries of all tenants are sent in turn"),
    ("people/invites/find_acceptable.sql", "a person accepts invites of several organizations at once"),
    ("people/invites/find_by_secret.sql", "an invite is found by its secret alone"),
    ("people/notifications/claim.sql", "entries of all inboxes are mailed in turn"),
    ("replicas/note_uses.sql", "a token belongs to its user"),
    ("sites/purges/lock.sql", "a transaction may change content of several organizations"),
    ("sites/renderers/lease.sql", "renderers of all tenants are served in turn"),
];

/// Returns the files below a folder of this crate that have this extension, with their paths below it.
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

/// Each file is declared by a module in its folder or above it, and so checked.
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

/// Returns whether a condition compares the column of a tenant with a value.
fn compares_tenant(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_tenant = |word: &str| matches!(word.rsplit('.').next(), Some("organization_id" | "space_id"));
    words.windows(3).any(|words| is_tenant(words[0]) && words[1] == "=" && words[2].starts_with('$'))
}

/// Statements and row locks name the tenant, so that a database that is divided by tenants finds the rows in one part.
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
