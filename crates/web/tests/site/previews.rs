//! Previews of change requests, revisions and unpublished sites.

use actix_web::http::header;
use actix_web::test::TestRequest;
use quire_domain::Role;
use serde_json::{Value, json};

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
    // The published site is unchanged and lacks the page.
    stage.get("/draft").await.expect(404);
    assert!(!body(&stage.get("").await.expect(200)).contains("Preview"));
    // The next request shows further changes.
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
    // The preview of a user ends with the user's role.
    let reader = stage.app.as_role(Role::Read);
    let url = reader.get(&path).await.expect(200).text("/url");
    let root = url.strip_prefix(BASE).unwrap();
    stage.app.anonymous().get(root).await.expect(200);
    // A preview opens only this site, and only with the signed address.
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

impl Stage {
    /// Returns the path of the preview of settings.
    fn preview_of(&self, customization: &Value) -> String {
        let text = customization.to_string();
        let text: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
        format!("{}/publishing/preview?customization={text}", self.site)
    }
}

#[actix_web::test]
async fn settings_are_shown_before_they_are_saved() {
    let stage = Stage::set().await;
    let stored = json!({"title": "Ferry", "pagination": {"enabled": false}, "header": {"links": []}});
    stage.admin.put(&format!("{}/customization", stage.site), stored).await.expect(200);
    let red = json!({"light": "#aa0000", "dark": "#ff8888"});
    let changes = json!({
        "title": "Häfen", "styling": {"primaryColor": red, "corners": "straight"},
        "themes": {"default": "dark", "toggeable": false},
    });
    let made = stage.admin.get(&stage.preview_of(&changes)).await.expect(200).text("/url");
    let root = made.strip_prefix(BASE).unwrap();
    let browser = stage.app.anonymous();
    let home = browser.get(root).await.expect(200);
    let html = body(&home);
    assert!(html.contains("Häfen") && html.contains("data-theme=\"dark\""), "{html}");
    assert!(html.contains("with settings that are not saved") && html.contains("content=\"noindex\""));
    assert!(!html.contains("rel=\"next\""), "other settings are those of the site");
    assert_eq!(home.header("cache-control"), "private, no-store");
    let policy = home.header("content-security-policy");
    assert!(policy.contains(&format!("frame-ancestors {BASE}")), "{policy}");
    assert!(home.headers.get("x-frame-options").is_none());
    let sheet = html.split('"').find(|text| text.contains("/~quire/style/")).unwrap();
    let sheet = body(&browser.get(sheet).await.expect(200));
    assert!(
        sheet.contains("--accent: light-dark(#aa0000, #ff8888)") && sheet.contains("--radius: 0;"),
        "{sheet}"
    );
    // Nothing was stored, and other previews cannot be framed.
    let published = stage.get("").await.expect(200);
    assert!(!body(&published).contains("Häfen"));
    assert!(published.header("content-security-policy").contains("frame-ancestors 'none'"));
    let plain = browser.get(&stage.preview("").await).await.expect(200);
    assert!(plain.header("content-security-policy").contains("frame-ancestors 'none'"));
}

#[actix_web::test]
async fn settings_are_previewed_by_those_who_may_change_them() {
    let stage = Stage::set().await;
    let path = stage.preview_of(&json!({"title": "Piers"}));
    stage.app.as_role(Role::Create).get(&path).await.expect(200);
    stage.app.as_role(Role::Edit).get(&path).await.expect(403);
    stage.app.stranger().get(&path).await.expect(404);
    stage.app.anonymous().get(&path).await.expect(401);
    for (settings, field) in [
        (json!([]), "customization"),
        (json!({"styling": {"theme": "loud"}}), "customization"),
        (
            json!({"styling": {"primaryColor": {"light": "red", "dark": "#fff"}}}),
            "customization.styling.primaryColor.light",
        ),
        (json!({"title": "x".repeat(4_096)}), "customization"),
        (
            json!({"header": {"links": [{"title": "a", "to": {"kind": "url", "url": "https://a.example"}, "condition": "("}]}}),
            "customization.header.links[0].condition",
        ),
    ] {
        let refused = stage.admin.get(&stage.preview_of(&settings)).await.expect(400);
        assert_eq!(refused.text("/error/details/0/field"), field, "{settings}");
    }
}

#[actix_web::test]
async fn the_page_of_the_look_shows_the_values_of_its_form() {
    let stage = Stage::set().await;
    let look = stage.site.replacen("/v1/orgs", "/o", 1) + "/look";
    let page = stage.admin.get(&look).await.expect(200);
    let html = body(&page);
    let frame = |html: &str| html.split('"').find(|text| text.contains("/~preview-")).unwrap().to_owned();
    assert!(page.header("content-security-policy").contains(&format!("frame-src {BASE}")));
    let shown = stage.app.anonymous().get(frame(&html).strip_prefix(BASE).unwrap()).await.expect(200);
    assert!(body(&shown).contains("not saved"));
    // In a form submitted without a script, unticked checkboxes are missing.
    let sent = format!("{look}?title=Piers&styling.theme=bold&pagination.enabled=on&view=dark");
    let html = body(&stage.admin.get(&sent).await.expect(200));
    assert!(html.contains("value=\"Piers\"") && html.contains("value=\"bold\" selected"), "{html}");
    let shown = stage.app.anonymous().get(frame(&html).strip_prefix(BASE).unwrap()).await.expect(200);
    let shown = body(&shown);
    assert!(
        shown.contains("Piers") && shown.contains("data-theme=\"dark\"") && shown.contains("rel=\"next\"")
    );
    let refused = format!("{look}?title=P&styling.theme=loud");
    let html = body(&stage.admin.get(&refused).await.expect(200));
    assert!(html.contains("The preview shows the saved settings: "), "{html}");
    let reader = body(&stage.app.as_role(Role::Read).get(&look).await.expect(200));
    assert!(!reader.contains("/~preview-"), "a preview is for those who may change the site");
}
