//! Behaviour beyond the capacity, and page reads while other work runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Result, ensure};
use quire_bench::client::Client;
use reqwest::Method;
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use crate::archives::{self, Layout};
use crate::cases::Requests;
use crate::fixture::{Data, empty_space};
use crate::load::{Answers, metric};
use crate::measure::Bench;
use crate::report::Row;
use crate::run::Run;

/// Connections of the crowd.
const CROWD: usize = 512;

/// Slow clients at once.
const SLOW_CLIENTS: usize = 200;

/// Measurements of page reads with and without other work, in alternation: the speed of a shared machine changes from
/// one to the next.
const TURNS: usize = 5;

/// Work that may disturb reads.
const WORK: [&str; 3] = ["imports of 500 pages", "exports of 1,000 pages", "200 slow clients"];

/// Reads one page on 512 connections.
pub(crate) async fn crowd(run: &Run, bench: &Bench) -> Result<Vec<Row>> {
    let few = read_page(run, bench, 16).await?;
    let many = read_page(run, bench, CROWD).await?;
    run.server.truncate_log()?;
    let (rate, busy) = (rate(&few), many.statuses.get(&503).copied().unwrap_or_default());
    Ok(vec![Row(vec![
        ("connections", json!(CROWD)),
        ("requests_per_second", json!(self::rate(&many))),
        ("requests_per_second_at_16", json!(rate)),
        ("busy_share", json!(busy / many.statuses.values().sum::<f64>())),
        ("p50_ms", json!(many.p50_ms)),
        ("p99_ms", json!(many.p99_ms)),
    ])])
}

/// Reads one page while imports, exports or slow clients run, and alone, in turns. Returns the medians.
pub(crate) async fn disturbance(run: &Run, bench: &Bench) -> Result<Vec<Row>> {
    let space = empty_space(&run.client, &run.fixture.organization, "Imports").await?;
    let mut rows = Vec::new();
    for by in WORK {
        let completed = Arc::new(AtomicU64::new(0));
        let (mut alone, mut with) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for _ in 0..TURNS {
            add(&mut alone, &read_page(run, bench, 16).await?);
            let tasks = start(by, run, &space, &completed)?;
            tokio::time::sleep(Duration::from_millis(200)).await;
            let read = read_page(run, bench, 16).await;
            for task in tasks {
                // A task that ended by itself failed, and so disturbed nothing.
                ensure!(!task.is_finished(), "{by}: {:?}", task.await);
                task.abort();
            }
            add(&mut with, &read?);
            run.server.truncate_log()?;
        }
        let is_counted = by.contains("pages");
        if by.contains("imports") {
            catch_up(&run.client, &space).await?;
        }
        let ([alone, alone_p99], [during, p99]) = (alone.map(median), with.map(median));
        rows.push(Row(vec![
            ("by", json!(by)),
            ("completed", json!(is_counted.then(|| completed.load(Ordering::Relaxed)))),
            ("requests_per_second_alone", json!(alone)),
            ("requests_per_second", json!(during)),
            ("share", json!(during / alone)),
            ("p99_ms_alone", json!(alone_p99)),
            ("p99_ms", json!(p99)),
        ]));
    }
    Ok(rows)
}

async fn read_page(run: &Run, bench: &Bench, connections: usize) -> Result<Answers> {
    let requests = Requests::Gets(vec![run.fixture.space(Data::Small)?.page(7)?]);
    let answers =
        bench.load(run, &[run.client.authorization()], &requests, connections, bench.seconds).await?;
    let unexpected = answers.statuses.keys().find(|status| !matches!(status, 200 | 503));
    ensure!(unexpected.is_none(), "status {unexpected:?} under load");
    Ok(answers)
}

fn rate(answers: &Answers) -> f64 {
    answers.statuses.get(&200).copied().unwrap_or_default() / answers.seconds
}

fn add(to: &mut [Vec<f64>; 2], answers: &Answers) {
    let [rates, p99] = to;
    rates.push(rate(answers));
    p99.push(answers.p99_ms);
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Starts tasks that do some work again and again, and end only by a failure.
fn start(
    by: &str,
    run: &Run,
    space: &str,
    completed: &Arc<AtomicU64>,
) -> Result<Vec<JoinHandle<anyhow::Error>>> {
    let (client, space, completed) = (run.client.clone(), space.to_owned(), completed.clone());
    if by.contains("slow") {
        return Ok((0..SLOW_CLIENTS).map(|_| tokio::spawn(slow(client.clone(), space.clone()))).collect());
    }
    let is_import = by.contains("imports");
    let archive = archives::pages(&(0..500).collect::<Vec<_>>(), 4_000, Layout::Folders)?;
    let exported = format!("/v1/spaces/{}/content/export", run.fixture.space(Data::Thousand)?.id);
    let work = async move {
        loop {
            let done = match is_import {
                true => client.import(&space, archive.clone()).await.map(drop),
                false => client.call(Method::GET, &exported, None).await.map(drop),
            };
            if let Err(error) = done {
                return error;
            }
            completed.fetch_add(1, Ordering::Relaxed);
        }
    };
    Ok(vec![tokio::spawn(work)])
}

/// Sends the start of a POST and then one byte of its body every 100 ms, again and again.
async fn slow(client: Client, space: String) -> anyhow::Error {
    let (name, value) = client.authorization();
    let head = format!(
        "POST /v1/spaces/{space}/content HTTP/1.1\r\nHost: localhost\r\n{name}: {value}\r\n\
         Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n"
    );
    loop {
        let connected = TcpStream::connect(client.base().trim_start_matches("http://")).await;
        if let Ok(mut stream) = connected
            && stream.write_all(head.as_bytes()).await.is_ok()
        {
            while stream.write_all(b" ").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Has the server index the changed pages of a space, which would otherwise disturb later measurements: it does so once
/// a space is searched, or after a minute.
async fn catch_up(client: &Client, space: &str) -> Result<()> {
    const COMMITS: &str = "quire_search_commits";
    let commits = metric(client, COMMITS).await?;
    // The search may be refused until the pages are indexed.
    let _ = client.get(&format!("/v1/spaces/{space}/search?query=page"), &[]).await?;
    for _ in 0..1_200 {
        if metric(client, COMMITS).await? > commits {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    anyhow::bail!("the search index lacks pages after two minutes")
}
