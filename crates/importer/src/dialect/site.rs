//! The description of a documentation by the files of its product, before its pages are read.

use std::collections::BTreeMap;

use quire_domain::imports::ImportReportEntry;

use super::route::Routes;
use crate::layout::Layout;
use crate::summary::Part;

/// Why a file that named pages, their order or their titles is no page.
pub(super) const SETTINGS: &str = "it holds settings of the documentation, which were used";

/// A documentation as its product describes it.
#[derive(Debug, Default)]
pub(crate) struct Site {
    /// The folder of the pages and their table of contents; `None` when the product names neither.
    pub(crate) layout: Option<Layout>,
    /// The table of contents, in a form of the product's own.
    pub(crate) contents: Option<Contents>,
    /// True if pages that the table of contents leaves out are hidden.
    pub(crate) hides_unlisted: bool,
    /// Folders from whose tops absolute links may start, next to the root of the content.
    pub(crate) asset_roots: Vec<String>,
    /// Pages by their addresses.
    pub(super) routes: Routes,
    /// Lines of the report about the product's own files.
    pub(crate) notices: Vec<ImportReportEntry>,
    /// Files that are neither pages nor assets, each with the reason.
    pub(super) refusals: BTreeMap<String, &'static str>,
}

/// A table of contents in a form of the product's own.
#[derive(Debug)]
pub(crate) struct Contents {
    /// The file it is in.
    pub(crate) path: String,
    /// Its entries.
    pub(crate) parts: Vec<Part>,
}

/// The site of products that describe none.
pub(super) static NONE: Site = Site {
    layout: None,
    contents: None,
    hides_unlisted: false,
    asset_roots: Vec::new(),
    routes: Routes::new(),
    notices: Vec::new(),
    refusals: BTreeMap::new(),
};

impl Site {
    /// An export with a list of its pages, if it has one. Pages that the list leaves out are visible all the same.
    pub(super) fn of_list(contents: Option<Contents>) -> Self {
        let summary = contents.as_ref().map(|contents| contents.path.clone());
        let layout = summary.map(|summary| Layout { summary: Some(summary), ..Layout::default() });
        Self { layout, contents, ..Self::default() }
    }

    /// The repository of a generator with these settings, pages below `root`, and a table of contents if `parts` aren't empty.
    pub(super) fn of_generator(settings: &str, root: &str, parts: Vec<Part>) -> Self {
        let contents = (!parts.is_empty()).then(|| Contents { path: settings.to_owned(), parts });
        let summary = contents.as_ref().map(|contents| contents.path.clone());
        let layout = Layout { root: root.to_owned(), summary, ..Layout::default() };
        let mut site = Self { layout: Some(layout), contents, hides_unlisted: true, ..Self::default() };
        site.uses([settings.to_owned()]);
        site
    }

    /// The repository of a book with these settings.
    pub(super) fn of_book(settings: &str, layout: Layout) -> Self {
        let mut site = Self { layout: Some(layout), ..Self::default() };
        site.uses([settings.to_owned()]);
        site
    }

    /// Marks files as settings that were used.
    pub(super) fn uses(&mut self, settings: impl IntoIterator<Item = String>) {
        self.refusals.extend(settings.into_iter().map(|file| (file, SETTINGS)));
    }
}
