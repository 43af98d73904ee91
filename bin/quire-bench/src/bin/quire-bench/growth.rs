//! The same operation in spaces of 100, 1,000 and 10,000 pages.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use quire_bench::client::{Client, text};
use reqwest::Method;
use serde::Serialize;
use serde_json::json;

use crate::fixture::{Data, Space};
use crate::pages;
use crate::run::Run;

/// The spaces, by their number of pages.
pub(crate) const SIZES: [(usize, Data); 3] =
    [(100, Data::Hundred), (1_000, Data::Thousand), (10_000, Data::Large)];

/// Measurements of each operation in each space.
const ROUNDS: usize = 60;

/// An operation's median by size.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Growth {
    pub(crate) operation: &'static str,
    pub(crate) p50_ms_at_100_pages: f64,
    pub(crate) p50_ms_at_1000_pages: f64,
    pub(crate) p50_ms_at_10000_pages: f64,
}

impl Growth {
    fn new(operation: &'static str, [mut hundred, mut thousand, mut large]: [Vec<Duration>; 3]) -> Self {
        Self {
            operation,
            p50_ms_at_100_pages: percentile(&mut hundred, 50),
            p50_ms_at_1000_pages: percentile(&mut thousand, 50),
            p50_ms_at_10000_pages: percentile(&mut large, 50),
        }
    }
}

/// Each operation in each space. The spaces take turns, so that all three see the same load from outside.
pub(crate) async fn measure(run: &Run) -> Result<Vec<Growth>> {
    let client = &run.client;
    let mut edits = [const { Vec::new() }; 3];
    let mut merges = [const { Vec::new() }; 3];
    let mut reads = [const { Vec::new() }; 3];
    let mut changed = [const { Vec::new() }; 3];
    let mut unchanged = [const { Vec::new() }; 3];
    for round in 0..ROUNDS {
        for ((((_, data), edits), (merges, reads)), (changed, unchanged)) in SIZES
            .iter()
            .zip(&mut edits)
            .zip(merges.iter_mut().zip(&mut reads))
            .zip(changed.iter_mut().zip(&mut unchanged))
        {
            let space = run.fixture.space(*data)?;
            let page = space.pages.get(round * space.pages.len() / ROUNDS).context("a space has pages")?;
            edits.push(edit(client, &format!("/v1/spaces/{}/content", space.id), page, round).await?);
            merges.push(merge(client, space, page, round).await?);
            let path = format!("/v1/spaces/{}/content/page/{page}?format=markdown", space.id);
            reads.push(client.call(Method::GET, &path, None).await?.1);
            if round > 0 {
                let path = run.fixture.site(*data)?.page(round * space.pages.len() / ROUNDS - 1)?;
                changed.push(visit(client, &path, round + 1_000).await?);
                unchanged.push(visit(client, &path, round + 1_000).await?);
            }
        }
    }
    Ok(vec![
        Growth::new("edit one page", edits),
        Growth::new("merge one changed page", merges),
        Growth::new("read one page as Markdown", reads),
        Growth::new("page of a site after a merge", changed),
        Growth::new("page of a site again", unchanged),
    ])
}

/// Reads a page of a site as a visitor. It must show the text of this round, which was merged just before.
async fn visit(client: &Client, path: &str, round: usize) -> Result<Duration> {
    let started = Instant::now();
    let answer = client.get(path, &[]).await?;
    let elapsed = started.elapsed();
    let shows = String::from_utf8_lossy(&answer.body).contains(&format!("Edited in round {round}."));
    ensure!(answer.status == 200 && shows, "{path} answered {} without the change of a merge", answer.status);
    Ok(elapsed)
}

/// Replaces the text of a page.
pub(crate) async fn edit(client: &Client, content: &str, page: &str, round: usize) -> Result<Duration> {
    let links = ["https://example.com/guide".to_owned(), "https://example.com/reference".to_owned()];
    let markdown = format!("Edited in round {round}.\n\n{}", pages::page(20_000 + round, 4_000, &links));
    let changes =
        json!({"changes": [{"operation": "update_page", "page": page, "document": {"markdown": markdown}}]});
    Ok(client.call(Method::POST, content, Some(&changes)).await?.1)
}

/// Times the merge alone, without the making of the change request.
async fn merge(client: &Client, space: &Space, page: &str, round: usize) -> Result<Duration> {
    let path = format!("/v1/spaces/{}/change-requests", space.id);
    let (made, _) = client.call(Method::POST, &path, Some(&json!({"subject": "Bench"}))).await?;
    let path = format!("{path}/{}", text(&made, "/id")?);
    edit(client, &format!("{path}/content"), page, round + 1_000).await?;
    let (merged, elapsed) = client.call(Method::POST, &format!("{path}/merge"), None).await?;
    ensure!(text(&merged, "/result")? == "merge", "{merged}");
    Ok(elapsed)
}

/// A percentile, in milliseconds; not a number without values.
pub(crate) fn percentile(times: &mut [Duration], percent: usize) -> f64 {
    times.sort();
    let index = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(index).map_or(f64::NAN, |time| time.as_secs_f64() * 1_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_sorted_times() {
        let mut times: Vec<_> = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!((percentile(&mut times, 50), percentile(&mut times, 99)), (51.0, 100.0));
        assert!(percentile(&mut [], 50).is_nan());
    }
}
