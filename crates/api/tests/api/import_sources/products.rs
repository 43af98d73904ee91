//! Exports of products.

use super::support::{Files, Imported, Server, fixture, import, zipped};

async fn import_archive(source: &str, folder: &str) -> Imported {
    let server = Server::of_file("/export.zip", "application/zip", zipped(folder, &[]));
    import(source, &server.url("/export.zip")).await.done()
}

#[actix_web::test]
async fn a_confluence_space_keeps_its_tree_links_and_attachments() {
    let imported = import_archive("confluence", "confluence").await;
    assert_eq!(imported.outline().await, "Team Handbook\n  Set up\n    Q&A: what if?\n  Holidays\n");
    let home = imported.markdown("team-handbook").await;
    for link in [
        "[set-up of your machine](page:Set up)",
        "[the questions](page:Q&A: what if?)",
        "[the holidays](page:Holidays)",
    ] {
        assert!(home.contains(link), "{link}: {home}");
    }
    assert!(home.contains("# Overview") && home.contains("hint style"), "{home}");
    for boilerplate in ["Created by", "Document generated", "breadcrumb", "Attachments"] {
        assert!(!home.contains(boilerplate), "{boilerplate}: {home}");
    }
    let set_up = imported.markdown("team-handbook/set-up").await;
    assert!(set_up.contains("apt install quire") && set_up.contains("file:rack diagram.png"), "{set_up}");
    assert!(set_up.contains("[when we rest](page:Holidays)") && !set_up.contains("Attachments"), "{set_up}");
    let questions = imported.markdown("team-handbook/set-up/65550").await;
    assert!(questions.contains("[the packages](page:Set up#"), "{questions}");
    assert!(questions.contains("| It burns"), "{questions}");
    assert_eq!(imported.file_names().await, ["rack diagram.png"]);
    let skipped = imported.report().into_iter().filter(|line| line.starts_with("skipped")).count();
    assert_eq!(skipped, 3, "{:?}", imported.report());
}

#[actix_web::test]
async fn a_github_wiki_has_its_sidebars_order_and_its_links() {
    let imported = import_archive("github-wiki", "github-wiki").await;
    assert_eq!(imported.outline().await, "Home\nQuestions\n  The set-up\nOld Notes\n");
    let home = imported.markdown("home").await;
    for link in [
        "[Set Up](page:The set-up)",
        "[what to ask](page:Questions#answers)",
        "[the set-up](page:The set-up)",
        "file:wheel.png",
    ] {
        assert!(home.contains(link), "{link}: {home}");
    }
    let set_up = imported.markdown("questions/set-up").await;
    assert!(set_up.contains("if [[ -f engine ]]") && set_up.contains("[Home](page:Home)"), "{set_up}");
    let report = imported.report();
    assert!(report.contains(&"skipped _Footer.md".to_owned()), "{report:?}");
    assert!(report.contains(&"skipped Design.asciidoc".to_owned()), "{report:?}");
}

#[actix_web::test]
async fn a_raw_page_of_a_wiki_is_imported_alone() {
    let page = fixture("github-wiki/engine.wiki/Questions.md");
    let server = Server::of_file("/wiki/ada/engine/Questions.md", "text/plain", page);
    let imported = import("github-wiki", &server.url("/wiki/ada/engine/Questions.md")).await.done();
    assert_eq!(imported.outline().await, "Questions\n");
}

async fn assert_notion(imported: &Imported) {
    assert_eq!(
        imported.outline().await,
        "Team home\n  Road map\n  Tasks\n    Buy milk, fresh\n    Call Ada\n"
    );
    let home = imported.markdown("team-home").await;
    for link in [
        "[road map](page:Road map)",
        "[the site has it](page:Road map)",
        "[Tasks](page:Tasks)",
        "file:plan.png",
        "Ask before you buy.",
    ] {
        assert!(home.contains(link), "{link}: {home}");
    }
    let tasks = imported.markdown("team-home/tasks").await;
    for cell in [
        "[Buy milk, fresh](page:Buy milk, fresh)",
        "[Call Ada](page:Call Ada)",
        "Done",
        "food, shop",
        "a\\|b",
    ] {
        assert!(tasks.contains(cell), "{cell}: {tasks}");
    }
    let milk = imported.markdown("team-home/tasks/buy-milk-fresh").await;
    assert!(milk.contains("| Status") && milk.contains("| Done") && milk.contains("Two bottles."), "{milk}");
    let road_map = imported.markdown("team-home/road-map").await;
    assert!(road_map.contains("* [ ] Launch") && road_map.contains("[home](page:Team home)"), "{road_map}");
}

#[actix_web::test]
async fn a_notion_export_loses_its_ids_and_keeps_its_databases() {
    assert_notion(&import_archive("notion", "notion").await).await;
}

#[actix_web::test]
async fn a_notion_export_in_parts_is_one() {
    let outer = zipped("", &[("Export-0b1c2d3e-Part-1.zip", zipped("notion", &[]))]);
    let server = Server::of_file("/export.zip", "application/zip", outer);
    assert_notion(&import("notion", &server.url("/export.zip")).await.done()).await;
}

#[actix_web::test]
async fn a_notion_export_as_html_is_read_too() {
    let imported = import_archive("notion", "notion-html").await;
    assert_eq!(imported.outline().await, "🚀 Launch\n  Checks\n");
    let launch = imported.markdown("launch").await;
    assert!(launch.contains("All about it.") && launch.contains("(page:Checks)"), "{launch}");
    assert!(launch.contains("file:plan.png"), "{launch}");
    assert!(imported.markdown("launch/checks").await.contains("Fuel"));
}

#[actix_web::test]
async fn dropbox_paper_documents_are_markdown_html_or_word() {
    let imported = import_archive("dropbox-paper", "dropbox-paper").await;
    assert_eq!(imported.outline().await, "Costs 2026\nLaunch plan\n");
    let plan = imported.markdown("launch-plan").await;
    assert!(plan.contains("[the costs](page:Costs 2026)") && plan.contains("* [ ] Book the hall"), "{plan}");
    for (path, kind, body) in [
        ("/plan.md", "text/markdown", fixture("dropbox-paper/Launch plan.md")),
        ("/plan.html", "text/html", fixture("html/guide.html")),
        ("/plan.docx", "application/octet-stream", zipped("docx", &[])),
    ] {
        let server = Server::of_file(path, kind, body);
        import("dropbox-paper", &server.url(path)).await.done();
    }
}

#[actix_web::test]
async fn quip_documents_keep_their_pictures_tables_and_links() {
    let imported = import_archive("quip", "quip").await;
    assert_eq!(imported.outline().await, "Budget\nWeekly notes\n");
    let notes = imported.markdown("weekly-notes").await;
    assert!(notes.contains("[Budget](page:Budget)") && notes.contains("Nested"), "{notes}");
    assert!(notes.contains("file:image1.png") && !notes.contains("data:image"), "{notes}");
    assert!(imported.markdown("budget").await.contains("Hall"));
    let server = Server::of_file("/notes.docx", "application/octet-stream", zipped("docx", &[]));
    import("quip", &server.url("/notes.docx")).await.done();
}

#[actix_web::test]
async fn a_shared_google_document_is_fetched_as_its_export() {
    let server = Server::start(|_| {
        let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
        Files::from([
            ("/document/d/1aB-c_D/export?format=docx".to_owned(), (word, zipped("docx", &[]))),
            (
                "/document/d/e/2PACX-1/pub".to_owned(),
                ("text/html; charset=utf-8", fixture("html/guide.html")),
            ),
            ("/notes.zip".to_owned(), ("application/zip", zipped("google-docs", &[]))),
        ])
    });
    let shared = import("google-docs", &server.url("/document/d/1aB-c_D/edit?usp=sharing")).await.done();
    assert_eq!(
        (shared.outline().await.as_str(), shared.file_names().await),
        ("Field report\n", vec!["image1.png".to_owned()])
    );
    let published = import("google-docs", &server.url("/document/d/e/2PACX-1/pub")).await.done();
    assert_eq!(published.outline().await, "Guide\n");
    let exported = import("google-docs", &server.url("/notes.zip")).await.done();
    let outline = exported.outline().await;
    assert_eq!(outline.lines().count(), 1, "{outline}");
    let notes = exported.markdown("fieldnotes").await;
    for part in ["Weather", "[why](https://example.com/cold)", "file:image1.png"] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
}
