//! Change requests: life cycle, content, and merges.

use std::collections::BTreeSet;
use std::time::Duration;

use actix_web::test::TestRequest;
use futures_util::future::join_all;
use quire_domain::Role;
use quire_domain::ids::PageId;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Answer, Caller, ContentEditor, TestApp};
use serde_json::{Value, json};

/// A space with an editor.
struct Fixture {
    app: TestApp,
    space: String,
    admin: Caller,
    path: String,
}

impl Fixture {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let (space, admin) = app.space().await;
        let path = format!("/v1/spaces/{space}/change-requests");
        Self { app, space, admin, path }
    }

    async fn make(&self, subject: &str) -> String {
        self.admin.post(&self.path, json!({"subject": subject})).await.expect(201).text("/id")
    }

    async fn get(&self, key: &str) -> Answer {
        self.admin.get(&format!("{}/{key}", self.path)).await.expect(200)
    }

    async fn set_status(&self, key: &str, status: &str) -> Answer {
        self.admin.patch(&format!("{}/{key}", self.path), json!({"status": status})).await
    }

    async fn merge(&self, key: &str) -> Answer {
        self.admin.post_empty(&format!("{}/{key}/merge", self.path)).await
    }

    async fn update(&self, key: &str, body: Value) -> Answer {
        self.admin.post(&format!("{}/{key}/update", self.path), body).await
    }

    async fn space(&self) -> Answer {
        self.admin.get(&format!("/v1/spaces/{}", self.space)).await.expect(200)
    }

    fn titles(&self) -> Vec<String> {
        let tree = self.app.content(&self.space, &self.admin);
        tree.pages_in_order().map(|page| page.title.clone()).collect()
    }

    /// Edits the main content or a change request. Returns the error if that is refused.
    fn try_edit<T>(
        &self,
        editor: &Caller,
        change_request: Option<&str>,
        edit: impl FnOnce(&mut ContentEditor) -> T,
    ) -> Result<T, quire_storage::Error> {
        let content = match change_request {
            None => ContentSelector::Space,
            Some(key) => ContentSelector::ChangeRequest(key.parse().unwrap()),
        };
        self.app.try_edit(editor, self.space.parse().unwrap(), content, edit).map(|(_, said)| said)
    }

    fn edit<T>(&self, change_request: Option<&str>, edit: impl FnOnce(&mut ContentEditor) -> T) -> T {
        self.try_edit(&self.admin, change_request, edit).unwrap()
    }

    /// Adds pages to the main content, each with a paragraph.
    fn pages(&self, count: usize) -> Vec<PageId> {
        self.edit(None, |draft| {
            (0..count).map(|n| draft.page(None, &format!("Page {n}"), "One line.")).collect()
        })
    }

    fn write(&self, change_request: Option<&str>, page: PageId, markdown: &str) {
        self.edit(change_request, |draft| draft.write(page, markdown));
    }

    fn rename(&self, change_request: Option<&str>, page: PageId, title: &str) {
        self.edit(change_request, |draft| {
            draft.change_page(page, |page| page.title = title.to_owned());
        });
    }
}

/// Returns a change request as lists show it, without permissions and unmet rules.
pub fn as_listed(mut change_request: Value) -> Value {
    for key in ["permissions", "mergeBlockedBy"] {
        let _ = change_request.as_object_mut().unwrap().remove(key);
    }
    change_request
}

#[actix_web::test]
async fn a_change_request_is_made_read_and_changed() {
    let f = Fixture::new().await;
    let editor = f.app.on_space(&f.space, Some(Role::Edit));
    let head = f.space().await.text("/revision");
    let made = editor.post_empty(&f.path).await.expect(201);
    let id = made.text("/id");
    let location = format!("{}/{id}", f.path);
    assert!(made.header("location").ends_with(&location));
    assert!(!made.header("etag").is_empty());
    let expected = json!({
        "object": "change-request", "id": id, "space": f.space, "number": 1, "status": "draft", "subject": "Untitled change request",
        "createdBy": made.at("/createdBy"), "createdAt": made.at("/createdAt"), "updatedAt": made.at("/createdAt"),
        "revision": head, "revisionInitial": head, "comments": 0, "outdated": false,
        "urls": {
            "app": format!("http://127.0.0.1:8080/s/{}/~/changes/1", f.space),
            "location": format!("http://127.0.0.1:8080{location}"),
        },
        "permissions": {"merge": false, "bypassRules": false},
    });
    assert_eq!(made.json, expected);
    assert_eq!(made.text("/createdBy/id"), editor.user().to_string());
    assert_eq!(made.text("/createdBy/object"), "user");
    for key in [id.as_str(), "1"] {
        assert_eq!(editor.get(&format!("{}/{key}", f.path)).await.expect(200).json, expected);
    }
    for absent in
        ["0", "2", "01", "x", "1.5", "-1", "99999999999", "0190a5d2-7c1e-7000-8000-000000000001", "%00"]
    {
        let _ = f.admin.get(&format!("{}/{absent}", f.path)).await.expect(404);
    }
    f.app.clock.advance(Duration::from_secs(60));
    let changed = editor.patch(&location, json!({"subject": "Typos", "status": "open"})).await.expect(200);
    assert_eq!((changed.text("/subject"), changed.text("/status")), ("Typos".to_owned(), "open".to_owned()));
    assert!(changed.text("/updatedAt") > made.text("/updatedAt"));
    assert_eq!(editor.get(&location).await.expect(200).json, changed.json);
    let same = editor.patch(&location, json!({"status": "open"})).await.expect(200);
    assert_eq!(same.json, changed.json);
}

#[actix_web::test]
async fn bad_input_is_named() {
    let f = Fixture::new().await;
    let id = f.make("x").await;
    let one = format!("{}/{id}", f.path);
    for (body, field) in [
        (json!({"subject": "x".repeat(101)}), "subject"),
        (json!({"subject": null}), "subject"),
        (json!({"subject": 7}), "subject"),
        (json!({"status": "merged"}), "status"),
        (json!({"status": "new"}), "status"),
    ] {
        assert_eq!(f.admin.patch(&one, body.clone()).await.expect(400).fields(), [field], "{body}");
        if field == "subject" {
            assert_eq!(f.admin.post(&f.path, body.clone()).await.expect(400).fields(), [field], "{body}");
        }
    }
    assert_eq!(f.update(&id, json!({"strategy": "mine"})).await.expect(400).fields(), ["strategy"]);
    for (query, field) in
        [("status=closed", "status"), ("limit=0", "limit"), ("limit=1001", "limit"), ("page=x", "page")]
    {
        assert_eq!(
            f.admin.get(&format!("{}?{query}", f.path)).await.expect(400).fields(),
            [field],
            "{query}"
        );
    }
    let many = "ü".repeat(100);
    let _ = f.admin.patch(&one, json!({"subject": many})).await.expect(200);
}

#[actix_web::test]
async fn roles_decide_and_strangers_see_nothing() {
    let f = Fixture::new().await;
    let id = f.make("x").await;
    let one = format!("{}/{id}", f.path);
    let reader = f.app.on_space(&f.space, Some(Role::Comment));
    let editor = f.app.on_space(&f.space, Some(Role::Edit));
    let stranger = f.app.stranger();
    for path in [&f.path, &one] {
        let _ = reader.get(path).await.expect(200);
        let _ = stranger.get(path).await.expect(404);
        let _ = f.app.anonymous().get(path).await.expect(401);
    }
    for (path, body) in [
        (f.path.clone(), json!({})),
        (format!("{one}/update"), json!({})),
        (format!("{one}/merge"), json!({})),
    ] {
        let _ = reader.post(&path, body.clone()).await.expect(403);
        let _ = stranger.post(&path, body.clone()).await.expect(404);
        let _ = f.app.anonymous().post(&path, body).await.expect(401);
    }
    let _ = reader.patch(&one, json!({})).await.expect(403);
    let _ = editor.post_empty(&format!("{one}/update")).await.expect(200);
    let _ = editor.post_empty(&format!("{one}/merge")).await.expect(403);
    let reviewer = f.app.on_space(&f.space, Some(Role::Review));
    let _ = reviewer.post_empty(&format!("{one}/merge")).await.expect(200);
    // A change request is found in its own space only.
    let (other, admin) = f.app.space().await;
    let _ = admin.get(&format!("/v1/spaces/{other}/change-requests/{id}")).await.expect(404);
}

#[actix_web::test]
async fn numbers_have_no_gaps_under_concurrency() {
    let f = Fixture::new().await;
    let bodies = [json!({}), json!({"subject": "x".repeat(200)})];
    let made =
        join_all((0..24).map(|n| f.admin.post(&f.path, bodies[usize::from(n % 3 == 2)].clone()))).await;
    let numbers: BTreeSet<u64> = made
        .iter()
        .filter(|answer| answer.status == 201)
        .map(|answer| answer.at("/number").as_u64().unwrap())
        .collect();
    assert_eq!(numbers, (1..=16).collect());
    let space = f.space().await;
    assert_eq!((space.at("/changeRequests"), space.at("/changeRequestsDraft")), (&json!(16), &json!(16)));
}

#[actix_web::test]
async fn lists_are_filtered_and_paged() {
    let f = Fixture::new().await;
    let editor = f.app.on_space(&f.space, Some(Role::Edit));
    for n in 0..5 {
        let id = f.make(&format!("Draft {n}")).await;
        if n > 1 {
            let _ = f.set_status(&id, "open").await.expect(200);
        }
    }
    let _ = f.try_edit(&editor, Some("4"), |draft| draft.page(None, "By the editor", "")).unwrap();
    let numbers = |list: &Answer| -> Vec<u64> {
        list.at("/items").as_array().unwrap().iter().map(|item| item["number"].as_u64().unwrap()).collect()
    };
    let list = async |query: &str| f.admin.get(&format!("{}?{query}", f.path)).await.expect(200);
    let open = list("").await;
    assert_eq!((numbers(&open), open.at("/count"), open.json.get("next")), (vec![5, 4, 3], &json!(3), None));
    assert_eq!(open.at("/items/0"), &as_listed(f.get("5").await.json));
    assert_eq!(numbers(&list("status=draft").await), [2, 1]);
    assert_eq!(numbers(&list("status=archived").await), Vec::<u64>::new());
    assert_eq!(numbers(&list(&format!("contributor={}", editor.user())).await), [4]);
    assert_eq!(numbers(&list(&format!("contributor={}", f.admin.user())).await), [5, 4, 3]);
    assert_eq!(numbers(&list(&format!("contributor={}", f.app.stranger().user())).await), Vec::<u64>::new());
    let mut walked = Vec::new();
    let mut query = "limit=1".to_owned();
    loop {
        let page = list(&query).await;
        assert_eq!(page.at("/count"), &json!(3));
        walked.extend(numbers(&page));
        let Some(next) = page.json.pointer("/next/page").and_then(Value::as_str) else { break };
        query = format!("limit=1&page={next}");
        // A cursor belongs to one list.
        let _ = f.admin.get(&format!("{}?status=draft&page={next}", f.path)).await.expect(400);
    }
    assert_eq!(walked, [5, 4, 3]);
}

#[actix_web::test]
async fn statements_do_not_grow_with_the_list() {
    let f = Fixture::new().await;
    let id = f.make("x").await;
    let count = async |path: &str| {
        let before = f.app.statements();
        let _ = f.admin.get(path).await.expect(200);
        f.app.statements() - before
    };
    let _ = count(&f.path).await;
    // Three statements load the change request, the merge rules and the description.
    assert_eq!(count(&format!("{}/{id}", f.path)).await, 3);
    let list = format!("{}?status=draft&limit=100", f.path);
    let one = count(&list).await;
    for _ in 0..99 {
        f.make("x").await;
    }
    assert_eq!((one, count(&list).await), (3, 3));
}

#[actix_web::test]
async fn status_follows_the_state_machine() {
    let f = Fixture::new().await;
    f.make("x").await;
    for status in ["open", "archived", "draft", "archived", "open", "open", "draft"] {
        assert_eq!(f.set_status("1", status).await.expect(200).text("/status"), status);
    }
    let _ = f.set_status("1", "archived").await.expect(200);
    assert_eq!(f.merge("1").await.expect(409).reason(), "change-request-archived");
    assert_eq!(f.update("1", json!({})).await.expect(409).reason(), "change-request-archived");
    let refused = f.try_edit(&f.admin, Some("1"), |draft| draft.page(None, "x", ""));
    assert!(matches!(refused, Err(quire_storage::Error::Refused(_))));
    let _ = f.set_status("1", "draft").await.expect(200);
    let _ = f.merge("1").await.expect(200);
    for status in ["draft", "open", "archived"] {
        assert_eq!(f.set_status("1", status).await.expect(409).reason(), "change-request-merged");
    }
    assert_eq!(f.merge("1").await.expect(409).reason(), "change-request-merged");
    assert_eq!(f.update("1", json!({})).await.expect(409).reason(), "change-request-merged");
    // The subject can change in every status.
    let renamed = f.admin.patch(&format!("{}/1", f.path), json!({"subject": "Done"})).await.expect(200);
    assert_eq!((renamed.text("/subject"), renamed.text("/status")), ("Done".to_owned(), "merged".to_owned()));
}

#[actix_web::test]
async fn counters_equal_a_recount() {
    let f = Fixture::new().await;
    for (number, statuses) in [
        vec![],
        vec!["open"],
        vec!["open", "archived"],
        vec!["open", "draft"],
        vec!["archived", "open"],
        vec![],
    ]
    .into_iter()
    .enumerate()
    {
        f.make("x").await;
        for status in statuses {
            let _ = f.set_status(&(number + 1).to_string(), status).await.expect(200);
        }
    }
    let _ = f.merge("5").await.expect(200);
    let _ = f.merge("6").await.expect(200);
    let mut total = 0;
    let space = f.space().await;
    for (status, counter) in
        [("open", "/changeRequestsOpen"), ("draft", "/changeRequestsDraft"), ("archived", ""), ("merged", "")]
    {
        let list = f.admin.get(&format!("{}?status={status}", f.path)).await.expect(200);
        total += list.at("/count").as_u64().unwrap();
        if !counter.is_empty() {
            assert_eq!(list.at("/count"), space.at(counter), "{status}");
        }
    }
    assert_eq!(space.at("/changeRequests"), &json!(total));
    assert_eq!(total, 6);
}

#[actix_web::test]
async fn a_merge_makes_a_revision_of_both_sides() {
    let f = Fixture::new().await;
    let pages = f.pages(2);
    let initial = f.space().await.text("/revision");
    let id = f.make("x").await;
    f.rename(Some(&id), pages[0], "Mine");
    assert_eq!(f.get(&id).await.at("/outdated"), &json!(false));
    assert_eq!(f.titles(), ["Page 0", "Page 1"]);
    f.rename(None, pages[1], "Theirs");
    let before = f.get(&id).await;
    assert_eq!(before.at("/outdated"), &json!(true));
    assert_eq!(before.text("/revisionInitial"), initial);
    assert_eq!(before.json.get("revisionMergedAncestor"), None);
    let main = f.space().await.text("/revision");
    f.app.clock.advance(Duration::from_secs(60));
    let merged = f.merge(&id).await.expect(200);
    let revision = merged.text("/revision");
    assert_eq!(merged.json, json!({"revision": revision, "result": "merge"}));
    assert_eq!(f.space().await.text("/revision"), revision);
    assert_eq!(f.titles(), ["Mine", "Theirs"]);
    let after = f.get(&id).await;
    assert_eq!(
        (after.text("/status"), after.text("/revisionMerged")),
        ("merged".to_owned(), revision.clone())
    );
    assert_eq!(after.text("/revision"), before.text("/revision"));
    assert_eq!(after.at("/outdated"), &json!(false));
    assert!(after.text("/updatedAt") > before.text("/updatedAt"));
    let (kind, parents) = revision_row(&f.app, &revision);
    assert_eq!((kind.as_str(), parents), ("merge", vec![main, before.text("/revision")]));
}

/// Returns the type and parents of a revision.
fn revision_row(app: &TestApp, id: &str) -> (String, Vec<String>) {
    use diesel::prelude::*;
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = diesel::sql_types::Text)]
        kind: String,
        #[diesel(sql_type = diesel::sql_types::Array<diesel::sql_types::Text>)]
        parents: Vec<String>,
    }
    let query = format!("SELECT type AS kind, parents::text[] AS parents FROM revisions WHERE id = '{id}'");
    let row: Row = diesel::sql_query(query).get_result(&mut app.connection()).unwrap();
    (row.kind, row.parents)
}

#[actix_web::test]
async fn ten_merges_on_different_pages_at_once_all_land() {
    let f = Fixture::new().await;
    let pages = f.pages(10);
    for (n, page) in pages.iter().enumerate() {
        let id = f.make("x").await;
        f.rename(Some(&id), *page, &format!("Renamed {n}"));
    }
    let keys: Vec<String> = (1..=10).map(|n| n.to_string()).collect();
    let merged = join_all(keys.iter().map(|key| f.merge(key))).await;
    for answer in merged {
        assert_eq!(answer.expect(200).text("/result"), "merge");
    }
    assert_eq!(f.titles(), (0..10).map(|n| format!("Renamed {n}")).collect::<Vec<_>>());
    assert_eq!(f.space().await.at("/changeRequestsDraft"), &json!(0));
}

#[actix_web::test]
async fn of_ten_merges_on_one_page_one_lands_and_the_others_change_nothing() {
    let f = Fixture::new().await;
    let pages = f.pages(1);
    for n in 0..10 {
        let id = f.make("x").await;
        f.rename(Some(&id), pages[0], &format!("Renamed {n}"));
    }
    let keys: Vec<String> = (1..=10).map(|n| n.to_string()).collect();
    let answers: Vec<Answer> = join_all(keys.iter().map(|key| f.merge(key)))
        .await
        .into_iter()
        .map(|answer| answer.expect(200))
        .collect();
    let (merged, refused): (Vec<_>, Vec<_>) =
        answers.iter().enumerate().partition(|(_, answer)| answer.text("/result") == "merge");
    assert_eq!((merged.len(), refused.len()), (1, 9));
    let (winner, answer) = merged[0];
    assert_eq!(f.titles(), [format!("Renamed {winner}")]);
    assert_eq!(f.space().await.text("/revision"), answer.text("/revision"));
    for (n, answer) in refused {
        let change_request = f.get(&keys[n]).await;
        assert_eq!(change_request.text("/status"), "draft");
        assert_eq!(answer.text("/revision"), change_request.text("/revision"));
        assert_eq!(
            answer.at("/conflicts"),
            &json!([{
                "id": answer.text("/conflicts/0/id"),
                "page": {"id": pages[0].to_string(), "title": format!("Renamed {n}"), "path": "page-0"},
                "kind": "title",
                "base": "Page 0",
                "ours": format!("Renamed {n}"),
                "theirs": format!("Renamed {winner}"),
            }])
        );
    }
}

#[actix_web::test]
async fn documents_merge_block_by_block() {
    let f = Fixture::new().await;
    let page = f.pages(1)[0];
    f.write(None, page, "First.\n\nSecond.\n\nThird.");
    let id = f.make("x").await;
    f.write(Some(&id), page, "First, by me.\n\nSecond.\n\nThird.");
    f.write(None, page, "First.\n\nSecond.\n\nThird, by them.");
    assert_eq!(f.merge(&id).await.expect(200).text("/result"), "merge");
    let other = f.make("y").await;
    f.write(Some(&other), page, "First, by me.\n\nSecond.\n\nThird, by others.");
    f.write(None, page, "First, by me.\n\nSecond.\n\nThird, unchanged.");
    let refused = f.merge(&other).await.expect(200);
    assert_eq!(
        (refused.text("/result"), refused.text("/conflicts/0/kind")),
        ("conflicts".to_owned(), "document".to_owned())
    );
}

/// Creates a change request with conflicts in the title of a page, the second item of its list and its last paragraph.
async fn in_conflict(f: &Fixture) -> (PageId, String, Answer) {
    let page = f.pages(1)[0];
    f.write(None, page, "First.\n\n- One\n- Two\n\nLast words.");
    let id = f.make("x").await;
    f.write(Some(&id), page, "First, by me.\n\n- One\n- Mine\n\nMy words.");
    f.rename(Some(&id), page, "Mine");
    f.write(None, page, "First.\n\n- One\n- Theirs\n\nTheir words.\n\nMore.");
    f.rename(None, page, "Theirs");
    let refused = f.update(&id, json!({})).await.expect(200);
    (page, id, refused)
}

async fn markdown(f: &Fixture, id: &str, page: PageId) -> Answer {
    f.admin.get(&format!("{}/{id}/content/page/{page}?format=markdown", f.path)).await.expect(200)
}

#[actix_web::test]
async fn conflicts_of_documents_name_their_blocks() {
    let f = Fixture::new().await;
    let (_, id, refused) = in_conflict(&f).await;
    let (head, main) = (f.get(&id).await.text("/revision"), f.space().await.text("/revision"));
    assert_eq!(refused.at("/revisions"), &json!({"changeRequest": head, "space": main}));
    assert_eq!(
        (refused.text("/conflicts/0/kind"), refused.text("/conflicts/1/kind")),
        ("document".to_owned(), "title".to_owned())
    );
    assert!(refused.json.pointer("/conflicts/1/blocks").is_none());
    let blocks = refused.at("/conflicts/0/blocks").as_array().unwrap();
    let paths: Vec<&str> = blocks.iter().map(|blocks| blocks["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["1.1.0", "2"]);
    for (side, item, last) in
        [("base", "Two", "Last words."), ("ours", "Mine", "My words."), ("theirs", "Theirs", "Their words.")]
    {
        let version = |index: usize| blocks[index][side].to_string();
        assert!(version(0).contains("list-unordered") && version(0).contains(item), "{}", version(0));
        assert!(version(1).contains(last), "{}", version(1));
    }
    // A merge has the same conflicts, and changes nothing.
    let merge = f.merge(&id).await.expect(200);
    assert_eq!(
        (merge.at("/conflicts"), merge.at("/revisions")),
        (refused.at("/conflicts"), refused.at("/revisions"))
    );
    assert_eq!(f.get(&id).await.text("/revision"), head);
}

#[actix_web::test]
async fn each_conflict_is_resolved_by_a_choice() {
    let f = Fixture::new().await;
    let (page, id, refused) = in_conflict(&f).await;
    let conflict = |pointer: &str| refused.text(&format!("/conflicts/{pointer}/id"));
    let written = json!({"object": "document", "data": {}, "nodes": [{"object": "block", "type": "list-unordered", "nodes": [
        {"object": "block", "type": "list-item", "nodes": [{"object": "block", "type": "paragraph", "nodes": [
            {"object": "text", "leaves": [{"object": "leaf", "text": "Written", "marks": []}]}]}]}]}]});
    let item = json!({"conflict": conflict("0/blocks/0"), "take": "document", "document": written});
    let last = json!({"conflict": conflict("0/blocks/1"), "take": "both"});
    let title = json!({"conflict": conflict("1"), "take": "ours"});
    let with =
        |resolutions: Value| json!({"revisions": refused.at("/revisions"), "resolutions": resolutions});

    // Resolving only some of the conflicts leaves the others open and changes nothing.
    let open = f.update(&id, with(json!([title, last]))).await.expect(200);
    assert_eq!(open.text("/result"), "conflicts");
    assert_eq!(open.at("/conflicts").as_array().unwrap().len(), 1);
    assert_eq!(open.at("/conflicts/0/blocks/0/id"), &item["conflict"]);

    let updated = f.update(&id, with(json!([title, item, last]))).await.expect(200);
    assert_eq!(updated.json, json!({"revision": updated.text("/revision"), "result": "update"}));
    let answer = markdown(&f, &id, page).await;
    assert_eq!(answer.text("/title"), "Mine");
    let text = answer.text("/markdown");
    assert_eq!(
        text.trim_end(),
        "# Mine\n\nFirst, by me.\n\n* One\n* Written\n\nTheir words.\n\nMy words.\n\nMore."
    );
    // The resolutions are for revisions that are no longer current.
    let stale = f.update(&id, with(json!([title]))).await.expect(409);
    assert_eq!(stale.text("/error/reason"), "stale-revision");
    assert_eq!(f.merge(&id).await.expect(200).text("/result"), "merge");
}

#[actix_web::test]
async fn a_merge_resolves_conflicts_by_choices_too() {
    let f = Fixture::new().await;
    let (page, id, refused) = in_conflict(&f).await;
    let resolutions: Vec<Value> = ["0", "1"]
        .iter()
        .map(|index| json!({"conflict": refused.text(&format!("/conflicts/{index}/id")), "take": "theirs"}))
        .collect();
    let body = json!({"revisions": refused.at("/revisions"), "resolutions": resolutions});
    let merged = f.admin.post(&format!("{}/{id}/merge", f.path), body).await.expect(200);
    assert_eq!(merged.text("/result"), "merge");
    let answer =
        f.admin.get(&format!("/v1/spaces/{}/content/page/{page}?format=markdown", f.space)).await.expect(200);
    assert_eq!(answer.text("/title"), "Theirs");
    assert_eq!(
        answer.text("/markdown").trim_end(),
        "# Theirs\n\nFirst, by me.\n\n* One\n* Theirs\n\nTheir words.\n\nMore."
    );
}

#[actix_web::test]
async fn choices_without_an_effect_are_refused() {
    let f = Fixture::new().await;
    let (_, id, refused) = in_conflict(&f).await;
    let head = f.get(&id).await.json;
    let (document, title) = (refused.text("/conflicts/0/id"), refused.text("/conflicts/1/id"));
    let item = refused.text("/conflicts/0/blocks/0/id");
    let paragraph = json!({"object": "document", "data": {}, "nodes": [
        {"object": "block", "type": "paragraph", "nodes": [{"object": "text", "leaves": [{"object": "leaf", "text": "x", "marks": []}]}]}]});
    for (resolution, field) in [
        (json!({"conflict": "0123", "take": "ours"}), "resolutions[0].conflict"),
        (json!({"conflict": title, "take": "both"}), "resolutions[0].take"),
        (json!({"conflict": document, "take": "both"}), "resolutions[0].take"),
        (json!({"conflict": item, "take": "document", "document": paragraph}), "resolutions[0].document"),
        (
            json!({"conflict": item, "take": "document", "document": {"object": "document", "data": {}, "nodes": [{"object": "block", "type": "no-such"}]}}),
            "resolutions[0].document.nodes[0].type",
        ),
        (json!({"conflict": item, "take": "document"}), "resolutions[0]"),
        (json!({"conflict": item, "take": "ours", "document": paragraph}), "resolutions[0]"),
        (json!({"conflict": item, "take": "neither"}), "resolutions[0].take"),
        (json!({"conflict": "", "take": "ours"}), "resolutions[0].conflict"),
    ] {
        let body = json!({"revisions": refused.at("/revisions"), "resolutions": [resolution]});
        for action in ["update", "merge"] {
            let answer = f.admin.post(&format!("{}/{id}/{action}", f.path), body.clone()).await.expect(400);
            assert_eq!(answer.text("/error/details/0/field"), field, "{body}");
        }
    }
    let twice = json!([{"conflict": title, "take": "ours"}, {"conflict": title, "take": "theirs"}]);
    let body = json!({"revisions": refused.at("/revisions"), "resolutions": twice});
    assert_eq!(
        f.update(&id, body).await.expect(400).text("/error/details/0/field"),
        "resolutions[1].conflict"
    );
    f.update(&id, json!({"resolutions": [{"conflict": title, "take": "ours"}]})).await.expect(400);
    assert_eq!(f.get(&id).await.json, head);
}

#[actix_web::test]
async fn an_update_with_a_strategy_lets_the_merge_through() {
    for (strategy, title) in [("ours", "Mine"), ("theirs", "Theirs")] {
        let f = Fixture::new().await;
        let page = f.pages(1)[0];
        let id = f.make("x").await;
        f.rename(Some(&id), page, "Mine");
        f.rename(None, page, "Theirs");
        let before = f.get(&id).await;
        let refused = f.update(&id, json!({})).await.expect(200);
        assert_eq!(refused.text("/result"), "conflicts");
        assert_eq!(refused.text("/revision"), before.text("/revision"));
        assert_eq!(refused.text("/conflicts/0/ours"), "Mine");
        assert_eq!(f.get(&id).await.json, before.json);
        let main = f.space().await.text("/revision");
        let updated = f.update(&id, json!({"strategy": strategy})).await.expect(200);
        assert_eq!(updated.json, json!({"revision": updated.text("/revision"), "result": "update"}));
        let after = f.get(&id).await;
        assert_eq!(after.text("/revision"), updated.text("/revision"));
        assert_eq!(after.text("/revisionMergedAncestor"), main);
        assert_eq!((after.at("/outdated"), after.at("/status")), (&json!(false), &json!("draft")));
        let (kind, parents) = revision_row(&f.app, &updated.text("/revision"));
        assert_eq!((kind.as_str(), parents), ("update", vec![before.text("/revision"), main]));
        // Nothing new to pull.
        let again = f.admin.post_empty(&format!("{}/{id}/update", f.path)).await.expect(200);
        assert_eq!(again.json, updated.json);
        assert_eq!(f.merge(&id).await.expect(200).text("/result"), "merge");
        assert_eq!(f.titles(), [title]);
    }
}

#[actix_web::test]
async fn two_tabs_do_not_overwrite_each_other() {
    let f = Fixture::new().await;
    let id = f.make("x").await;
    let tag = f.get(&id).await.header("etag").to_owned();
    let path = format!("{}/{id}", f.path);
    let save = |subject: &str| {
        let request = TestRequest::patch().uri(&path).insert_header(("If-Match", tag.clone()));
        f.admin.send(request.set_json(json!({"subject": subject})))
    };
    let saved = join_all([save("first"), save("second")]).await;
    let mut statuses: Vec<u16> = saved.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 412]);
    let subject = saved.iter().find(|answer| answer.status == 200).unwrap().text("/subject");
    assert_eq!(f.get(&id).await.text("/subject"), subject);
    let fresh = f.get(&id).await.header("etag").to_owned();
    let request = TestRequest::get().uri(&path).insert_header(("If-None-Match", fresh));
    let _ = f.admin.send(request).await.expect(304);
}

#[actix_web::test]
async fn a_locked_space_changes_through_change_requests() {
    let f = Fixture::new().await;
    let page = f.pages(1)[0];
    let id = f.make("x").await;
    let space = format!("/v1/spaces/{}", f.space);
    let _ = f.admin.patch(&space, json!({"editMode": "locked"})).await.expect(200);
    assert!(f.try_edit(&f.admin, None, |draft| draft.page(None, "x", "")).is_err());
    f.rename(Some(&id), page, "Reviewed");
    assert_eq!(f.merge(&id).await.expect(200).text("/result"), "merge");
    assert_eq!(f.titles(), ["Reviewed"]);
}

#[actix_web::test]
async fn change_requests_of_a_page_are_listed() {
    let f = Fixture::new().await;
    let pages = f.pages(3);
    let ids =
        [f.make("Edits").await, f.make("Renames").await, f.make("Is outdated").await, f.make("Other").await];
    let [edits, renames, outdated, other] = [0, 1, 2, 3].map(|index: usize| ids[index].as_str());
    f.write(Some(edits), pages[0], "Another line.");
    f.rename(Some(renames), pages[0], "Renamed");
    f.write(Some(other), pages[1], "Another line.");
    // A newer version of the page in the space is not a change of the change request.
    f.write(None, pages[0], "The line of the space.");
    let listed = async |page: &str, query: &str| {
        let path = format!("{}?changedPage={page}{query}", f.path);
        f.admin.get(&path).await.expect(200)
    };
    let first = pages[0].to_string();
    for id in [edits, renames, outdated] {
        f.set_status(id, "open").await.expect(200);
    }
    let found = listed(&first, "").await;
    let subjects: Vec<String> = (0..2).map(|index| found.text(&format!("/items/{index}/subject"))).collect();
    assert_eq!((found.at("/count"), subjects), (&json!(2), vec!["Renames".to_owned(), "Edits".to_owned()]));
    let drafts = listed(&pages[1].to_string(), "&status=draft").await;
    assert_eq!((drafts.at("/count"), drafts.text("/items/0/subject")), (&json!(1), "Other".to_owned()));
    for (page, query) in
        [(pages[2].to_string(), ""), (first.clone(), "&status=merged"), (f.space.clone(), "")]
    {
        assert_eq!(listed(&page, query).await.at("/items"), &json!([]), "{page}{query}");
    }
    let half = listed(&first, "&limit=1").await;
    let rest = listed(&first, &format!("&limit=1&page={}", half.text("/next/page"))).await;
    assert_eq!(rest.text("/items/0/subject"), "Edits");
    let elsewhere = format!("{}?changedPage={}&page={}", f.path, pages[1], half.text("/next/page"));
    f.admin.get(&elsewhere).await.expect(400);
    f.app.stranger().get(&format!("{}?changedPage={first}", f.path)).await.expect(404);
}
