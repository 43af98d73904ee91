//! Routes whose required permission depends on the body, and routes that need only a token.

use std::collections::HashSet;

use actix_web::test::TestRequest;
use quire_api::route::{Access, Route};
use quire_domain::Role;
use quire_domain::change_requests::ChangeRequestUpdate;
use quire_domain::comments::CommentUpdate;
use quire_domain::policy::{self, Action, Membership, TokenLimits};
use quire_test_support::TestApp;
use serde_json::{Value, json};

use super::{call, is_right};
use crate::routes::{fixture_and_admin, fixture_for};

/// Returns bodies with the keys that a route's body can have, each with the actions that it requires.
fn bodies(route: &Route) -> Vec<(Value, Vec<Action>)> {
    let of_comment = |body: Value| {
        let update: CommentUpdate = serde_json::from_value(body.clone()).unwrap();
        let in_space = !route.path.contains("{changeRequestId}");
        let is_space_reply = in_space && route.path.contains("{commentReplyId}");
        let update = if is_space_reply { update.on_space_reply() } else { update };
        let actions = update.required_actions().into_iter().chain(update.resolving_action()).collect();
        (body, actions)
    };
    let of_change_request = |body: Value| {
        let update: ChangeRequestUpdate = serde_json::from_value(body.clone()).unwrap();
        (body, update.required_actions())
    };
    match route.operation {
        operation if operation.starts_with("updateComment") => [
            json!({"addedReactions": ["👍"]}),
            json!({"resolved": true}),
            json!({"resolved": false}),
            json!({"body": {"markdown": "Other."}}),
            json!({"resolved": true, "body": {"markdown": "Other."}}),
        ]
        .map(of_comment)
        .into(),
        "updateChangeRequestById" => [
            json!({"subject": "Typos"}),
            json!({"status": "draft"}),
            json!({"status": "open"}),
            json!({"status": "archived"}),
        ]
        .map(of_change_request)
        .into(),
        operation => panic!("there are no bodies for {operation}"),
    }
}

#[actix_web::test]
async fn a_body_needs_the_actions_of_its_keys_and_these_are_listed() {
    let app = TestApp::start().await;
    let mut wrong = Vec::new();
    for route in quire_api::routes() {
        let Access::NeedsByBody(listed) = route.access else { continue };
        let fixture = fixture_for(&app, &route).await;
        let bodies = bodies(&route);
        let needed: HashSet<Action> =
            bodies.iter().flat_map(|(_, actions)| actions.iter().copied()).collect();
        assert_eq!(needed, listed.iter().copied().collect(), "{}", route.operation);
        for role in [None].into_iter().chain(Role::ALL.map(Some)) {
            let caller = app.on_space(&fixture.space, role);
            for (body, actions) in &bodies {
                let request = TestRequest::with_uri(&fixture.path(&route)).method(route.method.clone());
                let status = caller.send(request.set_json(body)).await.status.as_u16();
                let may = actions.iter().all(|action| policy::allows(role, *action));
                if !is_right(status, may, policy::allows(role, Action::ViewSpace)) {
                    wrong.push(format!("{} with {body} as {role:?}: {status}", route.operation));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[actix_web::test]
async fn what_a_body_names_needs_a_permission_of_its_own() {
    let app = TestApp::start().await;
    for route in quire_api::routes() {
        let Access::NeedsAlso(here, named) = route.access else { continue };
        for role in Role::ALL {
            let fixture = fixture_for(&app, &route).await;
            let caller = app.as_role(Role::Create);
            assert!(Membership::Member(Role::Create).allows(here), "{}", route.operation);
            app.grant(&caller, &fixture.space, role);
            let body = match route.operation {
                "createSite" => json!({"title": "Docs", "spaces": [fixture.space]}),
                _ => fixture.body(&route),
            };
            let request = TestRequest::with_uri(&fixture.path(&route)).method(route.method.clone());
            let status = caller.send(request.set_json(body)).await.status.as_u16();
            let may = policy::allows(Some(role), named);
            assert!(is_right(status, may, true), "{} as {role:?}: {status}", route.operation);
        }
    }
}

#[actix_web::test]
async fn users_do_for_themselves_what_their_token_allows() {
    let app = TestApp::start().await;
    for route in quire_api::routes() {
        let Access::Own(action) = route.access else { continue };
        let (fixture, admin) = fixture_and_admin(&app, &route).await;
        let reader = app.read_only(&admin);
        let refused = call(&fixture, &route, &reader).await.expect(403);
        assert_eq!(refused.reason(), "forbidden", "{}", route.operation);
        assert!(!TokenLimits { read_only: true, organizations: false }.allow_own(action));
        let status = call(&fixture, &route, &admin).await.status.as_u16();
        assert!(status < 400, "{}: {status}", route.operation);
    }
}
