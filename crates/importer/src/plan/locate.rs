//! Resolution of links to files of the import.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use quire_markup::exported::is_absolute;

use super::inventory::Inventory;
use crate::dialect::{self, Dialect};
use crate::layout::Layout;
use crate::path;
use crate::tree::SourceTree;

/// GitBook's folder of files.
const ASSETS: &str = ".gitbook/assets/";

/// Folders that generators serve at the root of a site.
const CONVENTIONAL_ROOTS: [&str; 2] = ["static", "public"];

/// Extensions that links to pages may omit.
const PAGE_EXTENSIONS: [&str; 3] = ["md", "mdx", "html"];

/// Case sensitivity of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Exact,
    Any,
}

/// Finds files by the links in documents.
pub(super) struct Locator<'a> {
    pub(super) tree: &'a SourceTree,
    pub(super) layout: &'a Layout,
    pub(super) inventory: &'a Inventory,
    pub(super) dialect: &'a dyn Dialect,
}

/// Target of a link: a file, or a folder without a page of its own, with an anchor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Located {
    /// Path of the file or folder.
    pub(super) path: String,
    /// The anchor after `#`, decoded; never empty.
    pub(super) fragment: Option<String>,
}

/// Returns the decoded anchor of a link; `None` if it has none or an empty one.
pub(super) fn fragment(href: &str) -> Option<String> {
    let (_, fragment) = href.split_once('#')?;
    (!fragment.is_empty()).then(|| decoded(fragment).into_owned())
}

impl Locator<'_> {
    /// Resolves `href` in the file `source`.
    ///
    /// Links are relative to their file, or absolute from the content's root. They may be percent-encoded, omit `.md`
    /// or write it for `.mdx`, name a folder for its page, carry a query, or name the `.html` that other tools generate
    /// for a page. If nothing matches exactly, case is ignored, absolute links start at the enclosing folders with a
    /// page and in the product's folders of files, and `.gitbook/assets/…` is found from any folder.
    pub(super) fn locate(&self, source: &str, href: &str) -> Option<Located> {
        let mut found = self.located(source, href)?;
        if let Some(target) = self.inventory.stubs.get(&found.path) {
            found.path.clone_from(target);
        }
        Some(found)
    }

    fn located(&self, source: &str, href: &str) -> Option<Located> {
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

    /// Returns the full address of `href`, without its fragment, on a page of a website; `None` in other imports, and
    /// for an anchor of the page itself.
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
        let found = found.or_else(|| self.as_directory(source, wanted).filter(|_| absolute.is_none()));
        let asset = || {
            let (before, asset) = spelling.split_once(ASSETS)?;
            let is_folder = before.split('/').all(|segment| matches!(segment, "" | "." | ".."));
            is_folder.then(|| self.at(&self.layout.root, &format!("{ASSETS}{asset}"), Case::Exact))?
        };
        found.or_else(asset)
    }

    /// Returns the target of a relative link on a page that its generator serves as a directory: `../b/` in `a.md`.
    fn as_directory(&self, source: &str, wanted: &str) -> Option<String> {
        let is_generated = self.dialect.site().is_markdown_only;
        if !is_generated || !path::is_markdown(source) || self.inventory.is_index(source) {
            return None;
        }
        let folder = path::join(path::folder(source), path::stem(source))?;
        [Case::Exact, Case::Any].into_iter().find_map(|case| self.at(&folder, wanted, case))
    }

    /// Returns the folders that absolute links may be relative to: the content's root, the root of the import, the
    /// product's folders of files, and the enclosing folders, those with a page before the others and the outermost
    /// first. The latter do not apply to books: their links must have the same targets in an export of the book, in
    /// which pages are in other folders.
    fn tops<'s>(&'s self, source: &'s str) -> Vec<&'s str> {
        let mut tops = vec![self.layout.root.as_str(), ""];
        if self.layout.summary.is_some() && self.dialect.site().contents.is_none() {
            return tops;
        }
        tops.extend(self.dialect.site().asset_roots.iter().map(String::as_str));
        let around = source.match_indices('/').filter_map(|(at, _)| source.get(..at));
        tops.extend(around.clone().filter(|folder| self.inventory.indexes.contains_key(*folder)));
        tops.extend(CONVENTIONAL_ROOTS);
        // The root of a site of an unknown program may be a folder without a page of its own.
        tops.extend(around);
        tops
    }

    /// Returns the file or folder for `relative`, relative to `folder`.
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
        let as_mdx = || self.exact(&format!("{}.mdx", wanted.strip_suffix(".md")?));
        found.or_else(as_mdx).or_else(|| self.behind_html(&wanted)).or_else(|| self.folder(&wanted))
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

    /// Returns the page from which a documentation tool would generate `wanted`.
    fn behind_html(&self, wanted: &str) -> Option<String> {
        let stem = wanted.strip_suffix(".html").or_else(|| wanted.strip_suffix(".htm"))?;
        let as_index =
            || path::name(stem).eq_ignore_ascii_case("index").then(|| self.index(path::folder(stem)))?;
        self.exact(&format!("{stem}.md")).or_else(as_index)
    }

    /// Returns a folder that contains pages, even without a page of its own.
    fn folder(&self, wanted: &str) -> Option<String> {
        let inside = format!("{wanted}/");
        let next = self.inventory.pages.range(inside.clone()..).next()?;
        (!wanted.is_empty() && next.starts_with(&inside)).then(|| wanted.to_owned())
    }
}

/// Returns `text` without percent-encoding, or unchanged if the result is not UTF-8.
fn decoded(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8().unwrap_or(Cow::Borrowed(text))
}
