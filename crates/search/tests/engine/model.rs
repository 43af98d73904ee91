//! Random changes to two indexes, one of which is always behind, compared with a naive model.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use proptest::prelude::*;
use quire_domain::ids::PageId;
use quire_search::{Index, Language, Overlay, Page, Scope};

use crate::{found, indexed, memory, page, space, text};

/// Words without common letters, so that no word matches another by error or prefix.
const WORDS: [&str; 6] = ["aaaa", "bbbb", "cccc", "dddd", "eeee", "ffff"];

type Content = BTreeMap<u128, (usize, Vec<usize>)>;

#[derive(Clone, Debug)]
enum Step {
    /// Writes a page of a space, with its title and its words.
    Write(u128, u128, usize, Vec<usize>),
    Remove(u128, u128),
    /// Updates one of the indexes with the current content of a space.
    Commit(usize, u128),
    Search(Vec<usize>, Vec<u128>),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let word = 0..WORDS.len();
    let spaces = 1..=3_u128;
    let step = prop_oneof![
        4 => (spaces.clone(), 1..=6_u128, word.clone(), prop::collection::vec(word.clone(), 0..4))
            .prop_map(|(space, page, title, words)| Step::Write(space, page, title, words)),
        1 => (spaces.clone(), 1..=6_u128).prop_map(|(space, page)| Step::Remove(space, page)),
        2 => (0..2_usize, spaces.clone()).prop_map(|(index, space)| Step::Commit(index, space)),
        4 => (prop::collection::vec(word, 1..3), prop::collection::vec(spaces, 1..4))
            .prop_map(|(words, spaces)| Step::Search(words, spaces)),
    ];
    prop::collection::vec(step, 1..40)
}

/// Calls `use_pages` with the pages of a content in the form of the engine.
fn with_pages<T>(content: &Content, use_pages: impl FnOnce(&[Page<'_>]) -> T) -> T {
    let texts: Vec<(u128, &str, String)> = content
        .iter()
        .map(|(page, (title, words))| {
            let words: Vec<&str> = words.iter().map(|word| WORDS[*word]).collect();
            (*page, WORDS[*title], words.join(" "))
        })
        .collect();
    let pages: Vec<Page<'_>> = texts.iter().map(|(page, title, words)| text(*page, title, words)).collect();
    use_pages(&pages)
}

#[derive(Default)]
struct Node {
    held: BTreeMap<u128, Content>,
}

impl Node {
    fn commit(&mut self, index: &Index, of: u128, now: &Content) {
        let mut update = index.update().unwrap();
        let (stale, fresh) = difference(self.held.get(&of), now);
        update.remove(space(of), stale).unwrap();
        with_pages(&fresh, |pages| update.add(space(of), Language::SIMPLE, pages)).unwrap();
        update.commit().unwrap();
        self.held.insert(of, now.clone());
    }

    fn scope(&self, of: u128, now: &Content) -> Scope {
        let (stale, fresh) = difference(self.held.get(&of), now);
        if stale.is_empty() && fresh.is_empty() {
            return indexed(space(of));
        }
        let overlay =
            with_pages(&fresh, |pages| Overlay::of_changes(space(of), Language::SIMPLE, stale, pages));
        Scope { space: space(of), overlay: Some(Arc::new(overlay.unwrap())) }
    }
}

/// Returns the pages that were removed or changed, and the new versions of added and changed pages.
fn difference(before: Option<&Content>, now: &Content) -> (HashSet<PageId>, Content) {
    let empty = Content::new();
    let before = before.unwrap_or(&empty);
    let stale =
        before.iter().filter(|(id, page)| now.get(id) != Some(page)).map(|(id, _)| page(*id)).collect();
    let fresh = now.iter().filter(|(id, page)| before.get(id) != Some(page));
    (stale, fresh.map(|(id, page)| (*id, page.clone())).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn searches_find_what_a_naive_model_finds(steps in steps()) {
        let indexes = [memory(), memory()];
        let mut nodes = [Node::default(), Node::default()];
        let mut spaces: BTreeMap<u128, Content> = (1..=3).map(|number| (number, Content::new())).collect();
        for step in steps {
            match step {
                Step::Write(space, page, title, words) => {
                    // Page ids are unique across spaces.
                    spaces.get_mut(&space).unwrap().insert(space * 100 + page, (title, words));
                }
                Step::Remove(space, page) => drop(spaces.get_mut(&space).unwrap().remove(&(space * 100 + page))),
                Step::Commit(index, space) => nodes[index].commit(&indexes[index], space, &spaces[&space]),
                Step::Search(words, of) => {
                    let of: BTreeSet<u128> = of.into_iter().collect();
                    let query: Vec<&str> = words.iter().map(|word| WORDS[*word]).collect();
                    let has = |(title, text): &(usize, Vec<usize>), word| *title == word || text.contains(&word);
                    let mut expected: Vec<u128> = of
                        .iter()
                        .flat_map(|space| &spaces[space])
                        .filter(|(_, page)| words.iter().all(|word| has(page, *word)))
                        .map(|(id, _)| *id)
                        .collect();
                    expected.sort_unstable();
                    for (node, index) in nodes.iter().zip(&indexes) {
                        let scopes: Vec<Scope> = of.iter().map(|space| node.scope(*space, &spaces[space])).collect();
                        let mut hits = found(index, &query.join(" "), &scopes);
                        hits.sort_unstable();
                        prop_assert_eq!(&hits, &expected);
                    }
                }
            }
        }
    }
}
