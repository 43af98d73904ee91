//! Members of the organization on a site: membership alone gives no access.

use quire_domain::Role;
use quire_test_support::Caller;
use serde_json::json;

use super::Stage;
use super::tokens::BASE;

/// Published site with four spaces on which members have no role without a grant: one that visitors see, one with a
/// condition, a draft, and one on which the callers have a grant.
struct Scene {
    stage: Stage,
    spaces: Vec<String>,
}

const TITLES: [&str; 4] = ["Plain", "Conditional", "Draft", "Granted"];

impl Scene {
    async fn set() -> Self {
        let stage = Stage::set().await;
        let admin = stage.app.as_role(Role::Admin);
        let mut spaces = Vec::new();
        for title in TITLES {
            let space = stage.space(title).await;
            stage.write(
                &space,
                "Pay",
                &format!(
                    "Harbor of {title}.\n\n{{% if visitor.claims.plan == 'pro' %}}\nQuay.\n{{% endif %}}"
                ),
            );
            let body = json!({"spaceId": space, "draft": title == "Draft"});
            let placed = stage.manager.post(&format!("{}/site-spaces", stage.site), body).await.expect(201);
            if title == "Conditional" {
                let one = format!("{}/site-spaces/{}", stage.site, placed.text("/id"));
                stage
                    .manager
                    .patch(&one, json!({"condition": "visitor.claims.plan == 'pro'"}))
                    .await
                    .expect(200);
            }
            admin.patch(&format!("/v1/spaces/{space}"), json!({"defaultLevel": null})).await.expect(200);
            spaces.push(space);
        }
        Self { stage, spaces }
    }

    /// Returns a member of the organization with this role, and with a grant on the last space.
    fn member(&self, role: Role) -> Caller {
        let member = self.stage.app.member_of(self.stage.app.organization, Some(role));
        self.stage.app.grant(&member, &self.spaces[3], Role::Read);
        member
    }

    async fn set_visibility(&self, visibility: &str) {
        self.stage.manager.patch(&self.stage.site, json!({ "visibility": visibility })).await.expect(200);
    }

    /// Returns the titles of the spaces in a response about the structure.
    async fn listed(&self, caller: &Caller, path: &str, items: &str) -> Vec<String> {
        let answer = caller.get(&format!("{}/{path}", self.stage.site)).await.expect(200);
        let items = answer.at(items).as_array().unwrap().clone();
        items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns the titles of the spaces in the results of a site search.
    async fn found(&self, caller: &Caller, query: &str) -> Vec<String> {
        let body = json!({"query": query, "mode": "all"});
        let answer = caller.post(&format!("{}/search", self.stage.site), body).await.expect(200);
        let items = answer.at("/items").as_array().unwrap().clone();
        let mut titles: Vec<String> =
            items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect();
        titles.sort();
        titles
    }

    /// Returns the titles of the spaces for whose pages embeds are returned.
    async fn embedded(&self, caller: &Caller) -> Vec<String> {
        let mut titles = Vec::new();
        for title in TITLES {
            let url = format!("{BASE}{}/{}/pay", self.stage.root(), title.to_lowercase());
            let embed = caller.get(&format!("/v1/urls/embed?url={url}")).await.expect(200);
            if embed.text("/title") == "Pay" {
                titles.push(title.to_owned());
            }
        }
        titles
    }
}

#[actix_web::test]
async fn a_member_without_a_role_sees_what_a_visitor_with_the_same_token_sees() {
    let scene = Scene::set().await;
    let (member, stranger) = (scene.member(Role::Read), scene.stage.app.stranger());
    let none: [&str; 0] = [];
    assert_eq!(scene.listed(&member, "structure", "/structure").await, ["Granted"], "not published");
    assert_eq!(scene.found(&member, "harbor").await, ["Granted"], "not published");
    scene.stage.publish().await;
    for (visibility, content, structure) in [
        ("public", &["Granted", "Plain"][..], &["Plain", "Granted"][..]),
        ("unlisted", &["Granted", "Plain"], &["Plain", "Granted"]),
        ("share-link", &["Granted"], &["Granted"]),
        // Any token reads the structure, but only a visitor token the content.
        ("visitor-auth", &["Granted"], &["Plain", "Granted"]),
    ] {
        scene.set_visibility(visibility).await;
        assert_eq!(scene.listed(&member, "structure", "/structure").await, structure, "{visibility}");
        let published = "/structure/structure";
        assert_eq!(scene.listed(&member, "published", published).await, structure, "{visibility}");
        assert_eq!(scene.listed(&member, "site-spaces", "/items").await, structure, "{visibility}");
        assert_eq!(scene.found(&member, "harbor").await, content, "{visibility}");
        assert_eq!(scene.found(&member, "quay").await, ["Granted"], "{visibility}");
        let mut embedded = scene.embedded(&member).await;
        embedded.sort();
        assert_eq!(embedded, content, "{visibility}");
        if visibility == "public" || visibility == "unlisted" {
            assert_eq!(scene.found(&stranger, "harbor").await, ["Granted", "Plain"], "{visibility}");
            assert_eq!(scene.found(&stranger, "quay").await, none, "{visibility}");
        }
        for (space, title) in scene.spaces.iter().zip(TITLES) {
            let opens = content.contains(&title);
            let list = member.get(&format!("{}?space={space}", scene.stage.sites)).await.expect(200);
            assert_eq!(
                list.at("/count"),
                &json!(u8::from(structure.contains(&title))),
                "{visibility} {title}"
            );
            let status = member.get(&format!("/v1/spaces/{space}/content")).await.status;
            assert_eq!(status, if opens { 200 } else { 404 }, "{visibility} {title}");
        }
    }
}

#[actix_web::test]
async fn who_manages_a_site_sees_its_structure_but_only_the_content_of_own_spaces() {
    let scene = Scene::set().await;
    let manager = scene.member(Role::Create);
    for published in [false, true] {
        if published {
            scene.stage.publish().await;
            scene.set_visibility("share-link").await;
        }
        assert_eq!(scene.listed(&manager, "structure", "/structure").await, TITLES, "{published}");
        assert_eq!(scene.listed(&manager, "site-spaces", "/items").await, TITLES, "{published}");
        assert_eq!(scene.found(&manager, "harbor").await, ["Granted"], "{published}");
        assert_eq!(scene.embedded(&manager).await, ["Granted"], "{published}");
        let spaces = manager.get(&format!("{}/site-spaces", scene.stage.site)).await.expect(200);
        for (at, title) in TITLES.iter().enumerate() {
            let id = spaces.at(&format!("/items/{at}/id")).clone();
            let to_space = json!({"kind": "site-space", "siteSpaceId": id});
            let body = json!({"source": format!("/{published}/{title}"), "destination": to_space});
            manager.post(&format!("{}/redirects", scene.stage.site), body).await.expect(201);
            let to_page = json!({"kind": "path", "spaceId": scene.spaces[at], "path": "pay"});
            let body = json!({"source": format!("/{published}/{title}/page"), "destination": to_page});
            let page = manager.post(&format!("{}/redirects", scene.stage.site), body).await;
            assert_eq!(page.status, if *title == "Granted" { 201 } else { 400 }, "{title}");
        }
    }
}

#[actix_web::test]
async fn a_preview_shows_spaces_on_which_its_maker_has_a_role() {
    let scene = Scene::set().await;
    let member = scene.member(Role::Read);
    scene.stage.publish().await;
    let admin = scene.stage.app.as_role(Role::Admin);
    let spaces = admin.get(&format!("{}/site-spaces", scene.stage.site)).await.expect(200);
    for visibility in ["public", "share-link", "visitor-auth"] {
        scene.set_visibility(visibility).await;
        for (at, title) in TITLES.iter().enumerate() {
            let id = spaces.text(&format!("/items/{at}/id"));
            let path = format!("{}/publishing/preview?siteSpace={id}", scene.stage.site);
            let answer = member.get(&path).await;
            if *title == "Granted" {
                assert!(answer.expect(200).text("/url").contains("/~preview-"), "{visibility}");
            } else {
                assert_eq!(answer.expect(400).fields(), ["siteSpace"], "{visibility} {title}");
            }
        }
    }
}

/// Titles of the spaces that a member without a role sees on a site with sections.
struct Seen {
    structure: Vec<String>,
    content: Vec<String>,
}

#[actix_web::test]
async fn each_kind_of_site_shows_a_member_without_a_role_its_public_part() {
    let scene = Scene::set().await;
    // With sections: one with the existing site spaces, and one for each other space.
    let hidden = scene.stage.space("Hidden").await;
    let body = json!({"spaceId": hidden, "title": "Hidden", "draft": true});
    scene.stage.manager.post(&format!("{}/sections", scene.stage.site), body).await.expect(201);
    let admin = scene.stage.app.as_role(Role::Admin);
    for space in scene.spaces.iter().chain([&hidden]) {
        admin.patch(&format!("/v1/spaces/{space}"), json!({"defaultLevel": null})).await.expect(200);
    }
    let all = admin.get(&format!("{}/site-spaces", scene.stage.site)).await.expect(200);
    let all: Vec<(String, String)> = all
        .at("/items")
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (item["id"].as_str().unwrap().to_owned(), item["title"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(all.len(), 5);
    let member = scene.stage.app.member_of(scene.stage.app.organization, Some(Role::Review));
    let shown = || vec!["Plain".to_owned(), "Granted".to_owned()];
    scene.stage.publish().await;
    for (state, seen) in [
        ("public", Seen { structure: shown(), content: shown() }),
        ("unlisted", Seen { structure: shown(), content: shown() }),
        ("share-link", Seen { structure: Vec::new(), content: Vec::new() }),
        ("visitor-auth", Seen { structure: shown(), content: Vec::new() }),
        ("unpublished", Seen { structure: Vec::new(), content: Vec::new() }),
    ] {
        if state == "unpublished" {
            scene.stage.manager.post_empty(&format!("{}/unpublish", scene.stage.site)).await.expect(200);
        } else {
            scene.set_visibility(state).await;
        }
        let site = &scene.stage.site;
        for (path, sections) in
            [("structure", "/structure"), ("published", "/structure/structure"), ("sections", "/items")]
        {
            let answer = member.get(&format!("{site}/{path}")).await.expect(200);
            let sections = answer.at(sections).as_array().unwrap().clone();
            let titles: Vec<String> = sections
                .iter()
                .flat_map(|section| {
                    section["siteSpaces"].as_array().cloned().unwrap_or_else(|| vec![section.clone()])
                })
                .map(|space| space["title"].as_str().unwrap().to_owned())
                .collect();
            assert_eq!(titles, seen.structure, "{state} {path}");
        }
        assert_eq!(scene.listed(&member, "site-spaces", "/items").await, seen.structure, "{state}");
        let record = member.get(site).await.expect(200);
        assert_eq!(record.at("/siteSpaces"), &json!(seen.structure.len()), "{state}");
        let listed = member.get(&scene.stage.sites).await.expect(200);
        assert_eq!(listed.at("/items/0/siteSpaces"), &json!(seen.structure.len()), "{state}");
        let mut content = seen.content.clone();
        content.sort();
        assert_eq!(scene.found(&member, "harbor").await, content, "{state}");
        let mut embedded = scene.embedded(&member).await;
        embedded.sort();
        assert_eq!(embedded, content, "{state}");
        let preview = member.get(&format!("{site}/publishing/preview")).await;
        assert_eq!(preview.expect(400).fields(), ["siteSpace"], "{state}");
        for (id, title) in &all {
            let customization = member.get(&format!("{site}/site-spaces/{id}/customization")).await;
            let expected = if seen.structure.contains(title) { 200 } else { 404 };
            assert_eq!(customization.status, expected, "{state} {title}");
            let preview = member.get(&format!("{site}/publishing/preview?siteSpace={id}")).await;
            assert_eq!(preview.expect(400).fields(), ["siteSpace"], "{state} {title}");
        }
    }
}
