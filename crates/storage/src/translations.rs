//! Translation settings of an organization: found, listed, made, replaced, deleted.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, TranslationSettingsId};
use quire_domain::policy::Action;
use quire_domain::translations::Language;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, Found, InOrganization, OrganizationRecord, find_in_organization};
use crate::schema::translation_settings;
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, moment, stored};

/// Translation settings as they are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranslationRecord {
    /// Their id.
    pub id: TranslationSettingsId,
    /// Their title.
    pub title: String,
    /// The languages.
    pub languages: Vec<Language>,
    /// When they were made.
    pub created_at: Timestamp,
    /// When they last changed.
    pub updated_at: Timestamp,
}

macro_rules! translation_columns {
    () => {
        "s.id AS settings_id, s.title AS settings_title, s.languages AS settings_languages, \
         s.created_at AS settings_created_at, s.updated_at AS settings_updated_at"
    };
}

#[derive(QueryableByName)]
struct TranslationColumns {
    #[diesel(sql_type = SqlUuid)]
    settings_id: Uuid,
    #[diesel(sql_type = Text)]
    settings_title: String,
    #[diesel(sql_type = Array<Text>)]
    settings_languages: Vec<String>,
    #[diesel(sql_type = Timestamptz)]
    settings_created_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    settings_updated_at: OffsetDateTime,
}

impl TryFrom<TranslationColumns> for TranslationRecord {
    type Error = Error;

    fn try_from(row: TranslationColumns) -> Result<Self> {
        Ok(Self {
            id: TranslationSettingsId::from_uuid(row.settings_id),
            title: row.settings_title,
            languages: row.settings_languages.iter().map(|code| stored(code)).collect::<Result<_>>()?,
            created_at: moment(row.settings_created_at)?,
            updated_at: moment(row.settings_updated_at)?,
        })
    }
}

statements! {
    FindTranslation = find_in_organization!(
        translation_columns!(), "JOIN translation_settings s ON s.organization_id = o.id AND s.id = $4"
    );
    ListTranslations = concat!(
        "SELECT ", translation_columns!(), " FROM translation_settings s \
         WHERE s.organization_id = $1 AND ($2 IS NULL OR s.id < $2) ORDER BY s.id DESC LIMIT $3"
    );
    CountTranslations = "SELECT count(*) AS total FROM translation_settings WHERE organization_id = $1";
    LockTranslation = concat!(
        "SELECT ", translation_columns!(), " FROM translation_settings s \
         WHERE s.organization_id = $1 AND s.id = $2 FOR UPDATE"
    );
    DeleteTranslation = "DELETE FROM translation_settings WHERE organization_id = $1 AND id = $2";
}

impl Reader<'_> {
    /// The translation settings of an organization with this id: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] when there are none.
    pub fn translation(
        &mut self,
        organization: OrganizationId,
        id: TranslationSettingsId,
    ) -> Result<Found<InOrganization<TranslationRecord>>> {
        let row = FindTranslation::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .get_result(self.connection);
        self.found_in_organization::<TranslationColumns, _>(
            row,
            organization,
            Action::ViewOrganizationContent,
        )
    }

    /// The translation settings of an organization, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn translations_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<TranslationSettingsId>,
        limit: u16,
    ) -> Result<Slice<TranslationRecord>> {
        let id = *organization.id.as_uuid();
        let rows: Vec<TranslationColumns> = ListTranslations::bind((
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow =
            CountTranslations::bind((val::<SqlUuid, _>(id),)).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }
}

impl Tx<'_> {
    /// Makes translation settings.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn create_translation(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        title: String,
        languages: Vec<Language>,
    ) -> Result<TranslationRecord> {
        let record = TranslationRecord {
            id: TranslationSettingsId::from_uuid(self.storage.ids().uuid()),
            title,
            languages,
            created_at: self.now,
            updated_at: self.now,
        };
        diesel::insert_into(translation_settings::table)
            .values((
                translation_settings::organization_id.eq(organization.id.as_uuid()),
                translation_settings::id.eq(record.id.as_uuid()),
                translation_settings::title.eq(&record.title),
                translation_settings::languages.eq(codes(&record.languages)),
                translation_settings::created_at.eq(OffsetDateTime::from(self.now)),
                translation_settings::updated_at.eq(OffsetDateTime::from(self.now)),
            ))
            .execute(self.connection)?;
        self.note_made("translation-settings", record.id);
        Ok(record)
    }

    /// Locks translation settings until the transaction ends and reads them again.
    ///
    /// # Errors
    /// [`Error::NotFound`] when they are gone.
    pub fn lock_translation(
        &mut self,
        settings: Authorized<InOrganization<TranslationRecord>>,
    ) -> Result<Authorized<InOrganization<TranslationRecord>>> {
        let row: TranslationColumns = LockTranslation::bind((
            val::<SqlUuid, _>(*settings.organization.id.as_uuid()),
            val::<SqlUuid, _>(*settings.item.id.as_uuid()),
        ))
        .get_result(self.connection)
        .optional()?
        .ok_or(Error::NotFound)?;
        let item = TranslationRecord::try_from(row)?;
        Ok(settings.map(|settings| InOrganization { item, ..settings }))
    }

    /// Gives locked translation settings a title, and languages unless they are kept.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn update_translation(
        &mut self,
        settings: &Authorized<InOrganization<TranslationRecord>>,
        title: String,
        languages: Option<Vec<Language>>,
    ) -> Result<TranslationRecord> {
        let before = &settings.item;
        let mut fresh = TranslationRecord { title, ..before.clone() };
        fresh.languages = languages.unwrap_or(fresh.languages);
        if fresh == *before {
            return Ok(fresh);
        }
        fresh.updated_at = self.now;
        diesel::update(
            translation_settings::table.find((settings.organization.id.as_uuid(), fresh.id.as_uuid())),
        )
        .set((
            translation_settings::title.eq(&fresh.title),
            translation_settings::languages.eq(codes(&fresh.languages)),
            translation_settings::updated_at.eq(OffsetDateTime::from(self.now)),
        ))
        .execute(self.connection)?;
        Ok(fresh)
    }

    /// Deletes translation settings.
    ///
    /// # Errors
    /// [`Error::NotFound`] when they are gone already.
    pub fn delete_translation(
        &mut self,
        settings: &Authorized<InOrganization<TranslationRecord>>,
    ) -> Result<()> {
        let deleted = DeleteTranslation::bind((
            val::<SqlUuid, _>(*settings.organization.id.as_uuid()),
            val::<SqlUuid, _>(*settings.item.id.as_uuid()),
        ))
        .execute(self.connection)?;
        if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}

fn codes(languages: &[Language]) -> Vec<&'static str> {
    languages.iter().map(|language| language.as_str()).collect()
}
