//! HTML that is designed to exhaust time, memory or the stack, and arbitrary HTML.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail as tests do")]

use proptest::prelude::*;
use quire_markup::html::{Extract, HtmlOptions, parse};
use quire_markup::{Document, StableRefs, links, plain_text, print, sections};
use std::time::{Duration, Instant};

/// Reads a text in both modes and applies the operations that every document goes through.
fn survive(html: &str) -> Document {
    let begin = Instant::now();
    for extract in [Extract::Everything, Extract::Article] {
        let page = parse(html, &HtmlOptions { refs: &StableRefs, extract });
        let json = page.document.to_json();
        assert_eq!(Document::from_json(&json).as_ref(), Ok(&page.document));
        let _ = (sections(&page.document), links(&page.document), print(&page.document, &StableRefs));
    }
    // A hundred times the usual duration, so that only superlinear growth fails.
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    parse(html, &HtmlOptions { refs: &StableRefs, extract: Extract::Everything }).document
}

/// Reads a small text, with a time limit that allows for a slow build on a busy machine.
fn quick(html: &str) {
    assert!(html.len() < 30_000, "{}", html.len());
    let begin = Instant::now();
    survive(html);
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
}

#[test]
fn deep_nesting_keeps_its_words() {
    let names = [
        "div",
        "span",
        "b",
        "a href='/x'",
        "blockquote",
        "ul><li",
        "table><tr><td",
        "details><summary>s</summary",
        "section",
        "font color=red",
        "dl><dd",
        "p><b",
        "svg><text",
        "math",
        "pre",
        "em><div",
        "figure",
        "button",
        "custom-x",
    ];
    for name in names {
        let text = plain_text(&survive(&format!("{}word", format!("<{name}>").repeat(10_000))));
        assert!(text.contains("word"), "{name}: {}", text.len());
    }
}

#[test]
fn unclosed_formatting_in_many_paragraphs() {
    let fonts: String = (0..300).map(|n| format!("<font size={n}>")).collect();
    survive(&format!("{fonts}{}", "<p>a".repeat(30_000)));
    survive(&"<p><a href=x><b><i>a".repeat(10_000));
    // Distinct formatting elements are all kept, and reopened in each block.
    let few: String = (0..400).map(|n| format!("<font id={n}>")).collect();
    quick(&format!("{few}{}", "<p>a".repeat(2_000)));
    quick(&format!("{few}{}", "<div>a</font>".repeat(1_000)));
    quick(&(0..600).map(|n| format!("<a id={n}><b id={n}><p>")).collect::<String>());
    quick(&(0..600).map(|n| format!("<b id={n}><table>")).collect::<String>());
    survive(&"<b><div></b>".repeat(10_000));
    survive(&"<a><table><td>".repeat(3_000));
    survive(&"<table><b>x".repeat(5_000));
    survive(&"<div></x>".repeat(30_000));
    survive(&"</p>".repeat(30_000));
}

#[test]
fn large_tags_and_tables() {
    survive(&format!("<div{}>word</div>", (0..200_000).map(|n| format!(" a{n}=b")).collect::<String>()));
    survive(&format!(
        "<p class=\"{}\" style=\"{}\">x</p>",
        "c ".repeat(500_000),
        "color:red;".repeat(100_000)
    ));
    survive(&format!("<table>{}</table>", "<tr><td rowspan=65534 colspan=1000>x".repeat(2_000)));
    survive(&format!("<table>{}</table>", "<tr><td>".repeat(20_000)));
    survive(&format!("<table><tr>{}</table>", "<td>x".repeat(20_000)));
    survive(&format!("<style>{}</style><p class=a>x</p>", ".a{color:red}".repeat(50_000)));
    survive(&format!("<pre>{}</pre>", "<span class=hll>x\n</span>".repeat(20_000)));
    survive(&"<article></article>".repeat(20_000));
    survive(&"<h1 id=a>x</h1>".repeat(5_000));
    survive(&format!("<img src='data:image/png;base64,{}'>", "A".repeat(4_000_000)));
    survive(&"<img src=a>".repeat(20_000));
    survive(&"&amp;&#x41;&notanentity;".repeat(50_000));
    survive(&"<!-- ".repeat(50_000));
    survive(&"<script>".repeat(20_000));
}

fn piece() -> impl Strategy<Value = String> {
    let tags = prop::sample::select(vec![
        "p",
        "div",
        "b",
        "i",
        "em",
        "strong",
        "code",
        "pre",
        "a href=/x",
        "a name=n",
        "ul",
        "ol start=4",
        "li",
        "li value=2",
        "dl",
        "dt",
        "dd",
        "table",
        "tr",
        "td",
        "td rowspan=2",
        "th colspan=3",
        "thead",
        "caption",
        "blockquote",
        "figure",
        "figcaption",
        "details",
        "summary",
        "h1",
        "h2 id=H",
        "h4",
        "img src=a alt=b",
        "br",
        "hr",
        "sub",
        "sup",
        "mark",
        "kbd",
        "span style='color:red'",
        "span style='font-weight:700'",
        "math",
        "mi",
        "mfrac",
        "svg",
        "text",
        "iframe src=//e.x",
        "input type=checkbox checked",
        "div class='admonition note'",
        "p class=admonition-title",
        "div class=tabs-container",
        "li role=tab",
        "div role=tabpanel",
        "div class='highlight-rust'",
        "font color=blue",
        "template",
        "q",
        "nav",
        "main",
        "article",
        "aside",
        "p class=title",
        "ul class='lst-kix_a-1'",
        "p style='mso-list:l0 level2 lfo1'",
        "span style='mso-list:Ignore'",
        "button",
        "video src=v.mp4",
        "span class=katex",
        "annotation encoding='application/x-tex'",
        "option",
        "select",
    ]);
    let words = prop::sample::select(vec![
        "word",
        " ",
        "\n",
        "a b",
        "é",
        "&lt;",
        "*",
        "_x_",
        "[",
        "|",
        "$",
        "{% hint %}",
        "1. ",
        "\u{a0}",
        "<",
        ">",
        "#",
    ]);
    let tag = (tags, 0..3_u8).prop_map(|(tag, form)| match form {
        0 => format!("</{}>", tag.split(' ').next().unwrap_or(tag)),
        _ => format!("<{tag}>"),
    });
    prop_oneof![3 => tag, 2 => words.prop_map(str::to_owned), 1 => "[a-z]{1,4}"]
}

/// Returns the words of plain HTML without hidden content.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    words.sort();
    words
}

/// Generates HTML of known words: nested blocks and lines.
fn tree() -> impl Strategy<Value = (String, String)> {
    let word = "[a-z]{2,6}".prop_map(|word| (word.clone(), word));
    let leaf = (
        word,
        prop::sample::select(vec![
            "p",
            "h2",
            "h3",
            "span",
            "b",
            "em",
            "code",
            "div",
            "pre",
            "a href=/x",
            "kbd",
            "sub",
        ]),
    )
        .prop_map(|((html, words), tag)| {
            (format!("<{tag}>{html}</{}> ", tag.split(' ').next().unwrap_or(tag)), format!("{words} "))
        });
    leaf.prop_recursive(4, 40, 5, |inner| {
        let containers = vec![
            ("<div>", "</div>"),
            ("<ul><li>", "</ul>"),
            ("<ol start=7><li>", "</ol>"),
            ("<blockquote>", "</blockquote>"),
            ("<table><tr><td>", "</td><td></td></tr></table>"),
            ("<details><summary>", "</summary></details>"),
            ("<section>", "</section>"),
            ("<figure>", "</figure>"),
            ("<dl><dt>", "</dt></dl>"),
            ("<div class='admonition tip'>", "</div>"),
            ("<span>", "</span>"),
            ("<table><thead><tr><th>", "</th></tr></thead><tbody><tr><td>"),
        ];
        (prop::sample::select(containers), prop::collection::vec(inner, 1..5)).prop_map(
            |((open, close), parts)| {
                let (html, words): (Vec<String>, Vec<String>) = parts.into_iter().unzip();
                (format!("{open}{}{close} ", html.concat()), words.concat())
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4_000, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn any_html_becomes_a_document_that_the_schema_allows(pieces in prop::collection::vec(piece(), 0..60)) {
        survive(&pieces.concat());
    }

    #[test]
    fn no_word_is_lost_or_said_twice((html, expected) in tree()) {
        let page = parse(&html, &HtmlOptions { refs: &StableRefs, extract: Extract::Everything });
        let text = format!("{} {}", page.title.unwrap_or_default(), plain_text(&page.document));
        prop_assert_eq!(words(&text), words(&expected), "{}", html);
    }
}

#[test]
fn quotation_marks_hide_no_attributes() {
    // Without an expected value, a quotation mark is part of a name; the tag ends at the first bracket.
    let many: String = (0..2_000).map(|n| format!(" x{n}")).collect();
    for text in [
        format!("<a '><b{many}>words</b>"),
        format!("<a \"><b{many}>words</b>"),
        format!("<a b'><b{many}>words</b>"),
        format!("<a b=c'><b{many}>words</b>"),
        format!("<a = '><b{many}>words</b>"),
        format!("<a b='c'd'><b{many}>words</b>"),
    ] {
        let page = parse(&text, &HtmlOptions { refs: &StableRefs, extract: Extract::Everything });
        assert!(
            plain_text(&page.document).contains("x1999"),
            "the tag of masses of attributes is text: {}",
            &text[..20]
        );
    }
    let page = parse(
        "<a title='1 > 0' href=\"https://a.example/\">words</a>",
        &HtmlOptions { refs: &StableRefs, extract: Extract::Everything },
    );
    assert_eq!(plain_text(&page.document), "words");
}
