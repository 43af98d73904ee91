//! Pages, their addresses and their frame.

use quire_storage::content::store::ContentSelector;
use quire_test_support::{ContentEditor, TestApp};
use serde_json::json;

use super::{BASE, Stage, body, page};

#[actix_web::test]
async fn the_start_page_needs_a_person() {
    let app = TestApp::start().await;
    let home = app.anonymous().get("/").await.expect(303);
    assert_eq!(home.header("location"), "/~/sign-in?next=/");
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
    assert!(secret.contains("Hidden words.") && !secret.contains("content=\"noindex\""));
    let unlisted = body(&stage.get("/unlisted").await.expect(200));
    assert!(unlisted.contains("content=\"noindex\""));
}

#[actix_web::test]
async fn redirects_of_the_site_are_followed_where_no_page_is() {
    let stage = Stage::set().await;
    let root = &stage.root;
    let redirects = format!("{}/redirects", stage.site);
    for (source, permanent, destination) in [
        ("/setup", true, json!({"kind": "path", "spaceId": stage.guide, "path": "install"})),
        ("/gr%c3%b6%c3%9fe", false, json!({"kind": "path", "spaceId": stage.guide, "path": "install"})),
        ("/old/*", false, json!({"kind": "external", "url": "https://old.example.com/docs?from=new"})),
        ("/install", false, json!({"kind": "external", "url": "https://never.example.com"})),
        ("/draft", false, json!({"kind": "external", "url": "https://never.example.com"})),
    ] {
        let body = json!({"source": source, "destination": destination, "permanent": permanent,
            "captureWildcard": true, "draft": source == "/draft"});
        stage.admin.post(&redirects, body).await.expect(201);
    }
    for (path, status, target) in [
        ("/setup", 308, format!("{root}/install")),
        ("/guide/setup", 308, format!("{root}/install")),
        ("/setup.md", 308, format!("{root}/install.md")),
        ("/gr%C3%B6%C3%9Fe", 307, format!("{root}/install")),
        ("/old/a/b", 307, "https://old.example.com/docs/a/b?from=new".to_owned()),
    ] {
        let answer = stage.get(path).await.expect(status);
        assert_eq!(answer.header("location"), target, "{path}");
    }
    stage.get("/install").await.expect(200);
    stage.get("/draft").await.expect(404);
    stage.get("/old").await.expect(404);
}

#[actix_web::test]
async fn other_addresses_of_a_page_redirect_to_it() {
    let stage = Stage::set().await;
    let root = &stage.root;
    for (path, target) in [
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
    stage.update(json!({"basename": "dock"})).await;
    let named = stage.get("/install").await.expect(308);
    assert_eq!(named.header("location"), "/sites/acme/dock/install");
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

#[actix_web::test]
async fn former_paths_lead_to_their_pages() {
    let stage = Stage::set().await;
    stage.write(&stage.guide, json!([{"operation": "insert_group", "title": "Setup"}])).await;
    let content = format!("/v1/spaces/{}/content", stage.guide);
    let id =
        async |path: &str| stage.admin.get(&format!("{content}/path/{path}")).await.expect(200).text("/id");
    let (install, setup) = (id("install").await, id("setup").await);
    let rename = |page: &str, slug: &str| json!([{"operation": "update_page", "page": page, "slug": slug}]);
    stage.write(&stage.guide, rename(&install, "on-linux")).await;
    let location = async |path: &str| stage.get(path).await.expect(307).header("location").to_owned();
    assert_eq!(location("/install").await, format!("{}/on-linux", stage.root));
    assert_eq!(location("/install.md").await, format!("{}/on-linux.md", stage.root));
    let moved = json!([{"operation": "update_page", "page": install, "into": setup, "at": 0}]);
    stage.write(&stage.guide, moved).await;
    stage.write(&stage.guide, rename(&setup, "start-here")).await;
    let now = format!("{}/start-here/on-linux", stage.root);
    for former in ["/install", "/on-linux", "/setup/on-linux"] {
        assert_eq!(location(former).await, now, "{former}");
    }
    // A present page takes precedence over one that was formerly at the path.
    stage.write(&stage.guide, json!([page("Install", "Another.")])).await;
    stage.get("/install").await.expect(200);
    stage.get("/setup/nothing").await.expect(404);
    // A deleted page has no path.
    stage.write(&stage.guide, json!([{"operation": "delete_page", "page": install}])).await;
    stage.get("/on-linux").await.expect(404);
}

#[actix_web::test]
async fn navigation_has_the_titles_that_pages_have_there() {
    let stage = Stage::set().await;
    let named = json!({
        "operation": "insert_page", "title": "Everything about anchors", "linkTitle": "Anchors",
        "document": {"markdown": "Heavy."},
    });
    stage.write(&stage.guide, json!([named])).await;
    let first = body(&stage.get("").await.expect(200));
    assert!(first.contains("Anchors") && !first.contains("Everything about anchors"), "{first}");
    let html = body(&stage.get("/everything-about-anchors").await.expect(200));
    assert!(html.contains("Everything about anchors</h1>"), "{html}");
}

#[actix_web::test]
async fn the_root_is_a_page_with_and_without_a_slash() {
    let stage = Stage::set().await;
    let [plain, folder] = [stage.get("").await.expect(200), stage.get("/").await.expect(200)];
    assert_eq!(body(&plain), body(&folder));
    assert!(body(&folder).contains(&format!("rel=\"canonical\" href=\"{BASE}{}\"", stage.root)));
    assert!(
        body(&folder).contains(&format!("href=\"{}/install\"", stage.root)),
        "links are below the folder"
    );
}

#[actix_web::test]
async fn pages_at_paths_of_files_have_another_address() {
    let stage = Stage::set().await;
    // The API validates slugs. These come from earlier versions or other programs.
    let slugs = ["robots.txt", "llms.txt", "sitemap.xml", "sitemap-pages-1.xml", "install.md", "rss.xml"];
    for slug in slugs {
        let seed = |content: &mut ContentEditor| {
            let page = content.page(None, slug, "Text.");
            content.change_page(page, |page| page.slug = slug.to_owned());
        };
        stage.app.edit(&stage.admin, stage.guide.parse().unwrap(), ContentSelector::Space, seed);
    }
    let map = body(&stage.get("/sitemap.xml").await.expect(200));
    let urls: Vec<&str> =
        map.split("<loc>").skip(1).map(|rest| rest.split("</loc>").next().unwrap()).collect();
    assert!(urls.len() > slugs.len());
    let mut titles = Vec::new();
    for url in urls {
        let path = url.strip_prefix(&format!("{BASE}{}", stage.root)).unwrap();
        let page = stage.get(path).await.expect(200);
        assert!(page.header("content-type").starts_with("text/html"), "{path}");
        titles.extend(slugs.into_iter().filter(|slug| body(&page).contains(&format!("<title>{slug} "))));
        if path.starts_with("/~quire/") {
            let markdown = stage.get(&format!("{path}.md")).await.expect(200);
            assert!(markdown.header("content-type").starts_with("text/markdown"), "{path}");
        }
    }
    titles.sort_unstable();
    let mut all = slugs;
    all.sort_unstable();
    assert_eq!(titles, all);
    assert!(body(&stage.get("/robots.txt").await.expect(200)).contains("User-agent"));
    assert!(stage.get("/install.md").await.expect(200).header("content-type").starts_with("text/markdown"));
}

#[actix_web::test]
async fn addresses_of_gitbook_lead_to_the_same() {
    let stage = Stage::set().await;
    let page = stage.admin.get(&format!("/v1/spaces/{}/content/path/install", stage.guide)).await.expect(200);
    for (path, status, target) in [
        ("/~gitbook/pdf".to_owned(), 307, String::new()),
        ("/~gitbook/pdf?page=nonsense&only=yes".to_owned(), 307, String::new()),
        (format!("/~gitbook/pdf?page={}&limit=100", page.text("/id")), 307, "/install".to_owned()),
        ("/sitemap.md".to_owned(), 308, "/llms.txt".to_owned()),
    ] {
        let answer = stage.get(&path).await.expect(status);
        assert_eq!(answer.header("location"), format!("{}{target}", stage.root), "{path}");
    }
    stage.write(&stage.guide, json!([page_with_slug("Map of the site", "sitemap")])).await;
    let own = stage.get("/sitemap.md").await.expect(200);
    assert!(body(&own).contains("# Map of the site"), "a page is shown before");
}

fn page_with_slug(title: &str, slug: &str) -> serde_json::Value {
    json!({"operation": "insert_page", "title": title, "slug": slug, "document": {"markdown": "Text."}})
}
