//! Confluence: the HTML export of a space
//! (<https://confluence.atlassian.com/doc/export-content-to-word-pdf-html-and-xml-139475.html>).
//!
//! `index.html` lists all pages as nested lists. A page's file is called `Title_<id>.html`, or `<id>.html` if the title
//! is not a valid file name; its attachments are in `attachments/<id>/`. Titles in the pages are prefixed with the
//! space's name.

pub(super) mod storage;

use std::borrow::Cow;

use quire_markup::document::Children;
use quire_markup::html::{Extract, HtmlOptions, parse};
use quire_markup::markdown::escaped;
use quire_markup::{Block, BlockKind, ContentRef, Inline, StableRefs, inline_text};
use url::Url;

use super::keys::Keys;
use super::{Contents, Dialect, Site, decoded, pages};
use crate::path;
use crate::summary::{Entry, Part};
use crate::tree::SourceTree;

const INDEX: &str = "index.html";

/// The export of a space.
#[derive(Debug)]
pub(super) struct Confluence {
    keys: Keys,
    site: Site,
}

impl Confluence {
    pub(super) fn of(tree: &SourceTree) -> Self {
        let mut keys = Keys::default();
        for page in pages(tree).filter(|page| *page != INDEX) {
            let stem = path::stem(page);
            let id = stem.rsplit_once('_').map_or(stem, |(_, id)| id);
            if is_id(id) {
                keys.add(format!("id {id}"), page);
            }
            let title = tree.text(page).and_then(|text| head_title(&text));
            if let Some(title) = title {
                keys.add(title_key(&page_title(&title)), page);
            }
        }
        Self { keys, site: Site::of_list(read(tree)) }
    }
}

impl Dialect for Confluence {
    fn product(&self) -> &'static str {
        "Confluence"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn refusal(&self, path: &str) -> Option<&'static str> {
        let is_decoration = path.starts_with("images/icons/") || path.starts_with("styles/");
        is_decoration.then_some("it decorates the export's own pages")
    }

    fn name<'n>(&self, name: &'n str) -> &'n str {
        without_id(name)
    }

    fn extract(&self) -> Extract {
        Extract::Article
    }

    fn sure_title(&self, head_title: Option<&str>) -> Option<String> {
        head_title.map(page_title)
    }

    fn text<'t>(&self, path: &str, text: &'t str, notes: &mut Vec<String>) -> Cow<'t, str> {
        if !path::is_html(path) {
            return Cow::Borrowed(text);
        }
        notes.extend(storage::macros(text));
        storage::without_storage(text)
    }

    fn page_at(&self, url: &Url) -> Option<String> {
        keys_of(url).iter().find_map(|key| self.keys.get(key))
    }
}

/// Reads the nested lists of `index.html`; `None` if it is a page itself, as in the export of a single page.
fn read(tree: &SourceTree) -> Option<Contents> {
    let text = tree.text(INDEX)?;
    if text.contains("wiki-content") {
        return None;
    }
    let page = parse(&text, &HtmlOptions { refs: &StableRefs, extract: Extract::Everything });
    let mut entries = Vec::new();
    collect(&page.document.nodes, &mut entries);
    entries.iter().any(|entry| lists_a_page(entry, tree)).then(|| {
        let parts = vec![Part { title: None, entries }];
        Contents { path: INDEX.to_owned(), parts }
    })
}

/// Returns whether an entry, or one below it, links to a page of the export other than the list itself.
fn lists_a_page(entry: &Entry, tree: &SourceTree) -> bool {
    let file =
        entry.target.as_deref().map(|target| decoded(target.split(['#', '?']).next().unwrap_or_default()));
    file.is_some_and(|file| file != INDEX && tree.files.contains_key(&file))
        || entry.children.iter().any(|child| lists_a_page(child, tree))
}

/// Collects the entries of all lists in `blocks`; an item's own lists are below it.
fn collect(blocks: &[Block], entries: &mut Vec<Entry>) {
    for block in blocks {
        let Children::Blocks(children) = &block.children else { continue };
        if block.kind != BlockKind::ListItem {
            collect(children, entries);
            continue;
        }
        let mut below = Vec::new();
        collect(children, &mut below);
        let link = children.iter().find_map(|child| first_link(child.child_inlines()));
        match link {
            Some((title, target)) => {
                entries.push(Entry::new(escaped(&title), Some(target), below));
            }
            None => entries.extend(below),
        }
    }
}

fn first_link(inlines: &[Inline]) -> Option<(String, String)> {
    inlines.iter().find_map(|inline| {
        let Inline::Node(node) = inline else { return None };
        let reference = node.data.get("ref").and_then(ContentRef::from_value)?;
        let ContentRef::Url { url } = reference else { return None };
        Some((inline_text(&node.nodes), url))
    })
}

fn head_title(text: &str) -> Option<String> {
    let (_, behind) = text.split_once("<title>")?;
    let (title, _) = behind.split_once("</title>")?;
    let page = parse(
        &format!("<title>{title}</title>"),
        &HtmlOptions { refs: &StableRefs, extract: Extract::Everything },
    );
    page.head_title
}

/// Returns the title of a page without the prefix of the space's name.
fn page_title(head_title: &str) -> String {
    head_title.split_once(" : ").map_or(head_title, |(_, title)| title).trim().to_owned()
}

/// Returns a name without the page's id.
fn without_id(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((title, id)) if is_id(id) && !title.is_empty() => title,
        _ => name,
    }
}

fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn title_key(title: &str) -> String {
    format!("title {}", title.to_lowercase())
}

/// Returns the keys of a page in a Confluence address: `…/pages/viewpage.action?pageId=1`,
/// `…/spaces/KEY/pages/1/Title`, `…/display/KEY/Title`.
fn keys_of(url: &Url) -> Vec<String> {
    let mut keys = Vec::new();
    if url.path().contains("/pages/") {
        let by_query = url.query_pairs().find(|(name, _)| name == "pageId").map(|(_, id)| id.into_owned());
        let segments = || url.path_segments().into_iter().flatten();
        let by_path = || segments().skip_while(|segment| *segment != "pages").nth(1).map(str::to_owned);
        keys.extend(by_query.or_else(by_path).filter(|id| is_id(id)).map(|id| format!("id {id}")));
    }
    if let Some((_, display)) = url.path().split_once("/display/")
        && let Some((_, title)) = display.split_once('/')
    {
        keys.push(title_key(&decoded(&title.replace('+', " "))));
    }
    keys
}
