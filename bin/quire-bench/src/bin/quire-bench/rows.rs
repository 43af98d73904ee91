//! The rows that one edit of one page writes.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text, Uuid};
use serde::Serialize;

use crate::database;
use crate::fixture::Space;
use crate::growth::{SIZES, edit};
use crate::run::Run;

/// New rows of one edit, by table.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Written {
    /// The number of pages of the space.
    pub(crate) pages: usize,
    pub(crate) rows: BTreeMap<String, i64>,
}

impl Written {
    /// The tables with their numbers.
    pub(crate) fn describe(&self) -> String {
        self.rows.iter().map(|(table, rows)| format!("{table} {rows}")).collect::<Vec<_>>().join(", ")
    }
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

#[derive(QueryableByName)]
struct Table {
    #[diesel(sql_type = Text)]
    name: String,
}

/// Edits one page in each space and counts the rows before and after.
pub(crate) async fn of_one_edit(run: &Run) -> Result<Vec<Written>> {
    let mut connection = PgConnection::establish(&database::url(&run.server)?)?;
    let tables = tables(&mut connection)?;
    let mut written = Vec::new();
    for (round, (pages, data)) in (5_000..).zip(SIZES) {
        let space = run.fixture.space(data)?;
        let before = count(&mut connection, &tables, space)?;
        let page = space.pages.first().context("a space has pages")?;
        edit(&run.client, &format!("/v1/spaces/{}/content", space.id), page, round).await?;
        let mut rows = count(&mut connection, &tables, space)?;
        for (table, count) in &mut rows {
            *count -= before.get(table).copied().unwrap_or(0);
        }
        rows.retain(|_, rows| *rows != 0);
        written.push(Written { pages, rows });
    }
    Ok(written)
}

/// The tables of content: all that are keyed by space.
fn tables(connection: &mut PgConnection) -> Result<Vec<String>> {
    let tables: Vec<Table> = diesel::sql_query(
        "SELECT c.table_name::text AS name FROM information_schema.columns c \
         JOIN information_schema.tables t USING (table_schema, table_name) \
         WHERE c.table_schema = 'public' AND c.column_name = 'space_id' AND t.table_type = 'BASE TABLE' ORDER BY 1",
    )
    .load(connection)?;
    Ok(tables.into_iter().map(|table| table.name).collect())
}

fn count(connection: &mut PgConnection, tables: &[String], space: &Space) -> Result<BTreeMap<String, i64>> {
    let id: uuid::Uuid = space.id.parse()?;
    let mut counts = BTreeMap::new();
    for table in tables {
        let query = format!("SELECT count(*) AS rows FROM {table} WHERE space_id = $1");
        let count: Count = diesel::sql_query(query).bind::<Uuid, _>(id).get_result(connection)?;
        counts.insert(table.clone(), count.rows);
    }
    Ok(counts)
}
