//! Content writes to a space and to a change request.

use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

/// Space without content, and an editor.
struct Fixture {
    app: TestApp,
    editor: Caller,
    space: String,
    content: String,
}

impl Fixture {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let (space, _) = app.space().await;
        let (editor, content) =
            (app.on_space(&space, Some(Role::Edit)), format!("/v1/spaces/{space}/content"));
        Self { app, editor, space, content }
    }

    async fn write(&self, changes: Value) -> Answer {
        let request = TestRequest::post().uri(&self.content).set_json(json!({ "changes": changes }));
        self.editor.send(request.insert_header(("Prefer", "return=representation"))).await
    }

    async fn change_request(&self) -> String {
        let path = format!("/v1/spaces/{}/change-requests", self.space);
        self.editor.post(&path, json!({})).await.expect(201).text("/id")
    }

    async fn head(&self) -> String {
        self.editor.get(&format!("/v1/spaces/{}", self.space)).await.expect(200).text("/revision")
    }

    async fn lock(&self) {
        let path = format!("/v1/spaces/{}", self.space);
        let _ = self.app.as_role(Role::Admin).patch(&path, json!({"editMode": "locked"})).await.expect(200);
    }
}

fn page(title: &str) -> Value {
    json!({"operation": "insert_page", "title": title, "document": {"markdown": format!("About {title}.")}})
}

fn titles(answer: &Answer) -> Vec<&str> {
    answer.at("/pages").as_array().unwrap().iter().map(|page| page["title"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn a_space_answers_its_new_revision() {
    let fixture = Fixture::new().await;
    let before = fixture.head().await;
    let made = fixture
        .write(json!([
            {"operation": "insert_page", "title": "Start", "emoji": "🚀", "description": "First steps", "document": {"markdown": "Hello."}},
            {"operation": "insert_group", "title": "Guides"},
            {"operation": "insert_link", "title": "Elsewhere", "target": {"kind": "url", "url": "https://a.example/"}},
        ]))
        .await
        .expect(200);
    assert_eq!((made.text("/object"), made.text("/type")), ("revision".to_owned(), "edits".to_owned()));
    assert_eq!(made.at("/parents"), &json!([before]));
    assert_eq!(made.text("/id"), fixture.head().await);
    assert!(made.header("etag").starts_with(&format!("\"{}.", made.text("/id"))));
    assert_eq!(titles(&made), ["Start", "Guides", "Elsewhere"]);
    let first = made.at("/pages/0");
    assert_eq!(
        (&first["type"], &first["slug"], &first["path"], &first["emoji"], &first["description"]),
        (&json!("document"), &json!("start"), &json!("start"), &json!("🚀"), &json!("First steps"))
    );
    assert_eq!(first["createdAt"], first["updatedAt"]);
    assert!(first["createdAt"].is_string() && first["documentId"].is_string());
    assert_eq!(made.at("/pages/1")["type"], json!("group"));
    assert_eq!(made.at("/pages/2")["target"], json!({"kind": "url", "url": "https://a.example/"}));
    let read =
        fixture.editor.get(&format!("{}/path/start?format=markdown", fixture.content)).await.expect(200);
    assert!(read.text("/markdown").contains("Hello."));
    let found = format!("/v1/spaces/{}/content", fixture.space);
    assert_eq!(fixture.editor.get(&found).await.expect(200).json, made.json);
}

#[actix_web::test]
async fn a_space_answers_what_was_changed_unless_the_caller_prefers_all() {
    let fixture = Fixture::new().await;
    let home = fixture
        .write(json!([{"operation": "insert_page", "title": "Home", "document": {"markdown": "Hello."}}]))
        .await;
    let home = home.expect(200).text("/pages/0/id");
    let changes = json!([
        {"operation": "insert_page", "title": "New", "document": {"markdown": "Text."}},
        {"operation": "update_page", "page": home, "title": "Start"},
    ]);
    let made = fixture.editor.post(&fixture.content, json!({ "changes": changes })).await.expect(200);
    assert_eq!((made.text("/object"), made.text("/id")), ("revision".to_owned(), fixture.head().await));
    assert_eq!(
        (made.text("/changes/0/type"), made.text("/changes/0/page/id")),
        ("page_edited".to_owned(), home)
    );
    assert_eq!(made.at("/changes/0/attributes/title"), &json!({"before": "Home", "after": "Start"}));
    assert_eq!(
        (made.text("/changes/1/type"), made.text("/changes/1/page/path")),
        ("page_created".to_owned(), "new".to_owned())
    );
    assert_eq!((made.json.get("pages"), made.json.get("more")), (None, None));
    let again = json!({"changes": [{"operation": "update_page", "page": made.text("/changes/0/page/id"), "title": "Start"}]});
    let same = fixture.editor.post(&fixture.content, again).await.expect(200);
    assert_eq!((same.text("/id"), same.at("/changes")), (made.text("/id"), &json!([])));
}

#[actix_web::test]
async fn a_change_request_answers_itself_and_the_space_stays_as_it_is() {
    let fixture = Fixture::new().await;
    let (id, before) = (fixture.change_request().await, fixture.head().await);
    let path = format!("/v1/spaces/{}/change-requests/{id}/content", fixture.space);
    let changed = fixture.editor.post(&path, json!({"changes": [page("Draft")]})).await.expect(200);
    assert_eq!((changed.text("/object"), changed.text("/id")), ("change-request".to_owned(), id.clone()));
    assert_ne!(changed.text("/revision"), before);
    assert_eq!(fixture.head().await, before);
    assert_eq!(titles(&fixture.editor.get(&path).await.expect(200)), ["Draft"]);
    let numbered = format!("/v1/spaces/{}/change-requests/1/content", fixture.space);
    let again = fixture.editor.post(&numbered, json!({"changes": [page("More")]})).await.expect(200);
    assert_eq!(again.text("/id"), id);
    fixture.lock().await;
    let _ = fixture.editor.post(&path, json!({"changes": [page("Still")]})).await.expect(200);
    assert_eq!(fixture.write(json!([page("Direct")])).await.expect(409).reason(), "space-locked");
    let one = format!("/v1/spaces/{}/change-requests/{id}", fixture.space);
    let _ = fixture.editor.patch(&one, json!({"status": "archived"})).await.expect(200);
    let refused = fixture.editor.post(&path, json!({"changes": [page("Late")]})).await.expect(409);
    assert_eq!(refused.reason(), "change-request-archived");
}

#[actix_web::test]
async fn changes_are_made_all_or_not_at_all() {
    let fixture = Fixture::new().await;
    let _ = fixture.write(json!([page("Kept")])).await.expect(200);
    let before = fixture.head().await;
    let gone = "0190a5d2-7c1e-7000-8000-000000000001";
    let refused = fixture
        .write(json!([page("Lost"), {"operation": "update_page", "page": gone, "title": "Other"}]))
        .await
        .expect(400);
    assert_eq!(
        (refused.reason(), refused.fields()),
        ("invalid-content".to_owned(), vec!["changes[1].page".to_owned()])
    );
    assert_eq!(fixture.head().await, before);
    assert_eq!(titles(&fixture.editor.get(&fixture.content).await.expect(200)), ["Kept"]);
}

#[actix_web::test]
async fn a_document_beyond_its_bounds_is_refused_with_the_bound() {
    let fixture = Fixture::new().await;
    let before = fixture.head().await;
    let link = json!({"object": "inline", "type": "link", "isVoid": false, "data": {"ref": {"kind": "url", "url": "b"}},
                      "nodes": [{"object": "text", "leaves": [{"object": "leaf", "text": "a", "marks": []}]}]});
    let paragraph = json!({"object": "block", "type": "paragraph", "isVoid": false, "data": {}, "nodes": vec![link; 20_001]});
    let document = json!({"object": "document", "data": {}, "nodes": [paragraph]});
    for (body, field) in [
        (json!({"markdown": "[a](b) ".repeat(20_001)}), "changes[1].document.markdown"),
        (json!({ "document": document }), "changes[1].document.document"),
    ] {
        let long = json!({"operation": "insert_page", "title": "Long", "document": body});
        let refused = fixture.write(json!([page("Lost"), long])).await.expect(400);
        assert_eq!(
            (refused.reason(), refused.fields()),
            ("invalid-content".to_owned(), vec![field.to_owned()])
        );
        let message = refused.text("/error/details/0/message");
        assert!(message.contains("at most 20000 links"), "{message}");
    }
    assert_eq!(fixture.head().await, before);
}

#[actix_web::test]
async fn writers_may_say_what_they_have_seen() {
    let fixture = Fixture::new().await;
    let base = fixture.head().await;
    let body = |title: &str| json!({"base": base, "changes": [page(title)]});
    let first = fixture.editor.post(&fixture.content, body("First")).await.expect(200);
    let stale = fixture.editor.post(&fixture.content, body("Second")).await.expect(409);
    assert_eq!(stale.reason(), "stale-revision");
    assert_eq!(
        stale.at("/error/details"),
        &json!([{"field": "base", "message": base}, {"field": "revision", "message": first.text("/id")}])
    );
    let matching = async |tag: &str, title: &str| {
        let request = TestRequest::post().uri(&fixture.content).insert_header(("If-Match", tag));
        fixture.editor.send(request.set_json(json!({"changes": [page(title)]}))).await
    };
    let second = matching(first.header("etag"), "Second").await.expect(200);
    let old = matching(first.header("etag"), "Third").await.expect(412);
    assert_eq!(old.reason(), "precondition-failed");
    let read = fixture.editor.get(&format!("{}/pages", fixture.content)).await.expect(200);
    let third = matching(read.header("etag"), "Third").await.expect(200);
    assert_eq!(third.at("/parents"), &json!([second.text("/id")]));
}

#[actix_web::test]
async fn a_stale_write_is_merged_on_request() {
    let fixture = Fixture::new().await;
    let made = fixture.write(json!([page("A"), page("B")])).await.expect(200);
    let [a, b] = ["0", "1"].map(|index| made.text(&format!("/pages/{index}/id")));
    let change_request = fixture.change_request().await;
    let proposal = format!("/v1/spaces/{}/change-requests/{change_request}", fixture.space);
    for (content, head) in [
        (fixture.content.clone(), format!("/v1/spaces/{}", fixture.space)),
        (format!("{proposal}/content"), proposal),
    ] {
        let base = fixture.editor.get(&head).await.expect(200).text("/revision");
        let edit = |page: &str, markdown: &str| json!({"operation": "update_page", "page": page, "document": {"markdown": markdown}});
        let stale = json!({"base": base, "changes": [edit(&a, "About A.\n\nMine.")]});
        let merging = |changes: Value| json!({"base": base, "onStale": "merge", "changes": changes});
        let first = fixture.editor.post(&content, merging(json!([edit(&a, "About a.")]))).await.expect(200);
        assert!(first.json.get("merge").is_none(), "there was nothing to merge");
        let others = json!({"changes": [edit(&b, "About b."), {"operation": "update_page", "page": a, "title": "Other"}]});
        let _ = fixture.editor.post(&content, others).await.expect(200);
        let refused = fixture.editor.post(&content, stale).await.expect(409);
        assert_eq!(refused.reason(), "stale-revision");

        let mine = merging(json!([edit(&a, "About my A.\n\nMine."), edit(&b, "About B.\n\nMine, too.")]));
        let written = fixture.editor.post(&content, mine).await.expect(200);
        let merge = written.at("/merge");
        assert_eq!(merge["base"], json!(base));
        let kinds: Vec<_> =
            merge["changes"].as_array().unwrap().iter().map(|change| &change["type"]).collect();
        assert_eq!(kinds, ["page_edited", "page_edited"]);
        let documents: Vec<_> =
            merge["documents"].as_array().unwrap().iter().map(|document| &document["page"]).collect();
        assert_eq!(documents, [&json!(a), &json!(b)]);
        let [conflict] = merge["conflicts"].as_array().unwrap().as_slice() else { panic!("{merge}") };
        assert_eq!((&conflict["kind"], &conflict["page"]["id"]), (&json!("document"), &json!(a)));
        let block = &conflict["blocks"][0];
        for (side, text) in [("base", "About A."), ("ours", "About my A."), ("theirs", "About a.")] {
            assert!(block[side].to_string().contains(text), "{block}");
        }
        for (page, text, document) in [
            (&a, "About a.\n\nMine.", &merge["documents"][0]),
            (&b, "About b.\n\nMine, too.", &merge["documents"][1]),
        ] {
            let read =
                fixture.editor.get(&format!("{content}/page/{page}?format=markdown")).await.expect(200);
            assert!(read.text("/markdown").contains(text), "{}", read.text("/markdown"));
            let read =
                fixture.editor.get(&format!("{content}/page/{page}?format=document")).await.expect(200);
            assert_eq!(read.at("/document"), &document["document"]);
        }
    }
}

#[actix_web::test]
async fn a_save_amends_the_revision_before_and_the_audit_log_has_one_entry() {
    let fixture = Fixture::new().await;
    let made = fixture.write(json!([page("A")])).await.expect(200);
    let change_request = fixture.change_request().await;
    let proposal = format!("/v1/spaces/{}/change-requests/{change_request}", fixture.space);
    let content = format!("{proposal}/content");
    let save = async |text: &str| {
        let edit = json!({"operation": "update_page", "page": made.text("/pages/0/id"), "document": {"markdown": text}});
        fixture.editor.post(&content, json!({"amend": true, "changes": [edit]})).await.expect(200)
    };
    let first = save("One.").await;
    let entries = |()| fixture.app.store.count("audit_entries");
    let before = entries(());
    let mut last = first.text("/revision");
    for (seconds, text, amends, audited) in [
        (1, "Two.", true, 0),
        (28, "Three.", true, 0),
        (1, "Four.", true, 1),
        (29, "Five.", true, 0),
        (541, "Six.", false, 1),
    ] {
        fixture.app.clock.advance(std::time::Duration::from_secs(seconds));
        let count = entries(());
        let saved = save(text).await;
        assert_eq!(saved.at("/amended"), &json!(amends), "{text}");
        assert_eq!(entries(()) - count, audited, "{text}");
        assert_ne!(saved.text("/revision"), last);
        last = saved.text("/revision");
        let read = fixture.editor.get(&content).await.expect(200);
        assert_eq!(read.text("/id"), last);
    }
    assert!(entries(()) > before);
    assert_eq!(first.at("/amended"), &json!(false));
    let old = format!("/v1/spaces/{}/revisions/{}", fixture.space, first.text("/revision"));
    let _ = fixture.editor.get(&old).await.expect(200);
    let plain = fixture.editor.post(&content, json!({"changes": [page("B")]})).await.expect(200);
    assert!(plain.json.get("amended").is_none());
    for value in [json!(null), json!("yes"), json!(1)] {
        let body = json!({"amend": value, "changes": [page("C")]});
        assert_eq!(fixture.editor.post(&content, body).await.expect(400).fields(), ["amend"]);
    }
}

#[actix_web::test]
async fn a_merge_needs_a_base_that_the_content_had() {
    let fixture = Fixture::new().await;
    let change_request = fixture.change_request().await;
    let proposal = format!("/v1/spaces/{}/change-requests/{change_request}/content", fixture.space);
    let foreign =
        fixture.editor.post(&proposal, json!({"changes": [page("A")]})).await.expect(200).text("/revision");
    let without = json!({"onStale": "merge", "changes": [page("A")]});
    let refused = fixture.editor.post(&fixture.content, without).await.expect(400);
    assert!(refused.text("/error/message").contains("requires `base`"), "{}", refused.text("/error/message"));
    for (value, status) in [(json!("both"), 400), (json!(null), 400), (json!(["merge"]), 400)] {
        let body = json!({"base": foreign, "onStale": value, "changes": [page("A")]});
        assert_eq!(fixture.editor.post(&fixture.content, body).await.expect(status).fields(), ["onStale"]);
    }
    for base in [foreign.as_str(), "0190a5d2-7c1e-7000-8000-000000000001"] {
        let body = json!({"base": base, "onStale": "merge", "changes": [page("A")]});
        let refused = fixture.editor.post(&fixture.content, body).await.expect(409);
        assert_eq!(
            (refused.reason(), refused.fields()),
            ("stale-revision".to_owned(), vec!["base".to_owned(), "revision".to_owned()])
        );
    }
    // The revision from which the change request was created is in the history of both.
    let initial = json!({"base": fixture.head().await, "onStale": "merge", "changes": [page("B")]});
    let _ = fixture.editor.post(&proposal, initial).await.expect(200);
}

#[actix_web::test]
async fn only_editors_write() {
    let fixture = Fixture::new().await;
    let change_request = fixture.change_request().await;
    let body = json!({"changes": [page("A")]});
    for path in [
        fixture.content.clone(),
        format!("/v1/spaces/{}/change-requests/{change_request}/content", fixture.space),
    ] {
        for (role, status) in [
            (Role::Read, 403),
            (Role::Comment, 403),
            (Role::Edit, 200),
            (Role::Review, 200),
            (Role::Create, 200),
            (Role::Admin, 200),
        ] {
            let _ = fixture
                .app
                .on_space(&fixture.space, Some(role))
                .post(&path, body.clone())
                .await
                .expect(status);
        }
        let _ = fixture.app.anonymous().post(&path, body.clone()).await.expect(401);
        let hidden = fixture.app.stranger().post(&path, body.clone()).await.expect(404);
        let absent =
            fixture.app.stranger().post("/v1/spaces/nonsense/content", body.clone()).await.expect(404);
        assert_eq!(hidden.bytes, absent.bytes);
        let weak = fixture.app.read_only(&fixture.editor);
        let _ = weak.post(&path, body.clone()).await.expect(403);
    }
    let absent = format!("/v1/spaces/{}/change-requests/99/content", fixture.space);
    let _ = fixture.editor.post(&absent, body.clone()).await.expect(404);
}

#[actix_web::test]
async fn bad_bodies_are_refused_with_the_field_that_is_wrong() {
    let fixture = Fixture::new().await;
    let made =
        fixture.write(json!([page("A"), {"operation": "insert_group", "title": "G"}])).await.expect(200);
    let (a, group) = (made.text("/pages/0/id"), made.text("/pages/1/id"));
    let before = fixture.head().await;
    let insert = |key: &str, value: Value| {
        let mut change = page("B");
        change.as_object_mut().unwrap().insert(key.to_owned(), value);
        change
    };
    let mut deep = json!({"object": "block", "type": "blockquote", "data": {}, "nodes": []});
    for _ in 0..59 {
        deep = json!({"object": "block", "type": "blockquote", "data": {}, "nodes": [deep]});
    }
    let document = |nodes: Value| json!({"document": {"object": "document", "data": {}, "nodes": nodes}});
    for (change, field) in [
        (json!({"operation": "explode"}), "changes[0]"),
        (json!({"operation": "insert_page"}), "changes[0]"),
        (json!({"operation": "delete_page", "page": "a"}), "changes[0]"),
        (insert("title", json!("")), "changes[0].title"),
        (insert("title", json!(7)), "changes[0]"),
        (insert("slug", json!("A B")), "changes[0].slug"),
        (insert("slug", json!("a")), "changes[0].slug"),
        (insert("into", json!("0190a5d2-7c1e-7000-8000-000000000001")), "changes[0].into"),
        (insert("at", json!(-1)), "changes[0]"),
        (insert("emoji", json!("a b")), "changes[0].emoji"),
        (insert("icon", json!("i".repeat(51))), "changes[0].icon"),
        (insert("description", json!("\u{0}")), "changes[0].description"),
        (insert("cover", json!({"ref": {"kind": "user", "user": "u"}})), "changes[0].cover.ref"),
        (insert("document", json!({"markdown": 7})), "changes[0]"),
        (
            insert("document", document(json!([{"object": "block", "type": "x"}]))),
            "changes[0].document.document.nodes[0]",
        ),
        (insert("document", document(json!([deep]))), "changes[0].document"),
        (
            insert(
                "document",
                document(
                    json!([{"object": "block", "type": "updates", "isVoid": false, "data": {}, "nodes": []}]),
                ),
            ),
            "changes[0].document.document.nodes[0].data.format",
        ),
        (
            insert(
                "document",
                document(
                    json!([{"object": "block", "type": "table", "isVoid": true, "fragments": [], "data": {
                "view": {"type": "grid", "columns": ["a"], "hideHeader": true}, "records": {},
                "definition": {"a": {"id": "a", "title": "A", "type": "rating"}}}}]),
                ),
            ),
            "changes[0].document.document.nodes[0].data.definition.a.max",
        ),
        (json!({"operation": "update_page", "page": a, "into": a}), "changes[0].into"),
        (json!({"operation": "update_page", "page": group, "into": a}), "changes[0].into"),
        (json!({"operation": "update_page", "page": group, "document": {}}), "changes[0].document"),
        (json!({"operation": "revert_page", "page": a, "revision": a}), "changes[0].revision"),
        (json!({"operation": "revert_page", "page": a, "block": ["x"]}), "changes[0].page"),
        (json!({"operation": "revert_page", "page": a, "block": ["x", "y", "x"]}), "changes[0].block"),
        (
            json!({"operation": "revert_page", "page": a, "block": (0..101).map(|block| block.to_string()).collect::<Vec<_>>()}),
            "changes[0].block",
        ),
        (json!({"operation": "insert_link", "target": {"kind": "x"}}), "changes[0].target"),
        (
            json!({"operation": "insert_link", "target": {"kind": "url", "url": "javascript:alert(1)"}}),
            "changes[0].target",
        ),
        (
            json!({"operation": "insert_files", "files": [{"name": "a", "url": "https://u:p@a.example/"}]}),
            "changes[0].files[0].url",
        ),
        (json!({"operation": "insert_files", "files": []}), "changes[0].files"),
        (json!({"operation": "insert_files", "files": [{"name": "a"}]}), "changes[0].files[0]"),
        (
            json!({"operation": "insert_files", "files": [{"name": "a", "contentType": "x", "base64": "AAAA"}]}),
            "changes[0].files[0].contentType",
        ),
        (
            json!({"operation": "insert_files", "files": [{"name": "a", "contentType": "a/b", "base64": "!"}]}),
            "changes[0].files[0].base64",
        ),
        (
            json!({"operation": "insert_files", "files": [{"name": "../a", "contentType": "a/b", "base64": "AAAA"}]}),
            "changes[0].files[0].name",
        ),
        (
            json!({"operation": "insert_files", "files": [{"name": "a", "url": "ftp://a.example/"}]}),
            "changes[0].files[0].url",
        ),
        (
            json!({"operation": "insert_files", "files": [{"name": "a", "url": "http://127.0.0.1/"}]}),
            "changes[0].files[0].url",
        ),
    ] {
        let refused = fixture.write(json!([change])).await;
        assert_eq!(refused.status, 400, "{change}");
        let fields = refused.fields();
        assert!(fields.iter().all(|at| at.starts_with(field)) && !fields.is_empty(), "{change}: {fields:?}");
    }
    for body in
        [json!({}), json!({"changes": []}), json!({"changes": {}}), json!({"changes": vec![page("A"); 51]})]
    {
        let refused = fixture.editor.post(&fixture.content, body).await.expect(400);
        assert_eq!(
            refused.fields(),
            if refused.fields().is_empty() { vec![] } else { vec!["changes".to_owned()] }
        );
    }
    let base = json!({"base": "x", "changes": [page("A")]});
    assert_eq!(fixture.editor.post(&fixture.content, base).await.expect(400).fields(), ["base"]);
    assert_eq!(fixture.head().await, before);
    let fifty = fixture.write(json!(vec![page("Many"); 50])).await.expect(200);
    assert_eq!(titles(&fifty).len(), 52);
}

#[actix_web::test]
async fn a_page_is_taken_back_to_the_revision_before_and_to_the_base_of_a_change_request() {
    let fixture = Fixture::new().await;
    let made = fixture.write(json!([page("A")])).await.expect(200);
    let id = made.text("/pages/0/id");
    let change_request = fixture.change_request().await;
    let working_copy = format!("/v1/spaces/{}/change-requests/{change_request}/content", fixture.space);
    let update = |title: &str| json!({"changes": [{"operation": "update_page", "page": id, "title": title}]});
    let revert = json!({"changes": [{"operation": "revert_page", "page": id}]});
    for path in [&fixture.content, &working_copy] {
        let _ = fixture.editor.post(path, update("B")).await.expect(200);
        let _ = fixture.editor.post(path, revert.clone()).await.expect(200);
        assert_eq!(titles(&fixture.editor.get(path).await.expect(200)), ["A"]);
    }
    let _ = fixture.editor.post(&working_copy, update("B")).await.expect(200);
    let _ = fixture.editor.post(&working_copy, update("C")).await.expect(200);
    let _ = fixture.editor.post(&working_copy, revert).await.expect(200);
    assert_eq!(titles(&fixture.editor.get(&working_copy).await.expect(200)), ["A"]);
    let blocks = json!({"changes": [
        {"operation": "update_page", "page": id, "document": {"markdown": "One.\n\nTwo."}},
        {"operation": "revert_page", "page": id, "block": ["0"]},
    ]});
    let _ = fixture.editor.post(&fixture.content, blocks).await.expect(200);
    let read =
        fixture.editor.get(&format!("{}/page/{id}?format=markdown", fixture.content)).await.expect(200);
    let markdown = read.text("/markdown");
    assert!(
        markdown.contains("About A.") && markdown.contains("Two.") && !markdown.contains("One."),
        "{markdown}"
    );
}

#[actix_web::test]
async fn a_write_costs_the_same_number_of_statements_for_one_change_and_for_fifty() {
    let fixture = Fixture::new().await;
    let _ = fixture.write(json!([page("Warm")])).await.expect(200);
    let count = async |changes: Value| {
        let before = fixture.app.statements();
        let _ = fixture.write(changes).await.expect(200);
        fixture.app.statements() - before
    };
    let one = count(json!([page("A")])).await;
    assert_eq!(count(json!(vec![page("B"); 50])).await, one);
    for _ in 0..3 {
        let _ = fixture.write(json!(vec![page("C"); 50])).await.expect(200);
    }
    assert_eq!(count(json!([page("D")])).await, one);
}

#[actix_web::test]
async fn a_page_has_a_title_of_its_own_in_navigation() {
    let fixture = Fixture::new().await;
    let named = json!({"operation": "insert_page", "title": "Everything about anchors", "linkTitle": "Anchors",
        "document": {"markdown": "Heavy."}});
    fixture.write(json!([named])).await.expect(200);
    let path = format!("{}/path/everything-about-anchors", fixture.content);
    let read = fixture.editor.get(&path).await.expect(200);
    assert_eq!(
        (read.text("/title"), read.text("/linkTitle")),
        ("Everything about anchors".to_owned(), "Anchors".to_owned())
    );
    let markdown = fixture.editor.get(&format!("{path}?format=markdown")).await.expect(200).text("/markdown");
    assert!(markdown.contains("linkTitle: Anchors"), "{markdown}");
    let page = read.text("/id");
    let update = |change: Value| {
        let mut change = change;
        change["operation"] = json!("update_page");
        change["page"] = json!(page);
        json!([change])
    };
    fixture
        .write(update(json!({"document": {"markdown": "---\nlinkTitle: Chains\n---\nLong."}})))
        .await
        .expect(200);
    assert_eq!(fixture.editor.get(&path).await.expect(200).text("/linkTitle"), "Chains");
    let long = fixture.write(update(json!({"linkTitle": "t".repeat(101)}))).await.expect(400);
    assert_eq!(long.fields(), ["changes[0].linkTitle"]);
    fixture.write(update(json!({"linkTitle": ""}))).await.expect(200);
    assert_eq!(fixture.editor.get(&path).await.expect(200).json.get("linkTitle"), None);
    let group = json!([{"operation": "insert_group", "title": "Group", "linkTitle": "G"}]);
    assert_eq!(fixture.write(group).await.expect(400).fields(), ["changes[0].linkTitle"]);
}
