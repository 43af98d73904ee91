//! Evaluation of conditions and expressions.

use std::collections::BTreeSet;
use std::mem;

use crate::document::{Block, BlockKind, Children, Document, Inline, InlineKind};

/// Returns the distinct conditions of the `if` blocks in a document. A block without a condition has the empty one.
#[must_use]
pub fn conditions(document: &Document) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    collect(&document.nodes, &mut found);
    found
}

fn collect<'d>(blocks: &'d [Block], found: &mut BTreeSet<&'d str>) {
    for block in blocks {
        if block.kind == BlockKind::If {
            found.insert(block.str("expression").unwrap_or_default());
        }
        match &block.children {
            Children::Void => {}
            Children::Blocks(children) => collect(children, found),
            Children::Inlines(inlines) => collect_in_notes(inlines, found),
        }
        (&block.fragments).into_iter().for_each(|fragment| collect(&fragment.nodes, found));
    }
}

fn collect_in_notes<'d>(inlines: &'d [Inline], found: &mut BTreeSet<&'d str>) {
    for inline in inlines {
        if let Inline::Node(node) = inline {
            collect_in_notes(&node.nodes, found);
            (&node.fragments).into_iter().for_each(|note| collect(&note.nodes, found));
        }
    }
}

/// Replaces each `if` block by its content if `holds` returns true for its expression, and removes it otherwise.
pub fn evaluate_conditions(document: &mut Document, holds: &dyn Fn(&str) -> bool) {
    resolve(&mut document.nodes, holds);
}

fn resolve(blocks: &mut Vec<Block>, holds: &dyn Fn(&str) -> bool) {
    if blocks.iter().any(|block| block.kind == BlockKind::If) {
        let before = mem::take(blocks);
        splice(before, blocks, holds);
    }
    for block in blocks {
        if let Children::Blocks(children) = &mut block.children {
            resolve(children, holds);
        }
        (&mut block.fragments).into_iter().for_each(|fragment| resolve(&mut fragment.nodes, holds));
        if let Children::Inlines(inlines) = &mut block.children {
            for_each_note(inlines, &mut |nodes| resolve(nodes, holds));
        }
    }
}

/// Moves blocks to `out`. An `if` block is replaced by its content if its condition holds, and dropped otherwise.
fn splice(blocks: Vec<Block>, out: &mut Vec<Block>, holds: &dyn Fn(&str) -> bool) {
    for block in blocks {
        if block.kind != BlockKind::If {
            out.push(block);
        } else if block.str("expression").is_some_and(holds)
            && let Children::Blocks(children) = block.children
        {
            splice(children, out, holds);
        }
    }
}

/// Replaces each inline expression with the text that `text` returns. An expression without a text is removed.
pub fn evaluate_expressions(document: &mut Document, text: &dyn Fn(&str) -> Option<String>) {
    write_texts(&mut document.nodes, text);
}

fn write_texts(blocks: &mut [Block], text: &dyn Fn(&str) -> Option<String>) {
    for block in blocks {
        match &mut block.children {
            Children::Void => {}
            Children::Blocks(children) => write_texts(children, text),
            Children::Inlines(inlines) => {
                write_inlines(inlines, text);
                for_each_note(inlines, &mut |nodes| write_texts(nodes, text));
            }
        }
        (&mut block.fragments).into_iter().for_each(|fragment| write_texts(&mut fragment.nodes, text));
    }
}

fn write_inlines(inlines: &mut Vec<Inline>, text: &dyn Fn(&str) -> Option<String>) {
    let before = mem::take(inlines);
    inlines.extend(before.into_iter().filter_map(|inline| match inline {
        Inline::Node(node) if node.kind == InlineKind::Expression => {
            let expression = node.data.get("expression").and_then(serde_json::Value::as_str)?;
            let mut inline = Inline::text(text(expression)?);
            if let Inline::Text(written) = &mut inline {
                written.key = node.key;
            }
            Some(inline)
        }
        Inline::Node(mut node) => {
            write_inlines(&mut node.nodes, text);
            Some(Inline::Node(node))
        }
        Inline::Text(_) => Some(inline),
    }));
}

/// Calls `work` with the blocks of each note in inline content.
fn for_each_note(inlines: &mut [Inline], work: &mut dyn FnMut(&mut Vec<Block>)) {
    for inline in inlines {
        if let Inline::Node(node) = inline {
            for_each_note(&mut node.nodes, work);
            (&mut node.fragments).into_iter().for_each(|note| work(&mut note.nodes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::print;
    use crate::{StableRefs, parse};

    fn read(markdown: &str) -> Document {
        parse(markdown, &StableRefs)
    }

    fn text(document: &Document) -> String {
        print(document, &StableRefs)
    }

    #[test]
    fn conditions_are_replaced_by_their_content_or_removed() {
        let markdown = "before\n\n{% if a %}\none\n\n{% if b %}\ntwo\n{% endif %}\n{% endif %}\n\n\
                        {% if b %}\nthree\n{% endif %}\n\nafter";
        let mut document = read(markdown);
        assert!(document.nodes.iter().any(|block| block.kind == BlockKind::If), "{document:?}");
        evaluate_conditions(&mut document, &|condition| condition == "a");
        assert_eq!(text(&document), text(&read("before\n\none\n\nafter")));
        let mut document = read(markdown);
        evaluate_conditions(&mut document, &|_| true);
        assert_eq!(text(&document), text(&read("before\n\none\n\ntwo\n\nthree\n\nafter")));
    }

    #[test]
    fn expressions_become_text_wherever_they_are() {
        let mut document = read(
            "> Hello <code class=\"expression\">name</code>.\n\n* <code class=\"expression\">no</code>x",
        );
        evaluate_expressions(&mut document, &|expression| (expression == "name").then(|| "*Ada*".to_owned()));
        assert_eq!(text(&document), text(&read("> Hello \\*Ada\\*.\n\n* x")));
    }
}
