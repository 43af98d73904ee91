//! Other forms of pages, files, search and caching.

use std::io::Read as _;

use actix_web::http::header;
use serde_json::{Value, json};

use super::{BASE, Stage, body, page};

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
    for path in ["/llms.txt", "/llms-full.txt"] {
        let answer = stage.get(path).await.expect(200);
        assert_eq!(answer.header("content-type"), "text/markdown; charset=utf-8", "{path}");
    }
    let list = body(&stage.get("/llms.txt").await.expect(200));
    assert!(
        list.contains(&format!("[Install]({BASE}{}/install.md)", stage.root))
            && list.contains("Secret")
            && !list.contains("Unlisted")
    );
    let full = body(&stage.get("/llms-full.txt").await.expect(200));
    assert!(full.contains(&format!("URL: {BASE}{}/install\n\n# Install\n", stage.root)), "{full}");
    assert!(
        full.contains("Hidden words.")
            && full.contains("Unfindable words.")
            && !full.contains("Robotless words."),
        "{full}"
    );
    let map = body(&stage.get("/sitemap.xml").await.expect(200));
    assert!(map.contains(&format!("<loc>{BASE}{}/reference</loc>", stage.root)) && map.contains("/secret<"));
    assert!(map.contains("/unfound<") && !map.contains("/unlisted<"));
    assert_eq!(body(&stage.get("/sitemap-pages-1.xml").await.expect(200)), map);
    for path in ["/sitemap-pages-2.xml", "/sitemap-pages-01.xml", "/sitemap-pages-18446744073709551615.xml"] {
        stage.get(path).await.expect(404);
    }
    assert!(body(&stage.get("/robots.txt").await.expect(200)).contains("Sitemap: http"));
}

#[actix_web::test]
async fn the_layout_of_a_page_shows_or_hides_the_links_of_its_headings() {
    let stage = Stage::set().await;
    let mut plain = page("Plain", "## Boats");
    plain["layout"] = json!({"anchors": false});
    stage.write(&stage.guide, json!([page("Linked", "## Boats"), plain])).await;
    assert!(body(&stage.get("/linked").await.expect(200)).contains("class=\"anchor\""));
    let plain = body(&stage.get("/plain").await.expect(200));
    assert!(plain.contains("id=\"boats\"") && !plain.contains("class=\"anchor\""), "{plain}");
}

#[actix_web::test]
async fn a_page_of_updates_has_a_feed() {
    let stage = Stage::set().await;
    let markdown = "{% updates format=\"full\" %}\n{% update date=\"2026-02-03\" tags=\"new, fleet\" %}\n## Boats & piers\n\nSee [install](/install).\n{% endupdate %}\n\n\
        {% update date=\"soon\" %}\nText\u{1}.\n{% endupdate %}\n{% endupdates %}";
    stage.write(&stage.guide, json!([page("News", markdown)])).await;
    let html = body(&stage.get("/news").await.expect(200));
    let address = format!("{}/news/rss.xml", stage.root);
    assert!(
        html.contains(&format!("type=\"application/rss+xml\" title=\"News\" href=\"{address}\"")),
        "{html}"
    );
    let answer = stage.get("/news/rss.xml").await.expect(200);
    assert_eq!(answer.header("content-type"), "application/rss+xml; charset=utf-8");
    let (feed, page) = (body(&answer), format!("{BASE}{}/news", stage.root));
    for part in [
        "<title>News | Ferry</title>",
        "<item><title>Boats &amp; piers</title>",
        &format!("<link>{page}#2026-02-03</link>"),
        "<pubDate>Tue, 03 Feb 2026 00:00:00 +0000</pubDate>",
        &format!("href=\"{BASE}{address}\""),
        "<item><title>soon</title>",
        "<category>fleet</category><category>new</category><description>",
        "<lastBuildDate>",
    ] {
        assert!(feed.contains(part), "{part}: {feed}");
    }
    assert!(!feed.contains('\u{1}'), "not allowed in XML");
    assert!(!feed.contains("&lt;h2") && !feed.contains("class=&quot;anchor"), "{feed}");
    assert_eq!(feed.matches("<pubDate>").count(), 1, "a date that isn't one has no time");
    stage.get("/install/rss.xml").await.expect(404);
    let unchanged = stage.get_with("/news/rss.xml", header::IF_NONE_MATCH, answer.header("etag")).await;
    assert_eq!(unchanged.status, 304);
    assert!(!body(&stage.get("/install").await.expect(200)).contains("rss+xml"));
}

#[actix_web::test]
async fn pages_name_their_position_for_search_engines() {
    let stage = Stage::set().await;
    let json_of = |html: String| {
        let (_, rest) = html.split_once("<script type=\"application/ld+json\">")?;
        serde_json::from_str::<Value>(rest.split_once("</script>")?.0).ok()
    };
    let data = json_of(body(&stage.get("/install").await.expect(200))).unwrap();
    assert_eq!(data["@type"], "BreadcrumbList");
    let last = data["itemListElement"].as_array().unwrap().last().unwrap();
    assert_eq!(last["name"], "Install");
    assert_eq!(last["item"], format!("{BASE}{}/install", stage.root));
    stage.update(json!({"visibility": "unlisted"})).await;
    assert_eq!(json_of(body(&stage.get("/install").await.expect(200))), None);
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
}

#[actix_web::test]
async fn each_client_gets_its_coding_of_a_page() {
    let stage = Stage::set().await;
    for path in ["/install", "/install.md", "/llms.txt", "/absent"] {
        let plain = stage.get(path).await;
        assert_eq!(plain.header("content-encoding"), "identity", "{path}");
        // The second response in a coding comes from the cache.
        for coding in ["br", "gzip", "br", "gzip"] {
            let coded = stage.get_with(path, header::ACCEPT_ENCODING, coding).await;
            assert_eq!(coded.header("content-encoding"), coding, "{path}");
            let mut text = Vec::new();
            match coding {
                "br" => brotli::Decompressor::new(&*coded.bytes, 4096).read_to_end(&mut text).unwrap(),
                _ => flate2::read::GzDecoder::new(&*coded.bytes).read_to_end(&mut text).unwrap(),
            };
            assert_eq!(text, plain.bytes, "{path} {coding}");
        }
        assert_eq!(stage.get(path).await.bytes, plain.bytes, "{path}");
    }
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
    for (query, title) in [("hidden", "Secret"), ("robotless", "Unlisted")] {
        let found = stage.get(&format!("/~quire/search?q={query}")).await.expect(200);
        assert_eq!(found.text("/hits/0/title"), title);
    }
    for query in ["unfindable", "", "%00"] {
        let none = stage.get(&format!("/~quire/search?q={query}")).await.expect(200);
        assert_eq!(none.at("/hits"), &json!([]), "{query}");
    }
    let page = stage.get_with("/~quire/search?q=harbor", header::ACCEPT, "text/html").await.expect(200);
    assert!(body(&page).contains("<mark>harbor</mark>"));
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
