use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::thread;

use super::*;
use crate::fetch::FetchConfig;

const HTML: &str = "text/html";
const MAP: &str = "application/xml";

/// Serves files by path until the test's process ends.
fn serve(files: HashMap<&'static str, (&'static str, Vec<u8>)>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let files = Arc::new(files);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (files, mut stream) = (Arc::clone(&files), stream.unwrap());
            thread::spawn(move || {
                let (mut lines, mut head) = (BufReader::new(stream.try_clone().unwrap()), String::new());
                while lines.read_line(&mut head).unwrap() > 2 {}
                let path = head.split(' ').nth(1).unwrap();
                let (status, (kind, body)) = match files.get(path) {
                    Some(file) => ("200 OK", file.clone()),
                    None => ("404 Not Found", ("text/plain", Vec::new())),
                };
                // No length is declared, so the limit applies while reading.
                let head = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n");
                // The client closes the connection at its limit.
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
            });
        }
    });
    address
}

fn page(body: &str) -> (&'static str, Vec<u8>) {
    (
        HTML,
        format!("<html><body><main><p>Words that make it a page.</p>{body}</main></body></html>")
            .into_bytes(),
    )
}

fn crawled(
    files: impl IntoIterator<Item = (&'static str, (&'static str, Vec<u8>))>,
    limits: CrawlLimits,
) -> Result<SourceTree, GatherError> {
    let address = serve(files.into_iter().collect());
    let allow = vec![address.to_string().parse().unwrap()];
    let fetcher = Fetcher::new(FetchConfig { allow, ..FetchConfig::default() });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(crawl(&fetcher, limits, &format!("http://{address}/"), &Progress::default()))
}

#[test]
fn pages_and_pictures_have_limits_and_are_reported() {
    let large = |bytes: u64| vec![b' '; usize::try_from(bytes).unwrap() + 1];
    let links = "<a href=\"/small\">s</a><a href=\"/large\">l</a><img src=\"/a.png\"><img src=\"/b.png\">";
    let files = [
        ("/", page(links)),
        ("/small", page("")),
        ("/large", (HTML, large(PAGE_MAX))),
        ("/a.png", ("image/png", vec![1; 100_000])),
        ("/b.png", ("image/png", large(IMAGE_MAX))),
    ];
    let tree = crawled(files, CrawlLimits::default()).unwrap();
    let paths: Vec<&String> = tree.files.keys().collect();
    assert_eq!(paths, [".gitbook/assets/a.png", "index.html", "small.html"]);
    assert_eq!(tree.bytes(".gitbook/assets/a.png").unwrap(), vec![1; 100_000]);
    let reported: Vec<&str> = tree.report.iter().map(|entry| entry.message.as_str()).collect();
    assert_eq!(
        reported,
        ["it is larger than the limit for a page", "it is larger than the limit for a picture"]
    );
}

#[test]
fn skipped_content_counts_too() {
    let links = "<a href=\"/1\">1</a><a href=\"/2\">2</a>";
    let files = || [("/", page(links)), ("/1", ("text/plain", vec![b'x'; 3_000])), ("/2", page(""))];
    let limits = |bytes| CrawlLimits { max_total_bytes: bytes, ..CrawlLimits::default() };
    assert_eq!(crawled(files(), limits(10_000)).unwrap().files.len(), 2);
    let error = crawled(files(), limits(2_000)).unwrap_err();
    assert!(matches!(error, GatherError::TooLargeWebsite { limit: 2_000 }), "{error:?}");
}

#[test]
fn maps_and_rules_are_bounded_and_count() {
    let map = "<urlset><url><loc>/mapped</loc></url></urlset>";
    let files = |map: Vec<u8>, robots: Vec<u8>| {
        [
            ("/", page("")),
            ("/mapped", page("")),
            ("/sitemap.xml", (MAP, map)),
            ("/robots.txt", ("text/plain", robots)),
        ]
    };
    let read = |map: Vec<u8>, robots: Vec<u8>| crawled(files(map, robots), CrawlLimits::default());
    assert_eq!(read(map.into(), Vec::new()).unwrap().files.len(), 2);
    let longer =
        |text: &str, bytes: u64| [text.as_bytes(), &vec![b' '; usize::try_from(bytes).unwrap()]].concat();
    assert_eq!(read(longer(map, MAP_MAX), Vec::new()).unwrap().files.len(), 1);
    let error = read(map.into(), longer("", ROBOTS_MAX + 1)).unwrap_err();
    assert!(matches!(error, GatherError::RobotsRefuse), "{error:?}");
    let limits = CrawlLimits { max_total_bytes: 5_000, ..CrawlLimits::default() };
    let error = crawled(files(longer(map, 5_000), Vec::new()), limits).unwrap_err();
    assert!(matches!(error, GatherError::TooLargeWebsite { limit: 5_000 }), "{error:?}");
}

#[test]
fn the_page_of_a_book_that_is_for_printing_is_left() {
    let mark = "<!-- Book generated using mdBook -->";
    let print = page(mark);
    let files = [
        ("/", page("<a href=\"/print.html\">p</a><a href=\"/b/print.html\">q</a>")),
        ("/print.html", print),
        ("/b/print.html", page("")),
    ];
    let tree = crawled(files, CrawlLimits::default()).unwrap();
    let paths: Vec<&String> = tree.files.keys().collect();
    assert_eq!(paths, ["b/print.html", "index.html"]);
    assert!(tree.report[0].message.contains("for printing"), "{:?}", tree.report);
}

fn outline(entries: &[crate::summary::Entry], depth: usize) -> String {
    let line = |entry: &crate::summary::Entry| {
        let target = entry.target.as_deref().unwrap_or("-");
        format!("{}{} {target}\n{}", "  ".repeat(depth), entry.title, outline(&entry.children, depth + 1))
    };
    entries.iter().map(line).collect()
}

/// Each theme marks up the sections of its navigation differently.
#[test]
fn sections_of_the_navigation_that_are_no_links_are_kept() {
    let material = "<nav class=\"md-tabs\"><ul><li><a href=\"/a\">Concepts</a></li></ul></nav><nav class=\"md-nav\"><ul><li><a href=\"/\">Home</a></li>\
        <li class=\"md-nav__item--nested\"><label class=\"md-nav__link\">Concepts <span></span></label><nav><label>Concepts</label><ul>\
        <li><a href=\"/a\">A</a></li><li><label>Deep</label><nav><ul><li><a href=\"/b\">B</a></li></ul></nav></li></ul></nav></li>\
        <li><label>Empty</label><nav><ul><li><a href=\"https://elsewhere.example/\">E</a></li></ul></nav></li></ul></nav>";
    let docusaurus = "<nav class=\"menu\"><ul><li><a href=\"/\">Home</a></li><li><a class=\"menu__link--sublist\" href=\"#\">Concepts</a><ul>\
        <li><a href=\"/a\">A</a></li><li><div role=\"button\">Deep</div><ul><li><a href=\"/b\">B</a></li></ul></li></ul></li></ul></nav>";
    let vitepress = "<nav><div><section class=\"VPSidebarItem\"><div class=\"item\"><a href=\"/\">Home</a></div></section>\
        <section class=\"VPSidebarItem\"><div class=\"item\" role=\"button\"><h2>Concepts</h2></div><div class=\"items\"><div class=\"VPSidebarItem\"><a href=\"/a\">A</a></div>\
        <section class=\"VPSidebarItem\"><div class=\"item\"><h3>Deep</h3></div><div class=\"items\"><div class=\"VPSidebarItem\"><a href=\"/b\">B</a></div></div></section></div></section></div></nav>";
    for navigation in [material, docusaurus, vitepress] {
        let tree =
            crawled([("/", page(navigation)), ("/a", page("")), ("/b", page(""))], CrawlLimits::default())
                .unwrap();
        let parts = tree.contents.unwrap();
        assert_eq!(parts.len(), 2, "{parts:?}");
        assert_eq!((&parts[0].title, outline(&parts[0].entries, 0).as_str()), (&None, "Home /index.html\n"));
        assert_eq!(parts[1].title.as_deref(), Some("Concepts"));
        assert_eq!(outline(&parts[1].entries, 0), "A /a.html\nDeep -\n  B /b.html\n");
    }
    let book = "<nav><ol class=\"chapter\"><li><a href=\"/\">Home</a></li><li class=\"part-title\">Concepts</li><li><a href=\"/a\">A</a></li><li><a href=\"/b\">B</a></li></ol></nav>";
    let sphinx = "<nav><ul><li><a href=\"/\">Home</a></li></ul><p class=\"caption\"><span>Concepts</span></p><ul><li><a href=\"/a\">A</a></li><li><a href=\"/b\">B</a></li></ul></nav>";
    for navigation in [book, sphinx] {
        let tree =
            crawled([("/", page(navigation)), ("/a", page("")), ("/b", page(""))], CrawlLimits::default())
                .unwrap();
        let parts = tree.contents.unwrap();
        assert_eq!(parts.len(), 2, "{parts:?}");
        assert_eq!(parts[1].title.as_deref(), Some("Concepts"));
        assert_eq!(outline(&parts[1].entries, 0), "A /a.html\nB /b.html\n");
    }
}

fn with_head(head: &str, body: &str) -> (&'static str, Vec<u8>) {
    (HTML, format!("<html><head>{head}</head><body><main><p>{body}</p></main></body></html>").into_bytes())
}

#[test]
fn canonical_addresses_are_read_and_stubs_are_followed() {
    let canonical = |path: &str| format!("<link rel=\"canonical\" href=\"{path}\">");
    let links = "<a href=\"/1/api\">1</a><a href=\"/old\">o</a><a href=\"/home\">h</a><a href=\"/gone\">g</a><a href=\"/loop\">l</a>";
    let files = [
        ("/", page(links)),
        ("/1/api", with_head(&canonical("/2/api"), "The first version of it.")),
        ("/2/api", with_head(&canonical("/2/api"), "The second version of it.")),
        ("/old", with_head("<meta http-equiv=\"refresh\" content=\"0; url=/new\">", "Moved")),
        ("/new", page("New.")),
        ("/home", with_head(&canonical("/"), "It names the start page.")),
        ("/gone", with_head(&canonical("/missing"), "It names a page that is missing.")),
        ("/loop", with_head(&canonical("/old"), "It names a stub.")),
    ];
    let tree = crawled(files, CrawlLimits::default()).unwrap();
    let paths: Vec<&str> = tree.files.keys().map(String::as_str).collect();
    assert_eq!(paths, ["2/api.html", "gone.html", "home.html", "index.html", "loop.html", "new.html"]);
    assert!(tree.text("2/api.html").unwrap().contains("second"));
    let reported: Vec<&str> = tree.report.iter().map(|entry| entry.message.as_str()).collect();
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(reported[0].ends_with("/2/api, its canonical address, was read instead"), "{reported:?}");
    assert_eq!(reported[1], crate::stub::REASON);
    let leads = |path: &str| {
        let address = tree.addresses.iter().find(|(address, _)| address.ends_with(path));
        address.map(|(_, file)| file.as_str())
    };
    assert_eq!((leads("/old"), leads("/1/api")), (Some("new.html"), Some("2/api.html")));
}
