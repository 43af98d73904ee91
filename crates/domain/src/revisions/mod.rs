//! Revisions: states of a space's content, and what they hold.

mod changes;
mod file;
mod page;
mod presentation;

use serde::{Deserialize, Serialize};

pub use self::changes::{
    ChangedFile, ChangedPage, ChangedReusableContent, CustomFieldValue, CustomFieldValues, Delta,
    FileAttributes, PageAttributes, ReusableContentAttributes, RevisionChange, RevisionChanges,
};
pub use self::file::{Dimensions, File, ReusableContent};
pub use self::page::{
    ComputedPage, DocumentKind, DocumentPage, GroupKind, GroupPage, LinkKind, LinkPage, Page, PageList,
    PageType, PageUrls,
};
pub use self::presentation::{CoverSize, LayoutPreset, LayoutWidth, PageCover, PageLayout, PageLayoutInput};
pub(crate) use self::presentation::{check_cover, check_reference};
use crate::change_requests::ChangeRequest;
use crate::clock::Timestamp;
use crate::features::ToSchema;
use crate::ids::RevisionId;
use crate::object::RevisionTag;

/// A state of a space's content. Revisions never change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// Always `revision`.
    pub object: RevisionTag,
    /// Id of the revision.
    pub id: RevisionId,
    /// How it came to be.
    #[serde(rename = "type")]
    pub revision_type: RevisionType,
    /// The change request that was merged: there exactly when the type is `merge`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub merged_from: Option<Box<ChangeRequest>>,
    /// The revisions that it was made from, the space's own first.
    pub parents: Vec<RevisionId>,
    /// The pages at the top of the tree, each with those below it.
    pub pages: Vec<Page>,
    /// The files.
    pub files: Vec<File>,
    /// The reusable contents.
    pub reusable_contents: Vec<ReusableContent>,
    /// Creation time.
    pub created_at: Timestamp,
    /// The commit that it was synchronised with. Absent without one, and on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub git: Option<GitCommit>,
    /// URLs of the revision.
    pub urls: RevisionUrls,
}

/// A revision that a write has made: what it changed instead of all that it holds, so that the answer grows with the change and not
/// with the space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewRevision {
    /// Always `revision`.
    pub object: RevisionTag,
    /// Id of the revision.
    pub id: RevisionId,
    /// How it came to be.
    #[serde(rename = "type")]
    pub revision_type: RevisionType,
    /// The revisions that it was made from.
    pub parents: Vec<RevisionId>,
    /// What the write changed; empty when it changed nothing, and the revision is the one that was there.
    pub changes: Vec<RevisionChange>,
    /// How many changes are not listed. Absent when all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub more: Option<u64>,
    /// Creation time.
    pub created_at: Timestamp,
    /// URLs of the revision.
    pub urls: RevisionUrls,
}

/// How a revision came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RevisionType {
    /// Content was edited or imported.
    Edits,
    /// A change request was merged.
    Merge,
    /// An earlier state was taken back.
    Rollback,
    /// The space's content was pulled into a change request.
    Update,
    /// Content was computed.
    Computed,
}

impl RevisionType {
    /// Every type.
    pub const ALL: [Self; 5] = [Self::Edits, Self::Merge, Self::Rollback, Self::Update, Self::Computed];

    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Edits => "edits",
            Self::Merge => "merge",
            Self::Rollback => "rollback",
            Self::Update => "update",
            Self::Computed => "computed",
        }
    }
}

/// A commit that content was synchronised with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitCommit {
    /// The commit's object id.
    pub oid: String,
    /// Its message.
    pub message: String,
    /// Whether the service made it.
    pub created_by_service: bool,
    /// The commit, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub url: Option<String>,
    /// The branch or tag.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reference: Option<String>,
}

/// The file in Git that a page, file or reusable content was synchronised with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitBlob {
    /// The blob's object id.
    pub oid: String,
    /// Path of the git blob in the repository.
    pub path: String,
}

/// URLs of a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevisionUrls {
    /// URL of the revision in the app.
    pub app: String,
    /// The published site. Absent while the space is private.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub published: Option<String>,
    /// The published site, when anyone can read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub public: Option<String>,
}
