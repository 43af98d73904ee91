//! Event streams and presence: events, their receivers, and the end of streams.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use actix_web::App;
use actix_web::body::{BoxBody, MessageBody as _};
use actix_web::http::StatusCode;
use actix_web::test::{TestRequest, call_service, init_service};
use quire_api::ApiSettings;
use quire_domain::Role;
use quire_domain::ids::SpaceId;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

/// Time after which an expected event counts as missing.
const MAX_WAIT: Duration = Duration::from_secs(20);

async fn start() -> TestApp {
    let settings = Settings { rate_limit: 0, ..Settings::default() };
    TestApp::start_with_limits(settings, ApiSettings::default(), FetchConfig::default()).await
}

/// Event as received by a client.
#[derive(Clone, Debug)]
struct Event {
    name: String,
    id: Option<String>,
    data: Value,
}

/// Open stream.
struct Stream {
    body: BoxBody,
    text: String,
}

impl Stream {
    /// Opens a stream of this node.
    async fn open(
        app: &TestApp,
        caller: &Caller,
        query: &str,
        last: Option<&str>,
    ) -> Result<Self, StatusCode> {
        let request = TestRequest::get().uri(&format!("/v1/events?{query}"));
        let request = request.insert_header(("Authorization", format!("Bearer {}", caller.token())));
        let request = match last {
            Some(last) => request.insert_header(("Last-Event-ID", last)),
            None => request,
        };
        Self::send(app, request).await
    }

    /// Opens a stream with the cookie of a session.
    async fn of_browser(app: &TestApp, session: &Caller, query: &str) -> Result<Self, StatusCode> {
        let request = TestRequest::get().uri(&format!("/v1/events?{query}"));
        let request = request.insert_header(("Cookie", format!("quire={}", session.token())));
        Self::send(app, request).await
    }

    async fn send(app: &TestApp, request: TestRequest) -> Result<Self, StatusCode> {
        let service = init_service(App::new().configure(quire_api::configure(app.api.clone()))).await;
        let response = call_service(&service, request.to_request()).await;
        if response.status() != StatusCode::OK {
            return Err(response.status());
        }
        assert_eq!(response.headers().get("content-type").unwrap(), "text/event-stream");
        Ok(Self { body: BoxBody::new(response.into_body()), text: String::new() })
    }

    /// Returns the next event; `None` at the end of the stream.
    async fn next(&mut self) -> Option<Event> {
        loop {
            while let Some((part, rest)) = self.text.split_once("\n\n") {
                let event = parsed(part);
                self.text = rest.to_owned();
                if event.is_some() {
                    return event;
                }
            }
            let piece = poll_fn(|cx| Pin::new(&mut self.body).poll_next(cx));
            let piece = actix_web::rt::time::timeout(MAX_WAIT, piece).await.unwrap()?;
            self.text.push_str(std::str::from_utf8(&piece.unwrap()).unwrap());
        }
    }

    /// Asserts the names of the next events, and returns the events.
    async fn take<const N: usize>(&mut self, names: [&str; N]) -> [Event; N] {
        let mut events = Vec::new();
        for name in names {
            let event = self.next().await.unwrap();
            assert_eq!(event.name, name, "{event:?}");
            events.push(event);
        }
        events.try_into().unwrap()
    }
}

/// Returns the event in a block of a stream; `None` for a comment or a setting.
fn parsed(part: &str) -> Option<Event> {
    let field = |name: &str| part.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let data = serde_json::from_str(field("data")?).unwrap();
    Some(Event { name: field("event")?.to_owned(), id: field("id").map(str::to_owned), data })
}

/// Creates a space with a page. Returns its administrator, too.
async fn space(app: &TestApp) -> (SpaceId, Caller) {
    let (space, admin) = app.space().await;
    let id: SpaceId = space.parse().unwrap();
    app.edit(&admin, id, ContentSelector::Space, |content| content.page(None, "Home", "Welcome."));
    (id, admin)
}

#[actix_web::test]
async fn a_stream_begins_with_the_present_state_and_sends_changes_of_any_node() {
    let app = start().await;
    let (space, admin) = space(&app).await;
    let other = app.on_another_node(&admin).await;
    let mut events = Stream::open(&app, &admin, &format!("space={space}"), None).await.unwrap();
    let [content, comments, presence] = events.take(["content", "comments", "presence"]).await;
    assert_eq!(content.data["space"], json!(space));
    assert_eq!(content.id, None);
    assert_eq!(comments.data["open"], 0);
    assert!(comments.id.is_some());
    assert_eq!(presence.data["users"], json!([]));

    let changes = json!({"changes": [{"operation": "insert_page", "title": "More", "document": {"markdown": "Text."}}]});
    let _ = other.post(&format!("/v1/spaces/{space}/content"), changes).await.expect(200);
    let [written] = events.take(["content"]).await;
    let head = admin.get(&format!("/v1/spaces/{space}/content")).await.expect(200);
    assert_eq!(written.data["revision"], *head.at("/id"));
    assert_ne!(written.data["revision"], content.data["revision"]);

    let path = format!("/v1/spaces/{space}/comments");
    let body = json!({"body": {"markdown": "Hello."}});
    let comment = other.post(&path, body.clone()).await.expect(201).text("/id");
    let [opened] = events.take(["comments"]).await;
    assert_eq!(opened.data["open"], 1);
    other.post(&format!("{path}/{comment}/replies"), body).await.expect(201);
    let [replied] = events.take(["comments"]).await;
    assert_eq!((&replied.data["open"], &replied.data["changes"]), (&json!(1), &json!(2)));
}

#[actix_web::test]
async fn a_stream_of_a_change_request_sends_its_reviews_and_status() {
    let app = start().await;
    let (space, admin) = space(&app).await;
    let request = app.create_change_request(&admin, space);
    let path = format!("/v1/spaces/{space}/change-requests/{request}");
    let mut events =
        Stream::open(&app, &admin, &format!("space={space}&changeRequest={request}"), None).await.unwrap();
    let all = ["content", "comments", "reviews", "status", "outdated", "presence"];
    let [.., status, outdated, _] = events.take(all).await;
    assert_eq!(status.data["changeRequest"], json!(request));
    assert_eq!(outdated.data["outdated"], false);

    let before = status.data["status"].clone();
    let to = if before == "open" { "draft" } else { "open" };
    admin.patch(&path, json!({"status": to})).await.expect(200);
    let [status] = events.take(["status"]).await;
    assert_eq!(status.data["status"], to);

    let reviewer = app.on_space(&space.to_string(), Some(Role::Admin));
    reviewer.post(&format!("{path}/reviews"), json!({"status": "approved"})).await.expect(201);
    let [reviews] = events.take(["reviews"]).await;
    assert_eq!(reviews.data["reviews"], 1);

    app.edit(&admin, space, ContentSelector::Space, |content| content.page(None, "More", "Text."));
    let [outdated] = events.take(["outdated"]).await;
    assert_eq!(outdated.data["outdated"], true);
}

#[actix_web::test]
async fn a_client_that_connects_again_gets_what_it_lacks() {
    let app = start().await;
    let (space, admin) = space(&app).await;
    let query = format!("space={space}");
    let mut events = Stream::open(&app, &admin, &query, None).await.unwrap();
    let [_, comments, _] = events.take(["content", "comments", "presence"]).await;
    let last = comments.id.unwrap();
    drop(events);
    let mut same = Stream::open(&app, &admin, &query, Some(&last)).await.unwrap();
    let _ = same.take(["presence"]).await;
    let (revision, _) =
        app.edit(&admin, space, ContentSelector::Space, |content| content.page(None, "More", "Text."));
    let mut later = Stream::open(&app, &admin, &query, Some(&last)).await.unwrap();
    let [content, _] = later.take(["content", "presence"]).await;
    assert_eq!(content.data["revision"], json!(revision));
    for wrong in ["", "x", "1.2.3", &format!("{last}.open")] {
        assert_eq!(
            Stream::open(&app, &admin, &query, Some(wrong)).await.err(),
            Some(StatusCode::BAD_REQUEST)
        );
    }
}

#[actix_web::test]
async fn a_stream_ends_with_its_token_and_with_the_permission() {
    let app = start().await;
    let (space, admin) = space(&app).await;
    let query = format!("space={space}");
    let token = admin.post("/v1/user/tokens", json!({"label": "ci"})).await.expect(201);
    let revoked = admin.with_token(&token.text("/token"));
    let guest = app.member_of(app.organization, None);
    app.grant(&guest, &space.to_string(), Role::Read);
    let mut of_token = Stream::open(&app, &revoked, &query, None).await.unwrap();
    let mut of_guest = Stream::open(&app, &guest, &query, None).await.unwrap();
    for events in [&mut of_token, &mut of_guest] {
        let _ = events.take(["content", "comments", "presence"]).await;
    }
    let _ = admin.delete(&format!("/v1/user/tokens/{}", token.text("/id"))).await.expect(204);
    assert!(of_token.next().await.is_none());

    let grant = format!("/v1/spaces/{space}/permissions/users/{}", guest.user());
    let _ = admin.delete(&grant).await.expect(204);
    app.edit(&admin, space, ContentSelector::Space, |content| content.page(None, "Secret", "Text."));
    assert!(of_guest.next().await.is_none(), "what a caller may no longer see is not sent");
}

#[actix_web::test]
async fn a_session_without_a_required_factor_has_no_stream() {
    let app = start().await;
    let (space, admin) = space(&app).await;
    let member = app.as_role(Role::Read);
    let session = app.in_browser(&member);
    let queries = [format!("space={space}"), format!("space={space}&inbox=true"), "inbox=true".to_owned()];
    let mut open = Vec::new();
    for query in &queries {
        let mut events = Stream::of_browser(&app, &session, query).await.unwrap();
        assert!(events.next().await.is_some());
        open.push(events);
    }
    let mut of_token = Stream::open(&app, &member, &queries[0], None).await.unwrap();
    let _ = of_token.take(["content", "comments", "presence"]).await;
    app.store.execute("UPDATE organizations SET second_factor_required = true");
    for (mut events, query) in open.into_iter().zip(&queries) {
        while events.next().await.is_some() {}
        let refused = Stream::of_browser(&app, &session, query).await.err();
        assert_eq!(refused, Some(StatusCode::FORBIDDEN), "{query}");
    }
    // API tokens are not affected, nor are sessions with a second factor.
    app.edit(&admin, space, ContentSelector::Space, |content| content.page(None, "Later", "Text."));
    let _ = of_token.take(["content"]).await;
    app.store.execute("UPDATE api_tokens SET second_factor = true WHERE session_ends_at IS NOT NULL");
    assert!(Stream::of_browser(&app, &session, &queries[1]).await.is_ok());
}

#[actix_web::test]
async fn streams_end_with_their_space_and_with_the_node() {
    let app = start().await;
    let (space, admin) = space(&app).await;
    let query = format!("space={space}");
    let mut events = Stream::open(&app, &admin, &query, None).await.unwrap();
    let _ = events.take(["content", "comments", "presence"]).await;
    let other = app.create_space(&admin, "Other");
    let mut of_other = Stream::open(&app, &admin, &format!("space={other}"), None).await.unwrap();
    let _ = of_other.take(["content", "comments", "presence"]).await;
    let _ = admin.delete(&format!("/v1/spaces/{other}")).await.expect(204);
    assert!(of_other.next().await.is_none());
    app.state.drain();
    assert!(events.next().await.is_none());
}

#[actix_web::test]
async fn a_user_has_a_few_streams() {
    let app = start().await;
    let (space, admin) = space(&app).await;
    let query = format!("space={space}");
    let mut open = Vec::new();
    for _ in 0..6 {
        open.push(Stream::open(&app, &admin, &query, None).await.unwrap());
    }
    let refused = Stream::open(&app, &admin, &query, None).await;
    assert_eq!(refused.err(), Some(StatusCode::TOO_MANY_REQUESTS));
    assert!(Stream::open(&app, &app.as_role(Role::Read), &query, None).await.is_ok());
    open.pop();
    assert!(Stream::open(&app, &admin, &query, None).await.is_ok());
}

#[actix_web::test]
async fn streams_and_presence_of_hidden_content_are_not_found() {
    let app = start().await;
    let (space, admin) = space(&app).await;
    let stranger = app.stranger();
    let nothing = "01890000-0000-7000-8000-000000000000";
    let hidden = Stream::open(&app, &stranger, &format!("space={space}"), None).await.err();
    let absent = Stream::open(&app, &stranger, &format!("space={nothing}"), None).await.err();
    assert_eq!((hidden, absent), (Some(StatusCode::NOT_FOUND), Some(StatusCode::NOT_FOUND)));
    let request = format!("space={space}&changeRequest={nothing}");
    assert_eq!(Stream::open(&app, &admin, &request, None).await.err(), Some(StatusCode::NOT_FOUND));
    assert_eq!(Stream::open(&app, &admin, "", None).await.err(), Some(StatusCode::BAD_REQUEST));
    let present = |space: &str| json!({"space": space});
    stranger.put("/v1/presence", present(&space.to_string())).await.expect(404);
    stranger.put("/v1/presence", present(nothing)).await.expect(404);
    admin.put("/v1/presence", json!({"space": space, "changeRequest": nothing})).await.expect(404);
    let long = json!({"space": space, "block": "x".repeat(1_000)});
    assert_eq!(admin.put("/v1/presence", long).await.expect(400).fields(), ["block"]);
}

#[actix_web::test]
async fn the_presence_of_others_is_sent_until_it_expires() {
    let app = start().await;
    let (space, admin) = space(&app).await;
    let clo = app.on_space(&space.to_string(), Some(Role::Edit));
    let mut events = Stream::open(&app, &admin, &format!("space={space}"), None).await.unwrap();
    let _ = events.take(["content", "comments", "presence"]).await;
    let other = app.on_another_node(&clo).await;
    let _ = admin.put("/v1/presence", json!({"space": space})).await.expect(204);
    let _ =
        other.put("/v1/presence", json!({"space": space, "block": "b", "typing": true})).await.expect(204);
    let [present] = events.take(["presence"]).await;
    let users = present.data["users"].as_array().unwrap();
    assert_eq!(users.len(), 1, "the own presence is not sent");
    assert_eq!(users[0]["user"]["id"], json!(clo.user()));
    assert_eq!((&users[0]["block"], &users[0]["typing"]), (&json!("b"), &json!(true)));
    app.clock.advance(Duration::from_secs(21));
    let [gone] = events.take(["presence"]).await;
    assert_eq!(gone.data["users"], json!([]));
    // The next write removes expired rows.
    let _ = clo.put("/v1/presence", json!({"space": space})).await.expect(204);
    assert_eq!(app.count("presences"), 1);
}

#[actix_web::test]
async fn heads_are_read_with_one_statement_for_any_number_of_streams() {
    let app = start().await;
    let (space, admin) = space(&app).await;
    let mut open = Vec::new();
    for _ in 0..4 {
        let caller = app.as_role(Role::Read);
        let mut events = Stream::open(&app, &caller, &format!("space={space}"), None).await.unwrap();
        let _ = events.take(["content", "comments", "presence"]).await;
        open.push(events);
    }
    let texts: BTreeSet<String> = app
        .statement_texts(async {
            app.edit(&admin, space, ContentSelector::Space, |content| content.page(None, "More", "Text."));
            for events in &mut open {
                let _ = events.take(["content"]).await;
            }
        })
        .await;
    let watching = texts.iter().filter(|text| text.contains("presences")).count();
    assert_eq!(watching, 1, "{texts:#?}");
}

#[actix_web::test]
async fn the_number_of_unread_entries_is_sent_when_it_changes_on_any_node() {
    let app = start().await;
    let (space, admin) = space(&app).await;
    let ben = app.on_space(&space.to_string(), Some(Role::Comment));
    let mut alone = Stream::open(&app, &ben, "inbox=true", None).await.unwrap();
    let [first] = alone.take(["inbox"]).await;
    assert_eq!(first.data, json!({"unread": 0}));
    let query = format!("space={space}&inbox=true");
    let mut both = Stream::open(&app, &ben, &query, None).await.unwrap();
    let [.., inbox, _] = both.take(["content", "comments", "inbox", "presence"]).await;
    assert_eq!(inbox.data, json!({"unread": 0}));

    let other = app.on_another_node(&admin).await;
    let text = format!("[Ben](/users/{} \"mention\")", ben.user());
    let body = json!({"body": {"markdown": text}});
    let path = format!("/v1/spaces/{space}/comments");
    let _ = other.post(&path, body.clone()).await.expect(201);
    let [told] = alone.take(["inbox"]).await;
    assert_eq!(told.data, json!({"unread": 1}));
    let [_, told] = both.take(["comments", "inbox"]).await;
    assert_eq!(told.data, json!({"unread": 1}));
    let _ = app.on_another_node(&ben).await.post("/v1/user/inbox/read", json!({})).await.expect(204);
    let [read] = alone.take(["inbox"]).await;
    assert_eq!(read.data, json!({"unread": 0}));

    // A client that reconnects gets only changes.
    let last = read.id.unwrap();
    drop(alone);
    let _ = other.post(&path, body).await.expect(201);
    let mut again = Stream::open(&app, &ben, "inbox=true", Some(&last)).await.unwrap();
    let [told] = again.take(["inbox"]).await;
    assert_eq!(told.data, json!({"unread": 1}));
    for wrong in ["", "inbox=false", "inbox=true&changeRequest=1"] {
        let refused = Stream::open(&app, &ben, wrong, None).await.err();
        assert_eq!(refused, Some(StatusCode::BAD_REQUEST), "{wrong}");
    }
}

#[actix_web::test]
async fn the_progress_of_an_import_is_sent_until_it_has_ended() {
    let app = start().await;
    let (space, admin) = space(&app).await;
    let begin = TestRequest::post().uri(&format!("/v1/spaces/{space}/content/import"));
    let begin = begin.insert_header(("Prefer", "respond-async"));
    let body = json!({"source": "markdown", "url": "http://127.0.0.1:9/guide.md"});
    let import = admin.send(begin.set_json(body)).await.expect(202).text("/id");
    let query = format!("space={space}&import={import}");
    let mut events = Stream::open(&app, &admin, &query, None).await.unwrap();
    let [.., first] = events.take(["content", "comments", "presence", "import"]).await;
    let waiting = json!({"space": space, "import": import, "status": "pending", "progress": {"done": 0}});
    assert_eq!((first.data, first.id), (waiting, None));
    app.store.execute("UPDATE imports SET status = 'running', phase = 'reading', done = 3, total = 10");
    let [next] = events.take(["import"]).await;
    assert_eq!(next.data["phase"], json!("reading"));
    assert_eq!(next.data["progress"], json!({"done": 3, "total": 10}));
    // A client that reconnects gets the current state.
    let mut again = Stream::open(&app, &admin, &query, None).await.unwrap();
    let [.., same] = again.take(["content", "comments", "presence", "import"]).await;
    assert_eq!(same.data, next.data);
    let _ = admin.delete(&format!("/v1/spaces/{space}/imports/{import}")).await.expect(204);
    for events in [&mut events, &mut again] {
        let [ended] = events.take(["import"]).await;
        assert_eq!(ended.data["status"], json!("cancelled"));
    }
    // An import is not found in another space, and not without access to its space.
    let other = app.create_space(&admin, "Other");
    let reader = app.member_of(app.organization, None);
    app.grant(&reader, &space.to_string(), Role::Read);
    let absent = format!("space={other}&import={import}");
    let stranger = app.stranger();
    for (caller, query, status) in [
        (&admin, &absent, StatusCode::NOT_FOUND),
        (&stranger, &query, StatusCode::NOT_FOUND),
        (&reader, &query, StatusCode::FORBIDDEN),
        (&admin, &format!("inbox=true&import={import}"), StatusCode::BAD_REQUEST),
    ] {
        assert_eq!(Stream::open(&app, caller, query, None).await.err(), Some(status), "{query}");
    }
}
