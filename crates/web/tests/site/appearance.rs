//! Appearance settings, and the resulting style sheets and pages.

use serde_json::json;

use super::{Stage, body, page};

fn link<'h>(html: &'h str, start: &str) -> &'h str {
    let (_, rest) = html.split_once(start).unwrap_or_else(|| panic!("no {start} in {html}"));
    rest.split('"').next().unwrap()
}

impl Stage {
    async fn customize(&self, settings: serde_json::Value) {
        self.admin.put(&format!("{}/customization", self.site), settings).await.expect(200);
    }

    /// Returns the style sheet of the settings.
    async fn style(&self) -> String {
        self.style_of("").await
    }

    /// Returns the style sheet of a page.
    async fn style_of(&self, path: &str) -> String {
        let html = body(&self.get(path).await.expect(200));
        let path = format!("{}/~quire/style/", self.root);
        let name = link(&html, &path);
        let sheet = self.get(&format!("/~quire/style/{name}")).await.expect(200);
        assert!(sheet.header("cache-control").contains("immutable"));
        body(&sheet)
    }
}

#[actix_web::test]
async fn fonts_of_the_settings_are_served() {
    let stage = Stage::set().await;
    let plain = body(&stage.get("").await.expect(200));
    assert!(!plain.contains("~quire/style/"), "a site without settings has the fonts of the system");
    stage.customize(json!({"styling": {"font": "Roboto", "monospaceFont": "FiraCode"}})).await;
    let sheet = stage.style().await;
    assert!(sheet.contains("--sans: \"Roboto\",\"Roboto stand-in\",var(--system-sans)"), "{sheet}");
    let file = link(&sheet, "url(\"../assets/roboto-latin-wght-normal");
    let font = stage.get(&format!("/~quire/assets/roboto-latin-wght-normal{file}")).await.expect(200);
    assert_eq!(font.header("content-type"), "font/woff2");
    assert!(font.header("cache-control").contains("immutable"));
    assert!(font.bytes.starts_with(b"wOF2"));
    let page = body(&stage.get("").await.expect(200));
    let preloaded = link(&page, "rel=\"preload\" as=\"font\" type=\"font/woff2\" href=\"");
    assert_eq!(preloaded, format!("{}/~quire/assets/roboto-latin-wght-normal{file}", stage.root));
    let own = json!({"id": "a", "custom": true, "fontFamily": "A", "fontFaces": [
        {"weight": 400, "sources": [{"url": "https://fonts.example/a.woff2", "format": "woff2"}]}]});
    stage.customize(json!({"styling": {"font": own}})).await;
    let page = stage.get("").await.expect(200);
    let policy = page.header("content-security-policy");
    assert!(policy.contains("font-src 'self' https://fonts.example;"), "{policy}");
}

#[actix_web::test]
async fn parts_of_the_settings_are_shown() {
    let stage = Stage::set().await;
    stage
        .customize(json!({
            "styling": {"codeTheme": {"default": {"light": "github-light", "dark": "nord"},
                                       "openapi": {"light": "default-light", "dark": "default-dark"}},
                        "theme": "bold", "sidebar": {"background": "filled", "list": "line"}},
            "internationalization": {"locale": "de"},
            "socialAccounts": [{"platform": "github", "handle": "ferry/docs", "display": {"footer": true, "header": true}}],
            "privacyPolicy": {"url": "https://ferry.example/privacy"},
            "externalLinks": {"target": "blank"},
        }))
        .await;
    stage
        .write(&stage.guide, json!([page("Links", "[There](https://other.example/x) and [here](install).")]))
        .await;
    let html = body(&stage.get("/links").await.expect(200));
    for part in [
        "<html lang=\"de\"",
        "Suchen",
        "href=\"https://github.com/ferry/docs\"",
        "id=\"i:github\"",
        "href=\"https://ferry.example/privacy\"",
        "href=\"https://other.example/x\" target=\"_blank\"",
        "Veröffentlicht mit Quire",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    let sheet = stage.style().await;
    assert!(sheet.contains("--code:light-dark(#ffffff,#2e3440)"), "{sheet}");
    assert!(sheet.contains(".site-header { background: var(--accent)"), "{sheet}");
}

#[actix_web::test]
async fn links_to_pages_have_pictures() {
    let stage = Stage::set().await;
    let html = body(&stage.get("/install").await.expect(200));
    let url = link(&html, "property=\"og:image\" content=\"");
    assert_eq!(link(&html, "name=\"twitter:image\" content=\""), url);
    assert!(html.contains("property=\"og:image:width\" content=\"1200\""));
    let path = url.strip_prefix(super::BASE).unwrap();
    let picture = stage.app.anonymous().get(path).await.expect(200);
    assert_eq!(picture.header("content-type"), "image/png");
    assert!(picture.bytes.starts_with(b"\x89PNG") && picture.bytes.len() < 100_000);
    assert!(!picture.header("etag").is_empty());
    stage.get("/~quire/social/index.png").await.expect(200);
    stage.get("/~quire/social/nothing.png").await.expect(404);
    stage.customize(json!({"socialPreview": {"url": "https://ferry.example/card.png"}})).await;
    let html = body(&stage.get("/install").await.expect(200));
    assert_eq!(link(&html, "property=\"og:image\" content=\""), "https://ferry.example/card.png");
    stage.update(json!({"visibility": "visitor-auth"})).await;
    stage.get("/~quire/social/install.png").await.expect(404);
}

#[actix_web::test]
async fn people_and_buttons_of_pages_work() {
    let stage = Stage::set().await;
    let me = stage.admin.get("/v1/user").await.expect(200);
    let (id, name) = (me.text("/id"), me.text("/displayName"));
    let document = json!({"object": "document", "data": {}, "nodes": [{"object": "block", "type": "paragraph", "data": {}, "nodes": [
        {"object": "text", "leaves": [{"object": "leaf", "text": "By ", "marks": []}]},
        {"object": "inline", "type": "mention", "isVoid": true, "data": {"ref": {"kind": "user", "user": id}}, "nodes": []},
        {"object": "text", "leaves": [{"object": "leaf", "text": "", "marks": []}]},
    ]}]});
    let change = json!({"operation": "insert_page", "title": "People", "document": {"document": document}});
    stage.write(&stage.guide, json!([change])).await;
    let html = body(&stage.get("/people").await.expect(200));
    assert!(html.contains(&format!("<span class=\"mention\">@{name}</span>")), "{html}");
    // A search button works without its script.
    let asked = stage.get("/install?q=two%20words").await.expect(303);
    assert_eq!(asked.header("location"), format!("{}/~quire/search?q=two%20words", stage.root));
}

#[actix_web::test]
async fn frames_are_those_of_the_page() {
    let stage = Stage::set().await;
    let video = "{% embed url=\"https://www.youtube.com/watch?v=abc\" %}";
    stage.write(&stage.guide, json!([page("Video", video)])).await;
    let page = stage.get("/video").await.expect(200);
    let policy = page.header("content-security-policy");
    assert!(policy.contains("frame-src https://www.youtube-nocookie.com;"), "{policy}");
}

#[actix_web::test]
async fn pages_of_a_site_space_have_its_settings() {
    let stage = Stage::set().await;
    let list = stage.admin.get(&format!("{}/site-spaces", stage.site)).await.expect(200);
    let reference = format!("{}/site-spaces/{}/customization", stage.site, list.text("/items/1/id"));
    let first = body(&stage.get("").await.expect(200));
    let icon = json!({"favicon": {"emoji": "⛵"}, "styling": {"theme": "bold"}});
    stage.admin.patch(&reference, icon).await.expect(200);
    assert_eq!(body(&stage.get("").await.expect(200)), first, "other spaces have the settings of the site");
    assert!(stage.style_of("/reference").await.contains(".site-header { background: var(--accent)"));

    stage
        .customize(json!({"title": "Docs", "favicon": {"emoji": "🚀"}, "styling": {"theme": "muted"}}))
        .await;
    let message = json!({"enabled": true, "message": "Reference only.", "style": "info"});
    let overrides = json!({"title": "Commands of all kinds", "announcement": message});
    stage.admin.patch(&reference, overrides).await.expect(200);
    let guide = body(&stage.get("").await.expect(200));
    let html = body(&stage.get("/reference").await.expect(200));
    assert!(guide.contains("Docs") && !guide.contains("Reference only."), "{guide}");
    assert!(html.contains("Commands of all kinds") && html.contains("Reference only."), "{html}");
    for (page, emoji) in [(&guide, "🚀"), (&html, "⛵")] {
        let path = format!("{}/~quire/favicon", stage.root);
        let icon = stage.get(&format!("/~quire/favicon{}", link(page, &path))).await.expect(200);
        assert!(body(&icon).contains(emoji), "{emoji}");
    }
    let (own, sites) = (stage.style_of("/reference").await, stage.style().await);
    assert!(own.contains(".site-header { background: var(--accent)"), "{own}");
    assert!(!sites.contains(".site-header { background: var(--accent)"), "{sites}");
    stage.get("/~quire/favicon/x.svg").await.expect(404);
}

#[actix_web::test]
async fn malformed_overrides_are_an_error() {
    let stage = Stage::set().await;
    stage.app.store.execute("UPDATE site_spaces SET customization = '{\"title\": 1}'");
    stage.get("/reference/absent").await.expect(500);
}

#[actix_web::test]
async fn overrides_change_their_group_of_settings_only() {
    let stage = Stage::set().await;
    let list = stage.admin.get(&format!("{}/site-spaces", stage.site)).await.expect(200);
    let reference = format!("{}/site-spaces/{}/customization", stage.site, list.text("/items/1/id"));
    let shown = async || {
        let html = body(&stage.get("/reference").await.expect(200));
        ["~quire/style/", "rel=\"preload\" as=\"font\"", "data-theme=\"", "data-theme-switch"]
            .map(|part| html.contains(part))
    };
    stage.admin.patch(&reference, json!({"title": "Commands of all kinds"})).await.expect(200);
    assert_eq!(shown().await, [false, false, false, true]);
    stage.admin.patch(&reference, json!({"styling": {"theme": "bold"}})).await.expect(200);
    assert_eq!(shown().await, [true, true, false, true]);
    stage.admin.patch(&reference, json!({"styling": null, "themes": {"default": "dark"}})).await.expect(200);
    assert_eq!(shown().await, [false, false, true, false]);
}

#[actix_web::test]
async fn an_unknown_style_sheet_is_that_of_its_space_and_not_cached() {
    let stage = Stage::set().await;
    let list = stage.admin.get(&format!("{}/site-spaces", stage.site)).await.expect(200);
    let id = list.text("/items/1/id");
    stage.customize(json!({"styling": {"theme": "muted"}})).await;
    let overrides = json!({"styling": {"theme": "bold"}});
    let customization = format!("{}/site-spaces/{id}/customization", stage.site);
    stage.admin.patch(&customization, overrides).await.expect(200);
    let (own, sites) = (stage.style_of("/reference").await, stage.style().await);
    assert_ne!(own, sites);
    for (name, expected) in [(format!("{id}.0"), &own), ("0".to_owned(), &sites), ("x.0".to_owned(), &sites)]
    {
        let sheet = stage.get(&format!("/~quire/style/{name}.css")).await.expect(200);
        assert_eq!(sheet.header("cache-control"), "no-cache", "{name}");
        assert_eq!(&body(&sheet), expected, "{name}");
    }
}

#[actix_web::test]
async fn logos_headings_and_themes_are_those_of_the_settings() {
    let stage = Stage::set().await;
    let target = json!({"kind": "url", "url": "https://ferry.example/"});
    stage
        .customize(json!({
            "header": {"primaryLink": target}, "themes": {"default": "system"},
            "styling": {"font": "Roboto", "headingFont": "Lato"},
        }))
        .await;
    let html = body(&stage.get("").await.expect(200));
    assert!(html.contains("class=\"home\" href=\"https://ferry.example/\""), "{html}");
    assert!(!html.contains("data-theme=\"system\""), "{html}");
    let sheet = stage.style().await;
    assert!(sheet.contains("--headings: \"Lato\",\"Lato stand-in\",var(--system-sans)"), "{sheet}");
    assert!(sheet.contains("h6 { font-family: var(--headings); }"), "{sheet}");
    stage.get("/absent").await.expect(404);
}
