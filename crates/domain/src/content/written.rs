//! Answers to content writes.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;

use crate::change_requests::{ChangeRequest, MergeConflict};
use crate::clock::Timestamp;
use crate::described::Document;
use crate::documents::DocumentJson;
use crate::ids::{PageId, ReusableContentId, RevisionId};
use crate::object::RevisionTag;
use crate::revisions::{RevisionChange, RevisionType, RevisionUrls};

/// Revision that a write created. It lists the changes instead of all content, so that the response grows with the
/// change and not with the space.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewRevision {
    /// Always `revision`.
    pub object: RevisionTag,
    /// Id of the revision.
    pub id: RevisionId,
    /// Origin of the revision.
    #[serde(rename = "type")]
    pub revision_type: RevisionType,
    /// Parent revisions.
    pub parents: Vec<RevisionId>,
    /// Changes of the write. Empty if it changed nothing; the revision is then the previous one.
    pub changes: Vec<RevisionChange>,
    /// Number of changes that are not listed. Absent if all are listed.
    #[schema(nullable = false)]
    pub more: Option<u64>,
    /// Merge of the changes with changes of others since `base`. Absent without changes of others.
    #[schema(nullable = false)]
    pub merge: Option<ContentMerge>,
    /// Creation time.
    pub created_at: Timestamp,
    /// URLs of the revision.
    pub urls: RevisionUrls,
}

/// Change request whose content was written.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WrittenChangeRequest {
    /// Change request after the write.
    #[serde(flatten)]
    pub change_request: ChangeRequest,
    /// Merge of the changes with changes of others since `base`. Absent without changes of others.
    #[schema(nullable = false)]
    pub merge: Option<ContentMerge>,
    /// `true` if the revision replaced the one before. Absent for a request without `amend`.
    #[schema(nullable = false)]
    pub amended: Option<bool>,
}

/// Merge of the changes of a content write with changes of others since its base.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentMerge {
    /// Revision that the request was based on.
    pub base: RevisionId,
    /// Changes of others since the base.
    pub changes: Vec<RevisionChange>,
    /// Number of changes that are not listed. Absent if all are listed.
    #[schema(nullable = false)]
    pub more: Option<u64>,
    /// Pages and reusable contents whose document differs from the one in the request, because others edited it, too.
    pub documents: Vec<MergedDocument>,
    /// Conflicts, each resolved to the current content: `ours` is the version of the request, `theirs` the current
    /// version.
    #[serde(default)]
    pub conflicts: Vec<MergeConflict>,
}

/// Document after a merge.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MergedDocument {
    /// Id of the page. Absent for a reusable content.
    #[schema(value_type = String, format = "uuid", required = false)]
    pub page: Option<PageId>,
    /// Id of the reusable content. Absent for a page.
    #[schema(value_type = String, format = "uuid", required = false)]
    pub reusable_content: Option<ReusableContentId>,
    /// The document. Absent if it is empty.
    #[schema(value_type = Document, required = false)]
    pub document: Option<DocumentJson>,
}
