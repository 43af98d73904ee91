//! Searches of a space.

use std::collections::HashMap;

use quire_domain::ids::{DocumentId, PageId, SpaceId};
use quire_revision::{PageNode, Tree};
use quire_search::{Excerpt, FoundSection, Hit, Language, PageText, Query, Ranking, SectionFinder};
use serde::{Deserialize, Serialize};

use super::pages::ancestors_of;
use super::progress::Searched;
use super::searched::SearchedSpace;
use crate::content::store::ContentHead;
use crate::list::Slice;
use crate::lookup::Authorized;
use crate::transaction::Reader;
use crate::{Error, Result};

/// Sort key of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchKey {
    /// Score of the match; higher scores come first.
    pub rank: i64,
    /// Page; it orders equal ranks.
    pub page: PageId,
}

/// Page in the results.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit {
    /// Page and its sort key.
    pub key: SearchKey,
    /// Title.
    pub title: String,
    /// Path.
    pub path: String,
    /// Description; may be empty.
    pub description: String,
    /// Titles of the page's ancestors, from the top.
    pub ancestors: Vec<String>,
    /// Score.
    pub score: f32,
    /// Position in the whole result by score, from 1. Pages with equal scores share a position.
    pub position: u64,
    /// Best sections, at most three.
    pub sections: Vec<SearchedSection>,
}

/// Matching section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedSection {
    /// Anchor of the heading; `None` for text before the first heading.
    pub anchor: Option<String>,
    /// Heading.
    pub heading: Option<String>,
    /// Text around the match, at most about 200 characters, with the matching words.
    pub excerpt: Excerpt,
}

impl Reader<'_> {
    /// Returns the matching pages of a space's current main content, best first. Statements only load pages that the
    /// index lacks, and their trees. If too many pages differ from the index, only the indexed pages are searched,
    /// except those that have changed since.
    ///
    /// # Errors
    /// [`Error::NotFound`] for content that is not searchable; [`Error::Indexing`] if the index is damaged.
    pub fn search(
        &mut self,
        content: &Authorized<ContentHead>,
        query: &str,
        after: Option<SearchKey>,
        limit: u16,
    ) -> Result<Searched<Slice<SearchHit>>> {
        let language = content.search_language.ok_or(Error::NotFound)?;
        let query = Query::new(query, language);
        let snapshot = self.storage.search_node().index()?.snapshot();
        let space = SearchedSpace { id: content.space, root: content.root, language };
        let (scopes, progress) = self.scopes(&snapshot, &[space])?;
        let ranking = self.storage.search_node().search(&snapshot, &query, &scopes)?;
        let after = after.map(|key| (key.rank, key.page));
        let hits = ranking.pages(after, usize::from(limit).saturating_add(1));
        let total = i64::try_from(ranking.pages_count()).unwrap_or(i64::MAX);
        let found = Slice::cut(hits, limit, total);
        let has_overlay = scopes.iter().any(|scope| scope.overlay.is_some());
        let tree = has_overlay.then(|| self.tree(content)).transpose()?;
        let found = found.try_map_all(|hits| {
            let pages: Vec<(Hit, Option<&Tree>)> = hits.into_iter().map(|hit| (hit, tree.as_ref())).collect();
            let described = self.describe(&query, &ranking, pages, &HashMap::new())?;
            Ok::<_, Error>(described.into_iter().map(|(_, hit)| hit).collect())
        })?;
        Ok(Searched { found, progress })
    }

    /// Adds names, positions and the best sections to hits of a ranking. Spaces with overlays need their trees, because
    /// the index has the names of the indexed trees. `texts` has the texts of documents of which only a part is
    /// visible.
    ///
    /// # Errors
    /// [`Error::Indexing`] if the index is damaged.
    pub(super) fn describe(
        &self,
        query: &Query,
        ranking: &Ranking,
        hits: Vec<(Hit, Option<&Tree>)>,
        texts: &HashMap<DocumentId, PageText>,
    ) -> Result<Vec<(SpaceId, SearchHit)>> {
        let finder = query.section_finder();
        let only_hits: Vec<Hit> = hits.iter().map(|(hit, _)| *hit).collect();
        let positions = ranking.positions(&only_hits);
        let describe = |((hit, tree), position): ((Hit, Option<&Tree>), u64)| -> quire_search::Result<_> {
            let page = tree.and_then(|tree| tree.page(hit.page));
            let shown = page.and_then(|page| texts.get(&page.document?));
            let indexed = if shown.is_none() { Some(ranking.text(&hit)?) } else { None };
            let Some(text) = shown.or(indexed.as_ref()) else { return Ok(None) };
            let names = match tree.zip(page) {
                Some((tree, page)) => Names::of_page(tree, page),
                // Stored trees lack computed pages.
                None => Some(Names::of_text(text)),
            };
            let Some(Names { title, path, description, ancestors }) =
                names.filter(|names| !names.path.is_empty())
            else {
                return Ok(None);
            };
            let (key, sections) = (SearchKey { rank: hit.rank, page: hit.page }, sections_of(&finder, text));
            let score = hit.score();
            Ok(Some((
                hit.space,
                SearchHit { key, title, path, description, ancestors, score, position, sections },
            )))
        };
        let described =
            || hits.into_iter().zip(positions).filter_map(|hit| describe(hit).transpose()).collect();
        self.storage.search_node().guarded(described)
    }
}

/// Names of a page in a response.
struct Names {
    title: String,
    path: String,
    description: String,
    ancestors: Vec<String>,
}

impl Names {
    fn of_page(tree: &Tree, page: &PageNode) -> Option<Self> {
        Some(Self {
            title: page.title.clone(),
            path: tree.path_of(page.id)?,
            description: page.description.clone().unwrap_or_default(),
            ancestors: ancestors_of(tree, page).into_iter().map(str::to_owned).collect(),
        })
    }

    fn of_text(text: &PageText) -> Self {
        Self {
            title: text.title().to_owned(),
            path: text.path().to_owned(),
            description: text.description().to_owned(),
            ancestors: text.ancestors().map(str::to_owned).collect(),
        }
    }
}

fn sections_of(finder: &SectionFinder<'_>, text: &PageText) -> Vec<SearchedSection> {
    let found = finder.find(text).into_iter();
    let sections = found.filter_map(|FoundSection { index, excerpt }| {
        let section = text.section(index)?;
        let (anchor, heading) = (section.anchor.map(str::to_owned), section.heading.map(str::to_owned));
        Some(SearchedSection { anchor, heading, excerpt })
    });
    sections.collect()
}

/// Returns the language with this name. An unknown language stems nothing.
pub(super) fn language_of(name: &str) -> Language {
    Language::from_name(name).unwrap_or_default()
}
