//! Forms that hosted documentation, code hosts and generators write, each as the document that it becomes.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

#[allow(unreachable_pub)]
#[path = "support/laws.rs"]
mod laws;

use quire_markup::{
    ContentRef, Document, HrefKind, RefResolver, StableRefs, parse, parse_page, plain_text, print,
};
use serde_json::{Value, json};

/// The document of a text that keeps every law.
fn read(markdown: &str) -> Value {
    if let Err(problem) = laws::check(markdown) {
        panic!("{markdown}\n{problem}");
    }
    parse(markdown, &StableRefs).to_json()
}

/// Asserts the values at some JSON pointers.
fn assert_at(markdown: &str, places: &[(&str, Value)]) {
    let json = read(markdown);
    for (place, expected) in places {
        assert_eq!(json.pointer(place), Some(expected), "{place} of {markdown}\n{json:#}");
    }
}

fn words(markdown: &str) -> String {
    plain_text(&parse(markdown, &StableRefs))
}

/// The kinds of the top-level blocks.
fn kinds(markdown: &str) -> Vec<String> {
    let json = read(markdown);
    json["nodes"].as_array().unwrap().iter().map(|block| block["type"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn headings_count_from_the_second_rank() {
    let text = "# One\n\n## Two\n\n### Three\n\n#### Four\n\n###### Six\n\n<h2>H</h2>\n\n<h3>I</h3>\n";
    assert_eq!(
        kinds(text),
        ["heading-1", "heading-1", "heading-2", "heading-3", "heading-3", "heading-1", "heading-2"]
    );
    let printed = print(&parse(text, &StableRefs), &StableRefs);
    assert_eq!(printed, "## One\n\n## Two\n\n### Three\n\n#### Four\n\n#### Six\n\n## H\n\n### I\n");
    let page = parse_page("# Title\n\n## A\n\n# B\n", &StableRefs);
    assert_eq!(page.title.as_deref(), Some("Title"));
    let ranks: Vec<_> = page.document.nodes.iter().map(quire_markup::Block::heading_rank).collect();
    assert_eq!(ranks, [Some(1), Some(1)]);
    // Only a first block of the first rank is the title.
    for (text, title) in [
        ("## A\n", None),
        ("Words\n\n# A\n", None),
        ("<h1 align=\"center\">A</h1>\n", Some("A")),
        ("<div>\n<h1>A</h1>\n</div>\n", Some("A")),
        ("<h2>A</h2>\n", None),
        ("> # A\n", None),
        ("<!-- c -->\n\n# A\n", Some("A")),
    ] {
        assert_eq!(parse_page(text, &StableRefs).title.as_deref(), title, "{text}");
    }
}

#[test]
fn the_heading_of_a_title_keeps_its_marks_and_links() {
    let page = parse_page("# [Foo](https://e.com) *x*\n\nText\n", &StableRefs);
    let heading = Document::new(vec![page.heading.unwrap()]);
    assert_eq!(print(&heading, &StableRefs), "## [Foo](https://e.com) _x_\n");
}

#[test]
fn ids_of_headings_are_read() {
    for (text, id, heading) in [
        ("## Words {#custom-id}", Some("custom-id"), "Words"),
        ("## Words **b** {: #Id .c}", Some("id"), "Words b"),
        ("Words {#id}\n-----", Some("id"), "Words"),
        ("## Words {id}", None, "Words {id}"),
        ("## Words {#id} <!-- -->", None, "Words {#id} "),
        ("## {#id}", None, "{#id}"),
        ("## `{#id}`", None, "{#id}"),
    ] {
        let json = read(text);
        assert_eq!(json["nodes"][0]["data"]["id"].as_str(), id, "{text}");
        assert_eq!(words(text), heading.trim_end(), "{text}");
    }
}

#[test]
fn descriptions_keep_the_escapes_of_yaml() {
    for (yaml, expected) in [
        (r#""a —\_or b""#, "a —\u{a0}or b"),
        (r#""\x41\u00e9\U0001F600\ud83d\ude00 \"q\" \\ \/ \N""#, "Aé😀😀 \"q\" \\ / \u{85}"),
        ("\"a\\tb\"", "a\tb"),
    ] {
        let page = parse_page(&format!("---\ndescription: {yaml}\n---\nx\n"), &StableRefs);
        assert_eq!(page.front_matter.description.as_deref(), Some(expected), "{yaml}");
        assert!(page.front_matter.extra.is_empty());
    }
    for wrong in [r#""\q""#, r#""\x4""#, r#""\ud83d""#, r#""a"b""#] {
        let page = parse_page(&format!("---\ndescription: {wrong}\n---\nx\n"), &StableRefs);
        assert_eq!(page.front_matter.description, None, "{wrong}");
    }
}

#[test]
fn addresses_of_programs_stay() {
    for href in [
        "vscode:extension/a.b",
        "vscode://file/x",
        "slack://channel?id=1",
        "obsidian://open?vault=v",
        "zoommtg://zoom.us/join",
        "urn:isbn:1",
        "localhost:3000/x",
        "example.com:8080",
    ] {
        assert_at(&format!("[a]({href})"), &[("/nodes/0/nodes/0/data/ref/url", json!(href))]);
    }
    /// Notes what is left out.
    struct Notes(std::cell::RefCell<Vec<String>>);
    impl RefResolver for Notes {
        fn resolve(&self, _: &str, _: HrefKind) -> Option<ContentRef> {
            None
        }
        fn refused(&self, href: &str) {
            self.0.borrow_mut().push(href.to_owned());
        }
    }
    let notes = Notes(std::cell::RefCell::default());
    let _ = parse("[a](https://e.com) [b](spell:x) ![c](javascript:y)", &notes);
    assert_eq!(notes.0.take(), ["spell:x", "javascript:y"]);
    for href in ["javascript:x()", "vbscript:x", "data:text/html,x", "ms-msdt:/id", "localhost:x"] {
        assert!(read(&format!("[a]({href})")).pointer("/nodes/0/nodes/0/data").is_none(), "{href}");
    }
}
