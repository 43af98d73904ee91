//! Checks of the database and the API against the ledger, after each fault.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use diesel::sql_types::{BigInt, Text};
use diesel::{PgConnection, QueryableByName, RunQueryDsl as _};
use quire_bench::client::builder;
use quire_bench::recount::RECOUNT;
use serde_json::Value;

use crate::ledger::{Kind, Ledger};

#[derive(QueryableByName)]
struct Marker {
    #[diesel(sql_type = Text)]
    marker: String,
}

#[derive(QueryableByName)]
struct Wrong {
    #[diesel(sql_type = BigInt)]
    wrong: i64,
}

/// Reads that checks make. They go to a node directly, not through its proxy.
#[derive(Clone)]
pub struct Reader {
    http: reqwest::Client,
    pub base: String,
    token: String,
}

impl Reader {
    /// Makes a reader of the node at this address.
    pub fn new(base: String, token: &str) -> Result<Self> {
        let http = builder().timeout(Duration::from_secs(20)).build()?;
        Ok(Self { http, base, token: token.to_owned() })
    }

    /// Returns the status and body of a GET.
    pub async fn get(&self, url: &str) -> Result<(u16, Vec<u8>)> {
        let url = if url.starts_with("http") { url.to_owned() } else { format!("{}{url}", self.base) };
        let response = self.http.get(url).bearer_auth(&self.token).send().await?;
        Ok((response.status().as_u16(), response.bytes().await?.to_vec()))
    }

    async fn json(&self, path: &str) -> Result<Value> {
        let (status, body) = self.get(path).await?;
        ensure!(status == 200, "GET {path} answered {status}: {}", String::from_utf8_lossy(&body));
        Ok(serde_json::from_slice(&body)?)
    }

    /// Returns whether the node is ready and answers reads.
    pub async fn is_ready(&self) -> bool {
        self.get("/readyz").await.is_ok_and(|(status, _)| status == 200)
            && self.get("/v1/user").await.is_ok_and(|(status, _)| status == 200)
    }
}

/// Compares the ledger with the database: markers of each kind, counters, positions, numbers and trees.
pub fn check_database(connection: &mut PgConnection, ledger: &mut Ledger) -> Result<()> {
    for (what, statement) in RECOUNT {
        let Wrong { wrong } = diesel::sql_query(statement).get_result(connection)?;
        if wrong != 0 {
            ledger.tally.wrong.push(format!("{what}: {wrong}"));
        }
    }
    for (kind, statement) in Kind::COUNTED {
        let rows: Vec<Marker> = diesel::sql_query(statement).load(connection)?;
        let markers: Vec<String> = rows.into_iter().map(|row| row.marker.trim().to_owned()).collect();
        ledger.compare(kind, &markers);
    }
    Ok(())
}

/// Compares the ledger with the content of the spaces, as the API shows it, after the pending imports have ended.
pub async fn check_content(reader: &Reader, spaces: &[String], ledger: &mut Ledger) -> Result<Duration> {
    let waited = end_imports(reader, ledger).await?;
    let (mut pages, mut files) = (Vec::new(), Vec::new());
    for space in spaces {
        let path = format!("/v1/spaces/{space}");
        let shown = reader.json(&path).await?;
        if let Some(title) = ledger.titles.get(space)
            && shown.get("title").and_then(Value::as_str) != Some(title)
        {
            ledger.tally.losses.push(format!("space {space} is not called {title}"));
        }
        let content = reader.json(&format!("{path}/content?computed=false")).await?;
        let mut titles = Vec::new();
        titles_of(content.get("pages"), &mut titles);
        pages.extend(titles);
        let listed = content.get("files").and_then(Value::as_array).cloned().unwrap_or_default();
        for file in listed {
            let text = |key: &str| file.get(key).and_then(Value::as_str).map(str::to_owned);
            let (name, url) = text("name").zip(text("downloadURL")).context("a file without a name")?;
            if let Some(expected) = ledger.files.remove(&name) {
                // The base URL of the response may be another node's.
                let (status, bytes) = reader.get(&url).await?;
                if status != 200 || bytes != expected.as_bytes() {
                    ledger.tally.losses.push(format!("the bytes of {name}: {status}"));
                }
            }
            files.push(name);
        }
    }
    ledger.compare(Kind::Page, &pages);
    ledger.compare(Kind::File, &files);
    Ok(waited)
}

/// Compares addresses of acknowledged resources and search results with the ledger. Runs only at the end, because it
/// takes long.
pub async fn check_addresses(reader: &Reader, spaces: &[String], ledger: &mut Ledger) -> Result<()> {
    let addresses = ledger.addresses.clone();
    for address in addresses {
        let (status, _) = reader.get(&path_of(&address)).await?;
        if status != 200 {
            ledger.tally.losses.push(format!("{address} answers {status}"));
        }
    }
    let mut hits: BTreeMap<String, u64> = BTreeMap::new();
    let pages: Vec<String> = ledger.present.get(&Kind::Page).into_iter().flatten().cloned().collect();
    let step = pages.len().div_euclid(40).max(1);
    for marker in pages.iter().step_by(step) {
        for space in spaces {
            // In quotes, so that only pages with the whole marker match.
            let found =
                reader.json(&format!("/v1/spaces/{space}/search?query=%22{marker}%22&limit=100")).await?;
            let items = found.get("items").and_then(Value::as_array).cloned().unwrap_or_default();
            let exact = items.iter().filter(|item| item.get("title").and_then(Value::as_str) == Some(marker));
            let count = u64::try_from(exact.count()).unwrap_or(0);
            let total = hits.entry(marker.clone()).or_default();
            *total = total.saturating_add(count);
        }
    }
    for (marker, count) in hits {
        if count != 1 {
            ledger.tally.wrong.push(format!("a search for the page {marker} has {count} hits"));
        }
    }
    Ok(())
}

/// Waits until the accepted imports have ended. Each must succeed.
async fn end_imports(reader: &Reader, ledger: &mut Ledger) -> Result<Duration> {
    let started = Instant::now();
    for (address, marker) in std::mem::take(&mut ledger.imports) {
        loop {
            let import = reader.json(&path_of(&address)).await?;
            match import.get("status").and_then(Value::as_str) {
                Some("succeeded") => {
                    ledger.acknowledge(Kind::Page, &marker, None);
                    break;
                }
                Some("pending" | "running") => {}
                other => {
                    ledger.tally.losses.push(format!("the import of {marker} ended as {other:?}: {import}"));
                    break;
                }
            }
            if started.elapsed() > Duration::from_secs(60) {
                ledger.tally.losses.push(format!("the import of {marker} doesn't end: {import}"));
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    Ok(started.elapsed())
}

/// Returns the path of an address, whose host may be another node.
fn path_of(address: &str) -> String {
    let path = address.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    path.map_or_else(|| address.to_owned(), |(_, path)| format!("/{path}"))
}

fn titles_of(pages: Option<&Value>, titles: &mut Vec<String>) {
    for page in pages.and_then(Value::as_array).into_iter().flatten() {
        titles.extend(page.get("title").and_then(Value::as_str).map(str::to_owned));
        titles_of(page.get("pages"), titles);
    }
}
