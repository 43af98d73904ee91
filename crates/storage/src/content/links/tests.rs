use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;
use quire_domain::ids::{DocumentId, SpaceId};
use quire_revision::{PageId, PageKind, PageNode, Tree, raw_diff};
use serde_json::{Value, json};
use uuid::Uuid;

use super::index::{DocumentFacts, LinkIndex, LinkKey};
use super::list::{Judged, Seen, backlinks};
use super::target::{Holder, LinkTarget};
use super::{LinkFilter, LinksOf, ShownLink};
use crate::content::store::{ConditionFact, DocumentLinks, LinkFact};

/// Number of pages in these tests.
const PAGES: u8 = 5;
/// Number of documents in these tests.
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

/// Returns documents with links to pages, to anchors that only some of them have, and to other tables.
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
        let links = references.into_iter().zip(0..count).map(|(reference, node)| LinkFact {
            reference,
            depends_on: false,
            node: Some(node.to_string()),
            condition: None,
        });
        let links = DocumentLinks { links: links.collect(), conditions: Some(Vec::new()) };
        let anchors = if number.is_multiple_of(2) { vec!["a".to_owned()] } else { Vec::new() };
        DocumentFacts { links, anchors: anchors.into_iter().collect() }
    };
    (0..DOCUMENTS).map(|number| (document_of(number), facts(number))).collect()
}

/// Edit of a page: removes it, or sets its document.
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
    let judged = Judged::new(&index, None, &present, "http://here", LinksOf::Content, None);
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
    let judged = Judged::new(&index, None, &present, "", LinksOf::Content, None);
    // The document has four links (page, anchor, user, URL), of which two were returned.
    let after = judged.slice(LinkFilter::default(), None, 2).items.last().unwrap().cursor;
    let mut fewer = facts();
    fewer.get_mut(&document_of(5)).unwrap().links.links.remove(0);
    fewer.get_mut(&document_of(5)).unwrap().links.links.remove(1);
    let index = LinkIndex::default().after(space(), raw_diff(&Tree::empty(), &before), &before, &fewer);
    let judged = Judged::new(&index, None, &present, "", LinksOf::Content, None);
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

/// Returns links of a page outside of `if` blocks, in one block, and in a nested block.
fn conditional_links() -> DocumentLinks {
    let fact = |url: &str, node: usize, condition| LinkFact {
        reference: json!({"kind": "url", "url": url}),
        depends_on: false,
        node: Some(node.to_string()),
        condition,
    };
    let condition =
        |expression: &str, parent| ConditionFact { expression: Some(expression.to_owned()), parent };
    DocumentLinks {
        links: vec![
            fact("https://a", 0, None),
            fact("https://b", 1, Some(0)),
            fact("https://c", 2, Some(1)),
            fact("https://a", 3, Some(1)),
            fact("https://d", 4, Some(2)),
        ],
        conditions: Some(vec![
            condition("outer", None),
            condition("inner", Some(0)),
            ConditionFact { expression: None, parent: None },
        ]),
    }
}

/// Returns the URLs, with their nodes, that a visitor sees who meets the given conditions.
fn seen_by(index: &LinkIndex, met: &[&str]) -> Vec<String> {
    let meets = |condition: &str| met.contains(&condition);
    let seen = Seen { meets: &meets, unseen: index.unseen(&meets) };
    let judged = Judged::new(index, None, &BTreeSet::new(), "http://here", LinksOf::Content, Some(seen));
    let slice = judged.slice(LinkFilter::default(), None, 10);
    assert_eq!(slice.total, u64::try_from(slice.items.len()).unwrap(), "the count is that of the items");
    assert_eq!(judged.stats().total, slice.total);
    let shown = |link: &ShownLink| {
        let LinkTarget::Url(url) = &link.target else { panic!("{link:?}") };
        let nodes: Vec<&str> = link.nodes.iter().flatten().map(String::as_str).collect();
        format!("{url} {}", nodes.join(","))
    };
    slice.items.iter().map(shown).collect()
}

#[test]
fn a_visitor_sees_the_links_of_blocks_whose_conditions_hold() {
    let tree = edited(&Tree::empty(), &[(0, Some(1))]);
    let facts = |links| HashMap::from([(document_of(1), DocumentFacts { links, anchors: BTreeSet::new() })]);
    let index = LinkIndex::default();
    let changes = || raw_diff(&Tree::empty(), &tree);
    let known = index.after(space(), changes(), &tree, &facts(conditional_links()));
    assert!(known.without_conditions().is_empty());
    assert_eq!(seen_by(&known, &[]), ["https://a 0"]);
    assert_eq!(seen_by(&known, &["inner"]), ["https://a 0"], "the outer block is hidden");
    assert_eq!(seen_by(&known, &["outer"]), ["https://a 0", "https://b 1"]);
    assert_eq!(seen_by(&known, &["outer", "inner"]), ["https://a 0,3", "https://b 1", "https://c 2"]);
    // The form before conditions were stored.
    let former = serde_json::to_value(conditional_links().links).unwrap();
    let former: DocumentLinks = serde_json::from_value(former).unwrap();
    let unknown = index.after(space(), changes(), &tree, &facts(former));
    let holders = unknown.without_conditions();
    assert_eq!(holders, [Holder::page(page_id(0))]);
    assert_eq!(unknown.with_conditions((space(), &tree), &holders, &facts(conditional_links())), known);
    let current = serde_json::to_value(conditional_links()).unwrap();
    assert_eq!(serde_json::from_value::<DocumentLinks>(current).unwrap(), conditional_links());
}
