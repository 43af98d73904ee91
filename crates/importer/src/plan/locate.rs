//! Which file of the import a link means.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use quire_markup::exported::is_absolute;

use super::inventory::Inventory;
use crate::dialect::{self, Dialect};
use crate::layout::Layout;
use crate::path;
use crate::tree::SourceTree;

/// The folder in which GitBook keeps files.
const ASSETS: &str = ".gitbook/assets/";

/// Folders that generators serve at the top of a site.
const CONVENTIONAL_ROOTS: [&str; 2] = ["static", "public"];

/// Extensions that links to pages leave out.
const PAGE_EXTENSIONS: [&str; 3] = ["md", "mdx", "html"];

/// True if capitals count in a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Exact,
    Any,
}

/// Finds files by the links that documents write.
pub(super) struct Locator<'a> {
    pub(super) tree: &'a SourceTree,
    pub(super) layout: &'a Layout,
    pub(super) inventory: &'a Inventory,
    pub(super) dialect: &'a dyn Dialect,
}

/// What a link means: a file, or a folder that has no page of its own, and a place inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Located {
    /// Path of the file or folder.
    pub(super) path: String,
    /// The anchor behind `#`, decoded; never empty.
    pub(super) fragment: Option<String>,
}

/// The anchor of a link, decoded; `None` when there is none or an empty one.
pub(super) fn fragment(href: &str) -> Option<String> {
    let (_, fragment) = href.split_once('#')?;
    (!fragment.is_empty()).then(|| decoded(fragment).into_owned())
}

impl Locator<'_> {
    /// Finds what `href`, written in the file `source`, means.
    ///
    /// Links are relative to their file, or absolute from the content's root. They may be percent-encoded,
    /// leave out `.md`, name a folder for its page, carry a query, or name the `.html` that other tools make
    /// of a page.
    /// When nothing has exactly that name, capitals count for nothing, absolute links start at the folders around the page that
    /// have a page themselves and where the product keeps files, and `.gitbook/assets/…` is found from any folder.
    pub(super) fn locate(&self, source: &str, href: &str) -> Option<Located> {
        let href = &*self.dialect.address(href);
        if let Some(address) = self.address(source, href) {
            let path = self.tree.addresses.get(&address)?.clone();
            return Some(Located { path, fragment: fragment(href) });
        }
        let by_product = || {
            let path = self.dialect.page_at(&dialect::address(href)?)?;
            Some(Located { path, fragment: fragment(href) })
        };
        if is_absolute(href) { by_product() } else { self.in_files(source, href).or_else(by_product) }
    }

    /// The address that `href` is in full, without its fragment, on a page of a website; `None` in other imports, and for a place in
    /// the page itself.
    pub(super) fn address(&self, source: &str, href: &str) -> Option<String> {
        let base = self.tree.bases.get(source)?;
        let mut url = base.join(href).ok()?;
        url.set_fragment(None);
        Some(url.into())
    }

    fn in_files(&self, source: &str, href: &str) -> Option<Located> {
        let written = href.split('#').next().unwrap_or_default();
        if written.is_empty() {
            return None;
        }
        let without_query = written.split('?').next().unwrap_or_default();
        let path = [written, without_query]
            .into_iter()
            .flat_map(|spelling| [decoded(spelling), Cow::Borrowed(spelling)])
            .find_map(|spelling| self.spelled(source, &spelling))?;
        Some(Located { path, fragment: fragment(href) })
    }

    fn spelled(&self, source: &str, spelling: &str) -> Option<String> {
        if spelling.is_empty() {
            return None;
        }
        let absolute = spelling.strip_prefix('/');
        let folders = match absolute {
            Some(_) => self.tops(source),
            None => vec![path::folder(source)],
        };
        let wanted = absolute.unwrap_or(spelling);
        let found = [Case::Exact, Case::Any]
            .into_iter()
            .find_map(|case| folders.iter().find_map(|folder| self.at(folder, wanted, case)));
        let asset = || {
            let (before, asset) = spelling.split_once(ASSETS)?;
            let is_folder = before.split('/').all(|segment| matches!(segment, "" | "." | ".."));
            is_folder.then(|| self.at(&self.layout.root, &format!("{ASSETS}{asset}"), Case::Exact))?
        };
        found.or_else(asset)
    }

    /// Folders at which absolute links may start: at the root, at the top, where the product keeps files, and at the folders around the page
    /// that have a page themselves, the outermost first. A book has no such folders: its links mean the same in an export of it,
    /// where pages are in others.
    fn tops<'s>(&'s self, source: &'s str) -> Vec<&'s str> {
        let mut tops = vec![self.layout.root.as_str(), ""];
        if self.layout.summary.is_some() && self.dialect.site().contents.is_none() {
            return tops;
        }
        tops.extend(self.dialect.site().asset_roots.iter().map(String::as_str));
        let around = source.match_indices('/').filter_map(|(at, _)| source.get(..at));
        tops.extend(around.filter(|folder| self.inventory.indexes.contains_key(*folder)));
        tops.extend(CONVENTIONAL_ROOTS);
        tops
    }

    /// The file or folder that `relative` means, as seen from `folder`.
    fn at(&self, folder: &str, relative: &str, case: Case) -> Option<String> {
        let wanted = path::join(folder, relative)?;
        if case == Case::Any {
            return self.in_any_case(&wanted);
        }
        let with = |extension: &str| self.exact(&format!("{wanted}.{extension}"));
        let as_file = || {
            let by_extension = || PAGE_EXTENSIONS.iter().find_map(|extension| with(extension));
            self.exact(&wanted).or_else(by_extension)
        };
        let found = if relative.ends_with('/') {
            self.index(&wanted).or_else(as_file)
        } else {
            as_file().or_else(|| self.index(&wanted))
        };
        found.or_else(|| self.behind_html(&wanted)).or_else(|| self.folder(&wanted))
    }

    fn in_any_case(&self, wanted: &str) -> Option<String> {
        let wanted = wanted.to_lowercase();
        let known = |path: &str| self.inventory.any_case.get(path).cloned().flatten();
        let by_extension =
            || PAGE_EXTENSIONS.iter().find_map(|extension| known(&format!("{wanted}.{extension}")));
        known(&wanted).or_else(by_extension)
    }

    fn exact(&self, wanted: &str) -> Option<String> {
        self.tree.files.contains_key(wanted).then(|| wanted.to_owned())
    }

    fn index(&self, folder: &str) -> Option<String> {
        self.inventory.indexes.get(folder).cloned()
    }

    /// The page that a documentation tool would have made `wanted` of.
    fn behind_html(&self, wanted: &str) -> Option<String> {
        let stem = wanted.strip_suffix(".html").or_else(|| wanted.strip_suffix(".htm"))?;
        let as_index =
            || path::name(stem).eq_ignore_ascii_case("index").then(|| self.index(path::folder(stem)))?;
        self.exact(&format!("{stem}.md")).or_else(as_index)
    }

    /// A folder with pages in it, though it has none of its own.
    fn folder(&self, wanted: &str) -> Option<String> {
        let inside = format!("{wanted}/");
        let next = self.inventory.pages.range(inside.clone()..).next()?;
        (!wanted.is_empty() && next.starts_with(&inside)).then(|| wanted.to_owned())
    }
}

/// `text` without percent-encoding, or as it is when it doesn't decode to text.
fn decoded(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8().unwrap_or(Cow::Borrowed(text))
}
