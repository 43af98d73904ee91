//! Pages that a query finds, and their order.

mod best;
mod cache;
mod candidates;
mod found;
mod lists;
mod rows;
mod scores;

use tantivy::fastfield::AliveBitSet;
use tantivy::query::{EnableScoring, Query as _};
use tantivy::{DocId, Score, SegmentReader};

pub(crate) use self::cache::ScoreCache;
use self::candidates::Candidates;
pub use self::found::{Hit, Ranking, SpaceHits};
use self::rows::for_each_row;
use self::scores::{SearchedPages, pages_of_lists};
use crate::Result;
use crate::overlay::{Overlay, Scope};
use crate::query::{Clauses, Leniency, Query, Rows};
use crate::schema::FIELDS;
use crate::segment::{Indexed, Segment};
use crate::space_map::SpaceMap;
use crate::statistics::Statistics;

/// Best pages whose words in a row are counted, too.
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
    /// The index, then the overlays, each with the position of its space.
    indexes: Vec<(&'s Indexed, Option<u32>)>,
    cache: &'s ScoreCache,
    space_numbers: SpaceMap<u32>,
    has_overlays: bool,
}

/// The searched spaces of a segment.
struct Searched<'s> {
    /// For each space of the segment its position among the searched ones; `None` for one that isn't searched.
    numbers: Vec<Option<u32>>,
    /// For each space of the segment the overlay that replaces pages of it; empty if none does.
    overlays: Vec<Option<&'s Overlay>>,
}

/// Collects the pages of a segment that are found and searched.
struct Collector<'c> {
    segment: &'c Segment,
    alive: Option<&'c AliveBitSet>,
    searched: &'c Searched<'c>,
    found: &'c mut Candidates,
}

impl<'c> Collector<'c> {
    fn new(segment: &'c Segment, searched: &'c Searched<'c>, ranking: &'c mut Ranking) -> Self {
        ranking.segments.push(segment.clone());
        ranking.found.begin_segment();
        Self { segment, alive: segment.reader.alive_bitset(), searched, found: &mut ranking.found }
    }

    fn add(&mut self, doc: DocId, score: Score) {
        if self.alive.is_some_and(|alive| !alive.is_alive(doc)) {
            return;
        }
        let number = match self.searched.numbers.as_slice() {
            [only] => only.map(|number| (0, number)),
            all => self.segment.space_of(doc).and_then(|space| Some((space, (*all.get(space)?)?))),
        };
        let Some((space, number)) = number else { return };
        let overlay = self.searched.overlays.get(space).copied().flatten();
        if overlay.is_none_or(|overlay| !overlay.replaces(|| self.segment.page(doc))) {
            self.found.push(doc, score, number);
        }
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
                // Its pages are all in the overlay.
                _ if overlay.is_none() && self.is_index_replaced() => continue,
                [only] if overlay.is_none() => Some(only.space),
                _ => None,
            };
            let readers = index.searcher.segment_readers().iter();
            let segments = readers.filter_map(|reader| index.segments.get(&reader.segment_id())?.as_ref());
            let term = filter.map(|space| FIELDS.space_term(space));
            if let Some(lists) = &lists {
                let all = index.searcher.segment_readers().iter().map(docs).sum();
                for segment in segments {
                    let wanted = match &term {
                        Some(term) if segment.spaces() != filter.as_slice() => SearchedPages::Term(term),
                        _ => SearchedPages::All,
                    };
                    let Some(pages) = pages_of_lists(&segment.reader, self.cache, lists, &wanted)? else {
                        continue;
                    };
                    let searched = self.searched(segment, *overlay);
                    let mut collector = Collector::new(segment, &searched, &mut ranking);
                    collector.found.reserve(pages.count(), (docs(&segment.reader), all));
                    pages.each(|doc, score| collector.add(doc, score));
                }
                continue;
            }
            let scoring = EnableScoring::enabled_from_statistics_provider(&statistics, &index.searcher);
            let weight = clauses.find(term).weight(scoring)?;
            for segment in segments {
                let searched = self.searched(segment, *overlay);
                let mut collector = Collector::new(segment, &searched, &mut ranking);
                weight.for_each(&segment.reader, &mut |doc, score| collector.add(doc, score))?;
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

    /// Adds the scores of words that follow each other to the best pages.
    fn refine(&self, ranking: &mut Ranking) -> Result<()> {
        let Some(rows) = Rows::of(self.query).filter(|_| ranking.found.len() > 1) else { return Ok(()) };
        let mut window = ranking.best(WINDOW);
        // The pages of a segment follow each other, in the order of their numbers.
        window.sort_unstable();
        let Ranking { found, segments, .. } = ranking;
        let mut added = Vec::new();
        for of_segment in window.chunk_by(|a, b| found.segment(*a) == found.segment(*b)) {
            let docs: Vec<DocId> = of_segment.iter().map(|at| found.doc(*at)).collect();
            let segment = of_segment.first().and_then(|at| segments.get(found.segment(*at)));
            let Some(segment) = segment else { continue };
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

/// Returns the number of pages of a segment, with removed ones.
fn docs(segment: &SegmentReader) -> usize {
    usize::try_from(segment.max_doc()).unwrap_or(usize::MAX)
}
