//! What one edit writes.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Uuid};
use quire_postgres::{Cluster, ClusterConfig};

use crate::growth::{Space, edit};
use quire_bench::client::Client;
use quire_bench::server::Server;

const TABLES: [&str; 6] =
    ["documents", "document_links", "tree_nodes", "revisions", "search_pages", "search_sections"];

/// The rows that one edit of one page added.
pub(crate) struct Written {
    /// How many pages the space has.
    pub(crate) pages: usize,
    /// New rows, by table.
    pub(crate) by_table: BTreeMap<&'static str, i64>,
}

impl Written {
    /// In words.
    pub(crate) fn describe(&self) -> String {
        let tables = self.by_table.iter().filter(|(_, rows)| **rows != 0);
        tables.map(|(table, rows)| format!("{table} {rows}")).collect::<Vec<_>>().join(", ")
    }
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

/// Edits one page in each space and counts what came.
pub(crate) async fn of_one_edit(server: &Server, client: &Client, spaces: &[Space]) -> Result<Vec<Written>> {
    let cluster = Cluster::join_or_start(&ClusterConfig::new(server.data.join("postgres"), "quire"))?;
    let mut connection = PgConnection::establish(&cluster.url())?;
    let mut written = Vec::new();
    for (round, space) in (5_000..).zip(spaces) {
        let before = count(&mut connection, space)?;
        let page = space.sample.first().context("a space has pages")?;
        edit(client, &format!("/v1/spaces/{}/content", space.id), page, round).await?;
        let after = count(&mut connection, space)?;
        let by_table = after
            .into_iter()
            .map(|(table, rows)| (table, rows - before.get(table).copied().unwrap_or(0)))
            .collect();
        written.push(Written { pages: space.pages, by_table });
    }
    Ok(written)
}

fn count(connection: &mut PgConnection, space: &Space) -> Result<BTreeMap<&'static str, i64>> {
    let id: uuid::Uuid = space.id.parse()?;
    let mut counts = BTreeMap::new();
    for table in TABLES {
        let query = format!("SELECT count(*) AS rows FROM {table} WHERE space_id = $1");
        let count: Count = diesel::sql_query(query).bind::<Uuid, _>(id).get_result(connection)?;
        counts.insert(table, count.rows);
    }
    Ok(counts)
}
