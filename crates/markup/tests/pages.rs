//! Whole pages with front matter.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

use quire_markup::{FrontMatter, StableRefs, parse_page, print_page};
use serde_json::json;

const PAGE: &str = "---\ndescription: >-\n  A page about\n  things: all of them\nicon: rocket\ncover: ../.gitbook/assets/a b.png\ncoverY: -12.5\nhidden: true\nlayout:\n  width: wide\n  title:\n    visible: false\nif: visitor.x\ntags:\n  - a\n  - b\n---\n\n# The **Title**\n\nText.\n";

#[test]
fn front_matter_and_title_are_read() {
    let page = parse_page(PAGE, &StableRefs);
    let front_matter = FrontMatter {
        description: Some("A page about things: all of them".to_owned()),
        icon: Some("rocket".to_owned()),
        cover: Some("../.gitbook/assets/a b.png".to_owned()),
        cover_y: Some(-12.5),
        hidden: Some(true),
        layout: Some(json!({"width": "wide", "title": {"visible": false}})),
        extra: vec![
            ("if".to_owned(), " visitor.x".to_owned()),
            ("tags".to_owned(), "\n  - a\n  - b".to_owned()),
        ],
        ..FrontMatter::default()
    };
    assert_eq!(page.front_matter, front_matter);
    assert_eq!(page.title.as_deref(), Some("The Title"));
    let printed = print_page(&page.front_matter, "The Title", &page.document, &StableRefs);
    let again = parse_page(&printed, &StableRefs);
    assert_eq!(
        (again.front_matter, again.title, again.document),
        (page.front_matter, page.title, page.document)
    );
    assert!(printed.ends_with("---\n\n# The Title\n\nText.\n"), "{printed}");
}

#[test]
fn the_title_in_navigation_is_kept() {
    let page = parse_page("---\nlinkTitle: Short\n---\n\n# A long title\n", &StableRefs);
    assert_eq!(page.front_matter.link_title.as_deref(), Some("Short"));
    let printed = print_page(&page.front_matter, "A long title", &page.document, &StableRefs);
    assert!(printed.starts_with("---\nlinkTitle: Short\n---\n"), "{printed}");
}

#[test]
fn invalid_front_matter_is_text() {
    for text in ["---\nnot a mapping\n---\n", "---\na: b\n", "----\na: b\n---\n", "a\n---\n"] {
        let page = parse_page(text, &StableRefs);
        assert!(page.front_matter.is_empty(), "{text}");
        assert!(!page.document.is_empty());
    }
}

#[test]
fn ambiguous_strings_are_quoted() {
    let odd = [
        "true", "12", "1.5", "null", "~", "a: b", "# x", " padded ", "", "\"q\"", "it's", "- x", "a\nb",
        "[x]", "a #b", "é: ", "x:",
    ];
    for value in odd {
        let front_matter = FrontMatter { description: Some(value.to_owned()), ..FrontMatter::default() };
        let printed = print_page(&front_matter, "T", &quire_markup::Document::default(), &StableRefs);
        assert_eq!(parse_page(&printed, &StableRefs).front_matter, front_matter, "{printed}");
    }
}

#[test]
fn a_page_without_title_keeps_its_first_heading() {
    let document = quire_markup::parse("# Not the title\n\nx", &StableRefs);
    let printed = print_page(&FrontMatter::default(), "", &document, &StableRefs);
    let page = parse_page(&printed, &StableRefs);
    assert_eq!((page.title, page.document), (None, document));
}

#[test]
fn nul_is_the_replacement_character() {
    let page = parse_page(
        "---\ndescription: a\0b\n---\n# T\0\n\na\0b `c\0` <b>\0</b>\n\n```\n\0\n```\n",
        &StableRefs,
    );
    assert_eq!(page.front_matter.description.as_deref(), Some("a\u{fffd}b"));
    assert!(quire_markup::Document::from_json(&page.document.to_json()).is_ok());
}
