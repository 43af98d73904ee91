//! Description of a site, read from the product's files before the pages.

use std::collections::{BTreeMap, BTreeSet};

use quire_domain::imports::ImportReportEntry;
use quire_markup::markdown::unescaped;

use super::route::Routes;
use crate::layout::Layout;
use crate::path;
use crate::report;
use crate::summary::{Entry, Part};
use crate::tree::SourceTree;

/// Reason why a settings file with page names, order or titles is not a page.
pub(super) const SETTINGS: &str = "it holds settings of the documentation, which were used";

/// Reason why a text of a book's repository is not a page.
const OUTSIDE: &str = "it is outside the folder that the settings name";

/// Reason why an HTML file of a generator's repository is not a page.
const MARKUP: &str = "the generator makes pages of Markdown only";

/// A documentation site as described by its product.
#[derive(Debug, Default)]
pub(crate) struct Site {
    /// The folder of the pages and their table of contents; `None` if the product names neither.
    pub(crate) layout: Option<Layout>,
    /// The table of contents, in a product-specific form.
    pub(crate) contents: Option<Contents>,
    /// Pages missing in the table of contents are hidden.
    pub(crate) hides_unlisted: bool,
    /// Folders that absolute links may start from, besides the root of the content.
    pub(crate) asset_roots: Vec<String>,
    /// Pages by their addresses.
    pub(super) routes: Routes,
    /// Report entries about the product's own files.
    pub(crate) notices: Vec<ImportReportEntry>,
    /// Files that are neither pages nor assets, with the reason.
    pub(super) refusals: BTreeMap<String, &'static str>,
    /// Folders without pages, with the reason.
    pub(super) outside: Vec<(String, &'static str)>,
    /// Only Markdown files become pages.
    pub(crate) is_markdown_only: bool,
    /// Folders of the spaces in a repository. The page of such a folder is the first page of the space, not the parent
    /// of the others.
    pub(crate) tops: Vec<String>,
}

/// A table of contents in a product-specific form.
#[derive(Debug)]
pub(crate) struct Contents {
    /// File that contains it.
    pub(crate) path: String,
    /// Entries.
    pub(crate) parts: Vec<Part>,
}

/// The site of products without a description.
pub(super) static NONE: Site = Site {
    layout: None,
    contents: None,
    hides_unlisted: false,
    asset_roots: Vec::new(),
    routes: Routes::new(),
    notices: Vec::new(),
    refusals: BTreeMap::new(),
    outside: Vec::new(),
    is_markdown_only: false,
    tops: Vec::new(),
};

impl Site {
    /// Returns an export with an optional list of pages. Pages missing in the list are visible too.
    pub(super) fn of_list(contents: Option<Contents>) -> Self {
        let summary = contents.as_ref().map(|contents| contents.path.clone());
        let layout = summary.map(|summary| Layout { summary: Some(summary), ..Layout::default() });
        Self { layout, contents, ..Self::default() }
    }

    /// Returns the repository of a generator with these settings, pages below `root`, and a table of contents unless
    /// `parts` is empty. Without settings, only a part of a repository was imported, and pages without a position are
    /// visible.
    pub(super) fn of_pages(settings: Option<&str>, root: &str, parts: Vec<Part>) -> Self {
        let path =
            settings.map_or_else(|| format!("{root}/").trim_start_matches('/').to_owned(), str::to_owned);
        let contents = (!parts.is_empty()).then_some(Contents { path, parts });
        let summary = settings.filter(|_| contents.is_some()).map(str::to_owned);
        let layout = Layout { root: root.to_owned(), summary, ..Layout::default() };
        let hides_unlisted = settings.is_some();
        let mut site = Self {
            layout: Some(layout),
            contents,
            hides_unlisted,
            is_markdown_only: true,
            ..Self::default()
        };
        site.uses(settings.map(str::to_owned));
        site
    }

    /// Returns the reason why a file is neither page nor asset.
    pub(super) fn refusal(&self, file: &str) -> Option<&'static str> {
        if let Some(reason) = self.refusals.get(file) {
            return Some(reason);
        }
        let is_text = path::is_markdown(file) || path::is_html(file);
        let outside = self.outside.iter().find(|(folder, _)| is_text && path::below(folder, file).is_some());
        let is_markup = self.is_markdown_only && path::is_html(file);
        outside.map(|(_, reason)| *reason).or(is_markup.then_some(MARKUP))
    }

    /// Marks a file as neither page nor asset.
    pub(super) fn refuse(&mut self, file: &str, reason: &'static str) {
        self.refusals.entry(file.to_owned()).or_insert(reason);
    }

    /// Returns the repository of a book with these settings. Texts outside of the root describe the repository.
    pub(super) fn of_book(tree: &SourceTree, settings: &str, layout: Layout) -> Self {
        let is_outside = |file: &&String| path::below(&layout.root, file).is_none();
        let is_text = |file: &&String| path::is_markdown(file) || path::is_html(file) || path::is_docx(file);
        let outside = tree.files.keys().filter(is_outside).filter(is_text);
        let refusals = outside.map(|file| (file.clone(), OUTSIDE)).collect();
        let mut site = Self { refusals, layout: Some(layout), ..Self::default() };
        site.uses([settings.to_owned()]);
        site
    }

    /// Reports groups of the navigation that have no pages in the repository.
    pub(super) fn left_out(&mut self, settings: Option<&str>, groups: &BTreeSet<String>) {
        let Some(settings) = settings.filter(|_| !groups.is_empty()) else { return };
        let named: Vec<String> = groups.iter().map(|label| format!("`{label}`")).collect();
        let message = format!("groups of its navigation without pages were left out: {}", named.join(", "));
        self.notices.push(report::changed(settings, message));
    }

    /// Marks files as settings that were used.
    pub(super) fn uses(&mut self, settings: impl IntoIterator<Item = String>) {
        self.refusals.extend(settings.into_iter().map(|file| (file, SETTINGS)));
    }
}

/// Returns entries without the groups that have no pages on any level, and the titles of these groups.
pub(super) fn without_empty_groups(entries: Vec<Entry>) -> (Vec<Entry>, BTreeSet<String>) {
    let mut groups = BTreeSet::new();
    (without_empty(entries, &mut groups), groups)
}

fn without_empty(entries: Vec<Entry>, groups: &mut BTreeSet<String>) -> Vec<Entry> {
    let kept = entries.into_iter().filter_map(|mut entry| {
        if entry.has_target() {
            entry.children = without_empty(entry.children, groups);
            return Some(entry);
        }
        if !entry.title.is_empty() {
            groups.insert(unescaped(&entry.title));
        }
        None
    });
    kept.collect()
}
