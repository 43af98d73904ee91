//! Pages that changed since the index was written.

use std::collections::HashSet;
use std::sync::Arc;

use quire_domain::ids::{PageId, SpaceId};
use tantivy::directory::RamDirectory;
use tantivy::{IndexReader, ReloadPolicy, TantivyDocument};

use crate::Result;
use crate::document::document;
use crate::language::Language;
use crate::page::Page;
use crate::schema::builder;
use crate::segment::{Indexed, Segments};

/// Minimum memory in bytes that the engine needs to build an overlay.
const HEAP_BYTES: usize = 64 << 10;

/// Approximate memory of the reader of a small index in bytes.
const READER_BYTES: usize = 32 << 10;

/// Pages of a space that replace indexed ones in searches. An overlay is built in memory, in the calling thread.
pub struct Overlay {
    pub(crate) index: Option<Indexed>,
    replaced: Replaced,
}

enum Replaced {
    All,
    Some(HashSet<PageId>),
}

/// Space to search.
#[derive(Clone)]
pub struct Scope {
    /// The space.
    pub space: SpaceId,
    /// Pages of the space that the index lacks.
    pub overlay: Option<Arc<Overlay>>,
}

impl Overlay {
    /// Builds the overlay for added, removed and changed pages. `replaced` are the indexed pages that searches must not
    /// return.
    pub fn of_changes(
        space: SpaceId,
        language: Language,
        replaced: HashSet<PageId>,
        pages: &[Page<'_>],
    ) -> Result<Self> {
        Ok(Self { index: index(space, language, pages)?, replaced: Replaced::Some(replaced) })
    }

    /// Builds the overlay for all pages of a space that is not indexed, or indexed in another language.
    pub fn of_all(space: SpaceId, language: Language, pages: &[Page<'_>]) -> Result<Self> {
        Ok(Self { index: index(space, language, pages)?, replaced: Replaced::All })
    }

    /// Returns the approximate memory of the overlay in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let usage = self.index.as_ref().and_then(|index| index.searcher.space_usage().ok());
        let index = usage.and_then(|usage| usize::try_from(usage.total().get_bytes()).ok());
        let replaced = match &self.replaced {
            Replaced::All => 0,
            Replaced::Some(pages) => pages.len() * size_of::<PageId>() * 2,
        };
        READER_BYTES + index.unwrap_or(0) + replaced
    }

    /// Returns whether searches must not return an indexed page.
    pub(crate) fn replaces(&self, page: impl FnOnce() -> PageId) -> bool {
        match &self.replaced {
            Replaced::All => true,
            Replaced::Some(pages) => !pages.is_empty() && pages.contains(&page()),
        }
    }

    pub(crate) fn replaces_all(&self) -> bool {
        matches!(self.replaced, Replaced::All)
    }
}

fn index(space: SpaceId, language: Language, pages: &[Page<'_>]) -> Result<Option<Indexed>> {
    if pages.is_empty() {
        return Ok(None);
    }
    // A third of the memory is the hash table of words, which grows when it is full.
    let heap_bytes = HEAP_BYTES.saturating_add(pages.iter().map(Page::text_bytes).sum());
    let mut writer =
        builder().single_segment_index_writer::<TantivyDocument>(RamDirectory::create(), heap_bytes)?;
    for page in pages {
        writer.add_document(document(space, page, language))?;
    }
    let reader: IndexReader =
        writer.finalize()?.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
    Indexed::new(reader.searcher(), &Segments::default()).map(Some)
}
