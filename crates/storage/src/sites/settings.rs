//! Settings of a site: its customization, and the schema of its visitors' claims.

use diesel::prelude::*;
use diesel::upsert::excluded;
use quire_domain::ids::SiteSpaceId;
use quire_domain::object::AdaptiveSchemaTag;
use quire_domain::sites::AdaptiveSchema;
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use super::LockedSite;
use crate::lookup::Authorized;
use crate::schema::{site_adaptive_schemas, site_spaces, site_visitor_auth, sites};
use crate::sites::published::VisitorAuth;
use crate::sites::{ReadableSite, SiteRecord};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, to_timestamp};

impl Reader<'_> {
    /// Returns the schema of a site's claims.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn adaptive_schema(&mut self, site: &Authorized<SiteRecord>) -> Result<AdaptiveSchema> {
        self.schema_of_claims(site.into())?.ok_or(Error::NotFound)
    }

    /// Returns the schema of a site's claims; `None` if it has none.
    pub fn schema_of_claims(&mut self, site: ReadableSite<'_>) -> Result<Option<AdaptiveSchema>> {
        let schema = site_adaptive_schemas::table
            .find((site.organization, site.id))
            .select((site_adaptive_schemas::json_schema, site_adaptive_schemas::updated_at))
            .get_result(self.connection)
            .optional()?;
        let schema = schema.map(|(json_schema, updated_at): (Value, OffsetDateTime)| {
            let updated_at = to_timestamp(updated_at)?;
            Ok(AdaptiveSchema { object: AdaptiveSchemaTag::Tag, json_schema, updated_at })
        });
        schema.transpose()
    }
}

impl Reader<'_> {
    /// Returns the settings of a site space that override those of its site. Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the site space does not exist.
    pub fn site_space_customization(
        &mut self,
        site: ReadableSite<'_>,
        id: SiteSpaceId,
    ) -> Result<Option<Map<String, Value>>> {
        let key = (site.organization, site.id, id);
        let row: Option<Option<Value>> = site_spaces::table
            .find(key)
            .select(site_spaces::customization)
            .get_result(self.connection)
            .optional()?;
        row.ok_or(Error::NotFound)?.map(stored_overrides).transpose()
    }

    /// Returns the settings of site spaces that override those of the site, for the site spaces that have any. Takes
    /// one statement.
    pub fn site_space_customizations(
        &mut self,
        site: ReadableSite<'_>,
    ) -> Result<Vec<(SiteSpaceId, Map<String, Value>)>> {
        let rows: Vec<(Uuid, Option<Value>)> = site_spaces::table
            .filter(site_spaces::organization_id.eq(site.organization))
            .filter(site_spaces::site_id.eq(site.id))
            .filter(site_spaces::customization.is_not_null())
            .order(site_spaces::id)
            .select((site_spaces::id, site_spaces::customization))
            .load(self.connection)?;
        let overrides = |(id, stored): (Uuid, Option<Value>)| {
            Ok((id.into(), stored_overrides(stored.unwrap_or_default())?))
        };
        rows.into_iter().map(overrides).collect()
    }
}

/// Parses settings that override those of a site.
fn stored_overrides(stored: Value) -> Result<Map<String, Value>> {
    serde_json::from_value(stored)
        .map_err(|error| Error::corrupt("overrides of a customization can't be read", error))
}

impl Reader<'_> {
    /// Returns the service that signs visitors of a site in and out; empty if none is set.
    pub fn visitor_auth(&mut self, site: &Authorized<SiteRecord>) -> Result<VisitorAuth> {
        let key = (site.organization, site.id);
        let urls: Option<(Option<String>, Option<String>)> = site_visitor_auth::table
            .find(key)
            .select((site_visitor_auth::fallback_url, site_visitor_auth::logout_url))
            .get_result(self.connection)
            .optional()?;
        let (fallback_url, logout_url) = urls.unwrap_or_default();
        Ok(VisitorAuth { fallback_url, logout_url })
    }
}

impl Tx<'_> {
    /// Replaces the service that signs visitors of a site in and out.
    pub fn put_visitor_auth(&mut self, site: &LockedSite, auth: &VisitorAuth) -> Result<()> {
        use site_visitor_auth::dsl;

        let (organization, id) = site.keys();
        let urls = (dsl::fallback_url.eq(&auth.fallback_url), dsl::logout_url.eq(&auth.logout_url));
        diesel::insert_into(dsl::site_visitor_auth)
            .values((dsl::organization_id.eq(organization), dsl::site_id.eq(id), urls))
            .on_conflict((dsl::organization_id, dsl::site_id))
            .do_update()
            .set(urls)
            .execute(self.connection)?;
        Ok(())
    }

    /// Replaces the schema of a site's claims.
    pub fn put_adaptive_schema(&mut self, site: &LockedSite, json_schema: &Value) -> Result<()> {
        let (organization, id) = site.keys();
        diesel::insert_into(site_adaptive_schemas::table)
            .values((
                site_adaptive_schemas::organization_id.eq(organization),
                site_adaptive_schemas::site_id.eq(id),
                site_adaptive_schemas::json_schema.eq(json_schema),
                site_adaptive_schemas::updated_at.eq(self.now),
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

    /// Replaces the settings of a site space that override those of the site; `None` removes them.
    pub fn put_site_space_customization(
        &mut self,
        site: &LockedSite,
        id: SiteSpaceId,
        overrides: Option<Map<String, Value>>,
    ) -> Result<()> {
        diesel::update(site_spaces::table.find(site.key_of(id)))
            .set(site_spaces::customization.eq(overrides.map(Value::Object)))
            .execute(self.connection)?;
        Ok(())
    }

    /// Replaces the customization of a site.
    pub fn put_customization(&mut self, site: &LockedSite, customization: &Value) -> Result<()> {
        let (organization, id) = site.keys();
        diesel::update(sites::table.find((organization, id)))
            .set(sites::customization.eq(Some(customization)))
            .execute(self.connection)?;
        Ok(())
    }
}
