//! The kinds of jobs.

pub mod expire_pdf;
pub mod import_content;
pub mod process_openapi_spec;
pub mod purge_spaces;
pub mod render_pdf;
pub mod sweep_audit;
pub mod sweep_deliveries;
pub mod sweep_files;
pub mod sweep_imports;
pub mod sweep_invites;

use std::time::Duration;

use quire_storage::jobs::Job;
use quire_storage::{Result, SystemTx};

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
pub const KINDS: &[&str] = &[
    expire_pdf::KIND,
    import_content::KIND,
    process_openapi_spec::KIND,
    purge_spaces::KIND,
    render_pdf::KIND,
    sweep_audit::KIND,
    sweep_deliveries::KIND,
    sweep_files::KIND,
    sweep_imports::KIND,
    sweep_invites::KIND,
];

/// The kinds of which one takes minutes: they have a lane of their own, so that nothing waits behind them.
pub(crate) const SLOW: &[&str] = &[import_content::KIND];

/// All others.
pub(crate) const QUICK: &[&str] = &[
    expire_pdf::KIND,
    process_openapi_spec::KIND,
    purge_spaces::KIND,
    render_pdf::KIND,
    sweep_audit::KIND,
    sweep_deliveries::KIND,
    sweep_files::KIND,
    sweep_imports::KIND,
    sweep_invites::KIND,
];

/// The kinds that go by the clock: one that fails is tried again for ever.
const CLOCKED: &[&str] = &[
    expire_pdf::KIND,
    purge_spaces::KIND,
    sweep_audit::KIND,
    sweep_deliveries::KIND,
    sweep_files::KIND,
    sweep_imports::KIND,
    sweep_invites::KIND,
];

/// Whether a kind of job goes by the clock.
pub(crate) fn is_clocked(kind: &str) -> bool {
    CLOCKED.contains(&kind)
}

/// Writes the jobs that go by the clock, unless they are there.
///
/// # Errors
/// When a statement fails.
pub fn schedule(tx: &mut SystemTx<'_>) -> Result<()> {
    sweep_audit::schedule(tx)?;
    sweep_deliveries::schedule(tx)?;
    sweep_files::schedule(tx)?;
    sweep_imports::schedule(tx)?;
    sweep_invites::schedule(tx)?;
    purge_spaces::schedule(tx)
}

/// Writes down, where people see it, that a job was given up; in the transaction that gives it up.
///
/// # Errors
/// When a statement fails.
pub(crate) fn give_up(tx: &mut SystemTx<'_>, job: &Job) -> Result<()> {
    match job.kind.as_str() {
        process_openapi_spec::KIND => process_openapi_spec::give_up(tx, job),
        _ => Ok(()),
    }
}

/// Does the work of a job.
///
/// # Errors
/// Why it failed; it will be tried again.
pub async fn run(services: &Services, job: &Job) -> anyhow::Result<Next> {
    match job.kind.as_str() {
        sweep_audit::KIND => sweep_audit::run(services).await,
        sweep_deliveries::KIND => sweep_deliveries::run(&services.storage).await,
        sweep_files::KIND => sweep_files::run(&services.storage).await,
        sweep_imports::KIND => sweep_imports::run(&services.storage).await,
        sweep_invites::KIND => sweep_invites::run(&services.storage).await,
        import_content::KIND => import_content::run(services, job).await,
        purge_spaces::KIND => purge_spaces::run(&services.storage).await,
        render_pdf::KIND => render_pdf::run(services, job).await,
        expire_pdf::KIND => expire_pdf::run(&services.storage, job).await,
        process_openapi_spec::KIND => process_openapi_spec::run(services, job).await,
        kind => anyhow::bail!("`{kind}` is no kind of job"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_lane() {
        let mut kinds = [QUICK, SLOW].concat();
        kinds.sort_unstable();
        assert_eq!(kinds, KINDS);
    }
}
