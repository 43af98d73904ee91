//! Comments and replies.

use serde_json::json;

use super::{Rich, done};
use crate::routes::Fixture;

impl Rich<'_> {
    pub async fn discussion(&self, fixture: &Fixture) {
        let home = fixture.named("pageId");
        let page = json!({"operation": "insert_page", "title": "Discussed", "into": home, "document": {"markdown": "Run it."}});
        let written = self.write(json!([page])).await;
        let page = written.at("/changes/0/page/id").clone();
        self.get(&format!("{}/content/pages", self.space)).await;
        self.get(&format!("{}/search?query=run", self.space)).await;
        for (key, value) in [("emoji", "🚀"), ("icon", "bolt")] {
            let changed = json!({"operation": "update_page", "page": page, "document": {"markdown": format!("# Set up\n\nRun {key}.")}, key: value});
            self.write(json!([changed])).await;
            let body = json!({"body": {"markdown": "Why?"}, "page": page, "node": "0"});
            let posted = self.admin.post(&format!("{}/comments", self.space), body).await;
            done(&posted);
            let path = format!("{}/comments/{}", self.space, posted.text("/id"));
            let replies = format!("{path}/replies");
            let reply = self.admin.post(&replies, json!({"body": {"markdown": "So."}})).await;
            done(&reply);
            self.app.clock.advance(std::time::Duration::from_secs(60));
            let edited =
                json!({"body": {"markdown": "Why not?"}, "addedReactions": ["🚀"], "resolved": true});
            let changed = self.admin.put(&path, edited.clone()).await;
            done(&changed);
            let changed = self.admin.put(&format!("{replies}/{}", reply.text("/id")), edited).await;
            done(&changed);
        }
        self.get(&format!("{}/comments?format=document", self.space)).await;
    }
}
