//! Targets of comments.

use quire_domain::ids::PageId;
use serde_json::json;

use super::fixture::Fixture;

const TEXT: &str = "Intro words.\n\n## Set up\n\nRun `make`.\n";

#[actix_web::test]
async fn a_comment_names_its_page_as_it_is_now() {
    let fixture = Fixture::new().await;
    let page = fixture.edit(|content| {
        let page = content.page(None, "Install", TEXT);
        content.change_page(page, |page| {
            page.emoji = Some("🧰".to_owned());
            page.created_at = Some(1_767_323_045_678);
        });
        page
    });
    let resource = fixture.of_space();
    let posted = fixture
        .admin
        .post(resource, json!({"body": {"markdown": "?"}, "page": page, "node": "set-up"}))
        .await
        .expect(201);
    assert_eq!(
        posted.at("/target/page"),
        &json!({
            "id": page, "title": "Install", "emoji": "🧰", "createdAt": "2026-01-02T03:04:05.678Z",
            "path": "install", "outdated": false,
        })
    );
    assert_eq!(posted.at("/target/node"), &json!({"id": "set-up", "preview": "Set up"}));
    let path = format!("{resource}/{}", posted.text("/id"));
    let revision = posted.text("/target/revision");
    // A new title and slug are shown, and do not make the comment outdated.
    fixture.edit(|content| {
        content.change_page(page, |page| {
            page.title = "Installing".to_owned();
            page.slug = "installing".to_owned();
        });
    });
    let renamed = fixture.admin.get(&path).await.expect(200);
    assert_eq!(renamed.text("/target/page/path"), "installing");
    assert_eq!(renamed.text("/target/page/title"), "Installing");
    assert_eq!(renamed.at("/target/page/outdated"), &json!(false));
    assert_eq!(renamed.text("/target/revision"), revision);
    fixture.edit(|content| content.write(page, "Rewritten."));
    let rewritten = fixture.admin.get(&path).await.expect(200);
    assert_eq!(rewritten.at("/target/page/outdated"), &json!(true));
    assert_eq!(rewritten.at("/target/node/preview"), &json!("Set up"));
    // A deleted page is shown as it was when the comment was posted.
    fixture.edit(|content| content.tree.remove_page(page).map(drop).unwrap());
    for gone in [
        fixture.admin.get(&path).await.expect(200).at("/target/page").clone(),
        fixture.admin.get(resource).await.expect(200).at("/items/0/target/page").clone(),
    ] {
        assert_eq!(gone["title"], json!("Install"));
        assert_eq!(gone["path"], json!("install"));
        assert_eq!(gone["outdated"], json!(true));
    }
}

#[actix_web::test]
async fn nodes_are_named_by_path_or_anchor() {
    let fixture = Fixture::new().await;
    let page = fixture.edit(|content| content.page(None, "Install", TEXT));
    for (node, preview) in [("0", "Intro words."), ("2", "Run make."), ("set-up", "Set up")] {
        let body = json!({"body": {"markdown": "?"}, "page": page, "node": node});
        let posted = fixture.admin.post(fixture.of_space(), body).await.expect(201);
        assert_eq!(posted.at("/target/node"), &json!({"id": node, "preview": preview}));
    }
}

#[actix_web::test]
async fn a_comment_stays_on_its_node() {
    let fixture = Fixture::new().await;
    let page = fixture.edit(|content| content.page(None, "Install", TEXT));
    let resource = fixture.of_space();
    let mut comments = Vec::new();
    for node in ["0", "2", "set-up"] {
        let body = json!({"body": {"markdown": "?"}, "page": page, "node": node});
        let posted = fixture.admin.post(resource, body).await.expect(201);
        assert_eq!(posted.at("/target/anchor"), &json!({"node": node, "state": "present"}));
        comments.push(format!("{resource}/{}", posted.text("/id")));
    }
    // An update of a comment compares documents that no read has compared yet.
    fixture.edit(|content| content.write(page, "New words.\n\nIntro words.\n\n## Set up\n\nRun `make`.\n"));
    let resolved = fixture.admin.put(&comments[1], json!({"resolved": true})).await.expect(200);
    assert_eq!(resolved.at("/target/anchor"), &json!({"node": "3", "state": "moved"}));
    for (comment, node, state) in [(0, "1", "moved"), (1, "3", "moved"), (2, "set-up", "present")] {
        let read = fixture.admin.get(&comments[comment]).await.expect(200);
        assert_eq!(read.at("/target/node/id"), &json!(node));
        assert_eq!(read.at("/target/anchor"), &json!({"node": node, "state": state}));
        assert_eq!(read.at("/target/page/outdated"), &json!(true));
    }
    let list = fixture.admin.get(resource).await.expect(200);
    let listed = |item: usize| list.at(&format!("/items/{item}/target/node/id")).clone();
    assert_eq!([listed(0), listed(1), listed(2)], [json!("set-up"), json!("3"), json!("1")]);
    // Another text replaces the first paragraph, and the heading is deleted.
    fixture.edit(|content| content.write(page, "Quite different.\n\nRun `make`.\n"));
    for (comment, anchor) in [
        (0, json!({"state": "deleted"})),
        (1, json!({"node": "1", "state": "moved"})),
        (2, json!({"state": "deleted"})),
    ] {
        let read = fixture.admin.get(&comments[comment]).await.expect(200);
        assert_eq!(read.at("/target/anchor"), &anchor, "{comment}");
    }
    fixture.edit(|content| content.tree.remove_page(page).map(drop).unwrap());
    let gone = fixture.admin.get(&comments[1]).await.expect(200);
    assert_eq!(gone.at("/target/anchor"), &json!({"state": "deleted"}));
    assert_eq!(gone.at("/target/node"), &json!({"id": "2", "preview": "Run make."}));
}

#[actix_web::test]
async fn quoted_words_follow_their_block() {
    let fixture = Fixture::new().await;
    let page = fixture
        .edit(|content| content.page(None, "Install", "Intro.\n\nRun `make` once, then run `make` again.\n"));
    let resource = fixture.of_space();
    let mut comments = Vec::new();
    for (quote, at) in [
        (json!({"text": "make"}), 4),
        (json!({"text": "make", "offset": 20}), 24),
        (json!({"text": "once", "offset": 4_294_967_295_u32}), 9),
    ] {
        let body = json!({"body": {"markdown": "?"}, "page": page, "node": "1", "quote": quote});
        let posted = fixture.admin.post(resource, body).await.expect(201);
        assert_eq!(posted.at("/target/node/quote"), &json!({"text": quote["text"], "offset": at}));
        comments.push(format!("{resource}/{}", posted.text("/id")));
        let read = fixture.admin.get(&comments[comments.len() - 1]).await.expect(200);
        assert_eq!(read.at("/target"), posted.at("/target"));
    }
    let whole = json!({"body": {"markdown": "?"}, "page": page, "node": "1"});
    let whole = fixture.admin.post(resource, whole).await.expect(201);
    assert_eq!(whole.json["target"]["node"].get("quote"), None);
    let quotes = async || {
        let mut found = Vec::new();
        for comment in &comments {
            let read = fixture.admin.get(comment).await.expect(200);
            let node = read.at("/target/node").clone();
            found.push((node["id"].as_str().unwrap().to_owned(), node["quote"]["offset"].as_u64()));
        }
        found
    };
    let found =
        |node: &str, offsets: [Option<u64>; 3]| offsets.map(|offset| (node.to_owned(), offset)).to_vec();
    fixture.edit(|content| {
        content.write(page, "New.\n\nIntro.\n\nNow run `make` once, then run `make` again.\n");
    });
    // The first word changes, so `make` is at other positions in the block.
    assert_eq!(quotes().await, found("2", [Some(8), Some(28), Some(13)]));
    fixture.edit(|content| content.write(page, "Run `make` twice, then run `make` again.\n"));
    assert_eq!(quotes().await, found("0", [Some(4), Some(25), None]));
    // After the edit is reverted, a single read and the list find the words again.
    fixture.edit(|content| content.write(page, "Run `make` once, then run `make` again.\n"));
    assert_eq!(quotes().await, found("0", [Some(4), Some(24), Some(9)]));
    let list = fixture.admin.get(&format!("{resource}?targetPage={page}")).await.expect(200);
    let listed = list.json["items"].as_array().unwrap().iter();
    let mut listed: Vec<_> =
        listed.filter_map(|item| item["target"]["node"]["quote"]["offset"].as_u64()).collect();
    listed.sort_unstable();
    assert_eq!(listed, [4, 9, 24]);
    let updated = fixture.admin.put(&comments[1], json!({"resolved": true})).await.expect(200);
    assert_eq!(updated.at("/target/node/quote"), &json!({"text": "make", "offset": 24}));
    // The block is deleted, so the words remain as a quotation without a position.
    fixture.edit(|content| content.write(page, "Something else.\n"));
    let gone = fixture.admin.get(&comments[2]).await.expect(200);
    assert_eq!(gone.at("/target/anchor"), &json!({"state": "deleted"}));
    assert_eq!(gone.at("/target/node/quote"), &json!({"text": "once"}));
}

#[actix_web::test]
async fn a_target_that_does_not_exist_is_refused() {
    let fixture = Fixture::new().await;
    let page = fixture.edit(|content| content.page(None, "Install", TEXT));
    let empty = fixture.edit(|content| {
        let page = content.page(None, "Empty", "");
        content.change_page(page, |page| page.document = None);
        page
    });
    let absent = "0190a5d2-7c1e-7000-8000-000000000001";
    for (target, field) in [
        (json!({"page": absent}), "page"),
        (json!({"page": absent, "node": "0"}), "page"),
        (json!({"page": page, "node": "7"}), "node"),
        (json!({"page": page, "node": "nothing"}), "node"),
        (json!({"page": empty, "node": "0"}), "node"),
        (json!({"node": "0"}), "node"),
        (json!({"page": page, "quote": {"text": "Intro"}}), "quote"),
        (json!({"quote": {"text": "Intro"}}), "quote"),
        (json!({"page": page, "node": "0", "quote": {"text": "intro"}}), "quote.text"),
        (json!({"page": page, "node": "7", "quote": {"text": "Intro"}}), "node"),
    ] {
        let mut body = json!({"body": {"markdown": "?"}});
        body.as_object_mut().unwrap().extend(target.as_object().unwrap().clone());
        let refused = fixture.admin.post(fixture.of_space(), body).await.expect(400);
        assert_eq!((refused.reason().as_str(), refused.fields()), ("invalid-target", vec![field.to_owned()]));
    }
    let body = json!({"body": {"markdown": "?"}, "page": empty});
    let _ = fixture.admin.post(fixture.of_space(), body).await.expect(201);
    assert_eq!(fixture.open().await, (1, 0));
}

#[actix_web::test]
async fn each_container_has_its_own_content() {
    let fixture = Fixture::new().await;
    let [of_space, of_change_request] = &fixture.resources;
    let page: PageId = fixture.edit_change_request(|content| content.page(None, "Draft", TEXT));
    let body = json!({"body": {"markdown": "?"}, "page": page});
    let _ = fixture.admin.post(of_space, body.clone()).await.expect(400);
    let posted = fixture.admin.post(of_change_request, body).await.expect(201);
    let path = format!("/v1/spaces/{}/change-requests/{}", fixture.space, fixture.change_request);
    let head = fixture.admin.get(&path).await.expect(200).text("/revision");
    assert_eq!(posted.text("/target/revision"), head);
    assert_eq!(posted.text("/target/page/path"), "draft");
    let comment = format!("{of_change_request}/{}", posted.text("/id"));
    fixture.edit_change_request(|content| content.write(page, "Other."));
    let outdated = fixture.admin.get(&comment).await.expect(200);
    assert_eq!(outdated.at("/target/page/outdated"), &json!(true));
    let list = fixture.admin.get(&format!("{of_change_request}?targetPage={page}")).await.expect(200);
    assert_eq!(list.at("/items/0"), &outdated.json);
}

#[actix_web::test]
async fn a_comment_follows_its_node_to_another_page() {
    let fixture = Fixture::new().await;
    let kept = "Copies are kept for 30 days.";
    let (backups, archive, notes) = fixture.edit_change_request(|content| {
        let backups = content.page(None, "Backups", &format!("One.\n\n{kept}\n\nThree."));
        (backups, content.page(None, "Archive", "First."), content.page(None, "Notes", "Yes."))
    });
    let resource = fixture.of_change_request();
    let quote = json!({"text": "30 days"});
    let body = json!({"body": {"markdown": "?"}, "page": backups, "node": "1", "quote": quote});
    let posted = fixture.admin.post(resource, body).await.expect(201);
    let comment = format!("{resource}/{}", posted.text("/id"));
    let anchor = async |path: &str| fixture.admin.get(path).await.expect(200).at("/target/anchor").clone();

    fixture.edit_change_request(|content| {
        content.write(backups, "One.\n\nThree.");
        content.write(archive, "First.\n\nNow: Copies are kept for 30 days. Or longer.");
        content.write(notes, "Copies are kept.");
    });
    let moved = json!({"page": archive, "node": "1", "offset": 25});
    // Updates the comment without a read before.
    let resolved = fixture.admin.put(&comment, json!({"resolved": true})).await.expect(200);
    let expected = json!({"state": "deleted", "movedTo": moved});
    assert_eq!(resolved.at("/target/anchor"), &expected);
    let read = fixture.admin.get(&comment).await.expect(200);
    assert_eq!(read.at("/target"), resolved.at("/target"));
    assert_eq!(read.at("/target/page/id"), &json!(backups));
    assert_eq!(read.at("/target/node/id"), &json!("1"));
    let list = fixture.admin.get(&format!("{resource}?status=resolved")).await.expect(200);
    assert_eq!(list.at("/items/0/target/anchor"), &expected);

    // The words are edited on the other page; then the original page is deleted.
    fixture.edit_change_request(|content| content.write(archive, "Copies are kept for 60 days."));
    let rewritten = json!({"state": "deleted", "movedTo": {"page": archive, "node": "0"}});
    assert_eq!(anchor(&comment).await, rewritten);
    fixture.edit_change_request(|content| content.tree.remove_page(backups).map(drop).unwrap());
    assert_eq!(anchor(&comment).await, rewritten);
    fixture.edit_change_request(|content| content.write(archive, "Quite different."));
    assert_eq!(anchor(&comment).await, json!({"state": "deleted"}));
}

#[actix_web::test]
async fn a_block_that_another_page_had_before_is_no_move() {
    let fixture = Fixture::new().await;
    let kept = "Copies are kept for 30 days.";
    let (backups, archive) = fixture.edit(|content| {
        let backups = content.page(None, "Backups", &format!("One.\n\n{kept}"));
        (backups, content.page(None, "Archive", &format!("First.\n\n{kept}")))
    });
    let resource = fixture.of_space();
    let body = json!({"body": {"markdown": "?"}, "page": backups, "node": "1"});
    let posted = fixture.admin.post(resource, body.clone()).await.expect(201);
    let requests = format!("/v1/spaces/{}/change-requests", fixture.space);
    let request = fixture.admin.post(&requests, json!({})).await.expect(201).text("/id");
    let path = format!("/v1/spaces/{}/change-requests/{request}", fixture.space);
    let of_request = fixture.admin.post(&format!("{path}/comments"), body).await.expect(201);
    let write = async |page: PageId, markdown: &str| {
        let change = json!({"operation": "update_page", "page": page, "document": {"markdown": markdown}});
        fixture.admin.post(&format!("{path}/content"), json!({"changes": [change]})).await.expect(200);
    };
    write(backups, "One.").await;
    write(archive, &format!("Zero.\n\nFirst.\n\n{kept}")).await;
    let comment = format!("{path}/comments/{}", of_request.text("/id"));
    let read = fixture.admin.get(&comment).await.expect(200);
    assert_eq!(read.at("/target/anchor"), &json!({"state": "deleted"}));
    write(archive, &format!("First.\n\n{kept}\n\n{kept}")).await;
    let read = fixture.admin.get(&comment).await.expect(200);
    assert_eq!(read.at("/target/anchor/movedTo/page"), &json!(archive));
    // For comments on the space itself, other pages are not searched.
    fixture.edit(|content| {
        content.write(backups, "One.");
        content.write(archive, &format!("First.\n\n{kept}\n\n{kept}"));
    });
    let read = fixture.admin.get(&format!("{resource}/{}", posted.text("/id"))).await.expect(200);
    assert_eq!(read.at("/target/anchor"), &json!({"state": "deleted"}));
}
