//! Reasons why nothing can be imported from a source.

use std::io;

use quire_domain::imports::ImportSource;

use crate::archive::ArchiveError;
use crate::fetch::FetchError;

/// Why there are no files to plan an import from.
#[derive(Debug, thiserror::Error)]
pub enum GatherError {
    /// The URL could not be fetched.
    #[error("the content could not be fetched")]
    Fetch(#[from] FetchError),
    /// The archive could not be read.
    #[error("the archive was refused")]
    Archive(#[from] ArchiveError),
    /// An HTML page came where a Markdown file was announced, as when a repository's page is named instead of
    /// its raw file.
    #[error("an HTML page is no Markdown: the address of the raw file is needed")]
    HtmlInsteadOfMarkdown,
    /// Something else came than the source exports.
    #[error("it is {found}, and `{}` is imported from {wanted}", source_kind.as_str())]
    WrongKind {
        /// Announced kind.
        source_kind: ImportSource,
        /// Kind found.
        found: &'static str,
        /// Kinds that are accepted.
        wanted: String,
    },
    /// A sign-in page came in place of a shared document.
    #[error(
        "a sign-in page came in place of the document: it has to be shared with everybody who has the link"
    )]
    NotShared,
    /// The address of a website leads to no HTML page.
    #[error("it is no HTML page: a website is read from the address of one of its pages")]
    NoWebsite,
    /// The site's `robots.txt` doesn't want the page to be read.
    #[error("the site's `robots.txt` asks programs not to read it")]
    RobotsRefuse,
    /// The site has more pages than one import may hold.
    #[error("the site has more than {limit} pages below this address")]
    TooManyPages {
        /// The bound.
        limit: usize,
    },
    /// The site's pages and pictures together are larger than one import may be.
    #[error("the site's pages and pictures are larger than {limit} bytes")]
    TooLargeWebsite {
        /// The bound in bytes.
        limit: u64,
    },
    /// Fetched bytes can't be stored on disk.
    #[error("what was fetched can't be kept")]
    Spool(#[source] io::Error),
    /// The work broke off: the server shuts down, or a bug stopped it.
    #[error("the import was interrupted")]
    Interrupted(#[source] io::Error),
}
