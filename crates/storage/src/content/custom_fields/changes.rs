//! History of the values of custom fields.
//!
//! Values are not part of the content, and setting one creates no revision. To appear in the history of a space, a
//! change is stored with the current head and listed with the revision that follows it: it happened between the two.
//! Nothing is added to a revision that has a successor, so the changes of a revision are final.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, Jsonb, Nullable, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::revisions::{CustomFieldValue, CustomFieldValues, Delta};
use serde_json::Value;

use crate::Result;
use crate::content::spaces::SpaceRecord;
use crate::content::store::ContentAt;
use crate::lookup::Authorized;
use crate::transaction::{Reader, Tx};

sql_files! {
    NoteChanges(SqlUuid, SqlUuid, Array<Text>, Array<Nullable<Jsonb>>, Array<Nullable<Jsonb>>)
        = "note_changes.sql";
    ListChanges(SqlUuid, SqlUuid) -> (Text, Nullable<Jsonb>, Nullable<Jsonb>) = "list_changes.sql";
}

impl Reader<'_> {
    /// Returns the net changes of custom field values between a revision and its predecessor; `None` if no value
    /// changed. Change requests have no such changes. Takes one statement.
    pub fn custom_field_changes(
        &mut self,
        content: &Authorized<ContentAt>,
    ) -> Result<Option<Delta<CustomFieldValues>>> {
        if content.change_request.is_some() {
            return Ok(None);
        }
        let rows: Vec<(String, Option<Value>, Option<Value>)> =
            ListChanges::bind((content.space.id, content.revision.id)).load(self.connection)?;
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
    /// Stores changes with the head of a locked space: values before and after by name.
    pub(super) fn note_custom_field_changes(
        &mut self,
        space: &SpaceRecord,
        changes: &BTreeMap<&str, (Option<&Value>, Option<&Value>)>,
    ) -> Result<()> {
        let names: Vec<&str> = changes.keys().copied().collect();
        let (before, after): (Vec<_>, Vec<_>) = changes.values().copied().unzip();
        NoteChanges::bind((space.id, space.head, names, before, after)).execute(self.connection)?;
        Ok(())
    }
}
