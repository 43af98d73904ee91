//! Input of the index: pages.

use quire_domain::ids::PageId;

/// Page to index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<'p> {
    /// Id.
    pub id: PageId,
    /// Title.
    pub title: &'p str,
    /// Path, which answers show.
    pub path: &'p str,
    /// Names that are shown in answers but not searched.
    pub context: Context<'p>,
    /// Text by sections.
    pub sections: Vec<Section<'p>>,
}

impl Page<'_> {
    /// Returns the size of the text in bytes.
    pub(crate) fn text_bytes(&self) -> usize {
        self.sections.iter().map(|section| section.text.len()).sum()
    }
}

/// Names of a page that are shown in answers but not searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context<'p> {
    /// Description; empty if it has none.
    pub description: &'p str,
    /// Titles of the ancestors, from the top level down.
    pub ancestors: Vec<&'p str>,
}

/// Text below a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'p> {
    /// Anchor of the heading, which answers link to; `None` for the text above the first heading.
    pub anchor: Option<&'p str>,
    /// Heading; `None` for the text above the first heading.
    pub heading: Option<&'p str>,
    /// Text.
    pub text: &'p str,
}
