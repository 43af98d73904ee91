//! Revisions as items of lists.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use super::page::is_false;
use super::{ChangeSummary, GitCommit, RevisionType};
use crate::clock::Timestamp;
use crate::ids::{PageId, RevisionId, UserId};
use crate::list;
use crate::object::RevisionTag;
use crate::users::User;

/// Revision in the history of a space, without its content.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedRevision {
    /// Always `revision`.
    pub object: RevisionTag,
    /// Id of the revision.
    pub id: RevisionId,
    /// Origin of the revision.
    #[serde(rename = "type")]
    pub revision_type: RevisionType,
    /// Parent revisions, the space's own first.
    pub parents: Vec<RevisionId>,
    /// Author of the revision. Absent if the user is gone.
    #[schema(nullable = false)]
    pub author: Option<User>,
    /// Commit of the connected Git repository that the revision was imported from. Absent for other revisions, and
    /// without a role on the space.
    #[schema(nullable = false)]
    pub git: Option<GitCommit>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Numbers of pages, words and blocks that differ from the first parent. Present with `summary=true`.
    #[schema(nullable = false)]
    pub summary: Option<RevisionSummary>,
}

/// Numbers of pages, words and blocks that a revision changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevisionSummary {
    /// Pages that were created.
    pub pages_created: usize,
    /// Pages with other attributes or another document.
    pub pages_edited: usize,
    /// Pages with another parent or position.
    pub pages_moved: usize,
    /// Pages that were deleted.
    pub pages_deleted: usize,
    /// Words and blocks in the documents of these pages.
    #[serde(flatten)]
    pub text: ChangeSummary,
    /// `true` if the words and blocks of some pages were not counted. At most 4 MiB of documents are compared for a
    /// list.
    #[serde(default, skip_serializing_if = "is_false")]
    pub partial: bool,
}

/// Query parameters of a list of revisions, in addition to those of every list.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct RevisionListQuery {
    /// Returns only revisions by this user.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(value_type = String, format = "uuid", required = false)]
    pub author: Option<UserId>,
    /// Returns only revisions of this origin.
    #[serde(rename = "type")]
    #[param(inline, nullable = false)]
    pub revision_type: Option<RevisionType>,
    /// Returns only revisions that created, edited, moved or deleted this page. Searches the last 2,000 revisions that
    /// match the other filters.
    #[serde(rename = "changedPage", deserialize_with = "list::filter_id")]
    #[param(value_type = String, format = "uuid", required = false)]
    pub changed_page: Option<PageId>,
    /// Adds `summary` to each revision: the numbers of pages, words and blocks that differ. `limit` is at most 50 then.
    #[param(default = false)]
    pub summary: bool,
}
