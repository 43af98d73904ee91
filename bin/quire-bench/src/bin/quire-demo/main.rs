//! Walk-through of Quire: import, propose, edit, comment, merge, search, read and publish, with the result of each
//! step.
//!
//! `quire-demo PATH_OF_QUIRE DOCS` starts a server in its own folder and imports the zip file or folder `DOCS`. With
//! `QUIRE_URL`, `QUIRE_TOKEN` and `QUIRE_ORGANIZATION` it uses a running server instead.

#![allow(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "it prints; and a JSON value that lacks a key answers null"
)]

mod docs;

use std::io::IsTerminal as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use quire_bench::client::{Client, text};
use quire_bench::server::{Log, Server};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let usage = "usage: quire-demo PATH_OF_QUIRE DOCS";
    let (binary, docs) = (arguments.next().context(usage)?, arguments.next().context(usage)?);
    let running = ["QUIRE_URL", "QUIRE_TOKEN", "QUIRE_ORGANIZATION"].map(variable);
    if let [Some(url), Some(token), Some(organization)] = &running {
        println!("== Using the server at {url}");
        return walk(&Client::at(url, token)?, organization, &docs).await;
    }
    println!("== Starting a server of its own: quire serve, quire admin bootstrap");
    let server = Server::start(&binary, Log::Warnings)?;
    println!("   {} with organization {}", server.base, server.organization);
    walk(&Client::new(&server)?, &server.organization, &docs).await?;
    if std::io::stdin().is_terminal() {
        println!("   Press Enter to stop the server.");
        std::io::stdin().read_line(&mut String::new())?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "this is a program, not a library")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

async fn walk(client: &Client, organization: &str, docs: &std::path::Path) -> Result<()> {
    let step = async |title: &str, method: Method, path: &str, body: Option<Value>| {
        println!("\n== {title}\n   {method} {path}");
        let (answer, elapsed) = client.call(method, path, body.as_ref()).await?;
        println!("   {:.1} ms", elapsed.as_secs_f64() * 1_000.0);
        anyhow::Ok(answer)
    };
    let spaces = format!("/v1/orgs/{organization}/spaces");
    let space = step(
        "A space for the documentation",
        Method::POST,
        &spaces,
        Some(json!({"title": "Documentation", "emoji": "📘"})),
    )
    .await?;
    let space = format!("/v1/spaces/{}", text(&space, "/id")?);

    println!("\n== Import of {}\n   POST {space}/content/import", docs.display());
    let started = std::time::Instant::now();
    let imported = client.import(space.trim_start_matches("/v1/spaces/"), docs::archive(docs)?).await?;
    println!(
        "   {} of {} resources in {:.2} s",
        imported["importedResources"],
        imported["totalResources"],
        started.elapsed().as_secs_f64()
    );
    for entry in imported["report"].as_array().into_iter().flatten().take(3) {
        println!(
            "   {}: {} ({})",
            entry["status"].as_str().unwrap_or_default(),
            entry["path"].as_str().unwrap_or_default(),
            entry["message"].as_str().unwrap_or_default()
        );
    }

    let tree =
        step("The pages, in their order", Method::GET, &format!("{space}/content/pages"), None).await?;
    let pages = flattened(&tree["pages"]);
    for (depth, page) in pages.iter().take(12) {
        println!("   {}{}", "  ".repeat(*depth), page["title"].as_str().unwrap_or_default());
    }
    println!("   … {} pages in all", pages.len());
    let page = pages
        .iter()
        .map(|(_, page)| page)
        .find(|page| page["documentId"].is_string())
        .context("no page has text")?;
    let (page_id, path) = (text(page, "/id")?, text(page, "/path")?);

    let requests = format!("{space}/change-requests");
    let request = step(
        "A change request",
        Method::POST,
        &requests,
        Some(json!({"subject": "Say who keeps this page"})),
    )
    .await?;
    let (number, status) = (&request["number"], text(&request, "/status")?);
    let request = format!("{requests}/{number}");
    println!("   number {number}, status {status}");

    let before = step(
        "The page as Markdown",
        Method::GET,
        &format!("{request}/content/page/{page_id}?format=markdown"),
        None,
    )
    .await?;
    let markdown = text(&before, "/markdown")?;
    println!("{}", indented(&markdown, 6));
    let edited = format!("{markdown}\n\nThis page is kept by the lighthouse team.\n");
    let edit =
        json!({"changes": [{"operation": "update_page", "page": page_id, "document": {"markdown": edited}}]});
    step("An edit in the change request", Method::POST, &format!("{request}/content"), Some(edit)).await?;
    let changes = step("What it changes", Method::GET, &format!("{request}/changes"), None).await?;
    for change in changes["changes"].as_array().into_iter().flatten() {
        println!(
            "   {} {}",
            change["type"].as_str().unwrap_or_default(),
            change["page"]["path"].as_str().unwrap_or_default()
        );
    }

    let comment = json!({"page": page_id, "body": {"markdown": "Who is **that**?"}});
    let comment =
        step("A comment on it", Method::POST, &format!("{request}/comments"), Some(comment)).await?;
    let comment = format!("{request}/comments/{}", text(&comment, "/id")?);
    step(
        "A reply",
        Method::POST,
        &format!("{comment}/replies"),
        Some(json!({"body": {"markdown": "Ada and Grace."}})),
    )
    .await?;
    let resolved = step("Resolved", Method::PUT, &comment, Some(json!({"resolved": true}))).await?;
    println!("   status {}, {} reply", resolved["status"].as_str().unwrap_or_default(), resolved["replies"]);

    step("Ready for review", Method::PATCH, &request, Some(json!({"status": "open"}))).await?;
    let merged = step("The merge", Method::POST, &format!("{request}/merge"), None).await?;
    println!(
        "   result {}, revision {}",
        merged["result"].as_str().unwrap_or_default(),
        merged["revision"].as_str().unwrap_or_default()
    );

    let hits = step(
        "A search finds it at once",
        Method::GET,
        &format!("{space}/search?query=lighthouse%20team"),
        None,
    )
    .await?;
    for hit in hits["items"].as_array().into_iter().flatten().take(3) {
        println!(
            "   {} (/{}): {}",
            hit["title"].as_str().unwrap_or_default(),
            hit["path"].as_str().unwrap_or_default(),
            hit["sections"][0]["body"].as_str().unwrap_or_default().trim()
        );
    }
    let read = step(
        "The page as a document",
        Method::GET,
        &format!("{space}/content/path/{path}?format=document"),
        None,
    )
    .await?;
    let nodes = read["document"]["nodes"].as_array().map_or(0, Vec::len);
    println!(
        "   {nodes} blocks; the first is a {}",
        read["document"]["nodes"][0]["type"].as_str().unwrap_or_default()
    );
    let sites = format!("/v1/orgs/{organization}/sites");
    let body = json!({"title": "Documentation", "spaces": [space.trim_start_matches("/v1/spaces/")]});
    let site = step("A site with the space", Method::POST, &sites, Some(body)).await?;
    let publish = format!("{sites}/{}/publish", text(&site, "/id")?);
    let published = step("The site is published", Method::POST, &publish, None).await?;
    println!("\n== Read it in a browser\n   {}", text(&published, "/urls/published")?);
    Ok(())
}

/// Returns the pages in tree order, each with its depth.
fn flattened(pages: &Value) -> Vec<(usize, &Value)> {
    let mut flat = Vec::new();
    let mut open: Vec<(usize, &Value)> =
        pages.as_array().into_iter().flatten().rev().map(|page| (0, page)).collect();
    while let Some((depth, page)) = open.pop() {
        flat.push((depth, page));
        open.extend(page["pages"].as_array().into_iter().flatten().rev().map(|child| (depth + 1, child)));
    }
    flat
}

fn indented(text: &str, lines: usize) -> String {
    text.lines()
        .take(lines)
        .map(|line| format!("   | {}", line.chars().take(100).collect::<String>()))
        .collect::<Vec<_>>()
        .join("\n")
}
