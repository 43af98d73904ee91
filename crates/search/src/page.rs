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
    /// Its text.
    pub sections: Vec<Section<'p>>,
}

impl Page<'_> {
    /// Returns the bytes of its text.
    pub(crate) fn text_bytes(&self) -> usize {
        self.sections.iter().map(|section| section.text.len()).sum()
    }
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
