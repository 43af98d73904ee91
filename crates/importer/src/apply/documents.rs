//! The documents of an import: made by a draft, reused by a replay.

use std::collections::HashMap;

use quire_domain::ids::{PageId, ReusableContentId};
use quire_markup::{ContentRef, Document};
use quire_revision::DocumentId;

use crate::stable_ids::StableIds;

/// Documents of a plan with final references, by the pages and reusable contents of the plan.
#[derive(Debug, Default)]
pub struct Rewritten(pub(super) HashMap<Owner, RewrittenDocument>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    Page(PageId),
    ReusableContent(ReusableContentId),
}

#[derive(Debug)]
pub(super) struct RewrittenDocument {
    pub(super) id: DocumentId,
    /// References to the plan in the document, each with its final form.
    pub(super) references: Vec<(ContentRef, ContentRef)>,
}

impl Rewritten {
    /// Returns the id of a document, if its references still have the same targets.
    pub(super) fn find(&self, owner: Owner, stable_ids: &StableIds) -> Option<DocumentId> {
        let found = self.0.get(&owner)?;
        let mut references = found.references.iter();
        references
            .all(|(planned, last)| stable_ids.renamed(planned).as_ref() == Some(last))
            .then_some(found.id)
    }
}

/// The documents of an import that is being applied.
pub(super) enum Documents<'r> {
    /// A draft, which makes the documents.
    Drafted { rewritten: Rewritten, make: &'r mut dyn FnMut(Document) -> DocumentId },
    /// A replay, which reuses them.
    Replayed { rewritten: &'r Rewritten, outdated: bool },
}
