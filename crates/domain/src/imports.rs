//! Imports: content from somewhere else.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

use crate::ids::RevisionId;
use crate::texts;

/// The body that imports content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportRequest {
    /// Where the content is.
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url)]
    pub url: String,
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

    /// The name on the wire.
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
