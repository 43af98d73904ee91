//! Searches: two statements, whatever is found.
//!
//! A page is found when each word of the query is in its title or in any of its sections. The last word may be the beginning of
//! one. A query that no page answers so is compared with the titles by the trigrams they share, which forgives a typing error.

#[cfg(test)]
mod plans;

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{PageId, SpaceId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::excerpt::excerpt;
use crate::Result;
use crate::list::{Slice, fetch_limit};
use crate::lookup::{Authorized, ContentAt};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

/// Words of a query that are looked for; what a person types has fewer.
const WORDS: usize = 16;
/// Characters of a word that are looked at. PostgreSQL refuses words of more than 2 KiB.
const WORD_LENGTH: usize = 100;

/// Where a hit stands among the others: what follows it is found from this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchKey {
    /// How well it matches; better ones come first.
    pub rank: i64,
    /// The page; equal ranks are ordered by it.
    pub page: PageId,
}

/// A page that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchHit {
    /// The page, and where it stands.
    pub key: SearchKey,
    /// Its title.
    pub title: String,
    /// Its path.
    pub path: String,
    /// Its best sections, three at most.
    pub sections: Vec<SearchedSection>,
}

/// A section that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedSection {
    /// The anchor of its heading; `None` above the first.
    pub anchor: Option<String>,
    /// Its heading.
    pub heading: Option<String>,
    /// The words around the match, about 200 characters at most.
    pub excerpt: String,
}

/// The words `$2` as text search queries in the language of the space `$1`; those without anything to look for are left out.
macro_rules! asked {
    () => {
        "asked AS MATERIALIZED (SELECT * FROM ( \
           SELECT w.place, to_tsquery(o.search_language::regconfig, \
                  ''' ' || search_words(w.word) || CASE WHEN w.place = cardinality($2) THEN ''':*' ELSE '''' END) AS query \
           FROM unnest($2) WITH ORDINALITY AS w (word, place), spaces s JOIN organizations o ON o.id = s.organization_id \
           WHERE s.id = $1) words WHERE numnode(query) > 0)"
    };
}

statements! {
    FindHits = concat!(
        "WITH ", asked!(), ", matches AS ( \
           SELECT p.page_id, a.place, 100 AS title, ts_rank(p.terms, a.query, 1) AS rank \
           FROM asked a JOIN search_pages p ON p.space_id = $1 AND p.terms @@ a.query \
           UNION ALL \
           SELECT s.page_id, a.place, 0, max(ts_rank(s.terms, a.query, 1)) \
           FROM asked a JOIN search_sections s ON s.space_id = $1 AND s.terms @@ a.query GROUP BY s.page_id, a.place), \
         exact AS MATERIALIZED ( \
           SELECT page_id, round((sum(title) + sum(rank)) * 1000000 / (SELECT count(*) FROM asked))::bigint AS rank \
           FROM matches GROUP BY page_id HAVING count(DISTINCT place) = (SELECT count(*) FROM asked)), \
         hits AS MATERIALIZED ( \
           SELECT page_id, rank FROM exact \
           UNION ALL \
           SELECT p.page_id, round(word_similarity(search_fold($3), p.folded_title) * 1000000)::bigint FROM search_pages p \
           WHERE p.space_id = $1 AND p.folded_title %> search_fold($3) AND NOT EXISTS (SELECT 1 FROM exact)) \
         SELECT t.total, h.page_id, h.rank FROM (SELECT count(*) AS total FROM hits) t LEFT JOIN ( \
           SELECT * FROM hits WHERE $4 IS NULL OR rank < $4 OR (rank = $4 AND page_id > $5) ORDER BY rank DESC, page_id LIMIT $6) h \
         ON true ORDER BY h.rank DESC, h.page_id"
    );
    FindSections = concat!(
        "WITH ", asked!(), ", any_word AS MATERIALIZED ( \
           SELECT string_agg(query::text, ' | ')::tsquery AS query, \
                  (SELECT array_agg(search_fold(word)) FROM unnest($2) AS w (word)) AS words, \
                  (SELECT array_agg(stem) FROM asked a, unnest(tsvector_to_array(to_tsvector('simple', a.query::text))) stem) AS stems \
           FROM asked) \
         SELECT f.space_id, f.page_id, f.anchor, f.heading, substr(f.body, f.start, 300) AS part, f.start > 1 AS cut_before, \
                char_length(f.body) >= f.start + 300 AS cut_after \
         FROM unnest($3, $4) AS h (space_id, page_id) CROSS JOIN any_word CROSS JOIN LATERAL ( \
           SELECT best.*, greatest(1, coalesce( \
                    (SELECT min(nullif(strpos(folded, word), 0)) FROM search_fold(best.body) folded, unnest(any_word.words) word), \
                    (SELECT min(nullif(strpos(folded, stem), 0)) FROM search_fold(best.body) folded, unnest(any_word.stems) stem), \
                    1) - 60) AS start \
           FROM (SELECT * FROM ( \
                   SELECT DISTINCT ON (s.anchor) s.space_id, s.page_id, s.ordinal, s.anchor, s.heading, s.body, ts_rank(s.terms, any_word.query, 1) AS rank \
                   FROM search_sections s WHERE s.space_id = h.space_id AND s.page_id = h.page_id AND s.terms @@ any_word.query \
                   ORDER BY s.anchor, rank DESC, s.ordinal) sections \
                 ORDER BY rank DESC, ordinal LIMIT 3) best) f \
         ORDER BY f.page_id, f.rank DESC, f.ordinal"
    );
}

#[derive(QueryableByName)]
struct HitRow {
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    page_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<BigInt>)]
    rank: Option<i64>,
}

#[derive(QueryableByName)]
struct SectionRow {
    #[diesel(sql_type = SqlUuid)]
    space_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    page_id: Uuid,
    #[diesel(sql_type = Nullable<Text>)]
    anchor: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    heading: Option<String>,
    #[diesel(sql_type = Text)]
    part: String,
    #[diesel(sql_type = Bool)]
    cut_before: bool,
    #[diesel(sql_type = Bool)]
    cut_after: bool,
}

impl Reader<'_> {
    /// The pages of a space's current main content that answer a query, best first: two statements beside the tree.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn search(
        &mut self,
        content: &Authorized<ContentAt>,
        query: &str,
        after: Option<SearchKey>,
        limit: u16,
    ) -> Result<Slice<SearchHit>> {
        let space = *content.space.id.as_uuid();
        let words = words_of(query);
        let rows: Vec<HitRow> = FindHits::bind((
            val::<SqlUuid, _>(space),
            val::<Array<Text>, _>(words.clone()),
            val::<Text, _>(query),
            val::<Nullable<BigInt>, _>(after.map(|key| key.rank)),
            val::<Nullable<SqlUuid>, _>(after.map(|key| *key.page.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let total = rows.first().map_or(0, |row| row.total);
        let keys = rows
            .iter()
            .filter_map(|row| Some(SearchKey { rank: row.rank?, page: PageId::from_uuid(row.page_id?) }));
        let found = Slice::cut(keys.collect(), limit, total);
        let pages = found.items.iter().map(|key| (content.space.id, key.page));
        let mut sections = self.sections_of(pages.collect(), words)?;
        let tree = self.tree(content)?;
        let hit = |key: SearchKey| {
            // A page that came or went since the content was looked up is left out.
            let page = tree.page(key.page)?;
            let sections = sections.remove(&(content.space.id, key.page)).unwrap_or_default();
            Some(SearchHit { key, title: page.title.clone(), path: tree.path_of(key.page)?, sections })
        };
        let Slice { items, total, has_more } = found;
        Ok(Slice { items: items.into_iter().filter_map(hit).collect(), total, has_more })
    }

    /// The best sections of pages, of one organization's spaces. No page is looked for where nothing was found.
    pub(super) fn sections_of(
        &mut self,
        pages: Vec<(SpaceId, PageId)>,
        words: Vec<String>,
    ) -> Result<HashMap<(SpaceId, PageId), Vec<SearchedSection>>> {
        let Some((first, _)) = pages.first() else { return Ok(HashMap::new()) };
        let language_of = *first.as_uuid();
        let (spaces, pages): (Vec<Uuid>, Vec<Uuid>) =
            pages.iter().map(|(space, page)| (*space.as_uuid(), *page.as_uuid())).unzip();
        let rows: Vec<SectionRow> = FindSections::bind((
            val::<SqlUuid, _>(language_of),
            val::<Array<Text>, _>(words),
            val::<Array<SqlUuid>, _>(spaces),
            val::<Array<SqlUuid>, _>(pages),
        ))
        .load(self.connection)?;
        let mut sections: HashMap<(SpaceId, PageId), Vec<SearchedSection>> = HashMap::new();
        for row in rows {
            let page = (SpaceId::from_uuid(row.space_id), PageId::from_uuid(row.page_id));
            sections.entry(page).or_default().push(SearchedSection {
                anchor: row.anchor,
                heading: row.heading,
                excerpt: excerpt(&row.part, row.cut_before, row.cut_after),
            });
        }
        Ok(sections)
    }
}

/// Returns the search words of a query, without surrounding punctuation.
#[must_use]
pub fn words_of(query: &str) -> Vec<String> {
    query
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()))
        .filter(|word| !word.is_empty())
        .take(WORDS)
        .map(|word| word.chars().take(WORD_LENGTH).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{WORD_LENGTH, WORDS, words_of};

    #[test]
    fn words_are_few_and_short_and_bare() {
        assert_eq!(
            words_of(" \"how to\"  install: quire.toml? & | !"),
            ["how", "to", "install", "quire.toml"]
        );
        assert_eq!(words_of("???"), Vec::<String>::new());
        assert_eq!(words_of(&"ab ".repeat(99)).len(), WORDS);
        assert_eq!(words_of(&"é".repeat(512)), ["é".repeat(WORD_LENGTH)]);
    }
}
