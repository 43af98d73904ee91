//! Custom fields of an organization.

use diesel::prelude::*;
use diesel::sql_types::{Array, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::bounded::IntoText as _;
use quire_domain::bounds::CUSTOM_FIELDS_MAX;
use quire_domain::custom_fields::{CustomFieldCreate, CustomFieldFacts, CustomFieldUpdate};
use quire_domain::error::Reason;
use quire_domain::ids::{CustomFieldId, OrganizationId};
use quire_domain::policy::Action;

use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, Found, InOrganization};
use crate::people::organizations::OrganizationRecord;
use crate::schema::custom_fields;
use crate::transaction::{Reader, Tx};
use crate::views::{Access, organization_access};
use crate::{Error, Result};

sql_files! {
    OptionsInUse(SqlUuid, SqlUuid, Array<Text>) -> Text = "options_in_use.sql";
    NoteDeletedValues(SqlUuid, SqlUuid, Text) = "note_deleted_values.sql";
}

impl Reader<'_> {
    /// Returns the custom field of an organization with this name. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn custom_field(
        &mut self,
        organization: OrganizationId,
        name: &str,
    ) -> Result<Found<InOrganization<CustomFieldFacts>>> {
        let row = organization_access::table
            .inner_join(custom_fields::table.on(custom_fields::organization_id.eq(organization_access::id)))
            .filter(self.token_is_valid::<organization_access::table>())
            .filter(organization_access::is_member)
            .filter(organization_access::id.eq(organization))
            // PostgreSQL rejects NUL characters. No field name contains a NUL or a space.
            .filter(custom_fields::name.eq(name.replace('\0', " ")))
            .select((
                organization_access::table::actor(),
                OrganizationRecord::as_select(),
                CustomFieldFacts::as_select(),
            ))
            .get_result(self.connection);
        self.found_in_organization(row, organization, Action::ViewOrganizationContent)
    }

    /// Returns the custom fields of an organization, newest first. Takes two statements.
    pub fn custom_fields_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<CustomFieldId>,
        limit: u16,
    ) -> Result<Slice<CustomFieldFacts>> {
        let rows = custom_fields::table
            .filter(custom_fields::organization_id.eq(organization.id))
            .filter(custom_fields::id.lt(page_end(after)))
            .order(custom_fields::id.desc())
            .limit(fetch_limit(limit))
            .select(CustomFieldFacts::as_select())
            .load(self.connection)?;
        let total = self.count_custom_fields(organization.id)?;
        Ok(Slice::cut(rows, limit, total))
    }

    fn count_custom_fields(&mut self, organization: OrganizationId) -> Result<i64> {
        let fields = custom_fields::table.filter(custom_fields::organization_id.eq(organization));
        Ok(fields.count().get_result(self.connection)?)
    }
}

impl Tx<'_> {
    /// Creates a custom field.
    ///
    /// # Errors
    /// 409 if the name is taken, or the organization has the maximum number of fields.
    pub fn create_custom_field(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        field: CustomFieldCreate,
    ) -> Result<CustomFieldFacts> {
        let CustomFieldCreate { name, field_type, title, description, placeholder, options } = field;
        let name = name.into_text()?;
        self.lock_organization(organization.id)?;
        let count = self.count_custom_fields(organization.id)?;
        if u64::try_from(count).unwrap_or(0) >= CUSTOM_FIELDS_MAX {
            let message = format!("An organization can have at most {CUSTOM_FIELDS_MAX} custom fields.");
            return Err(Error::refused(Reason::TooMany, message));
        }
        let record = CustomFieldFacts {
            id: CustomFieldId::from_uuid(self.storage.ids().uuid()),
            title: title.into_text()?.unwrap_or_else(|| name.clone()),
            name,
            field_type,
            description: description.into_text()?.unwrap_or_default(),
            placeholder: placeholder.into_text()?.unwrap_or_default(),
            options: options.into_text()?,
            created_at: self.now,
            updated_at: self.now,
        };
        let made = diesel::insert_into(custom_fields::table)
            .values((
                custom_fields::organization_id.eq(organization.id),
                custom_fields::id.eq(record.id),
                custom_fields::name.eq(&record.name),
                custom_fields::type_.eq(record.field_type.as_str()),
                custom_fields::title.eq(&record.title),
                custom_fields::description.eq(&record.description),
                custom_fields::placeholder.eq(&record.placeholder),
                custom_fields::options.eq(&record.options),
                custom_fields::created_at.eq(self.now),
                custom_fields::updated_at.eq(self.now),
            ))
            .on_conflict((custom_fields::organization_id, custom_fields::name))
            .do_nothing()
            .execute(self.connection)?;
        if made == 0 {
            let message = format!("The organization already has a custom field `{}`.", record.name);
            return Err(Error::refused(Reason::NameTaken, message));
        }
        self.record_created("custom-field", &record.name);
        Ok(record)
    }

    /// Locks a custom field until the transaction ends, so that its values do not change, and reads it again.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the field no longer exists.
    pub fn lock_custom_field(
        &mut self,
        field: Authorized<InOrganization<CustomFieldFacts>>,
    ) -> Result<Authorized<InOrganization<CustomFieldFacts>>> {
        let item = custom_fields::table
            .find((field.organization.id, field.item.id))
            .for_update()
            .select(CustomFieldFacts::as_select())
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        Ok(field.map(|field| InOrganization { item, ..field }))
    }

    /// Changes a locked custom field and returns the new record.
    ///
    /// # Errors
    /// 409 if a removed option is in use.
    pub fn update_custom_field(
        &mut self,
        field: &Authorized<InOrganization<CustomFieldFacts>>,
        update: CustomFieldUpdate,
    ) -> Result<CustomFieldFacts> {
        let CustomFieldUpdate { title, description, placeholder, options } = update;
        let options = options.into_text()?;
        if let Some(options) = &options {
            self.refuse_loss_of_options(field, options)?;
        }
        let mut fresh = field.item.clone();
        fresh.title = title.into_text()?.unwrap_or(fresh.title);
        fresh.description = description.into_text()?.unwrap_or(fresh.description);
        fresh.placeholder = placeholder.into_text()?.unwrap_or(fresh.placeholder);
        fresh.options = options.or(fresh.options);
        if fresh == field.item {
            return Ok(fresh);
        }
        fresh.updated_at = self.now;
        diesel::update(custom_fields::table.find((field.organization.id, fresh.id)))
            .set((
                custom_fields::title.eq(&fresh.title),
                custom_fields::description.eq(&fresh.description),
                custom_fields::placeholder.eq(&fresh.placeholder),
                custom_fields::options.eq(&fresh.options),
                custom_fields::updated_at.eq(self.now),
            ))
            .execute(self.connection)?;
        Ok(fresh)
    }

    fn refuse_loss_of_options(
        &mut self,
        field: &Authorized<InOrganization<CustomFieldFacts>>,
        options: &[String],
    ) -> Result<()> {
        let ids = (field.organization.id, field.item.id);
        let used: Vec<String> = OptionsInUse::bind((ids.0, ids.1, options)).load(self.connection)?;
        if used.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = used.into_iter().map(|name| format!("`{name}`")).collect();
        let message = format!("Options that spaces use cannot be removed: {}.", names.join(", "));
        Err(Error::refused(Reason::OptionInUse, message))
    }

    /// Deletes a custom field with its values, and records the removal in the history of each space that had a value.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the field no longer exists.
    pub fn delete_custom_field(&mut self, field: Authorized<InOrganization<CustomFieldFacts>>) -> Result<()> {
        let field = self.lock_custom_field(field)?;
        let (organization, id) = (field.organization.id, field.item.id);
        NoteDeletedValues::bind((organization, id, &field.item.name)).execute(self.connection)?;
        diesel::delete(custom_fields::table.find((organization, id))).execute(self.connection)?;
        Ok(())
    }
}
