//! Wire JSON → document, with every broken rule and its place.

use super::rules::check;
use super::schema::{self, Below, Field, Fragments, Role, Schema};
use super::table;
use super::{
    Block, BlockKind, Children, Document, DocumentData, Fragment, Inline, InlineKind, InlineNode, Leaf,
    MAX_DEPTH, Mark, Text,
};
use serde_json::{Map, Value};

/// A rule of the document schema that isn't kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct DocumentError {
    /// Where, such as `document.nodes[3].nodes[0].leaves[0].text`.
    pub path: String,
    /// What is wrong, as a sentence without its full stop.
    pub message: String,
}

/// More errors than this tell the reader nothing new.
const MAX_ERRORS: usize = 50;

pub(super) fn document(value: &Value) -> Result<Document, Vec<DocumentError>> {
    let mut reader = Reader { path: "document".to_owned(), depth: 0, errors: Vec::new() };
    let document = reader.document(value);
    if reader.errors.is_empty() { Ok(document.unwrap_or_default()) } else { Err(reader.errors) }
}

/// Whether properties keep the rules of their kind of node.
pub(super) fn keeps_rules(schema: &Schema, data: &Object) -> bool {
    let mut reader = Reader { path: String::new(), depth: 0, errors: Vec::new() };
    reader.rules(data, schema);
    reader.errors.is_empty()
}

/// Whether fragments are those that these roles ask for.
pub(super) fn keeps_roles(fragments: &[Fragment], roles: &[Role]) -> bool {
    let mut reader = Reader { path: String::new(), depth: 0, errors: Vec::new() };
    reader.roles(fragments, roles);
    reader.errors.is_empty()
}

/// Reads on after an error, so that all of them are told at once; what it returns counts only if there was none.
pub(super) struct Reader {
    path: String,
    depth: usize,
    errors: Vec<DocumentError>,
}

type Object = Map<String, Value>;

impl Reader {
    pub(super) fn fail(&mut self, message: impl Into<String>) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(DocumentError { path: self.path.clone(), message: message.into() });
        }
    }

    /// Does something with the path one step longer.
    pub(super) fn at<T>(&mut self, step: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        self.path.push_str(step);
        let result = read(self);
        self.path.truncate(length);
        result
    }

    fn document(&mut self, value: &Value) -> Option<Document> {
        let object = self.object(value, "document")?;
        let extra = self.at(".data", |r| match object.get("data") {
            Some(Value::Object(data)) => {
                let mut extra = data.clone();
                match extra.remove("schemaVersion") {
                    None => {}
                    Some(Value::Number(version)) if version.is_u64() => {}
                    Some(_) => r.at(".schemaVersion", |r| r.fail("must be a whole number")),
                }
                r.no_nul(&Value::Object(extra.clone()), 0);
                extra
            }
            _ => {
                r.fail("must be an object");
                Object::new()
            }
        });
        let nodes = self.content(object, "nodes");
        Some(Document { data: DocumentData { extra }, nodes })
    }

    /// An object with the right `object` member.
    fn object<'v>(&mut self, value: &'v Value, kind: &str) -> Option<&'v Object> {
        let Value::Object(object) = value else {
            self.fail("must be an object");
            return None;
        };
        if object.get("object").and_then(Value::as_str) != Some(kind) {
            self.at(".object", |r| r.fail(format!("must be `{kind}`")));
            return None;
        }
        Some(object)
    }

    /// Reads the members of an array with their places.
    fn array<T>(
        &mut self,
        object: &Object,
        name: &str,
        mut read: impl FnMut(&mut Self, &Value) -> Option<T>,
    ) -> Vec<T> {
        self.at(&format!(".{name}"), |r| {
            let Some(Value::Array(values)) = object.get(name) else {
                r.fail("must be an array");
                return Vec::new();
            };
            let items = values.iter().enumerate();
            items.filter_map(|(index, value)| r.at(&format!("[{index}]"), |r| read(r, value))).collect()
        })
    }

    fn content(&mut self, object: &Object, name: &str) -> Vec<Block> {
        self.array(object, name, |r, value| {
            let block = r.block(value)?;
            if !schema::is_content(block.kind) {
                r.fail(format!("`{}` can't stand here", block.kind.as_str()));
            }
            Some(block)
        })
    }

    /// Goes one level down, unless that is too deep.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.fail(format!("nested more than {MAX_DEPTH} levels deep"));
            return None;
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
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
            let key = r.optional_text(object, "key");
            let meta = r.meta(object);
            let data = r.data(object, &schema);
            r.voidness(object, &schema);
            let children = match schema.below {
                Below::Void => Children::Void,
                Below::Inlines => Children::Inlines(r.inlines(object, None)),
                Below::Text(others) => Children::Inlines(r.inlines(object, Some(others))),
                Below::Content => Children::Blocks(r.content(object, "nodes")),
                Below::Only(kinds) => Children::Blocks(r.only(object, kinds)),
            };
            let fragments = r.fragments(object, &schema);
            if let (BlockKind::Prompt, Children::Blocks(blocks)) = (kind, &children)
                && blocks.len() != 1
            {
                r.at(".nodes", |r| r.fail("must hold exactly one `code`"));
            }
            if kind == BlockKind::Table {
                r.at(".data", |r| table::check(r, &data, &fragments));
            }
            Some(Block { kind, key, meta, data, children, fragments })
        })
    }

    fn only(&mut self, object: &Object, kinds: &[BlockKind]) -> Vec<Block> {
        self.array(object, "nodes", |r, value| {
            let block = r.block(value)?;
            if !kinds.contains(&block.kind) {
                let names: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
                r.fail(format!("must be {}", names.join(" or ")));
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
            self.fail(format!("`{name}` can't stand here"));
        }
        let schema = schema::of_inline(kind);
        self.voidness(object, &schema);
        let nodes = match schema.below {
            Below::Text(others) => self.inlines(object, Some(others)),
            _ => Vec::new(),
        };
        Some(Inline::Node(InlineNode {
            kind,
            key: self.optional_text(object, "key"),
            meta: self.meta(object),
            data: self.data(object, &schema),
            nodes,
            fragments: self.fragments(object, &schema),
        }))
    }

    fn text(&mut self, value: &Value) -> Option<Text> {
        let object = self.object(value, "text")?;
        let key = self.optional_text(object, "key");
        Some(Text { key, leaves: self.array(object, "leaves", Self::leaf) })
    }

    fn leaf(&mut self, value: &Value) -> Option<Leaf> {
        let object = self.object(value, "leaf")?;
        let text = self.required_text(object, "text");
        let marks =
            if object.contains_key("marks") { self.array(object, "marks", Self::mark) } else { Vec::new() };
        Some(Leaf { text, marks })
    }

    fn mark(&mut self, value: &Value) -> Option<Mark> {
        let object = self.object(value, "mark")?;
        let mark = match self.kind(object)? {
            "bold" => Mark::Bold,
            "italic" => Mark::Italic,
            "code" => Mark::Code,
            "keyboard" => Mark::Keyboard,
            "strikethrough" => Mark::Strikethrough,
            "superscript" => Mark::Superscript,
            "subscript" => Mark::Subscript,
            "color" => return self.at(".data", |r| r.color(object.get("data"))),
            name => {
                self.at(".type", |r| r.fail(format!("`{name}` is not a type of mark")));
                return None;
            }
        };
        Some(mark)
    }

    fn color(&mut self, data: Option<&Value>) -> Option<Mark> {
        let Some(Value::Object(data)) = data else {
            self.fail("must be an object");
            return None;
        };
        let (text, background) = (self.required_text(data, "text"), self.required_text(data, "background"));
        for (name, value) in [(".text", &text), (".background", &background)] {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '$' | '#' | '-');
            if value.is_empty() || !value.chars().all(plain) {
                self.at(name, |r| r.fail("must be the name of a color"));
            }
        }
        Some(Mark::Color { text, background })
    }

    fn kind<'v>(&mut self, object: &'v Object) -> Option<&'v str> {
        let kind = object.get("type").and_then(Value::as_str);
        if kind.is_none() {
            self.at(".type", |r| r.fail("must be a string"));
        }
        kind
    }

    fn voidness(&mut self, object: &Object, schema: &Schema) {
        match object.get("isVoid") {
            None => {}
            Some(Value::Bool(stated)) if *stated == schema.is_void() => {}
            Some(_) => {
                let right = schema.is_void();
                self.at(".isVoid", |r| r.fail(format!("must be {right}")));
            }
        }
        let has_nodes = object.get("nodes").and_then(Value::as_array).is_some_and(|nodes| !nodes.is_empty());
        if schema.is_void() && has_nodes {
            self.at(".nodes", |r| r.fail("a void node has no nodes"));
        }
    }

    fn fragments(&mut self, object: &Object, schema: &Schema) -> Vec<Fragment> {
        let required = match schema.fragments {
            Fragments::None => return Vec::new(),
            Fragments::Roles(roles) => roles.iter().any(|role| role.required),
            Fragments::Cells => false,
        };
        if !required && !object.contains_key("fragments") {
            return Vec::new();
        }
        let fragments = self.array(object, "fragments", Self::fragment);
        if let Fragments::Roles(roles) = schema.fragments {
            self.at(".fragments", |r| r.roles(&fragments, roles));
        }
        fragments
    }

    fn roles(&mut self, fragments: &[Fragment], roles: &[Role]) {
        for (index, fragment) in fragments.iter().enumerate() {
            if !roles.iter().any(|role| fragment.role.as_deref() == Some(role.name)) {
                let names: Vec<&str> = roles.iter().map(|role| role.name).collect();
                self.at(&format!("[{index}].type"), |r| r.fail(format!("must be {}", names.join(" or "))));
            }
        }
        for role in roles {
            let found = fragments.iter().filter(|fragment| fragment.role.as_deref() == Some(role.name));
            let found: Vec<&Fragment> = found.collect();
            if found.len() > 1 || (role.required && found.is_empty()) {
                self.fail(format!("must hold one `{}`", role.name));
            }
            let is_line = |f: &&Fragment| matches!(f.nodes.as_slice(), [b] if b.kind == BlockKind::Paragraph);
            if role.line && !found.iter().all(is_line) {
                self.fail(format!("`{}` must hold exactly one paragraph", role.name));
            }
        }
    }

    fn fragment(&mut self, value: &Value) -> Option<Fragment> {
        let object = self.object(value, "fragment")?;
        Some(Fragment {
            key: self.optional_text(object, "key"),
            fragment: self.optional_text(object, "fragment"),
            role: self.optional_text(object, "type"),
            nodes: self.content(object, "nodes"),
        })
    }

    fn data(&mut self, object: &Object, schema: &Schema) -> Object {
        self.at(".data", |r| {
            let data = match object.get("data") {
                None | Some(Value::Null) => Object::new(),
                Some(Value::Object(data)) => data.clone(),
                Some(_) => {
                    r.fail("must be an object");
                    return Object::new();
                }
            };
            r.rules(&data, schema);
            data
        })
    }

    /// Checks properties.
    fn rules(&mut self, data: &Object, schema: &Schema) {
        for field in schema.data {
            self.field(data, field);
        }
        for (name, value) in data {
            let known = schema.data.iter().any(|field| field.name == name);
            if schema.closed && !known {
                self.at(&format!(".{name}"), |r| r.fail("is not a property of this node"));
            }
            self.at(&format!(".{name}"), |r| {
                r.text_without_nul(name);
                r.no_nul(value, 0);
            });
        }
    }

    fn field(&mut self, data: &Object, field: &Field) {
        self.at(&format!(".{}", field.name), |r| match data.get(field.name) {
            None if field.required => r.fail("is missing"),
            None => {}
            Some(value) => {
                if let Err(message) = check(value, field.rule) {
                    r.fail(message);
                }
            }
        });
    }

    fn meta(&mut self, object: &Object) -> Option<Object> {
        match object.get("meta")? {
            Value::Object(meta) => {
                self.at(".meta", |r| r.no_nul(&Value::Object(meta.clone()), 0));
                Some(meta.clone())
            }
            _ => {
                self.at(".meta", |r| r.fail("must be an object"));
                None
            }
        }
    }

    fn required_text(&mut self, object: &Object, name: &str) -> String {
        match object.get(name) {
            Some(Value::String(text)) => {
                self.at(&format!(".{name}"), |r| r.text_without_nul(text));
                text.clone()
            }
            _ => {
                self.at(&format!(".{name}"), |r| r.fail("must be a string"));
                String::new()
            }
        }
    }

    fn optional_text(&mut self, object: &Object, name: &str) -> Option<String> {
        object.contains_key(name).then(|| self.required_text(object, name))
    }

    fn text_without_nul(&mut self, text: &str) {
        if text.contains('\0') {
            self.fail("must not contain NUL");
        }
    }

    /// Looks through free-form JSON, whose nesting is bounded like that of nodes.
    fn no_nul(&mut self, value: &Value, depth: usize) {
        if depth > MAX_DEPTH {
            self.fail(format!("nested more than {MAX_DEPTH} levels deep"));
            return;
        }
        match value {
            Value::String(text) => self.text_without_nul(text),
            Value::Array(values) => values.iter().for_each(|value| self.no_nul(value, depth + 1)),
            Value::Object(object) => {
                for (name, value) in object {
                    self.text_without_nul(name);
                    self.no_nul(value, depth + 1);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
