//! Share links of sites.

use diesel::dsl;
use diesel::prelude::*;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, ShareLinkId, SiteId};
use quire_domain::sites::{ShareLinkFacts, ShareLinkUpdate};
use rand::distr::{Alphanumeric, SampleString};
use sha2::{Digest, Sha256};

use super::LockedSite;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Authorized;
use crate::operations::keys::KeyOwner;
use crate::schema::site_share_links;
use crate::sites::SiteRecord;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Number of base62 characters of a key: 238 bits.
const KEY_LENGTH: usize = 40;

/// Share link with its wrapped key.
type Wrapped = (ShareLinkId, Vec<u8>, Option<String>, bool, Timestamp);

/// Returns the query for the share links of a site.
#[dsl::auto_type(no_type_alias)]
fn links_of(organization: OrganizationId, site: SiteId) -> _ {
    site_share_links::table
        .filter(site_share_links::organization_id.eq(organization))
        .filter(site_share_links::site_id.eq(site))
        .select((
            site_share_links::id,
            site_share_links::wrapped_key,
            site_share_links::name,
            site_share_links::active,
            site_share_links::created_at,
        ))
}

/// Returns the hash by which a key is looked up. A key has 238 random bits, so that its hash needs no secret, like the
/// hash of a token.
pub(crate) fn key_hash(key: &str) -> Vec<u8> {
    key_digest(key).to_vec()
}

/// Like [`key_hash`], as an array.
pub(crate) fn key_digest(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}

impl Reader<'_> {
    /// Returns the share links of a site, newest first. Takes two statements.
    ///
    /// # Errors
    /// A key that cannot be unwrapped.
    pub fn share_links_of(
        &mut self,
        site: &Authorized<SiteRecord>,
        after: Option<ShareLinkId>,
        limit: u16,
    ) -> Result<Slice<ShareLinkFacts>> {
        let links = links_of(site.organization, site.id);
        let rows: Vec<Wrapped> = links
            .filter(site_share_links::id.lt(page_end(after)))
            .order(site_share_links::id.desc())
            .limit(fetch_limit(limit))
            .load(self.connection)?;
        let total = links.count().get_result(self.connection)?;
        Slice::cut(rows, limit, total).try_map(|row| self.unwrap_share_link(site.organization, row))
    }

    /// Returns a share link of a site.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn share_link(&mut self, site: &Authorized<SiteRecord>, id: ShareLinkId) -> Result<ShareLinkFacts> {
        let row: Option<Wrapped> = links_of(site.organization, site.id)
            .filter(site_share_links::id.eq(id))
            .get_result(self.connection)
            .optional()?;
        self.unwrap_share_link(site.organization, row.ok_or(Error::NotFound)?)
    }

    fn unwrap_share_link(
        &self,
        organization: OrganizationId,
        (id, wrapped_key, name, active, created_at): Wrapped,
    ) -> Result<ShareLinkFacts> {
        let key = self.storage.master_keys()?.unwrap(KeyOwner::ShareLink(organization, id), &wrapped_key)?;
        let key = String::from_utf8(key)
            .map_err(|error| Error::corrupt("the key of a share link is damaged", error))?;
        Ok(ShareLinkFacts { id, key, name, active, created_at })
    }
}

impl Tx<'_> {
    /// Creates a share link with a new key.
    pub fn create_share_link(&mut self, site: &LockedSite, name: Option<&str>) -> Result<ShareLinkFacts> {
        let link = ShareLinkFacts {
            id: ShareLinkId::from_uuid(self.storage.ids().uuid()),
            key: Alphanumeric.sample_string(&mut rand::rng(), KEY_LENGTH),
            name: name.map(str::to_owned),
            active: true,
            created_at: self.now,
        };
        let owner = KeyOwner::ShareLink(site.organization, link.id);
        let wrapped = self.storage.master_keys()?.wrap(owner, link.key.as_bytes())?;
        diesel::insert_into(site_share_links::table)
            .values((
                site_share_links::organization_id.eq(site.organization),
                site_share_links::site_id.eq(site.id),
                site_share_links::id.eq(link.id),
                site_share_links::key_hash.eq(key_hash(&link.key)),
                site_share_links::wrapped_key.eq(wrapped),
                site_share_links::name.eq(name),
                site_share_links::created_at.eq(self.now),
            ))
            .execute(self.connection)?;
        self.record_created("share-link", link.id);
        Ok(link)
    }

    /// Updates a share link. Absent values are not changed.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn update_share_link(
        &mut self,
        site: &LockedSite,
        id: ShareLinkId,
        update: ShareLinkUpdate,
    ) -> Result<ShareLinkFacts> {
        diesel::update(site_share_links::table.find(site.key_of(id)))
            .set(update)
            .execute(self.connection)
            .optional_empty_changeset()?;
        self.share_link(site, id)
    }

    /// Deletes a share link. Its key no longer opens the site.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn delete_share_link(&mut self, site: &LockedSite, id: ShareLinkId) -> Result<()> {
        let deleted =
            diesel::delete(site_share_links::table.find(site.key_of(id))).execute(self.connection)?;
        if deleted == 1 { Ok(()) } else { Err(Error::NotFound) }
    }
}
