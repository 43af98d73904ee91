//! From what a user names or uploads to the files it holds.

use bytes::Bytes;
use quire_domain::imports::ImportSource;

use crate::archive::{self, ArchiveError, ArchiveLimits};
use crate::fetch::{FetchError, Fetched, Fetcher};
use crate::path;
use crate::tree::SourceTree;

/// Why there are no files to plan an import from.
#[derive(Debug, thiserror::Error)]
pub enum GatherError {
    /// This source is not offered yet.
    #[error("importing from `{}` is not offered yet", .0.as_str())]
    NotOffered(ImportSource),
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
    /// The work broke off: the server shuts down, or a bug stopped it.
    #[error("the import was interrupted")]
    Interrupted(#[source] tokio::task::JoinError),
}

/// Fetches `url` and opens what came, away from the thread that serves others.
///
/// # Errors
/// [`GatherError`] for a URL that is refused, fails or is too large, and for content that isn't what `source`
/// says.
pub async fn gather(
    fetcher: &Fetcher,
    limits: ArchiveLimits,
    source: ImportSource,
    url: &str,
) -> Result<SourceTree, GatherError> {
    offered(source)?;
    let Fetched { bytes, content_type, file_name, .. } = fetcher.fetch(url).await?;
    let is_html = content_type.as_deref() == Some("text/html");
    if source == ImportSource::Markdown && is_html && !archive::is_zip(&bytes) {
        return Err(GatherError::HtmlInsteadOfMarkdown);
    }
    let open = move || open(source, limits, file_name.as_deref(), &bytes);
    tokio::task::spawn_blocking(open).await.map_err(GatherError::Interrupted)?
}

/// Opens an upload: an archive, or a single Markdown file. An archive is recognised by its bytes whatever it
/// is announced as.
///
/// # Errors
/// [`GatherError`] for content that isn't what `source` says.
pub fn open(
    source: ImportSource,
    limits: ArchiveLimits,
    file_name: Option<&str>,
    bytes: &Bytes,
) -> Result<SourceTree, GatherError> {
    offered(source)?;
    if source == ImportSource::Zip || archive::is_zip(bytes) {
        return Ok(archive::read_zip(bytes, limits)?);
    }
    Ok(SourceTree::from_files([(markdown_name(file_name), bytes.clone())]))
}

fn offered(source: ImportSource) -> Result<(), GatherError> {
    match source {
        ImportSource::Zip | ImportSource::Markdown => Ok(()),
        other => Err(GatherError::NotOffered(other)),
    }
}

/// The name under which a single Markdown file is planned: its own, as a Markdown file without folders.
fn markdown_name(file_name: Option<&str>) -> String {
    let name = file_name.and_then(|name| name.rsplit(['/', '\\']).next()).unwrap_or_default();
    // A dot at the beginning would make it a setting.
    let name = name.trim().trim_start_matches('.');
    match path::sanitize(name) {
        Ok(name) if path::is_markdown(&name) => name,
        Ok(name) => format!("{}.md", path::stem(&name)),
        Err(_) => "page.md".to_owned(),
    }
}

#[cfg(test)]
mod tests;
