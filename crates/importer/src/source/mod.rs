//! Gathering of the files of a user-supplied URL or upload.

mod address;

use std::io;
use std::time::Duration;

use quire_domain::imports::{ImportPhase, ImportSource};

use crate::archive::{self, ArchiveLimits};
use crate::crawl::{self, CrawlLimits};
use crate::fetch::{Downloaded, FetchError, Fetcher};
pub use crate::gather_error::GatherError;
use crate::path;
use crate::progress::Progress;
use crate::spool::Content;
use crate::tree::{self, SourceTree};

/// Limits on gathered content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GatherLimits {
    /// Time limit for fetching; for a website, all its pages and pictures together.
    pub timeout: Duration,
    /// Bytes of fetched or uploaded content.
    pub max_bytes: u64,
    /// Bytes of parsed text: of pages, and of tables of contents.
    pub max_text: usize,
    /// Limits of archives.
    pub archive: ArchiveLimits,
    /// Limits of websites.
    pub crawl: CrawlLimits,
}

impl Default for GatherLimits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(60),
            max_bytes: 512 * 1024 * 1024,
            max_text: tree::MAX_TEXT,
            archive: ArchiveLimits::default(),
            crawl: CrawlLimits::default(),
        }
    }
}

impl GatherLimits {
    /// Sets all byte limits: for received content, unpacked content and websites.
    #[must_use]
    pub fn with_bytes(mut self, bytes: u64) -> Self {
        (self.max_bytes, self.archive.max_total_bytes, self.crawl.max_total_bytes) = (bytes, bytes, bytes);
        self
    }
}

/// Declared metadata of content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Announced {
    /// The declared media type, without parameters.
    pub content_type: Option<String>,
    /// The name of the file.
    pub file_name: Option<String>,
}

/// Detected kind of a file, regardless of the declared one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Archive,
    Docx,
    Html,
    Markdown,
    /// An unsupported format, such as another kind of archive.
    Foreign(&'static str),
}

/// Magic bytes of unsupported formats, with their names.
const FOREIGN: [(&[u8], &str); 7] = [
    (b"%PDF-", "a PDF"),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an office document that is encrypted or of the format before 2007",
    ),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"BZh", "a bzip2 archive"),
];

impl Kind {
    /// Detects archives, Word documents and unsupported formats by their bytes, and HTML by its declared type, its name
    /// or its beginning. All other content is Markdown, since any text is.
    fn of(content: &Content, announced: &Announced, limits: ArchiveLimits) -> io::Result<Self> {
        let beginning = content.head(512)?;
        if archive::is_zip(&beginning) {
            return Ok(if archive::is_docx(content, limits) { Self::Docx } else { Self::Archive });
        }
        if let Some((_, kind)) = FOREIGN.iter().find(|(mark, _)| beginning.starts_with(mark)) {
            return Ok(Self::Foreign(kind));
        }
        let is_declared =
            matches!(announced.content_type.as_deref(), Some("text/html" | "application/xhtml+xml"));
        let beginning =
            String::from_utf8_lossy(&beginning).trim_start_matches('\u{FEFF}').trim_start().to_lowercase();
        let begins = ["<!doctype html", "<html", "<?xml"].iter().any(|tag| beginning.starts_with(tag));
        Ok(if is_declared || begins || announced.file_name.as_deref().is_some_and(path::is_html) {
            Self::Html
        } else {
            Self::Markdown
        })
    }

    fn describe(self) -> &'static str {
        match self {
            Self::Archive => "a zip archive",
            Self::Docx => "a Word document",
            Self::Html => "an HTML file",
            Self::Markdown => "a text",
            Self::Foreign(kind) => kind,
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Archive => "zip",
            Self::Docx => "docx",
            Self::Html => "html",
            Self::Markdown | Self::Foreign(_) => "md",
        }
    }

    fn is_name(self, name: &str) -> bool {
        match self {
            Self::Archive => path::extension(name) == "zip",
            Self::Docx => path::is_docx(name),
            Self::Html => path::is_html(name),
            Self::Markdown | Self::Foreign(_) => path::is_markdown(name),
        }
    }
}

/// Returns the kinds of files that a source exports.
fn taken(source: ImportSource) -> &'static [Kind] {
    use Kind::{Archive, Docx, Html, Markdown};
    match source {
        ImportSource::Website | ImportSource::Html => &[Html, Archive],
        ImportSource::Docx => &[Docx, Archive],
        ImportSource::Markdown => &[Markdown, Archive],
        ImportSource::Gitbook
        | ImportSource::Mdbook
        | ImportSource::Mkdocs
        | ImportSource::Docusaurus
        | ImportSource::Vitepress
        | ImportSource::Myst
        | ImportSource::Starlight
        | ImportSource::Nextra
        | ImportSource::Fumadocs
        | ImportSource::Mintlify => &[Archive, Markdown],
        ImportSource::Zip => &[Archive, Docx],
        ImportSource::Confluence => &[Archive, Html, Docx],
        ImportSource::GithubWiki => &[Archive, Markdown],
        ImportSource::DropboxPaper => &[Markdown, Html, Docx, Archive],
        ImportSource::Notion => &[Archive, Markdown, Html],
        ImportSource::Quip | ImportSource::GoogleDocs => &[Html, Docx, Archive],
    }
}

/// Fetches `url` and opens the content, outside of the calling thread.
///
/// # Errors
/// [`GatherError`] for a URL that is refused, fails or is too large, and for content that does not match `source`.
pub async fn gather(
    fetcher: &Fetcher,
    limits: GatherLimits,
    source: ImportSource,
    url: &str,
    progress: &Progress,
) -> Result<SourceTree, GatherError> {
    progress.enter(ImportPhase::Fetching, None);
    let after = limits.timeout;
    if source == ImportSource::Website {
        let crawl = crawl::crawl(fetcher, limits.crawl, url, progress);
        let tree = tokio::time::timeout(after, crawl).await;
        let tree = tree.unwrap_or(Err(FetchError::TimedOut { after }.into()))?;
        return Ok(SourceTree { max_text: limits.max_text, ..tree });
    }
    let url = address::of_content(source, url);
    let Downloaded { content, content_type, file_name, final_url } =
        fetcher.download(&url, after, limits.max_bytes, progress).await?;
    if final_url.host_str() == Some("accounts.google.com") {
        return Err(GatherError::NotShared);
    }
    let (announced, progress) = (Announced { content_type, file_name }, progress.clone());
    let open = move || open(source, limits, &announced, content, &progress);
    fetcher.threads().run(open).await.map_err(GatherError::Interrupted)?
}

/// Opens local content: an archive, or a single file. The kind is detected by content, not by name. Blocks.
///
/// # Errors
/// [`GatherError`] for content that does not match `source`.
pub fn open(
    source: ImportSource,
    limits: GatherLimits,
    announced: &Announced,
    content: Content,
    progress: &Progress,
) -> Result<SourceTree, GatherError> {
    progress.enter(ImportPhase::Reading, None);
    let kind = Kind::of(&content, announced, limits.archive).map_err(GatherError::Spool)?;
    let wanted = taken(source);
    if !wanted.contains(&kind) {
        return Err(match (source, kind) {
            (_, Kind::Foreign(_)) => wrong(source, kind, wanted),
            (ImportSource::Zip, _) => archive::read_zip(&content, limits.archive, progress)
                .err()
                .map_or_else(|| wrong(source, kind, wanted), GatherError::Archive),
            (ImportSource::Markdown | ImportSource::GithubWiki, Kind::Html) => {
                GatherError::HtmlInsteadOfMarkdown
            }
            _ => wrong(source, kind, wanted),
        });
    }
    let tree = match (kind, source) {
        // Notion splits a large export into archives within one archive.
        (Kind::Archive, ImportSource::Notion) => {
            archive::read_zip_of_parts(&content, limits.archive, progress)?
        }
        (Kind::Archive, _) => archive::read_zip(&content, limits.archive, progress)?,
        _ => SourceTree::of_file(name_of(kind, announced.file_name.as_deref()), content),
    };
    Ok(SourceTree { max_text: limits.max_text, ..tree })
}

fn wrong(source_kind: ImportSource, found: Kind, wanted: &[Kind]) -> GatherError {
    let names: Vec<&str> = wanted.iter().map(|kind| kind.describe()).collect();
    GatherError::WrongKind { source_kind, found: found.describe(), wanted: names.join(" or ") }
}

/// Returns the path of a single file in the plan: its own name with the extension of its kind, without folders.
fn name_of(kind: Kind, file_name: Option<&str>) -> String {
    let name = file_name.and_then(|name| name.rsplit(['/', '\\']).next()).unwrap_or_default();
    // A leading dot would mark it as a setting.
    let name = name.trim().trim_start_matches('.');
    match path::sanitize(name) {
        Ok(name) if kind.is_name(&name) => name,
        Ok(name) => format!("{}.{}", path::stem(&name), kind.extension()),
        Err(_) => format!("page.{}", kind.extension()),
    }
}

#[cfg(test)]
mod tests;
