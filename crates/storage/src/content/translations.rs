//! Translation settings of an organization.

use diesel::prelude::*;
use quire_domain::ids::{OrganizationId, TranslationSettingsId};
use quire_domain::policy::Action;
use quire_domain::translations::{Language, TranslationFacts};

use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, Found, InOrganization};
use crate::people::organizations::OrganizationRecord;
use crate::schema::translation_settings;
use crate::transaction::{Reader, Tx};
use crate::views::{Access, organization_access};
use crate::{Error, Result};

impl Reader<'_> {
    /// Returns the translation settings of an organization with this id. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if they do not exist.
    pub fn translation(
        &mut self,
        organization: OrganizationId,
        id: TranslationSettingsId,
    ) -> Result<Found<InOrganization<TranslationFacts>>> {
        let row = organization_access::table
            .inner_join(
                translation_settings::table
                    .on(translation_settings::organization_id.eq(organization_access::id)),
            )
            .filter(self.token_is_valid::<organization_access::table>())
            .filter(organization_access::is_member)
            .filter(organization_access::id.eq(organization))
            .filter(translation_settings::id.eq(id))
            .select((
                organization_access::table::actor(),
                OrganizationRecord::as_select(),
                TranslationFacts::as_select(),
            ))
            .get_result(self.connection);
        self.found_in_organization(row, organization, Action::ViewOrganizationContent)
    }

    /// Returns the translation settings of an organization, newest first. Takes two statements.
    pub fn translations_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<TranslationSettingsId>,
        limit: u16,
    ) -> Result<Slice<TranslationFacts>> {
        let of_organization =
            || translation_settings::table.filter(translation_settings::organization_id.eq(organization.id));
        let rows = of_organization()
            .filter(translation_settings::id.lt(page_end(after)))
            .order(translation_settings::id.desc())
            .limit(fetch_limit(limit))
            .select(TranslationFacts::as_select())
            .load(self.connection)?;
        let total = of_organization().count().get_result(self.connection)?;
        Ok(Slice::cut(rows, limit, total))
    }
}

impl Tx<'_> {
    /// Creates translation settings.
    pub fn create_translation(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        title: String,
        languages: Vec<Language>,
    ) -> Result<TranslationFacts> {
        let record = TranslationFacts {
            id: TranslationSettingsId::from_uuid(self.storage.ids().uuid()),
            title,
            languages,
            created_at: self.now,
            updated_at: self.now,
        };
        diesel::insert_into(translation_settings::table)
            .values((
                translation_settings::organization_id.eq(organization.id),
                translation_settings::id.eq(record.id),
                translation_settings::title.eq(&record.title),
                translation_settings::languages.eq(codes(&record.languages)),
                translation_settings::created_at.eq(self.now),
                translation_settings::updated_at.eq(self.now),
            ))
            .execute(self.connection)?;
        self.record_created("translation-settings", record.id);
        Ok(record)
    }

    /// Locks translation settings until the transaction ends and reads them again.
    ///
    /// # Errors
    /// [`Error::NotFound`] if they were deleted.
    pub fn lock_translation(
        &mut self,
        settings: Authorized<InOrganization<TranslationFacts>>,
    ) -> Result<Authorized<InOrganization<TranslationFacts>>> {
        let item = translation_settings::table
            .find((settings.organization.id, settings.item.id))
            .for_update()
            .select(TranslationFacts::as_select())
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        Ok(settings.map(|settings| InOrganization { item, ..settings }))
    }

    /// Sets the title of locked translation settings, and the languages unless they are kept.
    pub fn update_translation(
        &mut self,
        settings: &Authorized<InOrganization<TranslationFacts>>,
        title: String,
        languages: Option<Vec<Language>>,
    ) -> Result<TranslationFacts> {
        let before = &settings.item;
        let mut fresh = TranslationFacts { title, ..before.clone() };
        fresh.languages = languages.unwrap_or(fresh.languages);
        if fresh == *before {
            return Ok(fresh);
        }
        fresh.updated_at = self.now;
        diesel::update(translation_settings::table.find((settings.organization.id, fresh.id)))
            .set((
                translation_settings::title.eq(&fresh.title),
                translation_settings::languages.eq(codes(&fresh.languages)),
                translation_settings::updated_at.eq(self.now),
            ))
            .execute(self.connection)?;
        Ok(fresh)
    }

    /// Deletes translation settings.
    ///
    /// # Errors
    /// [`Error::NotFound`] if they were deleted.
    pub fn delete_translation(
        &mut self,
        settings: &Authorized<InOrganization<TranslationFacts>>,
    ) -> Result<()> {
        let deleted =
            diesel::delete(translation_settings::table.find((settings.organization.id, settings.item.id)))
                .execute(self.connection)?;
        if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}

fn codes(languages: &[Language]) -> Vec<&'static str> {
    languages.iter().map(|language| language.as_str()).collect()
}
