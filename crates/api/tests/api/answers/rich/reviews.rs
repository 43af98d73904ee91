//! Reviews.

use quire_domain::Role;
use serde_json::json;

use super::{Rich, done};
use crate::routes::Fixture;

impl Rich<'_> {
    pub async fn reviews(&self, fixture: &Fixture) {
        let path = format!("{}/change-requests/{}", self.space, fixture.named("changeRequestId"));
        let reviewer = self.app.as_role(Role::Admin);
        let asked = json!({"users": [reviewer.user()], "teams": [fixture.named("teamId")]});
        let asked = self.admin.post(&format!("{path}/requested-reviewers"), asked).await;
        done(&asked);
        let body = json!({"status": "approved", "comment": {"markdown": "Good."}});
        let review = reviewer.post(&format!("{path}/reviews"), body).await;
        done(&review);
        let changes = json!({"changes": [{"operation": "insert_group", "title": "After"}]});
        let _ = self.admin.post(&format!("{path}/content"), changes).await.expect(200);
        self.get(&format!("{path}/reviews")).await;
        self.get(&format!("{path}/changes?limit=1")).await;
    }
}
