//! Quire: an export in the form of GitBook. Broken links are kept as broken links.

use quire_markup::exported::EXACT_ANCHORS;

use super::Dialect;
use crate::tree::SourceTree;

/// An export.
#[derive(Debug)]
pub(super) struct Quire;

impl Quire {
    /// Returns whether a Quire export wrote the table of contents.
    pub(super) fn wrote(tree: &SourceTree, summary: &str) -> bool {
        tree.text(summary).is_some_and(|text| text.lines().any(|line| line == EXACT_ANCHORS))
    }
}

impl Dialect for Quire {
    fn product(&self) -> &'static str {
        "GitBook"
    }

    fn anchors_are_exact(&self) -> bool {
        true
    }
}
