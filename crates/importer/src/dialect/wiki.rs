//! Wikis of GitHub repositories
//! (<https://docs.github.com/en/communities/documenting-your-project-with-wikis>).
//!
//! A wiki is flat for its readers: pages are identified by name regardless of their folder, and are linked as `[[Page
//! Name]]` or `[[text|Page Name]]`. `_Sidebar` is the navigation, `_Footer` is shown below every page.

use std::borrow::Cow;
use std::collections::BTreeSet;

use quire_markup::FrontMatter;
use url::Url;

use super::keys::Keys;
use super::{Contents, Dialect, RELATIVE, Site, decoded, pages};
use crate::path;
use crate::plan::names::from_name;
use crate::summary;
use crate::tree::SourceTree;

/// Reason why a wiki's footer is not a page.
const FOOTER: &str = "the wiki shows it below every page; it is not a page itself";

/// The files of a wiki.
#[derive(Debug, Default)]
pub(super) struct Wiki {
    keys: Keys,
    /// The sidebar. Further sidebars are skipped, with the reason.
    site: Site,
    /// The repository of the wiki, as `owner/name`, if its pages name it.
    repository: Option<String>,
}

impl Wiki {
    pub(super) fn of(tree: &SourceTree) -> Self {
        let mut wiki = Self::default();
        let mut repositories = BTreeSet::new();
        for page in pages(tree).filter(|page| !is_sidebar(page) && !is_footer(page)) {
            wiki.keys.add(key(path::stem(page)), page);
            if let Some(text) = tree.text(page) {
                repositories.extend(repositories_in(&text));
            }
        }
        // If links lead to wikis of several repositories, the wiki's own repository is unknown.
        wiki.repository = repositories.pop_first().filter(|_| repositories.is_empty());
        let sidebars = tree.files.keys().filter(|file| is_sidebar(file));
        let reason = |sidebar: &str| {
            if tree.fits_a_page(sidebar) {
                "it is the navigation of one folder; the first navigation was used"
            } else {
                "it is larger than the limit for a page"
            }
        };
        let refusals = sidebars.clone().map(|sidebar| (sidebar.clone(), reason(sidebar))).collect();
        let contents = sidebars.clone().next().and_then(|sidebar| read(tree, sidebar));
        wiki.site = Site { refusals, ..Site::of_list(contents) };
        wiki
    }
}

impl Dialect for Wiki {
    fn product(&self) -> &'static str {
        "the wiki"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn refusal(&self, path: &str) -> Option<&'static str> {
        if is_footer(path) { Some(FOOTER) } else { self.site.refusals.get(path).copied() }
    }

    fn is_home(&self, path: &str) -> bool {
        path::is_markdown(path) && path::stem(path).eq_ignore_ascii_case("home")
    }

    fn text<'t>(&self, path: &str, text: &'t str, _: &mut Vec<String>) -> Cow<'t, str> {
        if path::is_markdown(path) { with_links(text) } else { Cow::Borrowed(text) }
    }

    /// A page of a wiki is called by its name, whatever its first heading is.
    fn label(&self, path: &str, _: &FrontMatter) -> Option<String> {
        (!self.is_home(path)).then(|| from_name(path::stem(path)))
    }

    fn page_at(&self, url: &Url) -> Option<String> {
        self.keys.get(&key_of(url, self.repository.as_deref())?)
    }
}

fn is_footer(file: &str) -> bool {
    let is_page = path::is_markdown(file) || path::is_html(file) || path::is_docx(file);
    is_page && path::stem(file).eq_ignore_ascii_case("_footer")
}

fn is_sidebar(file: &str) -> bool {
    path::is_markdown(file) && path::stem(file).eq_ignore_ascii_case("_sidebar")
}

/// Reads the navigation; `None` if it is empty.
fn read(tree: &SourceTree, sidebar: &str) -> Option<Contents> {
    let text = tree.text(sidebar)?;
    let parts = summary::parse(&with_links(&text));
    let lists = parts.iter().any(|part| part.entries.iter().any(|entry| entry.has_target()));
    lists.then(|| Contents { path: sidebar.to_owned(), parts })
}

/// Returns the key of a page.
fn key(name: &str) -> String {
    name.trim().replace([' ', '_'], "-").to_lowercase()
}

/// Returns the key of a page in an address of the wiki, or relative to it. `repository` is the wiki's own.
fn key_of(url: &Url, repository: Option<&str>) -> Option<String> {
    let segments: Vec<&str> = url.path_segments()?.filter(|segment| !segment.is_empty()).collect();
    let name = match (url.host_str()?, segments.as_slice()) {
        ("github.com", [owner, name, "wiki"]) if is(repository, owner, name) => "Home",
        ("github.com", [owner, name, "wiki", page]) if is(repository, owner, name) => page,
        (RELATIVE, [.., page]) => page,
        _ => return None,
    };
    let name = decoded(name);
    let name = if path::is_markdown(&name) { path::stem(&name) } else { &name };
    Some(key(name))
}

fn is(repository: Option<&str>, owner: &str, name: &str) -> bool {
    repository.is_some_and(|known| known == format!("{owner}/{name}").to_lowercase())
}

/// Returns the repositories whose wikis a text links to, in lower case.
fn repositories_in(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split("https://github.com/").skip(1).filter_map(|address| {
        let mut segments = address.split(['/', ')', '#', '"', '\'', ' ', '>', '\n', '?']);
        let (owner, name, wiki) = (segments.next()?, segments.next()?, segments.next()?);
        (wiki == "wiki").then(|| format!("{owner}/{name}").to_lowercase())
    })
}

/// Converts `[[links]]` to Markdown links. Code is unchanged.
pub(super) fn with_links(text: &str) -> Cow<'_, str> {
    if !text.contains("[[") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 64);
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let mark = line.trim_start();
        let opens = ["```", "~~~"].into_iter().find(|fence| mark.starts_with(fence));
        match (fence, opens) {
            (None, Some(_)) => fence = opens,
            (Some(open), Some(_)) if opens == Some(open) => fence = None,
            _ => {}
        }
        if fence.is_some() || opens.is_some() {
            out.push_str(line);
        } else {
            inline(line, &mut out);
        }
    }
    Cow::Owned(out)
}

/// Converts one line; text between backticks is code.
fn inline(line: &str, out: &mut String) {
    for (index, piece) in line.split('`').enumerate() {
        if index > 0 {
            out.push('`');
        }
        if index % 2 == 1 {
            out.push_str(piece);
            continue;
        }
        let mut rest = piece;
        while let Some((before, behind)) = rest.split_once("[[") {
            out.push_str(before);
            match split_link(behind) {
                Some((inside, after)) if !inside.trim().is_empty() => {
                    out.push_str(&link(inside));
                    rest = after;
                }
                _ => {
                    out.push_str("[[");
                    rest = behind;
                }
            }
        }
        out.push_str(rest);
    }
}

/// Splits a text at the `]]` that closes a link. Links do not nest: the search ends at the next opening bracket, so
/// that no text is searched twice.
fn split_link(behind: &str) -> Option<(&str, &str)> {
    let mut pairs = behind.as_bytes().windows(2);
    let end = pairs.position(|pair| pair == b"]]" || pair.starts_with(b"["))?;
    let (inside, rest) = behind.split_at_checked(end)?;
    Some((inside, rest.strip_prefix("]]")?))
}

/// Returns the Markdown link for `Page`, `text|Page`, `Page#heading`, `picture.png` or `picture.png|alt=words`.
fn link(inside: &str) -> String {
    let mut pieces = inside.split('|').map(str::trim);
    let first = pieces.next().unwrap_or_default();
    let is_image = |name: &str| {
        matches!(path::extension(name).as_str(), "png" | "jpg" | "jpeg" | "gif" | "svg" | "webp")
    };
    if is_image(first) {
        let alt = pieces.find_map(|option| option.strip_prefix("alt=")).unwrap_or_default();
        return format!("![{alt}](<{first}>)");
    }
    let target = pieces.next().unwrap_or(first);
    let address = if target.contains("://") { target.to_owned() } else { target.replace(' ', "-") };
    format!("[{first}](<{address}>)")
}
