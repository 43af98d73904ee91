//! Checks of statements against a migrated database.

use std::collections::BTreeSet;
use std::fmt::Write as _;
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

fn with_database<T>(check: impl FnOnce(&mut PgConnection) -> T) -> T {
    check(&mut DATABASE.1.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The text as it is sent, and the numbers of its values in the order in which they are sent.
fn sent(text: &str) -> (String, Vec<usize>) {
    let (mut sent, mut numbers) = (String::new(), Vec::new());
    let written = Placeholders::default().parts(text, |part| {
        match part {
            Part::Text(text) => sent.push_str(text),
            Part::First(number) => {
                numbers.push(number);
                write!(sent, "${}", numbers.len()).unwrap();
            }
            Part::Again(position) => write!(sent, "${position}").unwrap(),
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
    let (text, numbers) = sent(S::TEXT);
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
}

/// Each file below `sql/` is declared, and so checked.
#[test]
fn each_file_is_declared() {
    fn walk(folder: &std::path::Path, extension: &str, files: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, extension, files);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut sources, mut files) = (Vec::new(), Vec::new());
    walk(&root.join("src"), "rs", &mut sources);
    walk(&root.join("sql"), "sql", &mut files);
    let sources: String = sources.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    assert!(!files.is_empty(), "there are files");
    for file in files {
        let name = file.strip_prefix(root.join("sql")).unwrap().to_str().unwrap();
        assert!(sources.contains(&format!("= \"{name}\";")), "{name} is not declared with `sql_files!`");
    }
}
