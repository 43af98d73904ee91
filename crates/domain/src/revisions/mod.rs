//! Revisions: immutable states of a space's content.

mod changes;
mod difference;
mod file;
mod listed;
mod page;
mod presentation;
mod tags;

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;

pub use self::changes::{
    ChangedFile, ChangedPage, ChangedReusableContent, CustomFieldValue, CustomFieldValues, Delta,
    FileAttributes, PageAttributes, ReusableContentAttributes, RevisionChange, RevisionChanges,
};
pub use self::difference::{
    AttributeDifference, BlockChange, BlockDifference, ChangeSummary, DifferenceArrangement,
    DifferenceFormat, DifferenceQuery, PageDifference, TextChange, TextDifference,
};
pub use self::file::{Dimensions, File, ReusableContent};
pub use self::listed::{ListedRevision, RevisionListQuery, RevisionSummary};
pub use self::page::{
    ComputedPage, DocumentKind, DocumentPage, GroupKind, GroupPage, LinkKind, LinkPage, Page, PageList,
    PageType, PageUrls,
};
pub use self::presentation::{
    CoverMask, CoverSize, LayoutPreset, LayoutWidth, PageCover, PageLayout, PageLayoutInput,
};
pub(crate) use self::presentation::{check_cover, check_reference};
pub use self::tags::{PageTag, TagColor, TagDefinition};
use crate::change_requests::ChangeRequest;
use crate::clock::Timestamp;
use crate::ids::RevisionId;
use crate::object::RevisionTag;

/// Revision: an immutable state of a space's content.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// Always `revision`.
    pub object: RevisionTag,
    /// Id of the revision.
    pub id: RevisionId,
    /// Origin of the revision.
    #[serde(rename = "type")]
    pub revision_type: RevisionType,
    /// Change request that was merged. Present exactly for the type `merge`.
    pub merged_from: Option<Box<ChangeRequest>>,
    /// Parent revisions, the space's own first.
    pub parents: Vec<RevisionId>,
    /// Pages at the top of the tree, each with its subpages.
    pub pages: Vec<Page>,
    /// Files of the revision.
    pub files: Vec<File>,
    /// Reusable contents of the revision.
    pub reusable_contents: Vec<ReusableContent>,
    /// Tags that the updates in the pages and reusable contents name, ordered by slug.
    pub tags: Vec<TagDefinition>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Commit of the connected Git repository that the revision was imported from. Absent for other revisions, with
    /// `metadata=false`, and without a role on the space.
    pub git: Option<GitCommit>,
    /// URLs of the revision.
    pub urls: RevisionUrls,
}

/// Origin of a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RevisionType {
    /// An edit or import.
    Edits,
    /// A merge of a change request.
    Merge,
    /// A rollback to an earlier state.
    Rollback,
    /// An update of a change request from its space.
    Update,
    /// Computed content.
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

/// Commit that content was synchronized with.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitCommit {
    /// Object id of the commit.
    pub oid: String,
    /// First line of the commit message, cut after 200 characters.
    pub message: String,
    /// `true` if this service created the commit.
    pub created_by_service: bool,
    /// Web URL of the commit.
    pub url: Option<String>,
    /// Branch or tag.
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    /// Name of the author of the commit. Absent if the author is a user, who is then the author of the revision.
    pub author: Option<String>,
    /// Commits since the last import, newest first, at most 100. Only the last one if the others are unknown. Absent in
    /// lists of revisions.
    pub commits: Option<Vec<ImportedCommit>>,
}

/// Commit that an import added to the content.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedCommit {
    /// Object id of the commit.
    pub oid: String,
    /// First line of the commit message, cut after 200 characters.
    pub subject: String,
    /// Name of the author, as in the commit.
    pub author: String,
    /// Time of the commit. Absent if the commit has an invalid one.
    pub created_at: Option<Timestamp>,
    /// Web URL of the commit. Absent if the form of such URLs is not known for the host.
    pub url: Option<String>,
}

/// File in Git that a page, file or reusable content was synchronized with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitBlob {
    /// Object id of the blob.
    pub oid: String,
    /// Path in the repository.
    pub path: String,
}

/// URLs of a revision.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevisionUrls {
    /// URL of the revision in the app.
    pub app: String,
    /// URL of the published site. Absent while the space is private.
    pub published: Option<String>,
    /// URL of the published site, if it is public.
    pub public: Option<String>,
}
