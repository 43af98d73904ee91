//! Tree of pages of a space.

use std::collections::{BTreeSet, HashMap, HashSet};

use maud::{Markup, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quire_content::rendering::Addresses;
use quire_domain::ids::{PageId, ReusableContentId, RevisionId, SpaceId};
use quire_markup::{ContentRef, emoji_character};
use quire_render::{icon_name, link_address};
use quire_revision::{Change, FileNode, PageKind, PageNode, Tree, diff};
use quire_server::UrlSigner;
use quire_server::files::FileAddress;

use super::shell::Frame;
use crate::site::SpaceTree;

/// Maximum number of pages of a space for a complete tree. In a larger space, branches are loaded when they are opened.
const WHOLE: usize = 200;
/// Maximum number of pages per level. Two levels and the rest of a page have less than 1,500 elements.
pub(super) const LEVEL: usize = 75;
/// Maximum depth of the tree.
const DEPTH: usize = 32;
/// Characters that are escaped in the path of a page.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Maximum number of deleted pages named per level.
const MOST_DELETED: usize = 20;

/// Change of a page since the base of the change request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Added,
    Moved,
    Edited,
}

/// Changes of a change request to the pages of its space.
#[derive(Default)]
pub(super) struct Marks {
    pages: HashMap<PageId, Mark>,
    /// Titles of deleted pages by former parent. Descendants of deleted pages are left out.
    deleted: HashMap<Option<PageId>, Vec<String>>,
}

impl Marks {
    /// Compares the base of a change request with its tree.
    pub(super) fn between(before: &Tree, after: &Tree) -> Self {
        let mut marks = Self::default();
        for change in diff(before, after) {
            match change {
                Change::PageCreated { page } => marks.set(page.id, Mark::Added),
                Change::PageMoved { page, .. } => marks.set(page.id, Mark::Moved),
                Change::PageEdited { page, .. } => marks.set(page.id, Mark::Edited),
                Change::PageDeleted { page } => {
                    let parent = before.page(page.id).and_then(|page| page.parent);
                    if parent.is_none_or(|parent| after.page(parent).is_some()) {
                        marks.deleted.entry(parent).or_default().push(page.title);
                    }
                }
                _ => {}
            }
        }
        marks
    }

    /// Marks a page. A page that was both moved and edited is marked as edited.
    fn set(&mut self, page: PageId, mark: Mark) {
        let known = self.pages.entry(page).or_insert(mark);
        if *known == Mark::Moved {
            *known = mark;
        }
    }
}

/// Content that pages are read from: the current content of a space, a change request, or a revision.
#[derive(Clone, Debug)]
pub(super) struct ContentAddress {
    /// Path of the deployment.
    pub(super) prefix: String,
    pub(super) space: SpaceId,
    /// Number of the change request.
    pub(super) change: Option<i32>,
    /// Revision, whose pages are read-only.
    pub(super) revision: Option<RevisionId>,
}

impl ContentAddress {
    /// Returns the address of the space.
    pub(super) fn of_space(&self) -> String {
        format!("{}/s/{}", self.prefix, self.space)
    }

    /// Returns whether this is the current content of the space. Its root address is that of its first page.
    pub(super) fn is_current(&self) -> bool {
        self.change.is_none() && self.revision.is_none()
    }

    /// Returns the root address: the first page, or the overview of the change request or revision.
    pub(super) fn root(&self) -> String {
        match (self.change, self.revision) {
            (Some(number), _) => format!("{}/~/changes/{number}", self.of_space()),
            (None, Some(id)) => format!("{}/~/history/{id}", self.of_space()),
            (None, None) => self.of_space(),
        }
    }

    /// Returns the address of the page at a path.
    pub(super) fn at(&self, path: &str) -> String {
        format!("{}/{}", self.root(), utf8_percent_encode(path, ESCAPED))
    }

    /// Returns the address of a reusable content, or of their list.
    pub(super) fn reusable(&self, id: Option<ReusableContentId>) -> String {
        let id = id.map(|id| format!("/{id}")).unwrap_or_default();
        format!("{}/~/reusable{id}{}", self.of_space(), self.selection("?"))
    }

    /// Returns the address of the forms for other additions below a page.
    pub(super) fn additions(&self, into: Option<PageId>) -> String {
        let into = into.map(|page| format!("?into={page}")).unwrap_or_default();
        let separator = if into.is_empty() { "?" } else { "&" };
        format!("{}/~/add{into}{}", self.of_space(), self.selection(separator))
    }

    /// Returns the address of the settings of a page.
    pub(super) fn page_settings(&self, page: PageId) -> String {
        format!("{}/~/page/{page}/settings{}", self.of_space(), self.selection("?"))
    }

    /// Returns the address of the form for the cover of a page.
    pub(super) fn cover(&self, page: PageId) -> String {
        format!("{}/~/cover/{page}{}", self.of_space(), self.selection("?"))
    }

    /// Returns the parameter that selects the change request.
    fn selection(&self, separator: &str) -> String {
        self.change.map(|number| format!("{separator}change={number}")).unwrap_or_default()
    }

    /// Returns the addresses for links in documents.
    pub(super) fn addresses<'a>(&'a self, signer: &'a UrlSigner) -> LinkAddresses<'a> {
        LinkAddresses { place: self, signer }
    }

    /// Returns the address of a level of the tree after the page `after`.
    pub(super) fn level(&self, parent: Option<PageId>, after: Option<PageId>) -> String {
        let mut address = format!("{}/~/pages?", self.of_space());
        for (name, value) in [("parent", parent), ("after", after)] {
            if let Some(id) = value {
                address.push_str(&format!("{name}={id}&"));
            }
        }
        if let Some(number) = self.change {
            address.push_str(&format!("change={number}"));
        }
        if let Some(id) = self.revision {
            address.push_str(&format!("revision={id}"));
        }
        address.trim_end_matches(['&', '?']).to_owned()
    }
}

/// Addresses in the workspace. Files have signed addresses, which need no token.
pub(super) struct LinkAddresses<'a> {
    place: &'a ContentAddress,
    signer: &'a UrlSigner,
}

impl Addresses for LinkAddresses<'_> {
    fn page(&self, space: Option<SpaceId>, path: &str) -> String {
        match space {
            None => self.place.at(path),
            Some(space) => {
                ContentAddress { space, change: None, revision: None, ..self.place.clone() }.at(path)
            }
        }
    }

    fn space(&self, space: SpaceId) -> String {
        format!("{}/s/{space}", self.place.prefix)
    }

    fn file(&self, space: SpaceId, file: &FileNode) -> String {
        let address = FileAddress {
            space,
            blob: file.blob,
            name: file.name.clone(),
            content_type: file.content_type.clone(),
        };
        format!("{}/v1/spaces/{space}/files/{}", self.place.prefix, address.path(self.signer))
    }
}

/// Writer of the tree for one page.
pub(super) struct TreeWriter<'a> {
    frame: &'a Frame,
    place: &'a ContentAddress,
    tree: &'a SpaceTree,
    page: Option<PageId>,
    marks: Option<&'a Marks>,
    open: HashSet<PageId>,
    is_whole: bool,
    /// True to write the ids of pages, which the editing script needs.
    is_edited: bool,
}

impl<'a> TreeWriter<'a> {
    pub(super) fn new(
        frame: &'a Frame,
        place: &'a ContentAddress,
        tree: &'a SpaceTree,
        page: Option<PageId>,
    ) -> Self {
        let ancestors = page.iter().flat_map(|page| tree.ancestors(*page));
        let open = ancestors.map(|page| page.id).chain(page).collect();
        Self {
            frame,
            place,
            tree,
            page,
            marks: None,
            open,
            is_whole: tree.page_count() <= WHOLE,
            is_edited: false,
        }
    }

    /// Sets whether the tree can be edited in place.
    pub(super) fn edited(self, is_edited: bool) -> Self {
        Self { is_edited, ..self }
    }

    /// Marks the pages that a change request changes.
    pub(super) fn marked(self, marks: &'a Marks) -> Self {
        Self { marks: Some(marks), ..self }
    }

    /// Writes the tree. Adds its icons to the sprite.
    pub(super) fn write(&self, icons: &mut BTreeSet<String>) -> Markup {
        self.level(None, "", None, 0, icons)
    }

    /// Writes a single level after the page `after`.
    pub(super) fn one_level(
        &self,
        parent: Option<PageId>,
        after: Option<PageId>,
        icons: &mut BTreeSet<String>,
    ) -> Markup {
        let path = parent.and_then(|parent| self.tree.path_of(parent)).unwrap_or_default();
        self.level(parent, &path, after, 0, icons)
    }

    fn level(
        &self,
        parent: Option<PageId>,
        path: &str,
        after: Option<PageId>,
        depth: usize,
        icons: &mut BTreeSet<String>,
    ) -> Markup {
        let mut pages = self.tree.children(parent).peekable();
        if let Some(after) = after {
            // If that page no longer exists here, the level starts from the beginning.
            if self.tree.page(after).is_some_and(|page| page.parent == parent) {
                pages.by_ref().find(|page| page.id == after);
            }
        }
        let shown: Vec<&PageNode> = pages.by_ref().take(LEVEL).collect();
        let last = shown.last().map(|page| page.id).filter(|_| pages.peek().is_some());
        // The ancestors of the current page are always shown.
        let current = last.and_then(|_| pages.find(|page| self.open.contains(&page.id)));
        let deleted = self.marks.and_then(|marks| marks.deleted.get(&parent)).filter(|_| last.is_none());
        html! {
            @if depth < DEPTH {
                ul {
                    @for page in shown { (self.node(page, path, depth, icons)) }
                    @if let Some(page) = current { (self.node(page, path, depth, icons)) }
                    @if let Some(last) = last {
                        li { a.more href=(self.place.level(parent, Some(last))) data-more="" { "More pages" } }
                    }
                    @for title in deleted.into_iter().flatten().take(MOST_DELETED) {
                        li { span.row { (self.frame.icon("file-text", "")) s { (title) } span.hidden-text { " (deleted)" } } }
                    }
                }
            }
        }
    }

    fn node(&self, page: &PageNode, above: &str, depth: usize, icons: &mut BTreeSet<String>) -> Markup {
        let path = if above.is_empty() { page.slug.clone() } else { format!("{above}/{}", page.slug) };
        let is_group = matches!(page.kind, PageKind::Group);
        let has_pages = self.tree.children(Some(page.id)).next().is_some();
        let is_open = self.open.contains(&page.id);
        let title = title_of(page);
        let class = match (is_group, has_pages) {
            (true, _) => Some("group"),
            (false, true) => Some("branch"),
            (false, false) => None,
        };
        let href = match &page.kind {
            PageKind::Document if self.place.is_current() && self.tree.is_home(page.id) => {
                Some(self.place.root())
            }
            PageKind::Document => Some(self.place.at(&path)),
            PageKind::Link { target } => self.target(target),
            PageKind::Group | PageKind::Computed { .. } => None,
        };
        let mut below = || match self.is_whole || is_open {
            true => self.level(Some(page.id), &path, None, depth.saturating_add(1), icons),
            false => {
                html! { ul { li { a.more href=(self.place.level(Some(page.id), None)) data-more="" { "Show pages" } } } }
            }
        };
        let below = if has_pages { Some(below()) } else { None };
        let label = self.label(page, has_pages && !is_group, icons);
        html! {
            li class=[class] data-page=[self.is_edited.then_some(page.id)] {
                @if is_group {
                    details open[self.is_whole || is_open] {
                        summary { (self.frame.icon("chevron-right", "")) (label) }
                        @if let Some(below) = below { (below) }
                    }
                } @else {
                    @if let Some(href) = href {
                        a href=(href) aria-current=[(self.page == Some(page.id)).then_some("page")] { (label) }
                    } @else { span.row { (label) } }
                    @if let Some(below) = below {
                        details open[is_open] {
                            summary aria-label={ "Pages below " (title) } { (self.frame.icon("chevron-right", "")) }
                            (below)
                        }
                    }
                }
                (mark(self.marks.and_then(|marks| marks.pages.get(&page.id))))
            }
        }
    }

    /// Returns the address of a link page's target.
    fn target(&self, target: &serde_json::Value) -> Option<String> {
        match ContentRef::from_value(target)? {
            ContentRef::Url { url } => link_address(&url),
            ContentRef::Page { page, space: None } => {
                Some(self.place.at(&self.tree.path_of(page.parse().ok()?)?))
            }
            ContentRef::Page { page, space: Some(space) } => {
                Some(format!("{}/s/{space}/~/page/{page}", self.place.prefix))
            }
            ContentRef::Space { space } => Some(format!("{}/s/{space}", self.place.prefix)),
            _ => None,
        }
    }

    fn label(&self, page: &PageNode, has_arrow: bool, icons: &mut BTreeSet<String>) -> Markup {
        html! {
            @if let Some(emoji) = &page.emoji { span aria-hidden="true" { (emoji_character(emoji)) } }
            @else if let Some(icon) = &page.icon {
                @let name = icon_name(icon);
                svg.icon aria-hidden="true" { use href={ "#i:" (name) } {} }
                @let _ = icons.insert(name);
            }
            @else if !has_arrow && !matches!(page.kind, PageKind::Group) { (self.frame.icon(kind_icon(&page.kind), "")) }
            span class=[page.hidden.then_some("off")] {
                (title_of(page))
                @if page.hidden { span.hidden-text { " (hidden from visitors)" } }
            }
        }
    }
}

/// Returns the mark of a changed page.
fn mark(mark: Option<&Mark>) -> Markup {
    let (class, words) = match mark {
        None => return html! {},
        Some(Mark::Added) => ("mark added", "New"),
        Some(Mark::Moved) => ("mark moved", "Moved"),
        Some(Mark::Edited) => ("mark", "Edited"),
    };
    html! { span class=(class) title=(words) { span.hidden-text { (words) } } }
}

fn kind_icon(kind: &PageKind) -> &'static str {
    match kind {
        PageKind::Link { .. } => "arrow-right",
        _ => "file-text",
    }
}

/// Returns the title of a page in navigation.
pub(super) fn title_of(page: &PageNode) -> &str {
    page.link_title.as_ref().unwrap_or(&page.title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_edit_marks_is_kept_when_the_page_is_moved_too() {
        let id: PageId = "01a227b9-3e3a-708c-8596-1c4cca7538cc".parse().unwrap();
        for order in [[Mark::Moved, Mark::Edited], [Mark::Edited, Mark::Moved]] {
            let mut marks = Marks::default();
            order.into_iter().for_each(|mark| marks.set(id, mark));
            assert_eq!(marks.pages.get(&id), Some(&Mark::Edited));
        }
    }
}
