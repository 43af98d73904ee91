//! Behavior of the index: matches, overlays, and persistence.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on can only fail"
)]

mod killed;
mod model;
mod order;
mod scores;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use quire_domain::ids::{PageId, SpaceId};
use quire_search::{Context, Index, IndexedVersion, Language, Options, Overlay, Page, Query, Scope, Section};
use uuid::Uuid;

fn space(number: u128) -> SpaceId {
    SpaceId::from_uuid(Uuid::from_u128(number))
}

fn page(number: u128) -> PageId {
    PageId::from_uuid(Uuid::from_u128(number))
}

fn text<'p>(number: u128, title: &'p str, text: &'p str) -> Page<'p> {
    let sections = vec![Section { anchor: None, heading: None, text }];
    Page { id: page(number), title, path: "", context: Context::default(), sections }
}

fn memory() -> Index {
    Index::open(Options::default()).unwrap()
}

fn on_disk(folder: &Path) -> Index {
    Index::open(Options { directory: Some(folder.to_owned()), ..Options::default() }).unwrap()
}

fn add(index: &Index, space: SpaceId, pages: &[Page<'_>]) {
    let mut update = index.update().unwrap();
    update.add(space, Language::SIMPLE, pages).unwrap();
    update
        .hold(
            space,
            IndexedVersion { root: [7; 32], language: Language::SIMPLE, pages: 1, missing: 0, computed: 0 },
        )
        .unwrap();
    update.commit().unwrap();
}

fn indexed(space: SpaceId) -> Scope {
    Scope { space, overlay: None }
}

/// Returns the matching pages of a query, best first.
fn found(index: &Index, query: &str, scopes: &[Scope]) -> Vec<u128> {
    let ranking = index.snapshot().search(&Query::new(query, Language::SIMPLE), scopes).unwrap();
    let hits = ranking.pages(None, usize::MAX);
    assert_eq!(hits.len(), ranking.pages_count());
    hits.iter().map(|hit| hit.page.as_uuid().as_u128()).collect()
}

#[test]
fn words_are_found_as_people_type_them() {
    let index = memory();
    let pages = [
        text(1, "Installation guide", "Use quire.toml in /etc/quire and set QUIRE_BIND."),
        text(2, "Crème brûlée", "Call getUserName before parseHTTPResponse."),
        text(3, "安装指南", "使用Rust安装数据库服务器。"),
        text(4, "Übersicht", "Die Speicherverwaltung der Straße."),
        text(5, "Other", "It says installation somewhere in its text."),
    ];
    add(&index, space(1), &pages);
    for (query, expected) in [
        ("installation guide", vec![1]),
        ("installation", vec![1, 5]),
        ("instal", vec![1, 5]),
        ("in", vec![1, 5]),
        ("instalation", vec![1, 5]),
        ("isntallation", vec![1, 5]),
        ("quire.toml", vec![1]),
        ("toml", vec![1]),
        ("/etc/quire", vec![1]),
        ("QUIRE_BIND", vec![1]),
        ("quire_bi", vec![1]),
        ("creme", vec![2]),
        ("getUserName", vec![2]),
        ("getusername", vec![2]),
        ("username", vec![2]),
        ("usern", vec![2]),
        ("getuser", vec![2]),
        ("httpresponse", vec![2]),
        ("usernames", vec![2]),
        ("user name", vec![2]),
        ("HTTP", vec![2]),
        ("数据库", vec![3]),
        ("库", vec![3]),
        ("据数", vec![]),
        ("rust安装", vec![3]),
        ("ubersicht", vec![4]),
        ("uebersicht", vec![4]),
        ("STRASSE", vec![4]),
        ("verwaltung", vec![4]),
        ("lin", vec![]),
        ("zebra", vec![]),
        ("???", vec![]),
    ] {
        assert_eq!(found(&index, query, &[indexed(space(1))]), expected, "{query}");
    }
}

#[test]
fn titles_are_found_by_themselves() {
    let index = memory();
    let pages = [
        text(1, "Backups", "Nothing."),
        text(2, "Backups of files", "Nothing."),
        text(3, "Other", "Backups of files."),
        text(4, "备份指南", "Nothing."),
        text(5, "quire.toml", "Nothing."),
    ];
    add(&index, space(1), &pages);
    let titles = |query: &str| {
        let query = Query::for_titles(query, Language::SIMPLE);
        let ranking = index.snapshot().search(&query, &[indexed(space(1))]).unwrap();
        let hits = ranking.pages(None, usize::MAX);
        hits.iter().map(|hit| hit.page.as_uuid().as_u128()).collect::<Vec<_>>()
    };
    // A query of whole pages finds more. Its cached scores must not be used for titles.
    assert_eq!(found(&index, "backups files", &[indexed(space(1))]).len(), 2);
    assert_eq!(titles("backups files"), [2]);
    assert_eq!(titles("back"), [1, 2]);
    assert_eq!(titles("ba"), [1, 2]);
    assert_eq!(titles("bakups"), [1, 2]);
    assert_eq!(titles("备份"), [4]);
    assert_eq!(titles("quire.to"), [5]);
    assert_eq!(titles("nothing"), []);
    assert_eq!(titles(""), []);
}

#[test]
fn identifiers_are_found_with_and_without_underscores_and_capitals() {
    let index = memory();
    let pages = [
        text(1, "Snake", "Set user_name here."),
        text(2, "Flat", "Set username here."),
        text(3, "Camel", "Set userName here."),
        // The joined parts of the second word precede its last part.
        text(4, "Repeated", "Set userNameUsername here."),
    ];
    add(&index, space(1), &pages);
    for query in ["user_name", "username", "userName"] {
        let mut pages = found(&index, query, &[indexed(space(1))]);
        pages.sort_unstable();
        assert_eq!(pages, [1, 2, 3, 4], "{query}");
    }
    assert_eq!(found(&index, "\"usernameusername here\"", &[indexed(space(1))]), [4]);
}

#[test]
fn names_with_signs_and_versions_are_words() {
    let index = memory();
    let pages = [
        text(1, "C# guide", "Compile it."),
        text(2, "C guide", "Compile it with C."),
        text(3, "C++20 guide", "Modules."),
        text(4, ".NET guide", "On the net since ASP.NET."),
        text(5, "Net", "Fishing."),
        text(6, "Go 1.22", "Loops."),
        text(7, "Numbers", "The 1 comes before the 22."),
        text(8, "Node.js", "A runtime."),
        text(9, "Nodejs", "The same runtime."),
        text(10, "مُحَمَّد", "harakat"),
        text(11, "ガイド", "full-width"),
    ];
    add(&index, space(1), &pages);
    let all = |query: &str| {
        let mut pages = found(&index, query, &[indexed(space(1))]);
        pages.sort_unstable();
        pages
    };
    for (query, expected) in [
        ("C#", vec![1]),
        ("c# guide", vec![1]),
        ("C++", vec![3]),
        (".NET", vec![4]),
        (".net guide", vec![4]),
        ("1.22", vec![6]),
        ("2.22", vec![]),
        ("node.js", vec![8, 9]),
        ("nodejs", vec![8, 9]),
        ("محمد", vec![10]),
        ("ｶﾞｲﾄﾞ", vec![11]),
    ] {
        assert_eq!(all(query), expected, "{query}");
    }
}

#[test]
fn only_the_spaces_of_a_search_are_found() {
    let index = memory();
    for number in 1..=3 {
        add(&index, space(number), &[text(number, "Needle", "")]);
    }
    assert_eq!(found(&index, "needle", &[indexed(space(2))]), [2]);
    assert_eq!(found(&index, "needle", &[indexed(space(1)), indexed(space(3))]), [1, 3]);
    assert_eq!(found(&index, "needle", &[]), Vec::<u128>::new());
    let scopes = [indexed(space(1)), indexed(space(3))];
    let ranking = index.snapshot().search(&Query::new("needle", Language::SIMPLE), &scopes).unwrap();
    let spaces: Vec<SpaceId> = ranking.spaces(None, 9, 9).into_iter().map(|found| found.space).collect();
    assert_eq!((spaces, ranking.spaces_count()), (vec![space(1), space(3)], 2));
}

#[test]
fn an_overlay_replaces_pages_of_its_space() {
    let index = memory();
    add(
        &index,
        space(1),
        &[text(1, "Old needle", ""), text(2, "Kept needle", ""), text(3, "Gone needle", "")],
    );
    add(&index, space(2), &[text(3, "Other needle", "")]);
    let fresh = [text(1, "Changed thread", ""), text(4, "New needle", "")];
    let replaced = HashSet::from([page(1), page(3)]);
    let overlay = Overlay::of_changes(space(1), Language::SIMPLE, replaced, &fresh).unwrap();
    let scopes = [Scope { space: space(1), overlay: Some(Arc::new(overlay)) }];
    assert_eq!(found(&index, "needle", &scopes), [2, 4]);
    assert_eq!(found(&index, "thread", &scopes), [1]);
    let both = [scopes[0].clone(), indexed(space(2))];
    assert_eq!(found(&index, "needle", &both), [2, 3, 4]);
    let all = Overlay::of_all(space(1), Language::SIMPLE, &fresh).unwrap();
    let scopes = [Scope { space: space(1), overlay: Some(Arc::new(all)) }];
    assert_eq!(found(&index, "needle", &scopes), [4]);
}

#[test]
fn a_page_has_the_same_rank_in_the_index_and_in_an_overlay() {
    let index = memory();
    let pages = [text(1, "Needle", "A needle in a stack."), text(2, "Stack", "The needle of the hay stack.")];
    let all = Overlay::of_all(space(1), Language::SIMPLE, &pages).unwrap();
    let scopes = [Scope { space: space(1), overlay: Some(Arc::new(all)) }];
    let ranks = |scopes: &[Scope]| {
        let query = Query::new("needle stack", Language::SIMPLE);
        index.snapshot().search(&query, scopes).unwrap().pages(None, 9)
    };
    let before = ranks(&scopes);
    add(&index, space(1), &pages);
    assert_eq!(before, ranks(&[indexed(space(1))]));
    assert_eq!(before.len(), 2);
}

#[test]
fn a_walk_shows_each_page_once() {
    let index = memory();
    let titles: Vec<String> = (0..50).map(|number| format!("Page {}", number % 5)).collect();
    let pages: Vec<Page<'_>> =
        titles.iter().zip(1..).map(|(title, number)| text(number, title, "needle")).collect();
    add(&index, space(1), &pages);
    let ranking =
        index.snapshot().search(&Query::new("needle", Language::SIMPLE), &[indexed(space(1))]).unwrap();
    let mut walked = Vec::new();
    let mut after = None;
    loop {
        let hits = ranking.pages(after, 7);
        let Some(last) = hits.last() else { break };
        after = Some((last.rank, last.page));
        walked.extend(hits);
    }
    assert_eq!(walked, ranking.pages(None, usize::MAX));
    assert_eq!(walked.len(), 50);
}

#[test]
fn an_update_that_is_not_committed_has_no_effect() {
    let index = memory();
    add(&index, space(1), &[text(1, "Needle", "")]);
    let mut update = index.update().unwrap();
    update.remove_space(space(1)).unwrap();
    update.add(space(2), Language::SIMPLE, &[text(2, "Needle", "")]).unwrap();
    drop(update);
    add(&index, space(3), &[text(3, "Needle", "")]);
    let all = [1, 2, 3].map(|number| indexed(space(number)));
    assert_eq!(found(&index, "needle", &all), [1, 3]);
}

#[test]
fn the_index_is_found_again_with_the_versions_that_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let index = on_disk(folder.path());
    add(&index, space(1), &[text(1, "Needle", "")]);
    // Another process uses a folder of its own.
    let other = on_disk(folder.path());
    assert_eq!(other.snapshot().held(space(1)), None);
    drop((index, other));
    let index = on_disk(folder.path());
    let held =
        IndexedVersion { root: [7; 32], language: Language::SIMPLE, pages: 1, missing: 0, computed: 0 };
    assert_eq!(index.snapshot().held(space(1)), Some(held));
    assert_eq!((found(&index, "needle", &[indexed(space(1))]), index.snapshot().pages()), (vec![1], 1));
    assert!(!index.takes_rebuild());
    quire_search::request_rebuild(folder.path()).unwrap();
    assert!(index.takes_rebuild() && !index.takes_rebuild());
}

#[test]
fn a_damaged_index_is_made_again() {
    for damage in ["cut", "changed", "no meta", "other version"] {
        let folder = tempfile::tempdir().unwrap();
        let index = on_disk(folder.path());
        add(&index, space(1), &[text(1, "Needle", &"hay ".repeat(1000))]);
        drop(index);
        let files = folder.path().join("0/index");
        let largest = std::fs::read_dir(&files).unwrap().map(|entry| entry.unwrap().path());
        let largest = largest.max_by_key(|path| std::fs::metadata(path).unwrap().len()).unwrap();
        match damage {
            "cut" => std::fs::write(&largest, b"").unwrap(),
            "changed" => {
                let mut bytes = std::fs::read(&largest).unwrap();
                let middle = bytes.len() / 2;
                bytes[middle] ^= 0xFF;
                std::fs::write(&largest, bytes).unwrap();
            }
            "no meta" => std::fs::remove_file(files.join("meta.json")).unwrap(),
            _ => std::fs::write(folder.path().join("0/version"), "0").unwrap(),
        }
        let index = on_disk(folder.path());
        assert_eq!(index.snapshot().held(space(1)), None, "{damage}");
        add(&index, space(1), &[text(1, "Needle", "")]);
        assert_eq!(found(&index, "needle", &[indexed(space(1))]), [1], "{damage}");
    }
}

#[test]
fn an_index_that_is_damaged_while_it_is_open_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let index = on_disk(folder.path());
    add(&index, space(1), &[text(1, "Needle", &"hay ".repeat(1000))]);
    assert!(index.is_sound());
    let before = index.snapshot();
    std::fs::remove_dir_all(folder.path().join("0/index")).unwrap();
    index.cancel();
    assert!(index.update().is_err() && !index.is_sound());
    index.reset().unwrap();
    assert_eq!((index.snapshot().held(space(1)), index.is_sound()), (None, true));
    assert!(before.held(space(1)).is_some());
    add(&index, space(1), &[text(1, "Needle", "")]);
    drop(index);
    // The rebuilt index is on disk.
    let index = on_disk(folder.path());
    assert_eq!(found(&index, "needle", &[indexed(space(1))]), [1]);
}
