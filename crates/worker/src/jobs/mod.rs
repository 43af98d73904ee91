//! Kinds of jobs.

pub mod close_git_proposal;
pub mod expire_pdf;
pub mod find_conflicts;
pub mod import_content;
pub mod mail_inbox;
mod periodic;
pub mod poll_git;
pub mod process_openapi_spec;
pub mod purge_spaces;
pub mod render_pdf;
pub mod send_mails;
pub mod sweep_amended;
pub mod sweep_audit;
pub mod sweep_deliveries;
pub mod sweep_files;
pub mod sweep_idempotency_keys;
pub mod sweep_imports;
pub mod sweep_inbox;
pub mod sweep_invites;
pub mod sweep_mails;
pub mod sweep_sessions;
pub mod sync_git;
pub mod sync_git_site;

use std::time::Duration;

use quire_storage::operations::jobs::Job;
use quire_storage::{Result, SystemTx};

use crate::Services;

/// Outcome of a finished job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The job is complete.
    Done,
    /// Run again after this time.
    RunAgainAfter(Duration),
}

/// Kinds known to this version. Others are left to newer nodes.
pub const KINDS: &[&str] = &[
    close_git_proposal::KIND,
    expire_pdf::KIND,
    find_conflicts::KIND,
    import_content::KIND,
    mail_inbox::KIND,
    poll_git::KIND,
    process_openapi_spec::KIND,
    purge_spaces::KIND,
    render_pdf::KIND,
    send_mails::KIND,
    sweep_amended::KIND,
    sweep_audit::KIND,
    sweep_deliveries::KIND,
    sweep_files::KIND,
    sweep_idempotency_keys::KIND,
    sweep_imports::KIND,
    sweep_inbox::KIND,
    sweep_invites::KIND,
    sweep_mails::KIND,
    sweep_sessions::KIND,
    sync_git::KIND,
    sync_git_site::KIND,
];

/// Slow kinds, which take minutes. A lane of their own keeps them from blocking others.
pub(crate) const SLOW: &[&str] = &[import_content::KIND, sync_git::KIND, sync_git_site::KIND];

/// All other kinds.
pub(crate) const QUICK: &[&str] = &[
    close_git_proposal::KIND,
    expire_pdf::KIND,
    find_conflicts::KIND,
    mail_inbox::KIND,
    poll_git::KIND,
    process_openapi_spec::KIND,
    purge_spaces::KIND,
    render_pdf::KIND,
    send_mails::KIND,
    sweep_amended::KIND,
    sweep_audit::KIND,
    sweep_deliveries::KIND,
    sweep_files::KIND,
    sweep_idempotency_keys::KIND,
    sweep_imports::KIND,
    sweep_inbox::KIND,
    sweep_invites::KIND,
    sweep_mails::KIND,
    sweep_sessions::KIND,
];

/// Periodic kinds, which are retried forever.
const PERIODIC: &[&str] = &[
    expire_pdf::KIND,
    mail_inbox::KIND,
    poll_git::KIND,
    purge_spaces::KIND,
    sweep_amended::KIND,
    sweep_audit::KIND,
    sweep_deliveries::KIND,
    sweep_files::KIND,
    sweep_idempotency_keys::KIND,
    sweep_imports::KIND,
    sweep_inbox::KIND,
    sweep_invites::KIND,
    sweep_mails::KIND,
    sweep_sessions::KIND,
];

pub(crate) fn is_periodic(kind: &str) -> bool {
    PERIODIC.contains(&kind)
}

/// Writes the periodic jobs, unless they exist.
pub fn schedule(tx: &mut SystemTx<'_>) -> Result<()> {
    let jobs = [
        (sweep_audit::KIND, sweep_audit::EVERY),
        (sweep_deliveries::KIND, sweep_deliveries::EVERY),
        (sweep_files::KIND, sweep_files::EVERY),
        (sweep_idempotency_keys::KIND, sweep_idempotency_keys::EVERY),
        (sweep_imports::KIND, sweep_imports::EVERY),
        (sweep_inbox::KIND, sweep_inbox::EVERY),
        (sweep_invites::KIND, sweep_invites::EVERY),
        (sweep_mails::KIND, sweep_mails::EVERY),
        (sweep_sessions::KIND, sweep_sessions::EVERY),
        (mail_inbox::KIND, mail_inbox::EVERY),
        (poll_git::KIND, poll_git::EVERY),
        (purge_spaces::KIND, purge_spaces::EVERY),
    ];
    jobs.into_iter().try_for_each(|(kind, every)| periodic::schedule(tx, kind, every))
}

/// Records the failure of an abandoned job where users see it, in the same transaction.
pub(crate) fn give_up(tx: &mut SystemTx<'_>, job: &Job) -> Result<()> {
    match job.kind.as_str() {
        process_openapi_spec::KIND => process_openapi_spec::give_up(tx, job),
        _ => Ok(()),
    }
}

/// Runs a job.
///
/// # Errors
/// The reason of the failure; the job is retried.
pub async fn run(services: &Services, job: &Job) -> anyhow::Result<Next> {
    match job.kind.as_str() {
        sweep_amended::KIND => sweep_amended::run(&services.storage, job).await,
        sweep_audit::KIND => sweep_audit::run(services).await,
        sweep_deliveries::KIND => sweep_deliveries::run(&services.storage).await,
        sweep_files::KIND => sweep_files::run(&services.storage).await,
        sweep_idempotency_keys::KIND => sweep_idempotency_keys::run(&services.storage).await,
        sweep_imports::KIND => sweep_imports::run(&services.storage).await,
        sweep_inbox::KIND => sweep_inbox::run(&services.storage).await,
        sweep_invites::KIND => sweep_invites::run(&services.storage).await,
        sweep_mails::KIND => sweep_mails::run(&services.storage).await,
        sweep_sessions::KIND => sweep_sessions::run(&services.storage).await,
        find_conflicts::KIND => find_conflicts::run(&services.storage, job).await,
        close_git_proposal::KIND => close_git_proposal::run(services, job).await,
        sync_git::KIND => sync_git::run(services, job).await,
        sync_git_site::KIND => sync_git_site::run(services, job).await,
        mail_inbox::KIND => mail_inbox::run(services).await,
        poll_git::KIND => poll_git::run(&services.storage).await,
        import_content::KIND => import_content::run(services, job).await,
        purge_spaces::KIND => purge_spaces::run(&services.storage).await,
        render_pdf::KIND => render_pdf::run(services, job).await,
        send_mails::KIND => send_mails::run(services, job).await,
        expire_pdf::KIND => expire_pdf::run(&services.storage, job).await,
        process_openapi_spec::KIND => process_openapi_spec::run(services, job).await,
        kind => anyhow::bail!("`{kind}` is not a kind of job"),
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
