//! Merge of a content write with changes by others since its base revision.
//!
//! The changes are applied to the content of their base. A three-way merge combines the result with the head. A
//! conflict never discards the text of another writer: the head wins, and both versions are reported.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::convert::Infallible;

use quire_domain::documents::DocumentJson;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::DocumentId;
use quire_markup::Document;
use quire_revision::{
    BlockConflict, Conflict, DocumentMerges, EntryId, MAX_PAGE_DEPTH, Merged, Resolution, Strategy, Tree,
    merge_with, raw_diff,
};
use quire_storage::Storage;
use quire_storage::content::store::AnalyzedDocument;
use quire_storage::optimistic::debug_assert_outside_transaction;
use serde_json::Value;

use crate::edits::{Applied, Past};
use crate::error::Result;

/// Merge of a content write whose base is not the head.
#[derive(Debug)]
pub struct WriteMerge {
    /// Content that the changes were applied to.
    pub base: Tree,
    /// Documents that the merge changed, among the pages and reusable contents that the write edits. `None` is an empty
    /// document.
    pub documents: Vec<(EntryId, Option<DocumentJson>)>,
    /// Conflicts, all resolved in favor of the head. *Ours* are the changes of the write.
    pub conflicts: Vec<Conflict>,
}

/// Merges changes, applied to the content of their base, into the head. `edited` are the pages and reusable contents
/// that they edit.
///
/// # Errors
/// 409 if pages would be nested too deeply. 400 if a merged document is too large.
pub(crate) fn merge(
    storage: &Storage,
    [base, head]: [&Tree; 2],
    applied: Applied,
    edited: BTreeSet<EntryId>,
    past: &Past,
) -> Result<(Applied, WriteMerge)> {
    debug_assert_outside_transaction();
    let Applied { tree: drafted, documents: mut new, files } = applied;
    let value = |id: &DocumentId| find(&new, past, *id)?.to_value().ok();
    let resolution = Resolution::reported(Strategy::Theirs);
    let mut merges = DocumentMerges::default();
    let slot = &mut merges;
    let merged = merge_with(base, head, &drafted, &resolution, |wanted| {
        let sources = DocumentMerges::sources(wanted);
        let loaded: HashMap<_, _> = sources.iter().filter_map(|id| Some((*id, value(id)?))).collect();
        *slot = DocumentMerges::new(wanted, &loaded, &resolution);
        Ok::<_, Infallible>(&*slot)
    });
    let Ok(Merged { tree, documents: made, conflicts, .. }) = merged;
    if tree.too_deep_since(head).is_some() {
        let message = format!("The merge would nest pages deeper than {MAX_PAGE_DEPTH} levels.");
        return Err(Refusal::new(Reason::Conflict).with_message(message).into());
    }
    let conflicts = conflicts.into_iter().map(|conflict| with_deleted_text(conflict, value)).collect();
    for (id, document) in merges.made().filter(|(id, _)| made.contains(id)) {
        if let Some(excess) =
            Document::from_stored_value(document).ok().and_then(|document| document.excess())
        {
            return Err(Refusal::new(Reason::InvalidContent)
                .at("changes", format!("merged, {excess}"))
                .into());
        }
        new.push(storage.merged_document(*id, document)?);
    }
    let changed = edited.into_iter().filter_map(|id| {
        let after = tree.entry(id)?.document();
        let is_same = drafted.entry(id).is_some_and(|drafted| drafted.document() == after);
        (!is_same).then(|| (id, after.and_then(|after| find(&new, past, after).cloned())))
    });
    let documents = changed.collect();
    let used: HashSet<DocumentId> =
        raw_diff(head, &tree).iter().filter_map(|(_, after)| after.as_ref()?.document()).collect();
    new.retain(|document| used.contains(&document.id()));
    Ok((Applied { tree, documents: new, files }, WriteMerge { base: base.clone(), documents, conflicts }))
}

fn find<'a>(new: &'a [AnalyzedDocument], past: &'a Past, id: DocumentId) -> Option<&'a DocumentJson> {
    let made = new.iter().find(|document| document.id() == id).map(AnalyzedDocument::body);
    made.or_else(|| past.documents.get(&id))
}

/// Adds the writer's text to a conflict about content that others deleted. The text is not stored elsewhere.
fn with_deleted_text(conflict: Conflict, value: impl Fn(&DocumentId) -> Option<Value>) -> Conflict {
    let document = |version: &Option<Value>| -> Option<Value> {
        let id = version.as_ref()?.get("document")?.as_str()?.parse().ok()?;
        value(&id)
    };
    let (base, ours) = (document(&conflict.base), document(&conflict.ours));
    match (&conflict.theirs, &ours) {
        (None, Some(_)) => {
            let blocks = vec![BlockConflict::of_documents(base.as_ref(), ours.as_ref(), None)];
            Conflict { blocks, ..conflict }
        }
        _ => conflict,
    }
}
