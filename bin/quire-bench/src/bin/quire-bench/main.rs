//! Measures a Quire over HTTP: throughput, latency, processor time, statements and memory.
//!
//! The server runs with its default log, on a private PostgreSQL with default durability. Rate limits are off.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints tables and its progress")]

mod archives;
mod busy;
mod cases;
mod fixture;
mod load;
mod measure;
mod pages;
mod process;
mod report;
mod run;
mod timed;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Parser;

use cases::{Measure, PARTS, Part};
use measure::{Bench, Case};
use report::{MemoryOverTime, Report, Results};
use run::Run;
use serde_json::Value;

/// Measures a Quire over HTTP, on a private PostgreSQL with default durability. `docs/performance.md` explains the
/// figures.
#[derive(Parser)]
struct Options {
    /// The binary to measure
    quire: PathBuf,

    /// Words: cases whose names contain one of them are measured [default: all]
    filters: Vec<String>,

    /// The load generator
    #[arg(long, default_value = "oha", value_name = "PROGRAM")]
    oha: PathBuf,

    /// Another binary, measured in alternation with the first
    #[arg(long, value_name = "QUIRE")]
    against: Option<PathBuf>,

    /// Writes the results to a file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Fails if a figure is worse than in these results of an earlier run
    #[arg(long, env = "BENCH_BASELINE", value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// The part of a figure by which it may be worse than the baseline
    #[arg(long, env = "BENCH_MARGIN", value_name = "PART", default_value_t = 0.3)]
    margin: f64,

    /// Duration of a measurement
    #[arg(long, env = "BENCH_SECONDS", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    seconds: u64,
}

impl Options {
    /// The parts with a filter in their name; all of them without filters.
    fn parts(&self) -> Result<Vec<&'static Part>> {
        let is_in = |name: &str, filter: &String| name.to_lowercase().contains(&filter.to_lowercase());
        for filter in &self.filters {
            let names: Vec<_> = PARTS.iter().map(|part| part.name).collect();
            anyhow::ensure!(
                names.iter().any(|name| is_in(name, filter)),
                "no case has {filter:?} in its name; the cases are: {}",
                names.join("; ")
            );
        }
        let selects = |name| self.filters.is_empty() || self.filters.iter().any(|filter| is_in(name, filter));
        Ok(PARTS.iter().filter(|part| selects(part.name)).collect())
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match measure(&Options::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quire-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the seconds since the first call and the name of the next step.
fn progress(step: &str) {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    eprintln!("{:>4} s  {step}", START.elapsed().as_secs());
}

async fn measure(options: &Options) -> Result<()> {
    let parts = options.parts()?;
    let baseline: Option<Value> = match &options.baseline {
        Some(path) => {
            let text = std::fs::read(path).with_context(|| format!("{} can't be read", path.display()))?;
            Some(serde_json::from_slice(&text).with_context(|| format!("{} is no JSON", path.display()))?)
        }
        None => None,
    };
    let rounds = if options.against.is_some() { 2 } else { 1 };
    let bench =
        Bench { oha: options.oha.clone(), seconds: options.seconds, rounds, loads: Default::default() };
    let (spaces, sites): (BTreeSet<_>, BTreeSet<_>) = (
        parts.iter().flat_map(|part| part.spaces).copied().collect(),
        parts.iter().flat_map(|part| part.sites).copied().collect(),
    );
    let mut runs = Vec::new();
    for binary in [Some(&options.quire), options.against.as_ref()].into_iter().flatten() {
        let mut run = Run::start(binary).await?;
        progress(&format!("filling spaces of {}", run.binary));
        run.fixture.fill(&run.client, &spaces, &sites).await?;
        run.server.truncate_log()?;
        runs.push(run);
    }
    let mut binaries: Vec<Results> = runs.iter().map(Results::new).collect();
    for part in &parts {
        progress(part.name);
        measure_part(part, &bench, &runs, &mut binaries).await.with_context(|| part.name)?;
    }
    drop(runs);
    let processors = std::thread::available_parallelism()?.get();
    let report = Report { format: 2, processors, seconds: options.seconds, rounds, binaries };
    println!("{}", report.text());
    if let Some(path) = &options.json {
        std::fs::write(path, serde_json::to_string_pretty(&report)?)
            .with_context(|| format!("{} can't be written", path.display()))?;
        println!("The same as JSON: {}", path.display());
    }
    if let Some(earlier) = baseline {
        let (worse, margin) =
            (report::regressions(&serde_json::to_value(&report)?, &earlier, options.margin), options.margin);
        anyhow::ensure!(
            worse.is_empty(),
            "worse than the baseline by more than {margin}:\n{}",
            worse.join("\n")
        );
        println!("No figure is worse than the baseline by more than {margin}.");
    }
    Ok(())
}

async fn measure_part(part: &Part, bench: &Bench, runs: &[Run], binaries: &mut [Results]) -> Result<()> {
    let name = part.name;
    let cases: Vec<Case> = match &part.measure {
        Measure::Gets(get) => measure::read(bench, runs, name, *get, &[16, 64]).await?,
        Measure::Posts(posts) => measure::write(bench, runs, name, *posts).await?,
        _ => Vec::new(),
    };
    for (results, case) in binaries.iter_mut().zip(cases) {
        results.cases.push(case);
    }
    for (run, results) in runs.iter().zip(binaries) {
        match &part.measure {
            Measure::Gets(_) | Measure::Posts(_) => {}
            Measure::ColdPages => results.cases.push(timed::cold_pages(run, name).await?),
            Measure::Merges => results.cases.push(timed::merges(run, name).await?),
            Measure::Growth => results.growth = timed::growth(run).await?,
            Measure::Crowd => results.overload = busy::crowd(run, bench).await?,
            Measure::Disturbance => results.disturbance = busy::disturbance(run, bench).await?,
            Measure::Rest => {
                tokio::time::sleep(Duration::from_secs(30)).await;
                results.memory.after_30_s = Some(process::memory(run.server.pid())?);
                continue;
            }
        }
        if results.memory.after_30_s.is_none() {
            results.memory.after_load = process::memory(run.server.pid())?;
        }
    }
    Ok(())
}

impl Results {
    fn new(run: &Run) -> Self {
        Self {
            path: run.binary.clone(),
            memory: MemoryOverTime { idle: run.idle, after_load: run.idle, after_30_s: None },
            cases: Vec::new(),
            growth: Vec::new(),
            overload: Vec::new(),
            disturbance: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_select_by_parts_of_names() {
        let parts =
            |filters: &[&str]| Options::parse_from([&["quire-bench", "quire"], filters].concat()).parts();
        let names = |filters| parts(filters).unwrap().iter().map(|part| part.name).collect::<Vec<_>>();
        assert_eq!(names(&["Healthz", "merges"]), ["healthz", "merges, one at a time"]);
        assert_eq!(parts(&[]).unwrap().len(), PARTS.len());
        assert!(parts(&["nothing has this"]).is_err());
    }
}
