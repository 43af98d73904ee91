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
    }
}
