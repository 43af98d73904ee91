//! The weight of a tree in caches approximates its size; a step of a walk needs no list of the pages.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests fail like tests")]

use std::collections::HashMap;

use quire_revision::{PageId, PageKind, PageNode, Position, Tree, TreeHash};
use uuid::Uuid;

/// Counts allocated bytes.
#[global_allocator]
static ALLOCATED: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

fn page(number: u32) -> PageNode {
    let id = |number: u32| PageId::from_uuid(Uuid::from_u128(1 + u128::from(number)));
    let parent = (number >= 100).then(|| id(number % 100));
    let (title, slug) = (format!("How to use part {number}"), format!("how-to-use-part-{number}"));
    let mut page = PageNode::new(id(number), parent, Position::first(), PageKind::Document, title, slug);
    page.description = Some("Start, watch and stop the service.".to_owned());
    page
}

#[test]
fn a_tree_weighs_what_it_holds() {
    let before = ALLOCATED.current_usage();
    let mut tree = Tree::empty();
    for number in 0..5_000 {
        let mut page = page(number);
        page.position = tree.position_at(page.parent, None, None);
        tree.insert_page(page).unwrap();
    }
    let root = tree.root();
    let (held, weight) = (ALLOCATED.current_usage() - before, tree.approximate_bytes());
    println!("a tree of 5,000 pages holds {held} bytes and weighs {weight}");
    assert!(weight * 2 <= held * 3 && held * 2 <= weight * 3, "{held} and {weight}");
    // The tree as loaded from the database.
    let nodes: HashMap<TreeHash, Vec<u8>> = tree.nodes_missing_in(&Tree::empty()).into_iter().collect();
    let before = ALLOCATED.current_usage();
    let fetch = |hashes: &[TreeHash]| {
        Ok::<_, ()>(hashes.iter().map(|hash| (*hash, nodes.get(hash).unwrap().clone())).collect())
    };
    let loaded = Tree::load(&Tree::empty(), root, fetch).unwrap();
    let (held, weight) = (ALLOCATED.current_usage() - before, loaded.approximate_bytes());
    println!("loaded, it holds {held} bytes and weighs {weight}");
    assert!(weight * 2 <= held * 3 && held * 2 <= weight * 3, "{held} and {weight}");
    // The tree after edits of a few pages.
    let before = ALLOCATED.current_usage();
    let mut edited = loaded.clone();
    for number in [150, 1_150, 2_150, 3_150, 4_150] {
        edited
            .update_page(PageNode {
                title: "Read me first".to_owned(),
                ..loaded.page(page(number).id).unwrap().clone()
            })
            .unwrap();
    }
    let _ = edited.root();
    let (held, weight) = (ALLOCATED.current_usage() - before, edited.approximate_bytes_beyond(&loaded));
    println!("five edits hold {held} bytes and weigh {weight}");
    assert!(weight <= held * 3 && held <= weight * 3, "{held} and {weight}");
    assert!(loaded.approximate_bytes_beyond(&loaded) < 1_024);
    // A tree that was loaded independently shares nothing.
    let again = Tree::load(&Tree::empty(), root, fetch).unwrap();
    assert_eq!(again.approximate_bytes_beyond(&loaded), again.approximate_bytes());
    // A list of all siblings would take 8 bytes per page.
    let flat = flat(5_000);
    let middle = flat.pages_in_order().nth(2_500).unwrap();
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    assert!(flat.pages_in_order().next().is_some());
    assert!(flat.pages_after(middle).next().is_some() && flat.pages_before(middle).next().is_some());
    let taken = ALLOCATED.peak_usage() - before;
    assert!(taken < 8 << 10, "{taken}");
}

fn flat(pages: u32) -> Tree {
    let mut tree = Tree::empty();
    for number in 0..pages {
        let position = tree.position_at(None, None, None);
        let page = PageNode { parent: None, position, ..page(number) };
        tree.insert_page(page).unwrap();
    }
    tree
}
