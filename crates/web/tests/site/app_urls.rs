//! Addresses of resources in the app.

use quire_test_support::Answer;
use serde_json::json;

use super::{BASE, Stage, page};

impl Stage {
    /// Follows an app address from the API.
    async fn follow(&self, url: &str) -> Answer {
        self.app.anonymous().get(url.strip_prefix(BASE).unwrap()).await
    }

    async fn leads(&self, url: &str, target: &str) {
        let answer = self.follow(url).await.expect(307);
        assert_eq!(answer.header("location"), format!("{BASE}{}{target}", self.root), "{url}");
        assert_eq!(self.app.anonymous().get(&format!("{}{target}", self.root)).await.status, 200, "{target}");
    }

    async fn app_url(&self, path: &str, pointer: &str) -> String {
        self.admin.get(path).await.expect(200).text(pointer)
    }
}

#[actix_web::test]
async fn addresses_of_the_app_lead_to_published_pages() {
    let stage = Stage::set().await;
    let space = format!("/v1/spaces/{}", stage.guide);
    let organization = format!("/v1/orgs/{}", stage.app.organization);
    let of_space = stage.app_url(&space, "/urls/app").await;
    stage.leads(&of_space, "").await;
    let of_page = stage.app_url(&format!("{space}/content/path/install"), "/urls/app").await;
    stage.leads(&of_page, "/install").await;
    let queried = stage.follow(&format!("{of_page}?q=a%20b")).await.expect(307);
    assert_eq!(queried.header("location"), format!("{BASE}{}/install?q=a%20b", stage.root));
    let found = stage.admin.get(&format!("{space}/search?query=linux")).await.expect(200);
    stage.leads(&found.text("/items/0/urls/app"), "/install").await;
    stage.leads(&stage.app_url(&stage.site, "/urls/app").await, "").await;
    stage.leads(&stage.app_url(&organization, "/urls/app").await, "").await;
    stage.leads(&format!("{BASE}/o/{}/openapi/ferry", stage.app.organization), "").await;
    let reference = stage.admin.get(&format!("{}/sections", stage.site)).await.expect(200);
    stage.leads(&reference.text("/items/1/siteSpaces/0/space/urls/app"), "/reference").await;
    // Pages of change requests and revisions redirect to the current content.
    let change =
        stage.admin.post(&format!("{space}/change-requests"), json!({"subject": "X"})).await.expect(201);
    stage.leads(&change.text("/urls/app"), "").await;
    let content = format!("{space}/change-requests/{}/content", change.text("/id"));
    stage.leads(&stage.app_url(&format!("{content}/path/install"), "/urls/app").await, "/install").await;
    let added = json!({"changes": [page("Added", "Text.")]});
    stage.admin.post(&content, added).await.expect(200);
    stage.leads(&stage.app_url(&format!("{content}/path/added"), "/urls/app").await, "").await;
    let revision = stage.admin.get(&format!("{space}/content")).await.expect(200).text("/id");
    let revised = stage.app_url(&format!("{space}/revisions/{revision}/path/install"), "/urls/app").await;
    stage.leads(&revised, "/install").await;
    // Forms of the address from before `~` work too, unless a page has such a path.
    let before = format!("{BASE}/s/{}", stage.guide);
    stage.leads(&format!("{before}/change-requests/{}/install", change.text("/id")), "/install").await;
    stage.leads(&format!("{before}/revisions/{revision}"), "").await;
    stage.write(&stage.guide, json!([page("Revisions", "Text.")])).await;
    stage.leads(&format!("{before}/revisions"), "/revisions").await;
    // A moved page is found.
    let moved = stage.admin.get(&format!("{space}/content/path/install")).await.expect(200).text("/id");
    stage.write(&stage.guide, json!([{"operation": "update_page", "page": moved, "slug": "setup"}])).await;
    stage.leads(&of_page, "/setup").await;
    let integration = json!({"title": "Chat", "description": "", "scopes": [], "script": "x",
        "organization": stage.app.organization, "visibility": "public"});
    stage.admin.post("/v1/integrations/chat", integration).await.expect(201);
    stage.leads(&stage.app_url("/v1/integrations/chat", "/urls/app").await, "").await;
    let collection =
        stage.admin.post(&format!("{organization}/collections"), json!({"title": "All"})).await.expect(201);
    let of_collection = collection.text("/urls/app");
    stage.follow(&of_collection).await.expect(303);
    let parent = json!({"parent": collection.text("/id")});
    stage.admin.post(&format!("{space}/move"), parent).await.expect(200);
    stage.leads(&of_collection, "").await;
}

#[actix_web::test]
async fn what_is_not_published_is_like_what_does_not_exist() {
    let stage = Stage::set().await;
    let organization = stage.app.organization.to_string();
    let space = format!("/v1/orgs/{organization}/spaces");
    let private = stage.admin.post(&space, json!({"title": "Private"})).await.expect(201).text("/id");
    stage.write(&private, json!([page("Secret", "Text.")])).await;
    let absent = "0190a5d2-7c1e-7000-8000-000000000001";
    let same = async |path: &str| {
        let answer = stage.app.anonymous().get(path).await.expect(303);
        assert_eq!(answer.header("location"), format!("/~/sign-in?next={}", path.replace('%', "%25")));
        assert!(answer.bytes.is_empty(), "{path}");
    };
    for path in [
        format!("/s/{private}"),
        format!("/s/{private}/secret"),
        format!("/s/{private}/change-requests/1"),
        format!("/s/{private}/~/changes/1"),
        format!("/s/{}/nothing", stage.guide),
        format!("/s/{}/a%00b", stage.guide),
        "/s/nonsense".to_owned(),
        format!("/c/{absent}"),
        format!("/o/{absent}"),
        "/o/nonsense/sites/x".to_owned(),
        format!("/o/{organization}/sites/{absent}"),
        "/integrations/nothing".to_owned(),
    ] {
        same(&path).await;
    }
    let site = stage.site.rsplit('/').next().unwrap();
    let all = [
        format!("/s/{}", stage.guide),
        format!("/s/{}/install", stage.guide),
        format!("/o/{organization}/sites/{site}"),
        format!("/o/{organization}"),
    ];
    stage.update(json!({"visibility": "unlisted"})).await;
    same(&all[3]).await;
    for path in &all[..3] {
        stage.app.anonymous().get(path).await.expect(307);
    }
    for visibility in ["share-link", "visitor-auth"] {
        stage.update(json!({ "visibility": visibility })).await;
        for path in &all {
            same(path).await;
        }
    }
    stage.update(json!({"visibility": "public"})).await;
    let sections = stage.admin.get(&format!("{}/sections", stage.site)).await.expect(200);
    let section = format!("{}/sections/{}", stage.site, sections.text("/items/1/id"));
    let hidden = format!("/s/{}", sections.text("/items/1/siteSpaces/0/space/id"));
    stage.admin.patch(&section, json!({"condition": "visitor.claims.staff"})).await.expect(200);
    same(&hidden).await;
    stage.admin.patch(&section, json!({"condition": null, "draft": true})).await.expect(200);
    same(&hidden).await;
    stage.admin.post_empty(&format!("{}/unpublish", stage.site)).await.expect(200);
    for path in &all {
        same(path).await;
    }
}
