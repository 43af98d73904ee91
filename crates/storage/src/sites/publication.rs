//! What published sites make of spaces: kept with each space, so that reading one costs no more.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Bool, Nullable, Text, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{OrganizationId, SiteId, SpaceId};
use quire_domain::sites::{SiteVisibility, site_address};
use quire_domain::spaces::Visibility;
use quire_domain::webhooks::EventKind;
use uuid::Uuid;

use super::{LockedSite, key_hash};
use crate::lookup::{
    RoleColumn, SpaceColumns, SpaceRecord, role_from_rank, space_columns, space_role, valid_token,
};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::webhooks::Event;
use crate::{Result, stored};

statements! {
    SpacesOnSite = "SELECT DISTINCT space_id FROM site_spaces WHERE organization_id = $1 AND site_id = $2";
    LockSpaces = "SELECT id AS space_id FROM spaces WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE";
    // The most open visibility counts; of sites that are alike, the oldest.
    MostOpen = "SELECT DISTINCT ON (p.space_id) p.space_id, w.visibility, w.id AS site_id, w.basename, w.hostname, w.proxy_origin, \
                x.path AS section_path, p.path \
                FROM site_spaces p \
                JOIN sites w ON w.organization_id = p.organization_id AND w.id = p.site_id AND w.published \
                LEFT JOIN site_sections x ON x.organization_id = p.organization_id AND x.site_id = p.site_id AND x.id = p.section_id \
                WHERE p.organization_id = $1 AND p.space_id = ANY ($2) \
                ORDER BY p.space_id, array_position(ARRAY['public', 'unlisted', 'share-link', 'visitor-auth'], w.visibility), w.id, p.id";
    // What it was before is read beside it: the rows are locked.
    NotePublication = "UPDATE spaces s SET site_visibility = v.visibility, site_address = v.address \
                       FROM unnest($2, $3, $4) AS v (id, visibility, address) \
                       JOIN spaces b ON b.organization_id = $1 AND b.id = v.id \
                       WHERE s.organization_id = $1 AND s.id = v.id \
                       AND (s.site_visibility IS DISTINCT FROM v.visibility OR s.site_address IS DISTINCT FROM v.address) \
                       RETURNING s.id AS space_id, s.collection_id IS NOT NULL AS in_collection, s.deleted_at IS NOT NULL AS is_deleted, \
                                 b.site_visibility AS before, s.site_visibility AS after";
    FindShared = concat!(
        "SELECT w.visibility, w.id AS site_id, w.basename, w.hostname, w.proxy_origin, x.path AS section_path, p.path, ",
        space_role!(), " AS role, ", space_columns!(),
        " FROM spaces s \
          JOIN site_spaces p ON p.organization_id = s.organization_id AND p.space_id = s.id \
          JOIN sites w ON w.organization_id = p.organization_id AND w.id = p.site_id AND w.published AND w.visibility = 'share-link' \
          JOIN site_share_links l ON l.organization_id = w.organization_id AND l.site_id = w.id AND l.active AND l.key_hash = $4 \
          LEFT JOIN site_sections x ON x.organization_id = p.organization_id AND x.site_id = p.site_id AND x.id = p.section_id \
          LEFT JOIN api_tokens t ON ", valid_token!(), " AND (t.organizations IS NULL OR s.organization_id = ANY (t.organizations)) \
          LEFT JOIN organization_members m ON m.organization_id = s.organization_id AND m.user_id = t.user_id \
          LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id \
          WHERE s.id = $3 AND s.deleted_at IS NULL ORDER BY p.id LIMIT 1"
    );
    ForgetPublication = "UPDATE spaces s SET site_visibility = NULL, site_address = NULL \
                         FROM spaces b WHERE b.organization_id = $1 AND b.id = s.id \
                         AND s.organization_id = $1 AND s.id = ANY ($2) AND s.site_visibility IS NOT NULL \
                         RETURNING s.id AS space_id, s.collection_id IS NOT NULL AS in_collection, s.deleted_at IS NOT NULL AS is_deleted, \
                                   b.site_visibility AS before, s.site_visibility AS after";
    DropPlacements = "DELETE FROM site_spaces WHERE organization_id = $1 AND space_id = ANY ($2)";
}

#[derive(QueryableByName)]
struct SpaceIdRow {
    #[diesel(sql_type = SqlUuid)]
    space_id: Uuid,
}

#[derive(QueryableByName)]
struct PlaceRow {
    #[diesel(sql_type = SqlUuid)]
    space_id: Uuid,
    #[diesel(sql_type = Text)]
    visibility: String,
    #[diesel(sql_type = SqlUuid)]
    site_id: Uuid,
    #[diesel(sql_type = Nullable<Text>)]
    basename: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    hostname: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    proxy_origin: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    section_path: Option<String>,
    #[diesel(sql_type = Text)]
    path: String,
}

/// What a change of sites made of a space.
#[derive(QueryableByName)]
pub(crate) struct PublicationRow {
    #[diesel(sql_type = SqlUuid)]
    space_id: Uuid,
    #[diesel(sql_type = Bool)]
    in_collection: bool,
    #[diesel(sql_type = Bool)]
    is_deleted: bool,
    #[diesel(sql_type = Nullable<Text>)]
    before: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    after: Option<String>,
}

impl PublicationRow {
    /// What webhooks are told, if who can see the space is another now.
    pub(crate) fn event(&self) -> Result<Option<Event>> {
        let visibility = |site: Option<&str>| -> Result<Visibility> {
            let site: Option<SiteVisibility> = site.map(stored).transpose()?;
            Ok(Visibility::of_space(site.map(Into::into), self.in_collection))
        };
        let (before, after) = (visibility(self.before.as_deref())?, visibility(self.after.as_deref())?);
        // A deleted space is on no site until it is restored.
        Ok(visibility_event(SpaceId::from_uuid(self.space_id), before, after).filter(|_| !self.is_deleted))
    }
}

/// What webhooks are told of a space whose visibility was `before` and is `after`, if that is another.
pub(crate) fn visibility_event(space: SpaceId, before: Visibility, after: Visibility) -> Option<Event> {
    let event = Event::in_space(EventKind::SpaceVisibilityUpdated, space);
    (before != after)
        .then(|| event.with("previousVisibility", before.as_str()).with("visibility", after.as_str()))
}

impl PlaceRow {
    fn address(&self, organization: OrganizationId) -> String {
        let site = site_address(
            organization,
            SiteId::from_uuid(self.site_id),
            self.basename.as_deref(),
            self.hostname.as_deref(),
            self.proxy_origin.as_deref(),
        );
        address_on_site(&site, self.section_path.as_deref(), &self.path)
    }
}

/// Where a space is on a site: below its section's path, if it stands in one.
#[must_use]
pub(super) fn address_on_site(site: &str, section: Option<&str>, path: &str) -> String {
    match section {
        Some(section) => format!("{site}/{section}/{path}"),
        None => format!("{site}/{path}"),
    }
}

/// A space that somebody sees through the share link of a site.
#[derive(Clone, Debug)]
pub struct SharedSpace {
    /// The space.
    pub space: SpaceRecord,
    /// The visitor's own role on it, which the link doesn't change.
    pub role: Option<Role>,
    /// Where the space is on that site: a URL, or a path below the deployment's own.
    pub address: String,
}

impl Reader<'_> {
    /// A space on a published site that this share key opens, for anybody: one statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn shared_space(&mut self, space: SpaceId, share_key: &str) -> Result<Option<SharedSpace>> {
        let row: Option<(PlaceRow, RoleColumn, SpaceColumns)> = FindShared::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<Binary, _>(key_hash(share_key)),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some((place, role, space)) = row else { return Ok(None) };
        let space = SpaceRecord::try_from(space)?;
        let address = place.address(space.organization);
        Ok(Some(SharedSpace { space, role: role_from_rank(role.role)?, address }))
    }
}

impl Tx<'_> {
    /// The spaces that stand on a site, deleted ones too.
    pub(super) fn spaces_on_site(&mut self, site: &LockedSite) -> Result<Vec<SpaceId>> {
        let (organization, id) = site.keys();
        let rows: Vec<SpaceIdRow> =
            SpacesOnSite::bind((val::<SqlUuid, _>(organization), val::<SqlUuid, _>(id)))
                .load(self.connection)?;
        Ok(rows.into_iter().map(|row| SpaceId::from_uuid(row.space_id)).collect())
    }

    /// Brings what spaces keep of a site up to date.
    pub(super) fn refresh_site(&mut self, site: &LockedSite) -> Result<()> {
        let spaces = self.spaces_on_site(site)?;
        self.refresh_publication(site.organization, &spaces)
    }

    /// Brings what these spaces keep of published sites up to date. Their rows are locked first, in one order, so that two sites
    /// that change at once don't overwrite each other's result.
    pub(super) fn refresh_publication(
        &mut self,
        organization: OrganizationId,
        spaces: &[SpaceId],
    ) -> Result<()> {
        if spaces.is_empty() {
            return Ok(());
        }
        let tenant = || val::<SqlUuid, _>(*organization.as_uuid());
        let ids = self.lock_spaces(organization, spaces)?;
        let best: Vec<PlaceRow> =
            MostOpen::bind((tenant(), val::<Array<SqlUuid>, _>(ids.clone()))).load(self.connection)?;
        let of = |id: Uuid| best.iter().find(|row| row.space_id == id);
        let visibilities: Vec<Option<String>> =
            ids.iter().map(|id| of(*id).map(|row| row.visibility.clone())).collect();
        let addresses: Vec<Option<String>> =
            ids.iter().map(|id| of(*id).map(|row| row.address(organization))).collect();
        let noted: Vec<PublicationRow> = NotePublication::bind((
            tenant(),
            val::<Array<SqlUuid>, _>(ids),
            val::<Array<Nullable<Text>>, _>(visibilities),
            val::<Array<Nullable<Text>>, _>(addresses),
        ))
        .load(self.connection)?;
        self.emit_visibilities(organization, &noted)
    }

    /// Tells webhooks of spaces that others can see now.
    pub(crate) fn emit_visibilities(
        &mut self,
        organization: OrganizationId,
        noted: &[PublicationRow],
    ) -> Result<()> {
        let events = noted.iter().filter_map(|row| row.event().transpose()).collect::<Result<_>>()?;
        self.emit_all(organization, events)
    }

    /// Locks spaces in one order, before places of them on a site are changed: whoever locks a space first and its places after
    /// it, as a transfer does, is then never waited for by somebody it waits for.
    pub(super) fn lock_spaces(
        &mut self,
        organization: OrganizationId,
        spaces: &[SpaceId],
    ) -> Result<Vec<Uuid>> {
        let ids: Vec<Uuid> = spaces.iter().map(|space| *space.as_uuid()).collect();
        let tenant = val::<SqlUuid, _>(*organization.as_uuid());
        let locked: Vec<SpaceIdRow> =
            LockSpaces::bind((tenant, val::<Array<SqlUuid>, _>(ids))).load(self.connection)?;
        Ok(locked.into_iter().map(|row| row.space_id).collect())
    }

    /// Takes locked spaces off every site of an organization that they leave, and answers those that were published.
    pub(crate) fn take_off_sites(
        &mut self,
        organization: OrganizationId,
        spaces: &[Uuid],
    ) -> Result<Vec<PublicationRow>> {
        let tenant = || val::<SqlUuid, _>(*organization.as_uuid());
        DropPlacements::bind((tenant(), val::<Array<SqlUuid>, _>(spaces))).execute(self.connection)?;
        Ok(ForgetPublication::bind((tenant(), val::<Array<SqlUuid>, _>(spaces))).load(self.connection)?)
    }
}
