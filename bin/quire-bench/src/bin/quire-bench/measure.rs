//! Measurement of one case on one server or on several in alternation.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Result, ensure};
use serde::Serialize;

use crate::cases::{Get, Posts, Requests};
use crate::load::{Answers, Counters, Figures, Load};
use crate::process;
use crate::report::float;
use crate::run::Run;
use crate::timed::percentile;

/// The connections of the first measurement of a case, which most columns show.
const CONNECTIONS: usize = 16;

/// Pause after each load. Requests that oha abandons at its end are still executed.
const SETTLE: Duration = Duration::from_millis(300);

/// A row of the main table.
#[derive(Clone, Serialize)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// One element per number of connections.
    pub(crate) figures: Vec<Figures>,
    /// Length of the body of a response.
    pub(crate) answer_bytes: Option<usize>,
    /// Resident memory of the server after the case.
    pub(crate) resident_mb: f64,
}

/// Tools and durations of all cases.
pub(crate) struct Bench {
    pub(crate) oha: PathBuf,
    /// Duration of a measurement at 16 connections.
    pub(crate) seconds: u64,
    /// Measurements per server, in alternation with those of the other server. Their mean is reported.
    pub(crate) rounds: usize,
    /// Runs of oha so far.
    pub(crate) loads: AtomicUsize,
}

/// Measures a read at some numbers of connections.
pub(crate) async fn read(
    bench: &Bench,
    runs: &[Run],
    name: &str,
    get: fn(&crate::fixture::Fixture) -> Result<Get>,
    connections: &[usize],
) -> Result<Vec<Case>> {
    let mut prepared = Vec::new();
    for run in runs {
        prepared.push(Prepared::read(run, get(&run.fixture)?).await?);
    }
    measure(bench, runs, name, &prepared, connections).await
}

/// Measures a write at 1, 16 and 64 connections; at least one for each path.
pub(crate) async fn write(
    bench: &Bench,
    runs: &[Run],
    name: &str,
    posts: fn(&crate::fixture::Fixture) -> Result<Vec<Posts>>,
) -> Result<Vec<Case>> {
    let mut prepared = Vec::new();
    let mut paths = 1;
    for run in runs {
        let posts = posts(&run.fixture)?;
        paths = posts.len();
        let headers = vec![run.client.authorization()];
        prepared.push(Prepared { requests: Requests::Posts(posts), headers, status: 200, hits: false });
    }
    let connections: Vec<_> = [1, CONNECTIONS, 64].into_iter().filter(|most| *most >= paths).collect();
    measure(bench, runs, name, &prepared, &connections).await
}

async fn measure(
    bench: &Bench,
    runs: &[Run],
    name: &str,
    prepared: &[Prepared],
    connections: &[usize],
) -> Result<Vec<Case>> {
    for (run, prepared) in runs.iter().zip(prepared) {
        // Not a measurement: it fills caches and prepares statements.
        prepared.load(bench, run, CONNECTIONS, 1).await?;
    }
    let mut figures = vec![Vec::new(); runs.len()];
    for connections in connections {
        let mut rounds = vec![Vec::new(); runs.len()];
        for _ in 0..bench.rounds {
            for ((run, prepared), rounds) in runs.iter().zip(prepared).zip(&mut rounds) {
                rounds.push(prepared.load(bench, run, *connections, bench.seconds).await?);
            }
        }
        for (figures, rounds) in figures.iter_mut().zip(&rounds) {
            figures.push(Figures::mean(rounds));
        }
    }
    let mut cases = Vec::new();
    for ((run, prepared), figures) in runs.iter().zip(prepared).zip(figures) {
        let answer_bytes = prepared.probe(run).await?;
        run.server.truncate_log()?;
        let resident_mb = process::memory(run.server.pid())?.resident_mb;
        cases.push(Case { name: name.to_owned(), figures, answer_bytes, resident_mb });
    }
    Ok(cases)
}

/// The case of requests that were sent one at a time.
pub(crate) async fn one_at_a_time(
    run: &Run,
    name: &str,
    before: Counters,
    mut times: Vec<Duration>,
    answer_bytes: Option<usize>,
) -> Result<Case> {
    let count = float(times.len());
    let mut figures = Figures {
        connections: 1,
        requests_per_second: count / times.iter().sum::<Duration>().as_secs_f64(),
        p50_ms: Some(percentile(&mut times, 50)),
        p99_ms: Some(percentile(&mut times, 99)),
        ..Figures::default()
    };
    before.costs(Counters::read(run.server.pid(), &run.client).await?, count, &mut figures);
    let resident_mb = process::memory(run.server.pid())?.resident_mb;
    Ok(Case { name: name.to_owned(), figures: vec![figures], answer_bytes, resident_mb })
}

/// A case's requests to one server.
struct Prepared {
    requests: Requests,
    headers: Vec<(String, String)>,
    status: u16,
    hits: bool,
}

impl Prepared {
    async fn read(run: &Run, get: Get) -> Result<Self> {
        let mut headers = Vec::new();
        if get.token {
            headers.push(run.client.authorization());
        }
        if get.conditional {
            let first = get.paths.first().map(String::as_str).unwrap_or_default();
            let answer = run.client.get(first, &headers).await?;
            headers.push(("If-None-Match".to_owned(), answer.header("etag").unwrap_or_default().to_owned()));
        }
        let Get { paths, status, hits, .. } = get;
        let prepared = Self { requests: Requests::Gets(paths), headers, status, hits };
        prepared.probe(run).await?;
        Ok(prepared)
    }

    /// Sends the first GET once, checks its answer, and returns the length of its body.
    async fn probe(&self, run: &Run) -> Result<Option<usize>> {
        let Requests::Gets(paths) = &self.requests else { return Ok(None) };
        let first = paths.first().map(String::as_str).unwrap_or_default();
        let answer = run.client.get(first, &self.headers).await?;
        let (status, excerpt) = (answer.status, answer.excerpt());
        ensure!(status == self.status, "{first} answered {status} instead of {}: {excerpt}", self.status);
        let items = ["/items/0", "/hits/0"].iter().any(|item| answer.json().pointer(item).is_some());
        ensure!(items || !self.hits, "{first} found nothing: {excerpt}");
        Ok(Some(answer.body.len()))
    }

    async fn load(&self, bench: &Bench, run: &Run, connections: usize, seconds: u64) -> Result<Figures> {
        let before = Counters::read(run.server.pid(), &run.client).await?;
        let answers = bench.load(run, &self.headers, &self.requests, connections, seconds).await?;
        let after = Counters::read(run.server.pid(), &run.client).await?;
        tokio::time::sleep(SETTLE).await;
        let is_write = matches!(self.requests, Requests::Posts(_));
        let (mut answered, mut refused) = (0.0, 0.0);
        for (status, number) in &answers.statuses {
            match status {
                200..=299 if is_write => answered += number,
                409 | 412 if is_write => refused += number,
                status if *status == self.status => answered += number,
                status => {
                    self.probe(run).await?;
                    anyhow::bail!(
                        "{number} requests were answered with {status} at {connections} connections"
                    );
                }
            }
        }
        if answered + refused == 0.0 {
            // So slow that the time was too short for one answer: throughput 0, without latencies and costs.
            return Ok(Figures { connections, ..Figures::default() });
        }
        let mut figures = Figures {
            connections,
            requests_per_second: answered / answers.seconds,
            refused_per_second: refused / answers.seconds,
            p50_ms: Some(answers.p50_ms),
            p99_ms: Some(answers.p99_ms),
            ..Figures::default()
        };
        before.costs(after, answered + refused, &mut figures);
        Ok(figures)
    }
}

impl Bench {
    /// Runs oha on a server.
    pub(crate) async fn load(
        &self,
        run: &Run,
        headers: &[(String, String)],
        requests: &Requests,
        connections: usize,
        seconds: u64,
    ) -> Result<Answers> {
        let (base, round) = (run.client.base(), self.loads.fetch_add(1, Ordering::Relaxed));
        Load { base, headers, requests, connections, seconds, round }.run(&self.oha).await
    }
}
