//! Tags in the content of a revision.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use quire_domain::ids::{DocumentId, SpaceId};
use quire_revision::Tree;
use serde_json::Value;

use super::document_id;
use crate::Result;
use crate::content::store::ContentPoint;
use crate::lookup::Authorized;
use crate::schema::documents;
use crate::transaction::Reader;

impl Reader<'_> {
    /// Returns the tags in the documents of a tree, except those of other spaces. Takes one statement, which reads the
    /// few documents of the space with tags.
    pub fn tags(&mut self, content: &Authorized<impl ContentPoint>, tree: &Tree) -> Result<BTreeSet<String>> {
        let space = content.space();
        let rows: Vec<(Vec<u8>, Option<Value>)> = documents::table
            .filter(documents::space_id.eq(space))
            .filter(documents::tags.is_not_null())
            .select((documents::id, documents::tags))
            .load(self.connection)?;
        if rows.is_empty() {
            return Ok(BTreeSet::new());
        }
        let mut tagged: HashMap<DocumentId, Value> = HashMap::with_capacity(rows.len());
        for (id, tags) in rows {
            tagged.insert(document_id(&id)?, tags.unwrap_or_default());
        }
        let pages = tree.pages().filter_map(|page| page.document);
        let reusable = tree.reusable_contents().filter_map(|content| content.document);
        let tags = pages.chain(reusable).filter_map(|id| tagged.get(&id)?.as_array()).flatten();
        Ok(tags.filter_map(|tag| tag_in(space, tag)).collect())
    }
}

/// Returns the tag of this space to which a reference refers.
fn tag_in(space: SpaceId, reference: &Value) -> Option<String> {
    let text = |key: &str| reference.get(key).and_then(Value::as_str);
    let is_here = text("space").is_none_or(|other| other.parse() == Ok(space));
    text("tag").filter(|_| is_here).map(str::to_owned)
}
