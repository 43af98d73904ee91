//! Merges of segments.

use std::collections::HashSet;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use tantivy::index::SegmentId;
use tantivy::indexer::{LogMergePolicy, MergeCandidate, MergePolicy as _};
use tantivy::schema::Document;
use tantivy::{FutureResult, IndexWriter, SegmentMeta};

use crate::Result;

/// Share of removed pages above which a segment is rewritten without them.
const REMOVED: f32 = 0.2;

/// Merges of a writer, which runs them in its own threads. Dropping the writer cancels them.
///
/// The engine can start merges itself, but does not report whether one is running.
#[derive(Default)]
pub(super) struct Merges(Vec<Merge>);

/// Merge that was running at the last poll.
struct Merge {
    segments: Vec<SegmentId>,
    result: FutureResult<Option<SegmentMeta>>,
}

impl Merges {
    /// Starts the due merges of committed segments that are not being merged.
    ///
    /// # Errors
    /// When the engine can't read its list of segments.
    pub(super) fn start<D: Document>(&mut self, writer: &mut IndexWriter<D>) -> Result<()> {
        self.remove_ended();
        let merging: HashSet<SegmentId> =
            self.0.iter().flat_map(|merge| merge.segments.iter().copied()).collect();
        let mut segments = writer.index().searchable_segment_metas()?;
        segments.retain(|segment| !merging.contains(&segment.id()));
        let mut policy = LogMergePolicy::default();
        policy.set_del_docs_ratio_before_merge(REMOVED);
        for MergeCandidate(segments) in policy.compute_merge_candidates(&segments) {
            let result = writer.merge(&segments);
            self.0.push(Merge { segments, result });
        }
        Ok(())
    }

    /// Returns whether a merge is running.
    pub(super) fn are_running(&mut self) -> bool {
        self.remove_ended();
        !self.0.is_empty()
    }

    /// Removes finished merges. The engine logs failed ones; their segments are merged after a later commit.
    fn remove_ended(&mut self) {
        self.0.retain_mut(Merge::is_running);
    }
}

impl Merge {
    fn is_running(&mut self) -> bool {
        let result = Pin::new(&mut self.result);
        matches!(result.poll(&mut Context::from_waker(Waker::noop())), Poll::Pending)
    }
}

#[cfg(test)]
mod tests {
    use quire_domain::ids::{PageId, SpaceId};
    use uuid::Uuid;

    use crate::index::Index;
    use crate::{Context, Language, Options, Page, Section};

    fn commit(index: &Index, added: &[u128], removed: &[u128]) {
        let space = SpaceId::from_uuid(Uuid::from_u128(1));
        let id = |number: &u128| PageId::from_uuid(Uuid::from_u128(*number));
        let section = Section { anchor: None, heading: None, text: "needle" };
        let page = |number| Page {
            id: id(number),
            title: "Page",
            path: "page",
            context: Context::default(),
            sections: vec![section],
        };
        let pages: Vec<Page<'_>> = added.iter().map(page).collect();
        let mut update = index.update().unwrap();
        update.remove(space, removed.iter().map(id)).unwrap();
        update.add(space, Language::SIMPLE, &pages).unwrap();
        update.commit().unwrap();
    }

    /// Waits for merges, and returns the numbers of segments and of removed pages in them.
    fn rested(index: &Index) -> (usize, u32) {
        while !index.rest() {
            std::thread::yield_now();
        }
        assert!(index.engine().writer.is_none());
        let segments = index.engine().index.searchable_segment_metas().unwrap();
        (segments.len(), segments.iter().map(tantivy::SegmentMeta::num_deleted_docs).sum())
    }

    #[test]
    fn due_merges_end_before_the_writer_is_closed() {
        let index = Index::open(Options::default()).unwrap();
        (0..7).for_each(|number| commit(&index, &[number], &[]));
        assert_eq!(rested(&index), (7, 0));
        commit(&index, &[7], &[]);
        assert_eq!(rested(&index), (1, 0), "eight segments are merged");
        commit(&index, &[], &[3, 4]);
        assert_eq!(rested(&index), (1, 0), "a quarter of the pages was removed");
    }
}
