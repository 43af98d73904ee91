//! Files and reusable contents of a revision.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;

use super::GitBlob;
use crate::ids::{DocumentId, FileId, ReusableContentId};

/// A file.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct File {
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
    /// Size of the file in bytes.
    pub size: u64,
    /// Size of the image in pixels. Absent for other files.
    pub dimensions: Option<Dimensions>,
    /// File in the synchronized Git repository. Absent if not synchronized, or with `metadata=false`.
    pub git: Option<GitBlob>,
}

/// Size of an image in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Dimensions {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Document that several pages can include.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReusableContent {
    /// Id of the reusable content.
    #[schema(value_type = String, format = "uuid")]
    pub id: ReusableContentId,
    /// Title of the reusable content.
    pub title: String,
    /// Document of the reusable content. Absent while it is empty.
    #[schema(value_type = String, nullable = false, required = false)]
    pub document: Option<DocumentId>,
    /// File in the synchronized Git repository. Absent if not synchronized, or with `metadata=false`.
    #[schema(nullable = false)]
    pub git: Option<GitBlob>,
}
