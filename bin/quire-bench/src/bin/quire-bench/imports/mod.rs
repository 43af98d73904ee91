//! Memory and time of imports.

mod inputs;

use std::time::{Duration, Instant};

use anyhow::Result;
use quire_bench::client::{Answer, Client};
use quire_bench::server::{Log, Server};
use reqwest::Method;
use serde::Serialize;
use serde_json::Value;

use crate::fixture::empty_space;
use crate::load::labelled_metric;
use crate::pages;
use crate::process::{self, Memory};
use inputs::{INPUTS, Input};

/// Time between the end of an import and the measurement of what stays.
const REST: Duration = Duration::from_secs(30);

/// Servers that run at once: one imports, the others rest.
const SERVERS: usize = 3;

/// Resident memory of a server around one import.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Import {
    pub(crate) name: &'static str,
    /// Size of the texts and images; an archive is smaller.
    pub(crate) input_mb: f64,
    pub(crate) upload_mb: f64,
    pub(crate) seconds: f64,
    pub(crate) idle_mb: f64,
    /// Peak above `idle_mb`.
    pub(crate) peak_above_idle_mb: f64,
    /// Memory 30 s after the end, above `idle_mb`.
    pub(crate) rest_above_idle_mb: f64,
    /// Part of `rest_above_idle_mb` that is anonymous. The rest are pages of files, mostly of the executable.
    pub(crate) anonymous_above_idle_mb: f64,
    /// Memory that the caches hold then; `None` if the server doesn't export it.
    pub(crate) caches_mb: Option<f64>,
    pub(crate) answer: String,
}

impl Import {
    /// Memory 30 s after the end, divided by idle memory and what the caches hold.
    pub(crate) fn rest_share(&self) -> Option<f64> {
        Some((self.idle_mb + self.rest_above_idle_mb) / (self.idle_mb + self.caches_mb?))
    }
}

/// A server that has imported and waits for its last measurement.
struct Resting {
    server: Server,
    client: Client,
    since: Instant,
    idle: Memory,
    import: Import,
}

impl Resting {
    async fn finish(mut self) -> Result<Import> {
        tokio::time::sleep(REST.saturating_sub(self.since.elapsed())).await;
        let now = process::memory(self.server.pid())?;
        self.import.rest_above_idle_mb = now.resident_mb - self.idle.resident_mb;
        self.import.anonymous_above_idle_mb = now.anonymous_mb - self.idle.anonymous_mb;
        let metrics = self.client.get("/metrics", &[]).await?;
        let caches = labelled_metric(&String::from_utf8_lossy(&metrics.body), "quire_cache_bytes");
        self.import.caches_mb = caches.map(|bytes| bytes / 1e6);
        Ok(self.import)
    }
}

/// Runs each import on a server of its own, so that none profits from the memory of the one before.
pub(crate) async fn measure(binary: &std::path::Path) -> Result<Vec<Import>> {
    let mut imports = Vec::new();
    let mut resting = std::collections::VecDeque::new();
    for input in INPUTS {
        if resting.len() == SERVERS - 1
            && let Some(oldest) = resting.pop_front()
        {
            imports.push(Resting::finish(oldest).await?);
        }
        resting.push_back(run(binary, input).await?);
    }
    for oldest in resting {
        imports.push(oldest.finish().await?);
    }
    Ok(imports)
}

async fn run(binary: &std::path::Path, input: &Input) -> Result<Resting> {
    let content = (input.content)();
    let input_mb = megabytes(content.size());
    let upload = content.upload()?;
    let server = Server::start(binary, Log::Default)?;
    let client = Client::new(&server)?;
    let space = empty_space(&client, &server.organization, input.name).await?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let idle = process::memory(server.pid())?;
    process::reset_peak(server.pid())?;
    let upload_mb = megabytes(upload.bytes.len());
    let started = Instant::now();
    let answer = client.upload(&space, upload.source, upload.file, upload.bytes).await?;
    let seconds = started.elapsed().as_secs_f64();
    let mut outcome = describe(&answer);
    if input.is_searched {
        let path = format!("/v1/spaces/{space}/search?query={}", pages::common_query(0));
        let (found, time) = client.call(Method::GET, &path, None).await?;
        let count = found.pointer("/count").and_then(Value::as_u64).unwrap_or_default();
        outcome = format!("{outcome}, {count} found in {:.2} s", time.as_secs_f64());
    }
    let import = Import {
        name: input.name,
        input_mb,
        upload_mb,
        seconds,
        idle_mb: idle.resident_mb,
        peak_above_idle_mb: process::peak_mb(server.pid())? - idle.resident_mb,
        rest_above_idle_mb: 0.0,
        anonymous_above_idle_mb: 0.0,
        caches_mb: None,
        answer: outcome,
    };
    Ok(Resting { server, client, since: Instant::now(), idle, import })
}

/// Status, and the number of pages and files or the error.
fn describe(answer: &Answer) -> String {
    let body = answer.json();
    match (body.pointer("/importedResources"), body.pointer("/error/message").and_then(Value::as_str)) {
        (Some(imported), _) => format!("{}, {imported} imported", answer.status),
        (None, Some(message)) => format!("{}: {message}", answer.status),
        (None, None) => format!("{}: {}", answer.status, answer.excerpt()),
    }
}

fn megabytes(bytes: usize) -> f64 {
    f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / 1e6
}
