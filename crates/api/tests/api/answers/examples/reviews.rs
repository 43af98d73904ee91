//! Reviews.

use quire_domain::Role;
use serde_json::json;

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
        self.get(&format!("{path}/diff/{page}")).await;
        let viewed = format!("{path}/viewed");
        let document = self.get(&format!("{path}/diff/{page}")).await.at("/after").clone();
        done(&self.admin.put(&viewed, json!({"pages": {page: document}})).await);
        self.get(&viewed).await;
        self.merge_rules(&path).await;
    }

    /// Rules of the space that the change request does not meet, and one that is merged all the same.
    async fn merge_rules(&self, path: &str) {
        let user = self.admin.user();
        let rules = json!([
            {"rule": "require_approvals", "count": 2},
            {"rule": "require_specific_reviewers", "users": [user]},
            {"rule": "allow_bypass", "users": [user], "role": "admin"},
        ]);
        let set = |rules: serde_json::Value| json!({ "mergeRules": rules });
        let body = set(json!({"type": "rules", "rules": rules}));
        done(&self.admin.patch(&self.space, body).await);
        self.get(path).await;
        done(&self.admin.patch(path, json!({"subject": "Best words"})).await);
        let bypassing = self.change_request().await;
        done(&self.admin.post(&format!("{bypassing}/merge"), json!({"bypassRules": true})).await);
        done(&self.admin.patch(&self.space, set(json!({"type": "inherit"}))).await);
    }
}
