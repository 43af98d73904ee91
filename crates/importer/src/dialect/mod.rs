//! Product-specific rules: names with ids, tables of contents, addresses of the product's own pages, markup.
//!
//! A [`Dialect`] is chosen once per import. The plan calls it wherever an export may differ from a plain folder of
//! files.

mod chapters;
mod confluence;
pub(crate) mod csv_table;
mod gitbook;
mod google_docs;
mod keys;
mod mdbook;
mod notion;
mod paper;
mod plain;
mod quip;
mod quire;
mod repository;
mod route;
mod site;
mod snippets;
mod spaces;
mod website;
mod wiki;

use std::borrow::Cow;
use std::fmt::Debug;

use quire_domain::imports::ImportSource;
use quire_markup::FrontMatter;
use quire_markup::dialects::Translated;
use quire_markup::html::Extract;
use url::Url;

use self::csv_table::{CellBudget, Table};
pub(crate) use self::site::{Contents, Site};
use self::snippets::{Page, Snippet};
use crate::include::{self, Expansion};
use crate::layout::Layout;
use crate::path;
use crate::tree::SourceTree;

/// Content of a home page in its front matter.
pub(crate) struct Home {
    /// Its title.
    pub(crate) title: Option<String>,
    /// Markdown that precedes the rest of the page.
    pub(crate) text: String,
}

/// Rules for reading the files of an import. The defaults are those of a plain folder of files.
pub(crate) trait Dialect: Debug {
    /// Returns the name of the product, for the report.
    fn product(&self) -> &'static str;

    /// Settings of the whole documentation, from the product's configuration files.
    fn site(&self) -> &Site {
        &site::NONE
    }

    /// Changes the settings.
    fn site_mut(&mut self) -> Option<&mut Site> {
        None
    }

    /// Finds the content.
    fn layout(&self, tree: &SourceTree) -> Layout {
        self.site().layout.clone().unwrap_or_else(|| Layout::find(tree))
    }

    /// Returns the reason why the file at `path` is neither page nor asset; `None` if it may be one.
    fn refusal(&self, path: &str) -> Option<&'static str> {
        self.site().refusal(path)
    }

    /// Returns whether the page at `path` is left out of navigation.
    fn hides_file(&self, _path: &str) -> bool {
        false
    }

    /// Returns whether the file at `path` is the start page despite its name.
    fn is_home(&self, _path: &str) -> bool {
        false
    }

    /// Returns the original name of a file or folder, without extension.
    fn name<'n>(&self, name: &'n str) -> &'n str {
        name
    }

    /// Returns the part of an HTML file that is its content.
    fn extract(&self) -> Extract {
        Extract::Everything
    }

    /// Returns the title in the head of an HTML page, if the product's headings are unreliable.
    fn sure_title(&self, _head_title: Option<&str>) -> Option<String> {
        None
    }

    /// Returns the title in the head of a page, without the name of its site.
    fn head_title(&self, head_title: &str) -> String {
        head_title.to_owned()
    }

    /// Returns marks of includes: every text with includes contains one. Empty for products that include files like
    /// [books](include).
    fn include_marks(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the include at the first of `lines`, and the number of its lines.
    fn snippet(&self, _page: &Page<'_>, _lines: &[&str]) -> Option<(Snippet, usize)> {
        None
    }

    /// Returns the text of a Markdown file with its includes expanded.
    fn expand(&self, text: String, at: Expansion<'_>) -> String {
        match self.include_marks() {
            [] => include::expand(text, at),
            marks if marks.iter().any(|mark| text.contains(mark)) => {
                snippets::expand(&text, at, &|page, lines| self.snippet(page, lines))
            }
            _ => text,
        }
    }

    /// Translates the product's Markdown; `None` if no translation is needed.
    fn translated(&self, _path: &str, _text: &str) -> Option<Translated> {
        None
    }

    /// Rewrites the product's own syntax in a Markdown or HTML file, and adds the syntax without an equivalent to
    /// `notes`.
    fn text<'t>(&self, path: &str, text: &'t str, notes: &mut Vec<String>) -> Cow<'t, str> {
        if !path::is_markdown(path) {
            return Cow::Borrowed(text);
        }
        let Some(Translated { text, left }) = self.translated(path, text) else {
            return Cow::Borrowed(text);
        };
        notes.extend(left);
        Cow::Owned(text)
    }

    /// Returns the last segment of the address that the page at `path` declares.
    fn slug(&self, _path: &str) -> Option<&str> {
        None
    }

    /// Returns whether the dialect itself has used a property of a front matter.
    fn uses(&self, _property: &str) -> bool {
        false
    }

    /// Returns the content that the front matter of a home page describes.
    fn home(&self, _properties: &FrontMatter) -> Option<Home> {
        None
    }

    /// Returns the title in menus that the page at `path` with this front matter declares.
    fn label(&self, _path: &str, _properties: &FrontMatter) -> Option<String> {
        None
    }

    /// Returns whether a page with this front matter is left out of navigation.
    fn hides(&self, _properties: &FrontMatter) -> bool {
        false
    }

    /// Returns whether links name the exact anchors of headings, so that an anchor without a heading is broken.
    fn anchors_are_exact(&self) -> bool {
        false
    }

    /// Removes a product-specific prefix from an address.
    fn address<'h>(&self, href: &'h str) -> Cow<'h, str> {
        Cow::Borrowed(href)
    }

    /// Returns the file with all rows of the database at `path`; `None` if it is not a database.
    fn database<'p>(&'p self, _path: &'p str) -> Option<&'p str> {
        None
    }

    /// Returns the database at `path`, whose values are `text`, as a table.
    fn table(&self, _path: &str, text: &str, cells: &mut CellBudget) -> Table {
        csv_table::table(text, cells, |_, _| None)
    }

    /// Returns whether each page can be read on its own, given the positions and anchors of other pages but not their
    /// texts.
    fn reads_pages_alone(&self) -> bool {
        false
    }

    /// Returns the page at an address of the product itself. A relative address is below [`RELATIVE`].
    fn page_at(&self, url: &Url) -> Option<String> {
        self.site().routes.file_at(url)
    }
}

/// Chooses the dialect by the source of an import and its files.
pub(crate) fn of(source: ImportSource, tree: &SourceTree) -> Box<dyn Dialect> {
    match source {
        ImportSource::Confluence => Box::new(confluence::Confluence::of(tree)),
        ImportSource::Notion => Box::new(notion::Notion::of(tree)),
        ImportSource::GithubWiki => Box::new(wiki::Wiki::of(tree)),
        ImportSource::DropboxPaper => Box::new(paper::Paper::of(tree)),
        ImportSource::Quip => Box::new(quip::Quip::of(tree)),
        ImportSource::Website => Box::new(website::Website::of(tree)),
        ImportSource::Markdown
        | ImportSource::Zip
        | ImportSource::Gitbook
        | ImportSource::Mdbook
        | ImportSource::Mkdocs
        | ImportSource::Docusaurus
        | ImportSource::Vitepress
        | ImportSource::Myst
        | ImportSource::Starlight
        | ImportSource::Nextra
        | ImportSource::Fumadocs
        | ImportSource::Mintlify => repository::of(source, tree),
        ImportSource::GoogleDocs => Box::new(google_docs::GoogleDocs),
        ImportSource::Docx | ImportSource::Html => Box::new(plain::Plain::of(tree)),
    }
}

/// The host of relative addresses.
const RELATIVE: &str = "relative";

/// Returns the full URL of a link in a page.
pub(crate) fn address(href: &str) -> Option<Url> {
    Url::parse(&format!("quire-import://{RELATIVE}/")).ok()?.join(href).ok()
}

/// Returns the last segment of an address.
fn last_segment(url: &Url) -> &str {
    let segments = url.path_segments().and_then(|mut all| all.rfind(|segment| !segment.is_empty()));
    segments.unwrap_or_default()
}

/// Returns whether the host of an address is one of `hosts` or a subdomain.
fn is_of(url: &Url, hosts: &[&str]) -> bool {
    let host = url.host_str().unwrap_or_default();
    hosts
        .iter()
        .any(|known| host.strip_suffix(known).is_some_and(|above| above.is_empty() || above.ends_with('.')))
}

fn decoded(segment: &str) -> String {
    percent_encoding::percent_decode_str(segment).decode_utf8_lossy().into_owned()
}

/// Returns the files of a tree that are pages by name.
fn pages(tree: &SourceTree) -> impl Iterator<Item = &String> {
    tree.files.keys().filter(|path| path::is_markdown(path) || path::is_html(path) || path::is_docx(path))
}

#[cfg(test)]
mod tests;
