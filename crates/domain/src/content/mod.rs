//! Content writes: atomic lists of changes that create one revision.

mod change;
mod metadata;
mod read;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

pub use self::change::{
    ContentChange, DeleteFiles, DeletePage, DeleteReusableContent, InsertComputed, InsertFile, InsertFiles,
    InsertGroup, InsertLink, InsertPage, InsertReusableContent, RevertPage, UpdateFile, UpdatePage,
    UpdateReusableContent,
};
pub use self::metadata::PageMetadata;
use crate::bounds::CHANGES_MAX;
use crate::features::{ToSchema, Validate};
use crate::ids::RevisionId;
use crate::{patch, text_checks};

/// Request body of a content write. The changes are applied in order and atomically, and create one revision.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentChanges {
    /// 1 to 50 changes.
    #[validate(custom(function = "text_checks::count::<1, CHANGES_MAX, _>"), nested)]
    #[schema(min_items = 1, max_items = 50)]
    pub changes: Vec<ContentChange>,
    /// Revision that the changes are based on. If the content has another current revision, the request fails with
    /// `stale-revision`.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub base: Option<RevisionId>,
}
