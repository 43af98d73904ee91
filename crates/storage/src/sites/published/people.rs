//! Names of users mentioned in pages.

use diesel::prelude::*;
use quire_domain::ids::{OrganizationId, UserId};
use uuid::Uuid;

use super::lookup::PublishedSite;
use crate::Result;
use crate::content::store::ContentAt;
use crate::lookup::Authorized;
use crate::schema::{organization_members, users};
use crate::transaction::Reader;

impl Reader<'_> {
    /// Returns the names of the given users who are members or guests of a site's organization. Takes one statement.
    pub fn names_of_members(
        &mut self,
        site: &PublishedSite,
        ids: &[UserId],
    ) -> Result<Vec<(UserId, String)>> {
        self.names_in(site.site.organization, ids)
    }

    /// Returns the names of the given users who are members or guests of the organization of content. Takes one
    /// statement.
    pub fn names_in_organization_of(
        &mut self,
        content: &Authorized<ContentAt>,
        ids: &[UserId],
    ) -> Result<Vec<(UserId, String)>> {
        self.names_in(content.space.organization, ids)
    }

    fn names_in(&mut self, organization: OrganizationId, ids: &[UserId]) -> Result<Vec<(UserId, String)>> {
        let ids = ids.to_vec();
        let names: Vec<(Uuid, String)> = organization_members::table
            .inner_join(users::table)
            .filter(organization_members::organization_id.eq(organization))
            .filter(organization_members::user_id.eq_any(ids))
            .order(users::id)
            .select((users::id, users::display_name))
            .load(self.connection)?;
        Ok(names.into_iter().map(|(id, name)| (UserId::from_uuid(id), name)).collect())
    }
}
