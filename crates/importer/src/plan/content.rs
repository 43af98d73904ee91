//! What Markdown files say: front matter, heading and document, with links resolved.

use quire_domain::bounds::{EMOJI_MAX, ICON_MAX, PAGE_DESCRIPTION_MAX};
use quire_domain::ids::ReusableContentId;
use quire_domain::imports::ImportReportEntry;
use quire_markup::{Block, BlockKind, Document, Inline, PageSource, inline_text, parse_page};

use super::names;
use super::resolve::{FileRefs, Targets};
use super::types::PlannedReusableContent;
use crate::encoding;
use crate::include::{self, Budget};
use crate::path;
use crate::report::changed;

/// Reads Markdown files of the import and reports what it had to change.
pub(super) struct ContentReader<'a> {
    pub(super) targets: &'a Targets<'a>,
    pub(super) report: &'a mut Vec<ImportReportEntry>,
    pub(super) includes: Budget,
}

impl ContentReader<'_> {
    /// The page that the file at `source` states.
    pub(super) fn read(&mut self, source: &str) -> PageSource {
        let tree = self.targets.locator.tree;
        let bytes = tree.files.get(source).map(|bytes| &bytes[..]).unwrap_or_default();
        let decoded = encoding::decode(bytes);
        if let Some(note) = decoded.note {
            self.report.push(changed(source, note));
        }
        let text = include::expand(tree, source, decoded.text, &mut self.includes, self.report);
        parse_page(&text, &FileRefs { targets: self.targets, source })
    }

    /// The reusable content that the file at `source` states. Its title is not shown where it is included, so
    /// a heading that gives the title stays in the content.
    pub(super) fn reusable_content(&mut self, id: ReusableContentId, source: &str) -> PlannedReusableContent {
        let PageSource { front_matter, title: heading, mut document } = self.read(source);
        let title = front_matter.title.or_else(|| heading.clone()).filter(|title| !title.trim().is_empty());
        let title = names::title(&title.unwrap_or_else(|| names::from_name(path::stem(source))));
        keep_heading(&mut document, heading, "");
        PlannedReusableContent { id, title, document, source_path: source.to_owned() }
    }

    /// A description within its bound.
    pub(super) fn description(&mut self, text: Option<String>, source: &str) -> Option<String> {
        let text = text.filter(|text| !text.trim().is_empty())?;
        let kept = names::cut(&text, PAGE_DESCRIPTION_MAX);
        if kept != text {
            self.report.push(changed(
                source,
                format!("its description was cut to {PAGE_DESCRIPTION_MAX} characters"),
            ));
        }
        Some(kept)
    }

    /// An icon's name or an emoji; what is too long to be one is left out.
    pub(super) fn short(&mut self, property: &str, text: Option<String>, source: &str) -> Option<String> {
        let text = text.filter(|text| !text.trim().is_empty())?;
        if names::cut(&text, ICON_MAX.min(EMOJI_MAX)) != text {
            self.report.push(changed(source, format!("its {property} was left out: it is too long")));
            return None;
        }
        Some(text)
    }

    /// Tells which properties of a front matter have no place in a page.
    pub(super) fn report_unknown(&mut self, properties: &[(String, String)], source: &str) {
        if properties.is_empty() {
            return;
        }
        let names: Vec<&str> = properties.iter().map(|(name, _)| name.as_str()).collect();
        self.report.push(changed(
            source,
            format!("properties that pages don't have were left out: {}", names.join(", ")),
        ));
    }
}

/// The words of a heading that `document` begins with. It stays there.
pub(super) fn leading_heading(document: &Document) -> Option<String> {
    let first = document.nodes.first()?;
    let is_heading = matches!(first.kind, BlockKind::Heading1 | BlockKind::Heading2 | BlockKind::Heading3);
    is_heading.then(|| inline_text(first.child_inlines()))
}

/// Puts the heading that was taken off `document` back, unless its words stand in the title.
pub(super) fn keep_heading(document: &mut Document, heading: Option<String>, title: &str) {
    if let Some(heading) = heading.filter(|heading| heading != title) {
        document.nodes.insert(0, Block::inlines(BlockKind::Heading1, vec![Inline::text(heading)]));
    }
}
