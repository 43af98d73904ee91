//! Links after an export and an import.

use std::collections::HashMap;

use bytes::Bytes;
use proptest::prelude::*;
use quire_domain::CountingIds;
use quire_domain::ids::{FileId, PageId};
use quire_domain::imports::ImportSource;
use quire_importer::plan::{GeneratedIds, ImportPlan, plan};
use quire_importer::tree::SourceTree;
use quire_markup::{ContentRef, Document, HrefKind, RefResolver, links, parse, print};
use quire_revision::{BlobHash, FileNode, PageKind, PageNode, Tree};
use uuid::Uuid;

use super::layout::Layout;
use super::summary;

fn page_id(index: usize) -> PageId {
    PageId::from_uuid(Uuid::from_u128(1_000 + u128::try_from(index).unwrap()))
}

/// Returns pages with these slugs, each below an earlier one or at the top, a link page per address, and a picture.
fn tree(pages: &[(usize, String)], targets: &[ContentRef]) -> Tree {
    let mut tree = Tree::empty();
    for (index, (above, slug)) in pages.iter().enumerate() {
        let parent = above.checked_sub(1).filter(|above| *above < index).map(page_id);
        let (slug, position) = (tree.free_slug(parent, slug), tree.position_at(parent, None, None));
        let page = PageNode::new(page_id(index), parent, position, PageKind::Document, slug.clone(), slug);
        tree.insert_page(page).unwrap();
    }
    for (index, target) in targets.iter().enumerate() {
        let kind = PageKind::Link { target: target.to_value() };
        let position = tree.position_at(None, None, None);
        tree.insert_page(PageNode::new(page_id(100 + index), None, position, kind, "Link", "")).unwrap();
    }
    let file = FileNode {
        id: FileId::from_uuid(Uuid::from_u128(1)),
        name: "Pic 1.png".to_owned(),
        content_type: "image/png".to_owned(),
        size: 3,
        dimensions: None,
        blob: BlobHash::of(b"pic"),
        created_at: None,
        git: None,
    };
    tree.insert_file(file).unwrap();
    tree
}

/// Resolver of `/0`, `/1`, … to references.
struct Numbered<'a>(&'a [ContentRef]);

impl RefResolver for Numbered<'_> {
    fn resolve(&self, href: &str, _: HrefKind) -> Option<ContentRef> {
        self.0.get(href.strip_prefix('/')?.parse::<usize>().ok()?).cloned()
    }
}

fn document(references: &[ContentRef]) -> Document {
    let link = |(index, reference): (usize, &ContentRef)| match reference {
        ContentRef::Url { url } => format!("[w{index}](/{index}) ![p](<{url}>)\n\n![p](<{url}>)\n\n"),
        _ => format!("[w{index}](/{index})\n\n"),
    };
    let links: String = references.iter().enumerate().map(link).collect();
    parse(&format!("{links}## The steps\n\nText.\n"), &Numbered(references))
}

/// Exports the tree with the same links on each page, and plans the import.
fn imported(tree: &Tree, layout: &Layout, document: &Document) -> ImportPlan {
    let text = |path: &str| format!("# T\n\n{}", print(document, &layout.refs(path)));
    let pages = tree.pages().filter_map(|page| layout.page(page.id));
    let pages = pages.map(|path| (path.to_owned(), Bytes::from(text(path))));
    let files = tree.files().filter_map(|file| layout.file(file.id));
    let files = files.map(|path| (path.to_owned(), Bytes::from_static(b"pic")));
    let contents = (summary::PATH.to_owned(), Bytes::from(summary::print(tree, layout)));
    let tree = SourceTree::from_files(pages.chain(files).chain([contents]));
    plan(ImportSource::Zip, tree, &mut GeneratedIds(&CountingIds::default())).unwrap()
}

/// Returns a reference as it is after the import, with the ids from the plan.
fn expected(reference: &ContentRef, layout: &Layout, plan: &ImportPlan) -> ContentRef {
    let pages: HashMap<&str, String> = plan
        .pages
        .iter()
        .filter_map(|page| Some((page.source_path.as_deref()?, page.id.to_string())))
        .collect();
    let id = |page: &str| layout.page(page.parse().ok()?).map(|path| pages[path].clone());
    match reference {
        ContentRef::Page { page, .. } => match id(page) {
            Some(page) => ContentRef::Page { page, space: None },
            None => ContentRef::url(format!("/pages/{page}")),
        },
        ContentRef::Anchor { page: Some(page), anchor, .. } => {
            ContentRef::Anchor { page: id(page), anchor: anchor.clone(), space: None }
        }
        ContentRef::File { .. } => ContentRef::File { file: plan.files[0].id.to_string(), space: None },
        other => other.clone(),
    }
}

fn reference() -> impl Strategy<Value = ContentRef> {
    let page = || (0..6_usize).prop_map(|index| page_id(index).to_string());
    let anchor = prop_oneof!["the-steps", "The-Steps", "thesteps", "gone", "t", "a b%"];
    let segment = prop_oneof![
        Just("..".to_owned()),
        Just(".".to_owned()),
        Just("/".to_owned()),
        "(guide|Guide|set-up|README|readme|index|summary|a\\.b|gu%69de|caf%C3%A9|café|pic 1|Pic%201|gone)(\\.md|\\.html|\\.png|\\.MD|/)?",
        Just(".gitbook/assets/Pic 1.png".to_owned()),
    ];
    let path = proptest::collection::vec(segment, 1..4).prop_map(|segments| segments.join("/"));
    let behind = prop_oneof![Just(""), Just("#the-steps"), Just("#The-Steps"), Just("?a=b&c=d"), Just("#")];
    let broken = (path, behind).prop_map(|(path, behind)| format!("{path}{behind}"));
    prop_oneof![
        1 => page().prop_map(|page| ContentRef::Page { page, space: None }),
        1 => (page(), anchor).prop_map(|(page, anchor)| ContentRef::Anchor { page: Some(page), anchor, space: None }),
        1 => Just(ContentRef::File { file: Uuid::from_u128(1).to_string(), space: None }),
        6 => broken.prop_filter("an address of its own", |url| !url.starts_with("//")).prop_map(ContentRef::url),
    ]
}

fn slug() -> impl Strategy<Value = String> {
    "(guide|set-up|readme|index|summary|a\\.b|cafe|pic-1)"
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,8}",
        "(true|No|1\\.0|- a|a: b|#|<!-- c -->|`{3}|\"|'|\\\\|ö 安|目　次|a\u{a0}b|~)",
        "[ -~]{1,20}"
    ]
    .prop_map(|text| text.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
    .prop_filter("a title has words", |text| !text.is_empty())
}

/// Placeholders with a title, a seed and an icon, and their depths.
fn placeholder() -> impl Strategy<Value = (String, Option<String>, Option<String>, bool, usize)> {
    let icon = proptest::option::of("[a-z]{1,8}");
    (words(), proptest::option::of(words()), icon, any::<bool>(), 0..3_usize)
}

proptest! {
    #[test]
    fn titles_in_menus_are_the_same_after_an_import(titles in proptest::collection::vec(words(), 1..5)) {
        let pages: Vec<_> = (0..titles.len()).map(|index| (index, format!("page-{index}"))).collect();
        let mut tree = tree(&pages, &[]);
        for (index, title) in titles.iter().enumerate() {
            let page = tree.page(page_id(index)).unwrap().clone();
            tree.update_page(PageNode { link_title: Some(title.clone()), ..page }).unwrap();
        }
        let layout = Layout::of(&tree);
        let plan = imported(&tree, &layout, &document(&[]));
        for page in tree.pages() {
            let Some(title) = summary::link_title(page) else { continue };
            let path = layout.page(page.id);
            let planned = plan.pages.iter().find(|planned| planned.source_path.as_deref() == path).unwrap();
            prop_assert_eq!(planned.link_title.as_deref(), Some(title).filter(|title| *title != "T"));
        }
    }

    #[test]
    fn placeholders_are_the_same_after_an_import(
        all in proptest::collection::vec(placeholder(), 1..5),
        models in any::<bool>(),
        grouping in proptest::option::of(prop_oneof![Just("by-tag"), Just("by-operation")]),
    ) {
        let mut tree = tree(&[(0, "guide".to_owned()), (1, "below".to_owned())], &[]);
        let mut source = serde_json::json!({
            "type": "builtin:openapi", "props": {"models": models},
            "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "true"}}},
        });
        if let Some(grouping) = grouping {
            source["props"]["grouping"] = grouping.into();
        }
        for (index, (title, seed, icon, hidden, above)) in all.iter().enumerate() {
            let (id, parent) = (page_id(50 + index), above.checked_sub(1).map(page_id));
            let seed = seed.clone().unwrap_or_else(|| id.to_string());
            let kind = PageKind::Computed { source: source.clone(), seed };
            let position = tree.position_at(parent, None, None);
            let mut page = PageNode::new(id, parent, position, kind, title.clone(), "");
            (page.icon, page.hidden) = (icon.clone(), *hidden);
            tree.insert_page(page).unwrap();
        }
        let plan = imported(&tree, &Layout::of(&tree), &document(&[]));
        let read: Vec<_> = plan.pages.iter().filter_map(|page| match &page.kind {
            quire_importer::plan::PageKind::Computed { source, seed } => Some((page, source, seed)),
            _ => None,
        }).collect();
        prop_assert_eq!(plan.report, []);
        let written: Vec<&PageNode> =
            tree.pages_in_order().filter(|page| matches!(page.kind, PageKind::Computed { .. })).collect();
        prop_assert_eq!(read.len(), written.len());
        for ((page, its, seed), written) in read.into_iter().zip(written) {
            let PageKind::Computed { seed: asked, .. } = &written.kind else { unreachable!() };
            prop_assert_eq!(its, &source);
            prop_assert_eq!(seed.clone(), Some(asked.clone()).filter(|seed| *seed != written.id.to_string()));
            prop_assert_eq!((&page.title, &page.icon, page.hidden), (&written.title, &written.icon, written.hidden));
            prop_assert_eq!(page.parent.is_some(), written.parent.is_some());
        }
    }

    #[test]
    fn a_link_leads_where_it_did_or_nowhere_after_an_import(
        pages in proptest::collection::vec((0..4_usize, slug()), 6),
        references in proptest::collection::vec(reference(), 1..8),
    ) {
        let tree = tree(&pages, &references);
        let layout = Layout::of(&tree);
        let document = document(&references);
        let plan = imported(&tree, &layout, &document);
        let held = links(&document).into_iter().map(|link| link.reference);
        let wanted: Vec<ContentRef> = held.map(|one| expected(&one, &layout, &plan)).collect();
        prop_assert_eq!(plan.pages.len(), pages.len() + references.len());
        for page in &plan.pages {
            if let quire_importer::plan::PageKind::Link { target } = &page.kind {
                prop_assert!(wanted.contains(target), "{target:?} of {wanted:#?}");
                continue;
            }
            let found = links(&page.read_document().unwrap()).into_iter().map(|link| link.reference);
            prop_assert_eq!(found.collect::<Vec<_>>(), wanted.clone(), "{:?}", page.source_path);
        }
    }
}
