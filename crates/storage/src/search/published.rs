//! Searches of a published site.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use quire_domain::ids::{DocumentId, PageId, SpaceId};
use quire_revision::{Tree, TreeHash};
use quire_search::{Hit, Overlay, Page, PageWords, Query, Scope, Section, Snapshot};

use super::node::failed;
use super::pages::{SearchedSpace, engine_section};
use super::space::SearchHit;
use super::text::SearchedText;
use crate::content::SectionFact;
use crate::lookup::{Authorized, ContentPoint as _};
use crate::published::{PublishedContent, PublishedSite};
use crate::transaction::Reader;
use crate::{Error, Result};

/// Texts of the documents that depend on the visitor.
type VisibleTexts = HashMap<DocumentId, Arc<SearchedText>>;

/// Sections that a visitor reads of a document; `None` for a document that all visitors read alike.
pub type Visible<'v> = dyn Fn(&mut Reader<'_>, &Authorized<PublishedContent>, DocumentId) -> Result<Option<Vec<SectionFact>>>
    + 'v;

impl Reader<'_> {
    /// Returns the pages of spaces of a site that answer a query, best first, each with its space. Hidden pages are not
    /// found. Statements only load trees and documents that are not cached.
    ///
    /// The index has the whole text of a page. A page with conditional parts is found only if the text that `visible`
    /// returns of it matches, and only that text is shown.
    ///
    /// # Errors
    /// [`Error::Indexing`] if the index has to catch up first; those of `visible`.
    pub fn search_site(
        &mut self,
        site: &PublishedSite,
        contents: &[Authorized<PublishedContent>],
        query: &str,
        limit: u16,
        visible: &Visible<'_>,
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
            let at = contents.iter().position(|content| content.space() == hit.space);
            let content = at.and_then(|at| Some((contents.get(at)?, trees.get(at)?)));
            let missing =
                || Error::corrupt("a hit is in no searched space", anyhow::anyhow!("{}", hit.space));
            let (content, tree) = content.ok_or_else(missing)?;
            found.push((hit, content, tree));
        }
        let texts = self.visible_texts(&query, &found, visible)?;
        let mut hits: Vec<(Hit, &Tree)> = found.into_iter().map(|(hit, _, tree)| (hit, tree)).collect();
        let seen = self.seen_matches(&snapshot, &query, &hits, &texts)?;
        hits.retain(|(hit, tree)| {
            let document = tree.page(hit.page).and_then(|page| page.document);
            document.is_none_or(|id| !texts.contains_key(&id)) || seen.contains(&(hit.space, hit.page))
        });
        self.describe_with(&query, hits, texts)
    }

    fn visible_texts(
        &mut self,
        query: &Query,
        found: &[(Hit, &Authorized<PublishedContent>, &Tree)],
        visible: &Visible<'_>,
    ) -> Result<VisibleTexts> {
        let mut texts = VisibleTexts::new();
        for (hit, content, tree) in found {
            let Some(id) = tree.page(hit.page).and_then(|page| page.document) else { continue };
            if let Some(sections) = visible(self, content, id)? {
                let words = PageWords::new(sections.iter().map(engine_section), query.language());
                texts.insert(id, Arc::new(SearchedText { sections: sections.into(), words }));
            }
        }
        Ok(texts)
    }

    /// Returns the hits among those with conditional parts whose visible text matches: a search of an index in memory that
    /// has only these texts.
    fn seen_matches(
        &self,
        snapshot: &Snapshot,
        query: &Query,
        hits: &[(Hit, &Tree)],
        texts: &VisibleTexts,
    ) -> Result<HashSet<(SpaceId, PageId)>> {
        let mut pages: HashMap<SpaceId, Vec<Page<'_>>> = HashMap::new();
        for (hit, tree) in hits {
            let Some(page) = tree.page(hit.page) else { continue };
            let Some(text) = page.document.and_then(|id| texts.get(&id)) else { continue };
            let sections: Vec<Section<'_>> = text.sections.iter().map(engine_section).collect();
            pages.entry(hit.space).or_default().push(Page { id: page.id, title: &page.title, sections });
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
