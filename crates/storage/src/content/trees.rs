//! Trees: loaded as the difference from one that is at hand, saved as the nodes that are new.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Uuid as SqlUuid};
use quire_domain::ids::SpaceId;
use quire_revision::{LoadError, Tree, TreeHash};

use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

#[derive(QueryableByName)]
struct NodeRow {
    #[diesel(sql_type = Binary)]
    hash: Vec<u8>,
    #[diesel(sql_type = Binary)]
    body: Vec<u8>,
}

statements! {
    FindNodes = "SELECT hash, body FROM tree_nodes WHERE space_id = $1 AND hash = ANY ($2)";
    InsertNodes = "INSERT INTO tree_nodes (space_id, hash, body) \
                   SELECT $1, n.hash, n.body FROM unnest($2, $3) AS n (hash, body) ON CONFLICT DO NOTHING";
}

impl Reader<'_> {
    /// The tree of a space with this root.
    ///
    /// Costs nothing when it is cached, else a statement a level of the difference from the nearest cached tree of the space:
    /// at most one more than the depth.
    pub(crate) fn tree_of(&mut self, space: SpaceId, root: TreeHash) -> Result<Tree> {
        let caches = self.storage.caches();
        if let Some(tree) = caches.trees.get(&(space, root)) {
            return Ok(tree);
        }
        let near = caches.nearest.get(&space).unwrap_or_else(Tree::empty);
        let tree =
            Tree::load(&near, root, |hashes| self.fetch_nodes(space, hashes)).map_err(
                |error| match error {
                    LoadError::Fetch(error) => error,
                    damage => Error::corrupt("a tree of pages can't be loaded", anyhow::anyhow!("{damage}")),
                },
            )?;
        self.remember_tree(space, &tree);
        Ok(tree)
    }

    fn fetch_nodes(&mut self, space: SpaceId, hashes: &[TreeHash]) -> Result<Vec<(TreeHash, Vec<u8>)>> {
        let hashes: Vec<&[u8]> = hashes.iter().map(|hash| hash.as_bytes().as_slice()).collect();
        let rows: Vec<NodeRow> =
            FindNodes::bind((val::<SqlUuid, _>(*space.as_uuid()), val::<Array<Binary>, _>(hashes)))
                .load(self.connection)?;
        rows.into_iter()
            .map(|row| {
                let hash = row
                    .hash
                    .as_slice()
                    .try_into()
                    .map_err(|error| Error::corrupt("a hash is cut", anyhow::Error::from(error)))?;
                Ok((TreeHash::from_bytes(hash), row.body))
            })
            .collect()
    }

    pub(crate) fn remember_tree(&self, space: SpaceId, tree: &Tree) {
        let caches = self.storage.caches();
        caches.trees.insert((space, tree.root()), tree.clone());
        caches.nearest.insert(space, tree.clone());
    }
}

impl Tx<'_> {
    /// Stores the nodes of `tree` that `base`, which is stored, does not have.
    pub(crate) fn store_tree(&mut self, space: SpaceId, tree: &Tree, base: &Tree) -> Result<()> {
        let nodes = tree.nodes_missing_in(base);
        if !nodes.is_empty() {
            let hashes: Vec<&[u8]> = nodes.iter().map(|(hash, _)| hash.as_bytes().as_slice()).collect();
            let bodies: Vec<&[u8]> = nodes.iter().map(|(_, body)| body.as_slice()).collect();
            InsertNodes::bind((
                val::<SqlUuid, _>(*space.as_uuid()),
                val::<Array<Binary>, _>(hashes),
                val::<Array<Binary>, _>(bodies),
            ))
            .execute(self.connection)?;
        }
        self.remember_tree(space, tree);
        Ok(())
    }
}
