//! Sign-in of visitors.

use quire_domain::Role;
use serde_json::json;

use super::Stage;

#[actix_web::test]
async fn administrators_set_where_visitors_sign_in() {
    let stage = Stage::set().await;
    let path = format!("{}/publishing/auth", stage.site);
    let admin = stage.app.as_role(Role::Admin);
    let before = admin.get(&path).await.expect(200);
    assert_eq!(before.json, json!({"object": "publishing-auth", "backend": "custom"}));
    let urls = json!({"backend": "custom", "fallbackURL": "https://id.example/in"});
    let set = admin.patch(&path, urls).await.expect(200);
    assert_eq!(set.text("/fallbackURL"), "https://id.example/in");
    let key = set.text("/privateKey");
    assert_eq!(key.len(), 44, "32 bytes in base64");
    let more = json!({"backend": "custom", "logoutURL": "https://id.example/out"});
    let more = admin.patch(&path, more).await.expect(200);
    assert_eq!(more.text("/fallbackURL"), "https://id.example/in", "absent keys keep their values");
    assert_eq!(admin.get(&path).await.expect(200).json, more.json);
    let removed = admin.patch(&path, json!({"backend": "custom", "fallbackURL": null})).await.expect(200);
    assert!(removed.json.get("fallbackURL").is_none());
    let new = admin.post_empty(&format!("{path}/regenerate")).await.expect(200);
    assert!(new.text("/privateKey") != key && new.text("/logoutURL") == "https://id.example/out");
    let script = json!({"backend": "custom", "logoutURL": "javascript:alert(1)"});
    assert_eq!(admin.patch(&path, script).await.expect(400).fields(), ["logoutURL"]);
    let other = json!({"backend": "integration"});
    assert_eq!(admin.patch(&path, other).await.expect(400).fields(), ["backend"]);
    // The key opens all sites of the organization.
    stage.app.as_role(Role::Create).get(&path).await.expect(403);
    stage.app.as_role(Role::Create).patch(&path, json!({"backend": "custom"})).await.expect(403);
}
