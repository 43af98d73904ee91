//! Cached roots of the heads of spaces, for searches of an organization.
//!
//! A revision never changes, so the cached root of a head that a statement has just read is valid. The reader's
//! permissions and the current heads are read for each search.

use std::sync::{PoisonError, RwLock};

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{RevisionId, SpaceId};
use quire_revision::TreeHash;
use quire_search::SpaceMap;
use uuid::Uuid;

use crate::transaction::Reader;
use crate::{Error, Result};

/// Maximum number of spaces with a cached root: a hash table of 65,536 buckets (4.3 MB) is then seven eighths full.
const SPACES: usize = 57_344;

sql_files! {
    FindRoots(Array<SqlUuid>, Array<SqlUuid>) -> (SqlUuid, Binary) = "roots.sql";
}

/// Root of the latest known head of each space.
#[derive(Default)]
pub(super) struct Roots(RwLock<SpaceMap<(RevisionId, TreeHash)>>);

impl Roots {
    /// Returns the roots of heads, in their order; `None` for an unknown head.
    fn of(&self, heads: &[(SpaceId, RevisionId)]) -> Vec<Option<TreeHash>> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let root = |(space, head): &(SpaceId, RevisionId)| {
            known.get(space).filter(|(revision, _)| revision == head).map(|(_, root)| *root)
        };
        heads.iter().map(root).collect()
    }

    fn keep(&self, roots: impl IntoIterator<Item = (SpaceId, RevisionId, TreeHash)>) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for (space, head, root) in roots {
            if known.len() >= SPACES && !known.contains_key(&space) {
                known.clear();
            }
            known.insert(space, (head, root));
        }
    }
}

impl Reader<'_> {
    /// Returns the roots of heads, in their order; `None` for a space that was deleted since its head was read. Takes
    /// one statement for unknown heads.
    pub(super) fn roots_of(&mut self, heads: &[(SpaceId, RevisionId)]) -> Result<Vec<Option<TreeHash>>> {
        let known = &self.storage.search_node().roots;
        let mut roots = known.of(heads);
        let missing = heads.iter().zip(&roots).filter(|(_, root)| root.is_none());
        let (spaces, revisions): (Vec<SpaceId>, Vec<RevisionId>) =
            missing.map(|((space, head), _)| (space, head)).unzip();
        if spaces.is_empty() {
            return Ok(roots);
        }
        let rows: Vec<(Uuid, Vec<u8>)> = FindRoots::bind((spaces, revisions)).load(self.connection)?;
        let mut read = SpaceMap::default();
        for (space, root) in rows {
            let root = root.as_slice().try_into();
            let root = root.map_err(|error| Error::corrupt("a hash is cut", anyhow::Error::from(error)))?;
            read.insert(SpaceId::from_uuid(space), TreeHash::from_bytes(root));
        }
        let mut found = Vec::with_capacity(read.len());
        for ((space, head), root) in heads.iter().zip(&mut roots).filter(|(_, root)| root.is_none()) {
            *root = read.get(space).copied();
            found.extend(root.map(|root| (*space, *head, root)));
        }
        known.keep(found);
        Ok(roots)
    }
}

#[cfg(test)]
mod tests {
    use quire_domain::ids::{RevisionId, SpaceId};
    use quire_revision::TreeHash;
    use uuid::Uuid;

    use super::{Roots, SPACES};

    fn entry(number: u128, revision: u128) -> (SpaceId, RevisionId, TreeHash) {
        let [space, head] = [number, revision].map(Uuid::from_u128);
        let root = TreeHash::from_bytes([u8::try_from(revision % 256).unwrap(); 32]);
        (SpaceId::from_uuid(space), RevisionId::from_uuid(head), root)
    }

    #[test]
    fn a_root_is_that_of_its_revision() {
        let roots = Roots::default();
        let (space, former, root) = entry(1, 7);
        roots.keep([(space, former, root)]);
        let (_, head, new_root) = entry(1, 8);
        assert_eq!(roots.of(&[(space, former), (space, head)]), [Some(root), None]);
        roots.keep([(space, head, new_root)]);
        assert_eq!(roots.of(&[(space, former), (space, head)]), [None, Some(new_root)]);
    }

    #[test]
    fn the_number_of_roots_is_bounded() {
        let roots = Roots::default();
        let spaces = u128::try_from(SPACES).unwrap();
        roots.keep((0..spaces + 3).map(|number| entry(number, 1)));
        assert_eq!(roots.0.read().unwrap().len(), 3);
    }
}
