//! Measures a real Quire: the release binary on a private PostgreSQL with default durability, over HTTP.
//!
//! Absolute times say more about the machine than about Quire, so the table shows ratios of what was measured in one run, in turns:
//! the same operation in spaces of 100, 1,000 and 10,000 pages, the same lists of a small and a large organization, and requests a second
//! beside a route that touches no database.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

mod growth;
mod organizations;
mod rows;
mod throughput;

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use quire_bench::client::Client;
use quire_bench::server::Server;

/// The sizes that growth is measured over, in pages.
pub(crate) const SIZES: [usize; 3] = [100, 1_000, 10_000];

#[tokio::main]
async fn main() -> Result<()> {
    let binary = std::env::args()
        .nth(1)
        .map(PathBuf::from)
        .context("usage: quire-bench PATH_OF_QUIRE [RESULTS.json]")?;
    let results = std::env::args().nth(2).map(PathBuf::from);
    let server = Server::start(&binary)?;
    let client = Client::new(&server)?;
    println!("filling spaces of {SIZES:?} pages …");
    let mut spaces = Vec::new();
    for size in SIZES {
        spaces.push(growth::fill(&client, &server.organization, size).await?);
    }
    let growth = growth::measure(&client, &spaces).await?;
    let rows = rows::of_one_edit(&server, &client, &spaces).await?;
    let organizations = organizations::measure(&server, &client).await?;
    let throughput = throughput::measure(&server, &spaces).await?;
    print_growth(&growth);
    print_rows(&rows);
    print_organizations(&organizations);
    print_throughput(&throughput);
    if let Some(path) = results {
        let all = json!({
            "growth": growth_json(&growth),
            "rowsOfOneEdit": rows_json(&rows),
            "listsOfOrganizations": organizations_json(&organizations),
            "requestsPerSecond": throughput
        });
        std::fs::write(&path, serde_json::to_string_pretty(&all)?)
            .with_context(|| format!("{}", path.display()))?;
    }
    Ok(())
}

fn print_growth(growth: &[growth::Row]) {
    println!("\n{:<34}{:>12}{:>12}{:>12}{:>16}", "median ms", "100 pages", "1,000", "10,000", "10,000 / 100");
    for row in growth {
        let [small, middle, large] = row.medians;
        println!("{:<34}{small:>12.2}{middle:>12.2}{large:>12.2}{:>16.2}", row.operation, large / small);
    }
}

fn print_rows(rows: &[rows::Written]) {
    println!("\nrows written by one edit of one page");
    for row in rows {
        println!("{:<34}{}", format!("{} pages", row.pages), row.describe());
    }
}

fn print_organizations(rows: &[organizations::Row]) {
    println!("\n{:<34}{:>12}{:>12}{:>16}", "median ms", "small", "large", "large / small");
    for row in rows {
        let [small, large] = row.medians;
        println!("{:<34}{small:>12.2}{large:>12.2}{:>16.2}", row.list, large / small);
    }
    println!(
        "small: 100 members, 5 teams, 2 sites of 5 sections; large: 10,000 members, 500 teams, 200 sites of 50 sections"
    );
}

fn print_throughput(throughput: &Value) {
    println!("\nrequests a second, 16 connections");
    let bare = throughput.get("GET /healthz").and_then(Value::as_f64).unwrap_or(f64::NAN);
    for (route, rate) in throughput.as_object().into_iter().flatten() {
        let rate = rate.as_f64().unwrap_or(f64::NAN);
        println!("{route:<34}{rate:>12.0}{:>12.2} of a route without a database", rate / bare);
    }
}

fn growth_json(growth: &[growth::Row]) -> Value {
    growth
        .iter()
        .map(|row| (row.operation.to_owned(), json!(row.medians)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn organizations_json(rows: &[organizations::Row]) -> Value {
    rows.iter().map(|row| (row.list.to_owned(), json!(row.medians))).collect::<serde_json::Map<_, _>>().into()
}

fn rows_json(rows: &[rows::Written]) -> Value {
    rows.iter()
        .map(|row| (row.pages.to_string(), json!(row.by_table)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}
