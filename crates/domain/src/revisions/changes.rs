//! What changed between a revision and its parent, as people would say it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Dimensions, PageCover, PageLayout, PageType};
use crate::change_requests::ChangeRequest;
use crate::custom_fields::FieldValue;
use crate::features::ToSchema;
use crate::ids::{DocumentId, FileId, PageId, ReusableContentId};

/// The changes of a revision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevisionChanges {
    /// The change request that was merged; merge revisions only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub merged_from: Option<Box<ChangeRequest>>,
    /// The changes: pages in the order of their tree, then files, then reusable contents.
    pub changes: Vec<RevisionChange>,
    /// How many changes the limit left out; left out itself when it is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub more: Option<u64>,
}

/// One change. A page that was moved and edited has two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RevisionChange {
    /// A page came.
    PageCreated {
        /// The page.
        page: ChangedPage,
    },
    /// A page changed.
    PageEdited {
        /// The page as it is now.
        page: ChangedPage,
        /// What of it changed.
        attributes: Box<PageAttributes>,
    },
    /// A page went.
    PageDeleted {
        /// The page as it was.
        page: ChangedPage,
    },
    /// A page went below another, or to another place below the same.
    PageMoved {
        /// The page as it is now.
        page: ChangedPage,
        /// The page above it, before and after; absent at the top.
        parent: Delta<ChangedPage>,
    },
    /// A file came.
    FileCreated {
        /// The file.
        file: ChangedFile,
    },
    /// A file changed.
    FileEdited {
        /// The file as it is now.
        file: ChangedFile,
        /// What of it changed.
        attributes: Box<FileAttributes>,
    },
    /// A file went.
    FileDeleted {
        /// The file as it was.
        file: ChangedFile,
    },
    /// Values of custom fields changed.
    CustomFieldsEdited {
        /// The values, before and after.
        #[serde(rename = "customFields")]
        custom_fields: Delta<CustomFieldValues>,
    },
    /// A reusable content came.
    ReusableContentCreated {
        /// The reusable content.
        #[serde(rename = "reusableContent")]
        reusable_content: ChangedReusableContent,
    },
    /// A reusable content changed.
    ReusableContentEdited {
        /// The reusable content as it is now.
        #[serde(rename = "reusableContent")]
        reusable_content: ChangedReusableContent,
        /// What of it changed.
        attributes: ReusableContentAttributes,
    },
    /// A reusable content went.
    ReusableContentDeleted {
        /// The reusable content as it was.
        #[serde(rename = "reusableContent")]
        reusable_content: ChangedReusableContent,
    },
}

/// A value before and after a change. The side that has none is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Delta<T> {
    /// The value before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<T>,
    /// The value after.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<T>,
}

/// The page of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangedPage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// The kind of the page.
    #[serde(rename = "type")]
    pub page_type: PageType,
    /// Title of the page.
    pub title: String,
    /// Path of the page; links and computed pages have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<String>,
}

/// The file of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedFile {
    /// Id of the file.
    #[schema(value_type = String, format = "uuid")]
    pub id: FileId,
    /// Name of the file.
    pub name: String,
    /// Media type of the file.
    pub content_type: String,
    /// URL of the bytes of the file.
    #[serde(rename = "downloadURL")]
    pub download_url: String,
}

/// The reusable content of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangedReusableContent {
    /// Id of the reusable content.
    #[schema(value_type = String, format = "uuid")]
    pub id: ReusableContentId,
    /// Title of the reusable content.
    pub title: String,
    /// Document of the reusable content. Absent while it is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, nullable = false, required = false)]
    pub document: Option<DocumentId>,
}

/// What of a page changed; the keys of what did not are left out.
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PageAttributes {
    /// Title of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub title: Option<Delta<String>>,
    /// Description of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub description: Option<Delta<String>>,
    /// Slug of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub slug: Option<Delta<String>>,
    /// Document of the page, by id.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Delta<String>, nullable = false, required = false)]
    pub document: Option<Delta<DocumentId>>,
    /// Cover of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub cover: Option<Delta<PageCover>>,
    /// Emoji of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub emoji: Option<Delta<String>>,
    /// Icon of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub icon: Option<Delta<String>>,
    /// Layout of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub layout: Option<Delta<PageLayout>>,
    /// Where a link leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub target: Option<Delta<Value>>,
    /// `true` if the page is hidden from navigation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hidden: Option<Delta<bool>>,
    /// `true` if the page is excluded from search.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub no_index: Option<Delta<bool>>,
    /// `true` if external search engines are asked not to index the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub no_robots_index: Option<Delta<bool>>,
}

/// What of a file changed; the keys of what did not are left out.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FileAttributes {
    /// Name of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<Delta<String>>,
    /// URL of the bytes of the file.
    #[serde(rename = "downloadURL", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub download_url: Option<Delta<String>>,
    /// Size of the file in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub size: Option<Delta<u64>>,
    /// Media type of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub content_type: Option<Delta<String>>,
    /// How large the picture is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub dimensions: Option<Delta<Dimensions>>,
}

/// What of a reusable content changed; the keys of what did not are left out.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ReusableContentAttributes {
    /// Title of the reusable content.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub title: Option<Delta<String>>,
    /// Document of the reusable content, by id.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Delta<String>, nullable = false, required = false)]
    pub document: Option<Delta<DocumentId>>,
}

/// The values of custom fields, by name.
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct CustomFieldValues(pub BTreeMap<String, CustomFieldValue>);

/// The value of a custom field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CustomFieldValue {
    /// A text, a number, a boolean, or texts.
    #[schema(value_type = FieldValue)]
    pub value: Value,
}
