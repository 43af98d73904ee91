//! Every route of the table, called as nobody, as strangers and with each role, must answer as the table says.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on can only fail"
)]

use std::collections::BTreeMap;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use quire_api::route::{Access, Content, Route};
use quire_domain::Role;
use quire_domain::ids::SpaceId;
use quire_domain::policy::{self, Action, Kind, Membership};
use quire_storage::lookup::ContentSelector;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

/// A file as a form sends it.
const UPLOAD: &str =
    "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nHello.\r\n--b--\r\n";

/// What the paths name, made anew for each call that may change it.
struct Fixture {
    space: String,
    parameters: BTreeMap<&'static str, String>,
}

/// A space with content, a change request, and a comment with a reply on each of the two.
async fn fixture(app: &TestApp) -> Fixture {
    let (space, admin) = app.space().await;
    let id: SpaceId = space.parse().unwrap();
    let (revision, (page, file, reusable)) = app.edit(&admin, id, ContentSelector::Space, |content| {
        let page = content.page(None, "Home", "Welcome.");
        (page, content.file("logo.png", "image/png", b"png"), content.reusable_content("Note", "Mind."))
    });
    let document = app.content(&space, &admin).page(page).and_then(|page| page.document).unwrap();
    let change_request = app.create_change_request(&admin, id);
    let of_request = format!("/v1/spaces/{space}/change-requests/{change_request}");
    let (comment, reply) = discussed(&admin, &format!("/v1/spaces/{space}")).await;
    let (comment_in_request, reply_in_request) = discussed(&admin, &of_request).await;
    let parameters = BTreeMap::from([
        ("organizationId", app.organization.to_string()),
        ("spaceId", space.clone()),
        ("changeRequestId", change_request.to_string()),
        ("revisionId", revision.to_string()),
        ("documentId", document.to_string()),
        ("pageId", page.to_string()),
        ("pagePath", "home".to_owned()),
        ("fileId", file.to_string()),
        ("reusableContentId", reusable.to_string()),
        ("commentId", comment),
        ("commentReplyId", reply),
        ("commentId in a change request", comment_in_request),
        ("commentReplyId in a change request", reply_in_request),
    ]);
    Fixture { space, parameters }
}

/// A comment with a reply, posted below `place`.
async fn discussed(author: &Caller, place: &str) -> (String, String) {
    let body = json!({"body": {"markdown": "Hello."}});
    let comments = format!("{place}/comments");
    let comment = author.post(&comments, body.clone()).await.expect(201).text("/id");
    let reply = author.post(&format!("{comments}/{comment}/replies"), body).await.expect(201).text("/id");
    (comment, reply)
}

impl Fixture {
    fn path(&self, route: &Route) -> String {
        let segments = route.path.split('/').map(|segment| {
            match segment.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
                Some(name) => {
                    self.parameter(route, name).unwrap_or_else(|| panic!("the fixture has no {name}")).clone()
                }
                None => segment.to_owned(),
            }
        });
        let mut path = segments.collect::<Vec<_>>().join("/");
        if route.query.iter().any(|parameter| parameter.name == "query") {
            path.push_str("?query=guide");
        }
        path
    }

    /// The value of a parameter; comments are found below the place they were posted to.
    fn parameter(&self, route: &Route, name: &str) -> Option<&String> {
        let in_request =
            route.path.contains("/change-requests/").then(|| format!("{name} in a change request"));
        in_request.and_then(|name| self.parameters.get(name.as_str())).or_else(|| self.parameters.get(name))
    }

    /// A body that each operation accepts.
    fn body(&self, route: &Route) -> Value {
        match route.operation {
            "updateSpaceById" | "createSpace" => json!({"title": "New"}),
            "createChangeRequest" | "updateChangeRequestById" => json!({"subject": "Typos"}),
            "updateChangeRequest" => json!({"strategy": "ours"}),
            operation if operation.starts_with("importContent") => {
                json!({"url": "http://127.0.0.1/x.zip", "source": "zip"})
            }
            "updateSpaceContent" | "updateChangeRequestContent" => {
                json!({"changes": [{"operation": "insert_group", "title": "Group"}]})
            }
            operation if operation.starts_with("postComment") => json!({"body": {"markdown": "Hello."}}),
            operation if operation.starts_with("updateComment") => json!({"addedReactions": ["👍"]}),
            operation => panic!("there is no sample body for {operation}"),
        }
    }

    async fn call(&self, route: &Route, caller: &Caller) -> Answer {
        let request = TestRequest::with_uri(&self.path(route)).method(route.method.clone());
        let request = match route.bodies.first() {
            Some(Content::Json(_)) => request.set_json(self.body(route)),
            Some(Content::Media("multipart/form-data")) => {
                request.insert_header(("Content-Type", "multipart/form-data; boundary=b")).set_payload(UPLOAD)
            }
            Some(Content::Media(media)) => panic!("there is no sample of {media}"),
            None => request,
        };
        caller.send(request).await
    }
}

fn guarded_routes() -> impl Iterator<Item = (Route, Action)> {
    quire_api::routes().into_iter().filter_map(|route| match route.access {
        // Nobody here is the author of what the fixture holds.
        Access::Needs(action) | Access::AuthorOr(action) => Some((route, action)),
        Access::SignedIn | Access::Public => None,
    })
}

#[actix_web::test]
async fn nobody_is_asked_for_a_token_before_anything_else() {
    let app = TestApp::start().await;
    let fixture = fixture(&app).await;
    let (nobody, unknown) = (app.anonymous(), app.stranger().with_token(&format!("qr_{}", "0".repeat(43))));
    for route in quire_api::routes().into_iter().filter(|route| route.access != Access::Public) {
        for caller in [&nobody, &unknown] {
            let refused = fixture.call(&route, caller).await.expect(401);
            assert_eq!(refused.reason(), "unauthenticated", "{}", route.operation);
            assert_eq!(refused.header("www-authenticate"), "Bearer", "{}", route.operation);
            // Nor does a body that can't be read say anything else.
            let garbage =
                TestRequest::with_uri(&fixture.path(&route)).method(route.method.clone()).set_payload("{");
            let _ =
                caller.send(garbage.insert_header(("Content-Type", "application/json"))).await.expect(401);
        }
    }
}

#[actix_web::test]
async fn strangers_see_nothing() {
    let app = TestApp::start().await;
    let fixture = fixture(&app).await;
    let elsewhere = app.create_organization("Elsewhere");
    let strangers = [app.stranger(), app.member_of(elsewhere, Some(Role::Admin))];
    for (route, _) in guarded_routes() {
        for stranger in &strangers {
            let answer = fixture.call(&route, stranger).await;
            assert_eq!(
                answer.status,
                404,
                "{} answers {}",
                route.operation,
                String::from_utf8_lossy(&answer.bytes)
            );
            assert_eq!(answer.reason(), "not-found", "{}", route.operation);
        }
    }
}

#[actix_web::test]
async fn each_role_may_do_what_the_policy_says() {
    let app = TestApp::start().await;
    let mut wrong = Vec::new();
    for (route, action) in guarded_routes() {
        for role in [None].into_iter().chain(Role::ALL.map(Some)) {
            let fixture = fixture(&app).await;
            let of_organization = action.kinds().contains(&Kind::Organization);
            let (caller, may, visible) = if of_organization {
                let membership = role.map_or(Membership::Guest, Membership::Member);
                (app.member_of(app.organization, role), membership.allows(action), true)
            } else {
                let visible = policy::allows(role, Action::ViewSpace);
                (app.on_space(&fixture.space, role), policy::allows(role, action), visible)
            };
            let status = fixture.call(&route, &caller).await.status.as_u16();
            let right = match (may, visible) {
                (true, _) => !matches!(status, 401 | 403 | 404) && status < 500,
                (false, true) => status == 403,
                (false, false) => status == 404,
            };
            if !right {
                wrong.push(format!("{} as {role:?}: {status}", route.operation));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[actix_web::test]
async fn a_token_that_may_only_read_changes_nothing() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let reader = app.read_only(&admin);
    for (route, action) in guarded_routes() {
        let fixture = fixture(&app).await;
        let status = fixture.call(&route, &reader).await.status.as_u16();
        if route.method == Method::GET {
            assert!(status < 400, "{}: {status}", route.operation);
        } else {
            assert!(!action.is_read(), "{} changes something with {action:?}", route.operation);
            assert_eq!(status, 403, "{}", route.operation);
        }
    }
}

#[actix_web::test]
async fn unknown_paths_and_methods_are_told_apart() {
    let app = TestApp::start().await;
    let caller = app.as_role(Role::Admin);
    assert_eq!(caller.get("/v1/nothing").await.expect(404).reason(), "not-found");
    let refused = caller.delete("/v1/orgs").await.expect(405);
    assert_eq!((refused.reason().as_str(), refused.header("allow")), ("method-not-allowed", "GET, HEAD"));
    let head = caller.call(Method::HEAD, "/v1/orgs").await.expect(200);
    assert!(!head.header("etag").is_empty());
}
