//! What the exports of products do their own way: names with ids in them, tables of contents, addresses of their own pages, markup.
//!
//! A [`Dialect`] is found once for an import. The plan asks it wherever an export may differ from a plain folder of files.

mod confluence;
pub(crate) mod csv_table;
mod notion;
mod titles;
mod wiki;

use std::borrow::Cow;
use std::collections::BTreeMap;

use quire_domain::imports::ImportSource;
use quire_markup::html::Extract;
use quire_markup::slugify;
use url::Url;

use self::csv_table::{CellBudget, Table};
use crate::path;
use crate::summary::Part;
use crate::tree::SourceTree;

/// Why a wiki's footer is no page.
const FOOTER: &str = "the wiki shows it below every page; it is no page of its own";

/// How the files of one import are to be read.
#[derive(Debug, Default)]
pub(crate) struct Dialect {
    source: Option<ImportSource>,
    /// Pages by what the product's own addresses call them; `None` when several pages share the name.
    keys: BTreeMap<String, Option<String>>,
    /// Files that are no pages though their names look like it, each with the reason.
    skipped: BTreeMap<String, &'static str>,
    /// The table of contents that the product writes.
    contents: Option<Contents>,
    /// The file with all rows of a database, by the file that stands for it.
    databases: BTreeMap<String, String>,
    /// The repository whose wiki it is, as `owner/name`, when its pages tell.
    wiki: Option<String>,
}

/// A table of contents in a form of the product's own.
#[derive(Debug)]
pub(crate) struct Contents {
    /// The file it stands in.
    pub(crate) path: String,
    /// What it says.
    pub(crate) parts: Vec<Part>,
}

impl Dialect {
    /// Looks at the files of an import for what its product is known to do.
    pub(crate) fn of(source: ImportSource, tree: &SourceTree) -> Self {
        let mut dialect = Self { source: Some(source), ..Self::default() };
        match source {
            ImportSource::Confluence => confluence::look(&mut dialect, tree),
            ImportSource::Notion => notion::look(&mut dialect, tree),
            ImportSource::GithubWiki => wiki::look(&mut dialect, tree),
            ImportSource::DropboxPaper | ImportSource::Quip => {
                for page in pages(tree) {
                    dialect.add_key(slugify(path::stem(page)), page);
                }
            }
            ImportSource::Website => {
                dialect.contents = tree.contents.clone().map(|parts| Contents { path: String::new(), parts });
            }
            _ => {}
        }
        dialect
    }

    fn add_key(&mut self, key: String, page: &str) {
        self.keys.entry(key).and_modify(|one| *one = None).or_insert_with(|| Some(page.to_owned()));
    }

    fn key(&self, key: &str) -> Option<String> {
        self.keys.get(key)?.clone()
    }

    /// The product's table of contents.
    pub(crate) fn contents(&self) -> Option<&Contents> {
        self.contents.as_ref()
    }

    /// Why the file at `path` is neither page nor asset; `None` when it may be one.
    pub(crate) fn refusal(&self, path: &str) -> Option<&'static str> {
        self.skipped.get(path).copied()
    }

    /// Whether the file at `path` is a database that becomes a page with a table.
    pub(crate) fn is_database(&self, path: &str) -> bool {
        self.databases.contains_key(path)
    }

    /// The page of the wiki's or site's beginning, where its name says so.
    pub(crate) fn is_home(&self, path: &str) -> bool {
        self.source == Some(ImportSource::GithubWiki)
            && path::is_markdown(path)
            && path::stem(path).eq_ignore_ascii_case("home")
    }

    /// The name of a file or folder, without extension, as people gave it.
    pub(crate) fn name<'n>(&self, name: &'n str) -> &'n str {
        match self.source {
            Some(ImportSource::Notion) => notion::without_id(name),
            Some(ImportSource::Confluence) => confluence::without_id(name),
            _ => name,
        }
    }

    /// Which part of an HTML file is its content.
    pub(crate) fn extract(&self) -> Extract {
        match self.source {
            Some(ImportSource::Website | ImportSource::Confluence) => Extract::Article,
            _ => Extract::Everything,
        }
    }

    /// The title that the head of an HTML page gives, when the product's own headings can't be relied on.
    pub(crate) fn sure_title(&self, head_title: Option<&str>) -> Option<String> {
        match self.source {
            Some(ImportSource::Confluence) => head_title.map(confluence::page_title),
            _ => None,
        }
    }

    /// The title in the head of a page, without the name of its site.
    pub(crate) fn head_title(&self, head_title: &str) -> String {
        match self.source {
            Some(ImportSource::Website) => titles::without_site(head_title).to_owned(),
            _ => head_title.to_owned(),
        }
    }

    /// The text of a Markdown or HTML file, with what only the product reads made into what everybody reads.
    pub(crate) fn text<'t>(&self, path: &str, text: &'t str) -> Cow<'t, str> {
        match self.source {
            Some(ImportSource::GithubWiki) if path::is_markdown(path) => wiki::with_links(text),
            Some(ImportSource::Confluence) if path::is_html(path) => confluence::without_leftovers(text),
            Some(ImportSource::Notion) if path::is_html(path) => notion::without_icon(text),
            Some(ImportSource::Notion) if path::is_markdown(path) && self.is_row(path) => {
                Cow::Owned(notion::with_plain_tasks(&notion::with_property_table(text)))
            }
            Some(ImportSource::Notion) if path::is_markdown(path) && text.contains("]  ") => {
                Cow::Owned(notion::with_plain_tasks(text))
            }
            _ => Cow::Borrowed(text),
        }
    }

    /// The file with all rows of the database at `path`.
    pub(crate) fn data<'p>(&'p self, path: &'p str) -> &'p str {
        self.databases.get(path).map_or(path, String::as_str)
    }

    /// The database at `path`, whose values are `text`, as a table.
    pub(crate) fn database(&self, path: &str, text: &str, cells: &mut CellBudget) -> Table {
        csv_table::table(text, cells, |cell| self.row_link(path, cell))
    }

    /// The address of the page of a database's row, as seen from the database.
    fn row_link(&self, database: &str, cell: &str) -> Option<String> {
        let row = self.key(&notion::row_key(database, cell))?;
        let folder = path::folder(database);
        path::below(folder, &row).map(str::to_owned)
    }

    /// Whether the file at `path` is the page of a row of a database.
    fn is_row(&self, path: &str) -> bool {
        let folder = path::folder(path);
        let named = |database: &&String| notion::is_folder_of(folder, database);
        !folder.is_empty() && self.databases.keys().any(|database| named(&database))
    }

    /// The page that an address of the product itself means.
    pub(crate) fn page_at(&self, href: &str) -> Option<String> {
        let source = self.source?;
        let base = Url::parse("quire-import://relative/").ok()?;
        let url = base.join(href).ok()?;
        let host = url.host_str().unwrap_or_default();
        let last = url.path_segments()?.rfind(|segment| !segment.is_empty()).unwrap_or_default();
        match source {
            ImportSource::Notion if is_of(host, &["notion.so", "notion.site", "notion.com", "relative"]) => {
                self.key(&notion::id_in(last)?)
            }
            ImportSource::Confluence => confluence::keys_of(&url).iter().find_map(|key| self.key(key)),
            ImportSource::GithubWiki => self.key(&wiki::key_of(&url, self.wiki.as_deref())?),
            ImportSource::DropboxPaper if is_of(host, &["paper.dropbox.com", "dropbox.com"]) => {
                self.longest_prefix(&slugify(&decoded(last)))
            }
            ImportSource::Quip if is_of(host, &["quip.com"]) => self.key(&slugify(&decoded(last))),
            _ => None,
        }
    }

    /// The page whose key the slug in an address begins with: behind it stands the product's id.
    fn longest_prefix(&self, slug: &str) -> Option<String> {
        let begins = |key: &&String| slug.strip_prefix(key.as_str()).is_some_and(|id| id.starts_with('-'));
        let key = self.keys.keys().filter(begins).max_by_key(|key| key.len())?;
        self.key(key)
    }
}

/// Whether `host` is one of `hosts`, or below one.
fn is_of(host: &str, hosts: &[&str]) -> bool {
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
