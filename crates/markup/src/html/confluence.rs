//! Macros and layouts of Confluence, in pages and exports.

use super::dom::{Element, Id};
use super::flow::{Flow, Reader};
use super::scope::Scope;
use crate::document::{Block, BlockKind};

/// Emoticons that Confluence renders as pictures, by their names in parentheses.
const EMOTICONS: [(&str, &str); 20] = [
    ("(tick)", "✅"),
    ("(error)", "❌"),
    ("(warning)", "⚠️"),
    ("(info)", "ℹ️"),
    ("(question)", "❓"),
    ("(plus)", "➕"),
    ("(minus)", "➖"),
    ("(on)", "💡"),
    ("(off)", "💡"),
    ("(star)", "⭐"),
    ("(blue star)", "⭐"),
    ("(heart)", "❤️"),
    ("(broken heart)", "💔"),
    ("(thumbs up)", "👍"),
    ("(thumbs down)", "👎"),
    ("(smile)", "🙂"),
    ("(sad)", "🙁"),
    ("(wink)", "😉"),
    ("(cheeky)", "😛"),
    ("(laugh)", "😄"),
];

/// Returns the characters of an emoji that is rendered as a picture.
pub(super) fn emoji<'e>(picture: &'e Element, alt: &'e str) -> &'e str {
    let fallback = picture.get("data-emoji-fallback").map(str::trim);
    // Custom emoji of an organization have a name between colons instead.
    if let Some(fallback) = fallback.filter(|fallback| !fallback.is_empty() && !fallback.starts_with(':')) {
        return fallback;
    }
    EMOTICONS.iter().find(|(name, _)| *name == alt).map_or(alt, |(_, emoji)| emoji)
}

impl Reader<'_, '_> {
    /// Reads a macro or a layout. Returns whether the element is one.
    pub(super) fn confluence(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) -> bool {
        if element.has_class(&["expand-container"]) {
            return self.expand(id, flow, scope);
        }
        // Notion has columns, too.
        element.has_class(&["columnLayout", "column-list"]) && self.columns(id, flow, scope)
    }

    /// Reads the macro of an expandable section.
    fn expand(&mut self, id: Id, flow: &mut Flow, scope: &Scope) -> bool {
        let dom = self.dom;
        let find = |class: &str| dom.find(id, |element| element.has_class(&[class]));
        let (title, Some(body)) = (find("expand-control-text"), find("expand-content")) else { return false };
        self.expandable(title, dom.children(body), false, flow, scope);
        true
    }

    /// Reads a row of cells. A row with one cell needs no columns.
    fn columns(&mut self, id: Id, flow: &mut Flow, scope: &Scope) -> bool {
        let dom = self.dom;
        let cells = dom.child_elements(id).filter(|(_, cell)| cell.has_class(&["cell", "column"]));
        let cells: Vec<Id> = cells.map(|(cell, _)| cell).collect();
        if cells.len() < 2 {
            return false;
        }
        flow.end_line(None);
        let inner = scope.deeper(2);
        let columns =
            cells.into_iter().map(|cell| Block::blocks(BlockKind::Column, self.blocks(cell, &inner)));
        let columns = Block::blocks(BlockKind::Columns, columns.collect());
        flow.push(columns);
        true
    }
}
