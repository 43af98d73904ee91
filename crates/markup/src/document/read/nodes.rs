//! Reading of blocks and inlines.

use super::super::schema::{self, Below, Schema};
use super::super::{Block, BlockKind, Children, Inline, InlineKind, InlineNode, table};
use super::{Object, Reader};
use serde_json::Value;

impl Reader {
    /// Reads the blocks of a container of content.
    pub(super) fn content(&mut self, object: &Object, name: &str) -> Vec<Block> {
        self.array(object, name, |r, value| {
            let block = r.block(value)?;
            if !schema::is_content(block.kind) {
                r.fail(format!("`{}` is not allowed here", block.kind.as_str()));
            }
            Some(block)
        })
    }

    fn block(&mut self, value: &Value) -> Option<Block> {
        self.deeper(|r| {
            let object = r.object(value, "block")?;
            let name = r.kind(object)?;
            let Some(kind) = BlockKind::from_wire(name) else {
                r.at(".type", |r| r.fail(format!("`{name}` is not a type of block")));
                return None;
            };
            let schema = schema::of_block(kind);
            let key = r.key(object);
            let meta = r.meta(object);
            let data = r.data(object, &schema);
            r.voidness(object, &schema);
            let children = r.children(object, &schema);
            let fragments = r.fragments(object, &schema);
            if kind == BlockKind::Table {
                r.at(".data", |r| table::check(r, &data, &fragments));
            }
            let (meta, data, fragments) = (meta.map(Box::new), data.into(), fragments.into());
            Some(Block { kind, key, meta, data, children: children.compact(), fragments })
        })
    }

    fn children(&mut self, object: &Object, schema: &Schema) -> Children {
        match schema.below {
            Below::Void => Children::Void,
            Below::Inlines => Children::Inlines(self.inlines(object, None)),
            Below::Text(others) => Children::Inlines(self.inlines(object, Some(others))),
            Below::Content => Children::Blocks(self.content(object, "nodes")),
            Below::Only(kinds) => Children::Blocks(self.only(object, kinds)),
            Below::One(kinds) => {
                let blocks = self.only(object, kinds);
                if blocks.len() != 1 {
                    let message = format!("must hold exactly one `{}`", names(kinds));
                    self.at(".nodes", |r| r.fail(message));
                }
                Children::Blocks(blocks)
            }
        }
    }

    fn only(&mut self, object: &Object, kinds: &[BlockKind]) -> Vec<Block> {
        self.array(object, "nodes", |r, value| {
            let block = r.block(value)?;
            if !kinds.contains(&block.kind) {
                r.fail(format!("must be {}", names(kinds)));
            }
            Some(block)
        })
    }

    fn inlines(&mut self, object: &Object, allowed: Option<&[InlineKind]>) -> Vec<Inline> {
        self.array(object, "nodes", |r, value| r.deeper(|r| r.inline(value, allowed)))
    }

    fn inline(&mut self, value: &Value, allowed: Option<&[InlineKind]>) -> Option<Inline> {
        if value.get("object").and_then(Value::as_str) == Some("text") {
            return self.text(value).map(Inline::Text);
        }
        let object = self.object(value, "inline")?;
        let name = self.kind(object)?;
        let Some(kind) = InlineKind::from_wire(name) else {
            self.at(".type", |r| r.fail(format!("`{name}` is not a type of inline")));
            return None;
        };
        if allowed.is_some_and(|kinds| !kinds.contains(&kind)) {
            self.fail(format!("`{name}` is not allowed here"));
        }
        let schema = schema::of_inline(kind);
        self.voidness(object, &schema);
        let nodes = match schema.below {
            Below::Text(others) => self.inlines(object, Some(others)),
            _ => Vec::new(),
        };
        let node = InlineNode {
            kind,
            key: self.key(object),
            meta: self.meta(object).map(Box::new),
            data: self.data(object, &schema).into(),
            nodes,
            fragments: self.fragments(object, &schema).into(),
        };
        Some(node.into())
    }

    /// Checks `isVoid`, and that void nodes have no content.
    fn voidness(&mut self, object: &Object, schema: &Schema) {
        let is_void = schema.is_void();
        match object.get("isVoid") {
            None if schema.says_void => self.missing("isVoid"),
            None => {}
            Some(Value::Bool(stated)) if *stated == is_void => {}
            Some(_) => self.at(".isVoid", |r| r.fail(format!("must be {is_void}"))),
        }
        let has_nodes = object.get("nodes").and_then(Value::as_array).is_some_and(|nodes| !nodes.is_empty());
        if is_void && has_nodes {
            self.at(".nodes", |r| r.fail("a void node must not have nodes"));
        }
    }
}

fn names(kinds: &[BlockKind]) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    names.join(" or ")
}
