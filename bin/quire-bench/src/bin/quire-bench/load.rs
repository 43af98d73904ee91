//! Load from oha, and the figures of the server during it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use quire_bench::client::Client;
use serde::Deserialize as _;
use serde_json::Value;
use tokio::process::Command;

use crate::cases::{Measure, Part, Requests};
use crate::content::{Run, Space};
use crate::process::{cpu_ms, memory_mb};
use crate::report::{CASES, float};

/// Bodies of one load, of which oha picks one for each request.
const BODIES: usize = 8_192;

/// Longest time to index pages for search.
const MAX_WAIT: Duration = Duration::from_mins(4);

/// Tools and durations of all cases.
pub(crate) struct Bench {
    pub(crate) oha: PathBuf,
    /// Duration of a measurement.
    pub(crate) seconds: u64,
    /// Measurements per server, in alternation with those of the other server. Their mean is reported.
    pub(crate) rounds: usize,
    /// Loads so far. No two loads send equal bodies.
    pub(crate) loads: AtomicUsize,
}

/// Numbers of answers by status, and their latencies.
#[derive(Default, Debug, PartialEq)]
pub(crate) struct Answers {
    pub(crate) statuses: BTreeMap<u16, f64>,
    pub(crate) seconds: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
}

impl Requests {
    /// Returns the requests of a part to a server.
    async fn new(run: &Run, part: &Part) -> Result<Self> {
        let spaces = part.content.first().map(|data| run.spaces(*data)).transpose()?.unwrap_or_default();
        let mut requests = match part.measure {
            Measure::Gets(get) => get(spaces.first().unwrap_or(&Space::default())),
            Measure::Posts(post) => post(spaces),
            _ => bail!("{} has no requests", part.name),
        };
        if requests.token {
            requests.headers.push(run.client.authorization());
        }
        if requests.conditional {
            let first = requests.paths.first().context("a case has requests")?;
            let answer = run.client.get(first, &requests.headers).await?;
            let tag = answer.header("etag").context("no entity tag")?.to_owned();
            requests.headers.push(("If-None-Match".to_owned(), tag));
        }
        Ok(requests)
    }

    /// Sends the first GET once, checks its answer, and returns the length of its body in kB.
    async fn probe(&self, run: &Run) -> Result<f64> {
        let (Some(first), None) = (self.paths.first(), &self.body) else { return Ok(f64::NAN) };
        let expected = self.status;
        let answer = run.client.get(first, &self.headers).await?;
        let (status, excerpt) = (answer.status, answer.excerpt());
        ensure!(status == expected, "{first} answered {status} instead of {expected}: {excerpt}");
        let has_items = ["/items/0", "/hits/0"].iter().any(|item| answer.json().pointer(item).is_some());
        ensure!(has_items || !self.hits, "{first} found nothing: {excerpt}");
        Ok(float(answer.body.len()) / 1e3)
    }
}

impl Bench {
    /// Measures a case on all servers in alternation, at some numbers of connections.
    pub(crate) async fn measure(&self, runs: &mut [Run], part: &Part) -> Result<()> {
        let mut all = Vec::new();
        for run in runs.iter() {
            let requests = Requests::new(run, part).await?;
            requests.probe(run).await?;
            // Not a measurement: it fills caches and prepares statements.
            self.load(run, &requests, 16, 1).await?;
            all.push(requests);
        }
        let is_write = matches!(part.measure, Measure::Posts(_));
        // At least one connection for each path of a write.
        let paths = all.first().filter(|_| is_write).map_or(2, |requests| requests.paths.len());
        for connections in [1, 16, 64].into_iter().filter(|most| *most >= paths) {
            let mut means = vec![vec![0.0; CASES.1.len()]; runs.len()];
            for _ in 0..self.rounds {
                for ((run, requests), mean) in runs.iter().zip(&all).zip(&mut means) {
                    let figures = self.figures(run, requests, connections).await?;
                    for (mean, figure) in mean.iter_mut().zip(figures) {
                        *mean += figure / float(self.rounds);
                    }
                }
            }
            for (run, mean) in runs.iter_mut().zip(means) {
                run.results.add(CASES, &format!("{}, {connections}", part.name), &mean);
                run.server.truncate_log()?;
            }
        }
        Ok(())
    }

    /// The figures of a case at one number of connections, in the order of the table's columns.
    async fn figures(&self, run: &Run, requests: &Requests, connections: usize) -> Result<Vec<f64>> {
        let before = counters(run).await?;
        let answers = self.load(run, requests, connections, self.seconds).await?;
        let is_write = requests.body.is_some();
        let (mut answered, mut refused) = (0.0, 0.0);
        for (status, number) in &answers.statuses {
            match status {
                409 | 412 if is_write => refused += number,
                status if *status == requests.status || is_write && *status < 300 => answered += number,
                status => {
                    requests.probe(run).await?;
                    bail!("{number} requests were answered with {status} at {connections} connections");
                }
            }
        }
        let refused_rate = if is_write { refused / answers.seconds } else { f64::NAN };
        let mut figures = vec![answered / answers.seconds, refused_rate, answers.p50_ms, answers.p99_ms];
        figures.extend(costs(run, before, answered + refused).await?);
        // Requests that oha abandoned are still executed.
        tokio::time::sleep(Duration::from_millis(300)).await;
        figures.extend([requests.probe(run).await?, memory_mb(run.server.pid())?[0]]);
        Ok(figures)
    }

    /// Runs oha to its end: one process for GETs, one per path for POSTs. Broken connections and timeouts are errors.
    pub(crate) async fn load(
        &self,
        run: &Run,
        requests: &Requests,
        connections: usize,
        seconds: u64,
    ) -> Result<Answers> {
        let folder = tempfile::tempdir()?;
        let file = |name: &str, lines: Vec<String>| -> Result<PathBuf> {
            let path = folder.path().join(name);
            std::fs::write(&path, lines.join("\n"))?;
            Ok(path)
        };
        let urls: Vec<_> = requests.paths.iter().map(|path| format!("{}{path}", run.client.base())).collect();
        let mut children = Vec::new();
        if requests.body.is_none() {
            let mut command = self.command(requests, connections, seconds);
            children.push(command.arg("--urls-from-file").arg(file("urls", urls.clone())?).spawn()?);
        }
        let round = self.loads.fetch_add(1, Ordering::Relaxed);
        for ((path, url), body) in urls.iter().enumerate().zip(requests.body.iter().cycle()) {
            let text = |number| body(path, number, &format!("Round {round}, request {number}.\n\n"));
            let bodies = file(&format!("bodies-{path}"), (0..BODIES / urls.len()).map(text).collect())?;
            let mut command = self.command(requests, (connections / urls.len()).max(1), seconds);
            command.args(["-m", "POST", "-T", "application/json", "-Z"]).arg(bodies).arg(url);
            children.push(command.spawn()?);
        }
        let (mut answers, processes) = (Answers::default(), float(children.len()));
        for child in children {
            answers.add(&child.wait_with_output().await?, processes)?;
        }
        Ok(answers)
    }

    fn command(&self, requests: &Requests, connections: usize, seconds: u64) -> Command {
        let mut command = Command::new(&self.oha);
        command.args(["--no-tui", "--output-format", "json", "--disable-compression", "-t", "60s"]);
        command.arg(format!("-c{connections}")).arg(format!("-z{seconds}s"));
        command.args(requests.headers.iter().map(|(name, value)| format!("-H{name}: {value}")));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        command
    }
}

impl Answers {
    /// Adds the answers of one of several processes that ran at the same time. Latencies are means of theirs.
    fn add(&mut self, output: &Output, processes: f64) -> Result<()> {
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "oha failed: {text}{}", String::from_utf8_lossy(&output.stderr));
        let printed: Value = serde_json::from_str(&text).with_context(|| format!("oha printed {text}"))?;
        // Latencies are null without an answer.
        let number = |at: &str| printed.pointer(at).and_then(Value::as_f64).unwrap_or(f64::NAN);
        let counts =
            |key: &str| BTreeMap::<String, f64>::deserialize(printed.get(key).unwrap_or(&Value::Null));
        let errors = counts("errorDistribution")?;
        // It abandons requests at the end of its time.
        let is_abandoned = |error: &String| error == "aborted due to deadline";
        ensure!(errors.keys().all(is_abandoned), "requests failed: {errors:?}");
        for (status, number) in counts("statusCodeDistribution")? {
            *self.statuses.entry(status.parse()?).or_default() += number;
        }
        self.seconds = self.seconds.max(number("/summary/total"));
        self.p50_ms += number("/latencyPercentiles/p50") * 1e3 / processes;
        self.p99_ms += number("/latencyPercentiles/p99") * 1e3 / processes;
        Ok(())
    }
}

/// Processor time of the server and of its PostgreSQL in milliseconds, and the number of SQL statements.
pub(crate) async fn counters(run: &Run) -> Result<[f64; 3]> {
    let [server, postgres] = cpu_ms(&run.server)?;
    Ok([server, postgres, metric(&run.client, "quire_sql_statements_total").await?])
}

/// Processor time of the server, of PostgreSQL and of both, and statements since `before`, each per request.
pub(crate) async fn costs(run: &Run, before: [f64; 3], requests: f64) -> Result<[f64; 4]> {
    let (mut costs, after) = (before, counters(run).await?);
    costs.iter_mut().zip(after).for_each(|(cost, after)| *cost = (after - *cost) / requests);
    let [server, postgres, statements] = costs;
    Ok([server, postgres, server + postgres, statements])
}

/// Waits until a metric has a value. Ends at once if the server doesn't export it.
pub(crate) async fn wait_for(client: &Client, name: &str, value: f64) -> Result<()> {
    let start = Instant::now();
    while metric(client, name).await? < value {
        ensure!(start.elapsed() < MAX_WAIT, "{name} is less than {value} after {MAX_WAIT:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

/// Returns the value of a metric, as the sum over its labels; not a number if the server doesn't export it.
pub(crate) async fn metric(client: &Client, name: &str) -> Result<f64> {
    let metrics = client.get("/metrics", &[]).await?;
    Ok(value(&String::from_utf8_lossy(&metrics.body), name))
}

fn value(metrics: &str, name: &str) -> f64 {
    let value = |line: &str| -> Option<f64> {
        let rest = line.strip_prefix(name)?;
        rest.starts_with([' ', '{']).then(|| rest.rsplit_once(' ')?.1.parse().ok())?
    };
    metrics.lines().filter_map(value).reduce(|sum, value| sum + value).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(errors: &str) -> Output {
        let text = format!(
            r#"{{"summary": {{"total": 2.5}}, "latencyPercentiles": {{"p50": 0.00125, "p99": 0.009}},
                "statusCodeDistribution": {{"200": 1200, "409": 3}}, "errorDistribution": {errors}}}"#
        );
        Output { status: Default::default(), stdout: text.into_bytes(), stderr: Vec::new() }
    }

    #[test]
    fn answers_are_read_from_the_output() {
        let mut answers = Answers::default();
        answers.add(&printed(r#"{"aborted due to deadline": 16}"#), 2.0).unwrap();
        answers.add(&printed("{}"), 2.0).unwrap();
        let statuses = BTreeMap::from([(200, 2_400.0), (409, 6.0)]);
        assert_eq!(answers, Answers { statuses, seconds: 2.5, p50_ms: 1.25, p99_ms: 9.0 });
        assert!(answers.add(&printed(r#"{"timeout": 1}"#), 1.0).is_err());
    }

    #[test]
    fn a_metric_is_summed_over_its_labels() {
        let text = "# TYPE a counter\na 42\na_bytes{cache=\"answers\"} 40\na_bytes{cache=\"trees\"} 2\n";
        assert_eq!((value(text, "a"), value(text, "a_bytes")), (42.0, 42.0));
        assert!(value(text, "a_b").is_nan());
    }
}
