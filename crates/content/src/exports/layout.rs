//! Paths of entries in the archive, and links between them.

use std::collections::{BTreeMap, HashMap, HashSet};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use quire_domain::ids::{FileId, PageId, ReusableContentId};
use quire_markup::exported::{BROKEN, is_absolute};
use quire_markup::{ContentRef, RefPrinter, StableRefs, slugify};
use quire_revision::{FileNode, PageNode, PageType, ReusableContentNode, Tree};
use unicode_normalization::UnicodeNormalization as _;

/// Characters that have a meaning in a URL or end a link in Markdown.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'(')
    .add(b')')
    .add(b'[')
    .add(b']')
    .add(b'\\')
    .add(b'`');

/// Like [`ESCAPED`], for addresses in pages. Addresses with blanks or parentheses are written between angle brackets or
/// quotes there.
const ESCAPED_IN_PAGES: &AsciiSet = &ESCAPED.remove(b' ').remove(b'(').remove(b')');

/// File names with a special meaning for an import. A page with such a slug gets a folder of its own.
pub(crate) const SPECIAL: [&str; 3] = ["readme", "index", "summary"];

/// File of the first page, which book builders start with.
const FIRST: &str = "README.md";

/// Paths of all entries of the archive.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    pages: HashMap<PageId, String>,
    files: BTreeMap<FileId, String>,
    reusable_contents: HashMap<ReusableContentId, String>,
    /// Names of files and folders, with and without extensions, in lower case.
    names: HashSet<String>,
}

impl Layout {
    /// Assigns a path to each page, file and reusable content.
    #[must_use]
    pub fn of(tree: &Tree) -> Self {
        let mut layout = Self::default();
        for page in tree.pages_in_order().filter(|page| page.page_type() == PageType::Document) {
            if layout.pages.is_empty() {
                layout.pages.insert(page.id, FIRST.to_owned());
                continue;
            }
            let Some(path) = tree.path_of(page.id) else { continue };
            let is_folder =
                tree.children(Some(page.id)).next().is_some() || SPECIAL.contains(&page.slug.as_str());
            let file = if is_folder { format!("{path}/README.md") } else { format!("{path}.md") };
            layout.pages.insert(page.id, file);
        }
        let mut taken: HashMap<String, usize> = HashMap::new();
        // Sorted by id. An import assigns ids to files of the same name in the order of these paths, so the order
        // survives it.
        let mut files: Vec<&FileNode> = tree.files().collect();
        files.sort_by_key(|file| file.id);
        for FileNode { id, name, .. } in files {
            let name = file_name(name);
            let folder = numbered(&mut taken, &name_key(&name));
            layout.files.insert(*id, format!(".gitbook/assets/{folder}{name}"));
        }
        let mut taken = HashMap::new();
        let mut contents: Vec<&ReusableContentNode> = tree.reusable_contents().collect();
        contents.sort_by_key(|content| content.id);
        for content in contents {
            let slug = slugify(&content.title);
            let folder = numbered(&mut taken, &slug);
            layout.reusable_contents.insert(content.id, format!(".gitbook/includes/{folder}{slug}.md"));
        }
        layout.names = layout.names();
        layout
    }

    pub(crate) fn set_page(&mut self, id: PageId, path: String) {
        self.pages.insert(id, path);
    }

    pub(crate) fn set_file(&mut self, id: FileId, path: String) {
        self.files.insert(id, path);
    }

    pub(crate) fn set_reusable_content(&mut self, id: ReusableContentId, path: String) {
        self.reusable_contents.insert(id, path);
    }

    /// Collects the names after all paths are set.
    pub(crate) fn with_names(mut self) -> Self {
        self.names = self.names();
        self
    }

    fn names(&self) -> HashSet<String> {
        let paths = self.pages.values().chain(self.files.values()).chain(self.reusable_contents.values());
        let segments = paths.flat_map(|path| path.split('/'));
        let names = segments.flat_map(|name| [name, stem(name)]).chain(["index", "summary"]);
        names.map(str::to_lowercase).collect()
    }

    /// Returns whether a program might find a file of the archive by an address that is broken in the content: the
    /// address ends with the name of an entry, in any folder, extension and letter case.
    fn may_lead(&self, address: &str) -> bool {
        let path = address.split('#').next().unwrap_or_default();
        let spellings = [path, path.split('?').next().unwrap_or_default()];
        let ends_with_a_name = |spelling: &str| match spelling.trim_end_matches('/').rsplit('/').next() {
            Some("" | "." | "..") => true,
            Some(name) => [name, stem(name)].iter().any(|name| self.names.contains(&name.to_lowercase())),
            None => false,
        };
        // Letters with diacritics have several encodings, so any such address might match.
        let may = |spelling: &str| !spelling.is_ascii() || ends_with_a_name(spelling);
        spellings.into_iter().filter(|spelling| !spelling.is_empty()).any(|spelling| {
            may(spelling) || percent_decode_str(spelling).decode_utf8().is_ok_and(|decoded| may(&decoded))
        })
    }

    /// Returns the path of a page that has a file. `None` for groups, links and computed pages.
    #[must_use]
    pub fn page(&self, id: PageId) -> Option<&str> {
        self.pages.get(&id).map(String::as_str)
    }

    /// Returns the slug of a page if an import would not derive it. This concerns only the first page, whose slug an
    /// import derives from its title. Other slugs follow from file names.
    #[must_use]
    pub fn slug<'p>(&self, page: &'p PageNode) -> Option<&'p str> {
        let is_first = self.page(page.id) == Some(FIRST);
        (is_first && slugify(&page.title) != page.slug).then_some(page.slug.as_str())
    }

    /// Returns the path of a file.
    #[must_use]
    pub fn file(&self, id: FileId) -> Option<&str> {
        self.files.get(&id).map(String::as_str)
    }

    /// Returns the path of a reusable content.
    #[must_use]
    pub fn reusable_content(&self, id: ReusableContentId) -> Option<&str> {
        self.reusable_contents.get(&id).map(String::as_str)
    }

    /// Returns the printer of references in the file at `from`.
    #[must_use]
    pub fn refs<'l>(&'l self, from: &'l str) -> RelativeRefs<'l> {
        RelativeRefs { layout: self, from }
    }

    pub(super) fn path_of(&self, reference: &ContentRef) -> Option<&str> {
        match reference {
            ContentRef::Page { page, space: None }
            | ContentRef::Anchor { page: Some(page), space: None, .. } => self.page(page.parse().ok()?),
            ContentRef::File { file, space: None } => self.file(file.parse().ok()?),
            ContentRef::ReusableContent { reusable_content, space: None } => {
                self.reusable_content(reusable_content.parse().ok()?)
            }
            _ => None,
        }
    }
}

/// Printer of references as addresses relative to one file of the archive. A reference to something outside the archive
/// keeps its address. A broken one is written in a form that remains broken.
pub struct RelativeRefs<'l> {
    layout: &'l Layout,
    from: &'l str,
}

impl RefPrinter for RelativeRefs<'_> {
    fn href(&self, reference: &ContentRef) -> String {
        let Some(path) = self.layout.path_of(reference) else { return self.elsewhere(reference) };
        let address = encoded(&relative(self.from, path), ESCAPED_IN_PAGES);
        match reference {
            ContentRef::Anchor { anchor, .. } => format!("{}#{}", folder(address), escaped(anchor)),
            ContentRef::Page { .. } => folder(address),
            _ => address,
        }
    }
}

impl RelativeRefs<'_> {
    /// Returns the address of a reference to something outside the archive.
    fn elsewhere(&self, reference: &ContentRef) -> String {
        let address = StableRefs.href(reference);
        match reference {
            ContentRef::Anchor { anchor, page: None, space: None } => format!("#{}", escaped(anchor)),
            ContentRef::Url { .. }
            | ContentRef::Page { space: None, .. }
            | ContentRef::Anchor { space: None, .. }
            | ContentRef::File { space: None, .. }
            | ContentRef::ReusableContent { space: None, .. }
                if !is_absolute(&address) && self.layout.may_lead(&address) =>
            {
                self.broken(reference)
            }
            _ => address,
        }
    }

    /// Returns the address of a reference in a form that no program resolves.
    pub(super) fn broken(&self, reference: &ContentRef) -> String {
        // Without slashes, no program treats the address as a relative path.
        format!("{BROKEN}{}", escaped(&StableRefs.href(reference)).replace('/', "%2F"))
    }
}

/// Returns the address of a page's folder instead of its file, as GitBook writes it.
fn folder(address: String) -> String {
    match address.strip_suffix(FIRST) {
        Some("") => "./".to_owned(),
        Some(folder) if folder.ends_with('/') => folder.to_owned(),
        _ => address,
    }
}

/// Returns a name without its extension.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Returns a percent-encoded address.
pub(super) fn escaped(address: &str) -> String {
    utf8_percent_encode(address, ESCAPED).to_string()
}

/// Returns an address with ASCII characters percent-encoded. Other letters stay, as GitBook writes them.
fn encoded(address: &str, set: &'static AsciiSet) -> String {
    let mut out = String::with_capacity(address.len());
    for part in address.split_inclusive(|c: char| !c.is_ascii()) {
        let ascii = part.trim_end_matches(|c: char| !c.is_ascii());
        out.extend(utf8_percent_encode(ascii, set));
        out.push_str(part.get(ascii.len()..).unwrap_or_default());
    }
    out
}

/// Returns the path of `to` relative to the folder of `from`.
fn relative(from: &str, to: &str) -> String {
    let folder: Vec<&str> =
        from.rsplit_once('/').map_or(Vec::new(), |(folder, _)| folder.split('/').collect());
    let target: Vec<&str> = to.split('/').collect();
    let shared = folder.iter().zip(&target).take_while(|(one, other)| one == other).count();
    let up = folder.iter().skip(shared).map(|_| "..");
    up.chain(target.into_iter().skip(shared)).collect::<Vec<_>>().join("/")
}

/// Returns a file name that is a single path segment.
fn file_name(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if matches!(c, '/' | '\\') || c.is_control() { '_' } else { c }).collect();
    if matches!(name.as_str(), "" | "." | "..") { "file".to_owned() } else { name }
}

/// Returns a key that is equal for names that file systems may not distinguish: those that differ in case, or in the
/// composition of their letters.
fn name_key(name: &str) -> String {
    name.nfc().flat_map(char::to_lowercase).collect()
}

/// Returns a folder that distinguishes a name from earlier equal ones. Empty for the first.
fn numbered(taken: &mut HashMap<String, usize>, name: &str) -> String {
    let count = taken.entry(name.to_owned()).or_default();
    *count += 1;
    if *count == 1 { String::new() } else { format!("{count}/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_relative_to_their_file() {
        for (from, to, address) in [
            ("a.md", "b.md", "b.md"),
            ("x/a.md", "b.md", "../b.md"),
            ("x/y/a.md", "x/b.md", "../b.md"),
            ("a.md", "x/b.md", "x/b.md"),
            ("x/README.md", "x/y/b.md", "y/b.md"),
            ("SUMMARY.md", ".gitbook/assets/a b.png", ".gitbook/assets/a b.png"),
        ] {
            assert_eq!(relative(from, to), address, "{from} → {to}");
        }
        assert_eq!(escaped("a b (1)%.png"), "a%20b%20%281%29%25.png");
    }

    #[test]
    fn the_page_of_a_folder_has_the_address_of_the_folder() {
        for (address, expected) in [
            ("README.md", "./"),
            ("../README.md", "../"),
            ("a/README.md", "a/"),
            ("a/xREADME.md", "a/xREADME.md"),
            ("a.md", "a.md"),
        ] {
            assert_eq!(folder(address.to_owned()), expected);
        }
        assert_eq!(encoded("a (1)%.png", ESCAPED_IN_PAGES), "a (1)%25.png");
        assert_eq!(encoded("é/安 %#x.png", ESCAPED_IN_PAGES), "é/安 %25%23x.png");
    }

    #[test]
    fn equal_names_get_folders() {
        let mut taken = HashMap::new();
        assert_eq!(
            [numbered(&mut taken, "a"), numbered(&mut taken, "a"), numbered(&mut taken, "b")],
            ["", "2/", ""]
        );
        assert_eq!(name_key("E\u{301}.txt"), name_key("é.txt"));
        assert_eq!((file_name("a/b\\c.png"), file_name("..")), ("a_b_c.png".to_owned(), "file".to_owned()));
    }
}
