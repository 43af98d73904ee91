//! `sync-git-site`: synchronizes a site with its connected repository. Also disconnects the spaces of a site whose
//! connection was removed.
//!
//! One transaction applies a site file. Spaces synchronize in jobs of their own.

use anyhow::Context as _;
use quire_storage::SystemTx;
use quire_storage::content::git_installations::GitRunEnd;
use quire_storage::content::git_sites::{SITE_GIT_JOB, SiteGitJob};
use quire_storage::operations::jobs::Job;

use super::Next;
use super::sync_git::NO_TOKEN;
use crate::Services;
use crate::runner::transact;

/// The kind of the job.
pub const KIND: &str = SITE_GIT_JOB;

/// Synchronizes a site. A failure is recorded in the log of the connection, not returned.
///
/// # Errors
/// If this machine causes an error that another attempt may avoid.
pub async fn run(services: &Services, job: &Job) -> anyhow::Result<Next> {
    let storage = &services.storage;
    let payload = serde_json::from_value(job.payload.clone()).context("the job names no site")?;
    let (organization, site) = match payload {
        SiteGitJob::Synchronize { organization, site } => (organization, site),
        SiteGitJob::Disconnect { ended } => {
            transact(storage, move |tx| tx.disconnect_site_git_spaces(ended)).await?;
            return Ok(Next::Done);
        }
    };
    let Some(due) = transact(storage, move |tx| tx.begin_site_git((organization, site))).await? else {
        return Ok(Next::Done);
    };
    let (end, reason) = match due.connection.credentials {
        Some(credentials) => services.git.synchronize_site(storage.storage(), &due, credentials).await?,
        None => (GitRunEnd::Unauthenticated, Some(NO_TOKEN.to_owned())),
    };
    let ended = move |tx: &mut SystemTx<'_>| match &reason {
        Some(reason) => tx.fail_site_git(&due, end, reason),
        None => tx.end_site_git(&due, end),
    };
    transact(storage, ended).await?;
    Ok(Next::Done)
}
