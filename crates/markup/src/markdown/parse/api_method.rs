//! API methods in the syntax used until 2021: `{% api-method %}` with a summary, parameters and responses in separate
//! tags. They become a heading, the address, lists of parameters and tabs of responses.

use crate::document::{Block, BlockKind, Children, Inline, Leaf, Mark, Text};
use crate::markdown::tags::Tag;
use crate::text::plain_block_text;

/// Returns the tag that must be the direct parent of a tag.
pub(super) fn parent_of(name: &str) -> Option<&'static str> {
    match name.strip_prefix("api-method-")? {
        "summary" | "description" | "spec" => Some("api-method"),
        "request" | "response" => Some("api-method-spec"),
        "response-example" => Some("api-method-response"),
        "response-example-description" => Some("api-method-response-example"),
        // Parameters may be in any of the groups.
        "parameter" => None,
        _ => Some("api-method-request"),
    }
}

/// Returns whether this is the name of a known tag.
pub(super) fn is_known(name: &str) -> bool {
    name == "api-method" || parent_of(name).is_some() || name == "api-method-parameter"
}

/// Returns the blocks of a tag with its content.
pub(super) fn build(tag: &Tag, content: Vec<Block>) -> Vec<Block> {
    match tag.name.as_str() {
        "api-method" => method(tag, content),
        "api-method-summary" => vec![summary(&content)],
        "api-method-parameter" => vec![parameter(tag, content)],
        "api-method-path-parameters" => group("Path parameters", content),
        "api-method-query-parameters" => group("Query parameters", content),
        "api-method-headers" => group("Headers", content),
        "api-method-form-data-parameters" => group("Form data", content),
        "api-method-body-parameters" => group("Body", content),
        "api-method-response" if !content.is_empty() => vec![responses(content)],
        "api-method-response-example" => vec![example(tag, content)],
        // Other tags are replaced by their content.
        _ => content,
    }
}

/// Inserts the address below the heading.
fn method(tag: &Tag, mut content: Vec<Block>) -> Vec<Block> {
    let verb = tag.get("method").unwrap_or_default().to_uppercase();
    let address = [tag.get("host"), tag.get("path")].map(Option::unwrap_or_default).concat();
    let mut line = Vec::new();
    for words in [verb, address].into_iter().filter(|words| !words.is_empty()) {
        if !line.is_empty() {
            line.push(Inline::text(" "));
        }
        line.push(code(&words));
    }
    if !line.is_empty() {
        let below = usize::from(content.first().is_some_and(|first| first.heading_rank().is_some()));
        content.insert(below, Block::paragraph(joined(line)));
    }
    content
}

fn summary(content: &[Block]) -> Block {
    let nodes = match content {
        [only] if only.kind == BlockKind::Paragraph => only.child_inlines().to_vec(),
        blocks => {
            let lines: Vec<String> = blocks.iter().map(plain_block_text).collect();
            vec![Inline::text(lines.join(" "))]
        }
    };
    Block::inlines(BlockKind::Heading2, nodes)
}

/// Returns a list of one item, to which further items are added later.
fn parameter(tag: &Tag, content: Vec<Block>) -> Block {
    let mut line = vec![code(tag.get("name").unwrap_or_default())];
    let required = tag.flag("required").unwrap_or(false).then_some("required");
    let kind = tag.get("type").filter(|kind| !kind.is_empty());
    let words: Vec<&str> = kind.into_iter().chain(required).collect();
    if !words.is_empty() {
        line.push(Inline::text(format!(" {}", words.join(", "))));
    }
    let mut item = vec![Block::paragraph(joined(line))];
    item.extend(content);
    Block::blocks(BlockKind::ListUnordered, vec![Block::blocks(BlockKind::ListItem, item)])
}

/// Returns the parameters below the name of their group, in one list.
fn group(name: &str, content: Vec<Block>) -> Vec<Block> {
    let name = Leaf { text: name.to_owned(), marks: vec![Mark::Bold] };
    let mut blocks = vec![Block::paragraph(vec![Inline::Text(Text { key: None, leaves: vec![name] })])];
    for block in content {
        match (blocks.last_mut().map(|last| (last.kind, &mut last.children)), block) {
            (
                Some((BlockKind::ListUnordered, Children::Blocks(items))),
                Block { kind: BlockKind::ListUnordered, children: Children::Blocks(more), .. },
            ) => items.extend(more),
            (_, block) => blocks.push(block),
        }
    }
    blocks
}

fn responses(content: Vec<Block>) -> Block {
    super::groups::group(BlockKind::Tabs, BlockKind::TabsItem, content)
}

fn example(tag: &Tag, content: Vec<Block>) -> Block {
    let tab = Block::blocks(BlockKind::TabsItem, content);
    match tag.get("httpCode") {
        Some(code) => tab.with("title", code),
        None => tab,
    }
}

fn code(words: &str) -> Inline {
    let leaf = Leaf { text: words.to_owned(), marks: vec![Mark::Code] };
    Inline::Text(Text { key: None, leaves: vec![leaf] })
}

/// Joins adjacent text into one node and drops empty leaves.
fn joined(nodes: Vec<Inline>) -> Vec<Inline> {
    let mut leaves = Vec::new();
    for node in nodes {
        if let Inline::Text(text) = node {
            leaves.extend(text.leaves.into_iter().filter(|leaf| !leaf.text.is_empty()));
        }
    }
    if leaves.is_empty() { Vec::new() } else { vec![Inline::Text(Text { key: None, leaves })] }
}
