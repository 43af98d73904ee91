//! Text, sections, anchors and references of documents.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

use quire_markup::document::MAX_NODES;
use quire_markup::{
    ContentRef, Excess, HrefKind, RefResolver, Relation, StableRefs, anchors, links, node_keys, node_preview,
    parse, plain_text, print, resolve_links, rewrite_refs, sections, slugify, try_parse,
};

#[test]
fn sections_are_cut_at_headings() {
    let document =
        parse("Before.\n\n# One\n\na\n\n> ### Inner\n\n## Two\n\n| b |\n| - |\n| c |\n\n## Two", &StableRefs);
    let found: Vec<_> = sections(&document)
        .into_iter()
        .map(|section| (section.anchor, section.heading, section.text))
        .collect();
    let expected = [
        (None, None, "Before."),
        (Some("one"), Some("One"), "a\nInner"),
        (Some("two"), Some("Two"), "b\nc"),
        (Some("two-1"), Some("Two"), ""),
    ];
    let expected: Vec<_> = expected
        .into_iter()
        .map(|(anchor, heading, text)| {
            (anchor.map(str::to_owned), heading.map(str::to_owned), text.to_owned())
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn anchors_are_those_of_code_hosts() {
    let text = "# `<match>` Section\n\n## What's new?\n\n## A  b_c-d\n\n## Ünïcode 日本\n\n# A <a id=\"own\"></a>\n\n## a-1\n\n## a\n\n## a";
    let expected = ["match-section", "whats-new", "a--b_c-d", "ünïcode-日本", "own", "a-1", "a", "a-2"];
    assert_eq!(anchors(&parse(text, &StableRefs)), expected);
}

#[test]
fn links_come_in_document_order() {
    let text = "[a](/pages/p1) ![i](/files/f1)\n\n* [b](#x)\n\n{% embed url=\"https://e.example\" %}\n\n{% include \"/reusable-contents/r1\" %}\n\n\
        | c |\n| - |\n| [d](https://d.example) |\n\n{% content-ref url=\"/spaces/s1\" %}\n[/spaces/s1](/spaces/s1)\n{% endcontent-ref %}\n";
    let found = links(&parse(text, &StableRefs));
    let brief: Vec<_> =
        found.iter().map(|l| (l.reference.kind(), l.relation, l.text.as_str(), l.node.as_str())).collect();
    let expected = [
        ("page", Relation::Reference, "a", "0"),
        ("file", Relation::DependsOn, "i", "0"),
        ("anchor", Relation::Reference, "b", "1.0.0"),
        ("url", Relation::Reference, "", "2"),
        ("reusable-content", Relation::DependsOn, "", "3"),
        ("url", Relation::Reference, "d", "4.f0.0"),
        ("space", Relation::Reference, "", "5"),
    ];
    assert_eq!(brief, expected);
}

#[test]
fn references_are_rewritten_wherever_they_stand() {
    let text = "[a](x.md)\n\n![i](x.md)\n\n| [c](x.md) |\n| - |\n| [d](x.md) |\n\n<details>\n\n<summary><a href=\"x.md\">s</a></summary>\n\n[b](x.md)\n\n</details>";
    let mut document = parse(text, &StableRefs);
    let before = links(&document).len();
    let mut seen = 0;
    rewrite_refs(&mut document, &mut |reference| {
        seen += 1;
        assert_eq!(*reference, ContentRef::url("x.md"));
        Some(ContentRef::File { file: "f1".to_owned(), space: None })
    });
    assert_eq!(seen, before);
    assert!(links(&document).iter().all(|link| link.reference.kind() == "file"));
    assert!(print(&document, &StableRefs).contains("[b](/files/f1)"));
}

#[test]
fn previews_are_found_by_key_or_path() {
    let mut document = parse(&format!("* one\n* two\n\n{}", "long ".repeat(100)), &StableRefs);
    assert_eq!(node_keys(&document), ["0", "0.0", "0.0.0", "0.1", "0.1.0", "1"]);
    assert_eq!(node_preview(&document, "0.1").as_deref(), Some("two"));
    assert_eq!(node_preview(&document, "1").map(|text| text.chars().count()), Some(200));
    assert_eq!(node_preview(&document, "7"), None);
    document.nodes[1].key = Some("mine".into());
    assert!(node_preview(&document, "mine").is_some());
    assert_eq!(node_preview(&document, "1"), None);
}

#[test]
fn blocks_in_a_list_of_links_can_be_looked_up() {
    let text = concat!(
        "a[^1] and b[^2] and [c](https://c.example/)\n\n[^1]: [one](https://1.example/)\n\n[^2]: [two](https://2.example/)\n\n",
        "<table><tr><td>[p](https://p.example/)</td><td><a href=\"https://x.example/\">x</a></td></tr>",
        "<tr><td></td><td><p>q</p><p><a href=\"https://y.example/\">y</a></p></td></tr></table>\n\n",
        "<figure><img src=\"/i.png\"><figcaption><a href=\"https://z.example/\">z</a></figcaption></figure>\n",
    );
    let document = parse(text, &StableRefs);
    let keys = node_keys(&document);
    let mut seen = std::collections::HashSet::new();
    assert!(keys.iter().all(|key| seen.insert(key)), "{keys:?}");
    let found: Vec<(String, String)> = links(&document)
        .into_iter()
        .filter(|link| !link.text.is_empty())
        .map(|link| (link.node, link.text))
        .collect();
    for (node, words) in &found {
        let preview = node_preview(&document, node).unwrap_or_else(|| panic!("{node} isn't there"));
        assert!(preview.contains(words), "{words} isn't in {node}: {preview}");
    }
    let pointer = |words: &str| found.iter().find(|(_, text)| text == words).map(|(node, _)| node.as_str());
    assert_eq!((pointer("one"), pointer("two"), pointer("c")), (Some("0.n0.0"), Some("0.n1.0"), Some("0")));
    assert_eq!(
        (pointer("x"), pointer("y"), pointer("z")),
        (Some("1.f1.0"), Some("1.f2.1"), Some("2.0.f0.0"))
    );
}

#[test]
fn slugs_are_plain_and_bounded() {
    assert_eq!(slugify("Größe & Gewicht"), "grosse-gewicht");
    assert_eq!(slugify("What's new?"), "whats-new");
    assert_eq!(slugify("  --  "), "page");
    assert_eq!(slugify(&"word ".repeat(100)).len(), 99);
    assert!(slugify("日本語").is_ascii());
}

#[test]
fn stable_addresses_resolve_to_what_they_were_printed_for() {
    use quire_markup::{HrefKind, RefPrinter, RefResolver};
    let hrefs = [
        "/pages/p",
        "/pages/p#a",
        "#a",
        "/files/f",
        "/reusable-contents/r",
        "/spaces/s",
        "/spaces/s/pages/p",
        "/spaces/s/pages/p#a",
        "/spaces/s#a",
        "/collections/c",
        "/users/u",
        "/openapi/o",
        "/tags/t",
        "/snippets/o/s",
        "/spaces/s/files/f",
    ];
    for href in hrefs {
        let reference = StableRefs.resolve(href, HrefKind::Link).unwrap_or_else(|| panic!("{href}"));
        assert_eq!(StableRefs.href(&reference), href);
    }
    for href in [
        "",
        "#",
        "/",
        "/pages/",
        "/pages/a/b",
        "/pages/a b",
        "pages/p",
        "https://a.example/pages/p",
        "/pages/p#",
        "/pages/p?q",
    ] {
        assert_eq!(StableRefs.resolve(href, HrefKind::Link), None, "{href}");
    }
}

#[test]
fn plain_text_has_what_is_shown() {
    let text = "A **b** `c`\n\n![alt](x \"title\")\n\n{% tabs %}\n{% tab title=\"T\" %}\nx\n{% endtab %}\n{% endtabs %}\n\n$$\nf\n$$";
    assert_eq!(plain_text(&parse(text, &StableRefs)), "A b c\nalt\ntitle\nT\nx\nf");
}

/// Resolver that keeps possible pages as addresses.
struct Later;

impl RefResolver for Later {
    fn resolve(&self, href: &str, kind: HrefKind) -> Option<ContentRef> {
        let waits = matches!(kind, HrefKind::Link | HrefKind::ContentRef);
        if waits { None } else { Pages.resolve(href, kind) }
    }
}

/// Resolver that resolves every relative address to a page, or to a file if only files are allowed.
struct Pages;

impl RefResolver for Pages {
    fn resolve(&self, href: &str, kind: HrefKind) -> Option<ContentRef> {
        let name = href.strip_suffix(".md")?.to_owned();
        match kind {
            HrefKind::Link | HrefKind::ContentRef => Some(ContentRef::Page { page: name, space: None }),
            HrefKind::Image | HrefKind::File => Some(ContentRef::File { file: name, space: None }),
            HrefKind::Include => Some(ContentRef::ReusableContent { reusable_content: name, space: None }),
            HrefKind::Spec | HrefKind::User => None,
        }
    }
}

#[test]
fn links_resolved_later_have_the_same_targets() {
    let text = "[a](b.md) ![c](d.md) [e](https://f.example) <a class=\"button\" href=\"g.md\">h</a> [i](j.md \"mention\")[^1]\n\n\
                [^1]: see [k](l.md)\n\n\
                {% content-ref url=\"m.md\" %}\n[m.md](m.md)\n{% endcontent-ref %}\n\n\
                {% include \"n.md\" %}\n\n{% file src=\"o.md\" %}\n\n\
                <table data-view=\"cards\"><thead><tr><th>p</th><th data-card-target data-type=\"content-ref\">q</th>\
                <th data-type=\"files\">r</th></tr></thead><tbody><tr><td><a href=\"s.md\">s</a></td>\
                <td><a href=\"t.md\">t.md</a></td><td><a href=\"u.md\">u.md</a></td></tr></tbody></table>\n\n\
                > - [v](w.md)\n";
    let at_once = parse(text, &Pages);
    let mut later = parse(text, &Later);
    assert_ne!(later, at_once);
    resolve_links(&mut later, &Pages);
    assert_eq!(later, at_once);
    let pages = links(&at_once).into_iter().filter(|link| matches!(link.reference, ContentRef::Page { .. }));
    assert_eq!(pages.count(), 8);
}

#[test]
fn reading_ends_at_a_bound_or_when_it_is_late() {
    let read = |text: &str, is_late: &dyn Fn() -> bool| try_parse(text, &StableRefs, is_late).map(drop);
    assert_eq!(read("a", &|| false), Ok(()));
    assert_eq!(read(&"a *b*\n\n".repeat(10_000), &|| true), Err(Excess::Time));
    assert_eq!(read(&"[a](b) ".repeat(20_001), &|| false), Err(Excess::Links));
    assert_eq!(read(&"a\n\n".repeat(MAX_NODES / 2), &|| false), Ok(()));
    assert_eq!(read(&"a\n\n".repeat(MAX_NODES / 2 + 1), &|| false), Err(Excess::Nodes));
    assert_eq!(read(&"*".repeat(2 * MAX_NODES + 1), &|| false), Err(Excess::Nodes));
    // One paragraph has few nodes, but each of its lines is two nodes in the parser.
    assert_eq!(read(&"a\n".repeat(2 * MAX_NODES + 1), &|| false), Err(Excess::Nodes));
    assert_eq!(read(&"\n".repeat(2 * MAX_NODES + 1), &|| false), Ok(()));
    assert_eq!(read(&"a".repeat(5 << 20), &|| false), Err(Excess::Text));
}
