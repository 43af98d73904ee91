//! Each kind of conflict, its resolution by a strategy, and changes that are not conflicts.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests fail like tests")]

mod common;

use std::collections::HashMap;
use std::convert::Infallible;

use common::{assert_well_formed, content_id, document, file_id, page_id};
use quire_revision::{
    BlobHash, Conflict, ConflictKind, DocumentId, FileNode, Merged, PageKind, PageNode, Position, Resolution,
    ReusableContentNode, Strategy, Take, Tree, merge,
};
use serde_json::{Value, json};

fn documents() -> HashMap<DocumentId, Value> {
    let versions = [["a", "b"], ["A", "b"], ["a", "B"], ["x", "b"], ["A", "B"]];
    versions
        .iter()
        .map(|lines| document(lines))
        .map(|document| (DocumentId::of(&document), document))
        .collect()
}

fn merged(base: &Tree, ours: &Tree, theirs: &Tree, strategy: Option<Strategy>) -> Merged {
    merged_by(&strategy.into(), base, ours, theirs)
}

fn merged_by(resolution: &Resolution, base: &Tree, ours: &Tree, theirs: &Tree) -> Merged {
    let load = |ids: &[DocumentId]| -> Result<_, Infallible> {
        let all = documents();
        Ok(ids.iter().map(|id| (*id, all[id].clone())).collect())
    };
    let Ok(merged) = merge(base, theirs, ours, resolution, load);
    assert_well_formed(&merged.tree);
    merged
}

/// Returns a tree of the pages 1, 2 and 3, the pages 11 and 12 below page 1, a link 4, a computed page 5, a file and a
/// reusable content.
fn base() -> Tree {
    let mut tree = Tree::empty();
    let link = PageKind::Link { target: json!({"kind": "url", "url": "https://example.com"}) };
    let computed = PageKind::Computed { source: json!({"type": "x"}), seed: "s".to_owned() };
    let mut insert = |number: u64, parent: Option<u64>, kind: PageKind| {
        let parent = parent.map(page_id);
        let slug = if kind.page_type().has_children() { format!("p{number}") } else { String::new() };
        let position = tree.position_at(parent, None, None);
        let document = Some(DocumentId::of(&document(&["a", "b"])));
        let page = PageNode::new(page_id(number), parent, position, kind, format!("Page {number}"), slug);
        tree.insert_page(PageNode { document, ..page }).unwrap();
    };
    insert(1, None, PageKind::Document);
    insert(2, None, PageKind::Document);
    insert(3, None, PageKind::Document);
    insert(4, None, link);
    insert(5, None, computed);
    insert(11, Some(1), PageKind::Document);
    insert(12, Some(1), PageKind::Document);
    tree.insert_file(file("a.png", b"a")).unwrap();
    tree.insert_reusable_content(content("Note", &["a", "b"])).unwrap();
    tree
}

fn file(name: &str, bytes: &[u8]) -> FileNode {
    FileNode {
        id: file_id(1),
        name: name.to_owned(),
        content_type: "image/png".to_owned(),
        size: 1,
        dimensions: None,
        blob: BlobHash::of(bytes),
        created_at: None,
        git: None,
    }
}

fn content(title: &str, lines: &[&str]) -> ReusableContentNode {
    ReusableContentNode {
        id: content_id(1),
        title: title.to_owned(),
        document: Some(DocumentId::of(&document(lines))),
        created_at: None,
        updated_at: None,
        git: None,
    }
}

fn with(tree: &Tree, edit: impl FnOnce(&mut Tree)) -> Tree {
    let mut tree = tree.clone();
    edit(&mut tree);
    tree
}

fn edited(number: u64, edit: impl FnOnce(&mut PageNode)) -> impl FnOnce(&mut Tree) {
    move |tree| {
        let mut page = tree.page(page_id(number)).unwrap().clone();
        edit(&mut page);
        tree.update_page(page).unwrap();
    }
}

fn moved(number: u64, parent: Option<u64>) -> impl FnOnce(&mut Tree) {
    move |tree| {
        let mut page = tree.page(page_id(number)).unwrap().clone();
        page.parent = parent.map(page_id);
        page.position = tree.position_at(page.parent, None, Some(page.id));
        tree.update_page(page).unwrap();
    }
}

fn removed(number: u64) -> impl FnOnce(&mut Tree) {
    move |tree| drop(tree.remove_page(page_id(number)).unwrap())
}

fn inserted(number: u64, parent: Option<u64>, slug: &str) -> impl FnOnce(&mut Tree) {
    move |tree| {
        let parent = parent.map(page_id);
        let position = tree.position_at(parent, None, None);
        let page = PageNode::new(page_id(number), parent, position, PageKind::Document, "New", slug);
        tree.insert_page(page).unwrap();
    }
}

fn conflicts(merged: &Merged) -> Vec<(Option<quire_revision::PageId>, ConflictKind)> {
    merged
        .conflicts
        .iter()
        .map(|conflict| (conflict.page.as_ref().map(|page| page.id), conflict.kind))
        .collect()
}

#[test]
fn each_field_conflicts_on_its_own_and_is_settled_to_a_side() {
    type Setter = fn(&mut PageNode, &str);
    let fields: [(u64, ConflictKind, Setter); 12] = [
        (1, ConflictKind::Title, |page, value| page.title = value.to_owned()),
        (1, ConflictKind::LinkTitle, |page, value| page.link_title = Some(value.to_owned())),
        (1, ConflictKind::Slug, |page, value| page.slug = value.to_owned()),
        (1, ConflictKind::Description, |page, value| page.description = Some(value.to_owned())),
        (1, ConflictKind::Emoji, |page, value| page.emoji = Some(value.to_owned())),
        (1, ConflictKind::Icon, |page, value| page.icon = Some(value.to_owned())),
        (1, ConflictKind::Cover, |page, value| page.cover = Some(Box::new(json!({"ref": value})))),
        (1, ConflictKind::Layout, |page, value| page.layout = Some(Box::new(json!(value)))),
        (1, ConflictKind::Document, |page, value| {
            page.document = Some(DocumentId::of(&document(&[value, "b"])))
        }),
        (4, ConflictKind::Target, |page, value| page.kind = PageKind::Link { target: json!(value) }),
        (5, ConflictKind::Computed, |page, value| {
            page.kind = PageKind::Computed { source: json!({"type": "x"}), seed: value.to_owned() };
        }),
        (1, ConflictKind::Moved, |page, value| page.parent = Some(page_id(if value == "A" { 2 } else { 3 }))),
    ];
    let base = base();
    for (number, kind, set) in fields {
        let ours = with(&base, edited(number, |page| set(page, "A")));
        let theirs = with(&base, edited(number, |page| set(page, "x")));
        assert_eq!(conflicts(&merged(&base, &ours, &theirs, None)), [(Some(page_id(number)), kind)]);
        assert_eq!(merged(&base, &ours, &theirs, Some(Strategy::Ours)).tree, ours, "{kind:?}");
        assert_eq!(merged(&base, &ours, &theirs, Some(Strategy::Theirs)).tree, theirs, "{kind:?}");
    }
}

#[test]
fn a_conflict_has_the_page_and_the_values() {
    let base = base();
    let ours = with(&base, edited(11, |page| page.title = "Ours".to_owned()));
    let theirs = with(&base, edited(11, |page| page.title = "Theirs".to_owned()));
    let merged = merged(&base, &ours, &theirs, None);
    assert_eq!(
        serde_json::to_value(&merged.conflicts).unwrap(),
        json!([{
            "id": merged.conflicts[0].id,
            "page": {"id": page_id(11), "title": "Ours", "path": "p1/p11"},
            "kind": "title", "base": "Page 11", "ours": "Ours", "theirs": "Theirs",
        }])
    );
}

#[test]
fn different_fields_and_blocks_of_one_page_come_together() {
    let base = base();
    let ours = with(
        &base,
        edited(1, |page| {
            page.title = "Ours".to_owned();
            page.document = Some(DocumentId::of(&document(&["A", "b"])));
            page.updated_at = Some(5);
        }),
    );
    let theirs = with(
        &base,
        edited(1, |page| {
            page.slug = "theirs".to_owned();
            page.hidden = true;
            page.document = Some(DocumentId::of(&document(&["a", "B"])));
            page.updated_at = Some(4);
        }),
    );
    let merged = merged(&base, &ours, &theirs, None);
    assert!(merged.conflicts.is_empty());
    let page = merged.tree.page_by_path("theirs").unwrap();
    assert_eq!((page.title.as_str(), page.hidden, page.updated_at), ("Ours", true, Some(5)));
    let both = document(&["A", "B"]);
    assert_eq!(page.document, Some(DocumentId::of(&both)));
    assert_eq!(merged.documents, vec![(DocumentId::of(&both), both)]);
}

#[test]
fn a_page_without_a_document_merges_like_one_with_an_empty_document() {
    let text = |lines: &[&str]| Some(DocumentId::of(&document(lines)));
    let set = |number, document| edited(number, move |page| page.document = document);
    let empty = with(&base(), set(1, None));
    let [ours, theirs] = [["A", "b"], ["x", "b"]].map(|lines| with(&empty, set(1, text(&lines))));
    let both_filled = merged(&empty, &ours, &theirs, None);
    assert_eq!(conflicts(&both_filled), [(Some(page_id(1)), ConflictKind::Document)]);
    let block = &both_filled.conflicts[0].blocks[0];
    assert_eq!((block.base.len(), block.ours.len(), block.theirs.len()), (0, 2, 2));
    assert_eq!(merged(&empty, &ours, &theirs, Some(Strategy::Ours)).tree, ours);

    let (base, emptied) = (with(&empty, set(1, text(&["a", "b"]))), empty);
    let edited = with(&base, set(1, text(&["A", "b"])));
    let one_emptied = merged(&base, &edited, &emptied, None);
    assert_eq!(one_emptied.conflicts[0].blocks.len(), 1);
    let resolved = merged(&base, &edited, &emptied, Some(Strategy::Theirs));
    assert_eq!(resolved.tree, emptied, "the outcome has no document, too");
}

#[test]
fn deleting_what_the_other_side_changed_or_built_on_conflicts() {
    let base = base();
    let deleted = with(&base, removed(1));
    let title = |page: &mut PageNode| page.title = "New".to_owned();
    let cases = [
        (with(&base, edited(1, title)), 1),
        (with(&base, edited(11, title)), 11),
        (with(&base, moved(1, Some(2))), 1),
        (with(&base, inserted(100, Some(1), "new")), 100),
        (with(&base, moved(3, Some(11))), 3),
    ];
    for (changed, number) in cases {
        let id = Some(page_id(number));
        assert_eq!(conflicts(&merged(&base, &deleted, &changed, None)), [(id, ConflictKind::DeletedHere)]);
        assert_eq!(conflicts(&merged(&base, &changed, &deleted, None)), [(id, ConflictKind::DeletedThere)]);

        let gone = merged(&base, &deleted, &changed, Some(Strategy::Ours)).tree;
        assert_eq!(gone, deleted, "page 3 stays, and everything else is deleted");
        assert_eq!(merged(&base, &changed, &deleted, Some(Strategy::Theirs)).tree, deleted);

        let kept = merged(&base, &deleted, &changed, Some(Strategy::Theirs)).tree;
        let (page, expected) = (kept.page(page_id(number)).unwrap(), changed.page(page_id(number)).unwrap());
        assert_eq!(page, expected);
        assert_eq!(kept.path_of(page.id), changed.path_of(page.id), "the pages above are kept with it");
    }
}

#[test]
fn deleting_what_the_other_side_left_alone_is_no_conflict() {
    let base = base();
    let ours = with(&base, removed(1));
    let theirs = with(&base, |tree| {
        removed(11)(tree);
        edited(2, |page| page.title = "New".to_owned())(tree);
        edited(12, |page| page.updated_at = Some(1))(tree);
    });
    let merged = merged(&base, &ours, &theirs, None);
    assert_eq!(conflicts(&merged), []);
    assert_eq!(merged.tree.pages().map(|page| page.id).collect::<Vec<_>>(), [2, 3, 4, 5].map(page_id));
    assert_eq!(merged.tree.page(page_id(2)).unwrap().title, "New");
}

#[test]
fn a_page_that_was_moved_out_survives_the_deletion() {
    let base = base();
    let ours = with(&base, |tree| {
        moved(11, None)(tree);
        removed(1)(tree);
    });
    let theirs = with(&base, |tree| {
        edited(11, |page| page.title = "New".to_owned())(tree);
        inserted(100, Some(11), "below")(tree);
    });
    let merged = merged(&base, &ours, &theirs, None);
    assert_eq!(conflicts(&merged), []);
    assert_eq!(merged.tree.path_of(page_id(100)).as_deref(), Some("p11/below"));
    assert_eq!(merged.tree.page(page_id(11)).unwrap().title, "New");
}

#[test]
fn moves_that_would_form_a_cycle_conflict() {
    let base = base();
    let ours = with(&base, moved(1, Some(2)));
    // A page between the two exists only in theirs, so it cannot be pinned to ours.
    let theirs = with(&base, |tree| {
        inserted(100, Some(1), "between")(tree);
        moved(2, Some(100))(tree);
    });
    let both = [(Some(page_id(1)), ConflictKind::Moved), (Some(page_id(2)), ConflictKind::Moved)];
    assert_eq!(conflicts(&merged(&base, &ours, &theirs, None)), both);
    let settled = merged(&base, &ours, &theirs, Some(Strategy::Theirs)).tree;
    assert_eq!(settled.path_of(page_id(2)).as_deref(), Some("p1/between/p2"));
    let settled = merged(&base, &ours, &theirs, Some(Strategy::Ours)).tree;
    assert_eq!(settled.path_of(page_id(1)).as_deref(), Some("p2/p1"));

    // Neither side loses the inserted page if a strategy takes the moves of the other.
    for settled in [settled, merged(&base, &theirs, &ours, Some(Strategy::Theirs)).tree] {
        assert_eq!(settled.path_of(page_id(100)).as_deref(), Some("p2/p1/between"));
    }
}

#[test]
fn a_strategy_resolves_each_move_of_a_cycle() {
    let base = base();
    let one = with(&base, |tree| {
        moved(3, Some(1))(tree);
        edited(1, |page| page.title = "New".to_owned())(tree);
    });
    let other = with(&base, |tree| {
        moved(2, Some(3))(tree);
        moved(1, Some(2))(tree);
    });
    let moves = [1, 2, 3].map(|number| (Some(page_id(number)), ConflictKind::Moved));
    for (ours, theirs) in [(&one, &other), (&other, &one)] {
        let mut found = conflicts(&merged(&base, ours, theirs, None));
        found.sort();
        assert_eq!(found, moves);
        for (strategy, side) in [(Strategy::Ours, ours), (Strategy::Theirs, theirs)] {
            let settled = merged(&base, ours, theirs, Some(strategy)).tree;
            for id in [1, 2, 3].map(page_id) {
                assert_eq!(settled.path_of(id), side.path_of(id), "{strategy:?}");
            }
        }
    }
}

#[test]
fn the_pages_kept_despite_conflicts_are_the_same_with_swapped_sides() {
    fn check(base: &Tree, one: &Tree, other: &Tree, expected: &[u64]) {
        for (ours, theirs) in [(one, other), (other, one)] {
            let merged = merged(base, ours, theirs, None);
            assert!(!merged.conflicts.is_empty());
            let kept: Vec<_> = merged.tree.pages().map(|page| page.id).collect();
            assert_eq!(kept, expected.iter().copied().map(page_id).collect::<Vec<_>>());
        }
    }

    // A cycle of pages, and one side deleted the parent of one of them.
    let base = base();
    let one = with(&base, |tree| {
        moved(11, Some(2))(tree);
        removed(1)(tree);
    });
    check(&base, &one, &with(&base, moved(2, Some(11))), &[1, 2, 3, 4, 5, 11]);

    // Two moves away from a page that both sides deleted, each to a page that the other side deleted.
    let away = |target: u64, deleted: u64| {
        with(&base, |tree| {
            moved(11, Some(target))(tree);
            removed(1)(tree);
            removed(deleted)(tree);
        })
    };
    check(&base, &away(2, 3), &away(3, 2), &[1, 4, 5, 11]);
}

#[test]
fn equal_slugs_and_positions_give_way() {
    let base = base();
    let into = with(&base, inserted(100, Some(1), "new"));
    let from = with(&base, inserted(200, Some(1), "new"));
    let merged = merged(&base, &from, &into, None);
    assert_eq!(conflicts(&merged), []);
    let children: Vec<_> =
        merged.tree.children(Some(page_id(1))).map(|page| (page.id, page.slug.as_str())).collect();
    let expected = [(11, "p11"), (12, "p12"), (100, "new"), (200, "new-1")];
    assert_eq!(children, expected.map(|(number, slug)| (page_id(number), slug)));
}

#[test]
fn two_reorders_are_no_conflict() {
    let base = base();
    let reordered =
        |at: usize| with(&base, edited(11, |page| page.position = Position::n_evenly(3)[at].clone()));
    let (into, from) = (reordered(0), reordered(2));
    let merged = merged(&base, &from, &into, None);
    assert_eq!(conflicts(&merged), []);
    assert_eq!(merged.tree, into);
}

#[test]
fn a_move_to_another_parent_wins_over_a_reordering() {
    let base = base();
    let away = with(&base, moved(11, Some(2)));
    let last = base.position_at(Some(page_id(1)), None, None);
    let reordered = with(&base, edited(11, |page| page.position = last));
    for (ours, theirs) in [(&away, &reordered), (&reordered, &away)] {
        let merged = merged(&base, ours, theirs, None);
        assert_eq!(conflicts(&merged), []);
        assert_eq!(merged.tree, away);
    }
    let elsewhere = with(&base, moved(11, Some(3)));
    let found = merged(&base, &away, &elsewhere, None);
    assert_eq!(conflicts(&found), [(Some(page_id(11)), ConflictKind::Moved)]);
}

#[test]
fn lists_added_at_one_position_by_both_sides_do_not_interleave() {
    let base = base();
    let added = |numbers: [u64; 3], at: Option<usize>| {
        with(&base, move |tree| {
            for (index, number) in numbers.into_iter().enumerate() {
                let position = tree.position_at(Some(page_id(1)), at.map(|at| at + index), None);
                let (title, slug) = (format!("Page {number}"), format!("p{number}"));
                let (id, parent) = (page_id(number), Some(page_id(1)));
                tree.insert_page(PageNode::new(id, parent, position, PageKind::Document, title, slug))
                    .unwrap();
            }
        })
    };
    // Ids in a different order than positions, so that the order by id would be wrong.
    let numbers = ([101, 102, 103], [203, 202, 201]);
    for (at, expected) in
        [(None, [11, 12, 101, 102, 103, 203, 202, 201]), (Some(1), [11, 101, 102, 103, 203, 202, 201, 12])]
    {
        let merged = merged(&base, &added(numbers.1, at), &added(numbers.0, at), None);
        assert_eq!(conflicts(&merged), []);
        let children: Vec<_> = merged.tree.children(Some(page_id(1))).map(|page| page.id).collect();
        assert_eq!(children, expected.map(page_id));
    }
}

#[test]
fn files_conflict_as_a_whole_but_names_and_contents_come_together() {
    let base = base();
    let with_file = |file: FileNode| with(&base, |tree| tree.update_file(file).unwrap());
    let (ours, theirs) = (with_file(file("a.png", b"A")), with_file(file("b.png", b"a")));
    assert_eq!(merged(&base, &ours, &theirs, None).tree.file(file_id(1)), Some(&file("b.png", b"A")));

    let gone = with(&base, |tree| tree.remove_file(file_id(1)).unwrap());
    for theirs in [with_file(file("a.png", b"x")), gone] {
        let found = merged(&base, &ours, &theirs, None).conflicts;
        assert_eq!((found.len(), found[0].kind, found[0].file), (1, ConflictKind::File, Some(file_id(1))));
        assert_eq!(merged(&base, &ours, &theirs, Some(Strategy::Ours)).tree, ours);
        assert_eq!(merged(&base, &ours, &theirs, Some(Strategy::Theirs)).tree, theirs);
    }
}

#[test]
fn reusable_contents_are_merged_like_pages() {
    let base = base();
    let with_content =
        |content: ReusableContentNode| with(&base, |tree| tree.update_reusable_content(content).unwrap());
    let ours = with_content(content("Ours", &["A", "b"]));
    let merged_content = merged(&base, &ours, &with_content(content("Note", &["a", "B"])), None);
    assert!(merged_content.conflicts.is_empty());
    assert_eq!(merged_content.tree.reusable_content(content_id(1)), Some(&content("Ours", &["A", "B"])));

    let gone = with(&base, |tree| tree.remove_reusable_content(content_id(1)).unwrap());
    for theirs in [with_content(content("Ours", &["x", "b"])), gone] {
        let found = merged(&base, &ours, &theirs, None).conflicts;
        assert_eq!((found.len(), found[0].kind), (1, ConflictKind::ReusableContent));
        assert_eq!(found[0].reusable_content, Some(content_id(1)));
        assert_eq!(merged(&base, &ours, &theirs, Some(Strategy::Ours)).tree, ours);
        assert_eq!(merged(&base, &ours, &theirs, Some(Strategy::Theirs)).tree, theirs);
    }
}

#[test]
fn a_document_that_is_not_at_hand_conflicts() {
    let base = base();
    let set = |lines: &[&str]| {
        let document = Some(DocumentId::of(&document(lines)));
        with(&base, edited(1, |page| page.document = document))
    };
    let (ours, theirs) = (set(&["A", "b"]), set(&["a", "B"]));
    let Ok(merged) =
        merge(&base, &theirs, &ours, &Resolution::default(), |_| Ok::<_, Infallible>(HashMap::new()));
    assert_eq!(conflicts(&merged), [(Some(page_id(1)), ConflictKind::Document)]);
    let failed = merge(&base, &theirs, &ours, &Resolution::default(), |_| Err("away"));
    assert_eq!(failed.unwrap_err(), "away");
}

/// Returns the choices for conflicts of pages that `take` makes.
fn choices(conflicts: &[Conflict], take: impl Fn(&Conflict) -> Option<Take>) -> Resolution {
    let choices = conflicts.iter().filter_map(|conflict| Some((conflict.id.clone(), take(conflict)?)));
    Resolution::by_choices(choices.collect())
}

#[test]
fn each_conflict_has_a_choice_of_its_own() {
    let base = base();
    let (ours, theirs) = (
        with(&base, edited(11, rewrite("Ours", "ours", &["A", "b"]))),
        with(&base, edited(11, rewrite("Theirs", "theirs", &["x", "b"]))),
    );
    let conflicts = merged(&base, &ours, &theirs, None).conflicts;
    assert_eq!(
        conflicts.iter().map(|conflict| conflict.kind).collect::<Vec<_>>(),
        [ConflictKind::Document, ConflictKind::Title, ConflictKind::Slug]
    );
    let take = |conflict: &Conflict| match conflict.kind {
        ConflictKind::Title => Some(Take::Ours),
        ConflictKind::Slug => Some(Take::Theirs),
        _ => None,
    };
    let merge = merged_by(&choices(&conflicts, take), &base, &ours, &theirs);
    assert_eq!(merge.conflicts, conflicts[..1], "the document is still open");
    assert_eq!(merge.resolved, [conflicts[1].id.clone(), conflicts[2].id.clone()]);

    let block = &conflicts[0].blocks[0];
    for (take, lines) in [(Take::Ours, ["A", "b"]), (Take::Theirs, ["x", "b"])] {
        // A choice for the block, and for the whole document.
        for id in [&block.id, &conflicts[0].id] {
            let fields = conflicts[1..].iter().map(|conflict| (conflict.id.clone(), Take::Ours));
            let all = fields.chain([(id.clone(), take.clone())]).collect();
            let merge = merged_by(&Resolution::by_choices(all), &base, &ours, &theirs);
            assert_eq!((merge.conflicts, merge.resolved.len()), (vec![], 3));
            let page = merge.tree.page(page_id(11)).unwrap();
            assert_eq!((page.title.as_str(), page.slug.as_str()), ("Ours", "ours"));
            assert_eq!(page.document, Some(DocumentId::of(&document(&lines))));
        }
    }
    // `Both` does not apply to a title.
    let merge = merged_by(&choices(&conflicts, |_| Some(Take::Both)), &base, &ours, &theirs);
    assert_eq!(
        merge.conflicts.iter().map(|conflict| conflict.kind).collect::<Vec<_>>(),
        [ConflictKind::Document, ConflictKind::Title, ConflictKind::Slug]
    );
}

#[test]
fn deletions_and_moves_have_choices() {
    let base = base();
    let deleted = with(&base, removed(3));
    let changed = with(&base, edited(3, |page| page.title = "Changed".to_owned()));
    let conflicts = merged(&base, &deleted, &changed, None).conflicts;
    for (take, is_there) in [(Take::Ours, false), (Take::Theirs, true)] {
        let merge = merged_by(&choices(&conflicts, |_| Some(take.clone())), &base, &deleted, &changed);
        assert_eq!((merge.conflicts, merge.tree.page(page_id(3)).is_some()), (vec![], is_there));
    }
    let below = |parent: u64| with(&base, moved(3, Some(parent)));
    let (ours, theirs) = (below(1), below(2));
    let conflicts = merged(&base, &ours, &theirs, None).conflicts;
    for (take, parent) in [(Take::Ours, 1), (Take::Theirs, 2)] {
        let merge = merged_by(&choices(&conflicts, |_| Some(take.clone())), &base, &ours, &theirs);
        assert_eq!(merge.tree.page(page_id(3)).unwrap().parent, Some(page_id(parent)));
    }
}

/// Two pages become each other's parents: the outcome can have one of the moves or none, but not both.
#[test]
fn contradicting_choices_are_not_applied() {
    let base = base();
    let ours = with(&base, moved(2, Some(3)));
    let theirs = with(&base, moved(3, Some(2)));
    let conflicts = merged(&base, &ours, &theirs, None).conflicts;
    assert_eq!(conflicts.len(), 2);
    for (of_2, of_3, is_applied) in [
        (Take::Ours, Take::Ours, true),
        (Take::Theirs, Take::Theirs, true),
        (Take::Theirs, Take::Ours, true),
        (Take::Ours, Take::Theirs, false),
    ] {
        let take = |conflict: &Conflict| {
            let is_2 = conflict.page.as_ref().is_some_and(|page| page.id == page_id(2));
            Some(if is_2 { of_2.clone() } else { of_3.clone() })
        };
        let merge = merged_by(&choices(&conflicts, take), &base, &ours, &theirs);
        assert_eq!(merge.conflicts.is_empty(), is_applied, "{of_2:?} {of_3:?}");
        assert_eq!(merge.resolved.len(), if is_applied { 2 } else { 0 });
        if !is_applied {
            assert_eq!(merge.conflicts, conflicts);
        }
    }
}

fn rewrite(title: &str, slug: &str, lines: &[&str]) -> impl Fn(&mut PageNode) {
    let (title, slug, document) = (title.to_owned(), slug.to_owned(), DocumentId::of(&document(lines)));
    move |page| {
        page.title.clone_from(&title);
        page.slug.clone_from(&slug);
        page.document = Some(document);
    }
}
