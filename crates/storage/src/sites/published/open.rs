//! Lookups of published sites that anyone may read, by their content.

use diesel::prelude::*;
use diesel::sql_types::Uuid as SqlUuid;
use quire_database::sql_files;
use quire_domain::ids::{CollectionId, OrganizationId, SiteId, SpaceId};
use quire_domain::integrations::IntegrationVisibility;
use uuid::Uuid;

use super::address::{SiteAddress, SiteKey};
use crate::Result;
use crate::schema::integrations;
use crate::transaction::Reader;

sql_files! {
    OpenSitesOfSpace(SqlUuid) -> (SqlUuid, SqlUuid) = "open_sites_of_space.sql";
    FrontSite(SqlUuid) -> SqlUuid = "front_site.sql";
    PublicSpaceOfCollection(SqlUuid) -> SqlUuid = "public_space_of_collection.sql";
}

impl Reader<'_> {
    /// Returns the published sites that show a space to anyone who meets their conditions, widest audience first. Takes
    /// one statement.
    pub fn open_sites_of_space(&mut self, space: SpaceId) -> Result<Vec<SiteKey>> {
        let rows: Vec<(Uuid, Uuid)> = OpenSitesOfSpace::bind((space,)).load(self.connection)?;
        let key = |(organization, site)| {
            let id = SiteAddress::Id(OrganizationId::from_uuid(organization), SiteId::from_uuid(site));
            SiteKey { address: id, share_key: None }
        };
        Ok(rows.into_iter().map(key).collect())
    }

    /// Returns the public site that an organization shows first. Takes one statement.
    pub fn front_site(&mut self, organization: OrganizationId) -> Result<Option<SiteId>> {
        let site: Option<Uuid> = FrontSite::bind((organization,)).get_result(self.connection).optional()?;
        Ok(site.map(SiteId::from_uuid))
    }

    /// Returns the first space of a collection that is on a public site. Takes one statement.
    pub fn public_space_of_collection(&mut self, collection: CollectionId) -> Result<Option<SpaceId>> {
        let space: Option<Uuid> =
            PublicSpaceOfCollection::bind((collection,)).get_result(self.connection).optional()?;
        Ok(space.map(SpaceId::from_uuid))
    }

    /// Returns the owner of an integration that anyone can find by its name. Takes one statement.
    pub fn owner_of_open_integration(&mut self, name: &str) -> Result<Option<OrganizationId>> {
        let owner: Option<Uuid> = integrations::table
            .filter(integrations::name.eq(name))
            .filter(integrations::visibility.ne(IntegrationVisibility::Private.as_str()))
            .select(integrations::organization_id)
            .get_result(self.connection)
            .optional()?;
        Ok(owner.map(OrganizationId::from_uuid))
    }
}
