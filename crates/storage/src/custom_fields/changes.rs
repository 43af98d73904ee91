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
use crate::statement::sql_files;
use crate::transaction::{Reader, Tx};

sql_files! {
    NoteChanges(SqlUuid, SqlUuid, Array<Text>, Array<Nullable<Jsonb>>, Array<Nullable<Jsonb>>)
        = "custom_fields/note_changes.sql";
    ListChanges(SqlUuid, SqlUuid) -> (Text, Nullable<Jsonb>, Nullable<Jsonb>) = "custom_fields/list_changes.sql";
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
        let rows: Vec<(String, Option<Value>, Option<Value>)> =
            ListChanges::bind((content.space.id.as_uuid(), content.revision.id.as_uuid()))
                .load(self.connection)?;
        let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
        for (name, old, new) in rows {
            before.extend(old.map(|value| (name.clone(), CustomFieldValue { value })));
            after.extend(new.map(|value| (name, CustomFieldValue { value })));
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
        NoteChanges::bind((space.id.as_uuid(), space.head.as_uuid(), names, before, after))
            .execute(self.connection)?;
        Ok(())
    }
}
