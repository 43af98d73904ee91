//! Signing in with a password, and updates of the current user.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use actix_web::test::TestRequest;
use futures_util::future::{join, join_all};
use quire_domain::Role;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

const SIGN_IN: &str = "/v1/auth/password";
const PASSWORD: &str = "ferry lantern quilt";

/// Creates a member with a password. Returns the e-mail address, too.
async fn member(app: &TestApp) -> (Caller, String) {
    let caller = app.as_role(Role::Admin);
    let hash = app.state.hash_password(PASSWORD.to_owned()).await.unwrap();
    app.system.transact(|tx| tx.set_password(caller.user(), &hash)).unwrap();
    let email = caller.get("/v1/user").await.expect(200).text("/email");
    (caller, email)
}

async fn sign_in(app: &TestApp, email: &str, password: &str) -> Answer {
    sign_in_from(app, "192.0.2.1", email, password).await
}

async fn sign_in_from(app: &TestApp, address: &str, email: &str, password: &str) -> Answer {
    let peer = SocketAddr::new(address.parse().unwrap(), 4_000);
    let request = TestRequest::post().uri(SIGN_IN).peer_addr(peer);
    let request = request.insert_header(("User-Agent", "Firefox"));
    app.anonymous().send(request.set_json(json!({"email": email, "password": password}))).await
}

/// Returns the caller with the session of a sign-in response.
fn browser(caller: &Caller, signed_in: &Answer) -> Caller {
    let cookie = signed_in.header("set-cookie");
    let secret = cookie.strip_prefix("quire=").and_then(|rest| rest.split(';').next()).unwrap();
    caller.with_token(secret)
}

async fn refused(app: &TestApp, admin: &Caller) -> Vec<Value> {
    let path =
        format!("/v1/orgs/{}/audit-log?operation=signInWithPassword&outcome=refused", app.organization);
    admin.get(&path).await.expect(200).at("/items").as_array().unwrap().clone()
}

#[actix_web::test]
async fn a_password_starts_a_session() {
    let app = TestApp::start().await;
    let (caller, email) = member(&app).await;
    let signed_in = sign_in(&app, &email.to_uppercase(), PASSWORD).await.expect(200);
    assert_eq!(signed_in.at("/id"), &json!(caller.user()));
    let cookie = signed_in.header("set-cookie");
    assert!(cookie.starts_with("quire=qs_") && cookie.ends_with("; HttpOnly; SameSite=Lax"), "{cookie}");
    let browser = browser(&caller, &signed_in);
    let sessions = browser.get("/v1/user/sessions").await.expect(200);
    assert_eq!(
        (sessions.text("/items/0/userAgent"), sessions.text("/items/0/address")),
        ("Firefox".to_owned(), "192.0.2.1".to_owned())
    );
    let log = format!("/v1/orgs/{}/audit-log?operation=signInWithPassword", app.organization);
    let log = caller.get(&log).await.expect(200);
    assert_eq!((log.at("/count"), log.at("/items/0/actor/id")), (&json!(1), &json!(caller.user())));
    assert_eq!(log.at("/items/0/target"), &json!({"type": "session", "id": sessions.text("/items/0/id")}));

    // Signing in again in the same browser ends the previous session.
    let request = TestRequest::post().uri(SIGN_IN).set_json(json!({"email": email, "password": PASSWORD}));
    let again = browser.send(request).await.expect(200);
    let _ = browser.get("/v1/user").await.expect(401);
    assert_ne!(again.header("set-cookie"), cookie);
}

#[actix_web::test]
async fn a_wrong_password_and_an_unknown_address_have_one_answer() {
    let app = TestApp::start().await;
    let (caller, email) = member(&app).await;
    let without = app.as_role(Role::Read).get("/v1/user").await.expect(200).text("/email");
    let wrong = sign_in(&app, &email, "not the password").await.expect(401);
    assert_eq!((wrong.reason().as_str(), wrong.header("set-cookie")), ("wrong-password", ""));
    for other in ["eve@example.org", without.as_str()] {
        assert_eq!(sign_in(&app, other, PASSWORD).await.expect(401).bytes, wrong.bytes, "{other}");
    }
    // The audit log names the account that was tried, without a token, at most once an hour.
    let _ = sign_in(&app, &email, "another wrong one").await.expect(401);
    let entries = refused(&app, &caller).await;
    let tried: Vec<&str> = entries.iter().map(|entry| entry["actor"]["email"].as_str().unwrap()).collect();
    assert_eq!(tried, [without.as_str(), email.as_str()]);
    assert_eq!((entries[0].get("token"), &entries[0]["address"]), (None, &json!("192.0.2.1")));
}

#[actix_web::test]
async fn unknown_addresses_cost_as_much_as_known_ones() {
    let app = TestApp::start().await;
    let (_, email) = member(&app).await;
    let unknown = "eve@example.org";
    let mut statements = Vec::new();
    for _ in 0..3 {
        for address in [email.as_str(), unknown] {
            let before = app.statements();
            let _ = sign_in(&app, address, "not the password").await.expect(401);
            statements.push(app.statements() - before);
        }
    }
    assert!(statements[2..].iter().all(|count| *count == statements[2]), "{statements:?}");
}

#[actix_web::test]
async fn tries_are_counted_for_the_account_and_for_the_client() {
    let app = TestApp::start().await;
    let (_, email) = member(&app).await;
    for (account, address) in [(email.as_str(), "192.0.2.1"), ("eve@example.org", "192.0.2.2")] {
        for _ in 0..5 {
            let _ = sign_in_from(&app, address, account, "not the password").await.expect(401);
        }
        // The right password, another client and another spelling do not help.
        let sixth = sign_in_from(&app, "192.0.2.3", &account.to_uppercase(), PASSWORD).await.expect(429);
        assert_eq!(sixth.reason(), "rate-limited");
        let wait: u64 = sixth.header("retry-after").parse().unwrap();
        assert!((1..=13).contains(&wait), "{wait}");
    }
    for number in 0..20 {
        let account = format!("user-{number}@example.org");
        let _ = sign_in_from(&app, "2001:db8::1", &account, "x").await.expect(401);
    }
    // An IPv6 client address counts with its whole /64.
    let _ = sign_in_from(&app, "2001:db8::2", "another@example.org", "x").await.expect(429);
    let _ = sign_in_from(&app, "2001:db8:1::1", "another@example.org", "x").await.expect(401);
}

#[actix_web::test]
async fn wrong_bodies_are_named() {
    let app = TestApp::start().await;
    let caller = app.anonymous();
    for (body, fields) in [
        (json!({}), vec!["email"]),
        (json!({"email": "ada@example.com"}), vec!["password"]),
        (json!({"email": "ada", "password": ""}), vec!["email", "password"]),
        (json!({"email": "ada@example.com", "password": "x".repeat(257)}), vec!["password"]),
        (json!({"email": 1, "password": "x"}), vec!["email"]),
    ] {
        let mut named = caller.post(SIGN_IN, body.clone()).await.expect(400).fields();
        named.sort();
        assert_eq!(named, fields, "{body}");
    }
}

#[actix_web::test]
async fn a_user_changes_name_and_password() {
    let app = TestApp::start().await;
    let (caller, email) = member(&app).await;
    let [here, there] = [(); 2].map(|()| app.in_browser(&caller));
    let renamed = here.patch("/v1/user", json!({"displayName": "Ada"})).await.expect(200);
    assert_eq!(renamed.text("/displayName"), "Ada");
    assert_eq!(here.patch("/v1/user", json!({})).await.expect(200).text("/displayName"), "Ada");
    let _ = there.get("/v1/user").await.expect(200);
    let photo = "https://acme.example/ada.png";
    let shown = here.patch("/v1/user", json!({"photoURL": photo})).await.expect(200);
    assert_eq!((shown.text("/photoURL").as_str(), shown.text("/displayName").as_str()), (photo, "Ada"));
    assert_eq!(
        here.patch("/v1/user", json!({"photoURL": null})).await.expect(200).json.get("photoURL"),
        None
    );

    let new = "quilted harbour seal";
    for (body, field) in [
        (json!({"displayName": ""}), "displayName"),
        (json!({"displayName": null}), "displayName"),
        (json!({"photoURL": "javascript:alert(1)"}), "photoURL"),
        (json!({"password": new}), "currentPassword"),
        (json!({"password": new, "currentPassword": "not the password"}), "currentPassword"),
        (json!({"password": "short", "currentPassword": PASSWORD}), "password"),
        (json!({"password": "password123", "currentPassword": PASSWORD}), "password"),
        (json!({"password": email, "currentPassword": PASSWORD}), "password"),
    ] {
        assert_eq!(here.patch("/v1/user", body.clone()).await.expect(400).fields(), [field], "{body}");
    }
    let body = json!({"password": new, "currentPassword": PASSWORD});
    let _ = here.patch("/v1/user", body).await.expect(200);
    // Other sessions are ended; this session and API tokens are not.
    let _ = there.get("/v1/user").await.expect(401);
    let _ = here.get("/v1/user").await.expect(200);
    let _ = sign_in(&app, &email, PASSWORD).await.expect(401);
    let _ = sign_in(&app, &email, new).await.expect(200);
    let log = format!("/v1/orgs/{}/audit-log?operation=updateAuthenticatedUser", app.organization);
    assert_eq!(caller.get(&log).await.expect(200).at("/count"), &json!(5));
}

#[actix_web::test]
async fn tries_of_the_present_password_are_counted() {
    let app = TestApp::start().await;
    let (caller, _) = member(&app).await;
    let body = json!({"password": "quilted harbour seal", "currentPassword": "not the password"});
    for _ in 0..5 {
        let _ = caller.patch("/v1/user", body.clone()).await.expect(400);
    }
    let _ = caller.patch("/v1/user", body).await.expect(429);
}

#[actix_web::test]
async fn a_first_password_needs_a_recent_sign_in() {
    let app = TestApp::start().await;
    let caller = app.as_role(Role::Read);
    let body = json!({"password": PASSWORD});
    let _ = caller.patch("/v1/user", body.clone()).await.expect(403);
    let old = app.in_browser(&caller);
    app.clock.advance(Duration::from_secs(11 * 60));
    let _ = old.patch("/v1/user", body.clone()).await.expect(403);
    let _ = app.in_browser(&caller).patch("/v1/user", body).await.expect(200);
    let email = caller.get("/v1/user").await.expect(200).text("/email");
    let _ = sign_in(&app, &email, PASSWORD).await.expect(200);
}

#[actix_web::test]
async fn tokens_with_limits_change_no_user() {
    let app = TestApp::start().await;
    let caller = app.as_role(Role::Read);
    let body = json!({"displayName": "Ada"});
    let _ = app.read_only(&caller).patch("/v1/user", body.clone()).await.expect(403);
    let limited = json!({"label": "one", "organizations": [app.organization]});
    let limited = caller.post("/v1/user/tokens", limited).await.expect(201).text("/token");
    let _ = caller.with_token(&limited).patch("/v1/user", body.clone()).await.expect(403);
    let _ = caller.patch("/v1/user", body).await.expect(200);
}

/// Returns the median and the 99th percentile of times.
fn times(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

/// `cargo test -p quire-api --test api -- --ignored --nocapture passwords::a_hundred` prints the time of a sign-in, and
/// the latency of reads during a hundred concurrent sign-ins.
#[actix_web::test]
#[ignore = "takes long, and its time says more about the machine than about the code"]
async fn a_hundred_sign_ins_at_once_leave_readers_alone() {
    const PEOPLE: usize = 100;
    let app = TestApp::start().await;
    let (space, _) = app.space().await;
    let reader = app.on_space(&space, Some(Role::Read));
    let path = format!("/v1/spaces/{space}");
    let hash = app.state.hash_password(PASSWORD.to_owned()).await.unwrap();
    let mut people = Vec::new();
    for number in 0..PEOPLE {
        let caller = app.as_role(Role::Read);
        app.system.transact(|tx| tx.set_password(caller.user(), &hash)).unwrap();
        people.push((format!("192.0.2.{number}"), caller.get("/v1/user").await.expect(200).text("/email")));
    }
    let timed_sign_in = async |(address, email): &(String, String)| {
        let started = Instant::now();
        let _ = sign_in_from(&app, address, email, PASSWORD).await.expect(200);
        started.elapsed()
    };
    let timed_read = async || {
        let started = Instant::now();
        let _ = reader.get(&path).await.expect(200);
        started.elapsed()
    };
    let (mut alone, mut idle) = (Vec::new(), Vec::new());
    for person in &people {
        alone.push(timed_sign_in(person).await);
        idle.push(timed_read().await);
    }
    let signing_in = std::cell::Cell::new(true);
    let crowd = async {
        let times = join_all(people.iter().map(timed_sign_in)).await;
        signing_in.set(false);
        times
    };
    let reads = async {
        let mut times = Vec::new();
        while signing_in.get() {
            times.push(timed_read().await);
        }
        times
    };
    let started = Instant::now();
    let (crowd, reads) = join(crowd, reads).await;
    let took = started.elapsed();
    let count = reads.len();
    println!("median and 99th percentile");
    println!("a sign-in: {:?}; each of {PEOPLE} at once: {:?}, in all {took:?}", times(alone), times(crowd));
    println!("a read: {:?}; meanwhile, {} reads: {:?}", times(idle), count, times(reads));
}
