//! Settings of e-mail notifications about inboxes.

use quire_domain::Role;
use quire_test_support::TestApp;
use serde_json::json;

const PATH: &str = "/v1/user/notifications";

#[actix_web::test]
async fn each_user_has_notifications_of_their_own() {
    let app = TestApp::start().await;
    let [ben, clo] = [(); 2].map(|()| app.as_role(Role::Read));
    let all = |delivery: &str| {
        json!({
            "object": "notifications", "reviewRequest": delivery, "mention": delivery, "reply": delivery,
            "conflict": delivery, "import": delivery,
        })
    };
    assert_eq!(ben.get(PATH).await.expect(200).json, all("at-once"));
    let mut changed = all("at-once");
    changed["reply"] = json!("daily");
    changed["import"] = json!("never");
    let asked = json!({"reply": "daily", "import": "never"});
    assert_eq!(ben.patch(PATH, asked).await.expect(200).json, changed);
    changed["reply"] = json!("at-once");
    assert_eq!(ben.patch(PATH, json!({"reply": "at-once"})).await.expect(200).json, changed);
    assert_eq!(ben.patch(PATH, json!({})).await.expect(200).json, changed);
    assert_eq!(app.on_another_node(&ben).await.get(PATH).await.expect(200).json, changed);
    assert_eq!(clo.get(PATH).await.expect(200).json, all("at-once"));
}

#[actix_web::test]
async fn wrong_notifications_name_the_field() {
    let app = TestApp::start().await;
    let ben = app.as_role(Role::Read);
    for (field, value) in
        [("mention", json!("hourly")), ("reviewRequest", json!(null)), ("import", json!(true))]
    {
        let refused = ben.patch(PATH, json!({field: value})).await.expect(400);
        assert_eq!(refused.at("/error/details/0/field"), field);
    }
    let _ = app.read_only(&ben).patch(PATH, json!({"mention": "never"})).await.expect(403);
    let _ = app.read_only(&ben).get(PATH).await.expect(200);
    let _ = app.anonymous().get(PATH).await.expect(401);
}
