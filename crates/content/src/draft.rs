//! Draft of a content write, and the content that it was made against.

use std::sync::Arc;

use quire_domain::error::Refusal;
use quire_domain::ids::{FileId, RevisionId};
use quire_revision::Tree;
use quire_storage::content::store::{AnalyzedDocument, ContentAt};
use quire_storage::lookup::Authorized;
use quire_storage::{LookupFacts, Reader, Storage};

use crate::edits::{Past, PastNeeds, Resolved};
use crate::error::Result;
use crate::expected::stale_revision;
use crate::write_merge::WriteMerge;

/// Content that a write is drafted against.
#[derive(Debug, Default)]
pub struct DraftBase {
    /// Content at the head. `None` for a space that the write creates.
    pub(super) content: Option<Authorized<ContentAt>>,
    /// Facts from the lookup of the content.
    pub(super) known: Option<LookupFacts>,
    pub(super) tree: Tree,
    /// Revision of the head, if the result depends on history in addition to the tree.
    pub(super) revision: Option<RevisionId>,
    pub(super) past: Past,
    /// True if the writer may only name specifications that the content shows.
    pub(super) only_shown_specs: bool,
}

/// Write applied to a [`DraftBase`].
#[derive(Debug)]
pub struct Draft {
    pub(super) content: Option<Authorized<ContentAt>>,
    pub(super) known: Option<LookupFacts>,
    /// True if the writer may only name specifications that the content shows.
    pub(super) only_shown_specs: bool,
    pub(super) before: Tree,
    pub(super) revision: Option<RevisionId>,
    pub(super) past: Past,
    /// Changed tree with the added files, or the errors in the changes.
    pub(super) result: std::result::Result<(Tree, Vec<FileId>), Refusal>,
    /// Merge with changes by others since the base, if there were any.
    pub(super) merge: Option<Arc<WriteMerge>>,
    pub(super) resolved: Resolved,
    pub(super) documents: Arc<[AnalyzedDocument]>,
}

impl DraftBase {
    /// Returns the content that a lookup found, if everything that the changes need is in memory.
    #[must_use]
    pub fn cached(
        storage: &Storage,
        (content, known): (&Authorized<ContentAt>, LookupFacts),
        needs: &PastNeeds,
    ) -> Option<Self> {
        if !needs.is_empty() || content.specs().are_only_shown() {
            return None;
        }
        let tree = storage.cached_tree(content)?;
        Some(Self { content: Some(content.clone()), known: Some(known), tree, ..Self::default() })
    }

    /// Loads the content, and the history that the changes need.
    pub fn look(reader: &mut Reader<'_>, content: &Authorized<ContentAt>, needs: &PastNeeds) -> Result<Self> {
        let tree = reader.tree(content)?;
        let past = load_past(reader, content, &tree, needs)?;
        let only_shown_specs = content.specs().are_only_shown();
        if only_shown_specs {
            reader.load_links(content, &tree)?;
        }
        Ok(Self {
            content: Some(content.clone()),
            known: Some(reader.known()),
            tree,
            // The previous revision, and changes by others, differ after each move of the head.
            revision: needs.depends_on_history().then_some(content.revision.id),
            past,
            only_shown_specs,
        })
    }
}

impl Draft {
    /// Returns whether the draft is an edit of main content whose transaction needs nothing else from the space.
    pub(super) fn may_be_grouped(&self) -> bool {
        let of_space = self.content.as_ref().is_some_and(|content| content.change_request.is_none());
        of_space && self.known.is_some() && !self.only_shown_specs
    }

    /// Returns whether the draft was made against this head.
    pub(super) fn is_of(&self, (revision, tree): (RevisionId, &Tree)) -> bool {
        self.before.root() == tree.root() && self.has_history_of(revision)
    }

    /// Returns whether the past states that the draft used are still those of this head.
    pub(super) fn has_history_of(&self, head: RevisionId) -> bool {
        self.revision.is_none_or(|revision| revision == head)
    }
}

/// Loads the past states that merges and reverts need.
///
/// # Errors
/// 409 for a base that is not in the history of the content.
fn load_past(
    reader: &mut Reader<'_>,
    content: &Authorized<ContentAt>,
    tree: &Tree,
    needs: &PastNeeds,
) -> Result<Past> {
    let (head, id) = (content.point(), content.revision.id);
    let mut past = Past::default();
    let base = match needs.merge_base.filter(|base| *base != id) {
        Some(base) => Some(reader.base_revision(content, base)?.ok_or_else(|| stale_revision(base, id))?),
        None => None,
    };
    if let Some(base) = &base {
        past.merge_base = Some(reader.tree_at(head.at(base))?);
    }
    if needs.base
        && let Some(revision) =
            reader.revision_to_revert_to(base.as_ref().map_or(head, |base| head.at(base)))?
    {
        past.base = reader.tree_of_revision(head, revision)?;
    }
    for revision in &needs.revisions {
        if let Some(tree) = reader.tree_of_revision(head, *revision)? {
            past.revisions.insert(*revision, tree);
        }
    }
    let documents = needs.documents(tree, &past);
    past.documents = reader.documents_of_head(head, &documents)?;
    Ok(past)
}
