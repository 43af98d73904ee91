//! Measures a Quire over HTTP: throughput, latency, processor time, statements and memory.
//!
//! The server runs with its default log, on a private PostgreSQL with default durability. Rate limits are off.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints tables and its progress")]

mod busy;
mod cases;
mod content;
mod load;
mod pages;
mod process;
mod report;
mod timed;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use serde_json::{Value, json};

use cases::{Measure, PARTS, Part};
use content::Run;
use load::Bench;
use report::MEMORY;

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
            ensure!(
                names.iter().any(|name| is_in(name, filter)),
                "no case has {filter:?} in its name; the cases are: {}",
                names.join("; ")
            );
        }
        let selects = |name| self.filters.is_empty() || self.filters.iter().any(|filter| is_in(name, filter));
        Ok(PARTS.iter().filter(|part| selects(part.name)).collect())
    }

    /// The results of an earlier run.
    fn earlier(&self) -> Result<Option<Value>> {
        let Some(path) = &self.baseline else { return Ok(None) };
        let text = std::fs::read(path).with_context(|| format!("{} can't be read", path.display()))?;
        let earlier: Value = serde_json::from_slice(&text).context("the baseline is no JSON")?;
        ensure!(earlier.get("format") == Some(&json!(FORMAT)), "{} has another format", path.display());
        Ok(Some(earlier))
    }
}

/// Version of the JSON.
const FORMAT: u32 = 3;

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::parse();
    let (parts, earlier, start) = (options.parts()?, options.earlier()?, Instant::now());
    let progress = |step: &str| eprintln!("{:>4} s  {step}", start.elapsed().as_secs());
    let (oha, seconds) = (options.oha.clone(), options.seconds);
    let rounds = if options.against.is_some() { 2 } else { 1 };
    let bench = Bench { oha, seconds, rounds, loads: Default::default() };
    let content = parts.iter().flat_map(|part| part.content).copied().collect();
    let mut runs = Vec::new();
    for binary in [Some(&options.quire), options.against.as_ref()].into_iter().flatten() {
        progress(&format!("filling spaces of {}", binary.display()));
        runs.push(Run::start(binary, &content).await?);
    }
    for part in parts {
        progress(part.name);
        measure_part(part, &bench, &mut runs).await.with_context(|| part.name)?;
    }
    let results: Vec<_> = runs.into_iter().map(|run| run.results).collect();
    println!("{}", report::text(&results));
    let binaries: Vec<_> = results.iter().map(report::Results::json).collect();
    if let Some(path) = &options.json {
        let processors = std::thread::available_parallelism()?.get();
        let report = json!({
            "format": FORMAT, "processors": processors, "seconds": seconds, "rounds": rounds, "binaries": binaries,
        });
        std::fs::write(path, format!("{report:#}"))
            .with_context(|| format!("{} can't be written", path.display()))?;
        println!("The same as JSON: {}", path.display());
    }
    if let (Some(earlier), Some(now)) = (earlier, binaries.first()) {
        let (earlier, margin) = (earlier.pointer("/binaries/0").unwrap_or(&Value::Null), options.margin);
        let worse = report::regressions(now, earlier, margin).join("\n");
        ensure!(worse.is_empty(), "worse than the baseline by more than {margin}:\n{worse}");
        println!("No figure is worse than the baseline by more than {margin}.");
    }
    Ok(())
}

async fn measure_part(part: &Part, bench: &Bench, runs: &mut [Run]) -> Result<()> {
    if matches!(part.measure, Measure::Gets(_) | Measure::Posts(_)) {
        bench.measure(runs, part).await?;
    }
    for run in runs {
        let mut moment = "after the load";
        match &part.measure {
            Measure::Gets(_) | Measure::Posts(_) => {}
            Measure::ColdPages => timed::cold_pages(run, part.name).await?,
            Measure::Merges => timed::merges(run, part.name).await?,
            Measure::Growth => timed::growth(run).await?,
            Measure::Overload => busy::overload(run, bench).await?,
            Measure::Disturbance => busy::disturbance(run, bench).await?,
            Measure::Rest => {
                tokio::time::sleep(Duration::from_secs(30)).await;
                moment = "30 s later";
            }
        }
        let memory = process::memory_mb(run.server.pid())?;
        run.results.add(MEMORY, moment, &memory);
    }
    Ok(())
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
