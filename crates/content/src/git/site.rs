//! Synchronization of a connected site. Its site file determines the connected spaces and their folders.

use quire_domain::error::{Reason, Refusal};
use quire_domain::git_installations::{GitPriority, GitTrigger};
use quire_domain::policy::Action;
use quire_git::{GitError, Limits, Remote, RemoteRef};
use quire_importer::fetch::Fetcher;
use quire_storage::Tx;
use quire_storage::content::git_installations::GitRemote;
use quire_storage::content::git_sites::{DueSiteGit, SiteGitReading};
use quire_storage::lookup::Credentials;

use super::hosts::branch_name;
use super::run::{RunError, RunResources, RunResult};
use super::site_save::file_of;
use super::sync::address_of;
use super::{site_file, site_merge, site_save};
use crate::door::Door;

/// State of a site's branch.
enum Found {
    /// Same commit as read last.
    Same,
    /// New commit with the site file that was applied last.
    SameFile(SiteGitReading),
    /// New site file to apply.
    File { read: SiteGitReading, name: String, bytes: Vec<u8> },
    /// No site file.
    Missing { branch: String },
}

/// Maximum number of attempts of a run if the branch moves meanwhile.
const ATTEMPTS: usize = 3;

/// Synchronizes a site.
pub(super) async fn run(
    resources: RunResources<'_>,
    door: &impl Door,
    due: &DueSiteGit,
    credentials: Credentials,
) -> RunResult<()> {
    let known = due.clone();
    if due.connection.priority == GitPriority::Gitbook {
        let connect = move |tx: &mut Tx<'_>| {
            let site = tx.site(known.organization, known.site)?.authorize(Action::ManageSites)?;
            tx.connect_site_directories(&site, &known)?;
            Ok(())
        };
        return Ok(door.transact(credentials, connect).await?);
    }
    let mut attempt = 1;
    loop {
        let (read, is_applied) = import(resources, door, known.clone(), credentials).await?;
        match site_save::run(resources, door, &known, credentials, (read, is_applied)).await {
            Err(RunError::Git(GitError::Outdated)) if attempt < ATTEMPTS => attempt += 1,
            result => return result,
        }
    }
}

/// Imports the site file. Returns the commit and file that were read, and whether the site equals the file: it does not
/// if it has changes that the file lacks.
async fn import(
    resources: RunResources<'_>,
    door: &impl Door,
    due: DueSiteGit,
    credentials: Credentials,
) -> RunResult<(SiteGitReading, bool)> {
    let address = address_of(&due.connection.remote)?;
    let last = due.clone();
    let find = move |remote: &Remote| find(remote, &last);
    // The runs of the spaces read the same commit afterwards.
    let limits = (resources.limits, resources.packs.of(Some(due.connection.id), &address));
    let found = Remote::run_with(&resources.imports.fetcher, address, limits, find).await?;
    let mut is_applied = false;
    let (read, layout) = match found {
        Found::Same => return Ok((SiteGitReading { commit: due.commit, file: due.file }, false)),
        Found::Missing { branch } => return Err(missing(&due.connection.remote, &branch).into()),
        Found::SameFile(read) => (read, None),
        Found::File { read, name, bytes } => {
            let layout = site_file::parse(&bytes, &due.connection.remote.project_directory);
            let layout = layout.map_err(|reason| wrong(&name, &reason))?;
            let merged = site_merge::run(resources, door, (&due, credentials), (&read, &bytes)).await?;
            is_applied = merged.is_none();
            (read, Some(merged.unwrap_or(layout)))
        }
    };
    let result = (read.clone(), is_applied);
    let apply = move |tx: &mut Tx<'_>| {
        match layout {
            Some(layout) => tx.apply_site_layout(&due, &layout, &read)?,
            None => {
                let site = tx.site(due.organization, due.site)?.authorize(Action::ManageSites)?;
                tx.sync_spaces_of_site(&site, &due, &read)?;
            }
        }
        Ok(())
    };
    door.transact(credentials, apply).await?;
    Ok(result)
}

/// Reads the site file of a branch, unless it was applied already.
fn find(remote: &Remote, due: &DueSiteGit) -> Result<Found, GitError> {
    let RemoteRef { name: branch, commit } = remote.find_ref(due.connection.remote.reference.as_deref())?;
    let commit = commit.ok_or(GitError::NoCommits)?;
    let is_poll = due.connection.trigger == GitTrigger::Poll;
    if is_poll && due.commit == Some(commit.to_string()) {
        return Ok(Found::Same);
    }
    let mut snapshot = remote.fetch(commit)?;
    let Some((name, id)) = file_of(&snapshot, &due.connection.remote.project_directory) else {
        return Ok(Found::Missing { branch });
    };
    let read = SiteGitReading { commit: Some(commit.to_string()), file: Some(id.to_string()) };
    if due.file == read.file {
        return Ok(Found::SameFile(read));
    }
    remote.fetch_blobs(&mut snapshot, &[id])?;
    let bytes = snapshot.blob(&id)?;
    Ok(Found::File { read, name, bytes })
}

/// Checks that the branch of a site has a site file.
///
/// # Errors
/// [`Reason::GitSiteFileMissing`] if the site file is missing.
pub(super) async fn require_file((fetcher, limits): (&Fetcher, Limits), remote: GitRemote) -> RunResult<()> {
    let address = address_of(&remote)?;
    let (reference, folder) = (remote.reference.clone(), remote.project_directory.clone());
    let find = move |remote: &Remote| {
        let RemoteRef { name, commit } = remote.find_ref(reference.as_deref())?;
        let commit = commit.ok_or(GitError::NoCommits)?;
        let snapshot = remote.fetch(commit)?;
        Ok((name, file_of(&snapshot, &folder).is_some()))
    };
    let (branch, has_file) = Remote::run(fetcher, address, limits, find).await?;
    if has_file { Ok(()) } else { Err(missing(&remote, &branch).into()) }
}

/// Returns the refusal of a branch without a site file.
fn missing(remote: &GitRemote, branch: &str) -> Refusal {
    let [name, _] = site_file::NAMES;
    let path = format!("{}{name}", remote.project_directory);
    let branch = branch_name(branch);
    let message = format!(
        "The branch {branch} has no site file. Add `{path}`, which names the spaces of the site and their folders, or \
         send the priority `gitbook` with `childInstallationProjectDirectories`."
    );
    Refusal::new(Reason::GitSiteFileMissing).with_message(message)
}

fn wrong(name: &str, reason: &str) -> RunError {
    Refusal::new(Reason::InvalidBody).with_message(format!("`{name}` cannot be applied: {reason}")).into()
}
