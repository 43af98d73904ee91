//! Trees, loaded as the difference from a cached tree.

use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{PageId, SpaceId};
use quire_revision::{LoadError, PageNode, Tree, TreeHash};

use crate::content::store::ContentPoint;
use crate::lookup::Authorized;
use crate::transaction::Reader;
use crate::{Error, Result, Storage};

sql_files! {
    FindNodes(Array<SqlUuid>, Array<Binary>) -> (Binary, Binary) = "nodes.sql";
}

impl Storage {
    /// Returns the tree of content if it is cached. Takes no statement.
    #[must_use]
    pub fn cached_tree(&self, content: &Authorized<impl ContentPoint>) -> Option<Tree> {
        self.caches().trees.get(content.space(), content.root())
    }
}

impl Reader<'_> {
    /// Returns the tree of a space with this root.
    ///
    /// Takes no statement if it is cached. Otherwise takes one statement per level of the difference from the nearest
    /// cached tree of the space: at most one more than the depth.
    pub(crate) fn tree_of(&mut self, space: SpaceId, root: TreeHash) -> Result<Tree> {
        let mut trees = self.trees_of(&[(space, root)])?;
        Ok(trees.pop().unwrap_or_else(Tree::empty))
    }

    /// Returns the trees of a space with these roots.
    pub(crate) fn trees_at<const N: usize>(
        &mut self,
        space: SpaceId,
        roots: [TreeHash; N],
    ) -> Result<[Tree; N]> {
        self.trees_of(&roots.map(|root| (space, root))).and_then(|trees| {
            trees.try_into().map_err(|_| {
                Error::corrupt("a tree of pages can't be loaded", anyhow::anyhow!("one of {roots:?}"))
            })
        })
    }

    /// Returns the trees of several spaces, in the requested order. Takes as many statements as the tree that is
    /// farthest from the cached ones.
    pub(crate) fn trees_of(&mut self, wanted: &[(SpaceId, TreeHash)]) -> Result<Vec<Tree>> {
        let caches = self.storage.caches();
        let cached: Vec<Option<Tree>> =
            wanted.iter().map(|(space, root)| caches.trees.get(*space, *root)).collect();
        let absent: Vec<(SpaceId, TreeHash)> =
            wanted.iter().zip(&cached).filter(|(_, tree)| tree.is_none()).map(|(key, _)| *key).collect();
        let mut loaded = self.load_trees(&absent)?.into_iter();
        Ok(cached.into_iter().filter_map(|tree| tree.or_else(|| loaded.next())).collect())
    }

    /// Returns the record of a page in the trees of a space with these roots, without loading the trees. Takes one
    /// statement per level of the path to the record.
    pub(crate) fn page_in_trees(
        &mut self,
        space: SpaceId,
        page: PageId,
        roots: &[TreeHash],
    ) -> Result<Vec<Option<Arc<PageNode>>>> {
        let fetch = |nodes: &[TreeHash]| {
            let nodes: Vec<(usize, TreeHash)> = nodes.iter().map(|hash| (0, *hash)).collect();
            self.fetch_nodes(&[(space, Tree::empty().root())], &nodes)
        };
        Tree::page_in_all(roots, page, fetch).map_err(tree_error)
    }

    fn load_trees(&mut self, wanted: &[(SpaceId, TreeHash)]) -> Result<Vec<Tree>> {
        let caches = self.storage.caches();
        let near: Vec<Tree> = wanted
            .iter()
            .map(|(space, _)| caches.trees.nearest(*space).unwrap_or_else(Tree::empty))
            .collect();
        let pairs: Vec<(&Tree, TreeHash)> =
            near.iter().zip(wanted).map(|(near, (_, root))| (near, *root)).collect();
        let trees = Tree::load_all(&pairs, |nodes| self.fetch_nodes(wanted, nodes)).map_err(tree_error)?;
        for ((space, _), tree) in wanted.iter().zip(&trees) {
            self.remember_tree(*space, tree);
        }
        Ok(trees)
    }

    fn fetch_nodes(
        &mut self,
        wanted: &[(SpaceId, TreeHash)],
        nodes: &[(usize, TreeHash)],
    ) -> Result<Vec<(TreeHash, Vec<u8>)>> {
        let keys = nodes.iter().filter_map(|(tree, hash)| Some((wanted.get(*tree)?.0, hash)));
        let (spaces, hashes): (Vec<SpaceId>, Vec<&[u8]>) =
            keys.map(|(space, hash)| (space, hash.as_bytes().as_slice())).unzip();
        Ok(FindNodes::bind((spaces, hashes)).load(self.connection)?)
    }

    pub(crate) fn remember_tree(&self, space: SpaceId, tree: &Tree) {
        self.storage.caches().trees.keep(space, tree.root(), tree.clone());
    }
}

fn tree_error(error: LoadError<Error>) -> Error {
    match error {
        LoadError::Fetch(error) => error,
        damage => Error::corrupt("a tree of pages can't be loaded", anyhow::anyhow!("{damage}")),
    }
}
