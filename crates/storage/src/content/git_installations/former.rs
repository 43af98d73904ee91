//! Pull requests of branches that connections of spaces and sites had before. A job closes them.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use diesel::dsl;
use diesel::prelude::*;
use quire_domain::git::GitProvider;
use quire_domain::ids::{GitInstallationId, OrganizationId, SiteId, SpaceId};
use serde::{Deserialize, Serialize};

use super::due::{DueRow, due_columns};
use super::{GitAppInstallation, GitRemote};
use crate::content::spaces::SpaceRecord;
use crate::schema::{api_tokens, git_installations, site_git_installations};
use crate::system::{SystemReader, SystemTx};
use crate::transaction::Tx;
use crate::{Error, Result, parse_enum};

/// Kind of the job that closes a pull request.
pub const GIT_FORMER_JOB: &str = "close-git-proposal";

/// Space or site of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum GitOwner {
    /// Space.
    Space(SpaceId),
    /// Site.
    Site(SiteId),
}

impl fmt::Display for GitOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Space(id) => id.fmt(f),
            Self::Site(id) => id.fmt(f),
        }
    }
}

/// Pull request of a connection that got another repository or branch: the input of the job.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FormerGitProposal {
    /// Space or site, which the branch of the pull request is named after.
    pub owner: GitOwner,
    /// Provider.
    pub provider: GitProvider,
    /// URL of the pull request, or of the page to open it.
    pub pull_request: String,
    /// Full name of the former branch; `None` for the branch of HEAD.
    pub reference: Option<String>,
    organization: OrganizationId,
    installation: GitInstallationId,
    /// URL of the former repository, without credentials.
    url: String,
    username: Option<String>,
    /// Sealed password or token in Base64.
    secret: Option<String>,
    app: Option<i64>,
}

impl fmt::Debug for FormerGitProposal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FormerGitProposal").field("pull_request", &self.pull_request).finish_non_exhaustive()
    }
}

/// Former repository, and the state of the connection since then.
#[derive(Clone, Debug)]
pub struct FormerGitRemote {
    /// Former repository with its credentials.
    pub remote: GitRemote,
    /// `true` if the connection still has the repository, with another branch.
    pub is_same_repository: bool,
    /// `true` if the connection has got the former branch of the repository again.
    pub is_back: bool,
}

impl Tx<'_> {
    /// Notes that the connection of a space gets another repository or branch, before it does: no commit waits in its
    /// pull request any more, and a job closes it.
    pub(crate) fn leave_git_branch(&mut self, space: &SpaceRecord) -> Result<()> {
        let row = git_installations::table.find(space.id);
        let former: Option<DueRow> = row
            .left_join(api_tokens::table)
            .filter(git_installations::pull_request.is_not_null())
            .select(due_columns!(git_installations))
            .get_result(self.connection)
            .optional()?;
        let Some(former) = former else { return Ok(()) };
        let none: Option<String> = None;
        diesel::update(row).set(git_installations::pull_request.eq(none)).execute(self.connection)?;
        self.close_former_proposal((space.organization, GitOwner::Space(space.id)), former)
    }

    /// Writes the job that closes the pull request of a former branch.
    pub(crate) fn close_former_proposal(
        &mut self,
        (organization, owner): (OrganizationId, GitOwner),
        row: DueRow,
    ) -> Result<()> {
        let (Some(url), Some(pull_request)) = (row.url, row.pull_request) else { return Ok(()) };
        let former = FormerGitProposal {
            owner,
            provider: parse_enum(&row.provider)?,
            pull_request,
            reference: row.reference,
            organization,
            installation: GitInstallationId::from_uuid(row.id),
            url,
            username: row.username,
            secret: row.secret.map(|secret| BASE64_STANDARD.encode(secret)),
            app: row.app,
        };
        let payload = serde_json::to_value(&former);
        let payload = payload.map_err(|error| Error::Internal("a job can't be written", error.into()))?;
        let run_at = self.now();
        self.enqueue(GIT_FORMER_JOB, payload, None, run_at)?;
        Ok(())
    }
}

impl SystemReader<'_> {
    /// Returns the repository of a former pull request, with its credentials.
    pub fn former_git_remote(&mut self, former: &FormerGitProposal) -> Result<FormerGitRemote> {
        let current: Option<(Option<String>, Option<String>)> = match former.owner {
            GitOwner::Space(space) => git_installations::table
                .find(space)
                .filter(git_installations::id.eq(former.installation))
                .select((git_installations::url, git_installations::reference))
                .get_result(self.connection)
                .optional()?,
            GitOwner::Site(site) => site_git_installations::table
                .find((former.organization, site))
                .filter(site_git_installations::id.eq(former.installation))
                .select((site_git_installations::url, site_git_installations::reference))
                .get_result(self.connection)
                .optional()?,
        };
        let (url, reference) = current.unwrap_or_default();
        let is_same_repository = url.as_ref() == Some(&former.url);
        let sealed = former.secret.as_deref().map(|secret| BASE64_STANDARD.decode(secret)).transpose();
        let sealed = sealed.map_err(|error| Error::corrupt("a token for Git is damaged", error))?;
        let organization = former.organization;
        let remote = GitRemote {
            url: former.url.clone(),
            account: self.git_account(former.installation, former.username.clone(), sealed)?,
            app: former.app.map(|id| GitAppInstallation { organization, id }),
            reference: former.reference.clone(),
            project_directory: String::new(),
        };
        let is_back = is_same_repository && reference == former.reference;
        Ok(FormerGitRemote { remote, is_same_repository, is_back })
    }
}

impl SystemTx<'_> {
    /// Adds a note for users about a former pull request to the newest entry of the log, if the connection still
    /// exists.
    pub fn note_former_proposal(&mut self, former: &FormerGitProposal, note: &str) -> Result<()> {
        match former.owner {
            GitOwner::Space(space) => {
                let row = git_installations::table
                    .find(space)
                    .filter(git_installations::id.eq(former.installation));
                match diesel::select(dsl::exists(row)).get_result(self.connection)? {
                    true => self.add_git_note(space, note),
                    false => Ok(()),
                }
            }
            GitOwner::Site(site) => {
                let key = (former.organization, site);
                let row = site_git_installations::table
                    .find(key)
                    .filter(site_git_installations::id.eq(former.installation));
                match diesel::select(dsl::exists(row)).get_result(self.connection)? {
                    true => self.add_site_git_note(key, note),
                    false => Ok(()),
                }
            }
        }
    }
}
