//! Links to every kind of target.

use serde_json::json;

use super::{Rich, done};
use crate::routes::Fixture;

impl Rich<'_> {
    pub async fn links(&self, fixture: &Fixture) {
        let reference = |kind: &str, key: &str, value: &str| json!({"operation": "insert_link", "title": kind, "target": {"kind": kind, key: value}});
        let (user, page) = (self.admin.user().to_string(), fixture.named("pageId"));
        let anchor = json!({"operation": "insert_link", "title": "Anchor", "target": {"kind": "anchor", "page": page, "anchor": "nowhere"}});
        let heading = json!({"operation": "update_page", "page": page, "document": {"markdown": "Run it.\n\n## Set up\n\nFirst."}});
        let there = json!({"operation": "insert_link", "title": "Anchor", "target": {"kind": "anchor", "page": page, "anchor": "set-up"}});
        let file = json!({"operation": "insert_link", "title": "File", "target": {"kind": "file", "file": fixture.named("fileId")}});
        let collection = fixture.named("collectionId");
        self.write(
            &self.space,
            json!([
                reference("user", "user", &user),
                reference("space", "space", &self.other_space(fixture).await),
                reference("collection", "collection", &collection),
                reference("openapi", "spec", &fixture.named("specSlug")),
                reference("reusable-content", "reusableContent", &fixture.named("reusableContentId")),
                heading,
                anchor,
                there,
                file,
            ]),
        )
        .await;
        self.get(&format!("{}/links?limit=1000", self.space)).await;
        self.get(&format!("{}/links?limit=1", self.space)).await;
        let requests = format!("{}/change-requests", self.space);
        let request =
            format!("{requests}/{}", self.admin.post_empty(&requests).await.expect(201).text("/id"));
        let changes = json!({"changes": [{"operation": "insert_link", "title": "Gone", "target": {"kind": "page", "page": fixture.named("revisionId")}}]});
        let written = self.admin.post(&format!("{request}/content"), changes).await;
        done(&written);
        self.get(&format!("{request}/links?limit=1000")).await;
        self.get(&format!("{request}/content")).await;
    }

    async fn other_space(&self, fixture: &Fixture) -> String {
        let spaces = format!("/v1/orgs/{}/spaces", fixture.named("organizationId"));
        self.admin.post_empty(&spaces).await.expect(201).text("/id")
    }
}
