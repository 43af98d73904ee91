//! Cache tags of changed content, for site renderers.

use diesel::RunQueryDsl as _;
use diesel::sql_types::{Array, Bool, Nullable, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{ChangeRequestId, OrganizationId, SiteId, SpaceId};
use quire_domain::openapi_specs::SpecSlug;
use uuid::Uuid;

use crate::Result;
use crate::end_of_transaction::Purges;
use crate::transaction::Tx;

/// Stored tag of a renderer's site, whose id is in the key of the row.
pub(crate) const SITE: &str = "site";
/// Stored tag of the site's host.
pub(crate) const HOST: &str = "url";
/// Stored tag of all spaces of the site.
pub(crate) const SPACES: &str = "spaces";

/// Cached content that a change makes outdated, with the renderers that may have it.
#[derive(Clone, Debug)]
pub(crate) struct Purge {
    tag: String,
    /// Limits the purge to renderers of sites with this space.
    space: Option<SpaceId>,
    /// Limits the purge to the renderer of this site.
    site: Option<SiteId>,
}

impl Purge {
    /// Returns the purge of a space's content.
    pub(crate) fn space(space: SpaceId) -> Self {
        Self { tag: space_tag(space), space: Some(space), site: None }
    }

    /// Returns the purge of a change request's content.
    pub(crate) fn change_request(space: SpaceId, id: ChangeRequestId) -> Self {
        let tag = format!("{}:change-request:{id}", space_tag(space));
        Self { tag, space: Some(space), site: None }
    }

    /// Returns the purges of the structure and addresses of the sites with a space.
    pub(crate) fn sites_with(space: SpaceId) -> [Self; 2] {
        [SITE, HOST].map(|tag| Self { tag: tag.to_owned(), space: Some(space), site: None })
    }

    /// Returns the purges of the structure, settings and addresses of a site.
    pub(crate) fn site(site: SiteId) -> [Self; 2] {
        [SITE, HOST].map(|tag| Self { tag: tag.to_owned(), space: None, site: Some(site) })
    }

    /// Returns the purge of the addresses of a site at a former host.
    pub(crate) fn host(site: SiteId, host: &str) -> Self {
        Self { tag: format!("{HOST}:{host}"), space: None, site: Some(site) }
    }

    /// Returns the purges of a specification, and of the pages computed from it, which may be in any space.
    pub(crate) fn specification(organization: OrganizationId, slug: &SpecSlug) -> [Self; 2] {
        let tag = format!("organization:{organization}:openapi:{slug}");
        [tag, SPACES.to_owned()].map(|tag| Self { tag, space: None, site: None })
    }
}

/// Returns the tag of a space.
pub(crate) fn space_tag(space: SpaceId) -> String {
    format!("space:{space}")
}

sql_files! {
    LockRenderers(Array<SqlUuid>) -> (SqlUuid, SqlUuid, Bool) = "lock.sql";
    WritePurges(
        Array<SqlUuid>, Array<Text>, Array<Nullable<SqlUuid>>, Array<Nullable<SqlUuid>>, Array<SqlUuid>,
        Array<SqlUuid>, Array<SqlUuid>, Array<Bool>
    ) = "write_purges.sql";
}

impl Tx<'_> {
    /// Records outdated content of the organization. It is written when the transaction ends.
    pub(crate) fn purge(&mut self, organization: OrganizationId, purges: impl IntoIterator<Item = Purge>) {
        for Purge { tag, space, site } in purges {
            let id = self.storage.ids().uuid();
            let pending = &mut self.closing.purges;
            pending.organizations.push(organization);
            pending.tags.push(tag);
            pending.spaces.push(space);
            pending.sites.push(site);
            pending.ids.push(id);
        }
    }

    /// Writes tags for each renderer that may have cached their content. Takes one statement, or two if the
    /// organizations have renderers, or none without tags.
    pub(crate) fn write_purges(&mut self, purges: &Purges) -> Result<()> {
        let Purges { organizations, tags, spaces, sites, ids } = purges;
        if ids.is_empty() {
            return Ok(());
        }
        let renderers: Vec<(Uuid, Uuid, bool)> =
            LockRenderers::bind((organizations,)).load(self.connection)?;
        if !renderers.is_empty() {
            let owners: Vec<Uuid> = renderers.iter().map(|(organization, ..)| *organization).collect();
            let (rendered, deleted): (Vec<Uuid>, Vec<bool>) =
                renderers.into_iter().map(|(_, site, is_deleted)| (site, is_deleted)).unzip();
            WritePurges::bind((organizations, tags, spaces, sites, ids, owners, rendered, deleted))
                .execute(self.connection)?;
        }
        Ok(())
    }

    /// Like [`Tx::purge`], in the organization of a space.
    pub(crate) fn purge_in_space(&mut self, space: SpaceId, purge: Purge) -> Result<()> {
        let organization = self.organization_with(space)?;
        self.purge(organization, [purge]);
        Ok(())
    }
}
