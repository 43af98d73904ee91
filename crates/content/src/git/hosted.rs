//! Lists of a host, for users who connect a space or site.

use quire_domain::git::GitProvider;
use quire_domain::git_hosts::{GitBranch, GitFile, GitRepositoryEntry};
use quire_git::{Address, Limits};
use quire_storage::content::git_installations::GitRemote;

use super::hosts::HostedRepository;
use super::repository;
use super::runner::{COMPARISON_LIMIT, GitRunner};
use crate::error::Result;

/// Maximum number of branches in a list.
const BRANCHES: usize = 1_000;

impl GitRunner {
    /// Returns the branches of the repository of a connection.
    ///
    /// # Errors
    /// 400 if the repository is unreadable. 503 if too many runs wait on this node.
    pub async fn branches(&self, remote: &GitRemote) -> Result<Vec<GitBranch>> {
        let _permit = self.begin()?;
        let limits = Limits { time: COMPARISON_LIMIT, ..self.limits };
        let remote = self.admitted(remote).await?;
        repository::branches((&self.imports.fetcher, limits), &remote, BRANCHES).await
    }

    /// Returns the repositories on a connection's host that its token can access.
    ///
    /// # Errors
    /// 400 if the request to the host fails. 404 if the host has no lists. 503 if too many runs wait on this node.
    pub async fn repositories(
        &self,
        remote: &GitRemote,
        provider: GitProvider,
    ) -> Result<Vec<GitRepositoryEntry>> {
        let _permit = self.begin()?;
        let all = self.admitted(&without_repository(remote)).await?.into_owned();
        repository::repositories(&self.imports.fetcher, &all, provider).await
    }

    /// Returns the URL of a repository by its id on the host of `remote`. `None` if the token cannot access it.
    ///
    /// # Errors
    /// The errors of [`GitRunner::repositories`].
    pub async fn clone_url(
        &self,
        remote: &GitRemote,
        provider: GitProvider,
        id: i64,
    ) -> Result<Option<String>> {
        let _permit = self.begin()?;
        let remote = self.admitted(remote).await?;
        repository::clone_url(&self.imports.fetcher, &remote, provider, id).await
    }

    /// Returns the branches of a repository on a connection's host.
    ///
    /// # Errors
    /// The errors of [`GitRunner::repositories`].
    pub async fn branches_of(&self, remote: &GitRemote, hosted: &HostedRepository) -> Result<Vec<GitBranch>> {
        let _permit = self.begin()?;
        let all = self.admitted(&without_repository(remote)).await?.into_owned();
        repository::branches_of(&self.imports.fetcher, &all, hosted).await
    }

    /// Returns a file of a repository on a connection's host, by its path and the branch, tag or commit.
    ///
    /// # Errors
    /// The errors of [`GitRunner::repositories`].
    pub async fn file_of(
        &self,
        remote: &GitRemote,
        hosted: &HostedRepository,
        file: (&str, &str),
    ) -> Result<GitFile> {
        let _permit = self.begin()?;
        let all = self.admitted(&without_repository(remote)).await?.into_owned();
        repository::file(&self.imports.fetcher, &all, hosted, file).await
    }
}

/// Returns the host of a repository as a remote, for lists of everything that the credentials can access.
fn without_repository(remote: &GitRemote) -> GitRemote {
    let origin = Address::parse(&remote.url).map_or_else(|_| String::new(), |address| address.origin());
    GitRemote { url: origin, ..remote.clone() }
}
