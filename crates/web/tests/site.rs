//! Published sites as a browser asks for them.

use actix_web::http::header;
use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

/// A site with two sections of one space each: `Guide` is the default, `Reference` the other.
struct Stage {
    app: TestApp,
    admin: Caller,
    /// Path of the site in the API.
    site: String,
    /// Path of the site for visitors.
    root: String,
    guide: String,
}

const BASE: &str = "http://127.0.0.1:8080";

impl Stage {
    async fn set() -> Self {
        let app = TestApp::start().await;
        let admin = app.as_role(Role::Admin);
        let sites = format!("/v1/orgs/{}/sites", app.organization);
        let made = admin.post(&sites, json!({"title": "Ferry"})).await.expect(201);
        let site = format!("{sites}/{}", made.text("/id"));
        let mut spaces = Vec::new();
        for title in ["Guide", "Reference"] {
            let path = format!("/v1/orgs/{}/spaces", app.organization);
            let space = admin.post(&path, json!({ "title": title })).await.expect(201).text("/id");
            let body = json!({"spaceId": space, "title": title});
            admin.post(&format!("{site}/sections"), body).await.expect(201);
            spaces.push(space);
        }
        let published = admin.post_empty(&format!("{site}/publish")).await.expect(200);
        let root = published.text("/urls/published").strip_prefix(BASE).unwrap().to_owned();
        let [guide, reference]: [String; 2] = spaces.try_into().unwrap();
        let stage = Self { app, admin, site, root, guide };
        stage
            .write(
                &stage.guide,
                json!([
                    page("Start", "Welcome to the *harbor*.\n\n## First steps\n\nText."),
                    page("Install", "## On Linux\n\nRun it."),
                    {"operation": "insert_page", "title": "Secret", "hidden": true, "document": {"markdown": "Hidden words."}},
                ]),
            )
            .await;
        stage.write(&reference, json!([page("Commands", "All of them.")])).await;
        stage
    }

    async fn write(&self, space: &str, changes: Value) {
        let path = format!("/v1/spaces/{space}/content");
        self.admin.post(&path, json!({ "changes": changes })).await.expect(200);
    }

    /// Asks for a path below the site, as a browser without a token.
    async fn get(&self, path: &str) -> Answer {
        self.app.anonymous().get(&format!("{}{path}", self.root)).await
    }

    async fn get_with(&self, path: &str, name: header::HeaderName, value: &str) -> Answer {
        let request = TestRequest::with_uri(&format!("{}{path}", self.root)).insert_header((name, value));
        self.app.anonymous().send(request).await
    }

    async fn update(&self, changes: Value) {
        self.admin.patch(&self.site, changes).await.expect(200);
    }
}

fn page(title: &str, markdown: &str) -> Value {
    json!({"operation": "insert_page", "title": title, "document": {"markdown": markdown}})
}

fn body(answer: &Answer) -> String {
    String::from_utf8(answer.bytes.to_vec()).unwrap()
}

#[actix_web::test]
async fn a_fresh_server_says_what_to_do_next() {
    let app = TestApp::start().await;
    let home = app.anonymous().get("/").await.expect(200);
    assert!(body(&home).contains("Quire is running") && body(&home).contains("quire admin bootstrap"));
    assert!(home.header("content-security-policy").starts_with("default-src 'none'"));
}

#[actix_web::test]
async fn visitors_read_pages_with_their_frame() {
    let stage = Stage::set().await;
    let home = body(&stage.get("").await.expect(200));
    assert!(home.contains("<em>harbor</em>") && home.contains("<title>Start | Ferry</title>"), "{home}");
    let root = &stage.root;
    for part in [
        format!("<a href=\"{root}\" aria-current=\"page\"><span>Start</span></a>"),
        format!("<a href=\"{root}/install\"><span>Install</span></a>"),
        format!("<a class=\"next\" rel=\"next\" href=\"{root}/install\">"),
        format!("<a href=\"{root}/reference\">Reference</a>"),
        "<a href=\"#first-steps\">First steps</a>".to_owned(),
        format!("<link rel=\"canonical\" href=\"{BASE}{root}\">"),
        format!("<meta property=\"og:url\" content=\"{BASE}{root}\">"),
        "<meta property=\"og:description\" content=\"Welcome to the harbor.".to_owned(),
    ] {
        assert!(home.contains(&part), "{part} is not in {home}");
    }
    assert!(!home.contains("Secret"), "hidden pages are left out of the navigation");
    let commands = body(&stage.get("/reference").await.expect(200));
    assert!(commands.contains("All of them.") && !commands.contains("<span>Install</span>"));
    let secret = body(&stage.get("/secret").await.expect(200));
    assert!(secret.contains("Hidden words.") && secret.contains("content=\"noindex\""));
}

#[actix_web::test]
async fn other_addresses_of_a_page_redirect_to_it() {
    let stage = Stage::set().await;
    let root = &stage.root;
    for (path, target) in [
        ("/", ""),
        ("/start", ""),
        ("/guide", ""),
        ("/guide/guide", ""),
        ("/guide/guide/install", "/install"),
        ("/install/", "/install"),
        ("/Install", "/install"),
        ("//install", "/install"),
        ("/reference/reference/commands", "/reference"),
        ("/reference/", "/reference"),
    ] {
        let answer = stage.get(path).await.expect(308);
        assert_eq!(answer.header("location"), format!("{root}{target}"), "{path}");
    }
    let shared = stage.get("/start.md").await.expect(308);
    assert_eq!(shared.header("location"), format!("{root}/index.md"));
    stage.update(json!({"basename": "ferry"})).await;
    let named = stage.get("/install").await.expect(308);
    assert_eq!(named.header("location"), format!("/sites/{}/ferry/install", stage.app.organization));
}

#[actix_web::test]
async fn an_absent_page_is_a_page_with_a_search() {
    let stage = Stage::set().await;
    for path in ["/nothing", "/install/nothing", "/reference/install", "/nothing.md", "/a%00b"] {
        let answer = stage.get(path).await.expect(404);
        assert!(answer.header("content-type").starts_with("text/html"), "{path}");
    }
    let missing = body(&stage.get("/nothing").await.expect(404));
    assert!(missing.contains("Page not found") && missing.contains("name=\"q\""));
    assert!(missing.contains("<span>Install</span>"), "the navigation helps on");
}

#[actix_web::test]
async fn a_hidden_site_answers_as_an_absent_one() {
    let stage = Stage::set().await;
    let nobody = stage.app.anonymous();
    let organization = stage.app.organization;
    let absent = nobody.get(&format!("/sites/{organization}/0190a5d2-7c1e-7000-8000-000000000001")).await;
    let absent = absent.expect(404);
    let same = |answer: Answer, case: &str| {
        let answer = answer.expect(404);
        assert_eq!(answer.bytes, absent.bytes, "{case}");
        for name in ["content-type", "content-security-policy", "cache-control", "etag"] {
            assert_eq!(answer.header(name), absent.header(name), "{case}");
        }
    };
    same(nobody.get("/sites/nonsense/ferry").await, "no organization");
    for visibility in ["share-link", "visitor-auth"] {
        stage.update(json!({ "visibility": visibility })).await;
        for path in ["", "/install", "/nothing", "/sitemap.xml", "/~quire/search?q=harbor", "/install.md"] {
            same(stage.get(path).await, visibility);
        }
        let token = stage.app.stranger();
        same(token.get(&stage.root).await, "a token of another organization");
    }
    stage.update(json!({"visibility": "unlisted"})).await;
    let unlisted = stage.get("").await.expect(200);
    assert!(body(&unlisted).contains("content=\"noindex\""));
    stage.admin.post_empty(&format!("{}/unpublish", stage.site)).await.expect(200);
    same(stage.get("").await, "unpublished");
}

#[actix_web::test]
async fn the_key_of_a_share_link_is_a_segment_of_the_path() {
    let stage = Stage::set().await;
    stage.update(json!({"visibility": "share-link"})).await;
    let links = format!("{}/share-links", stage.site);
    let link = stage.admin.post(&links, json!({"name": "Press"})).await.expect(201);
    let key = link.text("/key");
    let given = link.text("/urls/published");
    let redirect = stage.app.anonymous().get(given.strip_prefix(BASE).unwrap()).await.expect(303);
    let root = format!("{}/{key}", stage.root);
    assert_eq!(redirect.header("location"), root);
    let home = stage.app.anonymous().get(&root).await.expect(200);
    assert!(body(&home).contains(&format!("href=\"{root}/install\"")));
    assert_eq!(home.header("cache-control"), "private, no-cache");
    stage.app.anonymous().get(&format!("{root}/install")).await.expect(200);
    stage.get(&format!("/{}", "x".repeat(40))).await.expect(404);
    let one = format!("{links}/{}", link.text("/id"));
    stage.admin.patch(&one, json!({"active": false})).await.expect(200);
    stage.app.anonymous().get(&root).await.expect(404);
}

#[actix_web::test]
async fn a_site_answers_at_its_host_name_and_nothing_else_does() {
    let stage = Stage::set().await;
    stage.update(json!({"hostname": "docs.ferry.example"})).await;
    let at = async |host: &str, path: &str| {
        let request = TestRequest::with_uri(path).insert_header((header::HOST, host));
        stage.app.anonymous().send(request).await
    };
    let home = at("docs.ferry.example", "/").await.expect(200);
    assert!(body(&home).contains("href=\"/install\"") && body(&home).contains("https://docs.ferry.example"));
    at("Docs.Ferry.Example:8443", "/install").await.expect(200);
    // The API and other sites are not on the host of a site.
    for path in ["/v1/", "/docs/", &stage.root, "/healthz"] {
        at("docs.ferry.example", path).await.expect(404);
    }
    // A host name of no site leads to the deployment.
    at("other.example", "/v1/").await.expect(200);
    assert!(body(&at("other.example", "/").await.expect(200)).contains("Quire is running"));
}

#[actix_web::test]
async fn a_warm_page_costs_one_statement_and_an_unchanged_one_no_body() {
    let stage = Stage::set().await;
    let cold = stage.get("/install").await.expect(200);
    let before = stage.app.statements();
    let warm = stage.get("/install").await.expect(200);
    assert_eq!(stage.app.statements() - before, 1);
    assert_eq!((&warm.bytes, warm.header("etag")), (&cold.bytes, cold.header("etag")));
    let unchanged = stage.get_with("/install", header::IF_NONE_MATCH, cold.header("etag")).await.expect(304);
    assert!(unchanged.bytes.is_empty());
    stage.write(&stage.guide, json!([page("New", "Text.")])).await;
    let changed = stage.get_with("/install", header::IF_NONE_MATCH, cold.header("etag")).await.expect(200);
    assert!(body(&changed).contains("<span>New</span>"), "an edit is visible at once");
}

#[actix_web::test]
async fn what_users_wrote_runs_nothing() {
    let stage = Stage::set().await;
    let hostile = "<script>alert(1)</script>\n\n[a](javascript:alert(1)) <img src=x onerror=alert(1)>\n\n\
                   ![](data:text/html,x) <style>body{}</style> <a href=\"vbscript:x\" style=\"color:red\">b</a>";
    let title = "\"><script>alert(2)</script>";
    stage
        .write(
            &stage.guide,
            json!([{"operation": "insert_page", "title": title, "slug": "hostile",
        "description": "<img src=x onerror=alert(3)>", "document": {"markdown": hostile}}]),
        )
        .await;
    let answer = stage.get("/hostile").await.expect(200);
    let html = body(&answer);
    for fragment in [
        "<script>",
        "<style",
        " style=",
        "onerror=alert(1)>",
        "href=\"javascript",
        "href=\"vbscript",
        "<img src=x",
    ] {
        assert!(!html.contains(fragment), "{fragment} is in {html}");
    }
    let policy = answer.header("content-security-policy");
    assert!(policy.contains("script-src 'self'") && policy.contains("default-src 'none'"), "{policy}");
    assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
}

#[actix_web::test]
async fn pages_are_markdown_for_machines() {
    let stage = Stage::set().await;
    let markdown = stage.get("/install.md").await.expect(200);
    assert_eq!(markdown.header("content-type"), "text/markdown; charset=utf-8");
    assert!(body(&markdown).starts_with("# Install\n") && body(&markdown).contains("## On Linux"));
    let negotiated = stage.get_with("/install", header::ACCEPT, "text/markdown").await.expect(200);
    assert_eq!(negotiated.bytes, markdown.bytes);
    assert!(negotiated.header("vary").contains("Accept"));
    assert!(body(&stage.get("/index.md").await.expect(200)).starts_with("# Start\n"));
    let list = body(&stage.get("/llms.txt").await.expect(200));
    assert!(
        list.contains(&format!("[Install]({BASE}{}/install.md)", stage.root)) && !list.contains("Secret")
    );
    let map = body(&stage.get("/sitemap.xml").await.expect(200));
    assert!(map.contains(&format!("<loc>{BASE}{}/reference</loc>", stage.root)) && !map.contains("secret"));
    assert!(body(&stage.get("/robots.txt").await.expect(200)).contains("Sitemap: http"));
}

#[actix_web::test]
async fn assets_are_immutable_and_compressed() {
    let stage = Stage::set().await;
    let home = body(&stage.get("").await.expect(200));
    let start = home.find("/~quire/assets/site.").unwrap();
    let path = &home[start..start + home[start..].find('"').unwrap()];
    let style = stage.get_with(path, header::ACCEPT_ENCODING, "br").await.expect(200);
    assert_eq!(style.header("content-encoding"), "br");
    assert_eq!(style.header("cache-control"), "public, max-age=31536000, immutable");
    let plain = stage.get(path).await.expect(200);
    assert!(plain.bytes.len() > 3 * style.bytes.len());
    stage.get("/~quire/assets/site.css").await.expect(404);
    let gzip = stage.get_with("", header::ACCEPT_ENCODING, "gzip").await.expect(200);
    assert_eq!(gzip.header("content-encoding"), "gzip");
}

#[actix_web::test]
async fn files_of_a_page_are_below_the_site() {
    let stage = Stage::set().await;
    let picture = json!({"operation": "insert_files", "files": [
        {"name": "dot.svg", "contentType": "image/svg+xml", "base64": "PHN2Zy8+"}]});
    stage.write(&stage.guide, json!([picture])).await;
    let files = stage.admin.get(&format!("/v1/spaces/{}/content/files", stage.guide)).await.expect(200);
    let markdown = format!("![A dot](/files/{})", files.text("/items/0/id"));
    stage.write(&stage.guide, json!([page("Picture", &markdown)])).await;
    let html = body(&stage.get("/picture").await.expect(200));
    let start = html.find("/~quire/files/").unwrap();
    let path = html[start..start + html[start..].find('"').unwrap()].replace("&amp;", "&");
    let file = stage.get(&path).await.expect(200);
    assert!(body(&file).starts_with("<svg"));
    assert_eq!(file.header("content-type"), "image/svg+xml");
    assert!(file.header("content-security-policy").contains("sandbox"));
    stage.get(&path.replace("dot.svg", "other.svg")).await.expect(404);
}

#[actix_web::test]
async fn a_search_finds_pages_of_all_sections_with_marked_words() {
    let stage = Stage::set().await;
    let found = stage.get("/~quire/search?q=harbor").await.expect(200);
    assert_eq!(found.text("/hits/0/title"), "Start");
    assert_eq!(found.text("/hits/0/href"), stage.root);
    assert_eq!(found.at("/hits/0/crumbs"), &json!(["Guide"]));
    let pieces = found.at("/hits/0/sections/0/text").as_array().unwrap().clone();
    assert!(pieces.contains(&json!(["harbor", true])), "{pieces:?}");
    for query in ["hidden", "", "%00"] {
        let none = stage.get(&format!("/~quire/search?q={query}")).await.expect(200);
        assert_eq!(none.at("/hits"), &json!([]), "{query}");
    }
    let page = stage.get_with("/~quire/search?q=harbor", header::ACCEPT, "text/html").await.expect(200);
    assert!(body(&page).contains("<mark>harbor</mark>"));
}

#[actix_web::test]
async fn settings_change_the_frame_without_inline_styles() {
    let stage = Stage::set().await;
    let settings = json!({
        "title": "Ferry docs",
        "styling": {"primaryColor": {"light": "#ff0000", "dark": "#00ff00"}, "corners": "straight"},
        "header": {"links": [{"title": "Blog", "to": {"kind": "url", "url": "https://blog.example"}}]},
        "footer": {"groups": [{"title": "More", "links": [
            {"title": "Space", "to": {"kind": "space", "space": stage.guide}}]}], "copyright": "© Ferry"},
        "announcement": {"enabled": true, "message": "Version 2 is out.", "style": "info"},
        "themes": {"default": "dark", "toggeable": true},
    });
    stage.admin.put(&format!("{}/customization", stage.site), settings).await.expect(200);
    let html = body(&stage.get("/install").await.expect(200));
    for part in ["Ferry docs", "https://blog.example", "© Ferry", "Version 2 is out.", "data-theme=\"dark\""]
    {
        assert!(html.contains(part), "{part} is not in {html}");
    }
    assert!(!html.contains(" style="));
    let start = html.find("/~quire/style/").unwrap();
    let path = &html[start..start + html[start..].find('"').unwrap()];
    let style = stage.get(path).await.expect(200);
    assert!(body(&style).contains("--radius: 0;") && style.header("cache-control").contains("immutable"));
    let stale = stage.get("/~quire/style/0000000000000000.css").await.expect(200);
    assert_eq!(stale.header("cache-control"), "no-cache");
}
