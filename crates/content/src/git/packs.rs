//! Fetched commits that the runs of one site share. Its site file and all its spaces are read from the same commit.

use std::sync::Arc;
use std::time::Duration;

use quire_cache::Cache;
use quire_domain::ids::GitInstallationId;
use quire_git::{Address, Fetched, ObjectId, Shared};

/// Maximum number of bytes of the packs of all sites. They are on disk.
const MAX_BYTES: u64 = 256 << 20;

/// Minimum weight of an entry. Each entry has open files.
const MIN_BYTES: usize = 1 << 20;

/// Lifetime of an entry, long enough to synchronize the spaces of a site after a commit.
const LIFETIME: Duration = Duration::from_secs(900);

/// Connection of a site, its repository with credentials, and a commit. Other credentials may see less.
type Key = (GitInstallationId, Address, ObjectId);

/// Cache of commits by the connection of the site.
#[derive(Clone, Debug)]
pub(super) struct PackCache(Cache<Key, Fetched>);

impl Default for PackCache {
    fn default() -> Self {
        let weight =
            |_: &Key, fetched: &Fetched| u32::try_from(fetched.bytes().max(MIN_BYTES)).unwrap_or(u32::MAX);
        Self(Cache::builder().max_capacity(MAX_BYTES).weigher(weight).time_to_live(LIFETIME).build())
    }
}

impl PackCache {
    /// Returns the commits of a site's repository. `None` for a space with a connection of its own.
    pub(super) fn of(&self, site: Option<GitInstallationId>, address: &Address) -> Option<Arc<dyn Shared>> {
        let of_site = OfSite { packs: self.clone(), site: site?, address: address.clone() };
        Some(Arc::new(of_site))
    }
}

/// Commits of one site.
struct OfSite {
    packs: PackCache,
    site: GitInstallationId,
    address: Address,
}

impl OfSite {
    fn key(&self, commit: ObjectId) -> Key {
        (self.site, self.address.clone(), commit)
    }
}

impl Shared for OfSite {
    fn get(&self, commit: ObjectId) -> Option<Fetched> {
        self.packs.0.get(&self.key(commit))
    }

    fn keep(&self, commit: ObjectId, fetched: Fetched) {
        self.packs.0.insert(self.key(commit), fetched);
    }
}
