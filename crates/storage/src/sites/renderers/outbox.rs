//! Due tags, and the results of attempts to send them.

use std::time::Duration;

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{OrganizationId, SiteId, SpaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{SEAL, owner};
use crate::operations::jobs::millis;
use crate::operations::outbox::{Attempt, pause};
use crate::schema::{site_purges, site_renderers, site_spaces};
use crate::sites::purges::{HOST, SITE, SPACES, space_tag};
use crate::system::{SystemReader, SystemTx};
use crate::{Error, Result};

/// Maximum number of tags per request.
const TAGS: i64 = 500;
/// Number of failed attempts after which the renderer of a deleted site is given up: about a day.
const LAST_ATTEMPTS: i32 = 32;
/// Renderer to which only this node sends until its lease ends.
#[derive(Clone, Debug)]
pub struct LeasedRenderer {
    /// Organization of the site.
    pub organization: OrganizationId,
    /// Site.
    pub site: SiteId,
    /// Base URL of the renderer.
    pub url: String,
    /// Secret that signs requests.
    pub secret: String,
    /// Number of failed attempts since the last success.
    failures: i32,
    /// Hosts of the site: the deployment's host, and its custom host.
    hosts: Vec<String>,
    /// `true` if the site was deleted, and these are its last tags.
    is_last: bool,
    /// End of the lease, which identifies its holder.
    until: OffsetDateTime,
}

/// Tags to send, with their rows.
#[derive(Clone, Debug)]
pub struct DuePurges {
    /// Tags in the form for the renderer.
    pub tags: Vec<String>,
    rows: Vec<(String, Uuid)>,
}

sql_files! {
    LeaseRenderers(Nullable<Timestamptz>, BigInt, BigInt)
        -> (SqlUuid, SqlUuid, Text, Binary, Integer, Timestamptz, Text, Nullable<Text>, Bool) = "lease.sql";
    RemovePurged(SqlUuid, SqlUuid, Array<Text>, Array<SqlUuid>) = "purged.sql";
    EndAttempt(
        SqlUuid, SqlUuid, Timestamptz, Integer, BigInt, Timestamptz, Nullable<Integer>, Nullable<Text>,
        Nullable<Timestamptz>,
    ) = "sent.sql";
}

/// Row of a leased renderer.
#[derive(Queryable)]
struct LeaseRow {
    organization: OrganizationId,
    site: SiteId,
    url: String,
    sealed_secret: Vec<u8>,
    failures: i32,
    /// End of the lease.
    until: OffsetDateTime,
    /// Host of the deployment.
    default_host: String,
    /// Custom host or origin of a proxy, which may have a port and a path.
    custom_host: Option<String>,
    /// `true` if the site was deleted.
    is_last: bool,
}

impl SystemReader<'_> {
    /// Returns the pending tags of a renderer. Takes at most two statements.
    pub fn due_purges(&mut self, renderer: &LeasedRenderer) -> Result<DuePurges> {
        let (organization, site) = renderer.keys();
        let rows: Vec<(String, Uuid)> = site_purges::table
            .filter(site_purges::organization_id.eq(organization))
            .filter(site_purges::site_id.eq(site))
            .order(site_purges::tag)
            .limit(TAGS)
            .select((site_purges::tag, site_purges::id))
            .load(self.connection)?;
        let mut tags = Vec::with_capacity(rows.len());
        for (tag, _) in &rows {
            match tag.as_str() {
                SITE => tags.push(format!("{SITE}:{}", renderer.site)),
                HOST => tags.extend(renderer.hosts.iter().map(|host| format!("{HOST}:{host}"))),
                SPACES => {
                    let spaces: Vec<Uuid> = site_spaces::table
                        .filter(site_spaces::organization_id.eq(organization))
                        .filter(site_spaces::site_id.eq(site))
                        .select(site_spaces::space_id)
                        .distinct()
                        .load(self.connection)?;
                    tags.extend(spaces.into_iter().map(|space| space_tag(SpaceId::from_uuid(space))));
                }
                tag => tags.push(tag.to_owned()),
            }
        }
        tags.sort_unstable();
        tags.dedup();
        Ok(DuePurges { tags, rows })
    }
}

impl SystemTx<'_> {
    /// Leases renderers with tags to purge, least recently leased first. No other node gets them until the result of
    /// the attempt is written or the lease ends.
    pub fn lease_renderers(&mut self, limit: u16, lease: Duration) -> Result<Vec<LeasedRenderer>> {
        let leases = LeaseRenderers::bind((self.lease_time(), millis(lease), i64::from(limit)));
        let rows: Vec<LeaseRow> = leases.load(self.connection)?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let seal = self.seal(SEAL)?;
        let leased = rows.into_iter().map(|row| {
            let LeaseRow { organization, site, url, failures, until, is_last, .. } = row;
            let secret = seal.open(&owner(organization, site), &row.sealed_secret)?;
            let secret = String::from_utf8(secret).map_err(|error| {
                Error::corrupt("the secret of a renderer is no text", anyhow::Error::from(error))
            })?;
            let custom_host =
                row.custom_host.and_then(|host| host.split(['/', ':']).next().map(str::to_owned));
            let hosts = std::iter::once(row.default_host).chain(custom_host).collect();
            Ok(LeasedRenderer { organization, site, url, secret, failures, hosts, is_last, until })
        });
        leased.collect()
    }

    /// Writes the result of an attempt and ends the lease, unless another node has leased the renderer since. After a
    /// success, tags whose content has not changed in the meantime are removed. The renderer of a deleted site is
    /// removed after a success, or after the last attempt. For other renderers attempts never end, so a renderer is up
    /// to date at most an hour after it becomes reachable again.
    pub fn sent_purges(
        &mut self,
        renderer: &LeasedRenderer,
        due: &DuePurges,
        attempt: &Attempt,
    ) -> Result<()> {
        let now = self.now;
        let (organization, site) = renderer.keys();
        let failures = attempt.error.as_ref().map(|_| renderer.failures.saturating_add(1));
        if failures.is_none() {
            let (tags, ids): (Vec<&str>, Vec<Uuid>) =
                due.rows.iter().map(|(tag, id)| (tag.as_str(), *id)).unzip();
            RemovePurged::bind((organization, site, tags, ids)).execute(self.connection)?;
        }
        if renderer.is_last && self.remove_retired(renderer, failures)? {
            return Ok(());
        }
        let wait = failures.map_or(Duration::ZERO, |_| pause(renderer.failures));
        EndAttempt::bind((
            organization,
            site,
            renderer.until,
            failures.unwrap_or(0),
            millis(wait),
            now,
            attempt.stored_status(),
            attempt.stored_error(),
            self.lease_time(),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Removes the renderer of a deleted site after its last tags or attempt. Returns whether it was removed.
    fn remove_retired(&mut self, renderer: &LeasedRenderer, failures: Option<i32>) -> Result<bool> {
        let (organization, site) = renderer.keys();
        let held = site_renderers::table
            .find((organization, site))
            .filter(site_renderers::leased_until.eq(renderer.until));
        let removed = match failures {
            // One request has at most `TAGS` tags; the next one sends the rest.
            None => {
                let tags = site_purges::table
                    .filter(site_purges::organization_id.eq(organization))
                    .filter(site_purges::site_id.eq(site));
                diesel::delete(held.filter(not(exists(tags)))).execute(self.connection)?
            }
            Some(LAST_ATTEMPTS..) => diesel::delete(held).execute(self.connection)?,
            Some(_) => 0,
        };
        Ok(removed == 1)
    }
}

impl LeasedRenderer {
    fn keys(&self) -> (OrganizationId, SiteId) {
        (self.organization, self.site)
    }
}
