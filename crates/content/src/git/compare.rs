//! Comparison of a space with a repository before their first synchronization.

use std::collections::HashSet;

use quire_domain::git_installations::GitComparison;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_git::{GitError, Limits, Remote};
use quire_importer::plan::ContentLocation;
use quire_storage::Reader;
use quire_storage::content::git_installations::GitRemote;
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::Credentials;

use super::export::{Opened, open};
use super::others::Others;
use super::paths;
use super::run::RunResult;
use super::sync::address_of;
use crate::door::Door;
use crate::error::Result;
use crate::imports::ImportRunner;

/// Name of the table of contents, which is not a page.
const SUMMARY: &str = "SUMMARY.md";

/// Counts the pages of the space, the files of the repository, and the paths that both have.
pub(super) async fn run(
    (imports, limits): (&ImportRunner, Limits),
    door: &impl Door,
    credentials: Credentials,
    space: SpaceId,
    remote: GitRemote,
) -> RunResult<GitComparison> {
    let address = address_of(&remote)?;
    let GitRemote { reference, project_directory: folder, .. } = remote;
    let within = folder.clone();
    let open = move |remote: &Remote| match open(remote, reference.as_deref(), &within) {
        // The first export creates the branch in an empty repository.
        Err(GitError::NoSuchRef { name }) if name == "HEAD" => Ok(None),
        opened => opened.map(Some),
    };
    let opened = Remote::run(&imports.fetcher, address, limits, open).await?;
    let (files, location, commit) = match opened {
        None => Default::default(),
        Some(Opened { branch, files, location, .. }) => (files, location, branch.commit),
    };
    let ContentLocation { root, .. } = location;
    let prefix = if root.is_empty() { folder } else { format!("{folder}{root}/") };
    let pages = pages(door, credentials, space, prefix.clone()).await?;
    let is_page = |path: &&String| {
        let inside = path.strip_prefix(prefix.as_str());
        inside.is_some_and(|inside| inside != SUMMARY && inside.to_ascii_lowercase().ends_with(".md"))
    };
    let files: HashSet<&String> = files.keys().filter(is_page).collect();
    let both = pages.iter().filter(|path| files.contains(path)).count();
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    Ok(GitComparison {
        pages: count(pages.len()),
        files: Some(count(files.len())),
        both: Some(count(both)),
        commit: commit.map(|commit| commit.to_string()),
        error: None,
    })
}

/// Returns the paths that the pages of a space have in a repository.
pub(super) async fn pages(
    door: &impl Door,
    credentials: Credentials,
    space: SpaceId,
    prefix: String,
) -> Result<HashSet<String>> {
    let read = move |reader: &mut Reader<'_>| {
        let content = reader.content(space, ContentSelector::Space)?.authorize(Action::ViewImports)?;
        let tree = reader.tree(&content)?;
        let paths = paths::layout(&tree, &prefix, None, &Others::default());
        let pages = tree.pages().filter_map(|page| paths.layout.page(page.id));
        Ok(pages.map(|path| format!("{prefix}{path}")).collect())
    };
    door.read(credentials, read).await
}
