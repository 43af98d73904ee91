//! Pages that a query finds, and their order.

mod best;
mod cache;
mod found;
mod lists;
mod rows;
mod scores;

use std::collections::HashMap;

use quire_domain::ids::SpaceId;
use tantivy::fastfield::AliveBitSet;
use tantivy::query::{EnableScoring, Query as _};
use tantivy::{DocId, Score};

pub(crate) use self::cache::ScoreCache;
use self::found::Candidate;
pub use self::found::{Hit, Ranking, SpaceHits};
use self::rows::for_each_row;
use self::scores::{SearchedPages, for_each_page};
use crate::Result;
use crate::overlay::{Overlay, Scope};
use crate::query::{Clauses, Leniency, Query, Rows};
use crate::schema::FIELDS;
use crate::segment::{Indexed, Segment};
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
    let mut ranking = Ranking { found: Vec::new(), segments: Vec::new(), spaces: Vec::new() };
    if query.is_empty() || scopes.is_empty() {
        return Ok(ranking);
    }
    let search = Search::new(index, cache, query, scopes);
    for leniency in [Leniency::Exact, Leniency::OneError, Leniency::TwoErrors] {
        ranking = search.run(leniency)?;
        if !ranking.found.is_empty() || query.is_long() {
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
    space_numbers: HashMap<SpaceId, u32>,
}

/// The position of a space among the searched ones, with the overlay that replaces pages of it.
type Searched<'s> = Option<(u32, Option<&'s Overlay>)>;

/// Collects the pages of a segment that are found and searched.
struct Collector<'c> {
    segment: &'c Segment,
    alive: Option<&'c AliveBitSet>,
    searched: &'c [Searched<'c>],
    number: u32,
    found: &'c mut Vec<Candidate>,
}

impl<'c> Collector<'c> {
    fn new(segment: &'c Segment, searched: &'c [Searched<'c>], ranking: &'c mut Ranking) -> Self {
        let number = u32::try_from(ranking.segments.len()).unwrap_or(u32::MAX);
        ranking.segments.push(segment.clone());
        let alive = segment.reader.alive_bitset();
        Self { segment, alive, searched, number, found: &mut ranking.found }
    }

    fn add(&mut self, doc: DocId, score: Score) {
        if self.alive.is_some_and(|alive| !alive.is_alive(doc)) {
            return;
        }
        let searched = match self.searched {
            [only] => *only,
            all => self.segment.space_of(doc).and_then(|space| *all.get(space)?),
        };
        let Some((space, overlay)) = searched else { return };
        if overlay.is_none_or(|overlay| !overlay.replaces(|| self.segment.page(doc))) {
            self.found.push(Candidate { score, doc, segment: self.number, space });
        }
    }
}

impl<'s> Search<'s> {
    fn new(index: &'s Indexed, cache: &'s ScoreCache, query: &'s Query, scopes: &'s [Scope]) -> Self {
        let space_numbers: HashMap<SpaceId, u32> = scopes.iter().map(|scope| scope.space).zip(0..).collect();
        let overlays = scopes
            .iter()
            .zip(0..)
            .filter_map(|(scope, number)| Some((scope.overlay.as_ref()?.index.as_ref()?, Some(number))));
        let indexes = std::iter::once((index, None)).chain(overlays).collect();
        Self { query, scopes, indexes, cache, space_numbers }
    }

    fn run(&self, leniency: Leniency) -> Result<Ranking> {
        let clauses = Clauses::new(self.query, leniency);
        let statistics =
            Statistics { searchers: self.indexes.iter().map(|(index, _)| &index.searcher).collect() };
        let lists = clauses.lists(&statistics)?;
        let mut ranking = Ranking {
            found: Vec::new(),
            segments: Vec::new(),
            spaces: self.scopes.iter().map(|scope| scope.space).collect(),
        };
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
                for segment in segments {
                    let wanted = match &term {
                        Some(term) if segment.spaces() != filter.as_slice() => SearchedPages::Term(term),
                        _ => SearchedPages::All,
                    };
                    let searched = self.searched(segment, *overlay);
                    let mut collector = Collector::new(segment, &searched, &mut ranking);
                    let collect = |doc, score| collector.add(doc, score);
                    for_each_page(&segment.reader, self.cache, lists, &wanted, collect)?;
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

    /// Returns for each space of a segment its position among the searched ones, with the overlay whose pages replace those
    /// of the segment; `None` for a space that isn't searched.
    fn searched(&self, segment: &Segment, overlay: Option<u32>) -> Vec<Searched<'s>> {
        let number = |space: &SpaceId| {
            if overlay.is_some() {
                return overlay.map(|number| (number, None));
            }
            let number = *self.space_numbers.get(space)?;
            let scope = self.scopes.get(usize::try_from(number).ok()?)?;
            Some((number, scope.overlay.as_deref()))
        };
        segment.spaces().iter().map(number).collect()
    }

    /// Adds the scores of words that follow each other to the best pages.
    fn refine(&self, ranking: &mut Ranking) -> Result<()> {
        let Some(rows) = Rows::of(self.query).filter(|_| ranking.found.len() > 1) else { return Ok(()) };
        let mut window = ranking.select(|_| true, WINDOW);
        window.sort_unstable_by_key(|at| ranking.found.get(*at).map(|found| (found.segment, found.doc)));
        let Ranking { found, segments, .. } = ranking;
        let segment_of: Vec<u32> = window.iter().filter_map(|at| Some(found.get(*at)?.segment)).collect();
        let mut rest = window.as_slice();
        for same in segment_of.chunk_by(|a, b| a == b) {
            let Some((of_segment, after)) = rest.split_at_checked(same.len()) else { break };
            rest = after;
            let candidates = of_segment.iter().filter_map(|at| found.get(*at));
            let docs: Vec<DocId> = candidates.map(|candidate| candidate.doc).collect();
            let number = of_segment.first().and_then(|at| found.get(*at)).map(|candidate| candidate.segment);
            let segment = number.and_then(|number| segments.get(usize::try_from(number).ok()?));
            let Some(segment) = segment else { continue };
            for_each_row(&segment.reader, &rows, &docs, |at, score| {
                if let Some(candidate) = of_segment.get(at).and_then(|at| found.get_mut(*at)) {
                    candidate.score += score;
                }
            })?;
        }
        Ok(())
    }
}
