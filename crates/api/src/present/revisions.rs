//! Revisions.

use std::collections::{BTreeSet, HashMap};

use quire_domain::bounds::LIST_LIMIT_MAX;
use quire_domain::content::{ContentMerge, NewRevision};
use quire_domain::object::RevisionTag;
use quire_domain::revisions::{GitCommit, RevisionChanges, RevisionUrls, TagDefinition};
use quire_domain::{ChangeRequest, Revision};
use quire_revision::Change;
use quire_storage::content::store::RevisionRecord;

use super::content::ContentView;

/// Returns a revision with all its content. `tags` are the tags in its content, `merged_from` is the change request of
/// a merge revision, and `git` is the commit of an import.
#[must_use]
pub fn revision(
    view: &ContentView<'_>,
    record: &RevisionRecord,
    tags: BTreeSet<String>,
    (merged_from, git): (Option<ChangeRequest>, Option<GitCommit>),
) -> Revision {
    Revision { pages: view.pages(), ..revision_around_pages(view, record, tags, (merged_from, git)) }
}

/// Returns a revision as [`revision`] does, without its pages.
#[must_use]
pub fn revision_around_pages(
    view: &ContentView<'_>,
    record: &RevisionRecord,
    tags: BTreeSet<String>,
    (merged_from, git): (Option<ChangeRequest>, Option<GitCommit>),
) -> Revision {
    Revision {
        object: RevisionTag::Tag,
        id: record.id,
        revision_type: record.kind,
        merged_from: merged_from.map(Box::new),
        parents: record.parents.clone(),
        pages: Vec::new(),
        files: view.tree.files().map(|file| view.file(file)).collect(),
        reusable_contents: view
            .tree
            .reusable_contents()
            .map(|content| view.reusable_content(content))
            .collect(),
        tags: tags.into_iter().map(TagDefinition::named).collect(),
        created_at: record.created_at,
        git,
        urls: urls(view),
    }
}

fn urls(view: &ContentView<'_>) -> RevisionUrls {
    let published = view.published.clone();
    RevisionUrls { app: view.app.clone(), public: published.clone().filter(|_| view.is_public), published }
}

/// Returns a new revision with its changes.
#[must_use]
pub fn new_revision(
    view: &ContentView<'_>,
    record: &RevisionRecord,
    changes: Vec<Change>,
    merge: Option<ContentMerge>,
) -> NewRevision {
    let RevisionChanges { changes, more, .. } =
        super::changes(view, changes, &HashMap::new(), usize::from(LIST_LIMIT_MAX), None);
    NewRevision {
        object: RevisionTag::Tag,
        id: record.id,
        revision_type: record.kind,
        parents: record.parents.clone(),
        changes,
        more,
        merge,
        created_at: record.created_at,
        urls: urls(view),
    }
}
