//! Changes of a connected site, written to its file.

use quire_domain::error::{Reason, Refusal};
use quire_domain::policy::Action;
use quire_git::{Changes, Description, GitError, NewCommit, ObjectId, Remote, Snapshot};
use quire_storage::content::git_sites::{
    DueSiteGit, SavedSiteFile, SiteGitReading, SiteLayout, SiteStructure,
};
use quire_storage::lookup::Credentials;
use quire_storage::{Reader, Tx};

use super::run::{Means, NewExport, RunResult, sentence};
use super::sync::address_of;
use super::{export, site_file, subject};
use crate::door::Door;

/// Message of a commit without a template.
const MESSAGE: &str = "Change the structure of the site";

/// Outcome of a look at the file.
enum Outcome {
    /// The file says what the site has.
    Same,
    /// It does not, and cannot be changed.
    Refused { name: String, reason: String },
    /// It was changed.
    Saved(Box<SavedSiteFile>),
}

/// A file to change.
struct Wanted {
    due: DueSiteGit,
    read: SiteGitReading,
    structure: SiteStructure,
    is_applied: bool,
    description: Description,
}

/// Writes what was changed on the site to the file that was read, or nothing. A repository without credentials is only
/// read.
pub(super) async fn run(
    means: Means<'_>,
    door: &impl Door,
    due: &DueSiteGit,
    credentials: Credentials,
    (read, is_applied): (SiteGitReading, bool),
) -> RunResult<()> {
    let known = due.clone();
    let find = move |reader: &mut Reader<'_>| {
        let site = reader.site(known.organization, known.site)?.authorize(Action::ManageSites)?;
        Ok(reader.site_git_structure(&site, &known)?)
    };
    let structure = door.read(credentials, find).await?;
    if structure.base.as_ref() == Some(&structure.now) {
        return Ok(());
    }
    let now = structure.now.clone();
    let outcome = match structure.base.is_some() && due.remote.account.is_some() {
        false => Outcome::Same,
        true => {
            let address = address_of(&due.remote)?;
            let limits = (means.limits, means.packs.of(Some(due.id), &address));
            let description = description(door, due);
            let wanted = Wanted { due: due.clone(), read, structure, is_applied, description };
            let save = move |remote: &Remote| save(remote, &wanted);
            Remote::run_with(&means.imports.fetcher, address, limits, save).await?
        }
    };
    let saved = match outcome {
        Outcome::Same => None,
        Outcome::Saved(saved) => Some(saved),
        Outcome::Refused { name, reason } => return Err(refused(&name, &reason).into()),
    };
    let known = due.clone();
    let keep = move |tx: &mut Tx<'_>| match saved {
        Some(saved) => Ok(tx.note_saved_site_file(&known, (&now, &saved))?),
        None => {
            let site = tx.site(known.organization, known.site)?.authorize(Action::ManageSites)?;
            Ok(tx.keep_site_structure(&site, &known, &now)?)
        }
    };
    Ok(door.transact(credentials, keep).await?)
}

fn description(door: &impl Door, due: &DueSiteGit) -> Description {
    let template = due.commit_message_template.as_deref();
    let message = subject::filled(template, None, MESSAGE, &due.remote.url);
    let seconds = door.storage().clock().now().millis().div_euclid(1_000);
    export::description(&NewExport { message, seconds, author: None, proposes: None })
}

/// Changes the file on the branch.
fn save(remote: &Remote, wanted: &Wanted) -> Result<Outcome, GitError> {
    let Wanted { due, read, structure, is_applied, description } = wanted;
    let branch = remote.find_ref(due.remote.reference.as_deref())?;
    let Some(commit) = branch.commit else { return Ok(Outcome::Same) };
    let mut snapshot = remote.fetch(commit)?;
    let folder = due.remote.project_directory.as_str();
    // Another file is imported first.
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
    let Some(new) = NewCommit::new(Some(&snapshot), &changes, description)? else { return Ok(Outcome::Same) };
    match remote.push(&branch, &new) {
        Ok(()) => Ok(Outcome::Saved(Box::new(saved(&new, &name, layout)))),
        Err(error @ (GitError::Rejected { .. } | GitError::Unauthenticated)) => {
            Ok(Outcome::Refused { name, reason: sentence(&error) })
        }
        Err(error) => Err(error),
    }
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
    // Parts that are left out were in the log when the file was applied.
    let layout = SiteLayout { notes: Vec::new(), ..layout };
    SavedSiteFile { read: SiteGitReading { commit: Some(new.id.to_string()), file }, layout }
}

fn refused(name: &str, reason: &str) -> Refusal {
    let message = format!(
        "The site was changed, but `{name}` cannot be: {reason} Change the file in the repository, so that both are \
         the same."
    );
    Refusal::new(Reason::Conflict).with_message(message)
}
