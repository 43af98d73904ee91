//! Semantic changes and their order.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests fail like tests")]

mod common;

use common::{Store, build, page_id, run, script};
use proptest::prelude::*;
use quire_revision::{Change, PageKind, PageNode, Tree, changed_pages, diff};
use serde_json::json;

/// A top-level page with three pages below it, and a second one.
fn base() -> Tree {
    let mut tree = Tree::empty();
    for (number, parent) in [(1, None), (2, None), (11, Some(1)), (12, Some(1)), (13, Some(1))] {
        insert(&mut tree, number, parent);
    }
    tree
}

fn insert(tree: &mut Tree, number: u64, parent: Option<u64>) {
    let parent = parent.map(page_id);
    let position = tree.position_at(parent, None, None);
    let (title, slug) = (format!("Page {number}"), format!("p{number}"));
    tree.insert_page(PageNode::new(page_id(number), parent, position, PageKind::Document, title, slug))
        .unwrap();
}

/// Returns a change in short form.
fn words(change: &Change) -> String {
    let number = |id: &quire_revision::PageId| id.as_uuid().as_u64_pair().1 & 0xffff;
    match change {
        Change::PageCreated { page } => format!("created {}", number(&page.id)),
        Change::PageDeleted { page } => format!("deleted {}", number(&page.id)),
        Change::PageEdited { page, attributes } => {
            format!("edited {} {}", number(&page.id), serde_json::to_value(attributes).unwrap())
        }
        Change::PageMoved { page, parent } => {
            let parent =
                [&parent.before, &parent.after].map(|page| page.as_ref().map(|page| number(&page.id)));
            format!("moved {} {parent:?}", number(&page.id))
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn changes_come_in_the_order_of_the_table_of_contents() {
    let before = base();
    let mut after = before.clone();
    after.remove_page(page_id(12)).unwrap();
    insert(&mut after, 21, Some(2));
    insert(&mut after, 14, Some(1));
    let page = after.page(page_id(13)).unwrap().clone();
    let position = after.position_at(Some(page_id(1)), Some(0), Some(page.id));
    after.update_page(PageNode { position, title: "New".to_owned(), ..page }).unwrap();
    let page = after.page(page_id(1)).unwrap().clone();
    after.update_page(PageNode { hidden: true, updated_at: Some(1), ..page }).unwrap();

    let changes: Vec<String> = diff(&before, &after).iter().map(words).collect();
    assert_eq!(
        changes,
        [
            format!("edited 1 {}", json!({"hidden": {"before": false, "after": true}})),
            "moved 13 [Some(1), Some(1)]".to_owned(),
            format!("edited 13 {}", json!({"title": {"before": "Page 13", "after": "New"}})),
            "deleted 12".to_owned(),
            "created 14".to_owned(),
            "created 21".to_owned(),
        ]
    );
}

#[test]
fn times_alone_are_no_change() {
    let before = base();
    let mut after = before.clone();
    let page = after.page(page_id(1)).unwrap().clone();
    after.update_page(PageNode { updated_at: Some(1), ..page }).unwrap();
    assert_eq!(diff(&before, &after), vec![]);
    assert_eq!(changed_pages(&before, &after).count(), 1);
}

#[test]
fn a_deleted_page_has_its_old_path_and_a_moved_one_both_parents() {
    let before = base();
    let mut after = before.clone();
    let page = after.page(page_id(11)).unwrap().clone();
    let position = after.position_at(Some(page_id(2)), None, None);
    after.update_page(PageNode { parent: Some(page_id(2)), position, ..page }).unwrap();
    after.remove_page(page_id(1)).unwrap();
    let changes = diff(&before, &after);
    assert_eq!(
        changes.iter().map(words).collect::<Vec<_>>(),
        ["deleted 1", "deleted 12", "deleted 13", "moved 11 [Some(1), Some(2)]"]
    );
    let path = |change: &Change| match change {
        Change::PageDeleted { page } | Change::PageMoved { page, .. } => page.path.clone(),
        _ => None,
    };
    assert_eq!(changes.iter().filter_map(path).collect::<Vec<_>>(), ["p1", "p1/p12", "p1/p13", "p2/p11"]);
}

proptest! {
    #[test]
    fn each_record_is_named_for_what_became_of_it(first in script(60), second in script(20)) {
        let before = build(&first);
        let after = run(&before, 1000, &second);
        let mut reached = before.clone();
        for change in diff(&before, &after) {
            match &change {
                Change::PageCreated { page } => prop_assert!(before.page(page.id).is_none() && after.page(page.id).is_some()),
                Change::PageDeleted { page } => prop_assert!(before.page(page.id).is_some() && after.page(page.id).is_none()),
                Change::PageEdited { page, .. } | Change::PageMoved { page, .. } => {
                    prop_assert!(before.page(page.id).is_some());
                    prop_assert_eq!(&page.path, &after.path_of(page.id));
                }
                Change::FileCreated { file } => reached.insert_file(file.as_ref().clone()).unwrap(),
                Change::FileEdited { file, .. } => reached.update_file(file.as_ref().clone()).unwrap(),
                Change::FileDeleted { file } => reached.remove_file(file.id).unwrap(),
                Change::ReusableContentCreated { content } => reached.insert_reusable_content(content.as_ref().clone()).unwrap(),
                Change::ReusableContentEdited { content, .. } => reached.update_reusable_content(content.as_ref().clone()).unwrap(),
                Change::ReusableContentDeleted { content } => reached.remove_reusable_content(content.id).unwrap(),
            }
        }
        prop_assert!(reached.files().eq(after.files()));
        prop_assert!(reached.reusable_contents().eq(after.reusable_contents()));
    }

    #[test]
    fn it_needs_no_more_than_what_was_loaded(first in script(60), second in script(20)) {
        let before = build(&first);
        let after = run(&before, 1000, &second);
        let mut store = Store::default();
        store.save(&after, &Tree::empty());
        let loaded = store.load(&before, after.root());
        prop_assert_eq!(diff(&before, &loaded), diff(&before, &after));
    }
}
