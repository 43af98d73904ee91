//! Searches of a whole organization: two statements beside the trees, whatever is found.
//!
//! A page is found as in the search of its space. Spaces with a title or text that matches exactly leave no room for those
//! whose titles are only similar.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{PageId, SpaceId};
use quire_revision::TreeHash;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::query::{SearchHit, SearchKey, words_of};
use crate::list::{Slice, fetch_limit};
use crate::lookup::{Authorized, OrganizationRecord, shows, space_role, token_and_space, valid_token};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result};

/// Where a space stands among the others that were found: what follows it is found from this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpaceSearchKey {
    /// How well its best page matches; better ones come first.
    pub rank: i64,
    /// The space; equal ranks are ordered by it.
    pub space: SpaceId,
}

/// A space in which pages were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceSearchHit {
    /// The space, and where it stands.
    pub key: SpaceSearchKey,
    /// Its title.
    pub title: String,
    /// Its best pages, ten at most.
    pub pages: Vec<SearchHit>,
}

statements! {
    FindSpaceHits = concat!(
        "WITH visible AS MATERIALIZED (SELECT v.* FROM (SELECT s.id, s.title, s.head_revision, ", space_role!(), " AS role FROM ",
        token_and_space!(), " WHERE ", valid_token!(), " AND s.organization_id = $3 AND s.deleted_at IS NULL) v WHERE ", shows!("v.role"), "), \
         asked AS MATERIALIZED (SELECT * FROM ( \
           SELECT w.place, to_tsquery(o.search_language::regconfig, \
                  ''' ' || search_words(w.word) || CASE WHEN w.place = cardinality($4) THEN ''':*' ELSE '''' END) AS query \
           FROM unnest($4) WITH ORDINALITY AS w (word, place), organizations o WHERE o.id = $3) words WHERE numnode(query) > 0), \
         matches AS ( \
           SELECT p.space_id, p.page_id, a.place, 100 AS title, ts_rank(p.terms, a.query, 1) AS rank \
           FROM asked a CROSS JOIN visible v JOIN search_pages p ON p.space_id = v.id AND p.terms @@ a.query \
           UNION ALL \
           SELECT s.space_id, s.page_id, a.place, 0, max(ts_rank(s.terms, a.query, 1)) \
           FROM asked a CROSS JOIN visible v JOIN search_sections s ON s.space_id = v.id AND s.terms @@ a.query \
           GROUP BY s.space_id, s.page_id, a.place), \
         exact AS MATERIALIZED ( \
           SELECT space_id, page_id, round((sum(title) + sum(rank)) * 1000000 / (SELECT count(*) FROM asked))::bigint AS rank \
           FROM matches GROUP BY space_id, page_id HAVING count(DISTINCT place) = (SELECT count(*) FROM asked)), \
         hits AS MATERIALIZED ( \
           SELECT space_id, page_id, rank FROM exact \
           UNION ALL \
           SELECT p.space_id, p.page_id, round(word_similarity(search_fold($5), p.folded_title) * 1000000)::bigint \
           FROM visible v JOIN search_pages p ON p.space_id = v.id AND p.folded_title %> search_fold($5) \
           WHERE NOT EXISTS (SELECT 1 FROM exact)), \
         found AS (SELECT space_id, max(rank) AS best FROM hits GROUP BY space_id), \
         shown AS (SELECT * FROM found WHERE $6 IS NULL OR best < $6 OR (best = $6 AND space_id > $7) \
                   ORDER BY best DESC, space_id LIMIT $8), \
         placed AS (SELECT h.*, row_number() OVER (PARTITION BY h.space_id ORDER BY h.rank DESC, h.page_id) AS place \
                    FROM hits h JOIN shown USING (space_id)) \
         SELECT t.total, v.id AS space_id, v.title, r.root, shown.best, p.page_id, p.rank \
         FROM (SELECT count(*) AS total FROM found) t LEFT JOIN ( \
           shown JOIN visible v ON v.id = shown.space_id JOIN revisions r ON r.space_id = v.id AND r.id = v.head_revision \
           JOIN placed p ON p.space_id = shown.space_id AND p.place <= 10) ON true \
         ORDER BY shown.best DESC, v.id, p.rank DESC, p.page_id"
    );
}

#[derive(QueryableByName)]
struct HitRow {
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    space_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    title: Option<String>,
    #[diesel(sql_type = Nullable<Binary>)]
    root: Option<Vec<u8>>,
    #[diesel(sql_type = Nullable<BigInt>)]
    best: Option<i64>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    page_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<BigInt>)]
    rank: Option<i64>,
}

/// A space of a page of hits, before the titles and paths of its pages are known.
struct FoundSpace {
    key: SpaceSearchKey,
    title: String,
    root: TreeHash,
    pages: Vec<SearchKey>,
}

impl Reader<'_> {
    /// The spaces that the actor may read and that have pages which answer a query, the one with the best page first: two
    /// statements, and those that load the trees which aren't cached, all of them together.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn search_organization(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        query: &str,
        after: Option<SpaceSearchKey>,
        limit: u16,
    ) -> Result<Slice<SpaceSearchHit>> {
        let words = words_of(query);
        let rows: Vec<HitRow> = FindSpaceHits::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<Array<Text>, _>(words.clone()),
            val::<Text, _>(query),
            val::<Nullable<BigInt>, _>(after.map(|key| key.rank)),
            val::<Nullable<SqlUuid>, _>(after.map(|key| *key.space.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let total = rows.first().map_or(0, |row| row.total);
        let Slice { items, total, has_more } = Slice::cut(by_space(rows)?, limit, total);
        let pages = items.iter().flat_map(|found| found.pages.iter().map(|key| (found.key.space, key.page)));
        let mut sections = self.sections_of(pages.collect(), words)?;
        let roots: Vec<(SpaceId, TreeHash)> =
            items.iter().map(|found| (found.key.space, found.root)).collect();
        let trees = self.trees_of(&roots)?;
        let hit = |(FoundSpace { key, title, pages, .. }, tree): (FoundSpace, quire_revision::Tree)| {
            let page = |hit: SearchKey| {
                let sections = sections.remove(&(key.space, hit.page)).unwrap_or_default();
                let page = tree.page(hit.page)?;
                Some(SearchHit {
                    key: hit,
                    title: page.title.clone(),
                    path: tree.path_of(hit.page)?,
                    sections,
                })
            };
            SpaceSearchHit { key, title, pages: pages.into_iter().filter_map(page).collect() }
        };
        Ok(Slice { items: items.into_iter().zip(trees).map(hit).collect(), total, has_more })
    }
}

/// The rows of each space together; they come in the order of the spaces.
fn by_space(rows: Vec<HitRow>) -> Result<Vec<FoundSpace>> {
    let mut spaces: Vec<FoundSpace> = Vec::new();
    let mut places: HashMap<Uuid, usize> = HashMap::new();
    for row in rows {
        let (Some(space), Some(title), Some(root), Some(best)) =
            (row.space_id, row.title, row.root, row.best)
        else {
            continue;
        };
        let (Some(page), Some(rank)) = (row.page_id, row.rank) else { continue };
        let place = match places.get(&space) {
            Some(place) => *place,
            None => {
                let root = root.as_slice().try_into();
                let root =
                    root.map_err(|error| Error::corrupt("a hash is cut", anyhow::Error::from(error)))?;
                spaces.push(FoundSpace {
                    key: SpaceSearchKey { rank: best, space: SpaceId::from_uuid(space) },
                    title,
                    root: TreeHash::from_bytes(root),
                    pages: Vec::new(),
                });
                places.insert(space, spaces.len().saturating_sub(1));
                spaces.len().saturating_sub(1)
            }
        };
        if let Some(found) = spaces.get_mut(place) {
            found.pages.push(SearchKey { rank, page: PageId::from_uuid(page) });
        }
    }
    Ok(spaces)
}
