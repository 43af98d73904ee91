//! Imports: uploaded and fetched, below the root and into a page.

use std::cell::Cell;
use std::io::{Cursor, Read as _, Seek as _, Write as _};
use std::net::TcpListener;
use std::rc::Rc;
use std::sync::mpsc;
use std::task::Poll;
use std::time::Duration;

use actix_web::test::TestRequest;
use futures_util::future::{join, join_all, select};
use futures_util::stream;
use quire_api::ApiSettings;
use quire_domain::Role;
use quire_importer::fetch::FetchConfig;
use quire_importer::source::GatherLimits;
use quire_server::Settings;
use quire_test_support::{Answer, Caller, TestApp, zipped};
use serde_json::{Value, json};
use tokio::task::yield_now;
use zip::write::SimpleFileOptions;

const GUIDE: &[(&str, &str)] = &[
    (
        "docs/SUMMARY.md",
        "# Table of contents\n\n* [Welcome](README.md)\n\n## Use\n\n* [Install](use/install.md)\n  * [Linux](use/linux.md)\n* [Planned]()\n",
    ),
    (
        "docs/README.md",
        "# Welcome\n\nStart with [the installation](use/install.md#steps).\n\n![logo](.gitbook/assets/logo.png)\n",
    ),
    (
        "docs/use/install.md",
        "---\ndescription: How to install it\n---\n\n# Install\n\n## Steps\n\nSee [Linux](linux.md) and [nothing](missing.md).\n",
    ),
    ("docs/use/linux.md", "# Linux\n\n{% hint style=\"info\" %}\nWorks.\n{% endhint %}\n"),
    ("docs/.gitbook/assets/logo.png", "not really a picture"),
    ("docs/draft.md", "# Draft\n\nNot listed.\n"),
];

pub async fn upload(caller: &Caller, path: &str, source: &str, file: &[u8]) -> Answer {
    let mut body = format!(
        "--b\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n{source}\r\n\
         --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"guide.zip\"\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(file);
    body.extend_from_slice(b"\r\n--b--\r\n");
    let request = TestRequest::post().uri(path).set_payload(body);
    caller.send(request.insert_header(("Content-Type", "multipart/form-data; boundary=b"))).await
}

/// Serves one body once, on a port of its own.
fn serve(body: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]).unwrap();
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len())
            .unwrap();
        stream.write_all(&body).unwrap();
    });
    format!("http://{address}/guide.zip")
}

async fn app_that_fetches_locally() -> TestApp {
    let fetch = FetchConfig { allow: vec!["127.0.0.1".parse().unwrap()], ..FetchConfig::default() };
    TestApp::start_with(Settings { rate_limit: 0, ..Settings::default() }, fetch).await
}

async fn pages(caller: &Caller, space: &str) -> Value {
    caller.get(&format!("/v1/spaces/{space}/content/pages")).await.expect(200).at("/pages").clone()
}

#[actix_web::test]
async fn an_upload_becomes_one_revision_with_its_tree_links_and_files() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let path = format!("/v1/spaces/{space}/content/import");
    let before = admin.get(&format!("/v1/spaces/{space}")).await.expect(200).text("/revision");
    let imported = upload(&admin, &path, "zip", &zipped(GUIDE)).await.expect(201);
    assert_eq!((imported.at("/importedResources"), imported.at("/totalResources")), (&json!(7), &json!(7)));
    let head = admin.get(&format!("/v1/spaces/{space}")).await.expect(200).text("/revision");
    assert_eq!(head, imported.text("/revision"));
    assert_ne!(head, before);
    assert!(imported.header("location").ends_with(&format!("/v1/spaces/{space}/revisions/{head}")));
    let pages = pages(&admin, &space).await;
    let title = |pointer: &str| pages.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    assert_eq!(title("/0/title"), "Welcome");
    assert_eq!((title("/1/type"), title("/1/title")), ("group".to_owned(), "Use".to_owned()));
    assert_eq!(
        (title("/1/pages/0/title"), title("/1/pages/0/pages/0/title")),
        ("Install".to_owned(), "Linux".to_owned())
    );
    let (install, message) = (title("/1/pages/0/id"), "broken links: `missing.md`");
    let broken =
        json!({"path": "use/install.md", "page": install, "status": "broken-links", "message": message});
    assert!(imported.at("/report").as_array().unwrap().contains(&broken), "{}", imported.json);
    assert_eq!(title("/1/pages/1/title"), "Planned");
    assert_eq!((title("/2/title"), pages.pointer("/2/hidden")), ("Draft".to_owned(), Some(&json!(true))));
    let install = title("/1/pages/0/path");
    let page =
        admin.get(&format!("/v1/spaces/{space}/content/path/{install}?format=markdown")).await.expect(200);
    assert_eq!(page.text("/description"), "How to install it");
    let markdown = page.text("/markdown");
    assert!(markdown.contains("(missing.md)") && markdown.contains("# Install"), "{markdown}");
    let files = admin.get(&format!("/v1/spaces/{space}/content/files")).await.expect(200);
    assert_eq!((files.at("/count"), files.text("/items/0/name")), (&json!(1), "logo.png".to_owned()));
}

#[actix_web::test]
async fn a_url_is_fetched_through_the_guard() {
    let app = app_that_fetches_locally().await;
    let (space, admin) = app.space().await;
    let path = format!("/v1/spaces/{space}/content/import");
    let url = serve(zipped(GUIDE));
    admin.post(&path, json!({"url": url, "source": "zip"})).await.expect(201);
    for (url, reason) in [
        ("http://127.0.0.2/x.zip", "fetch-refused"),
        ("http://169.254.169.254/latest", "fetch-refused"),
        ("ftp://example.com/x.zip", "invalid-body"),
        ("http://127.0.0.1:1/x.zip", "fetch-failed"),
    ] {
        let refused = admin.post(&path, json!({"url": url, "source": "zip"})).await.expect(400);
        assert_eq!((refused.reason().as_str(), refused.fields()), (reason, vec!["url".to_owned()]), "{url}");
    }
    let refused = admin
        .post(&path, json!({"url": serve(b"PK\x03\x04 broken".to_vec()), "source": "zip"}))
        .await
        .expect(400);
    assert_eq!(refused.reason(), "import-invalid");
    let refused = admin
        .post(&path, json!({"url": serve(zipped(&[(".bookignore", "x")])), "source": "zip"}))
        .await
        .expect(400);
    assert_eq!(refused.reason(), "import-empty");
}

#[actix_web::test]
async fn what_is_refused_changes_nothing() {
    let imports = GatherLimits::default().with_bytes(1 << 20);
    let settings = Settings { rate_limit: 0, ..Settings::default() };
    let limits = ApiSettings { imports, ..ApiSettings::default() };
    let app = TestApp::start_with_limits(settings, limits, FetchConfig::default()).await;
    let (space, admin) = app.space().await;
    let path = format!("/v1/spaces/{space}/content/import");
    let before = admin.get(&format!("/v1/spaces/{space}")).await.expect(200).json;
    assert_eq!(admin.post(&path, json!({"source": "zip"})).await.expect(400).fields(), ["url"]);
    assert_eq!(
        admin.post(&path, json!({"url": "https://example.com", "source": "disk"})).await.expect(400).fields(),
        ["source"]
    );
    assert_eq!(upload(&admin, &path, "disk", b"x").await.expect(400).fields(), ["source"]);
    assert_eq!(upload(&admin, &path, "zip", b"no archive").await.expect(400).fields(), ["file"]);
    let two = b"a\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"b.md\"\r\n\r\nb";
    assert_eq!(upload(&admin, &path, "markdown", two).await.expect(400).fields(), ["file"]);
    let big = vec![b'x'; 2 << 20];
    upload(&admin, &path, "markdown", &big).await.expect(413);
    let reader = app.on_space(&space, Some(Role::Comment));
    upload(&reader, &path, "zip", &zipped(GUIDE)).await.expect(403);
    admin.patch(&format!("/v1/spaces/{space}"), json!({"title": "Guide"})).await.expect(200);
    let after = admin.get(&format!("/v1/spaces/{space}")).await.expect(200).json;
    assert_eq!(after["revision"], before["revision"]);
    admin.patch(&format!("/v1/spaces/{space}"), json!({"editMode": "locked"})).await.expect(200);
    let refused = upload(&admin, &path, "zip", &zipped(GUIDE)).await.expect(409);
    assert_eq!(refused.reason(), "space-locked");
}

#[actix_web::test]
async fn an_import_into_a_page_replaces_its_document_and_puts_the_rest_below() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let root = format!("/v1/spaces/{space}/content/import");
    upload(&admin, &root, "markdown", b"# Home\n\nOld text.\n").await.expect(201);
    let home = pages(&admin, &space).await[0]["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/spaces/{space}/content/page/{home}/import");
    let files = [
        ("a/README.md", "# New\n\nSee [below](below.md) and [home](README.md).\n"),
        ("a/below.md", "# Below\n"),
    ];
    upload(&admin, &path, "zip", &zipped(&files)).await.expect(201);
    let after = pages(&admin, &space).await;
    assert_eq!(after.as_array().unwrap().len(), 1);
    assert_eq!(
        (after[0]["title"].as_str(), after[0]["pages"][0]["title"].as_str()),
        (Some("Home"), Some("Below"))
    );
    let page =
        admin.get(&format!("/v1/spaces/{space}/content/page/{home}?format=markdown")).await.expect(200);
    let markdown = page.text("/markdown");
    assert!(
        markdown.contains(&format!("[home](/pages/{home})")) && !markdown.contains("Old text"),
        "{markdown}"
    );
    let absent = path.replace(&home, "0190a5d2-7c1e-7000-8000-000000000001");
    upload(&admin, &absent, "zip", &zipped(&files)).await.expect(404);
}

#[actix_web::test]
async fn only_a_document_is_imported_into() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let root = format!("/v1/spaces/{space}/content/import");
    let files = [("SUMMARY.md", "## Group\n\n* [A](a.md)\n* [Out](https://a.example)\n"), ("a.md", "# A\n")];
    upload(&admin, &root, "zip", &zipped(&files)).await.expect(201);
    let pages = pages(&admin, &space).await;
    let before = admin.get(&format!("/v1/spaces/{space}")).await.expect(200).json;
    for page in [&pages[0], &pages[0]["pages"][1]] {
        let (id, kind) = (page["id"].as_str().unwrap(), page["type"].as_str().unwrap());
        assert!(["group", "link"].contains(&kind), "{kind}");
        let path = format!("/v1/spaces/{space}/content/page/{id}/import");
        let refused = upload(&admin, &path, "markdown", b"# New\n").await.expect(400);
        assert_eq!(
            (refused.reason(), refused.text("/error/message").contains("is not a document")),
            ("import-invalid".to_owned(), true)
        );
    }
    let after = admin.get(&format!("/v1/spaces/{space}")).await.expect(200).json;
    assert_eq!(after["revision"], before["revision"]);
}

#[actix_web::test]
async fn pages_with_the_same_text_share_a_document() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let text = "See [the other](b.md).\n";
    let files = [("a.md", text), ("b.md", text), ("c.md", text)];
    let path = format!("/v1/spaces/{space}/content/import");
    upload(&admin, &path, "zip", &zipped(&files)).await.expect(201);
    let pages = pages(&admin, &space).await;
    let documents: Vec<_> = pages.as_array().unwrap().iter().map(|page| page["documentId"].clone()).collect();
    assert_eq!((documents.len(), documents[0].is_string()), (3, true));
    assert!(documents.iter().all(|document| *document == documents[0]), "{documents:?}");
}

/// Returns the peak memory of this process in bytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// `cargo test --release -p quire-api --test api -- --ignored --nocapture imports::a_thousand` prints the time and
/// memory of a large import.
#[actix_web::test]
#[ignore = "takes long, and its time says more about the machine than about the code"]
async fn a_thousand_pages_with_a_thousand_images_are_one_revision_in_bounds() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for number in 0..1_000_u32 {
        archive
            .start_file(format!("part {}/page{number}.md", number / 50), SimpleFileOptions::default())
            .unwrap();
        let words = format!("Words of page {number}, which go on for a while. ").repeat(40);
        write!(
            archive,
            "# Page {number}\n\n{words}\n\n![](../images/{number}.png)\n\nNext: [page](page{}.md).\n",
            number + 1
        )
        .unwrap();
        archive.start_file(format!("images/{number}.png"), stored).unwrap();
        let seed = number.wrapping_mul(2_654_435_761);
        let picture: Vec<u8> = (0..30_000_u32)
            .map(|at| (seed.wrapping_add(at.wrapping_mul(at)) >> 7).to_le_bytes()[0])
            .collect();
        archive.write_all(&picture).unwrap();
    }
    let archive = archive.finish().unwrap().into_inner();
    let before = peak_memory();
    let started = std::time::Instant::now();
    let path = format!("/v1/spaces/{space}/content/import");
    let imported = upload(&admin, &path, "zip", &archive).await.expect(201);
    let (took, grown) = (started.elapsed(), peak_memory() - before);
    println!("{} MB of archive: {took:?}, {} MB more at the peak", archive.len() >> 20, grown >> 20);
    assert_eq!(imported.at("/importedResources"), &json!(2_020));
    assert!(took.as_secs() < 20 && grown < 300 << 20, "{took:?}, {grown} bytes");
}

/// `cargo test --release -p quire-api --test api -- --ignored --nocapture imports::memory` prints the memory of
/// importing an archive of 90 MB. The archive is served from a file, so that it does not count.
#[actix_web::test]
#[ignore = "takes long, and its time says more about the machine than about the code"]
async fn memory_does_not_grow_with_the_archive() {
    let mut grown = Vec::new();
    for megabytes in [10_u32, 90] {
        let app = app_that_fetches_locally().await;
        let (space, admin) = app.space().await;
        let mut file = tempfile::tempfile().unwrap();
        let mut archive = zip::ZipWriter::new(&mut file);
        let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        archive.start_file("page.md", stored).unwrap();
        archive.write_all(b"# Page\n\n![](0.png)\n").unwrap();
        for number in 0..megabytes / 5 {
            archive.start_file(format!("{number}.png"), stored).unwrap();
            let seed = number.wrapping_mul(2_654_435_761);
            for block in 0..80_u32 {
                let at = seed.wrapping_add(block);
                let bytes: Vec<u8> = (0..65_536_u32)
                    .map(|resource| (at.wrapping_mul(resource.wrapping_mul(resource)) >> 7).to_le_bytes()[0])
                    .collect();
                archive.write_all(&bytes).unwrap();
            }
        }
        archive.finish().unwrap();
        let url = serve_file(file);
        let before = peak_memory();
        let started = std::time::Instant::now();
        let path = format!("/v1/spaces/{space}/content/import");
        let imported = admin.post(&path, json!({"url": url, "source": "zip"})).await.expect(201);
        assert_eq!(imported.at("/importedResources"), &json!(megabytes / 5 + 1));
        grown.push((peak_memory() - before) >> 20);
        println!(
            "{megabytes} MB of archive: {:?}, {} MB more at the peak",
            started.elapsed(),
            grown[grown.len() - 1]
        );
    }
    assert!(grown.iter().all(|megabytes| *megabytes < 60), "{grown:?}");
}

/// Serves a file once, on a port of its own.
fn serve_file(mut file: std::fs::File) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]).unwrap();
        let length = file.seek(std::io::SeekFrom::End(0)).unwrap();
        file.rewind().unwrap();
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n").unwrap();
        std::io::copy(&mut file, &mut stream).unwrap();
    });
    format!("http://{address}/guide.zip")
}

#[actix_web::test]
async fn the_number_of_awaited_imports_is_bounded() {
    let wait = Duration::from_millis(50);
    let settings = Settings { rate_limit: 0, wait, ..Settings::default() };
    let limits = ApiSettings { waited_imports: 1, ..ApiSettings::default() };
    let app = TestApp::start_with_limits(settings, limits, FetchConfig::default()).await;
    let (space, admin) = app.space().await;
    let path = format!("/v1/spaces/{space}/content/import");
    let taken_in = Rc::new(Cell::new(false));
    let seen = taken_in.clone();
    let body = stream::poll_fn(move |_| {
        seen.set(true);
        Poll::Pending
    });
    let form = TestRequest::post().uri(&path);
    let form = form.insert_header(("Content-Type", "multipart/form-data; boundary=b"));
    let first = admin.send_streamed(form, body);
    let others = async {
        while !taken_in.get() {
            yield_now().await;
        }
        let refused = upload(&admin, &path, "zip", &zipped(GUIDE)).await.expect(503);
        assert_eq!((refused.reason().as_str(), refused.header("retry-after")), ("unavailable", "2"));
        // Other requests are not affected.
        let _ = admin.get(&format!("/v1/spaces/{space}")).await.expect(200);
        let later = TestRequest::post().uri(&path).insert_header(("Prefer", "respond-async"));
        let body = json!({"url": "http://127.0.0.1/x.zip", "source": "zip"});
        let _ = admin.send(later.set_json(body)).await.expect(202);
    };
    // A cancelled request releases its permit.
    select(Box::pin(first), Box::pin(others)).await;
    upload(&admin, &path, "zip", &zipped(GUIDE)).await.expect(201);
}

#[actix_web::test]
async fn computing_imports_do_not_delay_other_requests() {
    let settings = Settings { rate_limit: 0, wait: Duration::from_millis(50), ..Settings::default() };
    let app = TestApp::start_with(settings, FetchConfig::default()).await;
    let mut releases = Vec::new();
    let computing: Vec<_> = (0..2 * app.state.settings.concurrency)
        .map(|_| {
            let (release, held) = mpsc::channel::<()>();
            releases.push(release);
            app.api.imports.limiter.compute(move || Ok(held.recv().is_err()))
        })
        .collect();
    let others = async {
        let _ = app.anonymous().get("/readyz").await.expect(200);
        drop(releases);
    };
    let (computed, ()) = join(join_all(computing), others).await;
    assert!(computed.into_iter().all(|released| released.unwrap()));
}
