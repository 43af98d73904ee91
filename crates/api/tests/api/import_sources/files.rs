//! Files without a product: Markdown, HTML, Word documents and archives of them.

use serde_json::json;

use super::support::{Server, fixture, import, zipped};

#[actix_web::test]
async fn a_markdown_file_becomes_a_page() {
    let server = Server::of_file("/guide.md", "text/markdown", fixture("markdown/guide.md"));
    let imported = import("markdown", &server.url("/guide.md")).await.done();
    assert_eq!(imported.outline().await, "Guide\n");
    assert_eq!(
        imported.markdown("guide").await,
        "---\ndescription: How to use it\n---\n\n# Guide\n\nTurn the _wheel_.\n"
    );
}

#[actix_web::test]
async fn an_html_file_becomes_a_page_without_what_would_run() {
    let server = Server::of_file("/guide.html", "text/html; charset=utf-8", fixture("html/guide.html"));
    let imported = import("html", &server.url("/guide.html")).await.done();
    let markdown = imported.markdown("guide").await;
    assert!(
        markdown.starts_with("---\ndescription: How to use it\n---\n\n# Guide\n\nTurn the _wheel_.\n"),
        "{markdown}"
    );
    assert!(markdown.contains("What turns") && !markdown.contains("steal"), "{markdown}");
}

#[actix_web::test]
async fn a_word_document_becomes_a_page_with_its_pictures_as_files() {
    let server = Server::of_file("/report.docx", "application/octet-stream", zipped("docx", &[]));
    let imported = import("docx", &server.url("/report.docx")).await.done();
    assert_eq!(imported.outline().await, "Field report\n");
    let markdown = imported.markdown("report").await;
    assert!(markdown.contains("The engine **works**; see [more](https://example.com/more)."), "{markdown}");
    assert!(markdown.contains("## Picture") && markdown.contains("file:image1.png"), "{markdown}");
    let files = imported.files().await;
    assert_eq!(
        (files[0]["name"].clone(), files[0]["contentType"].clone()),
        (json!("image1.png"), json!("image/png"))
    );
    let counts = (imported.answer.at("/importedResources"), imported.answer.at("/totalResources"));
    assert_eq!(counts, (&json!(2), &json!(2)));
}

#[actix_web::test]
async fn an_archive_mixes_all_of_them() {
    let archive = zipped(
        "zip",
        &[("pages/report.docx", zipped("docx", &[])), ("pages/broken.docx", b"PK\x03\x04 no".to_vec())],
    );
    let server = Server::of_file("/all.zip", "application/zip", archive);
    let imported = import("zip", &server.url("/all.zip")).await.done();
    assert_eq!(imported.outline().await, "Everything\nPages#\n  Broken\n  Guide\n  Field report\n");
    let markdown = imported.markdown("everything").await;
    assert!(markdown.contains("[the page](page:Guide#wheel)"), "{markdown}");
    assert!(
        markdown.contains("[the report](page:Field report)") && markdown.contains("file:dot.png"),
        "{markdown}"
    );
    let guide = imported.markdown("pages/guide").await;
    assert!(guide.contains("[the start](page:Everything)"), "{guide}");
    let report = imported.report();
    assert!(report.contains(&"failed pages/broken.docx".to_owned()), "{report:?}");
    assert!(report.contains(&"skipped data.bin".to_owned()), "{report:?}");
}

#[actix_web::test]
async fn what_is_something_else_than_announced_is_refused_by_name() {
    let page = || fixture("html/guide.html");
    for (source, path, kind, body, reason) in [
        ("docx", "/a", "text/html", page(), "import-invalid"),
        ("markdown", "/a", "text/html", page(), "import-invalid"),
        ("html", "/a", "text/plain", b"# Hi".to_vec(), "import-invalid"),
        ("confluence", "/a", "text/plain", b"# Hi".to_vec(), "import-invalid"),
        ("website", "/a", "text/plain", b"# Hi".to_vec(), "import-invalid"),
        ("zip", "/a", "text/plain", b"# Hi".to_vec(), "import-invalid"),
    ] {
        let server = Server::of_file(path, kind, body);
        let refused = import(source, &server.url(path)).await.answer.expect(400);
        assert_eq!(
            (refused.reason().as_str(), refused.fields()),
            (reason, vec!["url".to_owned()]),
            "{source}"
        );
    }
}
