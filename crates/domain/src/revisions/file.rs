//! Files and reusable contents of a revision.

use serde::{Deserialize, Serialize};

use super::GitBlob;
use crate::features::ToSchema;
use crate::ids::{DocumentId, FileId, ReusableContentId};

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct File {
    /// The file's id.
    #[schema(value_type = String, format = "uuid")]
    pub id: FileId,
    /// Its name.
    pub name: String,
    /// Its media type.
    pub content_type: String,
    /// Where its bytes are.
    #[serde(rename = "downloadURL")]
    pub download_url: String,
    /// How many bytes it has.
    pub size: u64,
    /// How large the picture is; images only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub dimensions: Option<Dimensions>,
    /// The file in Git; left out without one, and on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub git: Option<GitBlob>,
}

/// How large a picture is, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Dimensions {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

/// Content that several pages share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReusableContent {
    /// The reusable content's id.
    #[schema(value_type = String, format = "uuid")]
    pub id: ReusableContentId,
    /// Its title.
    pub title: String,
    /// Its document; left out while it is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, nullable = false, required = false)]
    pub document: Option<DocumentId>,
    /// The file in Git; left out without one, and on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub git: Option<GitBlob>,
}
