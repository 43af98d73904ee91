//! Texts of the pages of answers, with their words.

use std::collections::HashMap;
use std::sync::Arc;

use quire_domain::ids::{DocumentId, SpaceId};
use quire_search::{Language, PageWords};

use super::pages::engine_section;
use super::text::SearchedText;
use crate::Result;
use crate::transaction::Reader;

impl Reader<'_> {
    /// Returns the texts of documents with their words in a language: at most one statement.
    pub(super) fn texts_by_id(
        &mut self,
        documents: Vec<(SpaceId, DocumentId)>,
        language: Language,
    ) -> Result<HashMap<DocumentId, Arc<SearchedText>>> {
        let cache = &self.storage.search_node().texts;
        let mut texts = HashMap::with_capacity(documents.len());
        let mut missing = Vec::new();
        for (space, id) in documents {
            match cache.get(&(id, language)) {
                Some(text) => drop(texts.insert(id, text)),
                None => missing.push((space, id)),
            }
        }
        if missing.is_empty() {
            return Ok(texts);
        }
        for (id, sections) in self.sections_by_id(missing)? {
            let words = PageWords::new(sections.iter().map(engine_section), language);
            let text = Arc::new(SearchedText { sections, words });
            cache.insert((id, language), Arc::clone(&text));
            texts.insert(id, text);
        }
        Ok(texts)
    }
}
