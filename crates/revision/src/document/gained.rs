//! Blocks that a later version of a document has and the earlier one has not, to find what left another document.

use std::collections::HashSet;

use serde_json::Value;

use super::alignment::{BlockAlignment, at, blocks, content};
use super::edit_script::{common_words, words};
use super::node::text_of;

/// Minimum share of common words, in percent, of a block and its copy on another page.
const SAME_TEXT: u32 = 50;

/// Bound on the gained blocks of a document that are compared.
const MOST_BLOCKS: usize = 500;

/// Bound on the words of a block that are compared.
const MOST_WORDS: usize = 500;

/// Blocks that a document gained between two versions.
#[derive(Debug)]
pub struct GainedBlocks(Vec<GainedBlock>);

#[derive(Debug)]
struct GainedBlock {
    path: String,
    block: ComparedBlock,
}

#[derive(Debug)]
struct ComparedBlock {
    kind: String,
    content: Vec<u8>,
    words: Vec<u64>,
}

impl GainedBlocks {
    /// Returns the blocks of the later version that are in no other form in the earlier one: all, if there was none.
    #[must_use]
    pub fn new(before: Option<&Value>, after: &Value) -> Self {
        let mut known = HashSet::new();
        if let Some(before) = before {
            let mut alignment = BlockAlignment::new(before, after);
            known.extend(blocks(before).into_iter().filter_map(|(path, _)| alignment.trace(&path)));
        }
        let gained = blocks(after).into_iter().filter(|(path, _)| !known.contains(path));
        let gained = gained.map(|(path, block)| GainedBlock { path, block: ComparedBlock::new(block) });
        Self(gained.take(MOST_BLOCKS).collect())
    }

    /// Returns the path of the block that is most like a block of another document, and their likeness in percent.
    /// `None` if no block of the same type has at least half of its words.
    #[must_use]
    pub fn find(&self, document: &Value, path: &str) -> Option<(&str, u32)> {
        let sought = ComparedBlock::new(at(document, path)?);
        let mut best: Option<(&str, u32)> = None;
        for GainedBlock { path, block } in &self.0 {
            let likeness = sought.likeness(block);
            if likeness >= SAME_TEXT && best.is_none_or(|(_, most)| likeness > most) {
                best = Some((path, likeness));
            }
        }
        best
    }
}

impl ComparedBlock {
    fn new(block: &Value) -> Self {
        let mut words = words(&text_of(block));
        words.truncate(MOST_WORDS);
        let kind = block.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { kind, content: content(block), words }
    }

    /// Share of the words in common; 100 for blocks without words that are equal.
    fn likeness(&self, other: &Self) -> u32 {
        if self.kind != other.kind {
            return 0;
        }
        if self.content == other.content {
            return 100;
        }
        match self.words.is_empty() || other.words.is_empty() {
            true => 0,
            false => common_words(&self.words, &other.words),
        }
    }
}
