//! Moves of parts of a site.

use serde_json::{Value, json};

use super::{Stage, each, walk};

#[actix_web::test]
async fn spaces_move_within_their_section() {
    let stage = Stage::set().await;
    let mut ids = Vec::new();
    for title in ["A", "B", "C"] {
        ids.push(stage.resource(title).await);
    }
    let list = format!("{}/site-spaces", stage.site);
    let pointer = |id: &str| json!({"type": "site-space", "siteSpace": id});
    let moved = async |id: &str, body: Value| {
        stage.manager.post(&format!("{list}/{id}/move"), body).await.expect(200);
        walk(&stage.manager, &list, "/title").await.concat()
    };
    assert_eq!(moved(&ids[0], json!({})).await, "BCA");
    assert_eq!(moved(&ids[0], json!({"position": {"before": pointer(&ids[1])}})).await, "ABC");
    assert_eq!(moved(&ids[0], json!({"position": {"after": pointer(&ids[1])}})).await, "BAC");
    assert_eq!(
        moved(&ids[2], json!({"position": {"after": pointer(&ids[1]), "before": pointer(&ids[0])}})).await,
        "BCA"
    );
    let unknown = json!({"position": {"after": pointer("0190a5d2-7c1e-7000-8000-000000000001")}});
    let refused = stage.manager.post(&format!("{list}/{}/move", ids[0]), unknown).await.expect(400);
    assert_eq!(refused.fields(), ["position.after"]);
    let empty = stage.manager.post_empty(&format!("{list}/{}/move", ids[1])).await.expect(200);
    assert_eq!(empty.text("/title"), "B");
}

#[actix_web::test]
async fn sections_and_groups_share_an_order() {
    let stage = Stage::set().await;
    let mut ids = Vec::new();
    for title in ["A1", "B1", "C1"] {
        ids.push(stage.section(title).await.text("/id"));
    }
    let groups = format!("{}/section-groups", stage.site);
    let group = stage
        .manager
        .post(&groups, json!({"title": "G1", "sections": [ids[0]]}))
        .await
        .expect(201)
        .text("/id");
    let order = async || {
        let structure = stage.manager.get(&format!("{}/structure", stage.site)).await.expect(200);
        let items = structure.at("/structure").as_array().unwrap().clone();
        items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(order().await, "B1 C1 G1");
    let section = |id: &str| json!({"type": "site-section", "id": id});
    let move_group = format!("{groups}/{group}/move");
    let resource = json!({"position": {"before": section(&ids[2])}});
    stage.manager.post(&move_group, resource).await.expect(200);
    assert_eq!(order().await, "B1 G1 C1");
    let sections = stage.manager.get(&format!("{}/sections", stage.site)).await.expect(200);
    assert_eq!(each(&sections, "/title"), ["B1", "A1", "C1"]);
    assert_eq!(walk(&stage.manager, &format!("{}/sections", stage.site), "/title").await, ["B1", "A1", "C1"]);
    // Moving next to a section in a group moves into that group; without a position, to the end of the site.
    let move_section = |id: &str| format!("{}/sections/{id}/move", stage.site);
    let next_to = json!({"position": {"before": {"type": "site-section", "siteSection": ids[0]}}});
    let moved = stage.manager.post(&move_section(&ids[2]), next_to).await.expect(200);
    assert_eq!(moved.text("/sectionGroup"), group);
    assert_eq!(order().await, "B1 G1");
    let out = stage.manager.post_empty(&move_section(&ids[2])).await.expect(200);
    assert_eq!(out.json.get("sectionGroup"), None);
    assert_eq!(order().await, "B1 G1 C1");
    let resource = json!({"position": {"after": {"type": "site-section-group", "id": group}}});
    let itself = stage.manager.post(&move_group, resource).await.expect(400);
    assert_eq!(itself.fields(), ["position.after"]);
    let in_group = json!({"position": {"after": section(&ids[0])}});
    assert_eq!(stage.manager.post(&move_group, in_group).await.expect(400).fields(), ["position.after"]);
}

#[actix_web::test]
async fn reading_costs_the_same_for_any_number() {
    let stage = Stage::set().await;
    stage.section("First").await;
    let paths = ["", "/sections", "/site-spaces", "/section-groups", "/structure", "/published"];
    let count = async || {
        let mut counts = Vec::new();
        for path in paths {
            let before = stage.app.statements();
            stage.manager.get(&format!("{}{path}", stage.site)).await.expect(200);
            counts.push(stage.app.statements() - before);
        }
        let before = stage.app.statements();
        stage.manager.get(&stage.sites).await.expect(200);
        counts.push(stage.app.statements() - before);
        counts
    };
    let one = count().await;
    for number in 0..20 {
        stage.section(&format!("Section {number}")).await;
    }
    stage.manager.post(&stage.sites, json!({"title": "Other"})).await.expect(201);
    assert_eq!(count().await, one);
    assert!(one.iter().all(|statements| *statements <= 5), "{one:?}");
}
