//! The kinds of jobs.

pub mod process_openapi_spec;
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
pub const KINDS: [&str; 2] = [sweep_files::KIND, process_openapi_spec::KIND];

/// The kinds that go by the clock: one that fails is tried again for ever.
const CLOCKED: [&str; 1] = [sweep_files::KIND];

/// Whether a kind of job goes by the clock.
pub(crate) fn is_clocked(kind: &str) -> bool {
    CLOCKED.contains(&kind)
}

/// Writes the jobs that go by the clock, unless they are there.
///
/// # Errors
/// When a statement fails.
pub fn schedule(tx: &mut Tx<'_>) -> Result<()> {
    sweep_files::schedule(tx)
}

/// Does the work of a job.
///
/// # Errors
/// Why it failed; it will be tried again.
pub async fn run(services: &Services, job: &Job) -> anyhow::Result<Next> {
    match job.kind.as_str() {
        sweep_files::KIND => sweep_files::run(&services.storage).await,
        process_openapi_spec::KIND => process_openapi_spec::run(services, job).await,
        kind => anyhow::bail!("`{kind}` is no kind of job"),
    }
}
