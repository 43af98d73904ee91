//! Google Docs: documents as web pages or as Word documents.

use super::Dialect;

/// A document of Google Docs. `quire-markup` recognizes its pages.
#[derive(Debug)]
pub(super) struct GoogleDocs;

impl Dialect for GoogleDocs {
    fn product(&self) -> &'static str {
        "Google Docs"
    }
}
