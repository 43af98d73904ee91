//! Pages: the tree of a revision.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{GitBlob, PageCover, PageLayout};
use crate::clock::Timestamp;
use crate::computed::{DocumentSource, RevisionSource};
use crate::described::ContentRef;
use crate::documents::{self, PageBody};
use crate::features::ToSchema;
use crate::ids::{DocumentId, PageId};
use crate::object::tags;

/// A page with the pages below it. Groups stand at the top of the tree only; links and computed pages have nothing
/// below them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Page {
    /// A page with a document.
    Document(Box<DocumentPage>),
    /// A heading above pages.
    Group(GroupPage),
    /// A link to somewhere else.
    Link(LinkPage),
    /// A place-holder for pages that are computed.
    Computed(ComputedPage),
}

/// The kind of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PageType {
    /// A page with a document.
    Document,
    /// A heading above pages.
    Group,
    /// A link to somewhere else.
    Link,
    /// A place-holder for pages that are computed.
    Computed,
}

impl Page {
    /// The kind of the page.
    pub const fn page_type(&self) -> PageType {
        match self {
            Self::Document(_) => PageType::Document,
            Self::Group(_) => PageType::Group,
            Self::Link(_) => PageType::Link,
            Self::Computed(_) => PageType::Computed,
        }
    }

    /// Id of the page.
    pub const fn id(&self) -> PageId {
        match self {
            Self::Document(page) => page.id,
            Self::Group(page) => page.id,
            Self::Link(page) => page.id,
            Self::Computed(page) => page.id,
        }
    }

    /// The page's title.
    pub fn title(&self) -> &str {
        match self {
            Self::Document(page) => &page.title,
            Self::Group(page) => &page.title,
            Self::Link(page) => &page.title,
            Self::Computed(page) => &page.title,
        }
    }

    /// The pages directly below it.
    pub fn pages(&self) -> &[Self] {
        match self {
            Self::Document(page) => &page.pages,
            Self::Group(page) => &page.pages,
            Self::Link(_) | Self::Computed(_) => &[],
        }
    }
}

tags! {
    /// An older name of the type `document`.
    DocumentKind = "sheet";
    /// An older name of the type `group`.
    GroupKind = "group";
    /// An older name of the type `link`.
    LinkKind = "link";
}

/// A page with a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentPage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Deprecated: always `sheet`.
    #[serde(default)]
    pub kind: DocumentKind,
    /// Title of the page.
    pub title: String,
    /// Emoji of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub emoji: Option<String>,
    /// Icon name of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub icon: Option<String>,
    /// Description of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Name of the page in its parent's path.
    pub slug: String,
    /// The slugs from the top down to it, joined by `/`.
    pub path: String,
    /// Time of the first edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub created_at: Option<Timestamp>,
    /// Time of the last edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
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
    /// The picture at its top.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub cover: Option<PageCover>,
    /// Which parts of it are shown.
    pub layout: PageLayout,
    /// URLs of the page.
    pub urls: PageUrls,
    /// File in the synchronized Git repository. Absent if not synchronized, or with `metadata=false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub git: Option<GitBlob>,
    /// Document of the page. Absent while it is empty or when it is computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, nullable = false, required = false)]
    pub document_id: Option<DocumentId>,
    /// What its document is computed from. Absent when it is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = DocumentSource, nullable = false, required = false)]
    pub computed: Option<Value>,
    /// What the ids of its computed document depend on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub computed_seed: Option<String>,
    /// Content, of a page that is read by itself.
    #[serde(flatten, deserialize_with = "documents::optional", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = documents::Keys)]
    pub body: Option<PageBody>,
    /// The pages below it.
    #[schema(no_recursion)]
    pub pages: Vec<Page>,
}

/// A heading above pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupPage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Deprecated: always `group`.
    #[serde(default)]
    pub kind: GroupKind,
    /// Title of the group.
    pub title: String,
    /// Emoji of the group.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub emoji: Option<String>,
    /// Icon name of the group.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub icon: Option<String>,
    /// Name of the group in the path of the pages below it.
    pub slug: String,
    /// The same: groups stand at the top.
    pub path: String,
    /// Time of the first edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub created_at: Option<Timestamp>,
    /// Time of the last edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
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
    /// The pages below it.
    #[schema(no_recursion)]
    pub pages: Vec<Page>,
}

/// A link to somewhere else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkPage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Deprecated: always `link`.
    #[serde(default)]
    pub kind: LinkKind,
    /// Title of the link.
    pub title: String,
    /// Emoji of the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub emoji: Option<String>,
    /// Icon name of the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub icon: Option<String>,
    /// Time of the first edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub created_at: Option<Timestamp>,
    /// Time of the last edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub updated_at: Option<Timestamp>,
    /// `true` if the page is hidden from navigation.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// A content reference to where it leads.
    #[schema(value_type = ContentRef)]
    pub target: Value,
    /// The URL of where it leads. Absent when that can't be found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub href: Option<String>,
}

/// A place-holder for pages that are computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComputedPage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Title of the placeholder.
    pub title: String,
    /// Emoji of the placeholder.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub emoji: Option<String>,
    /// Icon name of the placeholder.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub icon: Option<String>,
    /// Time of the first edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub created_at: Option<Timestamp>,
    /// Time of the last edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub updated_at: Option<Timestamp>,
    /// What the pages are computed from.
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

/// The pages of a revision: the answer of the `pages` endpoints, which is no list to walk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PageList {
    /// The pages at the top of the tree, each with those below it.
    pub pages: Vec<Page>,
}

/// For flags whose default is left out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references to skip_serializing_if")]
fn is_false(flag: &bool) -> bool {
    !flag
}
