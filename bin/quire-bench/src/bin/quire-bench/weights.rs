//! Weights of a page of a site, as bytes on the wire.

use anyhow::{Context, Result, ensure};
use quire_bench::client::Client;
use reqwest::Method;
use serde::Serialize;
use serde_json::json;

use crate::fixture::{empty_space, publish};
use crate::run::Run;

/// A long page with most blocks, from the documentation that the tests of the reader walk through.
const PAGE: &str = include_str!("../../../../../tests/ferry/guides/jobs.md");

/// A part of a page.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Weight {
    pub(crate) part: &'static str,
    pub(crate) requests: usize,
    /// Bytes without compression.
    pub(crate) plain: usize,
    pub(crate) gzip: usize,
    pub(crate) brotli: usize,
}

/// Publishes the page and weighs what a browser loads to show it.
pub(crate) async fn measure(run: &Run) -> Result<Vec<Weight>> {
    let space = empty_space(&run.client, &run.fixture.organization, "Weights").await?;
    let home = json!({"operation": "insert_page", "title": "Home", "document": {"markdown": "Home."}});
    let page = json!({"operation": "insert_page", "slug": "jobs", "document": {"markdown": PAGE}});
    let content = format!("/v1/spaces/{space}/content");
    run.client.call(Method::POST, &content, Some(&json!({"changes": [home, page]}))).await?;
    let site = publish(&run.client, &run.fixture.organization, &space).await?;
    let path = site.page(0)?;
    let html = run.client.get(&path, &[]).await?;
    ensure!(html.status == 200, "{path} answered {}: {}", html.status, html.excerpt());
    let html = String::from_utf8_lossy(&html.body).into_owned();
    let styles = linked(&html, "<link rel=\"stylesheet\" href=\"");
    let mut scripts = linked(&html, "<script type=\"module\" src=\"");
    scripts.extend(linked(&html, "<script src=\""));
    ensure!(!styles.is_empty() && !scripts.is_empty(), "the page has no style sheet or no script");
    Ok(vec![
        weigh(&run.client, "HTML", &[path]).await?,
        weigh(&run.client, "style sheets", &styles).await?,
        weigh(&run.client, "scripts", &scripts).await?,
    ])
}

/// Returns the addresses that follow a text, up to the next quotation mark.
fn linked(html: &str, before: &str) -> Vec<String> {
    html.split(before).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

async fn weigh(client: &Client, part: &'static str, paths: &[String]) -> Result<Weight> {
    let mut weight = Weight { part, requests: paths.len(), plain: 0, gzip: 0, brotli: 0 };
    for path in paths {
        for (coding, bytes) in
            [("identity", &mut weight.plain), ("gzip", &mut weight.gzip), ("br", &mut weight.brotli)]
        {
            let headers = [("Accept-Encoding".to_owned(), coding.to_owned())];
            let answer = client.get(path, &headers).await?;
            let sent = answer.header("content-encoding").context("the answer has a coding")?;
            ensure!(answer.status == 200 && sent == coding, "{path} answered {} in {sent}", answer.status);
            *bytes += answer.body.len();
        }
    }
    Ok(weight)
}

#[cfg(test)]
mod tests {
    use super::linked;

    #[test]
    fn linked_files_are_found() {
        let html = r#"<link rel="stylesheet" href="/a.css"><link rel="icon" href="/b.svg"><link rel="stylesheet" href="/c.css">"#;
        assert_eq!(linked(html, "<link rel=\"stylesheet\" href=\""), ["/a.css", "/c.css"]);
    }
}
