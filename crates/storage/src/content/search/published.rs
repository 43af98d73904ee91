//! Searches of a published site, and of one of its spaces.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::slice;
use std::sync::Arc;

use quire_domain::ids::{DocumentId, PageId, SpaceId};
use quire_revision::{PageNode, Tree, TreeHash};
use quire_search::{Context, Hit, Language, Overlay, Page, PageText, Query, Scope, Snapshot};

use super::node::failed;
use super::pages::engine_section;
use super::progress::Searched;
use super::searched::SearchedSpace;
use super::space::{SearchHit, SearchKey};
use crate::content::store::{ContentHead, ContentPoint, SectionFact};
use crate::list::Slice;
use crate::lookup::Authorized;
use crate::sites::published::{PublishedContent, PublishedSite};
use crate::transaction::Reader;
use crate::{Error, Result};

/// Maximum number of pages of a space in a visitor's results. The visible part of each is searched again.
const MOST_VISITED: u16 = 50;

/// Sections of documents that depend on the visitor.
type VisibleSections = HashMap<DocumentId, Vec<SectionFact>>;

/// Function that returns the sections of a document that a visitor sees; `None` if all visitors see the same.
pub type Visible<'v, C> =
    dyn Fn(&mut Reader<'_>, &Authorized<C>, DocumentId) -> Result<Option<Vec<SectionFact>>> + 'v;

impl Reader<'_> {
    /// Returns the matching pages of spaces of a site, best first, each with its space. Hidden pages are not found.
    /// Statements only load uncached trees, and pages that the index lacks.
    ///
    /// The index has the whole text of a page. A page with conditional parts is found only if the text that `visible`
    /// returns for it matches, and only that text is returned.
    ///
    /// # Errors
    /// [`Error::Indexing`] if the index is damaged; errors of `visible`.
    pub fn search_site(
        &mut self,
        site: &PublishedSite,
        contents: &[Authorized<PublishedContent>],
        query: &str,
        limit: u16,
        visible: &Visible<'_, PublishedContent>,
    ) -> Result<Searched<Vec<(SpaceId, SearchHit)>>> {
        self.search_visible(site.search_language, contents, query, limit, visible)
    }

    /// Returns the pages of a space that [`Reader::search_site`] would find for a visitor, best first, at most 50.
    /// Count and positions refer to these.
    ///
    /// # Errors
    /// [`Error::NotFound`] for content that is not searchable; otherwise as [`Reader::search_site`].
    pub fn search_visited(
        &mut self,
        content: &Authorized<ContentHead>,
        query: &str,
        (after, limit): (Option<SearchKey>, u16),
        visible: &Visible<'_, ContentHead>,
    ) -> Result<Searched<Slice<SearchHit>>> {
        let language = content.search_language.ok_or(Error::NotFound)?;
        let contents = slice::from_ref(content);
        let Searched { found, progress } =
            self.search_visible(language, contents, query, MOST_VISITED, visible)?;
        let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
        let hits = (1..).zip(found).map(|(position, (_, hit))| SearchHit { position, ..hit });
        let order = |key: SearchKey| (Reverse(key.rank), key.page);
        let rest = hits.filter(|hit| after.is_none_or(|after| order(hit.key) > order(after)));
        Ok(Searched { found: Slice::cut(rest.collect(), limit, total), progress })
    }

    fn search_visible<C: ContentPoint>(
        &mut self,
        language: Language,
        contents: &[Authorized<C>],
        query: &str,
        limit: u16,
        visible: &Visible<'_, C>,
    ) -> Result<Searched<Vec<(SpaceId, SearchHit)>>> {
        let query = Query::new(query, language);
        let spaces: Vec<SearchedSpace> = contents
            .iter()
            .map(|content| SearchedSpace { id: content.space(), root: content.root(), language })
            .collect();
        let snapshot = self.storage.search_node().index()?.snapshot();
        let (scopes, progress) = self.scopes(&snapshot, &spaces)?;
        let ranking = self.storage.search_node().search(&snapshot, &query, &scopes)?;
        let hits = ranking.pages(None, usize::from(limit));
        let roots: Vec<(SpaceId, TreeHash)> = spaces.iter().map(|space| (space.id, space.root)).collect();
        let trees = self.trees_of(&roots)?;
        let mut found = Vec::with_capacity(hits.len());
        for hit in hits {
            let at = contents.iter().position(|content| content.space() == hit.space);
            let content = at.and_then(|at| Some((contents.get(at)?, trees.get(at)?)));
            let missing =
                || Error::corrupt("a hit is in no searched space", anyhow::anyhow!("{}", hit.space));
            let (content, tree) = content.ok_or_else(missing)?;
            found.push((hit, content, tree));
        }
        let texts = self.visible_sections(&found, visible)?;
        let mut hits: Vec<(Hit, &Tree)> = found.into_iter().map(|(hit, _, tree)| (hit, tree)).collect();
        let seen = self.seen_matches(&snapshot, &query, &hits, &texts)?;
        hits.retain(|(hit, tree)| {
            let document = tree.page(hit.page).and_then(|page| page.document);
            document.is_none_or(|id| !texts.contains_key(&id)) || seen.contains(&(hit.space, hit.page))
        });
        let texts = hits.iter().filter_map(|(hit, tree)| {
            let page = tree.page(hit.page)?;
            let id = page.document?;
            Some((id, PageText::new(&visible_page(page, texts.get(&id)?), language)))
        });
        let texts = texts.collect();
        let hits = hits.iter().map(|(hit, tree)| (*hit, Some(*tree))).collect();
        let found = self.describe(&query, &ranking, hits, &texts)?;
        Ok(Searched { found, progress })
    }

    fn visible_sections<C: ContentPoint>(
        &mut self,
        found: &[(Hit, &Authorized<C>, &Tree)],
        visible: &Visible<'_, C>,
    ) -> Result<VisibleSections> {
        let mut texts = VisibleSections::new();
        for (hit, content, tree) in found {
            let Some(id) = tree.page(hit.page).and_then(|page| page.document) else { continue };
            if let Some(sections) = visible(self, content, id)? {
                texts.insert(id, sections);
            }
        }
        Ok(texts)
    }

    /// Returns the hits with conditional parts whose visible text matches. It searches a temporary index in memory that
    /// has only these texts.
    fn seen_matches(
        &self,
        snapshot: &Snapshot,
        query: &Query,
        hits: &[(Hit, &Tree)],
        texts: &VisibleSections,
    ) -> Result<HashSet<(SpaceId, PageId)>> {
        let mut pages: HashMap<SpaceId, Vec<Page<'_>>> = HashMap::new();
        for (hit, tree) in hits {
            let Some(page) = tree.page(hit.page) else { continue };
            let Some(text) = page.document.and_then(|id| texts.get(&id)) else { continue };
            pages.entry(hit.space).or_default().push(visible_page(page, text));
        }
        if pages.is_empty() {
            return Ok(HashSet::new());
        }
        let mut scopes = Vec::with_capacity(pages.len());
        for (space, pages) in pages {
            let overlay = Overlay::of_all(space, query.language(), &pages).map_err(failed)?;
            scopes.push(Scope { space, overlay: Some(Arc::new(overlay)) });
        }
        let ranking = self.storage.search_node().search(snapshot, query, &scopes)?;
        Ok(ranking.pages(None, hits.len()).into_iter().map(|hit| (hit.space, hit.page)).collect())
    }
}

/// Returns the part of a page that a visitor sees. Its path comes from the tree.
fn visible_page<'p>(page: &'p PageNode, sections: &'p [SectionFact]) -> Page<'p> {
    let sections = sections.iter().map(engine_section).collect();
    Page { id: page.id, title: &page.title, path: "", context: Context::default(), sections }
}
