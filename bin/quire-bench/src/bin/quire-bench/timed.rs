//! Operations that are sent one at a time: cold pages, merges, and the same operation in small and large spaces.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use quire_bench::client::{Client, text};
use reqwest::Method;
use serde_json::json;

use crate::cases::{SIZES, update};
use crate::content::{Run, Space, WORDS, WRITES};
use crate::load::{costs, counters};
use crate::pages;
use crate::process::memory_mb;
use crate::report::{CASES, GROWTH, float};

/// Number of merged change requests. They are created before, so that only merges are measured.
const MERGES: usize = 100;

/// Measurements of each operation in each space.
const ROUNDS: usize = 60;

/// Reads pages of a site that no cache has, each once.
pub(crate) async fn cold_pages(run: &mut Run, name: &str) -> Result<()> {
    let space = run.space(WORDS)?;
    // The first ones load the grammars of listings.
    let (first, rest) = space.visited.split_at_checked(20).context("the site has pages")?;
    for page in first {
        run.client.get(page, &[]).await?;
    }
    let pages = rest.to_vec();
    one_at_a_time(run, name, &pages, async |client, page| visit(client, page, "").await).await
}

/// Merges change requests of one changed page each.
pub(crate) async fn merges(run: &mut Run, name: &str) -> Result<()> {
    let space = run.space(WRITES)?;
    let mut requests = Vec::new();
    for (number, page) in space.pages.iter().take(MERGES).enumerate() {
        requests.push(propose(&run.client, space, page, number).await?.0);
    }
    one_at_a_time(run, name, &requests, async |client, request| merge(client, request).await).await
}

/// Sends requests one at a time and adds their figures.
async fn one_at_a_time(
    run: &mut Run,
    name: &str,
    requests: &[String],
    send: impl AsyncFn(&Client, &str) -> Result<Duration>,
) -> Result<()> {
    let (before, mut times) = (counters(run).await?, Vec::new());
    for request in requests {
        times.push(send(&run.client, request).await?);
    }
    let count = float(times.len());
    let mut figures = vec![count / times.iter().sum::<Duration>().as_secs_f64(), f64::NAN];
    figures.extend([percentile(&mut times, 50), percentile(&mut times, 99)]);
    figures.extend(costs(run, before, count).await?);
    figures.extend([f64::NAN, memory_mb(run.server.pid())?[0]]);
    run.results.add(CASES, name, &figures);
    Ok(())
}

/// Each operation in spaces of 100, 1,000 and 10,000 pages, which take turns.
pub(crate) async fn growth(run: &mut Run) -> Result<()> {
    let mut rounds = [const { Vec::new() }; SIZES.len()];
    for round in 1..=ROUNDS {
        for (data, rounds) in SIZES.iter().zip(&mut rounds) {
            rounds.push(operations(&run.client, run.space(*data)?, round).await?);
        }
    }
    let names: Vec<&str> = rounds.iter().flatten().take(1).flatten().map(|(name, _)| *name).collect();
    for (number, name) in names.iter().enumerate() {
        let [hundred, thousand, large] = rounds.each_ref().map(|rounds| {
            let times = rounds.iter().filter_map(|times| Some(times.get(number)?.1));
            percentile(&mut times.collect::<Vec<_>>(), 50)
        });
        run.results.add(GROWTH, name, &[hundred, thousand, large, large / hundred]);
    }
    Ok(())
}

/// Executes each operation once in a space and on its site. Returns the names with the times.
async fn operations(client: &Client, space: &Space, round: usize) -> Result<Vec<(&'static str, Duration)>> {
    let at = round * (space.pages.len() - 1) / ROUNDS;
    let page = space.pages.get(at).context("a space has pages")?;
    let content = format!("{}/content", space.path());
    let tree = format!("{content}/pages");
    let mut times = vec![
        ("edit one page", edit(client, &content, page, round).await?),
        ("tree after an edit", read(client, &tree).await?),
        ("tree again", read(client, &tree).await?),
        ("one level of the tree", read(client, &format!("{tree}?depth=1")).await?),
    ];
    let (request, edited) = propose(client, space, page, round + 1_000).await?;
    // The first page of the tree is the root of the site.
    let (path, shown) = (space.visit(at - 1), format!("Edited in round {}.", round + 1_000));
    let list = |name| format!("{}/{name}", space.site);
    times.extend([
        ("edit one page in a change request", edited),
        ("merge one changed page", merge(client, &request).await?),
        ("read one page as Markdown", read(client, &(space.page(at) + "?format=markdown")).await?),
        ("page of a site after a merge", visit(client, &path, &shown).await?),
        ("page of a site again", visit(client, &path, &shown).await?),
        ("sitemap.xml after a merge", visit(client, &list("sitemap.xml"), "").await?),
        ("sitemap.xml again", visit(client, &list("sitemap.xml"), "").await?),
        ("llms.txt after a merge", visit(client, &list("llms.txt"), "").await?),
        ("llms.txt again", visit(client, &list("llms.txt"), "").await?),
    ]);
    Ok(times)
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
async fn propose(client: &Client, space: &Space, page: &str, round: usize) -> Result<(String, Duration)> {
    let path = format!("{}/change-requests", space.path());
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
fn percentile(times: &mut [Duration], percent: usize) -> f64 {
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
