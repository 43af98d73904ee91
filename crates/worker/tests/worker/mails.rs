//! Mails through the queue to a test SMTP server.

use std::time::Duration;

use quire_domain::Role;
use quire_storage::people::mails::{LinkPurpose, NewMail};
use quire_test_support::{Caller, MailSink, TestApp};
use quire_worker::mail::Mailer;
use quire_worker::{Outcome, run_next};
use serde_json::json;

async fn invite(app: &TestApp, admin: &Caller, emails: &[&str]) {
    let path = format!("/v1/orgs/{}/invites", app.organization);
    let _ = admin.post(&path, json!({"emails": emails, "role": "read"})).await.expect(200);
}

/// Posts a mail with a sign-in link to a user's address.
fn post_link(app: &TestApp, recipient: &str) {
    let mail = NewMail::Link { purpose: LinkPurpose::SignIn, recipient: recipient.to_owned() };
    app.system.transact(|tx| tx.post_mails(vec![mail])).unwrap();
}

#[actix_web::test]
async fn an_invitation_is_mailed_once_with_a_secret_that_opens_it() {
    let sink = MailSink::start();
    let app = TestApp::start_with_mail(&sink).await;
    let admin = app.as_role(Role::Admin);
    let path = format!("/v1/orgs/{}/invites", app.organization);
    let made = admin.post(&path, json!({"emails": ["ada@example.com"], "role": "edit"})).await.expect(200);
    app.run_jobs().await;
    let mail = sink.next();
    assert_eq!(mail.recipient, "ada@example.com");
    assert!(mail.line("Subject: ").starts_with("Subject: Invitation to "));
    assert_eq!(mail.line("From: "), "From: Quire <quire@example.com>");
    let id = made.text("/invites/0/id");
    let url = mail.line("http").to_owned();
    let (start, secret) = url.split_once("?secret=").unwrap();
    assert_eq!(start, format!("{}/~/invite/{id}", app.state.settings.base_url));
    // The secret in the answer differs from the mailed one, and still works.
    let shown = made.text("/invites/0/secret");
    assert_ne!(secret, shown);
    for secret in [secret, shown.as_str()] {
        let _ = app.anonymous().get(&format!("/~/invite/{id}?secret={secret}")).await.expect(200);
    }
    let _ = app.anonymous().get(&format!("/~/invite/{id}?secret=qi_x")).await.expect(404);
    let register = format!("/v1/invites/{id}/register");
    let _ = app.anonymous().post(&register, json!({"secret": secret})).await.expect(201);
    // The same event sends no second mail.
    let again = NewMail::Invitation {
        organization: app.organization,
        invite: id.parse().unwrap(),
        recipient: "ada@example.com".to_owned(),
    };
    app.system.transact(|tx| tx.post_mails(vec![again])).unwrap();
    app.run_jobs().await;
    assert!(sink.is_empty());
}

#[actix_web::test]
async fn a_revoked_invitation_is_not_sent() {
    let sink = MailSink::start();
    let app = TestApp::start_with_mail(&sink).await;
    let admin = app.as_role(Role::Admin);
    let path = format!("/v1/orgs/{}/invites", app.organization);
    let made = admin.post(&path, json!({"emails": ["ada@example.com"], "role": "read"})).await.expect(200);
    let _ = admin.delete(&format!("{path}/{}", made.text("/invites/0/id"))).await.expect(204);
    app.run_jobs().await;
    assert!(sink.is_empty());
}

#[actix_web::test]
async fn refused_and_delayed_recipients_do_not_stop_the_others() {
    let sink = MailSink::start();
    let app = TestApp::start_with_mail(&sink).await;
    let admin = app.as_role(Role::Admin);
    invite(&app, &admin, &["refused@example.com", "later@example.com", "ada@example.com"]).await;
    assert!(matches!(run_next(&app.services()).await.unwrap(), Outcome::Failed(_)));
    assert_eq!(sink.next().recipient, "ada@example.com");
    assert!(sink.is_empty());
    app.clock.advance(Duration::from_secs(60));
    app.run_jobs().await;
    assert_eq!(sink.next().recipient, "later@example.com");
    assert!(sink.is_empty());
}

#[actix_web::test]
async fn mail_waits_for_its_server() {
    let sink = MailSink::start();
    let mut app = TestApp::start_with_mail(&sink).await;
    let admin = app.as_role(Role::Admin);
    let mailer = app.mailer.replace(Mailer::new("smtp://127.0.0.1:1", "quire@example.com").unwrap());
    invite(&app, &admin, &["ada@example.com"]).await;
    assert!(matches!(run_next(&app.services()).await.unwrap(), Outcome::Failed(_)));
    app.mailer = mailer;
    app.clock.advance(Duration::from_secs(60));
    app.run_jobs().await;
    assert_eq!(sink.next().recipient, "ada@example.com");
}

#[actix_web::test]
async fn without_mail_an_invitation_writes_none() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    invite(&app, &admin, &["ada@example.com"]).await;
    assert_eq!(run_next(&app.services()).await.unwrap(), Outcome::Idle);
}

#[actix_web::test]
async fn links_go_to_accounts_only_once_a_minute_and_in_time() {
    let sink = MailSink::start();
    let app = TestApp::start_with_mail(&sink).await;
    let email = app.as_role(Role::Read).get("/v1/user").await.expect(200).text("/email");
    for recipient in ["eve@example.org", &email, &email] {
        post_link(&app, recipient);
    }
    app.run_jobs().await;
    let mail = sink.next();
    assert_eq!(mail.recipient, email);
    assert!(mail.line("http").contains("/~/link/ql_"));
    assert!(sink.is_empty());
    app.clock.advance(Duration::from_secs(60));
    post_link(&app, &email);
    app.clock.advance(Duration::from_secs(15 * 60));
    app.run_jobs().await;
    assert!(sink.is_empty(), "a late link is not sent");
    app.clock.advance(Duration::from_secs(8 * 24 * 60 * 60));
    assert_eq!(app.system.transact(|tx| tx.sweep_mails()).unwrap(), 3);
}
