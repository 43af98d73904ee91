//! The references of documents, as rows.

use std::collections::HashSet;

use serde_json::Value;
use uuid::Uuid;

use super::NewDocument;

/// The columns of the links, one vector each.
#[derive(Default)]
pub(super) struct LinkColumns<'a> {
    pub(super) documents: Vec<Vec<u8>>,
    pub(super) ordinals: Vec<i32>,
    pub(super) references: Vec<&'a Value>,
    pub(super) relations: Vec<&'static str>,
    pub(super) kinds: Vec<String>,
    pub(super) targets: Vec<Option<Uuid>>,
    pub(super) nodes: Vec<Option<&'a str>>,
}

impl<'a> LinkColumns<'a> {
    /// The links of documents. Two pages of one commit may have the same document: its links are written once.
    pub(super) fn of(documents: &'a [NewDocument]) -> Self {
        let mut columns = Self::default();
        let mut seen = HashSet::with_capacity(documents.len());
        for document in documents.iter().filter(|document| seen.insert(document.id())) {
            for (ordinal, link) in (0_i32..).zip(&document.links) {
                let (kind, target) = target(&link.reference);
                columns.documents.push(document.id().as_bytes().to_vec());
                columns.ordinals.push(ordinal);
                columns.references.push(&link.reference);
                columns.relations.push(if link.depends_on { "dependsOn" } else { "reference" });
                columns.kinds.push(kind);
                columns.targets.push(target);
                columns.nodes.push(link.node.as_deref());
            }
        }
        columns
    }
}

/// The kind of a reference, and the id of its target within the space, by which backlinks are found.
fn target(reference: &Value) -> (String, Option<Uuid>) {
    let text = |key: &str| reference.get(key).and_then(Value::as_str);
    let kind = text("kind").unwrap_or("url");
    let id = match kind {
        "page" | "anchor" => text("page"),
        "file" => text("file"),
        "reusable-content" => text("reusableContent"),
        "space" => text("space"),
        "collection" => text("collection"),
        "user" => text("user"),
        _ => None,
    };
    (kind.to_owned(), id.and_then(|id| Uuid::parse_str(id).ok()))
}
