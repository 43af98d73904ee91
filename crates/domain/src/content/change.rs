//! The changes that a content write can make.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::PageMetadata;
use crate::bounds::{BLOCKS_MAX, FILES_MAX};
use crate::computed::RevisionSource;
use crate::described::ContentRef;
use crate::documents::{self, DocumentInput};
use crate::features::{ToSchema, Validate, ValidationError, ValidationErrors};
use crate::ids::{FileId, PageId, ReusableContentId, RevisionId};
use crate::patch::{self, Patch};
use crate::{revisions, strict, text, texts};

/// One change of a content write.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "operation", rename_all = "snake_case")]
pub enum ContentChange {
    /// Changes, moves or reorders a page.
    UpdatePage(Box<UpdatePage>),
    /// Adds a page with a document.
    InsertPage(Box<InsertPage>),
    /// Removes a page and those below it.
    DeletePage(DeletePage),
    /// Takes a page's content back to an earlier state.
    RevertPage(RevertPage),
    /// Adds files.
    InsertFiles(InsertFiles),
    /// Adds a group at the top.
    InsertGroup(Box<InsertGroup>),
    /// Adds a link.
    InsertLink(Box<InsertLink>),
    /// Adds pages that are computed.
    InsertComputed(Box<InsertComputed>),
    /// Renames a file.
    UpdateFile(UpdateFile),
    /// Removes files.
    DeleteFiles(DeleteFiles),
    /// Adds a reusable content.
    InsertReusableContent(InsertReusableContent),
    /// Changes a reusable content.
    UpdateReusableContent(UpdateReusableContent),
    /// Removes a reusable content.
    DeleteReusableContent(DeleteReusableContent),
}

#[cfg(feature = "validation")]
impl Validate for ContentChange {
    fn validate(&self) -> Result<(), ValidationErrors> {
        match self {
            Self::UpdatePage(change) => beside(change.validate(), change.metadata.validate()),
            Self::InsertPage(change) => beside(change.validate(), change.metadata.validate()),
            Self::InsertGroup(change) => beside(change.validate(), change.metadata.validate()),
            Self::InsertLink(change) => beside(change.validate(), change.metadata.validate()),
            Self::InsertComputed(change) => beside(change.validate(), change.metadata.validate()),
            Self::RevertPage(change) => change.validate(),
            Self::InsertFiles(change) => change.validate(),
            Self::UpdateFile(change) => change.validate(),
            Self::DeleteFiles(change) => change.validate(),
            Self::InsertReusableContent(change) => change.validate(),
            Self::UpdateReusableContent(change) => change.validate(),
            Self::DeletePage(_) | Self::DeleteReusableContent(_) => Ok(()),
        }
    }
}

/// The errors of two structs whose keys stand beside each other in the body.
#[cfg(feature = "validation")]
fn beside(
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

/// Changes, moves or reorders a page. An absent key keeps what is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdatePage {
    /// The page.
    #[schema(value_type = String, format = "uuid")]
    pub page: PageId,
    /// Its new content.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    #[validate(custom(function = "documents::check_content"))]
    pub document: Option<DocumentInput>,
    /// The page to move it below; null for the top.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<String>)]
    pub into: Patch<PageId>,
    /// Its place among its siblings, from 0; the last when absent and it moves.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub at: Option<u32>,
    /// Where a link leads: links only.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ContentRef, nullable = false, required = false)]
    #[validate(custom(function = "revisions::check_reference"))]
    pub target: Option<Value>,
    /// What its pages are computed from: place-holders only. Its seed stays, and with it the ids of pages that stay.
    #[serde(default, deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    #[validate(nested)]
    pub source: Option<RevisionSource>,
    /// What is said about it.
    #[serde(flatten)]
    pub metadata: PageMetadata,
}

/// Adds a page with a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertPage {
    /// Its content. A title in the front matter, or a first heading, stands in for an absent `title`.
    #[validate(custom(function = "documents::check_content"))]
    pub document: DocumentInput,
    /// The page to put it below; the top when absent or null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub into: Option<PageId>,
    /// Its place among its siblings, from 0; the last when absent.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub at: Option<u32>,
    /// A name by which documents of the same write can link to it.
    #[serde(
        rename = "ref",
        default,
        deserialize_with = "patch::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[validate(custom(function = "texts::BatchName::check"))]
    #[schema(value_type = texts::BatchName, required = false)]
    pub reference: Option<texts::BatchName>,
    /// What is said about it.
    #[serde(flatten)]
    pub metadata: PageMetadata,
}

/// Removes a page and those below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletePage {
    /// The page.
    #[schema(value_type = String, format = "uuid")]
    pub page: PageId,
}

/// Takes a page's content back to an earlier state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevertPage {
    /// The page.
    #[schema(value_type = String, format = "uuid")]
    pub page: PageId,
    /// The revision to take it from; when absent the change request's base, or the space's revision before.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub revision: Option<RevisionId>,
    /// The keys of up to 100 blocks to take back, each once; the whole page when absent.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<String>, required = false, max_items = 100)]
    #[validate(custom(function = "block_keys"))]
    pub block: Option<Vec<texts::NodeId>>,
}

/// Adds files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertFiles {
    /// 1 to 20 files.
    #[validate(custom(function = "text::count::<1, FILES_MAX, _>"), nested)]
    #[schema(min_items = 1, max_items = 20)]
    #[serde(deserialize_with = "strict::objects")]
    pub files: Vec<InsertFile>,
}

/// A file to add: its bytes are at `url`, or are `base64`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
#[validate(schema(function = "bytes_from_one_place"))]
pub struct InsertFile {
    /// Its name.
    #[validate(custom(function = "texts::FileName::check"))]
    pub name: texts::FileName,
    /// Its media type; needed with `base64`.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::ContentType::check"))]
    #[schema(value_type = texts::ContentType, required = false)]
    pub content_type: Option<texts::ContentType>,
    /// A name by which documents of the same write can link to it.
    #[serde(
        rename = "ref",
        default,
        deserialize_with = "patch::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[validate(custom(function = "texts::BatchName::check"))]
    #[schema(value_type = texts::BatchName, required = false)]
    pub reference: Option<texts::BatchName>,
    /// Where its bytes are.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url, required = false)]
    pub url: Option<texts::Url>,
    /// Its bytes, in base64 (RFC 4648).
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub base64: Option<String>,
}

/// Adds a group at the top.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertGroup {
    /// Its place at the top, from 0; the last when absent.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub at: Option<u32>,
    /// What is said about it.
    #[serde(flatten)]
    pub metadata: PageMetadata,
}

/// Adds a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertLink {
    /// A content reference to where it leads.
    #[validate(custom(function = "revisions::check_reference"))]
    #[schema(value_type = ContentRef)]
    pub target: Value,
    /// The page to put it below; the top when absent or null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub into: Option<PageId>,
    /// Its place among its siblings, from 0; the last when absent.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub at: Option<u32>,
    /// What is said about it.
    #[serde(flatten)]
    pub metadata: PageMetadata,
}

/// Adds a place-holder, whose place computed pages take when the content is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertComputed {
    /// What the pages are computed from.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    pub source: RevisionSource,
    /// What the ids of the pages depend on; made when absent.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::Seed::check"))]
    #[schema(value_type = texts::Seed, required = false)]
    pub seed: Option<texts::Seed>,
    /// The page to put them below; the top when absent or null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub into: Option<PageId>,
    /// Their place among their siblings, from 0; the last when absent.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub at: Option<u32>,
    /// What is said about the place-holder.
    #[serde(flatten)]
    pub metadata: PageMetadata,
}

/// Renames a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateFile {
    /// The file.
    #[schema(value_type = String, format = "uuid")]
    pub file: FileId,
    /// Its name.
    #[validate(custom(function = "texts::FileName::check"))]
    pub name: texts::FileName,
}

/// Removes files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeleteFiles {
    /// 1 to 20 files.
    #[validate(custom(function = "text::count::<1, FILES_MAX, _>"))]
    #[schema(min_items = 1, max_items = 20, value_type = Vec<String>)]
    pub files: Vec<FileId>,
}

/// Adds a reusable content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertReusableContent {
    /// Its title.
    #[validate(custom(function = "texts::PageTitle::check"))]
    pub title: texts::PageTitle,
    /// Its content.
    #[validate(custom(function = "documents::check_content"))]
    pub document: DocumentInput,
    /// A name by which documents of the same write can include it.
    #[serde(
        rename = "ref",
        default,
        deserialize_with = "patch::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[validate(custom(function = "texts::BatchName::check"))]
    #[schema(value_type = texts::BatchName, required = false)]
    pub reference: Option<texts::BatchName>,
}

/// Changes a reusable content. An absent key keeps what is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateReusableContent {
    /// The reusable content.
    #[schema(value_type = String, format = "uuid")]
    pub reusable_content: ReusableContentId,
    /// Its title.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::PageTitle::check"))]
    #[schema(value_type = texts::PageTitle, required = false)]
    pub title: Option<texts::PageTitle>,
    /// Its content.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    #[validate(custom(function = "documents::check_content"))]
    pub document: Option<DocumentInput>,
}

/// Removes a reusable content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeleteReusableContent {
    /// The reusable content.
    #[schema(value_type = String, format = "uuid")]
    pub reusable_content: ReusableContentId,
}

fn block_keys(keys: &[texts::NodeId]) -> Result<(), ValidationError> {
    text::count::<0, BLOCKS_MAX, _>(keys)?;
    text::distinct(&text::contents(keys))?;
    keys.iter().try_for_each(texts::NodeId::check)
}

/// A file's bytes come from `url` or `base64`, and from one of them only; bytes in the body need their type named.
fn bytes_from_one_place(file: &InsertFile) -> Result<(), ValidationError> {
    match (&file.url, &file.base64) {
        (Some(_), None) => Ok(()),
        (None, Some(_)) if file.content_type.is_some() => Ok(()),
        (None, Some(_)) => Err(text::error("contentType", "`base64` needs a `contentType`")),
        _ => Err(text::error("bytes", "exactly one of `url` and `base64` is needed")),
    }
}
