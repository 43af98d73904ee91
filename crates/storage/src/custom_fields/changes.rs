//! The history of values: what became of them while a revision was the head of its space.
//!
//! Values stand beside the content, and setting one makes no revision. So that the history of a space tells of them all the
//! same, a change is noted with the revision that is the head just then, and told with the one that follows it: it happened
//! between the two. Once a revision is followed by another nothing is noted with it any more, so what is told of a revision
//! never changes.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, Jsonb, Nullable, Text, Uuid as SqlUuid};
use quire_domain::revisions::{CustomFieldValue, CustomFieldValues, Delta};
use serde_json::Value;

use crate::Result;
use crate::lookup::{Authorized, ContentAt, SpaceRecord};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};

statements! {
    // The first note keeps what was before, each next one says what is after.
    NoteChanges = "INSERT INTO custom_field_changes (space_id, revision_id, name, before, after) \
                   SELECT $1, $2, n.name, n.before, n.after FROM unnest($3, $4, $5) AS n (name, before, after) \
                   ON CONFLICT (space_id, revision_id, name) DO UPDATE SET after = excluded.after";
    // A change request's revisions follow the main content's, too, but have no values of their own.
    ListChanges = "SELECT f.name, f.before, f.after FROM custom_field_changes f \
                   JOIN revisions r ON r.space_id = f.space_id AND r.parents[1] = f.revision_id AND r.change_request_id IS NULL \
                   WHERE r.space_id = $1 AND r.id = $2 AND f.before IS DISTINCT FROM f.after ORDER BY f.name";
}

#[derive(QueryableByName)]
struct ChangeRow {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Nullable<Jsonb>)]
    before: Option<Value>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    after: Option<Value>,
}

impl Reader<'_> {
    /// The values of custom fields that changed between a revision and the one it follows, in all; `None` when none did. A change
    /// request changes none. One statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn custom_field_changes(
        &mut self,
        content: &Authorized<ContentAt>,
    ) -> Result<Option<Delta<CustomFieldValues>>> {
        if content.change_request.is_some() {
            return Ok(None);
        }
        let rows: Vec<ChangeRow> = ListChanges::bind((
            val::<SqlUuid, _>(*content.space.id.as_uuid()),
            val::<SqlUuid, _>(*content.revision.id.as_uuid()),
        ))
        .load(self.connection)?;
        let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
        for row in rows {
            before.extend(row.before.map(|value| (row.name.clone(), CustomFieldValue { value })));
            after.extend(row.after.map(|value| (row.name, CustomFieldValue { value })));
        }
        if before.is_empty() && after.is_empty() {
            return Ok(None);
        }
        let side = |values: BTreeMap<_, _>| (!values.is_empty()).then_some(CustomFieldValues(values));
        Ok(Some(Delta { before: side(before), after: side(after) }))
    }
}

impl Tx<'_> {
    /// Notes changes with the head of a locked space: by name, what was before and what is after.
    pub(super) fn note_custom_field_changes(
        &mut self,
        space: &SpaceRecord,
        changes: &BTreeMap<&str, (Option<&Value>, Option<&Value>)>,
    ) -> Result<()> {
        let names: Vec<&str> = changes.keys().copied().collect();
        let (before, after): (Vec<_>, Vec<_>) = changes.values().copied().unzip();
        NoteChanges::bind((
            val::<SqlUuid, _>(*space.id.as_uuid()),
            val::<SqlUuid, _>(*space.head.as_uuid()),
            val::<Array<Text>, _>(names),
            val::<Array<Nullable<Jsonb>>, _>(before),
            val::<Array<Nullable<Jsonb>>, _>(after),
        ))
        .execute(self.connection)?;
        Ok(())
    }
}
