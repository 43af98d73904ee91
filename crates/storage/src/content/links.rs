//! The references of documents, written once when a document is stored.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Integer, Jsonb, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::SpaceId;
use serde_json::Value;
use uuid::Uuid;

use super::NewDocument;
use crate::Result;
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;

statements! {
    InsertLinks = "INSERT INTO document_links (space_id, document_id, ordinal, reference, relation, target_kind, target_id, node) \
                   SELECT $1, l.document_id, l.ordinal, l.reference, l.relation, l.target_kind, l.target_id, l.node \
                   FROM unnest($2, $3, $4, $5, $6, $7, $8) \
                   AS l (document_id, ordinal, reference, relation, target_kind, target_id, node)";
}

/// The columns of the links, one vector each.
#[derive(Default)]
struct LinkColumns<'a> {
    documents: Vec<Vec<u8>>,
    ordinals: Vec<i32>,
    references: Vec<&'a Value>,
    relations: Vec<&'static str>,
    kinds: Vec<String>,
    targets: Vec<Option<Uuid>>,
    nodes: Vec<Option<&'a str>>,
}

impl Tx<'_> {
    pub(super) fn store_links<'d>(
        &mut self,
        space: SpaceId,
        documents: impl Iterator<Item = &'d NewDocument>,
    ) -> Result<()> {
        let mut columns = LinkColumns::default();
        for document in documents {
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
        if columns.ordinals.is_empty() {
            return Ok(());
        }
        InsertLinks::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<Array<Binary>, _>(columns.documents),
            val::<Array<Integer>, _>(columns.ordinals),
            val::<Array<Jsonb>, _>(columns.references),
            val::<Array<Text>, _>(columns.relations),
            val::<Array<Text>, _>(columns.kinds),
            val::<Array<Nullable<SqlUuid>>, _>(columns.targets),
            val::<Array<Nullable<Text>>, _>(columns.nodes),
        ))
        .execute(self.connection)?;
        Ok(())
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
