//! Previews of open pull requests. The last commit of each is stored as a revision that leaves the content unchanged.
//! The host shows the state of the preview as a commit status.

use std::time::Duration;

use quire_domain::clock::Timestamp;
use quire_domain::git::GitDirection;
use quire_domain::git_installations::{GitPreviewFacts, GitPreviewState};
use quire_domain::ids::RevisionId;
use quire_domain::policy::Action;
use quire_git::{Address, GitError, Limits, Remote};
use quire_storage::content::git_installations::{DueGitInstallation, NewGitPreview};
use quire_storage::content::git_syncs::GitBase;
use quire_storage::lookup::Credentials;
use quire_storage::{Error as StorageError, Reader, Tx};

use super::export::is_own_branch;
use super::hosts::{self, Host, OpenRequest, Status, branch_name};
use super::import::{self, Source};
use super::run::{RunError, RunResources, RunResult, ended, reason_of};
use super::sync::address_of;
use crate::door::Door;
use crate::error::Error;

/// Maximum number of previews of a space. The most recently updated pull requests have one.
const MOST: usize = 20;

/// Maximum number of imports per run. The next run imports the others.
const IMPORTS: usize = 5;

/// Time limit of an import.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Age of the last update at which a pull request loses its preview.
const IDLE: Duration = Duration::from_secs(30 * 24 * 3_600);

/// Space with its repository.
struct Connection<'c> {
    due: &'c DueGitInstallation,
    credentials: Credentials,
    host: Host,
    address: Address,
    /// Name of the commit statuses.
    status: String,
    /// URL of the space in the app.
    page: String,
    base: Option<GitBase>,
}

/// Updates the previews of a space from its pull requests. `base_url` is the URL of the service.
pub(super) async fn run(
    resources: RunResources<'_>,
    door: &impl Door,
    due: &DueGitInstallation,
    credentials: Credentials,
    base_url: &str,
) -> RunResult<()> {
    let Some(host) = Host::of(due.connection.provider) else { return Ok(()) };
    let (space, remote) = (due.space, due.connection.remote.clone());
    let read = move |reader: &mut Reader<'_>| {
        let space = reader.space(space)?.authorize(Action::TriggerGitSync)?;
        Ok((reader.git_previews(&space)?, reader.git_base(&space, &remote)?, space.title.clone()))
    };
    let (known, base, title) = door.read(credentials, read).await?;
    let address = address_of(&due.connection.remote)?;
    let resources = RunResources { limits: Limits { time: TIME_LIMIT, ..resources.limits }, ..resources };
    let target = branch(resources, due, &address).await?;
    let open = match hosts::open_requests(&resources.imports.fetcher, host, &address, &target).await {
        Ok(open) => open,
        Err(error) => {
            log::warn!("the pull requests of {address} cannot be read: {error}");
            return Ok(());
        }
    };
    let (open, closed) = compare(open, &known, due, door.storage().clock().now());
    if !closed.is_empty() {
        let delete = move |tx: &mut Tx<'_>| {
            let space = tx.space(space)?.authorize(Action::TriggerGitSync)?;
            Ok(tx.delete_git_previews(&space, &closed)?)
        };
        door.transact(credentials, delete).await?;
    }
    let page = format!("{}/s/{space}/~/", base_url.trim_end_matches('/'));
    let connection =
        Connection { due, credentials, host, address, status: format!("Quire: {title}"), page, base };
    for request in open.into_iter().take(IMPORTS) {
        connection.preview(resources, door, request).await?;
    }
    Ok(())
}

/// Returns the name of the connected branch.
async fn branch(
    resources: RunResources<'_>,
    due: &DueGitInstallation,
    address: &Address,
) -> RunResult<String> {
    let name = match due.connection.remote.reference.clone() {
        Some(name) => name,
        None => {
            let find = |remote: &Remote| Ok(remote.find_ref(None)?.name);
            Remote::run(&resources.imports.fetcher, address.clone(), resources.limits, find).await?
        }
    };
    Ok(branch_name(&name).to_owned())
}

/// Returns the pull requests whose last commit has no preview, and the numbers of those that lose theirs.
fn compare(
    mut open: Vec<OpenRequest>,
    known: &[GitPreviewFacts],
    due: &DueGitInstallation,
    now: Timestamp,
) -> (Vec<OpenRequest>, Vec<i64>) {
    // The pull requests for a protected branch only contain changes from Quire.
    open.retain(|request| {
        let is_recent = request.updated_at.is_none_or(|updated_at| now.since(updated_at) < IDLE);
        is_recent && !is_own_branch(&request.source) && (due.preview_external || !request.is_external)
    });
    open.truncate(MOST);
    let is_open = |preview: &GitPreviewFacts| open.iter().any(|request| number(request) == preview.number);
    let closed = known.iter().filter(|preview| !is_open(preview)).map(|preview| preview.number).collect();
    let is_done = |request: &OpenRequest| {
        let preview = known.iter().find(|preview| preview.number == number(request));
        preview.is_some_and(|preview| {
            preview.commit == request.commit && preview.state != GitPreviewState::Pending
        })
    };
    open.retain(|request| !is_done(request));
    // Pull requests whose import failed before come last.
    open.sort_by_key(|request| known.iter().any(|preview| preview.commit == request.commit));
    (open, closed)
}

fn number(request: &OpenRequest) -> i64 {
    i64::try_from(request.number).unwrap_or(i64::MAX)
}

impl Connection<'_> {
    /// Creates the preview of a pull request. It remains pending if a retry may succeed.
    async fn preview(
        &self,
        resources: RunResources<'_>,
        door: &impl Door,
        request: OpenRequest,
    ) -> RunResult<()> {
        let (space, installation) = (self.due.space, self.due.connection.id);
        let new = NewGitPreview {
            number: number(&request),
            commit: request.commit.clone(),
            title: request.title.clone(),
            url: request.url.clone(),
        };
        let begun = new.clone();
        let begin = move |tx: &mut Tx<'_>| {
            let space = tx.space(space)?.authorize(Action::TriggerGitSync)?;
            Ok(tx.begin_git_preview(&space, installation, &begun)?)
        };
        if !door.transact(self.credentials, begin).await? {
            return Ok(());
        }
        let settings = format!("{}git", self.page);
        self.report(resources, &new, (GitPreviewState::Pending, "The preview is being created.", &settings))
            .await;
        let revision = RevisionId::from_uuid(door.storage().ids().uuid());
        let Err(error) = self.import(resources, door, (&request, &new), revision).await else {
            let page = format!("{}history/{revision}", self.page);
            self.report(resources, &new, (GitPreviewState::Success, "The preview is ready.", &page)).await;
            return Ok(());
        };
        if is_temporary(&error) {
            log::warn!("a preview of space {space} could not be created: {error}");
            return Ok(());
        }
        let Some(reason) = reason_of(error, GitDirection::Import, space) else { return Ok(()) };
        let (failed, sentence) = (new.clone(), reason.clone());
        let end = move |tx: &mut Tx<'_>| {
            let space = tx.space(space)?.authorize(Action::TriggerGitSync)?;
            Ok(tx.end_git_preview(&space, &failed, Err(&sentence))?)
        };
        if door.transact(self.credentials, end).await? {
            self.report(resources, &new, (GitPreviewState::Failure, &reason, &settings)).await;
        }
        Ok(())
    }

    async fn import(
        &self,
        resources: RunResources<'_>,
        door: &impl Door,
        (request, new): (&OpenRequest, &NewGitPreview),
        revision: RevisionId,
    ) -> RunResult<()> {
        let reference = hosts::head_of(self.host, request.number);
        let source = Source {
            credentials: self.credentials,
            space: self.due.space,
            address: &self.address,
            reference: Some(&reference),
            folder: &self.due.connection.remote.project_directory,
            commit: self.base.as_ref().map(|base| base.commit.clone()),
            last: self.base.as_ref().map(|base| base.revision),
            standalone: Some(revision),
            agents: &self.due.agent_instructions,
            follows: false,
            connection: self.due.parent,
        };
        let Some(fetched) = import::fetch(resources, door, &source).await? else { return Ok(()) };
        let (space, new) = (self.due.space, new.clone());
        let finish = move |tx: &mut Tx<'_>| {
            let space = tx.space(space)?.authorize(Action::TriggerGitSync)?;
            ended(tx.end_git_preview(&space, &new, Ok(revision))?)
        };
        Ok(import::store_standalone(resources, door, (&source, revision), fetched, finish).await?)
    }

    /// Reports the state of a preview as a commit status. A token without this permission is no error.
    async fn report(
        &self,
        resources: RunResources<'_>,
        new: &NewGitPreview,
        (state, text, url): (GitPreviewState, &str, &str),
    ) {
        let status = Status { state, name: &self.status, text, url };
        let reported =
            hosts::report(&resources.imports.fetcher, self.host, &self.address, (&new.commit, status));
        if let Err(error) = reported.await {
            log::warn!("the status of a commit of {} cannot be set: {error}", self.address);
        }
    }
}

/// Returns whether a retry may succeed.
fn is_temporary(error: &RunError) -> bool {
    match error {
        RunError::Git(error) => matches!(
            error,
            GitError::Fetch(_)
                | GitError::Unauthenticated
                | GitError::Failed { .. }
                | GitError::NoSuchRef { .. }
                | GitError::NoCommits
                | GitError::Disk(_)
        ),
        RunError::Content(error) => !matches!(
            error,
            Error::Refused(_) | Error::Storage(StorageError::Refused(_) | StorageError::Forbidden { .. })
        ),
    }
}
