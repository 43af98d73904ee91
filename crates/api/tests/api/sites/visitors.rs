//! Who sees a published site, and what of it.

use quire_domain::Role;
use quire_domain::sites::PublishedSite;
use serde_json::json;

use super::{Stage, each};

#[actix_web::test]
async fn members_see_a_site_at_any_time_and_others_once_it_is_published() {
    let stage = Stage::set().await;
    stage.place("Guide").await;
    let path = format!("{}/published", stage.site);
    let (stranger, guest) = (stage.app.stranger(), stage.app.member_of(stage.app.organization, None));
    let seen = stage.app.as_role(Role::Read).get(&path).await.expect(200);
    assert_eq!(seen.text("/object"), "published-content-site");
    let _: PublishedSite = serde_json::from_value(seen.json).unwrap();
    stranger.get(&path).await.expect(404);
    guest.get(&path).await.expect(404);
    stage.publish().await;
    for caller in [&stranger, &guest] {
        let seen = caller.get(&path).await.expect(200);
        assert_eq!(seen.text("/structure/structure/0/title"), "Guide");
        assert_eq!(seen.at("/structure/structure/0/space/permissions/view"), &json!(false));
        assert_eq!(seen.text("/customizations/site/styling/theme"), "clean");
        assert_eq!(seen.at("/customizations/siteSpaces"), &json!({}));
    }
    stage.app.anonymous().get(&path).await.expect(401);
    stage.app.anonymous().get(&format!("{path}?shareKey=nonsense")).await.expect(404);
    let absent = format!("{}/0190a5d2-7c1e-7000-8000-000000000001/published", stage.sites);
    assert_eq!(stranger.get(&absent).await.expect(404).reason(), "not-found");
}

#[actix_web::test]
async fn a_share_link_opens_a_site_until_it_is_revoked() {
    let stage = Stage::set().await;
    stage.place("Guide").await;
    stage.manager.patch(&stage.site, json!({"visibility": "share-link"})).await.expect(200);
    let links = format!("{}/share-links", stage.site);
    let link = stage.manager.post(&links, json!({"name": "Press"})).await.expect(201);
    assert_eq!(
        (link.text("/object"), link.text("/name"), link.at("/active")),
        ("share-link".to_owned(), "Press".to_owned(), &json!(true))
    );
    let key = link.text("/key");
    let nobody = stage.app.anonymous();
    let path = format!("{}/published", stage.site);
    nobody.get(&format!("{path}?shareKey={key}")).await.expect(404);
    stage.publish().await;
    let seen = nobody.get(&format!("{path}?shareKey={key}")).await.expect(200);
    assert!(seen.text("/site/urls/published").ends_with(&format!("?shareKey={key}")));
    stage.app.stranger().get(&path).await.expect(404);
    let space = format!("/v1/spaces/{}", seen.text("/structure/structure/0/space/id"));
    let shared = nobody.get(&format!("{space}?shareKey={key}")).await.expect(200);
    assert_eq!(shared.text("/visibility"), "share-link");
    assert!(shared.text("/urls/published").ends_with(&format!("/guide?shareKey={key}")));
    stage.app.stranger().get(&space).await.expect(404);
    for list in ["sections", "site-spaces"] {
        let list = format!("{}/{list}", stage.site);
        nobody.get(&format!("{list}?shareKey={key}")).await.expect(200);
        nobody.get(&format!("{list}?shareKey=nonsense")).await.expect(404);
        stage.app.stranger().get(&list).await.expect(404);
    }
    let one = format!("{links}/{}", link.text("/id"));
    stage.manager.patch(&one, json!({"active": false})).await.expect(200);
    nobody.get(&format!("{path}?shareKey={key}")).await.expect(404);
    stage.manager.patch(&one, json!({"active": true, "name": "All"})).await.expect(200);
    nobody.get(&format!("{path}?shareKey={key}")).await.expect(200);
    assert_eq!(stage.manager.get(&one).await.expect(200).text("/name"), "All");
    assert_eq!(each(&stage.manager.get(&links).await.expect(200), "/name"), ["All"]);
    stage.manager.delete(&one).await.expect(204);
    stage.manager.delete(&one).await.expect(404);
    nobody.get(&format!("{path}?shareKey={key}")).await.expect(404);
    stage.app.as_role(Role::Read).get(&links).await.expect(403);
}

#[actix_web::test]
async fn conditions_decide_what_visitors_see() {
    let stage = Stage::set().await;
    let open = stage.section("Open").await;
    let beta = stage.section("Beta").await.text("/id");
    let condition = json!({"condition": "visitor.claims.unsigned.beta == true"});
    stage.manager.patch(&format!("{}/sections/{beta}", stage.site), condition).await.expect(200);
    stage.publish().await;
    let titles = async |caller: &quire_test_support::Caller, query: &str| {
        let seen = caller.get(&format!("{}/published{query}", stage.site)).await.expect(200);
        let items = seen.at("/structure/structure").as_array().unwrap().clone();
        items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let stranger = stage.app.stranger();
    let claims = "?claims=%7B%22beta%22%3Atrue%7D";
    assert_eq!(titles(&stranger, "").await, "Open");
    assert_eq!(titles(&stranger, claims).await, "Open");
    stage.manager.patch(&stage.site, json!({"adaptiveContent": {"enabled": true}})).await.expect(200);
    assert_eq!(titles(&stranger, claims).await, "Open Beta");
    assert_eq!(titles(&stage.manager, "").await, "Open Beta");
    assert_eq!(titles(&stage.manager, "?claims=%7B%7D").await, "Open");
    let refused = stranger.get(&format!("{}/published?claims=7", stage.site)).await.expect(400);
    assert_eq!(refused.fields(), ["claims"]);
    let space = format!("{}/site-spaces/{}", stage.site, open.text("/siteSpaces/0/id"));
    stage.manager.patch(&space, json!({"condition": "false"})).await.expect(200);
    let seen = stranger.get(&format!("{}/structure", stage.site)).await.expect(200);
    assert_eq!(seen.at("/structure/0/siteSpaces"), &json!([]));
}
