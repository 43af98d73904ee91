//! Trees and edit scripts for the property tests.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail like tests")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::Index;
use quire_revision::{
    BlobHash, DocumentId, FileId, FileNode, PageId, PageKind, PageNode, PageType, ReusableContentId,
    ReusableContentNode, Tree, TreeHash,
};
use serde_json::{Value, json};
use uuid::Uuid;

/// Returns the page id for a number. Scripts of different sides use different hundreds.
pub(crate) fn page_id(number: u64) -> PageId {
    PageId::from_uuid(Uuid::from_u64_pair(0x0190_a5d2_7c1e_7000, 0x8000_0000_0000_0000 | number))
}

pub(crate) fn file_id(number: u64) -> FileId {
    FileId::from_uuid(*page_id(number).as_uuid())
}

pub(crate) fn content_id(number: u64) -> ReusableContentId {
    ReusableContentId::from_uuid(*page_id(number).as_uuid())
}

/// Returns a document with one paragraph per line.
pub(crate) fn document(lines: &[&str]) -> Value {
    let paragraph = |line: &&str| {
        json!({
            "object": "block", "type": "paragraph",
            "nodes": [{"object": "text", "leaves": [{"object": "leaf", "text": line, "marks": []}]}],
        })
    };
    json!({"object": "document", "data": {}, "nodes": lines.iter().map(paragraph).collect::<Vec<_>>()})
}

/// Returns one of a few documents, which all differ in the same paragraph.
pub(crate) fn some_document(number: u8) -> Value {
    document(&["First.", &format!("Version {number}."), "Last."])
}

/// Edit of a tree. Indexes select from the existing pages, files or reusable contents.
#[derive(Debug, Clone)]
pub(crate) enum Edit {
    Insert { kind: u8, parent: Index, at: Index, slug: u8 },
    Rename { page: Index, title: u8, slug: u8 },
    Write { page: Index, document: u8 },
    Flag { page: Index },
    Move { page: Index, parent: Index, at: Index },
    Remove { page: Index },
    File { file: Index, blob: u8, insert: bool },
    RemoveFile { file: Index },
    Content { content: Index, document: u8, insert: bool },
    RemoveContent { content: Index },
}

pub(crate) fn edit() -> impl Strategy<Value = Edit> {
    let index = any::<Index>;
    prop_oneof![
        4 => (0_u8..8, index(), index(), 0_u8..6)
            .prop_map(|(kind, parent, at, slug)| Edit::Insert { kind, parent, at, slug }),
        2 => (index(), 0_u8..3, 0_u8..6).prop_map(|(page, title, slug)| Edit::Rename { page, title, slug }),
        2 => (index(), 0_u8..3).prop_map(|(page, document)| Edit::Write { page, document }),
        1 => index().prop_map(|page| Edit::Flag { page }),
        3 => (index(), index(), index()).prop_map(|(page, parent, at)| Edit::Move { page, parent, at }),
        1 => index().prop_map(|page| Edit::Remove { page }),
        1 => (index(), 0_u8..3, any::<bool>())
            .prop_map(|(file, blob, insert)| Edit::File { file, blob, insert }),
        1 => index().prop_map(|file| Edit::RemoveFile { file }),
        1 => (index(), 0_u8..3, any::<bool>())
            .prop_map(|(content, document, insert)| Edit::Content { content, document, insert }),
        1 => index().prop_map(|content| Edit::RemoveContent { content }),
    ]
}

pub(crate) fn script(most: usize) -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec(edit(), 0..most)
}

/// Runs a script on a tree and skips refused edits. New records are numbered from `first_number`.
pub(crate) fn run(tree: &Tree, first_number: u64, script: &[Edit]) -> Tree {
    let mut tree = tree.clone();
    for (number, edit) in (first_number..).zip(script) {
        apply(&mut tree, number, edit);
    }
    tree
}

pub(crate) fn build(script: &[Edit]) -> Tree {
    run(&Tree::empty(), 0, script)
}

fn apply(tree: &mut Tree, number: u64, edit: &Edit) {
    let pages: Vec<PageId> = tree.pages().map(|page| page.id).collect();
    let page = |index: &Index| (!pages.is_empty()).then(|| tree.page(*index.get(&pages)).unwrap().clone());
    // The larger range selects the top level in some cases.
    let parent = |index: &Index| {
        let at = index.index(pages.len() + 1 + pages.len() / 4);
        pages.get(at).copied().filter(|id| tree.page(*id).unwrap().page_type().has_children())
    };
    match edit {
        Edit::Insert { kind, parent: below, at, slug } => {
            insert(tree, number, *kind, parent(below), at, *slug)
        }
        Edit::Rename { page: which, title, slug } => {
            let Some(mut page) = page(which) else { return };
            page.title = format!("Title {title}");
            if page.page_type().has_children() {
                page.slug = format!("slug-{slug}");
            }
            let _ = tree.update_page(page);
        }
        Edit::Write { page: which, document } => {
            let Some(mut page) = page(which).filter(|page| page.page_type() == PageType::Document) else {
                return;
            };
            page.document = Some(DocumentId::of(&some_document(*document)));
            tree.update_page(page).unwrap();
        }
        Edit::Flag { page: which } => {
            let Some(mut page) = page(which) else { return };
            page.hidden = !page.hidden;
            tree.update_page(page).unwrap();
        }
        Edit::Move { page: which, parent: below, at } => {
            let Some(mut page) = page(which) else { return };
            page.parent = parent(below);
            let siblings = tree.children(page.parent).filter(|sibling| sibling.id != page.id).count();
            page.position = tree.position_at(page.parent, Some(at.index(siblings + 1)), Some(page.id));
            let _ = tree.update_page(page);
        }
        Edit::Remove { page: which } => {
            if let Some(page) = page(which) {
                tree.remove_page(page.id).unwrap();
            }
        }
        Edit::File { file, blob, insert } => put_file(tree, number, file, *blob, *insert),
        Edit::RemoveFile { file } => {
            let files: Vec<FileId> = tree.files().map(|file| file.id).collect();
            if !files.is_empty() {
                tree.remove_file(*file.get(&files)).unwrap();
            }
        }
        Edit::Content { content, document, insert } => put_content(tree, number, content, *document, *insert),
        Edit::RemoveContent { content } => {
            let contents: Vec<_> = tree.reusable_contents().map(|content| content.id).collect();
            if !contents.is_empty() {
                tree.remove_reusable_content(*content.get(&contents)).unwrap();
            }
        }
    }
}

fn insert(tree: &mut Tree, number: u64, kind: u8, parent: Option<PageId>, at: &Index, slug: u8) {
    let kind = match kind {
        0 => PageKind::Group,
        1 => PageKind::Link { target: json!({"kind": "url", "url": "https://example.com"}) },
        2 => PageKind::Computed { source: json!({"type": "builtin:openapi"}), seed: "seed".to_owned() },
        _ => PageKind::Document,
    };
    let parent = if kind == PageKind::Group { None } else { parent };
    let slug = if kind.page_type().has_children() {
        tree.free_slug(parent, &format!("slug-{slug}"))
    } else {
        String::new()
    };
    let position = tree.position_at(parent, Some(at.index(tree.children(parent).count() + 1)), None);
    tree.insert_page(PageNode::new(page_id(number), parent, position, kind, "Title", slug)).unwrap();
}

fn put_file(tree: &mut Tree, number: u64, file: &Index, blob: u8, insert: bool) {
    let files: Vec<FileId> = tree.files().map(|file| file.id).collect();
    let node = |id| FileNode {
        id,
        name: format!("{blob}.png"),
        content_type: "image/png".to_owned(),
        size: u64::from(blob),
        dimensions: None,
        blob: BlobHash::of(&[blob]),
        created_at: None,
        git: None,
    };
    if insert || files.is_empty() {
        tree.insert_file(node(file_id(number))).unwrap();
    } else {
        tree.update_file(node(*file.get(&files))).unwrap();
    }
}

fn put_content(tree: &mut Tree, number: u64, content: &Index, document: u8, insert: bool) {
    let contents: Vec<_> = tree.reusable_contents().map(|content| content.id).collect();
    let node = |id| ReusableContentNode {
        id,
        title: "Note".to_owned(),
        document: Some(DocumentId::of(&some_document(document))),
        created_at: None,
        updated_at: None,
        git: None,
    };
    if insert || contents.is_empty() {
        tree.insert_reusable_content(node(content_id(number))).unwrap();
    } else {
        tree.update_reusable_content(node(*content.get(&contents))).unwrap();
    }
}

/// In-memory store of nodes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Store {
    pub(crate) nodes: BTreeMap<TreeHash, Vec<u8>>,
    /// Number of nodes requested by each fetch.
    pub(crate) fetches: Vec<usize>,
}

impl Store {
    pub(crate) fn save(&mut self, tree: &Tree, base: &Tree) -> usize {
        let missing = tree.nodes_missing_in(base);
        let count = missing.len();
        self.nodes.extend(missing);
        count
    }

    pub(crate) fn fetch(&mut self, hashes: &[TreeHash]) -> Result<Vec<(TreeHash, Vec<u8>)>, std::io::Error> {
        self.fetches.push(hashes.len());
        Ok(hashes.iter().filter_map(|hash| Some((*hash, self.nodes.get(hash)?.clone()))).collect())
    }

    pub(crate) fn load(&mut self, base: &Tree, root: TreeHash) -> Tree {
        Tree::load(base, root, |hashes| self.fetch(hashes)).unwrap()
    }
}

/// Checks all rules of trees from the records alone.
pub(crate) fn assert_well_formed(tree: &Tree) {
    let mut slugs = std::collections::BTreeSet::new();
    let mut places = std::collections::BTreeSet::new();
    for page in tree.pages() {
        assert!(places.insert((page.parent, page.position.clone())), "two pages in one place");
        assert_eq!(page.slug.is_empty(), !page.page_type().has_children());
        assert!(page.slug.is_empty() || slugs.insert((page.parent, page.slug.clone())), "a slug twice");
        if let Some(parent) = page.parent {
            assert!(tree.page(parent).expect("its parent is there").page_type().has_children());
            assert_ne!(page.page_type(), PageType::Group);
        }
        let mut above = page.parent;
        for _ in 0..tree.page_count() {
            above = above.and_then(|id| tree.page(id).unwrap().parent);
        }
        assert_eq!(above, None, "a cycle");
        let path = tree.path_of(page.id);
        assert_eq!(path.is_some(), !page.slug.is_empty());
        if let Some(path) = path {
            assert_eq!(tree.page_by_path(&path).unwrap().id, page.id);
        }
    }
    let ordered: Vec<&PageNode> = tree.pages_in_order().collect();
    assert_eq!(ordered.len(), tree.page_count());
    for (at, page) in ordered.iter().enumerate() {
        assert!(tree.pages_after(page).eq(ordered[at + 1..].iter().copied()));
        assert!(tree.pages_before(page).eq(ordered[..at].iter().rev().copied()));
    }
    let all = tree.page_count() + tree.file_count() + tree.reusable_content_count();
    assert_eq!(tree.len(), all);
    // Indexes and trie agree: a tree built from the indexes is equal.
    assert_eq!(&rebuilt(tree, false), tree);
}

/// Returns a tree of the same records inserted one by one, in the order of the table of contents or children last to
/// first.
pub(crate) fn rebuilt(tree: &Tree, backwards: bool) -> Tree {
    let mut built = Tree::empty();
    if backwards {
        tree.files().for_each(|file| built.insert_file(file.clone()).unwrap());
    }
    let mut pending: Vec<&PageNode> = tree.children(None).collect();
    while let Some(page) =
        if backwards { pending.pop() } else { (!pending.is_empty()).then(|| pending.remove(0)) }
    {
        built.insert_page(page.clone()).unwrap();
        pending.extend(tree.children(Some(page.id)));
    }
    if !backwards {
        tree.files().for_each(|file| built.insert_file(file.clone()).unwrap());
    }
    tree.reusable_contents().for_each(|content| built.insert_reusable_content(content.clone()).unwrap());
    built
}
