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

/// Times of each operation by size, in the order in which the operations were measured first.
#[derive(Default)]
struct Times(Vec<(&'static str, [Vec<Duration>; 3])>);

impl Times {
    fn add(&mut self, operation: &'static str, size: usize, elapsed: Duration) {
        let at = self.0.iter().position(|(known, _)| *known == operation);
        let at = at.unwrap_or_else(|| {
            self.0.push((operation, [const { Vec::new() }; 3]));
            self.0.len() - 1
        });
        if let Some(times) = self.0.get_mut(at).and_then(|(_, times)| times.get_mut(size)) {
            times.push(elapsed);
        }
    }
}

/// Each operation in each space. The spaces take turns, so that all three see the same load from outside.
pub(crate) async fn measure(run: &Run) -> Result<Vec<Growth>> {
    let client = &run.client;
    let mut times = Times::default();
    for round in 0..ROUNDS {
        for (size, (_, data)) in SIZES.iter().enumerate() {
            let space = run.fixture.space(*data)?;
            let content = format!("/v1/spaces/{}/content", space.id);
            let page = space.pages.get(round * space.pages.len() / ROUNDS).context("a space has pages")?;
            times.add("edit one page", size, edit(client, &content, page, round).await?);
            let tree = format!("{content}/pages");
            times.add("tree after an edit", size, read(client, &tree).await?);
            times.add("tree again", size, read(client, &tree).await?);
            times.add("one level of the tree", size, read(client, &format!("{tree}?depth=1")).await?);
            let (edited, merged) = merge(client, space, page, round).await?;
            times.add("edit one page in a change request", size, edited);
            times.add("merge one changed page", size, merged);
            let path = format!("{content}/page/{page}?format=markdown");
            times.add("read one page as Markdown", size, read(client, &path).await?);
            if round > 0 {
                let site = run.fixture.site(*data)?;
                let path = site.page(round * space.pages.len() / ROUNDS - 1)?;
                times.add("page of a site after a merge", size, visit(client, &path, round + 1_000).await?);
                times.add("page of a site again", size, visit(client, &path, round + 1_000).await?);
                for (name, after, again) in SITE_LISTS {
                    let path = format!("{}/{name}", site.root);
                    times.add(after, size, read_as_visitor(client, &path).await?);
                    times.add(again, size, read_as_visitor(client, &path).await?);
                }
            }
        }
    }
    Ok(times.0.into_iter().map(|(operation, times)| Growth::new(operation, times)).collect())
}

/// Lists of all pages of a site: the file, and the operations that read it after a merge and again.
const SITE_LISTS: [(&str, &str, &str); 2] = [
    ("sitemap.xml", "sitemap.xml after a merge", "sitemap.xml again"),
    ("llms.txt", "llms.txt after a merge", "llms.txt again"),
];

/// Reads a path of the API.
async fn read(client: &Client, path: &str) -> Result<Duration> {
    Ok(client.call(Method::GET, path, None).await?.1)
}

/// Reads what must be answered with 200 to a visitor.
async fn read_as_visitor(client: &Client, path: &str) -> Result<Duration> {
    let started = Instant::now();
    let answer = client.get(path, &[]).await?;
    let elapsed = started.elapsed();
    ensure!(answer.status == 200, "{path} answered {}: {}", answer.status, answer.excerpt());
    Ok(elapsed)
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

/// Times the first edit of a change request, and the merge.
async fn merge(client: &Client, space: &Space, page: &str, round: usize) -> Result<(Duration, Duration)> {
    let path = format!("/v1/spaces/{}/change-requests", space.id);
    let (made, _) = client.call(Method::POST, &path, Some(&json!({"subject": "Bench"}))).await?;
    let path = format!("{path}/{}", text(&made, "/id")?);
    let edited = edit(client, &format!("{path}/content"), page, round + 1_000).await?;
    let (merged, elapsed) = client.call(Method::POST, &format!("{path}/merge"), None).await?;
    ensure!(text(&merged, "/result")? == "merge", "{merged}");
    Ok((edited, elapsed))
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
