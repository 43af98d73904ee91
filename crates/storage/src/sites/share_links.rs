//! Links that share a site.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, ShareLinkId};
use rand::distr::{Alphanumeric, SampleString};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use uuid::Uuid;

use super::LockedSite;
use crate::keys::Place;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, SiteRecord};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, moment};

/// How many base62 characters a key has: 238 bits.
const KEY_LENGTH: usize = 40;

/// A share link as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareLinkRecord {
    /// Its id.
    pub id: ShareLinkId,
    /// The secret that opens the site.
    pub key: String,
    /// What it is for.
    pub name: Option<String>,
    /// Whether it opens the site.
    pub active: bool,
    /// When it was made.
    pub created_at: Timestamp,
}

statements! {
    ListShareLinks = "SELECT id, wrapped_key, name, active, created_at FROM site_share_links \
                      WHERE organization_id = $1 AND site_id = $2 AND ($3 IS NULL OR id < $3) ORDER BY id DESC LIMIT $4";
    CountShareLinks = "SELECT count(*) AS total FROM site_share_links WHERE organization_id = $1 AND site_id = $2";
    FindShareLink = "SELECT id, wrapped_key, name, active, created_at FROM site_share_links \
                     WHERE organization_id = $1 AND site_id = $2 AND id = $3";
    InsertShareLink = "INSERT INTO site_share_links (organization_id, site_id, id, key_hash, wrapped_key, name, created_at) \
                       VALUES ($1, $2, $3, $4, $5, $6, $7)";
    UpdateShareLink = "UPDATE site_share_links SET name = coalesce($4, name), active = coalesce($5, active) \
                       WHERE organization_id = $1 AND site_id = $2 AND id = $3";
    DeleteShareLink = "DELETE FROM site_share_links WHERE organization_id = $1 AND site_id = $2 AND id = $3";
}

#[derive(QueryableByName)]
struct ShareLinkColumns {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Binary)]
    wrapped_key: Vec<u8>,
    #[diesel(sql_type = Nullable<Text>)]
    name: Option<String>,
    #[diesel(sql_type = Bool)]
    active: bool,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
}

/// The form in which a key is looked up. It has 238 random bits, so that its hash needs no key of its own, as with tokens.
pub(crate) fn key_hash(key: &str) -> Vec<u8> {
    Sha256::digest(key.as_bytes()).to_vec()
}

impl Reader<'_> {
    fn opened(&self, organization: OrganizationId, row: ShareLinkColumns) -> Result<ShareLinkRecord> {
        let id = ShareLinkId::from_uuid(row.id);
        let key = self.storage.master_keys()?.unwrap(Place::ShareLink(organization, id), &row.wrapped_key)?;
        let key = String::from_utf8(key)
            .map_err(|error| Error::corrupt("the key of a share link is damaged", error))?;
        Ok(ShareLinkRecord {
            id,
            key,
            name: row.name,
            active: row.active,
            created_at: moment(row.created_at)?,
        })
    }

    /// The share links of a site, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn share_links_of(
        &mut self,
        site: &Authorized<SiteRecord>,
        after: Option<ShareLinkId>,
        limit: u16,
    ) -> Result<Slice<ShareLinkRecord>> {
        let keys =
            || (val::<SqlUuid, _>(*site.organization.as_uuid()), val::<SqlUuid, _>(*site.id.as_uuid()));
        let (organization, id) = keys();
        let rows: Vec<ShareLinkColumns> = ListShareLinks::bind((
            organization,
            id,
            val::<Nullable<SqlUuid>, _>(after.map(|link| *link.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountShareLinks::bind(keys()).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(|row| self.opened(site.organization, row))
    }

    /// A share link of a site.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn share_link(&mut self, site: &Authorized<SiteRecord>, id: ShareLinkId) -> Result<ShareLinkRecord> {
        let row: Option<ShareLinkColumns> = FindShareLink::bind((
            val::<SqlUuid, _>(*site.organization.as_uuid()),
            val::<SqlUuid, _>(*site.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .get_result(self.connection)
        .optional()?;
        self.opened(site.organization, row.ok_or(Error::NotFound)?)
    }
}

impl Tx<'_> {
    /// Makes a share link with a new key.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn create_share_link(&mut self, site: &LockedSite, name: Option<&str>) -> Result<ShareLinkRecord> {
        let link = ShareLinkRecord {
            id: ShareLinkId::from_uuid(self.storage.ids().uuid()),
            key: Alphanumeric.sample_string(&mut rand::rng(), KEY_LENGTH),
            name: name.map(str::to_owned),
            active: true,
            created_at: self.now,
        };
        let place = Place::ShareLink(site.organization, link.id);
        let wrapped = self.storage.master_keys()?.wrap(place, link.key.as_bytes())?;
        let (organization, id) = site.keys();
        InsertShareLink::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(id),
            val::<SqlUuid, _>(*link.id.as_uuid()),
            val::<Binary, _>(key_hash(&link.key)),
            val::<Binary, _>(wrapped),
            val::<Nullable<Text>, _>(link.name.clone()),
            self.now_bind(),
        ))
        .execute(self.connection)?;
        self.note_made("share-link", link.id);
        Ok(link)
    }

    /// Changes a share link; `None` keeps.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn update_share_link(
        &mut self,
        site: &LockedSite,
        id: ShareLinkId,
        name: Option<String>,
        active: Option<bool>,
    ) -> Result<ShareLinkRecord> {
        let (organization, site_id) = site.keys();
        UpdateShareLink::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(site_id),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<Nullable<Text>, _>(name),
            val::<Nullable<Bool>, _>(active),
        ))
        .execute(self.connection)?;
        self.share_link(site, id)
    }

    /// Removes a share link: its key opens nothing any more.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn delete_share_link(&mut self, site: &LockedSite, id: ShareLinkId) -> Result<()> {
        let (organization, site_id) = site.keys();
        let deleted = DeleteShareLink::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(site_id),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .execute(self.connection)?;
        if deleted == 1 { Ok(()) } else { Err(Error::NotFound) }
    }
}
