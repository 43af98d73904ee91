//! Search in a space.

use quire_domain::Role;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Answer, Caller, ContentEditor, TestApp};
use serde_json::{Value, json};

struct Fixture {
    app: TestApp,
    space: String,
    admin: Caller,
}

impl Fixture {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let (space, admin) = app.space().await;
        Self { app, space, admin }
    }

    /// Creates a fixture whose main content is these pages.
    async fn with(pages: &[(&str, &str)]) -> Self {
        let fixture = Self::new().await;
        fixture.edit(|draft| {
            for (title, markdown) in pages {
                draft.page(None, title, markdown);
            }
        });
        fixture
    }

    fn edit<T>(&self, edit: impl FnOnce(&mut ContentEditor) -> T) -> T {
        self.app.edit(&self.admin, self.space.parse().unwrap(), ContentSelector::Space, edit).1
    }

    fn path(&self, query: &str) -> String {
        let query = serde_json::to_string(query).unwrap();
        let query: String = serde_json::from_str(&query).unwrap();
        let encoded: String = query.bytes().map(|byte| format!("%{byte:02x}")).collect();
        format!("/v1/spaces/{}/search?query={encoded}", self.space)
    }

    async fn search(&self, query: &str) -> Answer {
        self.admin.get(&self.path(query)).await.expect(200)
    }

    async fn titles(&self, query: &str) -> Vec<String> {
        let found = self.search(query).await;
        let items = found.at("/items").as_array().unwrap();
        assert_eq!(found.at("/count"), &json!(items.len()), "{query}");
        items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect()
    }
}

#[actix_web::test]
async fn a_hit_is_a_page_with_its_best_sections() {
    let f = Fixture::new().await;
    let page = f.edit(|draft| {
        let guides = draft.page(None, "Guides", "Nothing to see.");
        let page = draft.page(
            Some(guides), "Getting started",
            "Welcome.\n\n## Install the server\n\nDownload the *binary* and start it.\n\n## More\n\nThe binary has a <b>help</b>.",
        );
        draft.change_page(page, |page| page.description = Some("The first steps.".to_owned()));
        page
    });
    let found = f.search("binary").await;
    let app = format!("http://127.0.0.1:8080/s/{}/guides/getting-started", f.space);
    let mut sections = found.at("/items/0/sections").as_array().unwrap().clone();
    sections.sort_by_key(|section| section["path"].to_string());
    assert_eq!(sections.len(), 2);
    assert_eq!(
        sections[0],
        json!({
            "id": format!("{page}#install-the-server"), "title": "Install the server",
            "path": "guides/getting-started#install-the-server", "body": "Download the binary and start it.",
            "marks": [{"start": 13, "end": 19}], "score": found.at("/items/0/score"),
            "urls": {"app": format!("{app}#install-the-server")},
        })
    );
    let mut expected = json!({
        "count": 1,
        "items": [{
            "id": page.to_string(), "title": "Getting started", "path": "guides/getting-started",
            "description": "The first steps.", "ancestors": [{"title": "Guides"}], "rank": 1,
            "urls": {"app": app}, "sections": found.at("/items/0/sections"), "score": found.at("/items/0/score"),
        }],
    });
    assert!(found.at("/items/0/score").as_f64().unwrap() > 0.0);
    assert_eq!(found.json, expected);
    // Text above the first heading is shown with the title of the page.
    let found = f.search("welcome").await;
    expected["items"][0]["sections"] = json!([{
        "id": page.to_string(), "title": "Getting started", "path": "guides/getting-started", "body": "Welcome.",
        "marks": [{"start": 0, "end": 7}], "score": found.at("/items/0/score"),
        "urls": {"app": app},
    }]);
    expected["items"][0]["score"] = found.at("/items/0/score").clone();
    assert_eq!(found.json, expected);
}

#[actix_web::test]
async fn a_merge_is_found_as_soon_as_it_has_answered() {
    let f = Fixture::with(&[("Old", "before")]).await;
    let change_requests = format!("/v1/spaces/{}/change-requests", f.space);
    let id = f.admin.post(&change_requests, json!({})).await.expect(201).text("/id");
    let copy = ContentSelector::ChangeRequest(id.parse().unwrap());
    let _ = f.app.edit(&f.admin, f.space.parse().unwrap(), copy, |draft| {
        draft.page(None, "Fresh", "afterwards");
        let old = draft.tree.page_by_path("old").unwrap().id;
        draft.write(old, "rewritten");
    });
    assert_eq!(f.titles("afterwards").await, Vec::<String>::new());
    let _ = f.admin.post_empty(&format!("{change_requests}/{id}/merge")).await.expect(200);
    assert_eq!(f.titles("afterwards").await, ["Fresh"]);
    assert_eq!(f.titles("rewritten").await, ["Old"]);
    assert_eq!(f.titles("before").await, Vec::<String>::new());
}

#[actix_web::test]
async fn all_words_are_found_across_a_page_and_titles_come_first() {
    let f = Fixture::with(&[
        ("Backups", "Keep copies. See restoring."),
        ("Restoring", "From backups.\n\n## On Linux\n\nUse the command line."),
        ("Elsewhere", "About Linux."),
    ])
    .await;
    assert_eq!(f.titles("backups").await, ["Backups", "Restoring"]);
    assert_eq!(f.titles("restoring linux").await, ["Restoring"]);
    assert_eq!(f.titles("linux restoring command").await, ["Restoring"]);
    assert_eq!(f.titles("linux").await.len(), 2);
    // Only the last word may be incomplete.
    assert_eq!(f.titles("command lin").await, ["Restoring"]);
    assert_eq!(f.titles("lin comm").await, Vec::<String>::new());
}

#[actix_web::test]
async fn accents_case_and_punctuation_do_not_matter() {
    let f = Fixture::with(&[
        ("Crème brûlée", "Prêt à l'emploi."),
        ("Configuration", "Edit `quire.toml` in /etc/quire, set QUIRE_BIND."),
    ])
    .await;
    for query in ["creme", "CRÈME", "brulee", "pret", "Prêt", "emploi", "\"crème\"!"] {
        assert_eq!(f.titles(query).await, ["Crème brûlée"], "{query}");
    }
    for query in ["quire.toml", "toml", "quire_bind", "bind", "/etc/quire", "etc quire"] {
        assert_eq!(f.titles(query).await, ["Configuration"], "{query}");
    }
}

#[actix_web::test]
async fn titles_are_found_with_typing_errors() {
    let f = Fixture::with(&[("Installation guide", ""), ("Workspaces", ""), ("Kubernetes setup", "")]).await;
    for (query, title) in [
        ("instalation", "Installation guide"),
        ("Instalation gide", "Installation guide"),
        ("wokrspaces", "Workspaces"),
        ("kuberntes", "Kubernetes setup"),
    ] {
        assert_eq!(f.titles(query).await, [title], "{query}");
    }
    assert_eq!(f.titles("zebra").await, Vec::<String>::new());
}

#[actix_web::test]
async fn scripts_without_spaces_are_found_inside_of_their_texts() {
    let f = Fixture::with(&[
        ("安装指南", "使用Rust安装数据库服务器。"),
        ("日本語", "これはサーバーのインストール手順です。"),
        ("ภาษาไทย", "การติดตั้งเซิร์ฟเวอร์"),
    ])
    .await;
    for (query, title) in [
        ("数据库", "安装指南"),
        ("指南", "安装指南"),
        ("rust安装", "安装指南"),
        ("安装 服务", "安装指南"),
        ("インストール", "日本語"),
        ("本語", "日本語"),
        ("ติดตั้ง", "ภาษาไทย"),
    ] {
        assert_eq!(f.titles(query).await, [title], "{query}");
    }
    assert_eq!(f.titles("据数").await, Vec::<String>::new());
    assert_eq!(f.search("数据库").await.text("/items/0/sections/0/body"), "使用Rust安装数据库服务器。");
}

#[actix_web::test]
async fn words_are_stemmed_in_the_organizations_language() {
    let f = Fixture::new().await;
    let organization = f.app.organization;
    let set = |language: &str| f.app.system.transact(|tx| tx.set_search_language(organization, language));
    f.edit(|draft| draft.page(None, "Plans", "Generalizations about houses."));
    assert_eq!(f.titles("general house").await, Vec::<String>::new());
    assert!(set("english").unwrap() && !set("klingon").unwrap());
    // Content from before the change of language is found, too.
    assert_eq!(f.titles("general house").await, ["Plans"]);
    f.edit(|draft| draft.page(None, "Jobs", &format!("{} The workers are running.", "Filler. ".repeat(60))));
    for query in ["worker run", "runs", "the running worker"] {
        assert_eq!(f.titles(query).await, ["Jobs"], "{query}");
    }
    let body = f.search("worker runs").await.text("/items/0/sections/0/body");
    assert!(body.starts_with('…') && body.contains("The workers are running."), "{body}");
    // Common words are found.
    assert_eq!(f.titles("the").await, ["Jobs"]);
}

#[actix_web::test]
async fn only_current_main_content_of_the_space_is_found() {
    let f = Fixture::new().await;
    let (gone, hidden, renamed) = f.edit(|draft| {
        (
            draft.page(None, "Gone", "needle"),
            draft.page(None, "Secret", "needle"),
            draft.page(None, "Early", "needle"),
        )
    });
    let (other, admin) = f.app.space().await;
    let other = other.parse().unwrap();
    let _ =
        f.app.edit(&admin, other, ContentSelector::Space, |draft| draft.page(None, "Neighbour", "needle"));
    assert_eq!(f.titles("needle").await.len(), 3);
    f.edit(|draft| {
        draft.tree.remove_page(gone).unwrap();
        draft.change_page(hidden, |page| page.no_index = true);
        draft.change_page(renamed, |page| page.title = "Late".to_owned());
    });
    assert_eq!(f.titles("needle").await, ["Late"]);
    assert_eq!(f.titles("early").await, Vec::<String>::new());
    f.edit(|draft| draft.change_page(hidden, |page| page.no_index = false));
    assert_eq!(f.titles("secret needle").await, ["Secret"]);
}

#[actix_web::test]
async fn pages_of_hits_are_walked_once() {
    let f = Fixture::new().await;
    f.edit(|draft| {
        for n in 0..7 {
            draft.page(None, &format!("Page {n}"), &"needle ".repeat(n % 3 + 1));
        }
    });
    let mut walked = Vec::new();
    let first = format!("{}&limit=1", f.path("needle"));
    let mut path = first.clone();
    loop {
        let found = f.admin.get(&path).await.expect(200);
        assert_eq!(found.at("/count"), &json!(7));
        walked.push(found.text("/items/0/id"));
        let Some(next) = found.json.pointer("/next/page").and_then(Value::as_str) else { break };
        path = format!("{first}&page={next}");
        let foreign = f.admin.get(&format!("{}&page={next}", f.path("other"))).await.expect(400);
        assert_eq!(foreign.fields(), ["page"]);
    }
    let all: Vec<String> = f
        .search("needle")
        .await
        .at("/items")
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(walked, all);
}

#[actix_web::test]
async fn no_query_is_an_error_of_the_service() {
    let f = Fixture::with(&[("100% `\\o/`", "It's a \"test\" & more | (yes) :* <-> !no %_\\ 😀.")]).await;
    let long = ["𐍈".repeat(512), "安".repeat(512), "a ".repeat(256), "'".repeat(512), "\\".repeat(512)];
    let hostile = [
        "'",
        "''",
        "\\",
        "\\'",
        "\"",
        "&",
        "|",
        "!",
        "<->",
        "<2>",
        ":*",
        "a:*",
        "a:ABCD",
        "(",
        ")",
        "()",
        "!a & (b | c",
        "%",
        "_",
        "%_\\",
        "$1",
        "'; DROP TABLE spaces; --",
        "???",
        " ",
        "\u{301}",
        "a\u{301}",
        "½ ㎏ ﬁ",
        "\u{7f}\u{1}",
        "\u{feff}",
        "\u{202e}abc",
        "1e400",
        "user@example.com",
        "https://example.com/a?b=c#d",
        "-1.5e-7",
        "<b>",
        "&amp;",
    ];
    for query in hostile.into_iter().chain(long.iter().map(String::as_str)) {
        let _ = f.search(query).await;
    }
    for query in ["test", "yes more", "100%", "it's", "\\o/"] {
        assert_eq!(f.titles(query).await.len(), 1, "{query}");
    }
}

#[actix_web::test]
async fn bad_parameters_are_named_and_roles_decide() {
    let f = Fixture::with(&[("Page", "needle")]).await;
    let path = format!("/v1/spaces/{}/search", f.space);
    for (query, field) in [
        (String::new(), "query"),
        ("?query=".to_owned(), "query"),
        (format!("?query={}", "a".repeat(513)), "query"),
        ("?query=a&limit=0".to_owned(), "limit"),
        ("?query=a&page=x".to_owned(), "page"),
    ] {
        assert_eq!(f.admin.get(&format!("{path}{query}")).await.expect(400).fields(), [field], "{query}");
    }
    let _ = f.admin.get(&format!("{path}?query=a%00b")).await.expect(400);
    let reader = f.app.on_space(&f.space, Some(Role::Read));
    assert_eq!(reader.get(&f.path("needle")).await.expect(200).at("/count"), &json!(1));
    let _ = f.app.stranger().get(&f.path("needle")).await.expect(404);
    let _ = f.app.anonymous().get(&f.path("needle")).await.expect(401);
}

#[actix_web::test]
async fn ten_thousand_pages_cost_as_many_statements_as_one() {
    let f = Fixture::with(&[("Only", "needle")]).await;
    let count = async |query: &str, hits: u64| {
        let before = f.app.statements();
        assert_eq!(f.search(query).await.at("/count"), &json!(hits));
        f.app.statements() - before
    };
    let _ = count("needle", 1).await;
    f.app.wait_for_search_index(1).await;
    let one = count("needle", 1).await;
    f.edit(|draft| {
        for n in 0..10_000 {
            draft.page(None, &format!("Page {n}"), if n % 100 == 0 { "A needle." } else { "Hay." });
        }
    });
    // There are too many pages for a search without the index, so the first searches wait, or respond that they
    // would have to wait.
    let _ = f.admin.get(&f.path("hay")).await;
    f.app.wait_for_search_index(10_001).await;
    let _ = count("hay", 9_900).await;
    assert_eq!((one, count("needle", 101).await), (1, 1));
    assert_eq!(count("hay", 9_900).await, 1);
}

#[actix_web::test]
async fn a_search_of_an_incomplete_index_says_how_much_it_has() {
    let f = Fixture::new().await;
    f.app.state.storage.stop_search_index();
    f.edit(|draft| drop(draft.pages(1_100, |_, _| "needle".to_owned())));
    for path in [f.path("needle"), format!("/v1/orgs/{}/search?query=needle", f.app.organization)] {
        let found = f.admin.get(&path).await.expect(200);
        assert_eq!(
            (found.at("/count"), found.header("Quire-Search-Progress")),
            (&json!(0), "0/1100"),
            "{path}"
        );
    }
    let small = f.app.create_space(&f.admin, "Small");
    let _ = f.app.edit(&f.admin, small, ContentSelector::Space, |draft| draft.page(None, "Needle", ""));
    // Spaces with few pages are searched in full.
    let path = format!("/v1/orgs/{}/search?query=needle", f.app.organization);
    let found = f.admin.get(&path).await.expect(200);
    assert_eq!((found.at("/count"), found.header("Quire-Search-Progress")), (&json!(1), "1/1101"));
    let found = f.admin.get(&format!("/v1/spaces/{small}/search?query=needle")).await.expect(200);
    assert_eq!((found.at("/count"), found.headers.get("Quire-Search-Progress")), (&json!(1), None));
}
