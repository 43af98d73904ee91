//! Imports: content from somewhere else.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::error::ErrorDetail;
use crate::features::{ToSchema, Validate};
use crate::ids::{ChangeRequestId, ImportId, PageId, RevisionId, SpaceId};
use crate::object::ImportTag;
use crate::texts;
use crate::users::User;

/// Request body to import content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportRequest {
    /// Where the content is.
    #[validate(custom(function = "texts::Url::check"))]
    pub url: texts::Url,
    /// What is there.
    pub source: ImportSource,
}

/// What content is imported from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ImportSource {
    /// A website.
    Website,
    /// A Word document.
    Docx,
    /// A Markdown file.
    Markdown,
    /// An HTML file.
    Html,
    /// An archive of Markdown, HTML, Word documents and assets.
    Zip,
    /// An HTML export of a Confluence space.
    Confluence,
    /// A GitHub wiki, as archive or page.
    GithubWiki,
    /// An export of a Dropbox Paper document.
    DropboxPaper,
    /// An export of Notion pages.
    Notion,
    /// An export of a Quip document.
    Quip,
    /// A shared Google document, or an export of one.
    GoogleDocs,
}

impl ImportSource {
    /// Every source.
    pub const ALL: [Self; 11] = [
        Self::Website,
        Self::Docx,
        Self::Markdown,
        Self::Html,
        Self::Zip,
        Self::Confluence,
        Self::GithubWiki,
        Self::DropboxPaper,
        Self::Notion,
        Self::Quip,
        Self::GoogleDocs,
    ];

    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Website => "website",
            Self::Docx => "docx",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Zip => "zip",
            Self::Confluence => "confluence",
            Self::GithubWiki => "github-wiki",
            Self::DropboxPaper => "dropbox-paper",
            Self::Notion => "notion",
            Self::Quip => "quip",
            Self::GoogleDocs => "google-docs",
        }
    }
}

/// A name that is no source of imports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a source of imports")]
pub struct UnknownImportSource;

impl std::str::FromStr for ImportSource {
    type Err = UnknownImportSource;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|source| source.as_str() == name).ok_or(UnknownImportSource)
    }
}

/// What an import did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportResult {
    /// The revision that it made.
    pub revision: RevisionId,
    /// How many pages and files were stored.
    pub imported_resources: u64,
    /// How many were found.
    pub total_resources: u64,
    /// One entry for each file that was changed on the way or not taken, or whose links lead nowhere.
    pub report: Vec<ImportReportEntry>,
}

/// What happened to a file of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportReportEntry {
    /// The file's path or URL, where the content is from.
    pub path: String,
    /// What was done with it.
    pub status: ImportStatus,
    /// Why, in a sentence.
    pub message: String,
}

/// What was done with a file of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportStatus {
    /// It was taken, and changed on the way.
    Changed,
    /// It was not taken.
    Skipped,
    /// It could not be taken.
    Failed,
    /// It was taken as it is, but links in it lead nowhere: neither in the import nor, as far as it can be told, elsewhere.
    #[serde(rename = "broken-links")]
    BrokenLinks,
}

/// An import that goes on after the answer: what it is and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Import {
    /// Always `import`.
    pub object: ImportTag,
    /// Id of the import.
    pub id: ImportId,
    /// The space it goes to.
    pub space: SpaceId,
    /// The change request it goes to; without one, the main content.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub change_request: Option<ChangeRequestId>,
    /// The page whose document it replaces; without one, it goes below the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = "uuid", required = false)]
    pub page: Option<PageId>,
    /// What is imported from.
    pub source: ImportSource,
    /// Where the content is fetched from; without it, it was uploaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub url: Option<String>,
    /// The name of the file that was uploaded, when it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub file_name: Option<String>,
    /// Where it stands.
    pub status: ImportState,
    /// What is being done while it runs, and was done last when it ended before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub phase: Option<ImportPhase>,
    /// How much of the phase is done.
    pub progress: ImportProgress,
    /// Who asked for it.
    pub created_by: User,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it was begun, the last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub finished_at: Option<Timestamp>,
    /// What it did, once it has succeeded: what an import that is waited for answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub result: Option<ImportResult>,
    /// Why it failed: the error that an import which is waited for answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<ErrorDetail>,
    /// URLs of the import.
    pub urls: ImportUrls,
}

/// URLs of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportUrls {
    /// It in this API.
    pub location: String,
}

/// How much of a phase is done: bytes while one file is fetched, pages and pictures of a website, files while they are read or stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportProgress {
    /// What is done.
    pub done: u64,
    /// What there is to do, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub total: Option<u64>,
}

/// Where an import stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportState {
    /// It waits for its turn.
    Pending,
    /// It is being done.
    Running,
    /// It is done: its revision is there.
    Succeeded,
    /// It ended without a change.
    Failed,
    /// Somebody ended it, without a change.
    Cancelled,
}

impl ImportState {
    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing more happens to it.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled)
    }
}

/// What is done of an import, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportPhase {
    /// The content is fetched, or taken from where the upload was kept.
    Fetching,
    /// It is opened and unpacked.
    Reading,
    /// Its files become pages that know each other.
    Planning,
    /// Files and pages are stored.
    Storing,
}

impl ImportPhase {
    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fetching => "fetching",
            Self::Reading => "reading",
            Self::Planning => "planning",
            Self::Storing => "storing",
        }
    }
}
