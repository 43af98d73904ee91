//! Properties of trees: the content determines the hash, storing and loading, the cost of edits.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests fail like tests")]

mod common;

use common::{Store, assert_well_formed, build, page_id, rebuilt, run, script};
use proptest::prelude::*;
use quire_revision::{
    LoadError, MalformedNode, PageKind, PageNode, Position, Tree, TreeError, TreeHash, diff, raw_diff,
};
use serde_json::json;

fn assert_send_and_sync<T: Send + Sync>(_: &T) {}

proptest! {
    #[test]
    fn the_rules_hold_after_any_edits(script in script(80)) {
        assert_well_formed(&build(&script));
    }

    #[test]
    fn the_hash_is_a_function_of_the_records(script in script(80)) {
        let tree = build(&script);
        prop_assert_eq!(rebuilt(&tree, true).root(), tree.root());
    }

    #[test]
    fn stored_trees_are_loaded(script in script(80)) {
        let tree = build(&script);
        let mut store = Store::default();
        store.save(&tree, &Tree::empty());
        let loaded = store.load(&Tree::empty(), tree.root());
        prop_assert_eq!(loaded.root(), tree.root());
        prop_assert_eq!(raw_diff(&loaded, &tree), vec![]);
        assert_well_formed(&loaded);
        prop_assert_eq!(loaded.approximate_bytes(), tree.approximate_bytes());
    }

    #[test]
    fn a_difference_is_stored_and_loaded_on_top_of_a_base(first in script(80), second in script(20)) {
        let base = build(&first);
        let tree = run(&base, 1000, &second);
        let mut store = Store::default();
        store.save(&base, &Tree::empty());
        store.save(&tree, &base);
        let loaded = store.load(&base, tree.root());
        assert_well_formed(&loaded);
        prop_assert_eq!(&loaded, &tree);
        prop_assert_eq!(loaded.pages_in_order().collect::<Vec<_>>(), tree.pages_in_order().collect::<Vec<_>>());
        prop_assert_eq!(&store.load(&tree, base.root()), &base);
        prop_assert_eq!(&store.load(&Tree::empty(), tree.root()), &tree);
    }

    #[test]
    fn a_difference_leads_from_one_tree_to_the_other(first in script(60), second in script(60)) {
        let (before, after) = (build(&first), run(&build(&first), 1000, &second));
        let applied = before.apply(&raw_diff(&before, &after)).unwrap();
        prop_assert_eq!(&applied, &after);
        assert_well_formed(&applied);
        prop_assert_eq!(diff(&after, &after), vec![]);
    }
}

/// Returns a tree with this many pages, a hundredth of them at the top level and the others below them.
fn large(pages: u64) -> Tree {
    let mut tree = Tree::empty();
    let positions = Position::n_evenly(usize::try_from(pages).unwrap());
    for (number, position) in (0..pages).zip(positions) {
        let parent = (number >= pages / 100).then(|| page_id(number % (pages / 100)));
        let title = format!("Page {number}");
        let slug = format!("page-{number}");
        tree.insert_page(PageNode::new(page_id(number), parent, position, PageKind::Document, title, slug))
            .unwrap();
    }
    tree
}

#[test]
fn an_edit_in_a_large_tree_writes_the_nodes_of_one_path() {
    let base = large(10_000);
    assert_send_and_sync(&base);
    let mut store = Store::default();
    store.save(&base, &Tree::empty());
    for number in [0, 77, 5_000, 9_999] {
        let mut tree = base.clone();
        let page = tree.page(page_id(number)).unwrap().clone();
        tree.update_page(PageNode { title: "Another".to_owned(), ..page }).unwrap();
        let written = store.save(&tree, &base);
        assert!((2..=5).contains(&written), "{written} nodes");

        store.fetches.clear();
        assert_eq!(store.load(&base, tree.root()), tree);
        assert_eq!(store.fetches, vec![1; written], "one node a level");
    }
    store.fetches.clear();
    assert_eq!(store.load(&Tree::empty(), base.root()), base);
    assert!(store.fetches.len() <= 5, "one fetch a level: {:?}", store.fetches);
}

#[test]
fn moving_a_page_with_all_below_it_changes_one_record() {
    let base = large(1_000);
    let mut tree = base.clone();
    let page = tree.page(page_id(3)).unwrap().clone();
    assert_eq!(tree.descendants(page.id).count(), 99);
    let position = tree.position_at(Some(page_id(4)), Some(0), Some(page.id));
    tree.update_page(PageNode { parent: Some(page_id(4)), position, ..page }).unwrap();
    assert_eq!(raw_diff(&base, &tree).len(), 1);
    assert_eq!(tree.path_of(page_id(103)).as_deref(), Some("page-4/page-3/page-103"));
}

#[test]
fn a_root_may_have_ten_thousand_pages() {
    let mut tree = Tree::empty();
    for (number, position) in (0..10_000).zip(Position::n_evenly(10_000)) {
        let page =
            PageNode::new(page_id(number), None, position, PageKind::Document, "P", format!("p-{number}"));
        tree.insert_page(page).unwrap();
    }
    let order: Vec<_> = tree.children(None).map(|page| page.id).collect();
    assert!(order.is_sorted() && order.len() == 10_000);
    assert_eq!(tree.page_by_path("").unwrap().id, page_id(0));
    assert!(tree.nodes_missing_in(&Tree::empty()).iter().all(|(_, bytes)| bytes.len() < 16_384));
}

#[test]
fn invalid_edits_are_refused_and_change_nothing() {
    let page = |number, parent: Option<u64>, kind, slug: &str| {
        let tree_position = Position::n_evenly(100)[usize::try_from(number).unwrap()].clone();
        PageNode::new(page_id(number), parent.map(page_id), tree_position, kind, "T", slug)
    };
    let link = || PageKind::Link { target: json!({}) };
    let mut tree = Tree::empty();
    tree.insert_page(page(1, None, PageKind::Group, "group")).unwrap();
    tree.insert_page(page(2, Some(1), PageKind::Document, "a")).unwrap();
    tree.insert_page(page(3, Some(2), PageKind::Document, "b")).unwrap();
    tree.insert_page(page(4, Some(2), link(), "")).unwrap();
    let before = tree.clone();

    let refused = [
        (
            page(3, None, PageKind::Document, "c"),
            TreeError::DuplicateId(quire_revision::EntryId::Page(page_id(3))),
        ),
        (page(9, Some(8), PageKind::Document, "c"), TreeError::UnknownParent(page_id(8))),
        (page(9, Some(4), PageKind::Document, "c"), TreeError::ParentWithoutChildren(page_id(4))),
        (page(9, Some(2), PageKind::Group, "c"), TreeError::NestedGroup(page_id(9))),
        (
            page(9, Some(2), PageKind::Document, "b"),
            TreeError::SlugTaken { slug: "b".into(), by: page_id(3) },
        ),
        (page(9, None, PageKind::Document, ""), TreeError::InvalidSlug { page: page_id(9), slug: "".into() }),
        (
            page(9, None, PageKind::Document, "a/b"),
            TreeError::InvalidSlug { page: page_id(9), slug: "a/b".into() },
        ),
        (page(9, None, link(), "c"), TreeError::InvalidSlug { page: page_id(9), slug: "c".into() }),
        (
            PageNode { position: page(3, None, link(), "").position, ..page(9, Some(2), link(), "") },
            TreeError::PositionTaken { by: page_id(3) },
        ),
    ];
    for (page, error) in refused {
        assert_eq!(tree.insert_page(page), Err(error));
        assert_eq!(tree, before);
    }

    let refused = [
        (page(9, None, PageKind::Document, "c"), TreeError::UnknownPage(page_id(9))),
        (page(2, Some(3), PageKind::Document, "a"), TreeError::Cycle(page_id(2))),
        (page(2, Some(2), PageKind::Document, "a"), TreeError::Cycle(page_id(2))),
        (page(2, None, link(), ""), TreeError::KindChanged(page_id(2))),
    ];
    for (page, error) in refused {
        assert_eq!(tree.update_page(page), Err(error));
        assert_eq!(tree, before);
    }
    assert_eq!(tree.remove_page(page_id(9)), Err(TreeError::UnknownPage(page_id(9))));
    assert_eq!(tree.remove_page(page_id(2)), Ok(vec![page_id(2), page_id(3), page_id(4)]));
    assert_eq!(tree.page_count(), 1);
}

#[test]
fn a_set_of_changes_that_contradicts_itself_is_refused() {
    let base = large(200);
    let mut orphaned = base.clone();
    orphaned.remove_page(page_id(1)).unwrap();
    let mut changes = raw_diff(&base, &orphaned);
    changes.retain(|(before, _)| {
        before.as_ref().map(quire_revision::Entry::id) == Some(quire_revision::EntryId::Page(page_id(1)))
    });
    assert_eq!(changes.len(), 1);
    assert_eq!(base.apply(&changes), Err(TreeError::UnknownParent(page_id(1))));
}

#[test]
fn slugs_and_pointers_are_found() {
    let mut tree = large(200);
    assert_eq!(tree.free_slug(None, "page-0"), "page-0-1");
    assert_eq!(tree.free_slug(None, "other"), "other");
    assert_eq!(tree.free_slug(Some(page_id(0)), "page-0"), "page-0");
    assert_eq!(tree.free_slug_of(Some(page_id(0)), None, "page-0"), "page-0");
    let mut long = PageNode { slug: "a".repeat(100), ..tree.page(page_id(0)).unwrap().clone() };
    tree.update_page(long.clone()).unwrap();
    let made = tree.free_slug(None, &long.slug);
    assert_eq!(made, format!("{}-1", "a".repeat(98)));
    long.slug = format!("{}-b", "ä".repeat(97));
    tree.update_page(long.clone()).unwrap();
    assert_eq!(tree.free_slug(None, &long.slug), format!("{}-1", "ä".repeat(97)));
    for (at, expected) in
        [(Some(0), 0), (Some(1), 1), (Some(50), 50), (Some(99), 99), (Some(1000), 99), (None, 99)]
    {
        let parent = Some(page_id(0));
        let number = 50 * 2;
        let page = tree.page(page_id(number)).unwrap().clone();
        let position = tree.position_at(parent, at, Some(page.id));
        tree.update_page(PageNode { parent, position, ..page }).unwrap();
        let place = tree.children(parent).position(|page| page.id == page_id(number));
        let last = tree.children(parent).count() - 1;
        assert_eq!(place, Some(expected.min(last)), "{at:?}");
    }
}

#[test]
fn a_page_is_found_in_many_trees() {
    let mut store = Store::default();
    let mut trees = vec![Tree::empty(), large(100), large(3_000)];
    for number in 0..100 {
        let mut tree = trees.last().unwrap().clone();
        let page = tree.page(page_id(number % 3)).unwrap().clone();
        tree.update_page(PageNode { title: format!("Title {number}"), ..page }).unwrap();
        trees.push(tree);
    }
    for tree in &trees {
        store.save(tree, &Tree::empty());
    }
    let roots: Vec<TreeHash> = trees.iter().map(Tree::root).collect();
    for page in [page_id(1), page_id(50), page_id(4_000)] {
        store.fetches.clear();
        let found = Tree::page_in_all(&roots, page, |hashes| store.fetch(hashes)).unwrap();
        for (tree, found) in trees.iter().zip(&found) {
            assert_eq!(tree.page(page), found.as_deref());
        }
        assert_eq!(found.len(), trees.len());
        // Each level of the path has at most one node per tree.
        assert!(
            store.fetches.len() <= 4 && store.fetches.iter().all(|nodes| *nodes <= 102),
            "{:?}",
            store.fetches
        );
    }

    let missing = Tree::page_in_all(&roots, page_id(1), |_| Ok::<_, std::io::Error>(vec![])).unwrap_err();
    assert!(matches!(missing, LoadError::Missing(_)));
}

#[test]
fn a_store_that_lies_is_found_out() {
    let tree = large(100);
    let mut store = Store::default();
    store.save(&tree, &Tree::empty());
    let root = tree.root();

    let missing = Tree::load(&Tree::empty(), root, |_| Ok::<_, std::io::Error>(vec![])).unwrap_err();
    assert!(matches!(missing, LoadError::Missing(hash) if hash == root));

    let altered = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("Page 7", "Page 8").into_bytes();
    let lie = Tree::load(&Tree::empty(), root, |hashes| {
        let nodes = store.fetch(hashes)?.into_iter();
        Ok::<_, std::io::Error>(nodes.map(|(hash, bytes)| (hash, altered(&bytes))).collect())
    });
    assert!(matches!(lie.unwrap_err(), LoadError::Malformed { source: MalformedNode::Hash(_), .. }));

    let failure = Tree::load(&Tree::empty(), root, |_| Err(std::io::Error::other("away")));
    assert!(matches!(failure.unwrap_err(), LoadError::Fetch(_)));
}

#[test]
fn the_encoding_is_as_documented() {
    let mut tree = Tree::empty();
    let page = PageNode {
        description: Some("How to".to_owned()),
        hidden: true,
        ..PageNode::new(page_id(1), None, Position::first(), PageKind::Document, "Install", "install")
    };
    tree.insert_page(page).unwrap();
    let nodes = tree.nodes_missing_in(&Tree::empty());
    let [(hash, bytes)] = nodes.as_slice() else { panic!("one leaf") };
    assert_eq!(
        String::from_utf8_lossy(bytes),
        concat!(
            r#"{"entries":[{"page":{"description":"How to","hidden":true,"#,
            r#""id":"0190a5d2-7c1e-7000-8000-000000000001","kind":{"type":"document"},"#,
            r#""position":"80","slug":"install","title":"Install"}}],"version":1}"#,
        )
    );
    assert_eq!(*hash, tree.root());
}
