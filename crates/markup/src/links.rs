//! Links of a document.

use crate::document::{
    Block, BlockKind, Children, ContentRef, Document, Inline, InlineKind, InlineNode, Rare, TableView,
};
use crate::markdown::{HrefKind, RefResolver};
use crate::paths;
use crate::text::inline_text;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// A reference in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentLink {
    /// Target.
    pub reference: ContentRef,
    /// Relation of the document to the target.
    pub relation: Relation,
    /// Text of the link.
    pub text: String,
    /// Block that contains the link: its key, or its path as in [`node_keys`](crate::node_keys).
    pub node: String,
    /// Index of the innermost `if` block that contains the link, in document order.
    pub condition: Option<usize>,
}

/// Condition of an `if` block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkCondition {
    /// Expression; `None` for a block without one, which is never shown.
    pub expression: Option<String>,
    /// Index of the `if` block that contains this one.
    pub parent: Option<usize>,
}

/// Relation of a document to its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The document links to the target.
    Reference,
    /// The document shows the target: an image, a file, reusable content, a specification.
    DependsOn,
}

impl Relation {
    /// Returns the name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::DependsOn => "dependsOn",
        }
    }
}

/// Returns every reference of a document, in document order.
#[must_use]
pub fn links(document: &Document) -> Vec<DocumentLink> {
    links_and_conditions(document).0
}

/// Returns every reference of a document, and the conditions of its `if` blocks, both in document order.
#[must_use]
pub fn links_and_conditions(document: &Document) -> (Vec<DocumentLink>, Vec<LinkCondition>) {
    let mut finder = Finder::default();
    finder.blocks(&document.nodes, "");
    (finder.found, finder.conditions)
}

/// Position within the text of a block.
struct Line<'p> {
    /// Key or path of the block.
    node: &'p str,
    /// Path of the block.
    path: &'p str,
    /// Number of notes in the block so far.
    notes: usize,
}

#[derive(Default)]
struct Finder {
    found: Vec<DocumentLink>,
    conditions: Vec<LinkCondition>,
    /// Index of the innermost `if` block.
    condition: Option<usize>,
}

impl Finder {
    fn add(&mut self, reference: Option<&Value>, relation: Relation, text: &str, node: &str) {
        if let Some(reference) = reference.and_then(ContentRef::from_value) {
            self.found.push(DocumentLink {
                reference,
                relation,
                text: text.to_owned(),
                node: node.to_owned(),
                condition: self.condition,
            });
        }
    }

    fn blocks(&mut self, blocks: &[Block], parent: &str) {
        for (index, block) in blocks.iter().enumerate() {
            self.block(block, &paths::of_child(parent, index));
        }
    }

    fn block(&mut self, block: &Block, path: &str) {
        let outer = self.condition;
        if block.kind == BlockKind::If {
            let expression = block.str("expression").map(str::to_owned);
            self.condition = Some(self.conditions.len());
            self.conditions.push(LinkCondition { expression, parent: outer });
        }
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
        self.condition = outer;
    }

    /// Adds the cells that are references or lists of file ids.
    fn cells(&mut self, table: &TableView<'_>, block: &Block, node: &str) {
        let columns = table.columns();
        for record in table.records() {
            for (id, _) in &columns {
                let value = cell_value(block, record, id);
                let kind = column_type(block, id);
                // An image may be wrapped with its attributes.
                let image = value.and_then(Value::as_object).filter(|image| image.contains_key("ref"));
                let alt = image.and_then(|image| image.get("alt")).and_then(Value::as_str);
                let is_shown = image.is_some() || kind == Some("image");
                let relation = if is_shown { Relation::DependsOn } else { Relation::Reference };
                let reference = image.and_then(|image| image.get("ref")).or(value);
                self.add(reference, relation, alt.unwrap_or_default(), node);
                if kind == Some("files") {
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

/// Replaces references. `change` returns the new reference, or `None` to keep it. Addresses of embeds are kept. Ids in
/// files cells only change if the new reference is a file too.
pub fn rewrite_refs(document: &mut Document, change: &mut dyn FnMut(&ContentRef) -> Option<ContentRef>) {
    rewrite_blocks(&mut document.nodes, change);
}

/// Resolves the addresses of links, mentions, buttons, content blocks and reference cells. Images and files are
/// unchanged.
///
/// The result equals parsing with `refs` if the document was parsed with a resolver that returns `None` for links.
pub fn resolve_links(document: &mut Document, refs: &dyn RefResolver) {
    resolve_blocks(&mut document.nodes, refs);
}

fn resolve_blocks(blocks: &mut [Block], refs: &dyn RefResolver) {
    for block in blocks {
        match block.kind {
            BlockKind::ContentRef => resolve_data(&mut block.data, HrefKind::ContentRef, refs),
            BlockKind::Table => resolve_cells(block, refs),
            _ => {}
        }
        match &mut block.children {
            Children::Inlines(nodes) => resolve_inlines(nodes, refs),
            Children::Blocks(nodes) => resolve_blocks(nodes, refs),
            Children::Void => {}
        }
        (&mut block.fragments).into_iter().for_each(|fragment| resolve_blocks(&mut fragment.nodes, refs));
    }
}

fn resolve_inlines(nodes: &mut [Inline], refs: &dyn RefResolver) {
    for inline in nodes {
        let Inline::Node(node) = inline else { continue };
        if matches!(node.kind, InlineKind::Link | InlineKind::Mention | InlineKind::Button) {
            resolve_data(&mut node.data, HrefKind::Link, refs);
        }
        resolve_inlines(&mut node.nodes, refs);
        (&mut node.fragments).into_iter().for_each(|fragment| resolve_blocks(&mut fragment.nodes, refs));
    }
}

fn resolve_data(data: &mut Rare<Map<String, Value>>, kind: HrefKind, refs: &dyn RefResolver) {
    if let Some(value) = data.present_mut().and_then(|data| data.get_mut("ref")) {
        resolve_value(value, kind, refs);
    }
}

fn resolve_value(value: &mut Value, kind: HrefKind, refs: &dyn RefResolver) {
    rewrite_value(value, &mut |reference| match reference {
        ContentRef::Url { url } => refs.resolve(url, kind),
        _ => None,
    });
}

fn resolve_cells(block: &mut Block, refs: &dyn RefResolver) {
    let columns = columns_of_type(block, "content-ref");
    for_each_cell(block, &mut |column, value| {
        if columns.contains(column) {
            resolve_value(value, HrefKind::ContentRef, refs);
        }
    });
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

fn rewrite_data(data: &mut Rare<Map<String, Value>>, change: Change<'_>) {
    let Some(data) = data.present_mut() else { return };
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
    let files = columns_of_type(block, "files");
    for_each_cell(block, &mut |column, value| {
        match value.get_mut("ref") {
            Some(image) => rewrite_value(image, change),
            None => rewrite_value(value, change),
        }
        if files.contains(column) {
            rewrite_files(value, change);
        }
    });
}

/// Returns the ids of a table's columns of one type.
fn columns_of_type(block: &Block, wanted: &str) -> BTreeSet<String> {
    let is_wanted = |column: &Value| column.get("type").and_then(Value::as_str) == Some(wanted);
    let definition = block.data.get("definition").and_then(Value::as_object).into_iter().flatten();
    definition.filter(|(_, column)| is_wanted(column)).map(|(id, _)| id.clone()).collect()
}

/// Calls `work` with the column id and the value of each cell.
fn for_each_cell(block: &mut Block, work: &mut dyn FnMut(&str, &mut Value)) {
    let Some(records) = block.data.get_mut("records").and_then(Value::as_object_mut) else { return };
    for record in records.values_mut() {
        let Some(values) = record.get_mut("values").and_then(Value::as_object_mut) else { continue };
        values.iter_mut().for_each(|(column, value)| work(column, value));
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
