//! Segments of an index with the spaces of their pages.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use quire_domain::ids::{PageId, SpaceId};
use tantivy::columnar::Column;
use tantivy::error::DataCorruption;
use tantivy::index::SegmentId;
use tantivy::schema::document::{DeserializeError, DocumentDeserialize, DocumentDeserializer};
use tantivy::store::StoreReader;
use tantivy::{DocId, Searcher, SegmentReader, TantivyError};
use uuid::Uuid;

use crate::Result;
use crate::page_text::PageText;
use crate::schema::names;

/// Searcher with the data that is read once per segment.
#[derive(Clone)]
pub(crate) struct Indexed {
    pub(crate) searcher: Searcher,
    pub(crate) segments: Segments,
}

impl Indexed {
    /// Reads the segments of a searcher. Known segments are not read again.
    pub(crate) fn new(searcher: Searcher, known: &Segments) -> Result<Self> {
        let segments = segments_of(&searcher, known)?;
        Ok(Self { searcher, segments })
    }
}

/// Segment with pages.
#[derive(Clone)]
pub(crate) struct Segment {
    pub(crate) reader: SegmentReader,
    pages: [Column<u64>; 2],
    spaces: Arc<Spaces>,
    /// Position of each page in the order of page ids; equal ids are in the order of page numbers.
    order: Arc<[u32]>,
    store: Arc<StoreReader>,
}

/// Stored field of a page.
struct Stored(String);

impl DocumentDeserialize for Stored {
    fn deserialize<'de, D: DocumentDeserializer<'de>>(
        mut deserializer: D,
    ) -> std::result::Result<Self, DeserializeError> {
        let field = deserializer.next_field::<String>()?;
        Ok(Self(field.map(|(_, record)| record).unwrap_or_default()))
    }
}

/// Spaces of the pages of a segment.
#[derive(Default)]
struct Spaces {
    ids: Vec<SpaceId>,
    /// Index in `ids` of each page's space.
    of_pages: Vec<u32>,
    /// Runs of consecutive pages of the same space.
    runs: Vec<SpaceRun>,
}

/// Run of pages with consecutive numbers and the same space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SpaceRun {
    /// Index of the space in [`Segment::spaces`].
    pub(crate) space: usize,
    /// Page numbers.
    pub(crate) pages: Range<usize>,
}

/// Segments by id, which the next snapshot reuses.
pub(crate) type Segments = Arc<HashMap<SegmentId, Option<Segment>>>;

/// Returns the segments of a searcher. Known segments are not read again.
fn segments_of(searcher: &Searcher, known: &Segments) -> tantivy::Result<Segments> {
    let open = |reader: &SegmentReader| {
        let id = reader.segment_id();
        let segment = match known.get(&id) {
            Some(known) => known.as_ref().map(|known| Segment { reader: reader.clone(), ..known.clone() }),
            None => Segment::open(reader)?,
        };
        Ok((id, segment))
    };
    Ok(Arc::new(searcher.segment_readers().iter().map(open).collect::<tantivy::Result<_>>()?))
}

impl Segment {
    /// Opens a segment; `None` if it only contains versions of spaces.
    fn open(reader: &SegmentReader) -> tantivy::Result<Option<Self>> {
        let column = |name| reader.fast_fields().column_opt::<u64>(name);
        let [space_high, space_low] = names::SPACE.map(column);
        let [page_high, page_low] = names::PAGE.map(column);
        let columns = (space_high?, space_low?, page_high?, page_low?);
        let (Some(space_high), Some(space_low), Some(page_high), Some(page_low)) = columns else {
            return Ok(None);
        };
        let spaces = Arc::new(Spaces::read(reader.max_doc(), &[space_high, space_low]));
        let pages = [page_high, page_low];
        let order = order_of(reader.max_doc(), &pages);
        // No block cache: each page is a block of its own, and the operating system caches files.
        let store = Arc::new(reader.get_store_reader(0)?);
        Ok(Some(Self { reader: reader.clone(), pages, spaces, order, store }))
    }

    /// Reads the text of a page.
    pub(crate) fn text(&self, doc: DocId) -> Result<PageText> {
        let Stored(record) = self.store.get(doc)?;
        let damaged = || TantivyError::from(DataCorruption::comment_only("a page's text"));
        Ok(PageText::read(record).ok_or_else(damaged)?)
    }

    pub(crate) fn page(&self, doc: DocId) -> PageId {
        PageId::from_uuid(id(&self.pages, doc))
    }

    /// Returns the position of a page in the order of page ids, so that pages can be compared without reading ids.
    pub(crate) fn position(&self, doc: DocId) -> u32 {
        usize::try_from(doc).ok().and_then(|doc| self.order.get(doc)).copied().unwrap_or(u32::MAX)
    }

    /// Returns the spaces that have pages in the segment.
    pub(crate) fn spaces(&self) -> &[SpaceId] {
        &self.spaces.ids
    }

    /// Returns the runs of pages of the same space, in the order of page numbers.
    pub(crate) fn space_runs(&self) -> &[SpaceRun] {
        &self.spaces.runs
    }

    /// Returns the pages of a space that were not removed.
    pub(crate) fn pages_of(&self, space: SpaceId) -> impl Iterator<Item = PageId> + '_ {
        let runs = self.space_runs().iter().filter(move |run| self.spaces().get(run.space) == Some(&space));
        let docs = runs.flat_map(|run| run.pages.clone()).filter_map(|doc| DocId::try_from(doc).ok());
        let is_alive = |doc: &DocId| self.reader.alive_bitset().is_none_or(|alive| alive.is_alive(*doc));
        // The document that records the version of the space has no page id.
        let [high, low] = &self.pages;
        let page = |doc| Some(Uuid::from_u64_pair(high.first(doc)?, low.first(doc)?));
        docs.filter(is_alive).filter_map(move |doc| page(doc).map(PageId::from_uuid))
    }

    /// Returns the index in [`Self::spaces`] of a page's space.
    pub(crate) fn space_of(&self, doc: DocId) -> Option<usize> {
        usize::try_from(*self.spaces.of_pages.get(usize::try_from(doc).ok()?)?).ok()
    }
}

impl Spaces {
    fn read(max_doc: DocId, columns: &[Column<u64>; 2]) -> Self {
        let mut spaces = Self::default();
        let mut numbers: HashMap<SpaceId, u32> = HashMap::new();
        let mut last: Option<(SpaceId, u32)> = None;
        spaces.of_pages.reserve_exact(usize::try_from(max_doc).unwrap_or(0));
        for doc in 0..max_doc {
            let space = SpaceId::from_uuid(id(columns, doc));
            // Adjacent pages often have the same space.
            let number = match last {
                Some((last, number)) if last == space => number,
                _ => *numbers.entry(space).or_insert_with(|| {
                    spaces.ids.push(space);
                    u32::try_from(spaces.ids.len() - 1).unwrap_or(u32::MAX)
                }),
            };
            last = Some((space, number));
            spaces.of_pages.push(number);
        }
        let mut end = 0;
        let runs = spaces.of_pages.chunk_by(|a, b| a == b).filter_map(|run| {
            let start = end;
            end += run.len();
            Some(SpaceRun { space: usize::try_from(*run.first()?).ok()?, pages: start..end })
        });
        spaces.runs = runs.collect();
        spaces
    }
}

/// Returns the position of each page in the order of page ids.
fn order_of(max_doc: DocId, pages: &[Column<u64>; 2]) -> Arc<[u32]> {
    let mut ids: Vec<(Uuid, DocId)> = (0..max_doc).map(|doc| (id(pages, doc), doc)).collect();
    ids.sort_unstable();
    let mut order = vec![0; ids.len()];
    for ((_, doc), position) in ids.into_iter().zip(0..) {
        if let Some(of_doc) = usize::try_from(doc).ok().and_then(|doc| order.get_mut(doc)) {
            *of_doc = position;
        }
    }
    order.into()
}

pub(crate) fn id([high, low]: &[Column<u64>; 2], doc: DocId) -> Uuid {
    Uuid::from_u64_pair(high.first(doc).unwrap_or(0), low.first(doc).unwrap_or(0))
}
