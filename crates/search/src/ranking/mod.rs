//! Search and ranking of pages.

mod best;
mod cache;
mod candidates;
mod found;
mod lists;
mod rows;
mod scores;

use tantivy::DocId;
use tantivy::query::{EnableScoring, Query as _};

pub(crate) use self::cache::ScoreCache;
use self::candidates::{Found, FoundPages};
pub use self::found::{Hit, Ranking, SpaceHits, score_of};
use self::rows::for_each_row;
use self::scores::{SearchedPages, pages_of_lists};
use crate::Result;
use crate::overlay::{Overlay, Scope};
use crate::query::{Clauses, Leniency, Query, Rows};
use crate::schema::FIELDS;
use crate::segment::{Indexed, Segment};
use crate::space_map::SpaceMap;
use crate::statistics::Statistics;

/// Number of best pages for which words in a row are scored.
const WINDOW: usize = 200;

/// Ranks the pages of some spaces.
pub(crate) fn search(
    index: &Indexed,
    cache: &ScoreCache,
    query: &Query,
    scopes: &[Scope],
) -> Result<Ranking> {
    let mut ranking = Ranking::default();
    if query.is_empty() || scopes.is_empty() {
        return Ok(ranking);
    }
    let search = Search::new(index, cache, query, scopes);
    for leniency in [Leniency::Exact, Leniency::OneError, Leniency::TwoErrors] {
        ranking = search.run(leniency)?;
        if ranking.pages_count() > 0 || query.is_long() {
            break;
        }
    }
    Ok(ranking)
}

struct Search<'s> {
    query: &'s Query,
    scopes: &'s [Scope],
    /// The index, then the overlays, each with the index of its scope.
    indexes: Vec<(&'s Indexed, Option<u32>)>,
    cache: &'s ScoreCache,
    space_numbers: SpaceMap<u32>,
    has_overlays: bool,
}

/// Searched spaces of a segment.
struct Searched<'s> {
    /// Index among the scopes, for each space of the segment; `None` for one that isn't searched.
    numbers: Vec<Option<u32>>,
    /// Overlay that replaces pages, for each space of the segment; empty if there are no overlays.
    overlays: Vec<Option<&'s Overlay>>,
}

impl Searched<'_> {
    /// Returns whether all pages of a segment are searched.
    fn has_all(&self, segment: &Segment) -> bool {
        let is_whole = self.overlays.is_empty() && segment.reader.alive_bitset().is_none();
        is_whole && self.numbers.iter().all(Option::is_some)
    }

    /// Returns whether a page is searched: neither removed nor replaced by an overlay.
    fn has(&self, segment: &Segment, doc: DocId) -> bool {
        if segment.reader.alive_bitset().is_some_and(|alive| !alive.is_alive(doc)) {
            return false;
        }
        let Some(space) = segment.space_of(doc) else { return false };
        let overlay = self.overlays.get(space).copied().flatten();
        self.numbers.get(space).is_some_and(Option::is_some)
            && overlay.is_none_or(|overlay| !overlay.replaces(|| segment.page(doc)))
    }

    /// Removes the pages that are not searched from the matching pages of a segment.
    fn of(self, segment: &Segment, mut pages: FoundPages) -> Found {
        if !self.has_all(segment) {
            pages.retain(|doc| self.has(segment, doc));
        }
        Found { segment: segment.clone(), numbers: self.numbers, pages }
    }
}

impl<'s> Search<'s> {
    fn new(index: &'s Indexed, cache: &'s ScoreCache, query: &'s Query, scopes: &'s [Scope]) -> Self {
        let space_numbers = scopes.iter().map(|scope| scope.space).zip(0..).collect();
        let overlays = scopes
            .iter()
            .zip(0..)
            .filter_map(|(scope, number)| Some((scope.overlay.as_ref()?.index.as_ref()?, Some(number))));
        let indexes = std::iter::once((index, None)).chain(overlays).collect();
        let has_overlays = scopes.iter().any(|scope| scope.overlay.is_some());
        Self { query, scopes, indexes, cache, space_numbers, has_overlays }
    }

    fn run(&self, leniency: Leniency) -> Result<Ranking> {
        let clauses = Clauses::new(self.query, leniency);
        let statistics =
            Statistics { searchers: self.indexes.iter().map(|(index, _)| &index.searcher).collect() };
        let lists = clauses.lists(&statistics)?;
        let mut ranking = Ranking::of_spaces(self.scopes.iter().map(|scope| scope.space).collect());
        for (index, overlay) in &self.indexes {
            let filter = match self.scopes {
                // The overlays contain all pages.
                _ if overlay.is_none() && self.is_index_replaced() => continue,
                [only] if overlay.is_none() => Some(only.space),
                _ => None,
            };
            let readers = index.searcher.segment_readers().iter();
            let segments = readers.filter_map(|reader| index.segments.get(&reader.segment_id())?.as_ref());
            let term = filter.map(|space| FIELDS.space_term(space));
            if let Some(lists) = &lists {
                for segment in segments {
                    let wanted = match &term {
                        Some(term) if segment.spaces() != filter.as_slice() => SearchedPages::Term(term),
                        _ => SearchedPages::All,
                    };
                    let pages = pages_of_lists(&segment.reader, self.cache, lists, &wanted)?;
                    if let Some(pages) = pages {
                        ranking.found.push(self.searched(segment, *overlay).of(segment, pages));
                    }
                }
                continue;
            }
            let scoring = EnableScoring::enabled_from_statistics_provider(&statistics, &index.searcher);
            let weight = clauses.find(term).weight(scoring)?;
            for segment in segments {
                let (mut docs, mut scores) = (Vec::new(), Vec::new());
                weight.for_each(&segment.reader, &mut |doc, score| {
                    docs.push(doc);
                    scores.push(score);
                })?;
                let pages = FoundPages { docs: Some(docs), scores };
                ranking.found.push(self.searched(segment, *overlay).of(segment, pages));
            }
        }
        self.refine(&mut ranking)?;
        Ok(ranking)
    }

    fn is_index_replaced(&self) -> bool {
        self.scopes.iter().all(|scope| scope.overlay.as_ref().is_some_and(|overlay| overlay.replaces_all()))
    }

    /// Returns the searched spaces of a segment of the index, or of an overlay.
    fn searched(&self, segment: &Segment, overlay: Option<u32>) -> Searched<'s> {
        if overlay.is_some() {
            return Searched { numbers: vec![overlay; segment.spaces().len()], overlays: Vec::new() };
        }
        let number = |space| self.space_numbers.get(space).copied();
        let numbers: Vec<Option<u32>> = segment.spaces().iter().map(number).collect();
        if !self.has_overlays {
            return Searched { numbers, overlays: Vec::new() };
        }
        let overlay =
            |number: &Option<u32>| self.scopes.get(usize::try_from((*number)?).ok()?)?.overlay.as_deref();
        let overlays = numbers.iter().map(overlay).collect();
        Searched { numbers, overlays }
    }

    /// Adds the scores of words in a row to the best pages.
    fn refine(&self, ranking: &mut Ranking) -> Result<()> {
        let Some(rows) = Rows::of(self.query).filter(|_| ranking.found.len() > 1) else { return Ok(()) };
        let mut window = ranking.best(WINDOW);
        // Sorting groups the pages by segment, in the order of their numbers.
        window.sort_unstable();
        let found = &mut ranking.found;
        let mut added = Vec::new();
        for of_segment in window.chunk_by(|a, b| found.segment_number(*a) == found.segment_number(*b)) {
            let docs: Vec<DocId> = of_segment.iter().map(|at| found.doc(*at)).collect();
            let number = of_segment.first().map(|at| found.segment_number(*at));
            let Some(segment) = number.and_then(|number| found.segment(number)) else { continue };
            for_each_row(&segment.reader, &rows, &docs, |at, score| {
                added.extend(of_segment.get(at).map(|at| (*at, score)));
            })?;
        }
        for (at, score) in added {
            found.add(at, score);
        }
        Ok(())
    }
}
