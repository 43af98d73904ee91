//! Several GitBook spaces in the folders of one repository, each with its own table of contents: languages, or the
//! parts of a site.

use std::collections::BTreeSet;

use percent_encoding::percent_decode_str;
use quire_markup::exported::{broken_address, is_absolute};
use quire_markup::markdown::escaped;
use quire_markup::openapi::Json;

use super::{Contents, Site};
use crate::layout::{Layout, lists_pages};
use crate::path;
use crate::plan::names;
use crate::report::changed;
use crate::summary::{self, Entry, Part};
use crate::tree::SourceTree;
use crate::yaml;

/// Settings of a site of GitBook: its spaces in order, with their titles and folders.
const SETTINGS: &str = "docs.yaml";

/// Maximum number of levels of sections in the settings of a site.
const MAX_LEVELS: usize = 8;

/// Makes each space a group of the site, in the order of the settings, otherwise by name. Returns the pages that the
/// table of contents of their space does not list.
pub(super) fn open(tree: &SourceTree, site: &mut Site) -> BTreeSet<String> {
    let mut summaries = summaries(tree);
    if summaries.len() < 2 {
        return BTreeSet::new();
    }
    let titles = tree.text(SETTINGS).and_then(|text| yaml::parse(&text)).map(|settings| titles(&settings));
    let titles = titles.unwrap_or_default();
    let position = |summary: &&String| titles.iter().position(|(folder, _)| folder == path::folder(summary));
    summaries.sort_by_key(|summary| position(summary).unwrap_or(usize::MAX));
    let title =
        |folder: &str| titles.iter().find(|(named, _)| named == folder).map(|(_, title)| title.clone());

    let top = ["README.md", "index.md"].into_iter().find(|file| tree.files.contains_key(*file));
    let top = top.map(|file| Part { title: None, entries: vec![Entry::of_file("", file, Vec::new())] });
    let mut parts: Vec<Part> = top.into_iter().collect();
    let mut hidden = BTreeSet::new();
    for summary in &summaries {
        let folder = path::folder(summary);
        let entries = entries(tree, summary, folder);
        let mut listed = BTreeSet::new();
        entries.iter().for_each(|entry| collect(entry, &mut listed));
        let pages =
            super::pages(tree).filter(|page| *page != *summary && path::below(folder, page).is_some());
        for page in pages.filter(|page| !path::is_include(page) && !listed.contains(*page)) {
            let message = format!("`{summary}` does not list it: it was kept as a hidden page");
            site.notices.push(changed(page, message));
            hidden.insert(page.clone());
        }
        let title = title(folder).unwrap_or_else(|| names::from_name(path::name(folder)));
        parts.push(Part { title: Some(escaped(&title)), entries });
        site.tops.push(folder.to_owned());
    }
    site.contents = Some(Contents { path: String::new(), parts });
    site.uses(summaries.into_iter().cloned());
    hidden
}

/// Returns the tables of contents in folders that are not inside each other; empty if the root has one.
fn summaries(tree: &SourceTree) -> Vec<&String> {
    if Layout::find(tree).summary.is_some() {
        return Vec::new();
    }
    let is_one = |file: &&String| {
        path::name(file).eq_ignore_ascii_case("SUMMARY.md")
            && !path::is_hidden(file)
            && lists_pages(tree, file)
    };
    let all: Vec<&String> = tree.files.keys().filter(is_one).collect();
    let is_inside = |file: &str| {
        let folder = path::folder(file);
        all.iter()
            .any(|other| path::folder(other) != folder && path::below(path::folder(other), folder).is_some())
    };
    all.iter().copied().filter(|file| !is_inside(file)).collect()
}

/// Returns the entries of a space, with addresses relative to the root of the repository. Parts become entries without
/// a target.
fn entries(tree: &SourceTree, summary: &str, folder: &str) -> Vec<Entry> {
    let parts = summary::parse(&tree.text(summary).unwrap_or_default());
    let mut entries = Vec::new();
    for Part { title, entries: inside } in parts {
        let inside = inside.into_iter().map(|entry| rebased(entry, folder));
        match title {
            Some(title) => entries.push(Entry::new(title, None, inside.collect())),
            None => entries.extend(inside),
        }
    }
    entries
}

fn rebased(entry: Entry, folder: &str) -> Entry {
    let target = entry.target.map(|target| {
        if is_absolute(&target) || broken_address(&target).is_some() {
            return target;
        }
        format!("/{}/{}", summary::address(folder), target.trim_start_matches('/'))
    });
    let children = entry.children.into_iter().map(|entry| rebased(entry, folder)).collect();
    Entry { target, children, ..entry }
}

/// Adds the files that an entry and its descendants name.
fn collect(entry: &Entry, listed: &mut BTreeSet<String>) {
    let target = entry.target.as_deref().filter(|target| !is_absolute(target)).unwrap_or_default();
    let written = target.split('#').next().unwrap_or_default();
    let decoded = percent_decode_str(written).decode_utf8_lossy();
    listed.extend([path::join("", written), path::join("", &decoded)].into_iter().flatten());
    entry.children.iter().for_each(|entry| collect(entry, listed));
}

/// Returns the folders of the spaces of a site in order, with their titles. If a section only contains one space, its
/// title is used, otherwise the title of the space.
fn titles(settings: &Json) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let structure = settings.get("site").map(|site| site.items_of("structure")).unwrap_or_default();
    structure.iter().for_each(|node| add_titles(node, None, MAX_LEVELS, &mut found));
    found
}

fn add_titles(node: &Json, section: Option<&str>, levels: usize, found: &mut Vec<(String, String)>) {
    let folder_of = |node: &Json| path::join("", node.pointer("/content/directory")?.as_str()?);
    if let Some(folder) = folder_of(node) {
        let title = section.or_else(|| node.str("title")).unwrap_or_else(|| path::name(&folder));
        found.push((folder.clone(), title.to_owned()));
    }
    let children = node.items_of("children");
    let spaces = children.iter().filter(|child| folder_of(child).is_some()).count();
    let section = node.str("title").filter(|_| spaces == 1);
    if let Some(levels) = levels.checked_sub(1) {
        children.iter().for_each(|child| add_titles(child, section, levels, found));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_with_one_space_give_it_their_title() {
        let settings = "\
site:
  structure:
    - type: section
      title: Docs
      children:
        - {type: space, title: English, content: {directory: ./docs}}
        - {type: space, title: French, content: {directory: null}}
    - type: section-group
      title: More
      children:
        - type: section
          title: Guides
          children:
            - {type: space, title: A, content: {directory: ./guides/a}}
            - {type: space, title: B, content: {directory: ./guides/b}}
";
        let found = titles(&yaml::parse(settings).unwrap());
        let expected = [("docs", "Docs"), ("guides/a", "A"), ("guides/b", "B")];
        assert_eq!(found, expected.map(|(folder, title)| (folder.to_owned(), title.to_owned())));
    }
}
