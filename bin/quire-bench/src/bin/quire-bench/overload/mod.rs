//! Behaviour beyond the capacity, and page reads while other work runs.

mod clients;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Result, ensure};
use quire_bench::client::Client;
use reqwest::Method;
use serde::Serialize;

use crate::archives::{self, Layout};
use crate::fixture::{Data, empty_space};
use crate::growth::percentile;
use crate::load::{Load, Requests, Wrk};
use crate::run::Run;
use crate::search_index;
use clients::{Outcome, drive, slow};

/// Page reads on many connections.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Crowd {
    pub(crate) connections: usize,
    /// Responses 200 per second.
    pub(crate) requests_per_second: f64,
    /// The same at 16 connections with the same client.
    pub(crate) requests_per_second_at_16: f64,
    /// Share of 503 in all responses, between 0 and 1.
    pub(crate) busy_share: f64,
    /// Share of 503 that have the header `Retry-After`; absent without any 503.
    pub(crate) retry_after_share: Option<f64>,
    /// Median latency of responses 200.
    pub(crate) p50_ms: f64,
    /// 99th percentile of the same latencies.
    pub(crate) p99_ms: f64,
}

/// Page reads at 16 connections with and without other work.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Disturbed {
    pub(crate) by: &'static str,
    /// Imports or exports that ended during the reads.
    pub(crate) completed: Option<u64>,
    pub(crate) requests_per_second_alone: f64,
    pub(crate) requests_per_second: f64,
    pub(crate) p99_ms_alone: f64,
    pub(crate) p99_ms: f64,
}

/// Slow clients at once.
const SLOW_CLIENTS: usize = 200;

/// Measurements of page reads with and without other work, in alternation: the speed of a shared machine changes from
/// one to the next.
const TURNS: usize = 5;

/// Connections of the crowd.
const CROWD: usize = 512;

/// Reads one page on 512 connections.
pub(crate) async fn crowd(run: &Run, seconds: u64) -> Result<Crowd> {
    let page = run.fixture.space(Data::Small)?.page(7)?;
    let request = format!(
        "GET {page} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\n\r\n",
        run.client.authorization()
    );
    let address = address(run);
    let duration = Duration::from_secs(seconds);
    let few = drive(&address, request.clone(), 16, duration).await?;
    let mut many = drive(&address, request, CROWD, duration).await?;
    run.server.truncate_log()?;
    let all = many.answered.len() + many.busy;
    Ok(Crowd {
        connections: CROWD,
        requests_per_second: rate(&many),
        requests_per_second_at_16: rate(&few),
        busy_share: float(many.busy) / float(all),
        retry_after_share: (many.busy > 0).then(|| float(many.busy_with_retry_after) / float(many.busy)),
        p50_ms: percentile(&mut many.answered, 50),
        p99_ms: percentile(&mut many.answered, 99),
    })
}

/// Reads one page while imports, exports or slow clients run, and alone, in turns. Returns the medians.
pub(crate) async fn disturbed(run: &Run, wrk: &Wrk, seconds: u64) -> Result<Vec<Disturbed>> {
    let space = empty_space(&run.client, &run.fixture.organization, "Imports").await?;
    let numbers: Vec<usize> = (0..500).collect();
    let archive = archives::zip(archives::files(&numbers, 4_000, Layout::Folders))?;
    let exported = format!("/v1/spaces/{}/content/export", run.fixture.space(Data::Thousand)?.id);
    let mut rows = Vec::new();
    for by in ["imports of 500 pages", "exports of 1,000 pages", "200 slow clients"] {
        let completed = Arc::new(AtomicU64::new(0));
        let (mut alone, mut with) = (Reads::default(), Reads::default());
        for _ in 0..TURNS {
            alone.add(read_page(run, wrk, seconds).await?);
            let counter = completed.clone();
            let tasks = match by {
                "imports of 500 pages" => {
                    vec![tokio::spawn(import(run.client.clone(), space.clone(), archive.clone(), counter))]
                }
                "exports of 1,000 pages" => {
                    vec![tokio::spawn(export(run.client.clone(), exported.clone(), counter))]
                }
                _ => slow_clients(run, &space),
            };
            tokio::time::sleep(Duration::from_millis(200)).await;
            let read = read_page(run, wrk, seconds).await;
            for task in tasks {
                // A task that ended by itself failed, and so disturbed nothing.
                ensure!(!task.is_finished(), "{by}: {:?}", task.await);
                task.abort();
            }
            with.add(read?);
            run.server.truncate_log()?;
        }
        let completed = by.contains("pages").then(|| completed.load(Ordering::Relaxed));
        if by.contains("imports") {
            search_index::catch_up(&run.client, &space).await?;
        }
        rows.push(Disturbed {
            by,
            completed,
            requests_per_second_alone: median(&mut alone.per_second),
            requests_per_second: median(&mut with.per_second),
            p99_ms_alone: median(&mut alone.p99_ms),
            p99_ms: median(&mut with.p99_ms),
        });
    }
    Ok(rows)
}

/// Measurements of page reads.
#[derive(Default)]
struct Reads {
    per_second: Vec<f64>,
    p99_ms: Vec<f64>,
}

impl Reads {
    fn add(&mut self, (per_second, p99_ms): (f64, f64)) {
        self.per_second.push(per_second);
        self.p99_ms.push(p99_ms);
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len().div_euclid(2)).copied().unwrap_or(f64::NAN)
}

/// Requests per second and the 99th percentile.
async fn read_page(run: &Run, wrk: &Wrk, seconds: u64) -> Result<(f64, f64)> {
    let requests = Requests::Gets(vec![run.fixture.space(Data::Small)?.page(7)?]);
    let headers = [("Authorization".to_owned(), run.client.authorization())];
    let base = run.client.base();
    let result =
        wrk.run(&Load { base, headers: &headers, requests: &requests, connections: 16, seconds }).await?;
    ensure!(result.over_399 == 0.0, "{} page reads failed", result.over_399);
    Ok((result.requests / result.seconds, result.p99_ms))
}

/// Imports one archive after the other. Returns only on failure.
async fn import(client: Client, space: String, archive: Vec<u8>, completed: Arc<AtomicU64>) -> anyhow::Error {
    loop {
        if let Err(error) = client.import(&space, archive.clone()).await {
            return error;
        }
        completed.fetch_add(1, Ordering::Relaxed);
    }
}

/// Exports one space again and again. Returns only on failure.
async fn export(client: Client, path: String, completed: Arc<AtomicU64>) -> anyhow::Error {
    loop {
        if let Err(error) = client.call(Method::GET, &path, None).await {
            return error;
        }
        completed.fetch_add(1, Ordering::Relaxed);
    }
}

fn slow_clients(run: &Run, space: &str) -> Vec<tokio::task::JoinHandle<anyhow::Error>> {
    let (address, authorization) = (address(run), run.client.authorization());
    let path = format!("/v1/spaces/{space}/content");
    let one = |_| {
        let sending = slow(address.clone(), path.clone(), authorization.clone());
        tokio::spawn(async move {
            sending.await;
            anyhow::anyhow!("a slow client ended")
        })
    };
    (0..SLOW_CLIENTS).map(one).collect()
}

fn address(run: &Run) -> String {
    run.client.base().trim_start_matches("http://").to_owned()
}

fn rate(outcome: &Outcome) -> f64 {
    float(outcome.answered.len()) / outcome.elapsed.as_secs_f64()
}

fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
