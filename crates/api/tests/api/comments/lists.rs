//! Lists of comments.

use std::collections::BTreeSet;

use quire_domain::Role;
use quire_test_support::Caller;
use serde_json::json;

use super::fixture::{Fixture, markdown};

/// Returns the ids on all pages of a list, one item per page. Every page must have the same count.
async fn walk(caller: &Caller, list: &str) -> Vec<String> {
    let separator = if list.contains('?') { '&' } else { '?' };
    let mut path = format!("{list}{separator}limit=1");
    let (mut ids, mut counts) = (Vec::new(), BTreeSet::new());
    loop {
        let page = caller.get(&path).await.expect(200);
        counts.insert(page.at("/count").as_u64().unwrap());
        ids.extend(
            page.at("/items").as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()),
        );
        let Some(next) = page.json.pointer("/next/page") else { break };
        path = format!("{list}{separator}limit=1&page={}", next.as_str().unwrap());
    }
    assert!(counts.len() == 1 && counts.contains(&u64::try_from(ids.len()).unwrap()), "{counts:?}");
    ids
}

#[actix_web::test]
async fn every_filter_and_order_walks_its_comments_once() {
    let fixture = Fixture::new().await;
    let page = fixture.edit(|content| content.page(None, "Install", "Text."));
    let others = fixture.edit_change_request(|content| content.page(None, "Draft", "Text."));
    let (ada, bob) = (fixture.role(Role::Comment), fixture.role(Role::Comment));
    for (resource, page) in fixture.resources.iter().zip([page, others]) {
        // Comments by all combinations of author, page and status, oldest first.
        let mut all = Vec::new();
        for (author, on_page, resolved) in (0..8).map(|n| ([&ada, &bob][n % 2], n % 4 < 2, n < 4)) {
            let mut body = markdown("?");
            if on_page {
                body["page"] = json!(page);
            }
            let id = author.post(resource, body).await.expect(201).text("/id");
            if resolved {
                let _ = author.put(&format!("{resource}/{id}"), json!({"resolved": true})).await.expect(200);
            }
            all.push((id, author.user(), on_page, resolved));
        }
        for status in ["all", "open", "resolved"] {
            for by_page in [false, true] {
                for authors in [vec![], vec![ada.user()], vec![bob.user(), ada.user(), bob.user()]] {
                    for order in ["", "&order=asc", "&order=desc"] {
                        let mut list = format!("{resource}?status={status}{order}");
                        if by_page {
                            list.push_str(&format!("&targetPage={page}"));
                        }
                        authors.iter().for_each(|author| list.push_str(&format!("&authors={author}")));
                        let matching = all.iter().filter(|(_, author, on_page, resolved)| {
                            (status == "all" || (status == "resolved") == *resolved)
                                && (!by_page || *on_page)
                                && (authors.is_empty() || authors.contains(author))
                        });
                        let mut expected: Vec<String> = matching.map(|(id, ..)| id.clone()).collect();
                        if !order.contains("asc") {
                            expected.reverse();
                        }
                        assert_eq!(walk(&ada, &list).await, expected, "{list}");
                    }
                }
            }
        }
    }
}

#[actix_web::test]
async fn a_cursor_belongs_to_one_list() {
    let fixture = Fixture::new().await;
    let admin = &fixture.admin;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(admin.post(fixture.of_space(), markdown("?")).await.expect(201).text("/id"));
    }
    let list = format!("{}?limit=1", fixture.of_space());
    let cursor = admin.get(&list).await.expect(200).text("/next/page");
    let reply_list = format!("{}/{}/replies", fixture.of_space(), ids[0]);
    for other in [
        format!("{}?page={cursor}", fixture.of_change_request()),
        format!("{list}&order=asc&page={cursor}"),
        format!("{list}&status=open&page={cursor}"),
        format!("{list}&authors={}&page={cursor}", admin.user()),
        format!("{list}&page={cursor}x"),
        format!("{reply_list}?page={cursor}"),
    ] {
        let refused = admin.get(&other).await.expect(400);
        assert_eq!(
            (refused.reason().as_str(), refused.fields()),
            ("invalid-cursor", vec!["page".to_owned()])
        );
    }
    // The cursor stays valid after its item was deleted and others were posted.
    let _ = admin.delete(&format!("{}/{}", fixture.of_space(), ids[2])).await.expect(204);
    let _ = admin.post(fixture.of_space(), markdown("new")).await.expect(201);
    let next = admin.get(&format!("{list}&page={cursor}")).await.expect(200);
    assert_eq!(next.text("/items/0/id"), ids[1]);
}

#[actix_web::test]
async fn a_list_costs_the_same_for_any_length() {
    let fixture = Fixture::new().await;
    let page = fixture.edit(|content| content.page(None, "Install", "Text."));
    let author = fixture.role(Role::Comment);
    let resource = fixture.of_space();
    let post = async || {
        let body = json!({"body": {"markdown": "?"}, "page": page, "node": "0"});
        let path = format!("{resource}/{}", author.post(resource, body).await.expect(201).text("/id"));
        let _ = author.put(&path, json!({"addedReactions": ["🚀", "1f680"]})).await.expect(200);
        path
    };
    let count = async |path: &str| {
        let before = fixture.app.statements();
        let _ = author.get(path).await.expect(200);
        fixture.app.statements() - before
    };
    let path = post().await;
    let reply = async || author.post(&format!("{path}/replies"), markdown("!")).await.expect(201);
    let one_reply = format!("{path}/replies/{}", reply().await.text("/id"));
    assert_eq!(count(&path).await, 3);
    assert_eq!(count(&one_reply).await, 2);
    let (comments, replies) = (count(resource).await, count(&format!("{path}/replies")).await);
    assert_eq!((comments, replies), (5, 4));
    for _ in 0..99 {
        let _ = post().await;
        let _ = reply().await;
    }
    assert_eq!(count(&format!("{resource}?limit=100")).await, comments);
    assert_eq!(count(&format!("{path}/replies?limit=100")).await, replies);
    let list = author.get(&format!("{resource}?limit=100")).await.expect(200);
    assert_eq!(list.at("/items").as_array().unwrap().len(), 100);
    assert_eq!((list.at("/count"), list.json.get("next")), (&json!(100), None));
    assert_eq!(list.at("/items/99"), &author.get(&path).await.expect(200).json);
}
