//! Pages: the tree of a revision.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;

use super::{GitBlob, PageCover, PageLayout, PageTag};
use crate::clock::Timestamp;
use crate::computed::{DocumentSource, RevisionSource};
use crate::described::ContentRef;
use crate::documents::{self, PresentedBody};
use crate::ids::{DocumentId, PageId};
use crate::object::tags;

/// Page with its subpages. Groups occur only at the top of the tree; links and placeholders have no subpages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Page {
    /// Page with a document.
    Document(Box<DocumentPage>),
    /// Group: a heading above pages.
    Group(GroupPage),
    /// Link to another target.
    Link(LinkPage),
    /// Placeholder of computed pages.
    Computed(ComputedPage),
}

/// Type of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PageType {
    /// Page with a document.
    Document,
    /// Group: a heading above pages.
    Group,
    /// Link to another target.
    Link,
    /// Placeholder of computed pages.
    Computed,
}

impl Page {
    /// Returns the type of the page.
    pub const fn page_type(&self) -> PageType {
        match self {
            Self::Document(_) => PageType::Document,
            Self::Group(_) => PageType::Group,
            Self::Link(_) => PageType::Link,
            Self::Computed(_) => PageType::Computed,
        }
    }

    /// Returns the id of the page.
    pub const fn id(&self) -> PageId {
        match self {
            Self::Document(page) => page.id,
            Self::Group(page) => page.id,
            Self::Link(page) => page.id,
            Self::Computed(page) => page.id,
        }
    }

    /// Returns the title of the page.
    pub fn title(&self) -> &str {
        match self {
            Self::Document(page) => &page.title,
            Self::Group(page) => &page.title,
            Self::Link(page) => &page.title,
            Self::Computed(page) => &page.title,
        }
    }

    /// Returns the subpages directly below the page.
    pub fn pages(&self) -> &[Self] {
        match self {
            Self::Document(page) => &page.pages,
            Self::Group(page) => &page.pages,
            Self::Link(_) | Self::Computed(_) => &[],
        }
    }
}

tags! {
    /// Older name of the type `document`.
    DocumentKind = "sheet";
    /// Older name of the type `group`.
    GroupKind = "group";
    /// Older name of the type `link`.
    LinkKind = "link";
}

/// Page with a document.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentPage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Deprecated. Always `sheet`.
    #[serde(default)]
    pub kind: DocumentKind,
    /// Title of the page.
    pub title: String,
    /// Title of the page in navigation. Absent if it is the title.
    pub link_title: Option<String>,
    /// Emoji of the page.
    pub emoji: Option<String>,
    /// Icon name of the page.
    pub icon: Option<String>,
    /// Description of the page.
    pub description: Option<String>,
    /// Slug of the page, the last segment of its path.
    pub slug: String,
    /// Path of the page: the slugs from the top of the tree to the page, joined with `/`.
    pub path: String,
    /// Time of the first edit.
    pub created_at: Option<Timestamp>,
    /// Time of the last edit.
    pub updated_at: Option<Timestamp>,
    /// `true` if the page is hidden from navigation.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// `true` if the page is excluded from search.
    #[serde(default, skip_serializing_if = "is_false")]
    pub no_index: bool,
    /// `true` if external search engines are asked not to index the page.
    #[serde(default, skip_serializing_if = "is_false")]
    pub no_robots_index: bool,
    /// Cover image.
    pub cover: Option<PageCover>,
    /// Visible parts of the page.
    pub layout: PageLayout,
    /// Tags of the page.
    #[serde(default)]
    pub tags: Vec<PageTag>,
    /// URLs of the page.
    pub urls: PageUrls,
    /// File in the synchronized Git repository. Absent if not synchronized, or with `metadata=false`.
    pub git: Option<GitBlob>,
    /// Id of the document. Absent if the document is empty or computed.
    #[schema(value_type = String, required = false)]
    pub document_id: Option<DocumentId>,
    /// Source of the computed document. Absent for a stored document.
    #[schema(value_type = DocumentSource, required = false)]
    pub computed: Option<Value>,
    /// Seed of the ids in the computed document.
    pub computed_seed: Option<String>,
    /// Content. Present in responses with a single page.
    #[serde(flatten, deserialize_with = "documents::optional")]
    #[schema(value_type = documents::Keys)]
    pub body: Option<PresentedBody>,
    /// Subpages in order.
    #[schema(no_recursion)]
    pub pages: Vec<Page>,
}

/// Group: a heading above pages.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupPage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Deprecated. Always `group`.
    #[serde(default)]
    pub kind: GroupKind,
    /// Title of the group.
    pub title: String,
    /// Emoji of the group.
    pub emoji: Option<String>,
    /// Icon name of the group.
    pub icon: Option<String>,
    /// Slug of the group, the first segment of the paths of its pages.
    pub slug: String,
    /// Path of the group. Equal to the slug, because groups are at the top of the tree.
    pub path: String,
    /// Time of the first edit.
    pub created_at: Option<Timestamp>,
    /// Time of the last edit.
    pub updated_at: Option<Timestamp>,
    /// `true` if the page is hidden from navigation.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// `true` if the page is excluded from search.
    #[serde(default, skip_serializing_if = "is_false")]
    pub no_index: bool,
    /// `true` if external search engines are asked not to index the page.
    #[serde(default, skip_serializing_if = "is_false")]
    pub no_robots_index: bool,
    /// Subpages in order.
    #[schema(no_recursion)]
    pub pages: Vec<Page>,
}

/// Link to another target.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkPage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Deprecated. Always `link`.
    #[serde(default)]
    pub kind: LinkKind,
    /// Title of the link.
    pub title: String,
    /// Emoji of the link.
    pub emoji: Option<String>,
    /// Icon name of the link.
    pub icon: Option<String>,
    /// Time of the first edit.
    pub created_at: Option<Timestamp>,
    /// Time of the last edit.
    pub updated_at: Option<Timestamp>,
    /// `true` if the page is hidden from navigation.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// Target of the link.
    #[schema(value_type = ContentRef)]
    pub target: Value,
    /// URL of the target. Absent if the target cannot be resolved.
    pub href: Option<String>,
}

/// Placeholder of computed pages.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComputedPage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Title of the placeholder.
    pub title: String,
    /// Emoji of the placeholder.
    pub emoji: Option<String>,
    /// Icon name of the placeholder.
    pub icon: Option<String>,
    /// Time of the first edit.
    pub created_at: Option<Timestamp>,
    /// Time of the last edit.
    pub updated_at: Option<Timestamp>,
    /// Source of the computed pages.
    #[schema(value_type = RevisionSource)]
    pub computed: Value,
}

/// URLs of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageUrls {
    /// URL of the page in the app.
    pub app: String,
}

/// Pages of a revision. Not a paged list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PageList {
    /// Pages at the top of the tree, each with its subpages.
    pub pages: Vec<Page>,
}

/// Returns whether a flag has its default and is left out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references to skip_serializing_if")]
pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}
