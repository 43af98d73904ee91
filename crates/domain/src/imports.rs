//! Imports of content from other systems.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use crate::clock::Timestamp;
use crate::error::ErrorDetail;
use crate::ids::{ChangeRequestId, ImportId, PageId, RevisionId, SpaceId};
use crate::object::ImportTag;
use crate::texts;
use crate::users::User;

/// Request body to import content from a URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportRequest {
    /// URL of the content.
    #[validate(custom(function = "texts::Url::check"))]
    pub url: texts::Url,
    /// Type of the source.
    pub source: ImportSource,
}

/// Type of an import source.
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
    /// A repository of GitBook.
    Gitbook,
    /// A repository of mdBook.
    Mdbook,
    /// A repository or docs folder of MkDocs.
    Mkdocs,
    /// A repository or docs folder of Docusaurus.
    Docusaurus,
    /// A repository or docs folder of VitePress.
    Vitepress,
    /// A repository or docs folder of Sphinx with MyST, or of Jupyter Book.
    Myst,
    /// A repository or docs folder of Starlight.
    Starlight,
    /// A repository or docs folder of Nextra.
    Nextra,
    /// A repository or docs folder of Fumadocs.
    Fumadocs,
    /// A repository or docs folder of Mintlify.
    Mintlify,
}

impl ImportSource {
    /// Every source.
    pub const ALL: [Self; 21] = [
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
        Self::Gitbook,
        Self::Mdbook,
        Self::Mkdocs,
        Self::Docusaurus,
        Self::Vitepress,
        Self::Myst,
        Self::Starlight,
        Self::Nextra,
        Self::Fumadocs,
        Self::Mintlify,
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
            Self::Gitbook => "gitbook",
            Self::Mdbook => "mdbook",
            Self::Mkdocs => "mkdocs",
            Self::Docusaurus => "docusaurus",
            Self::Vitepress => "vitepress",
            Self::Myst => "myst",
            Self::Starlight => "starlight",
            Self::Nextra => "nextra",
            Self::Fumadocs => "fumadocs",
            Self::Mintlify => "mintlify",
        }
    }
}

/// Unknown import source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a source of imports")]
pub struct UnknownImportSource;

impl std::str::FromStr for ImportSource {
    type Err = UnknownImportSource;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|source| source.as_str() == name).ok_or(UnknownImportSource)
    }
}

/// Result of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportResult {
    /// Revision that the import created.
    pub revision: RevisionId,
    /// Number of pages and files that were stored.
    pub imported_resources: u64,
    /// Number of pages and files in the source.
    pub total_resources: u64,
    /// Entries for files that were changed, skipped or not readable, or that have broken links.
    pub report: Vec<ImportReportEntry>,
}

/// Report entry of an imported file.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportReportEntry {
    /// Path or URL of the file in the source.
    pub path: String,
    /// Outcome for the file.
    pub status: ImportStatus,
    /// Explanation in one sentence.
    pub message: String,
    /// Id of the page that the file became. Absent for other files.
    #[schema(value_type = Option<String>, format = "uuid")]
    pub page: Option<PageId>,
}

/// Outcome for a file of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportStatus {
    /// Imported with changes.
    Changed,
    /// Not imported.
    Skipped,
    /// Could not be read.
    Failed,
    /// Imported unchanged, but some links have no known target.
    #[serde(rename = "broken-links")]
    BrokenLinks,
}

/// Import that runs in the background.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Import {
    /// Always `import`.
    pub object: ImportTag,
    /// Id of the import.
    pub id: ImportId,
    /// Space that the import writes to.
    pub space: SpaceId,
    /// Change request that the import writes to. Absent for the main content.
    pub change_request: Option<ChangeRequestId>,
    /// Page whose document the import replaces. Absent if pages are created at the root.
    #[schema(value_type = String, format = "uuid", required = false)]
    pub page: Option<PageId>,
    /// Type of the source.
    pub source: ImportSource,
    /// URL of the content. Absent for an upload.
    pub url: Option<String>,
    /// Name of the uploaded file. Absent if it has none.
    pub file_name: Option<String>,
    /// State of the import.
    pub status: ImportState,
    /// Current phase of a running import, or last phase of one that failed or was cancelled.
    pub phase: Option<ImportPhase>,
    /// Progress within the phase.
    pub progress: ImportProgress,
    /// User who started the import.
    pub created_by: User,
    /// Time of the request.
    pub created_at: Timestamp,
    /// Start time of the last attempt.
    pub started_at: Option<Timestamp>,
    /// End time.
    pub finished_at: Option<Timestamp>,
    /// Result. Present once the import has succeeded.
    pub result: Option<ImportResult>,
    /// Error. Present if the import has failed.
    pub error: Option<ErrorDetail>,
    /// URLs of the import.
    pub urls: ImportUrls,
}

/// URLs of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportUrls {
    /// URL of the import in this API.
    pub location: String,
}

/// Progress within a phase. The unit depends on the phase: bytes of a fetched file, pages and images of a website, or
/// files.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportProgress {
    /// Units done.
    pub done: u64,
    /// Units in total. Absent if unknown.
    #[schema(nullable = false)]
    pub total: Option<u64>,
}

/// State of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportState {
    /// Queued.
    Pending,
    /// Running.
    Running,
    /// Finished; the revision exists.
    Succeeded,
    /// Ended with an error. Nothing was changed.
    Failed,
    /// Cancelled by a user. Nothing was changed.
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

    /// Returns whether the state is final.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled)
    }
}

/// Phase of an import, in order of execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportPhase {
    /// The content is fetched, or read from the stored upload.
    Fetching,
    /// The content is unpacked and parsed.
    Reading,
    /// Files are converted to pages, and links between them are resolved.
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
