//! Targets of references, parsed once when they are indexed.

use std::sync::Arc;

use quire_domain::ids::{CollectionId, SpaceId, UserId};
use quire_revision::{EntryId, FileId, PageId, ReusableContentId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Holder of links. Lists have its order: pages before reusable contents, newest first within each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holder {
    /// Page: its document, its cover, or its record as a link in the table of contents.
    Page(std::cmp::Reverse<PageId>),
    /// Reusable content: its document.
    ReusableContent(std::cmp::Reverse<ReusableContentId>),
}

impl Holder {
    /// Returns the page with this id.
    #[must_use]
    pub fn page(id: PageId) -> Self {
        Self::Page(std::cmp::Reverse(id))
    }

    /// Returns the reusable content with this id.
    #[must_use]
    pub fn reusable_content(id: ReusableContentId) -> Self {
        Self::ReusableContent(std::cmp::Reverse(id))
    }

    /// Returns the holder's record.
    #[must_use]
    pub fn entry(self) -> EntryId {
        match self {
            Self::Page(id) => EntryId::Page(id.0),
            Self::ReusableContent(id) => EntryId::ReusableContent(id.0),
        }
    }
}

/// Target of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// URL.
    Url(String),
    /// Page, file or reusable content of the same space.
    Content(EntryId),
    /// Heading in the document of a page or reusable content of the same space.
    Anchor(EntryId, String),
    /// Row of another table.
    Elsewhere(Elsewhere),
    /// Invalid reference, which cannot have a target.
    Nothing,
}

/// Target outside of the space's content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Elsewhere {
    /// Another space, or a part of it.
    Space(SpaceId),
    /// Collection.
    Collection(CollectionId),
    /// User.
    User(UserId),
    /// OpenAPI specification of the organization, by the slug or id in the reference.
    Specification(Arc<str>),
}

impl LinkTarget {
    /// Returns the target of a reference in `holder`, in this space.
    pub(super) fn of(reference: &Value, space: SpaceId, holder: Holder) -> Self {
        Self::find(reference, space, holder).unwrap_or(Self::Nothing)
    }

    fn find(reference: &Value, space: SpaceId, holder: Holder) -> Option<Self> {
        let text = |key: &str| reference.get(key).and_then(Value::as_str);
        let external = match text("space").filter(|_| text("kind") != Some("space")) {
            None => None,
            Some(other) => Some(other.parse::<SpaceId>().ok()?).filter(|other| *other != space),
        };
        if let Some(other) = external {
            return Some(Self::Elsewhere(Elsewhere::Space(other)));
        }
        Some(match text("kind")? {
            "url" => Self::Url(text("url")?.to_owned()),
            "page" => Self::Content(EntryId::Page(text("page")?.parse().ok()?)),
            "anchor" => {
                let within = match text("page") {
                    Some(page) => EntryId::Page(page.parse().ok()?),
                    None => holder.entry(),
                };
                Self::Anchor(within, text("anchor")?.to_owned())
            }
            "file" => Self::Content(EntryId::File(text("file")?.parse::<FileId>().ok()?)),
            "reusable-content" => {
                Self::Content(EntryId::ReusableContent(text("reusableContent")?.parse().ok()?))
            }
            "space" => Self::Elsewhere(Elsewhere::Space(text("space")?.parse().ok()?)),
            "collection" => Self::Elsewhere(Elsewhere::Collection(text("collection")?.parse().ok()?)),
            "user" => Self::Elsewhere(Elsewhere::User(text("user")?.parse().ok()?)),
            "openapi" => Self::Elsewhere(Elsewhere::Specification(text("spec")?.into())),
            _ => return None,
        })
    }
}
