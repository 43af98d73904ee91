//! Writing of the plan's pages at the paths of their sources, like an export to a repository.

use std::collections::BTreeMap;
use std::path::Path;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use quire_importer::plan::{ImportPlan, PlannedPage};
use quire_importer::tree::SourceTree;
use quire_markup::{ContentRef, FrontMatter, RefPrinter, StableRefs, print_page};

use crate::text_of;

/// Characters of paths that are written in percent-encoding.
const ESCAPED: &AsciiSet =
    &CONTROLS.add(b'"').add(b'#').add(b'%').add(b'<').add(b'>').add(b'?').add(b'\\').add(b'`');

/// Writes the Markdown pages into a folder, and returns their number and how many of them are equal to their sources.
pub(crate) fn write(plan: &ImportPlan, sources: &SourceTree, folder: &Path) -> (usize, usize) {
    let pages = plan.pages.iter().filter_map(|page| Some((page.id.to_string(), page.source_path.clone()?)));
    let files = plan.files.iter().map(|file| (file.id.to_string(), file.source_path.clone()));
    let contents =
        plan.reusable_contents.iter().map(|content| (content.id.to_string(), content.source_path.clone()));
    let paths: BTreeMap<String, String> = pages.chain(files).chain(contents).collect();
    let (mut all, mut equal) = (0, 0);
    for page in &plan.pages {
        let Some(path) = page.source_path.as_ref().filter(|path| path.ends_with(".md")) else { continue };
        let refs = SourceRefs { paths: &paths, from: path };
        let document = page.read_document().expect("the disk works");
        let text = print_page(&front_matter(page, &refs), &page.title, &document, &refs);
        all += 1;
        equal += usize::from(text == text_of(sources, path));
        let file = folder.join(path);
        std::fs::create_dir_all(file.parent().unwrap_or(folder)).expect("the folder can be made");
        std::fs::write(file, text).expect("the file can be written");
    }
    (all, equal)
}

fn front_matter(page: &PlannedPage, refs: &SourceRefs<'_>) -> FrontMatter {
    FrontMatter {
        title: None,
        // The table of contents contains it.
        link_title: None,
        description: page.description.clone(),
        icon: page.icon.clone(),
        emoji: page.emoji.clone(),
        cover: page.cover.as_ref().map(|cover| refs.href(&cover.image)),
        cover_y: page.cover.as_ref().map(|cover| cover.y_pos),
        layout: page.layout.clone(),
        hidden: page.hidden.then_some(true),
        no_index: page.no_index.then_some(true),
        no_robots_index: page.no_robots_index.then_some(true),
        extra: Vec::new(),
    }
}

/// Writes references as addresses relative to a source.
struct SourceRefs<'a> {
    paths: &'a BTreeMap<String, String>,
    from: &'a str,
}

impl RefPrinter for SourceRefs<'_> {
    fn href(&self, reference: &ContentRef) -> String {
        let (id, anchor) = match reference {
            ContentRef::Page { page, .. } => (page, None),
            ContentRef::Anchor { anchor, page: Some(page), .. } => (page, Some(anchor)),
            ContentRef::File { file, .. } => (file, None),
            ContentRef::ReusableContent { reusable_content, .. } => (reusable_content, None),
            _ => return StableRefs.href(reference),
        };
        let Some(path) = self.paths.get(id) else { return StableRefs.href(reference) };
        let path = self.relative(path);
        let characters = path.split_inclusive(|c: char| !c.is_ascii());
        let encode = |part: &str| match part.chars().next_back().filter(|c| !c.is_ascii()) {
            Some(last) => {
                let ascii = part.strip_suffix(last).unwrap_or_default();
                format!("{}{last}", utf8_percent_encode(ascii, ESCAPED))
            }
            None => utf8_percent_encode(part, ESCAPED).to_string(),
        };
        let address: String = characters.map(encode).collect();
        let is_page = !matches!(reference, ContentRef::File { .. } | ContentRef::ReusableContent { .. });
        let address = match address.strip_suffix("README.md").filter(|_| is_page) {
            Some("") => "./".to_owned(),
            Some(folder) => folder.to_owned(),
            None => address,
        };
        format!("{address}{}", anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default())
    }
}

impl SourceRefs<'_> {
    fn relative(&self, to: &str) -> String {
        let folder: Vec<&str> =
            self.from.rsplit_once('/').map_or(Vec::new(), |(folder, _)| folder.split('/').collect());
        let target: Vec<&str> = to.split('/').collect();
        let shared = folder.iter().zip(&target).take_while(|(one, other)| one == other).count();
        let up = folder.iter().skip(shared).map(|_| "..");
        up.chain(target.into_iter().skip(shared)).collect::<Vec<_>>().join("/")
    }
}
