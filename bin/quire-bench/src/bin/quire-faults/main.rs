//! Fault injection under load: `make faults`. Each acknowledged write must exist exactly once, whichever process is
//! killed.
//!
//! Two nodes on one PostgreSQL serve writers of resources of every kind, through proxies. Each round injects one fault
//! while they write. Writers repeat each request with the same idempotency key until they get a definitive answer, and
//! record it in the ledger. After the fault, the database and the API are compared with the ledger. `docs/testing.md`
//! describes the printed table.

#![allow(clippy::print_stdout, reason = "the table is printed")]

mod check;
mod cluster;
mod deployment;
mod dice;
mod disk;
mod faults;
mod ledger;
mod node;
mod options;
mod proxy;
mod report;
mod signals;
mod work;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Parser as _;
use tokio::sync::watch;

use crate::check::{Reader, check_addresses, check_content, check_database};
use crate::deployment::Deployment;
use crate::dice::Dice;
use crate::faults::Fault;
use crate::ledger::Ledger;
use crate::options::Options;
use crate::report::Report;
use crate::work::{Access, SharedLedger, Writer, lock};

/// Minimum time of the load before and after a fault, in milliseconds.
const WARM: u64 = 150;
/// Time limit for the deployment to heal.
const HEAL_MAX: Duration = Duration::from_secs(30);

fn main() -> Result<()> {
    let options = Options::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let folder = tempfile::Builder::new().prefix("quire-faults-").tempdir()?;
    #[cfg(unix)]
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let seed = options.seed.unwrap_or_else(seed_of_clock);
    println!("seed {seed}, logs in {}", folder.path().display());
    let result = runtime.block_on(run(&options, seed, folder.path()));
    if options.keep || result.is_err() {
        println!("kept: {}", folder.keep().display());
    }
    result
}

fn seed_of_clock() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    now.as_secs().wrapping_mul(31).wrapping_add(u64::from(now.subsec_millis()))
}

async fn run(options: &Options, seed: u64, folder: &std::path::Path) -> Result<()> {
    let (started, mut dice) = (Instant::now(), Dice(seed));
    let mut deployment = Deployment::start(options, folder).await?;
    let kinds = kinds(options, &deployment)?;
    let ledger: SharedLedger = Arc::new(Mutex::new(Ledger::default()));
    let mut writers = Vec::new();
    for number in 0..options.writers {
        let access = Access {
            bases: deployment.bases(),
            token: deployment.token.clone(),
            reviewer: deployment.reviewer.clone(),
            organization: deployment.organization.clone(),
        };
        writers.push(Writer::new(number, seed, access, Arc::clone(&ledger)).await?);
    }
    let spaces: Vec<String> = writers.iter().map(|writer| writer.home().to_owned()).collect();
    writers.iter_mut().for_each(|writer| writer.share(&spaces));
    let mut report = Report::default();
    while report.faults() < options.faults && started.elapsed() < Duration::from_secs(options.seconds) {
        // Each kind once per cycle, in random order.
        let mut order = kinds.clone();
        while !order.is_empty() && report.faults() < options.faults {
            let at = usize::try_from(dice.roll(u64::try_from(order.len())?))?;
            let fault = order.swap_remove(at);
            let round = round(fault, &mut deployment, writers, &mut dice).await;
            let (about, heal, back) = round.with_context(|| format!("under {}", fault.name()))?;
            writers = back;
            let jobs = recount(&deployment, &spaces, &ledger).await.with_context(|| fault.name())?;
            let tally = std::mem::take(&mut lock(&ledger).tally);
            report.add(fault, &about, (heal, jobs), &tally);
            println!(
                "{:>4} {} {about}: healed after {:.2} s, {} acknowledged",
                report.faults(),
                fault.name(),
                heal.as_secs_f64(),
                tally.acknowledged
            );
            if heal > HEAL_MAX {
                bail!("{} {about}: healed after {heal:?}", fault.name());
            }
            // However slow the machine is, each kind is injected once.
            let is_over = started.elapsed() >= Duration::from_secs(options.seconds);
            if is_over && usize::try_from(report.faults())? >= kinds.len() {
                break;
            }
        }
    }
    let reader = Reader::new(format!("http://127.0.0.1:{}", deployment.node(1)?.port), &deployment.token)?;
    let mut all = std::mem::take(&mut *lock(&ledger));
    check_addresses(&reader, &spaces, &mut all).await?;
    report.lines().iter().for_each(|line| println!("{line}"));
    let findings = [report.findings(), &all.tally.losses, &all.tally.wrong].concat();
    findings.iter().take(50).for_each(|finding| println!("! {finding}"));
    println!(
        "{} faults in {:.0} s, seed {seed}: {} findings",
        report.faults(),
        started.elapsed().as_secs_f64(),
        findings.len()
    );
    ensure!(findings.is_empty(), "{} findings", findings.len());
    Ok(())
}

/// Returns the kinds of faults to inject, and prints which kinds are left out.
fn kinds(options: &Options, deployment: &Deployment) -> Result<Vec<Fault>> {
    let mut kinds = Vec::new();
    for (fault, name) in Fault::ALL {
        if !options.kinds.is_empty() && !options.kinds.iter().any(|kind| kind == name) {
            continue;
        }
        match fault.obstacle(deployment) {
            None => kinds.push(fault),
            Some(obstacle) => println!("{name} is left out: {obstacle}"),
        }
    }
    ensure!(!kinds.is_empty(), "no kind of fault is left");
    Ok(kinds)
}

/// Runs the writers, injects one fault meanwhile, and waits until all writes are settled. Returns a description of the
/// fault, the time to heal and the writers.
async fn round(
    fault: Fault,
    deployment: &mut Deployment,
    writers: Vec<Writer>,
    dice: &mut Dice,
) -> Result<(String, Duration, Vec<Writer>)> {
    let (pause, paused) = watch::channel(false);
    let work = writers.into_iter().map(|mut writer| {
        let paused = paused.clone();
        tokio::spawn(async move {
            let worked = writer.work(&paused).await;
            worked.map(|()| writer)
        })
    });
    let work: Vec<_> = work.collect();
    tokio::time::sleep(Duration::from_millis(dice.roll(WARM).saturating_add(WARM))).await;
    let about = fault.inject(deployment, dice).await?;
    let ended = Instant::now();
    deployment.heal().await?;
    let heal = ended.elapsed();
    tokio::time::sleep(Duration::from_millis(WARM)).await;
    pause.send_replace(true);
    let mut back = Vec::new();
    for task in work {
        back.push(task.await??);
    }
    Ok((about, heal, back))
}

/// Compares everything with the ledger while nothing is written. Returns the time until all imports had ended.
async fn recount(deployment: &Deployment, spaces: &[String], ledger: &SharedLedger) -> Result<Duration> {
    let node = deployment.nodes.first().context("there is no node")?;
    let reader = Reader::new(format!("http://127.0.0.1:{}", node.port), &deployment.token)?;
    let mut whole = std::mem::take(&mut *lock(ledger));
    let jobs = check_content(&reader, spaces, &mut whole).await;
    let counted = deployment
        .cluster
        .administer("quire")
        .and_then(|mut connection| check_database(&mut connection, &mut whole));
    *lock(ledger) = whole;
    counted?;
    jobs
}
