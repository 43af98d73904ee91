//! Searches of an organization: one engine search of all spaces that the actor may read.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{RevisionId, SpaceId};
use quire_revision::{Tree, TreeHash};
use quire_search::{Hit, Query, Ranking, Scope, SpaceHits, score_of};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::progress::{SearchProgress, Searched};
use super::searched::SearchedSpace;
use super::space::{SearchHit, language_of};
use crate::Result;
use crate::list::Slice;
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::transaction::Reader;

/// Maximum number of pages per space in a response.
const PAGES: usize = 10;
/// Minimum number of pages per space in a response, if enough were found.
const LEAST_PAGES: usize = 3;
/// Maximum number of pages in a response with many spaces. Their sections and excerpts dominate its cost.
const PAGES_IN_ALL: usize = 150;

/// Sort key of a space in the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpaceSearchKey {
    /// Score of the best page; higher scores come first.
    pub rank: i64,
    /// Space; it orders equal ranks.
    pub space: SpaceId,
}

/// Space with matching pages.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceSearchHit {
    /// Space and its sort key.
    pub key: SpaceSearchKey,
    /// Title.
    pub title: String,
    /// Best pages: at most ten, or three in a response with many spaces.
    pub pages: Vec<SearchHit>,
}

/// Page with a matching title.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundTitle {
    /// Space.
    pub space: SpaceId,
    /// Title of the space.
    pub space_title: String,
    /// Page.
    pub page: SearchHit,
}

/// Searched spaces of an organization, and their matching pages.
struct RankedSpaces {
    spaces: Vec<SearchedSpace>,
    /// Titles of the spaces.
    titles: Vec<String>,
    scopes: Vec<Scope>,
    ranking: Ranking,
    progress: Option<SearchProgress>,
}

impl SpaceSearchHit {
    /// Returns the score of the best page.
    #[must_use]
    pub fn score(&self) -> f32 {
        score_of(self.key.rank)
    }
}

sql_files! {
    FindReadable(Binary, Timestamptz, SqlUuid) -> (Array<SqlUuid>, Array<Text>, Array<SqlUuid>)
        = "readable_spaces.sql";
}

/// Returns the number of pages per space in a response with this many spaces.
fn pages_of_each(spaces: usize) -> usize {
    PAGES_IN_ALL.checked_div(spaces).unwrap_or(PAGES).clamp(LEAST_PAGES, PAGES)
}

impl Reader<'_> {
    /// Returns the spaces that the actor may read and that have matching pages, best page first. Takes one statement,
    /// besides those that load pages that the index lacks, and their trees.
    ///
    /// # Errors
    /// [`Error::Indexing`](crate::Error::Indexing) if the index is damaged.
    pub fn search_organization(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        query: &str,
        after: Option<SpaceSearchKey>,
        limit: u16,
    ) -> Result<Searched<Slice<SpaceSearchHit>>> {
        let language = language_of(&organization.search_language);
        let query = Query::new(query, language);
        let RankedSpaces { spaces, titles, scopes, ranking, progress } = self.rank(organization, &query)?;
        let after = after.map(|key| (key.rank, key.space));
        let (total, limit_of_spaces) = (ranking.spaces_count(), usize::from(limit));
        let pages = pages_of_each(total.min(limit_of_spaces));
        let found = ranking.spaces(after, limit_of_spaces.saturating_add(1), pages);
        let total = i64::try_from(total).unwrap_or(i64::MAX);
        let found = Slice::cut(found, limit, total);
        let found = found.try_map_all(|found| {
            let changed =
                found.iter().filter(|found| scopes.get(found.scope).is_some_and(|of| of.overlay.is_some()));
            let changed = changed.filter_map(|found| Some((found.space, spaces.get(found.scope)?.root)));
            let changed = changed.collect();
            self.describe_spaces(&query, &ranking, found, titles, changed)
        })?;
        Ok(Searched { found, progress })
    }

    /// Returns the pages, of spaces that the actor may read, whose titles contain all words of a query, best first. The
    /// last word may be a prefix. Takes the same statements as [`Reader::search_organization`].
    ///
    /// # Errors
    /// [`Error::Indexing`](crate::Error::Indexing) if the index is damaged.
    pub fn titles_in_organization(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        query: &str,
        limit: u16,
    ) -> Result<Searched<Vec<FoundTitle>>> {
        let query = Query::for_titles(query, language_of(&organization.search_language));
        let RankedSpaces { spaces, titles, scopes, ranking, progress } = self.rank(organization, &query)?;
        let hits = ranking.pages(None, usize::from(limit));
        let named: HashMap<SpaceId, usize> = spaces.iter().map(|space| space.id).zip(0..).collect();
        let found_in: BTreeSet<usize> =
            hits.iter().filter_map(|hit| named.get(&hit.space).copied()).collect();
        let changed =
            found_in.into_iter().filter(|at| scopes.get(*at).is_some_and(|of| of.overlay.is_some()));
        let changed: Vec<(SpaceId, TreeHash)> =
            changed.filter_map(|at| spaces.get(at).map(|space| (space.id, space.root))).collect();
        let described = self.describe_hits(&query, &ranking, hits, &changed)?;
        let found = described.into_iter().map(|(space, page)| {
            let title = named.get(&space).and_then(|at| titles.get(*at)).cloned().unwrap_or_default();
            FoundTitle { space, space_title: title, page }
        });
        Ok(Searched { found: found.collect(), progress })
    }

    /// Ranks the pages of an organization's spaces that the actor may read. Takes one statement, besides those that
    /// load pages that the index lacks, and their trees.
    fn rank(&mut self, organization: &Authorized<OrganizationRecord>, query: &Query) -> Result<RankedSpaces> {
        let language = query.language();
        let token = self.credentials.token_hash.as_slice();
        let now = self.now;
        let (ids, titles, heads): (Vec<Uuid>, Vec<String>, Vec<Uuid>) =
            FindReadable::bind((token, now, organization.id)).get_result(self.connection)?;
        let heads = ids.into_iter().map(SpaceId::from_uuid).zip(heads.into_iter().map(RevisionId::from_uuid));
        let heads: Vec<(SpaceId, RevisionId)> = heads.collect();
        let roots = self.roots_of(&heads)?;
        let found = heads.into_iter().zip(titles).zip(roots);
        let found = found.filter_map(|(((id, _), title), root)| {
            Some((SearchedSpace { id, root: root?, language }, title))
        });
        let (spaces, titles): (Vec<SearchedSpace>, Vec<String>) = found.unzip();
        let snapshot = self.storage.search_node().index()?.snapshot();
        let (scopes, progress) = self.scopes(&snapshot, &spaces)?;
        let ranking = self.storage.search_node().search(&snapshot, query, &scopes)?;
        Ok(RankedSpaces { spaces, titles, scopes, ranking, progress })
    }

    /// Adds titles and sections to pages. `titles` are the titles of all searched spaces; `changed` are the roots of
    /// the found spaces with overlays.
    fn describe_spaces(
        &mut self,
        query: &Query,
        ranking: &Ranking,
        found: Vec<SpaceHits>,
        mut titles: Vec<String>,
        changed: Vec<(SpaceId, TreeHash)>,
    ) -> Result<Vec<SpaceSearchHit>> {
        let hits = found.iter().flat_map(|found| &found.pages).copied();
        let described = self.describe_hits(query, ranking, hits.collect(), &changed)?;
        let mut described = described.into_iter().peekable();
        let spaces = found.into_iter().map(|SpaceHits { rank, space, scope, .. }| {
            let title = titles.get_mut(scope).map(std::mem::take).unwrap_or_default();
            // The pages of a space are adjacent.
            let pages = std::iter::from_fn(|| described.next_if(|(of, _)| *of == space));
            let pages = pages.map(|(_, hit)| hit).collect();
            SpaceSearchHit { key: SpaceSearchKey { rank, space }, title, pages }
        });
        Ok(spaces.collect())
    }

    /// Adds names and sections to hits. `changed` are the roots of their spaces with overlays.
    fn describe_hits(
        &mut self,
        query: &Query,
        ranking: &Ranking,
        hits: Vec<Hit>,
        changed: &[(SpaceId, TreeHash)],
    ) -> Result<Vec<(SpaceId, SearchHit)>> {
        let trees = self.trees_of(changed)?;
        let trees: HashMap<SpaceId, &Tree> = changed.iter().map(|(space, _)| *space).zip(&trees).collect();
        let hits = hits.into_iter().map(|hit| (hit, trees.get(&hit.space).copied()));
        self.describe(query, ranking, hits.collect(), &HashMap::new())
    }
}

#[cfg(test)]
mod tests {
    use super::pages_of_each;

    #[test]
    fn the_more_spaces_are_shown_the_fewer_pages_each_has() {
        assert_eq!([0, 1, 15, 20, 50, 1_000].map(pages_of_each), [10, 10, 10, 7, 3, 3]);
    }
}
