//! Load from oha, and the figures of the server during it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Output, Stdio};

use anyhow::{Context, Result, ensure};
use quire_bench::client::Client;
use serde::{Deserialize, Serialize};
use tokio::process::Command;

use crate::cases::{Posts, Requests};
use crate::process::{self, Cpu};

/// Bodies of one run, of which oha picks one for each request.
const BODIES: usize = 8_192;

/// Key of the requests that oha abandons at the end of its time.
const ABANDONED: &str = "aborted due to deadline";

/// One run of oha.
pub(crate) struct Load<'a> {
    pub(crate) base: &'a str,
    pub(crate) headers: &'a [(String, String)],
    pub(crate) requests: &'a Requests,
    pub(crate) connections: usize,
    pub(crate) seconds: u64,
    /// Differs between runs, so that no two send equal bodies.
    pub(crate) round: usize,
}

/// Numbers of answers by status, and their latencies.
#[derive(Default, Debug, PartialEq)]
pub(crate) struct Answers {
    pub(crate) statuses: BTreeMap<u16, f64>,
    pub(crate) seconds: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
}

impl Load<'_> {
    /// Runs oha to its end: one process for GETs, one per path for POSTs. Broken connections and timeouts are errors.
    pub(crate) async fn run(&self, oha: &PathBuf) -> Result<Answers> {
        let folder = tempfile::tempdir()?;
        let write = |name: &str, lines: Vec<String>| -> Result<PathBuf> {
            let path = folder.path().join(name);
            std::fs::write(&path, lines.join("\n"))?;
            Ok(path)
        };
        let mut children = Vec::new();
        match self.requests {
            Requests::Gets(paths) => {
                let urls = paths.iter().map(|path| format!("{}{path}", self.base)).collect();
                let mut command = self.command(oha, self.connections);
                children.push(command.arg("--urls-from-file").arg(write("urls", urls)?).spawn()?);
            }
            Requests::Posts(all) => {
                for (number, posts) in all.iter().enumerate() {
                    let bodies = self.bodies(posts, BODIES / all.len().max(1));
                    let bodies = write(&format!("bodies-{number}"), bodies)?;
                    let mut command = self.command(oha, (self.connections / all.len().max(1)).max(1));
                    command.args(["-m", "POST", "-T", "application/json", "-Z"]).arg(bodies);
                    children.push(command.arg(format!("{}{}", self.base, posts.path)).spawn()?);
                }
            }
        }
        let mut answers = Vec::new();
        for child in children {
            answers.push(parse(&child.wait_with_output().await?)?);
        }
        Ok(sum(&answers))
    }

    fn bodies(&self, posts: &Posts, count: usize) -> Vec<String> {
        let mark = |number| format!("Round {}, request {number}.\n\n", self.round);
        (0..count).map(|number| posts.body(number, &mark(number))).collect()
    }

    fn command(&self, oha: &PathBuf, connections: usize) -> Command {
        let mut command = Command::new(oha);
        command.args(["--no-tui", "--output-format", "json", "--disable-compression", "-t", "60s"]);
        command.arg(format!("-c{connections}")).arg(format!("-z{}s", self.seconds.max(1)));
        for (name, value) in self.headers {
            command.arg("-H").arg(format!("{name}: {value}"));
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        command
    }
}

/// The parts of oha's result that are read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Printed {
    summary: Summary,
    latency_percentiles: Percentiles,
    status_code_distribution: BTreeMap<u16, f64>,
    error_distribution: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
struct Summary {
    total: f64,
}

/// Seconds; null without an answer.
#[derive(Deserialize)]
struct Percentiles {
    p50: Option<f64>,
    p99: Option<f64>,
}

fn parse(output: &Output) -> Result<Answers> {
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "oha failed: {text}{}", String::from_utf8_lossy(&output.stderr));
    let mut printed: Printed = serde_json::from_str(&text).with_context(|| format!("oha printed {text}"))?;
    printed.error_distribution.remove(ABANDONED);
    ensure!(printed.error_distribution.is_empty(), "requests failed: {:?}", printed.error_distribution);
    Ok(Answers {
        statuses: printed.status_code_distribution,
        seconds: printed.summary.total,
        p50_ms: printed.latency_percentiles.p50.unwrap_or_default() * 1_000.0,
        p99_ms: printed.latency_percentiles.p99.unwrap_or_default() * 1_000.0,
    })
}

/// The answers of processes that ran at the same time. Latencies are means of theirs.
fn sum(all: &[Answers]) -> Answers {
    let mut sum = Answers::default();
    let count = f64::from(u32::try_from(all.len()).unwrap_or(u32::MAX));
    for answers in all {
        for (status, number) in &answers.statuses {
            *sum.statuses.entry(*status).or_default() += number;
        }
        sum.seconds = sum.seconds.max(answers.seconds);
        sum.p50_ms += answers.p50_ms / count;
        sum.p99_ms += answers.p99_ms / count;
    }
    sum
}

/// Figures of a case at one number of connections. Processor time and statements are per request.
#[derive(Clone, Default, Serialize)]
pub(crate) struct Figures {
    pub(crate) connections: usize,
    /// Requests answered as expected.
    pub(crate) requests_per_second: f64,
    /// Writes refused with 409 or 412.
    pub(crate) refused_per_second: f64,
    pub(crate) p50_ms: Option<f64>,
    pub(crate) p99_ms: Option<f64>,
    pub(crate) server_cpu_ms: Option<f64>,
    pub(crate) postgres_cpu_ms: Option<f64>,
    pub(crate) statements: Option<f64>,
}

impl Figures {
    /// The means of several rounds.
    pub(crate) fn mean(rounds: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> Option<f64>| -> Option<f64> {
            let values = rounds.iter().map(of).collect::<Option<Vec<f64>>>()?;
            let count = f64::from(u32::try_from(values.len()).unwrap_or(u32::MAX));
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / count)
        };
        Self {
            connections: rounds.first().map_or(0, |figures| figures.connections),
            requests_per_second: mean(|of| Some(of.requests_per_second)).unwrap_or_default(),
            refused_per_second: mean(|of| Some(of.refused_per_second)).unwrap_or_default(),
            p50_ms: mean(|of| of.p50_ms),
            p99_ms: mean(|of| of.p99_ms),
            server_cpu_ms: mean(|of| of.server_cpu_ms),
            postgres_cpu_ms: mean(|of| of.postgres_cpu_ms),
            statements: mean(|of| of.statements),
        }
    }
}

/// Counters of the server at one moment.
#[derive(Clone, Copy)]
pub(crate) struct Counters {
    cpu: Cpu,
    statements: Option<f64>,
}

impl Counters {
    /// Reads them. Servers that do not export the number of statements have none.
    pub(crate) async fn read(pid: u32, client: &Client) -> Result<Self> {
        let statements = metric(client, "quire_sql_statements_total").await?;
        Ok(Self { cpu: process::cpu(pid)?, statements })
    }

    /// Fills in the costs of `requests` requests since these counters.
    pub(crate) fn costs(self, after: Self, requests: f64, figures: &mut Figures) {
        let requests = requests.max(1.0);
        figures.server_cpu_ms = Some((after.cpu.server_ms - self.cpu.server_ms) / requests);
        figures.postgres_cpu_ms = Some((after.cpu.postgres_ms - self.cpu.postgres_ms) / requests);
        let statements = self.statements.zip(after.statements);
        figures.statements = statements.map(|(before, after)| (after - before) / requests);
    }
}

/// Returns the value of a metric, as the sum over its labels; `None` if the server doesn't export it.
pub(crate) async fn metric(client: &Client, name: &str) -> Result<Option<f64>> {
    let metrics = client.get("/metrics", &[]).await?;
    Ok(value(&String::from_utf8_lossy(&metrics.body), name))
}

fn value(metrics: &str, name: &str) -> Option<f64> {
    let value = |line: &str| -> Option<f64> {
        let rest = line.strip_prefix(name)?;
        rest.starts_with([' ', '{']).then(|| rest.rsplit_once(' ')?.1.parse().ok())?
    };
    let values: Vec<f64> = metrics.lines().filter_map(value).collect();
    (!values.is_empty()).then(|| values.iter().sum())
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
        let answers = parse(&printed(r#"{"aborted due to deadline": 16}"#)).unwrap();
        assert_eq!(answers.statuses, BTreeMap::from([(200, 1_200.0), (409, 3.0)]));
        assert_eq!((answers.seconds, answers.p50_ms, answers.p99_ms), (2.5, 1.25, 9.0));
        assert_eq!(sum(&[parse(&printed("{}")).unwrap(), answers]).statuses.get(&200), Some(&2_400.0));
        assert!(parse(&printed(r#"{"timeout": 1}"#)).is_err());
    }

    #[test]
    fn a_metric_is_summed_over_its_labels() {
        let text = "# TYPE a counter\na 42\na_bytes{cache=\"answers\"} 40\na_bytes{cache=\"trees\"} 2\n";
        assert_eq!(
            (value(text, "a"), value(text, "a_bytes"), value(text, "a_b")),
            (Some(42.0), Some(42.0), None)
        );
    }

    #[test]
    fn rounds_are_averaged_and_absent_figures_stay_absent() {
        let round = |rate| Figures { requests_per_second: rate, p50_ms: Some(rate), ..Figures::default() };
        let mean = Figures::mean(&[round(100.0), round(300.0)]);
        assert_eq!((mean.requests_per_second, mean.p50_ms, mean.statements), (200.0, Some(200.0), None));
    }
}
