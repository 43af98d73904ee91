//! Edits of content for tests: pages from Markdown, groups, links, files.

use quire_content::new_document;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, FileId, PageId, ReusableContentId};
use quire_markup::StableRefs;
use quire_revision::{BlobHash, FileNode, PageKind, PageNode, ReusableContentNode, Tree};
use quire_storage::content::store::AnalyzedDocument;
use serde_json::Value;
use uuid::Uuid;

/// Returns a document without nodes.
///
/// # Panics
/// Never: it is JSON.
#[must_use]
pub fn empty_document() -> DocumentJson {
    DocumentJson::new(r#"{"nodes":[],"object":"document"}"#.to_owned()).expect("it is JSON")
}

/// Edit of content: the tree and the new documents.
#[derive(Clone, Debug)]
pub struct ContentEditor {
    /// Tree of the content, for edits without a method here.
    pub tree: Tree,
    pub(crate) documents: Vec<AnalyzedDocument>,
}

impl ContentEditor {
    /// Returns an edit of this content.
    #[must_use]
    pub fn new(tree: Tree) -> Self {
        Self { tree, documents: Vec::new() }
    }

    /// Returns the documents of added and rewritten pages.
    #[must_use]
    pub fn documents(&self) -> &[AnalyzedDocument] {
        &self.documents
    }

    /// Adds a page with this Markdown after its siblings; without Markdown, an empty page.
    ///
    /// # Panics
    /// If the parent cannot have child pages.
    pub fn page(&mut self, parent: Option<PageId>, title: &str, markdown: &str) -> PageId {
        let document = self.document(markdown);
        let slug = self.tree.free_slug(parent, &quire_markup::slugify(title));
        self.insert(parent, PageKind::Document, title, &slug, document)
    }

    /// Adds many pages at the end of the top level, named `page-0`, `page-1`… `markdown` returns the text of a page,
    /// given its number and the pages added before it.
    ///
    /// # Panics
    /// If one of the slugs is taken.
    pub fn pages(&mut self, count: usize, markdown: impl Fn(usize, &[PageId]) -> String) -> Vec<PageId> {
        let mut ids = Vec::with_capacity(count);
        for number in 0..count {
            let document = self.document(&markdown(number, &ids));
            let title = format!("Page {number}");
            ids.push(self.insert(None, PageKind::Document, &title, &format!("page-{number}"), document));
        }
        ids
    }

    /// Adds a group.
    ///
    /// # Panics
    /// Never: the slug is free.
    pub fn group(&mut self, title: &str) -> PageId {
        let slug = self.tree.free_slug(None, &quire_markup::slugify(title));
        self.insert(None, PageKind::Group, title, &slug, None)
    }

    /// Adds a link page for this content reference.
    ///
    /// # Panics
    /// If the parent cannot have child pages.
    pub fn link(&mut self, parent: Option<PageId>, title: &str, target: Value) -> PageId {
        self.insert(parent, PageKind::Link { target }, title, "", None)
    }

    /// Changes the properties of a page.
    ///
    /// # Panics
    /// If the page does not exist, or the change is invalid.
    pub fn change_page(&mut self, id: PageId, change: impl FnOnce(&mut PageNode)) {
        let mut page = self.tree.page(id).expect("the page is there").clone();
        change(&mut page);
        self.tree.update_page(page).expect("the page can be so");
    }

    /// Replaces the text of a page.
    ///
    /// # Panics
    /// If the page does not exist.
    pub fn write(&mut self, id: PageId, markdown: &str) {
        let document = self.document(markdown);
        self.change_page(id, |page| page.document = document);
    }

    /// Removes a page and its descendants.
    ///
    /// # Panics
    /// If the page does not exist.
    pub fn remove(&mut self, id: PageId) {
        let _ = self.tree.remove_page(id).expect("the page is there");
    }

    /// Adds a file. Stores only the hash and size of its bytes.
    ///
    /// # Panics
    /// Never: its id is new.
    pub fn file(&mut self, name: &str, content_type: &str, bytes: &[u8]) -> FileId {
        let file = FileNode {
            id: FileId::from_uuid(new_id()),
            name: name.to_owned(),
            content_type: content_type.to_owned(),
            size: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            dimensions: None,
            blob: BlobHash::of(bytes),
            created_at: None,
            git: None,
        };
        let id = file.id;
        self.tree.insert_file(file).expect("the id is new");
        id
    }

    /// Adds a reusable content with this Markdown.
    ///
    /// # Panics
    /// Never: its id is new.
    pub fn reusable_content(&mut self, title: &str, markdown: &str) -> ReusableContentId {
        let content = ReusableContentNode {
            id: ReusableContentId::from_uuid(new_id()),
            title: title.to_owned(),
            document: self.document(markdown),
            created_at: None,
            updated_at: None,
            git: None,
        };
        let id = content.id;
        self.tree.insert_reusable_content(content).expect("the id is new");
        id
    }

    /// Returns the document of this Markdown, which is stored with the edit. `None` for empty Markdown.
    pub fn document(&mut self, markdown: &str) -> Option<DocumentId> {
        if markdown.is_empty() {
            return None;
        }
        let document = new_document(&quire_markup::parse(markdown, &StableRefs));
        let id = document.id();
        self.documents.push(document);
        Some(id)
    }

    /// Adds a page of any kind after its siblings.
    ///
    /// # Panics
    /// If its position is invalid.
    pub fn insert(
        &mut self,
        parent: Option<PageId>,
        kind: PageKind,
        title: &str,
        slug: &str,
        document: Option<DocumentId>,
    ) -> PageId {
        let id = PageId::from_uuid(new_id());
        let position = self.tree.position_at(parent, None, None);
        let page = PageNode { document, ..PageNode::new(id, parent, position, kind, title, slug) };
        self.tree.insert_page(page).expect("the page fits here");
        id
    }
}

#[expect(clippy::disallowed_methods, reason = "tests hand out ids as the service does")]
fn new_id() -> Uuid {
    Uuid::now_v7()
}
