//! Searches on two nodes with separate indexes, compared with a naive model.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use quire_domain::Role;
use quire_domain::ids::{PageId, SpaceId};
use quire_domain::policy::Action;
use quire_search::{Index, IndexedVersion, Options};
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::search::{SearchProgress, Searched};
use quire_storage::content::store::ContentSelector;
use quire_storage::{Error, Result, SystemStorage};
use quire_test_support::{ContentEditor, TestStore, TestUser};

const MAIN: ContentSelector = ContentSelector::Space;
/// Time between two looks at the index.
const POLL: std::time::Duration = std::time::Duration::from_millis(10);
/// Words of which none is a typo or prefix of another.
const WORDS: [&str; 4] = ["aaaa", "bbbb", "cccc", "dddd"];
const SPACES: usize = 3;
const PAGES: usize = 4;

/// Leaves the processor to the indexer. Its thread has the lowest priority, so searches without a pause in several
/// tests would stop it.
fn let_index() {
    std::thread::sleep(POLL);
}

#[derive(Clone, Debug)]
enum Step {
    /// Writes a page, with a merge or directly.
    Write {
        space: usize,
        page: usize,
        words: Vec<usize>,
        is_merge: bool,
    },
    Remove(usize, usize),
    /// Moves a page below another.
    Move(usize, usize, usize),
    Hide {
        space: usize,
        page: usize,
        hidden: bool,
        no_index: bool,
    },
    /// Opens a space to members, or closes it.
    Open(usize, bool),
    /// Adds or removes the grant of a reader.
    Grant {
        space: usize,
        reader: usize,
        is_given: bool,
    },
    Search(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (space, page, word) = (0..SPACES, 0..PAGES, 0..WORDS.len());
    let words = prop::collection::vec(word.clone(), 0..3);
    let step = prop_oneof![
        5 => (space.clone(), page.clone(), words, any::<bool>())
            .prop_map(|(space, page, words, is_merge)| Step::Write { space, page, words, is_merge }),
        1 => (space.clone(), page.clone()).prop_map(|(space, page)| Step::Remove(space, page)),
        1 => (space.clone(), page.clone(), page.clone()).prop_map(|(space, page, to)| Step::Move(space, page, to)),
        2 => (space.clone(), page, any::<bool>(), any::<bool>())
            .prop_map(|(space, page, hidden, no_index)| Step::Hide { space, page, hidden, no_index }),
        1 => (space.clone(), any::<bool>()).prop_map(|(space, is_open)| Step::Open(space, is_open)),
        2 => (space, 0..2_usize, any::<bool>())
            .prop_map(|(space, reader, is_given)| Step::Grant { space, reader, is_given }),
        6 => word.prop_map(Step::Search),
    ];
    prop::collection::vec(step, 1..30)
}

#[derive(Default)]
struct Space {
    pages: BTreeMap<usize, (PageId, BTreeSet<usize>, bool)>,
    is_open: bool,
    granted: BTreeSet<usize>,
}

struct World<'s> {
    store: &'s TestStore,
    nodes: &'s [SystemStorage; 2],
    admin: &'s TestUser,
    /// Member who may read open spaces, and a guest.
    readers: [TestUser; 2],
    spaces: Vec<(SpaceId, Space)>,
}

/// Returns the count and the titles of the pages that a reader finds in completely indexed content.
fn found(
    node: &SystemStorage,
    reader: &TestUser,
    space: SpaceId,
    query: &str,
) -> Result<(u64, BTreeSet<String>)> {
    let (count, titles, progress) = found_so_far(node, reader, space, query)?;
    assert_eq!(progress, None);
    Ok((count, titles))
}

/// Like [`found`], with the progress of the index.
fn found_so_far(
    node: &SystemStorage,
    reader: &TestUser,
    space: SpaceId,
    query: &str,
) -> Result<(u64, BTreeSet<String>, Option<SearchProgress>)> {
    node.storage().read(&reader.credentials, |reader| {
        let content = reader.content_head(space, MAIN)?.authorize(Action::ViewSpace)?;
        let Searched { found, progress } = reader.search(&content, query, None, 50)?;
        let tree = reader.tree(&content)?;
        for hit in &found.items {
            assert_eq!(Some(&hit.path), tree.path_of(hit.key.page).as_ref());
            let page = tree.page(hit.key.page).unwrap();
            assert_eq!(hit.description, page.description.clone().unwrap_or_default());
            let mut above: Vec<_> = tree.ancestors(page.id).map(|page| page.title.clone()).collect();
            above.reverse();
            assert_eq!(hit.ancestors, above);
        }
        for section in found.items.iter().flat_map(|hit| &hit.sections) {
            assert!(section.excerpt.text.contains(query), "{section:?}");
        }
        Ok((found.total, found.items.into_iter().map(|hit| hit.title).collect(), progress))
    })
}

impl World<'_> {
    fn edit<T>(&self, space: usize, is_merge: bool, edit: impl FnOnce(&mut ContentEditor) -> T) -> T {
        let (space, credentials) = (self.spaces[space].0, &self.admin.credentials);
        if !is_merge {
            return self.store.edit(credentials, space, MAIN, edit).1;
        }
        let id = self.store.create_change_request(credentials, space);
        let content = ContentSelector::ChangeRequest(ChangeRequestKey::Id(id));
        let (_, made) = self.store.edit(credentials, space, content, edit);
        let _ = self.store.merge(credentials, space, id);
        made
    }

    fn write(&mut self, space: usize, page: usize, words: &[usize], is_merge: bool) {
        let text: Vec<&str> = words.iter().map(|word| WORDS[*word]).collect();
        let text = format!("{} Number {}.", text.join(" "), self.store.count("revisions"));
        let known = self.spaces[space].1.pages.get(&page).map(|(id, ..)| *id);
        let id = self.edit(space, is_merge, |draft| match known {
            Some(id) => {
                draft.write(id, &text);
                id
            }
            None => draft.page(None, &format!("Page {page}"), &text),
        });
        let entry = self.spaces[space].1.pages.entry(page).or_insert((id, BTreeSet::new(), false));
        entry.1 = words.iter().copied().collect();
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Write { space, page, words, is_merge } => self.write(space, page, &words, is_merge),
            Step::Remove(space, page) => {
                if let Some((id, ..)) = self.spaces[space].1.pages.remove(&page) {
                    self.edit(space, false, |draft| draft.remove(id));
                    let left = self.store.tree(&self.admin.credentials, self.spaces[space].0, MAIN);
                    // Pages below the deleted one are deleted, too.
                    self.spaces[space].1.pages.retain(|_, (id, ..)| left.page(*id).is_some());
                }
            }
            Step::Move(space, page, to) => {
                let pages = &self.spaces[space].1.pages;
                let (Some((page, ..)), Some((to, ..))) = (pages.get(&page), pages.get(&to)) else { return };
                let (page, to) = (*page, *to);
                self.edit(space, false, |draft| {
                    let mut node = draft.tree.page(page).unwrap().clone();
                    node.parent = Some(to);
                    // A move below the page itself is refused.
                    let _ = draft.tree.update_page(node);
                });
            }
            Step::Hide { space, page, hidden, no_index } => {
                let Some((id, ..)) = self.spaces[space].1.pages.get(&page) else { return };
                let id = *id;
                self.edit(space, false, |draft| {
                    draft.change_page(id, |page| (page.hidden, page.no_index) = (hidden, no_index));
                });
                self.spaces[space].1.pages.get_mut(&page).unwrap().2 = no_index;
            }
            Step::Open(space, is_open) => {
                let level = if is_open { "1" } else { "NULL" };
                let id = self.spaces[space].0;
                self.store.execute(&format!("UPDATE spaces SET default_level = {level} WHERE id = '{id}'"));
                self.spaces[space].1.is_open = is_open;
            }
            Step::Grant { space, reader, is_given } => {
                let (id, user) = (self.spaces[space].0, self.readers[reader].id);
                self.store.execute(&format!(
                    "DELETE FROM content_grants WHERE space_id = '{id}' AND user_id = '{user}'"
                ));
                let _ = self.spaces[space].1.granted.remove(&reader);
                if is_given {
                    self.store.grant(user, &id.to_string(), Role::Read);
                    let _ = self.spaces[space].1.granted.insert(reader);
                }
            }
            Step::Search(word) => self.search(word),
        }
    }

    /// Searches all spaces as each reader on each node.
    fn search(&self, word: usize) {
        for (node, (at, reader)) in self
            .nodes
            .iter()
            .flat_map(|node| self.readers.iter().enumerate().map(move |reader| (node, reader)))
        {
            let mut in_spaces = BTreeMap::new();
            for (id, space) in &self.spaces {
                let shown = space
                    .pages
                    .iter()
                    .filter(|(_, (_, words, is_hidden))| words.contains(&word) && !is_hidden);
                let titles: BTreeSet<String> = shown.map(|(page, _)| format!("Page {page}")).collect();
                let is_readable = space.granted.contains(&at) || (at == 0 && space.is_open);
                let answer = found(node, reader, *id, WORDS[word]);
                if !is_readable {
                    assert!(matches!(answer, Err(Error::NotFound)), "{answer:?}");
                    continue;
                }
                assert_eq!(answer.unwrap(), (u64::try_from(titles.len()).unwrap(), titles.clone()));
                if !titles.is_empty() {
                    let _ = in_spaces.insert(*id, titles);
                }
            }
            self.search_organization(node, reader, word, &in_spaces);
        }
    }

    fn search_organization(
        &self,
        node: &SystemStorage,
        reader: &TestUser,
        word: usize,
        expected: &BTreeMap<SpaceId, BTreeSet<String>>,
    ) {
        let answer: Result<_> = node.storage().read(&reader.credentials, |reader| {
            let organization =
                reader.organization(self.store.organization)?.authorize(Action::ViewOrganization)?;
            reader.search_organization(&organization, WORDS[word], None, 50)
        });
        let Searched { found: answer, progress } = answer.unwrap();
        assert_eq!(progress, None);
        let count = answer.total;
        let title = |hit: quire_storage::content::search::SearchHit| hit.title;
        let answer = answer.items.into_iter();
        let answer: BTreeMap<SpaceId, BTreeSet<String>> =
            answer.map(|hit| (hit.key.space, hit.pages.into_iter().map(title).collect())).collect();
        assert_eq!((&answer, count), (expected, u64::try_from(expected.len()).unwrap()));
    }
}

#[test]
fn two_nodes_find_what_a_naive_model_finds() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let nodes = folders.each_ref().map(|folder| store.another_node_with_index(folder.path()));
    let run = |steps: Vec<Step>| {
        let spaces = (0..SPACES).map(|_| store.create_space(&admin.credentials, "Guide"));
        let spaces = spaces.map(|id| (id, Space::default())).collect();
        let readers = [store.as_role(Role::Read), store.member_of(store.organization, None)];
        let mut world = World { store: &store, nodes: &nodes, admin: &admin, readers, spaces };
        for space in 0..SPACES {
            world.take(Step::Open(space, false));
        }
        steps.into_iter().for_each(|step| world.take(step));
        world.search(0);
        // The spaces of earlier cases must not be readable.
        store.execute("UPDATE spaces SET default_level = NULL");
        Ok(())
    };
    TestRunner::new(Config { cases: 12, ..Config::default() }).run(&steps(), run).unwrap();
}

#[test]
fn a_damaged_index_is_made_again_while_searches_answer() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let space = store.create_space(&admin.credentials, "Guide");
    let folder = tempfile::tempdir().unwrap();
    let node = store.another_node_with_index(folder.path());
    let write = |title: &str| {
        let _ = store.edit(&admin.credentials, space, MAIN, |draft| draft.page(None, title, "needle"));
    };
    let searched_until = |pages: u64, rebuilds: u64| {
        let began = std::time::Instant::now();
        loop {
            let (count, titles) = found(&node, &admin, space, "needle").unwrap();
            assert_eq!((count, titles.len()), (pages, usize::try_from(pages).unwrap()));
            let status = node.storage().search_status();
            if (status.pages, status.rebuilds) == (pages, rebuilds) {
                return;
            }
            assert!(began.elapsed().as_secs() < 60, "{status:?}");
            let_index();
        }
    };
    write("First");
    searched_until(1, 0);
    std::fs::remove_dir_all(folder.path().join("0/index")).unwrap();
    write("Second");
    searched_until(2, 1);
}

#[test]
fn overlays_are_forgotten_when_the_index_has_their_pages() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let space = store.create_space(&admin.credentials, "Guide");
    let folder = tempfile::tempdir().unwrap();
    let node = store.another_node_with_index(folder.path());
    let overlay_bytes = || node.storage().cache_sizes().search_overlays;
    let mut seen = 0;
    for commits in 1..3 {
        let title = format!("Page {commits}");
        let _ = store.edit(&admin.credentials, space, MAIN, |draft| draft.page(None, &title, "needle"));
        let began = std::time::Instant::now();
        while node.storage().search_status().commits < commits {
            assert_eq!(found(&node, &admin, space, "needle").unwrap().0, commits);
            seen = overlay_bytes().max(seen);
            assert!(began.elapsed().as_secs() < 60, "{:?}", node.storage().search_status());
        }
        assert_eq!(overlay_bytes(), 0);
    }
    assert!(seen > 0);
}

#[test]
fn many_large_pages_are_found_once_they_are_indexed() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let space = store.create_space(&admin.credentials, "Guide");
    let folder = tempfile::tempdir().unwrap();
    let node = store.another_node_with_index(folder.path());
    // Long URLs count as bytes, and take no time to index.
    let links = format!("[a](https://example.com/{}) ", "a".repeat(1_900)).repeat(240);
    let write = |pages: std::ops::Range<usize>| {
        let _ = store.edit(&admin.credentials, space, MAIN, |draft| {
            for number in pages {
                draft.page(None, &format!("Page {number}"), &format!("needle {number} {links}"));
            }
        });
    };
    // 0.9 MB are searched directly. Another 9 MB are searched once they are indexed, in three batches.
    write(0..2);
    assert_eq!(found(&node, &admin, space, "needle").unwrap().0, 2);
    write(2..22);
    let began = std::time::Instant::now();
    loop {
        match found_so_far(&node, &admin, space, "needle").unwrap() {
            (2, _, Some(progress)) => assert_eq!(progress, SearchProgress { indexed: 2, total: 22 }),
            (0, _, Some(progress)) => assert_eq!(progress, SearchProgress { indexed: 0, total: 22 }),
            (count, _, progress) => break assert_eq!((count, progress), (22, None)),
        }
        assert!(began.elapsed().as_secs() < 60);
        let_index();
    }
    // The last search may have read the last batch before it was indexed.
    while node.storage().cache_sizes().search_overlays > 0 {
        assert!(began.elapsed().as_secs() < 60);
        assert_eq!(found(&node, &admin, space, "needle").unwrap().0, 22);
        let_index();
    }
}

#[test]
fn names_in_the_index_follow_the_pages_above() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let space = store.create_space(&admin.credentials, "Guide");
    let folder = tempfile::tempdir().unwrap();
    let node = store.another_node_with_index(folder.path());
    let (_, (above, middle, below)) = store.edit(&admin.credentials, space, MAIN, |draft| {
        let above = draft.page(None, "Above", "");
        let middle = draft.page(Some(above), "Middle", "");
        (above, middle, draft.page(Some(middle), "Below", "needle"))
    });
    let searched_until_commit = |commits: u64| {
        let began = std::time::Instant::now();
        while node.storage().search_status().commits < commits {
            // Compares the names with those in the tree.
            assert_eq!(found(&node, &admin, space, "needle").unwrap().0, 1);
            assert!(began.elapsed().as_secs() < 60, "{:?}", node.storage().search_status());
            let_index();
        }
        assert_eq!(found(&node, &admin, space, "needle").unwrap().0, 1);
    };
    searched_until_commit(1);
    let _ = store.edit(&admin.credentials, space, MAIN, |draft| {
        draft.change_page(above, |page| page.slug = "renamed".to_owned());
    });
    searched_until_commit(2);
    let _ = store.edit(&admin.credentials, space, MAIN, |draft| {
        draft.change_page(middle, |page| page.title = "In between".to_owned());
    });
    searched_until_commit(3);
    let _ = store.edit(&admin.credentials, space, MAIN, |draft| {
        draft.change_page(below, |page| page.description = Some("Sewing".to_owned()));
    });
    searched_until_commit(4);
}

#[test]
fn searches_answer_after_the_index_was_stopped() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let space = store.create_space(&admin.credentials, "Guide");
    let folder = tempfile::tempdir().unwrap();
    let node = store.another_node_with_index(folder.path());
    node.storage().keep_search_index();
    node.storage().stop_search_index();
    let _ = store.edit(&admin.credentials, space, MAIN, |draft| draft.page(None, "First", "needle"));
    assert_eq!(found(&node, &admin, space, "needle").unwrap().0, 1);
    node.storage().stop_search_index();
}

#[test]
fn a_node_indexes_its_own_writes_without_a_search() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let space = store.create_space(&admin.credentials, "Guide");
    let node = store.storage();
    node.keep_search_index();
    // The sweep at the start may index the first page. The next sweep is a minute later.
    for (pages, title) in [(1, "First"), (2, "Second")] {
        let _ = store.edit(&admin.credentials, space, MAIN, |draft| draft.page(None, title, "needle"));
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
        while node.search_status().pages < pages {
            assert!(std::time::Instant::now() < deadline, "the index lacks {title}");
            let_index();
        }
    }
    node.stop_search_index();
}

/// Creates a space with this many pages, and a node whose index is not kept up to date.
fn large_space(store: &TestStore, admin: &TestUser, pages: usize) -> (SpaceId, Vec<PageId>) {
    let space = store.create_space(&admin.credentials, "Guide");
    let (_, pages) = store.edit(&admin.credentials, space, MAIN, |draft| {
        (0..pages).map(|number| draft.page(None, &format!("Page {number}"), "needle")).collect()
    });
    (space, pages)
}

fn stopped_node(store: &TestStore, folder: &std::path::Path) -> SystemStorage {
    let node = store.another_node_with_index(folder);
    node.storage().stop_search_index();
    node
}

/// Searches until the index has all pages, and returns the numbers of pages found before that.
fn searched_until_indexed(node: &SystemStorage, admin: &TestUser, space: SpaceId, pages: u64) -> Vec<u64> {
    let began = std::time::Instant::now();
    let mut before = Vec::new();
    loop {
        let (count, _, progress) = found_so_far(node, admin, space, "needle").unwrap();
        let Some(progress) = progress else {
            assert_eq!(count, pages);
            return before;
        };
        assert_eq!(progress, SearchProgress { indexed: count, total: pages });
        assert!(began.elapsed().as_secs() < 120, "{progress:?}");
        before.push(count);
        let_index();
    }
}

#[test]
fn a_large_space_is_searched_while_it_is_indexed() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let (space, pages) = large_space(&store, &admin, 2_100);
    let folder = tempfile::tempdir().unwrap();
    let node = stopped_node(&store, folder.path());
    let nothing = (0, BTreeSet::new(), Some(SearchProgress { indexed: 0, total: 2_100 }));
    for _ in 0..2 {
        assert_eq!(found_so_far(&node, &admin, space, "needle").unwrap(), nothing);
    }
    drop(node);
    let node = store.another_node_with_index(folder.path());
    let before = searched_until_indexed(&node, &admin, space, 2_100);
    assert!(before.iter().all(|count| [0, 2_000].contains(count)), "{before:?}");
    node.storage().stop_search_index();
    drop(node);
    // Index of a node that was killed during indexing.
    let index = Index::open(Options { directory: Some(folder.path().to_owned()), ..Options::default() });
    let index = index.unwrap();
    let mut update = index.update().unwrap();
    update.remove(space, pages[..600].iter().copied()).unwrap();
    let held = index.snapshot().held(space).unwrap();
    update.hold(space, IndexedVersion { missing: 600, ..held }).unwrap();
    update.commit().unwrap();
    assert_eq!(index.snapshot().page_ids(space).len(), 1_500);
    drop(index);
    let node = stopped_node(&store, folder.path());
    let (count, _, progress) = found_so_far(&node, &admin, space, "needle").unwrap();
    assert_eq!((count, progress), (1_500, Some(SearchProgress { indexed: 1_500, total: 2_100 })));
    // A write is found although the index is incomplete.
    let write = |draft: &mut ContentEditor| {
        draft.write(pages[0], "thread");
        draft.write(pages[700], "thread");
        draft.remove(pages[701]);
    };
    let _ = store.edit(&admin.credentials, space, MAIN, write);
    assert_eq!(found_so_far(&node, &admin, space, "thread").unwrap().0, 2);
    assert_eq!(found_so_far(&node, &admin, space, "needle").unwrap().0, 1_498);
    drop(node);
    let node = store.another_node_with_index(folder.path());
    let began = std::time::Instant::now();
    while found_so_far(&node, &admin, space, "needle").unwrap().2.is_some() {
        assert!(began.elapsed().as_secs() < 120);
        let_index();
    }
    assert_eq!(found(&node, &admin, space, "needle").unwrap().0, 2_097);
    assert_eq!(found(&node, &admin, space, "thread").unwrap().0, 2);
}

#[test]
fn text_that_was_changed_in_many_pages_is_not_found() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let (space, pages) = large_space(&store, &admin, 1_100);
    let folder = tempfile::tempdir().unwrap();
    let node = store.another_node_with_index(folder.path());
    let _ = searched_until_indexed(&node, &admin, space, 1_100);
    node.storage().stop_search_index();
    let write = |draft: &mut ContentEditor| {
        for page in &pages[..1_010] {
            draft.write(*page, "thread");
        }
        draft.remove(pages[1_010]);
        draft.change_page(pages[1_011], |page| page.no_index = true);
        draft.change_page(pages[1_012], |page| page.hidden = true);
    };
    let _ = store.edit(&admin.credentials, space, MAIN, write);
    let progress = Some(SearchProgress { indexed: 89, total: 1_099 });
    let (count, titles, told) = found_so_far(&node, &admin, space, "needle").unwrap();
    assert_eq!((count, told), (88, progress));
    assert!(!titles.contains("Page 1010") && !titles.contains("Page 1011"));
    assert_eq!(found_so_far(&node, &admin, space, "thread").unwrap(), (0, BTreeSet::new(), progress));
    // A change of the language makes the index unusable.
    node.transact(|tx| tx.set_search_language(store.organization, "english")).unwrap();
    let progress = Some(SearchProgress { indexed: 1, total: 1_099 });
    assert_eq!(found_so_far(&node, &admin, space, "needle").unwrap(), (0, BTreeSet::new(), progress));
}
