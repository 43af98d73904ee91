use bytes::Bytes;
use proptest::prelude::*;

use super::*;

fn tree(files: &[(&str, &str)]) -> SourceTree {
    SourceTree::from_files(
        files.iter().map(|(path, text)| ((*path).to_owned(), Bytes::from((*text).to_owned()))),
    )
}

fn page_at(dialect: &dyn Dialect, href: &str) -> Option<String> {
    dialect.page_at(&address(href)?)
}

const ID: &str = "0123456789abcdef0123456789abcdef";

#[test]
fn names_lose_the_ids_of_their_product() {
    let notion = of(ImportSource::Notion, &tree(&[]));
    assert_eq!(notion.name(&format!("Road map {ID}")), "Road map");
    assert_eq!(notion.name(&format!("Tasks {ID}_all")), "Tasks");
    assert_eq!(notion.name("Road map 2026"), "Road map 2026");
    assert_eq!(notion.name(ID), ID);
    let confluence = of(ImportSource::Confluence, &tree(&[]));
    assert_eq!(confluence.name("Set-up_65540"), "Set-up");
    assert_eq!((confluence.name("65540"), confluence.name("set_up")), ("65540", "set_up"));
    assert_eq!(plain::Plain::default().name("Set-up_65540"), "Set-up_65540");
}

#[test]
fn addresses_of_the_product_lead_to_its_pages() {
    let page = format!("Road map {ID}.md");
    let notion = of(ImportSource::Notion, &tree(&[(&page, "# Road map\n")]));
    for address in [
        format!("https://www.notion.so/ada/Road-map-{ID}"),
        format!("https://ada.notion.site/{ID}?pvs=4"),
        "https://www.notion.so/01234567-89ab-cdef-0123-456789abcdef".to_owned(),
        format!("/{ID}"),
    ] {
        assert_eq!(page_at(&*notion, &address), Some(page.clone()), "{address}");
    }
    assert_eq!(page_at(&*notion, &format!("https://elsewhere.example/{ID}")), None);

    let export = [("Home_1.html", "<title>Team : Home</title>"), ("22.html", "<title>Team : A : B</title>")];
    let confluence = of(ImportSource::Confluence, &tree(&export));
    for (address, page) in [
        ("https://wiki.example/pages/viewpage.action?pageId=22", Some("22.html")),
        ("/spaces/TEAM/pages/1/Home", Some("Home_1.html")),
        ("https://wiki.example/display/TEAM/A+%3A+B", Some("22.html")),
        ("https://wiki.example/pages/viewpage.action?pageId=23", None),
        ("https://elsewhere.example/22", None),
    ] {
        assert_eq!(page_at(&*confluence, address).as_deref(), page, "{address}");
    }

    let own = "See https://github.com/Ada/Engine/wiki/Set-Up.";
    let wiki = of(ImportSource::GithubWiki, &tree(&[("Home.md", own), ("guide/Set-Up.md", "")]));
    for (address, page) in [
        ("https://github.com/ada/engine/wiki/set-up", Some("guide/Set-Up.md")),
        ("https://github.com/ada/engine/wiki", Some("Home.md")),
        ("https://github.com/ada/other/wiki/Set-Up", None),
        ("Set-up", Some("guide/Set-Up.md")),
    ] {
        assert_eq!(page_at(&*wiki, address).as_deref(), page, "{address}");
    }

    let paper = of(ImportSource::DropboxPaper, &tree(&[("Launch plan.md", ""), ("Launch.md", "")]));
    let address = "https://paper.dropbox.com/doc/Launch-plan--BxQ1~abc";
    assert_eq!(page_at(&*paper, address).as_deref(), Some("Launch plan.md"));
    let quip = of(ImportSource::Quip, &tree(&[("Launch plan.html", "")]));
    assert_eq!(page_at(&*quip, "https://ada.quip.com/AbCd/Launch-plan").as_deref(), Some("Launch plan.html"));
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
        ("[[[a]] [[b [c]] [[d]]", "[[[a]] [[b [c]] [d](<d>)"),
    ] {
        assert_eq!(wiki::with_links(text), expected);
    }
}

/// If each end were searched from the start, these texts would take two hours.
#[test]
fn a_text_of_open_links_is_read_once() {
    for text in ["[[".repeat(2_000_000), format!("{}]]", "[[a".repeat(1_000_000))] {
        let read = wiki::with_links(&text);
        assert!(read.len() >= text.len(), "{}", read.len());
    }
}

#[test]
fn a_sidebar_larger_than_a_page_is_left() {
    let sidebar = format!("* [[Home]]\n{}", " ".repeat(4 * 1024 * 1024));
    let files = [("Home.md", "# Home\n"), ("_Sidebar.md", sidebar.as_str())];
    let wiki = of(ImportSource::GithubWiki, &tree(&files));
    assert!(wiki.site().contents.is_none());
    assert_eq!(wiki.refusal("_Sidebar.md"), Some("it is larger than the limit for a page"));
    let files = [("Home.md", "# Home\n"), ("_Sidebar.md", "* [[Home]]\n")];
    assert!(of(ImportSource::GithubWiki, &tree(&files)).site().contents.is_some());
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

fn table(text: &str, cells: &mut csv_table::CellBudget) -> csv_table::Table {
    csv_table::table(text, cells, |cell, is_title| {
        (is_title && cell == "Bread").then(|| "[Bread](<Tasks/Bread.md>)".to_owned())
    })
}

#[test]
fn a_database_becomes_a_table_whose_rows_are_linked() {
    let text = "Name,Note\n\"Milk, fresh\",\"two\nlines\"\nBread,*\n";
    let table = table(text, &mut csv_table::CellBudget::default());
    assert_eq!(
        table.markdown,
        "| Name | Note |\n| --- | --- |\n| Milk\\, fresh | two<br>lines |\n| [Bread](<Tasks/Bread.md>) | \\* |\n"
    );
    assert_eq!((table.rows, table.columns, table.is_cut), (3, 2, false));
}

/// One wide row widens every row: these 300 kB would become a table of gigabytes.
#[test]
fn a_table_is_bounded_in_columns_and_cells_and_all_tables_together_are() {
    let wide = format!("{}\n{}", ",".repeat(200_000), "a\n".repeat(4_999));
    let mut budget = csv_table::CellBudget::default();
    let first = table(&wide, &mut budget);
    assert_eq!((first.rows, first.columns, first.is_cut), (333, 300, true));
    assert!(first.markdown.len() < 500_000);
    let cells: usize = std::iter::repeat_with(|| table(&wide, &mut budget))
        .take(20)
        .map(|table| table.rows * table.columns)
        .sum();
    assert!((300_000..=400_100).contains(&cells), "{cells}");
    // A wide row at the end ends the table instead of widening the rows above.
    let table =
        table(&format!("{}{}", "a\n".repeat(4_999), ",".repeat(299)), &mut csv_table::CellBudget::default());
    assert_eq!((table.rows, table.columns, table.is_cut), (4_999, 1, true));
}

#[test]
fn only_whole_lines_at_the_beginning_of_a_long_file_are_read() {
    let (all, is_cut) = csv_table::beginning(&"a,b\nc,d".into()).unwrap();
    assert_eq!((&all[..], is_cut), (&b"a,b\nc,d"[..], false));
    let long = format!("{}\n", "é".repeat(20)).repeat(200_000);
    let (beginning, is_cut) = csv_table::beginning(&long.into()).unwrap();
    assert!(is_cut && beginning.len() <= csv_table::MAX_BYTES);
    assert!(std::str::from_utf8(&beginning).unwrap().ends_with('é'));
}

#[test]
fn leftovers_of_confluence_are_read_or_dropped() {
    let text = "<ac:structured-macro ac:name=\"code\"><ac:parameter ac:name=\"language\">java</ac:parameter>\
                <ac:plain-text-body><![CDATA[a < b && c]]></ac:plain-text-body></ac:structured-macro>\
                <ac:link><ri:page ri:content-title=\"Set up\" /><ac:plain-text-link-body><![CDATA[how]]></ac:plain-text-link-body></ac:link>\
                <ac:link><ri:page ri:content-title=\"Set up\" /></ac:link>";
    let read = confluence::storage::without_storage(text);
    assert!(!read.contains(">java") && read.contains("a &lt; b &amp;&amp; c"), "{read}");
    assert!(read.contains("<a href=\"/display/-/Set+up\">how</a>"), "{read}");
    assert!(read.contains("<a href=\"/display/-/Set+up\">Set up</a>"), "{read}");
}

#[test]
fn macros_of_confluence_that_are_read_as_text_are_named() {
    let text = "<p>a</p><ac:structured-macro ac:name=\"gallery\"><ac:parameter ac:name=\"columns\">2</ac:parameter></ac:structured-macro>";
    let confluence = of(ImportSource::Confluence, &tree(&[("a_1.html", text)]));
    let mut notes = Vec::new();
    confluence.text("a_1.html", text, &mut notes);
    assert_eq!(notes, ["gallery"]);
}

#[test]
fn an_index_that_is_a_page_is_no_list_of_pages() {
    let page = "<title>Team : Guide</title><ol id=\"breadcrumbs\"><li><a href=\"index.html\">Team</a></li></ol>\
                <div id=\"main-content\" class=\"wiki-content group\"><h2>Chapter</h2><p>All the words.</p></div>";
    assert!(of(ImportSource::Confluence, &tree(&[("index.html", page)])).site().contents.is_none());
    let elsewhere = "<ul><li><a href=\"https://a.example/\">Elsewhere</a></li></ul><p>Words.</p>";
    assert!(of(ImportSource::Confluence, &tree(&[("index.html", elsewhere)])).site().contents.is_none());
    let list = "<ul><li><a href=\"Set%20up_1.html\">Set up</a></li></ul>";
    let files = [("index.html", list), ("Set up_1.html", "<title>Team : Set up</title>")];
    assert!(of(ImportSource::Confluence, &tree(&files)).site().contents.is_some());
}

#[test]
fn the_list_of_a_notion_export_is_no_page() {
    let page = format!("Home {ID}.md");
    let list = "<ul><li><a href=\"Home.md\">Home</a></li></ul>";
    for index in ["index.html", "Export-d2b14fbf/index.html"] {
        let notion = of(ImportSource::Notion, &tree(&[(index, list), (&page, "# Home\n"), ("b/c.md", "")]));
        assert!(notion.refusal(index).is_some(), "{index}");
        assert!(notion.refusal(&page).is_none());
    }
    assert!(of(ImportSource::Notion, &tree(&[("index.html", list)])).refusal("index.html").is_none());
}

#[test]
fn the_icon_of_a_notion_page_moves_into_its_title() {
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
        assert_eq!(website::without_site(title), page);
    }
}

proptest! {
    /// Pieces of the products' syntax in any order cause neither panics nor growth.
    #[test]
    fn any_text_is_read_without_panic(
        text in "(<ac:link|<ri:page ri:content-title=\"|/>|</ac:link>|<!\\[CDATA\\[|\\]\\]>|<ac:parameter|</ac:parameter>|\\[\\[|\\]\\]|`|```|\\||# |Status: |\n|\"|,|<title>|</title>|é|a|page-header-icon|<div class=\"page-header-icon|</div>|class=\"page-title\"|>)*",
    ) {
        let files = [("index.html", text.as_str()), ("a_1.html", &text), ("Home.md", &text), ("_Sidebar.md", &text), ("t.csv", &text), ("t/row.md", &text)];
        for source in ImportSource::ALL {
            let dialect = of(source, &tree(&files));
            for (path, _) in &files {
                prop_assert!(dialect.text(path, &text, &mut Vec::new()).len() <= text.len() * 8 + 100);
                page_at(&*dialect, &text);
                dialect.table(path, &text, &mut csv_table::CellBudget::default());
            }
        }
    }
}

#[test]
fn callouts_of_notion_are_hints_and_relations_are_links() {
    let id = "2222222222222222222222222222222a";
    let tree = SourceTree::from_files(
        [
            (
                format!("Tasks {id}.csv"),
                format!(
                    "Name,Project\nOne,\"Two (P%20{id}/Two%20{id}.md), Three (P%20{id}/Three%20{id}.md)\"\n"
                ),
            ),
            ("a.md".to_owned(), String::new()),
        ]
        .map(|(path, text)| (path, bytes::Bytes::from(text))),
    );
    let dialect = of(ImportSource::Notion, &tree);
    let text = |text: &str| dialect.text("a.md", text, &mut Vec::new()).into_owned();
    for (source, expected) in [
        (
            "<aside>\n💡 **Tip:** more [here](u).\n\n</aside>\n",
            "{% hint style=\"info\" %}\n**Tip:** more [here](u).\n{% endhint %}\n",
        ),
        ("<aside>\n⚠️\n\nMind.\n</aside>\n", "{% hint style=\"warning\" %}\nMind.\n{% endhint %}\n"),
        (
            "<aside>\n<img src=\"https://x/bell.svg\" width=\"40px\" /> Text.\n</aside>\n",
            "{% hint style=\"info\" %}\nText.\n{% endhint %}\n",
        ),
        ("<aside>\nOpen\n", "<aside>\nOpen\n"),
    ] {
        assert_eq!(text(source), expected);
    }
    let database = format!("Tasks {id}.csv");
    let content = tree.text(&database).unwrap();
    let table = dialect.table(&database, &content, &mut csv_table::CellBudget::default());
    assert!(
        table.markdown.contains(&format!("[Two](<P%20{id}/Two%20{id}.md>), [Three](<")),
        "{}",
        table.markdown
    );
}
