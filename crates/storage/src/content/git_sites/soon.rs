//! Synchronizations of connected sites soon after they change.

use std::collections::BTreeSet;

use diesel::RunQueryDsl as _;
use diesel::sql_types::{Array, Nullable, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{OrganizationId, SiteId, SpaceId};
use time::OffsetDateTime;

use crate::Result;
use crate::content::git_installations::PAUSE;
use crate::end_of_transaction::ChangedStructure;
use crate::transaction::Tx;

sql_files! {
    SyncSitesSoon(Array<SqlUuid>, Array<Nullable<SqlUuid>>, Array<Nullable<SqlUuid>>, Timestamptz)
        = "sync_sites_soon.sql";
}

impl Tx<'_> {
    /// Records a change of the structure of a site, which its site file may include. The end of the transaction
    /// reschedules the synchronization.
    pub(crate) fn note_structure(&mut self, organization: OrganizationId, site: SiteId) {
        self.closing.structures.insert((organization, ChangedStructure::Site(site)));
    }

    /// Like [`Tx::note_structure`], for all sites with a space.
    pub(crate) fn note_structures_with(&mut self, organization: OrganizationId, space: SpaceId) {
        self.closing.structures.insert((organization, ChangedStructure::SitesWith(space)));
    }

    /// Drops the recorded change of a site's structure, because it came from its site file.
    pub(super) fn forget_structure(&mut self, organization: OrganizationId, site: SiteId) {
        self.closing.structures.remove(&(organization, ChangedStructure::Site(site)));
    }

    /// Schedules synchronizations of connected sites soon after their structure changed. Takes one statement, or none
    /// without changes. The connections are locked last.
    pub(crate) fn sync_sites_soon(
        &mut self,
        changed: &BTreeSet<(OrganizationId, ChangedStructure)>,
    ) -> Result<()> {
        if changed.is_empty() {
            return Ok(());
        }
        let organizations: Vec<OrganizationId> =
            changed.iter().map(|(organization, _)| *organization).collect();
        let (sites, spaces): (Vec<Option<SiteId>>, Vec<Option<SpaceId>>) = changed
            .iter()
            .map(|(_, changed)| match changed {
                ChangedStructure::Site(site) => (Some(*site), None),
                ChangedStructure::SitesWith(space) => (None, Some(*space)),
            })
            .unzip();
        let at = OffsetDateTime::from(self.now) + PAUSE;
        SyncSitesSoon::bind((organizations, sites, spaces, at)).execute(self.connection)?;
        Ok(())
    }
}
