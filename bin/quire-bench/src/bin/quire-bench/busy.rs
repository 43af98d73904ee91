//! Behaviour beyond the capacity, and page reads while other work runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use quire_bench::client::Client;
use reqwest::Method;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::cases::one;
use crate::content::{Run, SMALL, THOUSAND, archive};
use crate::load::{Answers, Bench, metric, wait_for};
use crate::report::{DISTURBANCE, OVERLOAD};

/// Metric of the search index.
const COMMITS: &str = "quire_search_commits";

/// Reads one page on 16 and on 512 connections.
pub(crate) async fn overload(run: &mut Run, bench: &Bench) -> Result<()> {
    let (few, many) = (read_page(run, bench, 16).await?, read_page(run, bench, 512).await?);
    run.server.truncate_log()?;
    let busy = many.statuses.get(&503).copied().unwrap_or_default();
    let busy_share = busy / many.statuses.values().sum::<f64>();
    let figures = [rate(&few), rate(&many), busy_share, many.p50_ms, many.p99_ms];
    run.results.add(OVERLOAD, "512 connections", &figures);
    Ok(())
}

/// Reads one page while imports, exports or slow clients run, and alone, in turns. Adds the medians.
pub(crate) async fn disturbance(run: &mut Run, bench: &Bench) -> Result<()> {
    let space = run.empty_space("Imports").await?;
    for name in ["imports of 500 pages", "exports of 1,000 pages", "200 slow clients"] {
        let completed = Arc::new(AtomicU32::new(0));
        let (mut alone, mut meanwhile) = (Vec::new(), Vec::new());
        // In alternation: the speed of a shared machine changes from one measurement to the next.
        for _ in 0..5 {
            alone.push(read_page(run, bench, 16).await?);
            let mut tasks = start(name, run, &space, &completed)?;
            tokio::time::sleep(Duration::from_millis(200)).await;
            meanwhile.push(read_page(run, bench, 16).await?);
            // A task that ended by itself failed, and so disturbed nothing.
            if let Some(ended) = tasks.try_join_next() {
                bail!("{name}: {:#}", ended?);
            }
            run.server.truncate_log()?;
        }
        if name.contains("imports") {
            // Has the server index the pages, which would otherwise disturb later measurements: it does so once a space
            // is searched, or after a minute. The search may be refused until then.
            let commits = metric(&run.client, COMMITS).await?;
            let _ = run.client.get(&format!("/v1/spaces/{space}/search?query=page"), &[]).await?;
            wait_for(&run.client, COMMITS, commits + 1.0).await?;
        }
        let completed = f64::from(completed.load(Ordering::Relaxed));
        let [before, during] = [&alone, &meanwhile].map(|answers| median(answers, rate));
        let [p99_before, p99] = [&alone, &meanwhile].map(|answers| median(answers, |answers| answers.p99_ms));
        let figures = [completed, before, during, during / before, p99_before, p99];
        run.results.add(DISTURBANCE, name, &figures);
    }
    Ok(())
}

async fn read_page(run: &Run, bench: &Bench, connections: usize) -> Result<Answers> {
    let mut requests = one(run.space(SMALL)?.page(7));
    requests.headers.push(run.client.authorization());
    let answers = bench.load(run, &requests, connections, bench.seconds).await?;
    let unexpected = answers.statuses.keys().find(|status| !matches!(status, 200 | 503));
    ensure!(unexpected.is_none(), "status {unexpected:?} under load");
    Ok(answers)
}

fn rate(answers: &Answers) -> f64 {
    answers.statuses.get(&200).copied().unwrap_or_default() / answers.seconds
}

fn median(answers: &[Answers], of: fn(&Answers) -> f64) -> f64 {
    let mut values: Vec<f64> = answers.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Starts tasks that do some work again and again until they are dropped, and end only by a failure.
fn start(name: &str, run: &Run, space: &str, completed: &Arc<AtomicU32>) -> Result<JoinSet<anyhow::Error>> {
    let mut tasks = JoinSet::new();
    let (client, space, completed) = (run.client.clone(), space.to_owned(), completed.clone());
    if name.contains("slow") {
        for _ in 0..200 {
            tasks.spawn(slow(client.clone(), space.clone()));
        }
        return Ok(tasks);
    }
    let is_import = name.contains("imports");
    let pages = archive(&(0..500).collect::<Vec<_>>(), 4_000, true)?;
    let exported = format!("{}/content/export", run.space(THOUSAND)?.path());
    tasks.spawn(async move {
        loop {
            let done = match is_import {
                true => client.import(&space, pages.clone()).await.map(drop),
                false => client.call(Method::GET, &exported, None).await.map(drop),
            };
            if let Err(error) = done {
                return error;
            }
            completed.fetch_add(1, Ordering::Relaxed);
        }
    });
    Ok(tasks)
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
        if let Ok(mut stream) = connected {
            let mut bytes = head.as_bytes();
            while stream.write_all(bytes).await.is_ok() {
                bytes = b" ";
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
