//! Content writes: atomic lists of changes that create one revision.

mod change;
mod conversion;
mod deleted_pages;
mod metadata;
mod read;
mod rendering;
mod written;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

pub use self::change::{
    ContentChange, DeleteFiles, DeletePage, DeleteReusableContent, InsertComputed, InsertFile, InsertFiles,
    InsertGroup, InsertLink, InsertPage, InsertReusableContent, ReplaceFile, RevertPage, UpdateFile,
    UpdatePage, UpdateReusableContent,
};
pub use self::conversion::{Conversion, ConversionRequest};
pub use self::deleted_pages::DeletedPage;
pub use self::metadata::PageMetadata;
pub use self::rendering::{RenderRequest, RenderedDocument};
pub use self::written::{ContentMerge, MergedDocument, NewRevision, WrittenChangeRequest};
use crate::bounds::CHANGES_MAX;
use crate::ids::RevisionId;
use crate::{patch, text_checks};

/// Request body of a content write. The changes are applied in order and atomically, and create one revision.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
#[validate(schema(function = "merges_from_its_base"))]
pub struct ContentChanges {
    /// 1 to 50 changes.
    #[validate(custom(function = "text_checks::count::<1, CHANGES_MAX, _>"), nested)]
    #[schema(min_items = 1, max_items = 50)]
    pub changes: Vec<ContentChange>,
    /// Revision that the changes are based on. If the content has another current revision, `onStale` says what
    /// happens.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub base: Option<RevisionId>,
    /// Effect of a `base` that is no longer the current revision.
    #[serde(default)]
    pub on_stale: OnStale,
    /// `true` for a save of an editor that may replace the current revision of a change request: an edit by the same
    /// user, begun less than ten minutes ago, that no comment or review refers to. Otherwise, and if a page is
    /// reverted, the request makes a revision of its own. A replaced revision can be read for an hour.
    #[serde(default)]
    pub amend: bool,
}

/// Effect of a content write whose `base` is no longer the current revision.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnStale {
    /// The request fails with `stale-revision`.
    #[default]
    Reject,
    /// The changes are applied to the base, and the result is merged with the changes of others since then: documents
    /// by blocks, everything else by fields. Where both changed the same part, the current content is kept, and the
    /// response has both versions.
    Merge,
}

impl ContentChanges {
    /// Returns changes of the current content, without a base revision.
    #[must_use]
    pub fn of_current(changes: Vec<ContentChange>) -> Self {
        Self { changes, base: None, on_stale: OnStale::Reject, amend: false }
    }

    /// Returns the revision that the changes are merged from.
    #[must_use]
    pub fn merge_base(&self) -> Option<RevisionId> {
        self.base.filter(|_| self.on_stale == OnStale::Merge)
    }
}

fn merges_from_its_base(body: &ContentChanges) -> Result<(), ValidationError> {
    match (body.on_stale, body.base) {
        (OnStale::Merge, None) => Err(text_checks::error(
            "needed",
            "requires `base`, the revision to merge from, if `onStale` is `merge`",
        )),
        _ => Ok(()),
    }
}
