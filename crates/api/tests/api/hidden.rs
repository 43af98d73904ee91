//! Counts of people, teams and integrations leave out spaces that the caller cannot see.

use quire_domain::Role;
use quire_test_support::{Caller, TestApp};
use serde_json::json;

#[actix_web::test]
async fn counts_leave_out_hidden_spaces() {
    let app = TestApp::start().await;
    let (shown, admin) = app.space().await;
    let (hidden, reader, member) = (app.space().await.0, app.as_role(Role::Read), app.as_role(Role::Read));
    let org = format!("/v1/orgs/{}", app.organization);
    admin.patch(&format!("/v1/spaces/{hidden}"), json!({"defaultLevel": null})).await.expect(200);
    let team = admin.put(&format!("{org}/teams"), json!({"title": "Team"})).await.expect(201).text("/id");
    for space in [&shown, &hidden] {
        let granted = json!({"users": [member.user()], "teams": [team], "role": "edit"});
        admin.post(&format!("/v1/spaces/{space}/permissions"), granted).await.expect(204);
    }
    let integration = json!({"title": "Chat", "description": "", "scopes": [], "script": "x",
        "organization": app.organization, "target": "space"});
    admin.post("/v1/integrations/chat", integration).await.expect(201);
    let installations = "/v1/integrations/chat/installations";
    let installed = json!({"organization": app.organization});
    let installation = admin.post(installations, installed).await.expect(201).text("/id");
    let selected = format!("{installations}/{installation}");
    for space in [&shown, &hidden] {
        admin.post(&format!("{selected}/spaces"), json!({ "space": space })).await.expect(201);
    }
    let read = async |caller: &Caller, path: &str, pointer: &str| {
        caller.get(path).await.expect(200).at(pointer).as_u64().unwrap()
    };
    let counts = async |caller: &Caller| {
        [
            read(caller, &format!("{org}/teams/{team}"), "/spaces").await,
            read(caller, &format!("{org}/teams"), "/items/0/spaces").await,
            read(caller, &format!("{org}/members/{}", member.user()), "/spaces").await,
            read(caller, &selected, "/spaces").await,
            read(caller, &format!("{org}/installations"), "/items/0/installation/spaces").await,
        ]
    };
    assert_eq!(counts(&admin).await, [2; 5]);
    assert_eq!(counts(&reader).await, [1; 5]);
    admin.patch(&selected, json!({"space_selection": "all"})).await.expect(200);
    assert_eq!((counts(&admin).await[3], counts(&reader).await[3]), (2, 1));
}
