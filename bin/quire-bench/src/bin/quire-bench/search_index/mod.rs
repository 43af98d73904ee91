//! The search index: an organization of 100,000 pages in 1,000 spaces, and page updates with and without the index.

mod large;
mod updates;

use anyhow::Result;
use quire_bench::client::Client;

use crate::load::metric;

pub(crate) use large::{LargeIndex, measure as measure_large};
pub(crate) use updates::{UpdatesWithIndex, measure as measure_updates};

/// Returns a metric of the server.
async fn read_metric(client: &Client, name: &str) -> Result<f64> {
    let metrics = client.get("/metrics", &[]).await?;
    Ok(metric(&String::from_utf8_lossy(&metrics.body), name).unwrap_or_default())
}
