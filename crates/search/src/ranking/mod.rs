//! Pages that a query finds, and their order.

mod rows;
mod scores;

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use quire_domain::ids::{PageId, SpaceId};
use tantivy::columnar::Column;
use tantivy::query::{EnableScoring, Query as _};
use tantivy::{DocId, Score, Searcher, SegmentReader};
use uuid::Uuid;

use self::rows::for_each_row;
use self::scores::for_each_page;
use crate::Result;
use crate::overlay::Scope;
use crate::query::{Clauses, Leniency, Query, Rows};
use crate::schema::{FIELDS, names};
use crate::statistics::Statistics;

/// Best pages whose words in a row are counted, too.
const WINDOW: usize = 500;
/// Bits of a score that are left off, since sums may differ in them.
const NOISE: u32 = 8;

/// A page that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Quality of the match; better ones come first, and equal ones by their ids.
    pub rank: i64,
    /// Its space.
    pub space: SpaceId,
    /// The page.
    pub page: PageId,
}

/// A space in which pages were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceHits {
    /// The rank of its best page.
    pub rank: i64,
    /// The space.
    pub space: SpaceId,
    /// Its best pages.
    pub pages: Vec<Hit>,
}

/// All pages that a query finds.
pub struct Ranking {
    found: Vec<Candidate>,
    segments: Vec<Segment>,
    spaces: Vec<SpaceId>,
}

#[derive(Clone, Copy)]
struct Candidate {
    score: f32,
    doc: u32,
    segment: u32,
    space: u32,
}

/// Fast fields of a segment.
struct Segment {
    reader: SegmentReader,
    spaces: [Column<u64>; 2],
    pages: [Column<u64>; 2],
}

impl Candidate {
    fn rank(&self) -> i64 {
        // Bits of positive numbers are in their order.
        i64::from(self.score.max(0.0).to_bits() >> NOISE)
    }
}

impl Segment {
    fn open(reader: &SegmentReader) -> tantivy::Result<Option<Self>> {
        let column = |name| reader.fast_fields().column_opt::<u64>(name);
        let [space_high, space_low] = names::SPACE.map(column);
        let [page_high, page_low] = names::PAGE.map(column);
        let columns = (space_high?, space_low?, page_high?, page_low?);
        // A segment that only has the versions of spaces has no pages.
        let (Some(space_high), Some(space_low), Some(page_high), Some(page_low)) = columns else {
            return Ok(None);
        };
        let (spaces, pages) = ([space_high, space_low], [page_high, page_low]);
        Ok(Some(Self { reader: reader.clone(), spaces, pages }))
    }

    fn page(&self, doc: u32) -> PageId {
        PageId::from_uuid(id(&self.pages, doc))
    }

    fn space(&self, doc: u32) -> SpaceId {
        SpaceId::from_uuid(id(&self.spaces, doc))
    }
}

pub(crate) fn id([high, low]: &[Column<u64>; 2], doc: u32) -> Uuid {
    Uuid::from_u64_pair(high.first(doc).unwrap_or(0), low.first(doc).unwrap_or(0))
}

/// Ranks the pages of some spaces.
pub(crate) fn search(index: &Searcher, query: &Query, scopes: &[Scope]) -> Result<Ranking> {
    let mut ranking = Ranking { found: Vec::new(), segments: Vec::new(), spaces: Vec::new() };
    if query.is_empty() || scopes.is_empty() {
        return Ok(ranking);
    }
    let search = Search::new(index, query, scopes);
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
    searchers: Vec<(&'s Searcher, Option<u32>)>,
    places: HashMap<SpaceId, u32>,
}

impl<'s> Search<'s> {
    fn new(index: &'s Searcher, query: &'s Query, scopes: &'s [Scope]) -> Self {
        let places: HashMap<SpaceId, u32> = scopes.iter().map(|scope| scope.space).zip(0..).collect();
        let overlays = scopes
            .iter()
            .zip(0..)
            .filter_map(|(scope, place)| Some((scope.overlay.as_ref()?.searcher.as_ref()?, Some(place))));
        let searchers = std::iter::once((index, None)).chain(overlays).collect();
        Self { query, scopes, searchers, places }
    }

    fn run(&self, leniency: Leniency) -> Result<Ranking> {
        let clauses = Clauses::new(self.query, leniency);
        let statistics =
            Statistics { searchers: self.searchers.iter().map(|(searcher, _)| *searcher).collect() };
        let lists = clauses.lists(&statistics)?;
        let mut ranking = Ranking {
            found: Vec::new(),
            segments: Vec::new(),
            spaces: self.scopes.iter().map(|scope| scope.space).collect(),
        };
        for (searcher, overlay) in &self.searchers {
            let filter = match self.scopes {
                // Its pages are all in the overlay.
                _ if overlay.is_none() && self.is_index_replaced() => continue,
                [only] if overlay.is_none() => Some(FIELDS.space_term(only.space)),
                _ => None,
            };
            let segments = searcher.segment_readers().iter();
            let segments = segments.filter_map(|reader| Segment::open(reader).transpose());
            if let Some(lists) = &lists {
                for segment in segments {
                    self.collect(segment?, *overlay, &mut ranking, |reader, found| {
                        for_each_page(reader, lists, filter.as_ref(), found)
                    })?;
                }
                continue;
            }
            let scoring = EnableScoring::enabled_from_statistics_provider(&statistics, searcher);
            let weight = clauses.find(filter).weight(scoring)?;
            for segment in segments {
                self.collect(segment?, *overlay, &mut ranking, |reader, found| {
                    Ok(weight.for_each(reader, found)?)
                })?;
            }
        }
        self.refine(&mut ranking)?;
        Ok(ranking)
    }

    fn is_index_replaced(&self) -> bool {
        self.scopes.iter().all(|scope| scope.overlay.as_ref().is_some_and(|overlay| overlay.replaces_all()))
    }

    /// Adds the pages of a segment that `each` finds and that are searched.
    fn collect(
        &self,
        segment: Segment,
        overlay: Option<u32>,
        ranking: &mut Ranking,
        each: impl FnOnce(&SegmentReader, &mut dyn FnMut(DocId, Score)) -> Result<()>,
    ) -> Result<()> {
        let number = u32::try_from(ranking.segments.len()).unwrap_or(u32::MAX);
        let alive = segment.reader.alive_bitset();
        let found = &mut ranking.found;
        each(&segment.reader, &mut |doc, score| {
            if alive.is_some_and(|alive| !alive.is_alive(doc)) {
                return;
            }
            let space = overlay.or_else(|| self.place_of(&segment, doc));
            if let Some(space) = space {
                found.push(Candidate { score, doc, segment: number, space });
            }
        })?;
        ranking.segments.push(segment);
        Ok(())
    }

    /// Returns the position of the space of a page in the index; `None` if it isn't searched or an overlay has the page.
    fn place_of(&self, segment: &Segment, doc: u32) -> Option<u32> {
        let place = if self.scopes.len() == 1 { 0 } else { *self.places.get(&segment.space(doc))? };
        let scope = self.scopes.get(usize::try_from(place).ok()?)?;
        let replaced = scope.overlay.as_ref().is_some_and(|overlay| overlay.replaces(|| segment.page(doc)));
        (!replaced).then_some(place)
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
            let places = of_segment.iter().filter_map(|at| found.get(*at));
            let docs: Vec<DocId> = places.map(|candidate| candidate.doc).collect();
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

impl Ranking {
    /// Returns how many pages were found.
    #[must_use]
    pub fn pages_count(&self) -> usize {
        self.found.len()
    }

    /// Returns the best pages after one, which need not exist.
    #[must_use]
    pub fn pages(&self, after: Option<(i64, PageId)>, limit: usize) -> Vec<Hit> {
        let follows = |candidate: &Candidate| {
            after.is_none_or(|(rank, page)| match candidate.rank().cmp(&rank) {
                Ordering::Less => true,
                Ordering::Equal => self.page(candidate) > page,
                Ordering::Greater => false,
            })
        };
        let places = self.select(follows, limit);
        places.into_iter().filter_map(|place| self.found.get(place)).map(|found| self.hit(found)).collect()
    }

    /// Returns how many spaces have pages that were found.
    #[must_use]
    pub fn spaces_count(&self) -> usize {
        self.best_of_spaces().len()
    }

    /// Returns the spaces with the best pages after one, each with its best pages.
    #[must_use]
    pub fn spaces(&self, after: Option<(i64, SpaceId)>, limit: usize, pages: usize) -> Vec<SpaceHits> {
        let mut spaces: Vec<(i64, SpaceId, u32)> = self
            .best_of_spaces()
            .into_iter()
            .filter_map(|(place, rank)| Some((rank, *self.spaces.get(usize::try_from(place).ok()?)?, place)))
            .filter(|(rank, space, _)| {
                after.is_none_or(|(after, last)| *rank < after || (*rank == after && *space > last))
            })
            .collect();
        spaces.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        spaces.truncate(limit);
        let of = |(rank, space, place): (i64, SpaceId, u32)| {
            let best = self.select(|candidate| candidate.space == place, pages);
            let pages = best.into_iter().filter_map(|at| self.found.get(at)).map(|found| self.hit(found));
            SpaceHits { rank, space, pages: pages.collect() }
        };
        spaces.into_iter().map(of).collect()
    }

    fn best_of_spaces(&self) -> HashMap<u32, i64> {
        let mut best: HashMap<u32, i64> = HashMap::new();
        for candidate in &self.found {
            let rank = best.entry(candidate.space).or_insert(i64::MIN);
            *rank = candidate.rank().max(*rank);
        }
        best
    }

    /// Returns the places of the best candidates, best first.
    fn select(&self, wanted: impl Fn(&Candidate) -> bool, limit: usize) -> Vec<usize> {
        let places = self.found.iter().enumerate().filter(|(_, candidate)| wanted(candidate));
        let mut best: Vec<(Reverse<i64>, usize)> =
            places.map(|(place, candidate)| (Reverse(candidate.rank()), place)).collect();
        if let Some((_, (last, _), _)) = (limit < best.len()).then(|| best.select_nth_unstable(limit)) {
            // Ids decide between equal ranks. They are read of the candidates that they may decide about.
            let last = *last;
            best.retain(|(rank, _)| *rank <= last);
        }
        let id = |place: usize| self.found.get(place).map(|candidate| self.page(candidate));
        let mut best: Vec<_> = best.into_iter().map(|(rank, place)| (rank, id(place), place)).collect();
        best.sort_unstable();
        best.truncate(limit);
        best.into_iter().map(|(.., place)| place).collect()
    }

    fn segment(&self, candidate: &Candidate) -> Option<&Segment> {
        self.segments.get(usize::try_from(candidate.segment).ok()?)
    }

    fn page(&self, candidate: &Candidate) -> PageId {
        let page = self.segment(candidate).map(|segment| segment.page(candidate.doc));
        page.unwrap_or_else(|| PageId::from_uuid(Uuid::nil()))
    }

    fn hit(&self, candidate: &Candidate) -> Hit {
        let space = usize::try_from(candidate.space).ok().and_then(|place| self.spaces.get(place));
        let space = space.copied().unwrap_or_else(|| SpaceId::from_uuid(Uuid::nil()));
        Hit { rank: candidate.rank(), space, page: self.page(candidate) }
    }
}
