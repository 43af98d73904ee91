//! Putting a space on a site needs a role on the space.

use quire_domain::Role;
use serde_json::json;

use super::Stage;

#[actix_web::test]
async fn a_space_comes_to_a_site_by_somebody_who_may_create_in_it() {
    let stage = Stage::set().await;
    let admin = stage.app.as_role(Role::Admin);
    let space = stage.space("Closed").await;
    for (level, status) in [(Role::Read, 403), (Role::Review, 403), (Role::Create, 201)] {
        let manager = stage.app.as_role(Role::Create);
        admin.patch(&format!("/v1/spaces/{space}"), json!({"defaultLevel": null})).await.expect(200);
        stage.app.grant(&manager, &space, level);
        for (path, body) in [
            (stage.sites.clone(), json!({"spaces": [space]})),
            (format!("{}/site-spaces", stage.site), json!({ "spaceId": space })),
            (format!("{}/sections", stage.site), json!({"spaceId": space, "title": level.as_str()})),
        ] {
            let answer = manager.post(&path, body).await.expect(status);
            if status == 403 {
                assert_eq!(answer.reason(), "forbidden", "{path}");
            }
        }
    }
    // One that can't be seen isn't there.
    let manager = stage.app.as_role(Role::Create);
    for (path, body, field) in [
        (stage.sites.clone(), json!({"spaces": [space]}), "spaces[0]"),
        (format!("{}/site-spaces", stage.site), json!({ "spaceId": space }), "spaceId"),
        (format!("{}/sections", stage.site), json!({"spaceId": space, "title": "Hidden"}), "spaceId"),
    ] {
        assert_eq!(manager.post(&path, body).await.expect(400).fields(), [field], "{path}");
    }
}
