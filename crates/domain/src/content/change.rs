//! Changes of a content write.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::{Validate, ValidationError, ValidationErrors};

use super::PageMetadata;
use crate::bounds::{BLOCKS_MAX, FILES_MAX};
use crate::computed::RevisionSource;
use crate::described::ContentRef;
use crate::documents::{self, DocumentInput};
use crate::ids::{FileId, PageId, ReusableContentId, RevisionId};
use crate::patch::{self, Patch};
use crate::{object_only, revisions, text_checks, texts};

/// One change of a content write.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "operation", rename_all = "snake_case")]
pub enum ContentChange {
    /// Updates, moves or reorders a page.
    UpdatePage(Box<UpdatePage>),
    /// Creates a page with a document.
    InsertPage(Box<InsertPage>),
    /// Deletes a page and its subpages.
    DeletePage(DeletePage),
    /// Reverts the content of a page to an earlier revision.
    RevertPage(RevertPage),
    /// Creates files.
    InsertFiles(InsertFiles),
    /// Creates a group at the root.
    InsertGroup(Box<InsertGroup>),
    /// Creates a link.
    InsertLink(Box<InsertLink>),
    /// Creates a placeholder of computed pages.
    InsertComputed(Box<InsertComputed>),
    /// Renames a file.
    UpdateFile(UpdateFile),
    /// Replaces a file by another one.
    ReplaceFile(ReplaceFile),
    /// Deletes files.
    DeleteFiles(DeleteFiles),
    /// Creates a reusable content.
    InsertReusableContent(InsertReusableContent),
    /// Updates a reusable content.
    UpdateReusableContent(UpdateReusableContent),
    /// Deletes a reusable content.
    DeleteReusableContent(DeleteReusableContent),
}

impl Validate for ContentChange {
    fn validate(&self) -> Result<(), ValidationErrors> {
        match self {
            Self::UpdatePage(change) => merge_errors(change.validate(), change.metadata.validate()),
            Self::InsertPage(change) => merge_errors(change.validate(), change.metadata.validate()),
            Self::InsertGroup(change) => merge_errors(change.validate(), change.metadata.validate()),
            Self::InsertLink(change) => merge_errors(change.validate(), change.metadata.validate()),
            Self::InsertComputed(change) => merge_errors(change.validate(), change.metadata.validate()),
            Self::RevertPage(change) => change.validate(),
            Self::InsertFiles(change) => change.validate(),
            Self::UpdateFile(change) => change.validate(),
            Self::DeleteFiles(change) => change.validate(),
            Self::InsertReusableContent(change) => change.validate(),
            Self::UpdateReusableContent(change) => change.validate(),
            Self::DeletePage(_) | Self::ReplaceFile(_) | Self::DeleteReusableContent(_) => Ok(()),
        }
    }
}

/// Merges the errors of two structs whose keys are in the same object.
fn merge_errors(
    first: Result<(), ValidationErrors>,
    second: Result<(), ValidationErrors>,
) -> Result<(), ValidationErrors> {
    match (first, second) {
        (Err(mut errors), Err(others)) => {
            errors.errors_mut().extend(others.into_errors());
            Err(errors)
        }
        (first, second) => first.and(second),
    }
}

/// Updates, moves or reorders a page. Absent keys leave their values unchanged.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdatePage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub page: PageId,
    /// New content of the page.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "documents::check_content"))]
    pub document: Option<DocumentInput>,
    /// Id of the new parent page; `null` for the root.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<String>)]
    pub into: Patch<PageId>,
    /// Zero-based position among the siblings. Default for a moved page: the end.
    #[serde(default, deserialize_with = "patch::present")]
    pub at: Option<u32>,
    /// Target of a link. Only for pages of type `link`.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(value_type = ContentRef, required = false)]
    #[validate(custom(function = "revisions::check_reference"))]
    pub target: Option<Value>,
    /// Source of the computed pages. Only for placeholders. The seed is kept, and with it the ids of pages that remain.
    #[serde(default, deserialize_with = "object_only::present")]
    #[validate(nested)]
    pub source: Option<RevisionSource>,
    /// Metadata of the page.
    #[serde(flatten)]
    pub metadata: PageMetadata,
}

/// Creates a page with a document.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertPage {
    /// Content of the page. If `title` is absent, the title comes from the front matter or the first heading.
    #[validate(custom(function = "documents::check_content"))]
    pub document: DocumentInput,
    /// Id of the parent page. Absent or `null`: the root.
    #[schema(value_type = Option<String>)]
    pub into: Option<PageId>,
    /// Zero-based position among the siblings. Default: the end.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub at: Option<u32>,
    /// Name by which documents of the same request can link to the page.
    #[serde(rename = "ref", default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::BatchName::check"))]
    #[schema(value_type = texts::BatchName, required = false)]
    pub reference: Option<texts::BatchName>,
    /// Metadata of the page.
    #[serde(flatten)]
    pub metadata: PageMetadata,
}

/// Deletes a page and its subpages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletePage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub page: PageId,
}

/// Reverts the content of a page to an earlier revision.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevertPage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub page: PageId,
    /// Revision to revert to. Default: the base of the change request, or the space's previous revision.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub revision: Option<RevisionId>,
    /// Keys of up to 100 distinct blocks to revert. Default: the whole page.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 100)]
    #[validate(custom(function = "block_keys"))]
    pub block: Option<Vec<texts::NodeId>>,
}

/// Creates files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertFiles {
    /// 1 to 20 files.
    #[validate(custom(function = "text_checks::count::<1, FILES_MAX, _>"), nested)]
    #[schema(min_items = 1, max_items = 20)]
    #[serde(deserialize_with = "object_only::objects")]
    pub files: Vec<InsertFile>,
}

/// File to create, with either `url` or `base64`.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
#[validate(schema(function = "bytes_from_one_source"))]
pub struct InsertFile {
    /// Name of the file.
    #[validate(custom(function = "texts::FileName::check"))]
    pub name: texts::FileName,
    /// Media type of the file; needed with `base64`.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::ContentType::check"))]
    #[schema(value_type = texts::ContentType, required = false)]
    pub content_type: Option<texts::ContentType>,
    /// Name by which documents of the same request can link to the file.
    #[serde(rename = "ref", default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::BatchName::check"))]
    #[schema(value_type = texts::BatchName, required = false)]
    pub reference: Option<texts::BatchName>,
    /// URL from which the bytes are fetched.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url, required = false)]
    pub url: Option<texts::Url>,
    /// Bytes of the file in base64 (RFC 4648).
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub base64: Option<String>,
}

/// Creates a group at the root.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertGroup {
    /// Zero-based position at the root. Default: the end.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub at: Option<u32>,
    /// Metadata of the group.
    #[serde(flatten)]
    pub metadata: PageMetadata,
}

/// Creates a link.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertLink {
    /// Target of the link.
    #[validate(custom(function = "revisions::check_reference"))]
    #[schema(value_type = ContentRef)]
    pub target: Value,
    /// Id of the parent page. Absent or `null`: the root.
    #[schema(value_type = Option<String>)]
    pub into: Option<PageId>,
    /// Zero-based position among the siblings. Default: the end.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub at: Option<u32>,
    /// Metadata of the link.
    #[serde(flatten)]
    pub metadata: PageMetadata,
}

/// Creates a placeholder, which reads replace with computed pages.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertComputed {
    /// Source of the pages.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    pub source: RevisionSource,
    /// Seed of the page ids. Generated if absent.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Seed::check"))]
    #[schema(value_type = texts::Seed, required = false)]
    pub seed: Option<texts::Seed>,
    /// Id of the parent page. Absent or `null`: the root.
    #[schema(value_type = Option<String>)]
    pub into: Option<PageId>,
    /// Zero-based position among the siblings. Default: the end.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub at: Option<u32>,
    /// Metadata of the placeholder.
    #[serde(flatten)]
    pub metadata: PageMetadata,
}

/// Renames a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateFile {
    /// Id of the file.
    #[schema(value_type = String, format = "uuid")]
    pub file: FileId,
    /// Name of the file.
    #[validate(custom(function = "texts::FileName::check"))]
    pub name: texts::FileName,
}

/// Replaces a file by another file of the content, for example one that was uploaded for this purpose. The file keeps
/// its id, so that links to it stay valid, and takes over the name, the media type and the bytes of the other file,
/// which is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplaceFile {
    /// Id of the file.
    #[schema(value_type = String, format = "uuid")]
    pub file: FileId,
    /// Id of the file that takes its place.
    #[schema(value_type = String, format = "uuid")]
    pub by: FileId,
}

/// Deletes files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeleteFiles {
    /// Ids of 1 to 20 files.
    #[validate(custom(function = "text_checks::count::<1, FILES_MAX, _>"))]
    #[schema(min_items = 1, max_items = 20, value_type = Vec<String>)]
    pub files: Vec<FileId>,
}

/// Creates a reusable content.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertReusableContent {
    /// Title of the reusable content.
    #[validate(custom(function = "texts::PageTitle::check"))]
    pub title: texts::PageTitle,
    /// Content of the reusable content.
    #[validate(custom(function = "documents::check_content"))]
    pub document: DocumentInput,
    /// Name by which documents of the same request can include the reusable content.
    #[serde(rename = "ref", default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::BatchName::check"))]
    #[schema(value_type = texts::BatchName, required = false)]
    pub reference: Option<texts::BatchName>,
}

/// Updates a reusable content. Absent keys leave their values unchanged.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateReusableContent {
    /// Id of the reusable content.
    #[schema(value_type = String, format = "uuid")]
    pub reusable_content: ReusableContentId,
    /// Title of the reusable content.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::PageTitle::check"))]
    #[schema(value_type = texts::PageTitle, required = false)]
    pub title: Option<texts::PageTitle>,
    /// New content of the reusable content.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    #[validate(custom(function = "documents::check_content"))]
    pub document: Option<DocumentInput>,
}

/// Deletes a reusable content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeleteReusableContent {
    /// Id of the reusable content.
    #[schema(value_type = String, format = "uuid")]
    pub reusable_content: ReusableContentId,
}

fn block_keys(keys: &[texts::NodeId]) -> Result<(), ValidationError> {
    text_checks::count::<0, BLOCKS_MAX, _>(keys)?;
    text_checks::distinct(&text_checks::contents(keys))?;
    keys.iter().try_for_each(texts::NodeId::check)
}

/// Checks that exactly one of `url` and `base64` is present, and that `base64` has a content type.
fn bytes_from_one_source(file: &InsertFile) -> Result<(), ValidationError> {
    match (&file.url, &file.base64) {
        (Some(_), None) => Ok(()),
        (None, Some(_)) if file.content_type.is_some() => Ok(()),
        (None, Some(_)) => Err(text_checks::error("contentType", "must have a `contentType` with `base64`")),
        _ => Err(text_checks::error("bytes", "must have exactly one of `url` and `base64`")),
    }
}
