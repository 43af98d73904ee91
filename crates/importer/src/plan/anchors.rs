//! Anchors of a page, and their spellings in other tools.

use std::collections::{BTreeMap, BTreeSet};

use quire_markup::{Document, Section, anchors, sections};

/// The anchors of one page.
#[derive(PartialEq, Eq)]
pub(super) struct Anchors {
    exact: BTreeSet<String>,
    /// Anchors by their letters and digits; `None` when several headings share them.
    loose: BTreeMap<String, Option<String>>,
    /// The page's title by its letters and digits.
    title: String,
}

impl Anchors {
    /// Returns whether a heading has this anchor.
    pub(super) fn contains(&self, anchor: &str) -> bool {
        self.exact.contains(anchor)
    }

    pub(super) fn of(title: &str, document: &Document) -> Self {
        let exact = anchors(document).into_iter().collect();
        let mut loose: BTreeMap<String, Option<String>> = BTreeMap::new();
        for Section { anchor, heading, .. } in sections(document) {
            let Some(anchor) = anchor else { continue };
            let mut spellings = vec![loosened(&anchor)];
            spellings.extend(heading.as_deref().map(loosened));
            // GitBook writes the sign as a word.
            let signs = heading.filter(|heading| heading.contains('&'));
            spellings.extend(signs.map(|heading| loosened(&heading.replace('&', "and"))));
            spellings.sort_unstable();
            spellings.dedup();
            for spelling in spellings.into_iter().filter(|spelling| !spelling.is_empty()) {
                let meant = loose.entry(spelling);
                meant.and_modify(|meant| *meant = None).or_insert_with(|| Some(anchor.clone()));
            }
        }
        Self { exact, loose, title: loosened(title) }
    }

    /// Returns whether a link refers to the title, which is not a heading of the document.
    pub(super) fn is_title(&self, written: &str) -> bool {
        let written_loosely = loosened(written);
        !self.exact.contains(written)
            && !self.loose.contains_key(&written_loosely)
            && !written_loosely.is_empty()
            && written_loosely == self.title
    }

    /// Returns whether a link refers to the top of the page, and not to a heading.
    pub(super) fn is_top(&self, written: &str) -> bool {
        written.eq_ignore_ascii_case("top") && !self.loose.contains_key("top")
    }

    /// Returns the anchor that a link with another spelling refers to; `None` if the link is exact, or nothing matches.
    pub(super) fn meant_by(&self, written: &str) -> Option<&str> {
        if self.exact.contains(written) {
            return None;
        }
        let known = |written: &str| self.loose.get(&loosened(written));
        // GitBook writes `id-` before a digit at the start.
        let behind =
            written.strip_prefix("id-").filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        known(written).or_else(|| known(behind?))?.as_deref()
    }
}

/// Returns letters and digits in lower case, without GitBook's words for angle brackets.
fn loosened(text: &str) -> String {
    let text = text.to_lowercase().replace("less-than", "").replace("greater-than", "");
    text.chars().filter(|character| character.is_alphanumeric()).collect()
}
