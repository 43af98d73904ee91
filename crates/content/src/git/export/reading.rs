//! Reads texts with their links, to verify that a merged text means the same as the printed one.

use std::collections::HashMap;

use quire_markup::{
    ContentRef, Document, FrontMatter, HrefKind, PageSource, RefResolver, parse_page, rewrite_refs,
};

use super::edits::Edits;

/// Prefix of links to files of the content, followed by the path.
const FOUND: &str = "/~/";

/// Function that returns the present path of the content at a path.
type Find<'f> = dyn Fn(&str) -> Option<String> + 'f;

/// Links as spelled in a file, with the links that Quire prints for the same targets.
type Spellings = HashMap<ContentRef, ContentRef>;

impl Edits {
    /// Returns whether a text is read as the same page as the printed one. Parts that the edit did not change must keep
    /// their meaning from the source, which is at the path `former` of the commit before.
    ///
    /// An import accepts more spellings of a link than are printed: another letter case, anchors in the form of other
    /// programs, absolute paths, and broken links. It also takes navigation titles and hidden pages from the table of
    /// contents.
    pub(super) fn is_same_page(
        &self,
        (former, path): (&str, &str),
        (source, base): (&str, &str),
        (text, printed): (&str, &str),
    ) -> bool {
        let (mut page, printed) = (self.read(path, text), self.read(path, printed));
        if page == printed {
            return true;
        }
        let (source, base) = (self.read_former(former, source), self.read_former(former, base));
        // A file that is only renamed keeps its meaning.
        if former != path && page == source && printed == base {
            return true;
        }
        keep_properties(&mut page, &source, [&base, &printed]);
        let spellings = spellings(source, base);
        rewrite_refs(&mut page.document, &mut |written| spellings.get(written).cloned());
        page == printed
    }

    /// Reads a page. Its links become paths in the repository.
    fn read(&self, path: &str, text: &str) -> PageSource {
        self.read_with(path, text, &|target| self.paths.get(target).cloned())
    }

    /// Reads a page of the commit before. Its links become the present paths of their targets.
    fn read_former(&self, path: &str, text: &str) -> PageSource {
        self.read_with(path, text, &|target| self.former.get(target).cloned())
    }

    fn read_with(&self, path: &str, text: &str, find: &Find<'_>) -> PageSource {
        let folder = path.strip_prefix(self.prefix.as_str()).unwrap_or(path);
        let folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
        let text = quire_markup::dialects::book(&text).text;
        parse_page(&text, &Links { folder, find })
    }
}

/// Sets unchanged properties of a page to their printed values if the page has them as in the source.
fn keep_properties(page: &mut PageSource, source: &PageSource, printed: [&PageSource; 2]) {
    macro_rules! keep_all {
        ($($field:ident)*) => {
            // Destructures the struct, so that a new property does not compile until it is listed.
            let FrontMatter { $($field),* } = &mut page.front_matter;
            $(keep($field, &source.front_matter.$field, printed.map(|page| &page.front_matter.$field));)*
        };
    }
    keep_all! {
        title link_title description icon emoji cover cover_y layout hidden no_index no_robots_index extra
    }
    keep(&mut page.title, &source.title, printed.map(|page| &page.title));
    keep(&mut page.heading, &source.heading, printed.map(|page| &page.heading));
}

fn keep<T: Clone + PartialEq>(value: &mut T, source: &T, [base, printed]: [&T; 2]) {
    if value == source && base == printed {
        value.clone_from(printed);
    }
}

/// Returns the links of a source that differ from the printed ones at the same positions.
fn spellings(mut source: PageSource, mut printed: PageSource) -> Spellings {
    let (source, printed) = (refs(&mut source.document), refs(&mut printed.document));
    if source.len() != printed.len() {
        return Spellings::new();
    }
    let pairs = source.into_iter().zip(printed);
    pairs.filter(|(written, printed)| written != printed && may_be_same(written, printed)).collect()
}

fn refs(document: &mut Document) -> Vec<ContentRef> {
    let mut refs = Vec::new();
    rewrite_refs(document, &mut |reference| {
        refs.push(reference.clone());
        None
    });
    refs
}

/// Returns whether a link may be another spelling of a printed one. A link to a file must keep its target.
fn may_be_same(written: &ContentRef, printed: &ContentRef) -> bool {
    match (file_of(written), file_of(printed)) {
        (None, _) => true,
        (written, printed) => written == printed,
    }
}

/// Returns the path of the file that a link resolves to.
fn file_of(reference: &ContentRef) -> Option<&str> {
    let ContentRef::Url { url } = reference else { return None };
    let path = url.strip_prefix(FOUND)?;
    Some(path.split_once('#').map_or(path, |(path, _)| path))
}

/// Resolver of links to paths, so that two spellings of the same link are equal.
struct Links<'l> {
    folder: &'l str,
    find: &'l Find<'l>,
}

impl RefResolver for Links<'_> {
    fn resolve(&self, href: &str, _: HrefKind) -> Option<ContentRef> {
        let (path, anchor) = href.split_once('#').map_or((href, ""), |(path, anchor)| (path, anchor));
        if path.is_empty() || path.contains(':') || path.starts_with('/') {
            return None;
        }
        let decoded = percent_encoding::percent_decode_str(path).decode_utf8().ok()?;
        let mut segments: Vec<&str> = self.folder.split('/').filter(|part| !part.is_empty()).collect();
        for segment in decoded.split('/') {
            match segment {
                "" | "." => {}
                ".." => drop(segments.pop()?),
                other => segments.push(other),
            }
        }
        let path = segments.join("/");
        let spelled = match path.as_str() {
            "" => vec!["README.md".to_owned()],
            path => vec![path.to_owned(), format!("{path}/README.md"), format!("{path}.md")],
        };
        let found = spelled.iter().find_map(|spelled| (self.find)(spelled))?;
        Some(ContentRef::url(format!("{FOUND}{found}#{anchor}")))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Returns edits of content with these former and present paths.
    fn edits(paths: &[(&str, &str)]) -> Edits {
        let former = paths.iter().map(|(former, path)| ((*former).to_owned(), (*path).to_owned()));
        let paths = paths.iter().map(|(_, path)| (*path).to_owned());
        Edits { former: former.collect(), paths: paths.collect::<HashSet<_>>(), ..Edits::default() }
    }

    #[test]
    fn a_text_at_another_path_must_have_the_same_links() {
        let edits = edits(&[("a.md", "guide/a.md"), ("b.md", "guide/b.md"), ("c.md", "c.md")]);
        let same = |source: &str, base: &str, text: &str, printed: &str| {
            edits.is_same_page(("a.md", "guide/a.md"), (source, base), (text, printed))
        };
        // Both files are renamed, and the source has another style.
        let (written, printed) = ("[b](./b.md)\n\n- one\n", "[b](b.md)\n\n* one\n");
        assert!(same(written, printed, written, printed));
        let (written, printed) = ("[b](B.md)\n", "[b](b.md)\n");
        assert!(same(written, printed, written, printed));
        // The other file stays.
        let (written, base, printed) = ("[c](c.md)\n", "[c](c.md)\n", "[c](../c.md)\n");
        assert!(!same(written, base, written, printed));
        assert!(same(written, base, printed, printed));
        // A broken link must not find a file in the other folder.
        let (written, marked) = ("[c](../c.md)\n", "[c](/.gitbook/broken?..%2Fc.md)\n");
        assert!(!same(written, marked, written, marked));
    }

    #[test]
    fn a_link_may_be_spelled_in_another_way() {
        let edits = edits(&[("guide/setup.md", "guide/setup.md")]);
        let same = |source: &str, base: &str, text: &str, printed: &str| {
            edits.is_same_page(("guide/README.md", "guide/README.md"), (source, base), (text, printed))
        };
        let (written, printed) = ("[a](Setup.md#1-run)\n\nOne.\n", "[a](setup.md#id-1.-run)\n\nOne.\n");
        let (edited, new) = (written.replace("One", "Two"), printed.replace("One", "Two"));
        assert!(same(written, printed, &edited, &new));
        // Only the spelling in the source is accepted, and only for the same target.
        assert!(!same(written, printed, &edited, &new.replace("setup.md", "other.md")));
        assert!(!same(printed, printed, &edited, &new));
        let (broken, marked) = ("[a](../gone.md)\n\nOne.\n", "[a](/.gitbook/broken?..%2Fgone.md)\n\nOne.\n");
        assert!(same(broken, marked, &broken.replace("One", "Two"), &marked.replace("One", "Two")));
        // The title comes from the table of contents, and the edit changed another property.
        let (written, printed) = ("---\nicon: a\n---\n\n# A\n", "---\nlinkTitle: B\nicon: a\n---\n\n# A\n");
        assert!(same(written, printed, &written.replace("a\n-", "b\n-"), &printed.replace("a\n-", "b\n-")));
        assert!(!same(written, printed, written, &printed.replace("B", "C")));
        // A resolved link must not become a broken one.
        let (found, marked) = ("[a](setup.md)\n", "[a](/.gitbook/broken?setup.md)\n");
        assert!(!same(found, marked, found, marked));
    }
}
