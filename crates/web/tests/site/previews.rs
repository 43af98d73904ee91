//! Previews of change requests, revisions and unpublished sites.

use actix_web::http::header;
use actix_web::test::TestRequest;
use quire_domain::Role;
use serde_json::json;

use super::{BASE, Stage, body, page};

impl Stage {
    /// Returns the path of a preview for the admin.
    async fn preview(&self, query: &str) -> String {
        let made = self.admin.get(&format!("{}/publishing/preview?{query}", self.site)).await.expect(200);
        made.text("/url").strip_prefix(BASE).unwrap().to_owned()
    }

    async fn change_request(&self) -> String {
        let requests = format!("/v1/spaces/{}/change-requests", self.guide);
        let request =
            self.admin.post(&requests, json!({"subject": "New words"})).await.expect(201).text("/id");
        let changes = json!({"changes": [page("Draft", "Not merged yet.")]});
        self.admin.post(&format!("{requests}/{request}/content"), changes).await.expect(200);
        request
    }
}

#[actix_web::test]
async fn a_change_request_is_shown_at_an_address_of_its_own() {
    let stage = Stage::set().await;
    let request = stage.change_request().await;
    let root = stage.preview(&format!("changeRequest={request}")).await;
    assert!(root.starts_with(&format!("{}/~preview-", stage.root)), "{root}");
    let browser = stage.app.anonymous();
    let home = browser.get(&root).await.expect(200);
    assert_eq!(home.header("cache-control"), "private, no-store");
    let html = body(&home);
    assert!(
        html.contains("Change request #1 “New words” of “Guide”") && html.contains("content=\"noindex\"")
    );
    assert!(html.contains(&format!("href=\"{root}/draft\"")), "links stay in the preview");
    let draft = browser.get(&format!("{root}/draft")).await.expect(200);
    assert!(body(&draft).contains("Not merged yet."));
    browser.get(&format!("{root}/draft.md")).await.expect(200);
    browser.get(&format!("{root}/~quire/search?q=harbor")).await.expect(200);
    // The published site is as before, and has no such page.
    stage.get("/draft").await.expect(404);
    assert!(!body(&stage.get("").await.expect(200)).contains("Preview"));
    // A further change is visible with the next request.
    let changes = json!({"changes": [page("Second", "More.")]});
    let content = format!("/v1/spaces/{}/change-requests/{request}/content", stage.guide);
    stage.admin.post(&content, changes).await.expect(200);
    browser.get(&format!("{root}/second")).await.expect(200);
}

#[actix_web::test]
async fn a_revision_is_shown_as_it_was() {
    let stage = Stage::set().await;
    let space = stage.admin.get(&format!("/v1/spaces/{}", stage.guide)).await.expect(200);
    let before = space.text("/revision");
    stage.write(&stage.guide, json!([page("Later", "New.")])).await;
    let root = stage.preview(&format!("revision={before}")).await;
    let browser = stage.app.anonymous();
    let home = body(&browser.get(&root).await.expect(200));
    assert!(home.contains("Revision of ") && !home.contains("Later"), "{home}");
    browser.get(&format!("{root}/later")).await.expect(404);
    stage.get("/later").await.expect(200);
}

#[actix_web::test]
async fn previews_are_for_those_who_may_read() {
    let stage = Stage::set().await;
    let request = stage.change_request().await;
    let path = format!("{}/publishing/preview?changeRequest={request}", stage.site);
    stage.app.stranger().get(&path).await.expect(404);
    stage.app.anonymous().get(&path).await.expect(401);
    let both = format!("{path}&revision={request}");
    stage.admin.get(&both).await.expect(400);
    let absent = path.replace(&request, "0190a5d2-7c1e-7000-8000-000000000001");
    stage.admin.get(&absent).await.expect(404);
    // A preview of a user ends with the user's role.
    let reader = stage.app.as_role(Role::Read);
    let url = reader.get(&path).await.expect(200).text("/url");
    let root = url.strip_prefix(BASE).unwrap();
    stage.app.anonymous().get(root).await.expect(200);
    // It opens this site only, and no other address than the one that was signed.
    let (place, segment) = root.rsplit_once('/').unwrap();
    let changed = format!("{place}/{}x", segment.trim_end_matches(char::is_alphanumeric));
    let gone = stage.app.anonymous().get(&changed).await.expect(410);
    assert!(body(&gone).contains("has expired"));
    let sites = format!("/v1/orgs/{}/sites", stage.app.organization);
    let other = stage.admin.post(&sites, json!({"title": "Other"})).await.expect(201).text("/id");
    let elsewhere = format!("/sites/{}/{other}/{segment}", stage.app.organization);
    stage.app.anonymous().get(&elsewhere).await.expect(404);
    stage.app.clock.advance(std::time::Duration::from_secs(3_700));
    stage.app.anonymous().get(root).await.expect(410);
}

#[actix_web::test]
async fn a_site_is_previewed_before_it_is_published() {
    let stage = Stage::set().await;
    stage.admin.post_empty(&format!("{}/unpublish", stage.site)).await.expect(200);
    stage.get("").await.expect(404);
    let root = stage.preview("").await;
    let home = stage.app.anonymous().get(&root).await.expect(200);
    assert!(body(&home).contains("as it would be published"));
    stage.update(json!({"hostname": "docs.ferry.example"})).await;
    let made = stage.admin.get(&format!("{}/publishing/preview", stage.site)).await.expect(200).text("/url");
    let path = made.strip_prefix("https://docs.ferry.example").unwrap();
    let request = TestRequest::with_uri(path).insert_header((header::HOST, "docs.ferry.example"));
    stage.app.anonymous().send(request).await.expect(200);
}
