//! The links of a document.

use crate::document::{
    Block, BlockKind, Children, ContentRef, Document, Inline, InlineKind, InlineNode, TableView,
};
use crate::paths;
use crate::text::inline_text;
use serde_json::{Map, Value};

/// A reference that a document makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentLink {
    /// Where it leads.
    pub reference: ContentRef,
    /// How much the document needs it.
    pub relation: Relation,
    /// The words that stand for it.
    pub text: String,
    /// The block it is in: its key, or its place, as [`node_keys`](crate::node_keys) has it.
    pub node: String,
}

/// How much a document needs what it refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// It leads there.
    Reference,
    /// It shows it: an image, a file, reusable content, a specification.
    DependsOn,
}

impl Relation {
    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::DependsOn => "dependsOn",
        }
    }
}

/// Every reference of a document, in document order.
#[must_use]
pub fn links(document: &Document) -> Vec<DocumentLink> {
    let mut found = Finder { found: Vec::new() };
    found.blocks(&document.nodes, "");
    found.found
}

/// The words of a block.
struct Line<'p> {
    /// What the block is addressed by.
    node: &'p str,
    /// Its place.
    path: &'p str,
    /// How many notes there were in it so far.
    notes: usize,
}

struct Finder {
    found: Vec<DocumentLink>,
}

impl Finder {
    fn add(&mut self, reference: Option<&Value>, relation: Relation, text: &str, node: &str) {
        if let Some(reference) = reference.and_then(ContentRef::from_value) {
            self.found.push(DocumentLink {
                reference,
                relation,
                text: text.to_owned(),
                node: node.to_owned(),
            });
        }
    }

    fn blocks(&mut self, blocks: &[Block], parent: &str) {
        for (index, block) in blocks.iter().enumerate() {
            self.block(block, &paths::of_child(parent, index));
        }
    }

    fn block(&mut self, block: &Block, path: &str) {
        let node = block.key.as_deref().unwrap_or(path);
        let relation =
            if block.kind == BlockKind::ContentRef { Relation::Reference } else { Relation::DependsOn };
        let text = block.str("alt").or_else(|| block.str("title")).unwrap_or_default();
        self.add(block.data.get("ref"), relation, text, node);
        self.add(block.data.get("refDark"), relation, text, node);
        if let (BlockKind::Embed, Some(url)) = (block.kind, block.str("url")) {
            self.add(Some(&ContentRef::url(url).to_value()), Relation::Reference, "", node);
        }
        match &block.children {
            Children::Inlines(nodes) => self.inlines(nodes, &mut Line { node, path, notes: 0 }),
            Children::Blocks(nodes) => self.blocks(nodes, path),
            Children::Void => {}
        }
        if let Some(table) = TableView::new(block) {
            self.cells(&table, block, node);
        }
        for (index, fragment) in block.fragments.iter().enumerate() {
            self.blocks(&fragment.nodes, &paths::of_fragment(path, index));
        }
    }

    /// The cells that are references, or lists of file ids.
    fn cells(&mut self, table: &TableView<'_>, block: &Block, node: &str) {
        let columns = table.columns();
        for record in table.records() {
            for (id, _) in &columns {
                let value = cell_value(block, record, id);
                self.add(value, Relation::Reference, "", node);
                if column_type(block, id) == Some("files") {
                    for file in
                        value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
                    {
                        let file = ContentRef::File { file: file.to_owned(), space: None };
                        self.add(Some(&file.to_value()), Relation::DependsOn, "", node);
                    }
                }
            }
        }
    }

    fn inlines(&mut self, nodes: &[Inline], line: &mut Line<'_>) {
        for inline in nodes {
            if let Inline::Node(inline) = inline {
                self.inline(inline, line);
            }
        }
    }

    fn inline(&mut self, inline: &InlineNode, line: &mut Line<'_>) {
        let relation = match inline.kind {
            InlineKind::InlineImage => Relation::DependsOn,
            _ => Relation::Reference,
        };
        let own_text = ["label", "alt", "caption", "text"].iter().find_map(|name| inline.str(name));
        let text = own_text.map_or_else(|| inline_text(&inline.nodes), str::to_owned);
        self.add(inline.data.get("ref"), relation, &text, line.node);
        self.add(inline.data.get("refDark"), relation, &text, line.node);
        self.inlines(&inline.nodes, line);
        for note in &inline.fragments {
            let path = paths::of_note(line.path, line.notes);
            line.notes += 1;
            self.blocks(&note.nodes, &path);
        }
    }
}

fn cell_value<'b>(block: &'b Block, record: &str, column: &str) -> Option<&'b Value> {
    block.data.get("records")?.get(record)?.get("values")?.get(column)
}

fn column_type<'b>(block: &'b Block, column: &str) -> Option<&'b str> {
    block.data.get("definition")?.get(column)?.get("type")?.as_str()
}

/// Replaces references wherever they stand: `change` gives the new one, or `None` to leave it. Addresses of embeds stay as they are;
/// ids in files cells change when the new reference is a file too.
pub fn rewrite_refs(document: &mut Document, change: &mut dyn FnMut(&ContentRef) -> Option<ContentRef>) {
    rewrite_blocks(&mut document.nodes, change);
}

type Change<'c> = &'c mut dyn FnMut(&ContentRef) -> Option<ContentRef>;

fn rewrite_blocks(blocks: &mut [Block], change: Change<'_>) {
    for block in blocks {
        rewrite_data(&mut block.data, change);
        if block.kind == BlockKind::Table {
            rewrite_cells(block, change);
        }
        match &mut block.children {
            Children::Inlines(nodes) => rewrite_inlines(nodes, change),
            Children::Blocks(nodes) => rewrite_blocks(nodes, change),
            Children::Void => {}
        }
        for fragment in &mut block.fragments {
            rewrite_blocks(&mut fragment.nodes, change);
        }
    }
}

fn rewrite_inlines(nodes: &mut [Inline], change: Change<'_>) {
    for inline in nodes {
        if let Inline::Node(node) = inline {
            rewrite_data(&mut node.data, change);
            rewrite_inlines(&mut node.nodes, change);
            for fragment in &mut node.fragments {
                rewrite_blocks(&mut fragment.nodes, change);
            }
        }
    }
}

fn rewrite_data(data: &mut Map<String, Value>, change: Change<'_>) {
    for name in ["ref", "refDark"] {
        if let Some(value) = data.get_mut(name) {
            rewrite_value(value, change);
        }
    }
}

fn rewrite_value(value: &mut Value, change: Change<'_>) {
    if let Some(new) = ContentRef::from_value(value).and_then(|reference| change(&reference)) {
        *value = new.to_value();
    }
}

fn rewrite_cells(block: &mut Block, change: Change<'_>) {
    let is_files = |column: &Value| column.get("type").and_then(Value::as_str) == Some("files");
    let definition = block.data.get("definition").and_then(Value::as_object);
    let files: Vec<String> = definition
        .into_iter()
        .flatten()
        .filter(|(_, column)| is_files(column))
        .map(|(id, _)| id.clone())
        .collect();
    let Some(records) = block.data.get_mut("records").and_then(Value::as_object_mut) else { return };
    for record in records.values_mut() {
        let Some(values) = record.get_mut("values").and_then(Value::as_object_mut) else { continue };
        for (column, value) in values {
            rewrite_value(value, change);
            if files.contains(column) {
                rewrite_files(value, change);
            }
        }
    }
}

fn rewrite_files(value: &mut Value, change: Change<'_>) {
    for name in value.as_array_mut().into_iter().flatten() {
        let Some(file) = name.as_str() else { continue };
        let reference = ContentRef::File { file: file.to_owned(), space: None };
        if let Some(ContentRef::File { file, .. }) = change(&reference) {
            *name = file.into();
        }
    }
}
