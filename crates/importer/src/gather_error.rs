//! Errors of gathering content from a source.

use std::io;

use quire_domain::imports::ImportSource;

use crate::archive::ArchiveError;
use crate::fetch::FetchError;

/// Reason why there are no files to plan an import from.
#[derive(Debug, thiserror::Error)]
pub enum GatherError {
    /// The URL could not be fetched.
    #[error("the content could not be fetched")]
    Fetch(#[from] FetchError),
    /// The archive could not be read.
    #[error("the archive was refused")]
    Archive(#[from] ArchiveError),
    /// An HTML page instead of the declared Markdown file, such as a repository's page instead of its raw file.
    #[error("an HTML page is not Markdown: use the address of the raw file")]
    HtmlInsteadOfMarkdown,
    /// A file of a kind that the source does not export.
    #[error("it is {found}, but `{}` is imported from {wanted}", source_kind.as_str())]
    WrongKind {
        /// Declared source.
        source_kind: ImportSource,
        /// Found kind.
        found: &'static str,
        /// Accepted kinds.
        wanted: String,
    },
    /// A sign-in page instead of a shared document.
    #[error("the address returns a sign-in page: share the document with everyone who has the link")]
    NotShared,
    /// The address of a website is not an HTML page.
    #[error("it is not an HTML page: use the address of a page of the website")]
    NoWebsite,
    /// The site's `robots.txt` disallows the page.
    #[error("the site's `robots.txt` asks programs not to read it")]
    RobotsRefuse,
    /// The site exceeds the number of pages of an import.
    #[error("the site has more than {limit} pages below this address")]
    TooManyPages {
        /// The limit.
        limit: usize,
    },
    /// The site's pages and pictures together exceed the size of an import.
    #[error("the site's pages and pictures are larger than {limit} bytes")]
    TooLargeWebsite {
        /// The limit in bytes.
        limit: u64,
    },
    /// Fetched bytes cannot be stored on disk.
    #[error("the fetched content cannot be stored")]
    Spool(#[source] io::Error),
    /// The work was interrupted by a shutdown or a bug.
    #[error("the import was interrupted")]
    Interrupted(#[source] io::Error),
}
