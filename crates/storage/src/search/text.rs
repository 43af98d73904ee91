//! The text of a page that answers show.

use std::sync::Arc;

use quire_search::PageWords;

use crate::content::{SectionFact, weight_of_sections};

/// The sections of a document and the words in them.
pub(super) struct SearchedText {
    pub(super) sections: Arc<[SectionFact]>,
    pub(super) words: PageWords,
}

impl SearchedText {
    /// Returns the memory that the text takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        weight_of_sections(&self.sections) + self.words.bytes()
    }
}
