//! Searches of a space.

use std::collections::HashMap;
use std::sync::Arc;

use quire_domain::ids::{DocumentId, PageId, SpaceId};
use quire_revision::Tree;
use quire_search::{Excerpt, Hit, Language, Query};
use serde::{Deserialize, Serialize};

use super::pages::{SearchedSpace, engine_section};
use super::text::SearchedText;
use crate::list::Slice;
use crate::lookup::{Authorized, ContentHead};
use crate::transaction::Reader;
use crate::{Error, Result};

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

impl Reader<'_> {
    /// Returns the pages of a space's current main content that answer a query, best first. Statements only load trees and
    /// documents that are not cached.
    ///
    /// # Errors
    /// [`Error::Indexing`] if the index has to catch up first; [`Error::NotFound`] for content that is not searched.
    pub fn search(
        &mut self,
        content: &Authorized<ContentHead>,
        query: &str,
        after: Option<SearchKey>,
        limit: u16,
    ) -> Result<Slice<SearchHit>> {
        let language = content.search_language.ok_or(Error::NotFound)?;
        let query = Query::new(query, language);
        let snapshot = self.storage.search_node().index()?.snapshot();
        let space = SearchedSpace { id: content.space, root: content.root, language };
        let scopes = self.scopes(&snapshot, &[space])?;
        let ranking = self.storage.search_node().search(&snapshot, &query, &scopes)?;
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
        self.describe_with(query, hits, HashMap::new())
    }

    /// As [`Reader::describe`], with other texts for some documents than those that are stored.
    pub(super) fn describe_with(
        &mut self,
        query: &Query,
        hits: Vec<(Hit, &Tree)>,
        mut texts: HashMap<DocumentId, Arc<SearchedText>>,
    ) -> Result<Vec<(SpaceId, SearchHit)>> {
        let document = |(hit, tree): &(Hit, &Tree)| Some((hit.space, tree.page(hit.page)?.document?));
        let documents = hits.iter().filter_map(document);
        let documents = documents.filter(|(_, id)| !texts.contains_key(id)).collect();
        texts.extend(self.texts_by_id(documents, query.language())?);
        let described = hits.into_iter();
        let described =
            described.filter_map(|(hit, tree)| Some((hit.space, describe(query, hit, tree, &texts)?)));
        Ok(described.collect())
    }
}

fn describe(
    query: &Query,
    hit: Hit,
    tree: &Tree,
    texts: &HashMap<DocumentId, Arc<SearchedText>>,
) -> Option<SearchHit> {
    let page = tree.page(hit.page)?;
    let text = page.document.and_then(|id| texts.get(&id));
    let sections = text.into_iter().flat_map(|text| {
        let found = query.sections(&text.words, |at| text.sections.get(at).map(engine_section));
        found.into_iter().filter_map(|found| {
            let fact = text.sections.get(found.index)?;
            let (anchor, heading) = (fact.anchor.clone(), fact.heading.clone());
            Some(SearchedSection { anchor, heading, excerpt: found.excerpt })
        })
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
