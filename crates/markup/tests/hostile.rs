//! Input made to exhaust time or the stack.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

use quire_markup::{StableRefs, links, parse, parse_page, plain_text, print, sections};

/// Runs everything on a text. A stack overflow aborts the test; quadratic time would make it last for minutes.
fn survive(text: &str) {
    let document = parse(text, &StableRefs);
    let printed = print(&document, &StableRefs);
    assert_eq!(parse(&printed, &StableRefs), document);
    assert!(quire_markup::Document::from_json(&document.to_json()).is_ok());
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
    survive(&"<blockquote>".repeat(10_000));
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
fn entities_and_references() {
    survive(&"&".repeat(100_000));
    survive(&"&#x20;".repeat(20_000));
    survive(&"[a]: b\n".repeat(5_000));
    survive(&format!("| a | b |\n| - | - |\n{}", "| c | d |\n".repeat(5_000)));
    survive(&format!("| {}\n| {}\n", "a | ".repeat(2_000), "- | ".repeat(2_000)));
}
