//! Spaces and collections.

use serde_json::json;

use super::{Rich, done};
use crate::routes::Fixture;

impl Rich<'_> {
    pub async fn places(&self, fixture: &Fixture) {
        let outer = fixture.named("collectionId");
        let collections = format!("/v1/orgs/{}/collections", fixture.named("organizationId"));
        let inner = self.admin.post(&collections, json!({"parent": outer})).await.expect(201).text("/id");
        let body = json!({"description": "What is inside"});
        let changed = self.admin.patch(&format!("/v1/collections/{inner}"), body).await;
        done(&changed);
        let icon = json!({"icon": "https://example.com/icon.png"});
        let changed = self.admin.patch(&self.space, icon).await;
        done(&changed);
        let spaces = format!("/v1/orgs/{}/spaces", fixture.named("organizationId"));
        let made = self.admin.post(&spaces, json!({"parent": inner})).await;
        done(&made);
        let path = format!("/v1/spaces/{}", made.text("/id"));
        let _ = self.admin.delete(&path).await.expect(204);
        self.get(&path).await;
    }
}
