use std::io::{BufRead as _, BufReader, Cursor, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::thread;

use bytes::Bytes;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::*;
use crate::archive::ArchiveError;
use crate::fetch::FetchConfig;

fn archive() -> Bytes {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["docs/a.md", "docs/b.md"] {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(b"# Title").unwrap();
    }
    writer.finish().unwrap().into_inner().into()
}

fn paths(tree: &SourceTree) -> Vec<&str> {
    tree.files.keys().map(String::as_str).collect()
}

fn opened(source: ImportSource, file_name: Option<&str>, bytes: &Bytes) -> Result<SourceTree, GatherError> {
    opened_within(GatherLimits::default(), source, file_name, bytes)
}

fn opened_within(
    limits: GatherLimits,
    source: ImportSource,
    file_name: Option<&str>,
    bytes: &Bytes,
) -> Result<SourceTree, GatherError> {
    let announced = Announced { content_type: None, file_name: file_name.map(str::to_owned) };
    open(source, limits, &announced, bytes.clone().into(), &Progress::default())
}

/// Answers one request with `body`.
fn serve_once(content_type: &'static str, body: Bytes) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap());
        let mut line = String::new();
        while lines.read_line(&mut line).unwrap() > 2 {}
        let length = body.len();
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n")
            .unwrap();
        stream.write_all(&body).unwrap();
    });
    address
}

fn gathered(address: SocketAddr, source: ImportSource, path: &str) -> Result<SourceTree, GatherError> {
    let allow = vec![address.to_string().parse().unwrap()];
    let fetcher = Fetcher::new(FetchConfig { allow, ..FetchConfig::default() });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (limits, url, progress) =
        (GatherLimits::default(), format!("http://{address}{path}"), Progress::default());
    runtime.block_on(gather(&fetcher, limits, source, &url, &progress))
}

#[test]
fn an_archive_is_opened_whatever_it_is_announced_as() {
    for source in [ImportSource::Zip, ImportSource::Markdown] {
        assert_eq!(paths(&opened(source, Some("docs.bin"), &archive()).unwrap()), ["a.md", "b.md"]);
    }
}

#[test]
fn a_markdown_file_keeps_its_name() {
    for (name, kept) in [
        (Some("guide.md"), "guide.md"),
        (Some("../up/guide.markdown"), "guide.markdown"),
        (Some("notes.txt"), "notes.md"),
        (Some("notes"), "notes.md"),
        (Some(".hidden.md"), "hidden.md"),
        (Some("C:\\Users\\ada\\guide.md"), "guide.md"),
        (Some(".."), "page.md"),
        (Some("..."), "page.md"),
        (Some(""), "page.md"),
        (None, "page.md"),
    ] {
        let tree = opened(ImportSource::Markdown, name, &Bytes::from_static(b"# Hi")).unwrap();
        assert_eq!(paths(&tree), [kept], "{name:?}");
    }
}

#[test]
fn invalid_archives_are_refused() {
    let error = opened(ImportSource::Zip, Some("a.md"), &Bytes::from_static(b"# Hi")).unwrap_err();
    assert!(matches!(error, GatherError::Archive(ArchiveError::Unreadable(_))), "{error:?}");
}

#[test]
fn each_source_takes_what_its_product_exports_and_says_so() {
    let html = Bytes::from_static(b"<!DOCTYPE html><p>Hi");
    let text = Bytes::from_static(b"# Hi");
    for source in ImportSource::ALL {
        assert!(opened(source, None, &archive()).is_ok(), "{source:?}");
        for (kind, name, bytes) in [(Kind::Html, "page.html", &html), (Kind::Markdown, "page.md", &text)] {
            match opened(source, None, bytes) {
                Ok(tree) => assert_eq!(paths(&tree), [name], "{source:?}"),
                Err(error) => assert!(!taken(source).contains(&kind), "{source:?}: {error:?}"),
            }
        }
    }
    let error = opened(ImportSource::Docx, None, &html).unwrap_err().to_string();
    assert_eq!(error, "it is an HTML file, but `docx` is imported from a Word document or a zip archive");
}

#[test]
fn unsupported_formats_are_named() {
    for (bytes, name) in [
        (&b"%PDF-1.7 ..."[..], "it is a PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "it is an office document that is encrypted"),
        (b"\x1f\x8b\x08", "it is a gzip archive"),
    ] {
        for source in ImportSource::ALL {
            let error = opened(source, None, &Bytes::from_static(bytes)).unwrap_err();
            assert!(matches!(error, GatherError::WrongKind { .. }), "{source:?}: {error:?}");
            assert!(error.to_string().starts_with(name), "{error}");
        }
    }
}

#[test]
fn the_parts_of_a_large_notion_export_are_one() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in [("Export-1-Part-1.zip", archive()), ("Export-1-Part-2.zip", archive())] {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(&bytes).unwrap();
    }
    let parts: Bytes = writer.finish().unwrap().into_inner().into();
    let tree = opened(ImportSource::Notion, None, &parts).unwrap();
    assert_eq!(paths(&tree), ["a.md", "b.md"]);
    assert_eq!(tree.report.len(), 2, "the same names in the second part are reported: {:?}", tree.report);
    assert_eq!(
        paths(&opened(ImportSource::Zip, None, &parts).unwrap()),
        ["Export-1-Part-1.zip", "Export-1-Part-2.zip"]
    );
    let limits = GatherLimits {
        archive: ArchiveLimits { max_entries: 5, ..ArchiveLimits::default() },
        ..GatherLimits::default()
    };
    let error = opened_within(limits, ImportSource::Notion, None, &parts).unwrap_err();
    assert!(matches!(error, GatherError::Archive(ArchiveError::TooManyFiles { .. })), "{error:?}");
}

#[test]
fn a_fetched_archive_is_opened() {
    let address = serve_once("application/zip", archive());
    assert_eq!(paths(&gathered(address, ImportSource::Zip, "/docs.zip").unwrap()), ["a.md", "b.md"]);
}

#[test]
fn a_fetched_page_is_named_by_its_address() {
    let address = serve_once("text/plain; charset=utf-8", Bytes::from_static(b"# Hi"));
    let tree = gathered(address, ImportSource::Markdown, "/raw/my%20guide.md?ref=main").unwrap();
    assert_eq!(paths(&tree), ["my guide.md"]);
}

#[test]
fn a_web_page_instead_of_markdown_is_refused() {
    let address = serve_once("text/html; charset=utf-8", Bytes::from_static(b"<!doctype html>"));
    let error = gathered(address, ImportSource::Markdown, "/blob/guide.md").unwrap_err();
    assert!(matches!(error, GatherError::HtmlInsteadOfMarkdown), "{error:?}");
}

#[test]
fn too_large_content_is_refused() {
    let address = serve_once("application/zip", archive());
    let allow = vec![address.to_string().parse().unwrap()];
    let fetcher = Fetcher::new(FetchConfig { allow, ..FetchConfig::default() });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let limits = GatherLimits::default().with_bytes(20);
    let (url, progress) = (format!("http://{address}/docs.zip"), Progress::default());
    let gathered = gather(&fetcher, limits, ImportSource::Zip, &url, &progress);
    let error = runtime.block_on(gathered).unwrap_err();
    assert!(matches!(error, GatherError::Fetch(FetchError::TooLarge { limit: 20 })), "{error:?}");
}

#[test]
fn a_server_that_takes_longer_than_the_import_may_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap());
        let mut line = String::new();
        while lines.read_line(&mut line).unwrap() > 2 {}
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n").unwrap();
        // Sends single bytes until the client closes the connection.
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let mut heard = [0; 4096];
        while stream.write_all(b"x").is_ok() && !matches!(io::Read::read(&mut stream, &mut heard), Ok(0)) {}
    });
    let allow = vec![address.to_string().parse().unwrap()];
    let fetcher = Fetcher::new(FetchConfig { allow, ..FetchConfig::default() });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let limits = GatherLimits { timeout: Duration::from_millis(200), ..GatherLimits::default() };
    let (url, progress) = (format!("http://{address}/docs.zip"), Progress::default());
    let gathered = gather(&fetcher, limits, ImportSource::Zip, &url, &progress);
    let error = runtime.block_on(gathered).unwrap_err();
    assert!(matches!(error, GatherError::Fetch(FetchError::TimedOut { .. })), "{error:?}");
    let state = progress.now();
    assert_eq!((state.phase, state.total), (Some(ImportPhase::Fetching), Some(1_000)));
    assert!((1..1_000).contains(&state.done), "{state:?}");
}
