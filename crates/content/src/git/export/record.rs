//! Records the end of an export.

use std::collections::BTreeMap;
use std::sync::Arc;

use quire_domain::ids::RevisionId;
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_git::ObjectId;
use quire_revision::{FileNode, GitBlob, PageNode};
use quire_storage::content::git_syncs::GitBase;
use quire_storage::content::store::{Amending, Commit, ContentAt, ContentSelector};
use quire_storage::lookup::Authorized;
use quire_storage::{Reader, Tx};

use super::super::run::{GitRun, ended};
use super::edits::Sides;
use super::push::Pushed;
use crate::door::Door;
use crate::error::{Error, Result};
use crate::exports::layout::Layout;

/// Records the paths and object ids of the written files in a revision of its own, and ends the run.
pub(super) async fn finish(
    door: &impl Door,
    run: &GitRun,
    (sides, prefix): (Arc<Sides>, String),
    pushed: Option<Pushed>,
) -> Result<()> {
    let (space, sync) = (run.sync.space, run.sync.clone());
    let exported = sides.content.revision.id;
    let turn = door.turn(sides.content.head_key()).await?;
    let find = move |reader: &mut Reader<'_>| {
        Ok(reader.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?)
    };
    let end = move |tx: &mut Tx<'_>, content: Authorized<ContentAt>| {
        let (base, notes) = match pushed {
            None => (None, None),
            Some(Pushed { commit, files, notes, .. }) => {
                let revision = note(tx, &content, &sides.head.layout, &prefix, &files)?;
                // Later changes by others are not exported yet.
                let is_exported = content.revision.id == exported;
                let revision = revision.filter(|_| is_exported).unwrap_or(exported);
                (Some(GitBase { commit: commit.to_string(), revision }), notes)
            }
        };
        ended(tx.succeed_git_sync(&sync, base.as_ref(), None)?)?;
        match &notes {
            Some(notes) => Ok(tx.note_git_sync(&sync, notes)?),
            None => Ok(()),
        }
    };
    door.write(run.credentials, turn, find, end).await
}

/// Writes the locations of files to the content. Returns the new revision, if anything changed.
fn note(
    tx: &mut Tx<'_>,
    content: &Authorized<ContentAt>,
    layout: &Layout,
    prefix: &str,
    files: &BTreeMap<String, ObjectId>,
) -> Result<Option<RevisionId>> {
    // Locked content cannot be changed. The next export writes the same files again.
    if content.require_editable().is_err() {
        return Ok(None);
    }
    let head = tx.lock_for_edit(content)?;
    let git = |path: Option<&str>| {
        let path = format!("{prefix}{}", path?);
        let oid = files.get(&path)?.to_string();
        Some(GitBlob { oid, path })
    };
    let mut tree = head.tree.clone();
    let invalid =
        |error| Error::internal("locations in a repository can't be noted", anyhow::Error::from(error));
    for page in head.tree.pages() {
        let Some(git) = git(layout.page(page.id)) else { continue };
        tree.update_page(PageNode { git: Some(Box::new(git)), ..page.clone() }).map_err(invalid)?;
    }
    for file in head.tree.files() {
        let Some(git) = git(layout.file(file.id)) else { continue };
        tree.update_file(FileNode { git: Some(git), ..file.clone() }).map_err(invalid)?;
    }
    for reusable in head.tree.reusable_contents() {
        let Some(git) = git(layout.reusable_content(reusable.id)) else { continue };
        let mut noted = reusable.clone();
        noted.git = Some(git);
        tree.update_reusable_content(noted).map_err(invalid)?;
    }
    if tree == head.tree {
        return Ok(None);
    }
    let commit = Commit {
        kind: RevisionType::Edits,
        other_parent: None,
        merged_from: None,
        tree: &tree,
        amending: Amending::Never,
        documents: &[],
        stored_ahead: None,
    };
    Ok(Some(tx.commit(&head, &commit)?.id))
}
