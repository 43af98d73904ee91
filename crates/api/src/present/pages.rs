//! Pages.

use std::collections::HashMap;

use quire_content::page_body::{cover, layout};
use quire_domain::Timestamp;
use quire_domain::documents::PresentedBody;
use quire_domain::ids::PageId;
use quire_domain::revisions::{
    ComputedPage, DocumentKind, DocumentPage, GroupKind, GroupPage, LinkKind, LinkPage, Page, PageUrls,
};
use quire_markup::ContentRef;
use quire_revision::{PageKind, PageNode};
use serde_json::Value;

use super::content::ContentView;

impl ContentView<'_> {
    /// Returns the pages at the top of the tree, each with its subpages.
    #[must_use]
    pub fn pages(&self) -> Vec<Page> {
        self.assemble(None, String::new(), self.tree.pages_in_order().collect())
    }

    /// Returns the pages among `nodes` that are directly below a page, each with its subpages. `nodes` are in tree
    /// order.
    #[must_use]
    pub fn pages_below(&self, parent: Option<PageId>, nodes: Vec<&PageNode>) -> Vec<Page> {
        let path = parent.and_then(|parent| self.tree.path_of(parent)).unwrap_or_default();
        self.assemble(parent, path, nodes)
    }

    /// Returns a page with its subpages.
    #[must_use]
    pub fn page(&self, node: &PageNode, body: Option<PresentedBody>) -> Page {
        let path = self.tree.path_of(node.id).unwrap_or_default();
        let below = self.assemble(Some(node.id), path.clone(), self.tree.descendants(node.id).collect());
        let mut page = self.single(node, path, below);
        if let Page::Document(page) = &mut page {
            page.body = body;
        }
        page
    }

    /// Returns a page without its subpages.
    #[must_use]
    pub fn page_alone(&self, node: &PageNode) -> Page {
        self.single(node, self.tree.path_of(node.id).unwrap_or_default(), Vec::new())
    }

    /// Returns the pages directly below `parent`, each with its subpages. `nodes` are in tree order and are assembled
    /// from last to first, so that the subpages of a page are complete when it is reached.
    fn assemble(&self, parent: Option<PageId>, path: String, nodes: Vec<&PageNode>) -> Vec<Page> {
        let mut paths: HashMap<Option<PageId>, String> = HashMap::with_capacity(nodes.len() + 1);
        paths.insert(parent, path);
        for node in &nodes {
            let above = paths.get(&node.parent).map_or("", String::as_str);
            let path = if above.is_empty() { node.slug.clone() } else { format!("{above}/{}", node.slug) };
            paths.insert(Some(node.id), path);
        }
        let mut below: HashMap<Option<PageId>, Vec<Page>> = HashMap::new();
        for node in nodes.into_iter().rev() {
            let path = paths.remove(&Some(node.id)).unwrap_or_default();
            let pages = in_order(below.remove(&Some(node.id)));
            below.entry(node.parent).or_default().push(self.single(node, path, pages));
        }
        in_order(below.remove(&parent))
    }

    fn single(&self, node: &PageNode, path: String, pages: Vec<Page>) -> Page {
        match &node.kind {
            PageKind::Document => Page::Document(Box::new(self.document_page(node, path, pages))),
            PageKind::Group => Page::Group(group_page(node, path, pages)),
            PageKind::Link { target } => Page::Link(self.link_page(node, target)),
            PageKind::Computed { source, .. } => Page::Computed(computed_page(node, source)),
        }
    }

    fn document_page(&self, node: &PageNode, path: String, pages: Vec<Page>) -> DocumentPage {
        let (computed, computed_seed) =
            self.computed.and_then(|computed| computed.source_of(node.id)).unzip();
        DocumentPage {
            id: node.id,
            kind: DocumentKind::Tag,
            title: node.title.clone(),
            link_title: node.link_title.clone(),
            emoji: node.emoji.clone(),
            icon: node.icon.clone(),
            description: node.description.clone(),
            slug: node.slug.clone(),
            urls: PageUrls { app: self.app_path(&path) },
            path,
            created_at: moment(node.created_at),
            updated_at: moment(node.updated_at),
            hidden: node.hidden,
            no_index: node.no_index,
            no_robots_index: node.no_robots_index,
            cover: node.cover.as_deref().and_then(cover),
            layout: node.layout.as_deref().map(layout).unwrap_or_default(),
            tags: Vec::new(),
            git: self.git(node.git.as_deref()),
            document_id: node.document,
            computed,
            computed_seed,
            body: None,
            pages,
        }
    }

    fn link_page(&self, node: &PageNode, target: &Value) -> LinkPage {
        LinkPage {
            id: node.id,
            kind: LinkKind::Tag,
            title: node.title.clone(),
            emoji: node.emoji.clone(),
            icon: node.icon.clone(),
            created_at: moment(node.created_at),
            updated_at: moment(node.updated_at),
            hidden: node.hidden,
            target: target.clone(),
            href: ContentRef::from_value(target).and_then(|target| self.href(&target)),
        }
    }

    /// Returns the URL of a reference's target; `None` if this revision does not contain or know it. The path of a page
    /// in another space can change at any time, so such pages have no URL.
    fn href(&self, target: &ContentRef) -> Option<String> {
        let here = |space: &Option<String>| space.as_ref().is_none_or(|id| *id == self.space.to_string());
        match target {
            ContentRef::Url { url } => Some(url.clone()),
            ContentRef::File { file, space } if here(space) => {
                self.tree.file(file.parse().ok()?).map(|file| self.file(file).download_url)
            }
            ContentRef::Page { page, space } if here(space) => self.app_page(page.parse().ok()?),
            ContentRef::Anchor { anchor, page: Some(page), space } if here(space) => {
                self.app_anchor(page.parse().ok()?, anchor)
            }
            ContentRef::Space { space } => Some(self.urls.app(format_args!("s/{space}"))),
            _ => None,
        }
    }
}

fn group_page(node: &PageNode, path: String, pages: Vec<Page>) -> GroupPage {
    GroupPage {
        id: node.id,
        kind: GroupKind::Tag,
        title: node.title.clone(),
        emoji: node.emoji.clone(),
        icon: node.icon.clone(),
        slug: node.slug.clone(),
        path,
        created_at: moment(node.created_at),
        updated_at: moment(node.updated_at),
        hidden: node.hidden,
        no_index: node.no_index,
        no_robots_index: node.no_robots_index,
        pages,
    }
}

fn computed_page(node: &PageNode, source: &Value) -> ComputedPage {
    ComputedPage {
        id: node.id,
        title: node.title.clone(),
        emoji: node.emoji.clone(),
        icon: node.icon.clone(),
        created_at: moment(node.created_at),
        updated_at: moment(node.updated_at),
        computed: source.clone(),
    }
}

fn moment(millis: Option<i64>) -> Option<Timestamp> {
    Timestamp::from_millis(millis?).ok()
}

/// Reverses pages that were collected from last to first.
fn in_order(pages: Option<Vec<Page>>) -> Vec<Page> {
    let mut pages = pages.unwrap_or_default();
    pages.reverse();
    pages
}
