//! The search index: an organization of 100,000 pages in 1,000 spaces, and page updates with and without the index.

mod large;
mod updates;

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use quire_bench::client::Client;

use crate::load::metric;

pub(crate) use large::{LargeIndex, measure as measure_large};
pub(crate) use updates::{UpdatesWithIndex, measure as measure_updates};

/// The metric that counts commits of the index.
const COMMITS: &str = "quire_search_commits";

/// Longest time that a space may take.
const CATCHING_UP: Duration = Duration::from_secs(120);

/// Has the server index the changed pages of a space, which would otherwise disturb later measurements: it does so once
/// a space is searched, or after a minute.
pub(crate) async fn catch_up(client: &Client, space: &str) -> Result<()> {
    let commits = read_metric(client, COMMITS).await?;
    // The search may be refused until the pages are indexed.
    let _ = client.get(&format!("/v1/spaces/{space}/search?query=page"), &[]).await?;
    let start = Instant::now();
    while read_metric(client, COMMITS).await? <= commits {
        ensure!(start.elapsed() < CATCHING_UP, "the search index lacks pages after {CATCHING_UP:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

/// Returns a metric of the server.
async fn read_metric(client: &Client, name: &str) -> Result<f64> {
    let metrics = client.get("/metrics", &[]).await?;
    Ok(metric(&String::from_utf8_lossy(&metrics.body), name).unwrap_or_default())
}
