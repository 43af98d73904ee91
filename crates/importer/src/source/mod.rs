//! From what a user names or uploads to the files it holds.

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

/// Bounds on what is gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GatherLimits {
    /// How long fetching may take in all, of a website its pages and pictures together.
    pub timeout: Duration,
    /// Bytes of what is fetched or uploaded.
    pub max_bytes: u64,
    /// Bytes of text that are parsed: of pages, and of tables of contents.
    pub max_text: usize,
    /// On archives.
    pub archive: ArchiveLimits,
    /// On websites.
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
    /// Bounds with this many bytes wherever bytes are bounded: of what comes, of what it unpacks to, of a website.
    #[must_use]
    pub fn with_bytes(mut self, bytes: u64) -> Self {
        (self.max_bytes, self.archive.max_total_bytes, self.crawl.max_total_bytes) = (bytes, bytes, bytes);
        self
    }
}

/// What is said about content beside its bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Announced {
    /// The declared media type, without parameters.
    pub content_type: Option<String>,
    /// The name of the file.
    pub file_name: Option<String>,
}

/// What a file is, whatever it is announced as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Archive,
    Docx,
    Html,
    Markdown,
    /// A format that no source is imported from, such as another kind of archive.
    Foreign(&'static str),
}

/// The first bytes of files of other formats, and the names of these.
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
    /// Tells archives, Word documents and foreign formats by their bytes; HTML by its declared type, its name or how it begins. All else is Markdown, as
    /// any text is.
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

/// What each source may be imported from: what its product exports.
fn taken(source: ImportSource) -> &'static [Kind] {
    use Kind::{Archive, Docx, Html, Markdown};
    match source {
        ImportSource::Website | ImportSource::Html => &[Html, Archive],
        ImportSource::Docx => &[Docx, Archive],
        ImportSource::Markdown => &[Markdown, Archive],
        ImportSource::Zip => &[Archive, Docx],
        ImportSource::Confluence => &[Archive, Html, Docx],
        ImportSource::GithubWiki => &[Archive, Markdown],
        ImportSource::DropboxPaper => &[Markdown, Html, Docx, Archive],
        ImportSource::Notion => &[Archive, Markdown, Html],
        ImportSource::Quip | ImportSource::GoogleDocs => &[Html, Docx, Archive],
    }
}

/// Fetches `url` and opens what came, away from the thread that serves others.
///
/// # Errors
/// [`GatherError`] for a URL that is refused, fails or is too large, and for content that isn't what `source`
/// says.
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

/// Opens content that is here: an archive, or a single file. What it is tell its bytes, whatever it is announced as. Blocks.
///
/// # Errors
/// [`GatherError`] for content that isn't what `source` says.
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
        // Notion packs the parts of a large export, archives themselves, into one.
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

/// The name under which a single file is planned: its own, as a file of its kind without folders.
fn name_of(kind: Kind, file_name: Option<&str>) -> String {
    let name = file_name.and_then(|name| name.rsplit(['/', '\\']).next()).unwrap_or_default();
    // A dot at the beginning would make it a setting.
    let name = name.trim().trim_start_matches('.');
    match path::sanitize(name) {
        Ok(name) if kind.is_name(&name) => name,
        Ok(name) => format!("{}.{}", path::stem(&name), kind.extension()),
        Err(_) => format!("page.{}", kind.extension()),
    }
}

#[cfg(test)]
mod tests;
