//! Normal form of documents, which omits all that Markdown does not preserve. See the README.

use quire_markup::document::{Cell, Children, Fragment, TableView, Text};
use quire_markup::{Block, BlockKind, Document, Inline, Leaf};
use serde_json::{Map, Value, json};

/// Returns the normal form of a document.
pub fn normal(document: &Document) -> Document {
    Document::new(document.nodes.iter().map(block).collect())
}

fn block(source: &Block) -> Block {
    let mut block = source.clone();
    (block.key, block.meta) = (None, None);
    block.data.retain(|_, value| !value.is_null());
    block.children = match &source.children {
        Children::Void => Children::Void,
        Children::Inlines(nodes) => Children::Inlines(inlines(nodes)),
        Children::Blocks(blocks) => Children::Blocks(blocks.iter().map(self::block).collect()),
    };
    block.fragments = fragments(&source.fragments).into();
    if block.kind == BlockKind::Image {
        block.fragments.retain(|caption| !caption.nodes.is_empty());
    }
    if block.kind == BlockKind::Table { table(&block) } else { block }
}

fn fragments(fragments: &[Fragment]) -> Vec<Fragment> {
    let fragment = |source: &Fragment| Fragment {
        key: None,
        fragment: source.fragment.clone(),
        role: source.role.clone(),
        nodes: source.nodes.iter().map(block).collect(),
    };
    fragments.iter().map(fragment).collect()
}

/// Merges adjacent text nodes, and leaves with the same marks.
fn inlines(nodes: &[Inline]) -> Vec<Inline> {
    let mut out: Vec<Inline> = Vec::new();
    for node in nodes {
        let text = match node {
            Inline::Text(text) => text,
            Inline::Node(source) => {
                let mut node = source.clone();
                (node.key, node.meta) = (None, None);
                node.data.retain(|_, value| !value.is_null());
                node.nodes = inlines(&source.nodes);
                node.fragments = fragments(&source.fragments).into();
                out.push(Inline::Node(node));
                continue;
            }
        };
        for leaf in text.leaves.iter().filter(|leaf| !leaf.text.is_empty()) {
            let mut marks = leaf.marks.clone();
            marks.sort();
            marks.dedup();
            if !matches!(out.last(), Some(Inline::Text(_))) {
                out.push(Inline::Text(Text::default()));
            }
            let Some(Inline::Text(Text { leaves, .. })) = out.last_mut() else { continue };
            match leaves.last_mut() {
                Some(last) if last.marks == marks => last.text.push_str(&leaf.text),
                _ => leaves.push(Leaf { text: leaf.text.clone(), marks }),
            }
        }
    }
    out
}

/// Returns a table with ids derived from positions. A cell without words is empty.
fn table(source: &Block) -> Block {
    let view = TableView::new(source).unwrap();
    let ids = view.columns();
    let pointer =
        |id: &str| ids.iter().position(|(column, _)| *column == id).map(|at| format!("c{}", at + 1));
    let mut definition = Map::new();
    for (id, column) in &ids {
        let mut column = column.as_object().unwrap().clone();
        column.insert("id".into(), json!(pointer(id)));
        definition.insert(pointer(id).unwrap(), column.into());
    }
    let (mut records, mut cells) = (Map::new(), Vec::new());
    for (row, record) in view.records().into_iter().enumerate() {
        let mut values = Map::new();
        for (id, _) in &ids {
            let column = pointer(id).unwrap();
            match view.cell(record, id) {
                Cell::Empty => {}
                Cell::Content(nodes) if is_blank(nodes) => {}
                Cell::Content(nodes) => {
                    let name = format!("r{}{column}", row + 1);
                    values.insert(column, name.as_str().into());
                    let cell =
                        Fragment { fragment: Some(name), nodes: nodes.to_vec(), ..Fragment::default() };
                    cells.push(cell);
                }
                _ => drop(values.insert(column, source.data["records"][record]["values"][id].clone())),
            }
        }
        let order = format!("{:06}", row + 1);
        records.insert(format!("r{}", row + 1), json!({"orderIndex": order, "values": values}));
    }
    let mut block = source.clone();
    let mut view = source.data["view"].clone();
    view["columns"] =
        view["columns"].as_array().unwrap().iter().map(|id| json!(pointer(id.as_str().unwrap()))).collect();
    block.data.insert("view".into(), view);
    block.data.insert("definition".into(), Value::Object(definition));
    block.data.insert("records".into(), Value::Object(records));
    block.fragments = cells.into();
    block
}

fn is_blank(nodes: &[Block]) -> bool {
    match nodes {
        [] => true,
        [only] => {
            only.kind == BlockKind::Paragraph && only.data.is_empty() && only.child_inlines().is_empty()
        }
        _ => false,
    }
}
