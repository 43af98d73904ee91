//! Differences between two versions of a page.

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
    // A new page, and one that neither version has.
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
