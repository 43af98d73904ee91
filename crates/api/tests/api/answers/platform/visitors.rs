//! Published sites, as those see them who have a link, whom the organization vouches for, or who say something about
//! themselves.

use serde_json::json;

use super::Platform;
use super::sites::Stage;

/// Unsigned claims of a visitor.
const CLAIMS: &str = "claims=%7B%22beta%22%3Atrue%7D";

impl Platform<'_> {
    pub(super) async fn visitors(&self, stage: &Stage) {
        let site = stage.site.clone();
        let links = self.get(&format!("{site}/share-links")).await;
        let share_key = format!("shareKey={}&{CLAIMS}", links.text("/items/0/key"));
        self.patch(&site, json!({"visibility": "share-link"})).await;
        self.visit(&site, &share_key).await;
        let token = self.post_empty(&self.of("ping")).await.text("/serviceVisitorClaims");
        self.patch(&site, json!({"visibility": "visitor-auth"})).await;
        self.visit(&site, &format!("jwtToken={token}&{CLAIMS}")).await;
        self.patch(&site, json!({"visibility": "public"})).await;
        self.get(&format!("{site}/published")).await;
    }

    /// Requests without an API token.
    async fn visit(&self, site: &str, query: &str) {
        let visitor = self.app.anonymous();
        for part in ["published", "structure", "sections", "site-spaces"] {
            let _ = visitor.get(&format!("{site}/{part}?{query}")).await.expect(200);
        }
    }
}
