//! Spaces on a site.

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
        self.translated(&site).await;
        self.previewed(&site, fixture).await;
    }

    /// Adds the same pages in another language.
    async fn translated(&self, site: &str) {
        let copy = self.admin.post_empty(&format!("{}/duplicate", self.space)).await.expect(201).text("/id");
        let _ = self.admin.patch(&format!("/v1/spaces/{copy}"), json!({"language": "en"})).await.expect(200);
        let _ = self.admin.post(&format!("{site}/site-spaces"), json!({"spaceId": copy})).await.expect(201);
    }

    /// Requests previews of a frame and of the site itself, with its icon.
    async fn previewed(&self, site: &str, fixture: &Fixture) {
        let icon = json!({"light": "https://example.com/light.png", "dark": "https://example.com/dark.png"});
        let favicon = json!({"favicon": {"icon": icon}});
        let _ = self.admin.put(&format!("{site}/customization"), favicon).await.expect(200);
        let (organization, site) = (fixture.named("organizationId"), fixture.named("siteId"));
        let own = format!("http://127.0.0.1:8080/sites/{organization}/{site}");
        for url in ["https://vimeo.com/1", &own] {
            self.get(&format!("{}/embed?url={url}", self.space)).await;
        }
    }
}
