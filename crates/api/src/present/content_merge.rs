//! Presentation of the merge of a content write.

use std::collections::HashMap;

use quire_content::WriteMerge;
use quire_domain::bounds::LIST_LIMIT_MAX;
use quire_domain::content::{ContentMerge, MergedDocument};
use quire_domain::documents::DocumentJson;
use quire_domain::ids::RevisionId;
use quire_domain::revisions::RevisionChanges;
use quire_revision::{EntryId, Tree, diff};

use super::content::ContentView;
use crate::error::ApiResult;
use crate::state::ServerState;

/// Returns the merge of a content write, whose changes were merged into `head`.
///
/// # Errors
/// As [`conflicts`](super::conflicts).
pub fn content_merge(
    state: &ServerState,
    view: &ContentView<'_>,
    base: RevisionId,
    merge: &WriteMerge,
    head: &Tree,
) -> ApiResult<ContentMerge> {
    let others = diff(&merge.base, head);
    let RevisionChanges { changes, more, .. } =
        super::changes(view, others, &HashMap::new(), usize::from(LIST_LIMIT_MAX), None);
    let documents = merge.documents.iter().filter_map(merged_document).collect();
    let conflicts = super::conflicts(state, view.space, merge.conflicts.clone())?;
    Ok(ContentMerge { base, changes, more, documents, conflicts })
}

fn merged_document((owner, document): &(EntryId, Option<DocumentJson>)) -> Option<MergedDocument> {
    let (page, reusable_content) = match owner {
        EntryId::Page(id) => (Some(*id), None),
        EntryId::ReusableContent(id) => (None, Some(*id)),
        EntryId::File(_) => return None,
    };
    Some(MergedDocument { page, reusable_content, document: document.clone() })
}
