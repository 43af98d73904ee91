//! Settings of a site: how it looks, and what it may ask of visitors.

use diesel::prelude::*;
use diesel::upsert::excluded;
use quire_domain::clock::Timestamp;
use serde_json::Value;

use super::LockedSite;
use crate::lookup::{Authorized, ReadableSite, SiteRecord};
use crate::schema::{site_adaptive_schemas, sites};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, moment};

/// The schema of a site's claims as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct AdaptiveSchemaRecord {
    /// The schema.
    pub json_schema: Value,
    /// When it was last stored.
    pub updated_at: Timestamp,
}

impl Reader<'_> {
    /// The schema of a site's claims.
    ///
    /// # Errors
    /// [`Error::NotFound`] while there is none.
    pub fn adaptive_schema(&mut self, site: &Authorized<SiteRecord>) -> Result<AdaptiveSchemaRecord> {
        self.schema_of_claims(site.into())?.ok_or(Error::NotFound)
    }

    /// The schema of the claims of a site's visitors, if there is one.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn schema_of_claims(&mut self, site: ReadableSite<'_>) -> Result<Option<AdaptiveSchemaRecord>> {
        let row: Option<(Value, time::OffsetDateTime)> = site_adaptive_schemas::table
            .find((site.organization.as_uuid(), site.id.as_uuid()))
            .select((site_adaptive_schemas::json_schema, site_adaptive_schemas::updated_at))
            .first(self.connection)
            .optional()?;
        let record = row.map(|(json_schema, updated_at)| {
            Ok(AdaptiveSchemaRecord { json_schema, updated_at: moment(updated_at)? })
        });
        record.transpose()
    }
}

impl Tx<'_> {
    /// Stores the schema of a site's claims in place of the one before.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn put_adaptive_schema(&mut self, site: &LockedSite, json_schema: &Value) -> Result<()> {
        let (organization, id) = site.keys();
        diesel::insert_into(site_adaptive_schemas::table)
            .values((
                site_adaptive_schemas::organization_id.eq(organization),
                site_adaptive_schemas::site_id.eq(id),
                site_adaptive_schemas::json_schema.eq(json_schema),
                site_adaptive_schemas::updated_at.eq(time::OffsetDateTime::from(self.now)),
            ))
            .on_conflict((site_adaptive_schemas::organization_id, site_adaptive_schemas::site_id))
            .do_update()
            .set((
                site_adaptive_schemas::json_schema.eq(excluded(site_adaptive_schemas::json_schema)),
                site_adaptive_schemas::updated_at.eq(excluded(site_adaptive_schemas::updated_at)),
            ))
            .execute(self.connection)?;
        Ok(())
    }

    /// Stores how a site looks in place of what was stored before.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn put_customization(&mut self, site: &LockedSite, customization: &Value) -> Result<()> {
        let (organization, id) = site.keys();
        diesel::update(sites::table.find((organization, id)))
            .set(sites::customization.eq(Some(customization)))
            .execute(self.connection)?;
        Ok(())
    }
}
