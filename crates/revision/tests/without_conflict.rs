//! Numbers of the pages and blocks that merge without a conflict.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests fail like tests")]

mod common;

use std::convert::Infallible;

use common::{document, page_id};
use quire_revision::{
    DocumentId, PageKind, PageNode, Resolution, Tree, WithoutConflict, merge, merge_document,
};
use serde_json::{Value, json};

fn blocks_of(base: &[&str], into: &[&str], from: &[&str]) -> usize {
    let [base, into, from] = [base, into, from].map(document);
    blocks_between([&base, &into, &from])
}

/// Returns the number of blocks, which is the same if the sides are swapped.
fn blocks_between([base, into, from]: [&Value; 3]) -> usize {
    let merged =
        |into, from| merge_document([base, into, from], "scope", &Resolution::default()).merged_blocks;
    let blocks = merged(into, from);
    assert_eq!(merged(from, into), blocks, "with swapped sides");
    blocks
}

#[test]
fn blocks_that_one_side_changed_inserted_moved_or_removed_count_once() {
    let base = ["a", "b", "c", "d", "e"];
    assert_eq!(blocks_of(&base, &base, &["a", "B", "c", "d", "e"]), 0, "nothing was merged");
    assert_eq!(blocks_of(&base, &["A", "b", "c", "d", "e"], &["a", "b", "C", "d", "e"]), 2, "changed");
    assert_eq!(blocks_of(&base, &["a", "b", "c", "d", "e", "f"], &["A", "b", "c", "d", "e"]), 2, "inserted");
    assert_eq!(blocks_of(&base, &["a", "c", "d", "e"], &["a", "b", "c", "d", "E"]), 2, "removed");
    assert_eq!(blocks_of(&base, &["b", "c", "a", "d", "e"], &["a", "b", "c", "d", "E"]), 2, "moved");
    assert_eq!(blocks_of(&base, &["A", "b", "c", "d", "e"], &["A", "b", "c", "d", "E"]), 2, "the same twice");
}

#[test]
fn blocks_in_conflict_do_not_count() {
    assert_eq!(blocks_of(&["a", "b", "c"], &["A", "b", "C"], &["x", "b", "c"]), 1);
    assert_eq!(blocks_of(&["a", "b"], &["A", "b"], &["b"]), 0, "changed and removed");
    assert_eq!(blocks_of(&["a", "b"], &["a", "x", "b"], &["a", "y", "b"]), 0, "inserted at one position");
}

#[test]
fn blocks_in_a_block_count_where_it_has_a_conflict() {
    let list = |items: [&str; 3]| {
        let item = |text: &&str| {
            let leaf = json!({"object": "leaf", "text": text, "marks": []});
            let nodes = json!([{"object": "text", "leaves": [leaf]}]);
            let paragraph = json!({"object": "block", "type": "paragraph", "nodes": nodes});
            json!({"object": "block", "type": "list-item", "nodes": [paragraph]})
        };
        let items: Vec<Value> = items.iter().map(item).collect();
        json!({"object": "document", "nodes": [{"object": "block", "type": "list-ordered", "nodes": items}]})
    };
    let base = list(["a", "b", "c"]);
    assert_eq!(blocks_between([&base, &list(["A", "b", "c"]), &list(["a", "b", "C"])]), 1, "the list");
    let conflicting = [&base, &list(["A", "B", "c"]), &list(["x", "b", "C"])];
    assert_eq!(blocks_between(conflicting), 2, "two items, next to one in conflict");
}

#[test]
fn pages_without_a_conflict_count_and_so_do_blocks_next_to_one() {
    let texts = [["a", "b", "c"], ["A", "b", "C"], ["x", "b", "c"]].map(|lines| document(&lines));
    let [base_text, of_space, of_change] = texts.each_ref().map(|text| Some(DocumentId::of(text)));
    let mut base = Tree::empty();
    for number in 1..=5 {
        let position = base.position_at(None, None, None);
        let (title, slug) = (format!("Page {number}"), format!("p{number}"));
        let page = PageNode::new(page_id(number), None, position, PageKind::Document, title, slug);
        base.insert_page(PageNode { document: base_text, ..page }).unwrap();
    }
    let (mut into, mut from) = (base.clone(), base.clone());
    let edit = |tree: &mut Tree, number, edit: &dyn Fn(&mut PageNode)| {
        let mut page = tree.page(page_id(number)).unwrap().clone();
        edit(&mut page);
        tree.update_page(page).unwrap();
    };
    edit(&mut into, 1, &|page| page.document = of_space);
    edit(&mut from, 1, &|page| page.document = of_change);
    edit(&mut into, 2, &|page| page.title = "Theirs".to_owned());
    edit(&mut from, 2, &|page| page.description = Some("Ours".to_owned()));
    edit(&mut into, 3, &|page| page.hidden = true);
    edit(&mut from, 4, &|page| page.document = of_change);
    let merged = |into: &Tree| {
        let load = |ids: &[DocumentId]| -> Result<_, Infallible> {
            let known = texts.iter().map(|text| (DocumentId::of(text), text.clone()));
            Ok(known.filter(|(id, _)| ids.contains(id)).collect())
        };
        let Ok(merged) = merge(&base, into, &from, &Resolution::default(), load);
        merged
    };
    let merge = merged(&into);
    assert_eq!(merge.conflicts.len(), 1);
    assert_eq!(merge.without_conflict, WithoutConflict { pages: 3, blocks: 1 });
    assert_eq!(merged(&base).without_conflict, WithoutConflict::default(), "nothing was merged");
}
