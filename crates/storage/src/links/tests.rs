use std::collections::HashMap;

use proptest::prelude::*;
use quire_domain::ids::{DocumentId, SpaceId};
use quire_domain::links::LinkRelation;
use quire_revision::{PageId, PageKind, PageNode, Tree, raw_diff};
use serde_json::{Value, json};
use uuid::Uuid;

use super::index::{DocumentFacts, LinkIndex, LinkKey};
use super::list::{Judged, backlinks};
use super::target::Holder;
use super::{LinkFilter, LinksOf};

/// Pages that the edits here know.
const PAGES: u8 = 5;
/// Documents that they choose from.
const DOCUMENTS: u8 = 8;

fn page_id(number: u8) -> PageId {
    PageId::from_uuid(Uuid::from_u128(u128::from(number) + 1))
}

fn space() -> SpaceId {
    SpaceId::from_uuid(Uuid::from_u128(77))
}

fn document_of(number: u8) -> DocumentId {
    DocumentId::of(&json!(number))
}

/// Documents that link to pages, to anchors that only some of them have, and elsewhere.
fn facts() -> HashMap<DocumentId, DocumentFacts> {
    let facts = |number: u8| {
        let to = page_id(number % PAGES).to_string();
        let other = page_id((number + 1) % PAGES).to_string();
        let user = Uuid::from_u128(u128::from(number)).to_string();
        let references: [Value; 5] = [
            json!({"kind": "page", "page": to}),
            json!({"kind": "anchor", "page": other, "anchor": "a"}),
            json!({"kind": "page", "page": to}),
            json!({"kind": "user", "user": user}),
            json!({"kind": "url", "url": format!("http://here/{number}")}),
        ];
        let count = usize::from(number % 6);
        let links = references
            .into_iter()
            .zip(0..count)
            .map(|(reference, node)| (reference, LinkRelation::Reference, Some(node.to_string())));
        let anchors = if number.is_multiple_of(2) { vec!["a".to_owned()] } else { Vec::new() };
        DocumentFacts { links: links.collect(), anchors: anchors.into_iter().collect() }
    };
    (0..DOCUMENTS).map(|number| (document_of(number), facts(number))).collect()
}

/// Effect of an edit on a page: removes it, or gives it a document.
type Edit = (u8, Option<u8>);

fn edited(tree: &Tree, edits: &[Edit]) -> Tree {
    let mut tree = tree.clone();
    for (page, document) in edits {
        let id = page_id(*page);
        let known = tree.page(id).cloned();
        match (known, document) {
            (None, None) => {}
            (Some(_), None) => drop(tree.remove_page(id).unwrap()),
            (Some(page), Some(document)) => {
                tree.update_page(PageNode { document: Some(document_of(*document)), ..page }).unwrap();
            }
            (None, Some(document)) => {
                let position = tree.position_at(None, None, None);
                let page = PageNode::new(id, None, position, PageKind::Document, "Page", page.to_string());
                tree.insert_page(PageNode { document: Some(document_of(*document)), ..page }).unwrap();
            }
        }
    }
    tree
}

fn follow(index: &LinkIndex, before: &Tree, after: &Tree) -> LinkIndex {
    index.after(space(), raw_diff(before, after), after, &facts())
}

proptest! {
    #[test]
    fn an_index_that_followed_each_edit_is_the_one_made_at_once(
        steps in proptest::collection::vec(
            proptest::collection::vec((0..PAGES, proptest::option::of(0..DOCUMENTS)), 1..4), 1..8)
    ) {
        let (mut tree, mut index) = (Tree::empty(), LinkIndex::default());
        for edits in steps {
            let next = edited(&tree, &edits);
            index = follow(&index, &tree, &next);
            tree = next;
            prop_assert_eq!(&index, &follow(&LinkIndex::default(), &Tree::empty(), &tree));
        }
    }
}

fn sample() -> LinkIndex {
    let tree = edited(&Tree::empty(), &[(0, Some(5)), (1, Some(4)), (2, Some(3))]);
    follow(&LinkIndex::default(), &Tree::empty(), &tree)
}

#[test]
fn a_walk_by_one_meets_every_link_once_in_the_order_of_the_keys() {
    let index = sample();
    let present = index.external();
    let judged = Judged::new(&index, None, &present, "http://here", LinksOf::Content);
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let slice = judged.slice(LinkFilter::default(), after, 1);
        assert_eq!(slice.total, u64::try_from(index.total()).unwrap());
        seen.extend(slice.items.iter().map(|link| (link.holder, link.target.clone())));
        after = slice.items.last().map(|link| link.cursor);
        if !slice.has_more {
            break;
        }
    }
    let all: Vec<_> =
        index.from(None).map(|key| (key.holder, index.link(key).unwrap().target.clone())).collect();
    assert_eq!(seen, all);
    assert_eq!(all.first().unwrap().0, Holder::page(page_id(2)), "the newest page comes first");
}

#[test]
fn a_cursor_finds_its_link_again_when_others_went_before_it() {
    let before = edited(&Tree::empty(), &[(0, Some(5))]);
    let index = follow(&LinkIndex::default(), &Tree::empty(), &before);
    let present = index.external();
    let judged = Judged::new(&index, None, &present, "", LinksOf::Content);
    // Of the document's links (page, anchor, user, URL) two were shown.
    let after = judged.slice(LinkFilter::default(), None, 2).items.last().unwrap().cursor;
    let mut fewer = facts();
    fewer.get_mut(&document_of(5)).unwrap().links.remove(0);
    fewer.get_mut(&document_of(5)).unwrap().links.remove(1);
    let index = LinkIndex::default().after(space(), raw_diff(&Tree::empty(), &before), &before, &fewer);
    let judged = Judged::new(&index, None, &present, "", LinksOf::Content);
    let rest = judged.slice(LinkFilter::default(), Some(after), 10).items;
    assert_eq!(rest.len(), 2);
    assert_eq!(rest.first().unwrap().nodes, [Some("3".to_owned())]);
}

#[test]
fn backlinks_are_locations() {
    let index = sample();
    let to = Holder::page(page_id(0)).entry();
    // Document 5 links to page 0 twice, document 4 by an anchor.
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let slice = backlinks(&index, to, after, 1);
        assert_eq!(slice.total, 3);
        seen.extend(slice.items.iter().map(|link| (link.holder, link.node.clone().unwrap())));
        after = slice.items.last().map(|link| link.cursor);
        if !slice.has_more {
            break;
        }
    }
    let (zero, one) = (Holder::page(page_id(0)), Holder::page(page_id(1)));
    assert_eq!(seen, [(one, "1".to_owned()), (zero, "0".to_owned()), (zero, "2".to_owned())]);
    assert_eq!(
        index.broken().iter().filter(|key| LinkKey::all_of(one).contains(key)).count(),
        2,
        "page 4 is not there, nor has document 5 an anchor"
    );
}
