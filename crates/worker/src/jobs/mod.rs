//! The kinds of jobs.

pub mod sweep_deliveries;
pub mod sweep_files;

use std::time::Duration;

use quire_storage::jobs::Job;
use quire_storage::{Result, Tx};

use crate::Services;

/// What a job that was done asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing more.
    Done,
    /// To be run again after this time.
    After(Duration),
}

/// The kinds that this version knows. Others are left to the nodes that do.
pub const KINDS: &[&str] = &[sweep_deliveries::KIND, sweep_files::KIND];

/// The kinds that go by the clock: one that fails is tried again for ever.
const CLOCKED: &[&str] = &[sweep_deliveries::KIND, sweep_files::KIND];

/// Whether a kind of job goes by the clock.
pub(crate) fn is_clocked(kind: &str) -> bool {
    CLOCKED.contains(&kind)
}

/// Writes the jobs that go by the clock, unless they are there.
///
/// # Errors
/// When a statement fails.
pub fn schedule(tx: &mut Tx<'_>) -> Result<()> {
    sweep_deliveries::schedule(tx)?;
    sweep_files::schedule(tx)
}

/// Does the work of a job.
///
/// # Errors
/// Why it failed; it will be tried again.
pub async fn run(services: &Services, job: &Job) -> anyhow::Result<Next> {
    match job.kind.as_str() {
        sweep_deliveries::KIND => sweep_deliveries::run(&services.storage).await,
        sweep_files::KIND => sweep_files::run(&services.storage).await,
        kind => anyhow::bail!("`{kind}` is no kind of job"),
    }
}
