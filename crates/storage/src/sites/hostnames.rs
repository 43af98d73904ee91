//! Host names of sites, and of proxies in front of them. Each belongs to one organization, and takes effect once it is
//! proven.
//!
//! `site_hostnames` has the owner of each name. If the name of a site's new address is not proven, the address is
//! pending, and the site keeps its previous address. A name that no site uses any more is released, unless the operator
//! assigned it.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{OrganizationId, SiteId, SpaceId};
use quire_domain::sites::host_of;
use uuid::Uuid;

use super::address::{HostnameProof, HostnameRules};
use super::{LockedSite, name_taken};
use crate::lookup::Authorized;
use crate::schema::{organizations, site_hostnames, site_spaces, sites};
use crate::sites::SiteRecord;
use crate::sites::purges::Purge;
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

sql_files! {
    ClaimHostnames(SqlUuid, Array<Text>, Array<Nullable<Text>>, Timestamptz) -> (Text, Bool)
        = "claim_hostnames.sql";
    PromoteHostnames(SqlUuid, Array<Text>) -> SqlUuid = "promote_hostnames.sql";
    ReleaseHostnames(SqlUuid, Array<Text>) = "release_hostnames.sql";
    TakeHostname(SqlUuid, Text) -> SqlUuid = "take_hostname.sql";
}

impl Reader<'_> {
    /// Returns the host names that are not proven and need a proof. Takes at most two statements.
    pub fn unproven_hostnames(
        &mut self,
        site: &Authorized<SiteRecord>,
        hostnames: Vec<String>,
        rules: &HostnameRules,
    ) -> Result<Vec<String>> {
        if self.trusts_hostnames(rules)? {
            return Ok(Vec::new());
        }
        let proven: Vec<String> = site_hostnames::table
            .filter(site_hostnames::hostname.eq_any(&hostnames))
            .filter(site_hostnames::organization_id.eq(site.organization))
            .filter(site_hostnames::verified_by.is_not_null())
            .select(site_hostnames::hostname)
            .load(self.connection)?;
        let unproven = |host: &String| !proven.contains(host) && !rules.own.contains(host);
        Ok(hostnames.into_iter().filter(unproven).collect())
    }

    fn trusts_hostnames(&mut self, rules: &HostnameRules) -> Result<bool> {
        if let Some(trust) = rules.trust {
            return Ok(trust);
        }
        let ids: Vec<Uuid> = organizations::table.select(organizations::id).limit(2).load(self.connection)?;
        Ok(ids.len() < 2)
    }
}

impl Tx<'_> {
    /// Claims the host names of pending addresses, which must have been written, for the site's organization. Addresses
    /// with proven names take effect, including those of other sites.
    ///
    /// # Errors
    /// 409 for a name of another organization or of the deployment.
    pub(super) fn claim_hostnames(
        &mut self,
        site: &LockedSite,
        addresses: [(&'static str, Option<String>); 2],
        proof: &HostnameProof<'_>,
    ) -> Result<()> {
        let mut fields: BTreeMap<String, &'static str> = BTreeMap::new();
        for (field, address) in &addresses {
            if let Some(address) = address {
                fields.entry(host_of(address).to_owned()).or_insert(field);
            }
        }
        if fields.is_empty() {
            return Ok(());
        }
        if let Some((_, field)) = fields.iter().find(|(host, _)| proof.rules.own.contains(host)) {
            return Err(taken(field, "This service uses the host name itself."));
        }
        let is_trusted = self.trusts_hostnames(proof.rules)?;
        let proof_of = |host: &String| match (is_trusted, proof.by_dns.contains(host)) {
            (_, true) => Some("dns"),
            (true, false) => Some("trust"),
            (false, false) => None,
        };
        let names: Vec<&String> = fields.keys().collect();
        let proofs: Vec<Option<&str>> = fields.keys().map(proof_of).collect();
        let own: BTreeMap<String, bool> = ClaimHostnames::bind((site.organization, names, proofs, self.now))
            .load(self.connection)?
            .into_iter()
            .collect();
        if let Some((_, field)) = fields.iter().find(|(host, _)| !own.contains_key(*host)) {
            return Err(taken(field, "Another organization has this host name."));
        }
        let proven: Vec<String> =
            own.into_iter().filter(|(_, proven)| *proven).map(|(host, _)| host).collect();
        self.promote_hostnames(site.organization, &proven, Some(site.id))
    }

    /// Makes pending addresses with proven host names take effect. The caller handles the spaces of the site `except`.
    fn promote_hostnames(
        &mut self,
        organization: OrganizationId,
        proven: &[String],
        except: Option<SiteId>,
    ) -> Result<()> {
        if proven.is_empty() {
            return Ok(());
        }
        let changed: Vec<Uuid> =
            PromoteHostnames::bind((organization, proven)).load(self.connection).map_err(name_taken)?;
        let others = changed.into_iter().map(SiteId::from_uuid).filter(|site| Some(*site) != except);
        self.refresh_sites(organization, others.collect())
    }

    /// Updates values derived from the addresses of all sites of an organization.
    pub(crate) fn refresh_all_sites(&mut self, organization: OrganizationId) -> Result<()> {
        let all = sites::table.filter(sites::organization_id.eq(organization)).select(sites::id);
        let all: Vec<Uuid> = all.load(self.connection)?;
        self.refresh_sites(organization, all.into_iter().map(SiteId::from_uuid).collect())
    }

    /// Updates values derived from the addresses of sites.
    pub(super) fn refresh_sites(&mut self, organization: OrganizationId, sites: Vec<SiteId>) -> Result<()> {
        if sites.is_empty() {
            return Ok(());
        }
        self.purge(organization, sites.iter().flat_map(|site| Purge::site(*site)));
        let spaces: Vec<Uuid> = site_spaces::table
            .filter(site_spaces::organization_id.eq(organization))
            .filter(site_spaces::site_id.eq_any(sites.iter().copied()))
            .select(site_spaces::space_id)
            .distinct()
            .load(self.connection)?;
        let spaces: Vec<SpaceId> = spaces.into_iter().map(SpaceId::from).collect();
        self.refresh_publication(organization, &spaces)
    }

    /// Releases the former host names of a site that no site of its organization uses any more.
    pub(super) fn release_hostnames(
        &mut self,
        before: &SiteRecord,
        after: Option<&SiteRecord>,
    ) -> Result<()> {
        let kept: Vec<&str> =
            after.into_iter().flat_map(SiteRecord::hostnames).map(|(host, _)| host).collect();
        let gone = before.hostnames().into_iter().map(|(host, _)| host).filter(|host| !kept.contains(host));
        let gone: Vec<&str> = gone.collect();
        if gone.is_empty() {
            return Ok(());
        }
        // This is a separate statement, so that the next one sees the sites of a claim for which it waited.
        let _locked: Vec<String> = site_hostnames::table
            .filter(site_hostnames::hostname.eq_any(&gone))
            .filter(site_hostnames::organization_id.eq(before.organization))
            .order(site_hostnames::hostname)
            .for_update()
            .select(site_hostnames::hostname)
            .load(self.connection)?;
        ReleaseHostnames::bind((before.organization, gone)).execute(self.connection)?;
        Ok(())
    }
}

impl SystemTx<'_> {
    /// Assigns a host name to an organization as proven. Sites of another organization lose it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the organization does not exist; 409 if two of its sites have pending addresses with the
    /// name.
    pub fn give_hostname(&mut self, organization: OrganizationId, hostname: &str) -> Result<()> {
        let known = organizations::table.find(organization).select(organizations::id);
        known.get_result::<Uuid>(self.connection).optional()?.ok_or(Error::NotFound)?;
        let owner = self.owner_of(hostname)?;
        if owner.is_some_and(|owner| owner != organization) {
            self.free_hostname(hostname)?;
        }
        let now = self.now;
        diesel::insert_into(site_hostnames::table)
            .values((
                site_hostnames::hostname.eq(hostname),
                site_hostnames::organization_id.eq(organization),
                site_hostnames::verified_by.eq("operator"),
                site_hostnames::created_at.eq(now),
            ))
            .on_conflict(site_hostnames::hostname)
            .do_update()
            .set((
                site_hostnames::organization_id.eq(organization),
                site_hostnames::verified_by.eq("operator"),
            ))
            .execute(self.connection)?;
        self.promote_hostnames(organization, &[hostname.to_owned()], None)
    }

    /// Removes a host name from its organization and all of that organization's sites. Returns the organization.
    pub fn free_hostname(&mut self, hostname: &str) -> Result<Option<OrganizationId>> {
        let Some(owner) = self.owner_of(hostname)? else { return Ok(None) };
        diesel::delete(site_hostnames::table.find(hostname)).execute(self.connection)?;
        let changed: Vec<Uuid> = TakeHostname::bind((owner, hostname)).load(self.connection)?;
        self.refresh_sites(owner, changed.into_iter().map(SiteId::from_uuid).collect())?;
        Ok(Some(owner))
    }

    /// Marks all unproven host names as proven, for a deployment that trusts every name, and returns their number.
    pub fn trust_hostnames(&mut self) -> Result<usize> {
        let waiting: Vec<(Uuid, String)> = diesel::update(site_hostnames::table)
            .filter(site_hostnames::verified_by.is_null())
            .set(site_hostnames::verified_by.eq("trust"))
            .returning((site_hostnames::organization_id, site_hostnames::hostname))
            .get_results(self.connection)?;
        let count = waiting.len();
        let mut names: BTreeMap<Uuid, Vec<String>> = BTreeMap::new();
        for (organization, hostname) in waiting {
            names.entry(organization).or_default().push(hostname);
        }
        for (organization, names) in names {
            self.promote_hostnames(OrganizationId::from_uuid(organization), &names, None)?;
        }
        Ok(count)
    }

    /// Locks a host name and returns its organization.
    fn owner_of(&mut self, hostname: &str) -> Result<Option<OrganizationId>> {
        let owner = site_hostnames::table.find(hostname).select(site_hostnames::organization_id).for_update();
        let owner: Option<Uuid> = owner.get_result(self.connection).optional()?;
        Ok(owner.map(OrganizationId::from_uuid))
    }
}

fn taken(field: &str, message: &str) -> Error {
    Refusal::new(Reason::NameTaken).with_message(message).at(field, "is already in use").into()
}
