//! Sections, groups and site spaces, with their edge cases.

use quire_domain::Role;
use quire_domain::sites::{SiteSection, SiteSectionGroup, SiteStructure};
use serde_json::json;

use super::{Stage, each, walk};

#[actix_web::test]
async fn the_first_section_takes_the_existing_site_spaces() {
    let stage = Stage::set().await;
    let (one, two) = (stage.resource("One").await, stage.resource("Two").await);
    let structure = stage.manager.get(&format!("{}/structure", stage.site)).await.expect(200);
    assert_eq!(structure.text("/type"), "siteSpaces");
    let made = stage.section("Guides").await;
    assert_eq!((made.text("/object"), made.text("/path")), ("site-section".to_owned(), "guides".to_owned()));
    assert_eq!((made.at("/default"), made.text("/siteSpaces/0/path")), (&json!(false), "guides".to_owned()));
    let _: SiteSection = serde_json::from_value(made.json.clone()).unwrap();
    let sections = stage.manager.get(&format!("{}/sections", stage.site)).await.expect(200);
    assert_eq!(each(&sections, "/title"), ["Docs", "Guides"]);
    assert_eq!(sections.at("/items/0/default"), &json!(true));
    let spaces = sections.at("/items/0/siteSpaces").as_array().unwrap();
    assert_eq!(spaces.iter().map(|space| space["id"].clone()).collect::<Vec<_>>(), [json!(one), json!(two)]);
    assert_eq!((&spaces[0]["default"], &spaces[1]["default"]), (&json!(true), &json!(false)));
    let structure = stage.manager.get(&format!("{}/structure", stage.site)).await.expect(200);
    assert_eq!(structure.text("/type"), "sections");
    let _: SiteStructure = serde_json::from_value(structure.json).unwrap();
}

#[actix_web::test]
async fn the_first_section_of_an_empty_site_is_the_default() {
    let stage = Stage::set().await;
    let made = stage.section("Guides").await;
    assert_eq!(made.at("/default"), &json!(true));
    let location = made.header("location");
    assert!(location.ends_with(&format!("{}/sections/{}", stage.site, made.text("/id"))));
    // A space without a section is added to the default section.
    let placed = stage.resource("More").await;
    let sections = stage.manager.get(&format!("{}/sections", stage.site)).await.expect(200);
    assert_eq!((sections.at("/count"), sections.text("/items/0/siteSpaces/1/id")), (&json!(1), placed));
}

#[actix_web::test]
async fn each_key_of_a_section_can_be_changed() {
    let stage = Stage::set().await;
    let section = stage.section("Guides").await;
    stage.section("API").await;
    let path = format!("{}/sections/{}", stage.site, section.text("/id"));
    let space = stage.space("Second").await;
    let body = json!({"spaceId": space, "sectionId": section.text("/id")});
    let second =
        stage.manager.post(&format!("{}/site-spaces", stage.site), body).await.expect(201).text("/id");
    let body = json!({
        "title": "Manuals", "path": "manuals", "condition": "visitor.claims.unsigned.beta", "icon": "book",
        "description": "All of them", "defaultSiteSpace": second,
    });
    let changed = stage.manager.patch(&path, body.clone()).await.expect(200);
    for key in ["title", "path", "condition", "icon", "description"] {
        assert_eq!(changed.json[key], body[key]);
    }
    assert_eq!(changed.at("/siteSpaces/1/default"), &json!(true));
    let cleared = json!({"condition": null, "icon": null, "description": null});
    let cleared = stage.manager.patch(&path, cleared).await.expect(200);
    assert!(["condition", "icon", "description"].iter().all(|key| cleared.json.get(*key).is_none()));
    let taken = stage.manager.patch(&path, json!({"path": "api"})).await.expect(409);
    assert_eq!((taken.reason().as_str(), taken.fields()), ("slug-taken", vec!["path".to_owned()]));
    for (body, field) in [
        (json!({"condition": "visitor.claims ="}), "condition"),
        (json!({"condition": "user.name"}), "condition"),
        (json!({"condition": ""}), "condition"),
        (json!({"path": "A"}), "path"),
        (json!({"defaultSiteSpace": "0190a5d2-7c1e-7000-8000-000000000001"}), "defaultSiteSpace"),
    ] {
        assert_eq!(stage.manager.patch(&path, body).await.expect(400).fields(), [field]);
    }
    let both = json!({"condition": "user.name", "path": "A"});
    assert_eq!(stage.manager.patch(&path, both).await.expect(400).fields(), ["condition", "path"]);
}

#[actix_web::test]
async fn defaults_stay_while_there_are_others() {
    let stage = Stage::set().await;
    let (one, two) = (stage.resource("One").await, stage.resource("Two").await);
    let space = |id: &str| format!("{}/site-spaces/{id}", stage.site);
    assert_eq!(stage.manager.delete(&space(&one)).await.expect(409).reason(), "site-default");
    let first = stage.section("Guides").await;
    let list = stage.manager.get(&format!("{}/sections", stage.site)).await.expect(200);
    let default = format!("{}/sections/{}", stage.site, list.text("/items/0/id"));
    assert_eq!(stage.manager.delete(&default).await.expect(409).reason(), "site-default");
    let make_default = json!({"defaultSiteSection": first.text("/id")});
    stage.manager.patch(&stage.site, make_default).await.expect(200);
    stage.manager.delete(&space(&two)).await.expect(204);
    stage.manager.delete(&default).await.expect(204);
    assert_eq!(stage.manager.get(&stage.site).await.at("/siteSpaces"), &json!(1));
    // When the last section is deleted, its spaces return to the site.
    stage.manager.delete(&format!("{}/sections/{}", stage.site, first.text("/id"))).await.expect(204);
    let structure = stage.manager.get(&format!("{}/structure", stage.site)).await.expect(200);
    assert_eq!(
        (structure.text("/type"), structure.text("/structure/0/title")),
        ("siteSpaces".to_owned(), "Guides".to_owned())
    );
    let last = structure.text("/structure/0/id");
    stage.manager.delete(&space(&last)).await.expect(204);
    stage.manager.delete(&space(&last)).await.expect(404);
}

#[actix_web::test]
async fn a_space_is_once_in_a_section_and_paths_are_unique() {
    let stage = Stage::set().await;
    let space = stage.space("Guide").await;
    let path = format!("{}/site-spaces", stage.site);
    stage.manager.post(&path, json!({"spaceId": space})).await.expect(201);
    assert_eq!(stage.manager.post(&path, json!({"spaceId": space})).await.expect(409).reason(), "conflict");
    let second = stage.space("Guide").await;
    let second = stage.manager.post(&path, json!({"spaceId": second})).await.expect(201);
    assert_eq!(second.text("/path"), "guide-1");
    assert_eq!(second.text("/object"), "site-space");
    assert_eq!(second.text("/space/object"), "space");
    let change = format!("{path}/{}", second.text("/id"));
    assert_eq!(
        stage.manager.patch(&change, json!({"path": "guide"})).await.expect(409).reason(),
        "slug-taken"
    );
    let section = json!({"spaceId": space, "title": "Guides"});
    stage.manager.post(&format!("{}/sections", stage.site), section).await.expect(201);
}

#[actix_web::test]
async fn a_section_is_in_one_group_at_most() {
    let stage = Stage::set().await;
    let ids = [
        stage.section("A1").await.text("/id"),
        stage.section("B1").await.text("/id"),
        stage.section("C1").await.text("/id"),
    ];
    let groups = format!("{}/section-groups", stage.site);
    let body = json!({"title": "First", "icon": "gear", "sections": [ids[0], ids[1]]});
    let first = stage.manager.post(&groups, body).await.expect(201);
    let _: SiteSectionGroup = serde_json::from_value(first.json.clone()).unwrap();
    assert_eq!((first.text("/title"), first.text("/icon")), ("First".to_owned(), "gear".to_owned()));
    assert_eq!(first.text("/sections/1/sectionGroup"), first.text("/id"));
    let second = stage.manager.post(&groups, json!({"title": "Second"})).await.expect(201).text("/id");
    let moved = json!({"sectionId": ids[0]});
    let moved = stage.manager.post(&format!("{groups}/{second}/sections"), moved).await.expect(201);
    assert_eq!(moved.text("/sections/0/id"), ids[0]);
    let list = stage.manager.get(&groups).await.expect(200);
    assert_eq!(
        (each(&list, "/title"), list.at("/items/0/sections").as_array().unwrap().len()),
        (vec!["First".to_owned(), "Second".to_owned()], 1)
    );
    assert_eq!(walk(&stage.manager, &groups, "/title").await, ["First", "Second"]);
    let out = format!("{groups}/{second}/sections/{}", ids[0]);
    stage.manager.delete(&out).await.expect(204);
    stage.manager.delete(&out).await.expect(404);
    stage.manager.delete(&format!("{groups}/{}", first.text("/id"))).await.expect(204);
    let sections = stage.manager.get(&format!("{}/sections", stage.site)).await.expect(200);
    assert_eq!(each(&sections, "/title"), ["C1", "B1", "A1"]);
    assert!(
        sections.at("/items").as_array().unwrap().iter().all(|section| section.get("sectionGroup").is_none())
    );
    let unknown = json!({"title": "Third", "sections": [second]});
    assert_eq!(stage.manager.post(&groups, unknown).await.expect(400).fields(), ["sections[0]"]);
}

#[actix_web::test]
async fn spaces_that_a_member_may_not_see_are_left_out_until_they_are_published() {
    let stage = Stage::set().await;
    stage.resource("Open").await;
    let admin = stage.app.as_role(Role::Admin);
    let spaces = format!("/v1/orgs/{}/spaces", stage.app.organization);
    let secret = admin.post(&spaces, json!({"title": "Secret"})).await.expect(201).text("/id");
    admin.patch(&format!("/v1/spaces/{secret}"), json!({"defaultLevel": null})).await.expect(200);
    let path = format!("{}/site-spaces", stage.site);
    assert_eq!(stage.manager.post(&path, json!({"spaceId": secret})).await.expect(400).fields(), ["spaceId"]);
    admin.post(&path, json!({"spaceId": secret})).await.expect(201);
    let reader = stage.app.as_role(Role::Read);
    assert_eq!(each(&reader.get(&path).await.expect(200), "/title"), ["Open"]);
    assert_eq!(each(&admin.get(&path).await.expect(200), "/title"), ["Open", "Secret"]);
    stage.publish().await;
    let seen = reader.get(&path).await.expect(200);
    assert_eq!((each(&seen, "/title").len(), seen.at("/items/1/space/permissions/view")), (2, &json!(false)));
}
