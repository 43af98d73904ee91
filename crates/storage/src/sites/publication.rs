//! Visibility and address of spaces on published sites, stored in each space, so that reading a space costs no more.

use std::collections::{BTreeSet, HashMap};

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::ids::{OrganizationId, SiteId, SpaceId};
use quire_domain::sites::{SiteVisibility, site_address};
use quire_domain::spaces::Visibility;
use quire_domain::webhooks::EventKind;
use serde::Deserialize;
use uuid::Uuid;

use super::{LockedSite, key_hash};
use crate::Result;
use crate::content::spaces::SpaceRecord;
use crate::lookup::role_from_rank;
use crate::operations::webhooks::Event;
use crate::schema::{site_spaces, spaces};
use crate::sites::purges::Purge;
use crate::transaction::{Reader, Tx};

/// SQL types of an [`AddressOnSite`].
type Address = (Text, Text, Nullable<Text>, Nullable<Text>, Text);
/// SQL types of a [`VisibilityChange`].
type Publication = (SqlUuid, Bool, Bool, Nullable<Text>, Nullable<Text>);

sql_files! {
    RefreshPaths(SqlUuid, SqlUuid) = "refresh_paths.sql";
    FindMostOpen(SqlUuid, Array<SqlUuid>) -> (SqlUuid, Text, Address) = "find_most_open.sql";
    UpdatePublications(SqlUuid, Array<SqlUuid>, Array<Nullable<Text>>, Array<Nullable<Text>>) -> Publication
        = "update_publications.sql";
    ClearPublications(SqlUuid, Array<SqlUuid>) -> Publication = "clear_publications.sql";
    FindSharedSpace(Binary, Timestamptz, SqlUuid, Binary)
        -> (
            Address, Nullable<SmallInt>, Nullable<Text>, Nullable<Text>,
            dsl::SqlTypeOf<dsl::AsSelect<SpaceRecord, Pg>>,
        )
        = "find_shared_space.sql" of SpaceRecord;
}

/// Address, rank of the reader's role, conditions of the site space and of its section, space.
type SharedRow = (AddressOnSite, Option<i16>, Option<String>, Option<String>, SpaceRecord);

/// Parts of the address of a space on a site.
#[derive(Debug, Queryable, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddressOnSite {
    organization_name: String,
    name: String,
    hostname: Option<String>,
    proxy_origin: Option<String>,
    site_path: String,
}

/// Change of a space's visibility caused by a change of sites.
#[derive(Queryable)]
pub(crate) struct VisibilityChange {
    space: SpaceId,
    in_collection: bool,
    is_deleted: bool,
    before: Option<SiteVisibility>,
    after: Option<SiteVisibility>,
}

impl VisibilityChange {
    /// Returns the webhook event if the visibility of the space changed. A deleted space has none: it is on no site
    /// until it is restored.
    pub(crate) fn event(&self) -> Option<Event> {
        let visibility =
            |site: Option<SiteVisibility>| Visibility::of_space(site.map(Into::into), self.in_collection);
        visibility_event(self.space, visibility(self.before), visibility(self.after))
            .filter(|_| !self.is_deleted)
    }
}

/// Returns the webhook event about a space whose visibility changed from `before` to `after`; `None` if they are equal.
pub(crate) fn visibility_event(space: SpaceId, before: Visibility, after: Visibility) -> Option<Event> {
    let event = Event::in_space(EventKind::SpaceVisibilityUpdated, space);
    (before != after)
        .then(|| event.with("previousVisibility", before.as_str()).with("visibility", after.as_str()))
}

impl AddressOnSite {
    /// Returns the address of the space on the site.
    fn address(&self) -> String {
        joined([self.site().as_str(), &self.site_path])
    }

    /// Returns the address of the site.
    pub(crate) fn site(&self) -> String {
        let (hostname, origin) = (self.hostname.as_deref(), self.proxy_origin.as_deref());
        site_address(&self.organization_name, &self.name, hostname, origin)
    }

    /// Returns the path of the space below the site.
    pub(crate) fn path(&self) -> &str {
        &self.site_path
    }
}

/// Joins the non-empty parts of an address with slashes.
fn joined<const N: usize>(parts: [&str; N]) -> String {
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("/")
}

/// Space that a share link of a site opens.
#[derive(Clone, Debug)]
pub struct SharedSpace {
    /// Space.
    pub space: SpaceRecord,
    /// Visitor's own role on the space, which the link does not change.
    pub role: Option<Role>,
    /// Address of the site: a URL, or a path below the URL of the deployment.
    pub(crate) site: String,
    /// Path of the space below the site.
    pub(crate) path: String,
}

impl SharedSpace {
    /// Returns the address of the space on the site, with the key of a share link if given.
    #[must_use]
    pub fn address(&self, share_key: Option<&str>) -> String {
        joined([self.site.as_str(), share_key.unwrap_or_default(), &self.path])
    }
}

impl Reader<'_> {
    /// Returns a space on a published site that this share key opens, to any caller. `meets` evaluates the conditions
    /// of the space and its section. Takes one statement.
    pub fn shared_space(
        &mut self,
        space: SpaceId,
        share_key: &str,
        meets: impl Fn(&str) -> bool,
    ) -> Result<Option<SharedSpace>> {
        let rows: Vec<SharedRow> = FindSharedSpace::bind((
            self.credentials.token_hash.as_slice(),
            self.now,
            space,
            key_hash(share_key),
        ))
        .load(self.connection)?;
        let is_shown = |row: &SharedRow| [&row.2, &row.3].into_iter().flatten().all(|text| meets(text));
        let Some((address, role, _, _, space)) = rows.into_iter().find(is_shown) else { return Ok(None) };
        let (site, path) = (address.site(), address.path().to_owned());
        Ok(Some(SharedSpace { space, role: role_from_rank(role)?, site, path }))
    }
}

impl Tx<'_> {
    /// Returns the spaces on a site, including deleted ones.
    pub(super) fn spaces_on_site(&mut self, site: &LockedSite) -> Result<Vec<SpaceId>> {
        let (organization, id) = site.keys();
        let ids: Vec<Uuid> = site_spaces::table
            .filter(site_spaces::organization_id.eq(organization))
            .filter(site_spaces::site_id.eq(id))
            .select(site_spaces::space_id)
            .distinct()
            .load(self.connection)?;
        Ok(ids.into_iter().map(SpaceId::from).collect())
    }

    /// Locks the spaces on a site and other spaces before the structure of the site changes, and returns them.
    pub(super) fn lock_spaces_on_site(
        &mut self,
        site: &LockedSite,
        others: &[SpaceId],
    ) -> Result<Vec<SpaceId>> {
        let mut spaces = self.spaces_on_site(site)?;
        // All spaces are locked at once, in a fixed order.
        spaces.extend(others);
        self.lock_spaces(site.organization, &spaces)?;
        Ok(spaces)
    }

    /// Updates the paths of the sections and spaces of a site, and the visibility and address of its spaces.
    pub(crate) fn refresh_site(&mut self, site: &LockedSite) -> Result<()> {
        let spaces = self.spaces_on_site(site)?;
        self.refresh_structure(site, &spaces)
    }

    /// Like [`Tx::refresh_site`], with spaces that may no longer be on the site.
    pub(super) fn refresh_structure(&mut self, site: &LockedSite, spaces: &[SpaceId]) -> Result<()> {
        let (organization, id) = site.keys();
        self.note_structure(organization, id);
        RefreshPaths::bind((organization, id)).execute(self.connection)?;
        self.refresh_publication(site.organization, spaces)
    }

    /// Updates the visibility and address of spaces. Their rows are locked first, in the order of their ids, so that
    /// concurrent changes of sites do not overwrite each other's result.
    pub(super) fn refresh_publication(
        &mut self,
        organization: OrganizationId,
        spaces: &[SpaceId],
    ) -> Result<()> {
        if spaces.is_empty() {
            return Ok(());
        }
        let ids = self.lock_spaces(organization, spaces)?;
        let rows: Vec<(Uuid, String, AddressOnSite)> =
            FindMostOpen::bind((organization, &ids)).load(self.connection)?;
        let mut most_open: HashMap<Uuid, (String, String)> = rows
            .into_iter()
            .map(|(space, visibility, address)| (space, (visibility, address.address())))
            .collect();
        let (visibilities, addresses): (Vec<Option<String>>, Vec<Option<String>>) =
            ids.iter().map(|id| most_open.remove(id).unzip()).unzip();
        let changed: Vec<VisibilityChange> =
            UpdatePublications::bind((organization, ids, visibilities, addresses)).load(self.connection)?;
        self.emit_visibilities(organization, &changed)
    }

    /// Emits the events about changed visibilities.
    pub(crate) fn emit_visibilities(
        &mut self,
        organization: OrganizationId,
        changed: &[VisibilityChange],
    ) -> Result<()> {
        self.emit_all(organization, changed.iter().filter_map(VisibilityChange::event).collect())
    }

    /// Locks spaces in the order of their ids, before their site spaces change. A transfer uses the same order, so the
    /// two cannot deadlock.
    pub(crate) fn lock_spaces(
        &mut self,
        organization: OrganizationId,
        spaces: &[SpaceId],
    ) -> Result<Vec<Uuid>> {
        let ids = spaces.to_vec();
        let locked = spaces::table
            .filter(spaces::organization_id.eq(organization))
            .filter(spaces::id.eq_any(ids))
            .order(spaces::id)
            .for_no_key_update()
            .select(spaces::id);
        Ok(locked.load(self.connection)?)
    }

    /// Removes locked spaces that leave an organization from its sites, and returns the changes of visibility.
    pub(crate) fn remove_from_sites(
        &mut self,
        organization: OrganizationId,
        spaces: &[SpaceId],
    ) -> Result<Vec<VisibilityChange>> {
        let on_sites = site_spaces::table
            .filter(site_spaces::organization_id.eq(organization))
            .filter(site_spaces::space_id.eq_any(spaces));
        let sites: Vec<Uuid> =
            diesel::delete(on_sites).returning(site_spaces::site_id).get_results(self.connection)?;
        let sites: BTreeSet<Uuid> = sites.into_iter().collect();
        self.purge(organization, sites.into_iter().flat_map(|site| Purge::site(SiteId::from_uuid(site))));
        Ok(ClearPublications::bind((organization, spaces)).load(self.connection)?)
    }
}
