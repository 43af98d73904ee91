//! Documents made from their origins.

use std::sync::Arc;

use quire_domain::ids::DocumentId;
use quire_markup::Document;
use serde_json::Value;

use super::editor::Editor;
use super::problems::Problems;
use super::resolved::{Documents, Lookups, Outcome, Owner, Source};

impl Editor<'_> {
    /// Returns the id of a document, `None` if it is empty. Its links are resolved against the current tree.
    pub(super) fn document_of(&mut self, owner: Owner, source: Source) -> Outcome {
        if let Source::Document(id) = source {
            return Ok(id);
        }
        let key = (owner, source);
        if let Documents::Replayed { resolved, outdated } = &mut self.documents {
            return match resolved.find(&key, &self.tree) {
                Some(outcome) => outcome.clone(),
                None => {
                    *outdated = true;
                    Ok(None)
                }
            };
        }
        let mut lookups = Lookups::default();
        let document = self.resolve(owner, &key.1, &mut lookups);
        let new = document.map(|document| {
            let new = (!document.is_empty()).then(|| document.to_json());
            new.map(|document| (DocumentId::of(&document), document))
        });
        let outcome = new.as_ref().map(|new| new.as_ref().map(|(id, _)| *id)).map_err(Clone::clone);
        if let Documents::Drafted { resolved, made } = &mut self.documents {
            made.extend(new.ok().flatten());
            resolved.0.entry(key).or_default().push((lookups, outcome.clone()));
        }
        outcome
    }

    /// Makes the document of an origin.
    fn resolve(&self, owner: Owner, source: &Source, lookups: &mut Lookups) -> Result<Document, Problems> {
        match source {
            Source::Document(id) => {
                let stored = self.stored_document(*id)?;
                Document::from_stored(&stored).map_err(|_| Problems::new("page", "its document is damaged"))
            }
            Source::Body { change, keeps_heading } => match self.changes.body(*change)? {
                Some(body) => Ok(self.resolve_body(owner, body, *keeps_heading, lookups)),
                None => Ok(Document::default()),
            },
            Source::Reverted { present, past, blocks } => {
                let present = self.value_of(owner, present, lookups)?;
                Self::reverted(&present, &*self.stored_document(*past)?, blocks)
            }
        }
    }

    fn value_of(&self, owner: Owner, source: &Source, lookups: &mut Lookups) -> Result<Arc<Value>, Problems> {
        match source {
            Source::Document(id) => self.stored_document(*id),
            source => Ok(Arc::new(self.resolve(owner, source, lookups)?.to_json())),
        }
    }

    /// Returns a document that this write made, or that was loaded for it.
    fn stored_document(&self, id: Option<DocumentId>) -> Result<Arc<Value>, Problems> {
        let Some(id) = id else { return Ok(Arc::new(Document::default().to_json())) };
        let made = self.documents.made(id).map(|made| Arc::new(made.clone()));
        let found = made.or_else(|| self.context.past.documents.get(&id).cloned());
        found.ok_or_else(|| Problems::new("page", "its document is gone"))
    }
}
