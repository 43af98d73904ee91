//! Writes a page of a site that contains every kind of block: `cargo run -p quire-web --example site --
//! target/screens/site.html`.

#[path = "../../render/tests/support/mod.rs"]
mod support;

use quire_render::{Highlighter, Options, Symbol, render};
use quire_web::reader::{
    Action, Asset, FooterGroup, HeaderLink, Link, Node, NodeKind, Section, Site, Variant, View, page,
};
use std::path::Path;

fn link(title: &str) -> Link {
    Link { title: title.to_owned(), href: format!("#{}", title.to_lowercase()) }
}

fn header_link(title: &str) -> HeaderLink {
    HeaderLink { link: link(title), ..HeaderLink::default() }
}

fn node(title: &str) -> Node {
    Node { link: link(title), ..Node::default() }
}

fn section(title: &str, is_current: bool) -> Section {
    Section { link: link(title), is_current, ..Section::default() }
}

fn site() -> Site {
    Site {
        title: "Ferry".to_owned(),
        home: "#".to_owned(),
        language: "en".to_owned(),
        links: vec![header_link("Blog"), header_link("Status")],
        sections: vec![section("Guides", true), section("API", false), section("Changes", false)],
        variants: vec![
            Variant { link: link("Version 2"), language: None, is_current: true },
            Variant { link: link("Version 1"), language: None, is_current: false },
        ],
        footer: vec![
            FooterGroup { title: "Project".to_owned(), links: vec![link("Source"), link("License")] },
            FooterGroup { title: "Help".to_owned(), links: vec![link("Questions")] },
        ],
        copyright: Some("© 2026 Ferry".to_owned()),
        assets: Asset {
            styles: vec!["document.css".to_owned(), "reader.css".to_owned()],
            font: None,
            theme: Some("theme.js".to_owned()),
            scripts: vec!["document.js".to_owned(), "reader.js".to_owned()],
        },
        ..Site::default()
    }
}

fn tree() -> Vec<Node> {
    let group = |title: &str, children: Vec<Node>| Node { kind: NodeKind::Group, children, ..node(title) };
    vec![
        Node { emoji: Some("1f680".to_owned()), ..node("Quick start") },
        Node { is_current: true, emoji: Some("26f4".to_owned()), ..node("Every block") },
        group(
            "Guides",
            vec![
                Node {
                    is_open: true,
                    has_more: false,
                    children: vec![node("Linux"), node("macOS"), node("Windows")],
                    ..node("Install")
                },
                Node { children: vec![node("Targets")], ..node("Configure") },
                node("Send and watch files"),
            ],
        ),
        group("Reference", vec![node("Command line"), node("Configuration file"), node("Exit codes")]),
    ]
}

fn shape(_: &str) -> Option<Symbol<'static>> {
    None
}

fn main() -> std::io::Result<()> {
    let out = std::env::args().nth(1).unwrap_or_else(|| "target/screens/site.html".to_owned());
    let folder = Path::new(&out).parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let document = support::gallery();
    let highlighter = Highlighter::default();
    let document = render(&document, &support::resolved(&document), &Options::english(&highlighter));
    let view = View {
        title: "Every block".to_owned(),
        shows_title: true,
        is_wide: false,
        description: Some("A page that shows all that a document can hold.".to_owned()),
        about: Some("A page that shows all that a document can hold.".to_owned()),
        emoji: Some("26f4".to_owned()),
        icon: None,
        cover: None,
        image: None,
        canonical: None,
        is_indexed: true,
        document: &document,
        shape: &shape,
        tree: tree(),
        crumbs: vec![link("Guides"), link("Basics")],
        previous: Some(link("Quick start")),
        next: Some(link("Install")),
        markdown: Some("#md".to_owned()),
        actions: vec![
            Action::CopyAnswer("Copy as Markdown".to_owned(), "#md".to_owned()),
            Action::Open("View as Markdown".to_owned(), "#md".to_owned()),
            Action::Print("Print or save as PDF".to_owned()),
        ],
        alternates: Vec::new(),
        updated: Some(("2026-03-02T10:00:00Z".to_owned(), "March 2, 2026".to_owned())),
        feed: None,
        structured: None,
    };
    std::fs::write(&out, page(&site(), &view).into_string())?;
    std::fs::write(folder.join("document.css"), include_str!("../../render/assets/document.css"))?;
    std::fs::write(folder.join("document.js"), include_str!("../../render/assets/document.js"))?;
    std::fs::write(folder.join("reader.css"), include_str!("../assets/reader.css"))?;
    std::fs::write(folder.join("theme.js"), include_str!("../assets/theme.js"))?;
    std::fs::write(folder.join("reader.js"), include_str!("../assets/reader.js"))
}
