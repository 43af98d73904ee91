//! Each route of the table, called without a token, as strangers and with each role, must respond as the table says.

mod bodies;
mod visitors;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use quire_api::route::{Access, Route};
use quire_domain::Role;
use quire_domain::policy::{self, Action, Kind, Membership};
use quire_storage::people::organizations::AdminChanges;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::json;

use crate::routes::{Fixture, fixture, fixture_for};

/// Returns the routes that require permission, each with all actions that the fixture's request requires.
fn guarded_routes() -> impl Iterator<Item = (Route, Vec<Action>)> {
    quire_api::routes().into_iter().filter_map(|route| match route.access {
        // No caller here is an author or user of the fixture, or owns its team.
        Access::Needs(action) | Access::NeedsInBody(action) => Some((route, vec![action])),
        Access::NeedsBoth(here, there) => Some((route, vec![here, there])),
        // The callers get the permission for the second action.
        Access::NeedsAlso(here, _) => Some((route, vec![here])),
        Access::NeedsByBody(actions) => {
            let weakest = *actions.first()?;
            Some((route, vec![weakest]))
        }
        Access::Own(_) | Access::SignedIn | Access::Public => None,
    })
}

/// Creates a caller with this role on the space or collection in the route's path, and in the organization if the route
/// requires permission elsewhere, too.
fn caller_with(
    app: &TestApp,
    fixture: &Fixture,
    route: &Route,
    actions: &[Action],
    role: Option<Role>,
) -> Caller {
    let Some(role) = role else { return app.member_of(app.organization, None) };
    let caller = app.as_role(if actions.len() > 1 { role } else { Role::Read });
    let named = match route.path.contains("{collectionId}") {
        true => fixture.parameter(route, "collectionId"),
        false => fixture.space.clone(),
    };
    app.grant(&caller, &named, role);
    caller
}

async fn call(fixture: &Fixture, route: &Route, caller: &Caller) -> Answer {
    caller.send(fixture.request(route, &fixture.path(route))).await
}

#[actix_web::test]
async fn callers_are_asked_for_a_token_before_anything_else() {
    let app = TestApp::start().await;
    let fixture = fixture(&app).await;
    let [unknown, ended] =
        ["qr_", "qs_"].map(|prefix| app.stranger().with_token(&format!("{prefix}{}", "0".repeat(43))));
    let anonymous = app.anonymous();
    for route in quire_api::routes().into_iter().filter(|route| route.access != Access::Public) {
        for caller in [&anonymous, &unknown, &ended] {
            let refused = call(&fixture, &route, caller).await.expect(401);
            assert_eq!(refused.reason(), "unauthenticated", "{}", route.operation);
            assert_eq!(refused.header("www-authenticate"), "Bearer", "{}", route.operation);
            // A malformed body does not change the response.
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
        // An organization that only the body names is an error of the body if it is hidden.
        let in_body = matches!(route.access, Access::NeedsInBody(_));
        let (status, reason) = if in_body { (400, "invalid-body") } else { (404, "not-found") };
        for stranger in &strangers {
            let answer = call(&fixture, &route, stranger).await;
            assert_eq!(
                answer.status,
                status,
                "{} answers {}",
                route.operation,
                String::from_utf8_lossy(&answer.bytes)
            );
            assert_eq!(answer.reason(), reason, "{}", route.operation);
        }
    }
}

/// Returns whether the status is correct for a caller who may do the action, or who sees the resource.
fn is_right(status: u16, may: bool, visible: bool) -> bool {
    match (may, visible) {
        (true, _) => !matches!(status, 401 | 403 | 404) && status < 500,
        (false, true) => status == 403,
        (false, false) => status == 404,
    }
}

#[actix_web::test]
async fn each_role_may_do_what_the_policy_says() {
    assert_policy(false).await;
}

#[actix_web::test]
async fn each_role_may_do_the_same_in_a_browser() {
    assert_policy(true).await;
}

/// Calls each route as each role, with an API token or the cookie of a session.
async fn assert_policy(in_browser: bool) {
    let app = TestApp::start().await;
    let mut wrong = Vec::new();
    for (route, actions) in guarded_routes() {
        let mut fixture = fixture_for(&app, &route).await;
        for role in [None].into_iter().chain(Role::ALL.map(Some)) {
            let of_organization = actions[0].kinds().contains(&Kind::Organization);
            let (caller, may, visible) = if of_organization {
                let membership = role.map_or(Membership::Guest, Membership::Member);
                let may = actions.iter().all(|action| membership.allows(*action));
                let caller = app.member_of(app.organization, role);
                if matches!(route.access, Access::NeedsAlso(..)) {
                    app.grant(&caller, &fixture.space, Role::Admin);
                }
                (caller, may, true)
            } else {
                let may = actions.iter().all(|action| policy::allows(role, *action));
                let visible = policy::allows(role, Action::ViewSpace);
                (caller_with(&app, &fixture, &route, &actions, role), may, visible)
            };
            let caller = if in_browser { app.in_browser(&caller) } else { caller };
            let status = call(&fixture, &route, &caller).await.status.as_u16();
            if !is_right(status, may, visible) {
                wrong.push(format!("{} as {role:?}: {status}", route.operation));
            }
            if may && route.method != Method::GET {
                // The call may have changed the resource, so the next one gets a new fixture.
                fixture = fixture_for(&app, &route).await;
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
    for (route, actions) in guarded_routes() {
        let fixture = fixture_for(&app, &route).await;
        let status = call(&fixture, &route, &reader).await.status.as_u16();
        // Computing content and rendering documents take a body, but change nothing.
        let asks = route.path.contains("/computed/") || route.path.ends_with("/render");
        if route.method == Method::GET || asks {
            assert!(status < 400 || is_not_set_up(&route, status), "{}: {status}", route.operation);
        } else {
            let named = match route.access {
                Access::NeedsAlso(_, named) => Some(named),
                _ => None,
            };
            let reads = actions.iter().chain(&named).all(|action| action.is_read());
            assert!(!reads, "{} changes something with {actions:?}", route.operation);
            assert_eq!(status, 403, "{}", route.operation);
        }
    }
}

/// Returns whether the route asks another server that the Git connection of the fixture does not have.
fn is_not_set_up(route: &Route, status: u16) -> bool {
    route.calls_other_server && status == 409
}

/// Returns whether a route changes something in an organization.
fn changes_an_organization(route: &Route) -> bool {
    let of_oneself = [
        "createApiToken",
        "deleteApiToken",
        "deleteSession",
        "signOut",
        "confirmSession",
        "startTotp",
        "confirmTotp",
        "deleteTotp",
        "startPasskey",
        "createPasskey",
        "updatePasskey",
        "deletePasskey",
        "deleteIdentity",
        "deleteSamlIdentity",
        "updateAuthenticatedUser",
        "createOrganization",
        "updatePresence",
        "markInboxRead",
        "updateNotifications",
    ];
    // Computing content, searching and rendering take a body, but change nothing.
    route.method != Method::GET
        && !route.path.contains("/computed/")
        && !route.path.ends_with("/search")
        && !route.path.ends_with("/render")
        && !of_oneself.contains(&route.operation)
}

#[actix_web::test]
async fn a_blocked_organization_can_be_read_and_left_and_nothing_else() {
    let app = TestApp::start().await;
    let fixture = fixture(&app).await;
    let (admin, leaver) = (app.as_role(Role::Admin), app.as_role(Role::Read));
    let writer = app.on_space(&fixture.space, Some(Role::Comment));
    let comments = format!("/v1/spaces/{}/comments", fixture.space);
    let comment = writer.post(&comments, json!({"body": {"markdown": "Mine."}})).await.expect(201);
    let comment = format!("{comments}/{}", comment.text("/id"));
    let reason =
        AdminChanges { blocked_reason: Some(Some("security".to_owned())), ..AdminChanges::default() };
    let block =
        |tx: &mut quire_storage::SystemTx<'_>| tx.administrate_organization(app.organization, &reason);
    assert!(app.system.transact(block).unwrap());

    let mut wrong = Vec::new();
    let routes = quire_api::routes().into_iter().filter(|route| route.access != Access::Public);
    let (changing, reading): (Vec<_>, Vec<_>) = routes.partition(changes_an_organization);
    for route in &changing {
        let answer = call(&fixture, route, &admin).await;
        if answer.status != 403 || answer.reason() != "organization-blocked" {
            wrong.push(format!("{}: {}", route.operation, answer.status));
        }
    }
    // Authors may edit their own text without a role.
    let edit = writer.put(&comment, json!({"body": {"markdown": "Other."}})).await.expect(403);
    assert_eq!(edit.reason(), "organization-blocked");
    assert_eq!(writer.delete(&comment).await.expect(403).reason(), "organization-blocked");
    for route in reading.iter().filter(|route| route.method == Method::GET) {
        let status = call(&fixture, route, &admin).await.status.as_u16();
        if status >= 400 && !is_not_set_up(route, status) {
            wrong.push(format!("{}: {status}", route.operation));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(changing.len() > 100, "{}", changing.len());

    let oneself = format!("/v1/orgs/{}/members/{}", app.organization, leaver.user());
    let _ = leaver.delete(&oneself).await.expect(204);
    let _ = admin.post("/v1/user/tokens", json!({"label": "ci"})).await.expect(201);
}

#[actix_web::test]
async fn unknown_paths_and_methods_have_different_answers() {
    let app = TestApp::start().await;
    let caller = app.as_role(Role::Admin);
    assert_eq!(caller.get("/v1/nothing").await.expect(404).reason(), "not-found");
    let refused = caller.delete("/v1/orgs").await.expect(405);
    assert_eq!(
        (refused.reason().as_str(), refused.header("allow")),
        ("method-not-allowed", "GET, POST, HEAD")
    );
    let head = caller.call(Method::HEAD, "/v1/orgs").await.expect(200);
    assert!(!head.header("etag").is_empty());
}
