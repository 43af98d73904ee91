//! Websites: a bounded crawl of one origin.

use super::support::{Files, Server, fixture, import};

const HTML: &str = "text/html; charset=utf-8";

fn page(title: &str, body: &str) -> (&'static str, Vec<u8>) {
    let html = format!(
        "<!doctype html><html><head><title>{title} | Engine</title><base href=\"/docs/\"></head><body>\
         <nav><ul><li><a href=\"/docs/\">Start</a></li><li><a href=\"/docs/use/\">Use</a><ul><li><a href=\"/docs/use/linux\">On Linux</a></li></ul></li>\
         <li><a href=\"/blog/\">Blog</a></li></ul></nav><main><h1>{title}</h1>{body}</main><footer>Made by Ada with a lot of words</footer></body></html>"
    );
    (HTML, html.into_bytes())
}

fn site(origin: &str) -> Files {
    let body = format!(
        "<p>Welcome to the engine, which turns. See <a href=\"use/linux#run\">how to run it</a>, <a href=\"secret/\">the secret</a>, \
         <a href=\"old\">the old page</a>, <a href=\"/blog/\">the blog</a> and <a href=\"{origin}/docs/mapped\">the map</a>.</p>\
         <img src=\"/img/wheel.png?v=2\" alt=\"A wheel\"><img src=\"gone.png\" alt=\"Gone\">"
    );
    let linux =
        "<h2 id=\"run\">Run</h2><p>Type its name and press return. <a href=\"../docs/\">Back</a>.</p>";
    let again = page("Start again", "<p>Many pages name the first one as canonical.</p>");
    let canonical = String::from_utf8(again.1)
        .unwrap()
        .replace("<base", &format!("<link rel=\"canonical\" href=\"{origin}/docs/\"><base"));
    let map = format!(
        "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{origin}/docs/mapped</loc></url><url><loc>{origin}/docs/start-again</loc></url><url><loc>{origin}/blog/</loc></url></urlset>"
    );
    Files::from([
        ("/robots.txt".to_owned(), ("text/plain", b"User-agent: *\nDisallow: /docs/secret\n".to_vec())),
        ("/sitemap.xml".to_owned(), ("application/xml", map.into_bytes())),
        ("/docs/".to_owned(), page("Start", &body)),
        ("/docs/use/".to_owned(), page("Use", "<p>Several ways lead to a running engine.</p>")),
        ("/docs/use/linux".to_owned(), page("On Linux, in full", linux)),
        ("/docs/old".to_owned(), ("->/docs/use/", Vec::new())),
        ("/docs/mapped".to_owned(), page("Mapped", "<p>Only the map of the site knows this page.</p>")),
        ("/docs/start-again".to_owned(), (HTML, canonical.into_bytes())),
        ("/docs/secret/".to_owned(), page("Secret", "<p>This page is secret.</p>")),
        ("/blog/".to_owned(), page("Blog", "<p>Not part of the documentation at all.</p>")),
        ("/img/wheel.png?v=2".to_owned(), ("image/png", fixture("zip/dot.png"))),
    ])
}

#[actix_web::test]
async fn a_site_is_read_in_its_navigations_order_as_far_as_it_allows() {
    let server = Server::start(site);
    let imported = import("website", &server.url("/docs/")).await.done();
    assert_eq!(imported.outline().await, "Start\nUse\n  On Linux, in full\nMapped\nStart again\n");
    let start = imported.markdown("start").await;
    for link in [
        "[how to run it](page:On Linux, in full#run)",
        "[the old page](page:Use)",
        "[the map](page:Mapped)",
        "file:wheel.png",
    ] {
        assert!(start.contains(link), "{link}: {start}");
    }
    let origin = server.url("");
    assert!(start.contains(&format!("[the secret]({origin}/docs/secret/)")), "{start}");
    assert!(start.contains(&format!("[the blog]({origin}/blog/)")), "{start}");
    // A picture that cannot be fetched stays at its address.
    assert!(start.contains(&format!("{origin}/docs/gone.png")), "{start}");
    assert!(!start.contains("Made by Ada"), "{start}");
    let linux = imported.markdown("use/linux").await;
    assert!(linux.contains("[Back](page:Start)"), "{linux}");
    let asked = server.asked.lock().unwrap().clone();
    assert!(!asked.iter().any(|path| path.contains("secret") || path.contains("blog")), "{asked:?}");
    let report = imported.report();
    assert!(report.contains(&format!("failed {origin}/docs/gone.png")), "{report:?}");
    assert_eq!(imported.file_names().await, ["wheel.png"]);
}

#[actix_web::test]
async fn a_site_that_refuses_or_has_too_many_pages_changes_nothing() {
    let closed = Server::start(|origin| {
        let mut files = site(origin);
        files.insert("/robots.txt".to_owned(), ("text/plain", b"User-agent: quire\nDisallow: /\n".to_vec()));
        files
    });
    let refused = import("website", &closed.url("/docs/")).await.answer.expect(400);
    assert_eq!(refused.reason(), "fetch-refused");
    let endless = Server::start(|_| {
        let links: String =
            (0..250).map(|number| format!("<li><a href=\"/docs/{number}\">{number}</a></li>")).collect();
        let mut files = Files::from([("/docs/".to_owned(), page("Start", &format!("<ul>{links}</ul>")))]);
        files
            .extend((0..250).map(|number| {
                (format!("/docs/{number}"), page("One", "<p>One page among many others.</p>"))
            }));
        files
    });
    let refused = import("website", &endless.url("/docs/")).await.answer.expect(413);
    assert_eq!(refused.reason(), "import-too-large");
}
