//! Changes between a revision and its parent, for display.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;

use super::{ChangeSummary, Dimensions, PageCover, PageLayout, PageType};
use crate::change_requests::ChangeRequest;
use crate::custom_fields::FieldValue;
use crate::ids::{DocumentId, FileId, PageId, ReusableContentId};

/// Changes of a revision.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevisionChanges {
    /// Change request that was merged. Present for merge revisions only.
    pub merged_from: Option<Box<ChangeRequest>>,
    /// Changes: pages in tree order, then files, then reusable contents.
    pub changes: Vec<RevisionChange>,
    /// Number of changes beyond the limit. Absent if there are no more.
    pub more: Option<u64>,
}

/// Change of a revision. A page that was moved and edited has two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RevisionChange {
    /// A page was created.
    PageCreated {
        /// Page.
        page: ChangedPage,
        /// Numbers of words and blocks of its document that differ. Absent if the document is the same. A response
        /// compares at most 4 MiB of documents; further pages have no summary.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        summary: Option<ChangeSummary>,
    },
    /// A page was edited.
    PageEdited {
        /// Page after the change.
        page: ChangedPage,
        /// Changed attributes.
        attributes: Box<PageAttributes>,
        /// Numbers of words and blocks of its document that differ. Absent if the document is the same. A response
        /// compares at most 4 MiB of documents; further pages have no summary.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        summary: Option<ChangeSummary>,
    },
    /// A page was deleted.
    PageDeleted {
        /// Page before the deletion.
        page: ChangedPage,
        /// Numbers of words and blocks of its document that differ. Absent if the document is the same. A response
        /// compares at most 4 MiB of documents; further pages have no summary.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        summary: Option<ChangeSummary>,
    },
    /// A page was moved to another parent or position.
    PageMoved {
        /// Page after the change.
        page: ChangedPage,
        /// Parent page before and after. Absent for the root.
        parent: Delta<ChangedPage>,
    },
    /// A file was created.
    FileCreated {
        /// File.
        file: ChangedFile,
    },
    /// A file was changed.
    FileEdited {
        /// File after the change.
        file: ChangedFile,
        /// Changed attributes.
        attributes: Box<FileAttributes>,
    },
    /// A file was deleted.
    FileDeleted {
        /// File before the deletion.
        file: ChangedFile,
    },
    /// Values of custom fields were changed.
    CustomFieldsEdited {
        /// Values before and after.
        #[serde(rename = "customFields")]
        custom_fields: Delta<CustomFieldValues>,
    },
    /// A reusable content was created.
    ReusableContentCreated {
        /// Reusable content.
        #[serde(rename = "reusableContent")]
        reusable_content: ChangedReusableContent,
    },
    /// A reusable content was changed.
    ReusableContentEdited {
        /// Reusable content after the change.
        #[serde(rename = "reusableContent")]
        reusable_content: ChangedReusableContent,
        /// Changed attributes.
        attributes: ReusableContentAttributes,
    },
    /// A reusable content was deleted.
    ReusableContentDeleted {
        /// Reusable content before the deletion.
        #[serde(rename = "reusableContent")]
        reusable_content: ChangedReusableContent,
    },
}

/// Value before and after a change. A side without a value is absent.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Delta<T> {
    /// Value before the change.
    pub before: Option<T>,
    /// Value after the change.
    pub after: Option<T>,
}

/// Page of a change.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangedPage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Type of the page.
    #[serde(rename = "type")]
    pub page_type: PageType,
    /// Title of the page.
    pub title: String,
    /// Path of the page. Absent for links and placeholders.
    #[schema(nullable = false)]
    pub path: Option<String>,
}

/// File of a change.
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

/// Reusable content of a change.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangedReusableContent {
    /// Id of the reusable content.
    #[schema(value_type = String, format = "uuid")]
    pub id: ReusableContentId,
    /// Title of the reusable content.
    pub title: String,
    /// Document of the reusable content. Absent while it is empty.
    #[schema(value_type = String, nullable = false, required = false)]
    pub document: Option<DocumentId>,
}

/// Changed attributes of a page. Unchanged attributes are absent.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PageAttributes {
    /// Title of the page.
    pub title: Option<Delta<String>>,
    /// Title of the page in navigation.
    pub link_title: Option<Delta<String>>,
    /// Description of the page.
    pub description: Option<Delta<String>>,
    /// Slug of the page.
    pub slug: Option<Delta<String>>,
    /// Document of the page, by id.
    #[schema(value_type = Delta<String>, required = false)]
    pub document: Option<Delta<DocumentId>>,
    /// Cover of the page.
    pub cover: Option<Delta<PageCover>>,
    /// Emoji of the page.
    pub emoji: Option<Delta<String>>,
    /// Icon of the page.
    pub icon: Option<Delta<String>>,
    /// Layout of the page.
    pub layout: Option<Delta<PageLayout>>,
    /// Target of the link.
    pub target: Option<Delta<Value>>,
    /// Hidden from navigation.
    pub hidden: Option<Delta<bool>>,
    /// Excluded from search.
    pub no_index: Option<Delta<bool>>,
    /// External search engines are asked not to index the page.
    pub no_robots_index: Option<Delta<bool>>,
}

/// Changed attributes of a file. Unchanged attributes are absent.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FileAttributes {
    /// Name of the file.
    pub name: Option<Delta<String>>,
    /// URL of the bytes of the file.
    #[serde(rename = "downloadURL")]
    pub download_url: Option<Delta<String>>,
    /// Size of the file in bytes.
    pub size: Option<Delta<u64>>,
    /// Media type of the file.
    pub content_type: Option<Delta<String>>,
    /// Size of the image in pixels.
    pub dimensions: Option<Delta<Dimensions>>,
}

/// Changed attributes of a reusable content. Unchanged attributes are absent.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ReusableContentAttributes {
    /// Title of the reusable content.
    #[schema(nullable = false)]
    pub title: Option<Delta<String>>,
    /// Document of the reusable content, by id.
    #[schema(value_type = Delta<String>, nullable = false, required = false)]
    pub document: Option<Delta<DocumentId>>,
}

/// Values of custom fields, by name.
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct CustomFieldValues(pub BTreeMap<String, CustomFieldValue>);

/// Value of a custom field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CustomFieldValue {
    /// String, number, boolean or list of strings.
    #[schema(value_type = FieldValue)]
    pub value: Value,
}
