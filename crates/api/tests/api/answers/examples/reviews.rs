//! Reviews.

use quire_domain::Role;
use quire_domain::ids::UserId;
use serde_json::{Value, json};

use super::{Rich, done};
use crate::routes::Fixture;

impl Rich<'_> {
    pub async fn reviews(&self, fixture: &mut Fixture) {
        let path = format!("{}/change-requests/{}", self.space, fixture.named("changeRequestId"));
        let reviewer = self.app.as_role(Role::Admin);
        let asked = json!({"users": [reviewer.user()], "teams": [fixture.named("teamId")], "subject": "Better words"});
        done(&self.admin.post(&format!("{path}/requested-reviewers"), asked).await);
        let page = self
            .get(&format!("{}/content/page/{}?format=document", self.space, fixture.named("pageId")))
            .await;
        for comment in [json!({"markdown": "Good."}), json!({"document": page.at("/document")})] {
            let body = json!({"status": "approved", "comment": comment});
            let review = reviewer.post(&format!("{path}/reviews?format=document"), body).await.expect(201);
            fixture.set("reviewId", &review.text("/id"));
            let text = reviewer
                .post(&format!("{path}/reviews?format=markdown"), json!({"status": "changes-requested"}))
                .await;
            done(&text);
        }
        let changes = json!({"changes": [{"operation": "insert_group", "title": "After"}]});
        done(&self.admin.post(&format!("{path}/content"), changes).await);
        self.get(&format!("{path}/reviews")).await;
        self.get(&format!("{path}/changes?limit=1")).await;
        let page = fixture.named("pageId");
        self.get(&format!("{path}/diff/{page}?format=html&view=split")).await;
        self.get(&format!("{path}/diff/{page}")).await;
        for base in [&path, &self.space.clone()] {
            let render = format!("{base}/content/render");
            let document = self.get(&format!("{}/content/page/{page}?format=document", self.space)).await;
            done(
                &self.admin.post(&render, json!({"document": {"document": document.at("/document")}})).await,
            );
            done(&self.admin.post(&render, json!({"document": {"markdown": "Says *why*."}})).await);
        }
        let convert = format!("{path}/content/page/{page}/convert");
        let converted =
            self.admin.post(&convert, json!({"document": {"markdown": "Says *why*."}})).await.expect(200);
        done(&self.admin.post(&convert, json!({"document": {"document": converted.at("/document")}})).await);
        let described = json!({"description": {"markdown": "Says *why*."}});
        done(&self.admin.patch(&format!("{path}?format=document"), described.clone()).await);
        for format in ["document", "markdown"] {
            let requests = format!("{}/change-requests?format={format}", self.space);
            let made = self.admin.post(&requests, described.clone()).await.expect(201).text("/id");
            let described = self.get(&format!("{}/change-requests/{made}?format=document", self.space)).await;
            let document = json!({"description": {"document": described.at("/description/document")}});
            done(&self.admin.post(&requests, document).await);
        }
        let viewed = format!("{path}/viewed");
        let document = self.get(&format!("{path}/diff/{page}")).await.at("/after").clone();
        done(&self.admin.put(&viewed, json!({"pages": {page: document}})).await);
        self.get(&viewed).await;
        self.merge_rules(&path).await;
    }

    /// Sets merge rules that the change request does not meet, and merges one with a bypass.
    async fn merge_rules(&self, path: &str) {
        let set = |rules: Value| json!({ "mergeRules": rules });
        done(&self.admin.patch(&self.space, set(json!({"type": "none"}))).await);
        done(&self.admin.patch(&self.space, set(merge_rules(self.admin.user()))).await);
        self.get(path).await;
        let document = self.get(&format!("{path}?format=document")).await;
        let description = json!({"document": document.at("/description/document")});
        done(&self.admin.patch(path, json!({"subject": "Best words", "description": description})).await);
        let bypassing = self.change_request().await;
        done(&self.admin.post(&format!("{bypassing}/merge"), json!({"bypassRules": true})).await);
        done(&self.admin.patch(&self.space, set(json!({"type": "inherit"}))).await);
    }
}

/// Returns merge rules of every kind.
pub fn merge_rules(user: UserId) -> Value {
    json!({"type": "rules", "rules": [
        {"rule": "require_approvals", "count": 2},
        {"rule": "require_at_least_one_review"},
        {"rule": "require_at_least_one_approved_review"},
        {"rule": "require_all_reviews_approved"},
        {"rule": "require_specific_reviewers", "users": [user]},
        {"rule": "require_one_of_specific_reviewers", "users": [user]},
        {"rule": "require_resolved_comments"},
        {"rule": "require_up_to_date_change_request"},
        {"rule": "require_change_request_subject"},
        {"rule": "require_change_request_description"},
        {"rule": "require_author_to_merge"},
        {"rule": "allow_bypass", "users": [user], "role": "admin"},
    ]})
}
