//! Operations that are sent one at a time: cold pages, merges, and the same operation in small and large spaces.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use quire_bench::client::{Client, text};
use reqwest::Method;
use serde_json::json;

use crate::cases::{SIZES, update};
use crate::fixture::{Data, Space};
use crate::load::Counters;
use crate::measure::{Case, one_at_a_time};
use crate::pages;
use crate::report::Row;
use crate::run::Run;

/// Pages that are read before, so that the grammars of their listings are loaded.
const WARM_UP: usize = 20;

/// Number of merged change requests. They are created before, so that only merges are measured.
const MERGES: usize = 100;

/// Measurements of each operation in each space.
const ROUNDS: usize = 60;

/// Reads pages of a site that no cache has, each once.
pub(crate) async fn cold_pages(run: &Run, name: &str) -> Result<Case> {
    let site = run.fixture.site(Data::Words)?;
    let (first, rest) = site.pages.split_at_checked(WARM_UP).context("the site has pages")?;
    for page in first {
        run.client.get(page, &[]).await?;
    }
    let before = Counters::read(run.server.pid(), &run.client).await?;
    let mut times = Vec::new();
    for page in rest {
        times.push(visit(&run.client, page, "").await?);
    }
    one_at_a_time(run, name, before, times, None).await
}

/// Merges change requests of one changed page each.
pub(crate) async fn merges(run: &Run, name: &str) -> Result<Case> {
    let space = run.fixture.space(Data::Writes)?;
    let mut requests = Vec::new();
    for (number, page) in space.pages.iter().take(MERGES).enumerate() {
        requests.push(change_request(&run.client, space, page, number).await?.0);
    }
    let before = Counters::read(run.server.pid(), &run.client).await?;
    let mut times = Vec::new();
    for request in &requests {
        times.push(merge(&run.client, request).await?);
    }
    one_at_a_time(run, name, before, times, None).await
}

/// Each operation in spaces of 100, 1,000 and 10,000 pages, which take turns.
pub(crate) async fn growth(run: &Run) -> Result<Vec<Row>> {
    let client = &run.client;
    let mut times = Times::default();
    for round in 1..=ROUNDS {
        for (size, data) in SIZES.iter().enumerate() {
            let (space, site) = (run.fixture.space(*data)?, run.fixture.site(*data)?);
            let at = round * (space.pages.len() - 1) / ROUNDS;
            let page = space.pages.get(at).context("a space has pages")?;
            let content = format!("/v1/spaces/{}/content", space.id);
            times.add("edit one page", size, edit(client, &content, page, round).await?);
            let tree = format!("{content}/pages");
            times.add("tree after an edit", size, read(client, &tree).await?);
            times.add("tree again", size, read(client, &tree).await?);
            times.add("one level of the tree", size, read(client, &format!("{tree}?depth=1")).await?);
            let (request, edited) = change_request(client, space, page, round + 1_000).await?;
            times.add("edit one page in a change request", size, edited);
            times.add("merge one changed page", size, merge(client, &request).await?);
            let path = format!("{content}/page/{page}?format=markdown");
            times.add("read one page as Markdown", size, read(client, &path).await?);
            // The first page of the tree is the root of the site.
            let (path, shown) = (site.page(at - 1)?, format!("Edited in round {}.", round + 1_000));
            times.add("page of a site after a merge", size, visit(client, &path, &shown).await?);
            times.add("page of a site again", size, visit(client, &path, &shown).await?);
            for (name, after, again) in SITE_LISTS {
                let path = format!("{}/{name}", site.root);
                times.add(after, size, visit(client, &path, "").await?);
                times.add(again, size, visit(client, &path, "").await?);
            }
        }
    }
    let row = |(operation, times): (&str, [Vec<Duration>; 3])| {
        let [hundred, thousand, large] = times.map(|mut times| percentile(&mut times, 50));
        Row(vec![
            ("operation", json!(operation)),
            ("p50_ms_at_100_pages", json!(hundred)),
            ("p50_ms_at_1000_pages", json!(thousand)),
            ("p50_ms_at_10000_pages", json!(large)),
            ("10000_by_100", json!(large / hundred)),
        ])
    };
    Ok(times.0.into_iter().map(row).collect())
}

/// Lists of all pages of a site: the file, and the operations that read it after a merge and again.
const SITE_LISTS: [(&str, &str, &str); 2] = [
    ("sitemap.xml", "sitemap.xml after a merge", "sitemap.xml again"),
    ("llms.txt", "llms.txt after a merge", "llms.txt again"),
];

/// Times of each operation by size.
#[derive(Default)]
struct Times(Vec<(&'static str, [Vec<Duration>; 3])>);

impl Times {
    fn add(&mut self, operation: &'static str, size: usize, elapsed: Duration) {
        if !self.0.iter().any(|(known, _)| *known == operation) {
            self.0.push((operation, Default::default()));
        }
        let found = self.0.iter_mut().find(|(known, _)| *known == operation);
        if let Some(times) = found.and_then(|(_, times)| times.get_mut(size)) {
            times.push(elapsed);
        }
    }
}

/// Reads a path of the API.
async fn read(client: &Client, path: &str) -> Result<Duration> {
    Ok(client.call(Method::GET, path, None).await?.1)
}

/// Reads what must be answered with 200 to a visitor, and contain a text.
async fn visit(client: &Client, path: &str, shown: &str) -> Result<Duration> {
    let started = Instant::now();
    let answer = client.get(path, &[]).await?;
    let elapsed = started.elapsed();
    let shows = String::from_utf8_lossy(&answer.body).contains(shown);
    ensure!(answer.status == 200 && shows, "{path} answered {} without {shown:?}", answer.status);
    Ok(elapsed)
}

/// Replaces the text of a page.
async fn edit(client: &Client, content: &str, page: &str, round: usize) -> Result<Duration> {
    let links = ["https://example.com/guide".to_owned(), "https://example.com/reference".to_owned()];
    let markdown = format!("Edited in round {round}.\n\n{}", pages::page(20_000 + round, 4_000, &links));
    Ok(client.call(Method::POST, content, Some(&update(page, &markdown))).await?.1)
}

/// Creates a change request that edits a page. Returns its path and the time of the edit.
async fn change_request(
    client: &Client,
    space: &Space,
    page: &str,
    round: usize,
) -> Result<(String, Duration)> {
    let path = format!("/v1/spaces/{}/change-requests", space.id);
    let (made, _) = client.call(Method::POST, &path, Some(&json!({"subject": "Bench"}))).await?;
    let path = format!("{path}/{}", text(&made, "/id")?);
    let edited = edit(client, &format!("{path}/content"), page, round).await?;
    Ok((path, edited))
}

async fn merge(client: &Client, request: &str) -> Result<Duration> {
    let (merged, elapsed) = client.call(Method::POST, &format!("{request}/merge"), None).await?;
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
