//! Values of custom fields in spaces.

use std::collections::{BTreeMap, HashMap};

use diesel::prelude::*;
use diesel::sql_types::{Array, Jsonb, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::error::{FieldError, Reason, Refusal};
use quire_domain::ids::{CustomFieldId, SpaceId};
use quire_domain::policy::Membership;
use serde_json::Value;

use crate::content::spaces::SpaceRecord;
use crate::lookup::{Authorized, role_from_rank};
use crate::schema::{custom_field_values, custom_fields, organization_members};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};
use quire_domain::custom_fields::CustomFieldFacts;

/// Custom fields of a space.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceFields {
    /// All fields of the organization, newest first, with the space's values.
    pub fields: Vec<(CustomFieldFacts, Option<Value>)>,
    /// Reader's membership in the organization.
    pub membership: Membership,
}

sql_files! {
    SetValues(SqlUuid, SqlUuid, Array<SqlUuid>, Array<Jsonb>) = "set_values.sql";
    CopyValues(SqlUuid, SqlUuid) = "copy_values.sql";
}

impl Reader<'_> {
    /// Returns the custom fields of a space with their values. Takes two statements.
    pub fn custom_fields_of_space(&mut self, space: &Authorized<SpaceRecord>) -> Result<SpaceFields> {
        let fields = self.fields_with_values(space)?;
        Ok(SpaceFields { fields, membership: self.membership_next_to(space)? })
    }

    fn fields_with_values(&mut self, space: &SpaceRecord) -> Result<Vec<(CustomFieldFacts, Option<Value>)>> {
        let of_field = custom_field_values::organization_id
            .eq(custom_fields::organization_id)
            .and(custom_field_values::custom_field_id.eq(custom_fields::id))
            .and(custom_field_values::space_id.eq(space.id));
        let rows = custom_fields::table
            .left_join(custom_field_values::table.on(of_field))
            .filter(custom_fields::organization_id.eq(space.organization))
            .order(custom_fields::id.desc())
            .select((CustomFieldFacts::as_select(), custom_field_values::value.nullable()))
            .load(self.connection)?;
        Ok(rows)
    }

    /// Returns the actor's membership in the organization of a space.
    fn membership_next_to(&mut self, space: &Authorized<SpaceRecord>) -> Result<Membership> {
        let row: Option<(Option<i16>, bool)> = organization_members::table
            .find((space.organization, space.actor().user))
            .select((organization_members::role, organization_members::disabled))
            .get_result(self.connection)
            .optional()?;
        Ok(match row {
            None => Membership::Outsider,
            Some((role, disabled)) => Membership::of_member(role_from_rank(role)?, disabled),
        })
    }

    fn values_of_space(&mut self, space: &SpaceRecord) -> Result<HashMap<String, Value>> {
        let rows = self.fields_with_values(space)?;
        Ok(rows.into_iter().filter_map(|(field, value)| Some((field.name, value?))).collect())
    }
}

/// Space whose custom fields are locked until the transaction ends, with their new values.
#[derive(Clone, Debug)]
pub struct LockedFields {
    space: Authorized<SpaceRecord>,
    fields: HashMap<String, CustomFieldId>,
    values: BTreeMap<String, Option<Value>>,
}

impl LockedFields {
    /// Returns the space.
    #[must_use]
    pub fn space(&self) -> &Authorized<SpaceRecord> {
        &self.space
    }
}

impl Tx<'_> {
    /// Locks a space and the custom fields that `values` sets, so that no other transaction sets values of the space
    /// until the transaction ends.
    ///
    /// # Errors
    /// 400 with the path of each unknown name and each value that does not match its field; [`Error::NotFound`] if the
    /// space was deleted after its lookup.
    pub fn lock_custom_fields(
        &mut self,
        space: Authorized<SpaceRecord>,
        values: BTreeMap<String, Option<Value>>,
    ) -> Result<LockedFields> {
        // Lock order: rows of an organization before its spaces.
        let fields = self.lock_named_fields(&space, &values)?;
        let organization = space.organization;
        let space = self.lock_space(space)?;
        if space.organization != organization {
            return Err(Error::refused(
                Reason::Conflict,
                "The space was transferred to another organization in the meantime.",
            ));
        }
        Ok(LockedFields { space, fields, values })
    }

    /// Sets the values for which the fields were locked, by name. `None` removes a value. The change belongs to the
    /// space's head.
    pub fn set_custom_fields(&mut self, locked: &LockedFields) -> Result<()> {
        let LockedFields { space, fields, values } = locked;
        let before = self.values_of_space(space)?;
        let changed: BTreeMap<&str, (Option<&Value>, Option<&Value>)> = values
            .iter()
            .map(|(name, value)| (name.as_str(), (before.get(name), value.as_ref())))
            .filter(|(_, (before, after))| before != after)
            .collect();
        if changed.is_empty() {
            return Ok(());
        }
        let id_of = |name: &str| fields.get(name).copied();
        let set = changed.iter().filter_map(|(name, (_, after))| Some((id_of(name)?, (*after)?)));
        let (ids, set): (Vec<CustomFieldId>, Vec<&Value>) = set.unzip();
        let unset = changed.iter().filter(|(_, (_, after))| after.is_none());
        let unset: Vec<CustomFieldId> = unset.filter_map(|(name, _)| id_of(name)).collect();
        let (organization, id) = (space.organization, space.id);
        SetValues::bind((organization, id, ids, set)).execute(self.connection)?;
        let values = custom_field_values::table
            .filter(custom_field_values::organization_id.eq(organization))
            .filter(custom_field_values::space_id.eq(id))
            .filter(custom_field_values::custom_field_id.eq_any(unset));
        diesel::delete(values).execute(self.connection)?;
        self.note_custom_field_changes(space, &changed)
    }

    /// Returns the ids of the fields, after checking that each value matches its field.
    fn lock_named_fields(
        &mut self,
        space: &SpaceRecord,
        values: &BTreeMap<String, Option<Value>>,
    ) -> Result<HashMap<String, CustomFieldId>> {
        let names: Vec<&String> = values.keys().collect();
        // The lock keeps definitions and options unchanged until the values that they allow are committed.
        let fields = custom_fields::table
            .filter(custom_fields::organization_id.eq(space.organization))
            .filter(custom_fields::name.eq_any(names))
            .order(custom_fields::id)
            .for_share()
            .select(CustomFieldFacts::as_select())
            .load(self.connection)?;
        let fields: HashMap<&str, &CustomFieldFacts> =
            fields.iter().map(|field| (field.name.as_str(), field)).collect();
        let mut details = Vec::new();
        for (name, value) in values {
            let wrong = match (fields.get(name.as_str()), value) {
                (None, _) => Some(("", "does not exist".to_owned())),
                (Some(_), None) => None,
                (Some(field), Some(value)) => {
                    let options = field.options.as_deref().unwrap_or_default();
                    field.field_type.check(value, options).err().map(|message| (".value", message))
                }
            };
            details.extend(
                wrong.map(|(part, message)| FieldError { field: format!("values.{name}{part}"), message }),
            );
        }
        if details.is_empty() {
            return Ok(fields.into_iter().map(|(name, field)| (name.to_owned(), field.id)).collect());
        }
        let refusal = Refusal::new(Reason::InvalidBody)
            .with_message("Some values are not valid for their custom fields.");
        Err(refusal.with_details(details).into())
    }

    /// Copies the values of custom fields to a duplicate of a space in the same organization. Across organizations,
    /// whose fields differ, it copies nothing.
    pub(crate) fn copy_custom_field_values(&mut self, from: SpaceId, to: SpaceId) -> Result<()> {
        CopyValues::bind((from, to)).execute(self.connection)?;
        Ok(())
    }
}
