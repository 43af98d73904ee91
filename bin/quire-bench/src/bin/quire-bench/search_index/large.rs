//! An organization of many spaces on a server of its own: the making of the index, its size, memory, and searches.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use quire_bench::client::Client;
use reqwest::Method;
use serde::Serialize;
use serde_json::json;

use super::read_metric;
use crate::archives::Layout;
use crate::cases::{self, Bench, Case, Read};
use crate::fixture::{empty_space, import};
use crate::process::{self, Memory};
use crate::run::Run;

/// Spaces, and pages of each.
const SPACES: usize = 1_000;
const PAGES: usize = 100;
/// Spaces whose pages are imported. The others are duplicates of these, since imports of all would take minutes.
const IMPORTED: usize = 100;
/// Longest time to index all pages.
const INDEXING: Duration = Duration::from_mins(4);
/// Time until the memory of a server that has started or done some work stays the same.
const REST: Duration = Duration::from_secs(5);

/// Searches of the organization.
const SEARCH: Read =
    Read { name: "search 1,000 spaces of 100 pages: common words", data: None, request: cases::organization };

/// Figures of the index.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LargeIndex {
    pub(crate) spaces: usize,
    pub(crate) pages: usize,
    /// Time to make the spaces.
    pub(crate) fill_seconds: f64,
    /// Pages indexed per second after the index was deleted.
    pub(crate) rebuild_pages_per_second: f64,
    /// Size of the index on disk.
    pub(crate) index_mb: f64,
    /// Memory of the server before it had content.
    pub(crate) empty: Memory,
    /// Memory of a server that has started with the index.
    pub(crate) started: Memory,
    /// Memory after the searches.
    pub(crate) searched: Memory,
    pub(crate) search: Case,
}

/// Fills a server of this binary and measures it.
pub(crate) async fn measure(bench: &Bench, binary: &Path) -> Result<LargeIndex> {
    let mut run = Run::start(binary).await?;
    let start = Instant::now();
    fill(&run).await?;
    let fill_seconds = start.elapsed().as_secs_f64();
    run.server.restart(|data| Ok(std::fs::remove_dir_all(data.join("search"))?))?;
    let pages = SPACES * PAGES;
    let rebuild_pages_per_second = pages_f64(pages) / indexed(&run.client, pages).await?.as_secs_f64();
    let index_mb = read_metric(&run.client, "quire_search_bytes").await? / 1e6;
    run.server.restart(|_| Ok(()))?;
    indexed(&run.client, pages).await?;
    tokio::time::sleep(REST).await;
    let started = process::memory(run.server.pid())?;
    let mut runs = vec![run];
    let mut measured = cases::measure_read_at(bench, &runs, &SEARCH, &[1, 16]).await?;
    tokio::time::sleep(REST).await;
    let (Some(search), Some(run)) = (measured.pop(), runs.pop()) else {
        anyhow::bail!("nothing was measured")
    };
    let searched = process::memory(run.server.pid())?;
    Ok(LargeIndex {
        spaces: SPACES,
        pages,
        fill_seconds,
        rebuild_pages_per_second,
        index_mb,
        empty: run.idle,
        started,
        searched,
        search,
    })
}

async fn fill(run: &Run) -> Result<()> {
    let (client, organization) = (&run.client, &run.server.organization);
    for number in 0..IMPORTED {
        let space = empty_space(client, organization, &format!("Search {number}")).await?;
        let numbers: Vec<usize> = (number * PAGES..(number + 1) * PAGES).collect();
        import(client, &space, &numbers, 4_000, Layout::Folders).await?;
        for _ in 1..SPACES / IMPORTED {
            let path = format!("/v1/spaces/{space}/duplicate");
            client.call(Method::POST, &path, Some(&json!({}))).await?;
        }
    }
    run.server.truncate_log()
}

/// Waits until the index has all pages and returns how long that took.
async fn indexed(client: &Client, pages: usize) -> Result<Duration> {
    let start = Instant::now();
    while read_metric(client, "quire_search_pages").await? < pages_f64(pages) {
        ensure!(start.elapsed() < INDEXING, "the search index lacks pages after {INDEXING:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(start.elapsed())
}

fn pages_f64(pages: usize) -> f64 {
    f64::from(u32::try_from(pages).unwrap_or(u32::MAX))
}
