//! Tracing of blocks from one version of a document to another, with the alignment that merges use.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::Value;

use super::edit_script::{ItemEdit, Likeness, common_words, script, words};
use super::keys::without_keys;
use super::node::{node_likeness, text_of};
use super::sequence::Marks;
use crate::canonical::canonical_json;

/// Minimum share of common words, in percent, of two versions of a block. Merges also pair blocks that have less in
/// common, which a reader would call different blocks.
const SAME_BLOCK: u32 = 30;

/// Minimum length in characters of a text that identifies a block whose type has changed.
const IDENTIFYING_TEXT: usize = 12;

/// Alignment of two versions of a document.
///
/// A block is named by its path: `0.2` is the third child of the first block, `0.f1.0` the first block of its second
/// fragment (a cell, a caption, a title), and `0.n0.0` the first block of the first note in its text.
pub struct BlockAlignment<'v> {
    before: &'v Value,
    after: &'v Value,
    /// Index of the counterpart of each item, by the path of the list in `before`.
    lists: HashMap<String, Vec<Option<usize>>>,
    moved: Option<Moved>,
}

/// Paths of the blocks of one version by a key; `None` for a key that several blocks have.
type Unique = HashMap<Vec<u8>, Option<String>>;

/// Index of both versions by content and by text, to find moved blocks.
struct Moved {
    contents: [Unique; 2],
    texts: [Unique; 2],
}

/// Kind of a list within a node. `Notes` are the fragments of the inline nodes in its text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Nodes,
    Fragments,
    Notes,
}

impl<'v> BlockAlignment<'v> {
    /// Creates an alignment. The comparison runs on the first call of [`BlockAlignment::trace`].
    #[must_use]
    pub fn new(before: &'v Value, after: &'v Value) -> Self {
        Self { before, after, lists: HashMap::new(), moved: None }
    }

    /// Returns the path in the later version of a block of the earlier one. `None` if the block was removed or has
    /// several possible counterparts.
    pub fn trace(&mut self, path: &str) -> Option<String> {
        self.follow(path).or_else(|| self.find_moved(path))
    }

    fn follow(&mut self, path: &str) -> Option<String> {
        let (mut old, mut new) = (self.before, self.after);
        let (mut walked, mut found) = (String::new(), String::new());
        for step in path.split('.') {
            let (list, index) = parse(step)?;
            let (olds, news) = (items(old, list), items(new, list));
            let key = format!("{walked}{}", list.prefix());
            let counterparts = self.lists.entry(key).or_insert_with(|| counterparts(list, &olds, &news));
            let counterpart = (*counterparts.get(index)?)?;
            (old, new) = (olds.get(index)?, news.get(counterpart)?);
            walked = join(&walked, list, index);
            found = join(&found, list, counterpart);
        }
        Some(found)
    }

    /// Returns the path of a block that moved to another place in the later version: a block with the same content, or
    /// one of another type with the same text. `None` if either version has the content or text more than once.
    fn find_moved(&mut self, path: &str) -> Option<String> {
        let block = at(self.before, path)?;
        let (before, after) = (self.before, self.after);
        let moved = self.moved.get_or_insert_with(|| Moved {
            contents: [before, after].map(|version| unique(version, &|block| Some(content(block)))),
            texts: [before, after].map(|version| unique(version, &identifying_text)),
        });
        let found = |[old, new]: &[Unique; 2], key: &[u8]| {
            old.get(key)?.as_ref()?;
            new.get(key)?.clone()
        };
        found(&moved.contents, &content(block)).or_else(|| found(&moved.texts, &identifying_text(block)?))
    }
}

impl List {
    fn prefix(self) -> &'static str {
        match self {
            Self::Nodes => ".",
            Self::Fragments => ".f",
            Self::Notes => ".n",
        }
    }
}

/// Returns the path of the item at an index of a list, given the path of the block that has the list.
fn join(block: &str, list: List, index: usize) -> String {
    let path = format!("{block}{}{index}", list.prefix());
    path.strip_prefix('.').map(str::to_owned).unwrap_or(path)
}

fn parse(step: &str) -> Option<(List, usize)> {
    let (list, digits) = match step.as_bytes().first()? {
        b'f' => (List::Fragments, step.get(1..)?),
        b'n' => (List::Notes, step.get(1..)?),
        _ => (List::Nodes, step),
    };
    Some((list, digits.parse().ok()?))
}

pub(super) fn at<'v>(document: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(document, |node, step| {
        let (list, index) = parse(step)?;
        items(node, list).get(index).copied()
    })
}

fn items(node: &Value, list: List) -> Vec<&Value> {
    let members = |name: &str| node.get(name).and_then(Value::as_array).into_iter().flatten();
    match list {
        List::Nodes => members("nodes").collect(),
        List::Fragments => members("fragments").collect(),
        List::Notes => {
            let mut notes = Vec::new();
            members("nodes").for_each(|inline| collect_notes(inline, &mut notes));
            notes
        }
    }
}

/// Collects the fragments of inline nodes.
fn collect_notes<'v>(inline: &'v Value, notes: &mut Vec<&'v Value>) {
    if inline.get("object").and_then(Value::as_str) != Some("inline") {
        return;
    }
    let members = |name: &str| inline.get(name).and_then(Value::as_array).into_iter().flatten();
    members("nodes").for_each(|inner| collect_notes(inner, notes));
    notes.extend(members("fragments"));
}

/// Returns the index in `news` of the later version of each item of `olds`.
fn counterparts(list: List, olds: &[&Value], news: &[&Value]) -> Vec<Option<usize>> {
    let likeness =
        Likeness { kind: |old: &&Value, new: &&Value| node_likeness(old, new), text: |node| text_of(node) };
    // Cells may be named by their position, so a moved cell has another name.
    let content: fn(&&Value) -> Vec<u8> = match list {
        List::Fragments => |node| unnamed_content(node),
        List::Nodes | List::Notes => |node| content(node),
    };
    let mut marks = Marks { content, numbers: HashMap::new() };
    let (old_marks, new_marks) = (marks.of(olds), marks.of(news));
    let script = script(olds, &old_marks, news, &new_marks, &likeness);
    let mut next = script.inserts.first().map_or(0, Vec::len);
    let edits = olds.iter().zip(&script.edits).zip(script.inserts.iter().skip(1));
    edits
        .map(|((old, edit), inserted)| {
            let at = next;
            next += inserted.len();
            let (is_same, len) = match edit {
                ItemEdit::Kept(_) => (true, 1),
                ItemEdit::Changed(new) => (is_version(old, new), 1),
                ItemEdit::Removed => (false, 0),
            };
            next += len;
            is_same.then_some(at)
        })
        .collect()
}

/// Returns whether `new` is similar enough to `old`, a block of the same type, to be its later version.
pub(super) fn is_version(old: &Value, new: &Value) -> bool {
    if old.get("key").is_some_and(|key| new.get("key") == Some(key)) {
        return true;
    }
    let (old_text, new_text) = (text_of(old), text_of(new));
    if old_text.trim().is_empty() && new_text.trim().is_empty() {
        let data = |node: &Value| node.get("data").and_then(Value::as_object).cloned().unwrap_or_default();
        let (old, new) = (data(old), data(new));
        return old.iter().any(|(name, value)| new.get(name) == Some(value));
    }
    common_words(&words(&old_text), &words(&new_text)) >= SAME_BLOCK
}

pub(super) fn content(node: &Value) -> Vec<u8> {
    canonical_json(&without_keys(node))
}

pub(super) fn unnamed_content(node: &Value) -> Vec<u8> {
    let mut node = without_keys(node);
    if let Some(members) = node.as_object_mut() {
        members.remove("fragment");
    }
    canonical_json(&node)
}

/// Returns the text of a block if it is long enough to identify the block.
fn identifying_text(block: &Value) -> Option<Vec<u8>> {
    let text = text_of(block);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (text.chars().count() >= IDENTIFYING_TEXT).then(|| text.into_bytes())
}

/// Indexes the blocks of a document by a key; `None` for a key that several blocks have.
fn unique(document: &Value, key: &dyn Fn(&Value) -> Option<Vec<u8>>) -> Unique {
    let mut found = Unique::new();
    for (path, block) in blocks(document) {
        let Some(key) = key(block) else { continue };
        match found.entry(key) {
            Entry::Vacant(free) => drop(free.insert(Some(path))),
            Entry::Occupied(mut taken) => drop(taken.insert(None)),
        }
    }
    found
}

/// Returns the blocks of a document, at all levels, with their paths.
pub(super) fn blocks(document: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    let mut pending = vec![(String::new(), document)];
    while let Some((path, node)) = pending.pop() {
        for list in [List::Nodes, List::Fragments, List::Notes] {
            for (index, item) in items(node, list).into_iter().enumerate() {
                let path = join(&path, list, index);
                let is_block = item.get("object").and_then(Value::as_str) == Some("block");
                if is_block {
                    found.push((path.clone(), item));
                }
                if is_block || list != List::Nodes {
                    pending.push((path, item));
                }
            }
        }
    }
    found
}
