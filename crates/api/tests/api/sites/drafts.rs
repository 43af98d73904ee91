//! Draft parts of a site, and parts that menus leave out.

use serde_json::{Value, json};

use super::{Stage, each};

#[actix_web::test]
async fn visitors_do_not_see_drafts() {
    let (stage, space, _) = Stage::with_page("Welcome.").await;
    let later = stage.space("Later").await;
    stage.write(&later, "Soon", "Harbor.");
    let path = format!("{}/site-spaces", stage.site);
    let placed = stage.manager.post(&path, json!({"spaceId": later, "draft": true})).await.expect(201);
    assert_eq!(placed.at("/draft"), true);
    let one = format!("{path}/{}", placed.text("/id"));
    let visibility =
        async || stage.manager.get(&format!("/v1/spaces/{later}")).await.expect(200).text("/visibility");
    assert_eq!(visibility().await, "private");
    let visitor = stage.visitor(json!({})).await;
    let structure = format!("{}/structure", stage.site);
    let spaces = |answer: &quire_test_support::Answer| -> Vec<Value> {
        let items = answer.at("/structure").as_array().unwrap().iter();
        items.map(|item| item["space"]["id"].clone()).collect()
    };
    for caller in [&visitor, &stage.app.stranger()] {
        assert_eq!(spaces(&caller.get(&structure).await.expect(200)), [json!(space)]);
        caller.get(&format!("/v1/spaces/{later}/content")).await.expect(404);
        let search = json!({"query": "harbor", "mode": "all"});
        let found = caller.post(&format!("{}/search", stage.site), search).await.expect(200);
        assert_eq!(found.at("/count"), 0);
    }
    assert_eq!(spaces(&stage.manager.get(&structure).await.expect(200)), [json!(space), json!(later)]);
    let found = stage.find(&format!("{}/later", stage.root()), json!({})).await.expect(200);
    assert_eq!(found.text("/space"), space, "the path is one of a page");

    let shown = stage.manager.patch(&one, json!({"draft": false})).await.expect(200);
    assert_eq!(shown.at("/draft"), false);
    assert_eq!(visibility().await, "public");
    visitor.get(&format!("/v1/spaces/{later}/content")).await.expect(200);
    assert_eq!(spaces(&visitor.get(&structure).await.expect(200)), [json!(space), json!(later)]);
    assert_eq!(stage.manager.patch(&one, json!({"draft": null})).await.expect(400).fields(), ["draft"]);
}

#[actix_web::test]
async fn sections_and_groups_can_be_drafts() {
    let stage = Stage::set().await;
    let guides = stage.section("Guides").await;
    let api = stage.section("API").await;
    stage.publish().await;
    let content = format!("/v1/spaces/{}/content", api.text("/siteSpaces/0/space/id"));
    let visitor = stage.visitor(json!({})).await;
    visitor.get(&content).await.expect(200);
    let section = format!("{}/sections/{}", stage.site, api.text("/id"));
    assert_eq!(stage.manager.patch(&section, json!({"draft": true})).await.expect(200).at("/draft"), true);
    visitor.get(&content).await.expect(404);
    stage.manager.patch(&section, json!({"draft": false})).await.expect(200);
    visitor.get(&content).await.expect(200);

    let groups = format!("{}/section-groups", stage.site);
    let body = json!({"title": "More", "sections": [api.text("/id")], "draft": true});
    let group = stage.manager.post(&groups, body).await.expect(201);
    assert_eq!(group.at("/draft"), true);
    visitor.get(&content).await.expect(404);
    let structure = visitor.get(&format!("{}/structure", stage.site)).await.expect(200);
    assert_eq!(structure.at("/structure").as_array().unwrap().len(), 1);
    assert_eq!(structure.text("/structure/0/id"), guides.text("/id"));
    let group = format!("{groups}/{}", group.text("/id"));
    stage.manager.patch(&group, json!({"draft": false})).await.expect(200);
    visitor.get(&content).await.expect(200);
}

#[actix_web::test]
async fn hidden_site_spaces_are_read_by_their_address() {
    let (stage, ..) = Stage::with_page("Welcome.").await;
    let old = stage.space("Old").await;
    let path = format!("{}/site-spaces", stage.site);
    let placed = stage.manager.post(&path, json!({ "spaceId": old })).await.expect(201);
    assert_eq!(placed.at("/hidden"), false);
    let one = format!("{path}/{}", placed.text("/id"));
    assert_eq!(stage.manager.patch(&one, json!({"hidden": true})).await.expect(200).at("/hidden"), true);
    let visitor = stage.visitor(json!({})).await;
    let structure = visitor.get(&format!("{}/structure", stage.site)).await.expect(200);
    assert_eq!(structure.at("/structure/1/hidden"), true);
    let found = stage.find(&format!("{}/old", stage.root()), json!({})).await.expect(200);
    assert_eq!(found.text("/space"), old);
    let spaces = stage.manager.get(&path).await.expect(200);
    assert_eq!(each(&spaces, "/space/title"), ["Guide", "Old"]);
}

#[actix_web::test]
async fn a_share_key_opens_no_space_whose_condition_is_false() {
    let (stage, space, _) = Stage::with_page("Welcome.").await;
    stage.manager.patch(&stage.site, json!({"visibility": "share-link"})).await.expect(200);
    let links = format!("{}/share-links", stage.site);
    let key = stage.manager.post(&links, json!({})).await.expect(201).text("/key");
    let path = format!("/v1/spaces/{space}?shareKey={key}");
    let anonymous = stage.app.anonymous();
    anonymous.get(&path).await.expect(200);
    let list = format!("{}/site-spaces", stage.site);
    let one = format!("{list}/{}", stage.manager.get(&list).await.expect(200).text("/items/0/id"));
    stage.manager.patch(&one, json!({"condition": "visitor.claims.beta == true"})).await.expect(200);
    anonymous.get(&path).await.expect(401);
    stage.manager.get(&path).await.expect(200);
    stage.manager.patch(&one, json!({"condition": null, "draft": true})).await.expect(200);
    anonymous.get(&path).await.expect(401);
}
