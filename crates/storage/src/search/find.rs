//! Searches of a space.

use diesel::prelude::*;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use quire_domain::ids::{PageId, SpaceId};
use quire_revision::Tree;
use quire_search::{Excerpt, Hit, Language, Query};
use serde::{Deserialize, Serialize};

use super::node::failed;
use super::pages::{SearchedSpace, SectionsById, engine_section};
use crate::Result;
use crate::list::Slice;
use crate::lookup::{Authorized, ContentAt};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

/// Position of a hit among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchKey {
    /// Quality of the match; better ones come first.
    pub rank: i64,
    /// The page; equal ranks are ordered by it.
    pub page: PageId,
}

/// A page that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchHit {
    /// The page and its position.
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
    /// The words around the match, about 200 characters at most, and which of them match.
    pub excerpt: Excerpt,
}

statements! {
    FindLanguage = "SELECT o.search_language FROM spaces s JOIN organizations o ON o.id = s.organization_id WHERE s.id = $1";
}

#[derive(QueryableByName)]
struct LanguageRow {
    #[diesel(sql_type = Text)]
    search_language: String,
}

impl Reader<'_> {
    /// The pages of a space's current main content that answer a query, best first: two statements besides those that load
    /// trees and documents that are not cached.
    ///
    /// # Errors
    /// [`Error::Indexing`](crate::Error::Indexing) if the index has to catch up first.
    pub fn search(
        &mut self,
        content: &Authorized<ContentAt>,
        query: &str,
        after: Option<SearchKey>,
        limit: u16,
    ) -> Result<Slice<SearchHit>> {
        let id = content.space.id;
        let row: LanguageRow =
            FindLanguage::bind((val::<SqlUuid, _>(*id.as_uuid()),)).get_result(self.connection)?;
        let language = language_of(&row.search_language);
        let query = Query::new(query, language);
        let snapshot = self.storage.search_node().index()?.snapshot();
        let space = SearchedSpace { id, root: content.revision.root, language };
        let scopes = self.scopes(&snapshot, &[space])?;
        let ranking = snapshot.search(&query, &scopes).map_err(failed)?;
        let after = after.map(|key| (key.rank, key.page));
        let hits = ranking.pages(after, usize::from(limit).saturating_add(1));
        let total = i64::try_from(ranking.pages_count()).unwrap_or(i64::MAX);
        let found = Slice::cut(hits, limit, total);
        let tree = self.tree(content)?;
        found.try_map_all(|hits| {
            let pages: Vec<(Hit, &Tree)> = hits.into_iter().map(|hit| (hit, &tree)).collect();
            Ok(self.describe(&query, pages)?.into_iter().map(|(_, hit)| hit).collect())
        })
    }

    /// Adds titles, paths and the best sections to hits: at most one statement.
    pub(super) fn describe(
        &mut self,
        query: &Query,
        hits: Vec<(Hit, &Tree)>,
    ) -> Result<Vec<(SpaceId, SearchHit)>> {
        let document = |(hit, tree): &(Hit, &Tree)| Some((hit.space, tree.page(hit.page)?.document?));
        let documents: Vec<(SpaceId, _)> = hits.iter().filter_map(document).collect();
        let sections = self.sections_by_id(documents)?;
        let described = hits.into_iter();
        let described =
            described.filter_map(|(hit, tree)| Some((hit.space, describe(query, hit, tree, &sections)?)));
        Ok(described.collect())
    }
}

fn describe(query: &Query, hit: Hit, tree: &Tree, sections: &SectionsById) -> Option<SearchHit> {
    let page = tree.page(hit.page)?;
    let facts = page.document.and_then(|id| sections.get(&id)).map_or(&[][..], |facts| &**facts);
    let found = query.sections(facts.iter().map(engine_section));
    let sections = found.into_iter().filter_map(|found| {
        let fact = facts.get(found.place)?;
        let (anchor, heading) = (fact.anchor.clone(), fact.heading.clone());
        Some(SearchedSection { anchor, heading, excerpt: found.excerpt })
    });
    Some(SearchHit {
        key: SearchKey { rank: hit.rank, page: hit.page },
        title: page.title.clone(),
        path: tree.path_of(hit.page)?,
        sections: sections.collect(),
    })
}

/// Returns the language of this name; an unknown one stems nothing.
pub(super) fn language_of(name: &str) -> Language {
    Language::from_name(name).unwrap_or_default()
}
