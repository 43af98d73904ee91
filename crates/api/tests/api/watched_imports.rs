//! Background imports: progress, cancellation, and continuation after a lost worker.

use std::io::{BufRead as _, BufReader, Cursor, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

use actix_web::test::TestRequest;
use futures_util::StreamExt as _;
use futures_util::future::join;
use quire_api::ApiSettings;
use quire_domain::Role;
use quire_domain::clock::Clock as _;
use quire_importer::fetch::FetchConfig;
use quire_importer::source::GatherLimits;
use quire_server::Settings;
use quire_storage::content::files::StoredUpload;
use quire_test_support::{Answer, Caller, TestApp};
use quire_worker::{Outcome, run_next};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;

const HOUR: Duration = Duration::from_secs(3_600);
/// Longer than the lease of a job.
const LEASE: Duration = Duration::from_secs(61);

fn archive(pages: usize) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for page in 0..pages {
        archive.start_file(format!("page-{page}.md"), SimpleFileOptions::default()).unwrap();
        write!(archive, "# Page {page}\n\n![](logo.png)\n").unwrap();
    }
    archive.start_file("logo.png", SimpleFileOptions::default()).unwrap();
    archive.write_all(b"not really a picture").unwrap();
    archive.finish().unwrap().into_inner()
}

/// Server that reports each request and responds when it gets the body.
struct Slow {
    url: String,
    requests: tokio::sync::mpsc::UnboundedReceiver<mpsc::Sender<Vec<u8>>>,
}

impl Slow {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/docs.zip", listener.local_addr().unwrap());
        let (asked, requests) = tokio::sync::mpsc::unbounded_channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (answer, answered) = mpsc::channel();
                let stream = stream.unwrap();
                std::thread::spawn(move || answer_when_given(stream, &answered));
                if asked.send(answer).is_err() {
                    return;
                }
            }
        });
        Self { url, requests }
    }

    /// Returns the next request that has arrived.
    async fn request(&mut self) -> mpsc::Sender<Vec<u8>> {
        self.requests.recv().await.unwrap()
    }
}

fn answer_when_given(mut stream: TcpStream, answered: &mpsc::Receiver<Vec<u8>>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    while lines.read_line(&mut line).unwrap() > 2 {}
    let Ok(body) = answered.recv() else { return };
    // The client may have disconnected.
    let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(&body);
}

/// Starts an application that may fetch from this machine.
async fn app() -> TestApp {
    let fetch = FetchConfig { allow: vec!["127.0.0.1".parse().unwrap()], ..FetchConfig::default() };
    TestApp::start_with(Settings { rate_limit: 0, ..Settings::default() }, fetch).await
}

fn target(space: &str) -> String {
    format!("/v1/spaces/{space}/content/import")
}

fn later(path: &str) -> TestRequest {
    TestRequest::post().uri(path).insert_header(("Prefer", "respond-async"))
}

async fn begin_url(caller: &Caller, path: &str, source: &str, url: &str) -> Answer {
    caller.send(later(path).set_json(json!({"source": source, "url": url}))).await
}

fn form(source: &str, file: &[u8]) -> Vec<u8> {
    let head = format!(
        "--b\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n{source}\r\n\
         --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"guide.zip\"\r\n\r\n"
    );
    [head.as_bytes(), file, b"\r\n--b--\r\n"].concat()
}

fn upload(request: TestRequest, source: &str, file: &[u8]) -> TestRequest {
    request.insert_header(("Content-Type", "multipart/form-data; boundary=b")).set_payload(form(source, file))
}

async fn begin_upload(caller: &Caller, path: &str, source: &str, file: &[u8]) -> Answer {
    caller.send(upload(later(path), source, file)).await
}

/// Returns the location of an import, from the response that started it.
fn location(begun: &Answer) -> String {
    let location = begun.header("location");
    assert_eq!(location, begun.text("/urls/location"));
    location.split_once("/v1/").map(|(_, path)| format!("/v1/{path}")).unwrap()
}

async fn pages(caller: &Caller, space: &str) -> usize {
    let pages = caller.get(&format!("/v1/spaces/{space}/content/pages")).await.expect(200);
    pages.at("/pages").as_array().unwrap().len()
}

async fn revision(caller: &Caller, space: &str) -> String {
    caller.get(&format!("/v1/spaces/{space}")).await.expect(200).text("/revision")
}

/// Returns the uploads in the store.
async fn uploads(app: &TestApp) -> Vec<StoredUpload> {
    app.clock.advance(HOUR);
    let uploads = app.state.storage.files().uploads_older_than(app.clock.now());
    uploads.map(Result::unwrap).collect().await
}

#[actix_web::test]
async fn an_import_is_watched_from_its_beginning_to_its_end() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let mut slow = Slow::start();
    let begun = begin_url(&admin, &target(&space), "zip", &slow.url).await.expect(202);
    assert_eq!(begun.header("preference-applied"), "respond-async");
    let import = location(&begun);
    let user = admin.get("/v1/user").await.expect(200).text("/id");
    let mut expected = json!({
        "object": "import", "id": begun.text("/id"), "space": space, "source": "zip", "url": slow.url,
        "status": "pending", "progress": {"done": 0}, "createdBy": begun.at("/createdBy"),
        "createdAt": app.clock.now(), "urls": {"location": begun.header("location")},
    });
    assert_eq!(begun.json, expected);
    assert_eq!(begun.text("/createdBy/id"), user);
    assert_eq!(admin.get(&import).await.expect(200).json, expected);

    app.clock.advance(Duration::from_secs(5));
    let before = revision(&admin, &space).await;
    let services = app.services();
    let watch = async {
        let answer = slow.request().await;
        let running = admin.get(&import).await.expect(200);
        assert_eq!(running.text("/status"), "running");
        assert_eq!(running.at("/startedAt"), &json!(app.clock.now()));
        assert_eq!(revision(&admin, &space).await, before, "nothing is there yet");
        answer.send(archive(3)).unwrap();
    };
    assert_eq!(join(run_next(&services), watch).await.0.unwrap(), Outcome::Done);
    let done = admin.get(&import).await.expect(200);
    let result = json!({
        "revision": revision(&admin, &space).await, "importedResources": 4, "totalResources": 4, "report": [],
    });
    for (key, value) in [
        ("status", json!("succeeded")),
        ("progress", json!({"done": 4, "total": 4})),
        ("startedAt", json!(app.clock.now())),
        ("finishedAt", json!(app.clock.now())),
        ("result", result),
    ] {
        expected[key] = value;
    }
    assert_eq!(done.json, expected);
    assert_eq!(pages(&admin, &space).await, 3);
    assert_eq!(admin.delete(&import).await.expect(409).reason(), "import-finished");
}

#[actix_web::test]
async fn an_upload_is_kept_until_it_is_imported() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let begun = begin_upload(&admin, &target(&space), "zip", &archive(2)).await.expect(202);
    assert_eq!((begun.text("/fileName"), begun.json.get("url")), ("guide.zip".to_owned(), None));
    assert_eq!(uploads(&app).await.len(), 1);
    app.run_jobs().await;
    let done = admin.get(&location(&begun)).await.expect(200);
    assert_eq!((done.text("/status"), pages(&admin, &space).await), ("succeeded".to_owned(), 2));
    assert_eq!(uploads(&app).await, []);
}

#[actix_web::test]
async fn an_import_goes_to_a_page_and_to_a_change_request_as_well() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let id = space.parse().unwrap();
    let request = app.create_change_request(&admin, id).to_string();
    let path = format!("/v1/spaces/{space}/change-requests/{request}/content/import");
    let begun = begin_upload(&admin, &path, "markdown", b"# Home\n\nOld.\n").await.expect(202);
    assert_eq!(begun.text("/changeRequest"), request);
    app.run_jobs().await;
    assert_eq!(pages(&admin, &space).await, 0, "the main content is as it was");
    let content = format!("/v1/spaces/{space}/change-requests/{request}/content");
    let home = admin.get(&format!("{content}/pages")).await.expect(200).text("/pages/0/id");
    let path = format!("{content}/page/{home}/import");
    let begun = begin_upload(&admin, &path, "markdown", b"# Home\n\nNew.\n").await.expect(202);
    assert_eq!(begun.text("/page"), home);
    app.run_jobs().await;
    let page = admin.get(&format!("{content}/page/{home}?format=markdown")).await.expect(200);
    assert!(page.text("/markdown").contains("New."), "{}", page.json);
    let absent = path.replace(&home, "0190a5d2-7c1e-7000-8000-000000000001");
    begin_upload(&admin, &absent, "markdown", b"# Home").await.expect(404);
}

#[actix_web::test]
async fn the_audit_log_and_webhooks_name_the_user_who_asked_when_the_import_is_done() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let log = format!("/v1/orgs/{}/audit-log?space={space}&operation=importContent", app.organization);
    let hook = json!({"url": "https://example.com/", "events": ["space_content_updated"]});
    let hooks = format!("/v1/orgs/{}/webhooks", app.organization);
    let hook = admin.post(&hooks, hook).await.expect(201).text("/id");
    let request = later(&target(&space)).insert_header(("X-Request-Id", "the-request"));
    let begun = admin.send(upload(request, "zip", &archive(1))).await.expect(202);
    assert_eq!(admin.get(&log).await.expect(200).at("/count"), 0, "nothing is done yet");
    app.run_jobs().await;
    let entries = admin.get(&log).await.expect(200);
    assert_eq!(entries.at("/count"), 1);
    assert_eq!(entries.text("/items/0/actor/id"), admin.user().to_string());
    assert_eq!(entries.text("/items/0/requestId"), "the-request");
    let answered = admin.get(&format!("{hooks}/{hook}/deliveries")).await.expect(200);
    assert_eq!(answered.at("/count"), 1);
    assert_eq!(answered.text("/items/0/event/actorId"), admin.user().to_string());
    let done = admin.get(&location(&begun)).await.expect(200);
    assert_eq!(answered.text("/items/0/event/revisionId"), done.text("/result/revision"));
}

#[actix_web::test]
async fn a_failure_says_what_an_import_that_is_waited_for_answers() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let before = revision(&admin, &space).await;
    let path = target(&space);
    for (source, file) in [("zip", &b"no archive"[..]), ("docx", b"# Hi"), ("zip", &archive(0)[..40])] {
        let waited = admin.send(upload(TestRequest::post().uri(&path), source, file)).await;
        assert!(waited.status.is_client_error(), "{source}");
        let begun = begin_upload(&admin, &path, source, file).await.expect(202);
        app.run_jobs().await;
        let failed = admin.get(&location(&begun)).await.expect(200);
        assert_eq!((failed.text("/status"), failed.at("/error")), ("failed".to_owned(), waited.at("/error")));
        assert!(failed.json.get("result").is_none() && failed.json.get("finishedAt").is_some());
    }
    for url in ["http://127.0.0.2/x.zip", "http://127.0.0.1:1/x.zip", "http://169.254.169.254/"] {
        let waited = admin.post(&path, json!({"source": "zip", "url": url})).await.expect(400);
        let begun = begin_url(&admin, &path, "zip", url).await.expect(202);
        app.run_jobs().await;
        assert_eq!(admin.get(&location(&begun)).await.expect(200).at("/error"), waited.at("/error"));
    }
    assert_eq!(revision(&admin, &space).await, before);
    assert_eq!(uploads(&app).await, []);
    // Errors of the request itself are reported immediately.
    assert_eq!(
        begin_url(&admin, &path, "disk", "https://example.com").await.expect(400).fields(),
        ["source"]
    );
    assert_eq!(begin_upload(&admin, &path, "disk", b"x").await.expect(400).fields(), ["source"]);
    let absent =
        "/v1/spaces/0190a5d2-7c1e-7000-8000-000000000001/imports/0190a5d2-7c1e-7000-8000-000000000001";
    let _ = admin.get(absent).await.expect(404);
    let here = absent.replace("0190a5d2-7c1e-7000-8000-000000000001/imports", &format!("{space}/imports"));
    let _ = admin.get(&here).await.expect(404);
    let _ = admin.delete(&here).await.expect(404);
}

#[actix_web::test]
async fn what_the_caller_may_no_longer_do_the_import_does_not_do_either() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let before = revision(&admin, &space).await;
    let path = target(&space);
    let editor = app.on_space(&space, Some(Role::Edit));
    let revoked = begin_upload(&editor, &path, "zip", &archive(1)).await.expect(202);
    let tokens = editor.get("/v1/user/tokens").await.expect(200);
    let token = tokens.text("/items/0/id");
    let other = editor.post("/v1/user/tokens", json!({"label": "second"})).await.expect(201).text("/token");
    let _ = editor.delete(&format!("/v1/user/tokens/{token}")).await.expect(204);
    let left = begin_upload(&editor.with_token(&other), &path, "zip", &archive(1)).await.expect(202);
    let member = format!("/v1/orgs/{}/members/{}", app.organization, editor.user());
    let _ = admin.delete(&member).await.expect(204);
    app.run_jobs().await;
    for (begun, reason) in [(revoked, "unauthenticated"), (left, "not-found")] {
        let failed = admin.get(&location(&begun)).await.expect(200);
        assert_eq!(
            (failed.text("/status"), failed.text("/error/reason")),
            ("failed".to_owned(), reason.to_owned())
        );
    }
    assert_eq!(revision(&admin, &space).await, before);
}

#[actix_web::test]
async fn a_condition_holds_until_the_import_is_stored() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let path = target(&space);
    let current = revision(&admin, &space).await;
    let conditional = |tag: &str| {
        let request = later(&path).insert_header(("If-Match", tag.to_owned()));
        upload(request, "zip", &archive(1))
    };
    let older = "\"0190a5d2-7c1e-7000-8000-000000000001\"";
    let refused = admin.send(conditional(older)).await.expect(412);
    assert_eq!(refused.reason(), "precondition-failed");
    let first = admin.send(conditional(&format!("\"{current}.abc\""))).await.expect(202);
    let second = admin.send(conditional(&format!("\"{current}\""))).await.expect(202);
    let any = admin.send(conditional("*")).await.expect(202);
    app.run_jobs().await;
    for (begun, status) in [(&first, "succeeded"), (&second, "failed"), (&any, "succeeded")] {
        assert_eq!(admin.get(&location(begun)).await.expect(200).text("/status"), status);
    }
    let failed = admin.get(&location(&second)).await.expect(200);
    assert_eq!(failed.text("/error/reason"), "precondition-failed");
    assert_eq!(pages(&admin, &space).await, 2);
}

#[actix_web::test]
async fn one_that_waits_is_cancelled_without_a_trace() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let before = revision(&admin, &space).await;
    let begun = begin_upload(&admin, &target(&space), "zip", &archive(1)).await.expect(202);
    let import = location(&begun);
    let editor = app.on_space(&space, Some(Role::Edit));
    let _ = editor.delete(&import).await.expect(204);
    assert_eq!(uploads(&app).await, []);
    app.run_jobs().await;
    let cancelled = admin.get(&import).await.expect(200);
    assert_eq!(cancelled.text("/status"), "cancelled");
    assert!(cancelled.json.get("finishedAt").is_some() && cancelled.json.get("startedAt").is_none());
    assert_eq!(revision(&admin, &space).await, before);
    assert_eq!(editor.delete(&import).await.expect(409).reason(), "import-finished");
}

#[actix_web::test]
async fn one_that_runs_is_cancelled_without_a_trace() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let before = revision(&admin, &space).await;
    let mut slow = Slow::start();
    let import = location(&begin_url(&admin, &target(&space), "zip", &slow.url).await.expect(202));
    let services = app.services();
    let cancel = async {
        let answer = slow.request().await;
        let _ = admin.delete(&import).await.expect(204);
        // The response comes too late, whether or not the worker has noticed the cancellation.
        answer.send(archive(2)).unwrap();
    };
    assert_eq!(join(run_next(&services), cancel).await.0.unwrap(), Outcome::Done);
    assert_eq!(admin.get(&import).await.expect(200).text("/status"), "cancelled");
    assert_eq!((revision(&admin, &space).await, pages(&admin, &space).await), (before, 0));
    let files = admin.get(&format!("/v1/spaces/{space}/content/files")).await.expect(200);
    assert_eq!(files.at("/count"), 0);
    assert_eq!(run_next(&services).await.unwrap(), Outcome::Idle);
}

#[actix_web::test]
async fn one_whose_server_never_answers_ends_when_it_is_cancelled() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let mut slow = Slow::start();
    let import = location(&begin_url(&admin, &target(&space), "zip", &slow.url).await.expect(202));
    let services = app.services();
    let cancel = async {
        let held = slow.request().await;
        let _ = admin.delete(&import).await.expect(204);
        held
    };
    let (outcome, held) = join(run_next(&services), cancel).await;
    assert_eq!(outcome.unwrap(), Outcome::Done);
    drop(held);
}

#[actix_web::test]
async fn an_import_whose_worker_is_lost_is_started_again() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let mut slow = Slow::start();
    let import = location(&begin_url(&admin, &target(&space), "zip", &slow.url).await.expect(202));
    let services = app.services();
    // Simulates a crash of the server: the work stops, and its lease remains.
    tokio::select! {
        outcome = run_next(&services) => panic!("{outcome:?}"),
        _answer = slow.request() => {}
    }
    assert_eq!(admin.get(&import).await.expect(200).text("/status"), "running");
    assert_eq!(run_next(&services).await.unwrap(), Outcome::Idle, "the lease holds");
    app.clock.advance(LEASE);
    let answer = async { slow.request().await.send(archive(2)).unwrap() };
    assert_eq!(join(run_next(&services), answer).await.0.unwrap(), Outcome::Done);
    let done = admin.get(&import).await.expect(200);
    assert_eq!((done.text("/status"), pages(&admin, &space).await), ("succeeded".to_owned(), 2));
    assert_eq!(done.at("/startedAt"), &json!(app.clock.now()), "of the second time");
}

#[actix_web::test]
async fn one_that_takes_its_worker_down_is_given_up() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let mut slow = Slow::start();
    let import = location(&begin_url(&admin, &target(&space), "zip", &slow.url).await.expect(202));
    let services = app.services();
    for _ in 0..3 {
        tokio::select! {
            outcome = run_next(&services) => panic!("{outcome:?}"),
            _answer = slow.request() => {}
        }
        app.clock.advance(LEASE);
    }
    assert_eq!(run_next(&services).await.unwrap(), Outcome::Done);
    let failed = admin.get(&import).await.expect(200);
    assert_eq!(
        (failed.text("/status"), failed.text("/error/reason")),
        ("failed".to_owned(), "unavailable".to_owned())
    );
    assert_eq!(run_next(&services).await.unwrap(), Outcome::Idle);
}

#[actix_web::test]
async fn the_list_is_walked_newest_first_with_the_statements_of_one() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let path = format!("/v1/spaces/{space}/imports");
    let mut made = Vec::new();
    let mut costs = Vec::new();
    for _ in 0..4 {
        made.push(
            begin_url(&admin, &target(&space), "zip", "http://127.0.0.1:1/").await.expect(202).text("/id"),
        );
        let before = app.statements();
        let listed = admin.get(&path).await.expect(200);
        costs.push(app.statements() - before);
        assert_eq!(listed.at("/count"), made.len());
    }
    assert!(costs.iter().all(|cost| *cost == costs[0]), "{costs:?}");
    made.reverse();
    let (mut walked, mut page) = (Vec::new(), String::new());
    loop {
        let listed = admin.get(&format!("{path}?limit=1{page}")).await.expect(200);
        walked.push(listed.text("/items/0/id"));
        match listed.json.pointer("/next/page").and_then(Value::as_str) {
            Some(next) => page = format!("&page={next}"),
            None => break,
        }
    }
    assert_eq!(walked, made);
    let commenter = app.on_space(&space, Some(Role::Comment));
    for refused in [&path, &format!("{path}/{}", made[0])] {
        let _ = commenter.get(refused).await.expect(403);
        let _ = app.stranger().get(refused).await.expect(404);
        let _ = app.anonymous().get(refused).await.expect(401);
        let _ = app.read_only(&admin).get(refused).await.expect(200);
    }
    let _ = commenter.delete(&format!("{path}/{}", made[0])).await.expect(403);
}

#[actix_web::test]
async fn only_so_many_wait_at_once() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let mut begun = Vec::new();
    for _ in 0..10 {
        begun.push(begin_upload(&admin, &target(&space), "zip", &archive(1)).await.expect(202));
    }
    let refused = begin_upload(&admin, &target(&space), "zip", &archive(1)).await.expect(429);
    assert_eq!(refused.reason(), "rate-limited");
    assert_eq!(uploads(&app).await.len(), 10, "that of the refused one is gone");
    let _ = admin.delete(&location(&begun[0])).await.expect(204);
    begin_upload(&admin, &target(&space), "zip", &archive(1)).await.expect(202);
}

#[actix_web::test]
async fn abandoned_files_are_swept() {
    let app = app().await;
    let (space, admin) = app.space().await;
    app.schedule_jobs();
    let kept = begin_upload(&admin, &target(&space), "zip", &archive(1)).await.expect(202);
    let upload = StoredUpload { space: space.parse().unwrap(), import: kept.text("/id").parse().unwrap() };
    let forgotten =
        StoredUpload { import: "0190a5d2-7c1e-7000-8000-000000000001".parse().unwrap(), ..upload };
    let bytes = futures_util::stream::iter([Ok(actix_web::web::Bytes::from_static(b"x"))]);
    app.state.storage.files().keep_upload(forgotten, bytes).await.unwrap();
    let sweep = |tx: &mut quire_storage::SystemTx<'_>| tx.sweep_imports(24 * HOUR, 30 * 24 * HOUR);
    assert_eq!(app.system.transact(sweep).unwrap(), (0, 0));
    app.clock.advance(2 * HOUR);
    quire_worker::jobs::sweep_imports::run(&app.system).await.unwrap();
    assert_eq!(uploads(&app).await, [upload]);
    app.clock.advance(24 * HOUR);
    quire_worker::jobs::sweep_imports::run(&app.system).await.unwrap();
    let stuck = admin.get(&location(&kept)).await.expect(200);
    assert_eq!(
        (stuck.text("/status"), stuck.text("/error/reason")),
        ("failed".to_owned(), "unavailable".to_owned())
    );
    assert_eq!(uploads(&app).await, []);
    app.clock.advance(31 * 24 * HOUR);
    quire_worker::jobs::sweep_imports::run(&app.system).await.unwrap();
    let _ = admin.get(&location(&kept)).await.expect(404);
}

#[actix_web::test]
async fn bounds_are_those_of_the_deployment() {
    let imports = GatherLimits::default().with_bytes(1_000);
    let settings = Settings { rate_limit: 0, ..Settings::default() };
    let limits = ApiSettings { imports, ..ApiSettings::default() };
    let app = TestApp::start_with_limits(settings, limits, FetchConfig::default()).await;
    let (space, admin) = app.space().await;
    let text = "x".repeat(1_001);
    let refused = begin_upload(&admin, &target(&space), "markdown", text.as_bytes()).await.expect(413);
    assert_eq!(refused.reason(), "payload-too-large");
    let mut bomb = zip::ZipWriter::new(Cursor::new(Vec::new()));
    bomb.start_file("a.md", SimpleFileOptions::default()).unwrap();
    bomb.write_all(text.as_bytes()).unwrap();
    let begun =
        begin_upload(&admin, &target(&space), "zip", &bomb.finish().unwrap().into_inner()).await.expect(202);
    app.run_jobs().await;
    let failed = admin.get(&location(&begun)).await.expect(200);
    assert_eq!(failed.text("/error/reason"), "import-too-large");
}
