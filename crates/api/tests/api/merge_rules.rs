//! Merge rules of organizations and spaces.

use quire_domain::Role;
use quire_domain::ids::{ChangeRequestId, SpaceId};
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

struct Ruled {
    app: TestApp,
    admin: Caller,
    author: Caller,
    space: SpaceId,
    id: ChangeRequestId,
    /// Path of the change request.
    path: String,
}

impl Ruled {
    /// Creates a change request of an editor with an edit, in a space with these rules.
    async fn new(rules: Value) -> Self {
        let app = TestApp::start().await;
        let (space, admin) = app.space().await;
        let author = app.on_space(&space, Some(Role::Edit));
        let space: SpaceId = space.parse().unwrap();
        let id = app.create_change_request(&author, space);
        let path = format!("/v1/spaces/{space}/change-requests/{id}");
        let ruled = Self { app, admin, author, space, id, path };
        ruled.edit("Page");
        ruled.set(rules).await;
        ruled
    }

    fn member(&self, role: Role) -> Caller {
        self.app.on_space(&self.space.to_string(), Some(role))
    }

    fn edit(&self, title: &str) {
        let content = ContentSelector::ChangeRequest(ChangeRequestKey::Id(self.id));
        self.app.edit(&self.author, self.space, content, |content| content.page(None, title, "Text."));
    }

    /// Sets the rules of the space.
    async fn set(&self, rules: Value) {
        let body = json!({"mergeRules": {"type": "rules", "rules": rules}});
        let _ = self.admin.patch(&format!("/v1/spaces/{}", self.space), body).await.expect(200);
    }

    async fn review(&self, by: &Caller, status: &str) {
        let _ = by.post(&format!("{}/reviews", self.path), json!({"status": status})).await.expect(201);
    }

    /// Returns the codes of the rules that a merge by this caller does not meet.
    async fn blocks(&self, caller: &Caller) -> Vec<String> {
        let answer = caller.get(&self.path).await.expect(200);
        let blocks = answer.at("/mergeBlockedBy").as_array().unwrap();
        assert_eq!(answer.at("/permissions/merge"), blocks.is_empty());
        blocks.iter().map(|block| block["code"].as_str().unwrap().to_owned()).collect()
    }

    async fn merge(&self, caller: &Caller, body: Value) -> Answer {
        caller.post(&format!("{}/merge", self.path), body).await
    }
}

#[actix_web::test]
async fn approvals_of_the_current_content_allow_a_merge() {
    let ruled = Ruled::new(json!([{"rule": "require_approvals", "count": 2}])).await;
    let (ann, bob) = (ruled.member(Role::Review), ruled.member(Role::Review));
    ruled.review(&ann, "approved").await;
    let refused = ruled.merge(&ann, json!({})).await.expect(409);
    assert_eq!(refused.reason(), "merge-blocked");
    let message = "The change request does not meet the rules for merging. 1 of 2 approvals is missing.";
    assert_eq!(refused.at("/error/message"), message);
    let detail =
        json!([{"field": "mergeRules.require_approvals", "message": "1 of 2 approvals is missing."}]);
    assert_eq!(refused.at("/error/details"), &detail);
    let answer = ann.get(&ruled.path).await.expect(200);
    let block = json!([{"code": "require_approvals", "message": "1 of 2 approvals is missing."}]);
    assert_eq!(answer.at("/mergeBlockedBy"), &block);
    assert_eq!(answer.at("/permissions"), &json!({"merge": false, "bypassRules": false}));
    ruled.review(&bob, "approved").await;
    assert_eq!(ruled.blocks(&ann).await, [""; 0]);

    // An edit invalidates approvals; an update from the space does not.
    ruled.edit("Another");
    assert_eq!(ruled.blocks(&ann).await, ["require_approvals"]);
    for reviewer in [&ann, &bob] {
        ruled.review(reviewer, "approved").await;
    }
    ruled.app.edit(&ruled.admin, ruled.space, ContentSelector::Space, |content| {
        content.page(None, "Main", "Text.")
    });
    let _ = ruled.author.post(&format!("{}/update", ruled.path), json!({})).await.expect(200);
    assert_eq!(ruled.blocks(&ann).await, [""; 0]);
    // The newest review of each reviewer counts.
    ruled.review(&bob, "changes-requested").await;
    assert_eq!(ruled.blocks(&ann).await, ["require_approvals"]);
    ruled.review(&bob, "approved").await;
    let merged = ruled.merge(&ann, json!({})).await.expect(200);
    assert_eq!(merged.at("/result"), "merge");
    let after = ann.get(&ruled.path).await.expect(200);
    assert_eq!(after.json.pointer("/mergeBlockedBy"), None, "it can't be merged any more");
}

#[actix_web::test]
async fn each_rule_keeps_a_change_request_from_being_merged() {
    let rules = json!([
        {"rule": "require_resolved_comments"},
        {"rule": "require_up_to_date_change_request"},
        {"rule": "require_change_request_subject"},
        {"rule": "require_all_reviews_approved"},
    ]);
    let ruled = Ruled::new(rules).await;
    let reviewer = ruled.member(Role::Review);
    let _ = ruled.author.patch(&ruled.path, json!({"subject": "Untitled change request"})).await.expect(200);
    let comments = format!("{}/comments", ruled.path);
    let comment =
        reviewer.post(&comments, json!({"body": {"markdown": "Why?"}})).await.expect(201).text("/id");
    ruled.review(&reviewer, "changes-requested").await;
    ruled.app.edit(&ruled.admin, ruled.space, ContentSelector::Space, |content| {
        content.page(None, "Main", "Text.")
    });
    let codes = [
        "require_resolved_comments",
        "require_up_to_date_change_request",
        "require_change_request_subject",
        "require_all_reviews_approved",
    ];
    assert_eq!(ruled.blocks(&reviewer).await, codes);
    let _ = ruled.author.post(&format!("{}/update", ruled.path), json!({})).await.expect(200);
    let _ = reviewer.put(&format!("{comments}/{comment}"), json!({"resolved": true})).await.expect(200);
    let changed = ruled.author.patch(&ruled.path, json!({"subject": "Tides"})).await.expect(200);
    assert_eq!(changed.json.pointer("/mergeBlockedBy"), None, "an editor can't merge");
    ruled.review(&reviewer, "approved").await;
    assert_eq!(ruled.merge(&reviewer, json!({})).await.expect(200).at("/result"), "merge");
}

#[actix_web::test]
async fn named_reviewers_are_members_whose_approval_is_needed() {
    let ruled = Ruled::new(json!([{"rule": "require_at_least_one_review"}])).await;
    let (ann, bob) = (ruled.member(Role::Review), ruled.member(Role::Review));
    let both = json!([ann.user(), bob.user()]);
    ruled.set(json!([{"rule": "require_specific_reviewers", "users": both}])).await;
    ruled.review(&ann, "approved").await;
    let answer = ann.get(&ruled.path).await.expect(200);
    let name = bob.get("/v1/user").await.expect(200).text("/displayName");
    let missing = format!("The approval of {name} is missing.");
    assert_eq!(answer.at("/mergeBlockedBy/0/message"), &json!(missing));
    ruled.set(json!([{"rule": "require_one_of_specific_reviewers", "users": both}])).await;
    assert_eq!(ruled.blocks(&ann).await, [""; 0]);
    ruled.set(json!([{"rule": "require_author_to_merge"}])).await;
    assert_eq!(ruled.blocks(&ann).await, ["require_author_to_merge"]);

    // Users who are not members are refused, with the path of their id.
    let stranger = "0197f1d0-0000-7000-8000-000000000001";
    let rules = json!({"mergeRules": {"type": "rules", "rules": [
        {"rule": "require_resolved_comments"},
        {"rule": "allow_bypass", "users": [ann.user(), stranger]},
    ]}});
    for path in [format!("/v1/spaces/{}", ruled.space), format!("/v1/orgs/{}", ruled.app.organization)] {
        let refused = ruled.admin.patch(&path, rules.clone()).await.expect(400);
        assert_eq!(refused.at("/error/details/0/field"), "mergeRules.rules[1].users[1]", "{path}");
    }
}

#[actix_web::test]
async fn a_bypass_is_asked_for_allowed_by_role_and_audited() {
    let rules = json!([{"rule": "require_approvals", "count": 1}, {"rule": "allow_bypass", "role": "admin"}]);
    let ruled = Ruled::new(rules).await;
    let reviewer = ruled.member(Role::Review);
    let refused = ruled.merge(&reviewer, json!({"bypassRules": true})).await.expect(409);
    assert_eq!(refused.reason(), "merge-blocked");
    assert!(refused.text("/error/message").ends_with("The rules do not allow you to bypass them."));
    let _ = ruled.merge(&ruled.admin, json!({})).await.expect(409);
    let seen = ruled.admin.get(&ruled.path).await.expect(200);
    assert_eq!(seen.at("/permissions"), &json!({"merge": false, "bypassRules": true}));
    let merged = ruled.merge(&ruled.admin, json!({"bypassRules": true})).await.expect(200);
    assert_eq!(merged.at("/result"), "merge");
    let log = format!("/v1/orgs/{}/audit-log?target={}", ruled.app.organization, ruled.id);
    let operations = |entries: Answer| -> Vec<String> {
        let items = entries.at("/items").as_array().unwrap().clone();
        items.iter().map(|entry| entry["operation"].as_str().unwrap().to_owned()).collect()
    };
    let entries = operations(ruled.admin.get(&log).await.expect(200));
    assert_eq!(entries[0], "mergeChangeRequest.bypass-rules", "{entries:?}");

    // A bypass without unmet rules is recorded as a normal merge.
    let other = ruled.app.create_change_request(&ruled.author, ruled.space);
    let other = format!("/v1/spaces/{}/change-requests/{other}", ruled.space);
    let _ = reviewer.post(&format!("{other}/reviews"), json!({"status": "approved"})).await.expect(201);
    let _ = ruled.admin.post(&format!("{other}/merge"), json!({"bypassRules": true})).await.expect(200);
    let log = format!("/v1/orgs/{}/audit-log?operation=mergeChangeRequest", ruled.app.organization);
    assert_eq!(operations(ruled.admin.get(&log).await.expect(200)), ["mergeChangeRequest"]);
}

#[actix_web::test]
async fn spaces_inherit_the_rules_of_the_organization() {
    let ruled = Ruled::new(json!([{"rule": "require_approvals", "count": 1}])).await;
    let reviewer = ruled.member(Role::Review);
    let (space, organization) =
        (format!("/v1/spaces/{}", ruled.space), format!("/v1/orgs/{}", ruled.app.organization));
    let inherited = ruled.admin.patch(&space, json!({"mergeRules": {"type": "inherit"}})).await.expect(200);
    assert_eq!(inherited.at("/mergeRules"), &json!({"type": "inherit"}));
    assert_eq!(ruled.blocks(&reviewer).await, [""; 0], "the organization has none");
    let rules = json!({"type": "rules", "rules": [{"rule": "require_at_least_one_approved_review"}]});
    let changed = ruled.admin.patch(&organization, json!({"mergeRules": rules})).await.expect(200);
    assert_eq!(changed.at("/mergeRules"), &rules);
    assert_eq!(ruled.admin.get(&organization).await.expect(200).at("/mergeRules"), &rules);
    assert_eq!(ruled.blocks(&reviewer).await, ["require_at_least_one_approved_review"]);
    let _ = ruled.admin.patch(&space, json!({"mergeRules": {"type": "none"}})).await.expect(200);
    assert_eq!(ruled.blocks(&reviewer).await, [""; 0]);
    assert_eq!(reviewer.get(&space).await.expect(200).at("/mergeRules"), &json!({"type": "none"}));
    let refused =
        ruled.admin.patch(&organization, json!({"mergeRules": {"type": "inherit"}})).await.expect(400);
    assert_eq!(refused.at("/error/details/0/field"), "mergeRules.type");
    let refused = ruled.member(Role::Create).patch(&space, json!({"mergeRules": {"type": "none"}})).await;
    let _ = refused.expect(403);
}

#[actix_web::test]
async fn a_tag_of_a_change_request_holds_until_a_rule_is_met() {
    let ruled = Ruled::new(json!([{"rule": "require_approvals", "count": 1}])).await;
    let tag = ruled.admin.get(&ruled.path).await.expect(200).header("etag").to_owned();
    let patch = |tag: &str, subject: &str| {
        actix_web::test::TestRequest::patch()
            .uri(&ruled.path)
            .insert_header(("If-Match", tag))
            .set_json(json!({"subject": subject}))
    };
    let changed = ruled.admin.send(patch(&tag, "One")).await.expect(200);
    let _ = ruled.admin.send(patch(&tag, "Two")).await.expect(412);
    let now = ruled.admin.get(&ruled.path).await.expect(200);
    assert_eq!(changed.json, now.json);
    ruled.review(&ruled.member(Role::Review), "approved").await;
    let _ = ruled.admin.send(patch(now.header("etag"), "Three")).await.expect(412);
}
