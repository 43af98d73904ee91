//! Differences and conflicts of change requests in the workspace.

use quire_test_support::Caller;
use serde_json::{Value, json};

use super::workspace::open;
use super::{Stage, page};

impl Stage {
    fn requests(&self) -> String {
        format!("/v1/spaces/{}/change-requests", self.guide)
    }

    /// Creates a change request with these changes.
    async fn propose(&self, caller: &Caller, subject: &str, changes: Value) -> u64 {
        let made = caller.post(&self.requests(), json!({ "subject": subject })).await.expect(201);
        let number = made.json["number"].as_u64().unwrap();
        let content = format!("{}/{number}/content", self.requests());
        caller.post(&content, json!({ "changes": changes })).await.expect(200);
        number
    }
}

#[actix_web::test]
async fn changed_pages_are_shown_part_by_part() {
    let stage = Stage::set().await;
    let pages: Vec<Value> = (0..25).map(|number| page(&format!("Page {number}"), "Words.")).collect();
    let number = stage.propose(&stage.admin, "Many", json!(pages)).await;
    let overview = stage.in_space(&format!("/~/changes/{number}"));
    let shown = |html: &str| html.matches("<section class=\"diff\"").count();
    let first = open(&stage.admin, &overview).await;
    assert!(first.contains("Changed pages 1 to 20 of 25 are shown") && shown(&first) == 20, "{first}");
    let next = first.split("?changed=").nth(1).and_then(|rest| rest.split('#').next()).unwrap();
    let second = open(&stage.admin, &format!("{overview}?changed={next}")).await;
    assert!(second.contains("Changed pages 21 to 25 of 25 are shown") && shown(&second) == 5, "{second}");
    assert!(!second.contains("Next changed pages") && second.contains("First changed pages"), "{second}");
    for wrong in [format!("{overview}?changed=20"), stage.in_space(&format!("/~/history?from={next}"))] {
        stage.admin.get(&wrong).await.expect(400);
    }
}
