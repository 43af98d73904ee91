//! Plan of a repository in which a few pages changed.
//!
//! Texts of other pages are only read if changed pages link to them, since their anchors are then needed. The plan has
//! the places of all pages, but only the documents of the changed ones.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use quire_domain::IdGenerator;
use quire_domain::imports::ImportSource;
use quire_markup::{ContentRef, links};

use super::anchors::Anchors;
use super::{GeneratedIds, ImportPlan, PlannedPage, content_location, plan};
use crate::spool::Content;
use crate::tree::SourceTree;

/// Texts before `include` in directives that show the text of another file.
const SHOWN: [&str; 5] = ["{%", "#", "@", "{", "<"];

/// Former and new text of a changed page.
#[derive(Debug, Clone)]
pub struct ChangedText {
    /// Text of the last import.
    pub former: Content,
    /// Current text.
    pub new: Content,
}

/// Plans the changes of a repository. In `tree`, settings, tables of contents and all other texts that are not pages
/// must have their bytes; `text` returns the texts of unchanged pages.
///
/// Returns `None` if other pages may change too: if a changed page has another title or other anchors, no longer uses a
/// file, or shows other files; or if there is no table of contents and pages are not read alone. The order of pages and
/// the product may also depend on texts, so the caller compares both with those of the previous import.
#[must_use]
pub fn plan_changes(
    tree: &SourceTree,
    changed: &BTreeMap<String, ChangedText>,
    text: &dyn Fn(&str) -> Option<Content>,
    new_ids: &dyn IdGenerator,
) -> Option<ImportPlan> {
    if changed.values().any(|text| shows_files(&text.new) || shows_files(&text.former)) {
        return None;
    }
    let planned = |of: fn(&ChangedText) -> &Content, others: &BTreeMap<String, Content>| {
        let mut tree = tree.clone();
        tree.files.extend(others.iter().map(|(path, content)| (path.clone(), content.clone())));
        tree.files.extend(changed.iter().map(|(path, text)| (path.clone(), of(text).clone())));
        plan(ImportSource::Gitbook, tree, &mut GeneratedIds(new_ids)).ok()
    };
    let former = planned(|text| &text.former, &BTreeMap::new())?;
    let new = planned(|text| &text.new, &BTreeMap::new())?;
    let has_order = content_location(ImportSource::Gitbook, tree).summary.is_some();
    let reads_alone = former.reads_pages_alone && new.reads_pages_alone;
    if !has_order && !reads_alone {
        return None;
    }
    let (former_files, files) = (files_of(&former), files_of(&new));
    // Pictures in the text of a page are files with the path of the page.
    let has_pictures = former_files.iter().chain(&files).any(|path| changed.contains_key(*path));
    if has_pictures
        || !former_files.is_subset(&files)
        || anchors(&former, changed)? != anchors(&new, changed)?
    {
        return None;
    }
    let linked: Option<BTreeMap<String, Content>> =
        linked(&new, changed)?.into_iter().map(|path| Some((path.to_owned(), text(path)?))).collect();
    let linked = linked?;
    let mut plan = if linked.is_empty() { new.clone() } else { planned(|text| &text.new, &linked)? };
    plan.files.retain(|file| files.contains(file.source_path.as_str()));
    plan.reusable_contents.clear();
    Some(plan)
}

fn shows_files(text: &Content) -> bool {
    let Ok(bytes) = text.read() else { return true };
    let text = String::from_utf8_lossy(&bytes);
    let is_shown = |at: usize| {
        let before = text.get(..at).unwrap_or_default().trim_end_matches([' ', '\t', '-']);
        SHOWN.iter().any(|syntax| before.ends_with(syntax))
    };
    text.contains("{{#")
        || text.contains("--8<--")
        || text.match_indices("include").any(|(at, _)| is_shown(at))
}

fn files_of(plan: &ImportPlan) -> BTreeSet<&str> {
    plan.files.iter().map(|file| file.source_path.as_str()).collect()
}

fn pages_of<'p>(
    plan: &'p ImportPlan,
    changed: &BTreeMap<String, ChangedText>,
) -> impl Iterator<Item = (&'p str, &'p PlannedPage)> {
    let pages = plan.pages.iter().filter_map(|page| Some((page.source_path.as_deref()?, page)));
    pages.filter(|(path, _)| changed.contains_key(*path))
}

/// Returns the anchors of changed pages; `None` if a document cannot be read back from disk.
fn anchors<'p>(
    plan: &'p ImportPlan,
    changed: &BTreeMap<String, ChangedText>,
) -> Option<BTreeMap<&'p str, Anchors>> {
    let pages = pages_of(plan, changed);
    pages.map(|(path, page)| Some((path, Anchors::of(&page.title, &page.read_document().ok()?)))).collect()
}

/// Returns the paths of unchanged pages that changed ones link to.
fn linked<'p>(plan: &'p ImportPlan, changed: &BTreeMap<String, ChangedText>) -> Option<BTreeSet<&'p str>> {
    let pages =
        plan.pages.iter().filter_map(|page| Some((page.id.to_string(), page.source_path.as_deref()?)));
    let paths: HashMap<String, &str> = pages.collect();
    let mut linked = BTreeSet::new();
    for (_, page) in pages_of(plan, changed) {
        for link in links(&page.read_document().ok()?) {
            if let ContentRef::Anchor { page: Some(page), space: None, .. } = &link.reference {
                linked.extend(paths.get(page).filter(|path| !changed.contains_key(**path)));
            }
        }
    }
    Some(linked)
}
