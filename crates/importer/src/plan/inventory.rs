//! Role of each file of an import: a page, a reusable content, a file, or not imported.

use std::collections::{BTreeMap, BTreeSet};

use crate::dialect::Dialect;
use crate::layout::Layout;
use crate::path;
use crate::stub;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// Returns the names of the files that a table of contents lists, without folders.
fn names_in(summary: &str) -> BTreeSet<String> {
    let mut entries: Vec<Entry> = summary::parse(summary).into_iter().flat_map(|part| part.entries).collect();
    let mut names = BTreeSet::new();
    while let Some(entry) = entries.pop() {
        entries.extend(entry.children);
        let target = entry.target.unwrap_or_default();
        let file = target.split(['#', '?']).next().unwrap_or_default();
        let name = path::name(file);
        names.insert(percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned());
        names.insert(name.to_owned());
    }
    names
}

/// Returns the file that an HTML file redirects to.
fn stub_target(tree: &SourceTree, file: &str) -> Option<String> {
    let is_small = tree.files.get(file).is_some_and(|content| content.len() <= stub::MAX_BYTES);
    if !path::is_html(file) || !is_small || tree.bases.contains_key(file) {
        return None;
    }
    let text = tree.text(file)?;
    let address = stub::target(&text)?.split(['#', '?']).next()?.to_owned();
    let target = match address.strip_prefix('/') {
        Some(address) => path::join("", address),
        None => path::join(path::folder(file), &address),
    }?;
    let spelled = [target.clone(), format!("{target}.html"), format!("{target}/index.html")];
    spelled.into_iter().find(|target| target != file && tree.files.contains_key(target))
}

/// The files of an import by role. Files without one are [`Inventory::others`].
#[derive(Debug, Default)]
pub(super) struct Inventory {
    /// Pages: Markdown, HTML, Word documents and databases.
    pub(super) pages: BTreeSet<String>,
    /// Markdown files that are reusable contents.
    pub(super) includes: BTreeSet<String>,
    /// Files that are imported even without a link.
    pub(super) assets: BTreeSet<String>,
    /// Files that are imported only if a page links to them, with the reason.
    pub(super) others: BTreeMap<String, &'static str>,
    /// The page of each folder, by the folder's path.
    pub(super) indexes: BTreeMap<String, String>,
    /// Files by their paths in lower case; `None` if several share one.
    pub(super) any_case: BTreeMap<String, Option<String>>,
    /// Targets of HTML files that only redirect to another file, by path.
    pub(super) stubs: BTreeMap<String, String>,
}

impl Inventory {
    /// Classifies the files of `tree`. The table of contents itself has no role.
    pub(super) fn of(tree: &SourceTree, layout: &Layout, dialect: &dyn Dialect) -> Self {
        let mut inventory = Self::default();
        let summary = layout.summary.as_ref().filter(|_| dialect.site().contents.is_none());
        let listed = summary.and_then(|summary| tree.text(summary)).map(|text| names_in(&text));
        for file in tree.files.keys().filter(|file| layout.summary.as_ref() != Some(file)) {
            let fits = tree.fits_a_page(file);
            // In a repository with a table of contents, unlisted HTML files serve other purposes, such as themes.
            let is_listed = || listed.as_ref().is_none_or(|listed| listed.contains(path::name(file)));
            if let Some(reason) = dialect.refusal(file) {
                inventory.others.insert(file.clone(), reason);
            } else if path::is_html(file) && !is_listed() {
                inventory.others.insert(file.clone(), "the table of contents does not list it");
            } else if let Some(target) = stub_target(tree, file) {
                inventory.others.insert(file.clone(), stub::REASON);
                inventory.stubs.insert(file.clone(), target);
            } else if dialect.database(file).is_some() {
                inventory.pages.insert(file.clone());
            } else {
                inventory.sort(file.clone(), fits);
            }
        }
        inventory.find_indexes(layout, dialect);
        for file in tree.files.keys() {
            let known = inventory.any_case.entry(file.to_lowercase());
            known.and_modify(|file| *file = None).or_insert_with(|| Some(file.clone()));
        }
        inventory
    }

    fn sort(&mut self, file: String, fits_a_page: bool) {
        if (path::is_markdown(&file) || path::is_html(&file)) && !fits_a_page {
            self.others.insert(file, "it is larger than the limit for a page");
        } else if path::is_include(&file) {
            self.includes.insert(file);
        } else if path::is_in_assets(&file) {
            self.assets.insert(file);
        } else if path::is_hidden(&file) {
            self.others.insert(file, "it is a setting of the repository, not content");
        } else if path::is_markdown(&file) || path::is_html(&file) || path::is_docx(&file) {
            self.pages.insert(file);
        } else {
            match path::extension(&file).as_str() {
                "rst" | "asciidoc" | "adoc" | "mediawiki" | "wiki" | "textile" | "org" | "rdoc" | "pod" => {
                    self.others.insert(file, "its markup is not Markdown, HTML or that of a Word document")
                }
                _ if path::is_asset(&file) => {
                    self.assets.insert(file);
                    None
                }
                _ => self.others.insert(file, "it is not a page, and no page links to it"),
            };
        }
    }

    /// Finds the page of each folder. README takes precedence over index, and both over a wiki's `Home`; a top page
    /// named in the settings takes precedence over all.
    fn find_indexes(&mut self, layout: &Layout, dialect: &dyn Dialect) {
        let mut ranked: Vec<(u8, &String)> =
            self.pages.iter().filter_map(|page| Some((path::index_rank(page)?, page))).collect();
        ranked.sort();
        ranked.extend(self.pages.iter().filter(|page| dialect.is_home(page)).map(|page| (u8::MAX, page)));
        for (_, page) in ranked {
            self.indexes.entry(path::folder(page).to_owned()).or_insert_with(|| page.clone());
        }
        if let Some(readme) = layout.readme.as_ref().filter(|readme| self.pages.contains(*readme)) {
            self.indexes.insert(layout.root.clone(), readme.clone());
        }
    }

    /// Returns the files whose text becomes documents.
    pub(super) fn texts(&self) -> impl Iterator<Item = &String> {
        self.pages.iter().chain(&self.includes)
    }

    /// Returns whether `page` is the page of its folder.
    pub(super) fn is_index(&self, page: &str) -> bool {
        self.indexes.get(path::folder(page)).is_some_and(|index| index == page)
    }
}
