//! Exports: importing an archive restores the same content.

use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_revision::Tree;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Answer, Caller, TestApp, unzipped, zipped};
use serde_json::json;

const GUIDE: &[(&str, &str)] = &[
    (
        "SUMMARY.md",
        "# Table of contents\n\n* [Welcome \\[home\\]](README.md)\n* [All of it](use/install.md#steps)\n\n## Use & more <a href=\"#use\" id=\"use\"></a>\n\n\
         * [Install](use/install.md)\n  * [Linux](use/linux.v1.2.md)\n  * ```yaml\n    dependencies:\n      spec:\n        ref: {kind: openapi, spec: pets-api}\n    props:\n      models: true\n    type: builtin:openapi\n    ```\n* [Elsewhere](https://example.com/a?b=c)\n* [Planned]()\n\n---\n\n* [Index](index/README.md)\n",
    ),
    (
        "README.md",
        "# Welcome \\[home]\n\nStart with [the installation](use/install.md#steps).\n\n![logo](<.gitbook/assets/a logo (1).png>)\n",
    ),
    (
        "use/install.md",
        "---\ndescription: 'How: to install it'\nicon: rocket\ncover: ../.gitbook/assets/2/a.png\ncoverY: 12\nhidden: true\nlayout:\n  width: wide\n---\n\n# Install\n\n## Steps\n\nSee [Linux](linux.v1.2.md), [nothing](missing.md) and [the steps](#steps).\n\n{% include \"../.gitbook/includes/note.md\" %}\n\n# Second title\n\nText.\n",
    ),
    (
        "use/linux.v1.2.md",
        "# Linux\n\n{% hint style=\"info\" %}\nWorks, see [home](../README.md).\n{% endhint %}\n",
    ),
    ("index/README.md", "# Index\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
    (".gitbook/assets/a logo (1).png", "not really a picture"),
    (".gitbook/assets/a.png", "one"),
    (".gitbook/assets/2/a.png", "two"),
    (".gitbook/includes/note.md", "---\ntitle: A note\n---\n\n# Mind\n\nThe [gap](../../README.md).\n"),
    ("draft.md", "# Draft\n\nNot listed.\n"),
];

async fn import(caller: &Caller, space: &str, file: &[u8]) -> Answer {
    let mut body = b"--b\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\nzip\r\n\
         --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"guide.zip\"\r\n\r\n"
        .to_vec();
    body.extend_from_slice(file);
    body.extend_from_slice(b"\r\n--b--\r\n");
    let request = TestRequest::post().uri(&format!("/v1/spaces/{space}/content/import")).set_payload(body);
    caller.send(request.insert_header(("Content-Type", "multipart/form-data; boundary=b"))).await
}

async fn export(caller: &Caller, space: &str) -> Answer {
    caller.get(&format!("/v1/spaces/{space}/content/export?format=markdown")).await.expect(200)
}

/// Imports an archive, exports it, imports the export into another space and exports it again. Asserts that both spaces
/// have identical content, and returns both exports.
async fn round_trip(app: &TestApp, archive: &[u8]) -> (Answer, Answer) {
    let (space, admin) = app.space().await;
    import(&admin, &space, archive).await.expect(201);
    let first = export(&admin, &space).await;
    let before = app.content(&space, &admin);
    let (again, admin) = app.space().await;
    import(&admin, &again, &first.bytes).await.expect(201);
    assert_same(&before, &app.content(&again, &admin));
    (first, export(&admin, &again).await)
}

/// Compares two trees record by record, so that a failure shows the difference, and then their roots.
fn assert_same(one: &Tree, other: &Tree) {
    assert!(one.pages().next().is_some());
    for (page, again) in one.pages_in_order().zip(other.pages_in_order()) {
        assert_eq!(page, again, "{:?}", one.path_of(page.id));
    }
    for (file, again) in one.files().zip(other.files()) {
        assert_eq!(file, again);
    }
    for (content, again) in one.reusable_contents().zip(other.reusable_contents()) {
        assert_eq!(content, again);
    }
    assert_eq!(one.root(), other.root());
}

#[actix_web::test]
async fn an_export_is_what_was_imported_and_imports_as_the_same_content() {
    let app = TestApp::start().await;
    let (first, second) = round_trip(&app, &zipped(GUIDE)).await;
    assert_eq!(first.header("content-type"), "application/zip");
    assert_eq!(unzipped(&first.bytes), unzipped(&second.bytes));
    assert_eq!(first.bytes, second.bytes, "the archives differ in more than their files");

    let files = unzipped(&first.bytes);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            ".gitbook/assets/2/a.png",
            ".gitbook/assets/a logo (1).png",
            ".gitbook/assets/a.png",
            ".gitbook/includes/a-note.md",
            "README.md",
            "SUMMARY.md",
            "draft.md",
            "index/README.md",
            "use/install/README.md",
            "use/install/linux.v1.2.md",
            "use/planned.md",
        ]
    );
    assert_eq!(
        files["SUMMARY.md"],
        "# Table of contents\n\n<!-- anchors: exact -->\n\n* [Welcome \\[home\\]](README.md)\n* [All of it](use/install/README.md#steps)\n\n\
         ## Use \\& more <a href=\"#use\" id=\"use\"></a>\n\n* [Install](use/install/README.md)\n  * [Linux](use/install/linux.v1.2.md)\n  * ```yaml\n    type: builtin:openapi\n    props:\n      models: true\n    \
         dependencies:\n      spec:\n        ref:\n          kind: openapi\n          spec: pets-api\n    ```\n\
         * [Elsewhere](https://example.com/a?b=c)\n* [Planned](use/planned.md)\n\n---\n\n* [Index](index/README.md)\n* [Draft](draft.md)\n"
    );
    let install = &files["use/install/README.md"];
    for part in [
        "description: \"How: to install it\"",
        "hidden: true",
        "cover: ../../.gitbook/assets/",
        "[Linux](linux.v1.2.md)",
        "[nothing](missing.md)",
        "[the steps](#steps)",
        "{% include \"../../.gitbook/includes/a-note.md\" %}",
        "# Second title",
    ] {
        assert!(install.contains(part), "{part}: {install}");
    }
    let first = &files["README.md"];
    assert!(first.contains(".gitbook/assets/a logo (1).png"), "{first}");
    assert!(!first.contains("slug:"), "{first}");
}

#[actix_web::test]
async fn computed_pages_of_an_import_are_there_once_their_specification_is() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let imported = import(&admin, &space, &zipped(GUIDE)).await.expect(201);
    assert!(!imported.at("/report").to_string().contains("yaml"), "{}", imported.json);
    let titles = async || {
        let install = format!("/v1/spaces/{space}/content/path/use/install");
        let read = admin.get(&install).await.expect(200);
        let pages = read.at("/pages").as_array().unwrap().clone();
        pages.iter().map(|page| page["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(titles().await, ["Linux", "pets-api"], "the placeholder is kept");
    let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}}"#;
    let specs = format!("/v1/orgs/{}/openapi", app.organization);
    admin.post(&specs, json!({"slug": "pets-api", "source": {"text": text}})).await.expect(201);
    app.run_jobs().await;
    let computed = titles().await;
    assert_eq!(computed[0], "Linux");
    assert!(computed.contains(&"Pets".to_owned()), "{computed:?}");
    // The archive has the placeholder and not the computed pages, whether or not there is a specification.
    let files = unzipped(&export(&admin, &space).await.bytes);
    assert!(files["SUMMARY.md"].contains("  * ```yaml\n    type: builtin:openapi\n"));
    assert_eq!(files.keys().filter(|name| name.contains("pets")).count(), 0);
}

#[actix_web::test]
async fn a_second_import_adds_pages_to_the_existing_ones() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    import(&admin, &space, &zipped(GUIDE)).await.expect(201);
    let once = app.content(&space, &admin);
    import(&admin, &space, &zipped(GUIDE)).await.expect(201);
    let twice = app.content(&space, &admin);
    assert_eq!(twice.pages().count(), 2 * once.pages().count());
    assert_eq!(twice.files().count(), 2 * once.files().count());
    for page in once.pages() {
        assert_eq!(twice.page(page.id), Some(page), "what was there is as it was");
    }
    // The content stays the same in another space.
    let (other, admin) = app.space().await;
    import(&admin, &other, &zipped(GUIDE)).await.expect(201);
    import(&admin, &other, &zipped(GUIDE)).await.expect(201);
    assert_same(&twice, &app.content(&other, &admin));
}

#[actix_web::test]
async fn change_requests_have_exports_and_an_unchanged_one_is_not_sent_again() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    import(&admin, &space, &zipped(GUIDE)).await.expect(201);
    let change_request =
        admin.post(&format!("/v1/spaces/{space}/change-requests"), json!({"subject": "X"})).await.expect(201);
    let path = format!("/v1/spaces/{space}/change-requests/{}/content/export", change_request.text("/id"));
    let main = export(&admin, &space).await;
    let here = admin.get(&path).await.expect(200);
    assert_eq!(here.bytes, main.bytes);
    let request = TestRequest::get().uri(&path).insert_header(("If-None-Match", here.header("etag")));
    admin.send(request).await.expect(304);
    let refused = admin.get(&format!("{path}?format=pdf")).await.expect(400);
    assert_eq!(refused.fields(), ["format"]);
    app.on_space(&space, Some(Role::Read))
        .get(&format!("/v1/spaces/{space}/content/export"))
        .await
        .expect(200);
}

#[actix_web::test]
async fn an_export_reads_its_pages_in_bulk() {
    let app = TestApp::start().await;
    let mut counts = Vec::new();
    for pages in [1, 40] {
        let (space, admin) = app.space().await;
        let names: Vec<(String, String)> =
            (0..pages).map(|n| (format!("{n}.md"), format!("# Page {n}\n\nText {n}.\n"))).collect();
        let files: Vec<(&str, &str)> =
            names.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        import(&admin, &space, &zipped(&files)).await.expect(201);
        let before = app.statements();
        export(&admin, &space).await;
        counts.push(app.statements() - before);
    }
    assert_eq!(counts[0], counts[1]);
}

/// `QUIRE_ARCHIVES=a.zip:b.zip cargo test -p quire-api --test api exports -- --ignored` tests the round trip with other
/// archives.
#[actix_web::test]
#[ignore = "needs archives that QUIRE_ARCHIVES names"]
#[allow(clippy::disallowed_methods, reason = "the archives are named by the caller")]
async fn given_archives_survive_a_round_trip() {
    let app = TestApp::start().await;
    for path in std::env::var("QUIRE_ARCHIVES").unwrap().split(':') {
        let (first, second) = round_trip(&app, &std::fs::read(path).unwrap()).await;
        let (first, second) = (unzipped(&first.bytes), unzipped(&second.bytes));
        for (name, text) in &first {
            assert_eq!(Some(text), second.get(name), "{path}: {name}");
        }
        assert_eq!(first.len(), second.len(), "{path}");
    }
}

#[actix_web::test]
async fn an_export_holds_no_more_texts_than_it_may() {
    let app = TestApp::start().await;
    let mut counts = Vec::new();
    for words in [1, 110_000] {
        let (space, admin) = app.space().await;
        let text = "word ".repeat(words);
        let names: Vec<String> = (0..8).map(|page| format!("Page {page}")).collect();
        let _ = app.edit(&admin, space.parse().unwrap(), ContentSelector::Space, |content| {
            for name in &names {
                content.page(None, name, &format!("{name} {text}"));
            }
        });
        let exported = unzipped(&export(&admin, &space).await.bytes);
        for name in &names {
            let pages = exported.values().filter(|page| page.contains(&format!("{name} word")));
            assert_eq!(pages.filter(|page| page.matches("word").count() == words).count(), 1, "{name}");
        }
        // The documents are cached now, so only their sizes are loaded.
        let before = app.statements();
        export(&admin, &space).await;
        counts.push(app.statements() - before);
    }
    assert_eq!(counts[1], counts[0] + 1, "seven pages fit, and the eighth is for the next time");
}
