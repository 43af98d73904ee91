use std::io::{BufRead as _, BufReader, Cursor, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::thread;

use zip::write::{SimpleFileOptions, ZipWriter};

use super::*;
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
    open(source, ArchiveLimits::default(), file_name, bytes)
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
    runtime.block_on(gather(&fetcher, ArchiveLimits::default(), source, &format!("http://{address}{path}")))
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
fn what_is_no_archive_is_refused_as_one() {
    let error = opened(ImportSource::Zip, Some("a.md"), &Bytes::from_static(b"# Hi")).unwrap_err();
    assert!(matches!(error, GatherError::Archive(ArchiveError::Unreadable(_))), "{error:?}");
}

#[test]
fn sources_that_are_not_offered_say_so() {
    for source in ImportSource::ALL {
        let error = opened(source, None, &archive()).err();
        let offered = matches!(source, ImportSource::Zip | ImportSource::Markdown);
        assert_eq!(error.is_none(), offered, "{source:?}");
        assert!(error.is_none_or(|error| error.to_string().contains(source.as_str())));
    }
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
fn a_web_page_in_place_of_markdown_is_refused() {
    let address = serve_once("text/html; charset=utf-8", Bytes::from_static(b"<!doctype html>"));
    let error = gathered(address, ImportSource::Markdown, "/blob/guide.md").unwrap_err();
    assert!(matches!(error, GatherError::HtmlInsteadOfMarkdown), "{error:?}");
}
