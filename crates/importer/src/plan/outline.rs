//! Tree of pages before their files are read: from the table of contents, or from folders.

use std::collections::{BTreeMap, BTreeSet};

use quire_domain::imports::ImportReportEntry;
use quire_markup::exported::{broken_address, is_absolute};

use super::inventory::Inventory;
use super::locate::Locator;
use super::natural_order;
use crate::dialect::Dialect;
use crate::layout::Layout;
use crate::path;
use crate::report::failed;
use crate::summary::{Entry, Part};

/// A page of the outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    /// Title in the list, as inline Markdown; `None` if only the file has a title.
    pub(super) label: Option<String>,
    /// The label is the title in navigation, in addition to the title of the page.
    pub(super) is_link_title: bool,
    /// Location of the content.
    pub(super) target: Target,
    /// The page is excluded from the navigation.
    pub(super) hidden: bool,
    /// Child pages.
    pub(super) children: Vec<Node>,
}

/// Location of the content of a [`Node`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// A file of the import.
    File(String),
    /// No content: an empty page, of this folder if given.
    Empty(Option<String>),
    /// No content: a group, of this folder if given.
    Group(Option<String>),
    /// Computed pages, by the YAML of their source.
    Computed(String),
    /// A link: an address, an anchor of a page, a file, or a page that was listed before.
    Link(String),
}

impl Node {
    fn new(label: Option<String>, target: Target, children: Vec<Self>) -> Self {
        Self { label, is_link_title: false, target, hidden: false, children }
    }

    /// Counts the page and its descendants.
    pub(super) fn count(&self) -> usize {
        1 + self.children.iter().map(Self::count).sum::<usize>()
    }
}

/// Returns the outline of a table of contents.
pub(super) fn from_summary(
    parts: Vec<Part>,
    summary: &str,
    locator: &Locator<'_>,
    report: &mut Vec<ImportReportEntry>,
) -> Vec<Node> {
    let mut reader =
        SummaryReader { summary, locator, listed_whole: BTreeSet::new(), taken: BTreeSet::new(), report };
    for part in &parts {
        reader.find_whole(&part.entries);
    }
    let mut nodes = Vec::new();
    for Part { title, entries } in parts {
        let entries = reader.nodes(entries);
        match title {
            Some(title) => nodes.push(Node::new(Some(title), Target::Group(None), entries)),
            None => nodes.extend(entries),
        }
    }
    nodes
}

struct SummaryReader<'a> {
    summary: &'a str,
    locator: &'a Locator<'a>,
    /// Pages that at least one entry lists without an anchor.
    listed_whole: BTreeSet<String>,
    /// Pages that already have a position.
    taken: BTreeSet<String>,
    report: &'a mut Vec<ImportReportEntry>,
}

impl SummaryReader<'_> {
    fn find_whole(&mut self, entries: &[Entry]) {
        for entry in entries {
            let located = entry.target.as_deref().and_then(|href| self.locator.locate(self.summary, href));
            if let Some(found) = located.filter(|found| found.fragment.is_none()) {
                self.listed_whole.insert(found.path);
            }
            self.find_whole(&entry.children);
        }
    }

    fn nodes(&mut self, entries: Vec<Entry>) -> Vec<Node> {
        let mut nodes = Vec::with_capacity(entries.len());
        for Entry { title, is_link_title, target, block, children } in entries {
            if let Some(block) = block {
                // Computed pages cannot have child pages, so nested entries become their siblings.
                nodes.push(Node::new(None, Target::Computed(block), Vec::new()));
                nodes.extend(self.nodes(children));
                continue;
            }
            let target = self.target(target);
            nodes.push(Node { is_link_title, ..Node::new(Some(title), target, self.nodes(children)) });
        }
        nodes
    }

    /// Returns the target of an entry. A page has one position: further entries for it are links, and so are entries
    /// for an anchor of a page that another entry lists without an anchor.
    fn target(&mut self, href: Option<String>) -> Target {
        let Some(href) = href else { return Target::Empty(None) };
        if is_absolute(&href) || broken_address(&href).is_some() {
            return Target::Link(href);
        }
        // Exports mark a link to a page that is not its position by an empty fragment.
        if let Some(page) = href.strip_suffix('#') {
            return Target::Link(page.to_owned());
        }
        let Some(found) = self.locator.locate(self.summary, &href) else {
            let message = format!("`{}` lists it, but it does not exist; its page is empty", self.summary);
            self.report.push(failed(href, message));
            return Target::Empty(None);
        };
        if !self.locator.tree.files.contains_key(&found.path) {
            return Target::Empty(Some(found.path));
        }
        let elsewhere = found.fragment.is_some() && self.listed_whole.contains(&found.path);
        if elsewhere
            || !self.locator.inventory.pages.contains(&found.path)
            || !self.taken.insert(found.path.clone())
        {
            return Target::Link(href);
        }
        Target::File(found.path)
    }
}

/// Returns the outline of folders, for the pages below the layout's root. The page of a folder is the parent of the
/// others in it.
pub(super) fn from_folders(inventory: &Inventory, layout: &Layout, dialect: &dyn Dialect) -> Vec<Node> {
    let mut top = Folder::default();
    for page in &inventory.pages {
        if let Some(relative) = path::below(&layout.root, page) {
            top.insert(relative, page);
        }
    }
    let index = inventory.indexes.get(&layout.root);
    let mut nodes = top.nodes(&layout.root, inventory, dialect, true);
    // The page of the top folder precedes the others instead of being their parent, as in a table of contents.
    if let Some(index) = index {
        nodes.insert(0, Node::new(None, Target::File(index.clone()), Vec::new()));
    }
    nodes
}

#[derive(Default)]
struct Folder<'a> {
    pages: BTreeSet<&'a str>,
    folders: BTreeMap<&'a str, Folder<'a>>,
}

impl<'a> Folder<'a> {
    fn insert(&mut self, relative: &'a str, page: &'a str) {
        match relative.split_once('/') {
            Some((folder, rest)) => self.folders.entry(folder).or_default().insert(rest, page),
            None => {
                self.pages.insert(page);
            }
        }
    }

    /// Returns the pages and folders in the folder at `at`, in natural order of their names.
    fn nodes(mut self, at: &str, inventory: &Inventory, dialect: &dyn Dialect, top: bool) -> Vec<Node> {
        let mut named: Vec<(String, Node)> = Vec::new();
        for (name, folder) in std::mem::take(&mut self.folders) {
            let inside = if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") };
            let target = self.page_of(&inside, inventory, dialect, top);
            let below = folder.nodes(&inside, inventory, dialect, false);
            named.push((dialect.name(name).to_owned(), Node::new(None, target, below)));
        }
        for page in self.pages.into_iter().filter(|page| !inventory.is_index(page)) {
            named.push((
                dialect.name(path::stem(page)).to_owned(),
                Node::new(None, Target::File(page.to_owned()), Vec::new()),
            ));
        }
        named.sort_by(|(one, _), (other, _)| natural_order::compare(one, other));
        named.into_iter().map(|(_, node)| node).collect()
    }

    /// Returns the page of the folder at `inside`: its own page, otherwise the sibling page with its name, otherwise a
    /// group at the top or an empty page below it.
    fn page_of(&mut self, inside: &str, inventory: &Inventory, dialect: &dyn Dialect, top: bool) -> Target {
        if let Some(index) = inventory.indexes.get(inside) {
            return Target::File(index.clone());
        }
        let stem = format!("{inside}.");
        let mut namesakes = self.pages.range(stem.as_str()..).take_while(|page| page.starts_with(&stem));
        if let Some(page) = namesakes.find(|page| path::stem(page) == path::name(inside)).copied()
            && !inventory.is_index(page)
        {
            self.pages.remove(page);
            return Target::File(page.to_owned());
        }
        // An export may omit the id of a page in the name of its folder.
        let called = |page: &str| dialect.name(path::stem(page)) == dialect.name(path::name(inside));
        let mut namesakes = self.pages.iter().filter(|page| called(page) && !inventory.is_index(page));
        if let (Some(page), None) = (namesakes.next().copied(), namesakes.next()) {
            self.pages.remove(page);
            return Target::File(page.to_owned());
        }
        let folder = Some(inside.to_owned());
        if top { Target::Group(folder) } else { Target::Empty(folder) }
    }
}

/// Adds the pages missing in `nodes`, visible or `hidden`: below the page of the nearest enclosing folder that has one,
/// otherwise at the end. So links to such pages can be resolved, and no content is lost.
pub(super) fn add_unlisted(
    nodes: &mut Vec<Node>,
    inventory: &Inventory,
    layout: &Layout,
    hidden: bool,
) -> Vec<String> {
    let mut listed = BTreeSet::new();
    collect_files(nodes, &mut listed);
    let unlisted: Vec<String> =
        inventory.pages.iter().filter(|page| !listed.contains(*page)).cloned().collect();
    let mut below: BTreeMap<String, Vec<Node>> = BTreeMap::new();
    for page in &unlisted {
        let mut node = Node::new(None, Target::File(page.clone()), Vec::new());
        node.hidden = hidden;
        match home(page, &listed, inventory, layout) {
            Some(index) => below.entry(index).or_default().push(node),
            None => nodes.push(node),
        }
    }
    append_below(nodes, &mut below);
    unlisted
}

/// Returns the listed page of the nearest enclosing folder of `page`. The top page does not count, since it is a
/// sibling of the others.
fn home(page: &str, listed: &BTreeSet<String>, inventory: &Inventory, layout: &Layout) -> Option<String> {
    let mut folder = path::folder(page);
    while !folder.is_empty() && folder != layout.root {
        if let Some(index) = inventory.indexes.get(folder).filter(|index| listed.contains(*index)) {
            return Some(index.clone());
        }
        folder = path::folder(folder);
    }
    None
}

fn collect_files(nodes: &[Node], files: &mut BTreeSet<String>) {
    for node in nodes {
        if let Target::File(file) = &node.target {
            files.insert(file.clone());
        }
        collect_files(&node.children, files);
    }
}

fn append_below(nodes: &mut [Node], below: &mut BTreeMap<String, Vec<Node>>) {
    for node in nodes {
        append_below(&mut node.children, below);
        if let Target::File(file) = &node.target
            && let Some(more) = below.remove(file)
        {
            node.children.extend(more);
        }
    }
}
