//! Fetched commits and histories that the runs of one connection share: an export follows the import of the same
//! commit, and the file and all spaces of a site are read from one.

use std::sync::Arc;
use std::time::Duration;

use quire_cache::Cache;
use quire_domain::ids::GitInstallationId;
use quire_git::{Address, Fetched, Part, Shared};

/// Bytes of the packs of all connections. They are on disk.
const MAX_BYTES: u64 = 256 << 20;

/// Minimum weight of an entry. Each entry has open files.
const MIN_BYTES: usize = 1 << 20;

/// Lifetime of an entry, long enough to synchronize the spaces of a site after a commit.
const LIFETIME: Duration = Duration::from_secs(900);

/// Connection of a space or site, its repository with the credentials, and a part of it. Runs with other credentials
/// may see less.
type Key = (GitInstallationId, Address, Part);

/// Commits and histories by the connection that they were fetched for.
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
    /// Returns the parts of a connection's repository; `None` for a run by request.
    pub(super) fn of(
        &self,
        connection: Option<GitInstallationId>,
        address: &Address,
    ) -> Option<Arc<dyn Shared>> {
        let packs = OfConnection { packs: self.clone(), connection: connection?, address: address.clone() };
        Some(Arc::new(packs))
    }
}

/// Parts of the repository of one connection.
struct OfConnection {
    packs: PackCache,
    connection: GitInstallationId,
    address: Address,
}

impl OfConnection {
    fn key(&self, part: Part) -> Key {
        (self.connection, self.address.clone(), part)
    }
}

impl Shared for OfConnection {
    fn get(&self, part: Part) -> Option<Fetched> {
        self.packs.0.get(&self.key(part))
    }

    fn keep(&self, part: Part, fetched: Fetched) {
        self.packs.0.insert(self.key(part), fetched);
    }
}
