//! Mails about entries of inboxes.

use std::time::Duration;

use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_domain::clock::Clock as _;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Caller, MailSink, ReceivedMail, TestApp};
use serde_json::{Value, json};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(86_400);
const SETTINGS: &str = "/v1/user/notifications";

/// Space with an administrator and a member who has an address.
struct Office {
    sink: MailSink,
    app: TestApp,
    space: String,
    admin: Caller,
    ben: Caller,
}

impl Office {
    async fn open() -> Self {
        let sink = MailSink::start();
        let app = TestApp::start_with_mail(&sink).await;
        let (space, admin) = app.space().await;
        let ben = app.on_space(&space, Some(Role::Comment));
        app.schedule_jobs();
        Self { sink, app, space, admin, ben }
    }

    async fn ask(&self, path: &str, body: Value) -> String {
        let answer = self.admin.post(&format!("/v1/spaces/{}{path}", self.space), body).await;
        assert!(answer.status.is_success(), "{}: {}", answer.status, answer.json);
        answer.json["id"].as_str().unwrap_or_default().to_owned()
    }

    async fn mention(&self, path: &str, text: &str) {
        let text = format!("[Ben](/users/{} \"mention\"), {text}", self.ben.user());
        let _ = self.ask(&format!("{path}/comments"), json!({"body": {"markdown": text}})).await;
    }

    /// Advances the clock by a minute and runs the due jobs.
    async fn wait(&self) {
        self.app.clock.advance(MINUTE);
        self.app.run_jobs().await;
    }

    async fn next(&self) -> ReceivedMail {
        self.wait().await;
        self.sink.next()
    }

    async fn is_silent(&self) -> bool {
        self.wait().await;
        self.sink.is_empty()
    }

    /// Advances the clock to this hour of the next day, in UTC.
    fn set_hour(&self, hour: u64) {
        let now = u64::try_from(self.app.clock.now().millis()).unwrap() / 1_000 % 86_400;
        self.app.clock.advance(Duration::from_secs(hour * 3_600 + 86_400 - now));
    }
}

/// Returns the labels and paths of the unsubscribe links.
fn ends(mail: &ReceivedMail) -> Vec<(&str, &str)> {
    let lines: Vec<&str> = mail.text.lines().collect();
    let pairs = lines.windows(2).filter(|pair| pair[0].starts_with("Stop ") && pair[1].starts_with("http"));
    pairs.map(|pair| (pair[0], &pair[1][pair[1].find("/~/").unwrap()..])).collect()
}

/// Returns the URL in the `List-Unsubscribe` header.
fn one_click(mail: &ReceivedMail) -> &str {
    let (_, header) = mail.text.split_once("List-Unsubscribe:").unwrap();
    header.trim_start().strip_prefix('<').and_then(|rest| rest.split('>').next()).unwrap()
}

#[actix_web::test]
async fn an_unread_entry_is_mailed_once() {
    let office = Office::open().await;
    office.mention("", "look at <b>this</b>.").await;
    let mail = office.next().await;
    assert_eq!(mail.recipient, office.ben.get("/v1/user").await.expect(200).text("/email"));
    assert!(mail.line("Subject: ").ends_with("mentioned you in a comment"), "{}", mail.text);
    assert!(mail.text.contains("\n> Ben, look at"), "{}", mail.text);
    assert!(mail.text.contains("multipart/alternative") && !mail.text.contains("<b>"), "{}", mail.text);
    let url = mail.line("http");
    assert!(url.contains(&format!("/s/{}#comment-", office.space)), "{url}");
    let header = one_click(&mail);
    let [(words, of_kind), (_, all)] = ends(&mail)[..] else { panic!("{}", mail.text) };
    assert_eq!(words, "Stop mails about mentions:");
    assert!(header.ends_with(of_kind) && of_kind != all, "{header}");
    assert_eq!(mail.line("List-Unsubscribe-Post: "), "List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    assert!(office.is_silent().await);
}

#[actix_web::test]
async fn a_thread_is_one_mail() {
    let office = Office::open().await;
    let request = office.ask("/change-requests", json!({"subject": "Tables of tides"})).await;
    let path = format!("/change-requests/{request}");
    let _ = office.ask(&format!("{path}/requested-reviewers"), json!({"users": [office.ben.user()]})).await;
    office.mention(&path, "what do you think?").await;
    office.mention("", "and here?").await;
    let mails = [office.next().await, office.sink.next()];
    assert!(office.sink.is_empty());
    let of_request = mails.iter().find(|mail| mail.text.contains("what do you think")).unwrap();
    assert!(of_request.text.contains("asks for your review of"), "{}", of_request.text);
    assert!(!of_request.text.contains("and here"));
    assert_eq!(ends(of_request).len(), 3);
    // With several kinds in a mail, the header unsubscribes from all of them.
    let (_, all) = ends(of_request)[2];
    assert!(one_click(of_request).ends_with(all));
}

#[actix_web::test]
async fn replies_conflicts_and_finished_imports_are_mailed() {
    let office = Office::open().await;
    let hello = json!({"body": {"markdown": "Hello."}});
    let comments = format!("/v1/spaces/{}/comments", office.space);
    let comment = office.ben.post(&comments, hello.clone()).await.expect(201).text("/id");
    let _ = office.ask(&format!("/comments/{comment}/replies"), hello).await;
    let mail = office.next().await;
    assert!(mail.line("Subject: ").ends_with("replied to a comment"), "{}", mail.text);
    assert_eq!(ends(&mail)[0].0, "Stop mails about replies:");

    let id = office.space.parse().unwrap();
    let ben = office.app.on_space(&office.space, Some(Role::Edit));
    let (_, page) = office
        .app
        .edit(&office.admin, id, ContentSelector::Space, |content| content.page(None, "Home", "Welcome."));
    let mut requests = Vec::new();
    for (caller, text) in [(&ben, "Welcome, Ben."), (&office.admin, "Welcome, all.")] {
        let request = office.app.create_change_request(caller, id);
        let selector = ContentSelector::ChangeRequest(ChangeRequestKey::Id(request));
        office.app.edit(caller, id, selector, |content| content.write(page, text));
        requests.push(request);
    }
    office.app.merge(&office.admin, id, requests[1]);
    office.app.run_jobs().await;
    let mail = office.next().await;
    assert_eq!(mail.recipient, ben.get("/v1/user").await.expect(200).text("/email"));
    assert_eq!(ends(&mail)[0].0, "Stop mails about conflicts:");
    assert!(mail.line("http").ends_with("/~conflicts"), "{}", mail.text);

    let body = json!({"url": "http://127.0.0.1/x.zip", "source": "zip"});
    let path = format!("/v1/spaces/{}/content/import", office.space);
    let request = TestRequest::post().uri(&path).insert_header(("Prefer", "respond-async"));
    let import = ben.send(request.set_json(body)).await.expect(202).text("/id");
    office.app.run_jobs().await;
    let mail = office.next().await;
    assert_eq!(mail.line("Subject: "), "Subject: Your import has failed");
    assert!(mail.line("http").ends_with(&format!("/~/imports/{import}")), "{}", mail.text);
    assert_eq!(ends(&mail)[0].0, "Stop mails about imports:");
    assert!(office.is_silent().await);
}

#[actix_web::test]
async fn what_was_read_or_may_not_be_seen_is_not_mailed() {
    let office = Office::open().await;
    office.mention("", "one.").await;
    let _ = office.ben.post("/v1/user/inbox/read", json!({})).await.expect(204);
    assert!(office.is_silent().await);
    // A suspended member gets no mail.
    office.mention("", "two.").await;
    let member = format!("/v1/orgs/{}/members/{}", office.app.organization, office.ben.user());
    let _ = office.admin.delete(&member).await.expect(204);
    assert!(office.is_silent().await);
    assert_eq!(office.app.count("mails"), 0);
}

#[actix_web::test]
async fn what_is_read_before_the_mail_is_sent_is_left_out() {
    let office = Office::open().await;
    office.mention("", "one.").await;
    let more = office.app.system.transact(|tx| tx.mail_new_entries()).unwrap();
    let again = office.app.system.transact(|tx| tx.mail_new_entries()).unwrap();
    assert_eq!((more, again, office.app.count("mails")), (true, false, 1));
    let _ = office.ben.post("/v1/user/inbox/read", json!({})).await.expect(204);
    assert!(office.is_silent().await);
}

#[actix_web::test]
async fn a_node_without_mail_takes_nothing_and_old_entries_are_not_mailed() {
    let mut office = Office::open().await;
    let mailer = office.app.mailer.take();
    office.mention("", "one.").await;
    office.wait().await;
    assert_eq!(office.app.count("inbox_entries WHERE mailed_at IS NULL"), 1);
    office.app.mailer = mailer.clone();
    assert!(office.next().await.text.contains("one."));
    office.app.mailer = None;
    office.mention("", "two.").await;
    office.wait().await;
    office.app.clock.advance(DAY);
    office.app.mailer = mailer;
    assert!(office.is_silent().await);
}

#[actix_web::test]
async fn kinds_are_mailed_as_their_reader_says() {
    let office = Office::open().await;
    office.set_hour(12);
    let _ = office.ben.patch(SETTINGS, json!({"mention": "daily", "reply": "never"})).await.expect(200);
    let hello = json!({"body": {"markdown": "Hello."}});
    let comments = format!("/v1/spaces/{}/comments", office.space);
    let comment = office.ben.post(&comments, hello.clone()).await.expect(201).text("/id");
    let _ = office.ask(&format!("/comments/{comment}/replies"), hello).await;
    for text in ["one.", "two."] {
        office.mention("", text).await;
    }
    assert!(office.is_silent().await);
    office.set_hour(7);
    let mail = office.next().await;
    assert_eq!(mail.line("Subject: "), "Subject: 2 unread entries in your inbox");
    assert!(mail.text.contains("one.") && mail.text.contains("two."), "{}", mail.text);
    assert!(!mail.text.contains("Hello"), "{}", mail.text);
    assert!(office.is_silent().await);
    // Later entries wait for the next day.
    office.mention("", "three.").await;
    assert!(office.is_silent().await);
    office.set_hour(7);
    assert!(office.next().await.text.contains("three."));
}

#[actix_web::test]
async fn a_link_ends_mails_without_a_session_from_anywhere() {
    let office = Office::open().await;
    office.mention("", "one.").await;
    let mail = office.next().await;
    let links = ends(&mail);
    let [(_, of_kind), (_, all)] = links[..] else { panic!("{}", mail.text) };
    let anonymous = office.app.anonymous();
    let page = anonymous.get(of_kind).await.expect(200);
    assert!(String::from_utf8_lossy(&page.bytes).contains("gets no more mails about mentions."));
    // A GET changes nothing, because mail scanners follow links.
    assert_eq!(office.ben.get(SETTINGS).await.expect(200).at("/mention"), "at-once");
    let post = |path: &str| {
        actix_web::test::TestRequest::post()
            .uri(path)
            .insert_header(("Origin", "https://mail.example.com"))
            .set_form([("List-Unsubscribe", "One-Click")])
    };
    for _ in 0..2 {
        let _ = anonymous.send(post(of_kind)).await.expect(200);
    }
    let settings = office.ben.get(SETTINGS).await.expect(200);
    assert_eq!((settings.at("/mention"), settings.at("/reply")), (&json!("never"), &json!("at-once")));
    office.mention("", "two.").await;
    assert!(office.is_silent().await);
    let _ = anonymous.send(post(all)).await.expect(200);
    assert_eq!(office.ben.get(SETTINGS).await.expect(200).at("/import"), "never");
    for wrong in ["/~/unsubscribe/x", &format!("{all}x"), &all.replace("unsubscribe/", "unsubscribe/A")] {
        let _ = anonymous.get(wrong).await.expect(404);
        let _ = anonymous.send(post(wrong)).await.expect(404);
    }
}
