//! Blocks that only the later version of a document has, to find blocks that moved there from another document.

use std::collections::HashSet;

use serde_json::Value;

use super::alignment::{BlockAlignment, at, blocks, content};
use super::edit_script::{common_words, words};
use super::node::text_of;

/// Minimum share of common words, in percent, for a block to count as a copy of a block of another page.
const SAME_TEXT: u32 = 50;

/// Maximum number of gained blocks of a document that are compared.
const MOST_BLOCKS: usize = 500;

/// Maximum number of words of a block that are compared.
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
    /// Returns the blocks of the later version without a counterpart in the earlier one; all if there is no earlier
    /// version.
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

    /// Returns the path of the gained block that is most similar to a block of another document, and their similarity
    /// in percent. `None` if no block of the same type has at least half of its words.
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

    /// Returns the share of words in common in percent; 100 for equal blocks without words.
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
