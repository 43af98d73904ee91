//! Spaces that a site shows.

use serde_json::json;

use super::Rich;
use crate::routes::Fixture;

impl Rich<'_> {
    pub async fn published(&self, fixture: &Fixture) {
        let site = format!("/v1/orgs/{}/sites/{}", fixture.named("organizationId"), fixture.named("siteId"));
        let _ = self.admin.post_empty(&format!("{site}/publish")).await.expect(200);
        for visibility in ["public", "visitor-auth"] {
            let _ = self.admin.patch(&site, json!({"visibility": visibility})).await.expect(200);
            let space = self.space.clone();
            self.get(&space).await;
            self.get(&format!("{space}/content")).await;
        }
        let link =
            self.admin.post(&format!("{site}/share-links"), json!({"name": "Press"})).await.expect(201);
        let _ = self.admin.patch(&site, json!({"visibility": "share-link"})).await.expect(200);
        self.get(&format!("{}?shareKey={}", self.space, link.text("/key"))).await;
        let _ = self.admin.patch(&site, json!({"visibility": "visitor-auth"})).await.expect(200);
    }
}
