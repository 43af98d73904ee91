//! References of a document, which are resolved before rendering.

use quire_markup::document::{Children, InlineNode, TableView};
use quire_markup::openapi::{model_pointers, operation_pointer, webhook_pointers};
use quire_markup::{Block, BlockKind, ContentRef, Document, Inline, InlineKind, links};
use serde_json::Value;
use std::collections::BTreeSet;

/// Piece of a specification that a document shows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ApiPart {
    /// Specification: a stored one, a file or an address.
    pub specification: ContentRef,
    /// JSON pointers of the piece. The first that exists is used.
    pub pointers: Vec<String>,
}

/// References of a document, without duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct References {
    /// Pages, anchors, files, users and others that have a [`Target`](crate::Target).
    pub targets: BTreeSet<ContentRef>,
    /// Reusable contents, whose documents have references of their own.
    pub reusable_contents: BTreeSet<ContentRef>,
    /// Pieces of specifications.
    pub apis: BTreeSet<ApiPart>,
    /// Conditions of `if` blocks.
    pub conditions: BTreeSet<String>,
    /// Expressions in running text.
    pub expressions: BTreeSet<String>,
}

/// Returns everything that rendering a document looks up in its [`Resolver`](crate::Resolver).
#[must_use]
pub fn references(document: &Document) -> References {
    let mut wanted = References::default();
    for link in links(document) {
        match &link.reference {
            ContentRef::Url { .. } => {}
            ContentRef::ReusableContent { .. } => {
                wanted.reusable_contents.insert(link.reference);
            }
            _ => {
                wanted.targets.insert(link.reference);
            }
        }
    }
    wanted.blocks(&document.nodes);
    wanted
}

impl References {
    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(block);
            match &block.children {
                Children::Void => {}
                Children::Blocks(blocks) => self.blocks(blocks),
                Children::Inlines(nodes) => self.inlines(nodes),
            }
            block.fragments.iter().for_each(|fragment| self.blocks(&fragment.nodes));
        }
    }

    fn block(&mut self, block: &Block) {
        match block.kind {
            BlockKind::If => self.conditions.extend(block.str("expression").map(str::to_owned)),
            BlockKind::Table => self.users(block),
            BlockKind::Update => {
                let tags = block.data.get("tags").and_then(Value::as_array);
                self.targets.extend(tags.into_iter().flatten().filter_map(ContentRef::from_value));
            }
            _ => {
                let pointers = api_pointers(block);
                if let Some(specification) = block.reference().filter(|_| !pointers.is_empty()) {
                    let pointer = |pointers| ApiPart { specification: specification.clone(), pointers };
                    self.apis.extend(pointers.into_iter().map(pointer));
                }
            }
        }
    }

    /// Adds the users and files that cells refer to by id.
    fn users(&mut self, block: &Block) {
        let Some(table) = TableView::new(block) else { return };
        for (id, column) in table.columns() {
            let kind = column.get("type").and_then(Value::as_str).unwrap_or_default();
            if !matches!(kind, "users" | "files") {
                continue;
            }
            for record in table.records() {
                let value =
                    block.data.get("records").and_then(|records| records.get(record)?.get("values")?.get(id));
                let one = value.and_then(Value::as_str);
                let many = value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
                self.targets.extend(one.into_iter().chain(many).map(|id| match kind {
                    "users" => ContentRef::User { user: id.to_owned() },
                    _ => ContentRef::File { file: id.to_owned(), space: None },
                }));
            }
        }
    }

    fn inlines(&mut self, nodes: &[Inline]) {
        for node in nodes {
            if let Inline::Node(node) = node {
                self.inline(node);
            }
        }
    }

    fn inline(&mut self, node: &InlineNode) {
        if node.kind == InlineKind::Expression {
            self.expressions.extend(node.str("expression").map(str::to_owned));
        }
        self.inlines(&node.nodes);
        node.fragments.iter().for_each(|fragment| self.blocks(&fragment.nodes));
    }
}

/// Returns the JSON pointers of the pieces that a block shows, in order; empty for other types of blocks.
pub(crate) fn api_pointers(block: &Block) -> Vec<Vec<String>> {
    let text = |name: &str| block.str(name).unwrap_or_default();
    match block.kind {
        BlockKind::Swagger | BlockKind::OpenApiOperation => {
            vec![vec![operation_pointer(text("path"), text("method"))]]
        }
        BlockKind::OpenApiWebhook => vec![webhook_pointers(text("name"), text("method")).to_vec()],
        BlockKind::OpenApiSchemas => {
            let names = block.data.get("schemas").and_then(Value::as_array);
            let names = names.into_iter().flatten().filter_map(Value::as_str);
            names.map(|name| model_pointers(name).to_vec()).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quire_markup::{StableRefs, parse};

    #[test]
    fn every_question_is_listed() {
        let document = parse(
            "[a](/pages/p1) [b](https://a.example) ![](/files/f1) <code class=\"expression\">space.x</code>\n\n\
             {% include \"/reusable-contents/r1\" %}\n\n{% if visitor.a %}\nx\n{% endif %}\n\n\
             {% openapi-operation spec=\"pets\" path=\"/a\" method=\"get\" %}\n[pets](pets)\n{% endopenapi-operation %}\n\n\
             <table><thead><tr><th data-type=\"users\">A</th></tr></thead><tbody><tr><td>u1</td></tr></tbody></table>",
            &StableRefs,
        );
        let wanted = references(&document);
        let kinds: Vec<&str> = wanted.targets.iter().map(ContentRef::kind).collect();
        assert_eq!(kinds, ["file", "page", "user", "openapi"]);
        assert_eq!(wanted.reusable_contents.len(), 1);
        assert_eq!(
            wanted.apis.first().map(|api| api.pointers.clone()),
            Some(vec!["/paths/~1a/get".to_owned()])
        );
        assert_eq!(wanted.conditions.first().map(String::as_str), Some("visitor.a"));
        assert_eq!(wanted.expressions.first().map(String::as_str), Some("space.x"));
    }
}
