//! The same operation in spaces of different sizes.

use std::io::{Cursor, Write as _};
use std::time::Duration;

use anyhow::{Context, Result};
use reqwest::Method;
use serde_json::json;
use zip::write::SimpleFileOptions;

use quire_bench::client::{Client, text};

/// How often each operation is measured in each space.
const ROUNDS: usize = 60;

/// Pages in one archive: below the bound on its entries.
const PAGES_AN_ARCHIVE: usize = 4_000;

/// A filled space.
pub(crate) struct Space {
    /// Its id.
    pub(crate) id: String,
    /// How many pages it has.
    pub(crate) pages: usize,
    /// The ids of some of them.
    pub(crate) sample: Vec<String>,
}

/// An operation's median milliseconds by size.
pub(crate) struct Row {
    pub(crate) operation: &'static str,
    pub(crate) medians: [f64; 3],
}

/// A space with this many pages, all of them siblings: the widest tree is the hardest.
pub(crate) async fn fill(client: &Client, organization: &str, pages: usize) -> Result<Space> {
    let path = format!("/v1/orgs/{organization}/spaces");
    let (space, _) =
        client.call(Method::POST, &path, Some(&json!({"title": format!("{pages} pages")}))).await?;
    let id = text(&space, "/id")?;
    let numbers: Vec<usize> = (0..pages).collect();
    for numbers in numbers.chunks(PAGES_AN_ARCHIVE) {
        client.import(&id, archive(numbers)?).await?;
    }
    let (list, _) = client.call(Method::GET, &format!("/v1/spaces/{id}/content/pages"), None).await?;
    let list = list.pointer("/pages").and_then(|pages| pages.as_array()).context("a space has pages")?;
    let step = (list.len() / ROUNDS).max(1);
    let sample = list.iter().step_by(step).map(|page| text(page, "/id")).collect::<Result<_>>()?;
    Ok(Space { id, pages, sample })
}

fn archive(numbers: &[usize]) -> Result<Vec<u8>> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for number in numbers {
        archive.start_file(format!("page-{number}.md"), SimpleFileOptions::default())?;
        write!(archive, "# Page {number}\n\n{}", paragraph(*number))?;
    }
    Ok(archive.finish()?.into_inner())
}

/// About as much text as a page of real documentation has.
fn paragraph(seed: usize) -> String {
    const WORDS: [&str; 12] = [
        "install",
        "the",
        "service",
        "with",
        "one",
        "command",
        "and",
        "read",
        "its",
        "configuration",
        "from",
        "environment",
    ];
    let words = (0..300_usize)
        .filter_map(|at| WORDS.get(seed.wrapping_mul(31).wrapping_add(at * at) % WORDS.len()).copied());
    words.collect::<Vec<_>>().join(" ")
}

/// Each operation in each space, in turns.
pub(crate) async fn measure(client: &Client, spaces: &[Space]) -> Result<Vec<Row>> {
    let mut edits = [const { Vec::new() }; 3];
    let mut merges = [const { Vec::new() }; 3];
    let mut reads = [const { Vec::new() }; 3];
    for round in 0..ROUNDS {
        for ((space, edits), (merges, reads)) in
            spaces.iter().zip(&mut edits).zip(merges.iter_mut().zip(&mut reads))
        {
            let page = space.sample.get(round % space.sample.len()).context("a space has pages")?;
            edits.push(edit(client, &format!("/v1/spaces/{}/content", space.id), page, round).await?);
            merges.push(merge(client, space, page, round).await?);
            let path = format!("/v1/spaces/{}/content/page/{page}?format=markdown", space.id);
            reads.push(client.call(Method::GET, &path, None).await?.1);
        }
    }
    Ok(vec![
        Row { operation: "edit one page", medians: edits.map(median) },
        Row { operation: "merge one changed page", medians: merges.map(median) },
        Row { operation: "read one page as Markdown", medians: reads.map(median) },
    ])
}

pub(crate) async fn edit(client: &Client, content: &str, page: &str, round: usize) -> Result<Duration> {
    let markdown = format!("Edited in round {round}.\n\n{}", paragraph(round));
    let changes =
        json!({"changes": [{"operation": "update_page", "page": page, "document": {"markdown": markdown}}]});
    Ok(client.call(Method::POST, content, Some(&changes)).await?.1)
}

/// Only the merge is timed, not the change request's making.
async fn merge(client: &Client, space: &Space, page: &str, round: usize) -> Result<Duration> {
    let path = format!("/v1/spaces/{}/change-requests", space.id);
    let (made, _) = client.call(Method::POST, &path, Some(&json!({"subject": "Bench"}))).await?;
    let path = format!("{path}/{}", text(&made, "/id")?);
    edit(client, &format!("{path}/content"), page, round + 1_000).await?;
    let (merged, elapsed) = client.call(Method::POST, &format!("{path}/merge"), None).await?;
    anyhow::ensure!(text(&merged, "/result")? == "merge", "{merged}");
    Ok(elapsed)
}

/// In milliseconds.
pub(crate) fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(f64::NAN, |time| time.as_secs_f64() * 1_000.0)
}
