//! Checks of statements against a database that has their tables.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Context as _, ensure};
use diesel::connection::SimpleConnection as _;
use diesel::expression::QueryMetadata;
use diesel::pg::{Pg, PgMetadataLookup, PgTypeMetadata};
use diesel::prelude::*;
use diesel::sql_types::{HasSqlType, Oid, Text};

use super::placeholders::{Part, Placeholders};
use super::{NoRows, Sql};

/// Maximum line lengths of a file: of comments and of the statement.
const WIDTHS: (usize, usize) = (120, 110);

/// SQL types of values.
pub trait SqlTypes {
    /// Returns the OIDs of the types.
    ///
    /// # Errors
    /// A type that does not exist in the database.
    fn oids(connection: &mut PgConnection) -> anyhow::Result<Vec<u32>>;
}

/// SQL types of the columns of a row.
pub trait RowTypes {
    /// Returns the OIDs of the types.
    ///
    /// # Errors
    /// A type that does not exist in the database.
    fn oids(connection: &mut PgConnection) -> anyhow::Result<Vec<u32>>;
}

impl<T> RowTypes for T
where
    Pg: QueryMetadata<T>,
{
    fn oids(connection: &mut PgConnection) -> anyhow::Result<Vec<u32>> {
        let mut types: Vec<Option<PgTypeMetadata>> = Vec::new();
        let lookup: &mut dyn PgMetadataLookup = connection;
        <Pg as QueryMetadata<T>>::row_metadata(lookup, &mut types);
        let oids = types.into_iter().map(|metadata| Ok(metadata.context("a column has no type")?.oid()?));
        oids.collect()
    }
}

impl RowTypes for NoRows {
    fn oids(_connection: &mut PgConnection) -> anyhow::Result<Vec<u32>> {
        Ok(Vec::new())
    }
}

/// Returns the OID of a type.
pub(super) fn oid<ST>(connection: &mut PgConnection) -> anyhow::Result<u32>
where
    Pg: HasSqlType<ST>,
{
    Ok(<Pg as HasSqlType<ST>>::metadata(connection).oid()?)
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

/// Returns the text as it is sent, and the numbers of its values in the order in which they are sent.
fn sent(text: &str, columns: &[String]) -> anyhow::Result<(String, Vec<usize>)> {
    let (mut sent, mut numbers) = (String::new(), Vec::new());
    Placeholders::default().parts(text, |part| {
        match part {
            Part::Text(text) => sent.push_str(text),
            Part::First(number) => {
                numbers.push(number);
                write!(sent, "${}", numbers.len())?;
            }
            Part::Again(position) => write!(sent, "${position}")?,
            Part::Columns(of) => {
                let columns: Vec<String> = columns.iter().map(|column| format!("{of}.{column}")).collect();
                sent.push_str(&columns.join(", "));
            }
            Part::Invalid => anyhow::bail!("`$` without a number"),
        }
        Ok(())
    })?;
    Ok((sent, numbers))
}

/// Prepares the statement of a file, compares the types of its values and rows, and checks its form.
///
/// # Errors
/// The first difference.
pub fn file<S: Sql, Parameters: SqlTypes, Row: RowTypes>(
    connection: &mut PgConnection,
) -> anyhow::Result<()> {
    check_form(S::TEXT)?;
    let (text, numbers) = sent(S::TEXT, S::COLUMNS())?;
    let types = Parameters::oids(connection)?;
    let used: BTreeSet<usize> = numbers.iter().copied().collect();
    let declared: BTreeSet<usize> = (1..=types.len()).collect();
    ensure!(used == declared, "values {used:?} are used and {declared:?} declared");
    let mut names = Vec::new();
    for kind in numbers.iter().filter_map(|number| types.get(number.checked_sub(1)?)) {
        names.push(name_of(connection, *kind)?);
    }
    prepare(connection, "checked", &text, &names)?;
    let expected = Row::oids(connection)?;
    if !is_read(&text) {
        connection.batch_execute("DEALLOCATE checked")?;
        return Ok(());
    }
    let found = columns_of(connection, &names, expected.len())?;
    let mut columns = (Vec::new(), Vec::new());
    for kind in found {
        columns.0.push(name_of(connection, kind)?);
    }
    for kind in expected {
        columns.1.push(name_of(connection, kind)?);
    }
    ensure!(columns.0 == columns.1, "columns have the types {:?}, declared are {:?}", columns.0, columns.1);
    Ok(())
}

/// Prepares a statement under a name, with values of these types.
///
/// # Errors
/// A statement that PostgreSQL refuses.
pub fn prepare(
    connection: &mut PgConnection,
    name: &str,
    text: &str,
    types: &[String],
) -> anyhow::Result<()> {
    let types = if types.is_empty() { String::new() } else { format!("({})", types.join(", ")) };
    let prepared = connection.batch_execute(&format!("PREPARE {name} {types} AS {text}"));
    prepared.with_context(|| text.to_owned())
}

/// Returns the types of the `count` columns of the prepared statement `checked`.
fn columns_of(connection: &mut PgConnection, values: &[String], count: usize) -> anyhow::Result<Vec<u32>> {
    let nulls: Vec<String> = values.iter().map(|name| format!("NULL::{name}")).collect();
    let nulls = if nulls.is_empty() { String::new() } else { format!("({})", nulls.join(", ")) };
    // Columns of joined tables may have the same name.
    let columns: Vec<String> = (0..count).map(|column| format!("column{column}")).collect();
    let columns = columns.join(", ");
    connection.batch_execute(&format!(
        "CREATE TEMP TABLE described ({columns}) AS EXECUTE checked {nulls} WITH NO DATA; DEALLOCATE checked"
    ))?;
    let columns = "SELECT atttypid AS kind FROM pg_attribute \
                   WHERE attrelid = 'pg_temp.described'::regclass AND attnum > 0 ORDER BY attnum";
    let columns: Vec<Column> = diesel::sql_query(columns).load(connection)?;
    connection.batch_execute("DROP TABLE described")?;
    Ok(columns.into_iter().map(|column| column.kind).collect())
}

/// Returns whether a statement only reads. PostgreSQL 15 can describe only such statements; the columns of others are
/// checked when rows are loaded.
fn is_read(text: &str) -> bool {
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_ascii_alphabetic()).collect();
    !["INSERT", "UPDATE", "DELETE"].iter().any(|word| words.contains(word))
}

fn name_of(connection: &mut PgConnection, oid: u32) -> QueryResult<String> {
    let query = diesel::sql_query(format!("SELECT {oid}::regtype::text AS name"));
    Ok(query.get_result::<Name>(connection)?.name)
}

/// Checks the form of a file.
fn check_form(text: &str) -> anyhow::Result<()> {
    ensure!(text.starts_with("-- "), "it begins with a comment that says what the statement returns");
    for line in text.lines() {
        let width = if line.starts_with("--") { WIDTHS.0 } else { WIDTHS.1 };
        ensure!(line.chars().count() <= width, "a line has more than {width} characters: {line}");
    }
    if let Some(line) = not_sharded(text) {
        anyhow::bail!("engines that shard by schema refuse it: {line}");
    }
    Ok(())
}

/// Returns an assignment that engines that shard by schema refuse: they evaluate assignments before they send a
/// statement to a shard, and refuse a function that is not immutable within `coalesce` or `CASE`. They send a subquery
/// unchanged.
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

#[cfg(test)]
mod tests {
    use super::not_sharded;

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
        for accepted in
            ["run_at = (SELECT coalesce($2, now()))", "run_at = now()", "title = coalesce($2, title)"]
        {
            assert_eq!(not_sharded(&update(accepted)), None, "{accepted}");
        }
    }
}
