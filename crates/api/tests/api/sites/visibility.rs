//! Lists and counts of sites leave out hidden spaces, and adding a space to a site requires a role on the space.

use quire_domain::Role;
use serde_json::{Value, json};

use super::Stage;

#[actix_web::test]
async fn a_hidden_space_is_neither_found_nor_counted() {
    let stage = Stage::set().await;
    let admin = stage.app.as_role(Role::Admin);
    let (shown, hidden) = (stage.space("Shown").await, stage.space("Hidden").await);
    for space in [&shown, &hidden] {
        let path = format!("{}/site-spaces", stage.site);
        admin.post(&path, json!({ "spaceId": space })).await.expect(201);
    }
    admin.patch(&format!("/v1/spaces/{hidden}"), json!({"defaultLevel": null})).await.expect(200);
    let reader = stage.app.as_role(Role::Read);
    let unknown = "0190a5d2-7c1e-7000-8000-000000000000";
    let found = async |query: &str| {
        let list = reader.get(&format!("{}{query}", stage.sites)).await.expect(200);
        let spaces: Vec<Value> =
            list.at("/items").as_array().unwrap().iter().map(|site| site["siteSpaces"].clone()).collect();
        (list.at("/count").clone(), spaces)
    };
    assert_eq!(found("").await, (json!(1), vec![json!(1)]));
    assert_eq!(found(&format!("?space={shown}")).await, (json!(1), vec![json!(1)]));
    for absent in [&hidden, unknown, "none"] {
        assert_eq!(found(&format!("?space={absent}")).await, (json!(0), vec![]), "{absent}");
    }
    let site = |caller: &quire_test_support::Caller| {
        let caller = caller.clone();
        let path = stage.site.clone();
        async move { caller.get(&path).await.expect(200).at("/siteSpaces").clone() }
    };
    assert_eq!(site(&reader).await, json!(1));
    assert_eq!(site(&admin).await, json!(2));
    let listed = reader.get(&format!("{}/site-spaces", stage.site)).await.expect(200);
    assert_eq!(listed.at("/count"), &json!(1));
    let by_admin = admin.get(&format!("{}?space={hidden}", stage.sites)).await.expect(200);
    assert_eq!(by_admin.at("/items/0/siteSpaces"), &json!(2));
    stage.app.grant(&reader, &hidden, Role::Read);
    assert_eq!(found(&format!("?space={hidden}")).await, (json!(1), vec![json!(2)]));
}

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
    // A hidden space counts as missing.
    let manager = stage.app.as_role(Role::Create);
    for (path, body, field) in [
        (stage.sites.clone(), json!({"spaces": [space]}), "spaces[0]"),
        (format!("{}/site-spaces", stage.site), json!({ "spaceId": space }), "spaceId"),
        (format!("{}/sections", stage.site), json!({"spaceId": space, "title": "Hidden"}), "spaceId"),
    ] {
        assert_eq!(manager.post(&path, body).await.expect(400).fields(), [field], "{path}");
    }
}
