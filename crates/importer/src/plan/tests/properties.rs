//! Invariants of every import, for arbitrary files.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn path() -> impl Strategy<Value = String> {
    let segment = prop::sample::select(vec![
        "a", "b", "README", "index", "x y", "é", "1", "10", ".gitbook", "includes", "assets",
    ]);
    let extension = prop::sample::select(vec![".md", ".md", ".md", ".png", ".html", ".rs", ""]);
    (prop::collection::vec(segment, 1..4), extension)
        .prop_map(|(segments, extension)| format!("{}{extension}", segments.join("/")))
}

fn summary() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => (0_usize..4, path(), "[a-z#*`\\[\\]\\\\(){}<&\" ]{0,6}")
            .prop_map(|(depth, path, title)| format!("{}* [{title}]({path})", "  ".repeat(depth))),
        1 => (0_usize..4, "[a-z]{0,3}").prop_map(|(depth, title)| format!("{}- {title}", " ".repeat(depth))),
        1 => path().prop_map(|path| format!("[x]({path}#a)")),
        1 => "#{1,3} [a-z]{0,3}",
        1 => Just("---".to_owned()),
        1 => Just("* [out](https://example.com)".to_owned()),
    ];
    prop::collection::vec(line, 0..20).prop_map(|lines| lines.join("\n"))
}

fn files() -> impl Strategy<Value = Vec<(String, String)>> {
    let text =
        path().prop_map(|href| format!("# T\n\n[l]({href}) ![i](../{href})\n\n{{{{#include {href}}}}}\n"));
    let files = prop::collection::vec((path(), text), 0..20);
    (files, prop::option::of(summary())).prop_map(|(mut files, summary)| {
        files.extend(summary.map(|text| ("SUMMARY.md".to_owned(), text)));
        files
    })
}

proptest! {
    #[test]
    fn every_plan_is_a_well_formed_tree_that_holds_every_page_once(files in files()) {
        let tree = SourceTree::from_files(files.into_iter().map(|(path, text)| (path, Bytes::from(text))));
        let dialect = dialect::of(ImportSource::Zip, &tree);
        let expected = Inventory::of(&tree, &dialect.layout(&tree), &*dialect).pages;
        let Ok(plan) = plan(ImportSource::Zip, tree, &mut GeneratedIds(&CountingIds::default())) else {
            prop_assert!(expected.is_empty());
            return Ok(());
        };

        let mut parents: BTreeMap<PageId, &PageKind> = BTreeMap::new();
        let mut slugs = BTreeSet::new();
        let mut sources = Vec::new();
        for page in &plan.pages {
            prop_assert!(!page.title.trim().is_empty());
            if let Some(parent) = page.parent {
                let kind = parents.get(&parent);
                prop_assert!(kind.is_some_and(|kind| !matches!(kind, PageKind::Link { .. })), "{page:?}");
                prop_assert!(page.kind != PageKind::Group, "groups are at the top: {page:?}");
            }
            if let Some(slug) = &page.slug {
                prop_assert!(!slug.is_empty() && !slug.contains('/'));
                prop_assert!(slugs.insert((page.parent, slug.clone())), "{slug} twice");
            }
            prop_assert!(parents.insert(page.id, &page.kind).is_none());
            sources.extend(page.source_path.clone());
        }
        sources.sort();
        prop_assert_eq!(sources, expected.into_iter().collect::<Vec<_>>());

        let known = names(&plan);
        for page in &plan.pages {
            for link in quire_markup::links(&page.read_document().unwrap()) {
                let shown = shown(&plan, &link.reference);
                prop_assert!(!shown.contains("unknown"), "{shown} is not in {known:?}");
            }
        }
    }
}
