//! HTML lists.

use super::flow::{is_close, stated};
use super::{Element, Flow, Token};
use crate::document::{Block, BlockKind, Children, Inline, Mark};

impl Flow<'_, '_> {
    /// Reads a list after its start tag.
    pub(super) fn list(&mut self, element: &Element, depth: usize) -> Option<Block> {
        let mut items = Vec::new();
        let mut has_tasks = false;
        while let Some(token) = self.peek() {
            match token {
                Token::Close(name) if *name == element.name => break,
                Token::Open(inner) if inner.name == "li" => {
                    self.advance();
                    let checked = self.checkbox();
                    has_tasks |= checked.is_some();
                    let nodes = self.blocks(&ends_item, depth + 2);
                    self.close("li");
                    let mut item = Block::blocks(BlockKind::ListItem, nodes);
                    if let Some(checked) = checked {
                        item.data.insert("checked".to_owned(), checked.into());
                    }
                    items.push(stated(inner, item));
                }
                Token::Text(text) if text.trim().is_empty() => self.advance(),
                Token::Comment(_) => self.advance(),
                // Content between the items becomes an item.
                _ => {
                    let before = self.position();
                    let nodes = self.blocks(&ends_item, depth + 2);
                    if self.position() == before {
                        self.advance();
                    }
                    if !nodes.is_empty() {
                        items.push(Block::blocks(BlockKind::ListItem, nodes));
                    }
                }
            }
        }
        self.close(&element.name);
        list_block(element, items, has_tasks).map(|list| stated(element, list))
    }

    /// Reads a definition list after its start tag: an item for each term, which is bold, with its definitions.
    pub(super) fn definitions(&mut self, depth: usize) -> Option<Block> {
        let mut items: Vec<Vec<Block>> = Vec::new();
        let mut in_terms = false;
        while let Some(token) = self.peek() {
            if is_close(token, &["dl"]) {
                break;
            }
            let before = self.position();
            let part = match token {
                Token::Open(part) if matches!(part.name.as_str(), "dt" | "dd") => {
                    self.advance();
                    Some(part.name.as_str())
                }
                _ => None,
            };
            let mut nodes = self.blocks(&ends_definition, depth + 2);
            if let Some(name) = part {
                self.close(name);
            }
            if self.position() == before {
                self.advance();
            }
            let is_term = part == Some("dt");
            if is_term {
                nodes.iter_mut().for_each(embolden);
            }
            if nodes.is_empty() {
                continue;
            }
            match items.last_mut() {
                Some(item) if !is_term || in_terms => item.extend(nodes),
                _ => items.push(nodes),
            }
            in_terms = is_term;
        }
        self.close("dl");
        let items: Vec<Block> =
            items.into_iter().map(|nodes| Block::blocks(BlockKind::ListItem, nodes)).collect();
        (!items.is_empty()).then(|| Block::blocks(BlockKind::ListUnordered, items))
    }

    /// Reads the state of a check box at the start of an item.
    fn checkbox(&mut self) -> Option<bool> {
        match self.peek() {
            Some(Token::Open(input)) if input.name == "input" && input.get("type") == Some("checkbox") => {
                self.advance();
                Some(input.has("checked"))
            }
            _ => None,
        }
    }
}

fn list_block(element: &Element, mut items: Vec<Block>, has_tasks: bool) -> Option<Block> {
    if items.is_empty() {
        return None;
    }
    let kind = match (element.name.as_str(), has_tasks) {
        ("ol", _) => BlockKind::ListOrdered,
        (_, true) => BlockKind::ListTasks,
        _ => BlockKind::ListUnordered,
    };
    if kind == BlockKind::ListTasks {
        for item in &mut items {
            item.data.entry("checked").or_insert_with(|| false.into());
        }
    }
    let mut list = Block::blocks(kind, items);
    let start = element.get("start").and_then(|start| start.parse::<u32>().ok());
    if let (BlockKind::ListOrdered, Some(start)) = (kind, start.filter(|start| *start != 1)) {
        list.data.insert("start".to_owned(), start.into());
    }
    Some(list)
}

/// Marks the words of a term as bold.
fn embolden(block: &mut Block) {
    let Children::Inlines(nodes) = &mut block.children else { return };
    let texts = nodes.iter_mut().filter_map(|node| match node {
        Inline::Text(text) => Some(&mut text.leaves),
        Inline::Node(_) => None,
    });
    for leaf in texts.flatten().filter(|leaf| !leaf.marks.contains(&Mark::Bold)) {
        leaf.marks.push(Mark::Bold);
        leaf.marks.sort();
    }
}

/// Returns whether a token ends a term or definition. Groups of terms may be in a `div`.
fn ends_definition(token: &Token<'_>) -> bool {
    is_close(token, &["dt", "dd", "dl"])
        || matches!(token, Token::Open(inner) if matches!(inner.name.as_str(), "dt" | "dd"))
}

fn ends_item(token: &Token<'_>) -> bool {
    is_close(token, &["li", "ul", "ol"]) || matches!(token, Token::Open(inner) if inner.name == "li")
}
