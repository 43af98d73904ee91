//! Searches of a published site.

use quire_domain::ids::SpaceId;
use quire_revision::TreeHash;
use quire_search::Query;

use super::find::SearchHit;
use super::pages::SearchedSpace;
use crate::lookup::{Authorized, ContentPoint as _};
use crate::published::{PublishedContent, PublishedSite};
use crate::transaction::Reader;
use crate::{Error, Result};

impl Reader<'_> {
    /// Returns the pages of spaces of a site that answer a query, best first, each with its space. Hidden pages are not
    /// found. Statements only load trees and documents that are not cached.
    ///
    /// # Errors
    /// [`Error::Indexing`] if the index has to catch up first.
    pub fn search_site(
        &mut self,
        site: &PublishedSite,
        contents: &[Authorized<PublishedContent>],
        query: &str,
        limit: u16,
    ) -> Result<Vec<(SpaceId, SearchHit)>> {
        let language = site.search_language;
        let query = Query::new(query, language);
        let spaces: Vec<SearchedSpace> = contents
            .iter()
            .map(|content| SearchedSpace { id: content.space(), root: content.root(), language })
            .collect();
        let snapshot = self.storage.search_node().index()?.snapshot();
        let scopes = self.scopes(&snapshot, &spaces)?;
        let ranking = self.storage.search_node().search(&snapshot, &query, &scopes)?;
        let hits = ranking.pages(None, usize::from(limit));
        let roots: Vec<(SpaceId, TreeHash)> = spaces.iter().map(|space| (space.id, space.root)).collect();
        let trees = self.trees_of(&roots)?;
        let mut found = Vec::with_capacity(hits.len());
        for hit in hits {
            let at = spaces.iter().position(|space| space.id == hit.space);
            let tree = at.and_then(|at| trees.get(at));
            let missing =
                || Error::corrupt("a hit is in no searched space", anyhow::anyhow!("{}", hit.space));
            found.push((hit, tree.ok_or_else(missing)?));
        }
        self.describe(&query, found)
    }
}
