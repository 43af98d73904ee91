use std::collections::{BTreeMap, HashSet};

use bytes::Bytes;
use quire_domain::CountingIds;
use quire_domain::ids::RevisionId;
use quire_domain::imports::ImportSource;
use quire_revision::GitBlob;
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::plan::{ChangedText, GeneratedIds, plan, plan_changes};
use crate::spool::Content;
use crate::tree::SourceTree;

fn planned(files: impl IntoIterator<Item = (String, String)>) -> ImportPlan {
    let files = files.into_iter().map(|(path, text)| (path, Bytes::from(text)));
    plan(ImportSource::Zip, SourceTree::from_files(files), &mut GeneratedIds(&CountingIds::default()))
        .unwrap()
}

fn one_page() -> ImportPlan {
    planned([("a.md".to_owned(), "# A\n\nText.\n".to_owned())])
}

fn with_page(tree: &mut Tree, kind: PageKind) -> PageId {
    let id = PageId::from_uuid(Uuid::from_u128(1_000_000 + u128::try_from(tree.page_count()).unwrap()));
    let slug = if kind.page_type().has_children() { tree.free_slug(None, "p") } else { String::new() };
    let position = tree.position_at(None, None, None);
    tree.insert_page(PageNode::new(id, None, position, kind, "P".to_owned(), slug)).unwrap();
    id
}

fn draft(placement: &Placement, tree: &Tree) -> Result<(Applied, Rewritten), PlacementError> {
    placement.draft(tree, 0, &mut |document| DocumentId::of(&document.to_json()))
}

/// Applies a plan without files.
fn apply(tree: &Tree, plan: ImportPlan, into: Option<PageId>) -> Result<Applied, PlacementError> {
    draft(&Placement::new(plan, HashMap::new(), into), tree).map(|(applied, _)| applied)
}

fn titles(tree: &Tree, parent: Option<PageId>) -> Vec<String> {
    tree.children(parent).map(|page| page.title.clone()).collect()
}

#[test]
fn lines_of_the_report_name_pages_of_the_tree() {
    let broken = || planned([("a.md".to_owned(), "# A\n\n[x](gone.md)\n".to_owned())]);
    let mut tree = Tree::empty();
    let there = with_page(&mut tree, PageKind::Document);
    for into in [None, Some(there)] {
        let mut plan = broken();
        let result = plan.result();
        let Applied { tree, pages, .. } = apply(&tree, plan, into).unwrap();
        let report = result(RevisionId::from_uuid(Uuid::nil()), &pages).report;
        let page = report[0].page.and_then(|page| tree.page(page)).unwrap();
        assert!(page.document.is_some());
        assert_eq!(page.id == there, into.is_some());
    }
}

#[test]
fn only_a_document_is_imported_into() {
    let mut tree = Tree::empty();
    let link = PageKind::Link { target: json!({"kind": "url", "url": "https://a.example"}) };
    let computed = PageKind::Computed { source: json!({"type": "x"}), seed: "s".to_owned() };
    for kind in [PageKind::Group, link, computed] {
        let into = with_page(&mut tree, kind);
        let error = apply(&tree, one_page(), Some(into)).unwrap_err();
        assert_eq!(error, PlacementError::NoDocument(into));
    }
    let gone = PageId::from_uuid(Uuid::from_u128(2_000_000));
    let error = apply(&tree, one_page(), Some(gone)).unwrap_err();
    assert_eq!(error, PlacementError::Tree(TreeError::UnknownPage(gone)));
    let into = with_page(&mut tree, PageKind::Document);
    let applied = apply(&tree, one_page(), Some(into)).unwrap();
    assert!(applied.tree.page(into).unwrap().document.is_some());
}

/// If generated one by one, the keys of a thousand siblings would be eight times as long.
#[test]
fn siblings_follow_existing_pages_in_order_with_short_keys() {
    let names: Vec<String> = (1..=1_000).map(|number| format!("Page {number}")).collect();
    let planned = |first: &str| {
        let lines: Vec<String> = names.iter().map(|name| format!("* {name}\n")).collect();
        planned([
            ("SUMMARY.md".to_owned(), format!("{first}{}", lines.concat())),
            ("first.md".to_owned(), "# First\n\nText.\n".to_owned()),
        ])
    };
    let mut tree = Tree::empty();
    let into = with_page(&mut tree, PageKind::Document);
    let applied = apply(&tree, planned("* [First](first.md)\n"), None).unwrap().tree;
    let there = ["P", "First"].map(str::to_owned);
    assert_eq!(titles(&applied, None), [&there[..], &names[..]].concat());
    let longest = applied.children(None).map(|page| page.position.to_string().len()).max();
    assert!(longest.is_some_and(|longest| longest <= 12), "{longest:?}");
    // The first page with content replaces the page; the pages below it precede the following ones.
    let first = "* [First](first.md)\n  * a\n  * b\n";
    let applied = apply(&tree, planned(first), Some(into)).unwrap().tree;
    assert_eq!(titles(&applied, Some(into))[..3], ["a", "b", "Page 1"]);
    assert_eq!(titles(&applied, Some(into)).len(), 1_002);
}

#[test]
fn too_deep_folders_are_reported_with_the_path_of_a_file() {
    let folders: Vec<String> = (1..=45).map(|number| format!("d{number}")).collect();
    let path = format!("{}/deep.md", folders.join("/"));
    let plan = planned([("a.md".to_owned(), "# A\n".to_owned()), (path.clone(), "# Deep\n".to_owned())]);
    let error = apply(&Tree::empty(), plan, None).unwrap_err();
    assert_eq!(error, PlacementError::TooDeep { path: path.clone(), limit: 32 });
    assert_eq!(error.to_string(), format!("`{path}` would be nested deeper than 32 levels"));
}

/// Returns an archive of pages `a` and `b` that link to each other.
fn linked() -> ImportPlan {
    planned([
        ("a.md".to_owned(), "# A\n\n[b](b.md)\n".to_owned()),
        ("b.md".to_owned(), "# B\n\n[a](a.md)\n".to_owned()),
    ])
}

#[test]
fn an_import_is_replayed_where_its_references_lead_to_the_same_pages() {
    let placement = Placement::new(linked(), HashMap::new(), None);
    let mut tree = Tree::empty();
    let (drafted, rewritten) = draft(&placement, &tree).unwrap();
    let other = with_page(&mut tree, PageKind::Document);
    let replayed = placement.replay(&tree, 0, &rewritten).unwrap().unwrap();
    let (again, _) = draft(&placement, &tree).unwrap();
    assert_eq!(replayed.tree, again.tree);
    assert!(replayed.tree.page(other).is_some());
    assert_eq!((&replayed.documents, &again.documents), (&drafted.documents, &drafted.documents));
}

#[test]
fn an_import_is_outdated_where_its_references_lead_elsewhere() {
    let placement = Placement::new(linked(), HashMap::new(), None);
    let (first, rewritten) = draft(&placement, &Tree::empty()).unwrap();
    // The same import was applied before and took the ids.
    assert!(placement.replay(&first.tree, 0, &rewritten).unwrap().is_none());
}

#[test]
fn a_replay_is_refused_where_the_page_is_gone() {
    let mut tree = Tree::empty();
    let into = with_page(&mut tree, PageKind::Document);
    let placement = Placement::new(one_page(), HashMap::new(), Some(into));
    let (_, rewritten) = draft(&placement, &tree).unwrap();
    let error = placement.replay(&Tree::empty(), 0, &rewritten).unwrap_err();
    assert_eq!(error, PlacementError::Tree(TreeError::UnknownPage(into)));
}

/// Returns a placement of the files of a repository. With `keeps_edits`, conflicts take the version of the content.
fn of_repository(files: &[(&str, &str)], last: Option<Tree>, keeps_edits: bool) -> Placement {
    let texts = files.iter().map(|(path, text)| ((*path).to_owned(), Bytes::from((*text).to_owned())));
    let ids = CountingIds::default();
    let plan = plan(ImportSource::Gitbook, SourceTree::from_files(texts), &mut GeneratedIds(&ids)).unwrap();
    let located = files.iter().map(|(path, text)| {
        let oid = format!("{:x}", text.len());
        ((*path).to_owned(), GitBlob { oid, path: (*path).to_owned() })
    });
    let files = located.collect();
    let repository = Repository { files, last, keeps_edits, ..Repository::default() };
    Placement::replacing(plan, HashMap::new(), repository)
}

/// A direct import generates the same ids as an import from the repository.
#[test]
fn what_both_sides_added_under_one_name_is_that_of_one_side_and_the_other_is_set_aside() {
    let note = ".gitbook/includes/note.md";
    let home = ("README.md", "# Home\n\nText.\n");
    let (last, _) = draft(&of_repository(&[home], None, false), &Tree::empty()).unwrap();
    let last = last.tree;
    let added = |text: &str| [("new.md", format!("# New\n\n{text}\n")), (note, format!("{text}\n"))];
    let here = added("Here.").map(|(path, text)| (path.to_owned(), text));
    let here = here.map(|(path, text)| (path, Bytes::from(text)));
    let here =
        plan(ImportSource::Gitbook, SourceTree::from_files(here), &mut GeneratedIds(&CountingIds::default()));
    let before = apply(&last, here.unwrap(), None).unwrap().tree;
    let there = added("There.");
    let there: Vec<(&str, &str)> =
        std::iter::once(home).chain(there.iter().map(|(path, text)| (*path, text.as_str()))).collect();
    let id = before.pages().find(|page| page.slug == "new").unwrap().id;
    let note_id = before.reusable_contents().next().unwrap().id;
    let texts = |tree: &Tree| {
        let (page, content) = (tree.page(id).unwrap(), tree.reusable_content(note_id).unwrap());
        (page.document, content.document)
    };
    for keeps_edits in [false, true] {
        let placement = of_repository(&there, Some(last.clone()), keeps_edits);
        let Applied { tree, edited, set_aside, .. } = draft(&placement, &before).unwrap().0;
        let (here, there) = (texts(&before), texts(&tree));
        assert!(there.0.is_some() && there.0 != here.0 && there.1.is_some() && there.1 != here.1);
        let settled = edited.unwrap_or(tree.clone());
        let SetAside { base, changed } = set_aside.unwrap();
        let (stays, goes, overwritten) = match keeps_edits {
            false => (there, here, &before),
            true => (here, there, &tree),
        };
        assert_eq!((texts(&settled), texts(&changed)), (stays, goes), "{keeps_edits}");
        let page = overwritten.page(id).unwrap();
        assert_eq!(
            base.page(id),
            Some(&PageNode { document: None, ..page.clone() }),
            "the page is there for the pages below it"
        );
        assert_eq!(base.reusable_content(note_id).map(|content| content.document), Some(None));
        for tree in [&tree, &settled] {
            let (added, reusable) = (tree.page(id).unwrap(), tree.reusable_content(note_id).unwrap());
            assert_eq!(added.git.as_ref().map(|git| git.path.as_str()), Some("new.md"));
            assert_eq!(reusable.git.as_ref().map(|git| git.path.as_str()), Some(note));
        }
    }
}

/// Returns a repository of pages that link to each other, with a picture.
fn book() -> Vec<(String, String)> {
    let texts = [
        (".gitbook/assets/a.png", "PNG"),
        (".gitbook/includes/note.md", "# Note\n\nMind.\n"),
        ("data.bin", "0101"),
        ("README.md", "# Home\n\n[two](two.md#the-part) and ![A](.gitbook/assets/a.png).\n"),
        (
            "SUMMARY.md",
            "* [Home](README.md)\n* [One](one.md \"First\")\n  * [Two](two.md)\n\n## More\n\n* [Three](three.md)\n",
        ),
        ("one.md", "---\nicon: rocket\n---\n\n# One\n\nA word, and [home](./). [Data](data.bin)\n"),
        ("three.md", "# Three\n\n{% include \".gitbook/includes/note.md\" %}\n"),
        ("two.md", "# Two\n\n## The/part\n\nText.\n"),
    ];
    texts.map(|(path, text)| (path.to_owned(), text.to_owned())).to_vec()
}

fn located(files: &[(String, String)]) -> HashMap<String, GitBlob> {
    let oid = |text: &str| BlobHash::of(text.as_bytes()).to_string();
    let blob = |(path, text): &(String, String)| GitBlob { oid: oid(text), path: path.clone() };
    files.iter().map(|file| (file.0.clone(), blob(file))).collect()
}

fn tree_of(files: &[(String, String)]) -> SourceTree {
    SourceTree::from_files(files.iter().map(|(path, text)| (path.clone(), Bytes::from(text.clone()))))
}

fn hashed(plan: &ImportPlan) -> HashMap<FileId, BlobHash> {
    plan.files.iter().map(|file| (file.id, BlobHash::of(&file.content.read().unwrap()))).collect()
}

/// Applies a repository to content that was last synchronized as `last`.
fn synchronized(
    (plan, changed): (ImportPlan, Option<HashSet<String>>),
    files: &[(String, String)],
    (last, before): (Option<&Tree>, &Tree),
) -> Applied {
    let repository =
        Repository { files: located(files), last: last.cloned(), changed, ..Repository::default() };
    let hashes = hashed(&plan);
    draft(&Placement::replacing(plan, hashes, repository), before).unwrap().0
}

#[test]
fn one_page_is_that_of_a_file_that_was_moved_and_changed() {
    let own = |files: &[(&str, &str)]| -> Vec<(String, String)> {
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    };
    let former = own(&[("README.md", "# Home\n"), ("a.md", "# A\n\nText.\n"), ("b.md", "# B\n")]);
    let before = synchronized((planned_whole(&former), None), &former, (None, &Tree::empty())).tree;
    let files = own(&[
        ("README.md", "# Home\n"),
        // With the bytes of `b.md`, which precede a move with changes.
        ("v.md", "# B\n"),
        ("w.md", "# A\n\nText, and more.\n"),
        ("x.md", "# X\n"),
    ]);
    let moves = [("v.md", "a.md"), ("w.md", "a.md"), ("x.md", "a.md")];
    let moved = moves.map(|(new, former)| (new.to_owned(), former.to_owned())).into();
    let repository = Repository { files: located(&files), moved, ..Repository::default() };
    let placement = Placement::replacing(planned_whole(&files), HashMap::new(), repository);
    let after = draft(&placement, &before).unwrap().0.tree;
    let id = |tree: &Tree, path: &str| {
        let page = tree.pages().find(|page| page.git.as_ref().is_some_and(|git| git.path == path));
        page.unwrap().id
    };
    assert_eq!((id(&after, "v.md"), id(&after, "w.md")), (id(&before, "b.md"), id(&before, "a.md")));
    assert!(before.page(id(&after, "x.md")).is_none());
}

#[test]
fn files_that_changed_places_are_found_by_their_bytes() {
    let own = |files: &[(&str, &str)]| -> Vec<(String, String)> {
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    };
    let [a, b, c, same, other] = ["# A\n", "# B\n", "# C\n", "# Same\n", "# Other\n"];
    let former = own(&[("a.md", a), ("b.md", b), ("c.md", c), ("d.md", same), ("e.md", same)]);
    let before = synchronized((planned_whole(&former), None), &former, (None, &Tree::empty())).tree;
    // The last two had equal bytes, so that their paths count.
    let files = own(&[("a.md", b), ("b.md", c), ("c.md", a), ("d.md", other), ("e.md", c), ("f.md", same)]);
    let after = synchronized((planned_whole(&files), None), &files, (None, &before)).tree;
    let id = |tree: &Tree, path: &str| {
        let page = tree.pages().find(|page| page.git.as_ref().is_some_and(|git| git.path == path));
        page.unwrap().id
    };
    for (path, known) in
        [("a.md", "b.md"), ("b.md", "c.md"), ("c.md", "a.md"), ("d.md", "d.md"), ("e.md", "e.md")]
    {
        assert_eq!(id(&after, path), id(&before, known), "{path}");
    }
    assert!(before.page(id(&after, "f.md")).is_none());
}

/// Returns a repository of three pages with the text of the first two.
fn three_pages(home: &str, a: &str) -> Vec<(String, String)> {
    let texts = [
        ("README.md", format!("# Home\n\n{home}\n")),
        ("a.md", format!("# A\n\n{a}\n")),
        ("b.md", "# B\n".to_owned()),
    ];
    texts.map(|(path, text)| (path.to_owned(), text)).to_vec()
}

/// Returns the content of a repository whose page `a` was made here: no import generates its id.
fn with_own_page(files: &[(String, String)]) -> (Tree, PageNode) {
    let mut tree = synchronized((planned_whole(files), None), files, (None, &Tree::empty())).tree;
    let imported = tree.pages().find(|page| page.slug == "a").unwrap().clone();
    let own = PageNode { id: PageId::from_uuid(Uuid::from_u128(7)), ..imported.clone() };
    tree.remove_page(imported.id).unwrap();
    tree.insert_page(own.clone()).unwrap();
    (tree, own)
}

#[test]
fn a_page_that_was_deleted_here_stays_deleted_unless_its_file_changed() {
    let (last, own) = with_own_page(&three_pages("Text.", "Text."));
    let mut before = last.clone();
    before.remove_page(own.id).unwrap();
    let settled = |new: &[(String, String)]| {
        let applied = synchronized((planned_whole(new), None), new, (Some(&last), &before));
        applied.edited.unwrap_or(applied.tree)
    };
    let after = settled(&three_pages("Changed.", "Text."));
    assert_eq!(titles(&after, None), ["Home", "B"]);
    // The change has precedence, and the page is the former one.
    let after = settled(&three_pages("Text.", "Changed."));
    assert_eq!(titles(&after, None), ["Home", "A", "B"]);
    assert!(after.page(own.id).is_some_and(|page| page.document != own.document));
}

#[test]
fn a_page_of_the_repository_below_one_that_was_deleted_here_is_kept() {
    let own = |files: &[(&str, &str)]| -> Vec<(String, String)> {
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    };
    let former = own(&[("README.md", "# Home\n"), ("a/README.md", "# A\n\nText.\n")]);
    let last = synchronized((planned_whole(&former), None), &former, (None, &Tree::empty())).tree;
    let page = last.pages().find(|page| page.slug == "a").unwrap();
    let mut before = last.clone();
    before.remove_page(page.id).unwrap();
    let new = own(&[
        ("README.md", "# Home\n"),
        ("a/README.md", "# A\n\nChanged.\n"),
        ("a/new.md", "# New\n\nText.\n"),
    ]);
    let repository = Repository {
        files: located(&new),
        last: Some(last.clone()),
        keeps_edits: true,
        ..Repository::default()
    };
    let placement = Placement::replacing(planned_whole(&new), HashMap::new(), repository);
    let Applied { tree, edited, set_aside, .. } = draft(&placement, &before).unwrap().0;
    assert_eq!(titles(&tree, Some(page.id)), ["New"]);
    assert_eq!(titles(&edited.unwrap(), None), ["Home", "New"]);
    let SetAside { base, changed } = set_aside.unwrap();
    let text = |tree: &Tree| tree.page(page.id).unwrap().document;
    assert_eq!((text(&base), text(&changed)), (page.document, text(&tree)));
    assert_ne!(text(&base), text(&changed));
}

fn planned_whole(files: &[(String, String)]) -> ImportPlan {
    plan(ImportSource::Gitbook, tree_of(files), &mut GeneratedIds(&CountingIds::default())).unwrap()
}

/// Texts by the paths of their files.
type Texts<'a> = &'a [(String, String)];

/// Plans the changes between two versions of a repository, without the texts of unchanged pages.
fn planned_changes((former, new): (Texts<'_>, Texts<'_>)) -> Option<(ImportPlan, Option<HashSet<String>>)> {
    let content = |text: &str| Content::from(Bytes::from(text.to_owned()));
    let pairs = former.iter().zip(new).filter(|(former, new)| former != new);
    let changed: BTreeMap<String, ChangedText> = pairs
        .map(|((path, former), (_, new))| {
            (path.clone(), ChangedText { former: content(former), new: content(new) })
        })
        .collect();
    let mut tree = tree_of(new);
    for (path, stub) in &mut tree.files {
        if path.ends_with(".md") && !path.ends_with("SUMMARY.md") {
            *stub = content("");
        }
    }
    let text = |path: &str| new.iter().find(|(known, _)| known == path).map(|(_, text)| content(text));
    let plan = plan_changes(&tree, &changed, &text, &CountingIds::default())?;
    Some((plan, Some(changed.into_keys().collect())))
}

/// Checks that a plan of changes gives the tree of the whole repository, without a table of contents at the root.
fn assert_same_tree(files: &[(&str, &str)]) {
    let former: Vec<(String, String)> =
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let last = synchronized((planned_whole(&former), None), &former, (None, &Tree::empty())).tree;
    let mut new = former.clone();
    let changed = new.iter_mut().find(|(path, _)| path == "en/a.md").unwrap();
    changed.1 = "# A\n\nMore text, and [B](b.md#the-part).\n".to_owned();
    let partly = planned_changes((&former, &new)).unwrap();
    let whole = synchronized((planned_whole(&new), None), &new, (Some(&last), &last));
    assert_eq!(synchronized(partly, &new, (Some(&last), &last)).tree, whole.tree);
}

#[test]
fn without_a_table_of_contents_changes_give_the_same_tree() {
    assert_same_tree(&[
        ("README.md", "# Home\n\nSee [the part](en/b.md#the-part).\n"),
        ("en/a.md", "# A\n\nText.\n"),
        ("en/b.md", "# B\n\n## The part\n\nText.\n"),
        ("es/SUMMARY.md", "* [B](b.md)\n"),
        ("es/b.md", "# B\n\nTexto.\n"),
    ]);
}

#[test]
fn with_several_tables_of_contents_changes_give_the_same_tree() {
    assert_same_tree(&[
        ("README.md", "# Home\n\nSee [the part](en/b.md#the-part).\n"),
        ("en/SUMMARY.md", "* [Start](README.md)\n\n## Guides\n\n* [B](b.md)\n  * [A](a.md)\n"),
        ("en/README.md", "# Start\n\nText.\n"),
        ("en/a.md", "# A\n\nText.\n"),
        ("en/b.md", "# B\n\n## The part\n\nText.\n"),
        ("es/SUMMARY.md", "* [Inicio](README.md)\n* [B](b.md)\n* [Otra vez](README.md)\n"),
        ("es/README.md", "# Inicio\n\nTexto.\n"),
        ("es/b.md", "# B\n\nTexto.\n"),
        ("es/unlisted.md", "# Más\n\nTexto.\n"),
    ]);
}

#[test]
fn changes_of_some_pages_give_the_same_tree_as_the_whole_repository() {
    let former = book();
    let last = synchronized((planned_whole(&former), None), &former, (None, &Tree::empty())).tree;
    // The content was edited, too.
    let mut before = last.clone();
    let three = before.pages().find(|page| page.slug == "three").unwrap().clone();
    before.update_page(PageNode { title: "Three here".to_owned(), ..three }).unwrap();
    for (changes, is_partial) in [
        (vec![("one.md", "A word", "Another word")], true),
        (vec![("one.md", "A word", "[Two](two.md#the-part)"), ("README.md", "two]", "2]")], true),
        (vec![("one.md", "rocket", "book"), ("two.md", "Text.", "![A](.gitbook/assets/a.png)")], true),
        (vec![("README.md", "![A](.gitbook/assets/a.png)", "nothing")], true),
        // A file that is no longer used, another anchor, a text of another file, another title.
        (vec![("one.md", "[Data](data.bin)", "nothing")], false),
        (vec![("two.md", "The/part", "The other part")], false),
        (vec![("three.md", "# Three", "# 3")], false),
        (vec![("one.md", "# One", "# 1")], false),
    ] {
        let mut new = former.clone();
        for (path, from, to) in &changes {
            let text = new.iter_mut().find(|(known, _)| known == path).map(|(_, text)| text).unwrap();
            assert!(text.contains(from));
            *text = text.replace(from, to);
        }
        let planned = planned_changes((&former, &new));
        assert_eq!(planned.is_some(), is_partial, "{changes:?}");
        let Some(planned) = planned else { continue };
        for before in [&last, &before] {
            let whole = synchronized((planned_whole(&new), None), &new, (Some(&last), before));
            let partly = synchronized(planned.clone(), &new, (Some(&last), before));
            assert_eq!(partly.tree, whole.tree, "{changes:?}");
            assert_eq!(partly.edited, whole.edited, "{changes:?}");
            assert_eq!(partly.set_aside, whole.set_aside, "{changes:?}");
        }
    }
}
