//! `docs/schema.md`: tables and foreign keys as diagrams, generated from PostgreSQL's system catalogs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use diesel::prelude::*;
use diesel::sql_types::{Array, Text};
use quire_storage::MIGRATIONS;
use quire_test_support::TestDatabase;

/// Tenant columns, which the keys of a tenant's table contain in addition to their own columns.
const TENANTS: [&str; 2] = ["organization_id", "space_id"];

const INTRODUCTION: &str = "\
# Schema

Tables of the database by area, with their foreign keys. Not shown are keys to users, and those of a row to its
organization or space alone, which every table of a tenant has. A test makes this page from PostgreSQL's catalogue;
`UPDATE_SCHEMA_DOCUMENT=1 make test` writes it. [Storage](storage.md) has the rules of the schema, and
`migrations/` the statements that create it.
";

#[derive(QueryableByName)]
struct Table {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    description: String,
}

#[derive(QueryableByName)]
struct ForeignKey {
    #[diesel(sql_type = Text)]
    table: String,
    #[diesel(sql_type = Text)]
    target: String,
    #[diesel(sql_type = Array<Text>)]
    columns: Vec<String>,
}

impl ForeignKey {
    fn is_shown(&self) -> bool {
        self.target != "users"
            && !matches!(self.columns.as_slice(), [only] if TENANTS.contains(&only.as_str()))
    }

    /// Returns the columns of the key without the tenant columns.
    fn label(&self) -> String {
        let own: Vec<&str> =
            self.columns.iter().map(String::as_str).filter(|column| !TENANTS.contains(column)).collect();
        if own.is_empty() { self.columns.join(", ") } else { own.join(", ") }
    }
}

/// Migration that creates tables: the first sentence of its comment, and the names of the tables.
struct Area {
    title: String,
    introduction: String,
    tables: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn areas() -> Vec<Area> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root().join("migrations")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    folders.iter().map(|folder| area(folder)).filter(|area| !area.tables.is_empty()).collect()
}

fn area(folder: &Path) -> Area {
    let statements = fs::read_to_string(folder.join("up.sql")).unwrap();
    let introduction: Vec<&str> = statements.lines().map_while(|line| line.strip_prefix("-- ")).collect();
    let name = folder.file_name().unwrap().to_str().unwrap();
    let title = name.split_once("_create_").map_or(name, |(_, title)| title).replace('_', " ");
    let tables = statements
        .lines()
        .filter_map(|line| line.strip_prefix("CREATE TABLE ")?.split_whitespace().next())
        .map(str::to_owned)
        .collect();
    Area { title: capitalized(&title), introduction: introduction.join("\n"), tables }
}

fn capitalized(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn document(connection: &mut PgConnection) -> String {
    let tables: Vec<Table> = diesel::sql_query(
        "SELECT c.relname::text AS name, coalesce(obj_description(c.oid, 'pg_class'), '') AS description
           FROM pg_class c
          WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'",
    )
    .load(connection)
    .unwrap();
    let descriptions: BTreeMap<String, String> =
        tables.into_iter().map(|table| (table.name, table.description)).collect();
    let keys: Vec<ForeignKey> = diesel::sql_query(
        "SELECT c.conrelid::regclass::text AS table, c.confrelid::regclass::text AS target,
                array(SELECT a.attname::text
                        FROM unnest(c.conkey) WITH ORDINALITY k (number, ordinal)
                        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number
                       ORDER BY k.ordinal) AS columns
           FROM pg_constraint c
          WHERE c.connamespace = 'public'::regnamespace AND c.contype = 'f'
          ORDER BY 1, 2, 3",
    )
    .load(connection)
    .unwrap();
    let mut text = INTRODUCTION.to_owned();
    for area in areas() {
        write!(text, "\n## {}\n\n{}\n\n| Table | Rows |\n|---|---|\n", area.title, area.introduction)
            .unwrap();
        for table in &area.tables {
            writeln!(text, "| `{table}` | {} |", descriptions[table]).unwrap();
        }
        text.push_str("\n```mermaid\nerDiagram\n");
        for table in &area.tables {
            writeln!(text, "    {table}").unwrap();
            for key in keys.iter().filter(|key| key.table == *table && key.is_shown()) {
                writeln!(text, "    {} ||--o{{ {table} : \"{}\"", key.target, key.label()).unwrap();
            }
        }
        text.push_str("```\n");
    }
    text
}

#[test]
fn the_schema_document_shows_the_catalogue() {
    let database = TestDatabase::create("quire", |url| drop(MIGRATIONS.run(url).unwrap()));
    let mut connection = PgConnection::establish(&database.url).unwrap();
    let (path, document) = (root().join("docs/schema.md"), document(&mut connection));
    if std::env::var_os("UPDATE_SCHEMA_DOCUMENT").is_some() {
        fs::write(&path, &document).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, document, "docs/schema.md differs from the catalogue: set UPDATE_SCHEMA_DOCUMENT=1");
}
