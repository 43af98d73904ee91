//! Changed attributes of a record.

use serde::Serialize;
use serde_json::Value;
use serde_with::skip_serializing_none;

use crate::entry::{Dimensions, FileNode, PageKind, PageNode, ReusableContentNode};
use crate::hash::{BlobHash, DocumentId};

/// A value before and after; `None` if unset.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Delta<T> {
    /// The value before.
    pub before: Option<T>,
    /// The value after.
    pub after: Option<T>,
}

impl<T: Clone + PartialEq> Delta<T> {
    /// Returns the delta of an optional value if it changed.
    fn of_optional(before: Option<&T>, after: Option<&T>) -> Option<Self> {
        (before != after).then(|| Self { before: before.cloned(), after: after.cloned() })
    }

    /// Returns the delta of a value if it changed.
    fn of(before: &T, after: &T) -> Option<Self> {
        Self::of_optional(Some(before), Some(after))
    }
}

/// Defines a struct of optional deltas, all absent by default, with a method `is_empty`.
macro_rules! attributes {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $(
                $(#[$field_meta])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<Delta<$type>>,
            )+
        }

        impl $name {
            /// Returns whether nothing changed.
            pub(crate) fn is_empty(&self) -> bool {
                $(self.$field.is_none())&&+
            }
        }
    };
}

attributes! {
    /// Changed attributes of a page; unchanged ones are absent.
    PageAttributes {
        /// Title.
        title: String,
        /// Title in navigation.
        link_title: String,
        /// Slug.
        slug: String,
        /// Text below the title.
        description: String,
        /// Emoji.
        emoji: String,
        /// Name of the icon.
        icon: String,
        /// Settings of the cover image.
        cover: Value,
        /// Settings of the layout.
        layout: Value,
        /// Document.
        document: DocumentId,
        /// Target of a link.
        target: Value,
        /// Source of a computed page.
        computed: Value,
        /// Hidden from the navigation.
        hidden: bool,
        /// Hidden from search.
        no_index: bool,
        /// Excluded from indexing by search engines.
        no_robots_index: bool,
    }
}

attributes! {
    /// Changed attributes of a file; unchanged ones are absent.
    FileAttributes {
        /// Name.
        name: String,
        /// SHA-256 of the bytes.
        blob: BlobHash,
        /// Size in bytes.
        size: u64,
        /// Media type.
        content_type: String,
        /// Width and height, if the file is an image.
        dimensions: Dimensions,
    }
}

attributes! {
    /// Changed attributes of a reusable content; unchanged ones are absent.
    ReusableContentAttributes {
        /// Title.
        title: String,
        /// Document.
        document: DocumentId,
    }
}

impl PageAttributes {
    pub(crate) fn between(before: &PageNode, after: &PageNode) -> Self {
        Self {
            title: Delta::of(&before.title, &after.title),
            link_title: Delta::of_optional(before.link_title.as_ref(), after.link_title.as_ref()),
            slug: Delta::of(&before.slug, &after.slug),
            description: Delta::of_optional(before.description.as_ref(), after.description.as_ref()),
            emoji: Delta::of_optional(before.emoji.as_ref(), after.emoji.as_ref()),
            icon: Delta::of_optional(before.icon.as_ref(), after.icon.as_ref()),
            cover: Delta::of_optional(before.cover.as_deref(), after.cover.as_deref()),
            layout: Delta::of_optional(before.layout.as_deref(), after.layout.as_deref()),
            document: Delta::of_optional(before.document.as_ref(), after.document.as_ref()),
            target: Delta::of_optional(target(before), target(after)),
            computed: Delta::of_optional(computed(before).as_ref(), computed(after).as_ref()),
            hidden: Delta::of(&before.hidden, &after.hidden),
            no_index: Delta::of(&before.no_index, &after.no_index),
            no_robots_index: Delta::of(&before.no_robots_index, &after.no_robots_index),
        }
    }
}

impl FileAttributes {
    pub(crate) fn between(before: &FileNode, after: &FileNode) -> Self {
        Self {
            name: Delta::of(&before.name, &after.name),
            blob: Delta::of(&before.blob, &after.blob),
            size: Delta::of(&before.size, &after.size),
            content_type: Delta::of(&before.content_type, &after.content_type),
            dimensions: Delta::of_optional(before.dimensions.as_ref(), after.dimensions.as_ref()),
        }
    }
}

impl ReusableContentAttributes {
    pub(crate) fn between(before: &ReusableContentNode, after: &ReusableContentNode) -> Self {
        Self {
            title: Delta::of(&before.title, &after.title),
            document: Delta::of_optional(before.document.as_ref(), after.document.as_ref()),
        }
    }
}

fn target(page: &PageNode) -> Option<&Value> {
    match &page.kind {
        PageKind::Link { target } => Some(target),
        PageKind::Document | PageKind::Group | PageKind::Computed { .. } => None,
    }
}

/// Returns the source and the seed of a computed page as one value.
fn computed(page: &PageNode) -> Option<Value> {
    match &page.kind {
        PageKind::Computed { source, seed } => Some(serde_json::json!({"source": source, "seed": seed})),
        PageKind::Document | PageKind::Group | PageKind::Link { .. } => None,
    }
}
