//! The ways of products: names with ids in them, tables of contents, addresses of their own pages, markup.
//!
//! A [`Dialect`] is found once for an import. The plan asks it wherever an export may differ from a plain folder of files.

mod confluence;
pub(crate) mod csv_table;
mod gitbook;
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
mod website;
mod wiki;

use std::borrow::Cow;
use std::fmt::Debug;

use quire_domain::imports::ImportSource;
use quire_markup::FrontMatter;
use quire_markup::dialects::{self, Translated};
use quire_markup::html::Extract;
use url::Url;

use self::csv_table::{CellBudget, Table};
pub(crate) use self::site::{Contents, Site};
use self::snippets::{Page, Snippet};
use crate::include::{self, Expansion};
use crate::layout::Layout;
use crate::path;
use crate::tree::SourceTree;

/// A way in which the files of an import are read. The defaults are those of a plain folder of files.
pub(crate) trait Dialect: Debug {
    /// The name of the product, as the report calls it.
    fn product(&self) -> &'static str;

    /// Settings of the whole documentation, from the product's configuration files.
    fn site(&self) -> &Site {
        &site::NONE
    }

    /// Finds the content.
    fn layout(&self, tree: &SourceTree) -> Layout {
        self.site().layout.clone().unwrap_or_else(|| Layout::find(tree))
    }

    /// Why the file at `path` is neither page nor asset; `None` when it may be one.
    fn refusal(&self, path: &str) -> Option<&'static str> {
        self.site().refusals.get(path).copied()
    }

    /// Returns true if the file at `path` is the page of the beginning though it isn't called README or index.
    fn is_home(&self, _path: &str) -> bool {
        false
    }

    /// The name of a file or folder, without extension, as people gave it.
    fn name<'n>(&self, name: &'n str) -> &'n str {
        name
    }

    /// The part of an HTML file that is its content.
    fn extract(&self) -> Extract {
        Extract::Everything
    }

    /// The title that the head of an HTML page gives, when the product's own headings can't be relied on.
    fn sure_title(&self, _head_title: Option<&str>) -> Option<String> {
        None
    }

    /// The title in the head of a page, without the name of its site.
    fn head_title(&self, head_title: &str) -> String {
        head_title.to_owned()
    }

    /// Marks without one of which no text includes another; none when the product includes files as [books](include) do.
    fn include_marks(&self) -> &'static [&'static str] {
        &[]
    }

    /// The include that the first of `lines` begins, and how many lines it takes.
    fn snippet(&self, _page: &Page<'_>, _lines: &[&str]) -> Option<(Snippet, usize)> {
        None
    }

    /// The text of a Markdown file with what it includes of others.
    fn expand(&self, text: String, at: Expansion<'_>) -> String {
        match self.include_marks() {
            [] => include::expand(text, at),
            marks if marks.iter().any(|mark| text.contains(mark)) => {
                snippets::expand(&text, at, &|page, lines| self.snippet(page, lines))
            }
            _ => text,
        }
    }

    /// The Markdown of the product in our own words; `None` when it is that already.
    fn translated(&self, _text: &str) -> Option<Translated> {
        None
    }

    /// The text of a Markdown or HTML file, with what only the product reads made into what everybody reads. Notes go into the report.
    fn text<'t>(&self, path: &str, text: &'t str, notes: &mut Vec<String>) -> Cow<'t, str> {
        if !path::is_markdown(path) {
            return Cow::Borrowed(text);
        }
        let Some(Translated { text, left }) = self.translated(text) else {
            notes.extend(note(self.product(), &dialects::unread(text)));
            return Cow::Borrowed(text);
        };
        notes.extend(note(self.product(), &left));
        Cow::Owned(text)
    }

    /// The last segment of the address that the page at `path` asks for.
    fn slug(&self, _path: &str) -> Option<&str> {
        None
    }

    /// Returns true if the dialect itself has used a property of a front matter.
    fn uses(&self, _property: &str) -> bool {
        false
    }

    /// Returns true if a page with this front matter is left out of navigation.
    fn hides(&self, _properties: &FrontMatter) -> bool {
        false
    }

    /// Returns true if links name anchors as the headings have them, so that one that fits none is broken.
    fn anchors_are_exact(&self) -> bool {
        false
    }

    /// A link without what only the product understands in front of an address.
    fn address<'h>(&self, href: &'h str) -> Cow<'h, str> {
        Cow::Borrowed(href)
    }

    /// The file with all rows of the database that the file at `path` is; `None` when it is no database.
    fn database<'p>(&'p self, _path: &'p str) -> Option<&'p str> {
        None
    }

    /// The database at `path`, whose values are `text`, as a table.
    fn table(&self, _path: &str, text: &str, cells: &mut CellBudget) -> Table {
        csv_table::table(text, cells, |_| None)
    }

    /// The page that an address of the product itself means. A relative address is below [`RELATIVE`].
    fn page_at(&self, url: &Url) -> Option<String> {
        self.site().routes.file_at(url)
    }
}

/// The line of the report about markup that stays as text.
fn note(product: &str, left: &[String]) -> Option<String> {
    let named: Vec<String> = left.iter().map(|written| format!("`{written}`")).collect();
    let note = || format!("markup of {product} was left as it is written, or left out: {}", named.join(", "));
    (!named.is_empty()).then(note)
}

/// Finds the dialect by what an import comes from and the files that it brings.
pub(crate) fn of(source: ImportSource, tree: &SourceTree) -> Box<dyn Dialect> {
    match source {
        ImportSource::Confluence => Box::new(confluence::Confluence::of(tree)),
        ImportSource::Notion => Box::new(notion::Notion::of(tree)),
        ImportSource::GithubWiki => Box::new(wiki::Wiki::of(tree)),
        ImportSource::DropboxPaper => Box::new(paper::Paper::of(tree)),
        ImportSource::Quip => Box::new(quip::Quip::of(tree)),
        ImportSource::Website => Box::new(website::Website::of(tree)),
        ImportSource::Markdown | ImportSource::Zip => repository::of(tree),
        ImportSource::Docx | ImportSource::GoogleDocs | ImportSource::Html => Box::new(plain::Plain),
    }
}

/// The host of relative addresses.
const RELATIVE: &str = "relative";

/// The address that a link in a page is in full.
pub(crate) fn address(href: &str) -> Option<Url> {
    Url::parse(&format!("quire-import://{RELATIVE}/")).ok()?.join(href).ok()
}

/// The last segment of an address.
fn last_segment(url: &Url) -> &str {
    let segments = url.path_segments().and_then(|mut all| all.rfind(|segment| !segment.is_empty()));
    segments.unwrap_or_default()
}

/// Returns true if the host of an address is one of `hosts`, or below one.
fn is_of(url: &Url, hosts: &[&str]) -> bool {
    let host = url.host_str().unwrap_or_default();
    hosts
        .iter()
        .any(|known| host.strip_suffix(known).is_some_and(|above| above.is_empty() || above.ends_with('.')))
}

fn decoded(segment: &str) -> String {
    percent_encoding::percent_decode_str(segment).decode_utf8_lossy().into_owned()
}

/// The files of a tree that are pages by their names.
fn pages(tree: &SourceTree) -> impl Iterator<Item = &String> {
    tree.files.keys().filter(|path| path::is_markdown(path) || path::is_html(path) || path::is_docx(path))
}

#[cfg(test)]
mod tests;
