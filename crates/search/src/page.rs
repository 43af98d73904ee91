//! Pages as they are indexed.

use quire_domain::ids::PageId;

/// A page to be indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<'p> {
    /// Its id.
    pub id: PageId,
    /// Its title.
    pub title: &'p str,
    /// Its path, which answers show.
    pub path: &'p str,
    /// Names that only answers show.
    pub context: Context<'p>,
    /// Its text.
    pub sections: Vec<Section<'p>>,
}

impl Page<'_> {
    /// Returns the bytes of its text.
    pub(crate) fn text_bytes(&self) -> usize {
        self.sections.iter().map(|section| section.text.len()).sum()
    }
}

/// Names of a page that answers show and that are not searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context<'p> {
    /// Its description; empty if it has none.
    pub description: &'p str,
    /// The titles of the pages above it, from the top.
    pub ancestors: Vec<&'p str>,
}

/// The text below a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'p> {
    /// The anchor of the heading, which answers show; `None` above the first.
    pub anchor: Option<&'p str>,
    /// The heading; `None` above the first.
    pub heading: Option<&'p str>,
    /// The text.
    pub text: &'p str,
}
