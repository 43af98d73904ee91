//! Pages of the plan, made from the outline and the contents of the files.

use std::collections::BTreeMap;

use quire_domain::direction::without_direction_controls;
use quire_domain::ids::PageId;
use quire_markup::exported::broken_address;
use quire_markup::markdown::escaped;
use quire_markup::{
    Block, ContentRef, Document, FrontMatter, anchors, inline_text, parse, runs_no_script, slugify,
};

use super::anchors::Anchors;
use super::computed::ComputedBlock;
use super::content::{ContentReader, Read, keep_heading, leading_heading};
use super::document::PlannedDocument;
use super::facts::Facts;
use super::names::{self, Slugs};
use super::outline::{Node, Target};
use super::resolve::{FileRefs, Targets};
use super::types::{Ids, PageKind, PlannedCover, PlannedPage};
use crate::progress::Progress;
use crate::{path, report};

/// A [`Node`] with its id.
pub(super) struct Placed {
    id: PageId,
    label: Option<String>,
    is_link_title: bool,
    target: Target,
    hidden: bool,
    children: Vec<Placed>,
}

/// Assigns each page of the outline its id and registers it as a link target, in tree order.
pub(super) fn place(nodes: Vec<Node>, targets: &mut Targets<'_>, ids: &mut dyn Ids) -> Vec<Placed> {
    let mut placed = Vec::with_capacity(nodes.len());
    for Node { label, is_link_title, target, hidden, children } in nodes {
        let id = ids.page();
        if let Target::File(path) | Target::Empty(Some(path)) | Target::Group(Some(path)) = &target {
            targets.pages.insert(path.clone(), id);
        }
        let children = place(children, targets, ids);
        placed.push(Placed { id, label, is_link_title, target, hidden, children });
    }
    placed
}

/// Writer of the pages of the outline, in tree order.
pub(super) struct PageWriter<'a, 'i> {
    pub(super) targets: &'a Targets<'a>,
    pub(super) content: ContentReader<'a, 'i>,
    pub(super) pages: Vec<PlannedPage>,
    /// Paths of pages that are hidden only because the navigation does not list them.
    pub(super) unlisted: Vec<String>,
    /// Facts of the pages that have a document.
    pub(super) facts: BTreeMap<String, Facts>,
    /// Link targets of HTML pages and their anchors, by page.
    pub(super) spellings: BTreeMap<String, BTreeMap<String, String>>,
    progress: &'a Progress,
}

impl<'a, 'i> PageWriter<'a, 'i> {
    pub(super) fn new(
        targets: &'a Targets<'a>,
        content: ContentReader<'a, 'i>,
        progress: &'a Progress,
    ) -> Self {
        let (facts, spellings) = (BTreeMap::new(), BTreeMap::new());
        let (pages, unlisted) = (Vec::new(), Vec::new());
        Self { targets, content, pages, unlisted, facts, spellings, progress }
    }

    /// Adds `siblings` and their descendants.
    pub(super) fn write(&mut self, siblings: Vec<Placed>, parent: Option<PageId>) {
        let mut slugs = Slugs::default();
        for Placed { id, label, is_link_title, target, hidden, children } in siblings {
            self.progress.advance(1);
            let label = label.as_deref();
            let mut page = match target {
                Target::File(path) => self.of_file(id, (label, is_link_title), path),
                Target::Empty(folder) => self.of_folder(id, PageKind::Document, label, folder),
                Target::Group(folder) => self.of_folder(id, PageKind::Group, label, folder),
                Target::Computed(block) => match self.of_block(id, &block) {
                    Some(page) => page,
                    None => continue,
                },
                Target::Link(href) => self.of_link(id, label, &href, !children.is_empty()),
            };
            page.parent = parent;
            if hidden && !page.hidden {
                self.unlisted.extend(page.source_path.clone());
            }
            page.hidden |= hidden;
            page.slug = page.slug.map(|slug| slugs.unique(slug));
            self.pages.push(page);
            self.write(children, Some(id));
        }
    }

    /// Returns the page of a file. The title is the first of: front matter, first heading, table of contents, a
    /// lower-rank heading at the start of the text, the name of the file or folder.
    fn of_file(
        &mut self,
        id: PageId,
        (label, is_link_title): (Option<&str>, bool),
        source_path: String,
    ) -> PlannedPage {
        let read = self.content.read(&source_path);
        let Read {
            mut front_matter,
            title: own,
            heading,
            head_title,
            mut document,
            is_unreadable,
            spellings,
        } = read;
        let index = self.targets.locator.inventory.is_index(&source_path);
        let folder = path::folder(&source_path);
        let is_top = |top: &String| top == folder;
        let tops = &self.targets.locator.dialect.site().tops;
        let top = index
            && (folder.is_empty() || is_top(&self.targets.locator.layout.root) || tops.iter().any(is_top));
        let name = if index && !top { path::name(folder) } else { path::stem(&source_path) };
        let name = self.targets.locator.dialect.name(name);
        let has_words = |title: &String| !names::title(title).is_empty();
        let dialect = self.targets.locator.dialect;
        if let Some(home) = dialect.home(&front_matter) {
            let refs = FileRefs::of(self.targets, &source_path);
            let shown = parse(&home.text, &refs);
            self.content.report_shown(&source_path, &shown);
            document.nodes.splice(..0, shown.nodes);
            front_matter.title = front_matter.title.filter(has_words).or(home.title);
        }
        let stated = [front_matter.title.take(), own, label.map(names::plain)];
        let stated = stated.into_iter().flatten().find(has_words);
        let leading = leading_heading(&document).filter(|title| stated.is_none() && has_words(title));
        let is_in_text = leading.is_some();
        let title = stated
            .or(leading)
            .or_else(|| head_title.filter(has_words))
            .unwrap_or_else(|| names::from_name(name));
        let title = self.content.title(&title, &source_path);
        if is_in_text && !self.targets.locator.dialect.anchors_are_exact() {
            remove_title(&mut document, &title);
        }
        let own_title =
            |heading: &Block| without_direction_controls(&inline_text(heading.child_inlines())) == title;
        let heading = heading.filter(|heading| !own_title(heading));
        keep_heading(&mut document, heading, &title);
        let asked = self.targets.locator.dialect.slug(&source_path);
        let slug = match asked {
            Some(slug) => names::slug(slug),
            // The name of the top file is not part of a published address.
            None if top => stated_slug(&mut front_matter).unwrap_or_else(|| slugify(&title)),
            None => names::slug(name),
        };
        // Menus show the label of the navigation, else the one that the page declares. That of an export is the title,
        // unless it says that it is not.
        if front_matter.link_title.is_none() && (is_link_title || !dialect.anchors_are_exact()) {
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let label = label
                .map(names::plain)
                .filter(has_words)
                .or_else(|| dialect.label(&source_path, &front_matter));
            front_matter.link_title = label.filter(|label| words(label) != words(&title));
        }
        let mut page = PlannedPage::new(id, PageKind::Document, title, Some(slug));
        page.hidden = is_unreadable || dialect.hides(&front_matter) || dialect.hides_file(&source_path);
        self.set_properties(&mut page, front_matter, &source_path);
        if !spellings.is_empty() {
            self.spellings.insert(id.to_string(), spellings);
        }
        if !document.is_empty() {
            self.set_document(&mut page, &document);
        }
        page.source_path = Some(source_path);
        page
    }

    /// Returns a page or group without a file of its own.
    fn of_folder(
        &mut self,
        id: PageId,
        kind: PageKind,
        label: Option<&str>,
        folder: Option<String>,
    ) -> PlannedPage {
        let folder = folder.as_deref().map(|folder| self.targets.locator.dialect.name(path::name(folder)));
        let title = names::label(label, &folder.map_or_else(|| names::UNTITLED.to_owned(), names::from_name));
        let title =
            self.content.title(&title, self.targets.locator.layout.summary.as_deref().unwrap_or_default());
        let anchor = label.and_then(|label| names::without_anchor(label).1);
        let slug = anchor.or(folder).map_or_else(|| slugify(&title), names::slug);
        PlannedPage::new(id, kind, title, Some(slug))
    }

    /// Stores the document of a page, whose title must be set.
    fn set_document(&mut self, page: &mut PlannedPage, document: &Document) {
        self.facts.insert(page.id.to_string(), Facts::of(&page.title, document));
        page.document = Some(PlannedDocument::keep(document, &mut self.content.spool));
    }

    fn set_properties(&mut self, page: &mut PlannedPage, front_matter: FrontMatter, source: &str) {
        let FrontMatter {
            title: _,
            link_title,
            description,
            icon,
            emoji,
            cover,
            cover_y,
            layout,
            hidden,
            no_index,
            no_robots_index,
            extra,
        } = front_matter;
        page.link_title = self.content.link_title(link_title, source);
        page.description = self.content.description(description, source);
        page.icon = self.content.short("icon", icon, source);
        page.emoji = self.content.short("emoji", emoji, source);
        let image = cover.and_then(|href| self.target(source, &href));
        page.cover = image.map(|image| PlannedCover { image, y_pos: cover_y.unwrap_or_default() });
        page.layout = layout;
        // An invalid or repeated value counts as true, the safer interpretation.
        let is_odd = |switch: &str| extra.iter().any(|(name, _)| name == switch);
        page.hidden |= hidden.unwrap_or_default() || is_odd("hidden");
        page.no_index = no_index.unwrap_or_default() || is_odd("noIndex");
        page.no_robots_index = no_robots_index.unwrap_or_default() || is_odd("noRobotsIndex");
        self.content.report_unknown(&extra, page.layout.as_ref(), source);
    }

    fn of_link(&mut self, id: PageId, label: Option<&str>, href: &str, has_children: bool) -> PlannedPage {
        let source = self.targets.locator.layout.summary.as_deref().unwrap_or_default();
        let title = self.content.title(&names::label(label, href), source);
        let target = self.target(source, href).filter(|_| !has_children);
        let Some(target) = target else {
            // Links cannot have children and must have a target. Otherwise, a page with the link or its text is used.
            let slug = slugify(&title);
            let document = linking_document(&title, href, &FileRefs::of(self.targets, source));
            let mut page = PlannedPage::new(id, PageKind::Document, title, Some(slug));
            self.set_document(&mut page, &document);
            return page;
        };
        PlannedPage::new(id, PageKind::Link { target }, title, None)
    }

    /// Returns the placeholder for a block in the table of contents; `None` for a block of another kind, which is
    /// reported.
    fn of_block(&mut self, id: PageId, block: &str) -> Option<PlannedPage> {
        let summary = self.targets.locator.layout.summary.as_deref().unwrap_or_default();
        let (computed, unknown) = match ComputedBlock::read(block) {
            Ok(read) => read,
            Err(problem) => {
                let message = format!("a block of YAML in it {problem}");
                self.content.report.push(report::skipped(summary, message));
                return None;
            }
        };
        if !unknown.is_empty() {
            let message = format!("computed pages do not support the settings {}", unknown.join(", "));
            self.content.report.push(report::changed(summary, message));
        }
        let ComputedBlock { source, title, seed, icon, emoji, hidden } = computed;
        let title = self.content.title(&title, summary);
        let mut page = PlannedPage::new(id, PageKind::Computed { source, seed }, title, None);
        page.icon = self.content.short("icon", icon, summary);
        page.emoji = self.content.short("emoji", emoji, summary);
        page.hidden = hidden;
        Some(page)
    }

    /// Returns the reference for an address; `None` for a disallowed one.
    fn target(&self, source: &str, href: &str) -> Option<ContentRef> {
        if let Some(address) = broken_address(href) {
            return Some(ContentRef::url(address));
        }
        let found = self.targets.resolve(source, href);
        found.or_else(|| runs_no_script(href).then(|| ContentRef::url(href)))
    }
}

/// Removes a leading heading that provided the title, as is done for first-rank headings. It is kept if it is the whole
/// document, or if its removal would change the targets of links to headings.
fn remove_title(document: &mut Document, title: &str) {
    let before = anchors(document);
    let Some((own, others)) = before.split_first().filter(|_| document.nodes.len() > 1) else { return };
    let heading = document.nodes.remove(0);
    let text = inline_text(heading.child_inlines());
    let words = without_direction_controls(&text);
    let is_title = words.split_whitespace().eq(title.split_whitespace());
    if !is_title || anchors(document) != others || !Anchors::of(title, document).is_title(own) {
        document.nodes.insert(0, heading);
    }
}

/// Removes the slug from front matter, and returns it if it is valid.
fn stated_slug(front_matter: &mut FrontMatter) -> Option<String> {
    let index = front_matter.extra.iter().position(|(name, _)| name == "slug")?;
    let slug = front_matter.extra.get(index)?.1.as_str()?.to_owned();
    if names::slug(&slug) != slug {
        return None;
    }
    front_matter.extra.remove(index);
    Some(slug)
}

fn linking_document(title: &str, href: &str, refs: &FileRefs<'_>) -> Document {
    parse(&format!("[{}](<{href}>)\n", escaped(title)), refs)
}
