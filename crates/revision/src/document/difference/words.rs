//! Differences between two versions of a text with marks and links, word by word.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value, json};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::super::keys::without_keys;
use super::super::node::members;
use crate::canonical::canonical_json;

/// First character of the scripts that are written without spaces. From it on, each character is a word.
const FIRST_WORD_CHARACTER: char = '\u{2e80}';

/// Kind of the difference of a run of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordChange {
    /// Both versions have it.
    Unchanged,
    /// Only the later version has it.
    Added,
    /// Only the earlier version has it.
    Removed,
}

/// Run of text of one version or of both.
#[derive(Clone, Debug, PartialEq)]
pub struct WordRun {
    /// Kind of the difference.
    pub change: WordChange,
    /// The text with its marks and links.
    pub nodes: Vec<Value>,
}

/// Leaf or inline node that tokens come from.
struct Source {
    /// Links and annotations around the text, outermost first, without their text.
    inside: Vec<Value>,
    /// Leaf without its text, or inline node that has no text.
    node: Value,
}

/// Word, run of white space, other character, or inline node without text.
struct Token<'v> {
    source: Rc<Source>,
    /// Number of the content of the source: equal for equal marks and links.
    number: usize,
    text: &'v str,
}

/// Compares two texts. If `is_within` refuses the comparison as too expensive, the whole text counts as changed.
pub(super) fn difference_of_words<'v>(
    before: &'v [Value],
    after: &'v [Value],
    is_within: impl FnOnce(&[usize], &[usize]) -> bool,
) -> Vec<WordRun> {
    let mut numbers = HashMap::new();
    let [old, new] = [before, after].map(|nodes| {
        let mut tokens = Vec::new();
        collect(nodes, &[], &mut numbers, &mut tokens);
        tokens
    });
    let mut keys: HashMap<(usize, &str), usize> = HashMap::new();
    let mut key = |token: &Token<'v>| {
        let next = keys.len();
        *keys.entry((token.number, token.text)).or_insert(next)
    };
    let old_keys: Vec<usize> = old.iter().map(&mut key).collect();
    let new_keys: Vec<usize> = new.iter().map(&mut key).collect();
    let mut changes = Vec::new();
    let mut push = |change, from: usize, len: usize| {
        let tokens = if change == WordChange::Removed { &old } else { &new };
        changes.extend(tokens.iter().skip(from).take(len).map(|token| (change, token)));
    };
    if is_within(&old_keys, &new_keys) {
        for operation in capture_diff_slices(Algorithm::Myers, &old_keys, &new_keys) {
            match operation {
                DiffOp::Equal { new_index, len, .. } => push(WordChange::Unchanged, new_index, len),
                DiffOp::Delete { old_index, old_len, .. } => push(WordChange::Removed, old_index, old_len),
                DiffOp::Insert { new_index, new_len, .. } => push(WordChange::Added, new_index, new_len),
                DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                    push(WordChange::Removed, old_index, old_len);
                    push(WordChange::Added, new_index, new_len);
                }
            }
        }
    } else {
        push(WordChange::Removed, 0, old.len());
        push(WordChange::Added, 0, new.len());
    }
    runs(&changes)
}

/// Joins changes to runs. White space between two changes belongs to both, so a rewritten sentence is one change.
fn runs(changes: &[(WordChange, &Token<'_>)]) -> Vec<WordRun> {
    let mut runs = Vec::new();
    let [mut same, mut removed, mut added]: [Vec<&Token<'_>>; 3] = Default::default();
    let is_change = |change: &(WordChange, &Token<'_>)| change.0 != WordChange::Unchanged;
    let flush = |tokens: &mut Vec<&Token<'_>>, change, runs: &mut Vec<WordRun>| {
        if !tokens.is_empty() {
            runs.push(WordRun { change, nodes: nodes(tokens) });
            tokens.clear();
        }
    };
    for (index, (change, token)) in changes.iter().enumerate() {
        match change {
            WordChange::Removed => removed.push(token),
            WordChange::Added => added.push(token),
            WordChange::Unchanged => {
                let is_between = token.text.trim().is_empty()
                    && !token.text.is_empty()
                    && !removed.is_empty()
                    && !added.is_empty()
                    && changes.get(index.saturating_add(1)).is_some_and(is_change);
                if is_between {
                    removed.push(token);
                    added.push(token);
                    continue;
                }
                flush(&mut removed, WordChange::Removed, &mut runs);
                flush(&mut added, WordChange::Added, &mut runs);
                same.push(token);
                continue;
            }
        }
        flush(&mut same, WordChange::Unchanged, &mut runs);
    }
    flush(&mut same, WordChange::Unchanged, &mut runs);
    flush(&mut removed, WordChange::Removed, &mut runs);
    flush(&mut added, WordChange::Added, &mut runs);
    runs
}

/// Returns the inline nodes of tokens.
fn nodes(tokens: &[&Token<'_>]) -> Vec<Value> {
    let of_sources = tokens.chunk_by(|left, right| Rc::ptr_eq(&left.source, &right.source));
    let node = |tokens: &[&Token<'_>]| {
        let Source { inside, node } = &*tokens.first()?.source;
        let mut node = node.clone();
        if node.get("object").and_then(Value::as_str) == Some("leaf") {
            let text: String = tokens.iter().map(|token| token.text).collect();
            node.as_object_mut()?.insert("text".to_owned(), Value::String(text));
            node = json!({"object": "text", "leaves": [node]});
        }
        Some(inside.iter().rev().fold(node, |inner, shell| {
            let mut shell = shell.clone();
            if let Some(members) = shell.as_object_mut() {
                members.insert("nodes".to_owned(), Value::Array(vec![inner]));
            }
            shell
        }))
    };
    match joined(of_sources.filter_map(node).collect()) {
        Value::Array(nodes) => nodes,
        _ => Vec::new(),
    }
}

/// Joins adjacent nodes: leaves with equal marks, texts, and parts of the same link.
pub(super) fn joined(nodes: Vec<Value>) -> Value {
    let mut joined: Vec<Value> = Vec::new();
    for node in nodes {
        let rest = match joined.last_mut() {
            Some(last) => append(last, node),
            None => Some(node),
        };
        joined.extend(rest);
    }
    Value::Array(joined)
}

/// Appends a node to the node before it. Returns the node if the two cannot be joined.
fn append(last: &mut Value, node: Value) -> Option<Value> {
    let list = match node.get("object").and_then(Value::as_str) {
        Some("text") => "leaves",
        Some("inline") if has_content(&node) => "nodes",
        Some("leaf") if is_same(last, &node, "text") => {
            let text = node.get("text").and_then(Value::as_str).unwrap_or_default();
            if let Some(Value::String(own)) = last.get_mut("text") {
                own.push_str(text);
                return None;
            }
            return Some(node);
        }
        _ => return Some(node),
    };
    if !is_same(last, &node, list) {
        return Some(node);
    }
    let inner = members(&node, list).to_vec();
    match last.get_mut(list) {
        Some(Value::Array(own)) => {
            own.extend(inner);
            let all = std::mem::take(own);
            *own = match joined(all) {
                Value::Array(all) => all,
                _ => Vec::new(),
            };
            None
        }
        _ => Some(node),
    }
}

/// Returns whether two nodes are equal except for one member that both have.
fn is_same(left: &Value, right: &Value, except: &str) -> bool {
    let (Some(left), Some(right)) = (left.as_object(), right.as_object()) else { return false };
    let members = left.iter().filter(|(name, _)| *name != except);
    left.len() == right.len()
        && members.clone().all(|(name, value)| right.get(name) == Some(value))
        && members.count() < left.len()
}

/// Returns a node without a member.
fn shell(node: &Value, without: &str) -> Map<String, Value> {
    let members = node.as_object().into_iter().flatten().filter(|(name, _)| *name != without);
    members.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn has_content(inline: &Value) -> bool {
    !members(inline, "nodes").is_empty()
}

/// Returns a source and the number of its content.
fn source(inside: &[Value], node: Value, numbers: &mut HashMap<Vec<u8>, usize>) -> (Rc<Source>, usize) {
    let all = inside.iter().chain(std::iter::once(&node));
    let content = all.flat_map(|node| canonical_json(&without_keys(node))).collect();
    let next = numbers.len();
    let number = *numbers.entry(content).or_insert(next);
    (Rc::new(Source { inside: inside.to_vec(), node }), number)
}

fn collect<'v>(
    nodes: &'v [Value],
    inside: &[Value],
    numbers: &mut HashMap<Vec<u8>, usize>,
    tokens: &mut Vec<Token<'v>>,
) {
    for node in nodes {
        match node.get("object").and_then(Value::as_str) {
            Some("text") => {
                for leaf in members(node, "leaves") {
                    let (source, number) = source(inside, Value::Object(shell(leaf, "text")), numbers);
                    let text = leaf.get("text").and_then(Value::as_str).unwrap_or_default();
                    let token = |text| Token { source: Rc::clone(&source), number, text };
                    tokens.extend(words(text).map(token));
                }
            }
            Some("inline") if has_content(node) => {
                let mut inside = inside.to_vec();
                inside.push(Value::Object(shell(node, "nodes")));
                collect(members(node, "nodes"), &inside, numbers, tokens);
            }
            _ => {
                let (source, number) = source(inside, node.clone(), numbers);
                tokens.push(Token { source, number, text: "" });
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    /// A one-character word or other character.
    Single,
}

fn class(character: char) -> Class {
    match character {
        _ if character.is_whitespace() => Class::Space,
        _ if character >= FIRST_WORD_CHARACTER => Class::Single,
        _ if character.is_alphanumeric() || matches!(character, '_' | '\u{300}'..='\u{36f}') => Class::Word,
        _ => Class::Single,
    }
}

/// Splits a text into words, runs of white space and other characters.
pub(in crate::document) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut characters = rest.char_indices();
        let (_, first) = characters.next()?;
        let kind = class(first);
        let end = characters.find(|(_, next)| kind == Class::Single || class(*next) != kind);
        let (word, left) = rest.split_at_checked(end.map_or(rest.len(), |(at, _)| at))?;
        rest = left;
        Some(word)
    })
}

/// Returns the number of words of a text.
pub(super) fn count_words(text: &str) -> usize {
    words(text).filter(|word| word.contains(char::is_alphanumeric)).count()
}
