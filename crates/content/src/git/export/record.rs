//! Records the end of an export.

use std::collections::BTreeMap;
use std::sync::Arc;

use quire_domain::ids::RevisionId;
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_git::ObjectId;
use quire_revision::GitBlob;
use quire_storage::content::git_syncs::GitBase;
use quire_storage::content::store::{Amending, Commit, ContentAt, ContentSelector};
use quire_storage::lookup::Authorized;
use quire_storage::{Reader, Tx};

use super::super::run::{GitRun, ended};
use super::edits::{Sides, unplaced};
use super::places::located;
use super::push::Pushed;
use crate::door::Door;
use crate::error::Result;
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
    let tree = located(
        &head.tree,
        |page| git(layout.page(page.id)),
        |file| git(layout.file(file.id)),
        |content| git(layout.reusable_content(content.id)),
    );
    let tree = tree.map_err(unplaced)?;
    if tree == head.tree {
        return Ok(None);
    }
    let commit = Commit {
        kind: RevisionType::Edits,
        other_parent: None,
        merged_from: None,
        imported: None,
        tree: &tree,
        amending: Amending::Never,
        documents: &[],
        stored_ahead: None,
    };
    Ok(Some(tx.commit(&head, &commit)?.id))
}
