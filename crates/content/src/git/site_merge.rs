//! A site file that was changed in the repository while it lacked changes of the site.

use quire_domain::policy::Action;
use quire_git::{GitError, ObjectId, Remote};
use quire_storage::Reader;
use quire_storage::content::git_sites::{DueSiteGit, SiteGitReading, SiteLayout};
use quire_storage::lookup::Credentials;

use super::run::{RunResources, RunResult};
use super::site_file;
use super::sync::address_of;
use crate::door::Door;

/// Returns the structure of a new site file with the changes of the site that the last file lacked; `None` without such
/// changes, and for a repository that is only read.
pub(super) async fn run(
    resources: RunResources<'_>,
    door: &impl Door,
    (due, credentials): (&DueSiteGit, Credentials),
    (read, bytes): (&SiteGitReading, &[u8]),
) -> RunResult<Option<SiteLayout>> {
    let commit = id_of(read.commit.as_deref()).filter(|_| due.connection.remote.account.is_some());
    let Some(commit) = commit else { return Ok(None) };
    let known = due.clone();
    let find = move |reader: &mut Reader<'_>| {
        let site = reader.site(known.organization, known.site)?.authorize(Action::ManageSites)?;
        Ok(reader.site_git_structure(&site, &known)?)
    };
    let structure = door.read(credentials, find).await?;
    if structure.base.as_ref().is_none_or(|base| *base == structure.now) {
        return Ok(None);
    }
    let former = match id_of(due.file.as_deref()) {
        Some(former) => {
            let address = address_of(&due.connection.remote)?;
            let limits = (resources.limits, resources.packs.of(Some(due.connection.id), &address));
            let fetch = move |remote: &Remote| fetch(remote, commit, former);
            Remote::run_with(&resources.imports.fetcher, address, limits, fetch).await?
        }
        // The connection was changed since then.
        None => None,
    };
    Ok(site_file::merged((former.as_deref(), bytes), &due.connection.remote.project_directory, &structure))
}

fn id_of(id: Option<&str>) -> Option<ObjectId> {
    ObjectId::from_hex(id?.as_bytes()).ok()
}

/// Fetches the last file; `None` if the server does not have it any more, as after a forced push.
fn fetch(remote: &Remote, commit: ObjectId, former: ObjectId) -> Result<Option<Vec<u8>>, GitError> {
    let mut snapshot = remote.fetch(commit)?;
    match remote.fetch_blobs(&mut snapshot, &[former]) {
        Ok(()) => snapshot.blob(&former).map(Some),
        Err(GitError::Missing { .. } | GitError::Protocol { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
