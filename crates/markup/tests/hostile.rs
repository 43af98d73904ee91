//! Input that is designed to exhaust time or the stack.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

use quire_markup::{StableRefs, links, parse, parse_page, plain_text, print, sections};

/// Runs every operation on a text. A stack overflow aborts the test, and quadratic time makes it take minutes.
fn survive(text: &str) {
    let document = parse(text, &StableRefs);
    let printed = print(&document, &StableRefs);
    assert_eq!(parse(&printed, &StableRefs), document);
    let is_taken = quire_markup::Document::from_json(&document.to_json()).is_ok();
    assert_eq!(is_taken, document.excess().is_none());
    let _ = (plain_text(&document), sections(&document), links(&document), parse_page(text, &StableRefs));
}

#[test]
fn nested_quotes_and_brackets() {
    survive(&format!("{} a", ">".repeat(10_000)));
    survive(&"[".repeat(10_000));
    survive(&"![".repeat(10_000));
    survive(&format!("{}a{}", "[".repeat(5_000), "](b)".repeat(5_000)));
}

#[test]
fn nested_lists() {
    survive(&format!("{}a", "- ".repeat(10_000)));
    survive(&format!("{}a", "1. ".repeat(3_000)));
    survive(&(0..300).map(|depth| format!("{}* a\n", "  ".repeat(depth))).collect::<String>());
}

#[test]
fn runs_of_delimiters() {
    survive(&"*".repeat(1 << 20));
    survive(&"**a ".repeat(20_000));
    survive(&format!("{}a{}", "**a ".repeat(3_000), " a**".repeat(3_000)));
    survive(&"_a".repeat(20_000));
    survive(&"`".repeat(100_000));
    survive(&"$$ $ ".repeat(20_000));
    survive(&"<strong>".repeat(10_000));
}

#[test]
fn tags_and_html() {
    survive(&"{% hint style=\"info\" %}\n".repeat(3_000));
    survive(&"{% endhint %}\n".repeat(3_000));
    survive(&"{% embed url=\"https://a.b\" %}\na\n".repeat(3_000));
    survive(&format!("{{% hint %}} {}", "{% hint \"".repeat(20_000)));
    survive(&"<details>\n\n".repeat(3_000));
    survive(&"<div>".repeat(20_000));
    survive(&format!("<table><tr><td>{}", "<table><tr><td>".repeat(3_000)));
    survive(&"<ul><li>".repeat(10_000));
    survive(&"<table>".repeat(10_000));
    survive(&"<figure>".repeat(10_000));
    survive(&"<ul>".repeat(10_000));
    survive(&"<p>".repeat(10_000));
    survive(&"<b>x".repeat(20_000));
    survive(&"x<mark style=\"color:red\">y<mark style=\"color:blue\">".repeat(5_000));
    survive(&"<!-- ".repeat(50_000));
    survive(&format!("<div>{}", "</ a ".repeat(50_000)));
    survive(&format!("<div>{}", "<!-- </".repeat(50_000)));
    survive(&"<blockquote>".repeat(10_000));
    survive(&"<div><figure>".repeat(48));
    survive(&format!("{}<img src=\"a\">", "<div><figure><figcaption>".repeat(10_000)));
    survive(&"<".repeat(100_000));
    survive(&"<a ".repeat(20_000));
}

#[test]
fn footnotes_that_refer_to_each_other() {
    let chain: String =
        (0..2_000).map(|n| format!("[^{n}]: see [^{}] and [^{}]\n\n", n + 1, n + 2)).collect();
    survive(&format!("a[^0]\n\n{chain}"));
    survive("a[^1]\n\n[^1]: b[^1] [^2]\n\n[^2]: c[^1]\n");
}

#[test]
fn every_document_reads_back_from_json() {
    let notes: String = (1..60).map(|n| format!("[^{n}]: b[^{}]\n\n", n + 1)).collect();
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let quotes = "> ".repeat(45);
    for text in [
        format!("a[^1]\n\n{notes}"),
        format!("<!-- properties {{\"x\":{deep}}} -->\n# a"),
        format!("{quotes}<!-- properties {{\"x\":{}}} -->\n{quotes}# a", &deep[41..160]),
        format!("{}a", "<blockquote>".repeat(100)),
        format!("{}a", "<span data-annotation>a<aside>".repeat(100)),
        format!("{}<img src=\"a\"><figcaption>words", "<figure><img src=\"a\"><figcaption>".repeat(60)),
        format!(
            "{}a",
            "<div data-block=\"hint\" data-properties=\"{&quot;style&quot;:&quot;info&quot;}\">".repeat(60)
        ),
        "<details>\n<summary>a</summary>\n\n".repeat(60),
        format!("{}a", "- 1. ".repeat(60)),
        format!("{}<table><tr><td><ul><li>words", "> ".repeat(43)),
    ] {
        let json = serde_json::to_vec(&parse(&text, &StableRefs).to_json()).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(quire_markup::Document::from_json(&value).unwrap(), parse(&text, &StableRefs));
    }
}

#[test]
fn words_that_lie_too_deep_for_json_stay() {
    let text = format!("{}a[^1]\n\n[^1]: - one\n    - two [^2]\n\n[^2]: three", "> ".repeat(43));
    let text = plain_text(&parse(&text, &StableRefs));
    assert!(["one", "two", "three"].iter().all(|word| text.contains(word)), "{text}");
}

#[test]
fn entities_and_references() {
    survive(&"&".repeat(100_000));
    survive(&"&#x20;".repeat(20_000));
    survive(&format!("[a](https://a.example/?{};)", "&a".repeat(100_000)));
    survive(&"_a_ **b** ".repeat(20_000));
    let numbered: String = (1..10_000).map(|n| format!("# a-{n}\n\n")).collect();
    survive(&format!("{numbered}{}", "# a\n\n".repeat(10_000)));
    survive(&"[a]: b\n".repeat(5_000));
    survive(&format!("| a | b |\n| - | - |\n{}", "| c | d |\n".repeat(5_000)));
    survive(&format!("| {}\n| {}\n", "a | ".repeat(2_000), "- | ".repeat(2_000)));
}

#[test]
fn tables_that_are_all_emptiness() {
    let wide = "<td>a</td>".repeat(4_000);
    let printed = |text: &str| print(&parse(text, &StableRefs), &StableRefs);
    let narrow = "<tr><td>b</td></tr>".repeat(4_000);
    for text in [
        format!("<table><tr>{wide}</tr>{narrow}</table>"),
        format!("<table><tr>{}</tr>{narrow}</table>", "<th>a</th>".repeat(4_000)),
        format!("<table>{}</table>", format!("<tr>{}</tr>{}", &wide[..3_000], &narrow[..7_600]).repeat(20)),
        format!("| {}\n| {}\n{}", "a | ".repeat(4_000), "- | ".repeat(4_000), "| b |\n".repeat(20)),
    ] {
        let printed = printed(&text);
        assert!(printed.len() < 12 * text.len(), "{} bytes became {}", text.len(), printed.len());
        let words = |text: &str| {
            text.split(|c: char| !c.is_alphanumeric()).filter(|word| matches!(*word, "a" | "b")).count()
        };
        // Header cells are repeated above each of the tables.
        assert!(words(&plain_text(&parse(&text, &StableRefs))) >= words(&text));
        survive(&text);
    }
}
