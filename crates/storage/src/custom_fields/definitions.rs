//! The custom fields of an organization: found, listed, made, changed, deleted.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::bounds::CUSTOM_FIELDS_MAX;
use quire_domain::clock::Timestamp;
use quire_domain::custom_fields::CustomFieldType;
use quire_domain::error::Reason;
use quire_domain::ids::{CustomFieldId, OrganizationId};
use quire_domain::policy::Action;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, Found, InOrganization, OrganizationRecord, find_in_organization};
use crate::schema::custom_fields;
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, moment, stored};

/// A custom field as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomFieldRecord {
    /// Its id.
    pub id: CustomFieldId,
    /// The name that requests use.
    pub name: String,
    /// What values it takes.
    pub field_type: CustomFieldType,
    /// What people call it.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// What stands in it while it has no value.
    pub placeholder: String,
    /// The values that can be chosen, of a `select` type.
    pub options: Option<Vec<String>>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A custom field to be made.
#[derive(Clone, Debug)]
pub struct NewCustomField {
    /// Its name.
    pub name: String,
    /// What values it takes.
    pub field_type: CustomFieldType,
    /// What people call it.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// What stands in it while it has no value.
    pub placeholder: String,
    /// The values that can be chosen: of a `select` type, and only there.
    pub options: Option<Vec<String>>,
}

/// What may be changed of a custom field; `None` keeps.
#[derive(Clone, Debug, Default)]
pub struct CustomFieldChanges {
    /// What people call it.
    pub title: Option<String>,
    /// What it is about.
    pub description: Option<String>,
    /// What stands in it while it has no value.
    pub placeholder: Option<String>,
    /// The values that can be chosen.
    pub options: Option<Vec<String>>,
}

/// The columns of a custom field `f`.
macro_rules! custom_field_columns {
    () => {
        "f.id AS field_id, f.name AS field_name, f.type AS field_type, f.title AS field_title, \
         f.description AS field_description, f.placeholder AS field_placeholder, f.options AS field_options, \
         f.created_at AS field_created_at, f.updated_at AS field_updated_at"
    };
}
pub(super) use custom_field_columns;

#[derive(QueryableByName)]
pub(super) struct CustomFieldColumns {
    #[diesel(sql_type = SqlUuid)]
    field_id: Uuid,
    #[diesel(sql_type = Text)]
    field_name: String,
    #[diesel(sql_type = Text)]
    field_type: String,
    #[diesel(sql_type = Text)]
    field_title: String,
    #[diesel(sql_type = Text)]
    field_description: String,
    #[diesel(sql_type = Text)]
    field_placeholder: String,
    #[diesel(sql_type = Nullable<Array<Text>>)]
    field_options: Option<Vec<String>>,
    #[diesel(sql_type = Timestamptz)]
    field_created_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    field_updated_at: OffsetDateTime,
}

impl TryFrom<CustomFieldColumns> for CustomFieldRecord {
    type Error = Error;

    fn try_from(row: CustomFieldColumns) -> Result<Self> {
        Ok(Self {
            id: CustomFieldId::from_uuid(row.field_id),
            name: row.field_name,
            field_type: stored(&row.field_type)?,
            title: row.field_title,
            description: row.field_description,
            placeholder: row.field_placeholder,
            options: row.field_options,
            created_at: moment(row.field_created_at)?,
            updated_at: moment(row.field_updated_at)?,
        })
    }
}

statements! {
    FindCustomField = find_in_organization!(
        custom_field_columns!(), "JOIN custom_fields f ON f.organization_id = o.id AND f.name = $4"
    );
    ListCustomFields = concat!(
        "SELECT ", custom_field_columns!(), " FROM custom_fields f \
         WHERE f.organization_id = $1 AND ($2 IS NULL OR f.id < $2) ORDER BY f.id DESC LIMIT $3"
    );
    CountCustomFields = "SELECT count(*) AS total FROM custom_fields WHERE organization_id = $1";
    ReadCustomField = concat!(
        "SELECT ", custom_field_columns!(), " FROM custom_fields f WHERE f.organization_id = $1 AND f.id = $2"
    );
    LockCustomField = "SELECT id FROM custom_fields WHERE organization_id = $1 AND id = $2 FOR UPDATE";
    LockOrganization = "SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE";
    OptionsInUse = "SELECT DISTINCT option AS name FROM custom_field_values v \
                    CROSS JOIN LATERAL jsonb_array_elements_text(\
                      CASE jsonb_typeof(v.value) WHEN 'array' THEN v.value ELSE jsonb_build_array(v.value) END) AS option \
                    WHERE v.organization_id = $1 AND v.custom_field_id = $2 AND NOT option = ANY ($3) ORDER BY option LIMIT 5";
    // Heads don't move while their spaces are locked, so that each value goes under the head that is current.
    NoteDeletedValues = "WITH gone AS (\
                           SELECT s.id, s.head_revision, v.value FROM custom_field_values v \
                           JOIN spaces s ON s.organization_id = v.organization_id AND s.id = v.space_id \
                           WHERE v.organization_id = $1 AND v.custom_field_id = $2 ORDER BY s.id FOR SHARE OF s) \
                         INSERT INTO custom_field_changes (space_id, revision_id, name, before, after) \
                         SELECT id, head_revision, $3, value, NULL FROM gone \
                         ON CONFLICT (space_id, revision_id, name) DO UPDATE SET after = NULL";
    DeleteCustomField = "DELETE FROM custom_fields WHERE organization_id = $1 AND id = $2";
}

#[derive(QueryableByName)]
struct NameRow {
    #[diesel(sql_type = Text)]
    name: String,
}

impl Reader<'_> {
    /// The custom field of an organization with this name: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn custom_field(
        &mut self,
        organization: OrganizationId,
        name: &str,
    ) -> Result<Found<InOrganization<CustomFieldRecord>>> {
        let row = FindCustomField::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.as_uuid()),
            // PostgreSQL takes no NUL; no field has either in its name.
            val::<Text, _>(name.replace('\0', " ")),
        ))
        .get_result(self.connection);
        self.found_in_organization::<CustomFieldColumns, _>(
            row,
            organization,
            Action::ViewOrganizationContent,
        )
    }

    /// The custom fields of an organization, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn custom_fields_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<CustomFieldId>,
        limit: u16,
    ) -> Result<Slice<CustomFieldRecord>> {
        let id = *organization.id.as_uuid();
        let rows: Vec<CustomFieldColumns> = ListCustomFields::bind((
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow =
            CountCustomFields::bind((val::<SqlUuid, _>(id),)).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }
}

impl Tx<'_> {
    /// Makes a custom field.
    ///
    /// # Errors
    /// 409 when the name is taken, or the organization has as many as it may have.
    pub fn create_custom_field(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        field: &NewCustomField,
    ) -> Result<CustomFieldRecord> {
        let owner = *organization.id.as_uuid();
        LockOrganization::bind((val::<SqlUuid, _>(owner),)).execute(self.connection)?;
        let count: CountRow =
            CountCustomFields::bind((val::<SqlUuid, _>(owner),)).get_result(self.connection)?;
        if u64::try_from(count.total).unwrap_or(0) >= CUSTOM_FIELDS_MAX {
            let message = format!("An organization has at most {CUSTOM_FIELDS_MAX} custom fields.");
            return Err(Error::refused(Reason::TooMany, message));
        }
        let record = CustomFieldRecord {
            id: CustomFieldId::from_uuid(self.storage.ids().uuid()),
            name: field.name.clone(),
            field_type: field.field_type,
            title: field.title.clone(),
            description: field.description.clone(),
            placeholder: field.placeholder.clone(),
            options: field.options.clone(),
            created_at: self.now,
            updated_at: self.now,
        };
        let made = diesel::insert_into(custom_fields::table)
            .values((
                custom_fields::organization_id.eq(owner),
                custom_fields::id.eq(record.id.as_uuid()),
                custom_fields::name.eq(&record.name),
                custom_fields::type_.eq(record.field_type.as_str()),
                custom_fields::title.eq(&record.title),
                custom_fields::description.eq(&record.description),
                custom_fields::placeholder.eq(&record.placeholder),
                custom_fields::options.eq(&record.options),
                custom_fields::created_at.eq(OffsetDateTime::from(self.now)),
                custom_fields::updated_at.eq(OffsetDateTime::from(self.now)),
            ))
            .on_conflict((custom_fields::organization_id, custom_fields::name))
            .do_nothing()
            .execute(self.connection)?;
        if made == 0 {
            let message = format!("The organization has a custom field `{}` already.", record.name);
            return Err(Error::refused(Reason::NameTaken, message));
        }
        self.note_made("custom-field", &record.name);
        Ok(record)
    }

    /// Locks a custom field until the transaction ends and reads it again: nobody sets a value of it meanwhile.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is gone.
    pub fn lock_custom_field(
        &mut self,
        field: Authorized<InOrganization<CustomFieldRecord>>,
    ) -> Result<Authorized<InOrganization<CustomFieldRecord>>> {
        let key = || {
            (val::<SqlUuid, _>(*field.organization.id.as_uuid()), val::<SqlUuid, _>(*field.item.id.as_uuid()))
        };
        if LockCustomField::bind(key()).execute(self.connection)? == 0 {
            return Err(Error::NotFound);
        }
        let row: CustomFieldColumns = ReadCustomField::bind(key()).get_result(self.connection)?;
        let item = CustomFieldRecord::try_from(row)?;
        Ok(field.map(|field| InOrganization { item, ..field }))
    }

    /// Changes a locked custom field and answers it as it is then.
    ///
    /// # Errors
    /// 409 when an option that shall go is in use.
    pub fn update_custom_field(
        &mut self,
        field: &Authorized<InOrganization<CustomFieldRecord>>,
        changes: CustomFieldChanges,
    ) -> Result<CustomFieldRecord> {
        let CustomFieldChanges { title, description, placeholder, options } = changes;
        if let Some(options) = &options {
            self.refuse_loss_of_options(field, options)?;
        }
        let mut fresh = field.item.clone();
        fresh.title = title.unwrap_or(fresh.title);
        fresh.description = description.unwrap_or(fresh.description);
        fresh.placeholder = placeholder.unwrap_or(fresh.placeholder);
        fresh.options = options.or(fresh.options);
        if fresh == field.item {
            return Ok(fresh);
        }
        fresh.updated_at = self.now;
        diesel::update(custom_fields::table.find((field.organization.id.as_uuid(), fresh.id.as_uuid())))
            .set((
                custom_fields::title.eq(&fresh.title),
                custom_fields::description.eq(&fresh.description),
                custom_fields::placeholder.eq(&fresh.placeholder),
                custom_fields::options.eq(&fresh.options),
                custom_fields::updated_at.eq(OffsetDateTime::from(self.now)),
            ))
            .execute(self.connection)?;
        Ok(fresh)
    }

    fn refuse_loss_of_options(
        &mut self,
        field: &Authorized<InOrganization<CustomFieldRecord>>,
        options: &[String],
    ) -> Result<()> {
        let used: Vec<NameRow> = OptionsInUse::bind((
            val::<SqlUuid, _>(*field.organization.id.as_uuid()),
            val::<SqlUuid, _>(*field.item.id.as_uuid()),
            val::<Array<Text>, _>(options),
        ))
        .load(self.connection)?;
        if used.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = used.into_iter().map(|row| format!("`{}`", row.name)).collect();
        let message = format!("Options that spaces use can't go: {}.", names.join(", "));
        Err(Error::refused(Reason::OptionInUse, message))
    }

    /// Deletes a custom field with its values, and notes in the history of each space that its value went.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is gone already.
    pub fn delete_custom_field(
        &mut self,
        field: Authorized<InOrganization<CustomFieldRecord>>,
    ) -> Result<()> {
        let field = self.lock_custom_field(field)?;
        let key = || {
            (val::<SqlUuid, _>(*field.organization.id.as_uuid()), val::<SqlUuid, _>(*field.item.id.as_uuid()))
        };
        let (organization, id) = key();
        NoteDeletedValues::bind((organization, id, val::<Text, _>(&field.item.name)))
            .execute(self.connection)?;
        DeleteCustomField::bind(key()).execute(self.connection)?;
        Ok(())
    }
}
