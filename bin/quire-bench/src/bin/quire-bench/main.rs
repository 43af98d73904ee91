//! Measures a Quire over HTTP: throughput, latency, processor time, statements and memory, with upper bounds from the
//! same run.
//!
//! The server runs with its default log, on a private PostgreSQL with default durability. Rate limits are off.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints tables and its progress")]

mod archives;
mod cases;
mod ceilings;
mod database;
mod fixture;
mod growth;
mod imports;
mod load;
mod options;
mod organizations;
mod overload;
mod pages;
mod plan;
mod process;
mod report;
mod rows;
mod run;
mod search_index;
mod weights;

use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Parser as _;

use cases::{Bench, Case};
use ceilings::Bare;
use fixture::Data;
use load::{Figures, Wrk};
use options::Options;
use plan::Plan;
use process::Memory;
use report::{MemoryOverTime, Report, Results};
use run::Run;
use serde_json::Value;

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
    let plan = Plan::new(options)?;
    load::check_installed()?;
    let baseline = options.baseline.as_deref().map(report::read).transpose()?;
    let rounds = if options.against.is_some() { 2 } else { 1 };
    let bench = Bench { wrk: Wrk::new()?, bare: Bare::start()?, seconds: options.seconds, rounds };
    let mut runs = vec![Run::start(&options.quire).await?];
    if let Some(other) = &options.against {
        runs.push(Run::start(other).await?);
    }
    for run in &mut runs {
        progress(&format!("filling spaces of {}", run.binary));
        run.fixture.fill(&run.client, &plan.data(), &plan.published()).await?;
        run.server.truncate_log()?;
    }
    let ceilings = measure_ceilings(&plan, &bench, &runs).await?;
    let cases = measure_cases(&plan, &bench, &runs, &ceilings).await?;
    let mut binaries = Vec::new();
    for (run, cases) in runs.iter().zip(cases) {
        binaries.push(measure_others(&plan, &bench, run, cases).await?);
    }
    drop(runs);
    let processors = std::thread::available_parallelism()?.get();
    let report = Report { format: 1, processors, seconds: options.seconds, rounds, ceilings, binaries };
    println!("{}", report.text());
    if let Some(path) = &options.json {
        std::fs::write(path, report.json()?)
            .with_context(|| format!("{} can't be written", path.display()))?;
        println!("The same as JSON: {}", path.display());
    }
    match baseline {
        Some(earlier) => compare(&report, &earlier, options.margin),
        None => Ok(()),
    }
}

/// Fails if figures are worse than those of an earlier report.
fn compare(report: &Report, earlier: &Value, margin: f64) -> Result<()> {
    let worse = report::regressions(&serde_json::to_value(report)?, earlier, margin);
    anyhow::ensure!(worse.is_empty(), "worse than the baseline by more than {margin}:\n{}", worse.join("\n"));
    println!("No figure is worse than the baseline by more than {margin}.");
    Ok(())
}

/// pgbench on the first server. A ceiling that can't be measured is reported on standard error and left out.
async fn measure_ceilings(plan: &Plan, bench: &Bench, runs: &[Run]) -> Result<Vec<Case>> {
    let run = runs.first().context("there is a server")?;
    let mut cases = Vec::new();
    let mut add = |name: &str, figures: Result<Figures>| match figures {
        Ok(figures) => cases.push(Case {
            name: name.to_owned(),
            figures: vec![figures],
            answer_bytes: None,
            resident_mb: None,
            ceiling: None,
        }),
        Err(error) => eprintln!("{name} is left out: {error:#}"),
    };
    if plan.statement {
        let space = &run.fixture.space(Data::Small)?.id;
        add(plan::STATEMENT, ceilings::measure_statement(run, space, bench.seconds).await);
    }
    if plan.insert {
        add(plan::INSERT, ceilings::measure_insert(run, bench.seconds).await);
    }
    Ok(cases)
}

/// The rows of the main table, per server.
async fn measure_cases(
    plan: &Plan,
    bench: &Bench,
    runs: &[Run],
    ceilings: &[Case],
) -> Result<Vec<Vec<Case>>> {
    let mut results = vec![Vec::new(); runs.len()];
    let mut add = |cases: Vec<Case>| {
        for (results, case) in results.iter_mut().zip(cases) {
            results.push(case);
        }
    };
    for read in plan.reads.iter().chain(&plan.site_reads) {
        progress(read.name);
        add(cases::measure_read(bench, runs, read).await.with_context(|| read.name)?);
    }
    if plan.cold {
        progress(cases::sites::COLD);
        let mut pages = Vec::new();
        for run in runs {
            pages.push(cases::sites::cold(run).await.context(cases::sites::COLD)?);
        }
        add(pages);
    }
    let inserts = ceilings.iter().find(|case| case.name == plan::INSERT).and_then(Case::main);
    let inserts = inserts.map(|figures| figures.requests_per_second);
    for write in &plan.writes {
        progress(write.name);
        add(cases::measure_write(bench, runs, write, inserts).await.with_context(|| write.name)?);
    }
    if plan.merges {
        progress(cases::merges::NAME);
        let mut merges = Vec::new();
        for run in runs {
            merges.push(cases::merges::measure(run).await.context(cases::merges::NAME)?);
        }
        add(merges);
    }
    Ok(results)
}

/// Everything but the main table, of one server.
async fn measure_others(plan: &Plan, bench: &Bench, run: &Run, cases: Vec<Case>) -> Result<Results> {
    let mut results = Results::new(run, cases);
    if plan.growth {
        progress("growth");
        results.growth = growth::measure(run).await?;
    }
    if plan.rows {
        results.rows_per_edit = rows::of_one_edit(run).await?;
    }
    if plan.organizations {
        progress("organizations");
        results.organizations = organizations::measure(run).await?;
    }
    if plan.crowd {
        progress("overload");
        results.overload = Some(overload::crowd(run, bench.seconds).await?);
    }
    if plan.disturbed {
        progress("disturbance");
        results.disturbance = overload::disturbed(run, &bench.wrk, bench.seconds).await?;
    }
    let pid = run.server.pid();
    results.memory.after_load = process::memory(pid)?;
    if plan.weights {
        results.weights = weights::measure(run).await?;
        results.memory.after_listings = Some(process::memory(pid)?);
    }
    let later: tokio::task::JoinHandle<Result<Memory>> = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(30)).await;
        process::memory(pid)
    });
    if plan.imports {
        progress("imports");
        results.imports = imports::measure(run.binary.as_ref()).await?;
    }
    if plan.rest {
        progress("memory after 30 s");
        results.memory.after_30_s = Some(later.await??);
    }
    if plan.large_index {
        progress("filling 1,000 spaces");
        results.large_index = Some(search_index::measure_large(bench, run.binary.as_ref()).await?);
    }
    if plan.updates {
        progress("page updates with and without the search index");
        results.updates_with_index = Some(search_index::measure_updates(bench, run.binary.as_ref()).await?);
    }
    Ok(results)
}

impl Results {
    fn new(run: &Run, cases: Vec<Case>) -> Self {
        Self {
            path: run.binary.clone(),
            memory: MemoryOverTime {
                idle: run.idle,
                after_load: run.idle,
                after_listings: None,
                after_30_s: None,
            },
            cases,
            growth: Vec::new(),
            rows_per_edit: Vec::new(),
            organizations: Vec::new(),
            overload: None,
            disturbance: Vec::new(),
            imports: Vec::new(),
            weights: Vec::new(),
            large_index: None,
            updates_with_index: None,
        }
    }
}
