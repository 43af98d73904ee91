//! References to content.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The target of a link, an image, a mention or a content block. An absent `space` means the space of the document.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum ContentRef {
    /// A URL or path, as written.
    Url {
        /// The URL or path.
        url: String,
    },
    /// A file of a space.
    File {
        /// The file's id.
        file: String,
        /// The space it is in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        space: Option<String>,
    },
    /// A page.
    Page {
        /// The page's id.
        page: String,
        /// The space it is in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        space: Option<String>,
    },
    /// A heading of a page.
    Anchor {
        /// The heading's anchor.
        anchor: String,
        /// Id of the page; absent for the page that contains the document.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        page: Option<String>,
        /// The space it is in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        space: Option<String>,
    },
    /// A user.
    User {
        /// The user's id.
        user: String,
    },
    /// A collection.
    Collection {
        /// The collection's id.
        collection: String,
    },
    /// A space.
    Space {
        /// The space's id.
        space: String,
    },
    /// Reusable content.
    ReusableContent {
        /// Id of the reusable content.
        reusable_content: String,
        /// The space it is in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        space: Option<String>,
    },
    /// A stored OpenAPI specification.
    #[serde(rename = "openapi")]
    OpenApi {
        /// Slug of the specification.
        spec: String,
    },
    /// A snippet.
    Snippet {
        /// Id of the snippet.
        snippet: String,
        /// Organization that the snippet belongs to.
        organization: String,
    },
    /// A tag.
    Tag {
        /// Name of the tag.
        tag: String,
        /// The space it is in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        space: Option<String>,
    },
}

impl ContentRef {
    /// Returns a reference to a URL or path.
    #[must_use]
    pub fn url(url: impl Into<String>) -> Self {
        Self::Url { url: url.into() }
    }

    /// Reads a reference from its JSON; `None` if it is invalid.
    #[must_use]
    pub fn from_value(value: &Value) -> Option<Self> {
        Self::deserialize(value).ok()
    }

    /// Returns the reference as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Returns the name of the kind on the wire.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Url { .. } => "url",
            Self::File { .. } => "file",
            Self::Page { .. } => "page",
            Self::Anchor { .. } => "anchor",
            Self::User { .. } => "user",
            Self::Collection { .. } => "collection",
            Self::Space { .. } => "space",
            Self::ReusableContent { .. } => "reusable-content",
            Self::OpenApi { .. } => "openapi",
            Self::Snippet { .. } => "snippet",
            Self::Tag { .. } => "tag",
        }
    }
}
