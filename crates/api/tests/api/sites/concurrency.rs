//! Concurrent changes of one site.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{Stage, each};

#[actix_web::test]
async fn moves_additions_and_defaults_never_collide() {
    let stage = Stage::set().await;
    let mut ids = Vec::new();
    for number in 0..6 {
        ids.push(stage.resource(&format!("S{number}")).await);
    }
    let mut spaces = Vec::new();
    for _ in 0..4 {
        spaces.push(stage.space("Same").await);
    }
    let list = format!("{}/site-spaces", stage.site);
    let moves = ids.iter().map(async |id| {
        let body = json!({"position": {"after": {"type": "site-space", "siteSpace": ids[0]}}});
        let body = if *id == ids[0] { json!({}) } else { body };
        stage.manager.post(&format!("{list}/{id}/move"), body).await.status.as_u16()
    });
    let additions = spaces
        .iter()
        .map(async |space| stage.manager.post(&list, json!({ "spaceId": space })).await.status.as_u16());
    let defaults = ids.iter().map(async |id| {
        stage.manager.patch(&stage.site, json!({ "defaultSiteSpace": id })).await.status.as_u16()
    });
    let (moved, added, made) = futures_util::join!(join_all(moves), join_all(additions), join_all(defaults));
    assert_eq!((moved, added, made), (vec![200; 6], vec![201; 4], vec![200; 6]));
    let all = stage.manager.get(&list).await.expect(200);
    assert_eq!(all.at("/count"), &json!(10));
    let mut paths = each(&all, "/path");
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), 10);
    let items = all.at("/items").as_array().unwrap();
    assert_eq!(items.iter().filter(|item| item["default"] == Value::Bool(true)).count(), 1);
}

#[actix_web::test]
async fn two_first_sections_make_one_default() {
    let stage = Stage::set().await;
    stage.resource("Present").await;
    let (left, right) = (stage.space("Left").await, stage.space("Right").await);
    let path = format!("{}/sections", stage.site);
    let add = async |space: &str| stage.manager.post(&path, json!({ "spaceId": space })).await.expect(201);
    let _ = futures_util::join!(add(&left), add(&right));
    let all = stage.manager.get(&path).await.expect(200);
    assert_eq!(all.at("/count"), &json!(3));
    assert_eq!(all.text("/items/0/siteSpaces/0/title"), "Present");
    let items = all.at("/items").as_array().unwrap();
    assert_eq!(items.iter().filter(|item| item["default"] == Value::Bool(true)).count(), 1);
}
