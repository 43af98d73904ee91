//! SVG sanitizer.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use quire_markup::svg::{SvgError, sanitize};

fn inside(inner: &str) -> String {
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:ev="http://www.w3.org/2001/xml-events" xmlns:h="http://www.w3.org/1999/xhtml">{inner}</svg>"#
    );
    let safe = sanitize(&svg).unwrap();
    assert_eq!(sanitize(&safe).unwrap(), safe, "a second time changes nothing");
    let start = safe.find('>').unwrap();
    safe[start + 1..].trim_end_matches("</svg>").to_owned()
}

#[test]
fn drawing_elements_are_kept() {
    for kept in [
        r##"<g fill="url(#a)"><path d="M0 0L1 1" stroke-width="2"/></g>"##,
        r##"<defs><linearGradient id="a"><stop offset="1"/></linearGradient></defs><use href="#a"/><use xlink:href="#b"/>"##,
        "<text x=\"1\">a &lt; b &amp; c<tspan>d</tspan></text>",
        "<style>.a{fill:red;filter:url(#f)}</style>",
        r#"<image href="data:image/png;base64,AA=="/>"#,
        r#"<a href="https://example.com/"><rect/></a>"#,
        r#"<rect><animate attributeName="x" from="0" to="9"/></rect>"#,
    ] {
        assert_eq!(inside(kept), kept);
    }
}

#[test]
fn scripts_and_external_references_are_removed() {
    for (hostile, left) in [
        ("<script>x()</script>", ""),
        ("<SCRIPT>x()</SCRIPT>", ""),
        ("<h:script>x()</h:script>", ""),
        ("<foreignObject><h:body onload='x()'>a</h:body></foreignObject>", ""),
        ("<g onclick='x()' OnLoad='x()' ev:event='x'/>", "<g/>"),
        ("<a href='javascript:x()'><rect/></a>", "<a><rect/></a>"),
        ("<a xlink:href=' java&#10;script:x()'/>", "<a/>"),
        ("<use href='https://evil.example/a.svg#b'/>", "<use/>"),
        ("<use href='data:image/svg+xml;base64,AA=='/>", "<use/>"),
        ("<image href='https://evil.example/pixel.png'/>", "<image/>"),
        ("<image href='data:image/svg+xml,x'/>", "<image/>"),
        ("<style>a{}<!-- -->@import 'https://evil.example/a.css';</style>", ""),
        ("<style>@import 'https://evil.example/a.css';</style>", ""),
        ("<style>a{background:u\\72l(https://evil.example)}</style>", ""),
        ("<style>a{background:url( 'https://evil.example')}</style>", ""),
        ("<style>a{background:image-set('https://evil.example/x' 1x)}</style>", ""),
        ("<style>@font-face{src:url(https://evil.example/f)}</style>", ""),
        ("<style><![CDATA[@im]]>port 'https://evil.example';</style>", ""),
        ("<feImage href='https://evil.example'/>", "<feImage/>"),
        ("<rect cursor='url(https://evil.example),auto'/>", "<rect/>"),
        ("<rect style='fill:url(https://evil.example#a)'/>", "<rect/>"),
        ("<rect fill='URL (/* */ //evil.example)'/>", "<rect/>"),
        ("<animate attributeName='href' values='javascript:x()'/>", ""),
        ("<set attributeName='onclick' to='x()'/>", ""),
        ("<set attributeName='xlink:href' to='javascript:x()'/>", ""),
        ("<animate attributeName='x' values='0;javascript:x()'/>", "<animate attributeName=\"x\"/>"),
        ("<iframe src='https://evil.example'/><audio/><handler/><listener/>", ""),
        ("<?xml-stylesheet href='https://evil.example'?><!-- x -->", ""),
    ] {
        assert_eq!(inside(hostile), left, "{hostile}");
    }
}

#[test]
fn document_types_go_and_entities_are_refused() {
    let plain = r#"<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg xmlns="http://www.w3.org/2000/svg"/>"#;
    assert_eq!(sanitize(plain).unwrap(), r#"<svg xmlns="http://www.w3.org/2000/svg"/>"#);
    let entities = r#"<!DOCTYPE svg [<!ENTITY x "<script>x()</script>">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>"#;
    assert!(matches!(sanitize(entities), Err(SvgError::Xml(_))));
    assert!(matches!(sanitize("<html/>"), Err(SvgError::NotSvg)));
    assert!(
        sanitize(&format!("<svg{}/>", (0..100_000).map(|n| format!(" a{n}=''")).collect::<String>()))
            .is_err()
    );
    let deep = format!("<svg>{}{}</svg>", "<g>".repeat(100_000), "</g>".repeat(100_000));
    assert!(sanitize(&deep).is_ok());
}

#[test]
fn comments_in_strings_hide_nothing() {
    for style in [
        r#"a{content:"/*"} rect{mask:url(https://evil.example/x#m)} b{content:"*/"}"#,
        r#"a{content:'/*'} @import "https://evil.example/"; b{content:'*/'}"#,
        "a{mask:u/**/rl(https://evil.example/)}",
    ] {
        assert_eq!(inside(&format!("<style>{style}</style><rect/>")), "<rect/>", "{style}");
    }
    assert_eq!(inside("<style>a{fill:red}<style>b{}</style></style><rect/>"), "<rect/>");
    let nested = format!("<svg>{}{}</svg>", "<style>a".repeat(50_000), "</style>".repeat(50_000));
    assert!(sanitize(&nested).is_ok());
}
