//! Measurement of one case on one server or on several in alternation.

use std::time::Duration;

use anyhow::{Result, ensure};

use super::{Case, Ceiling, Get, Read, Write};
use crate::ceilings::{Bare, Route};
use crate::database;
use crate::load::{Counters, Figures, Load, Requests, Wrk};
use crate::process;
use crate::run::Run;

/// The connections of the first measurement of a case, which most columns show.
const CONNECTIONS: u32 = 16;

/// Pause after each load.
const SETTLE: Duration = Duration::from_millis(300);

/// Tools and durations of all cases.
pub(crate) struct Bench {
    pub(crate) wrk: Wrk,
    pub(crate) bare: Bare,
    /// Duration of a measurement at 16 connections.
    pub(crate) seconds: u64,
    /// Measurements per server, in alternation with those of the other server. Their mean is reported.
    pub(crate) rounds: usize,
}

impl Bench {
    /// The other numbers of connections have three quarters of the time.
    fn seconds_at(&self, connections: u32) -> u64 {
        if connections == CONNECTIONS { self.seconds } else { (self.seconds * 3).div_ceil(4) }
    }
}

/// Measures a read at 16 and 64 connections, and a bare route with the bytes of its answer.
pub(crate) async fn measure_read(bench: &Bench, runs: &[Run], read: &Read) -> Result<Vec<Case>> {
    measure_read_at(bench, runs, read, &[CONNECTIONS, 64]).await
}

/// As [`measure_read`], at other numbers of connections.
pub(crate) async fn measure_read_at(
    bench: &Bench,
    runs: &[Run],
    read: &Read,
    connections: &[u32],
) -> Result<Vec<Case>> {
    let mut prepared = Vec::new();
    for run in runs {
        prepared.push(Prepared::read(run, (read.request)(&run.fixture)?).await?);
    }
    let mut cases = measure(bench, runs, read.name, &prepared, connections, bench.rounds).await?;
    for ((case, prepared), run) in cases.iter_mut().zip(&prepared).zip(runs) {
        prepared.probe(run).await?;
        if prepared.ceiling == Route::Statement {
            bench.bare.set_database(database::url(&run.server)?).await?;
        }
        let (route, body, seconds) = (prepared.ceiling, prepared.compared.clone(), bench.seconds.min(2));
        let figures = bench.bare.measure(&bench.wrk, route, body, seconds).await?;
        case.answer_bytes = Some(prepared.body.len());
        case.ceiling = Some(Ceiling { name: route.name(), requests_per_second: figures.requests_per_second });
    }
    Ok(cases)
}

/// Measures a write at 1, 16 and 64 connections.
pub(crate) async fn measure_write(
    bench: &Bench,
    runs: &[Run],
    write: &Write,
    inserts: Option<f64>,
) -> Result<Vec<Case>> {
    let mut cases = measure_write_at(bench, runs, write, &[1, CONNECTIONS, 64], bench.rounds).await?;
    for case in &mut cases {
        case.ceiling = inserts
            .map(|requests_per_second| Ceiling { name: "pgbench, durable insert", requests_per_second });
    }
    Ok(cases)
}

/// Measures a write at some numbers of connections, several times on each server, in alternation.
pub(crate) async fn measure_write_at(
    bench: &Bench,
    runs: &[Run],
    write: &Write,
    connections: &[u32],
    rounds: usize,
) -> Result<Vec<Case>> {
    let mut prepared = Vec::new();
    for run in runs {
        let headers = vec![("Authorization".to_owned(), run.client.authorization())];
        let requests = Requests::Posts((write.posts)(&run.fixture)?);
        prepared.push(Prepared { requests, headers, status: 200, ..Prepared::default() });
    }
    measure(bench, runs, write.name, &prepared, connections, rounds).await
}

async fn measure(
    bench: &Bench,
    runs: &[Run],
    name: &str,
    prepared: &[Prepared],
    connections: &[u32],
    count: usize,
) -> Result<Vec<Case>> {
    let mut figures = vec![Vec::new(); runs.len()];
    for (run, prepared) in runs.iter().zip(prepared) {
        // Not a measurement: it fills caches and prepares statements.
        prepared.load(bench, run, CONNECTIONS, 1).await?;
    }
    for connections in connections {
        let mut rounds = vec![Vec::new(); runs.len()];
        for _ in 0..count {
            for ((run, prepared), rounds) in runs.iter().zip(prepared).zip(&mut rounds) {
                let seconds = bench.seconds_at(*connections);
                rounds.push(prepared.load(bench, run, *connections, seconds).await?);
            }
        }
        for (figures, rounds) in figures.iter_mut().zip(&rounds) {
            figures.push(mean(rounds));
        }
    }
    let cases = runs.iter().zip(figures).map(|(run, figures)| {
        run.server.truncate_log()?;
        let resident_mb = Some(process::memory(run.server.pid())?.resident_mb);
        Ok(Case { name: name.to_owned(), figures, answer_bytes: None, resident_mb, ceiling: None })
    });
    cases.collect()
}

/// A case's requests to one server.
struct Prepared {
    requests: Requests,
    headers: Vec<(String, String)>,
    status: u16,
    hits: bool,
    /// The answer of the first path.
    body: Vec<u8>,
    ceiling: Route,
    /// The bytes that the ceiling answers: those of the first path without a condition.
    compared: Vec<u8>,
}

impl Default for Prepared {
    fn default() -> Self {
        Self {
            requests: Requests::Gets(Vec::new()),
            headers: Vec::new(),
            status: 200,
            hits: false,
            body: Vec::new(),
            ceiling: Route::Bytes,
            compared: Vec::new(),
        }
    }
}

impl Prepared {
    async fn read(run: &Run, get: Get) -> Result<Self> {
        let mut headers = Vec::new();
        if get.token {
            headers.push(("Authorization".to_owned(), run.client.authorization()));
        }
        let mut compared = None;
        if get.conditional {
            let first = get.paths.first().map(String::as_str).unwrap_or_default();
            let answer = run.client.get(first, &headers).await?;
            ensure!(answer.status == 200, "{first} answered {}: {}", answer.status, answer.excerpt());
            let tag = answer.header("etag").unwrap_or_default().to_owned();
            headers.push(("If-None-Match".to_owned(), tag));
            // The route without a statement is compared with the answer itself.
            compared = (get.ceiling == Route::Statement).then_some(answer.body);
        }
        let Get { paths, status, hits, ceiling, .. } = get;
        let requests = Requests::Gets(paths);
        let mut prepared = Self { requests, headers, status, hits, ceiling, ..Self::default() };
        prepared.body = prepared.probe(run).await?;
        prepared.compared = compared.unwrap_or_else(|| prepared.body.clone());
        Ok(prepared)
    }

    /// Sends the first GET once and checks its answer, since wrk only distinguishes statuses below 400 from those
    /// above.
    async fn probe(&self, run: &Run) -> Result<Vec<u8>> {
        let Requests::Gets(paths) = &self.requests else { return Ok(Vec::new()) };
        let first = paths.first().map(String::as_str).unwrap_or_default();
        let answer = run.client.get(first, &self.headers).await?;
        let (status, excerpt) = (answer.status, answer.excerpt());
        ensure!(status == self.status, "{first} answered {status} instead of {}: {excerpt}", self.status);
        let items = ["/items/0", "/hits/0"].iter().any(|item| answer.json().pointer(item).is_some());
        ensure!(items || !self.hits, "{first} found nothing: {excerpt}");
        Ok(answer.body)
    }

    async fn load(&self, bench: &Bench, run: &Run, connections: u32, seconds: u64) -> Result<Figures> {
        let (base, headers, requests) = (run.client.base(), &*self.headers, &self.requests);
        let before = Counters::read(run.server.pid(), &run.client).await?;
        let result = bench.wrk.run(&Load { base, headers, requests, connections, seconds }).await?;
        let after = Counters::read(run.server.pid(), &run.client).await?;
        // Requests that wrk abandoned at its end are still executed, and must not disturb the next measurement.
        tokio::time::sleep(SETTLE).await;
        let answered = match requests {
            Requests::Gets(_) => {
                let expected = if self.status < 400 { 0.0 } else { result.requests };
                if result.over_399 != expected {
                    self.probe(run).await?;
                }
                ensure!(
                    result.over_399 == expected,
                    "{} of {} answers had status 400 or above",
                    result.over_399,
                    result.requests
                );
                result.requests
            }
            Requests::Posts(_) => {
                let sample = result.sample.as_deref().unwrap_or_default();
                ensure!(result.failed == 0.0, "{} writes failed, the first with {sample}", result.failed);
                result.done
            }
        };
        if answered + result.refused == 0.0 {
            // So slow that the time was too short for one answer: throughput 0, without latencies and costs.
            return Ok(Figures { connections, ..Figures::default() });
        }
        let mut figures = Figures {
            connections,
            requests_per_second: answered / result.seconds,
            refused_per_second: result.refused / result.seconds,
            p50_ms: Some(result.p50_ms),
            p99_ms: Some(result.p99_ms),
            ..Figures::default()
        };
        before.costs(after, answered + result.refused, &mut figures);
        Ok(figures)
    }
}

/// The means of several rounds.
fn mean(rounds: &[Figures]) -> Figures {
    let mean = |of: fn(&Figures) -> Option<f64>| -> Option<f64> {
        let values = rounds.iter().map(of).collect::<Option<Vec<f64>>>()?;
        let count = f64::from(u32::try_from(values.len()).unwrap_or(u32::MAX));
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / count)
    };
    Figures {
        connections: rounds.first().map_or(0, |figures| figures.connections),
        requests_per_second: mean(|figures| Some(figures.requests_per_second)).unwrap_or_default(),
        refused_per_second: mean(|figures| Some(figures.refused_per_second)).unwrap_or_default(),
        p50_ms: mean(|figures| figures.p50_ms),
        p99_ms: mean(|figures| figures.p99_ms),
        server_cpu_ms: mean(|figures| figures.server_cpu_ms),
        postgres_cpu_ms: mean(|figures| figures.postgres_cpu_ms),
        statements: mean(|figures| figures.statements),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_averaged_and_absent_figures_stay_absent() {
        let round = |rate, p50| Figures {
            connections: 16,
            requests_per_second: rate,
            p50_ms: Some(p50),
            ..Figures::default()
        };
        let mean = mean(&[round(100.0, 1.0), round(300.0, 2.0)]);
        assert_eq!((mean.connections, mean.requests_per_second, mean.p50_ms), (16, 200.0, Some(1.5)));
        assert_eq!(mean.statements, None);
    }
}
