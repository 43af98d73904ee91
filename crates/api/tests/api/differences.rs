//! Differences between two versions of a page.

use actix_web::http::StatusCode;
use quire_domain::Role;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

fn update(page: &str, markdown: &str) -> Value {
    json!({"changes": [{"operation": "update_page", "page": page, "document": {"markdown": markdown}}]})
}

async fn done(caller: &Caller, path: &str, body: Value) -> String {
    caller.post(path, body).await.expect(200).text("/revision")
}

#[actix_web::test]
async fn a_change_request_is_compared_with_its_base() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let space_url = format!("/v1/spaces/{space}");
    let insert = json!({"operation": "insert_page", "title": "Guide", "document": {"markdown": "Ferry sends a folder.\n\nStop it first."}});
    let _ = admin.post(&format!("{space_url}/content"), json!({"changes": [insert]})).await.expect(200);
    let page = admin.get(&format!("{space_url}/content/pages")).await.expect(200).text("/pages/0/id");
    let request =
        admin.post(&format!("{space_url}/change-requests"), json!({})).await.expect(201).text("/id");
    let url = format!("{space_url}/change-requests/{request}");
    let difference = format!("{url}/diff/{page}");
    let same = admin.get(&difference).await.expect(200);
    assert_eq!(
        same.at("/summary"),
        &json!({
            "wordsAdded": 0, "wordsRemoved": 0, "blocksAdded": 0, "blocksRemoved": 0, "blocksEdited": 0, "blocksMoved": 0
        })
    );
    let _ =
        done(&admin, &format!("{url}/content"), update(&page, "Ferry sends **two** folders.\n\nNew words."))
            .await;
    let differing = admin.get(&difference).await.expect(200);
    let changes: Vec<&Value> =
        differing.at("/blocks").as_array().unwrap().iter().map(|block| &block["change"]).collect();
    assert_eq!(changes, ["edited", "removed", "added"]);
    assert_eq!(differing.at("/summary/wordsAdded"), &json!(4));
    assert_ne!(differing.at("/before"), differing.at("/after"));
    // A new page, and a page that neither version has.
    let insert = json!({"changes": [{"operation": "insert_page", "title": "New", "document": {"markdown": "One two."}}]});
    let _ = done(&admin, &format!("{url}/content"), insert).await;
    let pages = admin.get(&format!("{url}/content/pages")).await.expect(200);
    let new = pages.at("/pages").as_array().unwrap().iter().find(|page| page["title"] == "New").unwrap();
    let added = admin.get(&format!("{url}/diff/{}", new["id"].as_str().unwrap())).await.expect(200);
    assert!(added.json.get("before").is_none());
    assert_eq!(added.at("/summary/wordsAdded"), &json!(2));
    let unknown = format!("{url}/diff/{space}");
    assert_eq!(admin.get(&unknown).await.status, 404);
    let outsider = app.stranger();
    assert_eq!(outsider.get(&difference).await.status, 404);
    let reader = app.on_space(&space, Some(Role::Read));
    assert_eq!(reader.get(&difference).await.expect(200).json, differing.json);
}

#[actix_web::test]
async fn two_revisions_are_compared_in_both_directions() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let content = format!("/v1/spaces/{space}/content");
    let insert =
        json!({"operation": "insert_page", "title": "Guide", "document": {"markdown": "One two three."}});
    let _ = admin.post(&content, json!({"changes": [insert]})).await.expect(200);
    let page = admin.get(&format!("{content}/pages")).await.expect(200).text("/pages/0/id");
    let first = admin.get(&content).await.expect(200).text("/id");
    let _ = admin.post(&content, update(&page, "One two three four.")).await.expect(200);
    let second = admin.get(&content).await.expect(200).text("/id");
    let compare = async |from: &str, to: &str| {
        admin.get(&format!("/v1/spaces/{space}/revisions/{from}/compare/{to}/{page}")).await.expect(200)
    };
    let (there, back) = (compare(&first, &second).await, compare(&second, &first).await);
    assert_eq!(there.at("/summary/wordsAdded"), &json!(1));
    assert_eq!(back.at("/summary/wordsRemoved"), &json!(1));
    assert_eq!(there.at("/before"), back.at("/after"));
    assert_eq!(compare(&first, &first).await.at("/summary/blocksEdited"), &json!(0));
    let (elsewhere, _) = app.space().await;
    let foreign = admin.get(&format!("/v1/spaces/{elsewhere}/content")).await;
    if foreign.status == 200 {
        let path = format!("/v1/spaces/{space}/revisions/{first}/compare/{}/{page}", foreign.text("/id"));
        assert_eq!(admin.get(&path).await.status, 404, "a revision of another space");
    }
}

#[actix_web::test]
async fn lists_of_changes_count_words_and_blocks() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let space = format!("/v1/spaces/{space}");
    let content = format!("{space}/content");
    let insert = |title: &str| json!({"operation": "insert_page", "title": title, "document": {"markdown": "One two.\n\nThree."}});
    let inserts = json!({"changes": [insert("Guide"), insert("Other"), insert("Gone")]});
    let first = admin.post(&content, inserts).await.expect(200).text("/id");
    let pages = admin.get(&format!("{content}/pages")).await.expect(200);
    let page = |index: usize| pages.text(&format!("/pages/{index}/id"));
    let summary = |list: &Value, index: usize| {
        let summary = &list["changes"][index]["summary"];
        ["wordsAdded", "wordsRemoved", "blocksAdded", "blocksRemoved", "blocksEdited", "blocksMoved"]
            .map(|name| summary[name].as_u64().unwrap())
    };
    let created = admin.get(&format!("{space}/revisions/{first}/changes")).await.expect(200);
    assert_eq!(summary(&created.json, 2), [3, 0, 2, 0, 0, 0]);

    let request = admin.post(&format!("{space}/change-requests"), json!({})).await.expect(201).text("/id");
    let request = format!("{space}/change-requests/{request}");
    let changes = json!({"changes": [
        {"operation": "update_page", "page": page(0), "document": {"markdown": "Three.\n\nOne two four."}},
        {"operation": "update_page", "page": page(1), "title": "Renamed"},
        {"operation": "delete_page", "page": page(2)},
    ]});
    done(&admin, &format!("{request}/content"), changes).await;
    let changed = admin.get(&format!("{request}/changes")).await.expect(200);
    let of_page = admin.get(&format!("{request}/diff/{}", page(0))).await.expect(200);
    assert_eq!(changed.at("/changes/0/summary"), of_page.at("/summary"));
    assert!(
        changed.json.pointer("/changes/1/summary").is_none(),
        "the document is the same: {}",
        changed.json
    );
    assert_eq!(summary(&changed.json, 2), [0, 3, 0, 2, 0, 0]);
    // Changes beyond the limit are not compared.
    let one = admin.get(&format!("{request}/changes?limit=1")).await.expect(200);
    assert_eq!((one.at("/changes/0/summary"), one.at("/more")), (of_page.at("/summary"), &json!(2)));

    admin.post_empty(&format!("{request}/merge")).await.expect(200);
    let second = admin.get(&content).await.expect(200).text("/id");
    let compared = admin.get(&format!("{space}/revisions/{first}/compare/{second}")).await.expect(200);
    assert_eq!(compared.at("/changes"), changed.at("/changes"));
    let back = admin.get(&format!("{space}/revisions/{second}/compare/{first}?limit=1")).await.expect(200);
    assert_eq!((back.text("/changes/0/type"), back.at("/more")), ("page_edited".to_owned(), &json!(2)));
    let same = admin.get(&format!("{space}/revisions/{second}/compare/{second}")).await.expect(200);
    assert_eq!(same.json, json!({"changes": []}));
    admin.get(&format!("{space}/revisions/{first}/compare/{}", page(0))).await.expect(404);
    app.stranger().get(&format!("{space}/revisions/{first}/compare/{second}")).await.expect(404);
}

#[actix_web::test]
async fn a_difference_is_answered_as_html() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let space = format!("/v1/spaces/{space}");
    let insert = |title: &str, markdown: &str| json!({"operation": "insert_page", "title": title, "document": {"markdown": markdown}});
    let content = format!("{space}/content");
    let inserts = json!({"changes": [insert("Guide", "Ferry sends a folder."), insert("Other", "Text.")]});
    let _ = admin.post(&content, inserts).await.expect(200);
    let pages = admin.get(&format!("{content}/pages")).await.expect(200);
    let page = pages.text("/pages/0/id");
    let request = admin.post(&format!("{space}/change-requests"), json!({})).await.expect(201).text("/id");
    let url = format!("{space}/change-requests/{request}");
    let _ =
        done(&admin, &format!("{url}/content"), update(&page, "Ferry sends [two](/other) <folders>.")).await;
    let difference = format!("{url}/diff/{page}");
    let html = admin.get(&format!("{difference}?format=html")).await.expect(200);
    let text = html.text("/html");
    assert!(text.contains("<del>a folder</del>") && text.contains("<ins>"), "{text}");
    let other = format!("{}/~/changes/1/other", space.replace("/v1/spaces", "/s"));
    assert!(text.contains(&other), "links lead into the change request: {text}");
    assert!(html.json.get("blocks").is_none());
    assert_eq!(html.at("/summary"), admin.get(&difference).await.expect(200).at("/summary"));
    let split = admin.get(&format!("{difference}?format=html&view=split")).await.expect(200).text("/html");
    assert!(split.contains("Before") && split != text, "{split}");
    let revision = admin.get(&content).await.expect(200).text("/id");
    let same = format!("{space}/revisions/{revision}/compare/{revision}/{page}?format=html");
    assert!(!admin.get(&same).await.expect(200).text("/html").contains("<ins>"));
    let _ = admin.get(&format!("{difference}?format=pdf")).await.expect(400);
    let _ = admin.get(&format!("{difference}?format=html&view=other")).await.expect(400);
    let _ = app.stranger().get(&format!("{difference}?format=html")).await.expect(404);
}

#[actix_web::test]
async fn a_document_is_rendered_as_readers_see_it() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let reader = app.on_space(&space, Some(Role::Read));
    let space = format!("/v1/spaces/{space}");
    let content = format!("{space}/content");
    let changes = json!({"changes": [
        {"operation": "insert_page", "title": "Other", "document": {"markdown": "Text."}},
        {"operation": "insert_reusable_content", "title": "Note", "document": {"markdown": "Used **everywhere**."}},
    ]});
    let revision = admin.post(&content, changes).await.expect(200);
    let page = admin.get(&format!("{content}/pages")).await.expect(200).text("/pages/0/id");
    let note = admin.get(&content).await.expect(200).text("/reusableContents/0/id");
    let path = format!("{content}/render");
    let render = async |document: Value| {
        reader.post(&path, json!({"document": document})).await.expect(200).text("/html")
    };
    let linked = render(json!({"markdown": format!("See [it](/{page}).\n\n```js\nlet a\n```")})).await;
    assert!(linked.contains("<p>See") && linked.contains("<pre"), "{linked}");
    let include = json!({"object": "document", "data": {}, "nodes": [
        {"object": "block", "type": "reusable-content", "isVoid": true, "data": {"ref": {"kind": "reusable-content", "reusableContent": note}}},
        {"object": "block", "type": "paragraph", "isVoid": false, "data": {}, "nodes": [{"object": "text", "leaves": [{"object": "leaf", "text": "Go <on>", "marks": []}]}]},
    ]});
    let included = render(json!({"document": include})).await;
    assert!(
        included.contains("<strong>everywhere</strong>") && included.contains("Go &lt;on&gt;"),
        "{included}"
    );
    // Nothing is stored.
    assert_eq!(admin.get(&content).await.expect(200).text("/id"), revision.text("/id"));
    let refused = reader.post(&path, json!({"document": {"document": {"object": "document", "data": {}, "nodes": [{"object": "block", "type": "unheard-of", "isVoid": true, "data": {}}]}}})).await;
    assert_eq!(
        (refused.status, refused.text("/error/details/0/field")),
        (StatusCode::BAD_REQUEST, "document.document.nodes[0].type".to_owned())
    );
    let _ = reader.post(&path, json!({})).await.expect(400);
    let _ = app.stranger().post(&path, json!({"document": {"markdown": "Text."}})).await.expect(404);
}
