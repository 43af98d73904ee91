use bytes::Bytes;
use proptest::prelude::*;

use super::*;

fn tree(files: &[(&str, &str)]) -> SourceTree {
    SourceTree::from_files(
        files.iter().map(|(path, text)| ((*path).to_owned(), Bytes::from((*text).to_owned()))),
    )
}

const ID: &str = "0123456789abcdef0123456789abcdef";

#[test]
fn names_lose_the_ids_of_their_product() {
    let notion = Dialect::of(ImportSource::Notion, &tree(&[]));
    assert_eq!(notion.name(&format!("Road map {ID}")), "Road map");
    assert_eq!(notion.name(&format!("Tasks {ID}_all")), "Tasks");
    assert_eq!(notion.name("Road map 2026"), "Road map 2026");
    assert_eq!(notion.name(ID), ID);
    let confluence = Dialect::of(ImportSource::Confluence, &tree(&[]));
    assert_eq!(confluence.name("Set-up_65540"), "Set-up");
    assert_eq!((confluence.name("65540"), confluence.name("set_up")), ("65540", "set_up"));
    assert_eq!(Dialect::default().name("Set-up_65540"), "Set-up_65540");
}

#[test]
fn addresses_of_the_product_lead_to_its_pages() {
    let page = format!("Road map {ID}.md");
    let notion = Dialect::of(ImportSource::Notion, &tree(&[(&page, "# Road map\n")]));
    for address in [
        format!("https://www.notion.so/ada/Road-map-{ID}"),
        format!("https://ada.notion.site/{ID}?pvs=4"),
        "https://www.notion.so/01234567-89ab-cdef-0123-456789abcdef".to_owned(),
        format!("/{ID}"),
    ] {
        assert_eq!(notion.page_at(&address), Some(page.clone()), "{address}");
    }
    assert_eq!(notion.page_at(&format!("https://elsewhere.example/{ID}")), None);

    let export = [("Home_1.html", "<title>Team : Home</title>"), ("22.html", "<title>Team : A : B</title>")];
    let confluence = Dialect::of(ImportSource::Confluence, &tree(&export));
    for (address, page) in [
        ("https://wiki.example/pages/viewpage.action?pageId=22", Some("22.html")),
        ("/spaces/TEAM/pages/1/Home", Some("Home_1.html")),
        ("https://wiki.example/display/TEAM/A+%3A+B", Some("22.html")),
        ("https://wiki.example/pages/viewpage.action?pageId=23", None),
        ("https://elsewhere.example/22", None),
    ] {
        assert_eq!(confluence.page_at(address).as_deref(), page, "{address}");
    }

    let own = "See https://github.com/Ada/Engine/wiki/Set-Up.";
    let wiki = Dialect::of(ImportSource::GithubWiki, &tree(&[("Home.md", own), ("guide/Set-Up.md", "")]));
    for (address, page) in [
        ("https://github.com/ada/engine/wiki/set-up", Some("guide/Set-Up.md")),
        ("https://github.com/ada/engine/wiki", Some("Home.md")),
        ("https://github.com/ada/other/wiki/Set-Up", None),
        ("Set-up", Some("guide/Set-Up.md")),
    ] {
        assert_eq!(wiki.page_at(address).as_deref(), page, "{address}");
    }

    let paper = Dialect::of(ImportSource::DropboxPaper, &tree(&[("Launch plan.md", ""), ("Launch.md", "")]));
    let address = "https://paper.dropbox.com/doc/Launch-plan--BxQ1~abc";
    assert_eq!(paper.page_at(address).as_deref(), Some("Launch plan.md"));
    let quip = Dialect::of(ImportSource::Quip, &tree(&[("Launch plan.html", "")]));
    assert_eq!(quip.page_at("https://ada.quip.com/AbCd/Launch-plan").as_deref(), Some("Launch plan.html"));
}

#[test]
fn links_of_wikis_become_links_and_code_stays() {
    for (text, expected) in [
        ("See [[Set Up]].", "See [Set Up](<Set-Up>)."),
        ("[[how to|Set Up#linux]]", "[how to](<Set-Up#linux>)"),
        ("[[images/a b.png|alt=A picture]]", "![A picture](<images/a b.png>)"),
        ("`[[ -f x ]]` and [[a]]", "`[[ -f x ]]` and [a](<a>)"),
        ("```sh\n[[ -f x ]]\n```\n[[a]]\n", "```sh\n[[ -f x ]]\n```\n[a](<a>)\n"),
        ("[[]] [[open", "[[]] [[open"),
    ] {
        assert_eq!(wiki::with_links(text), expected);
    }
}

#[test]
fn a_row_shows_its_properties_as_a_table() {
    let text = "# Buy milk\n\nStatus: Done\nTags: a|b, c\n\nAt the corner: yes.\n";
    let table = notion::with_property_table(text);
    assert!(table.contains("| Status | Done |\n| Tags | a\\|b, c |\n\nAt the corner: yes.\n"), "{table}");
    for other in ["# T\n\nJust text.\n", "Status: Done\n", "# T\n\nNote: this\ngoes on.\n"] {
        assert_eq!(notion::with_property_table(other), other);
    }
}

#[test]
fn a_database_becomes_a_table_whose_rows_are_linked() {
    let table = csv_table::markdown("Name,Note\n\"Milk, fresh\",\"two\nlines\"\nBread,*\n", |cell| {
        (cell == "Bread").then(|| "Tasks/Bread.md".to_owned())
    });
    assert_eq!(
        table,
        "| Name | Note |\n| --- | --- |\n| Milk\\, fresh | two<br>lines |\n| [Bread](<Tasks/Bread.md>) | \\* |\n"
    );
}

#[test]
fn what_confluence_leaves_behind_is_read_or_dropped() {
    let text = "<ac:structured-macro ac:name=\"code\"><ac:parameter ac:name=\"language\">java</ac:parameter>\
                <ac:plain-text-body><![CDATA[a < b && c]]></ac:plain-text-body></ac:structured-macro>\
                <ac:link><ri:page ri:content-title=\"Set up\" /><ac:plain-text-link-body><![CDATA[how]]></ac:plain-text-link-body></ac:link>\
                <ac:link><ri:page ri:content-title=\"Set up\" /></ac:link>";
    let read = confluence::without_leftovers(text);
    assert!(!read.contains("java") && read.contains("a &lt; b &amp;&amp; c"), "{read}");
    assert!(read.contains("<a href=\"/display/-/Set+up\">how</a>"), "{read}");
    assert!(read.contains("<a href=\"/display/-/Set+up\">Set up</a>"), "{read}");
}

#[test]
fn the_icon_of_a_notion_page_goes_behind_its_title() {
    let page = "<article><header><div class=\"page-header-icon undefined\"><span class=\"icon\">🚀</span></div><h1 class=\"page-title\">Launch</h1></header>";
    assert_eq!(
        notion::without_icon(page),
        "<article><header><h1 class=\"page-title\">🚀 Launch</h1></header>"
    );
    let picture = page.replace("<span class=\"icon\">🚀</span>", "<img class=\"icon\" src=\"a.png\"/>");
    assert_eq!(
        notion::without_icon(&picture),
        "<article><header><h1 class=\"page-title\">Launch</h1></header>"
    );
}

#[test]
fn titles_of_sites_lose_the_sites_name() {
    for (title, page) in
        [("Install | Engine", "Install"), ("A - B - Engine", "A - B"), ("Engine", "Engine"), (" | x", " | x")]
    {
        assert_eq!(titles::without_site(title), page);
    }
}

proptest! {
    /// Pieces of what the products write, in any order: none of it panics, and none of it multiplies.
    #[test]
    fn any_text_is_read_without_panic(
        text in "(<ac:link|<ri:page ri:content-title=\"|/>|</ac:link>|<!\\[CDATA\\[|\\]\\]>|<ac:parameter|</ac:parameter>|\\[\\[|\\]\\]|`|```|\\||# |Status: |\n|\"|,|<title>|</title>|é|a|page-header-icon|<div class=\"page-header-icon|</div>|class=\"page-title\"|>)*",
    ) {
        let files = [("index.html", text.as_str()), ("a_1.html", &text), ("Home.md", &text), ("_Sidebar.md", &text), ("t.csv", &text), ("t/row.md", &text)];
        for source in ImportSource::ALL {
            let dialect = Dialect::of(source, &tree(&files));
            for (path, _) in &files {
                prop_assert!(dialect.text(path, &text).len() <= text.len() * 8 + 100);
                dialect.page_at(&text);
                dialect.database(path, |_| text.clone());
            }
        }
    }
}
