//! Lists: HTML lists, and lists that office programs write as single paragraphs.

use std::collections::BTreeMap;

use super::article::is_marker;
use super::dom::{Data, Element, Id};
use super::flow::{Flow, Reader};
use super::scope::Scope;
use crate::document::{Block, BlockKind, Mark};
use crate::inline_builder::is_space;
use crate::limits::document::MAX_LIST_LEVEL;
use crate::lists;

impl Reader<'_, '_> {
    pub(super) fn list(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) {
        flow.end_line(None);
        let dom = self.dom;
        let inner = scope.deeper(2);
        let mut items: Vec<Block> = Vec::new();
        // The numbers that items state, by their index.
        let mut stated: BTreeMap<usize, u32> = BTreeMap::new();
        for child in dom.children(id) {
            match dom.data(*child) {
                Some(Data::Text(text)) if text.chars().all(is_space) => {}
                Some(Data::Element(li)) if self.is_silent(li) => {}
                Some(Data::Element(li)) if li.name() == "li" => {
                    stated.extend(number(li, "value").map(|value| (items.len(), value)));
                    items.push(self.item(*child, li, element, &inner));
                }
                Some(Data::Text(_) | Data::Element(_)) => {
                    // A list between items belongs to the item before it; other content is an item of its own.
                    let nodes = self.blocks_of(&[*child], &inner);
                    let is_list = nodes.first().is_some_and(lists::is_list);
                    match items.last_mut().map(|item| &mut item.children) {
                        Some(crate::document::Children::Blocks(last)) if is_list => last.extend(nodes),
                        _ if nodes.is_empty() => {}
                        _ => items.push(Block::blocks(BlockKind::ListItem, nodes)),
                    }
                }
                _ => {}
            }
        }
        if items.iter().all(|item| item.child_blocks().is_empty() && item.data.is_empty()) {
            return;
        }
        if let Some(kind) = element.get("type").filter(|kind| element.name() == "ol" && *kind != "1") {
            self.options.refs.left(&format!("ol type=\"{kind}\""));
        }
        for (start, items) in numbered(element, items, &stated) {
            let list = finish(element, items, start);
            match level(element) {
                Some(level) => lists::append(&mut flow.blocks, level, list),
                None if element.has_class(&["bulleted-list", "numbered-list", "to-do-list"]) => {
                    lists::append(&mut flow.blocks, 0, list);
                }
                None => flow.blocks.push(list),
            }
        }
    }

    fn item(&mut self, id: Id, li: &Element, list: &Element, scope: &Scope) -> Block {
        if let Some(anchor) = li.get("id") {
            self.anchors.add(anchor);
        }
        let checked = self.checked(id, li, list);
        let look = self.styles.look(li).apply_to_block(scope);
        let nodes = self.blocks(id, &scope.with_format(look));
        let mut item = Block::blocks(BlockKind::ListItem, nodes);
        if let Some(checked) = checked {
            item.data.insert("checked".to_owned(), checked.into());
        }
        item
    }

    /// Returns the state of an item's check box: an input, or the element that a product uses instead.
    fn checked(&self, id: Id, li: &Element, list: &Element) -> Option<bool> {
        let state = |element: &Element| {
            let is_box = element.name() == "input" && element.get("type") == Some("checkbox");
            if is_box {
                return Some(element.has("checked"));
            }
            if element.get("role") == Some("checkbox") {
                return Some(element.get("aria-checked") == Some("true"));
            }
            element.has_class(&["checkbox"]).then(|| element.has_class(&["checkbox-on", "checked"]))
        };
        if let Some(checked) = li.get("data-checked") {
            return Some(checked != "false");
        }
        if li.has("data-inline-task-id")
            || list.has_class(&["inline-task-list", "listtype-task", "task-list", "checklist"])
        {
            let inner = self.boxes(id).find_map(state);
            return Some(inner.unwrap_or_else(|| li.has_class(&["checked", "done"])));
        }
        self.boxes(id).find_map(state)
    }

    /// Returns the elements that can be the check box of an item: at its start, before any words, and not in a nested
    /// list.
    fn boxes(&self, id: Id) -> impl Iterator<Item = &Element> {
        let dom = self.dom;
        let inside = dom.descendants(id).skip(1).take(12).take_while(move |id| match dom.data(*id) {
            Some(Data::Element(element)) => !matches!(element.name(), "ul" | "ol" | "table" | "pre"),
            Some(Data::Text(text)) => text.chars().all(is_space),
            _ => true,
        });
        inside.filter_map(move |id| dom.element(id))
    }

    /// Reads a list item of Word, which is a paragraph. Its style determines the level, and its text to ignore is the
    /// bullet or number.
    pub(super) fn word_item(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) -> bool {
        let Some(level) = element.get("style").and_then(word_level).filter(|_| scope.depth + 20 < 64) else {
            return false;
        };
        let marker = self.dom.find(id, is_marker).map(|marker| self.dom.text(marker)).unwrap_or_default();
        let marker = marker.trim();
        let number = marker.trim_end_matches(['.', ')', ' ', '\u{a0}']);
        let is_numbered =
            marker.len() > number.len() && number.chars().all(char::is_alphanumeric) && !number.is_empty();
        let kind = if is_numbered { BlockKind::ListOrdered } else { BlockKind::ListUnordered };
        flow.end_line(None);
        let nodes = self.blocks(id, &scope.deeper(2 + 2 * level));
        let item = Block::blocks(BlockKind::ListItem, nodes);
        let start = number.parse().ok().or_else(|| ordinal(number));
        lists::append(&mut flow.blocks, level, lists::list(kind, vec![item], start));
        true
    }

    /// Reads a definition list as an item for each term, with its definitions. Returns whether it was read; some
    /// definition lists are read in other forms.
    pub(super) fn definitions(&mut self, id: Id, flow: &mut Flow, scope: &Scope) -> bool {
        let dom = self.dom;
        let is_large =
            |inner: &Element| matches!(inner.name(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "dl");
        let is_word =
            |id: &Id| matches!(dom.data(*id), Some(Data::Text(text)) if !text.chars().all(is_space));
        let has_stray = |id: Id| dom.children(id).iter().any(is_word);
        let in_group = |(child, element): (Id, &Element)| element.name() == "div" && has_stray(child);
        if dom.find(id, is_large).is_some() || has_stray(id) || dom.child_elements(id).any(in_group) {
            return false;
        }
        // Groups may be wrapped (HTML 4.4.9).
        let wrapped = dom.child_elements(id).flat_map(|(child, element)| match element.name() {
            "div" => dom.child_elements(child).collect(),
            _ => vec![(child, element)],
        });
        let parts: Vec<(Id, &Element)> = wrapped.collect();
        if !parts.iter().all(|(_, part)| matches!(part.name(), "dt" | "dd")) {
            return false;
        }
        flow.end_line(None);
        let inner = scope.deeper(2);
        let term = inner.with_format(inner.format.with(Mark::Bold));
        let mut items: Vec<Vec<Block>> = Vec::new();
        let mut in_terms = false;
        for (part, element) in parts {
            if let Some(anchor) = element.get("id") {
                self.anchors.add(anchor);
            }
            let is_term = element.name() == "dt";
            let nodes = self.blocks(part, if is_term { &term } else { &inner });
            match items.last_mut() {
                Some(item) if !is_term || in_terms => item.extend(nodes),
                _ => items.push(nodes),
            }
            in_terms = is_term;
        }
        items.retain(|nodes| !nodes.is_empty());
        let items: Vec<Block> =
            items.into_iter().map(|nodes| Block::blocks(BlockKind::ListItem, nodes)).collect();
        if !items.is_empty() {
            flow.blocks.push(Block::blocks(BlockKind::ListUnordered, items));
        }
        true
    }
}

/// Divides the items of a list into parts with consecutive numbers. Returns each with its first number.
fn numbered(
    element: &Element,
    items: Vec<Block>,
    stated: &BTreeMap<usize, u32>,
) -> Vec<(Option<u32>, Vec<Block>)> {
    let start = number(element, "start");
    let is_reversed = element.has("reversed");
    if element.name() != "ol" || (!is_reversed && stated.keys().all(|at| *at == 0)) {
        return vec![(stated.get(&0).copied().or(start), items)];
    }
    let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
    let mut next = start.unwrap_or(if is_reversed { count } else { 1 });
    let mut parts: Vec<(Option<u32>, Vec<Block>)> = Vec::new();
    // The number that an item of the last part would have.
    let mut following = None;
    for (at, item) in items.into_iter().enumerate() {
        let number = stated.get(&at).copied().unwrap_or(next);
        match parts.last_mut() {
            Some((_, part)) if following == Some(number) => part.push(item),
            _ => parts.push((Some(number), vec![item])),
        }
        following = number.checked_add(1);
        next = if is_reversed { number.saturating_sub(1) } else { number.saturating_add(1) };
    }
    parts
}

fn finish(element: &Element, mut items: Vec<Block>, start: Option<u32>) -> Block {
    let has_tasks = items.iter().any(|item| item.data.contains_key("checked"));
    let kind = match (element.name(), has_tasks) {
        ("ol", _) => BlockKind::ListOrdered,
        (_, true) => BlockKind::ListTasks,
        _ => BlockKind::ListUnordered,
    };
    if kind == BlockKind::ListTasks {
        for item in &mut items {
            item.data.entry("checked").or_insert_with(|| false.into());
        }
    }
    lists::list(kind, items, start)
}

fn number(element: &Element, name: &str) -> Option<u32> {
    element.get(name)?.trim().parse().ok()
}

/// Returns the level of a Google Docs list: `lst-kix_abc-2`.
fn level(list: &Element) -> Option<usize> {
    let class = list.classes().find(|class| class.starts_with("lst-kix_"))?;
    class.rsplit_once('-')?.1.parse().ok().filter(|level| *level < MAX_LIST_LEVEL)
}

/// Returns the level of a Word list paragraph: `mso-list:l0 level2 lfo1`.
fn word_level(style: &str) -> Option<usize> {
    let list = style.split(';').find_map(|rule| rule.trim().strip_prefix("mso-list:"))?;
    let level = list.split_ascii_whitespace().find_map(|word| word.strip_prefix("level"))?;
    let level: usize = level.parse().ok()?;
    (1..=MAX_LIST_LEVEL).contains(&level).then(|| level - 1)
}

/// Returns the ordinal number of a letter: 1 for `a` and `A`.
fn ordinal(letter: &str) -> Option<u32> {
    let mut letters = letter.chars();
    let (letter, None) = (letters.next()?.to_ascii_lowercase(), letters.next()) else { return None };
    letter.is_ascii_lowercase().then(|| u32::from(letter) - u32::from('a') + 1)
}
