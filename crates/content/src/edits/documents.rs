//! Creates documents from their origins.

use std::borrow::Cow;

use quire_domain::ids::DocumentId;
use quire_markup::Document;
use quire_storage::content::store::AnalyzedDocument;

use super::editor::Editor;
use super::problems::Problems;
use super::resolved::{Documents, Lookups, Outcome, Owner, Source};
use crate::analyzer::new_document;

impl<'a> Editor<'a> {
    /// Returns the id of a document, `None` if it is empty. Its links are resolved in the current tree.
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
        let made = document.map(|document| (!document.is_empty()).then(|| new_document(&document)));
        let outcome = made.as_ref().map(|made| made.as_ref().map(AnalyzedDocument::id)).map_err(Clone::clone);
        if let Documents::Drafted { resolved, made: all } = &mut self.documents {
            all.extend(made.ok().flatten().map(|made| (made.id(), made)));
            resolved.0.entry(key).or_default().push((lookups, outcome.clone()));
        }
        outcome
    }

    /// Creates the document of an origin.
    fn resolve(
        &self,
        owner: Owner,
        source: &Source,
        lookups: &mut Lookups,
    ) -> Result<Cow<'a, Document>, Problems> {
        match source {
            Source::Document(id) => self.stored_document(*id).map(Cow::Owned),
            Source::Body { change, keeps_heading } => {
                let changes = self.changes;
                Ok(match changes.body(*change)? {
                    Some(body) => self.resolve_body(owner, body, *keeps_heading, lookups),
                    None => Cow::default(),
                })
            }
            Source::Reverted { present, past, blocks } => {
                let present = self.resolve(owner, present, lookups)?;
                Self::reverted(&present.to_json(), &self.stored_document(*past)?.to_json(), blocks)
                    .map(Cow::Owned)
            }
        }
    }

    /// Returns a document that this write created or that was loaded for it.
    fn stored_document(&self, id: Option<DocumentId>) -> Result<Document, Problems> {
        let Some(id) = id else { return Ok(Document::default()) };
        let found = self.documents.made(id).or_else(|| self.context.past.documents.get(&id));
        let found = found.ok_or_else(|| Problems::new("page", "its document does not exist"))?;
        Document::from_stored(found.as_bytes()).map_err(|_| Problems::new("page", "its document is damaged"))
    }
}
