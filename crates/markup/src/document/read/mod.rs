//! Reader of wire JSON that reports every broken rule with its path.

use crate::limits::document::MAX_ERRORS;
mod data;
mod fragments;
mod nodes;
mod text;
mod values;

use super::depth_limit::levels;
use super::schema::Role;
use super::{BlockKind, Document, DocumentData, Fragment, InlineKind, MAX_DEPTH, MAX_LEVELS, schema};
use serde_json::{Map, Value};

/// A violation of the document schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct DocumentError {
    /// Path, such as `document.nodes[3].nodes[0].leaves[0].text`.
    pub path: String,
    /// Description of the violation: a sentence without a full stop.
    pub message: String,
}

type Object = Map<String, Value>;

pub(super) fn document(value: &Value) -> Result<Document, Vec<DocumentError>> {
    let mut reader = Reader { path: "document".to_owned(), ..Reader::default() };
    let document = reader.document(value);
    if reader.errors.is_empty() { Ok(document.unwrap_or_default()) } else { Err(reader.errors) }
}

/// Returns whether the properties of a block, with its fragments, satisfy the rules of its kind.
pub(super) fn keeps_rules(kind: BlockKind, data: &Object, fragments: &[Fragment]) -> bool {
    let mut reader = Reader::default();
    reader.rules(data, &schema::of_block(kind));
    if kind == BlockKind::Table {
        super::table::check(&mut reader, data, fragments);
    }
    reader.errors.is_empty()
}

/// Returns whether the properties of an inline satisfy the rules of its kind.
pub(super) fn keeps_inline_rules(kind: InlineKind, data: &Object) -> bool {
    let mut reader = Reader::default();
    reader.rules(data, &schema::of_inline(kind));
    reader.errors.is_empty()
}

/// Returns whether the fragments match these roles.
pub(super) fn keeps_roles(fragments: &[Fragment], roles: &[Role]) -> bool {
    let mut reader = Reader::default();
    reader.roles(fragments, roles);
    reader.errors.is_empty()
}

/// Reader that continues after an error, to report all errors at once. Its result is only valid if there was no error.
#[derive(Default)]
pub(super) struct Reader {
    path: String,
    depth: usize,
    errors: Vec<DocumentError>,
}

impl Reader {
    /// Adds an error at the current path.
    pub(super) fn fail(&mut self, message: impl Into<String>) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(DocumentError { path: self.path.clone(), message: message.into() });
        }
    }

    /// Runs `read` with the path extended by one step.
    pub(super) fn at<T>(&mut self, step: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        self.path.push_str(step);
        let result = read(self);
        self.path.truncate(length);
        result
    }

    /// Reads one level deeper, or fails at the maximum depth.
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

    fn document(&mut self, value: &Value) -> Option<Document> {
        if levels(value) > MAX_LEVELS {
            self.fail(format!("nested more than {MAX_LEVELS} levels of JSON deep"));
            return None;
        }
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
        let document = Document { data: DocumentData { extra }, nodes };
        if let Some(excess) = document.excess() {
            self.fail(excess.to_string());
        }
        Some(document)
    }
}
