//! HTML lists.

use super::flow::{is_close, stated};
use super::{Element, Flow, Token};
use crate::document::{Block, BlockKind};

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

fn ends_item(token: &Token<'_>) -> bool {
    is_close(token, &["li", "ul", "ol"]) || matches!(token, Token::Open(inner) if inner.name == "li")
}
