//! Load from wrk, and the figures of the server during it.

pub(crate) mod result;
mod script;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use tokio::process::Command;

use crate::process::{self, Cpu};
use result::WrkResult;

/// Requests that are sent in turn.
#[derive(Clone)]
pub(crate) enum Requests {
    /// GETs of these paths.
    Gets(Vec<String>),
    /// POSTs with a JSON body that contains a text.
    Posts(Posts),
}

/// A body is `head`, a number, one of the texts, and `tail`.
#[derive(Clone)]
pub(crate) struct Posts {
    /// Path, and the JSON before the text.
    pub(crate) targets: Vec<(String, String)>,
    /// Texts, escaped for a JSON string.
    pub(crate) texts: Vec<String>,
    /// The JSON after the text.
    pub(crate) tail: &'static str,
}

/// wrk with a folder for its programs.
pub(crate) struct Wrk {
    folder: tempfile::TempDir,
    rounds: AtomicU64,
}

/// One run of wrk.
pub(crate) struct Load<'a> {
    pub(crate) base: &'a str,
    pub(crate) headers: &'a [(String, String)],
    pub(crate) requests: &'a Requests,
    pub(crate) connections: u32,
    pub(crate) seconds: u64,
}

impl Wrk {
    pub(crate) fn new() -> Result<Self> {
        Ok(Self { folder: tempfile::tempdir()?, rounds: AtomicU64::new(0) })
    }

    /// Runs wrk to its end. Broken connections and timeouts are errors.
    pub(crate) async fn run(&self, load: &Load<'_>) -> Result<WrkResult> {
        let threads = load.connections.min(2);
        let script = self.write_script(load.requests, threads)?;
        let mut command = Command::new("wrk");
        command.args(["--latency", "--timeout", "60s"]);
        command.arg(format!("-t{threads}")).arg(format!("-c{}", load.connections));
        command.arg(format!("-d{}s", load.seconds.max(1))).arg("-s").arg(script);
        for (name, value) in load.headers {
            command.arg("-H").arg(format!("{name}: {value}"));
        }
        let output = command.arg(load.base).output().await.context("wrk can't be run: is it installed?")?;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "wrk failed: {text}{}", String::from_utf8_lossy(&output.stderr));
        let result = result::parse(&text)?;
        ensure!(result.broken == 0.0, "{} connections broke: {text}", result.broken);
        ensure!(result.timeouts == 0.0, "{} requests took over 60 s: {text}", result.timeouts);
        Ok(result)
    }

    fn write_script(&self, requests: &Requests, threads: u32) -> Result<PathBuf> {
        let program = match requests {
            Requests::Gets(paths) => {
                let file = self.write("paths", paths.iter().map(String::as_str))?;
                script::gets(&file, threads)
            }
            Requests::Posts(posts) => {
                let lines: Vec<_> =
                    posts.targets.iter().map(|(path, head)| format!("{path}\t{head}")).collect();
                let targets = self.write("targets", lines.iter().map(String::as_str))?;
                let texts = self.write("texts", posts.texts.iter().map(String::as_str))?;
                script::posts(
                    &targets,
                    &texts,
                    posts.tail,
                    threads,
                    self.rounds.fetch_add(1, Ordering::Relaxed),
                )
            }
        };
        self.write("load.lua", [program.as_str()].into_iter())
    }

    fn write<'a>(&self, name: &str, lines: impl Iterator<Item = &'a str>) -> Result<PathBuf> {
        let path = self.folder.path().join(name);
        std::fs::write(&path, lines.collect::<Vec<_>>().join("\n"))?;
        Ok(path)
    }
}

/// Figures of a case at one number of connections. Processor time and statements are per request.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Figures {
    pub(crate) connections: u32,
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

/// Counters of the server at one moment.
#[derive(Clone, Copy)]
pub(crate) struct Counters {
    cpu: Cpu,
    statements: Option<f64>,
}

impl Counters {
    /// Reads them. Servers that do not export the number of statements have none.
    pub(crate) async fn read(pid: u32, client: &quire_bench::client::Client) -> Result<Self> {
        let metrics = client.get("/metrics", &[]).await?;
        let text = String::from_utf8_lossy(&metrics.body).into_owned();
        Ok(Self { cpu: process::cpu(pid)?, statements: metric(&text, "quire_sql_statements_total") })
    }

    /// Fills in the costs of `requests` requests since these counters.
    pub(crate) fn costs(self, after: Self, requests: f64, figures: &mut Figures) {
        let requests = requests.max(1.0);
        figures.server_cpu_ms = Some((after.cpu.server_ms - self.cpu.server_ms) / requests);
        figures.postgres_cpu_ms = Some((after.cpu.postgres_ms - self.cpu.postgres_ms) / requests);
        figures.statements =
            self.statements.zip(after.statements).map(|(before, after)| (after - before) / requests);
    }
}

/// Returns the value of a metric without labels in the answer of `/metrics`.
pub(crate) fn metric(metrics: &str, name: &str) -> Option<f64> {
    metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

/// Returns the sum of a metric over its labels; `None` if the answer of `/metrics` doesn't have it.
pub(crate) fn labelled_metric(metrics: &str, name: &str) -> Option<f64> {
    let value = |line: &str| line.strip_prefix(name)?.strip_prefix('{')?.rsplit_once(' ')?.1.parse().ok();
    let values: Vec<f64> = metrics.lines().filter_map(value).collect();
    (!values.is_empty()).then(|| values.iter().sum())
}

/// Fails with instructions when wrk is not installed.
pub(crate) fn check_installed() -> Result<()> {
    let found = std::env::split_paths(&path()).any(|folder| is_program(&folder.join("wrk")));
    ensure!(found, "wrk is missing: install the package wrk (https://github.com/wg/wrk)");
    Ok(())
}

/// The value of `PATH`.
#[expect(clippy::disallowed_methods, reason = "this is a program, not a library")]
pub(crate) fn path() -> String {
    std::env::var("PATH").unwrap_or_default()
}

pub(crate) fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_is_found_by_its_name() {
        let text = "# TYPE quire_sql_statements_total counter\nquire_sql_statements_total 42\n";
        assert_eq!(metric(text, "quire_sql_statements_total"), Some(42.0));
        assert_eq!(metric(text, "quire_sql_statements"), None);
        assert_eq!(metric("quire_http_requests_total 1\n", "quire_sql_statements_total"), None);
    }

    #[test]
    fn a_metric_is_summed_over_its_labels() {
        let text = "quire_cache_bytes{cache=\"answers\"} 40\nquire_cache_bytes{cache=\"trees\"} 2\n";
        assert_eq!(labelled_metric(text, "quire_cache_bytes"), Some(42.0));
        assert_eq!(labelled_metric(text, "quire_cache"), None);
    }
}
