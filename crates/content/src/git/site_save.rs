//! Saving changes of a connected site to its site file.

use quire_domain::error::{Reason, Refusal};
use quire_domain::git::GitProvider;
use quire_domain::policy::Action;
use quire_git::{Changes, Description, GitError, NewCommit, ObjectId, Remote, Snapshot};
use quire_storage::content::git_installations::{DueConnection, GitProposal};
use quire_storage::content::git_sites::{
    DueSiteGit, SavedSiteFile, SiteGitProposal, SiteGitReading, SiteLayout, SiteStructure,
};
use quire_storage::lookup::Credentials;
use quire_storage::{Reader, Tx};

use super::export::{Ended, Exported, branch_of, offer, push_to, withdraw};
use super::hosts::Proposal;
use super::run::{ExportCommit, RunError, RunResources, RunResult, sentence};
use super::sync::address_of;
use super::{export, site_file, subject};
use crate::door::Door;

/// Message of a commit without a template.
const MESSAGE: &str = "Change the structure of the site";

/// Outcome of an attempt to save.
enum Outcome {
    /// The file is up to date.
    Same,
    /// The file is not up to date and cannot be changed.
    Refused { name: String, reason: String },
    /// The file was changed on the connected branch.
    Saved(Box<SavedSiteFile>),
    /// The file was changed on the branch of the site, because the server refused the commit on `target`.
    Offered { name: String, commit: ObjectId, target: String, reason: String },
}

/// Site file to change.
struct Wanted {
    due: DueSiteGit,
    read: SiteGitReading,
    structure: SiteStructure,
    is_applied: bool,
    description: Description,
    /// Commit of an open pull request, if any.
    proposal: Option<SiteGitProposal>,
}

/// Saves the changes of the site to the file that was read, if there are any. Closes the pull request of the site when
/// no change waits in it any more. A repository without credentials is read-only.
pub(super) async fn run(
    resources: RunResources<'_>,
    door: &impl Door,
    due: &DueSiteGit,
    credentials: Credentials,
    read: (SiteGitReading, bool),
) -> RunResult<()> {
    match save_changes(resources, door, due, credentials, read).await? {
        Exported::Offered => Ok(()),
        Exported::Pushed => close(resources, door, due, credentials).await,
    }
}

/// Closes the pull request of a site, if there is one.
async fn close(
    resources: RunResources<'_>,
    door: &impl Door,
    due: &DueSiteGit,
    credentials: Credentials,
) -> RunResult<()> {
    let DueConnection { provider, remote, pull_request, .. } = &due.connection;
    let Some(logged) = pull_request.as_deref() else { return Ok(()) };
    let (address, source) = (address_of(remote)?, branch_of(due.site));
    let ended = Ended { provider: *provider, address: &address, source: &source, logged };
    let known = due.clone();
    let record = move |tx: &mut Tx<'_>, note: Option<&str>| {
        let site = tx.site(known.organization, known.site)?.authorize(Action::ManageSites)?;
        Ok(tx.end_site_proposal(&site, &known, note)?)
    };
    withdraw(&resources.imports.fetcher, (door, credentials), &ended, record).await
}

/// Saves the changes of the site. Returns `Pushed` also if the file has them already.
async fn save_changes(
    resources: RunResources<'_>,
    door: &impl Door,
    due: &DueSiteGit,
    credentials: Credentials,
    (read, is_applied): (SiteGitReading, bool),
) -> RunResult<Exported> {
    let known = due.clone();
    let find = move |reader: &mut Reader<'_>| {
        let site = reader.site(known.organization, known.site)?.authorize(Action::ManageSites)?;
        // The log also has the commits of pull requests that were closed.
        let proposal = match known.connection.pull_request {
            Some(_) => reader.site_git_proposal(&site)?,
            None => None,
        };
        Ok((reader.site_git_structure(&site, &known)?, proposal))
    };
    let (structure, proposal) = door.read(credentials, find).await?;
    if structure.base.as_ref() == Some(&structure.now) {
        return Ok(Exported::Pushed);
    }
    let now = structure.now.clone();
    let proposed = proposal.as_ref().map(|proposal| proposal.commit.clone());
    let outcome = match structure.base.is_some() && due.connection.remote.account.is_some() {
        false => Outcome::Same,
        true => {
            let address = address_of(&due.connection.remote)?;
            let limits = (resources.limits, resources.packs.of(Some(due.connection.id), &address));
            let description = description(due);
            let wanted = Wanted { due: due.clone(), read, structure, is_applied, description, proposal };
            let save = move |remote: &Remote| save(remote, &wanted);
            Remote::run_with(&resources.imports.fetcher, address, limits, save).await?
        }
    };
    let saved = match outcome {
        Outcome::Same => None,
        Outcome::Saved(saved) => Some(saved),
        Outcome::Refused { name, reason } => return Err(refused(&name, &reason).into()),
        // The pull request was opened before. A user may have closed it since.
        Outcome::Offered { commit, .. } if proposed == Some(commit.to_string()) => {
            return Ok(Exported::Offered);
        }
        Outcome::Offered { name, commit, target, reason } => {
            let offered = (commit.to_string(), target.as_str(), reason.as_str());
            return match propose(resources, door, due, credentials, offered).await {
                Err(RunError::Git(error)) => Err(refused(&name, &sentence(&error)).into()),
                proposed => proposed.map(|()| Exported::Offered),
            };
        }
    };
    let known = due.clone();
    let keep = move |tx: &mut Tx<'_>| match saved {
        Some(saved) => Ok(tx.note_saved_site_file(&known, (&now, &saved))?),
        None => {
            let site = tx.site(known.organization, known.site)?.authorize(Action::ManageSites)?;
            Ok(tx.keep_site_structure(&site, &known, &now)?)
        }
    };
    door.transact(credentials, keep).await?;
    Ok(Exported::Pushed)
}

/// Opens a pull request for a commit on the branch of the site, and records it.
async fn propose(
    resources: RunResources<'_>,
    door: &impl Door,
    due: &DueSiteGit,
    credentials: Credentials,
    (commit, target, reason): (String, &str, &str),
) -> RunResult<()> {
    let (address, source) = (address_of(&due.connection.remote)?, branch_of(due.site));
    let message = message(due);
    let proposal = Proposal { address: &address, source: &source, target, message: &message };
    let url = offer(&resources.imports.fetcher, due.connection.provider, &proposal, reason).await?;
    let (known, proposal) = (due.clone(), GitProposal { commit, url });
    let note = move |tx: &mut Tx<'_>| {
        let site = tx.site(known.organization, known.site)?.authorize(Action::ManageSites)?;
        Ok(tx.propose_site_file(&site, &known, &proposal)?)
    };
    Ok(door.transact(credentials, note).await?)
}

fn message(due: &DueSiteGit) -> String {
    subject::filled(
        due.connection.commit_message_template.as_deref(),
        None,
        MESSAGE,
        &due.connection.remote.url,
    )
}

fn description(due: &DueSiteGit) -> Description {
    export::description(&ExportCommit {
        message: message(due),
        seconds: due.started_seconds(),
        author: None,
        co_authors: Vec::new(),
        is_signed_off: due.connection.sign_off,
    })
}

/// Changes the file on the connected branch.
fn save(remote: &Remote, wanted: &Wanted) -> Result<Outcome, GitError> {
    let Wanted { due, read, structure, is_applied, .. } = wanted;
    let branch = remote.find_ref(due.connection.remote.reference.as_deref())?;
    let Some(commit) = branch.commit else { return Ok(Outcome::Same) };
    let mut snapshot = remote.fetch(commit)?;
    let folder = due.connection.remote.project_directory.as_str();
    // Another site file must be imported first.
    let (name, id) = file_of(&snapshot, folder).ok_or(GitError::Outdated)?;
    if Some(id.to_string()) != read.file {
        return Err(GitError::Outdated);
    }
    remote.fetch_blobs(&mut snapshot, &[id])?;
    let bytes = snapshot.blob(&id)?;
    let (text, layout) = match site_file::updated(&bytes, folder, structure, *is_applied) {
        Ok(Some(updated)) => updated,
        Ok(None) => return Ok(Outcome::Same),
        Err(reason) => return Ok(Outcome::Refused { name, reason }),
    };
    let changes = Changes::from([(name.clone(), Some(text.into_bytes()))]);
    let Some(new) = commit_of(&snapshot, &changes, wanted)? else { return Ok(Outcome::Same) };
    match remote.push(&branch, &new) {
        Ok(()) => Ok(Outcome::Saved(Box::new(saved(&new, &name, layout)))),
        Err(error @ GitError::ReadOnly) => Ok(Outcome::Refused { name, reason: sentence(&error) }),
        Err(error @ GitError::Rejected { .. }) => Ok(offered(remote, due, (name, branch.name), &new, error)),
        Err(error) => Err(error),
    }
}

/// Returns the commit of changes. Reuses the commit of the open pull request if it has the same parent and changes.
fn commit_of(
    snapshot: &Snapshot,
    changes: &Changes,
    Wanted { description, proposal, .. }: &Wanted,
) -> Result<Option<NewCommit>, GitError> {
    if let Some(SiteGitProposal { commit, seconds }) = proposal {
        let description = Description { seconds: *seconds, ..description.clone() };
        let again = NewCommit::new(Some(snapshot), changes, &description)?;
        let id = again.as_ref().map(|again| again.id.to_string());
        if id.as_ref() == Some(commit) {
            return Ok(again);
        }
    }
    NewCommit::new(Some(snapshot), changes, description)
}

/// Pushes a commit to the branch of the site. If the server also refuses this push, the first reason is more helpful.
fn offered(
    remote: &Remote,
    due: &DueSiteGit,
    (name, target): (String, String),
    new: &NewCommit,
    rejected: GitError,
) -> Outcome {
    let branch = branch_of(due.site);
    // Without pull requests, the log has no commit time. Each run would therefore make another commit of the same file.
    let is_there = due.connection.provider == GitProvider::Git && has_file(remote, &branch, &name, new);
    let pushed = if is_there { Ok(()) } else { push_to(remote, &branch, new) };
    match (pushed, rejected) {
        (Ok(()), GitError::Rejected { reason }) => Outcome::Offered { name, commit: new.id, target, reason },
        (_, rejected) => Outcome::Refused { name, reason: sentence(&rejected) },
    }
}

/// Returns whether a branch has the file as in a commit.
fn has_file(remote: &Remote, branch: &str, name: &str, new: &NewCommit) -> bool {
    let there = remote.find_ref(Some(branch)).ok().and_then(|there| there.commit);
    let there = there.and_then(|commit| remote.fetch(commit).ok());
    there.is_some_and(|there| there.files.get(name) == new.files.get(name))
}

/// Returns the path and the object id of the site file below a folder.
pub(super) fn file_of(snapshot: &Snapshot, folder: &str) -> Option<(String, ObjectId)> {
    site_file::NAMES.iter().find_map(|name| {
        let path = format!("{folder}{name}");
        let id = *snapshot.files.get(&path)?;
        Some((path, id))
    })
}

fn saved(new: &NewCommit, name: &str, layout: SiteLayout) -> SavedSiteFile {
    let file = new.files.get(name).map(ObjectId::to_string);
    // Notes about ignored parts were logged when the file was applied.
    let layout = SiteLayout { notes: Vec::new(), ..layout };
    SavedSiteFile { read: SiteGitReading { commit: Some(new.id.to_string()), file }, layout }
}

fn refused(name: &str, reason: &str) -> Refusal {
    let message = format!(
        "The site was changed, but `{name}` could not be updated: {reason} Change the file in the repository to match."
    );
    Refusal::new(Reason::Conflict).with_message(message)
}
