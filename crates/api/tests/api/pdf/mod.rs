//! PDFs from the request to their removal after an hour. A script replaces the renderer; the tests of `quire-pdf` use
//! real PDFs.

mod computed;

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Duration;

use actix_web::test::TestRequest;
use actix_web::web::Bytes;
use diesel::RunQueryDsl as _;
use diesel::connection::SimpleConnection as _;
use futures_util::future::join_all;
use quire_api::ApiSettings;
use quire_domain::Role;
use quire_domain::clock::Clock as _;
use quire_domain::ids::{PageId, SpaceId};
use quire_domain::policy::Action;
use quire_importer::fetch::FetchConfig;
use quire_revision::BlobHash;
use quire_server::Settings;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::Credentials;
use quire_test_support::{Answer, Caller, TestApp};
use quire_worker::{Outcome, run_next};
use serde_json::{Value, json};
use tempfile::TempDir;

const BASE: &str = "http://127.0.0.1:8080";
const HOUR: Duration = Duration::from_secs(3_600);
/// Script that writes a PDF with the book as a comment.
const ECHO: &str =
    "printf '%%PDF-1.7 ' >\"$2\"\ncat \"$1\" >>\"$2\"\nls \"$(dirname \"$1\")\" >>\"$2\"\nenv >>\"$2\"";

struct Fixture {
    app: TestApp,
    admin: Caller,
    space: SpaceId,
    home: PageId,
    folder: TempDir,
}

impl Fixture {
    /// Creates a space with pages, with this script as the renderer.
    async fn new(script: &str) -> Self {
        Self::fetching(script, FetchConfig::default()).await
    }

    /// Creates a fixture as [`Fixture::new`] does, with these fetch settings.
    async fn fetching(script: &str, fetch: FetchConfig) -> Self {
        let settings = Settings { rate_limit: 0, ..Settings::default() };
        let limits = ApiSettings { pdf_wait: Duration::from_millis(10), ..ApiSettings::default() };
        let mut app = TestApp::start_with_limits(settings, limits, fetch).await;
        let (space, admin) = app.space().await;
        let space: SpaceId = space.parse().unwrap();
        let (_, home) = app.edit(&admin, space, ContentSelector::Space, |content| {
            let logo = content.file("logo.png", "image/png", b"picture");
            let note = content.reusable_content("Note", "Mind the gap.");
            let include = format!("{{% include \"/reusable-contents/{note}\" %}}");
            let text = format!("# Words\n\nWelcome.\n\n![logo](/files/{logo})\n\n{include}\n");
            let home = content.page(None, "Home", &text);
            let child = content.page(Some(home), "Child", "Below.");
            content.page(Some(child), "Grandchild", "Far below.");
            let other = content.page(None, "Other", "Elsewhere.");
            let hidden = content.page(None, "Secret", "Unseen.");
            content.change_page(hidden, |page| page.hidden = true);
            content.write(other, &format!("[home](/pages/{home})"));
            home
        });
        let picture = Bytes::from_static(b"picture");
        app.state.storage.files().put(space, BlobHash::of(b"picture"), picture).await.unwrap();
        app.state
            .storage
            .transact(&Credentials::from_token(admin.token()).unwrap(), |tx| {
                let content = tx.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?;
                tx.store_blobs(&content, &[(BlobHash::of(b"picture"), 7)])
            })
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        app.pdf.program = renderer(&folder, script);
        Self { app, admin, space, home, folder }
    }

    fn path(&self, query: &str) -> String {
        format!("/v1/spaces/{}/pdf{query}", self.space)
    }

    /// Requests a PDF and returns its URL.
    async fn ask(&self, query: &str) -> String {
        let answer = self.admin.get(&self.path(query)).await.expect(200);
        address(&answer)
    }

    async fn open(&self, address: &str) -> Answer {
        self.app.anonymous().get(address).await
    }

    /// Returns the book that the renderer got for a PDF.
    async fn book(&self, query: &str) -> Value {
        let address = self.ask(query).await;
        self.app.run_jobs().await;
        book(&self.open(&address).await.expect(200))
    }

    fn execute(&self, statement: &str) {
        self.app.connection().batch_execute(statement).unwrap();
    }

    fn count(&self) -> i64 {
        let counted = diesel::sql_query("SELECT count(*) AS n FROM pdfs");
        counted.get_result::<Count>(&mut self.app.connection()).unwrap().n
    }
}

#[derive(diesel::QueryableByName)]
struct Count {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    n: i64,
}

/// Creates a program that replaces the renderer.
pub fn renderer(folder: &TempDir, script: &str) -> PathBuf {
    let path = folder.path().join("renderer");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn address(answer: &Answer) -> String {
    answer.text("/url").strip_prefix(BASE).unwrap().to_owned()
}

/// Returns the book in the script's output.
fn book(answer: &Answer) -> Value {
    let text = String::from_utf8_lossy(&answer.bytes);
    let json = text.strip_prefix("%PDF-1.7 ").unwrap();
    serde_json::Deserializer::from_str(json).into_iter().next().unwrap().unwrap()
}

fn titles(book: &Value) -> Vec<(&str, u64)> {
    let pages = book["pages"].as_array().unwrap().iter();
    pages.map(|page| (page["title"].as_str().unwrap(), page["depth"].as_u64().unwrap())).collect()
}

#[actix_web::test]
async fn a_pdf_is_made_of_what_the_space_shows() {
    let fixture = Fixture::new(ECHO).await;
    let address = fixture.ask("").await;
    let waiting = fixture.open(&address).await.expect(503);
    assert_eq!((waiting.reason().as_str(), waiting.header("retry-after")), ("unavailable", "2"));
    fixture.app.run_jobs().await;

    let pdf = fixture.open(&address).await.expect(200);
    assert_eq!(pdf.header("content-type"), "application/pdf");
    assert_eq!(
        pdf.header("content-disposition"),
        "inline; filename=\"Guide.pdf\"; filename*=UTF-8''Guide.pdf"
    );
    assert_eq!(pdf.header("x-content-type-options"), "nosniff");
    assert_eq!(pdf.header("accept-ranges"), "bytes");
    let book = book(&pdf);
    assert_eq!(book["title"], "Guide");
    assert_eq!(book.get("subtitle"), None);
    assert_eq!(titles(&book), [("Home", 0), ("Child", 1), ("Grandchild", 2), ("Other", 0)]);
    assert_eq!(book["pages"][0]["id"], fixture.home.to_string());
    assert_eq!(book["pages"][0]["document"]["nodes"][0]["type"], "heading-1");
    let date = book["date"].as_str().unwrap();
    assert!(date.split(' ').count() == 3 && date.contains(" 20"), "{date}");

    let notes: Vec<String> =
        book["reusableContents"].as_object().unwrap().values().map(Value::to_string).collect();
    assert!(notes.len() == 1 && notes[0].contains("Mind the gap."), "{notes:?}");

    // The image is in the folder of the book, and its URL works.
    let files: Vec<&Value> = book["files"].as_object().unwrap().values().collect();
    assert_eq!(
        (files.len(), &files[0]["name"], &files[0]["image"]),
        (1, &json!("logo.png"), &json!("image0"))
    );
    let file = files[0]["url"].as_str().unwrap().strip_prefix(BASE).unwrap();
    assert_eq!(fixture.open(file).await.expect(200).bytes, &b"picture"[..]);
    let after = String::from_utf8_lossy(&pdf.bytes);
    assert!(after.contains("image0"), "{after}");
    // The renderer gets no environment variables of the server.
    assert!(!after.contains("CARGO"), "{after}");
}

/// Serves a response to each of this many requests, on a port of its own.
fn serve(content_type: &'static str, body: &'static [u8], requests: usize) -> String {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().take(requests) {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]).unwrap();
            let length = body.len();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
        }
    });
    format!("http://{address}")
}

#[actix_web::test]
async fn pictures_of_other_services_are_fetched_as_the_guard_allows() {
    let (picture, page) = (serve("image/png", b"bytes", 1), serve("text/html", b"<p>", 1));
    for (allow, shown) in [(vec!["127.0.0.1".parse().unwrap()], 1), (Vec::new(), 0)] {
        let fixture = Fixture::fetching(ECHO, FetchConfig { allow, ..FetchConfig::default() }).await;
        let text = format!(
            "![a]({picture}/a.png)\n\n![b]({page}/b.png)\n\n![again]({picture}/a.png)\n\n[link]({picture}/c.png)"
        );
        fixture.app.edit(&fixture.admin, fixture.space, ContentSelector::Space, |content| {
            content.write(fixture.home, &text);
        });
        let address = fixture.ask("").await;
        fixture.app.run_jobs().await;
        let made = fixture.open(&address).await.expect(200);
        let book = book(&made);
        let pictures = book.get("pictures").and_then(Value::as_object).cloned().unwrap_or_default();
        assert_eq!(pictures.len(), shown, "{book}");
        if shown == 1 {
            let name = pictures[&format!("{picture}/a.png")].as_str().unwrap().to_owned();
            assert!(
                String::from_utf8_lossy(&made.bytes).contains(&format!("\n{name}\n")),
                "its bytes are in the folder of the book"
            );
        }
    }
}

#[actix_web::test]
async fn pages_are_chosen() {
    let fixture = Fixture::new(ECHO).await;
    let home = fixture.home;
    let below = fixture.book(&format!("?page={home}")).await;
    assert_eq!(titles(&below), [("Home", 0), ("Child", 1), ("Grandchild", 2)]);
    let only = fixture.book(&format!("?page={home}&only=true")).await;
    assert_eq!(titles(&only), [("Home", 0)]);
}

#[actix_web::test]
async fn links_out_of_the_book_lead_to_the_app() {
    let fixture = Fixture::new(ECHO).await;
    let tree = fixture.app.content(&fixture.space.to_string(), &fixture.admin);
    let other = tree.page_by_path("other").unwrap().id;
    let book = fixture.book(&format!("?page={other}")).await;
    let link = &book["elsewhere"][fixture.home.to_string()];
    assert_eq!(*link, json!({"title": "Home", "url": format!("{BASE}/s/{}/home", fixture.space)}));
}

#[actix_web::test]
async fn a_change_request_has_a_pdf_of_its_own() {
    let fixture = Fixture::new(ECHO).await;
    let (space, app) = (fixture.space, &fixture.app);
    let id = app.create_change_request(&fixture.admin, space);
    let selector = ContentSelector::ChangeRequest(ChangeRequestKey::Id(id));
    app.edit(&fixture.admin, space, selector, |content| content.page(None, "Proposed", "New."));
    let path = format!("/v1/spaces/{space}/change-requests/1/pdf");
    let asked = address(&fixture.admin.get(&path).await.expect(200));
    app.run_jobs().await;
    let book = book(&fixture.open(&asked).await.expect(200));
    assert!(book["subtitle"].as_str().unwrap().starts_with("Change request #1: "));
    assert!(titles(&book).contains(&("Proposed", 0)));
    assert!(!titles(&fixture.book("").await).contains(&("Proposed", 0)));
}

#[actix_web::test]
async fn wrong_input_is_named() {
    let fixture = Fixture::new(ECHO).await;
    for query in ["?only=true", "?page=nothing", "?page=0190a5d2-7c1e-7000-8000-000000000001"] {
        let refused = fixture.admin.get(&fixture.path(query)).await.expect(400);
        assert_eq!(refused.fields(), ["page"], "{query}");
    }
    let refused = fixture.admin.get(&fixture.path("?only=perhaps")).await.expect(400);
    assert_eq!(refused.fields(), ["only"]);
    assert_eq!(fixture.count(), 0);
}

#[actix_web::test]
async fn who_may_see_the_space_may_ask() {
    let fixture = Fixture::new(ECHO).await;
    let space = fixture.space.to_string();
    for role in Role::ALL {
        fixture.app.on_space(&space, Some(role)).get(&fixture.path("")).await.expect(200);
    }
    fixture.app.on_space(&space, None).get(&fixture.path("")).await.expect(404);
    fixture.app.stranger().get(&fixture.path("")).await.expect(404);
    fixture.app.anonymous().get(&fixture.path("")).await.expect(401);
}

#[actix_web::test]
async fn the_same_is_made_once() {
    const DAY: u64 = 86_400_000;
    let fixture = Fixture::new(ECHO).await;
    // The date is on the cover, so the test must not cross midnight.
    let now = u64::try_from(fixture.app.clock.now().millis()).unwrap();
    fixture.app.clock.advance(Duration::from_millis(DAY + DAY / 2 - now % DAY));
    let first = fixture.ask("").await;
    let again = fixture.ask("").await;
    assert_eq!(first, again);
    assert_eq!(fixture.count(), 1);
    fixture.app.run_jobs().await;
    let made = fixture.open(&first).await.expect(200);
    fixture.app.clock.advance(HOUR / 2);
    // The second request renews the expiry of the PDF; the first URL expires as announced.
    let later = fixture.ask("").await;
    assert_ne!(first, later);
    assert_eq!(run_next(&fixture.app.services()).await.unwrap(), Outcome::Idle);
    assert_eq!(fixture.open(&later).await.expect(200).bytes, made.bytes);
    // Another revision gets another PDF.
    let (app, space) = (&fixture.app, fixture.space);
    app.edit(&fixture.admin, space, ContentSelector::Space, |content| content.page(None, "More", "More."));
    fixture.ask("").await;
    assert_eq!(fixture.count(), 2);
}

#[actix_web::test]
async fn an_address_holds_for_an_hour_and_then_nothing_is_left() {
    let fixture = Fixture::new(ECHO).await;
    let first = fixture.ask("").await;
    fixture.app.run_jobs().await;
    let tag = fixture.open(&first).await.expect(200).header("etag").trim_matches('"').parse().unwrap();
    let is_kept = || async {
        let files = fixture.app.state.storage.files().get(fixture.space, tag, None).await.unwrap();
        files.is_some()
    };
    fixture.app.clock.advance(HOUR / 2);
    let second = fixture.ask("").await;
    fixture.app.clock.advance(HOUR / 2);
    fixture.open(&first).await.expect(404);
    // The job for the first PDF removes no PDFs that have not expired.
    fixture.app.run_jobs().await;
    fixture.open(&second).await.expect(200);
    fixture.app.clock.advance(HOUR / 2);
    fixture.app.run_jobs().await;
    fixture.open(&second).await.expect(404);
    assert_eq!(fixture.count(), 0);
    assert!(!is_kept().await);
}

#[actix_web::test]
async fn the_sweep_of_files_leaves_pdfs_alone() {
    let fixture = Fixture::new(ECHO).await;
    let address = fixture.ask("").await;
    fixture.app.run_jobs().await;
    let blob = fixture.open(&address).await.expect(200).header("etag").trim_matches('"').parse().unwrap();
    let storage = &fixture.app.state.storage;
    fixture.app.system.transact(quire_worker::jobs::schedule).unwrap();
    // Simulates requests during the whole day.
    fixture.execute("UPDATE pdfs SET expires_at = expires_at + interval '2 days'");
    fixture.app.clock.advance(24 * HOUR);
    fixture.app.run_jobs().await;
    assert!(storage.files().get(fixture.space, blob, None).await.unwrap().is_some());
}

#[actix_web::test]
async fn a_changed_address_leads_nowhere() {
    let fixture = Fixture::new(ECHO).await;
    let address = fixture.ask("").await;
    fixture.app.run_jobs().await;
    let (path, query) = address.split_once('?').unwrap();
    let (expires, token) = query.split_once("&token=").unwrap();
    let later = format!("{expires}0");
    for changed in [
        path.to_owned(),
        format!("{path}?{expires}"),
        format!("{path}?token={token}"),
        format!("{path}?{later}&token={token}"),
        format!("{path}?{expires}&token=AAAA"),
        format!("{path}?expires=soon&token={token}"),
    ] {
        let refused = fixture.open(&changed).await.expect(404);
        assert_eq!(refused.reason(), "not-found", "{changed}");
    }
    fixture.open(&address).await.expect(200);
}

#[actix_web::test]
async fn parts_are_served() {
    let fixture = Fixture::new(ECHO).await;
    let address = fixture.ask("").await;
    fixture.app.run_jobs().await;
    let request = TestRequest::get().uri(&address).insert_header(("Range", "bytes=0-3"));
    let part = fixture.app.anonymous().send(request).await.expect(206);
    assert_eq!(part.bytes, &b"%PDF"[..]);
}

#[actix_web::test]
async fn a_failed_rendering_is_reported_and_repeated_by_the_next_request() {
    for script in [
        "echo broken >&2; exit 3",
        "kill -9 $$",
        "exit 0",
        "echo no pdf >\"$2\"",
        "head -c 3000000 /dev/zero >\"$2\"",
    ] {
        let mut fixture = Fixture::new(script).await;
        fixture.app.pdf.limits.size = 2;
        let address = fixture.ask("").await;
        fixture.app.run_jobs().await;
        let refused = fixture.open(&address).await.expect(409);
        assert_eq!(refused.reason(), "pdf-failed", "{script}");
        renderer(&fixture.folder, ECHO);
        let again = fixture.ask("").await;
        fixture.app.run_jobs().await;
        fixture.open(&again).await.expect(200);
    }
}

#[actix_web::test]
async fn documents_that_no_memory_holds_are_not_read() {
    let fixture = Fixture::new(ECHO).await;
    // The job would fail on the malformed JSON and be retried if it parsed the document.
    fixture.execute("UPDATE documents SET body = convert_to(repeat('x', 64 * 1024 * 1024 + 1), 'UTF8')");
    let address = fixture.ask("").await;
    fixture.app.run_jobs().await;
    assert_eq!(fixture.open(&address).await.expect(409).reason(), "pdf-failed");
}

#[actix_web::test]
async fn a_book_that_two_workers_were_lost_to_is_not_begun_a_third_time() {
    let fixture = Fixture::new(ECHO).await;
    let part = format!("?page={}", fixture.home);
    for (query, lost, status) in [("", 1, 200), (part.as_str(), 2, 409)] {
        let address = fixture.ask(query).await;
        fixture.execute(&format!("UPDATE jobs SET attempts = {lost} WHERE kind = 'render-pdf'"));
        fixture.app.run_jobs().await;
        fixture.open(&address).await.expect(status);
    }
    // A new request tries again.
    let address = fixture.ask(&part).await;
    fixture.app.run_jobs().await;
    fixture.open(&address).await.expect(200);
}

#[actix_web::test]
async fn a_renderer_that_takes_too_long_is_ended_with_all_that_it_started() {
    let mut fixture = Fixture::new("").await;
    let mark = fixture.folder.path().join("pid");
    let script = format!("sleep 600 &\necho $! >{}\nwait", mark.display());
    renderer(&fixture.folder, &script);
    fixture.app.pdf.limits.time = Duration::from_millis(500);
    let address = fixture.ask("").await;
    fixture.app.run_jobs().await;
    assert_eq!(fixture.open(&address).await.expect(409).reason(), "pdf-failed");
    let pid = std::fs::read_to_string(mark).unwrap();
    let state = || std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    let deadline = std::time::Instant::now() + Duration::from_secs(10);
    // The process is gone, or a zombie of the process that adopted it.
    while !(state().is_empty() || state().contains(") Z ")) {
        assert!(std::time::Instant::now() < deadline, "{}", state());
        std::thread::yield_now();
    }
}

#[actix_web::test]
async fn without_a_renderer_the_address_says_so() {
    let mut fixture = Fixture::new(ECHO).await;
    fixture.app.pdf.program = fixture.folder.path().join("absent");
    let address = fixture.ask("").await;
    fixture.app.run_jobs().await;
    let refused = fixture.open(&address).await.expect(503);
    assert!(refused.text("/error/message").contains("not installed"), "{:?}", refused.bytes);
    // The renderer may be installed later.
    fixture.app.pdf.program = renderer(&fixture.folder, ECHO);
    let again = fixture.ask("").await;
    fixture.app.run_jobs().await;
    fixture.open(&again).await.expect(200);
}

#[actix_web::test]
async fn asking_costs_the_same_for_one_page_and_for_many() {
    let fixture = Fixture::new(ECHO).await;
    let measured = async |query: String| {
        let before = fixture.app.statements();
        fixture.ask(&query).await;
        fixture.app.statements() - before
    };
    // From here on the tree is cached.
    fixture.ask("").await;
    let one = measured(format!("?page={}&only=true", fixture.home)).await;
    let many = measured(format!("?page={}", fixture.home)).await;
    assert_eq!(one, many);
}

#[actix_web::test]
async fn a_deleted_space_has_no_pdf() {
    let fixture = Fixture::new(ECHO).await;
    let address = fixture.ask("").await;
    fixture.app.run_jobs().await;
    fixture.execute("UPDATE spaces SET deleted_at = now()");
    fixture.open(&address).await.expect(404);
}

#[actix_web::test]
async fn a_space_cannot_have_every_page_made_at_once() {
    let fixture = Fixture::new(ECHO).await;
    let (app, space) = (&fixture.app, fixture.space);
    let (_, pages) = app.edit(&fixture.admin, space, ContentSelector::Space, |content| {
        (0..21).map(|number| content.page(None, &format!("Page {number}"), "")).collect::<Vec<_>>()
    });
    let query = |page: &PageId| fixture.path(&format!("?page={page}"));
    for page in &pages[..20] {
        fixture.admin.get(&query(page)).await.expect(200);
    }
    let refused = fixture.admin.get(&query(&pages[20])).await.expect(429);
    assert_eq!(refused.reason(), "rate-limited");
    assert_eq!(fixture.count(), 20);
    // Other callers can request pending PDFs.
    fixture.admin.get(&query(&pages[0])).await.expect(200);
    app.run_jobs().await;
    fixture.admin.get(&query(&pages[20])).await.expect(200);
}

#[actix_web::test]
async fn callers_at_the_same_time_share_one() {
    let fixture = Fixture::new(ECHO).await;
    let addresses = futures_util::future::join_all((0..8).map(|_| fixture.ask(""))).await;
    assert!(addresses.iter().all(|address| *address == addresses[0]), "{addresses:?}");
    assert_eq!(fixture.count(), 1);
    fixture.app.run_jobs().await;
    fixture.open(&addresses[0]).await.expect(200);
}

#[actix_web::test]
async fn groups_and_links_stand_between_the_pages() {
    let fixture = Fixture::new(ECHO).await;
    let (app, space) = (&fixture.app, fixture.space);
    let target = json!({"kind": "url", "url": "https://example.com/"});
    app.edit(&fixture.admin, space, ContentSelector::Space, |content| {
        let group = content.group("Part two");
        content.page(Some(group), "In it", "Words.");
        content.link(None, "Out", target.clone());
    });
    let book = fixture.book("").await;
    assert_eq!(titles(&book)[4..], [("Part two", 0), ("In it", 1), ("Out", 0)]);
    assert_eq!(book["pages"][6]["target"], target);
    assert_eq!(book["pages"][4].get("document"), None);
}

#[actix_web::test]
async fn those_who_wait_for_a_pdf_ask_for_it_together() {
    let settings = Settings { rate_limit: 0, ..Settings::default() };
    let limits = ApiSettings { pdf_wait: Duration::from_secs(1), ..ApiSettings::default() };
    let app = TestApp::start_with_limits(settings, limits, FetchConfig::default()).await;
    let (space, admin) = app.space().await;
    let address = address(&admin.get(&format!("/v1/spaces/{space}/pdf")).await.expect(200));
    let anyone = app.anonymous();
    let statements = async |waiting: usize| {
        let before = app.statements();
        let answers = join_all((0..waiting).map(|_| anyone.get(&address))).await;
        assert!(answers.iter().all(|answer| answer.status == 503));
        app.statements() - before
    };
    let (one, many) = (statements(1).await, statements(20).await);
    assert!(one >= 3, "{one}");
    // Each request polls once when it arrives; after that the waiting requests share their polls.
    assert!(many <= one + 25, "{many} statements for twenty, {one} for one");
}
