//! Lookups of sites by address.

use std::collections::HashMap;
use std::slice;
use std::sync::Arc;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{SiteId, UserId};
use quire_domain::policy::{SiteReader, Visitor};
use quire_domain::sites::SiteVisibility;
use quire_domain::sites::customization::Customization;
use quire_search::Language;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::address::{AddressArrays, SiteAddress, SiteKey};
use super::content::PublishedContent;
use super::json;
use super::structure::{PublishedSection, PublishedSpace};
use super::visitor::{ShareKeyHash, SiteVisitor};
use crate::lookup::Authorized;
use crate::operations::keys::KeyOwner;
use crate::schema::{site_adaptive_schemas, sites};
use crate::sites::SiteRecord;
use crate::sites::lookup::{Visit, VisitTypes};
use crate::transaction::Reader;
use crate::{Error, Result};

/// Service that signs visitors of a site in and out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VisitorAuth {
    /// URL to which visitors without a valid token are redirected.
    pub fallback_url: Option<String>,
    /// URL to which visitors are redirected when they sign out.
    pub logout_url: Option<String>,
}

/// Site at an address, not yet authorized for the visitor. Clones share the site.
#[must_use = "a site is given out by `open`"]
#[derive(Clone, Debug)]
pub struct FoundSite {
    visitor: Visitor,
    visitor_key: Option<[u8; 32]>,
    site: Arc<PublishedSite>,
}

/// Site that a visitor may read.
#[derive(Clone, Debug)]
pub struct PublishedSite {
    /// Site.
    pub site: SiteRecord,
    /// Sections in their order; empty for a site without sections.
    pub sections: Vec<PublishedSection>,
    /// Spaces in their order.
    pub spaces: Vec<PublishedSpace>,
    /// `true` if the visitor has the key of one of the site's share links.
    pub has_key: bool,
    /// Service that signs visitors in and out.
    pub visitor_auth: VisitorAuth,
    /// Appearance settings; the defaults after a lookup that does not read settings.
    pub settings: Arc<Customization>,
    /// Search language of the spaces.
    pub(crate) search_language: Language,
    /// Hash of the site's settings, its structure, the heads of its spaces and the versions of specifications.
    pub digest: [u8; 32],
}

impl FoundSite {
    /// Returns the key that signs visitor tokens of the organization, if the site reads them.
    #[must_use]
    pub fn visitor_key(&self) -> Option<&[u8; 32]> {
        self.visitor_key.as_ref()
    }

    /// Returns the id of the site.
    #[must_use]
    pub fn id(&self) -> SiteId {
        self.site.site.id
    }

    /// Returns the site if the visitor may read its pages. `is_vouched` means that the visitor has a token signed with
    /// [`FoundSite::visitor_key`].
    #[must_use]
    pub fn open(self, is_vouched: bool) -> Option<Arc<PublishedSite>> {
        let visitor = Visitor { is_vouched, ..self.visitor };
        let record = &self.site.site;
        visitor.may_read_pages(record.visibility, record.published).then_some(self.site)
    }

    /// Returns the URL to which visitors without a valid token are redirected, if the published site requires one.
    #[must_use]
    pub fn fallback_url(&self) -> Option<&str> {
        let record = &self.site.site;
        let asks = record.published && record.visibility == SiteVisibility::VisitorAuth;
        self.site.visitor_auth.fallback_url.as_deref().filter(|_| asks)
    }

    /// Returns the address of the proxy in front of the site.
    #[must_use]
    pub fn proxy_origin(&self) -> Option<&str> {
        self.site.site.proxy_origin.as_deref()
    }

    /// Returns the site, published or not, to the user of a preview, with the spaces on which the user has a role.
    #[must_use]
    pub fn open_preview(mut self) -> Option<Arc<PublishedSite>> {
        if !self.visitor.is_insider() {
            return None;
        }
        self.site.show_to_reader(SiteReader { is_audience: false, manages: false }, |_| false);
        Some(self.site)
    }

    /// Returns the site to the bearer of an API token, with the spaces whose content the bearer may read: those that
    /// are open to any token, and those on which the member has a role. `meets` evaluates a condition.
    #[must_use]
    pub fn open_with_token(self, meets: impl Fn(&str) -> bool) -> Option<Arc<PublishedSite>> {
        let mut site = self.open_structure(meets)?;
        site.remove_closed_spaces();
        Some(site)
    }

    /// Like [`FoundSite::open_with_token`], but managers of the site also get spaces whose content is closed to them.
    #[must_use]
    pub fn open_structure(mut self, meets: impl Fn(&str) -> bool) -> Option<Arc<PublishedSite>> {
        let record = &self.site.site;
        let is_audience = record.published && self.visitor.may_read_with_token(record.visibility);
        if !is_audience && !self.visitor.is_insider() {
            return None;
        }
        self.site.show_to_reader(SiteReader::new(self.visitor.membership, is_audience), meets);
        Some(self.site)
    }
}

impl PublishedSite {
    /// Returns the content of a space of the site. The caller must check the conditions of the space and its section.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a space of another site, or a space that is closed to the reader.
    pub fn content(&self, space: &PublishedSpace) -> Result<Authorized<PublishedContent>> {
        if !self.spaces.iter().any(|own| own.id == space.id && !own.is_closed) {
            return Err(Error::NotFound);
        }
        PublishedContent::authorized(space, self.site.organization)
    }
}

sql_files! {
    FindSites(
        Binary, Timestamptz, Array<Nullable<Text>>, Array<Nullable<SqlUuid>>, Array<Nullable<Text>>,
        Array<Nullable<SqlUuid>>, Array<Nullable<Binary>>, Array<Text>, Array<BigInt>,
        Nullable<SqlUuid>, Bool, Array<Nullable<Text>>,
    ) -> (
        BigInt, VisitTypes, Text, Nullable<Text>, Text, Text, Text,
        dsl::SqlTypeOf<dsl::AsSelect<SiteRecord, Pg>>,
    ) = "find.sql";
}

/// Site at one of the addresses of a statement.
#[derive(Queryable)]
struct SiteRow {
    /// Position of the address, from 1.
    position: i64,
    visit: Visit,
    search_language: String,
    /// [`VisitorAuth`] as JSON.
    visitor_auth: Option<String>,
    /// Hash of the versions of specifications.
    specs: String,
    /// [`PublishedSection`]s as JSON.
    sections: String,
    /// [`PublishedSpace`]s as JSON.
    spaces: String,
    site: SiteRecord,
}

impl Reader<'_> {
    /// Returns whether a site has this host name. This reveals nothing else about the site. Takes one statement.
    pub fn has_site_at(&mut self, host: &str) -> Result<bool> {
        let named = sites::table.filter(sites::hostname.eq(host));
        Ok(diesel::select(dsl::exists(named)).get_result(self.connection)?)
    }

    /// Returns the schema of the claims of a site's visitors, if there is one. Takes one statement.
    pub fn claims_of(&mut self, site: &PublishedSite) -> Result<Option<Value>> {
        let key = (site.site.organization, site.site.id);
        let schema = site_adaptive_schemas::table.find(key).select(site_adaptive_schemas::json_schema);
        Ok(schema.get_result(self.connection).optional()?)
    }

    /// Returns the site of each key for visitors without an API token, in the order of the keys. Equal keys share the
    /// site. Takes one statement.
    pub fn find_sites(&mut self, keys: &[SiteKey]) -> Result<Vec<Option<FoundSite>>> {
        let mut positions = HashMap::new();
        let mut distinct = Vec::new();
        for key in keys {
            positions.entry(key).or_insert_with(|| {
                distinct.push((&key.address, key.share_key));
                distinct.len() - 1
            });
        }
        let found = self.find_sites_with(&distinct, None, true)?;
        let found = keys.iter().map(|key| found.get(*positions.get(key)?).cloned().flatten());
        Ok(found.collect())
    }

    /// Returns the site of a key for visitors without an API token. Takes one statement.
    pub fn find_site(&mut self, key: &SiteKey) -> Result<Option<FoundSite>> {
        Ok(self.find_sites(slice::from_ref(key))?.pop().flatten())
    }

    /// Returns the site at an address without the settings of its site spaces. Takes one statement.
    pub fn find_site_structure(
        &mut self,
        address: &SiteAddress,
        share_key: Option<&str>,
    ) -> Result<Option<FoundSite>> {
        self.find_site_with((address, share_key.map(ShareKeyHash::of)), None, false)
    }

    /// Returns the site at an address for the user of a preview. Takes one statement.
    pub fn find_site_for(&mut self, address: &SiteAddress, user: UserId) -> Result<Option<FoundSite>> {
        self.find_site_with((address, None), Some(user), true)
    }

    /// Returns the site of a visitor with the parts that the visitor may read, without the settings of its site spaces.
    /// Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist or the visitor may not read it; [`Error::Unauthenticated`] if the key
    /// that signed the visitor's token was replaced.
    pub fn site_of_visitor(&mut self, visitor: &SiteVisitor) -> Result<Arc<PublishedSite>> {
        let address = SiteAddress::Id(visitor.organization, visitor.site);
        let found = self.find_site_with((&address, visitor.share_key), None, false)?;
        let found = found.ok_or(Error::NotFound)?;
        let is_vouched = visitor.is_vouched(found.visitor_key())?;
        found.open(is_vouched).ok_or(Error::NotFound)
    }

    pub(super) fn find_site_with(
        &mut self,
        key: (&SiteAddress, Option<ShareKeyHash>),
        user: Option<UserId>,
        with_settings: bool,
    ) -> Result<Option<FoundSite>> {
        Ok(self.find_sites_with(&[key], user, with_settings)?.pop().flatten())
    }

    fn find_sites_with(
        &mut self,
        keys: &[(&SiteAddress, Option<ShareKeyHash>)],
        user: Option<UserId>,
        with_settings: bool,
    ) -> Result<Vec<Option<FoundSite>>> {
        let addresses = AddressArrays::of(keys.iter().map(|(address, _)| *address));
        let share_keys: Vec<Option<&[u8]>> =
            keys.iter().map(|(_, key)| key.as_ref().map(|key| key.as_bytes().as_slice())).collect();
        let rows: Vec<SiteRow> = FindSites::bind((
            self.credentials.token_hash.as_slice(),
            self.now,
            addresses.hosts,
            addresses.organizations,
            addresses.names,
            addresses.sites,
            share_keys,
            addresses.origins,
            addresses.origin_keys,
            user,
            with_settings,
            addresses.organization_names,
        ))
        .load(self.connection)?;
        let mut found: Vec<Option<FoundSite>> = vec![None; keys.len()];
        for row in rows {
            let position = usize::try_from(row.position).ok().and_then(|position| position.checked_sub(1));
            if let Some(found) = position.and_then(|position| found.get_mut(position)) {
                *found = Some(self.found_site(row, with_settings)?);
            }
        }
        Ok(found)
    }

    fn found_site(&mut self, row: SiteRow, with_settings: bool) -> Result<FoundSite> {
        let SiteRow { visit, search_language, specs, sections, spaces, site, .. } = row;
        let visitor = visit.visitor(false)?;
        let Visit { has_key, wrapped_visitor_key, .. } = visit;
        let visitor_auth = row.visitor_auth.as_deref();
        let visitor_key = wrapped_visitor_key
            .map(|key| self.unwrap_key(KeyOwner::VisitorKey(site.organization), &key))
            .transpose()?;
        let digest =
            digest(&site, [&search_language, &specs, &sections, &spaces, visitor_auth.unwrap_or_default()]);
        let settings = site.customization.as_ref().filter(|_| with_settings);
        let settings = settings.map(Customization::deserialize).transpose().map_err(|error| {
            Error::corrupt("the settings of a site can't be read", anyhow::Error::from(error))
        })?;
        self.record_tenant(site.organization, None);
        let site = Arc::new(PublishedSite {
            sections: json(&sections)?,
            spaces: json(&spaces)?,
            has_key,
            visitor_auth: visitor_auth.map(json).transpose()?.unwrap_or_default(),
            settings: Arc::new(settings.unwrap_or_default()),
            search_language: Language::from_name(&search_language).unwrap_or_default(),
            digest,
            site,
        });
        Ok(FoundSite { visitor, visitor_key, site })
    }
}

/// Returns a hash of a site's inputs. Lengths precede the texts, so that different inputs have different hashes.
fn digest(site: &SiteRecord, texts: [&str; 5]) -> [u8; 32] {
    let record = format!("{site:?}");
    let texts = std::iter::once(record.as_str()).chain(texts);
    let hash = texts.fold(Sha256::new(), |hash, text| {
        hash.chain_update(text.len().to_string()).chain_update([0]).chain_update(text)
    });
    hash.finalize().into()
}
